/* status.h -- the one set of results that weft's functions answer with.
 *
 * Knows nothing. A function that can fail returns enum weft_status, sets its outputs to NULL or
 * zero on failure, and has changed nothing that its comment does not name. */
#ifndef WEFT_STATUS_H
#define WEFT_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define WEFT_MUST_USE          __attribute__((warn_unused_result))
#define WEFT_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define WEFT_MUST_USE
#define WEFT_PRINTF(fmt, args)
#endif

enum weft_status {
    WEFT_OK = 0,
    WEFT_ETIMEDOUT, /* the deadline passed; nothing was changed or lost */
    WEFT_ECANCELED, /* it was cancelled, or asked to stop: there is no result */
    WEFT_EBUSY,     /* in use: cancel of a running job (it has been asked to stop), a file in use */
    WEFT_EDONE,     /* it already has its result (cancel, start, finish), or exists (an output) */
    WEFT_ECLOSED,   /* it takes no more work */
    WEFT_EFULL,     /* a bounded queue, or a line of waiters, is at its cap */
    WEFT_EOVER,     /* release without a matching acquire; the count is unchanged */
    WEFT_END,       /* no more items, nothing outstanding */
    WEFT_EALL,      /* race: every racer failed */
    WEFT_EDEADLK,   /* the caller would wait for itself */
    WEFT_EINVAL,    /* an argument is outside what the function takes */
    WEFT_ENOMEM,
    WEFT_EAGAIN,  /* the system would not give a thread */
    WEFT_EFORKED, /* this executor belongs to the parent process */
    WEFT_ESYNTAX, /* the text is not what it should be: no URL, no number, no XPath */
    WEFT_ESCHEME, /* a URL, but not of http or https */
    WEFT_ELIMIT,  /* larger than a limit allows */
    WEFT_EIO,  /* the system refused: a file, a socket, a disk; errno says more where it is told */
    WEFT_EINIT /* a worker_init hook failed: there is no executor */
};

/* The name of a status in words, for people. Never NULL; a static string. Threads: any. */
const char *weft_strerror(enum weft_status status);

#ifdef __cplusplus
}
#endif
#endif

/* fetch.h -- one HTTP request, blocking, with limits.
 *
 * A fetch is one request and its answer: redirects are told, not followed; retries, robots.txt and
 * politeness are the caller's. A client belongs to one thread at a time and keeps its connections
 * alive between fetches; clients of one network share DNS answers, TLS sessions and, if switched
 * on, cookies. Knows HTTP (through libcurl, whose types are not seen here); knows nothing of
 * frontiers, engines or pages. */
#ifndef WEFT_FETCH_H
#define WEFT_FETCH_H

#include "weft/clock.h"
#include "weft/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a fetch ended. */
enum weft_fetch_end {
    WEFT_FETCH_DONE =
        0,              /* an answer came in whole (whatever its status), or its body is unwanted */
    WEFT_FETCH_TIMEOUT, /* one of the three time limits */
    WEFT_FETCH_CONNECTION,  /* refused, reset, closed without an answer */
    WEFT_FETCH_DNS,         /* the name does not resolve */
    WEFT_FETCH_TLS,         /* handshake or certificate */
    WEFT_FETCH_TOO_LARGE,   /* the decoded body, or the header, is over its limit; body holds what
                               fitted */
    WEFT_FETCH_TRUNCATED,   /* the body ended before its length or its last chunk */
    WEFT_FETCH_BAD_CONTENT, /* not HTTP, or an encoding that can't be undone */
    WEFT_FETCH_PRIVATE,     /* the address is in a private range and that is refused */
    WEFT_FETCH_INTERRUPTED, /* weft_client_interrupt(), or the loop's cancel */
    WEFT_FETCH_FAILED       /* this program failed: out of memory, no descriptor for a socket */
};

/* Set-up of a network; all zero = sensible. Strings and lists are copied by weft_net_new. */
struct weft_net_options {
    const char *user_agent;     /* NULL: weft/VERSION */
    const char *const *headers; /* "Name: value", NULL-terminated list; NULL: none */
    const char *credentials; /* user:password, sent only to the hosts named in credential_hosts */
    /* host[:port] list; without a port: the default one of http or https. Cookies given as text and
     * the header fields Authorization, Cookie, Proxy-Authorization and Host go to these hosts
     * alone, too. With any of these, NULL is WEFT_EINVAL; an empty list: nobody. */
    const char *const *credential_hosts;
    const char *proxy;       /* NULL: the environment's (none with no_private); "": none */
    const char *cookie_file; /* read at start (curl's -b FILE), or "a=b; c=d" */
    /* written by weft_net_free (curl's -c), readable by the user alone; "-": standard output */
    const char *cookie_jar;
    bool cookies;  /* keep cookies in memory, per host */
    bool insecure; /* do not verify TLS certificates */
    const char *ca_file;
    const char *const *resolve; /* "host:port:address", as curl's --resolve */
    bool http2;
    bool no_private;           /* refuse private, loopback, link-local addresses at connect time;
                                  not together with a proxy, which alone would see them */
    weft_time connect_timeout; /* 0: 10 s; durations in nanoseconds */
    weft_time read_timeout;    /* longest silence; 0: 15 s */
    weft_time timeout;         /* the whole request; 0: 60 s */
    size_t max_body;           /* decoded; 0: the default limit */
    bool keep_wire;            /* also keep what went over the wire, for WARC */
};

struct weft_net;
struct weft_client;

/* Asked once the header of the final answer is there: whether the body is wanted. Runs on the
 * fetching thread; must not call the client. A body that is not wanted is not downloaded. */
struct weft_response;
typedef bool weft_want_body_fn(void *user, const struct weft_response *so_far);

/* One request; everything is borrowed for the duration of the fetch. */
struct weft_request {
    const char *url;           /* absolute, serialised */
    bool head;                 /* HEAD instead of GET */
    bool fresh_connection;     /* on none that was kept: see `stale` below */
    const char *cookies;       /* what an earlier response of the same visit gave; NULL: none */
    const char *if_none_match; /* conditional request; NULL: none */
    const char *if_modified_since;
    const char *referer;
    size_t max_body;              /* for this request; 0: the network's */
    weft_want_body_fn *want_body; /* NULL: wanted */
    void *user;
};

/* The answer. Owned by the caller, reusable: memory is kept from one fetch to the next. Strings are
 * NULL when absent, lie in the response, and are valid until reset. */
struct weft_response {
    enum weft_fetch_end end;
    char error[256]; /* for people when end is not DONE: "read timeout after 15.0 s" */
    int status;      /* the HTTP status, 0 if none came */
    /* the first field of its name; of Content-Type all, joined by commas, of X-Robots-Tag all, by
     * line feeds; one over 16 KiB counts as absent */
    const char *content_type, *location, *retry_after, *x_robots_tag, *etag, *last_modified;
    const char *cookies; /* all cookies in force for this visit, for the next request of it; when
                            the network keeps cookies: those that this answer set, to look at */
    const char *ip;      /* the address that answered */
    char *body;          /* decoded; body_len bytes and a NUL; never NULL after a fetch */
    size_t body_len, body_cap;
    size_t body_max; /* weft_response_append keeps no more than that; 0: whatever fits in memory */
    bool body_over;  /* ... and had to leave something away */
    bool unwanted;   /* want_body said no: body is empty by decision */
    bool stale; /* a kept-alive connection was closed under the request: nothing was answered */
    int64_t started_at;                              /* wall clock, nanoseconds since 1970 */
    weft_time started, connected, first_byte, ended; /* monotonic; 0 where it did not come so far */
    bool new_connection;
    char *wire_request,
        *wire_answer; /* with keep_wire: bytes as sent and as received, header and body */
    size_t wire_request_len, wire_answer_len;
    char *text; /* where the strings lie; private */
    size_t text_len, text_cap;
};

/* Gives *out. Starts libcurl on first use. WEFT_OK, WEFT_ENOMEM, WEFT_EINVAL (an option), WEFT_EIO
 * (a file named by an option can't be read). No signal is raised or needed: writing to a connection
 * that is closed gives an error, not SIGPIPE. Threads: any. */
enum weft_status weft_net_new(struct weft_net **out,
                              const struct weft_net_options *options) WEFT_MUST_USE;
/* Whether the options hold what goes to the credential_hosts alone, and so need them: credentials,
 * cookies as text, or one of those header fields. Threads: any. */
bool weft_net_has_secrets(const struct weft_net_options *options);
/* All its clients must have been freed. Writes the cookie jar: WEFT_EIO when that failed. */
enum weft_status weft_net_free(struct weft_net *net);
/* Writes the cookie jar now, aside and renamed, or into it if it is a device or a pipe; without one
 * it does nothing. WEFT_OK, WEFT_ENOMEM, WEFT_EIO (errno says why). Threads: any. */
enum weft_status weft_net_save_cookies(struct weft_net *net) WEFT_MUST_USE;

/* Gives *out, which borrows net. WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_client_new(struct weft_client **out, struct weft_net *net) WEFT_MUST_USE;
void weft_client_free(struct weft_client *c); /* NULL is fine */

/* Fetches. Blocks at most the time limits. Fills *response (init'ed by the caller; reset here).
 * WEFT_OK whatever the fetch's end; WEFT_EINVAL: no http(s) URL; WEFT_ENOMEM: not even begun. */
enum weft_status weft_client_fetch(struct weft_client *c, const struct weft_request *request,
                                   struct weft_response *response) WEFT_MUST_USE;

/* The same in steps, for a caller who looks after something else meanwhile. Begin borrows request
 * and response until the fetch has ended. WEFT_OK; on error (WEFT_EINVAL, WEFT_ENOMEM) nothing was
 * begun. Drive lets the fetch run until it has ended (WEFT_OK), until the deadline (absolute;
 * WEFT_ETIMEDOUT), or until weft_client_wake() (WEFT_ECANCELED); after the last two the fetch still
 * stands and is to be driven on. One at a time: no other fetch may begin before it has ended. */
enum weft_status weft_client_begin(struct weft_client *c, const struct weft_request *request,
                                   struct weft_response *response) WEFT_MUST_USE;
enum weft_status weft_client_drive(struct weft_client *c, weft_time deadline) WEFT_MUST_USE;

/* Makes the present or the next weft_client_drive return early, once. Threads: any. */
void weft_client_wake(struct weft_client *c);
/* Takes a wake that has not been noticed yet: true if there was one. */
bool weft_client_woken(struct weft_client *c);

/* Makes a fetch that is going on, and every later one until weft_client_resume(), end as
 * INTERRUPTED within 50 ms. Threads: any. Not from a signal handler. */
void weft_client_interrupt(struct weft_client *c);
void weft_client_resume(struct weft_client *c);

/* Storage of the struct is the caller's. */
void weft_response_init(struct weft_response *r);
void weft_response_reset(struct weft_response *r);   /* forgets the answer, keeps the memory */
void weft_response_release(struct weft_response *r); /* frees the memory; as after init */
/* For those who fill a response themselves (a fetch function of their own): copies text in and sets
 * one of the string fields, e.g. &r->content_type; appends to the body. WEFT_OK, WEFT_ENOMEM,
 * WEFT_ELIMIT. */
enum weft_status weft_response_set(struct weft_response *r, const char **field, const char *text,
                                   size_t len) WEFT_MUST_USE;
enum weft_status weft_response_append(struct weft_response *r, const char *bytes,
                                      size_t len) WEFT_MUST_USE;

#ifdef __cplusplus
}
#endif
#endif

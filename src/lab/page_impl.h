/* page_impl.h -- what the files of the page's server share: the server, one request, its answers.
 *
 * page.c starts and stops it; page_request.c takes a request through MHD's callbacks; page_guard.c
 * decides who may ask for what; page_answer.c answers. All of it runs on the server's own thread.
 */
#ifndef WEFT_LAB_PAGE_IMPL_H
#define WEFT_LAB_PAGE_IMPL_H

#include "base/limits.h"
#include "lab/page.h"
#include "lab/page_files.h"
#include <microhttpd.h>

struct weft_page {
    struct MHD_Daemon *daemon;
    struct weft_page_runs runs; /* set before the thread starts, as all that follows */
    uint16_t port;
    char url[40];
    unsigned streams; /* open now; the server's thread only */
};

enum page_what { PAGE_NOTHING, PAGE_FILE, PAGE_START, PAGE_WATCH, PAGE_STOP };

struct page_request {
    struct weft_page *page;
    struct MHD_Connection *connection;
    bool begun;
    bool elsewhere; /* its request line names another server */
    enum page_what what;
    const struct lab_page_file *file; /* of PAGE_FILE */
    unsigned run;                     /* of PAGE_WATCH and PAGE_STOP */
    unsigned refused;                 /* the status of a refusal; 0: none */
    const char *why;                  /* ... its sentence */
    const char *allow;                /* ... with 405, the methods that are answered */
    size_t body_len, body_all;        /* kept; and all that came */
    char body[WEFT_PAGE_MAX_BODY];
    char path[]; /* as on the wire, without query */
};

/* ---- page_request.c: MHD's callbacks; cls is the server ---- */

void *page_request_new(void *page, const char *uri, struct MHD_Connection *connection);
enum MHD_Result page_request_run(void *page, struct MHD_Connection *connection, const char *url,
                                 const char *method, const char *version, const char *upload,
                                 size_t *upload_len, void **request);
void page_request_end(void *page, struct MHD_Connection *connection, void **request,
                      enum MHD_RequestTerminationCode why);

/* ---- page_guard.c ---- */

/* Whether host[0..len), of a Host field, names this machine (127.0.0.1, [::1], localhost) and
 * port. Pure. */
bool page_host_is_ours(const char *host, size_t len, uint16_t port);
/* Whether origin, of an Origin field, is that of a page from http://HOST/. Pure. */
bool page_origin_is_ours(const char *origin, const char *host);
/* Whether type, of a Content-Type field (NULL: none), is application/json. Pure. */
bool page_type_is_json(const char *type);
/* Reads /api/run/N and /api/run/N/events: sets *number and *events. false: it is neither. Pure. */
bool page_read_run(const char *path, unsigned *number, bool *events);
/* Finds out what r asks for and whether it may: sets what, or refused and why. method, and the
 * header fields, are there by now; the body is not. */
void page_guard(struct page_request *r, const char *method);

/* ---- page_answer.c ---- */

/* Answers r, whose body is whole. MHD_NO: it can't (no memory); the connection is to be closed. */
enum MHD_Result page_answer(struct page_request *r);

#endif

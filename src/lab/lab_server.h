/* lab_server.h -- the parts of the server as they see each other: server, request, reply.
 *
 *   MHD -> lab_request.c -> lab_endpoints.c -> lab_files.c, lab_gen.c, ... -> struct lab_reply
 *                |  held                                                           |
 *             lab_loop.c (timers, one thread)                                     MHD
 *
 * All of it runs on the lab's one thread, except where a comment names another lock. */
#ifndef WEFT_LAB_SERVER_H
#define WEFT_LAB_SERVER_H

#include "lab/lab.h"
#include "lab/lab_faults.h"
#include "lab/lab_routes.h"
#include "lab/lab_stats.h"
#include "lab/lab_timer.h"
#include <microhttpd.h>
#include <stdatomic.h>

struct lab_request;
struct lab_reply;

/* One special page. */
struct lab_endpoint {
    const char *path;     /* "/slow": this, and all that lies below "/slow/" */
    const char *synopsis; /* how it is asked for */
    const char *about;    /* a sentence for people */
    bool control;         /* neither counted nor held */
    int64_t default_ms;   /* held so long, unless "ms" says otherwise */
    /* How long r is held beyond that, or NULL. */
    int64_t (*hold_ms)(const struct lab_request *r);
    /* Fills reply, whose content is empty. WEFT_OK; anything else breaks the connection. */
    enum weft_status (*answer)(struct lab_request *r, struct lab_reply *reply);
};

struct lab_port {
    struct weft_lab *lab;
    unsigned k; /* 0: the first */
    uint16_t number;
    char url[80];
    struct MHD_Daemon *daemon;
    int epoll_fd; /* MHD's own: readable when it has work */
};

struct weft_lab {
    /* set before the thread starts: no lock */
    struct weft_lab_options o; /* dir and bind are not kept here */
    int dir_fd;                /* -1: no folder */
    bool loopback;             /* bound to this machine alone */
    struct lab_routes routes;
    struct lab_port ports[WEFT_LAB_MAX_PORTS];
    unsigned nports;
    uint64_t hidden; /* bit i: the folder has an entry with the name of endpoint i, and wins */
    char *complaint; /* while starting: where MHD's error messages go; then NULL */
    size_t complaint_cap;

    struct lab_stats stats;   /* has its own lock */
    struct lab_faults faults; /* has its own lock */

    pthread_t thread;
    int wake;             /* an eventfd: look at stopping */
    atomic_bool stopping; /* set once, by weft_lab_stop */

    /* the lab's thread only */
    struct lab_timers timers; /* of held requests */
    int gone_fd;              /* an epoll set of held connections: who goes away meanwhile? */
    unsigned held;
    weft_time resumed_at;
};

struct lab_request {
    struct weft_lab *lab;
    struct MHD_Connection *connection;
    const struct lab_port *port;
    const struct lab_endpoint *endpoint;
    const struct lab_route *route; /* of a file, or NULL */
    struct lab_timer timer;
    weft_time arrived;
    size_t swallowed; /* bytes of a body that nobody wants */
    unsigned host;    /* its number in the counters */
    unsigned status;  /* of the answer; 0: none yet */
    bool begun, decided, counted, in_flight;
    bool foreign;      /* its request line names a host that is not this machine */
    bool held;         /* suspended: in the timers, MHD leaves it alone */
    bool gone;         /* its client went away, or the server stops: no answer */
    const char *wrong; /* the query parameter that can't be read, or NULL */
    const char *query; /* without '?', raw; "" if there is none */
    char *path;        /* percent-decoded; lies behind target */
    char target[];     /* as on the wire: path and query */
};

struct lab_reply {
    unsigned status; /* 0: no answer, the connection is broken off */
    bool reset;      /* ...with a TCP reset */
    struct MHD_Response *response;
};

/* ---- lab_request.c: MHD's callbacks ---- */

void *lab_request_new(void *port, const char *uri, struct MHD_Connection *connection);
enum MHD_Result lab_request_run(void *port, struct MHD_Connection *connection, const char *url,
                                const char *method, const char *version, const char *upload,
                                size_t *upload_len, void **request);
void lab_request_end(void *port, struct MHD_Connection *connection, void **request,
                     enum MHD_RequestTerminationCode why);
void lab_request_connection(void *port, struct MHD_Connection *connection, void **context,
                            enum MHD_ConnectionNotificationCode what);

/* ---- lab_loop.c ---- */

/* The lab's thread: l is a struct weft_lab. Returns NULL once l->stopping is set and every
 * connection was closed. */
void *lab_loop(void *l);
/* Suspends r's connection until due or until its client goes away; then MHD calls again.
 * WEFT_OK, WEFT_ENOMEM (nothing was suspended). */
enum weft_status lab_loop_hold(struct lab_request *r, weft_time due) WEFT_MUST_USE;

/* ---- lab_endpoints.c ---- */

/* The special pages; NULL ends the list. */
const struct lab_endpoint *lab_endpoint(unsigned i);
/* Finds who answers r: a special page that is not hidden, or the files. Sets r->endpoint and
 * r->route. */
void lab_endpoint_find(struct lab_request *r);
/* Sets l->hidden. */
void lab_endpoints_hide(struct weft_lab *l);

/* ---- answers ---- */

enum weft_status lab_files_answer(struct lab_request *r, struct lab_reply *reply);
enum weft_status lab_index_answer(struct lab_request *r, struct lab_reply *reply);
int64_t lab_gen_hold_ms(const struct lab_request *r);
enum weft_status lab_gen_answer(struct lab_request *r, struct lab_reply *reply);
enum weft_status lab_shop_answer(struct lab_request *r, struct lab_reply *reply);
enum weft_status lab_slow_answer(struct lab_request *r, struct lab_reply *reply);
enum weft_status lab_hang_answer(struct lab_request *r, struct lab_reply *reply);
enum weft_status lab_flaky_answer(struct lab_request *r, struct lab_reply *reply);
enum weft_status lab_limited_answer(struct lab_request *r, struct lab_reply *reply);
enum weft_status lab_status_answer(struct lab_request *r, struct lab_reply *reply);
enum weft_status lab_unreliable_answer(struct lab_request *r, struct lab_reply *reply);
enum weft_status lab_redirect_answer(struct lab_request *r, struct lab_reply *reply);
enum weft_status lab_reset_answer(struct lab_request *r, struct lab_reply *reply);
enum weft_status lab_big_answer(struct lab_request *r, struct lab_reply *reply);
enum weft_status lab_drip_answer(struct lab_request *r, struct lab_reply *reply);
enum weft_status lab_truncated_answer(struct lab_request *r, struct lab_reply *reply);
enum weft_status lab_stats_answer(struct lab_request *r, struct lab_reply *reply);
enum weft_status lab_reset_stats_answer(struct lab_request *r, struct lab_reply *reply);

#endif

/* engine.h -- how fetches run: the contract between the coordinator and an engine.
 *
 * Engines differ in nothing but that. All functions are called on the coordinator's thread, except
 * wake. An engine owns a visit from submit() until wait_any() gives it back. */
#ifndef WEFT_CRAWL_ENGINE_H
#define WEFT_CRAWL_ENGINE_H

#include "crawl/visit.h"
#include "crawl/work.h"

struct weft_engine; /* each engine's own; its first member is its ops */

struct weft_engine_ops {
    const char *name;
    /* Takes one visit and starts its fetch, or will inside wait_any. Never blocks on the network.
     * WEFT_OK; on failure (WEFT_ENOMEM, ...) the visit is still the caller's. */
    enum weft_status (*submit)(struct weft_engine *e, struct weft_visit *v);
    /* Waits for one submitted visit to be done and gives it back. WEFT_OK; WEFT_ETIMEDOUT: the
     * deadline passed (with nothing submitted it just waits); WEFT_ECANCELED: wake was called. What
     * is done is handed out before either. Each visit comes out once. */
    enum weft_status (*wait_any)(struct weft_engine *e, weft_time deadline,
                                 struct weft_visit **done);
    /* Hurry: all that was submitted still comes out of wait_any, soon, as INTERRUPTED. */
    void (*cancel_all)(struct weft_engine *e);
    /* Makes the current or next wait_any return early, once; with now, also interrupts a fetch that
     * runs inside wait_any. Threads: any. */
    void (*wake)(struct weft_engine *e, bool now);
    /* What was submitted and has not come out is dropped, within moments. */
    void (*free)(struct weft_engine *e);
};

struct weft_engine {
    const struct weft_engine_ops *ops;
};

/* Each gives *out, which borrows work. jobs: visits submitted at once, at most.
 * WEFT_OK, WEFT_ENOMEM, WEFT_EAGAIN (no threads), WEFT_EIO. */
enum weft_status weft_engine_sync_new(struct weft_engine **out,
                                      const struct weft_work *work) WEFT_MUST_USE;
enum weft_status weft_engine_threads_new(struct weft_engine **out, const struct weft_work *work,
                                         unsigned jobs) WEFT_MUST_USE;
enum weft_status weft_engine_events_new(struct weft_engine **out, const struct weft_work *work,
                                        unsigned jobs) WEFT_MUST_USE;

#endif

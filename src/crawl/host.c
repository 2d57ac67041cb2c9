/* host.c -- the clock of one host. */
#include "crawl/host.h"

#include "crawl/visit.h"
#include <stdlib.h>
#include <string.h>

#define MAX_BACKOFF 16u /* doublings; the hold is capped long before */
#define EASING      32  /* one part of so many off the pace with each answer */

struct weft_host *weft_host_new(const char *origin, size_t len, uint64_t print,
                                const struct weft_host_policy *policy)
{
    struct weft_host *h = calloc(1, sizeof *h);
    char *copy = malloc(len + 1);
    if (!h || !copy) {
        free(h);
        free(copy);
        return NULL;
    }
    memcpy(copy, origin, len);
    copy[len] = '\0';
    h->origin = copy;
    h->origin_len = len;
    h->print = print;
    h->policy = policy;
    h->delay = policy->delay;
    h->tokens = policy->burst;
    h->heap_index = (size_t)-1;
    h->due = WEFT_FOREVER;
    weft_url_queue_init(&h->fresh);
    return h;
}

void weft_host_free(struct weft_host *h)
{
    if (!h) {
        return;
    }
    struct weft_visit *v;
    while ((v = weft_host_pop_timed(h))) {
        weft_visit_free(v);
    }
    weft_url_queue_release(&h->fresh);
    weft_robots_free(h->rules);
    free(h->closed_why);
    free(h->origin);
    free(h);
}

static weft_time later(weft_time a, weft_time b)
{
    return a > b ? a : b;
}

static weft_time sooner(weft_time a, weft_time b)
{
    return a < b ? a : b;
}

/* When the bucket holds a whole token. */
static weft_time token_at(const struct weft_host *h)
{
    if (h->policy->rate <= 0 || h->tokens >= 1) {
        return WEFT_POLL;
    }
    return h->tokens_at + (weft_time)((1 - h->tokens) / h->policy->rate * (double)WEFT_SECOND) + 1;
}

weft_time weft_host_opens(const struct weft_host *h)
{
    return later(later(h->next_start, h->hold_until), token_at(h));
}

weft_time weft_host_due(const struct weft_host *h)
{
    if (h->in_flight >= h->policy->per_host) {
        return WEFT_FOREVER;
    }
    bool fresh = h->fresh.n > 0 && !h->policy->timed_only;
    /* A closed host is worked off at once: none of its URLs will be requested. */
    if (h->robots == WEFT_ROBOTS_CLOSED) {
        return fresh || h->timed || h->asking ? WEFT_POLL : WEFT_FOREVER;
    }
    /* When something that waits may start, the host's clock aside. A host that is new has waited
     * since then, and no longer: else it would go before all that are known. */
    weft_time first = h->asking ? h->asking->not_before : WEFT_FOREVER;
    if (h->robots == WEFT_ROBOTS_KNOWN) {
        first = fresh ? h->fresh_since : first;
        first = h->timed ? sooner(first, h->timed->not_before) : first;
    } else if (h->robots == WEFT_ROBOTS_UNKNOWN) {
        /* It needs the rules, and asking for them may start at any time. */
        first = fresh && !h->shelved ? h->fresh_since : first;
        first = h->timed ? sooner(first, WEFT_POLL) : first;
    }
    return first == WEFT_FOREVER ? first : later(first, weft_host_opens(h));
}

void weft_host_started(struct weft_host *h, weft_time now)
{
    h->in_flight++;
    h->requests++;
    h->next_start = now + later(h->delay, h->pace);
    h->refused_at = h->refused_at ? h->refused_at : now;
    if (h->policy->rate > 0) {
        double gained = (double)(now - h->tokens_at) / (double)WEFT_SECOND * h->policy->rate;
        h->tokens = h->tokens_at ? h->tokens + gained : h->policy->burst;
        if (h->tokens > h->policy->burst) {
            h->tokens = h->policy->burst;
        }
        h->tokens -= 1;
        h->tokens_at = now;
    }
}

void weft_host_finished(struct weft_host *h)
{
    h->in_flight--;
}

void weft_host_succeeded(struct weft_host *h)
{
    h->failures = 0;
    h->answers++;
    h->pace = h->pace < WEFT_MS ? 0 : h->pace - h->pace / EASING;
    if (h->backoff > 0) {
        h->backoff--;
    }
}

void weft_host_refused(struct weft_host *h, weft_time now, weft_time retry_after, double jitter)
{
    h->refusals++;
    weft_time hold = retry_after;
    if (hold < 0) {
        hold = h->policy->retry_base;
        for (unsigned i = 0; i < h->backoff && hold < h->policy->max_hold; i++) {
            hold *= 2;
        }
        hold = (weft_time)((double)sooner(hold, h->policy->max_hold) * jitter);
    }
    if (h->backoff < MAX_BACKOFF) {
        h->backoff++;
    }
    if (hold > 0 && now >= h->hold_until) { /* else it is one of a crowd that is known of */
        h->pace = sooner((now - h->refused_at) / (h->answers ? h->answers : 1),
                         h->policy->max_hold);
        h->refused_at = now;
        h->answers = 0;
    }
    h->hold_until = later(h->hold_until, now + hold);
}

bool weft_host_failed(struct weft_host *h)
{
    h->failures++;
    if (h->given_up || h->policy->max_failures == 0 || h->failures < h->policy->max_failures) {
        return false;
    }
    h->given_up = true;
    return true;
}

/* Whether a goes before b. */
static bool goes_before(const struct weft_visit *a, const struct weft_visit *b)
{
    return a->not_before != b->not_before ? a->not_before < b->not_before : a->serial < b->serial;
}

/* A skew heap: two of them become one, along their right sides, which are swapped to the left on
 * the way; O(log n) on average over many calls, and no memory of its own, so it can't fail. */
static struct weft_visit *merge(struct weft_visit *a, struct weft_visit *b)
{
    struct weft_visit *root = NULL, **at = &root;
    while (a && b) {
        if (goes_before(b, a)) {
            struct weft_visit *swap = a;
            a = b;
            b = swap;
        }
        struct weft_visit *rest = a->right;
        *at = a;
        a->right = a->left;
        at = &a->left;
        a = rest;
    }
    *at = a ? a : b;
    return root;
}

static struct weft_visit *pop(struct weft_visit **heap)
{
    struct weft_visit *v = *heap;
    if (v) {
        *heap = merge(v->left, v->right);
        v->left = v->right = NULL;
    }
    return v;
}

void weft_host_put_timed(struct weft_host *h, struct weft_visit *v)
{
    struct weft_visit **heap = v->kind == WEFT_VISIT_ROBOTS ? &h->asking : &h->timed;
    v->left = v->right = NULL;
    v->serial = h->serial++;
    *heap = merge(*heap, v);
}

struct weft_visit *weft_host_take_timed(struct weft_host *h, weft_time now)
{
    bool closed = h->robots == WEFT_ROBOTS_CLOSED; /* then nothing will be asked: at once */
    if (h->asking && (closed || h->asking->not_before <= now)) {
        return pop(&h->asking);
    }
    if (h->timed && (closed || (h->robots == WEFT_ROBOTS_KNOWN && h->timed->not_before <= now))) {
        return pop(&h->timed);
    }
    return NULL;
}

struct weft_visit *weft_host_pop_timed(struct weft_host *h)
{
    return h->asking ? pop(&h->asking) : pop(&h->timed);
}

bool weft_host_is_idle(const struct weft_host *h)
{
    return h->in_flight == 0 && h->fresh.n == 0 && !h->timed && !h->asking &&
           h->robots != WEFT_ROBOTS_ASKED;
}

/* lab_floor.c -- the simulation: a queue of known pages, a heap of what is in flight by its end. */
#include "lab/lab_floor.h"

#include "base/heap.h"
#include <stdlib.h>

struct page {
    weft_time ends;
    size_t number;
    size_t started; /* the how-manieth start: breaks ties, so that the result is one */
    size_t place;   /* in the heap */
    bool known;
};

struct run {
    const struct lab_floor *f;
    struct page *pages;
    size_t *order; /* known pages, in the order in which they were learnt of */
    size_t nknown, nstarted, in_flight;
    struct weft_heap flying;
};

static bool sooner(const void *a, const void *b)
{
    const struct page *x = a, *y = b;
    return x->ends != y->ends ? x->ends < y->ends : x->started < y->started;
}

static void learn(struct run *r, size_t page)
{
    if (!r->pages[page].known) {
        r->pages[page].known = true;
        r->order[r->nknown++] = page;
    }
}

static enum weft_status start(struct run *r, weft_time now)
{
    struct page *p = &r->pages[r->order[r->nstarted]];
    p->started = r->nstarted++;
    p->ends = now + r->f->hold(r->f->user, p->number);
    r->in_flight++;
    return weft_heap_push(&r->flying, p);
}

/* The answer that is there next: its links become known. */
static weft_time finish_next(struct run *r)
{
    const struct lab_floor *f = r->f;
    struct page *p = weft_heap_top(&r->flying);
    weft_heap_remove(&r->flying, p);
    r->in_flight--;
    for (size_t k = 0, to; f->link && (to = f->link(f->user, p->number, k)) != LAB_NO_LINK; k++) {
        learn(r, to);
    }
    return p->ends;
}

static enum weft_status simulate(struct run *r, weft_time *floor)
{
    weft_time now = 0, may_start = 0;
    while (r->in_flight > 0 || r->nstarted < r->nknown) {
        bool wants = r->nstarted < r->nknown && r->in_flight < r->f->jobs;
        const struct page *first = weft_heap_top(&r->flying);
        if (!wants || (first && first->ends <= now) || (first && first->ends < may_start)) {
            now = finish_next(r);
            continue;
        }
        now = now > may_start ? now : may_start;
        enum weft_status st = start(r, now);
        if (st != WEFT_OK) {
            return st;
        }
        may_start = now + r->f->gap;
    }
    *floor = now;
    return WEFT_OK;
}

enum weft_status lab_floor(const struct lab_floor *f, weft_time *floor, size_t *reached)
{
    struct run r = {.f = f};
    enum weft_status st = WEFT_ENOMEM;
    *floor = 0;
    weft_heap_init(&r.flying, sooner, offsetof(struct page, place));
    r.pages = calloc(f->pages, sizeof *r.pages);
    r.order = calloc(f->pages, sizeof *r.order);
    if (r.pages && r.order) {
        for (size_t i = 0; i < f->pages; i++) {
            r.pages[i].number = i;
            r.pages[i].place = WEFT_HEAP_OUT;
        }
        for (size_t i = 0; i < f->seeds && i < f->pages; i++) {
            learn(&r, i);
        }
        st = simulate(&r, floor);
    }
    if (reached) {
        *reached = r.nstarted;
    }
    weft_heap_release(&r.flying);
    free(r.pages);
    free(r.order);
    return st;
}

static weft_time gen_hold(const void *user, size_t page)
{
    (void)page;
    return ((const struct lab_gen *)user)->ms * WEFT_MS;
}

static size_t gen_link(const void *user, size_t page, size_t k)
{
    const struct lab_gen *g = user;
    return (int64_t)k < g->links ? (size_t)lab_gen_link(g, (int64_t)page, (int64_t)k) : LAB_NO_LINK;
}

enum weft_status lab_floor_gen(const struct lab_gen *g, unsigned jobs, weft_time *floor)
{
    const struct lab_floor f = {.pages = (size_t)g->pages,
                                .seeds = 1,
                                .jobs = jobs,
                                .hold = gen_hold,
                                .link = gen_link,
                                .user = g};
    return lab_floor(&f, floor, NULL);
}

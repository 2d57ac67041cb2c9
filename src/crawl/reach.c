/* reach.c -- see reach.h. What is kept: for each target of a redirect how many may follow, and the
 * same counted from seeds alone. */
#include "crawl/reach.h"

/* --max-redirects goes to 1000, and a packed end of seen.h holds ten bits. */
#define MOST 1000

/* How many may follow from a URL of the table. */
static int left_at(const struct weft_seen *table, uint64_t print, int otherwise)
{
    struct weft_end left;
    return weft_seen_ended(table, print, &left) ? left.status : otherwise;
}

static enum weft_status set(struct weft_seen *table, uint64_t print, int left)
{
    bool fresh;
    enum weft_status st = weft_seen_claim(table, print, &fresh);
    if (st == WEFT_OK) {
        weft_seen_finish(table, print, (struct weft_end){.status = left < MOST ? left : MOST});
    }
    return st;
}

/* The best of what is left from each member. */
static int left_of(const struct weft_joins *j, const struct weft_visit *v, int most, bool seeds)
{
    int best = -1;
    /* Members further back than most allows have nothing to say. */
    for (size_t i = v->nmembers; i-- > 0 && v->nhops - v->members[i].first_hop <= (size_t)most;) {
        const struct weft_member *m = &v->members[i];
        int left = !seeds    ? left_at(&j->reach, m->print, most)
                   : m->seed ? most
                             : left_at(&j->led, m->print, -1);
        left -= (int)(v->nhops - m->first_hop);
        best = left > best ? left : best;
    }
    return best;
}

int weft_reach_left(const struct weft_joins *j, const struct weft_visit *v, int most)
{
    return left_of(j, v, most, false);
}

bool weft_reach_is_led(const struct weft_joins *j, const struct weft_visit *v, int most)
{
    return left_of(j, v, most, true) >= 0;
}

bool weft_reach_is_short(const struct weft_joins *j, uint64_t print, int most)
{
    return j->reach.n > 0 && left_at(&j->reach, print, most) < most;
}

enum weft_status weft_reach_claim(struct weft_joins *j, uint64_t print, int left)
{
    return set(&j->reach, print, left);
}

/* Both loops end: each visit that waits has a hop of its own, so there is one less each time. */

enum weft_status weft_reach_raise(struct weft_joins *j, uint64_t print, int left, int most,
                                  struct weft_visit **woken)
{
    *woken = NULL;
    while (left > left_at(&j->reach, print, most)) {
        enum weft_status st = set(&j->reach, print, left);
        if (st != WEFT_OK) {
            return st;
        }
        const struct weft_visit *v = weft_joins_holder(j, print, &print);
        if (!v || (left = weft_reach_left(j, v, most)) < 0) {
            break;
        }
        if (v->cut) {
            *woken = weft_joins_take_holder(j, v->members[0].print);
            break;
        }
    }
    return WEFT_OK;
}

enum weft_status weft_reach_lead(struct weft_joins *j, const struct weft_visit *v, uint64_t target,
                                 int most)
{
    int left;
    while (v && (left = left_of(j, v, most, true)) > left_at(&j->led, target, -1)) {
        enum weft_status st = set(&j->led, target, left);
        if (st != WEFT_OK) {
            return st;
        }
        v = weft_joins_holder(j, target, &target);
    }
    return WEFT_OK;
}

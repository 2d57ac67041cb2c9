/* reach.h -- how far redirects may be followed from a URL, whoever came to it first.
 *
 * From a URL that a link or a seed names, --max-redirects may be followed; from the target of a
 * redirect one less than from where it led on. The same URL may be both, and the link may be found
 * after the redirect: then more may be followed than before, also by those that it leads to. A
 * chain that may not be followed further is not over, it is cut: it waits (joins.h) for a target
 * that nobody has claimed. It goes on if such a link is found, or ends as its target does if that
 * is claimed; if nothing else is left to do, it is too long. So the order in which links are found
 * does not show in outcomes; of chains that are too long and meet, the hops recorded may differ.
 * Knows fingerprints and visits. Threads: one. */
#ifndef WEFT_CRAWL_REACH_H
#define WEFT_CRAWL_REACH_H

#include "crawl/joins.h"

/* How many more redirects a visit may follow after those that it has noted; negative: it has noted
 * one that it may not follow. */
int weft_reach_left(const struct weft_joins *j, const struct weft_visit *v, int most);
/* Whether a link to this URL would let redirects be followed further than now. */
bool weft_reach_is_short(const struct weft_joins *j, uint64_t print, int most);
/* Notes how many may follow from the target of a redirect that was claimed just now. WEFT_OK,
 * WEFT_ENOMEM. */
enum weft_status weft_reach_claim(struct weft_joins *j, uint64_t print, int left) WEFT_MUST_USE;
/* A way to a claimed URL was found from which so many may follow: if that is more than before, it
 * bears on all that the URL leads to. A cut chain that may go on now is taken out and given to the
 * caller; else *woken is NULL. WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_reach_raise(struct weft_joins *j, uint64_t print, int left, int most,
                                  struct weft_visit **woken) WEFT_MUST_USE;

/* Whether v is a seed's, or what a seed's redirects lead to, directly or by way of others, within
 * those that may be followed from the seed. */
bool weft_reach_is_led(const struct weft_joins *j, const struct weft_visit *v, int most);
/* Notes where v is led to, if it is led, and so where those go on that have claimed that. WEFT_OK,
 * WEFT_ENOMEM. */
enum weft_status weft_reach_lead(struct weft_joins *j, const struct weft_visit *v, uint64_t target,
                                 int most) WEFT_MUST_USE;

#endif

/* list.c -- a list of URLs instead of a crawl: lines are read as there is room for them.
 *
 * A bounded number of URLs waits at their hosts, so that memory stays flat whatever the length of
 * the list, and so that the hosts further down a sorted list are asked beside those further up. In
 * order, the list is not read on while too much waits for the first that has not ended. With a
 * budget of N pages it is read as far as N URLs that may be asked, so that which ones these are
 * does not depend on whose host is ready first. */
#include "crawl/coordinator.h"

#include "base/limits.h"
#include <string.h>

#define SLICE 1000 /* lines read before the engine is looked at again */

static bool has_room(const struct weft_crawl *c)
{
    const struct weft_recorder *r = &c->recorder;
    uint64_t pages = c->options.max_pages;
    if (c->frontier.queued >= c->options.ahead ||
        (pages && c->requested + c->frontier.queued >= pages)) {
        return false;
    }
    return !r->keeps_order ||
           (c->listed - r->order.next < r->order.window && r->order.bytes < WEFT_MAX_QUEUE_BYTES);
}

/* The line is no URL that can be asked: it has a record too. text is cut for it. */
static enum weft_status refuse(struct weft_crawl *c, const char *text, size_t len, uint32_t place,
                               enum weft_reason reason)
{
    char line[WEFT_MAX_REJECT + 1];
    size_t n = len < WEFT_MAX_REJECT ? len : WEFT_MAX_REJECT;
    memcpy(line, text, n);
    line[n] = '\0';
    c->seeds_left++;
    return weft_skip(c,
                     &(struct weft_queued){
                         .url = line, .len = (uint32_t)strlen(line), .place = place, .seed = true},
                     reason, reason == WEFT_REASON_LIMIT ? "--max-url" : "no http or https URL");
}

static enum weft_status take(struct weft_crawl *c, const char *text, size_t len)
{
    char href[WEFT_MAX_URL_WORK], key[WEFT_MAX_URL_WORK];
    struct weft_url url;
    size_t key_len;
    uint32_t place = c->listed++;
    if (len > c->options.max_url) {
        return refuse(c, text, len, place, WEFT_REASON_LIMIT);
    }
    enum weft_status st = weft_url_parse(&url, href, sizeof href, NULL, text, len, NULL);
    if (st == WEFT_OK) {
        st = weft_url_key(&url, c->options.fold, key, sizeof key, &key_len);
    }
    if (st == WEFT_ENOMEM) {
        return st;
    }
    if (st != WEFT_OK || url.fragment_at > c->options.max_url) {
        return refuse(c, text, len, place,
                      st == WEFT_OK || st == WEFT_ELIMIT ? WEFT_REASON_LIMIT : WEFT_REASON_BAD_URL);
    }
    href[url.fragment_at] = '\0';
    const struct weft_queued entry = {.print = weft_fingerprint(key, key_len, c->hash_seed),
                                      .url = href,
                                      .len = url.fragment_at,
                                      .place = place,
                                      .seed = true};
    st = weft_frontier_add(&c->frontier, &url, &entry, c->now(c->now_user));
    if (st == WEFT_ELIMIT) {
        return refuse(c, text, len, place, WEFT_REASON_LIMIT); /* a host longer than any that is */
    }
    c->seeds_left += st == WEFT_OK;
    return st;
}

void weft_list_cut_off(struct weft_crawl *c)
{
    const char *text;
    size_t len;
    c->list_cut = c->options.next_url(c->options.user, &text, &len) != WEFT_END;
    c->listing = false;
}

enum weft_status weft_list_fill(struct weft_crawl *c)
{
    enum weft_status st = WEFT_OK;
    c->list_full = false;
    if (c->report.end == WEFT_END_MAX_PAGES) {
        weft_list_cut_off(c);
        return WEFT_OK;
    }
    if (c->options.race && c->listed >= c->options.ahead) {
        c->listing = false;
        return WEFT_OK;
    }
    for (int i = 0; i < SLICE && st == WEFT_OK && !c->recorder.won && has_room(c); i++) {
        const char *text;
        size_t len;
        enum weft_status next = c->options.next_url(c->options.user, &text, &len);
        if (next != WEFT_OK) {
            c->listing = next == WEFT_EAGAIN;
            return WEFT_OK;
        }
        st = take(c, text, len);
    }
    c->list_full = has_room(c);
    return st;
}

/* page_links.c -- a page's links: each reference resolved against the document's base, and kept
 * once. Knows URLs and where a link stood; of HTML only the kinds of links. */
#include "text/page_impl.h"

#include "base/limits.h"
#include <stdlib.h>
#include <string.h>

#define FIRST_LINKS 128  /* and twice as many slots */
#define KEEP_LINKS  2048 /* room that stays for the next page */

void weft_page_links_init(struct page_links *links)
{
    /* Where memory lies is random enough: it is to differ between processes, not to be secret. */
    *links = (struct page_links){.seed = (uintptr_t)links * UINT64_C(0x9E3779B97F4A7C15)};
}

void weft_page_links_release(struct page_links *links)
{
    free(links->all);
    free(links->hash);
    free(links->slots);
    links->all = NULL;
    links->hash = NULL;
    links->slots = NULL;
    links->n = links->cap = links->nslots = 0;
}

void weft_page_links_begin(struct page_links *links)
{
    links->n = 0;
    if (links->cap > KEEP_LINKS) {
        weft_page_links_release(links);
    }
    if (++links->round == 0) { /* once in four billion pages the old rounds must be forgotten */
        links->round = 1;
        if (links->slots) {
            memset(links->slots, 0, links->nslots * sizeof *links->slots);
        }
    }
}

static uint64_t mix(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t hash_bytes(uint64_t seed, const char *bytes, size_t len)
{
    uint64_t h = seed ^ len, word;
    for (; len >= sizeof word; bytes += sizeof word, len -= sizeof word) {
        memcpy(&word, bytes, sizeof word);
        h = mix(h ^ word, UINT64_C(0xA0761D6478BD642F));
    }
    word = 0;
    memcpy(&word, bytes, len);
    return mix(h ^ word, UINT64_C(0xE7037ED1A0B428DB));
}

/* The slot of that URL, or the empty one where it belongs. There is always an empty one. */
static struct page_slot *find_slot(const struct page_links *links, uint64_t hash, const char *url,
                                   size_t len)
{
    size_t mask = links->nslots - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        struct page_slot *slot = &links->slots[i];
        if (slot->round != links->round) {
            return slot;
        }
        const struct weft_page_link *link = &links->all[slot->link];
        if (links->hash[slot->link] == hash && link->len == len &&
            memcmp(link->url, url, len) == 0) {
            return slot;
        }
    }
}

static bool grow_slots(struct page_links *links)
{
    size_t n = links->cap * 2;
    struct page_slot *slots = calloc(n, sizeof *slots);
    if (!slots) {
        return false;
    }
    free(links->slots);
    links->slots = slots;
    links->nslots = n;
    for (size_t i = 0; i < links->n; i++) {
        size_t at = links->hash[i] & (n - 1);
        while (slots[at].round == links->round) {
            at = (at + 1) & (n - 1);
        }
        slots[at] = (struct page_slot){links->round, (uint32_t)i};
    }
    return true;
}

/* Makes room for one more link, and for its slot in the table if that is used. */
static bool make_room(struct page_links *links, bool table)
{
    if (links->n == links->cap) {
        size_t cap = links->cap ? links->cap * 2 : FIRST_LINKS;
        struct weft_page_link *all = realloc(links->all, cap * sizeof *all);
        if (!all) {
            return false;
        }
        links->all = all;
        uint64_t *hash = realloc(links->hash, cap * sizeof *hash);
        if (!hash) {
            return false;
        }
        links->hash = hash;
        links->cap = cap;
    }
    return !table || links->nslots >= links->cap * 2 || grow_slots(links);
}

/* Keeps the text of a reference that leads nowhere, of the first WEFT_MAX_REJECTS. */
static void keep_reject(struct weft_page_reader *r, const struct weft_html_link *link,
                        bool too_long)
{
    const char *text = link->value;
    size_t len = link->len;
    size_t n = r->page.nrejects;
    if (n == WEFT_MAX_REJECTS) {
        return;
    }
    if (n == r->rejects_cap) {
        size_t cap = n ? n * 2 : 8;
        struct weft_page_reject *rejects = realloc(r->rejects, cap * sizeof *rejects);
        if (!rejects) {
            r->status = WEFT_ENOMEM;
            return;
        }
        r->rejects = rejects;
        r->rejects_cap = cap;
    }
    if (len > WEFT_MAX_REJECT) {
        len = WEFT_MAX_REJECT;
        while (len > 0 && ((unsigned char)text[len] & 0xC0) == 0x80) {
            len--; /* not in the middle of a character */
        }
    }
    const char *kept = weft_page_keep(r, text, len);
    if (kept) {
        r->rejects[n] = (struct weft_page_reject){kept, (uint32_t)link->at, too_long};
        r->page.nrejects = n + 1;
    }
}

static void drop(struct weft_page_reader *r, const struct weft_html_link *link,
                 enum weft_status why)
{
    switch (why) {
    case WEFT_ESYNTAX:
        r->page.bad_urls++;
        keep_reject(r, link, false);
        break;
    case WEFT_ESCHEME:
        r->page.other_schemes++;
        break;
    case WEFT_ELIMIT:
        r->page.too_long++;
        keep_reject(r, link, true);
        break;
    default:
        r->status = why;
        break;
    }
}

/* Keeps a link under its URL; another one with that URL only changes what holds for all. */
static void keep_link(struct weft_page_reader *r, const struct weft_url *url, unsigned flags,
                      size_t at)
{
    struct page_links *links = &r->links;
    bool once = !r->options.occurrences;
    if (!make_room(links, once)) {
        r->status = WEFT_ENOMEM;
        return;
    }
    size_t len = url->fragment_at;
    uint64_t hash = 0;
    struct page_slot *slot = NULL;
    if (once) {
        hash = hash_bytes(links->seed, url->href, len);
        slot = find_slot(links, hash, url->href, len);
        if (slot->round == links->round) {
            links->all[slot->link].flags &= flags;
            return;
        }
    }
    const char *fragment = len < url->len ? url->href + len + 1 : NULL;
    const char *kept = links->n < r->options.max_links ? weft_page_keep(r, url->href, len) : NULL;
    if (kept && fragment) {
        fragment = weft_page_keep(r, fragment, url->len - len - 1);
    }
    if (!kept || (len < url->len && !fragment)) {
        r->page.over_max++;
        return;
    }
    if (slot) {
        *slot = (struct page_slot){links->round, (uint32_t)links->n};
    }
    struct weft_url parts = *url;
    parts.href = kept;
    parts.len = parts.fragment_at;
    links->hash[links->n] = hash;
    links->all[links->n++] = (struct weft_page_link){.url = kept,
                                                     .parts = parts,
                                                     .len = (uint32_t)len,
                                                     .at = (uint32_t)at,
                                                     .fragment = fragment,
                                                     .flags = flags};
}

void weft_page_add_link(void *user, const struct weft_html_link *link)
{
    struct weft_page_reader *r = user;
    unsigned flags = link->rel & WEFT_REL_NOFOLLOW ? WEFT_PAGE_NOFOLLOW : 0;
    if (r->status != WEFT_OK || r->again) {
        return;
    }
    r->has_links = true;
    if (link->kind >= WEFT_LINK_IMG ||
        (link->kind == WEFT_LINK_LINK && (link->rel & WEFT_REL_RESOURCE))) {
        if (!r->options.assets) {
            return;
        }
        flags |= WEFT_PAGE_ASSET;
    }
    struct weft_url url;
    enum weft_status st = weft_url_parse(&url, r->scratch, WEFT_MAX_URL_WORK, r->base, link->value,
                                         link->len, r->charset);
    if (st == WEFT_OK && url.fragment_at > r->options.max_url) {
        st = WEFT_ELIMIT;
    }
    if (st != WEFT_OK) {
        drop(r, link, st);
        return;
    }
    if (link->kind == WEFT_LINK_LINK && (link->rel & WEFT_REL_CANONICAL) && !r->page.canonical) {
        r->page.canonical = weft_page_keep(r, url.href, url.fragment_at);
    }
    keep_link(r, &url, flags, link->at);
}

/* keep.h -- what the coordinator writes down for the state file, and its frontier beyond memory.
 *
 * Every change is noted in a journal in the order in which it is made; the journal goes to the
 * writer with the next record, so that both are one transaction. Order within a page: the claims of
 * its links, its end, its record. Without a state file every function does nothing. Knows the
 * coordinator's state; knows no SQL. Threads: the coordinator's. */
#ifndef WEFT_CRAWL_KEEP_H
#define WEFT_CRAWL_KEEP_H

#include "crawl/host.h"
#include "crawl/visit.h"
#include "store/state.h"

struct weft_crawl;

struct weft_keep {
    bool on;                  /* there is a state file */
    bool fresh;               /* it was begun, or a new round was, by this run */
    struct weft_state *state; /* until the writer has taken it */
    struct weft_buf journal;
    uint64_t last_id, last_parked, last_referrer; /* given so far */
    uint64_t round;                               /* 1: the first crawl */
    size_t room;                                  /* URLs that may wait in memory */
    uint64_t on_disk;                             /* claimed URLs that wait there alone */
    uint64_t cursor; /* all of those have larger ids; none in memory that was never loaded has */
    uint64_t left;   /* visits that a next run will do again */
};

/* Whether a URL that was claimed may wait in memory. */
bool weft_keep_has_room(const struct weft_crawl *c);
/* Notes a claim and gives entry its id. WEFT_OK, WEFT_ENOMEM, as all of these. */
enum weft_status weft_keep_claim(struct weft_crawl *c, struct weft_queued *entry,
                                 bool in_memory) WEFT_MUST_USE;
enum weft_status weft_keep_claim_sitemap(struct weft_crawl *c, struct weft_queued *entry,
                                         unsigned nesting) WEFT_MUST_USE;
/* The target of a redirect was claimed. */
enum weft_status weft_keep_claim_member(struct weft_crawl *c,
                                        struct weft_member *member) WEFT_MUST_USE;
/* A member has ended with this record. answer (NULL: none) is what stands on the page. */
enum weft_status weft_keep_end(struct weft_crawl *c, const struct weft_member *member,
                               const struct weft_record *record,
                               const struct weft_answer *answer) WEFT_MUST_USE;
/* What a re-crawl says of this record. */
enum weft_change weft_keep_change(const struct weft_crawl *c, const struct weft_member *member,
                                  const struct weft_record *record,
                                  const struct weft_answer *answer);
enum weft_status weft_keep_end_sitemap(struct weft_crawl *c,
                                       const struct weft_visit *v) WEFT_MUST_USE;
/* A URL was dropped where it was found. */
enum weft_status weft_keep_skip(struct weft_crawl *c, const struct weft_queued *found,
                                const struct weft_record *record) WEFT_MUST_USE;
/* A link was put aside unclaimed; it gets an id. Taken up again; the id goes. */
enum weft_status weft_keep_park(struct weft_crawl *c, struct weft_queued *entry) WEFT_MUST_USE;
enum weft_status weft_keep_unpark(struct weft_crawl *c, struct weft_queued *entry) WEFT_MUST_USE;
/* A host's clock, where it would hold back a run that began now. */
enum weft_status weft_keep_host(struct weft_crawl *c, const struct weft_host *h,
                                weft_time now) WEFT_MUST_USE;
/* The scope was widened by this URL. */
enum weft_status weft_keep_place(struct weft_crawl *c, const char *url) WEFT_MUST_USE;

/* Whether a visit that was interrupted is left for the next run; if so it is gone. */
bool weft_keep_leaves(struct weft_crawl *c, struct weft_visit *v, enum weft_reason reason);

/* Hands the journal to the writer; the second only when it is large. WEFT_OK, WEFT_ENOMEM,
 * WEFT_EIO.
 */
enum weft_status weft_keep_flush(struct weft_crawl *c) WEFT_MUST_USE;
enum weft_status weft_keep_flush_large(struct weft_crawl *c) WEFT_MUST_USE;
/* Loads URLs from disk when few are left in memory. Blocks while it does. Also WEFT_EIO. */
enum weft_status weft_keep_refill(struct weft_crawl *c) WEFT_MUST_USE;

/* resume.c: opens the state file, if there is to be one, before anything that uses fingerprints is
 * made. Sentence in error. WEFT_OK, WEFT_EIO, WEFT_ENOMEM. */
enum weft_status weft_keep_open(struct weft_crawl *c, char *error, size_t cap) WEFT_MUST_USE;
/* Compares the options, then takes up all that the file holds; the parts are made, the writer is
 * not. Also WEFT_EINVAL: an option differs. */
enum weft_status weft_keep_resume(struct weft_crawl *c, char *error, size_t cap) WEFT_MUST_USE;
void weft_keep_release(struct weft_crawl *c);

/* settings.c: compares what a crawl's options mean with what the state was begun with. */
enum weft_status weft_keep_compare(struct weft_crawl *c) WEFT_MUST_USE;

#endif

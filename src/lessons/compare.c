/* compare.c -- lesson: one after another, threads, event loop, on the same site.
 *
 * weft_crawl_run() is the coordinator in all three; only the engine differs, which is how fetches
 * wait. So the pages are the same, and the drawings show the rest. */
#include "lesson.h"
#include "weft/crawl.h"
#include <stdio.h>
#include <string.h>

static long pages = 40, jobs = 6, delay = 30;
static const struct lesson_knob knobs[] = {
    {"pages", &pages, 1, 3000, "pages of the site"},
    {"jobs", &jobs, 1, 60, "fetches at once"},
    {"delay", &delay, 0, 5000, "milliseconds for a page"},
    {0},
};

/* What one run found: its number of pages, and a sum that tells two sets of URLs apart. */
struct seen {
    uint64_t count, sum;
    weft_time busy_until[LESSON_LANES];
};

/* Which slot of the drawing a fetch was in: the first that was free when it began. */
static unsigned find_slot(struct seen *s, weft_time from, weft_time to)
{
    unsigned i = 0;
    while (i < LESSON_LANES - 1 && s->busy_until[i] > from) {
        i++;
    }
    s->busy_until[i] = to;
    return i;
}

/* Called on the coordinator's thread, once for each URL, when it has ended. */
static void on_record(void *user, const struct weft_record *r)
{
    struct seen *s = user;
    uint64_t hash = 14695981039346656037u; /* FNV-1a; a sum of hashes does not know an order */
    for (const char *c = r->url; *c; c++) {
        hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    }
    weft_time to = r->started_at + (weft_time)(r->elapsed_ms * (double)WEFT_MS);
    lesson_span(find_slot(s, r->started_at, to), lesson_mark((long)s->count), r->started_at, to);
    s->count += r->outcome == WEFT_FETCHED;
    s->sum += hash;
}

static struct seen crawl(const char *name, enum weft_engine_kind engine, const char *seed)
{
    struct seen seen = {0};
    struct weft_crawl *c;
    struct weft_crawl_report report;
    char error[200] = "";
    struct weft_crawl_options options = {.engine = engine,
                                         .jobs = (unsigned)jobs,
                                         .ignore_robots = true,
                                         .user = &seen,
                                         .on_record = on_record};
    lesson_reset_stats();
    lesson_need(weft_crawl_new(&c, &options, error, sizeof error), error);
    lesson_need(weft_crawl_add(c, seed, strlen(seed)), seed);
    lesson_need(weft_crawl_run(c, &report), "weft_crawl_run");
    printf("%s: %llu pages, at most %u at once, %lld ms\n", name, (unsigned long long)seen.count,
           report.peak_in_flight, (long long)(report.elapsed / WEFT_MS));
    lesson_draw("slot");
    weft_crawl_free(c);
    return seen;
}

int main(int argc, char **argv)
{
    char seed[LESSON_URL];
    lesson_begin(argc, argv, "The same crawl with three engines.", knobs, NULL);
    lesson_url(seed, "/gen/pages=%ld,size=2000,links=8,fan=4,ms=%ld/0.html", pages, delay);
    struct seen a = crawl("sync", WEFT_ENGINE_SYNC, seed);
    struct seen b = crawl("threads", WEFT_ENGINE_THREADS, seed);
    struct seen c = crawl("events", WEFT_ENGINE_EVENTS, seed);
    bool same = a.count == b.count && b.count == c.count && a.sum == b.sum && b.sum == c.sum;
    printf("the three found %s\n", same ? "the same pages" : "DIFFERENT pages");
    return lesson_end();
}

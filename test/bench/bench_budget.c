/* bench_budget.c -- what a page costs, and what for: each part of the work alone on the same pages,
 * their sum, and beside it a whole crawl of them. All figures are processor time of this process,
 * the kernel's part included, in microseconds a page; the server is another process. A part is
 * measured without its neighbours, so the caches are warmer than in the crawl: read the sum as what
 * there is to win, and the rest as coordinator, frontier, hosts' clocks, and the price of company.
 * Usage: bench_budget [PAGES] */
#include "bench/site.h"
#include "crawl/seen.h"
#include "store/writer.h"
#include "text/html.h"
#include "weft/crawl.h"
#include "weft/executor.h"
#include "weft/loop.h"
#include "weft/page.h"
#include "weft/promise.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define AT_ONCE 16u
#define ROUNDS  3

struct plan {
    struct bench_site site;
    char dir[64]; /* for what is written */
};

static void page_url(const struct plan *p, size_t i, char *out, size_t cap)
{
    snprintf(out, cap, "http://127.0.0.1:%u/%zu.html", p->site.port, i % p->site.n);
}

static const char *body_of(const struct plan *p, size_t i, size_t *len)
{
    *len = p->site.lens[i] - p->site.heads[i];
    return p->site.pages[i] + p->site.heads[i];
}

/* ---- fetch ---- */

struct flight {
    struct weft_response response;
    char url[64];
};

static void start_flight(struct plan *p, struct weft_loop *loop, struct flight *f, size_t page)
{
    page_url(p, page, f->url, sizeof f->url);
    const struct weft_request q = {.url = f->url};
    bench_must(weft_loop_start(loop, &q, &f->response, f) == WEFT_OK, "start");
}

static void fetch_on_loop(struct plan *p)
{
    struct weft_net *net;
    struct weft_loop *loop;
    struct flight *flights = calloc(AT_ONCE, sizeof *flights);
    bench_must(flights && weft_net_new(&net, NULL) == WEFT_OK &&
                   weft_loop_new(&loop, net, AT_ONCE) == WEFT_OK,
               "loop");
    size_t started = 0;
    for (; started < AT_ONCE && started < p->site.n; started++) {
        start_flight(p, loop, &flights[started], started);
    }
    for (size_t done = 0; done < p->site.n; done++) {
        void *tag;
        bench_must(weft_loop_next(loop, WEFT_FOREVER, &tag) == WEFT_OK, "next");
        struct flight *f = tag;
        bench_must(f->response.end == WEFT_FETCH_DONE, f->response.error);
        if (started < p->site.n) {
            start_flight(p, loop, f, started++);
        }
    }
    for (unsigned i = 0; i < AT_ONCE; i++) {
        weft_response_release(&flights[i].response);
    }
    weft_loop_free(loop);
    bench_must(weft_net_free(net) == WEFT_OK, "net");
    free(flights);
}

struct fetcher {
    struct plan *plan;
    struct weft_net *net;
    size_t first;
};

static void *fetch_share(void *arg)
{
    struct fetcher *f = arg;
    struct weft_client *client;
    struct weft_response r;
    bench_must(weft_client_new(&client, f->net) == WEFT_OK, "client");
    weft_response_init(&r);
    for (size_t i = f->first; i < f->plan->site.n; i += AT_ONCE) {
        char url[64];
        page_url(f->plan, i, url, sizeof url);
        const struct weft_request q = {.url = url};
        bench_must(weft_client_fetch(client, &q, &r) == WEFT_OK && r.end == WEFT_FETCH_DONE,
                   r.error);
    }
    weft_response_release(&r);
    weft_client_free(client);
    return NULL;
}

static void fetch_on_threads(struct plan *p)
{
    struct weft_net *net;
    struct fetcher f[AT_ONCE];
    pthread_t threads[AT_ONCE];
    bench_must(weft_net_new(&net, NULL) == WEFT_OK, "net");
    for (unsigned i = 0; i < AT_ONCE; i++) {
        f[i] = (struct fetcher){p, net, i};
        bench_must(pthread_create(&threads[i], NULL, fetch_share, &f[i]) == 0, "thread");
    }
    for (unsigned i = 0; i < AT_ONCE; i++) {
        pthread_join(threads[i], NULL);
    }
    bench_must(weft_net_free(net) == WEFT_OK, "net");
}

/* ---- read: tags and attributes; then the whole page reader, less that ---- */

static void scan(struct plan *p)
{
    const struct weft_html_sink sink = {0};
    for (size_t i = 0; i < p->site.n; i++) {
        size_t len;
        const char *body = body_of(p, i, &len);
        bench_must(weft_html_scan(body, len, &sink) == WEFT_OK, "scan");
    }
}

/* Reads every page; with `seen`, also tells its links apart from all that were known before. */
static void read_pages(struct plan *p, struct weft_seen *seen)
{
    struct weft_page_reader *reader;
    bench_must(weft_page_reader_new(&reader) == WEFT_OK, "reader");
    for (size_t i = 0; i < p->site.n; i++) {
        char url[64], text[256], key[256];
        struct weft_url parsed;
        const struct weft_page *page;
        size_t len, key_len;
        bool fresh;
        const char *body = body_of(p, i, &len);
        page_url(p, i, url, sizeof url);
        bench_must(weft_url_parse(&parsed, text, sizeof text, NULL, url, strlen(url), NULL) ==
                           WEFT_OK &&
                       weft_page_read(reader, NULL, &parsed, "text/html; charset=utf-8", NULL, body,
                                      len, &page) == WEFT_OK,
                   "page");
        for (size_t k = 0; seen && k < page->nlinks; k++) {
            bench_must(
                weft_url_key(&page->links[k].parts, 0, key, sizeof key, &key_len) == WEFT_OK &&
                    weft_seen_claim(seen, weft_fingerprint(key, key_len, 1), &fresh) == WEFT_OK,
                "key");
        }
    }
    weft_page_reader_free(reader);
}

static void read_only(struct plan *p)
{
    read_pages(p, NULL);
}

static void read_and_dedup(struct plan *p)
{
    struct weft_seen seen;
    weft_seen_init(&seen);
    read_pages(p, &seen);
    weft_seen_release(&seen);
}

/* ---- hand-over: an empty job a page, as many in flight as fetches would be ---- */

static int empty_job(struct weft_task *self, void *arg, void **value)
{
    (void)self;
    (void)arg;
    (void)value;
    return 0;
}

static void hand_over(struct plan *p)
{
    struct weft_executor *pool;
    struct weft_completion_queue *done;
    const struct weft_executor_options o = {.max_workers = AT_ONCE};
    bench_must(weft_completion_queue_new(&done) == WEFT_OK &&
                   weft_executor_new(&pool, &o) == WEFT_OK,
               "pool");
    size_t submitted = 0;
    for (size_t taken = 0; taken < p->site.n; taken++) {
        struct weft_future *f;
        while (submitted < p->site.n && submitted - taken < AT_ONCE) {
            const struct weft_job job = {.run = empty_job, .queue = done};
            bench_must(weft_executor_submit(pool, &job, WEFT_FOREVER, NULL) == WEFT_OK, "submit");
            submitted++;
        }
        bench_must(weft_completion_queue_next(done, WEFT_FOREVER, &f, NULL) == WEFT_OK, "next");
        weft_future_release(f);
    }
    weft_executor_free(pool);
    weft_completion_queue_free(done);
}

/* ---- record: a line of JSON a page, through the writer's queue and thread ---- */

static void free_item(struct weft_item *item)
{
    free(item);
}

static void record(struct plan *p)
{
    char path[96], error[512];
    const char *paths[] = {path, NULL};
    const struct weft_writer_options o = {.paths = paths, .mode = WEFT_OUTPUT_OVERWRITE};
    struct weft_writer *w;
    snprintf(path, sizeof path, "%s/records.jsonl", p->dir);
    bench_must(weft_writer_new(&w, &o, error, sizeof error) == WEFT_OK, "writer");
    char url[64];
    page_url(p, 1234, url, sizeof url);
    for (size_t i = 0; i < p->site.n; i++) {
        struct weft_item *item = calloc(1, sizeof *item);
        bench_must(item != NULL, "record");
        item->free = free_item;
        item->record = (struct weft_record){
            .url = url,
            .status = 200,
            .final_url = url,
            .depth = 3,
            .referrer = url,
            .attempts = 1,
            .content_type = "text/html; charset=utf-8",
            .charset = "utf-8",
            .title = "Page 1234",
            .bytes = 20480,
            .nlinks = 40,
            .started_at = INT64_C(1709251199999000000),
            .elapsed_ms = 12.345,
        };
        bench_must(weft_writer_put(w, item) == WEFT_OK, "put");
    }
    bench_must(weft_writer_close(w, NULL, error, sizeof error) == WEFT_OK, "close");
}

/* ---- the whole ---- */

static void crawl(struct plan *p, enum weft_engine_kind engine)
{
    char path[96], url[64], error[512];
    const char *paths[] = {path, NULL};
    const struct weft_crawl_options o = {.engine = engine,
                                         .jobs = AT_ONCE,
                                         .ignore_robots = true,
                                         .outputs = paths,
                                         .overwrite = true,
                                         .seed = 1};
    struct weft_crawl *c;
    struct weft_crawl_report report;
    snprintf(path, sizeof path, "%s/records.jsonl", p->dir);
    page_url(p, 0, url, sizeof url);
    bench_must(weft_crawl_new(&c, &o, error, sizeof error) == WEFT_OK &&
                   weft_crawl_add(c, url, strlen(url)) == WEFT_OK &&
                   weft_crawl_run(c, &report) == WEFT_OK,
               "crawl");
    bench_must(report.fetched == p->site.n, "a crawl that finds every page");
    weft_crawl_free(c);
}

static void crawl_on_loop(struct plan *p)
{
    crawl(p, WEFT_ENGINE_EVENTS);
}

static void crawl_on_threads(struct plan *p)
{
    crawl(p, WEFT_ENGINE_THREADS);
}

/* The least of some rounds, microseconds a page. */
static double cost(struct plan *p, void (*part)(struct plan *))
{
    double least = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double before = bench_cpu();
        part(p);
        double took = (bench_cpu() - before) / (double)p->site.n;
        least = round == 0 || took < least ? took : least;
    }
    return least;
}

static void row(const char *part, double events, double threads)
{
    printf("%-44s %7.1f %7.1f\n", part, events, threads);
}

static void budget(struct plan *p, size_t pages, size_t bytes, unsigned links)
{
    bench_site_make(&p->site, pages, bytes, links);
    bench_site_serve(&p->site);
    printf("budget: a page of %zu bytes with %u links, %u at once, us of CPU\n",
           p->site.lens[1] - p->site.heads[1], links, AT_ONCE);
    printf("%-44s %7s %7s\n", "", "events", "threads");
    double loop = cost(p, fetch_on_loop), threads = cost(p, fetch_on_threads);
    double tags = cost(p, scan), reading = cost(p, read_only), telling = cost(p, read_and_dedup);
    double handing = cost(p, hand_over), recording = cost(p, record);
    double whole = cost(p, crawl_on_loop), whole_threads = cost(p, crawl_on_threads);
    double sum = telling + recording;
    row("fetch: libcurl and the kernel", loop, threads);
    row("parse: tags and attributes", tags, tags);
    row("resolve: charset, URLs, distinct in the page", reading - tags, reading - tags);
    row("dedup: keys, fingerprints, the seen set", telling - reading, telling - reading);
    row("hand-over: executor and completion queue", 0, handing);
    row("record: a line of JSON, by the writer", recording, recording);
    row("sum", loop + sum, threads + handing + sum);
    row("a whole crawl", whole, whole_threads);
    row("the rest: coordinator, frontier, hosts", whole - loop - sum,
        whole_threads - threads - handing - sum);
    bench_site_release(&p->site);
}

int main(int argc, char **argv)
{
    struct plan p = {.dir = "/tmp/weft-bench-XXXXXX"};
    char path[96];
    size_t pages = argc > 1 ? strtoul(argv[1], NULL, 10) : 3000;
    bench_must(pages > 1 && mkdtemp(p.dir) != NULL, "usage: bench_budget [PAGES]");
    budget(&p, pages, 20480, 40);
    budget(&p, pages, 2048, 16);
    snprintf(path, sizeof path, "%s/records.jsonl", p.dir);
    bench_must(unlink(path) == 0 && rmdir(p.dir) == 0, "clean up");
    return 0;
}

/* 2-executor.c -- the crawler in steps, 2: the same fetch(), as a job of a pool.
 *
 * discover() and absorb() decide: which URLs exist, what became of each. fetch() waits. crawl() is
 * the order of things. The later steps change fetch() and crawl(), and nothing else. */
#include "lesson.h"
#include "weft/executor.h"
#include "weft/page.h"
#include <stdio.h>
#include <string.h>

#define MAX  1000
#define JOBS 32

/* A page on its way, from the queue to absorb(). */
struct visit {
    const char *url;
    struct weft_response response;
};

static char queue[MAX][LESSON_URL];
static size_t next, discovered, fetched, failed;
static char seed_text[LESSON_URL], seed_href[LESSON_URL];
static struct weft_url seed;
static struct weft_net *net;
static struct weft_page_reader *reader;

static long jobs = 4;
static const struct lesson_knob knobs[] = {{"jobs", &jobs, 1, JOBS, "fetches at once"}, {0}};

/* Puts a URL of the seed's host into the queue, once. */
static void discover(const struct weft_url *url)
{
    char key[LESSON_URL];
    size_t len;
    if (!weft_url_same_origin(url, &seed) ||
        weft_url_key(url, 0, key, sizeof key, &len) != WEFT_OK) {
        return;
    }
    for (size_t i = 0; i < discovered; i++) {
        if (!strcmp(queue[i], key)) {
            return;
        }
    }
    if (discovered < MAX) {
        memcpy(queue[discovered++], key, len + 1);
    }
}

/* Takes what came back: tells it, and looks for links; a redirect is a link to where it points. */
static void absorb(struct visit *v)
{
    const struct weft_response *r = &v->response;
    char href[LESSON_URL], target[LESSON_URL];
    struct weft_url url, to;
    const struct weft_page *page;
    lesson_need(weft_url_parse(&url, href, sizeof href, NULL, v->url, strlen(v->url), NULL), href);
    bool fine = r->end == WEFT_FETCH_DONE && r->status < 400;
    if (fine && r->location) {
        if (weft_url_parse(&to, target, sizeof target, &url, r->location, strlen(r->location),
                           NULL) == WEFT_OK) {
            discover(&to);
        }
    } else if (fine && r->content_type && !strncmp(r->content_type, "text/html", 9)) {
        lesson_need(
            weft_page_read(reader, NULL, &url, r->content_type, NULL, r->body, r->body_len, &page),
            "weft_page_read");
        for (size_t i = 0; i < page->nlinks; i++) {
            discover(&page->links[i].parts);
        }
    }
    *(fine ? &fetched : &failed) += 1;
    printf("%d %s\n", r->status, url.href + url.path_at);
}

static struct weft_client *clients[JOBS]; /* one a worker */

static int fetch(struct weft_task *self, void *arg, void **value)
{
    struct visit *v = arg;
    unsigned me = weft_task_worker(self);
    struct weft_request request = {.url = v->url};
    weft_time from = weft_now();
    (void)value;
    lesson_need(weft_client_fetch(clients[me], &request, &v->response), v->url);
    lesson_span(me, lesson_mark((v->url - queue[0]) / LESSON_URL), from, weft_now());
    return 0;
}

static void crawl(void)
{
    static struct visit visits[JOBS], *spare[JOBS];
    long nspare = jobs;
    struct weft_executor *pool;
    struct weft_completion_queue *done;
    struct weft_executor_options options = {.max_workers = (unsigned)jobs};
    lesson_need(weft_executor_new(&pool, &options), "weft_executor_new");
    lesson_need(weft_completion_queue_new(&done), "weft_completion_queue_new");
    for (long i = 0; i < jobs; i++) {
        lesson_need(weft_client_new(&clients[i], net), "weft_client_new");
        weft_response_init(&visits[i].response);
        spare[i] = &visits[i];
    }
    while (next < discovered || nspare < jobs) {
        while (next < discovered && nspare > 0) {
            struct visit *v = spare[--nspare];
            v->url = queue[next++];
            struct weft_job job = {.run = fetch, .arg = v, .queue = done, .tag = v};
            lesson_need(weft_executor_submit(pool, &job, WEFT_FOREVER, NULL), "submit");
        }
        struct weft_future *f;
        void *v;
        lesson_need(weft_completion_queue_next(done, WEFT_FOREVER, &f, &v), "next");
        weft_future_release(f);
        absorb(v);
        spare[nspare++] = v;
    }
    lesson_need(weft_executor_free(pool), "weft_executor_free");
    weft_completion_queue_free(done);
    for (long i = 0; i < jobs; i++) {
        weft_response_release(&visits[i].response);
        weft_client_free(clients[i]);
    }
}

int main(int argc, char **argv)
{
    lesson_begin(argc, argv, "The crawler in steps: the sample site.", knobs, NULL);
    lesson_url(seed_text, "/");
    lesson_need(weft_url_parse(&seed, seed_href, sizeof seed_href, NULL, seed_text,
                               strlen(seed_text), NULL),
                seed_text);
    lesson_need(weft_net_new(&net, NULL), "weft_net_new");
    lesson_need(weft_page_reader_new(&reader), "weft_page_reader_new");
    discover(&seed);
    crawl();
    printf("\n");
    lesson_draw("fetch");
    printf("discovered %zu, fetched %zu, failed %zu\n", discovered, fetched, failed);
    weft_page_reader_free(reader);
    lesson_need(weft_net_free(net), "weft_net_free");
    return lesson_end();
}

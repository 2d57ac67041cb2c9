/* check_outputs_faults.c -- a crawl into outputs that want all that there is of a page, in which
 * the n-th allocation fails, for every n until none does: on either side of the writer's queue
 * nothing leaks, and the crawl ends with a sentence. */
#include "support/faults/faults.h"
#include "support/suite.h"
#include "weft/crawl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char dir[64], archive[80], lines[80], graph[80], saved[80];

static void setup(void)
{
    /* In memory if possible: outputs are handed to the disk at the end, which takes time. */
    snprintf(dir, sizeof dir, "%s/weft-outputs-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(dir));
    snprintf(archive, sizeof archive, "%s/a.warc.gz", dir);
    snprintf(lines, sizeof lines, "%s/a.jsonl", dir);
    snprintf(graph, sizeof graph, "%s/a.dot", dir);
    snprintf(saved, sizeof saved, "%s/site", dir);
}

static void teardown(void)
{
    char command[80];
    snprintf(command, sizeof command, "rm -rf %s", dir);
    ck_assert_int_eq(system(command), 0);
}

/* "/" links to "/r", which redirects to "/s" and that to "/t". */
static void fetch(void *context, const struct weft_request *request, struct weft_response *response,
                  const struct weft_stop *stop)
{
    static const char *const paths[] = {"/", "/r", "/s", "/t"};
    static const char *const locations[] = {NULL, "/s", "/t", NULL};
    static const char page[] = "<a href=/r>r</a><a href=/t>t</a>";
    static const char answer[] = "HTTP/1.1 200 OK\r\n\r\n<a href=/r>r</a><a href=/t>t</a>";
    const char *path = request->url + strlen("http://a.test");
    (void)context;
    (void)stop;
    response->status = 404;
    for (int i = 0; i < 4; i++) {
        if (strcmp(path, paths[i]) != 0) {
            continue;
        }
        const char *to = locations[i];
        response->status = to ? 301 : 200;
        response->wire_request = strdup("GET / HTTP/1.1\r\n\r\n");
        response->wire_request_len = response->wire_request ? strlen(response->wire_request) : 0;
        response->wire_answer = strdup(answer);
        response->wire_answer_len = response->wire_answer ? sizeof answer - 1 : 0;
        if (weft_response_set(response, &response->content_type, "text/html", 9) != WEFT_OK ||
            weft_response_set(response, &response->ip, "192.0.2.1", 9) != WEFT_OK ||
            (to && weft_response_set(response, &response->location, to, strlen(to)) != WEFT_OK) ||
            weft_response_append(response, page, sizeof page - 1) != WEFT_OK) {
            response->end = WEFT_FETCH_FAILED;
        }
    }
}

/* Nothing is asserted while faults are on: Check allocates. Returns whether what must hold holds.
 */
static bool crawl_once(enum weft_engine_kind engine, enum weft_status *status)
{
    const char *const outputs[] = {archive, lines, graph, NULL};
    struct weft_crawl_options o = {.engine = engine,
                                   .jobs = 2,
                                   .has_delay = true,
                                   .retry_base = 1,
                                   .seed = 42,
                                   .ignore_robots = true,
                                   .outputs = outputs,
                                   .overwrite = true,
                                   .save_dir = saved,
                                   .fetch = fetch};
    struct weft_crawl *c;
    struct weft_crawl_report report = {.fetched = 0};
    char error[256] = "";
    *status = weft_crawl_new(&c, &o, error, sizeof error);
    if (*status != WEFT_OK) {
        return !c && *error;
    }
    *status = weft_crawl_add(c, "http://a.test/", 14);
    bool sane = true;
    if (*status == WEFT_OK) {
        *status = weft_crawl_run(c, &report);
        sane = *status == WEFT_OK || report.end == WEFT_END_FAILED ||
               (report.end == WEFT_END_OUTPUT && report.error[0]);
    }
    weft_crawl_free(c);
    return sane;
}

START_TEST(the_nth_allocation_fails)
{
    enum weft_engine_kind engine = _i ? WEFT_ENGINE_THREADS : WEFT_ENGINE_SYNC;
    bool hit = true;
    for (long n = 1; hit; n++) {
        enum weft_status status;
        faults_alloc_at(n);
        bool sane = crawl_once(engine, &status);
        hit = faults_hit();
        faults_alloc_at(0);
        ck_assert(sane);
        ck_assert(hit || status == WEFT_OK);
        ck_assert_int_lt(n, 10000);
    }
}
END_TEST

/* Without faults: the redirects are in the archive, each once. */
START_TEST(redirects_are_archived)
{
    enum weft_status status;
    ck_assert(crawl_once(WEFT_ENGINE_SYNC, &status));
    ck_assert_int_eq(status, WEFT_OK);
    char command[200];
    snprintf(command, sizeof command,
             "zcat %s | tr -d '\\r' | sed -n '/^WARC-Type: request/,/^Content/s/^WARC-Target-URI: "
             "//p' | sort | tr '\\n' ' '",
             archive);
    FILE *p = popen(command, "r");
    ck_assert_ptr_nonnull(p);
    char asked[200] = "";
    ck_assert_ptr_nonnull(fgets(asked, sizeof asked, p));
    pclose(p);
    ck_assert_str_eq(asked, "http://a.test/ http://a.test/r http://a.test/s http://a.test/t ");
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("faults");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, redirects_are_archived);
    tcase_add_loop_test(tc, the_nth_allocation_fails, 0, 2);
    return suite_run("crawl: faults of outputs", tc);
}

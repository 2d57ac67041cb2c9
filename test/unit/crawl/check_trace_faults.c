/* check_trace_faults.c -- a trace whose memory runs out: it is told of, or a span is missing; the
 * file that remains can be read up to there, and nothing leaks. */
#include "crawl/host.h"
#include "crawl/trace.h"
#include "support/faults/faults.h"
#include "support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VISITS 20u

/* What a trace of some visits comes to. */
static enum weft_status write_trace(const struct weft_crawl_options *o, struct weft_visit *v)
{
    struct weft_trace *t;
    char error[512] = "";
    enum weft_status st = weft_trace_open(&t, o, true, WEFT_SECOND, error, sizeof error);
    if (st != WEFT_OK) {
        fault_check(t == NULL);
        return st;
    }
    for (unsigned i = 0; i < VISITS; i++) {
        weft_trace_found(t, i, 2 * WEFT_SECOND);
    }
    for (unsigned i = 0; i < VISITS && st == WEFT_OK; i++) {
        v->print = i;
        v->answer.lane = i % 3;
        weft_trace_start(t, v, 3 * WEFT_SECOND, 1);
        weft_trace_end(t, v, 4 * WEFT_SECOND, 0);
        st = weft_trace_taken(t, 5 * WEFT_SECOND);
    }
    enum weft_status closed = weft_trace_close(t, error, sizeof error);
    if (closed != WEFT_OK) {
        fault_check(closed == WEFT_EIO && strstr(error, o->trace_file) != NULL);
    }
    return closed;
}

START_TEST(memory_runs_out)
{
    char path[] = "/tmp/weft-trace-faults-XXXXXX";
    const struct weft_crawl_options o = {.jobs = 3, .trace_file = path};
    const struct weft_host_policy policy = {.per_host = 1};
    const struct weft_queued entry = {.url = "http://a.test/", .len = 14};
    struct weft_visit *v = weft_visit_new(WEFT_VISIT_PAGE, &entry);
    struct weft_host *h = weft_host_new("http://a.test", 13, 1, &policy);
    bool hit = true;
    unsigned failed = 0;
    close(mkstemp(path));
    v->host = h;
    v->answer.started = 3 * WEFT_SECOND;
    v->answer.ended = 4 * WEFT_SECOND;
    for (long n = 1; hit; n++) {
        faults_alloc_at(n);
        enum weft_status st = write_trace(&o, v);
        hit = faults_hit();
        faults_alloc_at(0);
        failed += st != WEFT_OK;
        ck_assert_msg(hit || st == WEFT_OK, "%s", weft_strerror(st));
    }
    ck_assert_uint_gt(failed, 2);
    unlink(path);
    weft_visit_free(v);
    weft_host_free(h);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("trace");
    tcase_add_test(t, memory_runs_out);
    return suite_run("trace_faults", t);
}

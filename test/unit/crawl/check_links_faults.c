/* check_links_faults.c -- the graph of links when the n-th allocation fails: it says so, leaks
 * nothing and can be freed. */
#include "support/faults/faults.h"
#include "support/suite.h"
#include "weft/link_graph.h"

static const struct weft_record_link links[] = {
    {.url = "http://a.test/b", .fragment = "x", .line = 1},
    {.url = "http://a.test/b", .fragment = "y", .line = 2},
    {.url = "http://a.test/b", .fragment = "x", .line = 3},
    {.url = "http://a.test/gone", .line = 4},
    {.url = "http://[bad", .line = 5},
};
static const char *const anchors[] = {"y", "z"};
static const struct weft_redirect hop = {301, "http://a.test/old"};
static const struct weft_record records[] = {
    {.url = "http://a.test/",
     .seed = true,
     .status = 200,
     .charset = "UTF-8",
     .links = links,
     .nlinks = 5},
    {.url = "http://a.test/b",
     .status = 200,
     .charset = "UTF-8",
     .links = links,
     .anchors = anchors,
     .nanchors = 2},
    {.url = "http://a.test/gone",
     .outcome = WEFT_FAILED,
     .reason = WEFT_REASON_HTTP_STATUS,
     .error = "status 404",
     .status = 404},
    {.url = "http://a.test/old",
     .status = 200,
     .redirects = &hop,
     .nredirects = 1,
     .final_url = "http://a.test/b"},
};

static enum weft_status graph_once(size_t *nresults)
{
    static const struct weft_link_statuses accept = {200, 299};
    const struct weft_link_graph_options options = {
        .fragments = true, .accept = &accept, .naccept = 1, .seed = 1};
    const struct weft_link_result *results;
    size_t counts[WEFT_LINK_NVERDICTS];
    struct weft_link_graph *g;
    *nresults = 0;
    enum weft_status st = weft_link_graph_new(&g, &options);
    for (size_t i = 0; i < sizeof records / sizeof *records && st == WEFT_OK; i++) {
        st = weft_link_graph_add(g, &records[i]);
    }
    if (st == WEFT_OK) {
        st = weft_link_graph_finish(g, true, &results, nresults, counts);
    }
    weft_link_graph_free(g);
    return st;
}

START_TEST(the_nth_allocation_fails)
{
    bool hit = true;
    long n = 0;
    size_t nresults = 0;
    while (hit) {
        faults_alloc_at(++n);
        enum weft_status st = graph_once(&nresults);
        hit = faults_hit();
        faults_alloc_at(0);
        ck_assert_int_eq(st, hit ? WEFT_ENOMEM : WEFT_OK);
        ck_assert_int_lt(n, 1000);
    }
    ck_assert_uint_eq(nresults, 6); /* three pages, a fragment, what is gone, what is no URL */
    ck_assert_int_gt(n, 15);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("faults");
    tcase_add_test(tc, the_nth_allocation_fails);
    return suite_run("crawl: link graph, faults", tc);
}

/* check_lab_parts.c -- the lab's parts that need no server: timers, routes, hosts, queries, counts
 * by path, buckets, the generated site. */
#include "lab/lab_faults.h"
#include "lab/lab_gen.h"
#include "lab/lab_host.h"
#include "lab/lab_paths.h"
#include "lab/lab_query.h"
#include "lab/lab_routes.h"
#include "lab/lab_timer.h"

#include "base/limits.h"
#include "support/suite.h"
#include <stdio.h>
#include <string.h>

/* ---- timers ---- */

#define TIMERS 1000

START_TEST(timers_come_out_in_order_whatever_leaves_before)
{
    static struct lab_timer timer[TIMERS];
    struct lab_timers t;
    unsigned left = 0;
    lab_timers_init(&t);
    ck_assert_int_eq(lab_timers_next(&t), WEFT_FOREVER);
    ck_assert_ptr_null(lab_timers_pop(&t, WEFT_FOREVER));
    for (unsigned i = 0; i < TIMERS; i++) {
        weft_time due = (weft_time)(lab_query_mix(i, (unsigned)_i) % 300);
        ck_assert_int_eq(lab_timers_add(&t, &timer[i], due), WEFT_OK);
    }
    for (unsigned i = 0; i < TIMERS; i += 1 + (unsigned)_i) {
        lab_timers_remove(&t, &timer[i]);
        lab_timers_remove(&t, &timer[i]); /* not in any more: nothing happens */
    }
    for (unsigned i = 0; i < TIMERS; i++) {
        left += timer[i].at != 0;
    }
    weft_time before = 0;
    while (left > 0) {
        weft_time due = lab_timers_next(&t);
        ck_assert_ptr_null(lab_timers_pop(&t, due - 1));
        struct lab_timer *first = lab_timers_pop(&t, due);
        ck_assert_ptr_nonnull(first);
        ck_assert_uint_eq(first->at, 0);
        ck_assert_int_ge(first->due, before);
        before = first->due;
        left--;
    }
    ck_assert_int_eq(lab_timers_next(&t), WEFT_FOREVER);
    lab_timers_release(&t);
}
END_TEST

/* ---- routes ---- */

START_TEST(routes_are_read)
{
    static const char text[] = "# a comment\n"
                               "\n"
                               "/slow.html\tdelay=300  # as well\r\n"
                               "  /moved location=/x#y status=308\n"
                               "/found location=/x\n"
                               "/cp type=text/html;charset=windows-1252\n"
                               "/gone status=410";
    struct lab_routes r;
    char error[128] = "";
    ck_assert_int_eq(lab_routes_parse(&r, text, strlen(text), error, sizeof error), WEFT_OK);
    ck_assert_uint_eq(r.n, 5);
    ck_assert_int_eq(lab_routes_find(&r, "/slow.html")->delay_ms, 300);
    ck_assert_uint_eq(lab_routes_find(&r, "/moved")->status, 308);
    ck_assert_str_eq(lab_routes_find(&r, "/moved")->location, "/x#y");
    ck_assert_uint_eq(lab_routes_find(&r, "/found")->status, 302);
    ck_assert_str_eq(lab_routes_find(&r, "/cp")->type, "text/html;charset=windows-1252");
    ck_assert_uint_eq(lab_routes_find(&r, "/gone")->status, 410);
    ck_assert_ptr_null(lab_routes_find(&r, "/gon"));
    ck_assert_ptr_null(lab_routes_find(&r, ""));
    lab_routes_release(&r);
}
END_TEST

static const struct {
    const char *text, *said;
} wrong_routes[] = {
    {"slow.html delay=1", "line 1: what is \"slow.html\""},
    {"/a delay=1\n/b delay=x", "line 2: what is \"delay\""},
    {"/a", "line 1: what is \"/a\""},
    {"/a delay", "\"delay\""},
    {"/a delay=", "\"delay\""},
    {"/a delay=-1", "\"delay\""},
    {"/a delay=600001", "\"delay\""},
    {"/a delay=99999999999999999999", "\"delay\""},
    {"/a status=199", "\"status\""},
    {"/a status=600", "\"status\""},
    {"/a location=", "\"location\""},
    {"/a location=/\x01", "\"location\""},
    {"/a type=t\x7f", "\"type\""},
    {"/a colour=red", "\"colour\""},
    {"/a delay=1\n/b delay=1\n/a delay=2", "/a stands there twice"},
};

START_TEST(wrong_routes_are_refused_with_their_line)
{
    struct lab_routes r;
    char error[128] = "";
    const char *text = wrong_routes[_i].text;
    ck_assert_int_eq(lab_routes_parse(&r, text, strlen(text), error, sizeof error), WEFT_ESYNTAX);
    ck_assert_msg(strstr(error, wrong_routes[_i].said), "%s: %s", text, error);
    ck_assert_uint_eq(r.n, 0);
    ck_assert_ptr_null(lab_routes_find(&r, "/a"));
}
END_TEST

START_TEST(too_many_or_binary_routes_are_refused)
{
    struct lab_routes r;
    char error[128] = "";
    static char large[WEFT_LAB_MAX_ROUTES + 1];
    memset(large, '\n', sizeof large);
    ck_assert_int_eq(lab_routes_parse(&r, large, sizeof large, error, sizeof error), WEFT_ELIMIT);
    ck_assert_int_eq(lab_routes_parse(&r, large, sizeof large - 1, error, sizeof error), WEFT_OK);
    lab_routes_release(&r);
    ck_assert_int_eq(lab_routes_parse(&r, "/a\0 delay=1", 11, error, sizeof error), WEFT_ESYNTAX);
    ck_assert_int_eq(lab_routes_parse(&r, "", 0, error, sizeof error), WEFT_OK);
    lab_routes_release(&r);
}
END_TEST

/* ---- hosts ---- */

static const struct {
    const char *host;
    bool ours;
} hosts[] = {
    {"localhost", true},
    {"localhost:1", true},
    {"LocalHost:65535", true},
    {"localhost.", true},
    {"a.localhost", true},
    {"a.b.LOCALHOST:80", true},
    {"127.0.0.1", true},
    {"127.255.255.254", true},
    {"127.0.0.1:80", true},
    {"[::1]", true},
    {"[::1]:80", true},
    {"[0:0:0:0:0:0:0:1]", true},
    {"localhost:", true},
    {"", false},
    {":80", false},
    {"localhost:80x", false},
    {"localhost:123456", false},
    {".localhost", false},
    {"xlocalhost", false},
    {"localhost.com", false},
    {"localhost@evil.example", false},
    {"127.0.0.1.nip.io", false},
    {"127.1", false},
    {"0x7f000001", false},
    {"2130706433", false},
    {"126.0.0.1", false},
    {"127.0.0.256", false},
    {"0.0.0.0", false},
    {"[::]", false},
    {"[::2]", false},
    {"[::1", false},
    {"::1", false},
    {"[::ffff:127.0.0.1]", false},
    {"[::1].evil.example", false},
    {" localhost", false},
    {"local host", false},
};

START_TEST(host_is_loopback)
{
    ck_assert_msg(lab_host_is_loopback(hosts[_i].host, strlen(hosts[_i].host)) == hosts[_i].ours,
                  "%s", hosts[_i].host);
}
END_TEST

START_TEST(a_host_is_its_bytes_and_not_more)
{
    static char long_one[1000];
    memset(long_one, 'a', sizeof long_one);
    memcpy(long_one + 990, ".localhost", 10);
    ck_assert(!lab_host_is_loopback(long_one, sizeof long_one));
    ck_assert(lab_host_is_loopback("localhost.evil.example", 9));
    ck_assert(!lab_host_is_loopback("localhost\0", 10));
}
END_TEST

/* ---- queries ---- */

START_TEST(paths_are_decoded)
{
    char out[64];
    ck_assert(lab_query_decode(out, "/a%20b%C3%bc%2e%zz%4", 20));
    ck_assert_str_eq(out, "/a b\xc3\xbc.%zz%4");
    ck_assert(!lab_query_decode(out, "/a%00b", 6));
    ck_assert(lab_query_decode(out, "%", 1));
    ck_assert_str_eq(out, "%");
    ck_assert(lab_query_decode(out, "%41%4", 5));
    ck_assert_str_eq(out, "A%4");
    ck_assert(lab_query_decode(out, "%41%42", 6));
    ck_assert_str_eq(out, "AB");
}
END_TEST

START_TEST(parameters_are_found_by_their_whole_name)
{
    size_t len;
    const char *query = "ab=1&a=2&b&a=3&=4&c=";
    ck_assert_int_eq(strncmp(lab_query_find(query, "a", &len), "2&", 2), 0);
    ck_assert_uint_eq(len, 1);
    ck_assert_ptr_nonnull(lab_query_find(query, "b", &len));
    ck_assert_uint_eq(len, 0);
    ck_assert_ptr_nonnull(lab_query_find(query, "c", &len));
    ck_assert_uint_eq(len, 0);
    ck_assert_ptr_null(lab_query_find(query, "d", &len));
    ck_assert_ptr_null(lab_query_find("", "a", &len));
}
END_TEST

static const struct {
    const char *query;
    bool fine;
    int64_t value;
} numbers[] = {
    {"", true, -7},
    {"n=5", true, 5},
    {"n=010", true, 10},
    {"n=100", true, 100},
    {"n=101", false, -7},
    {"n=", false, -7},
    {"n", false, -7},
    {"n=-1", false, -7},
    {"n=+1", false, -7},
    {"n=1.0", false, -7},
    {"n= 1", false, -7},
    {"m=1", true, -7},
    {"n=9999999999999999999999", false, -7},
};

START_TEST(number)
{
    int64_t n = -7;
    ck_assert_int_eq(lab_query_number(numbers[_i].query, "n", 0, 100, &n), numbers[_i].fine);
    ck_assert_int_eq(n, numbers[_i].value);
}
END_TEST

START_TEST(sizes_and_fractions)
{
    int64_t n = -7;
    ck_assert(lab_query_size("n=3K", "n", 1 << 20, &n) && n == 3072);
    ck_assert(lab_query_size("n=1M", "n", 1 << 20, &n) && n == 1 << 20);
    ck_assert(!lab_query_size("n=2M", "n", 1 << 20, &n));
    ck_assert(!lab_query_size("n=3k", "n", 1 << 20, &n));
    ck_assert(!lab_query_size("n=3KK", "n", 1 << 20, &n));
    ck_assert(!lab_query_size("n=999999999999999G", "n", INT64_MAX, &n));
    ck_assert(lab_query_ppm("n=0.05", "n", &n) && n == 50000);
    ck_assert(lab_query_ppm("n=1", "n", &n) && n == 1000000);
    ck_assert(lab_query_ppm("n=0.000001", "n", &n) && n == 1);
    ck_assert(!lab_query_ppm("n=0.0000001", "n", &n));
    ck_assert(!lab_query_ppm("n=1.000001", "n", &n));
    ck_assert(!lab_query_ppm("n=0.", "n", &n));
    ck_assert(!lab_query_ppm("n=2", "n", &n));
    ck_assert_int_eq(n, 1);
}
END_TEST

/* ---- counts by path ---- */

START_TEST(paths_are_counted_apart)
{
    struct lab_paths p;
    char name[32];
    size_t top[3];
    lab_paths_init(&p, 42);
    ck_assert_uint_eq(lab_paths_get(&p, "/", 1), 0);
    for (unsigned round = 1; round <= 3; round++) {
        for (unsigned i = 0; i < 5000; i++) {
            size_t len = (size_t)snprintf(name, sizeof name, "/%u", i);
            ck_assert_uint_eq(lab_paths_count(&p, name, len), round);
        }
    }
    ck_assert_uint_eq(p.n, 5000);
    ck_assert_uint_eq(lab_paths_count(&p, "/77", 3), 4);
    ck_assert_uint_eq(lab_paths_count(&p, "/7", 2), 4);
    ck_assert_uint_eq(lab_paths_count(&p, "/7", 2), 5);
    ck_assert_uint_eq(lab_paths_get(&p, "/5000", 5), 0);
    ck_assert_uint_eq(lab_paths_top(&p, top, 3), 3);
    ck_assert_uint_eq(top[0], 7);
    ck_assert_uint_eq(top[1], 77);
    ck_assert_uint_eq(top[2], 0);
    ck_assert_uint_eq(lab_paths_top(&p, top, 0), 0);
    lab_paths_clear(&p);
    ck_assert_uint_eq(lab_paths_get(&p, "/7", 2), 0);
    ck_assert_uint_eq(lab_paths_count(&p, "/7", 2), 1);
    lab_paths_release(&p);
}
END_TEST

START_TEST(paths_have_a_limit_in_number_and_bytes)
{
    struct lab_paths p;
    char name[32];
    static char large[1 << 20];
    lab_paths_init(&p, 42);
    for (unsigned i = 0; i < WEFT_LAB_MAX_PATHS; i++) {
        size_t len = (size_t)snprintf(name, sizeof name, "%u", i);
        ck_assert_uint_eq(lab_paths_count(&p, name, len), 1);
    }
    ck_assert_uint_eq(lab_paths_count(&p, "one more", 8), 0);
    ck_assert_uint_eq(lab_paths_count(&p, "5", 1), 2);
    lab_paths_clear(&p);
    memset(large, 'a', sizeof large);
    unsigned fitted = 0;
    for (unsigned i = 0; i < 20; i++) {
        large[0] = (char)('a' + i);
        fitted += lab_paths_count(&p, large, sizeof large) == 1;
    }
    ck_assert_uint_eq(fitted, WEFT_LAB_MAX_PATH_BYTES / sizeof large - 1); /* each has a NUL */
    lab_paths_release(&p);
}
END_TEST

/* ---- buckets ---- */

START_TEST(a_bucket_fills_at_its_rate_and_no_higher_than_its_burst)
{
    struct lab_faults f;
    weft_time now = 1000 * WEFT_SECOND;
    ck_assert_int_eq(lab_faults_init(&f, 1), WEFT_OK);
    for (int i = 0; i < 3; i++) {
        ck_assert(lab_faults_token(&f, 9, 10, 3, now));
    }
    ck_assert(!lab_faults_token(&f, 9, 10, 3, now));
    ck_assert(lab_faults_token(&f, 8, 10, 3, now)); /* another bucket */
    ck_assert(!lab_faults_token(&f, 9, 10, 3, now + 99 * WEFT_MS));
    ck_assert(lab_faults_token(&f, 9, 10, 3, now + 100 * WEFT_MS));
    ck_assert(!lab_faults_token(&f, 9, 10, 3, now + 100 * WEFT_MS));
    now += 100 * WEFT_SECOND;
    for (int i = 0; i < 3; i++) {
        ck_assert(lab_faults_token(&f, 9, 10, 3, now));
    }
    ck_assert(!lab_faults_token(&f, 9, 10, 3, now));
    ck_assert(!lab_faults_token(&f, 7, 0, 3, now));
    for (uint64_t key = 100; key < 100 + 2 * LAB_BUCKETS; key++) {
        ck_assert(lab_faults_token(&f, key, 1, 1, now)); /* the oldest make room */
    }
    lab_faults_release(&f);
}
END_TEST

/* ---- the generated site ---- */

static const struct {
    const char *items;
    int fine;
    struct lab_gen g;
} folders[] = {
    {"", 1, {1000, 20480, 40, 8, 1, 0}},
    {"50", 1, {50, 20480, 40, 8, 1, 0}},
    {"seed=9,pages=7,ms=3", 1, {7, 20480, 40, 8, 9, 3}},
    {"links=3", 1, {1000, 20480, 3, 3, 1, 0}},
    {"size=0,fan=1", 1, {1000, 0, 40, 1, 1, 0}},
    {"pages=10000000", 1, {10000000, 20480, 40, 8, 1, 0}},
    {"pages=10000001", 0, {0}},
    {"pages=0", 0, {0}},
    {"links=0", 0, {0}},
    {"links=10001", 0, {0}},
    {"fan=0", 0, {0}},
    {"pages", 0, {0}},
    {"pages=", 0, {0}},
    {"=5", 0, {0}},
    {"5,6", 0, {0}},
    {"pages=5,,links=6", 0, {0}},
    {"Pages=5", 0, {0}},
    {"pages=5 ", 0, {0}},
    {"size=99999999999999999999", 0, {0}},
};

START_TEST(folder_name)
{
    struct lab_gen g;
    const char *items = folders[_i].items;
    int fine = lab_gen_parse(&g, items, strlen(items), ',');
    ck_assert_msg(fine == folders[_i].fine, "%s", items);
    if (fine) {
        ck_assert_mem_eq(&g, &folders[_i].g, sizeof g);
    }
}
END_TEST

/* The pages that a page links to, in order; every form of link ends in "N.html". */
static size_t links_of(const char *page, int64_t *to, size_t max)
{
    size_t n = 0;
    for (const char *end = page; (end = strstr(end, ".html")) && n < max; end++) {
        const char *start = end;
        while (start > page && start[-1] >= '0' && start[-1] <= '9') {
            start--;
        }
        to[n++] = strtol(start, NULL, 10);
    }
    return n;
}

static const char *const sites[] = {
    "pages=300,size=2000,links=12,fan=3,seed=5",
    "pages=1",
    "pages=2,links=1",
    "pages=40,links=39,fan=39",
    "pages=30,fan=1,links=4",
    "pages=500,size=0,links=20",
};

START_TEST(a_breadth_first_walk_asks_for_0_1_2_3_in_order)
{
    struct lab_gen g;
    const char *folder = sites[_i];
    static int64_t to[64], queue[1000];
    static char known[1000];
    size_t head = 0, tail = 1;
    ck_assert(lab_gen_parse(&g, folder, strlen(folder), ','));
    memset(known, 0, sizeof known);
    known[0] = 1;
    queue[0] = 0;
    while (head < tail) {
        struct lab_text t;
        lab_text_init(&t);
        ck_assert_int_eq(queue[head], (int64_t)head);
        lab_gen_page(&g, folder, strlen(folder), "localhost:80", queue[head++], &t);
        ck_assert_int_eq(t.status, WEFT_OK);
        ck_assert_uint_eq(links_of(t.buf.data, to, 64), (size_t)g.links);
        for (int64_t k = 0; k < g.links; k++) {
            ck_assert_int_lt(to[k], g.pages);
            if (!known[to[k]]) {
                known[to[k]] = 1;
                queue[tail++] = to[k];
            }
        }
        lab_text_release(&t);
    }
    ck_assert_uint_eq(tail, (size_t)g.pages);
}
END_TEST

START_TEST(a_page_has_its_size_and_stays_the_same)
{
    static const int64_t sizes[] = {2048, 20480, 100000, 5001};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct lab_gen g = {.pages = 100, .size = sizes[k], .links = 10, .fan = 5, .seed = 3};
        struct lab_text one, two, other;
        lab_text_init(&one);
        lab_text_init(&two);
        lab_text_init(&other);
        lab_gen_page(&g, "x", 1, "h", 17, &one);
        lab_gen_page(&g, "x", 1, "h", 17, &two);
        g.seed = 4;
        lab_gen_page(&g, "x", 1, "h", 17, &other);
        ck_assert_uint_eq(one.buf.len, (size_t)sizes[k]);
        ck_assert_str_eq(one.buf.data, two.buf.data);
        ck_assert_str_ne(one.buf.data, other.buf.data);
        lab_text_release(&one);
        lab_text_release(&two);
        lab_text_release(&other);
    }
}
END_TEST

START_TEST(text_is_escaped)
{
    struct lab_text t;
    lab_text_init(&t);
    lab_text_escaped(&t, "<a href='x' title=\"y\">&\x01\xc3\xbc");
    ck_assert_str_eq(t.buf.data, "&lt;a href=&#39;x&#39; title=&#34;y&#34;&gt;&amp;?\xc3\xbc");
    lab_text_release(&t);
}
END_TEST

#define LOOP(tc, test, table) tcase_add_loop_test(tc, test, 0, sizeof(table) / sizeof *(table))

int main(void)
{
    TCase *tc = tcase_create("parts");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, timers_come_out_in_order_whatever_leaves_before, 0, 4);
    tcase_add_test(tc, routes_are_read);
    LOOP(tc, wrong_routes_are_refused_with_their_line, wrong_routes);
    tcase_add_test(tc, too_many_or_binary_routes_are_refused);
    LOOP(tc, host_is_loopback, hosts);
    tcase_add_test(tc, a_host_is_its_bytes_and_not_more);
    tcase_add_test(tc, paths_are_decoded);
    tcase_add_test(tc, parameters_are_found_by_their_whole_name);
    LOOP(tc, number, numbers);
    tcase_add_test(tc, sizes_and_fractions);
    tcase_add_test(tc, paths_are_counted_apart);
    tcase_add_test(tc, paths_have_a_limit_in_number_and_bytes);
    tcase_add_test(tc, a_bucket_fills_at_its_rate_and_no_higher_than_its_burst);
    LOOP(tc, folder_name, folders);
    LOOP(tc, a_breadth_first_walk_asks_for_0_1_2_3_in_order, sites);
    tcase_add_test(tc, a_page_has_its_size_and_stays_the_same);
    tcase_add_test(tc, text_is_escaped);
    return suite_run("lab: its parts", tc);
}

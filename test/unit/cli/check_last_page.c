/* check_last_page.c -- the end that is easiest to miss: everything has been fetched, nothing is
 * queued, and one slow page is still under way that has links, and the last of these again. No
 * engine may end before it, or hang behind it. WEFT_ROUNDS says how often (5; make soak takes 200,
 * under ThreadSanitizer). */
#include "crawled.h"
#include "lab/lab.h"
#include "support/suite.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const files[][2] = {
    {"index.html", "<a href=a.html>a</a> <a href=b.html>b</a> <a href=slow.html>slow</a>"},
    {"a.html", "<a href=/>home</a>"},
    {"b.html", "<a href=a.html>a</a>"},
    {"slow.html", "<a href=behind.html>behind</a> <a href=beside.html>beside</a>"},
    {"behind.html", "<a href=last.html>last</a>"},
    {"beside.html", ""},
    {"last.html", "<a href=end.html>end</a>"},
    {"end.html", "<a href=slow.html>slow</a>"},
    {"routes", "/slow.html delay=12\n/last.html delay=9\n"},
};
enum { NFILES = sizeof files / sizeof files[0] };

static char folder[64];

static void set_up(void)
{
    char path[128];
    snprintf(folder, sizeof folder, "/tmp/weft-last-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    for (int i = 0; i < NFILES; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i][0]);
        FILE *f = fopen(path, "w");
        ck_assert_ptr_nonnull(f);
        fputs(files[i][1], f);
        ck_assert_int_eq(fclose(f), 0);
    }
}

static void tear_down(void)
{
    char path[128];
    for (int i = 0; i < NFILES; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i][0]);
        unlink(path);
    }
    rmdir(folder);
}

static unsigned rounds(void)
{
    const char *text = getenv("WEFT_ROUNDS");
    return !text || !*text ? 5 : strcmp(text, "full") == 0 ? 200 : (unsigned)atoi(text);
}

START_TEST(a_slow_last_page_is_waited_for_and_followed)
{
    struct weft_lab *lab;
    char error[256];
    ck_assert_msg(weft_lab_start(&lab, &(struct weft_lab_options){.dir = folder}, error,
                                 sizeof error) == WEFT_OK,
                  "%s", error);
    for (unsigned i = rounds(); i > 0; i--) {
        struct weft_crawl_options o = {.jobs = 1 + i % 4, .has_max_depth = i % 2, .max_depth = 99};
        struct crawled c;
        crawled_init(&c, weft_lab_url(lab, 0));
        crawled_run(&c, o, &variants[_i], (const char *const[]){"/", NULL});
        ck_assert_int_eq(c.report.end, WEFT_END_FINISHED);
        ck_assert_uint_eq(c.report.fetched, NFILES - 1);
        ck_assert_uint_eq(c.n, NFILES - 1);
        ck_assert_int_ge(c.report.elapsed, 21 * WEFT_MS);
        crawled_release(&c);
    }
    weft_lab_stop(lab);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("last page");
    tcase_set_timeout(tc, 600);
    tcase_add_unchecked_fixture(tc, set_up, tear_down);
    tcase_add_loop_test(tc, a_slow_last_page_is_waited_for_and_followed, 0, NVARIANTS);
    return suite_run("cli: the last page is slow and has links", tc);
}

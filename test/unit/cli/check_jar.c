/* check_jar.c -- the cookie jar of a crawl: written once, when a run has ended. */
#include "weft/crawl.h"

#include "support/suite.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void expect_jar(const char *jar, const char *begins)
{
    char text[100] = "";
    FILE *f = fopen(jar, "r");
    ck_assert_ptr_nonnull(f);
    ck_assert_ptr_nonnull(fgets(text, sizeof text, f));
    ck_assert_int_eq(strncmp(text, begins, strlen(begins)), 0);
    fclose(f);
}

/* Cookies of days must not go because a seed was mistyped. */
START_TEST(a_crawl_that_never_runs_leaves_the_jar)
{
    char jar[] = "/tmp/weft-jar-XXXXXX", error[300];
    int fd = mkstemp(jar);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, "old", 3), 3);
    close(fd);
    struct weft_crawl *c;
    struct weft_crawl_report report;
    const struct weft_crawl_options o = {.engine = WEFT_ENGINE_SYNC, .net.cookie_jar = jar};
    ck_assert_int_eq(weft_crawl_new(&c, &o, error, sizeof error), WEFT_OK);
    ck_assert_int_eq(weft_crawl_add(c, "no url", 6), WEFT_ESYNTAX);
    weft_crawl_free(c);
    expect_jar(jar, "old");
    ck_assert_int_eq(weft_crawl_new(&c, &o, error, sizeof error), WEFT_OK);
    ck_assert_int_eq(weft_crawl_run(c, &report), WEFT_OK);
    expect_jar(jar, "# Netscape");
    ck_assert_int_eq(unlink(jar), 0);
    weft_crawl_free(c);
    ck_assert_int_ne(access(jar, F_OK), 0); /* nor is it written again */
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("jar");
    tcase_add_test(tc, a_crawl_that_never_runs_leaves_the_jar);
    return suite_run("cli: jar", tc);
}

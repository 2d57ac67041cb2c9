/* check_report.c -- the line of a page, the progress line, and the exit code's order of precedence.
 */
#include "cli/check_report.h"
#include "cli/command.h"
#include "cli/crawl_options.h"
#include "cli/report.h"

#include "support/suite.h"
#include <string.h>

static const struct {
    struct weft_record record;
    bool detail;
    const char *line;
} lines[] = {
    {{.url = "http://a/", .outcome = WEFT_FETCHED, .status = 200}, false, "200 http://a/\n"},
    {{.url = "http://a/", .outcome = WEFT_FAILED, .reason = WEFT_REASON_HTTP_STATUS, .status = 404},
     false,
     "404 http://a/\n"},
    {{.url = "http://a/", .outcome = WEFT_FAILED, .reason = WEFT_REASON_TIMEOUT, .status = 200},
     false,
     "failed timeout http://a/\n"},
    {{.url = "http://a/", .outcome = WEFT_SKIPPED, .reason = WEFT_REASON_ROBOTS},
     false,
     "skipped robots http://a/\n"},
    {{.url = "http://a/", .outcome = WEFT_SKIPPED, .reason = WEFT_REASON_SCOPE, .status = 302},
     false,
     "skipped scope http://a/\n"},
    {{.url = "\x1b]0;x\x07", .outcome = WEFT_SKIPPED, .reason = WEFT_REASON_BAD_URL},
     false,
     "skipped bad_url \\x1b]0;x\\x07\n"},
    {{.url = "http://a/",
      .outcome = WEFT_FAILED,
      .reason = WEFT_REASON_TRUNCATED,
      .status = 200,
      .final_url = "http://b/",
      .error = "\r"},
     true,
     "failed truncated http://a/ -> http://b/ (\\x0d)\n"},
    {{.url = "http://a/",
      .outcome = WEFT_FAILED,
      .reason = WEFT_REASON_HTTP_STATUS,
      .status = 404,
      .error = "status 404"},
     true,
     "404 http://a/\n"},
    {{.url = "http://a/", .outcome = WEFT_FETCHED, .status = 200, .final_url = "http://b/"},
     false,
     "200 http://a/\n"},
};

START_TEST(line_of_a_page)
{
    struct weft_buf b;
    weft_buf_init(&b, 1000);
    ck_assert_int_eq(cli_line(&b, &lines[_i].record, lines[_i].detail), WEFT_OK);
    ck_assert_str_eq(b.data, lines[_i].line);
    weft_buf_release(&b);
}
END_TEST

START_TEST(progress_line)
{
    struct weft_crawl_progress p = {.fetched = 30,
                                    .failed = 10,
                                    .queued = 5,
                                    .in_flight = 4,
                                    .hosts = 1,
                                    .elapsed = 3725 * WEFT_SECOND};
    struct weft_buf b;
    weft_buf_init(&b, 1000);
    ck_assert_int_eq(cli_progress(&b, &p), WEFT_OK);
    ck_assert_str_eq(b.data,
                     "30 fetched, 10 failed, 5 queued, 4 in flight, 1 host, 0.0/s, 1:02:05");
    weft_buf_clear(&b);
    p.elapsed = 8 * WEFT_SECOND;
    ck_assert_int_eq(cli_progress(&b, &p), WEFT_OK);
    ck_assert_str_eq(b.data, "30 fetched, 10 failed, 5 queued, 4 in flight, 1 host, 5.0/s, 0:08");
    weft_buf_clear(&b);
    p.elapsed = 0; /* no division by it */
    ck_assert_int_eq(cli_progress(&b, &p), WEFT_OK);
    weft_buf_release(&b);
}
END_TEST

#define FAILED_ONE  .failed[WEFT_REASON_TIMEOUT] = 1
#define SKIPPED_ONE .skipped[WEFT_REASON_ROBOTS] = 1

static const struct {
    struct weft_crawl_report report;
    int fail_on, signal;
    bool broken;
    int code;
} exits[] = {
    {{.fetched = 3}, CLI_FAIL_SEED, 0, false, 0},
    {{.fetched = 3, FAILED_ONE}, CLI_FAIL_SEED, 0, false, 0},
    {{.fetched = 3, FAILED_ONE}, CLI_FAIL_ANY, 0, false, 1},
    {{.fetched = 3, SKIPPED_ONE}, CLI_FAIL_ANY, 0, false, 0},
    {{.fetched = 3, SKIPPED_ONE, .seeds_failed = 1}, CLI_FAIL_SEED, 0, false, 1},
    {{.fetched = 3, FAILED_ONE, .seeds_failed = 1}, CLI_FAIL_NONE, 0, false, 0},
    {{.fetched = 3, .seeds_failed = 1, .left = 3}, CLI_FAIL_LIMIT, 0, false, 0},
    {{.fetched = 3, .end = WEFT_END_MAX_PAGES, .left = 3}, CLI_FAIL_LIMIT, 0, false, 1},
    /* a budget that cut off no URL, but a retry or a hop */
    {{.fetched = 3, .end = WEFT_END_MAX_PAGES}, CLI_FAIL_LIMIT, 0, false, 1},
    {{.fetched = 3, .end = WEFT_END_MAX_TIME, .left = 3}, CLI_FAIL_SEED, 0, false, 0},
    {{.fetched = 0, FAILED_ONE, .seeds_failed = 1}, CLI_FAIL_SEED, 0, false, 4},
    {{.fetched = 0}, CLI_FAIL_NONE, 0, false, 4},
    {{.fetched = 0, .end = WEFT_END_INTERRUPTED}, CLI_FAIL_SEED, 2, false, 130},
    {{.fetched = 3, .end = WEFT_END_INTERRUPTED, .seeds_failed = 1}, CLI_FAIL_SEED, 15, false, 143},
    {{.fetched = 3, .end = WEFT_END_OUTPUT}, CLI_FAIL_SEED, 2, false, 3},
    {{.fetched = 0, .end = WEFT_END_OUTPUT}, CLI_FAIL_SEED, 0, false, 3},
    {{.fetched = 3, .end = WEFT_END_INTERRUPTED}, CLI_FAIL_SEED, 0, true, 3},
    {{.fetched = 3, .end = WEFT_END_FAILED}, CLI_FAIL_NONE, 0, false, 1},
    {{.fetched = 0, .end = WEFT_END_FAILED}, CLI_FAIL_NONE, 0, false, 4},
};

START_TEST(exit_codes)
{
    ck_assert_int_eq(
        cli_exit_code(&exits[_i].report, exits[_i].fail_on, exits[_i].signal, exits[_i].broken),
        exits[_i].code);
}
END_TEST

/* What is no URL, and errors that quote a server's fields, are told as they are, and not obeyed. */
START_TEST(reports_of_links_hold_no_control_character)
{
    struct weft_link_result link = {.verdict = WEFT_LINK_BROKEN,
                                    .reason = WEFT_REASON_BAD_CONTENT,
                                    .url = "x\x7f\xc2\x9b\xc2\xa0"};
    struct cli_check_result result = {.results = &link, .n = 1, .finished = true};
    enum weft_status (*const reports[])(struct weft_buf *, const struct cli_check_result *) = {
        cli_check_json, cli_check_sarif};
    struct weft_buf b;
    weft_buf_init(&b, 100000);
    ck_assert_int_eq(reports[_i](&b, &result), WEFT_OK);
    ck_assert_ptr_nonnull(strstr(b.data, "x\\u007f\\u009b\xc2\xa0"));
    weft_buf_release(&b);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("report");
    tcase_add_loop_test(tc, line_of_a_page, 0, (int)(sizeof lines / sizeof *lines));
    tcase_add_test(tc, progress_line);
    tcase_add_loop_test(tc, reports_of_links_hold_no_control_character, 0, 2);
    tcase_add_loop_test(tc, exit_codes, 0, (int)(sizeof exits / sizeof *exits));
    return suite_run("cli: report", tc);
}

/* check_options.c -- the parser of option tables, and that the program's own tables are sound. */
#include "cli/command.h"
#include "cli/crawl_options.h"

#include "support/suite.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A line split at blanks; enough for these cases. */
struct line {
    char text[512];
    char *argv[64];
    int argc;
};

static void split(struct line *l, const char *text)
{
    snprintf(l->text, sizeof l->text, "weft crawl %s", text);
    l->argc = 0;
    for (char *word = strtok(l->text, " "); word; word = strtok(NULL, " ")) {
        l->argv[l->argc++] = word;
    }
    l->argv[l->argc] = NULL;
}

static enum weft_status parse(struct line *l, struct cli_crawl *o, struct cli_args *args,
                              char *error, size_t cap)
{
    struct cli_tables tables = cli_tables_of(cli_find_command("crawl"));
    *o = (struct cli_crawl){0};
    enum weft_status st = cli_parse(&tables, l->argc, l->argv, 2, o, args, error, cap);
    return st == WEFT_OK ? cli_crawl_finish(o, error, cap) : st;
}

/* Lines that are refused, and words of the sentence. */
static const struct {
    const char *line, *sentence;
} refused[] = {
    {"-j 0 x", "-j (--jobs) takes a whole number from 1 to 10000, not '0'"},
    {"-j abc x", "-j (--jobs) takes a whole number"},
    {"-j -1 x", "not '-1'"},
    {"-j=4 x", "not '=4'"},
    {"--jobs= x", "--jobs takes a whole number"},
    {"--jobs 99999999999999999999 x", "--jobs takes"},
    {"--jobs", "--jobs needs a value: N"},
    {"x -j", "-j (--jobs) needs a value: N"},
    {"--delay -0.5 x", "--delay takes a time"},
    {"--delay soon x", "--delay takes a time such as 0.5, 250ms, 2s or 1m"},
    {"--timeout 0 x", "--timeout takes a time"},
    {"--timeout -5 x", "--timeout takes a time"},
    {"--max-body -1 x", "--max-body takes a size"},
    {"--max-body 0 x", "--max-body takes a size"},
    {"--retries -1 x", "--retries takes a whole number from 0"},
    {"--per-host -2 x", "--per-host takes"},
    {"--rate 0 x", "--rate takes a number"},
    {"--engine fast x", "--engine takes threads, sync or events, not 'fast'"},
    {"-e thread x", "-e (--engine) takes threads, sync or events"},
    {"--fold www,dots x", "--fold takes www, slash, query or index, several"},
    {"--fold www, x", "--fold takes"},
    {"--quiet=yes x", "--quiet takes no value"},
    {"--dept 3 x", "there is no option --dept; did you mean --max-depth?"},
    {"--job 3 x", "there is no option --job; did you mean --jobs?"}, /* no abbreviations */
    {"--xyzzyplugh x", "there is no option --xyzzyplugh"},
    {"-qZ x", "there is no option -Z"},
    {"--select title x", "--select takes NAME=XPATH"},
    {"--select =//a x", "--select takes NAME=XPATH"},
    {"-u me x", "-u (--user) takes NAME:PASSWORD"},
    {"-H nonsense x", "-H (--header) takes a header field"},
    {"-H :x x", "-H (--header) takes a header field"},
    {"--user-agent= x", "--user-agent takes a text that is not empty"},
    {"--append --overwrite x", "--append and --overwrite exclude each other"},
    {"--burst 3 x", "--burst is the size of --rate's bucket"},
    {"--row //tr x", "give at least one --select"},
    {"--http2 x", "--http2 is for --engine events"},
    {"--parse-jobs 2 -e sync x", "--parse-jobs is for --engine events"},
};

START_TEST(wrong_lines_are_refused_with_a_sentence)
{
    struct line l;
    struct cli_crawl o;
    struct cli_args args;
    char error[512];
    split(&l, refused[_i].line);
    ck_assert_int_eq(parse(&l, &o, &args, error, sizeof error), WEFT_EINVAL);
    ck_assert_msg(strstr(error, refused[_i].sentence), "%s: %s", refused[_i].line, error);
    cli_args_release(&args);
    cli_crawl_release(&o);
}
END_TEST

START_TEST(all_ways_to_write_an_option)
{
    static const char *const lines[] = {"-j 4 a b",          "-j4 a b",   "--jobs 4 a b",
                                        "--jobs=4 a b",      "a -j 4 b",  "a b -j4",
                                        "-j 9 a --jobs=4 b", "-qvj4 a b", "-j4 -- a b"};
    struct line l;
    struct cli_crawl o;
    struct cli_args args;
    char error[512];
    split(&l, lines[_i]);
    ck_assert_int_eq(parse(&l, &o, &args, error, sizeof error), WEFT_OK);
    ck_assert_uint_eq(o.crawl.jobs, 4);
    ck_assert_uint_eq(args.count, 2);
    ck_assert_str_eq(args.items[0], "a");
    ck_assert_str_eq(args.items[1], "b");
    ck_assert_ptr_null(args.items[2]);
    cli_args_release(&args);
    cli_crawl_release(&o);
}
END_TEST

START_TEST(two_dashes_end_the_options_and_one_is_an_argument)
{
    struct line l;
    struct cli_crawl o;
    struct cli_args args;
    char error[512];
    split(&l, "-o - - -- -q --jobs");
    ck_assert_int_eq(parse(&l, &o, &args, error, sizeof error), WEFT_OK);
    ck_assert(!o.quiet);
    ck_assert_str_eq(o.crawl.outputs[0], "-");
    ck_assert_ptr_null(o.crawl.outputs[1]);
    ck_assert_uint_eq(args.count, 3);
    ck_assert_str_eq(args.items[0], "-");
    ck_assert_str_eq(args.items[1], "-q");
    cli_args_release(&args);
    cli_crawl_release(&o);
}
END_TEST

START_TEST(nothing_given_leaves_the_engines_defaults)
{
    static const struct weft_crawl_options nothing;
    struct line l;
    struct cli_crawl o;
    struct cli_args args;
    char error[512];
    split(&l, "a");
    ck_assert_int_eq(parse(&l, &o, &args, error, sizeof error), WEFT_OK);
    ck_assert_mem_eq(&o.crawl, &nothing, sizeof nothing);
    ck_assert_int_eq(o.fail_on, CLI_FAIL_SEED);
    cli_args_release(&args);
    cli_crawl_release(&o);
}
END_TEST

START_TEST(every_value_lands_where_the_engine_reads_it)
{
    struct line l;
    struct cli_crawl o;
    struct cli_args args;
    char error[512];
    split(&l, "-e events -d 0 -n 7 --delay 0 --retries 0 --host-failures 0 --max-redirects 0 "
              "--retry-base 0 --max-body 1M --max-bytes 2K --fold www,index --scope prefix "
              "--fail-on any --no-progress -vv -u a:b -H X:y --rate 2.5 --burst 3 a");
    ck_assert_int_eq(parse(&l, &o, &args, error, sizeof error), WEFT_OK);
    ck_assert_int_eq(o.crawl.engine, WEFT_ENGINE_EVENTS);
    ck_assert(o.crawl.has_max_depth && o.crawl.max_depth == 0);
    ck_assert_uint_eq(o.crawl.max_pages, 7);
    ck_assert(o.crawl.has_delay && o.crawl.delay == 0);
    ck_assert_int_eq(o.crawl.retries, -1);
    ck_assert_int_eq(o.crawl.host_failures, -1);
    ck_assert_int_eq(o.crawl.max_redirects, -1);
    ck_assert_int_eq(o.crawl.retry_base, 1);
    ck_assert_uint_eq(o.crawl.net.max_body, 1048576);
    ck_assert_uint_eq(o.crawl.max_bytes, 2048);
    ck_assert_uint_eq(o.crawl.fold, 1 | 8);
    ck_assert_int_eq(o.crawl.scope, WEFT_SCOPE_PREFIX);
    ck_assert_int_eq(o.fail_on, CLI_FAIL_ANY);
    ck_assert_int_eq(o.progress, -1);
    ck_assert_uint_eq(o.verbose, 2);
    ck_assert_str_eq(o.crawl.net.credentials, "a:b");
    ck_assert_str_eq(o.crawl.net.headers[0], "X:y");
    ck_assert_double_eq(o.crawl.rate, 2.5);
    ck_assert_uint_eq(o.crawl.burst, 3);
    cli_args_release(&args);
    cli_crawl_release(&o);
}
END_TEST

START_TEST(rules_keep_their_order)
{
    struct line l;
    struct cli_crawl o;
    struct cli_args args;
    char error[512];
    split(&l, "--include a --exclude b --include=c x");
    ck_assert_int_eq(parse(&l, &o, &args, error, sizeof error), WEFT_OK);
    ck_assert_uint_eq(o.crawl.nrules, 3);
    ck_assert(o.crawl.rules[0].include && !o.crawl.rules[1].include && o.crawl.rules[2].include);
    ck_assert_str_eq(o.crawl.rules[1].pattern, "b");
    ck_assert_str_eq(o.crawl.rules[2].pattern, "c");
    cli_args_release(&args);
    cli_crawl_release(&o);
}
END_TEST

START_TEST(a_contact_joins_the_user_agent)
{
    struct line l;
    struct cli_crawl o;
    struct cli_args args;
    char error[512];
    split(&l, "--contact me@example.org -A bot/2 x");
    ck_assert_int_eq(parse(&l, &o, &args, error, sizeof error), WEFT_OK);
    ck_assert_str_eq(o.crawl.net.user_agent, "bot/2 (+me@example.org)");
    cli_args_release(&args);
    cli_crawl_release(&o);
}
END_TEST

START_TEST(control_characters_are_refused)
{
    const char *argv[] = {"weft", "crawl", "-A", "bot\r\nX: y", "x", NULL};
    const char *header[] = {"weft", "crawl", "-H", "A: b\r\nX: y", "x", NULL};
    struct cli_tables tables = cli_tables_of(cli_find_command("crawl"));
    struct cli_crawl o = {0};
    struct cli_args args;
    char error[512];
    ck_assert_int_eq(
        cli_parse(&tables, 5, (char **)(_i ? header : argv), 2, &o, &args, error, sizeof error),
        WEFT_EINVAL);
    cli_args_release(&args);
    cli_crawl_release(&o);
}
END_TEST

START_TEST(the_remembered_line_keeps_no_password_of_a_url)
{
    static const struct {
        const char *text, *kept;
    } table[] = {
        {"http://su:PW@h/", "http://su:***@h/"},
        {"HTTPS://su:PW@h", "HTTPS://su:***@h"},
        {"http:su:PW@h/x", "http:su:***@h/x"},
        {"http:\\\\su:PW@h\\x", "'http:\\\\su:***@h\\x'"},
        {"http://:PW@h/", "http://:***@h/"},
        {"http://su:P:W@x@h:80/a:b@c", "http://su:***@h:80/a:b@c"},
        {"http://su:P'W@h/?q", "'http://su:***@h/?q'"},
        {"http://a:PW@h/?u=http://b:PW@h/#http", "'http://a:***@h/?u=http://b:***@h/#http'"},
        {"http://su:http:PW@h/", "http://su:***@h/"},
        {"http://su:@h/", "http://su:@h/"},
        {"http://su@h:80/", "http://su@h:80/"},
        {"http://h:80/a@b", "http://h:80/a@b"},
        {"http://h?a:b@c", "'http://h?a:b@c'"},
        {"http", "http"},
        {"", "''"},
    };
    struct cli_tables tables = cli_tables_of(cli_find_command("crawl"));
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const char *argv[] = {"weft", "crawl", "--exclude", table[i].text, table[i].text, NULL};
        struct cli_crawl o = {0};
        struct cli_args args;
        char error[512], wanted[300];
        bool none = !*table[i].text; /* of a pattern */
        ck_assert_int_eq(
            cli_parse(&tables, 5, (char **)argv, none ? 4 : 2, &o, &args, error, sizeof error),
            WEFT_OK);
        snprintf(wanted, sizeof wanted, "weft crawl --exclude%s%s %s", none ? " " : "=",
                 table[i].kept, table[i].kept);
        ck_assert_str_eq(args.command.data, wanted);
        ck_assert_str_eq(args.items[0], table[i].text);
        cli_args_release(&args);
        cli_crawl_release(&o);
    }
}
END_TEST

START_TEST(the_remembered_line_is_quoted_and_keeps_no_secret)
{
    char password[] = "me:hunter2";
    const char *argv[] = {"weft",      "crawl", "-u", password, "-H", "Cookie: s3cret",
                          "--exclude", "it's",  "-q", "a b",    NULL};
    struct cli_tables tables = cli_tables_of(cli_find_command("crawl"));
    struct cli_crawl o = {0};
    struct cli_args args;
    char error[512];
    ck_assert_int_eq(cli_parse(&tables, 10, (char **)argv, 2, &o, &args, error, sizeof error),
                     WEFT_OK);
    ck_assert_str_eq(args.command.data,
                     "weft crawl --user=*** --header=*** --exclude='it'\\''s' --quiet 'a b'");
    ck_assert_str_eq(o.crawl.net.credentials, "me:hunter2");
    ck_assert_str_eq(password, "**********"); /* what ps would show */
    cli_args_release(&args);
    cli_crawl_release(&o);
}
END_TEST

START_TEST(help_ends_the_reading)
{
    struct line l;
    struct cli_crawl o;
    struct cli_args args;
    char error[512];
    split(&l, "-qh --no-such-option");
    ck_assert_int_eq(parse(&l, &o, &args, error, sizeof error), WEFT_OK);
    ck_assert(args.help);
    cli_args_release(&args);
    cli_crawl_release(&o);
}
END_TEST

/* --- the tables --------------------------------------------------------------------------------
 */

struct seen_names {
    const struct cli_option *rows[256];
    size_t count;
};

static bool check_row(void *user, const struct cli_option *o)
{
    struct seen_names *seen = user;
    ck_assert_msg(o->help && strlen(o->help) > 10, "--%s has no help", o->name);
    ck_assert_msg(o->help[strlen(o->help) - 1] == '.', "--%s: the help is no sentence", o->name);
    ck_assert_msg(!cli_takes_value(o) == !o->value, "--%s: value and kind disagree", o->name);
    ck_assert_msg((o->kind == CLI_CHOICE || o->kind == CLI_WORDS) == (o->words != NULL),
                  "--%s: words and kind disagree", o->name);
    ck_assert_msg((o->kind == CLI_TAKE) == (o->take != NULL), "--%s: take", o->name);
    ck_assert_msg(o->max == 0 || o->max >= o->min, "--%s: range", o->name);
    ck_assert_uint_lt(seen->count, sizeof seen->rows / sizeof *seen->rows);
    for (size_t i = 0; i < seen->count; i++) {
        ck_assert_msg(strcmp(seen->rows[i]->name, o->name) != 0, "--%s twice", o->name);
        ck_assert_msg(!o->letter || seen->rows[i]->letter != o->letter, "-%c twice", o->letter);
    }
    seen->rows[seen->count++] = o;
    return true;
}

START_TEST(tables_are_sound)
{
    size_t rows = 0;
    for (const struct cli_command *c = cli_commands; c->name; c++) {
        struct seen_names seen = {.count = 0};
        struct cli_tables tables = cli_tables_of(c);
        cli_each_option(&tables, check_row, &seen);
        rows += seen.count;
        ck_assert_ptr_nonnull(c->run);
    }
    ck_assert_uint_gt(rows, 60);
}
END_TEST

/* --- files of options ------------------------------------------------------------------------- */

static char config_path[] = "/tmp/weft-config-XXXXXX";

static void write_config(const char *text, size_t len)
{
    FILE *f = fopen(config_path, "we");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(text, 1, len, f), len);
    ck_assert_int_eq(fclose(f), 0);
}

/* Parses a line in which %s is the file, which holds text. */
static enum weft_status parse_with(const char *text, const char *line, struct line *l,
                                   struct cli_crawl *o, struct cli_args *args, char *error,
                                   size_t cap)
{
    char typed[512];
    snprintf(typed, sizeof typed, line, config_path);
    write_config(text, strlen(text));
    split(l, typed);
    return parse(l, o, args, error, cap);
}

START_TEST(a_file_of_options_counts_less_than_the_line)
{
    struct line l;
    struct cli_crawl o;
    struct cli_args args;
    char error[512];
    const char *text = "\xEF\xBB\xBF# what the site wants\r\n"
                       "jobs = 3\r\n"
                       "\n"
                       "  --delay=2s  \n"
                       "max-pages 7\n"
                       "ignore-robots\n"
                       "verbose\n"
                       "engine=sync\n"
                       "jobs 4\n"
                       "exclude = a # b\n"
                       "header \"X-A:  b \"\n"
                       "user = me:secret=1\n"
                       "select title = //h1[@class=\"x\"]\n"
                       "accept = 404\n" /* of check */
                       "user-agent=bot";
    enum weft_status st = parse_with(text, "x --engine threads -v --config %s --include c -H C:d",
                                     &l, &o, &args, error, sizeof error);
    ck_assert_msg(st == WEFT_OK, "%s", error);
    ck_assert_uint_eq(o.crawl.jobs, 4);
    ck_assert_int_eq(o.crawl.delay, 2 * WEFT_SECOND);
    ck_assert(o.crawl.has_delay);
    ck_assert_uint_eq(o.crawl.max_pages, 7);
    ck_assert(o.crawl.ignore_robots);
    ck_assert_uint_eq(o.verbose, 2);
    ck_assert_int_eq(o.crawl.engine, WEFT_ENGINE_THREADS);
    ck_assert_uint_eq(o.crawl.nrules, 2);
    ck_assert_str_eq(o.crawl.rules[0].pattern, "a # b");
    ck_assert(!o.crawl.rules[0].include && o.crawl.rules[1].include);
    ck_assert_uint_eq(o.headers.count, 2);
    ck_assert_str_eq(o.headers.items[0], "X-A:  b ");
    ck_assert_str_eq(o.headers.items[1], "C:d");
    ck_assert_str_eq(o.crawl.net.credentials, "me:secret=1");
    ck_assert_uint_eq(o.selects.count, 1);
    ck_assert_str_eq(o.selects.items[0], "title = //h1[@class=\"x\"]");
    ck_assert_str_eq(o.crawl.net.user_agent, "bot");
    ck_assert_uint_eq(args.count, 1);
    ck_assert_ptr_null(strstr(args.command.data, "secret"));
    ck_assert_ptr_nonnull(strstr(args.command.data, " --config=/tmp/weft-config-"));
    cli_args_release(&args);
    cli_crawl_release(&o);
}
END_TEST

static const struct {
    const char *text, *sentence; /* behind the file's name */
} bad_files[] = {
    {"jobs = 3\n\n# x\njobs = 0\n", ":4: --jobs takes a whole number from 1 to 10000, not '0'"},
    {"jobs\n", ":1: --jobs needs a value: N"},
    {"jobs =\n", ":1: --jobs takes a whole number"},
    {"quiet = yes\n", ":1: --quiet takes no value"},
    {"quiet =\n", ":1: --quiet takes no value"},
    {"\n= 3\n", ":2: there is no option --"},
    {"jbos 3", ":1: there is no option --jbos; did you mean --jobs?"},
    {"j 3", ":1: there is no option --j"},
    {"config x", ":1: --config has no place in a file"},
    {"help", ":1: --help has no place in a file"},
    {"engine fast", ":1: --engine takes threads, sync or events, not 'fast'"},
    {"http://a.test/", ":1: there is no option --http://a.test/"},
    {"output = a\x01", ":1: --output takes no control characters"},
};

START_TEST(a_bad_line_of_a_file_is_named)
{
    struct line l;
    struct cli_crawl o;
    struct cli_args args;
    char error[512], expected[256];
    enum weft_status st = parse_with(bad_files[_i].text, "x -j 2 --config=%s", &l, &o, &args, error,
                                     sizeof error);
    snprintf(expected, sizeof expected, "%s%s", config_path, bad_files[_i].sentence);
    ck_assert_int_eq(st, WEFT_EINVAL);
    ck_assert_msg(!strncmp(error, expected, strlen(expected)), "%s", error);
    cli_args_release(&args);
    cli_crawl_release(&o);
}
END_TEST

START_TEST(what_is_no_file_of_options_is_refused)
{
    static char large[(1u << 20) + 1];
    struct line l;
    struct cli_crawl o;
    struct cli_args args;
    char error[512];
    for (int i = 0; i < 4; i++) {
        split(&l, i == 3 ? "x --config /tmp/" : "x --config /nowhere/at/all");
        if (i < 2) {
            memset(large, '#', sizeof large);
            write_config(i ? large : "jobs 3\0\n", i ? sizeof large : 8);
            l.argv[4] = config_path;
        }
        ck_assert_int_eq(parse(&l, &o, &args, error, sizeof error), WEFT_EINVAL);
        ck_assert_msg(!strncmp(error, "--config: /", 11), "%s", error);
        cli_args_release(&args);
        cli_crawl_release(&o);
    }
}
END_TEST

/* Each option of the line, but for two, may stand in a file. */
static bool try_in_file(void *user, const struct cli_option *option)
{
    struct line l;
    struct cli_crawl o;
    struct cli_args args;
    char error[512], text[128];
    unsigned *tried = user;
    snprintf(text, sizeof text, "%s\n", option->name);
    enum weft_status st = parse_with(text, "x --config %s", &l, &o, &args, error, sizeof error);
    bool never = option->kind == CLI_HELP || option->kind == CLI_CONFIG;
    ck_assert_msg(never                     ? strstr(error, "has no place") != NULL
                  : cli_takes_value(option) ? strstr(error, "needs a value") != NULL
                                            : st == WEFT_OK || !strstr(error, "there is no"),
                  "%s: %s", option->name, error);
    cli_args_release(&args);
    cli_crawl_release(&o);
    (*tried)++;
    return true;
}

START_TEST(every_option_may_stand_in_a_file)
{
    unsigned tried = 0;
    struct cli_tables tables = cli_tables_of(cli_find_command("crawl"));
    cli_each_option(&tables, try_in_file, &tried);
    ck_assert_uint_gt(tried, 50);
}
END_TEST

#define COUNT(table) (int)(sizeof(table) / sizeof *(table))

int main(void)
{
    TCase *tc = tcase_create("options");
    tcase_add_loop_test(tc, wrong_lines_are_refused_with_a_sentence, 0, COUNT(refused));
    tcase_add_loop_test(tc, all_ways_to_write_an_option, 0, 9);
    tcase_add_test(tc, two_dashes_end_the_options_and_one_is_an_argument);
    tcase_add_test(tc, nothing_given_leaves_the_engines_defaults);
    tcase_add_test(tc, every_value_lands_where_the_engine_reads_it);
    tcase_add_test(tc, rules_keep_their_order);
    tcase_add_test(tc, a_contact_joins_the_user_agent);
    tcase_add_loop_test(tc, control_characters_are_refused, 0, 2);
    tcase_add_test(tc, the_remembered_line_keeps_no_password_of_a_url);
    tcase_add_test(tc, the_remembered_line_is_quoted_and_keeps_no_secret);
    tcase_add_test(tc, help_ends_the_reading);
    tcase_add_test(tc, tables_are_sound);
    tcase_add_test(tc, a_file_of_options_counts_less_than_the_line);
    tcase_add_loop_test(tc, a_bad_line_of_a_file_is_named, 0, COUNT(bad_files));
    tcase_add_test(tc, what_is_no_file_of_options_is_refused);
    tcase_add_test(tc, every_option_may_stand_in_a_file);
    int fd = mkstemp(config_path);
    if (fd < 0) {
        perror(config_path);
        return 1;
    }
    close(fd);
    int code = suite_run("cli: options", tc);
    unlink(config_path);
    return code;
}

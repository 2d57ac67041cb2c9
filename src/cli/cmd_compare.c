/* cmd_compare.c -- weft compare: options, the site, the ladder, the reports. */
#include "cli/command.h"
#include "cli/compare.h"
#include "cli/console.h"
#include "cli/report_file.h"
#include "cli/seeds.h"
#include "cli/signals.h"
#include "lab/lab.h"
#include "lab/lab_floor.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define LONGEST_TIME (24.0 * 3600)
#define LANES_AT     16u /* timelines are drawn of the highest rung up to this */

struct comparing {
    unsigned ladder[COMPARE_MAX_RUNGS], nrungs;
    unsigned ways; /* of enum compare_way */
    unsigned parse_jobs, max_depth, links, fan, server_limit;
    uint64_t max_pages, size;
    weft_time latency, delay, run_time, max_time;
    bool has_latency, has_delay, has_depth, overwrite, quiet;
    const char *html, *csv, *json;
    struct cli_args args;

    struct cli_seeds seeds;
    struct cli_signals *signals;
    int stop_fd;
    struct weft_lab *lab; /* NULL with a URL of the caller's */
    struct lab_gen gen;
    char url[512];
    char folder[64];
    struct compare_plan plan;
    struct compare_result result;
};

#define AT(field)     .at = offsetof(struct comparing, field)
#define GIVEN(field)  .given = offsetof(struct comparing, field)
#define FROM_TO(a, b) .min = (a), .max = (b)

static const struct cli_word way_words[] = {{"sync", 1 << COMPARE_SYNC},
                                            {"threads", 1 << COMPARE_THREADS},
                                            {"events", 1 << COMPARE_EVENTS},
                                            {"events+parse", 1 << COMPARE_PARSE},
                                            {0}};

static int by_size(const void *a, const void *b)
{
    const unsigned *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* "1,2,4": sorted, each once. */
static enum weft_status take_ladder(void *target, const struct cli_option *o, const char *value,
                                    char *why, size_t cap)
{
    struct comparing *c = target;
    (void)o;
    c->nrungs = 0;
    for (const char *p = value; p;) {
        char *end;
        unsigned long n = strtoul(p, &end, 10);
        if (*p < '0' || *p > '9' || (*end && *end != ',') || n < 1 || n > 10000 ||
            c->nrungs == COMPARE_MAX_RUNGS) {
            snprintf(why, cap, "takes up to %u numbers from 1 to 10000 with commas between",
                     COMPARE_MAX_RUNGS);
            return WEFT_EINVAL;
        }
        c->ladder[c->nrungs++] = (unsigned)n;
        p = *end ? end + 1 : NULL;
    }
    qsort(c->ladder, c->nrungs, sizeof c->ladder[0], by_size);
    unsigned kept = 0;
    for (unsigned i = 0; i < c->nrungs; i++) {
        if (i == 0 || c->ladder[i] != c->ladder[i - 1]) {
            c->ladder[kept++] = c->ladder[i];
        }
    }
    c->nrungs = kept;
    return WEFT_OK;
}

/* clang-format off */
const struct cli_option cli_compare_options[] = {
    {"engines", 'e', CLI_WORDS, "LIST", AT(ways), .words = way_words, .preset = "all", .group = "What is compared",
     .help = "Engines: sync, threads, events, and events+parse, which is events with --parse-jobs."},
    {"jobs", 'j', CLI_TAKE, "LIST", .take = take_ladder, .preset = "1,2,4,8,16,64,256",
     .help = "The ladder of --jobs, numbers with commas between. sync has one fetch at a time and runs once."},
    {"parse-jobs", 0, CLI_UNSIGNED, "N", AT(parse_jobs), FROM_TO(1, 1000), .preset = "the processors",
     .help = "Workers that read pages for events+parse."},

    {"max-pages", 'n', CLI_UINT64, "N", AT(max_pages), FROM_TO(1, 1000000), .preset = "300; 200 with a URL", .group = "What is crawled",
     .help = "Pages of the site served here; with a URL, pages requested."},
    {"latency", 0, CLI_DURATION, "S", AT(latency), GIVEN(has_latency), FROM_TO(0, 60), .preset = "20ms",
     .help = "Without a URL: the server holds every page so long."},
    {"page-size", 0, CLI_SIZE, "SIZE", AT(size), FROM_TO(1, 4 << 20), .preset = "20K",
     .help = "Without a URL: bytes of a page."},
    {"links", 0, CLI_UNSIGNED, "N", AT(links), FROM_TO(1, 10000), .preset = "40",
     .help = "Without a URL: links on each page."},
    {"fan-out", 0, CLI_UNSIGNED, "N", AT(fan), FROM_TO(1, 10000), .preset = "8",
     .help = "Without a URL: of them so many lead to pages that no earlier page links to."},
    {"server-limit", 0, CLI_UNSIGNED, "N", AT(server_limit), FROM_TO(1, 1000000), .preset = "none",
     .help = "Without a URL: the server slows down above half of N requests in flight and answers 503 above N."},
    {"max-depth", 'd', CLI_UNSIGNED, "N", AT(max_depth), GIVEN(has_depth), FROM_TO(0, 1000000), .preset = "none",
     .help = "With a URL: follow at most N links."},
    {"delay", 0, CLI_DURATION, "S", AT(delay), GIVEN(has_delay), FROM_TO(0, 3600), .preset = "as crawl has it",
     .help = "With a URL: least time between the starts of two requests."},

    {"run-time", 0, CLI_DURATION, "S", AT(run_time), FROM_TO(0.1, LONGEST_TIME), .preset = "60", .group = "Limits",
     .help = "Longest time of one crawl."},
    {"max-time", 0, CLI_DURATION, "S", AT(max_time), FROM_TO(0.1, LONGEST_TIME), .preset = "300",
     .help = "Start no further crawl after this time."},

    {"html", 0, CLI_TEXT, "FILE", AT(html), .min = 1, .group = "Outputs",
     .help = "Write a page with curves and timelines. It needs nothing beside itself."},
    {"csv", 0, CLI_TEXT, "FILE", AT(csv), .min = 1, .help = "Write the table as CSV."},
    {"json", 0, CLI_TEXT, "FILE", AT(json), .min = 1, .help = "Write the table and its reading as JSON."},
    {"overwrite", 0, CLI_FLAG, AT(overwrite), .help = "Replace files that exist."},
    {"quiet", 'q', CLI_FLAG, AT(quiet), .help = "Print nothing."},
    {0},
};
/* clang-format on */

/* ---- what is crawled ---- */

static enum weft_status serve_site(struct comparing *c, char *error, size_t cap)
{
    struct lab_gen *g = &c->gen;
    char items[256];
    snprintf(items, sizeof items, "pages=%" PRIu64 ",size=%" PRIu64 ",links=%u,fan=%u,ms=%ld",
             c->max_pages ? c->max_pages : 300, c->size ? c->size : 20480, c->links ? c->links : 40,
             c->fan ? c->fan : 8, (long)(c->has_latency ? c->latency / WEFT_MS : 20));
    if (!lab_gen_parse(g, items, strlen(items), ',')) {
        snprintf(error, cap, "there is no generated site %s", items);
        return WEFT_EINVAL;
    }
    const struct weft_lab_options o = {.max_in_flight = c->server_limit};
    enum weft_status st = weft_lab_start(&c->lab, &o, error, cap);
    if (st != WEFT_OK) {
        return st;
    }
    snprintf(c->url, sizeof c->url, "%s/gen/%s/0.html", weft_lab_url(c->lab, 0), items);
    c->plan.url = c->url;
    c->result.own_site = true;
    snprintf(c->result.site, sizeof c->result.site,
             "%ld pages of %ld bytes with %ld links, held %ld ms each by a server in the same "
             "process",
             (long)g->pages, (long)g->size, (long)g->links, (long)g->ms);
    return WEFT_OK;
}

static enum weft_status take_url(struct comparing *c, char *error, size_t cap)
{
    const char *text = c->args.items[0];
    enum weft_status st = cli_seeds_add(&c->seeds, text, strlen(text), "", error, cap);
    if (st != WEFT_OK) {
        return st;
    }
    if (c->has_latency || c->size || c->links || c->fan || c->server_limit) {
        snprintf(error, cap,
                 "--latency, --page-size, --links, --fan-out and --server-limit are "
                 "for the site served here, not for a URL");
        return WEFT_EINVAL;
    }
    if (c->seeds.abroad && c->ladder[c->nrungs - 1] > 1 && !isatty(STDIN_FILENO)) {
        snprintf(error, cap,
                 "%.200s is not on this machine, and nobody can be asked whether to "
                 "raise --jobs on it: run it on a terminal, or with --jobs 1",
                 c->seeds.urls[0]);
        return WEFT_EINVAL;
    }
    c->plan.url = c->seeds.urls[0];
    c->plan.far = c->seeds.abroad;
    c->plan.max_pages = c->max_pages ? c->max_pages : 200;
    c->plan.has_depth = c->has_depth;
    c->plan.max_depth = c->max_depth;
    c->plan.has_delay = c->has_delay;
    c->plan.delay = c->delay;
    snprintf(c->result.site, sizeof c->result.site, "%.400s, at most %" PRIu64 " pages",
             c->plan.url, c->plan.max_pages);
    return WEFT_OK;
}

/* "4 processors, AMD EPYC 7B13" */
static void describe_machine(char *text, size_t cap)
{
    char line[256], model[160] = "";
    FILE *f = fopen("/proc/cpuinfo", "re");
    while (f && !*model && fgets(line, sizeof line, f)) {
        char *colon = strchr(line, ':');
        if (colon && !strncmp(line, "model name", 10)) {
            snprintf(model, sizeof model, ", %.150s", colon + 2);
            model[strcspn(model, "\n")] = '\0';
        }
    }
    if (f) {
        fclose(f);
    }
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    snprintf(text, cap, "%ld processor%s%s", n, n == 1 ? "" : "s", model);
}

static void fill_defaults(struct comparing *c)
{
    static const unsigned ladder[] = {1, 2, 4, 8, 16, 64, 256};
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (!c->nrungs) {
        memcpy(c->ladder, ladder, sizeof ladder);
        c->nrungs = sizeof ladder / sizeof ladder[0];
    }
    c->ways = c->ways ? c->ways : (1u << COMPARE_NWAYS) - 1;
    c->parse_jobs = c->parse_jobs ? c->parse_jobs : processors > 0 ? (unsigned)processors : 1;
    c->run_time = c->run_time ? c->run_time : 60 * WEFT_SECOND;
    c->max_time = c->max_time ? c->max_time : 300 * WEFT_SECOND;
    describe_machine(c->result.machine, sizeof c->result.machine);
}

static void on_stop(void *user, int signal, bool now)
{
    const struct comparing *c = user;
    uint64_t one = 1;
    (void)signal;
    (void)now;
    while (write(c->stop_fd, &one, sizeof one) < 0 && errno == EINTR) {
    }
}

static enum weft_status check_outputs(const struct comparing *c, char *error, size_t cap)
{
    const char *const files[] = {c->html, c->csv, c->json};
    enum weft_status st = WEFT_OK;
    for (size_t i = 0; i < 3 && st == WEFT_OK; i++) {
        st = cli_report_check(files[i], c->overwrite, error, cap);
    }
    return st;
}

static enum weft_status make_folder(struct comparing *c, char *error, size_t cap)
{
    const char *tmp = getenv("TMPDIR");
    int n = snprintf(c->folder, sizeof c->folder, "%s/weft-compare-XXXXXX",
                     tmp && *tmp ? tmp : "/tmp");
    if (n < 0 || (size_t)n >= sizeof c->folder || !mkdtemp(c->folder)) {
        snprintf(error, cap, "can't make a folder below %.200s: %s", tmp && *tmp ? tmp : "/tmp",
                 strerror(errno));
        c->folder[0] = '\0';
        return WEFT_EIO;
    }
    c->plan.folder = c->folder;
    return WEFT_OK;
}

static enum weft_status prepare(struct comparing *c, char *error, size_t cap)
{
    if (c->args.count > 1) {
        snprintf(error, cap, "compare: one URL at a time");
        return WEFT_EINVAL;
    }
    fill_defaults(c);
    enum weft_status st = check_outputs(c, error, cap);
    if (st != WEFT_OK) {
        return st;
    }
    if (c->args.count && (st = take_url(c, error, cap)) != WEFT_OK) {
        return st;
    }
    c->stop_fd = eventfd(0, EFD_CLOEXEC);
    if (c->stop_fd < 0) {
        return WEFT_EAGAIN;
    }
    c->plan.stop_fd = c->stop_fd;
    const struct cli_signal_actions actions = {on_stop, NULL, c};
    if ((st = cli_signals_start(&c->signals, &actions)) != WEFT_OK ||
        (st = make_folder(c, error, cap)) != WEFT_OK) {
        return st;
    }
    return c->args.count ? WEFT_OK : serve_site(c, error, cap);
}

/* ---- the ladder ---- */

static enum weft_status put(const struct comparing *c, struct weft_buf *b)
{
    enum weft_status st = c->quiet ? WEFT_OK : cli_put(b->data, b->len);
    weft_buf_clear(b);
    return st;
}

/* Whether --jobs may go up on somebody else's host. */
static bool may_raise(const struct comparing *c, unsigned from, unsigned to)
{
    char answer[16] = "";
    if (!c->plan.far || to <= 1) {
        return true;
    }
    cli_tell("raise --jobs from %u to %u on %.200s? [y/N] ", from, to, c->plan.url);
    return fgets(answer, sizeof answer, stdin) && (answer[0] == 'y' || answer[0] == 'Y');
}

/* One crawl, with what the server saw of it. */
static enum weft_status run_one(struct comparing *c, struct compare_row *row, weft_time deadline,
                                bool trace)
{
    struct weft_lab_stats seen;
    weft_time left = deadline - weft_now();
    c->plan.run_time = left < c->run_time ? left : c->run_time;
    if (c->lab) {
        weft_time floor;
        enum weft_status st = lab_floor_gen(&c->gen, row->jobs, &floor);
        if (st != WEFT_OK) {
            return st;
        }
        row->floor = (double)floor / (double)WEFT_SECOND;
        weft_lab_reset_stats(c->lab);
    }
    enum weft_status st = compare_run(&c->plan, row, trace);
    if (st == WEFT_OK && c->lab) {
        weft_lab_get_stats(c->lab, &seen);
        row->peak = seen.in_flight_peak;
    }
    return st;
}

/* One rung of the ladder. *over: no further one is to follow. */
static enum weft_status climb(struct comparing *c, unsigned rung, weft_time deadline,
                              struct weft_buf *b, bool *over)
{
    enum weft_status st = WEFT_OK;
    for (int way = 0; way < COMPARE_NWAYS && st == WEFT_OK && !*over; way++) {
        if (!(c->ways >> way & 1) || (way == COMPARE_SYNC && rung > 0)) {
            continue;
        }
        if (weft_now() >= deadline) {
            *over = c->result.cut = true;
            break;
        }
        struct compare_row *row = &c->result.rows[c->result.nrows];
        *row = (struct compare_row){.way = (enum compare_way)way,
                                    .jobs = way == COMPARE_SYNC ? 1 : c->ladder[rung],
                                    .parse_jobs = way == COMPARE_PARSE ? c->parse_jobs : 0};
        if ((st = run_one(c, row, deadline, false)) != WEFT_OK) {
            break;
        }
        c->result.nrows++;
        *over = c->result.cut = row->end == COMPARE_STOPPED;
        st = compare_table_row(b, row);
        st = st == WEFT_OK ? put(c, b) : st;
    }
    return st;
}

static enum weft_status climb_all(struct comparing *c, struct weft_buf *b)
{
    weft_time deadline = weft_now() + c->max_time;
    bool over = false;
    enum weft_status st = compare_table_head(b);
    st = st == WEFT_OK ? put(c, b) : st;
    for (unsigned i = 0; i < c->nrungs && st == WEFT_OK && !over; i++) {
        if (!may_raise(c, i ? c->ladder[i - 1] : 1, c->ladder[i])) {
            c->result.cut = true;
            break;
        }
        st = climb(c, i, deadline, b, &over);
    }
    if (st == WEFT_OK) {
        st = weft_buf_puts(b, "\n");
        st = st == WEFT_OK ? compare_words(b, &c->result) : st;
        st = st == WEFT_OK ? put(c, b) : st;
    }
    return st;
}

/* ---- reports ---- */

/* The row of which a timeline is drawn: of a rung that leaves something to see. */
static const struct compare_row *row_to_draw(const struct comparing *c, enum compare_way way)
{
    const struct compare_row *found = NULL;
    for (size_t i = 0; i < c->result.nrows; i++) {
        const struct compare_row *r = &c->result.rows[i];
        if (r->way == way && r->end == COMPARE_DONE && (!found || r->jobs <= LANES_AT)) {
            found = r;
        }
    }
    return found;
}

/* Runs each way once more with a trace: tracing costs time, so the table's runs are without. A way
 * whose run fails has no picture. */
static enum weft_status draw_pictures(struct comparing *c, struct compare_picture *pictures,
                                      size_t *n)
{
    char path[sizeof c->folder + 16];
    enum weft_status st = WEFT_OK;
    snprintf(path, sizeof path, "%s/trace.json", c->folder);
    for (int way = 0; way < COMPARE_NWAYS && st == WEFT_OK; way++) {
        const struct compare_row *row = row_to_draw(c, (enum compare_way)way);
        if (!row || (c->result.cut && !c->lab)) {
            continue;
        }
        struct compare_row again = *row;
        st = run_one(c, &again, weft_now() + c->run_time, true);
        if (st != WEFT_OK || again.end != COMPARE_DONE) {
            continue;
        }
        pictures[*n] = (struct compare_picture){.row = row};
        weft_buf_init(&pictures[*n].svg, COMPARE_MAX_BYTES);
        st = compare_draw_lanes(&pictures[*n].svg, path);
        *n += st == WEFT_OK;
        st = st == WEFT_ESYNTAX ? WEFT_OK : st;
    }
    return st;
}

static enum weft_status page(struct comparing *c, struct weft_buf *b)
{
    struct compare_picture pictures[COMPARE_NWAYS] = {0};
    size_t n = 0;
    enum weft_status st = draw_pictures(c, pictures, &n);
    st = st == WEFT_OK ? compare_html(b, &c->result, pictures, n) : st;
    for (size_t i = 0; i < COMPARE_NWAYS; i++) {
        weft_buf_release(&pictures[i].svg);
    }
    return st;
}

static enum weft_status csv(struct comparing *c, struct weft_buf *b)
{
    return compare_csv(b, &c->result);
}

static enum weft_status json(struct comparing *c, struct weft_buf *b)
{
    return compare_json(b, &c->result);
}

static enum weft_status write_reports(struct comparing *c, struct weft_buf *b, char *error,
                                      size_t cap)
{
    const struct {
        const char *path;
        enum weft_status (*make)(struct comparing *c, struct weft_buf *b);
    } reports[] = {{c->csv, csv}, {c->json, json}, {c->html, page}};
    for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++) {
        if (!reports[i].path) {
            continue;
        }
        weft_buf_clear(b);
        enum weft_status st = reports[i].make(c, b);
        if (st == WEFT_OK) {
            st = cli_report_write(reports[i].path, c->overwrite, b->data, b->len, error, cap);
            st = st == WEFT_EDONE ? WEFT_EIO : st; /* it came into being meanwhile */
        }
        if (st != WEFT_OK) {
            return st;
        }
    }
    return WEFT_OK;
}

static int compare(struct comparing *c)
{
    char error[1024] = "";
    struct weft_buf b;
    uint64_t pages = 0;
    weft_buf_init(&b, COMPARE_MAX_BYTES);
    if (!c->quiet) {
        cli_tell("%s; on %s", c->result.site, c->result.machine);
    }
    enum weft_status st = climb_all(c, &b);
    if (st == WEFT_EIO) {
        snprintf(error, sizeof error, "can't go on: %s", strerror(errno));
    }
    st = st == WEFT_OK ? write_reports(c, &b, error, sizeof error) : st;
    weft_buf_release(&b);
    int signal = cli_signals_stop(c->signals);
    for (size_t i = 0; i < c->result.nrows; i++) {
        pages += c->result.rows[i].pages;
    }
    if (st != WEFT_OK) {
        cli_say("%s", *error ? error : weft_strerror(st));
        return st == WEFT_EIO ? CLI_OUTPUT : CLI_NOTHING;
    }
    return signal ? CLI_SIGNAL + signal : pages ? CLI_OK : CLI_NOTHING;
}

static void clean_up(struct comparing *c)
{
    char path[sizeof c->folder + 16];
    static const char *const files[] = {"summary.json", "trace.json"};
    for (size_t i = 0; *c->folder && i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", c->folder, files[i]);
        unlink(path);
    }
    if (*c->folder) {
        rmdir(c->folder);
    }
    weft_lab_stop(c->lab);
    cli_signals_free(c->signals);
    if (c->stop_fd >= 0) {
        close(c->stop_fd);
    }
    cli_seeds_release(&c->seeds);
    cli_args_release(&c->args);
}

int cmd_compare(const struct cli_command *self, int argc, char **argv)
{
    static struct comparing c; /* too large for a stack */
    char error[1024] = "";
    int code;
    c = (struct comparing){.stop_fd = -1};
    if (cli_begin(self, argc, argv, &c, &c.args, &code)) {
        enum weft_status st = prepare(&c, error, sizeof error);
        if (st == WEFT_OK) {
            code = compare(&c);
        } else {
            cli_say("%s", *error ? error : weft_strerror(st));
            code = st == WEFT_EIO                           ? CLI_OUTPUT
                   : st == WEFT_ENOMEM || st == WEFT_EAGAIN ? CLI_NOTHING
                                                            : CLI_USAGE;
        }
    }
    clean_up(&c);
    return code;
}

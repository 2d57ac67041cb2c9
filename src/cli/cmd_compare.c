/* cmd_compare.c -- weft compare: the site, the ladder, the reports. */
#include "cli/command.h"
#include "cli/comparing.h"
#include "cli/console.h"
#include "cli/distinct.h"
#include "cli/report_file.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define LANES_AT 16u /* timelines are drawn of the highest rung up to this */

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
    const struct cli_file reports[] = {
        {"--html", c->html, true, 0}, {"--csv", c->csv, true, 0}, {"--json", c->json, true, 0}};
    const size_t n = sizeof reports / sizeof *reports;
    enum weft_status st = cli_distinct(reports, n, error, cap);
    for (size_t i = 0; i < c->args.files.count && st == WEFT_OK; i++) {
        struct cli_file each[] = {
            {"--config", c->args.files.items[i], false, 0}, reports[0], reports[1], reports[2]};
        st = cli_distinct(each, n + 1, error, cap);
    }
    for (size_t i = 0; i < n && st == WEFT_OK; i++) {
        st = cli_report_check(reports[i].path, c->overwrite, error, cap);
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

/* The floor at row's setting, if it is known. The least time between starts is that of the options;
 * a crawl may have been asked for more by robots.txt, and then is farther from this floor. */
static enum weft_status tell_floor(const struct comparing *c, struct compare_row *row)
{
    weft_time floor = 0;
    weft_time gap = c->has_delay ? c->delay : c->plan.far ? WEFT_SECOND / 2 : 0;
    enum weft_status st = c->lab     ? lab_floor_gen(&c->gen, row->jobs, &floor)
                          : c->pages ? compare_pages_floor(c->pages, row->jobs, gap, &floor)
                                     : WEFT_OK;
    row->floor = (double)floor / (double)WEFT_SECOND;
    return st;
}

/* What the sync engine wrote down is what the others are measured against. */
static enum weft_status learn_pages(struct comparing *c)
{
    char path[sizeof c->folder + 16];
    snprintf(path, sizeof path, "%s/pages.jsonl", c->folder);
    enum weft_status st = compare_pages_read(&c->pages, path);
    return st == WEFT_ENOMEM ? st : WEFT_OK; /* without pages there is no floor */
}

/* One crawl, with what the server saw of it. */
static enum weft_status run_one(struct comparing *c, struct compare_row *row, weft_time deadline,
                                unsigned extras)
{
    struct weft_lab_stats seen;
    weft_time left = deadline - weft_now();
    c->plan.run_time = left < c->run_time ? left : c->run_time;
    if (c->lab) {
        weft_lab_reset_stats(c->lab);
    } else if (row->way == COMPARE_SYNC && !c->pages) {
        extras |= COMPARE_PAGES;
    }
    enum weft_status st = compare_run(&c->plan, row, extras);
    if (st == WEFT_OK && extras & COMPARE_PAGES && row->end == COMPARE_DONE) {
        st = learn_pages(c);
    }
    if (st == WEFT_OK && c->lab) {
        weft_lab_get_stats(c->lab, &seen);
        row->peak = seen.in_flight_peak;
    }
    return st == WEFT_OK ? tell_floor(c, row) : st;
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
        if ((st = run_one(c, row, deadline, 0)) != WEFT_OK) {
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
        st = run_one(c, &again, weft_now() + c->run_time, COMPARE_TRACE);
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
    static const char *const files[] = {"summary.json", "trace.json", "pages.jsonl"};
    for (size_t i = 0; *c->folder && i < sizeof files / sizeof files[0]; i++) {
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
    compare_pages_free(c->pages);
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

/* summary.c -- the last words of a crawl, and its exit code. */
#include "cli/command.h"
#include "cli/console.h"
#include "cli/crawl_options.h"
#include "cli/report.h"

#include <inttypes.h>
#include <stdio.h>

#define MOST_HOSTS_SHOWN 50

static uint64_t total(const uint64_t *by_reason)
{
    uint64_t n = 0;
    for (size_t i = 0; i < WEFT_NREASONS; i++) {
        n += by_reason[i];
    }
    return n;
}

/* ", 3 failed (timeout 2, dns 1)" */
static enum weft_status put_reasons(struct weft_buf *b, const char *what, const uint64_t *by_reason)
{
    enum weft_status st = weft_buf_printf(b, ", %" PRIu64 " %s", total(by_reason), what);
    const char *before = " (";
    for (size_t i = 0; i < WEFT_NREASONS && st == WEFT_OK; i++) {
        if (by_reason[i]) {
            const char *name = weft_reason_name((enum weft_reason)i);
            st = weft_buf_printf(b, "%s%s %" PRIu64, before, *name ? name : "other", by_reason[i]);
            before = ", ";
        }
    }
    return st == WEFT_OK && *before == ',' ? weft_buf_puts(b, ")") : st;
}

/* "123 bytes", "45.6 KiB" */
static void size_text(char *text, size_t cap, uint64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    if (bytes < 1024) {
        snprintf(text, cap, "%" PRIu64 " byte%s", bytes, bytes == 1 ? "" : "s");
        return;
    }
    double n = (double)bytes / 1024;
    size_t unit = 0;
    while (n >= 1024 && unit < 3) {
        n /= 1024;
        unit++;
    }
    snprintf(text, cap, "%.1f %s", n, units[unit]);
}

static void tell_hosts(const struct weft_crawl_report *r)
{
    cli_tell("%10s %8s %8s %8s %8s  %s", "requests", "fetched", "failed", "refusals", "delay s",
             "host");
    for (size_t i = 0; i < r->nhosts && i < MOST_HOSTS_SHOWN; i++) {
        const struct weft_crawl_host *h = &r->hosts[i];
        cli_tell("%10" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8.3f  %s", h->requests,
                 h->fetched, h->failed, h->refusals, h->delay, h->origin);
    }
    if (r->nhosts > MOST_HOSTS_SHOWN) {
        cli_tell("... and %zu hosts more", r->nhosts - MOST_HOSTS_SHOWN);
    }
}

void cli_summary(const struct weft_crawl_report *r, bool hosts)
{
    struct weft_buf b;
    char size[32];
    double seconds = (double)r->elapsed / (double)WEFT_SECOND;
    weft_buf_init(&b, 4096);
    enum weft_status st = weft_buf_printf(&b, "%" PRIu64 " page%s fetched", r->fetched,
                                          r->fetched == 1 ? "" : "s");
    st = st == WEFT_OK ? put_reasons(&b, "failed", r->failed) : st;
    st = st == WEFT_OK ? put_reasons(&b, "skipped", r->skipped) : st;
    if (hosts && r->nhosts) {
        tell_hosts(r);
    }
    if (st == WEFT_OK) {
        cli_tell("%s", b.data);
    }
    const uint64_t *changes = r->changes;
    if (changes[WEFT_CHANGE_NEW] + changes[WEFT_CHANGE_CHANGED] + changes[WEFT_CHANGE_UNCHANGED] +
        changes[WEFT_CHANGE_GONE]) {
        cli_tell("compared with before: %" PRIu64 " new, %" PRIu64 " changed, %" PRIu64
                 " unchanged, %" PRIu64 " gone",
                 changes[WEFT_CHANGE_NEW], changes[WEFT_CHANGE_CHANGED],
                 changes[WEFT_CHANGE_UNCHANGED], changes[WEFT_CHANGE_GONE]);
    }
    if (r->fetched_before) {
        cli_tell("%" PRIu64 " page%s had been fetched by earlier runs", r->fetched_before,
                 r->fetched_before == 1 ? "" : "s");
    }
    size_text(size, sizeof size, r->bytes);
    cli_tell("%s in %.3f s, %.1f pages/s, at most %u in flight, %" PRIu64 " retr%s, %" PRIu64
             " connection%s",
             size, seconds, seconds > 0 ? (double)r->fetched / seconds : 0.0, r->peak_in_flight,
             r->retries, r->retries == 1 ? "y" : "ies", r->connections,
             r->connections == 1 ? "" : "s");
    if (r->dropped_scheme || r->dropped_links || r->dropped_nofollow) {
        cli_tell("links not followed: %" PRIu64 " of other schemes, %" PRIu64
                 " that say nofollow, %" PRIu64 " beyond --max-links",
                 r->dropped_scheme, r->dropped_nofollow, r->dropped_links);
    }
    cli_tell("ended: %s, %" PRIu64 " URL%s left%s", weft_crawl_end_name(r->end), r->left,
             r->left == 1 ? "" : "s", r->list_left ? ", the list not read to its end" : "");
    weft_buf_release(&b);
}

static bool named(const struct weft_crawl_report *r, int fail_on)
{
    bool budget = r->end == WEFT_END_MAX_PAGES || r->end == WEFT_END_MAX_TIME ||
                  r->end == WEFT_END_MAX_BYTES;
    switch ((enum cli_fail_on)fail_on) {
    case CLI_FAIL_NONE:
        return false;
    case CLI_FAIL_SEED:
        return r->seeds_failed > 0;
    case CLI_FAIL_ANY:
        return total(r->failed) > 0; /* a skip is a decision, no failure */
    case CLI_FAIL_LIMIT:
        return budget; /* which is told only if it cut something off */
    }
    return false;
}

int cli_exit_code(const struct weft_crawl_report *r, int fail_on, int signal, bool broken)
{
    if (broken || r->end == WEFT_END_OUTPUT) {
        return CLI_OUTPUT;
    }
    if (signal) {
        return CLI_SIGNAL + signal;
    }
    if (!r->fetched && !r->fetched_before) {
        return CLI_NOTHING;
    }
    /* Out of memory or threads in the middle: what was asked for was not done. */
    return r->end == WEFT_END_FAILED || named(r, fail_on) ? CLI_NAMED : CLI_OK;
}

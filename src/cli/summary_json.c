/* summary_json.c -- the summary of a crawl for programs: one JSON object, with what the process
 * itself cost. */
#include "cli/report.h"

#include "cli/report_file.h"
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* A number of /proc/self/status, 0 if it isn't there. Unlike getrusage()'s, its peak is that of
 * this program alone, without what the process was before it became this one. */
static long proc_number(const char *name)
{
    char line[256];
    long value = 0;
    FILE *f = fopen("/proc/self/status", "re");
    size_t len = strlen(name);
    while (f && fgets(line, sizeof line, f)) {
        if (!strncmp(line, name, len) && line[len] == ':') {
            value = strtol(line + len + 1, NULL, 10);
            break;
        }
    }
    if (f) {
        fclose(f);
    }
    return value;
}

static json_t *by_reason(const uint64_t *counts)
{
    json_t *o = json_object();
    for (int i = 0; i < WEFT_NREASONS; i++) {
        const char *name = weft_reason_name((enum weft_reason)i);
        if (counts[i] && json_object_set_new(o, *name ? name : "other",
                                             json_integer((json_int_t)counts[i])) != 0) {
            json_decref(o);
            return NULL;
        }
    }
    return o;
}

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static json_t *summary(const struct weft_crawl_report *r)
{
    struct rusage used = {0};
    getrusage(RUSAGE_SELF, &used);
    return json_pack(
        "{ss sI so so sI sI sI sI sI si sf sf sf sI sI}", "ended", weft_crawl_end_name(r->end),
        "fetched", (json_int_t)r->fetched, "failed", by_reason(r->failed), "skipped",
        by_reason(r->skipped), "bytes", (json_int_t)r->bytes, "requests", (json_int_t)r->requests,
        "retries", (json_int_t)r->retries, "left", (json_int_t)r->left, "connections",
        (json_int_t)r->connections, "peak_in_flight", (int)r->peak_in_flight, "elapsed_s",
        (double)r->elapsed / (double)WEFT_SECOND, "user_s", seconds(used.ru_utime), "system_s",
        seconds(used.ru_stime), "peak_rss_kib", (json_int_t)proc_number("VmHWM"), "threads",
        (json_int_t)proc_number("Threads"));
}

enum weft_status cli_summary_json(const struct weft_crawl_report *report, const char *path,
                                  bool overwrite, char *error, size_t cap)
{
    json_t *o = summary(report);
    char *text = o ? json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    size_t len = text ? strlen(text) : 0;
    enum weft_status st = WEFT_ENOMEM;
    snprintf(error, cap, "%s", weft_strerror(st));
    if (text) {
        text[len] = '\n'; /* in the place of the NUL */
        st = cli_report_write(path, overwrite, text, len + 1, error, cap);
    }
    free(text);
    json_decref(o);
    return st;
}

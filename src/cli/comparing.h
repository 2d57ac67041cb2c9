/* comparing.h -- the state of one run of weft compare: what its options are read into, and what it
 * works with. Seen by cmd_compare.c and its option table, compare_options.c. */
#ifndef WEFT_CLI_COMPARING_H
#define WEFT_CLI_COMPARING_H

#include "cli/compare.h"
#include "cli/options.h"
#include "cli/seeds.h"
#include "cli/signals.h"
#include "lab/lab.h"
#include "lab/lab_floor.h"

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
    struct compare_pages *pages; /* of a URL, once the sync engine has crawled it */
    char url[512];
    char folder[64];
    struct compare_plan plan;
    struct compare_result result;
};

#endif

/* compare_options.c -- the option table of weft compare. */
#include "cli/command.h"
#include "cli/comparing.h"

#include <stdio.h>
#include <stdlib.h>

#define LONGEST_TIME  (24.0 * 3600)

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
     .help = "The ladder of --jobs, numbers up to 10000 with commas between. sync has one fetch at a time and runs once."},
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
     .help = "Without a URL: links per page that lead to pages not linked earlier."},
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
    CLI_CONFIG_ROW(0),
    {0},
};
/* clang-format on */

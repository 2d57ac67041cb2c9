/* crawl_options.h -- what the options of a crawl are read into.
 *
 * A row of the table writes straight into the engine's own options where the two agree; the rest
 * waits in this struct until cli_crawl_finish. */
#ifndef WEFT_CLI_CRAWL_OPTIONS_H
#define WEFT_CLI_CRAWL_OPTIONS_H

#include "cli/options.h"
#include "weft/crawl.h"
#include "weft/link_graph.h"

enum cli_fail_on { CLI_FAIL_SEED, CLI_FAIL_NONE, CLI_FAIL_ANY, CLI_FAIL_LIMIT };

enum cli_check_format { CLI_FORMAT_TEXT, CLI_FORMAT_JSON, CLI_FORMAT_JUNIT, CLI_FORMAT_SARIF };

struct cli_crawl {
    struct weft_crawl_options crawl;
    struct weft_crawl_rule *rules; /* --include and --exclude, in the order given */
    struct cli_list inputs, outputs, headers, resolve, selects, seeds;
    uint64_t max_body;
    const char *contact;
    const char *summary_json;
    char *credentials; /* --user, owned: its place on the command line has been wiped */
    char *agent;       /* made of --user-agent and --contact; owned */
    int fail_on;       /* of enum cli_fail_on */
    bool robots;       /* fetch: obey robots.txt */
    struct weft_link_statuses *accept; /* check: of --accept; owned */
    size_t naccept;
    bool no_fetch; /* explain: robots.txt is not asked */
    int format;    /* check: of enum cli_check_format */
    bool quiet;
    unsigned verbose;
    int progress; /* 1: --progress, -1: --no-progress, 0: on a terminal */
};

/* Puts together what stands beside o->crawl, and refuses options that don't go together. WEFT_OK;
 * WEFT_EINVAL and a sentence; WEFT_ENOMEM. The engine's options borrow from o afterwards. */
enum weft_status cli_crawl_finish(struct cli_crawl *o, char *error, size_t cap) WEFT_MUST_USE;
/* Says what may surprise: what --http2 changes; beyond one's own machine (abroad), --contact. */
void cli_crawl_advise(const struct cli_crawl *o, bool abroad);
/* The file of -b; NULL: none. As curl's, what holds an equals sign is cookies, no file of them. */
const char *cli_cookie_file(const struct cli_crawl *o);
void cli_crawl_release(struct cli_crawl *o);

#endif

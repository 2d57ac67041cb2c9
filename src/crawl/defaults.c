/* defaults.c -- options of a crawl: those that can't go together refused, those left out filled
 * in. Knows options alone, no crawl. */
#include "crawl/coordinator.h"

#include "base/limits.h"
#include "net/check.h"
#include <stdio.h>
#include <string.h>

#define DEFAULT_JOBS   16u
#define MAX_JOBS       100000u
#define MAX_PARSE_JOBS 1000u
#define MAX_AHEAD      10000000u

static weft_time or_default(weft_time given, weft_time by_default)
{
    return given ? given : by_default;
}

/* 0 means the default, a negative number none. */
static int count_or_default(int given, int by_default)
{
    return given < 0 ? 0 : given == 0 ? by_default : given;
}

void weft_crawl_complete(struct weft_crawl_options *o)
{
    o->jobs = o->engine == WEFT_ENGINE_SYNC ? 1 : o->jobs ? o->jobs : DEFAULT_JOBS;
    o->retries = count_or_default(o->retries, 2);
    o->host_failures = count_or_default(o->host_failures, 20);
    o->max_redirects = count_or_default(o->max_redirects, (int)WEFT_MAX_REDIRECTS);
    o->retry_base = or_default(o->retry_base, WEFT_SECOND);
    o->max_retry_after = or_default(o->max_retry_after, 60 * WEFT_SECOND);
    o->max_crawl_delay = or_default(o->max_crawl_delay, 60 * WEFT_SECOND);
    o->grace = or_default(o->grace, 10 * WEFT_SECOND);
    o->net.connect_timeout = or_default(o->net.connect_timeout, 10 * WEFT_SECOND);
    o->net.read_timeout = or_default(o->net.read_timeout, 15 * WEFT_SECOND);
    o->net.timeout = or_default(o->net.timeout, 60 * WEFT_SECOND);
    o->net.max_body = o->net.max_body ? o->net.max_body : WEFT_MAX_BODY;
    o->net.user_agent = o->net.user_agent ? o->net.user_agent : "weft/" WEFT_VERSION;
    o->max_url = o->max_url ? o->max_url : WEFT_MAX_URL;
    o->max_path_depth = o->max_path_depth ? o->max_path_depth : WEFT_MAX_PATH_DEPTH;
    o->max_repeats = o->max_repeats ? o->max_repeats : WEFT_MAX_REPEATS;
    o->max_links = o->max_links ? o->max_links : WEFT_MAX_LINKS;
    o->ahead = o->ahead ? o->ahead : WEFT_MAX_AHEAD;
}

enum weft_status weft_crawl_check(const struct weft_crawl_options *o, char *error, size_t cap)
{
    const char *why = NULL;
    if (o->jobs > MAX_JOBS) {
        why = "--jobs is larger than 100000";
    } else if (o->fetch && o->engine == WEFT_ENGINE_EVENTS) {
        why = "a blocking fetch function needs the threads or the sync engine";
    } else if (o->parse_jobs > MAX_PARSE_JOBS) {
        why = "--parse-jobs is larger than 1000";
    } else if (o->parse_jobs && o->engine != WEFT_ENGINE_EVENTS) {
        why = "--parse-jobs is for the events engine: the others parse where they fetch";
    } else if (o->row && (!o->selects || !o->selects[0])) {
        why = "--row needs at least one --select";
    } else if ((o->ordered || o->race) && !o->next_url) {
        why = "--ordered and --race are for lists";
    } else if (o->state_file && o->next_url) {
        why = "--state is for crawls: a list can be cut where it ended";
    } else if (o->recrawl && !o->state_file) {
        why = "--recrawl needs the --state of the crawl before";
    } else if (o->changes_file && !o->recrawl) {
        why = "--changes needs --recrawl";
    } else if (o->ordered && o->race) {
        why = "--ordered and --race exclude each other";
    } else if (o->ahead > MAX_AHEAD) {
        why = "--ahead is larger than 10000000";
    } else if (o->check && (o->next_url || o->head || o->state_file)) {
        why = "links are checked on a crawl from its start to its end";
    } else if (o->append && o->overwrite) {
        why = "--append and --overwrite exclude each other";
    } else if (o->net.user_agent && strlen(o->net.user_agent) > WEFT_MAX_HEADER_FIELD / 2) {
        why = "--user-agent, with --contact, is longer than 8192 bytes";
    } else if (o->trace_file && o->append) {
        why = "--trace can't be added to a file: --append is not for it";
    } else if (o->max_url > WEFT_MAX_URL_MOST) {
        why = "--max-url is larger than 16384";
    }
    if (why) {
        snprintf(error, cap, "%s", why);
        return WEFT_EINVAL;
    }
    return o->fetch ? WEFT_OK : weft_net_check(&o->net, error, cap);
}

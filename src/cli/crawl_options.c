/* crawl_options.c -- the option table of the commands that crawl, and what it takes beyond rows. */
#include "cli/crawl_options.h"

#include "base/limits.h"
#include "cli/command.h"
#include "cli/console.h"
#include "weft/url.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_JOBS     10000
#define LONGEST_TIME  (100.0 * 365 * 24 * 3600) /* a century, in seconds */
#define ALL           (CLI_CRAWL | CLI_FETCH | CLI_CHECK)

#define ASKS          (ALL | CLI_EXPLAIN) /* what bears on a request */

#define AT(field)     .at = offsetof(struct cli_crawl, field)
#define IN(field)     AT(crawl.field)
#define NET(field)    AT(crawl.net.field)
#define GIVEN(field)  .given = offsetof(struct cli_crawl, crawl.field)
#define FROM_TO(a, b) .min = (a), .max = (b)

static const struct cli_word engines[] = {{"threads", WEFT_ENGINE_THREADS},
                                          {"sync", WEFT_ENGINE_SYNC},
                                          {"events", WEFT_ENGINE_EVENTS},
                                          {0}};
static const struct cli_word scopes[] = {{"host", WEFT_SCOPE_HOST},
                                         {"domain", WEFT_SCOPE_DOMAIN},
                                         {"prefix", WEFT_SCOPE_PREFIX},
                                         {"any", WEFT_SCOPE_ANY},
                                         {0}};
static const struct cli_word folds[] = {{"www", WEFT_FOLD_WWW},
                                        {"slash", WEFT_FOLD_SLASH},
                                        {"query", WEFT_FOLD_QUERY},
                                        {"index", WEFT_FOLD_INDEX},
                                        {0}};
static const struct cli_word fail_ons[] = {{"none", CLI_FAIL_NONE},
                                           {"seed", CLI_FAIL_SEED},
                                           {"any", CLI_FAIL_ANY},
                                           {"limit", CLI_FAIL_LIMIT},
                                           {0}};

static enum weft_status take_rule(void *target, const struct cli_option *o, const char *value,
                                  char *why, size_t cap)
{
    struct cli_crawl *c = target;
    if (!*value) {
        snprintf(why, cap, "takes a regular expression that is not empty");
        return WEFT_EINVAL;
    }
    size_t n = c->crawl.nrules;
    struct weft_crawl_rule *rules = realloc(c->rules, (n + 1) * sizeof *rules);
    if (!rules) {
        return WEFT_ENOMEM;
    }
    rules[n] = (struct weft_crawl_rule){!strcmp(o->name, "include"), value};
    c->rules = rules;
    c->crawl.rules = rules;
    c->crawl.nrules = n + 1;
    return WEFT_OK;
}

static const struct cli_word formats[] = {{"text", CLI_FORMAT_TEXT},
                                          {"json", CLI_FORMAT_JSON},
                                          {"junit", CLI_FORMAT_JUNIT},
                                          {"sarif", CLI_FORMAT_SARIF},
                                          {0}};

/* The three digits of a status at the start of text; gives what stands behind, NULL: no status. */
static const char *read_status(const char *text, int *status)
{
    if (strspn(text, "0123456789") != 3 || *text == '0') {
        return NULL;
    }
    *status = (text[0] - '0') * 100 + (text[1] - '0') * 10 + (text[2] - '0');
    return text + 3;
}

/* "200..299,429" */
static enum weft_status take_accept(void *target, const struct cli_option *o, const char *value,
                                    char *why, size_t cap)
{
    (void)o;
    struct cli_crawl *c = target;
    for (const char *at = value;; at++) {
        struct weft_link_statuses s = {0, 0};
        at = read_status(at, &s.first);
        s.last = s.first;
        if (at && at[0] == '.' && at[1] == '.') {
            at = read_status(at + 2, &s.last);
        }
        if (!at || (*at && *at != ',') || s.last < s.first) {
            snprintf(why, cap, "takes statuses and ranges, such as 200..299,429, not '%.200s'",
                     value);
            return WEFT_EINVAL;
        }
        struct weft_link_statuses *list = realloc(c->accept, (c->naccept + 1) * sizeof *list);
        if (!list) {
            return WEFT_ENOMEM;
        }
        list[c->naccept++] = s;
        c->accept = list;
        if (!*at) {
            return WEFT_OK;
        }
    }
}

static enum weft_status take_select(void *target, const struct cli_option *o, const char *value,
                                    char *why, size_t cap)
{
    (void)o;
    const char *equals = strchr(value, '=');
    if (!equals || equals == value || !equals[1]) {
        snprintf(why, cap, "takes NAME=XPATH, such as title=//h1, not '%.200s'", value);
        return WEFT_EINVAL;
    }
    return cli_list_add(&((struct cli_crawl *)target)->selects, value);
}

/* Keeps a copy and wipes the original, so that `ps` shows no password. */
static enum weft_status take_credentials(void *target, const struct cli_option *o,
                                         const char *value, char *why, size_t cap)
{
    (void)o;
    struct cli_crawl *c = target;
    if (!strchr(value, ':')) {
        snprintf(why, cap, "takes NAME:PASSWORD");
        return WEFT_EINVAL;
    }
    free(c->credentials);
    c->credentials = strdup(value);
    c->crawl.net.credentials = c->credentials;
    memset((char *)(uintptr_t)value, '*', strlen(value)); /* argv's memory may be written to */
    return c->credentials ? WEFT_OK : WEFT_ENOMEM;
}

static enum weft_status take_header(void *target, const struct cli_option *o, const char *value,
                                    char *why, size_t cap)
{
    (void)o;
    size_t name = strcspn(value, ":;");
    if (!name || !value[name] || strpbrk(value, "\r\n") || strcspn(value, " \t") < name) {
        snprintf(why, cap, "takes a header field on one line, such as 'Accept-Language: en'");
        return WEFT_EINVAL;
    }
    return cli_list_add(&((struct cli_crawl *)target)->headers, value);
}

/* [+]HOST:PORT:ADDRESS[,ADDRESS]..., or -HOST:PORT, as curl has them. */
static bool is_resolve(const char *value)
{
    bool removes = *value == '-';
    const char *host = value + (removes || *value == '+');
    const char *port = strchr(host, ':');
    size_t digits = port && port > host ? strspn(port + 1, "0123456789") : 0;
    if (!digits || digits > 5 || atoi(port + 1) > 65535) {
        return false;
    }
    const char *rest = port + 1 + digits;
    if (removes) {
        return *rest == '\0';
    }
    size_t address = *rest == ':' ? strspn(rest + 1, "0123456789abcdefABCDEF.:[],") : 0;
    return address && rest[1 + address] == '\0';
}

static enum weft_status take_resolve(void *target, const struct cli_option *o, const char *value,
                                     char *why, size_t cap)
{
    (void)o;
    if (!is_resolve(value)) {
        snprintf(why, cap,
                 "takes HOST:PORT:ADDRESS, such as example.org:443:127.0.0.1, not "
                 "'%.200s'",
                 value);
        return WEFT_EINVAL;
    }
    return cli_list_add(&((struct cli_crawl *)target)->resolve, value);
}

/* clang-format off */
const struct cli_option cli_crawl_options[] = {
    {"input", 'i', CLI_LIST, "FILE", AT(inputs), .min = 1, .commands = ALL, .group = "Where to start, what to follow",
     .help = "Read more URLs from FILE, one a line; - is standard input. Blank lines and lines that start with # are passed over. May be repeated."},
    {"seed", 0, CLI_LIST, "URL", AT(seeds), .min = 1, .commands = CLI_EXPLAIN,
     .help = "A URL where the crawl would start: it decides what is in scope. May be repeated."},
    {"state", 0, CLI_TEXT, "FILE", IN(state_file), .min = 1, .commands = CLI_EXPLAIN,
     .help = "Also say what the state file of a crawl has of the URL. It is only read."},
    {"no-fetch", 0, CLI_FLAG, AT(no_fetch), .commands = CLI_EXPLAIN,
     .help = "Request nothing, robots.txt neither."},
    {"scope", 0, CLI_CHOICE, "WHERE", IN(scope), .words = scopes, .preset = "host", .commands = CLI_CRAWL | CLI_CHECK | CLI_EXPLAIN,
     .help = "What may be followed: the seeds' host names (host), their registrable domains (domain), what lies below the seeds' folders (prefix), everything (any)."},
    {"max-depth", 'd', CLI_UNSIGNED, "N", IN(max_depth), GIVEN(has_max_depth), FROM_TO(0, 1000000), .preset = "none", .commands = CLI_CRAWL | CLI_CHECK,
     .help = "Follow at most N links from a seed, by the shortest way; 0 is the seeds alone. So that "
             "the way is the shortest whatever finishes first, a level begins when the one above "
             "has ended."},
    {"include", 0, CLI_TAKE, "RE", .take = take_rule, .commands = CLI_CRAWL | CLI_CHECK | CLI_EXPLAIN,
     .help = "Take URLs that match this POSIX extended regular expression. Of all --include and --exclude, the last that matches decides; if none does, a URL is taken unless the first of them is an --include. Seeds are never filtered."},
    {"exclude", 0, CLI_TAKE, "RE", .take = take_rule, .commands = CLI_CRAWL | CLI_CHECK | CLI_EXPLAIN,
     .help = "Leave out URLs that match; see --include. For weft check this is also the list of links that are not looked at."},
    {"fold", 0, CLI_WORDS, "LIST", IN(fold), .words = folds, .preset = "none", .commands = CLI_CRAWL | CLI_CHECK | CLI_EXPLAIN,
     .help = "Treat URLs as the same page also if they differ only in: a leading www. (www), a trailing slash (slash), the query (query), a default document such as index.html (index). The URL that is requested does not change."},
    {"ordered", 0, CLI_FLAG, IN(ordered), .commands = CLI_FETCH,
     .help = "Give results in the order of the list. A slow URL then holds back those behind it, and reading stops --ahead lines beyond it (4 times --jobs when an output takes bodies)."},
    {"race", 0, CLI_FLAG, IN(race), .commands = CLI_FETCH,
     .help = "The URLs are mirrors of one thing: the first that is fetched is the result and ends the others. If all fail, each failure is told."},
    {"head", 0, CLI_FLAG, IN(head), .commands = CLI_FETCH,
     .help = "Ask with HEAD: status and header fields, no bodies."},
    {"sitemaps", 0, CLI_FLAG, IN(sitemaps), .commands = CLI_CRAWL | CLI_CHECK,
     .help = "Also take the URLs of the sitemaps that robots.txt names."},
    {"follow-nofollow", 0, CLI_FLAG, IN(follow_nofollow), .commands = CLI_CRAWL,
     .help = "Also follow links that the page marks as nofollow."},

    {"engine", 'e', CLI_CHOICE, "ENGINE", IN(engine), .words = engines, .preset = "threads", .commands = ALL, .group = "Speed",
     .help = "How fetches run: on a pool of threads (threads), one after another (sync), on an event loop (events). The pages and records are the same."},
    {"jobs", 'j', CLI_UNSIGNED, "N", IN(jobs), FROM_TO(1, MOST_JOBS), .preset = "16", .commands = ASKS,
     .help = "Fetches at once, in all; at most 10000."},
    {"ahead", 0, CLI_UNSIGNED, "N", IN(ahead), FROM_TO(1, 10000000), .preset = "10000", .commands = CLI_FETCH,
     .help = "Lines read ahead of requests; more let a list sorted by host use more hosts at once."},
    {"parse-jobs", 0, CLI_UNSIGNED, "N", IN(parse_jobs), FROM_TO(0, 1000), .preset = "0", .commands = CLI_CRAWL | CLI_CHECK,
     .help = "With -e events: parse pages on N workers instead of on the loop."},
    {"per-host", 0, CLI_UNSIGNED, "N", IN(per_host), FROM_TO(1, MOST_JOBS), .preset = "4; --jobs for this machine", .commands = ASKS,
     .help = "Fetches at once to one host."},

    {"delay", 0, CLI_DURATION, "S", IN(delay), GIVEN(has_delay), FROM_TO(0, LONGEST_TIME), .preset = "0.5; 0 for this machine", .commands = ASKS, .group = "Politeness",
     .help = "Least time between the starts of two requests to one host. A robots.txt may ask for more."},
    {"rate", 0, CLI_NUMBER, "N", IN(rate), FROM_TO(0.000001, 1000000), .preset = "off", .commands = ASKS,
     .help = "Requests a second to one host, by a token bucket."},
    {"burst", 0, CLI_UNSIGNED, "N", IN(burst), FROM_TO(1, 1000000), .preset = "1", .commands = ASKS,
     .help = "Tokens that the bucket of --rate holds."},
    {"ignore-robots", 0, CLI_FLAG, IN(ignore_robots), .commands = CLI_CRAWL | CLI_CHECK | CLI_EXPLAIN,
     .help = "Neither fetch nor obey robots.txt."},
    {"robots", 0, CLI_FLAG, AT(robots), .commands = CLI_FETCH,
     .help = "Fetch and obey robots.txt. Without it the list is taken as your own word."},
    {"max-crawl-delay", 0, CLI_DURATION, "S", IN(max_crawl_delay), FROM_TO(0, LONGEST_TIME), .zero = 1, .preset = "60", .commands = ASKS,
     .help = "Skip a host whose robots.txt asks for a longer Crawl-delay."},
    {"user-agent", 'A', CLI_TEXT, "TEXT", NET(user_agent), .min = 1, .preset = "weft/" WEFT_VERSION, .commands = ASKS,
     .help = "What the crawler calls itself."},
    {"contact", 0, CLI_TEXT, "TEXT", AT(contact), .min = 1, .commands = ASKS,
     .help = "An address for those whose site is crawled; (+TEXT) is added to the user agent."},
    {"robots-agent", 0, CLI_TEXT, "NAME", IN(robots_agent), .min = 1, .preset = "the user agent's first word", .commands = ASKS,
     .help = "The name that is looked up in robots.txt."},

    {"retries", 0, CLI_INT, "N", IN(retries), FROM_TO(0, 1000), .zero = -1, .preset = "2", .commands = ALL, .group = "Failures",
     .help = "Try again so often after a transient failure: connection, timeout, 408, 429, 500, 502, 503, 504, 522, 524."},
    {"retry-base", 0, CLI_DURATION, "S", IN(retry_base), FROM_TO(0, LONGEST_TIME), .zero = 1, .preset = "1", .commands = ALL,
     .help = "Before the nth retry wait S times 2^(n-1), times something from 0.5 to 1. After a 429 or 503 without a Retry-After the whole host is left alone for as long; for this machine only with retries, or if the option is given."},
    {"max-retry-after", 0, CLI_DURATION, "S", IN(max_retry_after), FROM_TO(0, LONGEST_TIME), .zero = 1, .preset = "60", .commands = ALL,
     .help = "Obey a Retry-After up to this for the whole host; with a longer one the URL fails at once."},
    {"host-failures", 0, CLI_INT, "N", IN(host_failures), FROM_TO(0, 1000000000), .zero = -1, .preset = "20", .commands = ALL,
     .help = "Give a host up after so many failures in a row; 0: never."},
    {"max-redirects", 0, CLI_INT, "N", IN(max_redirects), FROM_TO(0, 1000), .zero = -1, .preset = "10", .commands = ALL,
     .help = "Hops of one visit."},
    {"connect-timeout", 0, CLI_DURATION, "S", NET(connect_timeout), FROM_TO(0.001, LONGEST_TIME), .preset = "10", .commands = ASKS,
     .help = "Time for setting up a connection."},
    {"read-timeout", 0, CLI_DURATION, "S", NET(read_timeout), FROM_TO(0.001, LONGEST_TIME), .preset = "15", .commands = ASKS,
     .help = "Longest silence of a server."},
    {"timeout", 0, CLI_DURATION, "S", NET(timeout), FROM_TO(0.001, LONGEST_TIME), .preset = "60", .commands = ASKS,
     .help = "Time for one whole request; redirect hops and retries each have their own."},
    {"fail-on", 0, CLI_CHOICE, "WHAT", AT(fail_on), .words = fail_ons, .preset = "seed", .commands = CLI_CRAWL | CLI_FETCH,
     .help = "What makes the exit code 1: nothing (none), a seed that was not fetched (seed), any page that failed (any), a limit that left URLs behind (limit)."},

    {"max-pages", 'n', CLI_UINT64, "N", IN(max_pages), FROM_TO(1, 1e15), .preset = "none", .commands = ALL, .group = "Budgets",
     .help = "Request at most N URLs. Redirect hops, retries, robots.txt and sitemaps are not counted."},
    {"max-time", 0, CLI_DURATION, "S", IN(max_time), FROM_TO(0.001, LONGEST_TIME), .preset = "none", .commands = ALL,
     .help = "Start nothing new after this time."},
    {"max-bytes", 0, CLI_SIZE, "SIZE", IN(max_bytes), FROM_TO(1, 1e18), .preset = "none", .commands = ALL,
     .help = "Start nothing new once the bodies together are this large."},
    {"grace", 0, CLI_DURATION, "S", IN(grace), FROM_TO(0, LONGEST_TIME), .zero = 1, .preset = "10", .commands = ALL,
     .help = "How long what is in flight may go on after the first Ctrl-C, or once --max-time or --max-bytes is reached."},

    {"max-body", 0, CLI_SIZE, "SIZE", AT(max_body), FROM_TO(1, 1 << 30), .preset = "8M", .commands = ALL, .group = "Limits against traps",
     .help = "Cut off a body, after decoding, that is larger; the URL fails as too_large."},
    {"max-url", 0, CLI_UNSIGNED, "BYTES", IN(max_url), FROM_TO(16, WEFT_MAX_URL_MOST), .preset = "8000", .commands = ASKS,
     .help = "Longest URL that is followed."},
    {"max-path-depth", 0, CLI_UNSIGNED, "N", IN(max_path_depth), FROM_TO(1, 100000), .preset = "64", .commands = CLI_CRAWL | CLI_CHECK | CLI_EXPLAIN,
     .help = "Most path segments of a URL."},
    {"max-repeats", 0, CLI_UNSIGNED, "N", IN(max_repeats), FROM_TO(1, 100000), .preset = "8", .commands = CLI_CRAWL | CLI_CHECK | CLI_EXPLAIN,
     .help = "How often one segment may stand in a path."},
    {"max-links", 0, CLI_UNSIGNED, "N", IN(max_links), FROM_TO(1, 10000000), .preset = "10000", .commands = CLI_CRAWL | CLI_CHECK,
     .help = "Links taken from one page."},
    {"max-queries", 0, CLI_UNSIGNED, "N", IN(max_queries), FROM_TO(1, 1000000000), .preset = "none", .commands = CLI_CRAWL | CLI_CHECK,
     .help = "Different queries for one path."},
    {"max-host-pages", 0, CLI_UNSIGNED, "N", IN(max_host_pages), FROM_TO(1, 1000000000), .preset = "none", .commands = CLI_CRAWL | CLI_CHECK,
     .help = "URLs of one host."},

    {"header", 'H', CLI_TAKE, "LINE", .take = take_header, .secret = true, .commands = ASKS, .group = "HTTP",
     .help = "Send this header field, as curl's -H; Authorization, Cookie, Proxy-Authorization and Host to the seeds' hosts alone. May be repeated."},
    {"user", 'u', CLI_TAKE, "NAME:PASSWORD", .take = take_credentials, .secret = true, .commands = ALL,
     .help = "Credentials, sent to the seeds' hosts alone."},
    {"cookie", 'b', CLI_TEXT, "DATA|FILE", NET(cookie_file), .secret = true, .commands = ALL,
     .help = "Cookies as curl's -b: text ('a=1; b=2') is sent to the seeds' hosts alone; a FILE of them also switches cookies on."},
    {"cookie-jar", 'c', CLI_TEXT, "FILE", NET(cookie_jar), .min = 1, .commands = ALL,
     .help = "Write the cookies to FILE, - for standard output, at the end, as curl's -c. Switches cookies on."},
    {"cookies", 0, CLI_FLAG, NET(cookies), .commands = ALL,
     .help = "Keep cookies in memory, per host."},
    {"proxy", 'x', CLI_TEXT, "URL", NET(proxy), .secret = true, .commands = ASKS, .preset = "http_proxy, https_proxy, no_proxy of the environment",
     .help = "Proxy, as curl's -x."},
    {"insecure", 'k', CLI_FLAG, NET(insecure), .commands = ASKS,
     .help = "Do not verify TLS certificates."},
    {"cacert", 0, CLI_TEXT, "FILE", NET(ca_file), .min = 1, .commands = ASKS,
     .help = "Certificates to verify against, as curl's."},
    {"resolve", 0, CLI_TAKE, "HOST:PORT:ADDRESS", .take = take_resolve, .commands = ASKS,
     .help = "Take this address for a host, as curl's. May be repeated."},
    {"http2", 0, CLI_FLAG, NET(http2), .commands = ALL,
     .help = "With -e events: use HTTP/2 where the server offers it; many requests then share one connection."},
    {"no-private", 0, CLI_FLAG, NET(no_private), .commands = ASKS,
     .help = "Refuse addresses in private ranges, checked at connect time."},

    {"accept", 0, CLI_TAKE, "LIST", .take = take_accept, .preset = "those below 400", .commands = CLI_CHECK, .group = "What counts as broken",
     .help = "The final statuses that are fine, such as 200..299,429; all others are broken. May be repeated."},
    {"fragments", 0, CLI_FLAG, IN(anchors), .commands = CLI_CHECK,
     .help = "Also check that the fragments of links into the site (page.html#part) name an element there."},
    {"format", 0, CLI_CHOICE, "FORMAT", AT(format), .words = formats, .preset = "text", .commands = CLI_CHECK,
     .help = "The report on standard output: for people (text), one JSON object (json), JUnit XML for CI (junit), SARIF 2.1.0 for code hosts (sarif)."},

    {"output", 'o', CLI_LIST, "FILE", AT(outputs), .min = 1, .commands = ALL, .group = "Outputs",
     .help = "Write records to FILE, in the format that its name says: .jsonl, .csv, .db or .sqlite, .warc.gz, .dot or .gv, .graphml; - is JSON Lines on standard output, and so is a device or a named pipe. May be repeated."},
    {"append", 0, CLI_FLAG, IN(append), .commands = ALL,
     .help = "Add to an output that exists."},
    {"overwrite", 0, CLI_FLAG, IN(overwrite), .commands = ALL,
     .help = "Replace an output that exists."},
    {"save", 0, CLI_TEXT, "DIR", IN(save_dir), .min = 1, .commands = CLI_CRAWL | CLI_FETCH,
     .help = "Save bodies as files HOST/PATH below DIR."},
    {"body", 0, CLI_FLAG, IN(bodies), .commands = CLI_CRAWL | CLI_FETCH,
     .help = "Records in JSON Lines hold the body too: content if it is UTF-8, else content_base64. Bodies that are not HTML are then downloaded as well."},
    {"record-skipped", 0, CLI_FLAG, IN(record_skipped), .commands = CLI_CRAWL,
     .help = "Also record URLs that are out of scope."},
    {"row", 0, CLI_TEXT, "XPATH", IN(row), .min = 1, .preset = "one row a page", .commands = CLI_CRAWL | CLI_FETCH,
     .help = "Extract a row for each match: of an XPath expression, or of a CSS selector written as css:SELECTOR."},
    {"select", 0, CLI_TAKE, "NAME=XPATH", .take = take_select, .commands = CLI_CRAWL | CLI_FETCH,
     .help = "A field of each row; NAME=css:SELECTOR takes a CSS selector, with ::text and ::attr(NAME). May be repeated."},
    {"state", 0, CLI_TEXT, "FILE", IN(state_file), .min = 1, .commands = CLI_CRAWL,
     .help = "Keep frontier and results in FILE; run again to go on where it ended, whatever ended it."},
    {"recrawl", 0, CLI_FLAG, IN(recrawl), .commands = CLI_CRAWL,
     .help = "With --state: once the crawl is done, ask for every known page again, with If-None-Match and If-Modified-Since, and say what is new, changed, unchanged or gone."},
    {"changes", 0, CLI_TEXT, "FILE", IN(changes_file), .min = 1, .commands = CLI_CRAWL,
     .help = "With --recrawl: write a JSON line for each such page."},
    {"commit-pages", 0, CLI_UNSIGNED, "N", IN(commit_pages), FROM_TO(1, 1000000), .preset = "1000", .commands = CLI_CRAWL,
     .help = "With --state: commit the state after N pages."},
    {"commit-every", 0, CLI_DURATION, "S", IN(commit_every), FROM_TO(0.001, 3600), .preset = "1", .commands = CLI_CRAWL,
     .help = "With --state: commit the state at the latest after this time."},
    {"trace", 0, CLI_TEXT, "FILE", IN(trace_file), .min = 1, .commands = ALL,
     .help = "Write a timeline of every fetch of this run, for Perfetto or chrome://tracing. Nothing can be added to one: --append is refused with it."},
    {"summary-json", 0, CLI_TEXT, "FILE", AT(summary_json), .min = 1, .commands = ALL,
     .help = "Write the summary to FILE as a JSON object, with processor time, memory and threads used."},

    {"quiet", 'q', CLI_FLAG, AT(quiet), .commands = ALL, .group = "What is printed",
     .help = "Print neither lines nor summary."},
    {"verbose", 'v', CLI_COUNT, AT(verbose), .commands = ALL,
     .help = "Say more: reasons behind the lines, a table of hosts; twice: what the engine logs."},
    {"progress", 0, CLI_SET, AT(progress), .min = 1, .preset = "on a terminal", .commands = ALL,
     .help = "Show progress also where standard error is no terminal."},
    {"no-progress", 0, CLI_SET, AT(progress), .min = -1, .commands = ALL,
     .help = "Show no progress."},
    {"random-seed", 0, CLI_UINT64, "N", IN(seed), FROM_TO(1, 9e15), .preset = "random", .commands = CLI_CRAWL | CLI_FETCH,
     .help = "Seed of jitter and hashes, to repeat a run."},

    CLI_CONFIG_ROW(ASKS),
    {0},
};
/* clang-format on */

/* The user agent with a contact: "weft/0.1.0 (+mailto:me@example.org)". */
static enum weft_status add_contact(struct cli_crawl *o)
{
    const char *agent = o->crawl.net.user_agent ? o->crawl.net.user_agent : "weft/" WEFT_VERSION;
    size_t size = strlen(agent) + strlen(o->contact) + sizeof " (+)";
    o->agent = malloc(size);
    if (!o->agent) {
        return WEFT_ENOMEM;
    }
    snprintf(o->agent, size, "%s (+%s)", agent, o->contact);
    o->crawl.net.user_agent = o->agent;
    return WEFT_OK;
}

/* Whether a file that an option names can be read; NULL: none is named. */
static bool readable(const char *option, const char *file, char *error, size_t cap)
{
    if (!file || access(file, R_OK) == 0) {
        return true;
    }
    snprintf(error, cap, "%s: %.200s: %s", option, file, strerror(errno));
    return false;
}

const char *cli_cookie_file(const struct cli_crawl *o)
{
    const char *given = o->crawl.net.cookie_file;
    return given && !strchr(given, '=') ? given : NULL;
}

enum weft_status cli_crawl_finish(struct cli_crawl *o, char *error, size_t cap)
{
    const char *wrong = NULL;
    if (o->crawl.append && o->crawl.overwrite) {
        wrong = "--append and --overwrite exclude each other";
    } else if (o->crawl.burst && o->crawl.rate <= 0) {
        wrong = "--burst is the size of --rate's bucket: give --rate too";
    } else if (o->crawl.row && !o->selects.count) {
        wrong = "--row says where the rows are: give at least one --select for their fields";
    } else if (o->crawl.net.http2 && o->crawl.engine != WEFT_ENGINE_EVENTS) {
        wrong = "--http2 is for --engine events";
    } else if (o->crawl.parse_jobs && o->crawl.engine != WEFT_ENGINE_EVENTS) {
        wrong = "--parse-jobs is for --engine events; the other engines parse where they fetch";
    }
    if (wrong) {
        snprintf(error, cap, "%s", wrong);
        return WEFT_EINVAL;
    }
    if (!readable("--cacert", o->crawl.net.ca_file, error, cap) ||
        !readable("-b (--cookie)", cli_cookie_file(o), error, cap)) {
        return WEFT_EINVAL;
    }
    o->crawl.outputs = o->outputs.items;
    o->crawl.selects = o->selects.items;
    o->crawl.net.headers = o->headers.items;
    o->crawl.net.resolve = o->resolve.items;
    o->crawl.net.max_body = (size_t)o->max_body;
    return o->contact ? add_contact(o) : WEFT_OK;
}

void cli_crawl_advise(const struct cli_crawl *o, bool abroad)
{
    if (o->crawl.net.http2) {
        cli_say("--http2: many requests may share one connection; their number says no longer how "
                "many are in flight");
    }
    if (abroad && !o->contact && !o->crawl.net.user_agent && !o->quiet) {
        cli_say("--contact tells those whose site you crawl how to reach you");
    }
}

void cli_crawl_release(struct cli_crawl *o)
{
    cli_list_release(&o->inputs);
    cli_list_release(&o->outputs);
    cli_list_release(&o->headers);
    cli_list_release(&o->resolve);
    cli_list_release(&o->selects);
    cli_list_release(&o->seeds);
    free(o->rules);
    free(o->accept);
    o->accept = NULL;
    free(o->credentials);
    free(o->agent);
    o->rules = NULL;
    o->credentials = NULL;
    o->agent = NULL;
}

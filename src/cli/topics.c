/* topics.c -- see topics.h. */
#include "cli/topics.h"

#include <stddef.h>

static const struct cli_term exits[] = {
    {"0",
     "Finished; nothing that --fail-on names happened. serve, lab: ended by SIGINT or SIGTERM."},
    {"1",
     "check: something is broken. explain: the URL would not be requested. Others: something "
     "that --fail-on names happened: a seed was not fetched, for whatever reason, also one that "
     "a budget left (seed, the default; of a list, each line that was read is one), any page "
     "failed (any), a budget left URLs behind (limit); or the list of fetch could not be read to "
     "its end; or weft ran out of memory or threads after it had fetched something."},
    {"2", "Wrong use; nothing was fetched. serve, lab: the server could not be started."},
    {"3", "An output or the state file can't be read or written. Everything that was complete "
          "before is kept."},
    {"4", "Nothing at all was fetched; takes precedence over 1."},
    {"129, 130, 143", "Stopped by SIGHUP, SIGINT, SIGTERM; what was finished is kept. 3 wins over "
                      "all others, these win over 0, 1 and 4."},
    {"a lesson's",
     "lesson NAME ends with the lesson's own: 0, 1 if it could not be carried out, 2 for "
     "wrong use; 3 if its program is not there."},
    {0},
};

static const struct cli_term fields[] = {
    {"url", "As requested."},
    {"outcome", "fetched: a final answer below 400 came in whole. failed: it did not. skipped: its "
                "content was not fetched, by a decision."},
    {"reason", "Why it failed or was skipped, one of the words below; else null."},
    {"error", "The same for people: \"read timeout after 15.0 s\"; or null."},
    {"status", "The last HTTP status, or null."},
    {"final_url, redirects", "Where it ended, and each hop on the way: a list of {status, url}."},
    {"depth, referrer", "Links from a seed; the page it was found on, or null."},
    {"attempts", "Requests sent for it, without redirect hops."},
    {"content_type, charset, title", "Text or null."},
    {"bytes",
     "Of the body, decoded. A body that nobody wants, because it is not HTML and no output "
     "asks for it, is not downloaded: bytes is 0 and body is \"unwanted\"."},
    {"links", "Distinct links found."},
    {"started_at, elapsed_ms", "First attempt (RFC 3339); time spent in fetches."},
    {"worker", "Which worker; 0 for sync and events."},
    {"fields", "What --select extracted; with --row, of the first row."},
    {"rows", "With --row: what was extracted for each match. In CSV a line is a row, in SQLite "
             "rows are the table records."},
    {"content, content_base64", "JSON Lines with --body: the body, in base64 where it is not "
                                "UTF-8 text."},
    {0},
};

static const struct cli_term reasons[] = {
    {"timeout", "A time limit."},
    {"connection", "Refused, reset, or closed without an answer."},
    {"dns", "The name does not resolve."},
    {"tls", "Handshake or certificate."},
    {"http_status", "The final answer was 400 or above."},
    {"redirect_loop", "A loop, or more than --max-redirects hops."},
    {"redirect", "A redirect without a usable Location."},
    {"too_large", "The body is over --max-body, or the header over its limit."},
    {"truncated", "The body ended before its length."},
    {"bad_content", "Not HTTP, or an encoding that can't be undone."},
    {"robots", "robots.txt forbids it, asks for too long a Crawl-delay, or could not be read."},
    {"scope", "Out of --scope."},
    {"filter", "Left out by --include and --exclude."},
    {"depth", "Beyond --max-depth."},
    {"private", "A private address, with --no-private."},
    {"bad_url", "No http(s) URL."},
    {"limit", "One of the limits against traps."},
    {"interrupted", "The crawl was stopped while it was in flight."},
    {"host", "Its host had been given up after --host-failures."},
    {0},
};

static const struct cli_term values[] = {
    {"S", "A time: seconds with decimals, or with ms, s, m or h behind: 0.5, 250ms, 2s, 1m."},
    {"SIZE", "Bytes, or with K, M or G (1024, 1024^2, 1024^3) behind: 65536, 64K, 1.5M."},
    {"RE", "A POSIX extended regular expression; it matches anywhere in the URL."},
    {"this machine", "localhost, names below .localhost, 127.0.0.0/8 and [::1], as written in the "
                     "URL, without a look-up."},
    {0},
};

static const struct cli_term environment[] = {
    {"http_proxy, https_proxy, HTTPS_PROXY",
     "The proxy for URLs of http, of https, as curl has them. HTTP_PROXY in capitals is not looked "
     "at. --proxy wins over all of these (--proxy '' is none), and with --no-private none is "
     "used."},
    {"all_proxy, ALL_PROXY", "The proxy where that is not set."},
    {"no_proxy, NO_PROXY", "Hosts that are asked without a proxy, with commas between; * is all."},
    {"TERM", "dumb: no progress, as where standard error is no terminal."},
    {"TMPDIR", "Where compare keeps the files of its crawls; /tmp unless set."},
    {"SQLITE_TMPDIR, TMPDIR", "Where the nodes of a GraphML output that don't fit into memory "
                              "are kept; /var/tmp unless set."},
    {0},
};

static const struct cli_term headers[] = {
    {"weft/crawl.h", "A whole crawl, also with a blocking fetch function of your own."},
    {"weft/fetch.h, weft/loop.h", "One request with limits; many at once on one thread."},
    {"weft/page.h, weft/url.h", "Links, title and charset of a page; URLs as browsers read them."},
    {"weft/executor.h", "Futures and pools of threads, under the names of Python's "
                        "concurrent.futures."},
    {0},
};

static const struct cli_term program[] = {
    {"--help, -h", "The commands and topics."},
    {"--version, -V", "The versions of weft and of the libraries that it runs with."},
    {"--completion SHELL", "The completions for bash, zsh or fish, to be put where the shell looks "
                           "for them."},
    {"--man", "The man page."},
    {"--markdown", "The same as Markdown: docs/options.md."},
    {0},
};

static const struct cli_term config[] = {
    {"name = value", "An option by its long name, and its value: to the end of the line, blanks "
                     "around it aside. In double quotes it keeps them."},
    {"name value", "The same."},
    {"name", "An option that takes no value."},
    {"# text", "Nothing; nor do blank lines."},
    {0},
};

const struct cli_topic cli_topics[] = {
    {"values", "Values of options",
     "Options and arguments may be mixed; -- ends the options. Long options take their value as "
     "--name VALUE or --name=VALUE, short ones as -n VALUE or -nVALUE; short ones without a value "
     "may be written together. Long names are not abbreviated. Given twice, an option's last value "
     "counts, unless it may be repeated.",
     values},
    {"config", "Options from a file",
     "A file of --config has an option a line. Files are read first, in their order, then the "
     "command line: a value there replaces the file's; of an option that may be repeated the "
     "file's come first, so of --include and --exclude the command line's decide. What only "
     "another of crawl, fetch, check and explain takes is passed over, so one file may serve all "
     "of them; a name that none of them has is refused, with file and line.",
     config},
    {"program", "Options in the place of a command", NULL, program},
    {"exit", "Exit codes", NULL, exits},
    {"records", "Records",
     "One for each URL: an object a line in JSON Lines, a row in CSV and SQLite, under the same "
     "names. Text is valid UTF-8 whatever the server sent.",
     fields},
    {"reasons", "Reasons", NULL, reasons},
    {"environment", "Environment", NULL, environment},
    {"library", "Library",
     "For a crawler of your own in C that fetches one page after another: libweft runs its fetch "
     "function on a pool and brings the rest. The compiler's flags are those of pkg-config for "
     "weft. "
     "Programs to begin with are in docs/library.md and docs/drop-in.md of the sources.",
     headers},
    {0},
};

const struct cli_term cli_examples[] = {
    {"weft serve", "Serve the sample site on a free port of this machine and print its address."},
    {"weft crawl http://127.0.0.1:8080/", "Crawl it; a line for every page."},
    {"weft crawl -o - example.com | jq -r 'select(.status==404).url'",
     "The missing pages of a site, from JSON Lines."},
    {"weft fetch -i urls.txt -o pages.jsonl", "Fetch a list of URLs and follow nothing."},
    {"weft check example.com", "What is broken on a site, and where it is linked."},
    {"weft explain --seed example.com example.com/private/",
     "Why a page was not crawled: scope, rules, limits, robots.txt."},
    {0},
};

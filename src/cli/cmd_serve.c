/* cmd_serve.c -- weft serve: the test server until a signal ends it. */
#include "cli/command.h"
#include "cli/console.h"
#include "cli/sample_site.h"
#include "cli/signals.h"
#include "lab/lab.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

struct serving {
    struct weft_lab_options lab;
    struct cli_args args;
    struct cli_signals *signals;
    struct weft_lab *server;
    unsigned port, mirrors;
    weft_time delay, jitter, mirror_delay;
    bool quiet;
    char dir[PATH_MAX];
};

#define AT(field)     .at = offsetof(struct serving, field)
#define FROM_TO(a, b) .min = (a), .max = (b)

/* clang-format off */
const struct cli_option cli_serve_options[] = {
    {"port", 'p', CLI_UNSIGNED, "N", AT(port), FROM_TO(0, 65535), .preset = "a free one", .group = "Where",
     .help = "Port number."},
    {"bind", 0, CLI_TEXT, "ADDRESS", AT(lab.bind), .min = 1, .preset = "127.0.0.1",
     .help = "Address to serve on. Anything but this machine's own lets others in."},
    {"files-only", 0, CLI_FLAG, AT(lab.files_only),
     .help = "Serve the folder's files and nothing else: no generated pages, no counters."},
    {"mirrors", 0, CLI_UNSIGNED, "N", AT(mirrors), FROM_TO(1, 16), .preset = "1",
     .help = "Serve the same on N ports."},

    {"delay", 0, CLI_DURATION, "S", AT(delay), FROM_TO(0, 3600), .preset = "0", .group = "Delays and faults",
     .help = "Hold every answer so long."},
    {"jitter", 0, CLI_DURATION, "S", AT(jitter), FROM_TO(0, 3600), .preset = "0",
     .help = "Add up to this to --delay, the same each time for the same path and --random-seed."},
    {"random-seed", 0, CLI_UINT64, "N", AT(lab.seed), FROM_TO(0, 9e15), .preset = "0",
     .help = "Seed of --jitter."},
    {"mirror-delay", 0, CLI_DURATION, "S", AT(mirror_delay), FROM_TO(0, 3600), .preset = "0",
     .help = "The second port holds answers so much longer, the third twice that, and so on."},
    {"broken-mirror", 0, CLI_FLAG, AT(lab.broken_mirror),
     .help = "The last port resets every connection."},
    {"max-in-flight", 0, CLI_UNSIGNED, "N", AT(lab.max_in_flight), FROM_TO(1, 1000000), .preset = "none",
     .help = "Above half of N answers slow down, above N they are refused with 503."},
    {"max-connections", 0, CLI_UNSIGNED, "N", AT(lab.max_connections), FROM_TO(1, 1000000), .preset = "8192",
     .help = "Connections at once."},

    {"quiet", 'q', CLI_FLAG, AT(quiet), .group = "What is printed",
     .help = "Print the address, and no counts at the end."},
    CLI_CONFIG_ROW(0),
    {0},
};
/* clang-format on */

static enum weft_status prepare(struct serving *s, char *error, size_t cap)
{
    if (s->args.count > 1) {
        snprintf(error, cap, "serve: one folder at a time");
        return WEFT_EINVAL;
    }
    if (s->args.count) {
        snprintf(s->dir, sizeof s->dir, "%s", s->args.items[0]);
    } else if (!cli_find_sample_site(s->dir, sizeof s->dir)) {
        snprintf(error, cap, "serve: there is no sample site here; name a folder to serve");
        return WEFT_EINVAL;
    }
    s->lab.dir = s->dir;
    s->lab.port = (uint16_t)s->port;
    s->lab.nports = s->mirrors;
    s->lab.delay_ms = s->delay / WEFT_MS;
    s->lab.jitter_ms = s->jitter / WEFT_MS;
    s->lab.mirror_ms = s->mirror_delay / WEFT_MS;
    /* Before the server's thread starts, so that the signals are blocked there too. */
    const struct cli_signal_actions actions = {0};
    enum weft_status st = cli_signals_start(&s->signals, &actions);
    return st == WEFT_OK ? weft_lab_start(&s->server, &s->lab, error, cap) : st;
}

static enum weft_status print_addresses(const struct serving *s)
{
    struct weft_buf b;
    weft_buf_init(&b, 64u << 10);
    enum weft_status st = WEFT_OK;
    const char *url;
    for (unsigned k = 0; st == WEFT_OK && (url = weft_lab_url(s->server, k)); k++) {
        st = weft_buf_puts(&b, "serving ");
        st = st == WEFT_OK ? cli_escape(&b, s->dir, strlen(s->dir)) : st;
        st = st == WEFT_OK ? weft_buf_printf(&b, " on %s/\n", url) : st;
    }
    st = st == WEFT_OK ? cli_put(b.data, b.len) : st;
    weft_buf_release(&b);
    return st;
}

static int serve(struct serving *s)
{
    if (print_addresses(s) != WEFT_OK) {
        cli_say("standard output: %s", strerror(errno));
        return CLI_OUTPUT;
    }
    cli_signals_wait(s->signals);
    if (!s->quiet) {
        struct weft_lab_stats seen;
        weft_lab_get_stats(s->server, &seen);
        cli_tell("%" PRIu64 " requests for %zu paths, at most %u in flight, %" PRIu64
                 " connections",
                 seen.requests, seen.paths, seen.in_flight_peak, seen.connections);
    }
    return CLI_OK;
}

int cmd_serve(const struct cli_command *self, int argc, char **argv)
{
    struct serving s = {0};
    char error[512] = "";
    int code;
    if (cli_begin(self, argc, argv, &s, &s.args, &code)) {
        enum weft_status st = prepare(&s, error, sizeof error);
        if (st == WEFT_OK) {
            code = serve(&s);
        } else {
            cli_say("%s", *error ? error : weft_strerror(st));
            code = CLI_USAGE;
        }
    }
    weft_lab_stop(s.server);
    cli_signals_free(s.signals);
    cli_args_release(&s.args);
    return code;
}

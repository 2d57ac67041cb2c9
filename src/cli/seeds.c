/* seeds.c -- see seeds.h. */
#include "cli/seeds.h"

#include "base/limits.h"
#include "cli/guess.h"
#include "weft/url.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_HOSTS 1000 /* kept for credentials; that many hosts share no password */

/* --- growing --------------------------------------------------------------------------------- */

static enum weft_status keep_url(struct cli_seeds *s, const char *href)
{
    if (s->count == s->room) {
        size_t room = s->room ? 2 * s->room : 16;
        char **urls = realloc(s->urls, room * sizeof *urls);
        if (!urls) {
            return WEFT_ENOMEM;
        }
        s->urls = urls;
        s->room = room;
    }
    s->urls[s->count] = strdup(href);
    if (!s->urls[s->count]) {
        return WEFT_ENOMEM;
    }
    s->count++;
    return WEFT_OK;
}

static bool known_host(const struct cli_seeds *s, const char *host)
{
    for (size_t i = 0; i < s->nhosts; i++) {
        if (!strcmp(s->hosts[i], host)) {
            return true;
        }
    }
    return false;
}

static enum weft_status keep_host(struct cli_seeds *s, const struct weft_url *url)
{
    char host[512];
    int n = snprintf(host, sizeof host, "%.*s:%u", (int)(url->host_end - url->host_at),
                     url->href + url->host_at, url->port);
    if (n < 0 || (size_t)n >= sizeof host || s->nhosts >= MOST_HOSTS || known_host(s, host)) {
        return WEFT_OK;
    }
    char **hosts = realloc(s->hosts, (s->nhosts + 2) * sizeof *hosts);
    if (!hosts) {
        return WEFT_ENOMEM;
    }
    s->hosts = hosts;
    hosts[s->nhosts + 1] = NULL;
    hosts[s->nhosts] = strdup(host);
    if (!hosts[s->nhosts]) {
        return WEFT_ENOMEM;
    }
    s->nhosts++;
    return WEFT_OK;
}

/* --- one seed --------------------------------------------------------------------------------- */

static enum weft_status refuse(enum weft_status st, const char *text, size_t len, const char *where,
                               char *error, size_t cap)
{
    const char *why = "is no URL";
    if (st == WEFT_ENOMEM) {
        return st;
    }
    if (st == WEFT_ESCHEME) {
        why = "is no http or https URL";
    } else if (st == WEFT_ELIMIT) {
        why = "is too long for a URL";
    } else if (!memmem(text, len, "://", 3)) {
        why = "is no URL; it would start with http:// or https://";
    }
    snprintf(error, cap, "%s'%.*s' %s", where, (int)(len < 200 ? len : 200), text, why);
    return WEFT_EINVAL;
}

enum weft_status cli_seeds_add(struct cli_seeds *s, const char *text, size_t len, const char *where,
                               char *error, size_t cap)
{
    cli_trim(&text, &len);
    if (!len) {
        snprintf(error, cap, "%sthe URL is empty", where);
        return WEFT_EINVAL;
    }
    if (len > WEFT_MAX_URL_MOST) { /* --max-url is looked at when all options are known */
        return refuse(WEFT_ELIMIT, text, len, where, error, cap);
    }
    char typed[WEFT_MAX_URL_MOST + sizeof "http://"], href[WEFT_MAX_URL_WORK];
    bool guess = !memmem(text, len, "://", 3) && cli_looks_like_host(text, len);
    size_t n = guess ? sizeof "http://" - 1 : 0;
    memcpy(typed, "http://", n);
    memcpy(typed + n, text, len);
    struct weft_url url;
    enum weft_status st = memchr(text, '\0', len) ? WEFT_ESYNTAX : WEFT_OK;
    st = st == WEFT_OK ? weft_url_parse(&url, href, sizeof href, NULL, typed, n + len, NULL) : st;
    if (st != WEFT_OK) {
        return refuse(st, text, len, where, error, cap);
    }
    if (guess && !s->guessed++) {
        snprintf(s->first_guess, sizeof s->first_guess, "%.*s", (int)(len < 100 ? len : 100), text);
    }
    s->abroad = s->abroad || !cli_on_this_machine(&url);
    st = keep_url(s, href);
    return st == WEFT_OK ? keep_host(s, &url) : st;
}

/* --- a file of them --------------------------------------------------------------------------- */

/* A line of a file. One that is longer than any URL is cut: it is a comment, or refused. */
struct line {
    char text[WEFT_MAX_URL_MOST + 16];
    size_t len;
    bool cut;
};

/* false: there is none. */
static bool read_line(FILE *in, struct line *line)
{
    int c;
    line->len = 0;
    line->cut = false;
    while ((c = getc_unlocked(in)) != EOF && c != '\n') {
        if (line->len < sizeof line->text) {
            line->text[line->len++] = (char)c;
        } else {
            line->cut = true;
        }
    }
    return c != EOF || line->len;
}

static enum weft_status add_line(struct cli_seeds *s, const struct line *line, const char *file,
                                 size_t number, char *error, size_t cap)
{
    char where[160];
    const char *text = line->text;
    size_t len = line->len;
    if (!cli_line_says_something(&text, &len, number)) {
        return WEFT_OK;
    }
    snprintf(where, sizeof where, "%.100s:%zu: ", file, number);
    if (line->cut) {
        return refuse(WEFT_ELIMIT, text, len, where, error, cap);
    }
    return cli_seeds_add(s, text, len, where, error, cap);
}

enum weft_status cli_seeds_read(struct cli_seeds *s, const char *file, char *error, size_t cap)
{
    bool standard = !strcmp(file, "-");
    const char *name = standard ? "standard input" : file;
    FILE *in = standard ? stdin : fopen(file, "re");
    if (!in) {
        snprintf(error, cap, "%s: %s", name, strerror(errno));
        return WEFT_EIO;
    }
    enum weft_status st = WEFT_OK;
    struct line line;
    for (size_t number = 1; st == WEFT_OK && read_line(in, &line); number++) {
        st = add_line(s, &line, name, number, error, cap);
    }
    if (st == WEFT_OK && ferror(in)) {
        snprintf(error, cap, "%s: %s", name, strerror(errno));
        st = WEFT_EIO;
    }
    if (!standard) {
        fclose(in);
    }
    return st;
}

void cli_seeds_release(struct cli_seeds *s)
{
    for (size_t i = 0; i < s->count; i++) {
        free(s->urls[i]);
    }
    for (size_t i = 0; i < s->nhosts; i++) {
        free(s->hosts[i]);
    }
    free(s->urls);
    free(s->hosts);
    *s = (struct cli_seeds){0};
}

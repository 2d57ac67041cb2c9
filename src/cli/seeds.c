/* seeds.c -- see seeds.h. */
#include "cli/seeds.h"

#include "base/limits.h"
#include "weft/url.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_HOSTS 1000 /* kept for credentials; that many hosts share no password */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

static bool among(const char *const *names, const char *text, size_t len)
{
    for (; *names; names++) {
        if (strlen(*names) == len && !strncasecmp(*names, text, len)) {
            return true;
        }
    }
    return false;
}

/* Length of the host at the start of text, 0 if what stands there can't be one. */
static size_t host_length(const char *text, size_t len)
{
    static const char never[] = "/?#:@\\ <>\"'(){}|^`,;=&*!$+";
    size_t n = 0;
    if (len && text[0] == '[') {
        const char *close = memchr(text, ']', len);
        return close ? (size_t)(close - text) + 1 : 0;
    }
    while (n < len && (unsigned char)text[n] > ' ' && !strchr(never, text[n])) {
        n++;
    }
    return n;
}

/* Whether text starts like "example.com", "localhost:8080/x" or "[::1]/". A word without dot or
 * port is more likely a forgotten option value or a file, and "mailto:me" is a scheme. */
static bool looks_like_host(const char *text, size_t len)
{
    static const char *const schemes[] = {"about",      "blob",   "data",   "file", "ftp",
                                          "javascript", "magnet", "mailto", "news", "sms",
                                          "tel",        "urn",    NULL};
    size_t host = host_length(text, len);
    if (!host || text[0] == '.' || text[0] == '-') {
        return false;
    }
    size_t end = host;
    if (end < len && text[end] == ':') {
        for (end++; end < len && text[end] >= '0' && text[end] <= '9';) {
            end++;
        }
    }
    if (end < len && text[end] != '/' && text[end] != '?' && text[end] != '#') {
        return false;
    }
    bool port = end > host + 1;
    if (among(schemes, text, host) && end > host) {
        return false;
    }
    return text[0] == '[' || memchr(text, '.', host) || port ||
           among((const char *const[]){"localhost", NULL}, text, host);
}

/* As written in the URL, without a look-up; for advice only, the engine judges for itself. */
static bool on_this_machine(const struct weft_url *url)
{
    const char *host = url->href + url->host_at;
    size_t len = url->host_end - url->host_at;
    return among((const char *const[]){"localhost", "[::1]", NULL}, host, len) ||
           (len > 10 && !strncasecmp(host + len - 10, ".localhost", 10)) ||
           (len > 4 && !strncmp(host, "127.", 4) && strspn(host, "0123456789.") >= len);
}

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

static enum weft_status keep_host(struct cli_seeds *s, const struct weft_url *url)
{
    char host[512];
    int n = snprintf(host, sizeof host, "%.*s:%u", (int)(url->host_end - url->host_at),
                     url->href + url->host_at, url->port);
    if (n < 0 || (size_t)n >= sizeof host || s->nhosts >= MOST_HOSTS ||
        (s->hosts && among((const char *const *)s->hosts, host, (size_t)n))) {
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
    while (len && is_blank(text[len - 1])) {
        len--;
    }
    while (len && is_blank(*text)) {
        text++;
        len--;
    }
    if (!len) {
        snprintf(error, cap, "%sthe URL is empty", where);
        return WEFT_EINVAL;
    }
    if (len > WEFT_MAX_URL) {
        return refuse(WEFT_ELIMIT, text, len, where, error, cap);
    }
    char typed[WEFT_MAX_URL + sizeof "http://"], href[4 * WEFT_MAX_URL];
    bool guess = !memmem(text, len, "://", 3) && looks_like_host(text, len);
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
    s->abroad = s->abroad || !on_this_machine(&url);
    st = keep_url(s, href);
    return st == WEFT_OK ? keep_host(s, &url) : st;
}

/* --- a file of them --------------------------------------------------------------------------- */

/* A line of a file. One that is longer than any URL is cut: it is a comment, or refused. */
struct line {
    char text[WEFT_MAX_URL + 16];
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
    size_t len = line->len, blank = 0;
    if (number == 1 && len >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) {
        text += 3;
        len -= 3;
    }
    while (blank < len && is_blank(text[blank])) {
        blank++;
    }
    if (blank < len && text[blank] == '#') {
        return WEFT_OK;
    }
    snprintf(where, sizeof where, "%.100s:%zu: ", file, number);
    if (line->cut) {
        return refuse(WEFT_ELIMIT, text, len, where, error, cap);
    }
    return blank == len ? WEFT_OK : cli_seeds_add(s, text, len, where, error, cap);
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

/* guess.c -- see guess.h. */
#include "cli/guess.h"

#include <string.h>
#include <strings.h>

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

/* A word without dot or port is more likely a forgotten option value or a file, and "mailto:me" is
 * a scheme. */
bool cli_looks_like_host(const char *text, size_t len)
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

bool cli_on_this_machine(const struct weft_url *url)
{
    const char *host = url->href + url->host_at;
    size_t len = url->host_end - url->host_at;
    return among((const char *const[]){"localhost", "[::1]", NULL}, host, len) ||
           (len > 10 && !strncasecmp(host + len - 10, ".localhost", 10)) ||
           (len > 4 && !strncmp(host, "127.", 4) && strspn(host, "0123456789.") >= len);
}

void cli_trim(const char **text, size_t *len)
{
    while (*len && is_blank((*text)[*len - 1])) {
        --*len;
    }
    while (*len && is_blank(**text)) {
        ++*text;
        --*len;
    }
}

bool cli_line_says_something(const char **text, size_t *len, uint64_t number)
{
    if (number == 1 && *len >= 3 && !memcmp(*text, "\xef\xbb\xbf", 3)) {
        *text += 3;
        *len -= 3;
    }
    cli_trim(text, len);
    return *len && **text != '#';
}

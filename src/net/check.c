/* check.c -- see check.h. */
#include "net/check.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

bool weft_net_is_field(const char *header, const char *name)
{
    size_t len = strlen(name);
    return strncasecmp(header, name, len) == 0 && header[len] && strchr(": \t;", header[len]);
}

bool weft_net_is_bound(const char *header)
{
    static const char *const fields[] = {"Authorization", "Cookie", "Proxy-Authorization", "Host"};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (weft_net_is_field(header, fields[i])) {
            return true;
        }
    }
    return false;
}

bool weft_net_is_cookie_text(const char *cookie_file)
{
    return cookie_file && strchr(cookie_file, '=');
}

bool weft_net_has_secrets(const struct weft_net_options *o)
{
    bool bound = o->credentials || weft_net_is_cookie_text(o->cookie_file);
    for (const char *const *h = o->headers; h && *h && !bound; h++) {
        bound = weft_net_is_bound(*h);
    }
    return bound;
}

static bool has_control(const char *text)
{
    for (; text && *text; text++) {
        if ((unsigned char)*text < ' ' && *text != '\t') {
            return true;
        }
    }
    return false;
}

static bool are_headers(const char *const *headers)
{
    for (; headers && *headers; headers++) {
        size_t name = strcspn(*headers, ":;"); /* "Name;" asks for a field without a value */
        if (!name || !(*headers)[name] || has_control(*headers)) {
            return false;
        }
    }
    return true;
}

static enum weft_status readable(const char *option, const char *file, char *error, size_t cap)
{
    if (!file || access(file, R_OK) == 0) {
        return WEFT_OK;
    }
    snprintf(error, cap, "%s: %.200s: %s", option, file, strerror(errno));
    return WEFT_EIO;
}

enum weft_status weft_net_check(const struct weft_net_options *o, char *error, size_t cap)
{
    const char *why = NULL;
    if (!are_headers(o->headers)) {
        why = "--header takes a field on one line, such as 'Accept-Language: en'";
    } else if (has_control(o->user_agent) || has_control(o->credentials) ||
               has_control(o->cookie_file)) {
        why = "--user-agent, --user and --cookie take no control characters";
    } else if (!o->credential_hosts && weft_net_has_secrets(o)) {
        why = "there are credentials, cookies or a Host, and no hosts are named to send them to";
    } else if (o->connect_timeout < 0 || o->read_timeout < 0 || o->timeout < 0) {
        why = "a limit of time is negative";
    } else if (o->no_private && o->proxy && *o->proxy) {
        why = "--no-private and --proxy exclude each other: only the proxy would see the address";
    }
    if (why) {
        snprintf(error, cap, "%s", why);
        return WEFT_EINVAL;
    }
    enum weft_status st = readable("--cacert", o->ca_file, error, cap);
    bool text = weft_net_is_cookie_text(o->cookie_file);
    return st == WEFT_OK ? readable("--cookie", text ? NULL : o->cookie_file, error, cap) : st;
}

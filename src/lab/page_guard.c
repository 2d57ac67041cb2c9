/* page_guard.c -- who may ask the page's server for what. Text in, a decision out.
 *
 * Any site that a browser shows may send requests to 127.0.0.1. Three things keep it from reading
 * or starting anything here: the Host field must name this machine and port (a stranger's name that
 * was made to lead here is refused), a request that changes something must not come from another
 * origin (nor one that watches), and its body must be of a type that no form can send. */
#include "lab/page_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- the pure parts ---- */

static bool is_word(const char *text, size_t len, const char *word)
{
    return len == strlen(word) && strncasecmp(text, word, len) == 0;
}

bool page_host_is_ours(const char *host, size_t len, uint16_t port)
{
    char number[8];
    const char *colon = len && host[len - 1] != ']' ? memrchr(host, ':', len) : NULL;
    size_t name = colon ? (size_t)(colon - host) : len;
    if (!is_word(host, name, "127.0.0.1") && !is_word(host, name, "localhost") &&
        !is_word(host, name, "[::1]")) {
        return false;
    }
    snprintf(number, sizeof number, ":%u", port);
    return colon ? is_word(colon, len - name, number) : port == 80;
}

bool page_origin_is_ours(const char *origin, const char *host)
{
    static const char scheme[] = "http://";
    return strncmp(origin, scheme, sizeof scheme - 1) == 0 &&
           strcasecmp(origin + sizeof scheme - 1, host) == 0;
}

bool page_type_is_json(const char *type)
{
    size_t len = type ? strcspn(type, ";") : 0;
    while (len > 0 && (type[len - 1] == ' ' || type[len - 1] == '\t')) {
        len--;
    }
    return is_word(type, len, "application/json");
}

bool page_read_run(const char *path, unsigned *number, bool *events)
{
    static const char prefix[] = "/api/run/";
    const size_t len = sizeof prefix - 1;
    if (strncmp(path, prefix, len) != 0) {
        return false;
    }
    size_t digits = strspn(path + len, "0123456789");
    const char *rest = path + len + digits;
    if (digits == 0 || digits > 9 || path[len] == '0') {
        return false; /* no run has such a number */
    }
    *number = (unsigned)strtoul(path + len, NULL, 10);
    *events = strcmp(rest, "/events") == 0;
    return *events || *rest == '\0';
}

/* ---- a request ---- */

static const struct lab_page_file *find_file(const char *path)
{
    const char *name = strcmp(path, "/") == 0 ? "index.html" : path + (path[0] == '/');
    const struct lab_page_file *f = lab_page_files;
    while (f->name && strcmp(f->name, name) != 0) {
        f++;
    }
    return f->name ? f : NULL;
}

static void refuse(struct page_request *r, unsigned status, const char *why)
{
    r->refused = status;
    r->why = why;
}

/* What the path names, and which methods it has. */
static const char *find(struct page_request *r, const char *method)
{
    bool events;
    if (strcmp(r->path, "/api/run") == 0) {
        r->what = PAGE_START;
        return MHD_HTTP_METHOD_POST;
    }
    if (page_read_run(r->path, &r->run, &events)) {
        r->what = events ? PAGE_WATCH : PAGE_STOP;
    } else if ((r->file = find_file(r->path))) {
        r->what = PAGE_FILE;
    } else {
        return NULL;
    }
    if (r->what == PAGE_STOP) {
        return MHD_HTTP_METHOD_DELETE;
    }
    return strcmp(method, MHD_HTTP_METHOD_HEAD) == 0 ? MHD_HTTP_METHOD_HEAD : MHD_HTTP_METHOD_GET;
}

/* Whether a browser says that another site's page asks. Origin is not in every request of theirs,
 * Sec-Fetch-Site not in those of every browser. */
static bool is_foreign(const char *origin, const char *site, const char *host)
{
    if (site && strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0) {
        return true;
    }
    return origin && !page_origin_is_ours(origin, host);
}

static const char *field(const struct page_request *r, const char *name)
{
    return MHD_lookup_connection_value(r->connection, MHD_HEADER_KIND, name);
}

void page_guard(struct page_request *r, const char *method)
{
    const char *host = field(r, MHD_HTTP_HEADER_HOST);
    const char *origin = field(r, "Origin");
    const char *length = field(r, MHD_HTTP_HEADER_CONTENT_LENGTH);
    if (r->elsewhere || !host || !page_host_is_ours(host, strlen(host), r->page->port)) {
        refuse(r, MHD_HTTP_MISDIRECTED_REQUEST,
               "This server answers for 127.0.0.1, [::1] and localhost, with its port.");
        return;
    }
    const char *right = find(r, method);
    if (!right) {
        refuse(r, MHD_HTTP_NOT_FOUND, "There is nothing of that name.");
    } else if (strcmp(method, right) != 0) {
        r->allow = strcmp(right, MHD_HTTP_METHOD_GET) == 0 ? "GET, HEAD" : right;
        refuse(r, MHD_HTTP_METHOD_NOT_ALLOWED, "That method is not for this.");
    } else if (length && strtoull(length, NULL, 10) > WEFT_PAGE_MAX_BODY) {
        refuse(r, MHD_HTTP_CONTENT_TOO_LARGE, "The body is too large.");
    } else if (r->what != PAGE_FILE && is_foreign(origin, field(r, "Sec-Fetch-Site"), host)) {
        refuse(r, MHD_HTTP_FORBIDDEN, "Only the page of this server may ask for that.");
    } else if (r->what == PAGE_START &&
               !page_type_is_json(field(r, MHD_HTTP_HEADER_CONTENT_TYPE))) {
        refuse(r, MHD_HTTP_UNSUPPORTED_MEDIA_TYPE, "The body must be application/json.");
    }
}

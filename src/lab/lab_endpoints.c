/* lab_endpoints.c -- the list of special pages: name, how to ask, what it does, who answers.
 *
 * A folder's own entry of the same name wins, from the start of the server on. */
#include "lab/lab_reply.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

static const struct lab_endpoint endpoints[] = {
    {"/lab", "/lab", "this list", false, 0, NULL, lab_index_answer},
    {"/gen", "/gen/pages=1000,size=20480,links=40,fan=8,seed=1,ms=0/0.html",
     "a generated site: pages 0.html to N-1.html, all reachable from the first, whose links, depth "
     "and breadth-first order are known",
     false, 0, lab_gen_hold_ms, lab_gen_answer},
    {"/shop", "/shop/", "20 categories of 20 books each, with title and price", false, 0, NULL,
     lab_shop_answer},
    {"/slow", "/slow?ms=1000", "answers after so many milliseconds", false, 1000, NULL,
     lab_slow_answer},
    {"/hang", "/hang", "takes the request and never answers", false, WEFT_LAB_MAX_HOLD_MS, NULL,
     lab_hang_answer},
    {"/drip", "/drip?n=10&size=100&every=500&chunked=0",
     "sends n pieces of size bytes, one every so many milliseconds", false, 0, NULL,
     lab_drip_answer},
    {"/big", "/big?size=64M&chunked=0", "a page of so many bytes", false, 0, NULL, lab_big_answer},
    {"/truncated", "/truncated?size=1000&sent=500&reset=0",
     "promises size bytes, sends some, and ends the connection", false, 0, NULL,
     lab_truncated_answer},
    {"/flaky", "/flaky?fail=2&key=a", "503 so many times for the same path and query, then fine",
     false, 0, NULL, lab_flaky_answer},
    {"/limited", "/limited/1?rate=5&burst=5&key=a",
     "429 with Retry-After: 1 beyond rate requests a second, counted over all paths below it",
     false, 0, NULL, lab_limited_answer},
    {"/status", "/status/404?retry-after=5", "answers with that status", false, 0, NULL,
     lab_status_answer},
    {"/unreliable", "/unreliable/1?rate=0.05&seed=1",
     "503 for that part of all paths, always the same ones for the same seed", false, 0, NULL,
     lab_unreliable_answer},
    {"/redirect", "/redirect/3?status=302", "so many redirects, then a page", false, 0, NULL,
     lab_redirect_answer},
    {"/reset", "/reset", "resets the connection", false, 0, NULL, lab_reset_answer},
    {"/stats", "/stats?format=json&paths=100", "what the server saw, for people or as JSON", true,
     0, NULL, lab_stats_answer},
    {"/reset-stats", "/reset-stats", "sets the counters to zero", true, 0, NULL,
     lab_reset_stats_answer},
};
#define COUNT (sizeof endpoints / sizeof *endpoints)

static const struct lab_endpoint files = {.answer = lab_files_answer};

const struct lab_endpoint *lab_endpoint(unsigned i)
{
    return i < COUNT ? &endpoints[i] : NULL;
}

static bool is_below(const char *path, const char *top)
{
    size_t n = strlen(top);
    return strncmp(path, top, n) == 0 && (path[n] == '\0' || path[n] == '/');
}

void lab_endpoint_find(struct lab_request *r)
{
    const struct weft_lab *l = r->lab;
    r->endpoint = &files;
    for (unsigned i = 0; i < COUNT && !l->o.files_only; i++) {
        if (!(l->hidden >> i & 1) && is_below(r->path, endpoints[i].path)) {
            r->endpoint = &endpoints[i];
            return;
        }
    }
    r->route = lab_routes_find(&l->routes, r->path);
    if (l->dir_fd < 0 && !l->o.files_only && strcmp(r->path, "/") == 0) {
        r->endpoint = &endpoints[0];
    }
}

void lab_endpoints_hide(struct weft_lab *l)
{
    for (unsigned i = 0; i < COUNT; i++) {
        struct stat st;
        bool taken = l->dir_fd >= 0 &&
                     fstatat(l->dir_fd, endpoints[i].path + 1, &st, AT_SYMLINK_NOFOLLOW) == 0;
        for (size_t k = 0; k < l->routes.n && !taken; k++) {
            taken = is_below(l->routes.list[k].path, endpoints[i].path);
        }
        l->hidden |= taken ? UINT64_C(1) << i : 0;
    }
}

enum weft_status lab_index_answer(struct lab_request *r, struct lab_reply *reply)
{
    struct lab_text t;
    lab_text_init(&t);
    lab_text_head(&t, "weft's test server");
    lab_text_put(&t, "<p>Every page but the last two also takes ms=N: it is held that long.</p>\n"
                     "<dl>\n");
    for (unsigned i = 0; i < COUNT; i++) {
        if (r->lab->hidden >> i & 1) {
            continue;
        }
        lab_text_put(&t, "<dt><a href=\"");
        lab_text_escaped(&t, endpoints[i].synopsis);
        lab_text_put(&t, "\">");
        lab_text_escaped(&t, endpoints[i].synopsis);
        lab_text_put(&t, "</a></dt>\n<dd>");
        lab_text_escaped(&t, endpoints[i].about);
        lab_text_put(&t, "</dd>\n");
    }
    lab_text_put(&t, "</dl>\n");
    lab_text_foot(&t);
    enum weft_status st = lab_reply_text(reply, MHD_HTTP_OK, LAB_HTML, &t);
    lab_text_release(&t);
    return st;
}

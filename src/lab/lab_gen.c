/* lab_gen.c -- the generated site: each page is made when it is asked for. */
#include "lab/lab_gen.h"

#include "lab/lab_query.h"
#include "lab/lab_reply.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a folder's name says ---- */

struct item {
    const char *name;
    size_t at; /* of the field in struct lab_gen */
    int64_t min, max;
};

static const struct item items[] = {
    {"pages", offsetof(struct lab_gen, pages), 1, 10000000},
    {"size", offsetof(struct lab_gen, size), 0, WEFT_LAB_MAX_PAGE / 2},
    {"links", offsetof(struct lab_gen, links), 1, 10000},
    {"fan", offsetof(struct lab_gen, fan), 1, 10000},
    {"seed", offsetof(struct lab_gen, seed), 0, INT32_MAX},
    {"ms", offsetof(struct lab_gen, ms), 0, WEFT_LAB_MAX_HOLD_MS},
};
#define ITEMS (sizeof items / sizeof *items)

/* Digits that are all of text[0..len). */
static bool number(const char *text, size_t len, int64_t *out)
{
    if (len == 0 || len > 12) {
        return false;
    }
    *out = 0;
    for (size_t i = 0; i < len; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
        *out = *out * 10 + (text[i] - '0');
    }
    return true;
}

static bool parse_item(struct lab_gen *g, const char *text, size_t len, unsigned *seen)
{
    const char *equals = memchr(text, '=', len);
    const char *name = equals ? text : "pages";
    size_t name_len = equals ? (size_t)(equals - text) : strlen(name);
    const char *value = equals ? equals + 1 : text;
    for (unsigned k = 0; k < ITEMS; k++) {
        if (strlen(items[k].name) != name_len || memcmp(items[k].name, name, name_len) != 0) {
            continue;
        }
        int64_t n;
        if (*seen >> k & 1 || !number(value, len - (size_t)(value - text), &n) ||
            n < items[k].min || n > items[k].max) {
            return false;
        }
        *seen |= 1u << k;
        *(int64_t *)((char *)g + items[k].at) = n;
        return true;
    }
    return false;
}

bool lab_gen_parse(struct lab_gen *g, const char *text, size_t len, char sep)
{
    unsigned seen = 0;
    const char *end = text + len;
    *g = (struct lab_gen){.pages = 1000, .size = 20480, .links = 40, .fan = 8, .seed = 1};
    while (text < end) {
        const char *stop = memchr(text, sep, (size_t)(end - text));
        stop = stop ? stop : end;
        if (!parse_item(g, text, (size_t)(stop - text), &seen)) {
            return false;
        }
        text = stop < end ? stop + 1 : end;
    }
    g->fan = g->fan < g->links ? g->fan : g->links;
    return true;
}

/* ---- a page ---- */

static const char prose[] =
    "The mill stood where two brooks met, and nobody in the valley could say which of them drove "
    "it. In dry years the miller swore by the northern one, in wet years by the other, and in most "
    "years he swore at both. A clerk came up from the town to measure them. He stayed a week, "
    "counted barrels, wrote the sums into a green book, and left without telling anyone what they "
    "came to. The book is in the archive still. Whoever opens it finds that the page was never "
    "filled in, only ruled, with a pencil line under every tenth row and a pressed leaf between "
    "the covers. Children were told that the brooks took turns. The schoolmaster, who had read a "
    "little, held that it could be settled in an afternoon with a sack of chaff, but he was never "
    "seen to try, and after him the question went to the road builders, who put one of the brooks "
    "into a pipe and did not write down which. ";

static void put_prose(struct lab_text *t, uint64_t from, size_t n)
{
    const size_t len = sizeof prose - 1;
    for (size_t at = (size_t)(from % len); n > 0; at = 0) {
        size_t run = len - at < n ? len - at : n;
        lab_text_bytes(t, prose + at, run);
        n -= run;
    }
}

static uint64_t link_hash(const struct lab_gen *g, int64_t i, int64_t k)
{
    return lab_query_mix((uint64_t)(i * g->links + k), (uint64_t)g->seed);
}

int64_t lab_gen_link(const struct lab_gen *g, int64_t i, int64_t k)
{
    const int64_t last = i * g->fan + g->fan < g->pages ? i * g->fan + g->fan : g->pages - 1;
    const int64_t child = i * g->fan + 1 + k;
    return child <= last ? child : (int64_t)(link_hash(g, i, k) >> 8) % (last + 1);
}

/* The same link in one of the forms that a site's pages use. */
static void put_link(struct lab_text *t, const char *folder, size_t folder_len, const char *host,
                     int64_t to, uint64_t form)
{
    int len = (int)folder_len;
    long page = (long)to;
    switch (form % 6) {
    case 0:
        lab_text_put(t, "<a href=\"%ld.html\">", page);
        break;
    case 1:
        lab_text_put(t, "<a href='./%ld.html'>", page);
        break;
    case 2:
        lab_text_put(t, "<a class=\"x\" href=\"/gen/%.*s/%ld.html\">", len, folder, page);
        break;
    case 3:
        lab_text_put(t, "<A HREF=../%.*s/%ld.html>", len, folder, page);
        break;
    case 4:
        lab_text_put(t, "<a href=\"%ld.html#part-2\">", page);
        break;
    default:
        lab_text_put(t, "<a href=\"%s%s/gen/%.*s/%ld.html\">", host ? "http://" : "",
                     host ? host : "", len, folder, page);
        break;
    }
    lab_text_put(t, "page %ld</a>", page);
}

void lab_gen_page(const struct lab_gen *g, const char *folder, size_t folder_len, const char *host,
                  int64_t i, struct lab_text *out)
{
    static const char foot[] = "</p>\n</body>\n</html>\n";
    char title[80];
    snprintf(title, sizeof title, "Page %ld of %ld", (long)i, (long)g->pages);
    lab_text_head(out, title);
    lab_text_put(out, "<p>\n");
    for (int64_t k = 0; k < g->links; k++) {
        uint64_t h = link_hash(g, i, k);
        int64_t to = lab_gen_link(g, i, k);
        size_t due = (size_t)(g->size * (k + 1) / (g->links + 1)); /* spread evenly */
        if (out->buf.len < due) {
            put_prose(out, h, due - out->buf.len);
        }
        put_link(out, folder, folder_len, host, to, h);
        lab_text_put(out, k % 4 == 3 ? "</p>\n<p>" : " ");
    }
    if (out->buf.len + sizeof foot - 1 < (size_t)g->size) {
        put_prose(out, (uint64_t)i, (size_t)g->size - out->buf.len - (sizeof foot - 1));
    }
    lab_text_put(out, "%s", foot);
}

/* ---- the special page ---- */

/* The folder's name in r's target, behind "/gen/"; *len is 0 if there is none. */
static const char *folder_of(const struct lab_request *r, size_t *len)
{
    const char *folder = r->path + strlen("/gen");
    folder += *folder == '/';
    *len = strcspn(folder, "/");
    return folder;
}

int64_t lab_gen_hold_ms(const struct lab_request *r)
{
    struct lab_gen g;
    size_t len;
    const char *folder = folder_of(r, &len);
    return lab_gen_parse(&g, folder, len, ',') ? g.ms : 0;
}

/* "/gen/?pages=9&size=100" and "/gen/FOLDER" go to the first page of their site. */
static enum weft_status answer_start(struct lab_request *r, struct lab_reply *reply,
                                     const struct lab_gen *g, const char *folder, size_t len)
{
    char location[512];
    struct lab_gen asked;
    if (len > 0) {
        snprintf(location, sizeof location, "/gen/%.*s/0.html", (int)len, folder);
        return lab_reply_redirect(reply, MHD_HTTP_FOUND, location);
    }
    if (!lab_gen_parse(&asked, r->query, strlen(r->query), '&')) {
        return lab_reply_page(reply, MHD_HTTP_BAD_REQUEST, "There is no such generated site.");
    }
    g = *r->query ? &asked : g;
    snprintf(location, sizeof location,
             "/gen/pages=%ld,size=%ld,links=%ld,fan=%ld,seed=%ld,ms=%ld/0.html", (long)g->pages,
             (long)g->size, (long)g->links, (long)g->fan, (long)g->seed, (long)g->ms);
    return lab_reply_redirect(reply, MHD_HTTP_FOUND, location);
}

enum weft_status lab_gen_answer(struct lab_request *r, struct lab_reply *reply)
{
    struct lab_gen g;
    struct lab_text t;
    int64_t page;
    size_t len;
    const char *folder = folder_of(r, &len);
    if (len > 200 || !lab_gen_parse(&g, folder, len, ',')) {
        return lab_reply_missing(reply);
    }
    const char *name = folder[len] == '/' ? folder + len + 1 : folder + len;
    if (*name == '\0') {
        return answer_start(r, reply, &g, folder, len);
    }
    const char *dot = strchr(name, '.');
    if (!dot || strcmp(dot, ".html") != 0 || !number(name, (size_t)(dot - name), &page) ||
        page >= g.pages || (name[0] == '0' && dot - name > 1)) {
        return lab_reply_missing(reply);
    }
    lab_text_init(&t);
    lab_gen_page(&g, folder, len,
                 MHD_lookup_connection_value(r->connection, MHD_HEADER_KIND, "Host"), page, &t);
    enum weft_status st = lab_reply_text(reply, MHD_HTTP_OK, LAB_HTML, &t);
    lab_text_release(&t);
    return st;
}

/* lab_stats_page.c -- the counters over HTTP: JSON for scripts, a page for people. */
#include "lab/lab_query.h"
#include "lab/lab_reply.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* A browser says that it reads HTML; others get JSON unless they ask for the page by name. */
static bool wants_page(const struct lab_request *r)
{
    size_t len;
    const char *format = lab_query_find(r->query, "format", &len);
    if (format) {
        return len == 4 && strncmp(format, "html", 4) == 0;
    }
    const char *accept = MHD_lookup_connection_value(r->connection, MHD_HEADER_KIND, "Accept");
    return accept && strstr(accept, "text/html");
}

static void put_value(struct lab_text *t, const char *name, json_t *value)
{
    lab_text_put(t, "<tr><th scope=\"row\">%s</th><td>", name);
    if (json_is_integer(value)) {
        lab_text_put(t, "%lld", (long long)json_integer_value(value));
    } else if (json_is_real(value)) {
        lab_text_put(t, "%.6f", json_real_value(value));
    }
    lab_text_put(t, "</td></tr>\n");
}

/* A list of objects as a table, a column for each of their members. */
static void put_table(struct lab_text *t, const char *caption, json_t *list)
{
    size_t i;
    json_t *row, *value;
    const char *name;
    lab_text_put(t, "<table>\n<caption>%s</caption>\n", caption);
    json_array_foreach(list, i, row)
    {
        lab_text_put(t, "<tr>");
        json_object_foreach(row, name, value)
        {
            if (json_is_string(value)) {
                lab_text_put(t, "<th scope=\"row\">");
                lab_text_escaped(t, json_string_value(value));
                lab_text_put(t, "</th>");
            } else {
                lab_text_put(t, "<td>%lld %s</td>", (long long)json_integer_value(value), name);
            }
        }
        lab_text_put(t, "</tr>\n");
    }
    lab_text_put(t, "</table>\n");
}

static void put_page(struct lab_text *t, json_t *all)
{
    const char *name, *inner;
    json_t *value, *part;
    lab_text_head(t, "What the server saw");
    lab_text_put(t, "<table>\n");
    json_object_foreach(all, name, value)
    {
        json_object_foreach(value, inner, part)
        { /* nothing for a number */
            put_value(t, inner, part);
        }
        if (json_is_number(value)) {
            put_value(t, name, value);
        }
    }
    lab_text_put(t, "</table>\n");
    put_table(t, "hosts", json_object_get(all, "hosts"));
    put_table(t, "paths", json_object_get(all, "paths"));
    lab_text_put(t, "<p><a href=\"/reset-stats\">Set them to zero</a></p>\n");
    lab_text_foot(t);
}

static void put_json(struct lab_text *t, json_t *all)
{
    char *text = json_dumps(all, JSON_INDENT(1));
    if (text) {
        lab_text_put(t, "%s\n", text);
    } else {
        t->status = WEFT_ENOMEM;
    }
    free(text);
}

enum weft_status lab_stats_answer(struct lab_request *r, struct lab_reply *reply)
{
    struct lab_text t;
    int64_t paths = 100;
    bool page = wants_page(r);
    if (!lab_query_number(r->query, "paths", 0, 1000, &paths)) {
        return lab_reply_bad(reply, "paths");
    }
    json_t *all = lab_stats_json(&r->lab->stats, (size_t)paths);
    if (!all) {
        return WEFT_ENOMEM;
    }
    lab_text_init(&t);
    if (page) {
        put_page(&t, all);
    } else {
        put_json(&t, all);
    }
    json_decref(all);
    enum weft_status st = lab_reply_text(reply, MHD_HTTP_OK, page ? LAB_HTML : "application/json",
                                         &t);
    lab_text_release(&t);
    return st == WEFT_OK ? lab_reply_header(reply, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store") : st;
}

enum weft_status lab_reset_stats_answer(struct lab_request *r, struct lab_reply *reply)
{
    weft_lab_reset_stats(r->lab);
    enum weft_status st = lab_reply_page(reply, MHD_HTTP_OK, "The counters are zero.");
    return st == WEFT_OK ? lab_reply_header(reply, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store") : st;
}

/* lab_stats_json.c -- the counters as a JSON object, for scripts and for the page. */
#include "lab/lab_stats.h"

#include <string.h>

#define MAX_TOP 1000u /* paths that one answer lists */

/* Text from a request may be any bytes; JSON is UTF-8. What isn't ASCII is written as "%XX", which
 * is how it would stand in a URL. NULL: no memory. */
static json_t *json_text(const char *bytes)
{
    static const char hex[] = "0123456789ABCDEF";
    struct weft_buf b;
    json_t *text = NULL;
    weft_buf_init(&b, 4 * (size_t)WEFT_LAB_MAX_REQUEST);
    enum weft_status st = weft_buf_reserve(&b, 1);
    for (const unsigned char *p = (const unsigned char *)bytes; *p && st == WEFT_OK; p++) {
        char coded[3] = {'%', hex[*p >> 4], hex[*p & 15]};
        bool plain = *p >= 0x20 && *p < 0x7f;
        st = weft_buf_append(&b, plain ? (const char *)p : coded, plain ? 1 : 3);
    }
    if (st == WEFT_OK) {
        text = json_stringn(b.data, b.len);
    }
    weft_buf_release(&b);
    return text;
}

static json_t *counters(const struct weft_lab_stats *n)
{
    double span = n->requests && n->last_answer > n->first_request
                      ? (double)(n->last_answer - n->first_request) / (double)WEFT_SECOND
                      : 0;
    return json_pack("{sI sI sI s{sI sI sI sI} sI sI sI sI sI sI sI si si si si sf sI sI}",
                     "requests", (json_int_t)n->requests, "answered", (json_int_t)n->answered,
                     "abandoned", (json_int_t)n->abandoned, "statuses", "2xx",
                     (json_int_t)n->by_class[2], "3xx", (json_int_t)n->by_class[3], "4xx",
                     (json_int_t)n->by_class[4], "5xx", (json_int_t)n->by_class[5], "status_429",
                     (json_int_t)n->too_many, "refused", (json_int_t)n->refused, "misdirected",
                     (json_int_t)n->misdirected, "distinct", (json_int_t)n->paths, "repeated",
                     (json_int_t)n->repeated, "untracked", (json_int_t)n->untracked, "connections",
                     (json_int_t)n->connections, "open", (int)n->open, "open_peak",
                     (int)n->open_peak, "in_flight", (int)n->in_flight, "in_flight_peak",
                     (int)n->in_flight_peak, "span_s", span, "first_request_ns",
                     (json_int_t)n->first_request, "last_answer_ns", (json_int_t)n->last_answer);
}

/* s->lock is held. */
static json_t *hosts(const struct lab_stats *s)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->nhosts && list; i++) {
        const struct lab_host_count *h = &s->hosts[i];
        if (h->requests == 0) {
            continue;
        }
        json_t *one = json_pack("{so sI si si}", "host", json_text(h->name), "requests",
                                (json_int_t)h->requests, "in_flight", (int)h->in_flight,
                                "in_flight_peak", (int)h->in_flight_peak);
        if (json_array_append_new(list, one) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    return list;
}

/* s->lock is held. */
static json_t *paths(const struct lab_stats *s, size_t max)
{
    size_t top[MAX_TOP];
    json_t *list = json_array();
    size_t n = lab_paths_top(&s->paths, top, max < MAX_TOP ? max : MAX_TOP);
    for (size_t i = 0; i < n && list; i++) {
        const struct lab_path *p = &s->paths.list[top[i]];
        json_t *one = json_pack("{so sI}", "path", json_text(s->paths.text.data + p->at),
                                "requests", (json_int_t)p->count);
        if (json_array_append_new(list, one) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    return list;
}

json_t *lab_stats_json(struct lab_stats *s, size_t max_paths)
{
    pthread_mutex_lock(&s->lock);
    struct weft_lab_stats n = s->n;
    n.paths = s->paths.n;
    json_t *by_host = hosts(s), *by_path = paths(s, max_paths);
    pthread_mutex_unlock(&s->lock);
    json_t *all = counters(&n);
    /* The "new" calls take what they are given even when they fail, NULL included. */
    bool ok = json_object_set_new(all, "hosts", by_host) == 0;
    ok = json_object_set_new(all, "paths", by_path) == 0 && ok;
    if (!ok) {
        json_decref(all);
        all = NULL;
    }
    return all;
}

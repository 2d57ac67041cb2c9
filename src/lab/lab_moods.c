/* lab_moods.c -- the pages that are slow, silent, flaky, limited, elsewhere or gone on purpose. */
#include "lab/lab_query.h"
#include "lab/lab_reply.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FAILS 1000000
#define MAX_RATE  1000000
#define MAX_HOPS  1000

/* What stands behind "/name/" in the path, or "". */
static const char *rest_of(const struct lab_request *r)
{
    const char *rest = r->path + strlen(r->endpoint->path);
    return *rest == '/' ? rest + 1 : rest;
}

/* A whole number 0..max that is all of text; -1: it is none. */
static long number_in(const char *text, long max)
{
    if (*text == '\0' || strlen(text) > 6 || text[strspn(text, "0123456789")] != '\0') {
        return -1;
    }
    long n = strtol(text, NULL, 10);
    return n <= max ? n : -1;
}

static enum weft_status retry_later(struct lab_reply *reply, unsigned status, const char *message)
{
    enum weft_status st = lab_reply_page(reply, status, message);
    return st == WEFT_OK ? lab_reply_header(reply, MHD_HTTP_HEADER_RETRY_AFTER, "1") : st;
}

enum weft_status lab_slow_answer(struct lab_request *r, struct lab_reply *reply)
{
    (void)r;
    return lab_reply_page(reply, MHD_HTTP_OK, "Here it is.");
}

/* Comes only when the longest time that anything is held is over. */
enum weft_status lab_hang_answer(struct lab_request *r, struct lab_reply *reply)
{
    (void)r;
    reply->status = 0;
    return WEFT_OK;
}

enum weft_status lab_reset_answer(struct lab_request *r, struct lab_reply *reply)
{
    (void)r;
    reply->status = 0;
    reply->reset = true;
    return WEFT_OK;
}

enum weft_status lab_flaky_answer(struct lab_request *r, struct lab_reply *reply)
{
    int64_t fail = 2;
    if (!lab_query_number(r->query, "fail", 0, MAX_FAILS, &fail)) {
        return lab_reply_bad(reply, "fail");
    }
    if (lab_faults_flaky(&r->lab->faults, r->target, strlen(r->target), (uint64_t)fail)) {
        return lab_reply_page(reply, MHD_HTTP_SERVICE_UNAVAILABLE, "Not yet; try again.");
    }
    return lab_reply_page(reply, MHD_HTTP_OK, "Now it is fine.");
}

enum weft_status lab_limited_answer(struct lab_request *r, struct lab_reply *reply)
{
    int64_t rate = 5, burst = -1;
    size_t len = 0;
    if (!lab_query_number(r->query, "rate", 0, MAX_RATE, &rate)) {
        return lab_reply_bad(reply, "rate");
    }
    if (!lab_query_number(r->query, "burst", 1, MAX_RATE, &burst)) {
        return lab_reply_bad(reply, "burst");
    }
    if (burst < 0) {
        burst = rate ? rate : 1;
    }
    const char *name = lab_query_find(r->query, "key", &len);
    uint64_t key = lab_query_hash(name ? name : "", len, (uint64_t)(rate * (MAX_RATE + 1) + burst));
    if (!lab_faults_token(&r->lab->faults, key | 1, rate, burst, weft_now())) {
        return retry_later(reply, MHD_HTTP_TOO_MANY_REQUESTS, "Too many requests a second.");
    }
    return lab_reply_page(reply, MHD_HTTP_OK, "Within the limit.");
}

enum weft_status lab_status_answer(struct lab_request *r, struct lab_reply *reply)
{
    char later[64];
    size_t len = 0;
    long status = number_in(rest_of(r), 599);
    if (status < 200) {
        return lab_reply_page(reply, MHD_HTTP_BAD_REQUEST, "A status is a number 200..599.");
    }
    enum weft_status st = lab_reply_page(reply, (unsigned)status, "As asked for.");
    const char *after = lab_query_find(r->query, "retry-after", &len);
    if (st == WEFT_OK && after && len > 0 && len < sizeof later) {
        lab_query_decode(later, after, len);
        st = lab_reply_header(reply, MHD_HTTP_HEADER_RETRY_AFTER, later);
    }
    return st;
}

enum weft_status lab_unreliable_answer(struct lab_request *r, struct lab_reply *reply)
{
    int64_t ppm = 50000, seed = 1;
    if (!lab_query_ppm(r->query, "rate", &ppm)) {
        return lab_reply_bad(reply, "rate");
    }
    if (!lab_query_number(r->query, "seed", 0, INT32_MAX, &seed)) {
        return lab_reply_bad(reply, "seed");
    }
    uint64_t h = lab_query_hash(r->path, strlen(r->path), (uint64_t)seed);
    if ((int64_t)(h % 1000000) < ppm) {
        return lab_reply_page(reply, MHD_HTTP_SERVICE_UNAVAILABLE, "Not this one.");
    }
    return lab_reply_page(reply, MHD_HTTP_OK, "This one is fine.");
}

enum weft_status lab_redirect_answer(struct lab_request *r, struct lab_reply *reply)
{
    char location[128];
    int64_t status = MHD_HTTP_FOUND;
    long hops = number_in(rest_of(r), MAX_HOPS);
    if (hops < 0) {
        return lab_reply_page(reply, MHD_HTTP_BAD_REQUEST, "The hops are a number 0..1000.");
    }
    if (!lab_query_number(r->query, "status", 300, 308, &status)) {
        return lab_reply_bad(reply, "status");
    }
    if (hops == 0) {
        return lab_reply_page(reply, MHD_HTTP_OK, "The end of the redirects.");
    }
    if (status == MHD_HTTP_FOUND) {
        snprintf(location, sizeof location, "%s/%ld", r->endpoint->path, hops - 1);
    } else {
        snprintf(location, sizeof location, "%s/%ld?status=%d", r->endpoint->path, hops - 1,
                 (int)status);
    }
    return lab_reply_redirect(reply, (unsigned)status, location);
}

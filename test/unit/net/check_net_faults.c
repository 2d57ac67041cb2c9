/* check_net_faults.c -- the n-th allocation or lock fails, through the whole life of a network, a
 * client and a loop: nothing leaks, hangs or is lost, and what came before is still sound. */
#include "server.h"
#include "weft/loop.h"

#include "support/faults/faults.h"
#include "support/suite.h"
#include <stdio.h>
#include <string.h>

static struct server *s;

static void play(struct peer *p)
{
    while (peer_read(p)) {
        peer_answer(p, "200 OK",
                    "Content-Type: text/html\r\nContent-Encoding: identity\r\nLocation: "
                    "/x\r\nSet-Cookie: a=b\r\nETag: \"1\"\r\n",
                    p->path);
    }
}

static const struct weft_net_options *options(void)
{
    static const char *const headers[] = {"X-A: 1", "Authorization: t", NULL};
    static const char *const hosts[] = {"127.0.0.1", NULL};
    static const char *const resolve[] = {"www.example.com:80:127.0.0.1", NULL};
    static struct weft_net_options o;
    o = (struct weft_net_options){.headers = headers,
                                  .credentials = "a:b",
                                  .credential_hosts = hosts,
                                  .cookie_file = "a=b",
                                  .resolve = resolve,
                                  .keep_wire = true,
                                  .timeout = 20 * WEFT_SECOND};
    return &o;
}

/* What went wrong that may not. Check's assertions allocate, so they have to wait until no fault is
 * set any more. */
static const char *wrong;

static void must(bool so, const char *what)
{
    wrong = so ? wrong : what;
}

/* A fetch either says so at once, or ends in a way that it can end; a good end is a good answer. */
static bool sound(enum weft_status st, const struct weft_response *r)
{
    if (st != WEFT_OK) {
        must(st == WEFT_ENOMEM, "status");
        return false;
    }
    if (r->end != WEFT_FETCH_DONE) {
        must(r->end == WEFT_FETCH_FAILED, "end");
        must(r->error[0] != '\0', "no sentence");
        return false;
    }
    must(r->body && !strcmp(r->body, "/path"), "body");
    must(r->content_type && !strcmp(r->content_type, "text/html"), "Content-Type");
    must(r->location && !strcmp(r->location, "/x"), "Location");
    must(r->etag && !strcmp(r->etag, "\"1\""), "ETag");
    must(r->wire_answer && r->wire_answer_len > 0, "wire");
    must(r->cookies != NULL, "cookies");
    return true;
}

/* True: everything went well. */
static bool blocking_life(struct weft_response *r)
{
    struct weft_net *net = NULL;
    struct weft_client *c = NULL;
    bool well = false;
    if (weft_net_new(&net, options()) == WEFT_OK && weft_client_new(&c, net) == WEFT_OK) {
        const struct weft_request q = {.url = server_url(s, "/path"), .if_none_match = "\"0\""};
        bool first = sound(weft_client_fetch(c, &q, r), r);
        well = sound(weft_client_fetch(c, &q, r), r) && first;
    }
    weft_client_free(c);
    must(weft_net_free(net) == WEFT_OK, "free");
    return well;
}

/* All that was started comes back, once. */
static bool loop_fetches(struct weft_loop *l, struct weft_response *r)
{
    struct weft_response second;
    weft_response_init(&second);
    const struct weft_request q = {.url = server_url(s, "/path"), .if_none_match = "\"0\""};
    struct weft_response *both[] = {r, &second};
    unsigned started = 0;
    void *tag;
    for (int i = 0; i < 2; i++) {
        enum weft_status st = weft_loop_start(l, &q, both[i], both[i]);
        must(st == WEFT_OK || st == WEFT_ENOMEM, "start");
        started += st == WEFT_OK;
    }
    bool well = started == 2;
    for (; started; started--) {
        must(weft_loop_next(l, WEFT_FOREVER, &tag) == WEFT_OK, "next");
        well = sound(WEFT_OK, tag) && well;
    }
    must(weft_loop_next(l, WEFT_POLL, &tag) == WEFT_ETIMEDOUT, "one too many");
    weft_response_release(&second);
    return well;
}

static bool loop_life(struct weft_response *r)
{
    struct weft_net *net = NULL;
    struct weft_loop *l = NULL;
    bool well = weft_net_new(&net, options()) == WEFT_OK && weft_loop_new(&l, net, 8) == WEFT_OK &&
                loop_fetches(l, r);
    weft_loop_free(l);
    must(weft_net_free(net) == WEFT_OK, "free");
    return well;
}

/* Lets the first, the second... fail, until none is left; how many there were. */
static unsigned run_with(void (*set_fault)(long), bool (*life)(struct weft_response *))
{
    unsigned faults = 0;
    for (long n = 1;; n++) {
        struct weft_response r;
        weft_response_init(&r);
        wrong = NULL;
        set_fault(n);
        bool well = life(&r);
        bool hit = faults_hit();
        set_fault(0);
        ck_assert_msg(!wrong, "fault %ld: %s", n, wrong);
        ck_assert_msg(well || hit, "no fault, and yet it failed: %s", r.error);
        weft_response_release(&r);
        if (!hit) {
            return faults;
        }
        faults++;
    }
}

START_TEST(any_allocation_may_fail)
{
    void (*const fails[])(long) = {faults_alloc_at, faults_alloc_from};
    s = server_start(play, NULL);
    ck_assert_uint_ge(run_with(fails[_i % 2], _i / 2 ? loop_life : blocking_life), 10);
    server_stop(s);
}
END_TEST

START_TEST(any_lock_may_fail)
{
    s = server_start(play, NULL);
    ck_assert_uint_ge(run_with(faults_init_at, blocking_life), 3);
    server_stop(s);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("faults");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, any_allocation_may_fail, 0, 4);
    tcase_add_test(tc, any_lock_may_fail);
    return suite_run("net: faults", tc);
}

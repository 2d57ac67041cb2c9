/* check_on_record.c -- an on_record that wants bodies and links gets them with every engine, from
 * crawls, lists and the caller's own fetch; one that doesn't want them gets neither. */
#include "crawled.h"
#include "lab/lab.h"
#include "support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SEEDS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Nothing here is text to the end: a body is bytes. */
static const struct {
    const char *name, *body;
    size_t len;
} files[] = {
    {"index.html", "<a href=b.html>b</a><a href=/pic.png>p</a><a href=b.html#x>b again</a>", 0},
    {"b.html", "<a href=/ rel=nofollow>home</a><a href='http://['>no URL</a><a href=c>c</a>", 0},
    {"c", "no page, <a href=/never>no link</a>", 0},
    {"pic.png", "\x89PNG\r\n\0\0\xff", 9},
    {"routes", "/c type=text/plain\n/old status=301 location=/b.html\n", 0},
};
enum { NFILES = sizeof files / sizeof files[0] };

static char folder[64];
static struct weft_lab *lab;

static void set_up(void)
{
    char path[128], error[256];
    snprintf(folder, sizeof folder, "/tmp/weft-told-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    for (int i = 0; i < NFILES; i++) {
        size_t len = files[i].len ? files[i].len : strlen(files[i].body);
        snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
        FILE *f = fopen(path, "w");
        ck_assert_ptr_nonnull(f);
        ck_assert_uint_eq(fwrite(files[i].body, 1, len, f), len);
        ck_assert_int_eq(fclose(f), 0);
    }
    ck_assert_msg(weft_lab_start(&lab, &(struct weft_lab_options){.dir = folder}, error,
                                 sizeof error) == WEFT_OK,
                  "%s", error);
}

static void tear_down(void)
{
    char path[128];
    weft_lab_stop(lab);
    for (int i = 0; i < NFILES; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
        unlink(path);
    }
    rmdir(folder);
}

/* What was told, by file, and the answers that are no file. */
struct told {
    bool body, links; /* what is wanted */
    bool list;        /* a redirect's record is that of the page where it led */
    unsigned seen[NFILES], others;
};

static void body_is(const struct told *t, const struct weft_record *r, int i)
{
    size_t len = files[i].len ? files[i].len : strlen(files[i].body);
    ck_assert_uint_eq(r->body_len, t->body ? len : 0);
    ck_assert(!t->body || memcmp(r->body, files[i].body, len) == 0);
    ck_assert(!t->body || (!r->unwanted && r->bytes == len));
}

static void links_are(const struct told *t, const struct weft_record *r, const char *first,
                      const char *second)
{
    const char *const want[] = {first, second};
    ck_assert_uint_eq(r->nlinks, (first != NULL) + (second != NULL));
    ck_assert_int_eq(r->links != NULL, t->links);
    for (unsigned i = 0; r->links && i < r->nlinks; i++) {
        size_t url = strlen(r->links[i].url), end = strlen(want[i]);
        ck_assert_msg(url >= end && strcmp(r->links[i].url + url - end, want[i]) == 0, "%s",
                      r->links[i].url);
        ck_assert_int_eq(r->links[i].nofollow, strcmp(want[i], "/") == 0);
    }
}

static void note(struct crawled *c, const struct weft_record *r)
{
    struct told *t = c->user;
    const char *path = r->final_url ? r->final_url + strlen(c->base) : "";
    if (strcmp(path, "/") == 0) {
        body_is(t, r, 0);
        links_are(t, r, "/b.html", "/pic.png");
        t->seen[0]++;
    } else if (strcmp(path, "/b.html") == 0 && (t->list || !r->nredirects)) {
        body_is(t, r, 1);
        links_are(t, r, "/", "/c");
        t->seen[1]++;
    } else if (strcmp(path, "/c") == 0) {
        body_is(t, r, 2);
        links_are(t, r, NULL, NULL);
        t->seen[2]++;
    } else if (strcmp(path, "/pic.png") == 0) {
        body_is(t, r, 3);
        links_are(t, r, NULL, NULL);
        t->seen[3]++;
    } else { /* a 404, what is no URL, a crawl's redirect: the page is told of elsewhere */
        ck_assert(!r->links || r->nlinks == 0);
        ck_assert_int_eq(r->status == 404 && t->body, r->body_len > 0);
        t->others++;
    }
}

static struct weft_crawl_options wanting(struct crawled *c, struct told *t, int which)
{
    crawled_init(c, weft_lab_url(lab, 0));
    c->on_record = note;
    c->user = t;
    t->body = which & 1;
    t->links = which & 2;
    return (struct weft_crawl_options){
        .jobs = 4, .want_body = t->body, .want_links = t->links, .seed = 1};
}

static void each_was_told_once(const struct told *t, unsigned others)
{
    for (int i = 0; i < 4; i++) {
        ck_assert_msg(t->seen[i] == 1, "%s: %u times", files[i].name, t->seen[i]);
    }
    ck_assert_uint_eq(t->others, others);
}

START_TEST(a_crawl_tells_what_is_wanted)
{
    for (int which = 0; which < 4; which++) {
        struct told t = {0};
        struct crawled c;
        struct weft_crawl_options o = wanting(&c, &t, which);
        crawled_run(&c, o, &variants[_i], SEEDS("/", "/missing", "/old"));
        each_was_told_once(&t, 3);
        crawled_release(&c);
    }
}
END_TEST

/* An output that wants more, or less, than on_record does: each gets its own. */
START_TEST(outputs_beside_it_change_nothing)
{
    char save[96], dot[96], command[512];
    snprintf(save, sizeof save, "%s.saved", folder);
    snprintf(dot, sizeof dot, "%s.dot", folder);
    for (int which = 0; which < 4; which++) {
        struct told t = {0};
        struct crawled c;
        struct weft_crawl_options o = wanting(&c, &t, which);
        o.outputs = which & 1 ? SEEDS(dot) : NULL;
        o.save_dir = which & 1 ? NULL : save;
        o.overwrite = true;
        if (o.save_dir) {
            t.body = false; /* it is not asked for, so it is not given */
        }
        crawled_run(&c, o, &variants[_i], SEEDS("/", "/missing", "/old"));
        each_was_told_once(&t, 3);
        crawled_release(&c);
    }
    snprintf(command, sizeof command, "grep -q '/b.html.*/c' %s && cmp %s/pic.png %s/*/pic.png",
             dot, folder, save);
    ck_assert_int_eq(system(command), 0);
    snprintf(command, sizeof command, "rm -r %s %s", dot, save);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

/* ---- a list, whose records may wait for their turn */

struct list {
    struct crawled crawled;
    const char *const *at;
    char url[256];
};

static enum weft_status next_url(void *user, const char **url, size_t *len)
{
    struct list *l = user;
    if (!*l->at) {
        return WEFT_END;
    }
    snprintf(l->url, sizeof l->url, "%s%s", l->crawled.base, *l->at++);
    *url = l->url;
    *len = strlen(l->url);
    return WEFT_OK;
}

START_TEST(a_list_tells_what_is_wanted)
{
    for (int which = 0; which < 8; which++) {
        struct told t = {0};
        struct list l;
        struct weft_crawl_options o = wanting(&l.crawled, &t, which & 3);
        t.list = true;
        l.at = SEEDS("/missing", "/old", "/", "/c", "/pic.png");
        o.next_url = next_url;
        o.ordered = which & 4;
        crawled_run(&l.crawled, o, &variants[_i], SEEDS(NULL));
        each_was_told_once(&t, 1);
        crawled_release(&l.crawled);
    }
}
END_TEST

/* ---- the caller's own fetch */

static void fetch(void *context, const struct weft_request *request, struct weft_response *response,
                  const struct weft_stop *stop)
{
    const char *path = strchr(request->url + strlen("http://"), '/');
    (void)context;
    (void)stop;
    static const char *const paths[] = {"/", "/b.html", "/c", "/pic.png", NULL};
    static const char *const types[] = {"text/html", "text/html", "text/plain", "image/png",
                                        "text/plain"};
    int i = 0;
    while (paths[i] && strcmp(path, paths[i]) != 0) {
        i++;
    }
    const char *body = paths[i] ? files[i].body : "none";
    size_t len = paths[i] && files[i].len ? files[i].len : strlen(body);
    response->end = WEFT_FETCH_DONE;
    response->status = paths[i] ? 200 : 404;
    if (weft_response_set(response, &response->content_type, types[i], strlen(types[i])) !=
            WEFT_OK ||
        weft_response_append(response, body, len) != WEFT_OK) {
        response->end = WEFT_FETCH_FAILED;
    }
}

START_TEST(the_callers_own_fetch_tells_what_is_wanted)
{
    for (int which = 0; which < 4; which++) {
        struct told t = {0};
        struct crawled c;
        struct weft_crawl_options o = wanting(&c, &t, which);
        o.fetch = fetch;
        crawled_run(&c, o, &variants[_i], SEEDS("/", "/missing"));
        each_was_told_once(&t, 2);
        crawled_release(&c);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("on_record");
    tcase_set_timeout(tc, 120);
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_loop_test(tc, a_crawl_tells_what_is_wanted, 0, NVARIANTS);
    tcase_add_loop_test(tc, outputs_beside_it_change_nothing, 0, NVARIANTS);
    tcase_add_loop_test(tc, a_list_tells_what_is_wanted, 0, NVARIANTS);
    tcase_add_loop_test(tc, the_callers_own_fetch_tells_what_is_wanted, 0, 2);
    return suite_run("cli: bodies and links for on_record", tc);
}

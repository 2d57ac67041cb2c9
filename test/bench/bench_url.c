/* bench_url.c -- what a link costs: resolve against the page's URL, and key. Clean ASCII links as
 * documentation has them, relative and absolute; in microseconds a link. Rounds are short and the
 * best one counts, so that a busy machine does not. */
#include "weft/clock.h"
#include "weft/url.h"

#include <stdio.h>
#include <string.h>

#define ROUNDS 500
#define REPEAT 200

struct set {
    const char *name;
    const char *links[8];
};

static const char base_text[] = "https://docs.example.org/3/library/index.html";
static const struct set sets[] = {
    {"relative",
     {"os.path.html", "../howto/sockets.html", "concurrent.futures.html#executor-objects",
      "../genindex.html", "#module-contents", "../_static/pygments.css",
      "xml.etree.elementtree.html", "../tutorial/controlflow.html#more-on-defining-functions"}},
    {"absolute path",
     {"/3/library/os.path.html", "/3/", "/3/howto/sockets.html#nonblocking", "/about/",
      "/3/library/concurrent.futures.html", "/download/releases/source/",
      "/search?q=futures&area=c", "/3/genindex-all.html"}},
    {"absolute",
     {"https://docs.example.org/3/library/os.path.html", "https://www.example.org/",
      "https://www.example.org/psf/donations/", "https://github.example.com/weft/weft/issues/1234",
      "http://mail.example.net:8080/archives/list/announce?page=2",
      "https://en.wikipedia.example/wiki/Futures_and_promises", "https://example.org/license.html",
      "https://docs.example.org/3/bugs.html#reporting"}},
    {"escaped",
     {"/wiki/C%2B%2B?action=edit", "/wiki/%41pple%20pie", "a b.html", "/caf\u00e9/men\u00fc.html",
      "?q=\u00e9t\u00e9", "%7euser/", "/a/./b/../c.html", "http://EXAMPLE.org:80/"}},
};

/* Nanoseconds for REPEAT times the set; the sum keeps the work from being optimised away. */
static weft_time run(const struct set *s, const struct weft_url *base, size_t *sum)
{
    char buf[512], key[512];
    weft_time start = weft_now();
    for (int i = 0; i < REPEAT; i++) {
        for (size_t k = 0; k < 8; k++) {
            struct weft_url u;
            size_t len = 0;
            if (weft_url_parse(&u, buf, sizeof buf, base, s->links[k], strlen(s->links[k]), NULL) ==
                    WEFT_OK &&
                weft_url_key(&u, 0, key, sizeof key, &len) == WEFT_OK) {
                *sum += len + (unsigned char)key[len / 2];
            }
        }
    }
    return weft_now() - start;
}

int main(void)
{
    char base_buf[128];
    struct weft_url base;
    size_t sum = 0;
    if (weft_url_parse(&base, base_buf, sizeof base_buf, NULL, base_text, strlen(base_text),
                       NULL) != WEFT_OK) {
        return 1;
    }
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        weft_time best = WEFT_FOREVER;
        for (int round = 0; round < ROUNDS; round++) {
            weft_time t = run(&sets[i], &base, &sum);
            best = t < best ? t : best;
        }
        printf("url: resolve and key, %-13s %.3f us a link\n", sets[i].name,
               (double)best / (REPEAT * 8) / 1000);
    }
    return sum == 0;
}

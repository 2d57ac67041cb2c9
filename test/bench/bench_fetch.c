/* bench_fetch.c -- what one fetch costs: CPU time a page on kept connections, for the blocking
 * client and for the event loop, against a server in a process of its own that does nothing but
 * answer. Usage: bench_fetch [client|loop PAGES AT_ONCE BYTES] */
#include "bench/site.h"
#include "weft/loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fetch_blocking(struct weft_net *net, const struct weft_request *q, unsigned pages)
{
    struct weft_client *c;
    struct weft_response r;
    bench_must(weft_client_new(&c, net) == WEFT_OK, "client");
    weft_response_init(&r);
    for (unsigned i = 0; i < pages; i++) {
        bench_must(weft_client_fetch(c, q, &r) == WEFT_OK && r.end == WEFT_FETCH_DONE, r.error);
    }
    weft_response_release(&r);
    weft_client_free(c);
}

static void fetch_at_once(struct weft_net *net, const struct weft_request *q, unsigned pages,
                          unsigned at_once)
{
    struct weft_loop *l;
    struct weft_response *r = calloc(at_once, sizeof *r);
    bench_must(r && weft_loop_new(&l, net, at_once) == WEFT_OK, "loop");
    unsigned started = 0;
    for (; started < at_once; started++) {
        bench_must(weft_loop_start(l, q, &r[started], &r[started]) == WEFT_OK, "start");
    }
    for (unsigned done = 0; done < pages; done++) {
        void *tag;
        bench_must(weft_loop_next(l, WEFT_FOREVER, &tag) == WEFT_OK, "next");
        struct weft_response *one = tag;
        bench_must(one->end == WEFT_FETCH_DONE, one->error);
        if (started < pages) {
            bench_must(weft_loop_start(l, q, one, one) == WEFT_OK, "start");
            started++;
        }
    }
    for (unsigned i = 0; i < at_once; i++) {
        weft_response_release(&r[i]);
    }
    weft_loop_free(l);
    free(r);
}

static void run(bool loop, unsigned pages, unsigned at_once, size_t bytes)
{
    struct bench_site site;
    char url[64];
    bench_site_make(&site, 1, bytes, 1);
    bench_site_serve(&site);
    snprintf(url, sizeof url, "http://127.0.0.1:%u/0.html", site.port);
    struct weft_net *net;
    bench_must(weft_net_new(&net, NULL) == WEFT_OK, "net");
    const struct weft_request q = {.url = url};
    double before = bench_cpu();
    weft_time start = weft_now();
    if (loop) {
        fetch_at_once(net, &q, pages, at_once);
    } else {
        fetch_blocking(net, &q, pages);
    }
    printf("%-6s %4u at once  %6zu bytes  %6.1f us CPU a page  %6.1f us wall\n",
           loop ? "loop" : "client", at_once, site.lens[0] - site.heads[0],
           (bench_cpu() - before) / pages, (double)(weft_now() - start) / 1e3 / pages);
    bench_must(weft_net_free(net) == WEFT_OK, "free");
    bench_site_release(&site);
}

int main(int argc, char **argv)
{
    if (argc == 5) {
        run(strcmp(argv[1], "loop") == 0, (unsigned)atoi(argv[2]), (unsigned)atoi(argv[3]),
            (size_t)atol(argv[4]));
        return 0;
    }
    static const size_t sizes[] = {2048, 20480};
    for (int i = 0; i < 2; i++) {
        run(false, 10000, 1, sizes[i]);
        run(true, 10000, 1, sizes[i]);
        run(true, 10000, 16, sizes[i]);
        run(true, 10000, 64, sizes[i]);
    }
    return 0;
}

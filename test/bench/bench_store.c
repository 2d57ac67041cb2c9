/* bench_store.c -- what a record costs in each output: time a record, from the first put to the end
 * of close, so with all that the disk takes. The page has 30 links and 8 KiB of body; every body is
 * another. Usage: bench_store [RECORDS] */
#include "store/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINKS = 30, BODY = 8 << 10 };

static const char request[] =
    "GET /page HTTP/1.1\r\nHost: bench.example\r\nUser-Agent: weft\r\n\r\n";
static const char header[] =
    "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nServer: bench\r\n\r\n";

struct page {
    struct weft_item item;
    char url[64], links[LINKS][64], answer[sizeof header + BODY];
    struct weft_record_link list[LINKS];
};

static void must(bool so, const char *what)
{
    if (!so) {
        fprintf(stderr, "bench_store: %s\n", what);
        exit(1);
    }
}

static void page_free(struct weft_item *item)
{
    free(item); /* item is the first field */
}

/* Text that compresses about as well as HTML does: words in no order. */
static void fill(char *text, size_t len, unsigned seed)
{
    static const char *const words[] = {"<p>", "</p>\n",   "thread ", "future ", "the ",
                                        "of ", "<a href=", "queue ",  "result ", "worker "};
    unsigned x = seed * 2654435761u + 1;
    for (size_t at = 0; at < len;) {
        x = x * 1664525u + 1013904223u;
        const char *word = words[(x >> 16) % 10];
        size_t n = strlen(word);
        n = n < len - at ? n : len - at;
        memcpy(text + at, word, n);
        at += n;
    }
}

static struct weft_item *page_new(unsigned i)
{
    struct page *p = calloc(1, sizeof *p);
    must(p != NULL, "out of memory");
    snprintf(p->url, sizeof p->url, "http://bench.example/folder-%u/page-%u.html", i % 100, i);
    memcpy(p->answer, header, sizeof header - 1);
    fill(p->answer + sizeof header - 1, BODY, i);
    for (unsigned k = 0; k < LINKS; k++) {
        snprintf(p->links[k], sizeof p->links[k], "http://bench.example/folder-%u/page-%u.html",
                 (i + k) % 100, i * 7 + k);
        p->list[k].url = p->links[k];
    }
    p->item.free = page_free;
    p->item.record = (struct weft_record){
        .url = p->url,
        .status = 200,
        .final_url = p->url,
        .depth = 3,
        .referrer = "http://bench.example/folder-1/index.html",
        .attempts = 1,
        .content_type = "text/html; charset=utf-8",
        .charset = "utf-8",
        .title = "A title of the usual length, caf\xc3\xa9 included",
        .bytes = BODY,
        .nlinks = LINKS,
        .links = p->list,
        .started_at = INT64_C(1709251199999000000) + i,
        .elapsed_ms = 12.345,
        .worker = i % 16,
        .body = p->answer + sizeof header - 1,
        .body_len = BODY,
        .ip = "192.0.2.1",
        .wire_request = request,
        .wire_request_len = sizeof request - 1,
        .wire_answer = p->answer,
        .wire_answer_len = sizeof header - 1 + BODY,
    };
    return &p->item;
}

static double cpu(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e6 +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static void measure(const char *dir, const char *name, unsigned n)
{
    char path[256], error[512] = "";
    const char *paths[] = {path, NULL};
    struct weft_writer_options options = {.paths = paths};
    struct weft_writer *w;
    snprintf(path, sizeof path, "%s/%s", dir, name);
    if (strcmp(name, "none") == 0) {
        paths[0] = NULL;
    } else if (strcmp(name, "save") == 0) {
        paths[0] = NULL;
        options.save_dir = path;
    }
    must(weft_writer_new(&w, &options, error, sizeof error) == WEFT_OK, error);
    double used = cpu();
    weft_time from = weft_now();
    for (unsigned i = 0; i < n; i++) {
        must(weft_writer_put(w, page_new(i)) == WEFT_OK, "put");
    }
    must(weft_writer_close(w, NULL, error, sizeof error) == WEFT_OK, error);
    double wall = (double)(weft_now() - from) / 1e3;
    struct stat s = {0};
    (void)!stat(path, &s);
    printf("%-12s %8.2f us a record, %8.2f us of CPU, %6.0f bytes\n", name, wall / n,
           (cpu() - used) / n, S_ISREG(s.st_mode) ? (double)s.st_size / n : 0.0);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"none",        "out.jsonl", "out.csv",     "out.db",
                                        "out.warc.gz", "out.dot",   "out.graphml", "save"};
    unsigned n = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 5000;
    char dir[] = "/tmp/weft-bench-XXXXXX", command[64];
    must(n > 0 && mkdtemp(dir) != NULL, "usage: bench_store [RECORDS]");
    printf("# %u records of %d links and %d bytes; \"none\" is making and queueing them\n", n,
           LINKS, BODY);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        measure(dir, names[i], n);
    }
    snprintf(command, sizeof command, "rm -rf %s", dir);
    return system(command) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

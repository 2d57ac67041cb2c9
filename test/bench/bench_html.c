/* bench_html.c -- what reading a page costs: the scan alone against libxml2's SAX parser on the
 * same bytes in the same run, and the whole page reader. Pages are made here (a news page and a
 * page of documentation, dense with tags), or are the files named as arguments. Best of rounds. */
#include "text/html.h"
#include "weft/clock.h"
#include "weft/page.h"

#include <libxml/HTMLparser.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS     15
#define PAGE_BYTES (20 << 10)
#define ROUND_NS   (20 * WEFT_MS)

struct text {
    char *data;
    size_t len, cap;
};

static void put(struct text *t, const char *fmt, ...) WEFT_PRINTF(2, 3);
static void put(struct text *t, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    t->len += (size_t)vsnprintf(t->data + t->len, t->cap - t->len, fmt, args);
    va_end(args);
}

static const char *const words[] = {"the",     "council", "has",   "agreed", "to",    "a",
                                    "plan",    "for",     "new",   "tram",   "lines", "between",
                                    "harbour", "and",     "north", "side,",  "which", "will",
                                    "open",    "in",      "three", "years."};

static void put_words(struct text *t, unsigned *r, int n)
{
    for (int i = 0; i < n; i++) {
        *r = *r * 1103515245u + 12345u;
        put(t, "%s ", words[(*r >> 16) % (sizeof words / sizeof words[0])]);
    }
}

/* 20 KiB with 40 links: head with scripts and styles, navigation, teasers, paragraphs. */
static void news_page(struct text *t)
{
    unsigned r = 1;
    put(t, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<title>Council agrees on tram lines - The Daily Example</title>\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<link rel=\"canonical\" href=\"https://news.example/2024/05/trams.html\">\n"
           "<link rel=\"stylesheet\" href=\"/css/site.css?v=12\">\n<style>\n");
    for (int i = 0; i < 12; i++) {
        put(t, ".teaser-%d > h3:first-child { margin: 0 0 %dpx; color: #%03x; }\n", i, 4 * i,
            77 * i);
    }
    put(t, "</style>\n<script>\nwindow.dataLayer = window.dataLayer || [];\n"
           "for (var i = 0; i < 3 && !done; i++) { push('<b>' + i + '</b>'); }\n</script>\n"
           "</head>\n<body class=\"article\">\n<nav aria-label=\"Main\"><ul class=\"menu\">\n");
    for (int i = 0; i < 10; i++) {
        put(t,
            "<li class=\"menu-item\"><a class=\"menu-link\" "
            "href=\"/section/%d/\">Section</a></li>\n",
            i);
    }
    put(t, "</ul></nav>\n<main id=\"content\">\n<article itemscope>\n<h1>Tram lines</h1>\n");
    for (int i = 0; t->len < PAGE_BYTES - 900; i++) {
        put(t, "<p>");
        put_words(t, &r, 45);
        if (i < 30) {
            put(t, "<a href=\"/2024/05/%02d/story-%d.html\" title=\"Read more\">story</a> ", i, i);
        }
        put_words(t, &r, 20);
        put(t, "<em>%d</em></p>\n", i);
        if (i % 4 == 0) {
            put(t,
                "<div class=\"teaser\" data-id=\"%d\"><img src=\"/img/%d.jpg\" alt=\"\" "
                "width=\"320\" "
                "height=\"200\" loading=\"lazy\"></div>\n",
                i, i);
        }
    }
    put(t, "</article>\n</main>\n<footer><p>&copy; The Daily "
           "Example</p></footer>\n</body>\n</html>\n");
}

/* Highlighted code and cross references: a tag every dozen bytes. */
static void documentation_page(struct text *t)
{
    put(t, "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\" /><title>Module</title>\n"
           "<link rel=\"next\" title=\"Next\" href=\"next.html\" /></head><body>\n");
    for (int i = 0; t->len < 3 * PAGE_BYTES - 900; i++) {
        put(t,
            "<dl class=\"py function\">\n<dt class=\"sig sig-object py\" id=\"module.f%d\">\n"
            "<span class=\"sig-prename descclassname\"><span class=\"pre\">module.</span></span>"
            "<span class=\"sig-name descname\"><span class=\"pre\">f%d</span></span>"
            "<span class=\"sig-paren\">(</span><em class=\"sig-param\"><span class=\"n\">"
            "<span class=\"pre\">obj</span></span></em><span class=\"sig-paren\">)</span>"
            "<a class=\"headerlink\" href=\"#module.f%d\" title=\"Permalink\">&#182;</a></dt>\n"
            "<dd><p>Return the value of <em>obj</em>, see <a class=\"reference internal\" "
            "href=\"other.html#o%d\"><code class=\"xref py py-func docutils literal\">"
            "<span class=\"pre\">other()</span></code></a>, and do nothing else.</p>\n</dd></dl>\n",
            i, i, i, i);
    }
    put(t, "</body></html>\n");
}

struct count {
    size_t n;
};

static void on_link(void *user, const struct weft_html_link *link)
{
    (void)link;
    ((struct count *)user)->n++;
}

static size_t weft_scan(const char *html, size_t len)
{
    struct count c = {0};
    struct weft_html_sink sink = {.user = &c, .link = on_link};
    return weft_html_scan(html, len, &sink) == WEFT_OK ? c.n : 0;
}

static void on_start(void *user, const xmlChar *name, const xmlChar **attrs)
{
    struct count *c = user;
    const char *wanted = !strcmp((const char *)name, "iframe") ? "src" : "href";
    if (strcmp((const char *)name, "a") != 0 && strcmp((const char *)name, "link") != 0 &&
        strcmp((const char *)name, "iframe") != 0) {
        return;
    }
    for (; attrs && *attrs; attrs += 2) {
        c->n += !strcmp((const char *)attrs[0], wanted);
    }
}

static size_t libxml2_scan(const char *html, size_t len)
{
    static htmlSAXHandler sax = {.startElement = on_start};
    struct count c = {0};
    htmlParserCtxtPtr p = htmlCreatePushParserCtxt(&sax, &c, NULL, 0, NULL, XML_CHAR_ENCODING_UTF8);
    if (!p) {
        return 0;
    }
    htmlParseChunk(p, html, (int)len, 1);
    htmlFreeParserCtxt(p);
    return c.n;
}

static struct weft_page_reader *reader;
static struct weft_url page_url;

static size_t read_page(const char *html, size_t len)
{
    const struct weft_page *page;
    return weft_page_read(reader, NULL, &page_url, "text/html; charset=utf-8", NULL, html, len,
                          &page) == WEFT_OK
               ? page->nlinks
               : 0;
}

/* Best time of one call, in nanoseconds. */
static double best(size_t (*f)(const char *, size_t), const struct text *t, size_t *links)
{
    double least = 0;
    for (int round = 0; round < ROUNDS; round++) {
        long calls = 0;
        weft_time start = weft_now(), took;
        do {
            *links = f(t->data, t->len);
            calls++;
            took = weft_now() - start;
        } while (took < ROUND_NS / ROUNDS);
        double one = (double)took / (double)calls;
        least = round == 0 || one < least ? one : least;
    }
    return least;
}

static void bench(const char *name, const struct text *t)
{
    size_t ours, theirs, read;
    double scan = best(weft_scan, t, &ours), sax = best(libxml2_scan, t, &theirs);
    double page = best(read_page, t, &read);
    printf("html: %-14s %4zu KiB, %4zu links: scan %7.1f us, %5.0f MB/s, %4.1f x libxml2's SAX "
           "(%zu links, %.0f us); page read %.1f us\n",
           name, t->len >> 10, ours, scan / 1e3, (double)t->len * 1e3 / scan, sax / scan, theirs,
           sax / 1e3, page / 1e3);
}

static int bench_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    struct text t = {malloc(64 << 20), 0, 64 << 20};
    if (!f || !t.data) {
        perror(path);
        free(t.data);
        return 1;
    }
    t.len = fread(t.data, 1, t.cap, f);
    fclose(f);
    const char *name = strrchr(path, '/');
    bench(name ? name + 1 : path, &t);
    free(t.data);
    return 0;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*make)(struct text *t);
    } pages[] = {{"news", news_page}, {"documentation", documentation_page}};
    static char url_text[256];
    static const char url[] = "https://news.example/2024/05/trams.html";
    int failed = weft_page_reader_new(&reader) != WEFT_OK ||
                 weft_url_parse(&page_url, url_text, sizeof url_text, NULL, url, strlen(url),
                                NULL) != WEFT_OK;
    for (size_t i = 0; !failed && i < sizeof pages / sizeof pages[0]; i++) {
        struct text t = {malloc(4 * PAGE_BYTES), 0, 4 * PAGE_BYTES};
        if (!t.data) {
            return 1;
        }
        pages[i].make(&t);
        bench(pages[i].name, &t);
        free(t.data);
    }
    for (int i = 1; !failed && i < argc; i++) {
        failed = bench_file(argv[i]);
    }
    weft_page_reader_free(reader);
    xmlCleanupParser();
    return failed;
}

/* sequential.c -- lesson: a breadth-first crawl, one page after another.
 *
 * Everything that a crawler has to decide is here: which URL is next (the queue), which has been
 * seen (the same array: nothing is ever taken out), what became of it. Read it from the end. */
#include "lesson.h"
#include "weft/page.h"
#include <stdio.h>
#include <string.h>

#define MAX 200

static long pages = 13, fan = 3, delay = 20;
static const struct lesson_knob knobs[] = {
    {"pages", &pages, 1, MAX - 2, "pages of the site"},
    {"fan", &fan, 1, 20, "links from a page to pages below it"},
    {"delay", &delay, 0, 5000, "milliseconds that the server takes for a page"},
    {0},
};

/* The queue: what is before `next` was taken out; what is from there to `discovered` waits. */
static char queue[MAX][LESSON_URL];
static size_t next, discovered, fetched, failed;

/* A URL goes into the queue once in its life. That is why the crawl ends on a site with cycles. */
static void discover(const char *url)
{
    for (size_t i = 0; i < discovered; i++) {
        if (!strcmp(queue[i], url)) {
            return;
        }
    }
    if (discovered < MAX && strlen(url) < LESSON_URL) {
        memcpy(queue[discovered++], url, strlen(url) + 1);
    }
}

static void read_links(struct weft_page_reader *reader, const char *text,
                       const struct weft_response *response)
{
    struct weft_url url;
    char href[LESSON_URL * 3];
    const struct weft_page *page;
    lesson_need(weft_url_parse(&url, href, sizeof href, NULL, text, strlen(text), NULL), text);
    lesson_need(weft_page_read(reader, NULL, &url, response->content_type, NULL, response->body,
                               response->body_len, &page),
                "weft_page_read");
    for (size_t i = 0; i < page->nlinks; i++) {
        discover(page->links[i].url);
    }
}

static void crawl(struct weft_client *client, struct weft_page_reader *reader)
{
    struct weft_response response;
    weft_response_init(&response);
    while (next < discovered) {
        const char *url = queue[next];
        struct weft_request request = {.url = url};
        weft_time from = weft_now();
        lesson_need(weft_client_fetch(client, &request, &response), url);
        lesson_span(0, lesson_mark((long)next), from, weft_now());
        bool fine = response.end == WEFT_FETCH_DONE && response.status == 200;
        if (fine) {
            fetched++;
            read_links(reader, url, &response);
        } else {
            failed++; /* told, counted, and the crawl goes on */
        }
        printf("%c %-7s %3d  %s\n", lesson_mark((long)next), fine ? "fetched" : "failed",
               response.status, strrchr(url, '/'));
        next++;
    }
    weft_response_release(&response);
}

int main(int argc, char **argv)
{
    char seed[LESSON_URL], broken[LESSON_URL];
    struct weft_net *net;
    struct weft_client *client;
    struct weft_page_reader *reader;
    lesson_begin(argc, argv, "A breadth-first crawl, one page after another.", knobs, NULL);
    lesson_url(seed, "/gen/pages=%ld,size=500,links=%ld,fan=%ld,ms=%ld/0.html", pages, fan, fan,
               delay);
    lesson_url(broken, "/status/404");
    lesson_need(weft_net_new(&net, NULL), "weft_net_new");
    lesson_need(weft_client_new(&client, net), "weft_client_new");
    lesson_need(weft_page_reader_new(&reader), "weft_page_reader_new");

    discover(seed);
    discover(broken);
    crawl(client, reader);

    printf("\n");
    lesson_draw("fetch");
    printf("discovered %zu, fetched %zu, failed %zu\n", discovered, fetched, failed);
    printf("the server saw at most %ld at once\n", lesson_stat("in_flight_peak"));
    weft_page_reader_free(reader);
    weft_client_free(client);
    lesson_need(weft_net_free(net), "weft_net_free");
    return lesson_end();
}

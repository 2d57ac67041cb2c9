/* lab_shop.c -- a bookshop to take apart: 20 categories of 20 books, each with title, author and
 * price. All of it is invented, no two books have the same title, and it is always the same. */
#include "lab/lab_query.h"
#include "lab/lab_reply.h"

#include <string.h>

#define CATEGORIES 20u
#define BOOKS      20u /* in each category */

static const char *const categories[CATEGORIES] = {
    "art",     "biography", "business", "childrens", "classics", "cooking",    "crime",
    "fantasy", "gardening", "history",  "horror",    "humour",   "music",      "nature",
    "poetry",  "romance",   "science",  "sport",     "travel",   "young-adult"};

static const char *const kinds[BOOKS] = {"Copper",  "Quiet",    "Borrowed", "Seventh", "Salt",
                                         "Paper",   "Crooked",  "Amber",    "Hollow",  "Painted",
                                         "Distant", "Frozen",   "Hidden",   "Iron",    "Little",
                                         "Marble",  "Northern", "Patient",  "Silver",  "Wooden"};

static const char *const things[CATEGORIES] = {
    "Orchard", "Harbour",  "Lantern", "Compass", "Bridge",    "Garden",   "Letter",
    "Mirror",  "Kingdom",  "Market",  "Island",  "Orchestra", "Clock",    "Window",
    "River",   "Notebook", "Engine",  "Voyage",  "Winter",    "Staircase"};

static const char *const authors[] = {
    "A. Fennimore",  "Ida Brask", "T. Okonedo-Lind", "Mara Quill",    "J. P. Osterholt",
    "Wren Halloway", "S. Tavish", "Lucía Brandt",    "Emil Ødegaard", "N. D. Carrow"};

/* Different things for the same kind in every category, so that a title comes once. */
static const char *thing_of(unsigned category, unsigned book)
{
    return things[(category + 7 * book) % CATEGORIES];
}

static void put_book(struct lab_text *t, unsigned category, unsigned book)
{
    unsigned number = category * BOOKS + book;
    uint64_t h = lab_query_mix(number, 1);
    unsigned pence = 499 + (unsigned)(h % 4500);
    lab_text_put(t,
                 "<article class=\"book\" id=\"b%u\">\n"
                 "<h2 class=\"title\">The %s %s</h2>\n<p class=\"author\">%s</p>\n"
                 "<p class=\"price\">£%u.%02u</p>\n</article>\n",
                 number + 1, kinds[book], thing_of(category, book),
                 authors[(h >> 32) % (sizeof authors / sizeof *authors)], pence / 100, pence % 100);
}

static enum weft_status finish(struct lab_reply *reply, struct lab_text *t)
{
    lab_text_foot(t);
    enum weft_status st = lab_reply_text(reply, MHD_HTTP_OK, LAB_HTML, t);
    lab_text_release(t);
    return st;
}

static enum weft_status answer_front(struct lab_reply *reply)
{
    struct lab_text t;
    lab_text_init(&t);
    lab_text_head(&t, "A bookshop");
    lab_text_put(&t, "<ul>\n");
    for (unsigned c = 0; c < CATEGORIES; c++) {
        lab_text_put(&t, "<li><a href=\"/shop/%s/\">%s</a></li>\n", categories[c], categories[c]);
    }
    lab_text_put(&t, "</ul>\n");
    return finish(reply, &t);
}

static enum weft_status answer_category(struct lab_reply *reply, unsigned c)
{
    struct lab_text t;
    unsigned next = (c + 1) % CATEGORIES;
    lab_text_init(&t);
    lab_text_head(&t, categories[c]);
    lab_text_put(&t,
                 "<nav><a href=\"/shop/\">the shop</a> <a href=\"/shop/%s/\">next: %s</a></nav>\n",
                 categories[next], categories[next]);
    for (unsigned b = 0; b < BOOKS; b++) {
        put_book(&t, c, b);
    }
    return finish(reply, &t);
}

enum weft_status lab_shop_answer(struct lab_request *r, struct lab_reply *reply)
{
    const char *name = r->path + strlen("/shop");
    if (*name == '\0') {
        return lab_reply_redirect(reply, MHD_HTTP_MOVED_PERMANENTLY, "/shop/");
    }
    if (strcmp(name, "/") == 0) {
        return answer_front(reply);
    }
    for (unsigned c = 0; c < CATEGORIES; c++) {
        size_t n = strlen(categories[c]);
        if (strncmp(name + 1, categories[c], n) == 0 && strcmp(name + 1 + n, "/") == 0) {
            return answer_category(reply, c);
        }
    }
    return lab_reply_missing(reply);
}

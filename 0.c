#include <stdio.h>
#include <string.h>
#include <weft/page.h>

int main(void)
{
    static const char at[] = "http://example.com/shop/list.html";
    static const char html[] = "<title>Two &amp; a half</title>"
                               "<a href='../about.html'>about</a> <!-- <a href=no> -->"
                               "<A HREF=?page=2#top rel=nofollow>next</A> <a href='mailto:a@b'>mail</a>";
    char text[1024];
    struct weft_url url;
    struct weft_page_reader *reader;
    const struct weft_page *page;
    if (weft_url_parse(&url, text, sizeof text, NULL, at, strlen(at), NULL) != WEFT_OK ||
        weft_page_reader_new(&reader) != WEFT_OK)
        return 1;
    enum weft_status st = weft_page_read(reader, NULL, &url, "text/html; charset=utf-8", NULL, html,
                                         strlen(html), &page);
    if (st != WEFT_OK) {
        fprintf(stderr, "%s\n", weft_strerror(st));
    } else {
        printf("%s: %zu links, %u of other schemes\n", page->title, page->nlinks,
               page->other_schemes);
        for (size_t i = 0; i < page->nlinks; i++)
            printf("%s%s\n", page->links[i].url,
                   page->links[i].flags & WEFT_PAGE_NOFOLLOW ? " (nofollow)" : "");
    }
    weft_page_reader_free(reader);
    return st != WEFT_OK;
}

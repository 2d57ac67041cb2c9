#include <stdio.h>
#include <string.h>
#include <weft/crawl.h>

static void on_record(void *user, const struct weft_record *r)
{
    unsigned *failed = user;
    if (r->outcome == WEFT_FAILED) {
        ++*failed;
        printf("%s %d %s, found on %s\n", weft_reason_name(r->reason), r->status, r->url,
               r->referrer ? r->referrer : "no page");
    }
}

int main(int argc, char **argv)
{
    unsigned failed = 0;
    struct weft_crawl *crawl;
    struct weft_crawl_report report;
    struct weft_crawl_rule rules[] = {{.include = false, .pattern = "/garden/"}};
    struct weft_crawl_options options = {.engine = WEFT_ENGINE_SYNC, /* records in order */
                                         .has_max_depth = true,
                                         .max_depth = 1,
                                         .rules = rules,
                                         .nrules = 1,
                                         .on_record = on_record,
                                         .user = &failed};
    const char *seed = argc > 1 ? argv[1] : "http://127.0.0.1:8080/";
    char why[256];
    enum weft_status st = weft_crawl_new(&crawl, &options, why, sizeof why);
    if (st != WEFT_OK) { /* an option: why says which; nothing was requested */
        fprintf(stderr, "%s\n", why);
        return 2;
    }
    st = weft_crawl_add(crawl, seed, strlen(seed));
    if (st == WEFT_OK)
        st = weft_crawl_run(crawl, &report);
    if (st != WEFT_OK)
        fprintf(stderr, "%s: %s\n", seed, weft_strerror(st));
    else
        printf("%s, %u failed\n", weft_crawl_end_name(report.end), failed);
    weft_crawl_free(crawl);
    return st != WEFT_OK;
}

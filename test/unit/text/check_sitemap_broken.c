/* check_sitemap_broken.c -- damaged, packed, endless and hostile sitemaps: what was whole counts,
 * what was not does not, and it ends. */
#include "sitemap_case.h"

#include "base/limits.h"
#include "support/suite.h"
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#define check(cases) sitemap_cases_check(cases, sizeof(cases) / sizeof(cases)[0])

/* A growing text for large inputs. */
struct text {
    char *p;
    size_t len;
};

static struct text repeat(const char *before, const char *unit, size_t size, const char *after)
{
    size_t b = strlen(before), u = strlen(unit), a = strlen(after), n = size / u * u;
    struct text t = {malloc(b + n + a + 1), b + n + a};
    ck_assert_ptr_nonnull(t.p);
    memcpy(t.p, before, b);
    for (size_t i = 0; i < n; i += u) {
        memcpy(t.p + b + i, unit, u);
    }
    memcpy(t.p + b + n, after, a + 1);
    return t;
}

/* One member of gzip. */
static size_t pack(const char *p, size_t len, char *out, size_t cap)
{
    z_stream z = {.next_in = (z_const Bytef *)p,
                  .avail_in = (uInt)len,
                  .next_out = (Bytef *)out,
                  .avail_out = (uInt)cap};
    ck_assert_int_eq(deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    size_t n = cap - z.avail_out;
    deflateEnd(&z);
    return n;
}

START_TEST(errors_lose_an_element_not_the_rest)
{
    static const struct sitemap_case cases[] = {
        {BYTES("<urlset><url><loc>http://h/1</url><url><loc>http://h/2</loc></url></urlset>"),
         "urlset http://h/1 http://h/2"},
        {BYTES("<urlset><url><loc>http://h/1</lco></url><url><loc>http://h/2</loc></url>"),
         "urlset http://h/1 http://h/2"},
        {BYTES("<urlset><url><loc>http://h/1</loc></url></urlset>junk<urlset><url><loc>"
               "http://h/no</loc></url></urlset>"),
         "urlset http://h/1"},
        {BYTES("junk"), "none"},
        {BYTES("</x><urlset><url><loc>http://h/no</loc></url></urlset>"), "none"},
    };
    check(cases);
}
END_TEST

/* Cut off anywhere, a sitemap gives the beginning of its list, and nothing else. */
START_TEST(cut_off_at_every_byte)
{
    static const char *const whole[] = {
        "<?xml version=\"1.0\"?><urlset xmlns='x'><url><loc>http://h/one</loc></url><!-- c -->"
        "<url><loc><![CDATA[http://h/two]]></loc></url><url><loc>http://h/?a&amp;b&c</loc></url>"
        "</urlset>",
        "<feed><entry><link href='http://h/one'/></entry><entry><link href=\"http://h/two\"/>"
        "</entry></feed>",
    };
    for (size_t k = 0; k < sizeof whole / sizeof whole[0]; k++) {
        size_t len = strlen(whole[k]);
        char *want = strdup(sitemap_read(whole[k], len, len));
        ck_assert_ptr_nonnull(want);
        size_t before = 0;
        for (size_t cut = 0; cut <= len; cut++) {
            const char *got = sitemap_read(whole[k], cut, 1 + cut % 7);
            size_t n = strlen(got);
            if (strcmp(got, "none") == 0) {
                continue;
            }
            ck_assert_msg(n >= before && strncmp(got, want, n) == 0 &&
                              (want[n] == ' ' || want[n] == '\0'),
                          "cut at %zu: %s", cut, got);
            before = n;
        }
        ck_assert_uint_eq(before, strlen(want));
        free(want);
    }
}
END_TEST

START_TEST(gzip)
{
    static const char first[] = "<urlset><url><loc>http://h/1</loc></url>";
    static const char second[] = "<url><loc>http://h/2</loc></url></urlset>";
    char packed[1024];
    size_t n = pack(first, strlen(first), packed, 500);
    struct sitemap_case one = {packed, n, "urlset http://h/1"};
    sitemap_cases_check(&one, 1);

    size_t both = n + pack(second, strlen(second), packed + n, 500);
    one = (struct sitemap_case){packed, both, "urlset http://h/1 http://h/2"};
    sitemap_cases_check(&one, 1);
    for (size_t cut = 0; cut <= both; cut++) { /* in the middle of either, or in between */
        const char *got = sitemap_read(packed, cut, 3);
        ck_assert(!strcmp(got, "none") || !strcmp(got, "urlset") ||
                  !strcmp(got, "urlset http://h/1") ||
                  !strcmp(got, "urlset http://h/1 http://h/2"));
        ck_assert(cut < n || strncmp(got, "urlset http://h/1", 17) == 0);
    }

    memcpy(packed + both, "\0\0rubbish", 9); /* padding, as tape had it */
    one = (struct sitemap_case){packed, both + 9, "urlset http://h/1 http://h/2"};
    sitemap_cases_check(&one, 1);

    packed[n - 5] ^= 1; /* a checksum that is wrong: what came before it has been read */
    one = (struct sitemap_case){packed, both, "urlset http://h/1"};
    sitemap_cases_check(&one, 1);

    n = pack("http://h/1\nhttp://h/2", 21, packed, sizeof packed);
    one = (struct sitemap_case){packed, n, "text http://h/1 http://h/2"};
    sitemap_cases_check(&one, 1);
    one = (struct sitemap_case){packed, n - 8, "text http://h/1"}; /* its end is not known */
    sitemap_cases_check(&one, 1);

    static const struct sitemap_case cases[] = {
        {BYTES("\x1f\x8b"), "none"},
        {BYTES("\x1f"), "none"},
        {BYTES("\x1f\x8b\x08\0rubbish"), "none"},
        {BYTES("\x1f\x8bhttp://h/no"), "none"},
    };
    check(cases);
}
END_TEST

static void count(void *user, const char *loc, size_t len)
{
    ck_assert_uint_gt(len, 0);
    ck_assert_uint_le(len, WEFT_MAX_URL_WORK);
    ck_assert_ptr_nonnull(loc);
    ++*(unsigned *)user;
}

/* How many locations there are, read in chunks as the network gives them. */
static unsigned count_of(const char *p, size_t len, enum weft_sitemap_kind *kind)
{
    unsigned found = 0;
    struct weft_sitemap *s;
    ck_assert_int_eq(weft_sitemap_new(&s, NULL, NULL, count, &found), WEFT_OK);
    for (size_t i = 0; i < len; i += 16384) {
        size_t n = len - i < 16384 ? len - i : 16384;
        ck_assert_int_eq(weft_sitemap_feed(s, p + i, n), WEFT_OK);
    }
    *kind = weft_sitemap_finish(s);
    weft_sitemap_free(s);
    return found;
}

START_TEST(so_many_locations_and_no_more)
{
    enum weft_sitemap_kind kind;
    static const char unit[] = "<url><loc>http://h/</loc></url>";
    size_t size = (WEFT_MAX_SITEMAP_URLS + 10) * (sizeof unit - 1);
    struct text t = repeat("<urlset>", unit, size, "</urlset>");
    ck_assert_uint_eq(count_of(t.p, t.len, &kind), WEFT_MAX_SITEMAP_URLS);
    ck_assert_int_eq(kind, WEFT_SITEMAP_URLSET);
    free(t.p);
    t = repeat("", "http://h/\n", (WEFT_MAX_SITEMAP_URLS + 10) * 10, "");
    ck_assert_uint_eq(count_of(t.p, t.len, &kind), WEFT_MAX_SITEMAP_URLS);
    ck_assert_int_eq(kind, WEFT_SITEMAP_TEXT);
    free(t.p);
}
END_TEST

/* 60 MB in 60 KB: what lies behind the limit is not read. */
START_TEST(so_many_bytes_and_no_more)
{
    enum weft_sitemap_kind kind;
    struct text t = repeat("<urlset><url><loc>http://h/1</loc></url><!--", "-                 ",
                           WEFT_MAX_SITEMAP, "--><url><loc>http://h/no</loc></url>");
    char *packed = malloc(1u << 20);
    ck_assert_ptr_nonnull(packed);
    size_t n = pack(t.p, t.len, packed, 1u << 20);
    ck_assert_uint_eq(count_of(packed, n, &kind), 1);
    ck_assert_int_eq(kind, WEFT_SITEMAP_URLSET);
    free(packed);
    free(t.p);
}
END_TEST

START_TEST(a_location_longer_than_any_is_dropped)
{
    enum weft_sitemap_kind kind;
    struct text t = repeat("<urlset><url><loc>http://h/", "aaaaaaaa", 2 * WEFT_MAX_URL_WORK,
                           "</loc><loc>http://h/1</loc></url></urlset>");
    ck_assert_uint_eq(count_of(t.p, t.len, &kind), 1);
    free(t.p);
    t = repeat("http://h/", "aaaaaaaa", 2 * WEFT_MAX_URL_WORK, "\nhttp://h/1");
    ck_assert_uint_eq(count_of(t.p, t.len, &kind), 1);
    free(t.p);
    t = repeat("<urlset><url><loc>http://h/1</loc></url><x y='", "aaaaaaaa", WEFT_MAX_XML_TAG,
               "'/><url><loc>http://h/no</loc></url></urlset>"); /* nor is a tag */
    ck_assert_uint_eq(count_of(t.p, t.len, &kind), 1);
    free(t.p);
}
END_TEST

/* A mebibyte or more of each shape takes well under a second, and Check's timeout is for the one
 * that would take squared time. */
START_TEST(worst_shapes_take_linear_time)
{
    static const struct {
        const char *before, *unit, *after;
        unsigned want;
    } cases[] = {
        {"", "<", "", 0},
        {"<urlset>", "<", "<url><loc>http://h/</loc></url>", 1},
        {"<urlset>", "&", "<url><loc>http://h/</loc></url>", 1},
        {"<urlset><url><loc>", "&", ";</loc><loc>http://h/</loc></url>", 1},
        {"<urlset>", "&#38;", "<url><loc>http://h/</loc></url>", 1},
        {"<urlset><!--", "-", "--><url><loc>http://h/</loc></url>", 1},
        {"<urlset><!--", "a", "--><url><loc>http://h/</loc></url>", 1},
        {"<urlset>", "<!-- -->", "<url><loc>http://h/</loc></url>", 1},
        {"<urlset><?", "?", "?><url><loc>http://h/</loc></url>", 1},
        {"<urlset><url><loc><![CDATA[", "]", "]]></loc><loc>http://h/</loc></url>", 1},
        {"<urlset><url><loc>", "<![CDATA[]]>", "http://h/</loc></url>", 1},
        {"<!DOCTYPE x [", "<!ENTITY a 'b'>", "]><urlset><url><loc>http://h/</loc></url>", 1},
        {"<!DOCTYPE x [", "<!--", "", 0},
        {"<urlset>", "<a>", "", 0},
        {"<urlset>", "<a></a>", "<url><loc>http://h/</loc></url>", 1},
        {"<urlset>", "</a>", "", 0},
        {"<urlset ", "a='' ", "", 0},
        {"<urlset>", "<a b='' c='' d='' b='' e=''/>", "<url><loc>http://h/</loc></url>", 1},
        {"<urlset>", "<a xmlns:b='c' xmlns:d='e'/>", "<url><loc>http://h/</loc></url>", 1},
        {"<urlset>", " ", "<url><loc>http://h/</loc></url>", 1},
        {"<urlset>", "aaaa ", "<url><loc>http://h/</loc></url>", 1},
        {"<urlset>", "\xff\xc3", "<url><loc>http://h/</loc></url>", 1},
        {"<?xml version='1.0' encoding='Shift_JIS'?><urlset>", "\x83\x41\xff",
         "<url><loc>http://h/</loc></url>", 1},
        {"", "http:", "", 0},
        {"", "\n", "http://h/", 1},
        {"\xFF\xFE", "\x01\xd8<\x01", "", 0},
        {"<?xml", " ", "?><urlset><url><loc>http://h/</loc></url>", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        enum weft_sitemap_kind kind;
        struct text t = repeat(cases[i].before, cases[i].unit, 1u << 20, cases[i].after);
        unsigned found = count_of(t.p, t.len, &kind);
        ck_assert_msg(found == cases[i].want, "%s%s...%s: %u", cases[i].before, cases[i].unit,
                      cases[i].after, found);
        free(t.p);
    }
}
END_TEST

/* A tag as long as one may be, full of attributes: libxml2 compares each with each. */
START_TEST(tags_full_of_attributes)
{
    char tag[WEFT_MAX_XML_TAG + 64] = "<a";
    for (unsigned i = 0; strlen(tag) < WEFT_MAX_XML_TAG - 32; i++) {
        snprintf(tag + strlen(tag), 32, " a%x=''", i);
    }
    strcat(tag, "/>");
    enum weft_sitemap_kind kind;
    struct text t = repeat("<urlset>", tag, 1u << 20, "<url><loc>http://h/</loc></url>");
    ck_assert_uint_eq(count_of(t.p, t.len, &kind), 1);
    free(t.p);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("sitemap_broken");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, errors_lose_an_element_not_the_rest);
    tcase_add_test(tc, cut_off_at_every_byte);
    tcase_add_test(tc, gzip);
    tcase_add_test(tc, so_many_locations_and_no_more);
    tcase_add_test(tc, so_many_bytes_and_no_more);
    tcase_add_test(tc, a_location_longer_than_any_is_dropped);
    tcase_add_test(tc, worst_shapes_take_linear_time);
    tcase_add_test(tc, tags_full_of_attributes);
    return suite_run("text: broken sitemaps", tc);
}

/* bench_text.c -- what text costs beside parsing: validating UTF-8, decoding other encodings, and
 * asking robots.txt. Best of several rounds; memcpy and ICU's converters in the same run give the
 * scale. */
#include "text/charset.h"
#include "text/robots.h"
#include "weft/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unicode/ucnv.h>

#define ROUNDS 7
#define SIZE   (1u << 20)

struct job {
    const char *bytes;
    size_t len;
    const struct weft_charset *cs;
    const char *icu; /* converter of the same encoding */
    char *room;      /* 4 * len bytes */
};

typedef size_t work_fn(const struct job *job);

static size_t copy(const struct job *job)
{
    memcpy(job->room, job->bytes, job->len);
    return (unsigned char)job->room[job->len / 2];
}

static size_t validate(const struct job *job)
{
    return weft_utf8_valid(job->bytes, job->len);
}

static size_t decode(const struct job *job)
{
    struct weft_buf out;
    weft_buf_init(&out, job->len * WEFT_CHARSET_GROWTH + 3);
    enum weft_status st = weft_charset_decode(job->cs, job->bytes, job->len, &out);
    size_t n = st == WEFT_OK ? out.len : 0;
    weft_buf_release(&out);
    return n;
}

static size_t decode_by_icu(const struct job *job)
{
    UErrorCode e = U_ZERO_ERROR;
    UConverter *from = ucnv_open(job->icu, &e), *to = ucnv_open("utf-8", &e);
    const char *in = job->bytes;
    char *out = job->room;
    ucnv_convertEx(to, from, &out, job->room + 4 * job->len, &in, in + job->len, NULL, NULL, NULL,
                   NULL, true, true, &e);
    ucnv_close(from);
    ucnv_close(to);
    return U_SUCCESS(e) ? (size_t)(out - job->room) : 0;
}

/* Best time of one call in seconds. */
static double best(work_fn *work, const struct job *job, size_t *sum)
{
    weft_time least = WEFT_FOREVER;
    for (int round = 0; round < ROUNDS; round++) {
        weft_time start = weft_now();
        *sum += work(job);
        weft_time t = weft_now() - start;
        least = t < least ? t : least;
    }
    return (double)least / WEFT_SECOND;
}

/* A text that repeats the sample, cut at a whole one. */
static struct job repeat(const char *sample)
{
    size_t n = strlen(sample), len = SIZE / n * n;
    char *bytes = malloc(len), *room = malloc(4 * len);
    if (!bytes || !room) {
        exit(1);
    }
    for (size_t i = 0; i < len; i += n) {
        memcpy(bytes + i, sample, n);
    }
    return (struct job){.bytes = bytes, .len = len, .room = room};
}

static void release(struct job *job)
{
    free((char *)job->bytes);
    free(job->room);
}

static void bench_validation(size_t *sum)
{
    static const struct {
        const char *name, *sample;
    } texts[] = {
        {"ASCII", "<p>A page of documentation, as it is written: <a href=\"x.html\">x</a>.\n"},
        {"French", "<p>\xC3\x80 la p\xC3\xAA"
                   "che aux \xC3\xA9"
                   "crevisses, l'\xC3\xA9t\xC3\xA9 "
                   "pass\xC3\xA9, pr\xC3\xA8s de chez nous.\n"},
        {"Japanese", "\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E\xE3\x81\xAE\xE3\x83\x86\xE3\x82\xAD"
                     "\xE3\x82\xB9\xE3\x83\x88\xE3\x80\x82"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct job job = repeat(texts[i].sample);
        double t = best(validate, &job, sum), floor = best(copy, &job, sum);
        printf("text: validate UTF-8, %-8s  %6.2f GB/s (memcpy %.1f)\n", texts[i].name,
               (double)job.len / t / 1e9, (double)job.len / floor / 1e9);
        release(&job);
    }
}

static void bench_decoding(size_t *sum)
{
    static const struct {
        const char *label, *icu, *sample;
    } texts[] = {
        {"windows-1252", "windows-1252",
         "<p>\xC0 la p\xEA"
         "che aux \xE9"
         "crevisses, l'\xE9t\xE9.\n"},
        {"windows-1251", "windows-1251", "<p>\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0!\n"},
        {"gbk", "gbk", "<p>\xD6\xD0\xCE\xC4\xCD\xF8\xD2\xB3\xB5\xC4\xB1\xEA\xCC\xE2</p>\n"},
        {"shift_jis", "shift_jis", "<p>\x93\xFA\x96\x7B\x8C\xEA\x82\xCC\x83\x65\x83\x4C</p>\n"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct job job = repeat(texts[i].sample);
        job.cs = weft_charset_by_label(texts[i].label, strlen(texts[i].label));
        job.icu = texts[i].icu;
        double t = best(decode, &job, sum), icu = best(decode_by_icu, &job, sum);
        printf("text: decode %-12s      %6.0f MB/s (ICU %.0f)\n", texts[i].label,
               (double)job.len / t / 1e6, (double)job.len / icu / 1e6);
        release(&job);
    }
    /* a page of ordinary size: what it costs to begin */
    struct job page = repeat(texts[2].sample);
    page.cs = weft_charset_by_label("gbk", 3);
    page.len = 20000 / strlen(texts[2].sample) * strlen(texts[2].sample);
    printf("text: decode a 20 kB page of gbk %5.0f us\n", best(decode, &page, sum) * 1e6);
    release(&page);
}

static void bench_robots(size_t *sum)
{
    struct weft_buf body;
    weft_buf_init(&body, 1 << 20);
    enum weft_status st = weft_buf_puts(&body, "User-agent: *\n");
    for (int i = 0; i < 40 && st == WEFT_OK; i++) {
        st = weft_buf_printf(&body, "Disallow: /folder%d/\nDisallow: /*.kind%d$\n", i, i);
    }
    static const char href[] =
        "https://docs.example.org/3/library/concurrent.futures.html?q=executor";
    const struct weft_url url = {.href = href,
                                 .len = sizeof href - 1,
                                 .scheme_len = 5,
                                 .host_at = 8,
                                 .host_end = 24,
                                 .path_at = 24,
                                 .query_at = 58,
                                 .fragment_at = sizeof href - 1,
                                 .port = 443};
    struct weft_robots *robots;
    if (st != WEFT_OK || weft_robots_parse(&robots, body.data, body.len, "weft") != WEFT_OK) {
        exit(1);
    }
    const int n = 20000;
    weft_time least = WEFT_FOREVER;
    for (int round = 0; round < ROUNDS; round++) {
        weft_time start = weft_now();
        for (int i = 0; i < n; i++) {
            *sum += weft_robots_allows(robots, &url, NULL);
        }
        weft_time t = weft_now() - start;
        least = t < least ? t : least;
    }
    printf("text: robots.txt, 80 rules       %6.2f million URLs/s\n",
           n / ((double)least / WEFT_SECOND) / 1e6);
    weft_robots_free(robots);
    weft_buf_release(&body);
}

int main(void)
{
    size_t sum = 0;
    bench_validation(&sum);
    bench_decoding(&sum);
    bench_robots(&sum);
    return sum == 0;
}

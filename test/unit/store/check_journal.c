/* check_journal.c -- changes on their way to the state file: what goes in comes out, in order. */
#include "store/journal.h"

#include "fixture.h"
#include <string.h>

#define LIMIT 4096

static const char *const word[] = {"http://a.example/", "", "with a \n line", "caf\xc3\xa9 \xff"};

/* A change of this kind, whose numbers and texts tell which it is; every third text is absent. */
static struct weft_note sample(unsigned kind)
{
    struct weft_note c = {.kind = (enum weft_note_kind)kind};
    for (unsigned i = 0; i < weft_note_numbers(c.kind); i++) {
        c.numbers[i] = i == 0 ? UINT64_MAX - kind : (uint64_t)kind << 32 | i;
    }
    for (unsigned i = 0; i < weft_note_texts(c.kind); i++) {
        const char *text = word[(kind + i) % 4];
        if ((kind + i) % 3) {
            c.texts[i].text = text;
            c.texts[i].len = strlen(text);
        }
    }
    return c;
}

static void expect_same(const struct weft_note *got, const struct weft_note *wanted)
{
    ck_assert_int_eq(got->kind, wanted->kind);
    for (unsigned i = 0; i < weft_note_numbers(wanted->kind); i++) {
        ck_assert_uint_eq(got->numbers[i], wanted->numbers[i]);
    }
    for (unsigned i = 0; i < weft_note_texts(wanted->kind); i++) {
        ck_assert_int_eq(got->texts[i].text == NULL, wanted->texts[i].text == NULL);
        ck_assert_uint_eq(got->texts[i].len, wanted->texts[i].len);
        if (wanted->texts[i].text) {
            ck_assert_mem_eq(got->texts[i].text, wanted->texts[i].text, wanted->texts[i].len);
        }
    }
}

START_TEST(what_goes_in_comes_out_in_order)
{
    struct weft_buf journal;
    struct weft_note got;
    size_t at = 0;
    weft_buf_init(&journal, LIMIT);
    ck_assert(!weft_journal_next(&journal, &at, &got)); /* nothing was ever noted */
    for (unsigned i = 0; i < 3 * WEFT_NNOTES; i++) {
        struct weft_note c = sample(i * 7 % WEFT_NNOTES);
        ck_assert_int_eq(weft_journal_add(&journal, &c), WEFT_OK);
    }
    for (unsigned i = 0; i < 3 * WEFT_NNOTES; i++) {
        struct weft_note c = sample(i * 7 % WEFT_NNOTES);
        ck_assert(weft_journal_next(&journal, &at, &got));
        expect_same(&got, &c);
    }
    ck_assert_uint_eq(at, journal.len);
    ck_assert(!weft_journal_next(&journal, &at, &got));
    ck_assert_uint_eq(at, journal.len);
    weft_buf_release(&journal);
}
END_TEST

START_TEST(every_kind_fits_its_place)
{
    for (unsigned kind = 0; kind < WEFT_NNOTES; kind++) {
        unsigned numbers = weft_note_numbers(kind), texts = weft_note_texts(kind);
        ck_assert_uint_le(numbers, WEFT_NOTE_NUMBERS);
        ck_assert_uint_le(texts, WEFT_NOTE_TEXTS);
        ck_assert_uint_gt(numbers + texts, 0);
    }
}
END_TEST

/* At each length that the journal may have: a change is there whole, or it was refused and what was
 * there before is as it was. */
START_TEST(a_full_journal_stays_whole)
{
    struct weft_note one = sample(WEFT_NOTE_CLAIM), two = sample(WEFT_NOTE_END), got;
    struct weft_buf journal;
    bool fitted = false;
    for (size_t limit = 0; !fitted; limit++) {
        size_t at = 0;
        weft_buf_init(&journal, limit);
        enum weft_status first = weft_journal_add(&journal, &one);
        enum weft_status second = weft_journal_add(&journal, &two);
        fitted = first == WEFT_OK && second == WEFT_OK;
        if (first == WEFT_OK) {
            ck_assert(weft_journal_next(&journal, &at, &got));
            expect_same(&got, &one);
        }
        if (second == WEFT_OK) {
            ck_assert(weft_journal_next(&journal, &at, &got));
            expect_same(&got, &two);
        }
        ck_assert(first == WEFT_OK || first == WEFT_ELIMIT);
        ck_assert(second == WEFT_OK || second == WEFT_ELIMIT);
        ck_assert(!weft_journal_next(&journal, &at, &got));
        weft_buf_release(&journal);
        ck_assert_uint_lt(limit, 400);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("journal");
    tcase_add_test(tc, what_goes_in_comes_out_in_order);
    tcase_add_test(tc, every_kind_fits_its_place);
    tcase_add_test(tc, a_full_journal_stays_whole);
    return suite_run("store: journal", tc);
}

/* journal.c -- see journal.h. A change is a byte for its kind, its numbers, and each text behind
 * its length. */
#include "store/journal.h"

#include <string.h>

#define ABSENT UINT32_MAX

static const struct {
    unsigned char numbers, texts;
} shapes[WEFT_NNOTES] = {
    [WEFT_NOTE_CLAIM] = {7, 1},      [WEFT_NOTE_DEFER] = {2, 0},    [WEFT_NOTE_END] = {4, 3},
    [WEFT_NOTE_REDIRECTED] = {1, 2}, [WEFT_NOTE_REFERRER] = {1, 1}, [WEFT_NOTE_PARK] = {5, 1},
    [WEFT_NOTE_UNPARK] = {1, 0},     [WEFT_NOTE_HOST] = {3, 1},     [WEFT_NOTE_PLACE] = {0, 1},
};

unsigned weft_note_numbers(enum weft_note_kind kind)
{
    return shapes[kind].numbers;
}

unsigned weft_note_texts(enum weft_note_kind kind)
{
    return shapes[kind].texts;
}

enum weft_status weft_journal_add(struct weft_buf *journal, const struct weft_note *change)
{
    unsigned char kind = (unsigned char)change->kind;
    size_t numbers = shapes[kind].numbers * sizeof change->numbers[0];
    size_t need = 1 + numbers;
    for (unsigned i = 0; i < shapes[kind].texts; i++) {
        need += sizeof(uint32_t) + change->texts[i].len;
    }
    enum weft_status st = weft_buf_reserve(journal, need);
    if (st == WEFT_OK) {
        st = weft_buf_append(journal, &kind, 1);
    }
    if (st == WEFT_OK) {
        st = weft_buf_append(journal, change->numbers, numbers);
    }
    for (unsigned i = 0; st == WEFT_OK && i < shapes[kind].texts; i++) {
        const struct weft_note_text *t = &change->texts[i];
        uint32_t len = t->text ? (uint32_t)t->len : ABSENT;
        st = weft_buf_append(journal, &len, sizeof len);
        if (st == WEFT_OK && t->text) {
            st = weft_buf_append(journal, t->text, t->len);
        }
    }
    return st;
}

bool weft_journal_next(const struct weft_buf *journal, size_t *at, struct weft_note *change)
{
    if (*at >= journal->len) {
        return false;
    }
    const char *from = journal->data + *at;
    change->kind = (enum weft_note_kind)(unsigned char)*from++;
    size_t numbers = shapes[change->kind].numbers * sizeof change->numbers[0];
    memcpy(change->numbers, from, numbers);
    from += numbers;
    for (unsigned i = 0; i < shapes[change->kind].texts; i++) {
        uint32_t len;
        memcpy(&len, from, sizeof len);
        from += sizeof len;
        change->texts[i].text = len == ABSENT ? NULL : from;
        change->texts[i].len = len == ABSENT ? 0 : len;
        from += change->texts[i].len;
    }
    *at = (size_t)(from - journal->data);
    return true;
}

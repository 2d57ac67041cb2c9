/* lab_paths.c -- open addressing over a list of counters, texts in one buffer behind it. */
#include "lab/lab_paths.h"

#include "base/limits.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 256u

void lab_paths_init(struct lab_paths *p, uint64_t seed)
{
    *p = (struct lab_paths){.seed = seed};
    weft_buf_init(&p->text, WEFT_LAB_MAX_PATH_BYTES);
}

void lab_paths_release(struct lab_paths *p)
{
    free(p->list);
    free(p->slots);
    weft_buf_release(&p->text);
    lab_paths_init(p, p->seed);
}

void lab_paths_clear(struct lab_paths *p)
{
    lab_paths_release(p);
}

/* FNV-1a from a secret start, with a final mix so that the low bits depend on every byte. */
static uint64_t hash_of(const struct lab_paths *p, const char *text, size_t len)
{
    uint64_t h = p->seed ^ UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < len; i++) {
        h = (h ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    }
    h = (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return h ^ h >> 32;
}

static const char *text_of(const struct lab_paths *p, const struct lab_path *path)
{
    return p->text.data + path->at;
}

/* The slot of a text: where it is, or the empty one where it belongs. There are always empty
 * slots. */
static size_t find(const struct lab_paths *p, uint64_t hash, const char *text, size_t len)
{
    size_t mask = p->nslots - 1, i = hash & mask;
    while (p->slots[i]) {
        const struct lab_path *path = &p->list[p->slots[i] - 1];
        if (path->hash == hash && strncmp(text_of(p, path), text, len) == 0 &&
            text_of(p, path)[len] == '\0') {
            break;
        }
        i = (i + 1) & mask;
    }
    return i;
}

/* Keeps the table at most half full, so that searches stay short. */
static bool make_room(struct lab_paths *p)
{
    if (p->n == p->cap) {
        size_t cap = p->cap ? 2 * p->cap : FIRST_SLOTS / 2;
        struct lab_path *list = realloc(p->list, cap * sizeof *list);
        if (!list) {
            return false;
        }
        p->list = list;
        p->cap = cap;
    }
    if (2 * (p->n + 1) <= p->nslots) {
        return true;
    }
    size_t nslots = p->nslots ? 2 * p->nslots : FIRST_SLOTS;
    uint32_t *slots = calloc(nslots, sizeof *slots);
    if (!slots) {
        return false;
    }
    for (size_t k = 0; k < p->n; k++) {
        size_t i = p->list[k].hash & (nslots - 1);
        while (slots[i]) {
            i = (i + 1) & (nslots - 1);
        }
        slots[i] = (uint32_t)k + 1;
    }
    free(p->slots);
    p->slots = slots;
    p->nslots = nslots;
    return true;
}

uint64_t lab_paths_count(struct lab_paths *p, const char *text, size_t len)
{
    uint64_t hash = hash_of(p, text, len);
    size_t at = p->text.len;
    if (p->nslots) {
        size_t i = find(p, hash, text, len);
        if (p->slots[i]) {
            return ++p->list[p->slots[i] - 1].count;
        }
    }
    if (p->n == WEFT_LAB_MAX_PATHS || !make_room(p)) {
        return 0;
    }
    /* The text and its NUL go in together or not at all. */
    if (weft_buf_reserve(&p->text, len + 1) != WEFT_OK ||
        weft_buf_append(&p->text, text, len) != WEFT_OK ||
        weft_buf_append(&p->text, "", 1) != WEFT_OK) {
        return 0;
    }
    p->list[p->n] = (struct lab_path){.count = 1, .hash = hash, .at = (uint32_t)at};
    p->slots[find(p, hash, text, len)] = (uint32_t)++p->n;
    return 1;
}

uint64_t lab_paths_get(const struct lab_paths *p, const char *text, size_t len)
{
    if (p->nslots == 0) {
        return 0;
    }
    uint32_t slot = p->slots[find(p, hash_of(p, text, len), text, len)];
    return slot ? p->list[slot - 1].count : 0;
}

size_t lab_paths_top(const struct lab_paths *p, size_t *top, size_t max)
{
    size_t n = 0;
    for (size_t k = 0; k < p->n && max > 0; k++) {
        size_t i = n;
        while (i > 0 && p->list[top[i - 1]].count < p->list[k].count) {
            i--;
        }
        if (i == max) {
            continue;
        }
        size_t last = n < max ? n++ : max - 1;
        memmove(&top[i + 1], &top[i], (last - i) * sizeof *top);
        top[i] = k;
    }
    return n;
}

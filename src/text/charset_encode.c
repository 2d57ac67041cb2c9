/* charset_encode.c -- the Standard's encoders, for the query of a URL only. Each writes one
 * character; one that the encoding has not becomes an escaped number, as HTML wants it. */
#include "text/charset_impl.h"

#include <stdio.h>
#include <string.h>

#define MAX_CHARACTER 16 /* the longest: "%26%231114111%3B" */

/* ISO-2022-JP's encoder state (12.2.2). */
enum iso2022_state { ISO2022_ASCII, ISO2022_ROMAN, ISO2022_JIS0208 };

struct encoder {
    enum charset_id id;
    struct charset_index index;
    enum iso2022_state state;
    char *out;
    size_t cap, len;
    bool full;
};

static void put(struct encoder *e, const char *bytes, size_t len)
{
    if (len > e->cap - e->len) {
        e->full = true;
    }
    if (!e->full) {
        memcpy(e->out + e->len, bytes, len);
        e->len += len;
    }
}

static void put_byte(struct encoder *e, uint32_t byte)
{
    char c = (char)byte;
    put(e, &c, 1);
}

/* URL Standard: "percent-encode after encoding", step 5.4: already percent-encoded. */
static void put_error(struct encoder *e, uint32_t c)
{
    char text[MAX_CHARACTER + 1];
    int n = snprintf(text, sizeof text, "%%26%%23%u%%3B", (unsigned)c);
    put(e, text, (size_t)n);
}

static void put_pair(struct encoder *e, uint32_t lead, uint32_t trail)
{
    char pair[2] = {(char)lead, (char)trail};
    put(e, pair, 2);
}

/* 9.2 single-byte encoder */
static bool single(struct encoder *e, uint32_t c)
{
    const uint16_t *table = weft_charset_single(e->id);
    for (uint32_t i = 0; i < 128; i++) {
        if (table[i] == c) {
            put_byte(e, 0x80 + i);
            return true;
        }
    }
    return false;
}

/* 14.5.2 x-user-defined encoder */
static bool user(struct encoder *e, uint32_t c)
{
    if (c < 0xF780 || c > 0xF7FF) {
        return false;
    }
    put_byte(e, c - 0xF780 + 0x80);
    return true;
}

/* 10.2.2: Private Use code points that GB 18030-2005 had where -2022 has others; run by run. */
static uint32_t gb18030_2005(uint32_t c)
{
    static const struct {
        uint16_t first, last, pointer;
    } runs[] = {
        {0xE78D, 0xE793, 7182},  {0xE794, 0xE795, 7201},  {0xE796, 0xE796, 7208},
        {0xE81E, 0xE81E, 23775}, {0xE826, 0xE826, 23783}, {0xE82B, 0xE82C, 23788},
        {0xE832, 0xE832, 23795}, {0xE843, 0xE843, 23812}, {0xE854, 0xE854, 23829},
        {0xE864, 0xE864, 23845},
    };
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        if (c >= runs[i].first && c <= runs[i].last) {
            return runs[i].pointer + c - runs[i].first;
        }
    }
    return CHARSET_NO_POINTER;
}

/* 10.2.2 gb18030 encoder, and GBK's */
static bool gb18030(struct encoder *e, uint32_t c)
{
    if (c == 0xE5E5) {
        return false;
    }
    if (e->id == CHARSET_GBK && c == 0x20AC) {
        put_byte(e, 0x80);
        return true;
    }
    uint32_t p = gb18030_2005(c);
    if (p == CHARSET_NO_POINTER) {
        p = weft_index_pointer(&e->index, c);
    }
    if (p != CHARSET_NO_POINTER) {
        put_pair(e, p / 190 + 0x81, p % 190 + (p % 190 < 0x3F ? 0x40 : 0x41));
        return true;
    }
    if (e->id == CHARSET_GBK) {
        return false;
    }
    p = weft_gb18030_ranges_pointer(c);
    put_pair(e, p / 12600 + 0x81, p % 12600 / 1260 + 0x30);
    put_pair(e, p % 1260 / 10 + 0x81, p % 10 + 0x30);
    return true;
}

/* 11.1.2 Big5 encoder */
static bool big5(struct encoder *e, uint32_t c)
{
    uint32_t p = weft_index_pointer(&e->index, c);
    if (p == CHARSET_NO_POINTER) {
        return false;
    }
    put_pair(e, p / 157 + 0x81, p % 157 + (p % 157 < 0x3F ? 0x40 : 0x62));
    return true;
}

/* 13.1.2 EUC-KR encoder */
static bool euc_kr(struct encoder *e, uint32_t c)
{
    uint32_t p = weft_index_pointer(&e->index, c);
    if (p == CHARSET_NO_POINTER) {
        return false;
    }
    put_pair(e, p / 190 + 0x81, p % 190 + 0x41);
    return true;
}

static bool is_halfwidth_katakana(uint32_t c)
{
    return c >= 0xFF61 && c <= 0xFF9F;
}

/* The pointer in jis0208, the minus sign folded as three encoders want it. */
static uint32_t jis0208_pointer(struct encoder *e, uint32_t c)
{
    return weft_index_pointer(&e->index, c == 0x2212 ? 0xFF0D : c);
}

/* 12.1.2 EUC-JP encoder */
static bool euc_jp(struct encoder *e, uint32_t c)
{
    if (c == 0xA5 || c == 0x203E) {
        put_byte(e, c == 0xA5 ? 0x5C : 0x7E);
        return true;
    }
    if (is_halfwidth_katakana(c)) {
        put_pair(e, 0x8E, c - 0xFF61 + 0xA1);
        return true;
    }
    uint32_t p = jis0208_pointer(e, c);
    if (p == CHARSET_NO_POINTER) {
        return false;
    }
    put_pair(e, p / 94 + 0xA1, p % 94 + 0xA1);
    return true;
}

/* 12.3.2 Shift_JIS encoder */
static bool shift_jis(struct encoder *e, uint32_t c)
{
    if (c == 0x80 || c == 0xA5 || c == 0x203E) {
        put_byte(e, c == 0x80 ? 0x80 : c == 0xA5 ? 0x5C : 0x7E);
        return true;
    }
    if (is_halfwidth_katakana(c)) {
        put_byte(e, c - 0xFF61 + 0xA1);
        return true;
    }
    uint32_t p = jis0208_pointer(e, c);
    if (p == CHARSET_NO_POINTER) {
        return false;
    }
    put_pair(e, p / 188 + (p / 188 < 0x1F ? 0x81 : 0xC1), p % 188 + (p % 188 < 0x3F ? 0x40 : 0x41));
    return true;
}

static void shift_state(struct encoder *e, enum iso2022_state state)
{
    static const char *const escapes[] = {
        [ISO2022_ASCII] = "\x1B(B", [ISO2022_ROMAN] = "\x1B(J", [ISO2022_JIS0208] = "\x1B$B"};
    if (e->state != state) {
        put(e, escapes[state], 3);
        e->state = state;
    }
}

/* Index ISO-2022-JP katakana: half-width forms to the usual ones. */
static uint32_t fullwidth(uint32_t c)
{
    static const uint16_t katakana[] = {
        0x3002, 0x300C, 0x300D, 0x3001, 0x30FB, 0x30F2, 0x30A1, 0x30A3, 0x30A5, 0x30A7, 0x30A9,
        0x30E3, 0x30E5, 0x30E7, 0x30C3, 0x30FC, 0x30A2, 0x30A4, 0x30A6, 0x30A8, 0x30AA, 0x30AB,
        0x30AD, 0x30AF, 0x30B1, 0x30B3, 0x30B5, 0x30B7, 0x30B9, 0x30BB, 0x30BD, 0x30BF, 0x30C1,
        0x30C4, 0x30C6, 0x30C8, 0x30CA, 0x30CB, 0x30CC, 0x30CD, 0x30CE, 0x30CF, 0x30D2, 0x30D5,
        0x30D8, 0x30DB, 0x30DE, 0x30DF, 0x30E0, 0x30E1, 0x30E2, 0x30E4, 0x30E6, 0x30E8, 0x30E9,
        0x30EA, 0x30EB, 0x30EC, 0x30ED, 0x30EF, 0x30F3, 0x309B, 0x309C};
    return katakana[c - 0xFF61];
}

/* 12.2.2 ISO-2022-JP encoder; c may be ASCII. */
static bool iso_2022_jp(struct encoder *e, uint32_t c)
{
    if (c == 0x0E || c == 0x0F || c == 0x1B) { /* no smuggled escapes */
        if (e->state == ISO2022_JIS0208) {
            shift_state(e, ISO2022_ASCII);
        }
        return false;
    }
    if (c < 0x80) {
        if (e->state != ISO2022_ROMAN || c == 0x5C || c == 0x7E) {
            shift_state(e, ISO2022_ASCII);
        }
        put_byte(e, c);
        return true;
    }
    if (c == 0xA5 || c == 0x203E) {
        shift_state(e, ISO2022_ROMAN);
        put_byte(e, c == 0xA5 ? 0x5C : 0x7E);
        return true;
    }
    uint32_t p = jis0208_pointer(e, is_halfwidth_katakana(c) ? fullwidth(c) : c);
    if (p == CHARSET_NO_POINTER) {
        if (e->state == ISO2022_JIS0208) {
            shift_state(e, ISO2022_ASCII);
        }
        return false;
    }
    shift_state(e, ISO2022_JIS0208);
    put_pair(e, p / 94 + 0x21, p % 94 + 0x21);
    return true;
}

static bool encode_one(struct encoder *e, uint32_t c)
{
    switch (e->id) {
    case CHARSET_GBK:
    case CHARSET_GB18030:
        return gb18030(e, c);
    case CHARSET_BIG5:
        return big5(e, c);
    case CHARSET_EUC_JP:
        return euc_jp(e, c);
    case CHARSET_SHIFT_JIS:
        return shift_jis(e, c);
    case CHARSET_EUC_KR:
        return euc_kr(e, c);
    case CHARSET_ISO_2022_JP:
        return iso_2022_jp(e, c);
    case CHARSET_X_USER_DEFINED:
        return user(e, c);
    default:
        return single(e, c);
    }
}

static void encode_text(struct encoder *e, const uint8_t *text, size_t len)
{
    for (size_t i = 0; i < len && !e->full;) {
        if (e->id != CHARSET_ISO_2022_JP) {
            size_t ascii = weft_ascii_span(text + i, len - i);
            put(e, (const char *)text + i, ascii);
            i += ascii;
            if (i == len) {
                break;
            }
        }
        uint32_t c;
        i += weft_utf8_next(text + i, len - i, &c);
        if (e->id == CHARSET_UTF_8) {
            char utf8[4];
            put(e, utf8, weft_utf8_put(utf8, c));
        } else if (!encode_one(e, c)) {
            bool shift = c == 0x0E || c == 0x0F || c == 0x1B; /* ISO-2022-JP's alone */
            put_error(e, shift ? WEFT_REPLACEMENT_CHARACTER : c);
        }
    }
    if (e->id == CHARSET_ISO_2022_JP) {
        shift_state(e, ISO2022_ASCII);
    }
}

/* 4.3: the encoding that a query is written in. */
static enum charset_id output_encoding(enum charset_id id)
{
    bool none = id == CHARSET_REPLACEMENT || id == CHARSET_UTF_16BE || id == CHARSET_UTF_16LE;
    return none ? CHARSET_UTF_8 : id;
}

enum weft_status weft_charset_encode(const struct weft_charset *cs, const char *utf8, size_t len,
                                     char *out, size_t cap, size_t *written)
{
    static const enum charset_table tables[CHARSET_COUNT] = {
        [CHARSET_GBK] = CHARSET_TABLE_GB18030,
        [CHARSET_GB18030] = CHARSET_TABLE_GB18030,
        [CHARSET_BIG5] = CHARSET_TABLE_BIG5,
        [CHARSET_EUC_JP] = CHARSET_TABLE_JIS0208,
        [CHARSET_EUC_KR] = CHARSET_TABLE_EUC_KR,
        [CHARSET_ISO_2022_JP] = CHARSET_TABLE_JIS0208,
        [CHARSET_SHIFT_JIS] = CHARSET_TABLE_SHIFT_JIS,
    };
    struct encoder e = {.id = output_encoding(cs->id), .out = out, .cap = cap};
    weft_index_init(&e.index, tables[e.id]);
    encode_text(&e, (const uint8_t *)utf8, len);
    enum weft_status st = e.index.status;
    weft_index_release(&e.index);
    if (st == WEFT_OK && e.full) {
        st = WEFT_ELIMIT;
    }
    *written = st == WEFT_OK ? e.len : 0;
    return st;
}

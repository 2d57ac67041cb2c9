/* charset_index.c -- the Encoding Standard's indexes (section 5), out of ICU's converters.
 *
 * ICU carries these tables already, nearly the Standard's. Measured over every pointer of ICU 72:
 *   gb18030              19 of 23940 differ (GB 18030-2022, and A3 A0)
 *   ibm-1375 (Big5)      157 of 19782 differ, and what it maps to Private Use must go
 *   windows-949 (EUC-KR) none, once what it maps to Private Use is gone
 *   ibm-943, euc-jp-2007 none of jis0208; of jis0212 21 are too many
 * The differences are patches (charset_patches.inc); a unit test compares check sums of the whole
 * result, so another ICU that differs elsewhere is noticed. ICU's own decoders are not used: they
 * treat ill-formed bytes in another way. When decoding, a pair is asked for once and remembered: a
 * page has a few hundred different ones. */
#include "text/charset_impl.h"

#include <stdlib.h>
#include <string.h>
#include <unicode/ucnv.h>
#include <unicode/ucnv_err.h>
#include <unicode/utf16.h>

struct patch {
    uint32_t pointer, code_point;
};

#include "text/charset_patches.inc"

#define BIG5_FIRST ((0xA1u - 0x81u) * 157u) /* the Big5 encoder uses no pointer below it */

struct patches {
    const struct patch *list;
    size_t n;
};

#define PATCHES(name)                                                                              \
    {                                                                                              \
        (name), sizeof(name) / sizeof(struct patch)                                                \
    }

static const struct table {
    const char *converter;
    struct patches decode; /* sorted by pointer */
    struct patches encode; /* what must be known before ICU is asked for a pointer */
    uint32_t size;
    bool private_use; /* whether the Standard's index has Private Use code points */
} tables[CHARSET_TABLE_COUNT] = {
    [CHARSET_TABLE_GB18030] = {"gb18030", PATCHES(gb18030_patches), PATCHES(gb18030_encode_patches),
                               126 * 190, true},
    [CHARSET_TABLE_BIG5] = {"ibm-1375_P100-2008", PATCHES(big5_patches),
                            PATCHES(big5_encode_patches), 126 * 157, false},
    [CHARSET_TABLE_EUC_KR] = {"windows-949-2000", PATCHES(euc_kr_patches),
                              PATCHES(euc_kr_encode_patches), 126 * 190, false},
    [CHARSET_TABLE_SHIFT_JIS] = {"ibm-943_P15A-2003", PATCHES(shift_jis_patches),
                                 PATCHES(shift_jis_encode_patches), 60 * 188, false},
    [CHARSET_TABLE_JIS0208] = {"euc-jp-2007", PATCHES(jis0208_patches),
                               PATCHES(jis0208_encode_patches), 94 * 94, false},
    [CHARSET_TABLE_JIS0212] = {"euc-jp-2007", PATCHES(jis0212_patches), {NULL, 0}, 94 * 94, false},
};

void weft_index_init(struct charset_index *x, enum charset_table table)
{
    *x = (struct charset_index){.table = table, .size = tables[table].size};
}

void weft_index_release(struct charset_index *x)
{
    if (x->converter) {
        ucnv_close(x->converter);
    }
    free(x->seen);
    weft_index_init(x, x->table);
}

/* Opens the converter when first needed; false when that fails (x->status says why). */
static bool open_converter(struct charset_index *x)
{
    if (x->converter || x->status != WEFT_OK) {
        return x->status == WEFT_OK;
    }
    UErrorCode e = U_ZERO_ERROR;
    UConverter *c = ucnv_open(tables[x->table].converter, &e);
    ucnv_setToUCallBack(c, UCNV_TO_U_CALLBACK_STOP, NULL, NULL, NULL, &e);
    ucnv_setFromUCallBack(c, UCNV_FROM_U_CALLBACK_STOP, NULL, NULL, NULL, &e);
    if (U_FAILURE(e)) { /* the two calls above do nothing then */
        x->status = e == U_MEMORY_ALLOCATION_ERROR ? WEFT_ENOMEM : WEFT_EIO;
        ucnv_close(c); /* NULL is fine */
        return false;
    }
    x->converter = c;
    return true;
}

static bool allocate_seen(struct charset_index *x)
{
    if (!x->seen && x->status == WEFT_OK) {
        x->seen = calloc(x->size, sizeof *x->seen);
        x->status = x->seen ? WEFT_OK : WEFT_ENOMEM;
    }
    return x->status == WEFT_OK;
}

/* The bytes of a pointer in the converter's encoding; returns how many. */
static int32_t bytes_of(enum charset_table table, uint32_t p, char bytes[3])
{
    uint32_t row = 190, lead = 0x81, trail = 0x40, second_half = 0x41;
    switch (table) {
    case CHARSET_TABLE_BIG5:
        row = 157;
        second_half = 0x62;
        break;
    case CHARSET_TABLE_EUC_KR:
        trail = second_half = 0x41;
        break;
    case CHARSET_TABLE_SHIFT_JIS:
        row = 188;
        lead = p / row < 0x1F ? 0x81 : 0xC1;
        break;
    case CHARSET_TABLE_JIS0208:
        bytes[0] = (char)(p / 94 + 0xA1);
        bytes[1] = (char)(p % 94 + 0xA1);
        return 2;
    case CHARSET_TABLE_JIS0212:
        bytes[0] = (char)0x8F;
        bytes[1] = (char)(p / 94 + 0xA1);
        bytes[2] = (char)(p % 94 + 0xA1);
        return 3;
    default:
        break;
    }
    bytes[0] = (char)(p / row + lead);
    bytes[1] = (char)(p % row + (p % row < 0x3F ? trail : second_half));
    return 2;
}

/* The pointer of what the converter wrote; CHARSET_NO_POINTER if that is no pair of the index. */
static uint32_t pointer_of(enum charset_table table, const char *bytes, int32_t len)
{
    char again[3];
    uint32_t p = CHARSET_NO_POINTER, lead = (uint8_t)bytes[0], trail = (uint8_t)bytes[1];
    if (len != 2 || lead < 0x81) {
        return CHARSET_NO_POINTER;
    }
    switch (table) {
    case CHARSET_TABLE_BIG5:
        p = (lead - 0x81) * 157 + trail - (trail < 0x7F ? 0x40 : 0x62);
        break;
    case CHARSET_TABLE_EUC_KR:
        p = (lead - 0x81) * 190 + trail - 0x41;
        break;
    case CHARSET_TABLE_JIS0208:
        p = (lead - 0xA1) * 94 + trail - 0xA1;
        break;
    case CHARSET_TABLE_SHIFT_JIS:
        p = (lead - (lead < 0xA0 ? 0x81 : 0xC1)) * 188 + trail - (trail < 0x7F ? 0x40 : 0x41);
        break;
    case CHARSET_TABLE_GB18030:
        p = (lead - 0x81) * 190 + trail - (trail < 0x7F ? 0x40 : 0x41);
        break;
    default: /* nothing is encoded in jis0212 */
        return CHARSET_NO_POINTER;
    }
    if (p >= tables[table].size || bytes_of(table, p, again) != len ||
        memcmp(again, bytes, (size_t)len) != 0) {
        return CHARSET_NO_POINTER;
    }
    return p;
}

static uint32_t ask_icu(struct charset_index *x, uint32_t pointer)
{
    char bytes[3];
    UChar units[4];
    UErrorCode e = U_ZERO_ERROR;
    int32_t len = bytes_of(x->table, pointer, bytes);
    int32_t n = ucnv_toUChars(x->converter, units, 4, bytes, len, &e);
    if (U_FAILURE(e) || n < 1 || n > 2 || (n == 2 && !U16_IS_LEAD(units[0]))) {
        return 0;
    }
    uint32_t c = n == 1 ? units[0] : (uint32_t)U16_GET_SUPPLEMENTARY(units[0], units[1]);
    return c >= 0xE000 && c <= 0xF8FF && !tables[x->table].private_use ? 0 : c;
}

static const struct patch *find_patch(const struct table *t, uint32_t pointer)
{
    size_t low = 0, high = t->decode.n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (t->decode.list[mid].pointer == pointer) {
            return &t->decode.list[mid];
        }
        if (t->decode.list[mid].pointer < pointer) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    return NULL;
}

/* The answer that is then remembered; 0 as well when ICU can't be asked. */
static uint32_t look_up(struct charset_index *x, uint32_t pointer)
{
    const struct patch *patch = find_patch(&tables[x->table], pointer);
    if (patch) {
        return patch->code_point;
    }
    return open_converter(x) ? ask_icu(x, pointer) : 0;
}

uint32_t weft_index_ask(struct charset_index *x, uint32_t pointer)
{
    if (pointer >= x->size || !allocate_seen(x)) {
        return 0;
    }
    x->seen[pointer] = look_up(x, pointer) + 1;
    return x->seen[pointer] - 1;
}

static uint32_t patched_pointer(const struct patches *patches, uint32_t code_point, uint32_t from)
{
    for (size_t i = 0; i < patches->n; i++) {
        const struct patch *p = &patches->list[i];
        if (p->code_point == code_point && p->pointer >= from) {
            return p->pointer;
        }
    }
    return CHARSET_NO_POINTER;
}

uint32_t weft_index_pointer(struct charset_index *x, uint32_t code_point)
{
    const struct table *t = &tables[x->table];
    uint32_t from = x->table == CHARSET_TABLE_BIG5 ? BIG5_FIRST : 0;
    uint32_t pointer = patched_pointer(&t->encode, code_point, 0);
    if (pointer == CHARSET_NO_POINTER) {
        pointer = patched_pointer(&t->decode, code_point, from);
    }
    if (pointer != CHARSET_NO_POINTER || !open_converter(x)) {
        return pointer;
    }
    UChar units[2];
    int32_t n = 0;
    char bytes[8] = {0};
    UErrorCode e = U_ZERO_ERROR;
    U16_APPEND_UNSAFE(units, n, code_point);
    int32_t len = ucnv_fromUChars(x->converter, bytes, sizeof bytes, units, n, &e);
    if (U_FAILURE(e)) {
        return CHARSET_NO_POINTER;
    }
    pointer = pointer_of(x->table, bytes, len);
    if (pointer < from || pointer == CHARSET_NO_POINTER || look_up(x, pointer) != code_point) {
        return CHARSET_NO_POINTER; /* an ICU fallback, or not in the Standard's index */
    }
    return pointer;
}

static const struct range {
    uint32_t pointer, code_point;
} ranges[] = {
#include "text/charset_ranges.inc"
};

#define NRANGES (sizeof ranges / sizeof ranges[0])

uint32_t weft_gb18030_ranges_code_point(uint32_t pointer)
{
    if ((pointer > 39419 && pointer < 189000) || pointer > 1237575) {
        return 0;
    }
    if (pointer == 7457) {
        return 0xE7C7;
    }
    size_t low = 0, high = NRANGES;
    while (high - low > 1) { /* ranges[low].pointer <= pointer, always: the first is 0 */
        size_t mid = low + (high - low) / 2;
        *(ranges[mid].pointer <= pointer ? &low : &high) = mid;
    }
    return ranges[low].code_point + (pointer - ranges[low].pointer);
}

uint32_t weft_gb18030_ranges_pointer(uint32_t code_point)
{
    if (code_point == 0xE7C7) {
        return 7457;
    }
    size_t low = 0, high = NRANGES;
    while (high - low > 1) { /* not asked for ASCII: the first range begins at U+0080 */
        size_t mid = low + (high - low) / 2;
        *(ranges[mid].code_point <= code_point ? &low : &high) = mid;
    }
    return ranges[low].pointer + (code_point - ranges[low].code_point);
}

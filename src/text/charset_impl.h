/* charset_impl.h -- what the files charset*.c share: the list of encodings, where decoders write,
 * and the indexes of the multi-byte encodings. Nobody else includes it. */
#ifndef WEFT_TEXT_CHARSET_IMPL_H
#define WEFT_TEXT_CHARSET_IMPL_H

#include "text/charset.h"
#include "text/utf8.h"

/* Every encoding of the Standard; the single-byte ones first, so that they number their tables. */
enum charset_id {
    CHARSET_IBM866,
    CHARSET_ISO_8859_2,
    CHARSET_ISO_8859_3,
    CHARSET_ISO_8859_4,
    CHARSET_ISO_8859_5,
    CHARSET_ISO_8859_6,
    CHARSET_ISO_8859_7,
    CHARSET_ISO_8859_8,
    CHARSET_ISO_8859_8_I,
    CHARSET_ISO_8859_10,
    CHARSET_ISO_8859_13,
    CHARSET_ISO_8859_14,
    CHARSET_ISO_8859_15,
    CHARSET_ISO_8859_16,
    CHARSET_KOI8_R,
    CHARSET_KOI8_U,
    CHARSET_MACINTOSH,
    CHARSET_WINDOWS_874,
    CHARSET_WINDOWS_1250,
    CHARSET_WINDOWS_1251,
    CHARSET_WINDOWS_1252,
    CHARSET_WINDOWS_1253,
    CHARSET_WINDOWS_1254,
    CHARSET_WINDOWS_1255,
    CHARSET_WINDOWS_1256,
    CHARSET_WINDOWS_1257,
    CHARSET_WINDOWS_1258,
    CHARSET_X_MAC_CYRILLIC,
    CHARSET_SINGLE_BYTE, /* how many those are */
    CHARSET_UTF_8 = CHARSET_SINGLE_BYTE,
    CHARSET_GBK,
    CHARSET_GB18030,
    CHARSET_BIG5,
    CHARSET_EUC_JP,
    CHARSET_ISO_2022_JP,
    CHARSET_SHIFT_JIS,
    CHARSET_EUC_KR,
    CHARSET_REPLACEMENT,
    CHARSET_UTF_16BE,
    CHARSET_UTF_16LE,
    CHARSET_X_USER_DEFINED,
    CHARSET_COUNT
};

struct weft_charset {
    const char *name;
    enum charset_id id;
};

const struct weft_charset *weft_charset_of(enum charset_id id);
/* Code points of the bytes 80..FF, 0 for none. id < CHARSET_SINGLE_BYTE. */
const uint16_t *weft_charset_single(enum charset_id id);

/* Where a decoder writes: a small stage before the caller's buffer, so that its limit is met to
 * the byte. Once status is not WEFT_OK, nothing more is written. */
struct charset_sink {
    struct weft_buf *out;
    enum weft_status status;
    size_t used;
    char stage[4096];
};

void weft_sink_flush(struct charset_sink *sink);
/* Writes bytes that are UTF-8 already. */
void weft_sink_bytes(struct charset_sink *sink, const uint8_t *bytes, size_t len);
/* Writes one scalar value as UTF-8. Here, so that it is compiled into the decoders' loops. */
static inline void weft_sink_put(struct charset_sink *sink, uint32_t code_point)
{
    if (sizeof sink->stage - sink->used < 4) {
        weft_sink_flush(sink);
    }
    char *to = sink->stage + sink->used;
    if (code_point < 0x80) {
        to[0] = (char)code_point;
        sink->used += 1;
    } else if (code_point >= 0x800 && code_point < 0x10000) { /* most of what is not Latin */
        to[0] = (char)(0xE0 | code_point >> 12);
        to[1] = (char)(0x80 | (code_point >> 6 & 0x3F));
        to[2] = (char)(0x80 | (code_point & 0x3F));
        sink->used += 3;
    } else {
        sink->used += weft_utf8_put(to, code_point);
    }
}

/* The Standard's indexes: pointer to code point and back. They are ICU's tables corrected by
 * patches; an index opens its converter when it is first asked, and remembers code points. One
 * thread at a time. status tells whether ICU could not be asked; answers are "none" then. */
enum charset_table {
    CHARSET_TABLE_GB18030,
    CHARSET_TABLE_BIG5,
    CHARSET_TABLE_EUC_KR,
    CHARSET_TABLE_SHIFT_JIS, /* index jis0208, all of it */
    CHARSET_TABLE_JIS0208,   /* its first 94 rows: what EUC-JP and ISO-2022-JP reach */
    CHARSET_TABLE_JIS0212,
    CHARSET_TABLE_COUNT
};

struct charset_index {
    enum charset_table table;
    enum weft_status status;
    uint32_t size;   /* pointers that the table has room for */
    void *converter; /* UConverter; NULL until asked */
    uint32_t *seen;  /* by pointer: code point + 1 of what was asked, 0 if not yet */
};

#define CHARSET_NO_POINTER UINT32_MAX

void weft_index_init(struct charset_index *x, enum charset_table table);
void weft_index_release(struct charset_index *x);
/* What weft_index_code_point does the first time that it is asked for a pointer. */
uint32_t weft_index_ask(struct charset_index *x, uint32_t pointer);
/* "Index code point": 0 for none; any pointer may be asked. */
static inline uint32_t weft_index_code_point(struct charset_index *x, uint32_t pointer)
{
    if (x->seen && pointer < x->size && x->seen[pointer]) {
        return x->seen[pointer] - 1;
    }
    return weft_index_ask(x, pointer);
}
/* "Index pointer", with the exclusions that the Standard's Big5 and Shift_JIS encoders make;
 * CHARSET_NO_POINTER for none. */
uint32_t weft_index_pointer(struct charset_index *x, uint32_t code_point);
/* "Index gb18030 ranges": code point (0 for none) of a four-byte pointer, and back. */
uint32_t weft_gb18030_ranges_code_point(uint32_t pointer);
uint32_t weft_gb18030_ranges_pointer(uint32_t code_point);

/* The multi-byte decoders. */
void weft_decode_multi(enum charset_id id, const uint8_t *bytes, size_t len,
                       struct charset_sink *sink);

#endif

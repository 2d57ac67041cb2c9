/* charset_decode.c -- decoding to UTF-8: the way to each decoder, and those that need no index:
 * UTF-8, the single-byte encodings, UTF-16, x-user-defined, replacement. Decoders are the
 * Standard's, handler by handler; only runs of ASCII take a short cut. */
#include "text/charset_impl.h"

#include <string.h>

void weft_sink_flush(struct charset_sink *sink)
{
    if (sink->status == WEFT_OK && sink->used) {
        sink->status = weft_buf_append(sink->out, sink->stage, sink->used);
    }
    sink->used = 0;
}

void weft_sink_bytes(struct charset_sink *sink, const uint8_t *bytes, size_t len)
{
    if (len > sizeof sink->stage - sink->used) {
        weft_sink_flush(sink);
    }
    if (len <= sizeof sink->stage / 2) {
        memcpy(sink->stage + sink->used, bytes, len);
        sink->used += len;
    } else {
        weft_sink_flush(sink);
        if (sink->status == WEFT_OK) {
            sink->status = weft_buf_append(sink->out, bytes, len);
        }
    }
}

/* 8.1.1 UTF-8 decoder */
static void decode_utf8(const uint8_t *bytes, size_t len, struct charset_sink *sink)
{
    size_t i = 0;
    while (i < len && sink->status == WEFT_OK) {
        size_t good = weft_utf8_span(bytes + i, len - i);
        weft_sink_bytes(sink, bytes + i, good);
        i += good;
        if (i < len) {
            uint32_t c;
            i += weft_utf8_next(bytes + i, len - i, &c);
            weft_sink_put(sink, c);
        }
    }
}

/* 9.1 single-byte decoder */
static void decode_single(const uint16_t *table, const uint8_t *bytes, size_t len,
                          struct charset_sink *sink)
{
    char utf8[128][4] = {{0}}; /* what each byte above 7F comes to: at most three bytes, ... */
    uint8_t size[128];         /* ... copied as four */
    for (unsigned i = 0; i < 128; i++) {
        size[i] = (uint8_t)weft_utf8_put(utf8[i], table[i] ? table[i] : WEFT_REPLACEMENT_CHARACTER);
    }
    size_t i = 0;
    while (i < len && sink->status == WEFT_OK) {
        size_t ascii = weft_ascii_span(bytes + i, len - i);
        weft_sink_bytes(sink, bytes + i, ascii);
        i += ascii;
        while (i < len && bytes[i] >= 0x80) {
            if (sizeof sink->stage - sink->used < 4) {
                weft_sink_flush(sink);
            }
            memcpy(sink->stage + sink->used, utf8[bytes[i] - 0x80], 4);
            sink->used += size[bytes[i] - 0x80];
            i++;
        }
    }
}

/* 14.5.1 x-user-defined decoder */
static void decode_user(const uint8_t *bytes, size_t len, struct charset_sink *sink)
{
    for (size_t i = 0; i < len && sink->status == WEFT_OK; i++) {
        weft_sink_put(sink, bytes[i] < 0x80 ? bytes[i] : 0xF780u + bytes[i] - 0x80);
    }
}

/* 14.2.1 shared UTF-16 decoder */
static void decode_utf16(bool big_endian, const uint8_t *bytes, size_t len,
                         struct charset_sink *sink)
{
    uint32_t lead = 0; /* a leading surrogate that waits for its trailing one */
    size_t i = 0;
    for (; i + 1 < len && sink->status == WEFT_OK; i += 2) {
        uint32_t unit = big_endian ? (uint32_t)bytes[i] << 8 | bytes[i + 1]
                                   : (uint32_t)bytes[i + 1] << 8 | bytes[i];
        bool trails = unit >= 0xDC00 && unit <= 0xDFFF;
        if (lead && trails) {
            weft_sink_put(sink, 0x10000 + ((lead - 0xD800) << 10) + (unit - 0xDC00));
            lead = 0;
            continue;
        }
        if (lead) {
            weft_sink_put(sink, WEFT_REPLACEMENT_CHARACTER);
            lead = 0;
        }
        if (unit >= 0xD800 && unit <= 0xDBFF) {
            lead = unit;
        } else {
            weft_sink_put(sink, trails ? WEFT_REPLACEMENT_CHARACTER : unit);
        }
    }
    if (lead || i < len) { /* cut off in a pair, or in a code unit: one error for both */
        weft_sink_put(sink, WEFT_REPLACEMENT_CHARACTER);
    }
}

bool weft_charset_is_verbatim(const struct weft_charset *cs, const char *bytes, size_t len)
{
    switch (cs->id) {
    case CHARSET_UTF_8:
        return weft_utf8_valid(bytes, len);
    case CHARSET_ISO_2022_JP: /* shifts with ASCII */
    case CHARSET_REPLACEMENT:
    case CHARSET_UTF_16BE:
    case CHARSET_UTF_16LE:
        return len == 0;
    default:
        return weft_ascii_span((const uint8_t *)bytes, len) == len;
    }
}

enum weft_status weft_charset_decode(const struct weft_charset *cs, const char *bytes, size_t len,
                                     struct weft_buf *out)
{
    const uint8_t *in = (const uint8_t *)bytes;
    size_t before = out->len;
    struct charset_sink sink;
    sink.out = out;
    sink.status = WEFT_OK;
    sink.used = 0;
    if (cs->id < CHARSET_SINGLE_BYTE) {
        decode_single(weft_charset_single(cs->id), in, len, &sink);
    } else if (cs->id == CHARSET_UTF_8) {
        decode_utf8(in, len, &sink);
    } else if (cs->id == CHARSET_UTF_16BE || cs->id == CHARSET_UTF_16LE) {
        decode_utf16(cs->id == CHARSET_UTF_16BE, in, len, &sink);
    } else if (cs->id == CHARSET_X_USER_DEFINED) {
        decode_user(in, len, &sink);
    } else if (cs->id == CHARSET_REPLACEMENT) {
        if (len) {
            weft_sink_put(&sink, WEFT_REPLACEMENT_CHARACTER); /* one for the whole: 14.1.1 */
        }
    } else {
        weft_decode_multi(cs->id, in, len, &sink);
    }
    weft_sink_flush(&sink);
    if (sink.status != WEFT_OK && out->data) {
        out->len = before;
        out->data[before] = '\0';
    }
    return sink.status;
}

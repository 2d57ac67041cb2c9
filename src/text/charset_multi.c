/* charset_multi.c -- the multi-byte decoders of the Encoding Standard, sections 10 to 13, handler
 * by handler. Each reads one sequence at a position and says how many bytes it took, which is what
 * the Standard's "restore" comes to. Knows indexes only through charset_impl.h. */
#include "text/charset_impl.h"

#define NONE 0u /* no code point: no decoder gives U+0000 from more than one byte */

struct decoder {
    struct charset_index main, jis0212;
    struct charset_sink *sink;
};

static bool within(uint32_t byte, uint32_t low, uint32_t high)
{
    return byte >= low && byte <= high;
}

/* What all two-byte decoders end with: writes the code point, or an error that keeps an ASCII
 * trail for the next round. Returns the bytes taken. */
static size_t two_bytes(struct decoder *d, uint32_t code_point, uint8_t trail)
{
    weft_sink_put(d->sink, code_point ? code_point : WEFT_REPLACEMENT_CHARACTER);
    return code_point || trail >= 0x80 ? 2 : 1;
}

/* An error that takes len bytes. */
static size_t error(struct decoder *d, size_t len)
{
    weft_sink_put(d->sink, WEFT_REPLACEMENT_CHARACTER);
    return len;
}

/* 10.2.1 gb18030 decoder, four bytes: s[1] is a digit. */
static size_t gb18030_four(struct decoder *d, const uint8_t *s, size_t len)
{
    if (len < 4) { /* the end of the queue, unless a byte before it is wrong already */
        return len == 3 && !within(s[2], 0x81, 0xFE) ? error(d, 1) : error(d, len);
    }
    if (!within(s[2], 0x81, 0xFE) || !within(s[3], '0', '9')) {
        return error(d, 1);
    }
    uint32_t pointer = (s[0] - 0x81u) * 12600 + (s[1] - 0x30u) * 1260 + (s[2] - 0x81u) * 10 +
                       (s[3] - 0x30u);
    uint32_t c = weft_gb18030_ranges_code_point(pointer);
    weft_sink_put(d->sink, c ? c : WEFT_REPLACEMENT_CHARACTER);
    return 4;
}

/* 10.2.1 gb18030 decoder, which is GBK's as well */
static size_t gb18030(struct decoder *d, const uint8_t *s, size_t len)
{
    if (s[0] == 0x80) {
        weft_sink_put(d->sink, 0x20AC);
        return 1;
    }
    if (s[0] == 0xFF || len < 2) {
        return error(d, 1);
    }
    if (within(s[1], '0', '9')) {
        return gb18030_four(d, s, len);
    }
    uint32_t c = NONE;
    if (within(s[1], 0x40, 0x7E) || within(s[1], 0x80, 0xFE)) {
        c = weft_index_code_point(&d->main,
                                  (s[0] - 0x81u) * 190 + s[1] - (s[1] < 0x7F ? 0x40u : 0x41u));
    }
    return two_bytes(d, c, s[1]);
}

/* 11.1.1 Big5 decoder */
static size_t big5(struct decoder *d, const uint8_t *s, size_t len)
{
    if (!within(s[0], 0x81, 0xFE) || len < 2) {
        return error(d, 1);
    }
    uint32_t c = NONE;
    if (within(s[1], 0x40, 0x7E) || within(s[1], 0xA1, 0xFE)) {
        uint32_t pointer = (s[0] - 0x81u) * 157 + s[1] - (s[1] < 0x7F ? 0x40u : 0x62u);
        if (pointer == 1133 || pointer == 1135 || pointer == 1164 || pointer == 1166) {
            weft_sink_put(d->sink, pointer < 1164 ? 0x00CA : 0x00EA); /* and a combining mark */
            c = pointer == 1133 || pointer == 1164 ? 0x0304 : 0x030C;
        } else {
            c = weft_index_code_point(&d->main, pointer);
        }
    }
    return two_bytes(d, c, s[1]);
}

/* 12.1.1 EUC-JP decoder */
static size_t euc_jp(struct decoder *d, const uint8_t *s, size_t len)
{
    if ((s[0] != 0x8E && s[0] != 0x8F && !within(s[0], 0xA1, 0xFE)) || len < 2) {
        return error(d, 1);
    }
    if (s[0] == 0x8E && within(s[1], 0xA1, 0xDF)) {
        return two_bytes(d, 0xFF61u - 0xA1 + s[1], s[1]);
    }
    if (s[0] == 0x8F && within(s[1], 0xA1, 0xFE)) { /* jis0212: s[1] leads, a trail follows */
        if (len < 3) {
            return error(d, 2);
        }
        uint32_t c = NONE;
        if (within(s[2], 0xA1, 0xFE)) {
            c = weft_index_code_point(&d->jis0212, (s[1] - 0xA1u) * 94 + s[2] - 0xA1);
        }
        return 1 + two_bytes(d, c, s[2]);
    }
    uint32_t c = NONE;
    if (within(s[0], 0xA1, 0xFE) && within(s[1], 0xA1, 0xFE)) {
        c = weft_index_code_point(&d->main, (s[0] - 0xA1u) * 94 + s[1] - 0xA1);
    }
    return two_bytes(d, c, s[1]);
}

/* 12.3.1 Shift_JIS decoder */
static size_t shift_jis(struct decoder *d, const uint8_t *s, size_t len)
{
    if (s[0] == 0x80) {
        weft_sink_put(d->sink, 0x80);
        return 1;
    }
    if (within(s[0], 0xA1, 0xDF)) {
        weft_sink_put(d->sink, 0xFF61u - 0xA1 + s[0]);
        return 1;
    }
    if (s[0] == 0xA0 || s[0] > 0xFC || len < 2) {
        return error(d, 1);
    }
    uint32_t c = NONE;
    if (within(s[1], 0x40, 0x7E) || within(s[1], 0x80, 0xFC)) {
        uint32_t pointer = (s[0] - (s[0] < 0xA0 ? 0x81u : 0xC1u)) * 188 + s[1] -
                           (s[1] < 0x7F ? 0x40u : 0x41u);
        c = within(pointer, 8836, 10715) ? 0xE000 - 8836 + pointer
                                         : weft_index_code_point(&d->main, pointer);
    }
    return two_bytes(d, c, s[1]);
}

/* 13.1.1 EUC-KR decoder */
static size_t euc_kr(struct decoder *d, const uint8_t *s, size_t len)
{
    if (!within(s[0], 0x81, 0xFE) || len < 2) {
        return error(d, 1);
    }
    uint32_t c = NONE;
    if (within(s[1], 0x41, 0xFE)) {
        c = weft_index_code_point(&d->main, (s[0] - 0x81u) * 190 + s[1] - 0x41);
    }
    return two_bytes(d, c, s[1]);
}

/* 12.2.1 ISO-2022-JP decoder. Its states, as far as they outlive a sequence; "trailing byte",
 * "escape start" and "escape" are positions below. */
enum iso2022_state { ISO2022_ASCII, ISO2022_ROMAN, ISO2022_KATAKANA, ISO2022_LEADING };

struct iso2022 {
    enum iso2022_state state; /* also the Standard's "output state": they differ only inside */
    bool output;              /* the last thing was an escape sequence that printed nothing */
};

/* Reads behind ESC. Takes it with its two bytes if it is one, else it alone. */
static size_t escape(struct decoder *d, struct iso2022 *m, const uint8_t *s, size_t len)
{
    uint32_t pair = len >= 3 ? (uint32_t)s[1] << 8 | s[2] : 0;
    switch (pair) {
    case 0x2842: /* ( B */
        m->state = ISO2022_ASCII;
        break;
    case 0x284A: /* ( J */
        m->state = ISO2022_ROMAN;
        break;
    case 0x2849: /* ( I */
        m->state = ISO2022_KATAKANA;
        break;
    case 0x2440: /* $ @ */
    case 0x2442: /* $ B */
        m->state = ISO2022_LEADING;
        break;
    default:
        m->output = false;
        return error(d, 1);
    }
    if (m->output) {
        weft_sink_put(d->sink, WEFT_REPLACEMENT_CHARACTER); /* two escapes with nothing between */
    }
    m->output = true;
    return 3;
}

/* States leading byte and trailing byte. */
static size_t jis0208_pair(struct decoder *d, const uint8_t *s, size_t len)
{
    if (!within(s[0], 0x21, 0x7E)) {
        return error(d, 1);
    }
    if (len < 2 || s[1] == 0x1B) { /* ESC is read again, as the start of an escape */
        return error(d, 1);
    }
    uint32_t c = NONE;
    if (within(s[1], 0x21, 0x7E)) {
        c = weft_index_code_point(&d->main, (s[0] - 0x21u) * 94 + s[1] - 0x21);
    }
    weft_sink_put(d->sink, c ? c : WEFT_REPLACEMENT_CHARACTER);
    return 2;
}

static size_t iso2022_one(struct decoder *d, struct iso2022 *m, const uint8_t *s, size_t len)
{
    if (s[0] == 0x1B) {
        return escape(d, m, s, len);
    }
    m->output = false;
    if (m->state == ISO2022_LEADING) {
        return jis0208_pair(d, s, len);
    }
    if (m->state == ISO2022_KATAKANA) {
        bool kana = within(s[0], 0x21, 0x5F);
        weft_sink_put(d->sink, kana ? 0xFF61u - 0x21 + s[0] : WEFT_REPLACEMENT_CHARACTER);
        return 1;
    }
    if (s[0] >= 0x80 || s[0] == 0x0E || s[0] == 0x0F) {
        return error(d, 1);
    }
    uint32_t c = s[0];
    if (m->state == ISO2022_ROMAN) {
        c = c == 0x5C ? 0xA5 : c == 0x7E ? 0x203E : c;
    }
    weft_sink_put(d->sink, c);
    return 1;
}

static void iso_2022_jp(struct decoder *d, const uint8_t *bytes, size_t len)
{
    struct iso2022 machine = {ISO2022_ASCII, false};
    for (size_t i = 0; i < len && d->sink->status == WEFT_OK;) {
        i += iso2022_one(d, &machine, bytes + i, len - i);
    }
}

void weft_decode_multi(enum charset_id id, const uint8_t *bytes, size_t len,
                       struct charset_sink *sink)
{
    static const struct {
        size_t (*one)(struct decoder *d, const uint8_t *s, size_t len); /* s[0] is above 0x7F */
        enum charset_table table;
    } decoders[CHARSET_COUNT] = {
        [CHARSET_GBK] = {gb18030, CHARSET_TABLE_GB18030},
        [CHARSET_GB18030] = {gb18030, CHARSET_TABLE_GB18030},
        [CHARSET_BIG5] = {big5, CHARSET_TABLE_BIG5},
        [CHARSET_EUC_JP] = {euc_jp, CHARSET_TABLE_JIS0208},
        [CHARSET_ISO_2022_JP] = {NULL, CHARSET_TABLE_JIS0208}, /* has states */
        [CHARSET_SHIFT_JIS] = {shift_jis, CHARSET_TABLE_SHIFT_JIS},
        [CHARSET_EUC_KR] = {euc_kr, CHARSET_TABLE_EUC_KR},
    };
    struct decoder d = {.sink = sink};
    weft_index_init(&d.main, decoders[id].table);
    weft_index_init(&d.jis0212, CHARSET_TABLE_JIS0212);
    if (!decoders[id].one) {
        iso_2022_jp(&d, bytes, len);
    }
    for (size_t i = 0; decoders[id].one && i < len && sink->status == WEFT_OK;) {
        if (bytes[i] < 0x80) {
            size_t ascii = weft_ascii_span(bytes + i, len - i);
            weft_sink_bytes(sink, bytes + i, ascii);
            i += ascii;
        } else {
            i += decoders[id].one(&d, bytes + i, len - i);
        }
    }
    if (sink->status == WEFT_OK) {
        sink->status = d.main.status != WEFT_OK ? d.main.status : d.jis0212.status;
    }
    weft_index_release(&d.main);
    weft_index_release(&d.jis0212);
}

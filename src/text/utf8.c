/* utf8.c -- see utf8.h; validates at memory speed where it is ASCII. */
#include "text/utf8.h"

#include "text/charset.h" /* weft_utf8_valid */
#include <string.h>

#define HIGH_BITS UINT64_C(0x8080808080808080)

static uint64_t load(const uint8_t *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

size_t weft_ascii_span(const uint8_t *bytes, size_t len)
{
    size_t i = 0;
    while (i + 32 <= len &&
           ((load(bytes + i) | load(bytes + i + 8) | load(bytes + i + 16) | load(bytes + i + 24)) &
            HIGH_BITS) == 0) {
        i += 32;
    }
    while (i + 8 <= len && (load(bytes + i) & HIGH_BITS) == 0) {
        i += 8;
    }
    while (i < len && bytes[i] < 0x80) {
        i++;
    }
    return i;
}

/* The length of the sequence that starts with a byte above 0x7F, and what its second byte may be
 * (Unicode table 3-7); 0 for a byte that starts none. */
static unsigned sequence(uint8_t lead, uint8_t *low, uint8_t *high)
{
    *low = 0x80;
    *high = 0xBF;
    if (lead >= 0xC2 && lead <= 0xDF) {
        return 2;
    }
    if (lead >= 0xE0 && lead <= 0xEF) {
        if (lead == 0xE0) {
            *low = 0xA0; /* no overlong forms */
        } else if (lead == 0xED) {
            *high = 0x9F; /* no surrogates */
        }
        return 3;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        if (lead == 0xF0) {
            *low = 0x90;
        } else if (lead == 0xF4) {
            *high = 0x8F; /* nothing above U+10FFFF */
        }
        return 4;
    }
    return 0;
}

size_t weft_utf8_next(const uint8_t *bytes, size_t len, uint32_t *code_point)
{
    uint8_t low, high;
    if (bytes[0] < 0x80) {
        *code_point = bytes[0];
        return 1;
    }
    unsigned need = sequence(bytes[0], &low, &high);
    uint32_t c = need ? bytes[0] & (0x7Fu >> need) : 0;
    for (unsigned i = 1; i < need; i++) {
        if (i >= len || bytes[i] < low || bytes[i] > high) {
            *code_point = WEFT_REPLACEMENT_CHARACTER;
            return i;
        }
        c = c << 6 | (bytes[i] & 0x3Fu);
        low = 0x80;
        high = 0xBF;
    }
    *code_point = need ? c : WEFT_REPLACEMENT_CHARACTER;
    return need ? need : 1;
}

static bool continues(uint8_t byte)
{
    return (byte & 0xC0) == 0x80;
}

size_t weft_utf8_span(const uint8_t *bytes, size_t len)
{
    size_t i = 0;
    while (i < len) {
        uint8_t lead = bytes[i];
        if (lead < 0x80) {
            i += weft_ascii_span(bytes + i, len - i);
        } else if (lead < 0xE0) {
            if (lead < 0xC2 || len - i < 2 || !continues(bytes[i + 1])) {
                return i;
            }
            i += 2;
        } else {
            uint8_t low, high;
            unsigned need = sequence(lead, &low, &high);
            if (need == 0 || len - i < need || bytes[i + 1] < low || bytes[i + 1] > high ||
                !continues(bytes[i + 2]) || (need == 4 && !continues(bytes[i + 3]))) {
                return i;
            }
            i += need;
        }
    }
    return i;
}

bool weft_utf8_valid(const char *bytes, size_t len)
{
    return weft_utf8_span((const uint8_t *)bytes, len) == len;
}

size_t weft_utf8_put(char *out, uint32_t c)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xC0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char)(0xE0 | c >> 12);
        out[1] = (char)(0x80 | (c >> 6 & 0x3F));
        out[2] = (char)(0x80 | (c & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | c >> 18);
    out[1] = (char)(0x80 | (c >> 12 & 0x3F));
    out[2] = (char)(0x80 | (c >> 6 & 0x3F));
    out[3] = (char)(0x80 | (c & 0x3F));
    return 4;
}

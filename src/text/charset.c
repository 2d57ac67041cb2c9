/* charset.c -- the encodings of the Encoding Standard: their names, labels and single-byte tables.
 * Knows constant tables; decoding, encoding and deciding are in the other charset_*.c. */
#include "text/charset_impl.h"

#include <string.h>

#define MAX_LABEL 32 /* longer than any label */

static const struct weft_charset encodings[CHARSET_COUNT] = {
    {"IBM866", CHARSET_IBM866},
    {"ISO-8859-2", CHARSET_ISO_8859_2},
    {"ISO-8859-3", CHARSET_ISO_8859_3},
    {"ISO-8859-4", CHARSET_ISO_8859_4},
    {"ISO-8859-5", CHARSET_ISO_8859_5},
    {"ISO-8859-6", CHARSET_ISO_8859_6},
    {"ISO-8859-7", CHARSET_ISO_8859_7},
    {"ISO-8859-8", CHARSET_ISO_8859_8},
    {"ISO-8859-8-I", CHARSET_ISO_8859_8_I},
    {"ISO-8859-10", CHARSET_ISO_8859_10},
    {"ISO-8859-13", CHARSET_ISO_8859_13},
    {"ISO-8859-14", CHARSET_ISO_8859_14},
    {"ISO-8859-15", CHARSET_ISO_8859_15},
    {"ISO-8859-16", CHARSET_ISO_8859_16},
    {"KOI8-R", CHARSET_KOI8_R},
    {"KOI8-U", CHARSET_KOI8_U},
    {"macintosh", CHARSET_MACINTOSH},
    {"windows-874", CHARSET_WINDOWS_874},
    {"windows-1250", CHARSET_WINDOWS_1250},
    {"windows-1251", CHARSET_WINDOWS_1251},
    {"windows-1252", CHARSET_WINDOWS_1252},
    {"windows-1253", CHARSET_WINDOWS_1253},
    {"windows-1254", CHARSET_WINDOWS_1254},
    {"windows-1255", CHARSET_WINDOWS_1255},
    {"windows-1256", CHARSET_WINDOWS_1256},
    {"windows-1257", CHARSET_WINDOWS_1257},
    {"windows-1258", CHARSET_WINDOWS_1258},
    {"x-mac-cyrillic", CHARSET_X_MAC_CYRILLIC},
    {"UTF-8", CHARSET_UTF_8},
    {"GBK", CHARSET_GBK},
    {"gb18030", CHARSET_GB18030},
    {"Big5", CHARSET_BIG5},
    {"EUC-JP", CHARSET_EUC_JP},
    {"ISO-2022-JP", CHARSET_ISO_2022_JP},
    {"Shift_JIS", CHARSET_SHIFT_JIS},
    {"EUC-KR", CHARSET_EUC_KR},
    {"replacement", CHARSET_REPLACEMENT},
    {"UTF-16BE", CHARSET_UTF_16BE},
    {"UTF-16LE", CHARSET_UTF_16LE},
    {"x-user-defined", CHARSET_X_USER_DEFINED},
};

struct label {
    const char *text;
    enum charset_id id;
};

static const struct label labels[] = {
#include "text/charset_labels.inc"
};

static const uint16_t single[CHARSET_SINGLE_BYTE][128] = {
#include "text/charset_single.inc"
};

const struct weft_charset *weft_charset_of(enum charset_id id)
{
    return &encodings[id];
}

const uint16_t *weft_charset_single(enum charset_id id)
{
    return single[id];
}

static bool is_ascii_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

const struct weft_charset *weft_charset_by_label(const char *label, size_t len)
{
    while (len && is_ascii_space(*label)) {
        label++;
        len--;
    }
    while (len && is_ascii_space(label[len - 1])) {
        len--;
    }
    if (len == 0 || len >= MAX_LABEL || memchr(label, '\0', len)) {
        return NULL;
    }
    char key[MAX_LABEL];
    for (size_t i = 0; i < len; i++) {
        key[i] = (char)(label[i] >= 'A' && label[i] <= 'Z' ? label[i] + ('a' - 'A') : label[i]);
    }
    key[len] = '\0';
    size_t low = 0, high = sizeof labels / sizeof labels[0];
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        int order = strcmp(key, labels[mid].text);
        if (order == 0) {
            return &encodings[labels[mid].id];
        }
        if (order < 0) {
            high = mid;
        } else {
            low = mid + 1;
        }
    }
    return NULL;
}

const char *weft_charset_name(const struct weft_charset *cs)
{
    return cs->name;
}

const struct weft_charset *weft_charset_utf8(void)
{
    return &encodings[CHARSET_UTF_8];
}

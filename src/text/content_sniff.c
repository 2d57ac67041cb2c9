/* content_sniff.c -- the MIME type of a body whose Content-Type is missing or known to lie: the
 * MIME Sniffing Standard's algorithm of section 7 with its tables of sections 6 and 7. Knows the
 * field and the first bytes. */
#include "text/content_type.h"

#include "base/buf.h"
#include <stdint.h>
#include <string.h>

#define HEADER 1445 /* bytes of the body that are looked at: 5.2 */

struct header {
    const uint8_t *at;
    size_t len;
};

/* A byte pattern as text: "." stands for any byte. */
struct pattern {
    const char *bytes;
    size_t len;
    const char *type;
};

#define PATTERN(text, type)                                                                        \
    {                                                                                              \
        text, sizeof(text) - 1, type                                                               \
    }

/* 7.1, first table: tags, in any case, behind white space, and followed by a space or ">". */
static const char *const html_tags[] = {
    "<!DOCTYPE HTML", "<HTML", "<HEAD",  "<SCRIPT", "<IFRAME", "<H1",   "<DIV", "<FONT",
    "<TABLE",         "<A",    "<STYLE", "<TITLE",  "<B",      "<BODY", "<BR",  "<P",
    "<!--",
};

/* 7.1, second table */
static const struct pattern unknown_patterns[] = {
    PATTERN("%!PS-Adobe-", "application/postscript"),
    PATTERN("\xFE\xFF..", "text/plain"),
    PATTERN("\xFF\xFE..", "text/plain"),
    PATTERN("\xEF\xBB\xBF.", "text/plain"),
};

/* 6.1 */
static const struct pattern image_patterns[] = {
    PATTERN("\0\0\1\0", "image/x-icon"),
    PATTERN("\0\0\2\0", "image/x-icon"),
    PATTERN("BM", "image/bmp"),
    PATTERN("GIF87a", "image/gif"),
    PATTERN("GIF89a", "image/gif"),
    PATTERN("RIFF....WEBPVP", "image/webp"),
    PATTERN("\x89PNG\r\n\x1A\n", "image/png"),
    PATTERN("\xFF\xD8\xFF", "image/jpeg"),
};

/* 6.2; "." is in none of the signatures as itself */
static const struct pattern media_patterns[] = {
    PATTERN("FORM....AIFF", "audio/aiff"), PATTERN("ID3", "audio/mpeg"),
    PATTERN("OggS\0", "application/ogg"),  PATTERN("MThd\0\0\0\6", "audio/midi"),
    PATTERN("RIFF....AVI ", "video/avi"),  PATTERN("RIFF....WAVE", "audio/wave"),
};

/* 6.4 */
static const struct pattern archive_patterns[] = {
    PATTERN("\x1F\x8B\x08", "application/x-gzip"),
    PATTERN("PK\3\4", "application/zip"),
    PATTERN("Rar!\x1A\7\0", "application/x-rar-compressed"),
};

static const char *match_table(const struct pattern *table, size_t n, struct header h)
{
    for (size_t k = 0; k < n; k++) {
        size_t i = 0;
        while (i < table[k].len && i < h.len &&
               (table[k].bytes[i] == '.' || (uint8_t)table[k].bytes[i] == h.at[i])) {
            i++;
        }
        if (i == table[k].len) {
            return table[k].type;
        }
    }
    return NULL;
}

#define MATCH(table, header) match_table(table, sizeof(table) / sizeof(table)[0], header)

static struct header skip_whitespace(struct header h)
{
    while (h.len && (h.at[0] == ' ' || h.at[0] == '\t' || h.at[0] == '\n' || h.at[0] == '\f' ||
                     h.at[0] == '\r')) {
        h.at++;
        h.len--;
    }
    return h;
}

static bool is_html(struct header h)
{
    h = skip_whitespace(h);
    for (size_t k = 0; k < sizeof html_tags / sizeof html_tags[0]; k++) {
        const char *tag = html_tags[k];
        size_t i = 0;
        while (tag[i] && i < h.len) {
            uint8_t c = h.at[i];
            if ((char)(c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c) != tag[i]) {
                break;
            }
            i++;
        }
        if (!tag[i] && i < h.len && (h.at[i] == ' ' || h.at[i] == '>')) {
            return true;
        }
    }
    return false;
}

/* 6.2.1 */
static bool is_mp4(struct header h)
{
    if (h.len < 12 || memcmp(h.at + 4, "ftyp", 4) != 0) {
        return false;
    }
    uint32_t box = (uint32_t)h.at[0] << 24 | (uint32_t)h.at[1] << 16 | (uint32_t)h.at[2] << 8 |
                   h.at[3];
    if (h.len < box || box % 4 != 0) {
        return false;
    }
    if (memcmp(h.at + 8, "mp4", 3) == 0) {
        return true;
    }
    for (size_t i = 16; i + 3 <= box; i += 4) {
        if (memcmp(h.at + i, "mp4", 3) == 0) {
            return true;
        }
    }
    return false;
}

/* 6.2.2: an EBML header whose DocType element (42 82, a length, the name) is "webm". */
static bool is_webm(struct header h)
{
    if (h.len < 4 || memcmp(h.at, "\x1A\x45\xDF\xA3", 4) != 0) {
        return false;
    }
    for (size_t i = 4; i + 1 < h.len && i < 38; i++) {
        if (h.at[i] != 0x42 || h.at[i + 1] != 0x82) {
            continue;
        }
        i += 2;
        size_t size = 1; /* of the variable-length number: its leading zeros say */
        while (i < h.len && size < 8 && !(h.at[i] & (0x80u >> (size - 1)))) {
            size++;
        }
        for (i += size; i < h.len && h.at[i] == 0; i++) { /* padding */
        }
        return i + 4 <= h.len && memcmp(h.at + i, "webm", 4) == 0;
    }
    return false;
}

/* 6.2.3, the header of one MPEG audio frame of layer III; returns the frame's length, 0 if there is
 * none. Where the Standard's steps mix up the versions, this is what MPEG says. */
static size_t mp3_frame(struct header h)
{
    static const uint32_t rates[] = {0,   32,  40,  48,  56,  64,  80, 96,
                                     112, 128, 160, 192, 224, 256, 320};
    static const uint32_t low_rates[] = {0,  8,  16, 24,  32,  40,  48, 56,
                                         64, 80, 96, 112, 128, 144, 160};
    static const uint32_t samples[] = {44100, 48000, 32000};
    if (h.len < 4 || h.at[0] != 0xFF || (h.at[1] & 0xE0) != 0xE0) {
        return 0;
    }
    unsigned version = h.at[1] >> 3 & 3, layer = h.at[1] >> 1 & 3, rate = h.at[2] >> 4,
             sample = h.at[2] >> 2 & 3, padding = h.at[2] >> 1 & 1;
    if (version == 1 || layer != 1 || rate == 15 || sample == 3) { /* 1 is layer III */
        return 0;
    }
    bool first = version == 3; /* MPEG-1; 2 is MPEG-2 with half the rate, 0 is 2.5 with a quarter */
    uint32_t bits = (first ? rates : low_rates)[rate] * 1000;
    uint32_t sampling = samples[sample] >> (first ? 0 : version == 2 ? 1 : 2);
    return bits * (first ? 144 : 72) / sampling + padding;
}

static bool is_mp3(struct header h)
{
    size_t size = mp3_frame(h);
    if (size < 4 || size > h.len) {
        return false;
    }
    return mp3_frame((struct header){h.at + size, h.len - size}) > 0;
}

static const char *media_type(struct header h)
{
    const char *type = MATCH(media_patterns, h);
    if (type) {
        return type;
    }
    return is_mp4(h) ? "video/mp4" : is_webm(h) ? "video/webm" : is_mp3(h) ? "audio/mpeg" : NULL;
}

/* 3: what text never holds */
static bool has_binary(struct header h)
{
    for (size_t i = 0; i < h.len; i++) {
        uint8_t c = h.at[i];
        if (c <= 0x08 || c == 0x0B || (c >= 0x0E && c <= 0x1A) || (c >= 0x1C && c <= 0x1F)) {
            return true;
        }
    }
    return false;
}

/* 7.2, distinguishing if a resource is text or binary */
static const char *text_or_binary(struct header h)
{
    bool bom = (h.len >= 2 &&
                (memcmp(h.at, "\xFE\xFF", 2) == 0 || memcmp(h.at, "\xFF\xFE", 2) == 0)) ||
               (h.len >= 3 && memcmp(h.at, "\xEF\xBB\xBF", 3) == 0);
    return bom || !has_binary(h) ? "text/plain" : "application/octet-stream";
}

/* 7.1, identifying a resource with an unknown MIME type, scriptable ones among them */
static const char *identify(struct header h)
{
    if (is_html(h)) {
        return "text/html";
    }
    struct header text = skip_whitespace(h);
    if (text.len >= 5 && memcmp(text.at, "<?xml", 5) == 0) {
        return "text/xml";
    }
    if (h.len >= 5 && memcmp(h.at, "%PDF-", 5) == 0) {
        return "application/pdf";
    }
    const char *type = MATCH(unknown_patterns, h);
    type = type ? type : MATCH(image_patterns, h);
    type = type ? type : media_type(h);
    type = type ? type : MATCH(archive_patterns, h);
    if (type) {
        return type;
    }
    return has_binary(h) ? "application/octet-stream" : "text/plain";
}

static bool starts(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

static bool ends(const char *text, const char *word)
{
    size_t n = strlen(text), m = strlen(word);
    return n >= m && !strcmp(text + n - m, word);
}

/* 5.1: the values that old Apache servers gave to everything; letter by letter. */
static bool is_apache_bug(const char *value, size_t len)
{
    static const char *const values[] = {"text/plain", "text/plain; charset=ISO-8859-1",
                                         "text/plain; charset=iso-8859-1",
                                         "text/plain; charset=UTF-8"};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        if (len == strlen(values[i]) && memcmp(value, values[i], len) == 0) {
            return true;
        }
    }
    return false;
}

void weft_content_sniff(const char *value, size_t value_len, const char *body, size_t len,
                        char out[WEFT_ESSENCE_CAP])
{
    struct header h = {(const uint8_t *)body, len < HEADER ? len : HEADER};
    struct weft_content_type supplied;
    weft_content_type_extract(value, value_len, &supplied);
    const char *e = supplied.essence, *type = NULL;
    if (!*e || !strcmp(e, "unknown/unknown") || !strcmp(e, "application/unknown") ||
        !strcmp(e, "*/*")) {
        type = identify(h);
    } else if (ends(e, "+xml") || !strcmp(e, "text/xml") || !strcmp(e, "application/xml") ||
               !strcmp(e, "text/html")) {
        type = e;
    } else if (is_apache_bug(value, value_len)) {
        type = text_or_binary(h);
    } else if (starts(e, "image/")) {
        type = MATCH(image_patterns, h);
    } else if (starts(e, "audio/") || starts(e, "video/") || !strcmp(e, "application/ogg")) {
        type = media_type(h);
    }
    type = type ? type : e;
    memcpy(out, type, strlen(type) + 1);
}

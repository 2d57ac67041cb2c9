/* url_idna.c -- domains that are not ASCII (URL Standard 3.3), through ICU's implementation of
 * UTS 46: non-transitional, CheckBidi and CheckJoiners, without STD3 rules, hyphens or lengths.
 *
 * ICU's tables are those of its Unicode version. What later versions changed for characters that
 * existed before is put right by a table ahead of ICU; characters that did not exist are refused
 * until ICU knows them. Knows names; knows nothing of URLs. */
#include "base/limits.h"
#include "text/url_parts.h"
#include "text/utf8.h"

#include <stdatomic.h>
#include <unicode/uidna.h>

/* Errors that the Standard does not ask for (CheckHyphens and VerifyDnsLength are false). */
#define TOLERATED                                                                                  \
    (UIDNA_ERROR_EMPTY_LABEL | UIDNA_ERROR_LABEL_TOO_LONG | UIDNA_ERROR_DOMAIN_NAME_TOO_LONG |     \
     UIDNA_ERROR_LEADING_HYPHEN | UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4)

/* What UTS 46 says of these characters since revision 33 (Unicode 16 and 17), where it differs from
 * Unicode 15.0 (ICU 72). All were disallowed, but for U+1E9E, which was mapped to "ss". U+1806,
 * disallowed before and valid now, can't be put right from outside and is still refused. */
static const struct change {
    uint32_t first, last;
    uint32_t to; /* what first is mapped to, and so on; 0: ignored */
} changes[] = {
    {0x04C0, 0x04C0, 0x04CF},    /* palochka */
    {0x10A0, 0x10C5, 0x2D00},    /* Georgian capital letters */
    {0x115F, 0x1160, 0},         /* Hangul fillers */
    {0x17B4, 0x17B5, 0},         /* Khmer inherent vowels */
    {0x180E, 0x180E, 0},         /* Mongolian vowel separator */
    {0x1E9E, 0x1E9E, 0x00DF},    /* capital sharp s */
    {0x2061, 0x2063, 0},         /* invisible operators */
    {0x206A, 0x206F, 0},         /* deprecated format characters */
    {0x2132, 0x2132, 0x214E},    /* turned capital F */
    {0x2183, 0x2183, 0x2184},    /* Roman numeral reversed one hundred */
    {0x3164, 0x3164, 0},         /* Hangul filler */
    {0xFFA0, 0xFFA0, 0},         /* halfwidth Hangul filler */
    {0x1D173, 0x1D17A, 0},       /* musical format characters */
    {0x2F868, 0x2F868, 0x36FC},  /* compatibility ideographs that were once mapped wrongly */
    {0x2F874, 0x2F874, 0x5F53},  /* ditto */
    {0x2F91F, 0x2F91F, 0x243AB}, /* ditto */
    {0x2F95F, 0x2F95F, 0x7AEE},  /* ditto */
    {0x2F9BF, 0x2F9BF, 0x45D7},  /* ditto */
};

/* Opened once for all threads, constant from then on; opening is tried again if it failed. */
static const UIDNA *shared(void)
{
    static _Atomic(UIDNA *) uts46;
    UIDNA *idna = atomic_load(&uts46);
    if (idna) {
        return idna;
    }
    UErrorCode e = U_ZERO_ERROR;
    UIDNA *mine = uidna_openUTS46(
        UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ | UIDNA_NONTRANSITIONAL_TO_ASCII, &e);
    if (U_FAILURE(e)) {
        return NULL;
    }
    if (!atomic_compare_exchange_strong(&uts46, &idna, mine)) {
        uidna_close(mine); /* another thread was first */
        return idna;
    }
    return mine;
}

static const struct change *change_of(uint32_t c)
{
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        if (c >= changes[i].first && c <= changes[i].last) {
            return &changes[i];
        }
    }
    return NULL;
}

/* Applies the changes in place, since none makes a character longer; gives the new length. */
static size_t modernise(char *utf8, size_t len)
{
    char *to = utf8;
    for (const char *p = utf8, *end = utf8 + len; p < end;) {
        uint32_t c;
        p += weft_utf8_next((const uint8_t *)p, (size_t)(end - p), &c);
        const struct change *change = change_of(c);
        if (!change || change->to) {
            to += weft_utf8_put(to, change ? change->to + (c - change->first) : c);
        }
    }
    return (size_t)(to - utf8);
}

enum weft_status weft_url_idna(struct url_out *o, char *utf8, size_t len)
{
    const UIDNA *idna = shared();
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    UErrorCode e = U_ZERO_ERROR;
    if (!idna) {
        return WEFT_ENOMEM;
    }
    size_t room = o->cap - o->len;
    int32_t n = uidna_nameToASCII_UTF8(idna, utf8, (int32_t)modernise(utf8, len), o->buf + o->len,
                                       room < INT32_MAX ? (int32_t)room : INT32_MAX, &info, &e);
    if (e == U_MEMORY_ALLOCATION_ERROR) {
        return WEFT_ENOMEM;
    }
    if (info.errors & ~(uint32_t)TOLERATED) {
        return WEFT_ESYNTAX;
    }
    if (e == U_BUFFER_OVERFLOW_ERROR || e == U_INPUT_TOO_LONG_ERROR) {
        return WEFT_ELIMIT;
    }
    if (U_FAILURE(e)) {
        return WEFT_ESYNTAX;
    }
    o->len += (size_t)n;
    return WEFT_OK;
}

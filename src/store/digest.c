/* digest.c -- see digest.h. */
#include "store/digest.h"

void weft_digest_text(const unsigned char digest[SHA1_DIGEST_SIZE], char text[WEFT_DIGEST_TEXT])
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    unsigned bits = 0, have = 0;
    char *to = text;
    for (unsigned i = 0; i < SHA1_DIGEST_SIZE; i++) { /* 160 bits are 32 groups of five, no rest */
        bits = (bits << 8 | digest[i]) & 0xfff;
        for (have += 8; have >= 5; have -= 5) {
            *to++ = alphabet[bits >> (have - 5) & 31];
        }
    }
    *to = '\0';
}

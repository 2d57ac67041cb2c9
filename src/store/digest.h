/* digest.h -- SHA-1 as WARC writes it. Knows a library of hashes and nothing else. */
#ifndef WEFT_STORE_DIGEST_H
#define WEFT_STORE_DIGEST_H

#include <nettle/sha1.h>

#define WEFT_DIGEST_TEXT 33 /* 32 characters of base32 and a NUL */

/* Writes the 20 bytes of a SHA-1 as base32 (RFC 4648, 6) into text. */
void weft_digest_text(const unsigned char digest[SHA1_DIGEST_SIZE], char text[WEFT_DIGEST_TEXT]);

#endif

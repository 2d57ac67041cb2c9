/* deflated.h -- bytes for the tests of content codings: text, and what zlib makes of it. Knows
 * zlib; knows nothing of fetches. */
#ifndef WEFT_TEST_NET_DEFLATED_H
#define WEFT_TEST_NET_DEFLATED_H

#include <stddef.h>

/* Fills text with letters in no order, the same each time, without a NUL behind them. */
void fill_text(char *text, size_t len);
/* Packs from[0..len) into to; fails the test if cap bytes do not suffice. bits: zlib's windowBits:
 * 31 gzip, 15 zlib, -15 raw deflate. Gives how many bytes there are now. */
size_t deflated(int bits, const void *from, size_t len, unsigned char *to, size_t cap);

#endif

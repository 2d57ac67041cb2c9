/* deflated.c -- see deflated.h. */
#include "deflated.h"

#include "support/suite.h"
#include <stdint.h>
#include <zlib.h>

void fill_text(char *text, size_t len)
{
    unsigned seed = 1;
    for (size_t i = 0; i < len; i++) {
        seed = seed * 1103515245u + 12345u;
        text[i] = (char)('a' + (seed >> 16) % 20);
    }
}

size_t deflated(int bits, const void *from, size_t len, unsigned char *to, size_t cap)
{
    z_stream z = {0};
    ck_assert_int_eq(deflateInit2(&z, 9, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (unsigned char *)(uintptr_t)from;
    z.avail_in = (uInt)len;
    z.next_out = to;
    z.avail_out = (uInt)cap;
    ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    return cap - z.avail_out;
}

/* utf8.h -- UTF-8: how far it is well-formed, reading and writing one character. Knows bytes only;
 * pure; threads: any. */
#ifndef WEFT_TEXT_UTF8_H
#define WEFT_TEXT_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEFT_REPLACEMENT_CHARACTER 0xFFFDu

/* How many bytes from the start are ASCII. */
size_t weft_ascii_span(const uint8_t *bytes, size_t len);
/* How many bytes from the start are well-formed UTF-8. */
size_t weft_utf8_span(const uint8_t *bytes, size_t len);
/* Reads one scalar value (len > 0) into *code_point and returns how many bytes it took. Ill-formed:
 * U+FFFD and the maximal subpart (Unicode 3.9, the Standard's UTF-8 decoder). */
size_t weft_utf8_next(const uint8_t *bytes, size_t len, uint32_t *code_point);
/* Writes a scalar value into out[0..4), returns how many bytes it is. */
size_t weft_utf8_put(char *out, uint32_t code_point);

#endif

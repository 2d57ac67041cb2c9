/* charset.h -- encodings of the WHATWG Encoding Standard: names, deciding, decoding to UTF-8,
 * encoding a query. Knows bytes and tables; no I/O. Pure functions; threads: any. */
#ifndef WEFT_TEXT_CHARSET_H
#define WEFT_TEXT_CHARSET_H

#include "base/buf.h"
#include <stdbool.h>

struct weft_charset; /* one row of a constant table: never freed, comparable by address */

/* The encoding that a label names (Encoding Standard 4.2, white space and case ignored), or NULL.
 */
const struct weft_charset *weft_charset_by_label(const char *label, size_t len);
/* Its name as the Standard writes it ("windows-1252", "UTF-8"). */
const char *weft_charset_name(const struct weft_charset *cs);
const struct weft_charset *weft_charset_utf8(void);

/* Decides the encoding of an HTML body (HTML Standard 13.2.3.2): a byte order mark, else the
 * charset of the Content-Type, else the prescan of the first 1024 bytes, else UTF-8 if the body has
 * a byte above 0x7F and is well-formed UTF-8 as a whole, else windows-1252 (ASCII alone among it:
 * what browsers call it, and it decides how a query is encoded). Never NULL. content_type is the
 * field's value; NULL if absent. *bom_len gets the length of the byte order mark that decoding must
 * skip. */
const struct weft_charset *weft_charset_of_html(const char *body, size_t len,
                                                const char *content_type, size_t content_type_len,
                                                size_t *bom_len);

/* Whether the bytes are well-formed UTF-8 as they stand. */
bool weft_utf8_valid(const char *bytes, size_t len);

/* Whether decoding would give the same bytes: those that are UTF-8 already, ASCII in most. */
bool weft_charset_is_verbatim(const struct weft_charset *cs, const char *bytes, size_t len);

/* Appends the bytes, decoded, to out as well-formed UTF-8; what can't be decoded becomes U+FFFD
 * where the Standard says, and nothing behind it is lost. At most WEFT_CHARSET_GROWTH bytes come of
 * one byte, plus 3. WEFT_OK; WEFT_ELIMIT, WEFT_ENOMEM, WEFT_EIO (ICU's data lacks a table): out is
 * as it was. Time linear in len. */
#define WEFT_CHARSET_GROWTH 3
enum weft_status weft_charset_decode(const struct weft_charset *cs, const char *bytes, size_t len,
                                     struct weft_buf *out) WEFT_MUST_USE;

/* For a URL's query (URL Standard, "percent-encode after encoding"): appends to out[0..cap) the
 * bytes of the UTF-8 text in cs (its output encoding: UTF-8 for UTF-16 and replacement). Only
 * what cs has not is written escaped, "%26%23NNN%3B" (the HTML form, percent-encoded: "%" stays as
 * it is in what follows); ill-formed text counts as U+FFFD. *written gets their number.
 * WEFT_OK, WEFT_ELIMIT, WEFT_ENOMEM, WEFT_EIO. Time linear in len. */
enum weft_status weft_charset_encode(const struct weft_charset *cs, const char *utf8, size_t len,
                                     char *out, size_t cap, size_t *written) WEFT_MUST_USE;

#endif

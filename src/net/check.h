/* check.h -- what is wrong with a network's options, and which of them are for named hosts alone.
 * Knows options alone, no network. Threads: any. */
#ifndef WEFT_NET_CHECK_H
#define WEFT_NET_CHECK_H

#include "weft/fetch.h"

/* Whether a header, as the user wrote it, is of this field. */
bool weft_net_is_field(const char *header, const char *name);

/* Whether a header goes to the hosts that the user meant and to no other, as curl has it: fields
 * that carry a secret, and Host, which elsewhere would ask for what is not there. */
bool weft_net_is_bound(const char *header);

/* As curl's -b: text with '=' is cookies, else it names a file. */
bool weft_net_is_cookie_text(const char *cookie_file);

/* What weft_net_new would refuse, with a sentence in error[0..cap): WEFT_EINVAL; WEFT_EIO: a file
 * that is named can't be read. Needs no network, so that whoever has more to open asks first. */
enum weft_status weft_net_check(const struct weft_net_options *o, char *error,
                                size_t cap) WEFT_MUST_USE;

#endif

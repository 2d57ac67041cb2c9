/* loopback.h -- whether a URL names one's own machine, by how it is written: no look-up. */
#ifndef WEFT_CRAWL_LOOPBACK_H
#define WEFT_CRAWL_LOOPBACK_H

#include "weft/url.h"

/* "localhost", names below ".localhost", 127.0.0.0/8 and [::1]. Threads: any. */
bool weft_is_loopback(const struct weft_url *url);

#endif

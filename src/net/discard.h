/* discard.h -- the end of a network whose cookie jar is somebody else's to write. */
#ifndef WEFT_NET_DISCARD_H
#define WEFT_NET_DISCARD_H

#include "weft/fetch.h"

/* As weft_net_free, but the cookie jar is left as it is. NULL is fine. */
void weft_net_discard(struct weft_net *net);

#endif

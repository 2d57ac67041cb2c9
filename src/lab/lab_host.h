/* lab_host.h -- may a request that names this host be answered by a server on loopback?
 *
 * A page of a stranger's site can make a browser ask 127.0.0.1 under the stranger's own name (DNS
 * rebinding) and would then read the answer. So only names that can't be a stranger's are served.
 * Pure functions over text. Threads: any. */
#ifndef WEFT_LAB_HOST_H
#define WEFT_LAB_HOST_H

#include <stdbool.h>
#include <stddef.h>

/* Whether host[0..len), the value of a Host field with or without a port, names this machine:
 * localhost, a name below .localhost (RFC 6761 6.3), 127.0.0.0/8 in four decimal numbers, [::1]. */
bool lab_host_is_loopback(const char *host, size_t len);

#endif

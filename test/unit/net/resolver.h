/* resolver.h -- names under test: this program's getaddrinfo() stands in front of the system's, so
 * that look-ups can hang, fail, and give any address. libcurl uses it without knowing.
 *   hang.test      does not come back until resolver_release()
 *   A-B-C-D.test   the address A.B.C.D
 *   several may be joined: 127-0-0-1.10-0-0-1.test has two addresses
 *   no.test        does not exist
 * Everything else goes to the system. */
#ifndef WEFT_TEST_NET_RESOLVER_H
#define WEFT_TEST_NET_RESOLVER_H

/* Waits until a look-up of hang.test has begun. */
void resolver_await(void);
/* Lets the look-ups that hang, and later ones, fail. */
void resolver_release(void);
/* Look-ups of names under .test so far. */
unsigned resolver_count(void);

#endif

/* shard.h -- one of the libcurl multi handles of an event loop, and the slots that run on it.
 *
 * A multi handle looks through all its connections when a transfer starts and when one is taken
 * off: with thousands that costs more than the transfer. So a loop has several, each of some
 * dozens. Knows libcurl; the loop tells when and on which socket it has to act. */
#ifndef WEFT_NET_SHARD_H
#define WEFT_NET_SHARD_H

#include "net/transfer.h"
#include "net/watch.h"

/* Transfers on one multi handle at most: large enough that hosts share it, small enough for the
 * looking through to be lost among the rest (2 % of a fetch at 64, as much as the fetch at 2,000).
 */
#define WEFT_SHARD_SLOTS 64u

/* One fetch, or a handle that waits for the next one. */
struct weft_slot {
    struct weft_transfer transfer;
    struct weft_watches *watches;  /* the loop's */
    struct weft_shard *shard;      /* on which it runs; NULL: it does not */
    struct weft_slot *prev, *next; /* in one of the loop's lists */
    weft_time look_at; /* when its limits have to be looked at: never later than one falls due */
    size_t place;      /* in the loop's heap of these times */
    void *tag;
};

struct weft_shard {
    CURLM *multi;
    struct weft_watches *watches; /* borrowed */
    weft_time timer;              /* when libcurl wants to be called; WEFT_FOREVER: never */
    unsigned running;
};

/* Gives *out, a slot whose sockets are watched by watches. WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_slot_new(struct weft_slot **out, struct weft_net *net,
                               struct weft_watches *watches) WEFT_MUST_USE;
/* It must not be running. */
void weft_slot_free(struct weft_slot *s);

/* Lists of slots: in at the head; out, from wherever it is; all freed. */
void weft_slot_push(struct weft_slot **list, struct weft_slot *s);
void weft_slot_unlink(struct weft_slot **list, struct weft_slot *s);
void weft_slot_free_all(struct weft_slot *s);

/* keep: connections kept alive at most. WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_shard_init(struct weft_shard *h, struct weft_watches *watches,
                                 unsigned keep) WEFT_MUST_USE;
/* Closes the connections; nothing may be running. As after zeroing. */
void weft_shard_release(struct weft_shard *h);

/* Runs a slot whose transfer has begun, or takes it off. WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_shard_add(struct weft_shard *h, struct weft_slot *s) WEFT_MUST_USE;
void weft_shard_remove(struct weft_slot *s);

/* Lets libcurl act: on a socket with CURL_CSELECT_ events, or on its timer. */
void weft_shard_act(struct weft_shard *h, curl_socket_t fd, int events);
void weft_shard_act_on_time(struct weft_shard *h);
/* Makes libcurl look after a slot's transfer soon, though nothing has happened. */
void weft_shard_nudge(struct weft_slot *s);
/* A slot whose transfer libcurl has ended, and its result; NULL: none. It is still to be removed.
 */
struct weft_slot *weft_shard_ended(struct weft_shard *h, CURLcode *result);

/* Of n shards the one for a URL: the one that its host always gets, so that connections are found
 * again, unless that runs most transfers already; then the next one that does not; if they all do,
 * the one that runs least. */
struct weft_shard *weft_shard_choose(struct weft_shard *shards, unsigned n, unsigned most,
                                     const char *url);

#endif

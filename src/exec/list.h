/* list.h -- a doubly linked list whose links lie inside the things that are listed.
 *
 * Putting something in and taking it out, from anywhere, is O(1) and allocates nothing: so a future
 * can be finished, cancelled or forgotten without a call that may fail. The list is a ring through
 * its head. Knows nothing; threads: the caller's lock. */
#ifndef WEFT_EXEC_LIST_H
#define WEFT_EXEC_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct weft_link {
    struct weft_link *prev, *next; /* both NULL: in no list */
};

struct weft_list {
    struct weft_link head; /* next: the first, prev: the last; itself when empty */
};

/* The thing of the given type that has link as its given member. */
#define weft_list_entry(link, type, member)                                                        \
    ((type *)(void *)((char *)(link)-offsetof(type, member)))

static inline void weft_list_init(struct weft_list *list)
{
    list->head.prev = list->head.next = &list->head;
}

static inline bool weft_list_empty(const struct weft_list *list)
{
    return list->head.next == &list->head;
}

/* The first or last link; NULL if the list is empty. */
static inline struct weft_link *weft_list_first(const struct weft_list *list)
{
    return weft_list_empty(list) ? NULL : list->head.next;
}

static inline struct weft_link *weft_list_last(const struct weft_list *list)
{
    return weft_list_empty(list) ? NULL : list->head.prev;
}

/* The link behind this one; NULL at the end. */
static inline struct weft_link *weft_list_next(const struct weft_list *list,
                                               const struct weft_link *link)
{
    return link->next == &list->head ? NULL : link->next;
}

/* Puts link, which is in no list, at the end. */
static inline void weft_list_append(struct weft_list *list, struct weft_link *link)
{
    link->next = &list->head;
    link->prev = list->head.prev;
    link->prev->next = link;
    list->head.prev = link;
}

static inline bool weft_link_listed(const struct weft_link *link)
{
    return link->next != NULL;
}

/* Takes link out of the list that it is in. */
static inline void weft_link_remove(struct weft_link *link)
{
    link->prev->next = link->next;
    link->next->prev = link->prev;
    link->prev = link->next = NULL;
}

#endif

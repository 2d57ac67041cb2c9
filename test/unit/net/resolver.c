/* resolver.c -- see resolver.h. */
#include "resolver.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <netdb.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the next lines */
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool begun, released;
static unsigned count;

void resolver_await(void)
{
    pthread_mutex_lock(&lock);
    while (!begun) {
        pthread_cond_wait(&changed, &lock);
    }
    pthread_mutex_unlock(&lock);
}

void resolver_release(void)
{
    pthread_mutex_lock(&lock);
    released = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

unsigned resolver_count(void)
{
    pthread_mutex_lock(&lock);
    unsigned n = count;
    pthread_mutex_unlock(&lock);
    return n;
}

static int hang(void)
{
    pthread_mutex_lock(&lock);
    begun = true;
    pthread_cond_broadcast(&changed);
    while (!released) {
        pthread_cond_wait(&changed, &lock);
    }
    pthread_mutex_unlock(&lock);
    return EAI_NONAME;
}

typedef int getaddrinfo_fn(const char *, const char *, const struct addrinfo *, struct addrinfo **);

static int system_lookup(const char *node, const char *service, const struct addrinfo *hints,
                         struct addrinfo **res)
{
    void *symbol = dlsym(RTLD_NEXT, "getaddrinfo");
    getaddrinfo_fn *next;
    memcpy(&next, &symbol, sizeof next); /* no cast from an object to a function */
    return next(node, service, hints, res);
}

/* Appends a list of addresses: the system makes each from its text. */
static int look_up(const char *node, const char *service, const struct addrinfo *hints,
                   struct addrinfo **res)
{
    char text[256];
    snprintf(text, sizeof text, "%s", node);
    *strstr(text, ".test") = '\0';
    struct addrinfo **tail = res;
    char *rest = NULL;
    for (char *one = strtok_r(text, ".", &rest); one; one = strtok_r(NULL, ".", &rest)) {
        for (char *c = one; *c; c++) {
            *c = (char)(*c == '-' ? '.' : *c);
        }
        struct addrinfo h = hints ? *hints : (struct addrinfo){0};
        h.ai_family = AF_INET;
        int rc = system_lookup(one, service, &h, tail);
        if (rc) {
            return rc;
        }
        while (*tail) {
            tail = &(*tail)->ai_next;
        }
    }
    return *res ? 0 : EAI_NONAME;
}

int getaddrinfo(const char *restrict node, const char *restrict service,
                const struct addrinfo *restrict hints, struct addrinfo **restrict res)
{
    size_t len = node ? strlen(node) : 0;
    if (len < 6 || strcmp(node + len - 5, ".test") != 0) {
        return system_lookup(node, service, hints, res);
    }
    *res = NULL;
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    if (strcmp(node, "hang.test") == 0) {
        return hang();
    }
    return strcmp(node, "no.test") == 0 ? EAI_NONAME : look_up(node, service, hints, res);
}

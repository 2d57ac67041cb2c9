/* lab_stats.c -- counting, under one lock that is never held for more than a few instructions
 * except while somebody looks at /stats. */
#include "lab/lab_stats.h"

#include <ctype.h>
#include <string.h>

static const char others[] = "(others)";

enum weft_status lab_stats_init(struct lab_stats *s, uint64_t seed)
{
    *s = (struct lab_stats){.nhosts = 1};
    lab_paths_init(&s->paths, seed);
    memcpy(s->hosts[0].name, others, sizeof others);
    return pthread_mutex_init(&s->lock, NULL) == 0 ? WEFT_OK : WEFT_ENOMEM;
}

void lab_stats_release(struct lab_stats *s)
{
    lab_paths_release(&s->paths);
    pthread_mutex_destroy(&s->lock);
}

void lab_stats_open(struct lab_stats *s)
{
    pthread_mutex_lock(&s->lock);
    s->n.connections++;
    if (++s->n.open > s->n.open_peak) {
        s->n.open_peak = s->n.open;
    }
    pthread_mutex_unlock(&s->lock);
}

void lab_stats_close(struct lab_stats *s)
{
    pthread_mutex_lock(&s->lock);
    s->n.open--;
    pthread_mutex_unlock(&s->lock);
}

/* Writes host in lower case; false: it is too long for a name of its own. */
static bool host_name(const char *host, char name[LAB_HOST_NAME])
{
    size_t len = strlen(host);
    if (len >= LAB_HOST_NAME) {
        return false;
    }
    for (size_t i = 0; i <= len; i++) {
        name[i] = (char)tolower((unsigned char)host[i]);
    }
    return true;
}

/* The number of a host, 0 if it has none. s->lock is held. A linear search: a crawl of one's own
 * machine has a handful of names. */
static unsigned find_host(const struct lab_stats *s, const char *host)
{
    char name[LAB_HOST_NAME];
    if (!host_name(host, name)) {
        return 0;
    }
    for (unsigned i = 1; i < s->nhosts; i++) {
        if (strcmp(s->hosts[i].name, name) == 0) {
            return i;
        }
    }
    return 0;
}

static unsigned add_host(struct lab_stats *s, const char *host)
{
    char name[LAB_HOST_NAME];
    if (s->nhosts > WEFT_LAB_MAX_NAMES || !host_name(host, name)) {
        return 0;
    }
    s->hosts[s->nhosts] = (struct lab_host_count){0};
    memcpy(s->hosts[s->nhosts].name, name, sizeof name);
    return (unsigned)s->nhosts++;
}

/* Counts a target. s->lock is held. */
static void count_path(struct lab_stats *s, const char *target)
{
    uint64_t count = lab_paths_count(&s->paths, target, strlen(target));
    if (count == 0) {
        s->n.untracked++;
    } else if (count > 1) {
        s->n.repeated++;
    }
}

unsigned lab_stats_arrive(struct lab_stats *s, const char *target, const char *host, bool in_flight,
                          weft_time now)
{
    pthread_mutex_lock(&s->lock);
    if (s->n.requests++ == 0) {
        s->n.first_request = now;
    }
    count_path(s, target);
    unsigned k = host ? find_host(s, host) : 0;
    if (host && k == 0) {
        k = add_host(s, host);
    }
    struct lab_host_count *h = &s->hosts[k];
    if (h->requests++ == 0) {
        s->n.hosts++;
    }
    if (in_flight) {
        if (++s->n.in_flight > s->n.in_flight_peak) {
            s->n.in_flight_peak = s->n.in_flight;
        }
        if (++h->in_flight > h->in_flight_peak) {
            h->in_flight_peak = h->in_flight;
        }
    }
    pthread_mutex_unlock(&s->lock);
    return k;
}

void lab_stats_leave(struct lab_stats *s, unsigned host, bool in_flight, unsigned status,
                     weft_time now)
{
    pthread_mutex_lock(&s->lock);
    if (in_flight) {
        s->n.in_flight--;
        s->hosts[host].in_flight--;
    }
    if (status == 0) {
        s->n.abandoned++;
    } else {
        s->n.answered++;
        s->n.by_class[status / 100]++;
        s->n.too_many += status == 429;
    }
    s->n.last_answer = now;
    pthread_mutex_unlock(&s->lock);
}

unsigned lab_stats_in_flight(struct lab_stats *s)
{
    pthread_mutex_lock(&s->lock);
    unsigned n = s->n.in_flight;
    pthread_mutex_unlock(&s->lock);
    return n;
}

void lab_stats_refused(struct lab_stats *s)
{
    pthread_mutex_lock(&s->lock);
    s->n.refused++;
    pthread_mutex_unlock(&s->lock);
}

void lab_stats_misdirected(struct lab_stats *s)
{
    pthread_mutex_lock(&s->lock);
    s->n.misdirected++;
    pthread_mutex_unlock(&s->lock);
}

void lab_stats_get(struct lab_stats *s, struct weft_lab_stats *out)
{
    pthread_mutex_lock(&s->lock);
    *out = s->n;
    out->paths = s->paths.n;
    pthread_mutex_unlock(&s->lock);
}

uint64_t lab_stats_path(struct lab_stats *s, const char *target)
{
    pthread_mutex_lock(&s->lock);
    uint64_t n = lab_paths_get(&s->paths, target, strlen(target));
    pthread_mutex_unlock(&s->lock);
    return n;
}

bool lab_stats_host(struct lab_stats *s, const char *host, uint64_t *requests, unsigned *peak)
{
    pthread_mutex_lock(&s->lock);
    unsigned k = find_host(s, host);
    bool found = k > 0 && s->hosts[k].requests > 0;
    if (requests) {
        *requests = found ? s->hosts[k].requests : 0;
    }
    if (peak) {
        *peak = found ? s->hosts[k].in_flight_peak : 0;
    }
    pthread_mutex_unlock(&s->lock);
    return found;
}

void lab_stats_reset(struct lab_stats *s)
{
    pthread_mutex_lock(&s->lock);
    s->n = (struct weft_lab_stats){
        .open = s->n.open,
        .open_peak = s->n.open,
        .in_flight = s->n.in_flight,
        .in_flight_peak = s->n.in_flight,
    };
    lab_paths_clear(&s->paths);
    /* A request in flight knows its host by number: the names go only when there is none. */
    if (s->n.in_flight == 0) {
        s->nhosts = 1;
    }
    for (size_t i = 0; i < s->nhosts; i++) {
        s->hosts[i].requests = 0;
        s->hosts[i].in_flight_peak = s->hosts[i].in_flight;
    }
    pthread_mutex_unlock(&s->lock);
}

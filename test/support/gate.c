/* gate.c -- see gate.h. */
#include "support/gate.h"

void gate_pass(struct gate *g)
{
    pthread_mutex_lock(&g->lock);
    g->arrived++;
    pthread_cond_broadcast(&g->changed);
    while (!g->open) {
        pthread_cond_wait(&g->changed, &g->lock);
    }
    pthread_mutex_unlock(&g->lock);
}

void gate_await(struct gate *g, unsigned n)
{
    pthread_mutex_lock(&g->lock);
    while (g->arrived < n) {
        pthread_cond_wait(&g->changed, &g->lock);
    }
    pthread_mutex_unlock(&g->lock);
}

void gate_open(struct gate *g)
{
    pthread_mutex_lock(&g->lock);
    g->open = true;
    pthread_cond_broadcast(&g->changed);
    pthread_mutex_unlock(&g->lock);
}

void peak_enter(struct peak *p)
{
    unsigned now = atomic_fetch_add(&p->now, 1) + 1, most = atomic_load(&p->most);
    while (now > most && !atomic_compare_exchange_weak(&p->most, &most, now)) {
    }
}

void peak_leave(struct peak *p)
{
    atomic_fetch_sub(&p->now, 1);
}

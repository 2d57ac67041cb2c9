#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/executor.h>
#include <weft/fetch.h>

#define WORKERS 4

static struct weft_net *net;
static struct weft_client *clients[WORKERS]; /* each is its worker's alone */

static int fetch(struct weft_task *self, void *url, void **value)
{
    struct weft_client **client = &clients[weft_task_worker(self)];
    struct weft_response *response = malloc(sizeof *response);
    struct weft_request request = {.url = url};
    if (!response)
        return WEFT_ENOMEM;
    weft_response_init(response);
    *value = response; /* the future's, also if what follows fails */
    enum weft_status st = *client ? WEFT_OK : weft_client_new(client, net);
    return st == WEFT_OK ? weft_client_fetch(*client, &request, response) : st;
}

static void free_response(void *value)
{
    weft_response_release(value);
    free(value);
}

int main(void)
{
    static char *urls[] = {"http://127.0.0.1:8080/ring/a.html", "http://127.0.0.1:8080/ring/b.html",
                           "http://127.0.0.1:8080/missing.html", "http://127.0.0.1:8080/about.html"};
    struct weft_executor *executor = NULL;
    struct weft_completion_queue *done = NULL;
    struct weft_future *future;
    void *url;
    enum weft_status st = weft_net_new(&net, &(struct weft_net_options){0});
    if (st == WEFT_OK)
        st = weft_completion_queue_new(&done);
    if (st == WEFT_OK)
        st = weft_executor_new(&executor, &(struct weft_executor_options){.max_workers = WORKERS});
    for (size_t i = 0; st == WEFT_OK && i < sizeof urls / sizeof urls[0]; i++) {
        struct weft_job job = {.run = fetch, .arg = urls[i], .value_free = free_response,
                               .queue = done, .tag = urls[i]};
        st = weft_executor_submit(executor, &job, WEFT_FOREVER, NULL);
    }
    while (st == WEFT_OK && (st = weft_completion_queue_next(done, WEFT_FOREVER, &future, &url)) == WEFT_OK) {
        struct weft_result result;
        if (weft_future_result(future, WEFT_POLL, &result) == WEFT_OK && result.err == 0)
            printf("%d %s\n", ((struct weft_response *)result.value)->status, (char *)url);
        weft_future_release(future); /* the last one: the value goes with it */
    }
    weft_executor_free(executor); /* waits for what runs, so the rest may go now */
    weft_completion_queue_free(done);
    for (size_t i = 0; i < WORKERS; i++)
        weft_client_free(clients[i]);
    return st != WEFT_END || weft_net_free(net) != WEFT_OK; /* WEFT_END: nothing is outstanding */
}

#include <stdio.h>
#include <weft/fetch.h>

static void show(struct weft_client *client, struct weft_response *response, const char *url)
{
    struct weft_request request = {.url = url};
    enum weft_status st = weft_client_fetch(client, &request, response);
    if (st != WEFT_OK)
        printf("not asked: %s\n", weft_strerror(st));
    else if (response->end != WEFT_FETCH_DONE)
        printf("no answer: %s\n", response->end == WEFT_FETCH_CONNECTION ? "connection" : "other");
    else
        printf("%d, %zu bytes%s%s\n", response->status, response->body_len,
               response->location ? ", to " : "", response->location ? response->location : "");
}

int main(void)
{
    struct weft_net *net;
    struct weft_client *client;
    struct weft_response response;
    struct weft_net_options options = {.user_agent = "example/1.0",
                                       .timeout = 10 * WEFT_SECOND,
                                       .max_body = 1u << 20};
    if (weft_net_new(&net, &options) != WEFT_OK)
        return 1;
    if (weft_client_new(&client, net) == WEFT_OK) {
        weft_response_init(&response);
        show(client, &response, "http://127.0.0.1:8080/ring/a.html");
        show(client, &response, "http://127.0.0.1:8080/missing.html");
        show(client, &response, "http://127.0.0.1:1/");
        show(client, &response, "gopher://127.0.0.1/");
        weft_response_release(&response);
        weft_client_free(client);
    }
    return weft_net_free(net) != WEFT_OK; /* after its clients */
}

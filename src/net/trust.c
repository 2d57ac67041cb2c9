/* trust.c -- which hosts may see the user's secrets: the host and port of a URL against a list; and
 * the Host field that all others get. */
#include "net/net.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Splits host[:port]; *port is empty if none is written. An IPv6 literal keeps its brackets. */
static void split(const char *text, size_t len, size_t *host_len, const char **port,
                  size_t *port_len)
{
    size_t i = len;
    while (i > 0 && text[i - 1] >= '0' && text[i - 1] <= '9') {
        i--;
    }
    bool has_port = i > 0 && text[i - 1] == ':';
    *host_len = has_port ? i - 1 : len;
    *port = has_port ? text + i : "";
    *port_len = has_port ? len - i : 0;
}

/* Finds host[:port] in an absolute http(s) URL: behind a name and password, before the path. */
static const char *find_authority(const char *url, size_t *len)
{
    const char *host = strstr(url, "://") + 3;
    *len = strcspn(host, "/?#");
    const char *at = memrchr(host, '@', *len);
    if (at) {
        *len -= (size_t)(at + 1 - host);
        host = at + 1;
    }
    return host;
}

static const char *default_port(const char *url)
{
    return strncasecmp(url, "https:", 6) == 0 ? "443" : "80";
}

bool weft_net_trusts(const struct weft_net *net, const char *url)
{
    size_t len, host_len, port_len;
    const char *host = find_authority(url, &len), *port;
    split(host, len, &host_len, &port, &port_len);
    if (!port_len) {
        port = default_port(url);
        port_len = strlen(port);
    }
    for (const struct curl_slist *h = net->trusted_hosts; h; h = h->next) {
        size_t entry_host, entry_port_len;
        const char *entry_port;
        split(h->data, strlen(h->data), &entry_host, &entry_port, &entry_port_len);
        if (!entry_port_len) {
            entry_port = default_port(url);
            entry_port_len = strlen(entry_port);
        }
        if (entry_host == host_len && strncasecmp(h->data, host, host_len) == 0 &&
            entry_port_len == port_len && memcmp(entry_port, port, port_len) == 0) {
            return true;
        }
    }
    return false;
}

enum weft_status weft_net_own_host(struct weft_buf *text, const char *url)
{
    size_t len, host_len, port_len;
    const char *host = find_authority(url, &len), *port, *usual = default_port(url);
    split(host, len, &host_len, &port, &port_len);
    bool bare = !port_len || (port_len == strlen(usual) && memcmp(port, usual, port_len) == 0);
    enum weft_status st = weft_buf_puts(text, "Host: ");
    st = st == WEFT_OK ? weft_buf_append(text, host, bare ? host_len : len) : st;
    return st == WEFT_OK ? weft_buf_append(text, "", 1) : st;
}

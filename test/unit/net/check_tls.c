/* check_tls.c -- certificates: who is believed, and what is said when nobody is. The server is
 * libmicrohttpd's; its certificate is for 127.0.0.1 and good.localhost, and signed by itself. */
#include "fixture.h"

#include "support/suite.h"
#include <microhttpd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char key[] = "-----BEGIN PRIVATE KEY-----\n"
                          "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgtgEm+8D8Rcy7g0Zh\n"
                          "LycV4q3mRGy2SJHryg14qksAgmahRANCAARvlYmrCIPD+UXWKrISAPj1naVRaR2Y\n"
                          "Q2hlkJihafjZgfNs8qegzixnccmXSMDnpaGlytOq8BbRf5vMOcR5a6cA\n"
                          "-----END PRIVATE KEY-----\n";
static const char certificate[] =
    "-----BEGIN CERTIFICATE-----\n"
    "MIIBazCCARKgAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAl3ZWZ0IHRl\n"
    "c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjA5OTAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM\n"
    "CXdlZnQgdGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABG+ViasIg8P5RdYq\n"
    "shIA+PWdpVFpHZhDaGWQmKFp+NmB82zyp6DOLGdxyZdIwOeloaXK06rwFtF/m8w5\n"
    "xHlrpwCjUzBRMA8GA1UdEwEB/wQFMAMBAf8wHwYDVR0RBBgwFoIOZ29vZC5sb2Nh\n"
    "bGhvc3SHBH8AAAEwHQYDVR0OBBYEFIqlwKuB1NOPrZHcdHlOfvT5eSN9MAoGCCqG\n"
    "SM49BAMCA0cAMEQCIH9+vk3Dgct1TKnFWEh4NgO6M14tQeFk9Y7i5YelQ/zcAiB4\n"
    "61JDWJBIddVvrwcoOmqLOfuWdAZZ4c9C85eobnrV8g==\n"
    "-----END CERTIFICATE-----\n";

static char ca_file[64];

static enum MHD_Result answer(void *user, struct MHD_Connection *c, const char *url,
                              const char *method, const char *version, const char *data,
                              size_t *len, void **state)
{
    (void)user, (void)url, (void)method, (void)version, (void)data, (void)len;
    if (!*state) { /* the header alone: answered now, the connection would be closed */
        *state = c;
        return MHD_YES;
    }
    struct MHD_Response *page = MHD_create_response_from_buffer(6, (void *)(uintptr_t) "secret",
                                                                MHD_RESPMEM_PERSISTENT);
    enum MHD_Result queued = MHD_queue_response(c, MHD_HTTP_OK, page);
    MHD_destroy_response(page);
    return queued;
}

static struct MHD_Daemon *serve(unsigned *port)
{
    struct MHD_Daemon *server = MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_TLS, 0, NULL, NULL, answer, NULL,
        MHD_OPTION_HTTPS_MEM_KEY, key, MHD_OPTION_HTTPS_MEM_CERT, certificate, MHD_OPTION_END);
    ck_assert_ptr_nonnull(server);
    *port = MHD_get_daemon_info(server, MHD_DAEMON_INFO_BIND_PORT)->port;
    return server;
}

static void write_ca(void)
{
    snprintf(ca_file, sizeof ca_file, "/tmp/weft-ca-XXXXXX");
    int fd = mkstemp(ca_file);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, certificate, sizeof certificate - 1), sizeof certificate - 1);
    close(fd);
}

static const struct {
    const char *host;
    bool with_ca, insecure;
    enum weft_fetch_end end;
} cases[] = {
    {"127.0.0.1", false, false, WEFT_FETCH_TLS}, /* nobody vouches for it */
    {"127.0.0.1", true, false, WEFT_FETCH_DONE},
    {"good.localhost", true, false, WEFT_FETCH_DONE},
    {"bad.localhost", true, false, WEFT_FETCH_TLS}, /* another's certificate */
    {"127-0-0-1.test", true, false, WEFT_FETCH_TLS},
    {"127.0.0.1", false, true, WEFT_FETCH_DONE},
    {"bad.localhost", false, true, WEFT_FETCH_DONE},
};

START_TEST(certificates_are_verified)
{
    int i = _i / DRIVERS;
    unsigned port;
    struct MHD_Daemon *server = serve(&port);
    write_ca();
    set_up(_i % DRIVERS, &(struct weft_net_options){.ca_file = cases[i].with_ca ? ca_file : NULL,
                                                    .insecure = cases[i].insecure});
    char url[64];
    snprintf(url, sizeof url, "https://%s:%u/", cases[i].host, port);
    for (int again = 0; again < 3; again++) { /* the second and third over the kept connection */
        driver_fetch(d, &(struct weft_request){.url = url}, &r);
        ck_assert_msg(r.end == cases[i].end, "%s: %d %s", url, r.end, r.error);
        ck_assert_str_eq(r.body, r.end == WEFT_FETCH_DONE ? "secret" : "");
        ck_assert(r.end != WEFT_FETCH_DONE || r.new_connection == (again == 0));
    }
    tear_down(NULL);
    MHD_stop_daemon(server);
    unlink(ca_file);
}
END_TEST

START_TEST(a_ca_file_that_is_not_there_is_told_at_once)
{
    struct weft_net *n;
    ck_assert_int_eq(weft_net_new(&n, &(struct weft_net_options){.ca_file = "/no/such.pem"}),
                     WEFT_EIO);
    ck_assert_ptr_null(n);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("tls");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, certificates_are_verified, 0,
                        (int)(sizeof cases / sizeof cases[0]) * DRIVERS);
    tcase_add_test(tc, a_ca_file_that_is_not_there_is_told_at_once);
    return suite_run("net: tls", tc);
}

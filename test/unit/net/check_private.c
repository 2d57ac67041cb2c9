/* check_private.c -- which addresses are private, and that none is connected to when that is
 * refused, however it is named. */
#include "fixture.h"

#include "net/transfer.h"
#include "support/suite.h"
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

static void play_keep(struct peer *p)
{
    while (peer_read(p)) {
        peer_answer(p, "200 OK", "Content-Type: text/html\r\n", "page");
    }
}

START_TEST(private_addresses_are_known)
{
    static const struct {
        const char *address;
        bool private;
    } table[] = {
        {"0.0.0.0", true},
        {"0.1.2.3", true},
        {"10.0.0.1", true},
        {"10.255.255.255", true},
        {"11.0.0.0", false},
        {"9.255.255.255", false},
        {"100.63.255.255", false},
        {"100.64.0.0", true},
        {"100.127.255.255", true},
        {"100.128.0.0", false},
        {"127.0.0.1", true},
        {"127.255.0.9", true},
        {"128.0.0.1", false},
        {"169.254.169.254", true},
        {"169.253.0.1", false},
        {"172.15.255.255", false},
        {"172.16.0.0", true},
        {"172.31.255.255", true},
        {"172.32.0.0", false},
        {"192.0.0.1", true},
        {"192.0.1.1", false},
        {"192.0.2.77", true},
        {"192.167.255.255", false},
        {"192.168.0.0", true},
        {"192.169.0.0", false},
        {"198.17.255.255", false},
        {"198.18.0.1", true},
        {"198.19.255.255", true},
        {"198.20.0.0", false},
        {"203.0.113.9", true},
        {"8.8.8.8", false},
        {"223.255.255.255", false},
        {"224.0.0.1", true},
        {"239.1.1.1", true},
        {"240.0.0.1", true},
        {"255.255.255.255", true},
        {"::", true},
        {"::1", true},
        {"::2", true},
        {"::ffff:127.0.0.1", true},
        {"::ffff:10.1.1.1", true},
        {"::ffff:8.8.8.8", false},
        {"::8.8.8.8", false},
        {"::10.0.0.1", true},
        {"64:ff9b::a00:1", true},
        {"64:ff9b::808:808", false},
        {"64:ff9b:1::1", true},
        {"2002:a00:1::", true},
        {"2002:808:808::", false},
        {"2001::1", true},
        {"2001:db8::1", true},
        {"2001:4860:4860::8888", false},
        {"2606:4700::1111", false},
        {"fc00::1", true},
        {"fdff::1", true},
        {"fe00::1", false},
        {"fe80::1", true},
        {"febf::1", true},
        {"fec0::1", true},
        {"ff02::1", true},
        {"100::1", true},
        {"5f00::1", true},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct sockaddr_storage a = {0};
        bool six = strchr(table[i].address, ':') != NULL;
        a.ss_family = six ? AF_INET6 : AF_INET;
        void *to = six ? (void *)&((struct sockaddr_in6 *)&a)->sin6_addr
                       : (void *)&((struct sockaddr_in *)&a)->sin_addr;
        ck_assert_int_eq(inet_pton(a.ss_family, table[i].address, to), 1);
        ck_assert_msg(weft_address_is_private((struct sockaddr *)&a) == table[i].private, "%s",
                      table[i].address);
    }
    struct sockaddr_storage local = {.ss_family = AF_UNIX};
    ck_assert(weft_address_is_private((struct sockaddr *)&local));
}
END_TEST

START_TEST(private_addresses_are_refused_when_connecting)
{
    struct server *s = server_start(play_keep, NULL);
    set_up(_i, &(struct weft_net_options){.no_private = true});
    const char *const hosts[] = {"127.0.0.1", "localhost",          "127-0-0-1.test",
                                 "[::1]",     "[::ffff:127.0.0.1]", "10-0-0-1.127-0-0-1.test",
                                 "0.0.0.0"};
    for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++) {
        char url[128];
        snprintf(url, sizeof url, "http://%s:%u/", hosts[i], server_port(s));
        driver_fetch(d, &(struct weft_request){.url = url}, &r);
        ck_assert_msg(r.end == WEFT_FETCH_PRIVATE, "%s: %d %s", url, r.end, r.error);
        ck_assert_str_eq(r.error, "the address is private");
    }
    driver_fetch(d, &(struct weft_request){.url = "http://no.test/"}, &r);
    ck_assert_int_eq(r.end, WEFT_FETCH_DNS);
    ck_assert_uint_eq(server_connections(s), 0);
    tear_down(s);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("private");
    tcase_set_timeout(tc, 30);
    tcase_add_test(tc, private_addresses_are_known);
    tcase_add_loop_test(tc, private_addresses_are_refused_when_connecting, 0, DRIVERS);
    return suite_run("net: private", tc);
}

/* check_clock.c -- a machine so busy that time passes between any two looks at the clock: a limit
 * that passed meanwhile is a timeout like any other. The clock is this file's: on the thread that
 * fetches, each look moves it on. */
#include "fixture.h"

#include "support/suite.h"
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static _Thread_local weft_time jump, ahead;

int clock_gettime(clockid_t id, struct timespec *ts)
{
    long code = syscall(SYS_clock_gettime, id, ts);
    ahead += jump;
    ts->tv_sec += ahead / WEFT_SECOND;
    ts->tv_nsec += ahead % WEFT_SECOND;
    if (ts->tv_nsec >= WEFT_SECOND) {
        ts->tv_sec++;
        ts->tv_nsec -= WEFT_SECOND;
    }
    return (int)code;
}

static void play_silence(struct peer *p)
{
    peer_read(p);
    peer_read_to_end(p);
}

START_TEST(a_limit_that_passes_between_two_looks)
{
    struct server *s = server_start(play_silence, NULL);
    set_up(_i % DRIVERS, &(struct weft_net_options){.read_timeout = 100 * WEFT_MS});
    for (int i = 0; i < 30; i++) { /* the limit falls between other looks each time */
        jump = (10 + i) * WEFT_MS;
        driver_fetch(d, &(struct weft_request){.url = server_url(s, "/")}, &r);
        jump = 0;
        ck_assert_msg(r.end == WEFT_FETCH_TIMEOUT, "%d: %d %s", i, r.end, r.error);
    }
    tear_down(s);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("clock");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, a_limit_that_passes_between_two_looks, 0, DRIVERS);
    return suite_run("net: clock", tc);
}

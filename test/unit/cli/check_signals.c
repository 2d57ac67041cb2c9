/* check_signals.c -- each signal does what signals.h says, on the watcher's thread, and the
 * caller's mask comes back. Nothing here waits by the clock: semaphores that the actions post say
 * when. */
#include "cli/signals.h"

#include "support/suite.h"
#include <semaphore.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

struct seen {
    sem_t stopped, inspected;
    int signal;
    bool now;
};

static void on_stop(void *user, int signal, bool now)
{
    struct seen *s = user;
    s->signal = signal;
    s->now = now;
    sem_post(&s->stopped);
}

static void on_inspect(void *user)
{
    sem_post(&((struct seen *)user)->inspected);
}

static void start(struct seen *s, struct cli_signals **signals)
{
    *s = (struct seen){0};
    sem_init(&s->stopped, 0, 0);
    sem_init(&s->inspected, 0, 0);
    const struct cli_signal_actions actions = {on_stop, on_inspect, s};
    ck_assert_int_eq(cli_signals_start(signals, &actions), WEFT_OK);
}

START_TEST(once_is_gentle_twice_is_not)
{
    struct seen s;
    struct cli_signals *signals;
    start(&s, &signals);
    kill(getpid(), SIGUSR1);
    sem_wait(&s.inspected);
    kill(getpid(), _i);
    sem_wait(&s.stopped);
    ck_assert_int_eq(s.signal, _i);
    ck_assert(!s.now);
    ck_assert_int_eq(cli_signals_wait(signals), _i);
    kill(getpid(), SIGTERM);
    sem_wait(&s.stopped);
    ck_assert(s.now);
    ck_assert_int_eq(cli_signals_stop(signals), _i); /* the first one counts */
    ck_assert_int_eq(cli_signals_stop(signals), _i);
    cli_signals_free(signals);
}
END_TEST

START_TEST(without_a_signal_it_just_ends)
{
    struct seen s;
    struct cli_signals *signals;
    sigset_t before, inside, after;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    start(&s, &signals);
    pthread_sigmask(SIG_SETMASK, NULL, &inside);
    ck_assert(sigismember(&inside, SIGINT) && sigismember(&inside, SIGTERM));
    ck_assert_int_eq(cli_signals_stop(signals), 0);
    cli_signals_free(signals);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    for (int n = 1; n < 32; n++) {
        ck_assert_int_eq(sigismember(&before, n), sigismember(&after, n));
    }
    cli_signals_free(NULL);
    ck_assert_int_eq(cli_signals_stop(NULL), 0);
}
END_TEST

/* The third signal ends the process though the actions do nothing. */
START_TEST(three_times_ends_the_process)
{
    pid_t child = fork();
    if (child == 0) {
        struct seen s;
        struct cli_signals *signals;
        start(&s, &signals);
        for (int i = 0; i < 2; i++) {
            kill(getpid(), SIGINT);
            sem_wait(&s.stopped);
        }
        kill(getpid(), SIGINT);
        for (;;) {
            pause();
        }
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 130);
}
END_TEST

START_TEST(an_ignored_interrupt_still_counts_and_nohup_is_kept)
{
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    struct seen s;
    struct cli_signals *signals;
    start(&s, &signals);
    kill(getpid(), SIGHUP);
    kill(getpid(), SIGINT);
    sem_wait(&s.stopped);
    ck_assert_int_eq(s.signal, SIGINT);
    ck_assert_int_eq(cli_signals_stop(signals), SIGINT);
    cli_signals_free(signals);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("signals");
    tcase_add_loop_test(tc, once_is_gentle_twice_is_not, SIGINT, SIGINT + 1);
    tcase_add_loop_test(tc, once_is_gentle_twice_is_not, SIGTERM, SIGTERM + 1);
    tcase_add_loop_test(tc, once_is_gentle_twice_is_not, SIGHUP, SIGHUP + 1);
    tcase_add_test(tc, without_a_signal_it_just_ends);
    tcase_add_test(tc, three_times_ends_the_process);
    tcase_add_test(tc, an_ignored_interrupt_still_counts_and_nohup_is_kept);
    return suite_run("cli: signals", tc);
}

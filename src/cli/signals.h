/* signals.h -- what the program does when the system taps its shoulder.
 *
 * Signals are blocked in every thread and read from a descriptor by one watcher thread, so nothing
 * ever runs inside a signal handler. SIGINT, SIGTERM (and SIGHUP, unless nohup is in force) ask
 * to stop: once gently, twice at once, and a third time ends the process on the spot, for the case
 * that an output blocks for ever. SIGUSR1 asks for a look inside. Knows signals and threads. */
#ifndef WEFT_CLI_SIGNALS_H
#define WEFT_CLI_SIGNALS_H

#include "weft/status.h"
#include <stdbool.h>

struct cli_signals;

/* What to do; both run on the watcher's thread. */
struct cli_signal_actions {
    void (*stop)(void *user, int signal, bool now);
    void (*inspect)(void *user); /* NULL: SIGUSR1 is left alone */
    void *user;
};

/* Blocks the signals in the calling thread, and so in all that it starts from here on, and starts
 * the watcher. Gives *out. WEFT_OK, WEFT_ENOMEM, WEFT_EIO (no descriptor), WEFT_EAGAIN (no
 * thread). To be called before other threads are started. */
enum weft_status cli_signals_start(struct cli_signals **out,
                                   const struct cli_signal_actions *actions) WEFT_MUST_USE;

/* Ends the watcher: no action runs after this returns. The signals stay blocked. Returns the first
 * signal that asked to stop, 0 if none did. May be called again. NULL is fine. */
int cli_signals_stop(struct cli_signals *s);

/* Waits until a signal asks to stop, and returns it. */
int cli_signals_wait(struct cli_signals *s);

/* Restores the calling thread's mask as it was before the start; frees s. NULL is fine. */
void cli_signals_free(struct cli_signals *s);

#endif

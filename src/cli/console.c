/* console.c -- see console.h. One lock over what is on the terminal. */
#include "cli/console.h"

#include "base/again.h"
#include "cli/command.h"
#include "weft/clock.h"
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define LONGEST_MESSAGE (64u << 10) /* a longer one is cut */
#define ERASE           "\r\033[K"
#define PATIENCE        (250 * WEFT_MS) /* who writes for longer than that is stuck */

static struct {
    pthread_mutex_t lock; /* guards the rest, and the order of what is written */
    char progress[512];   /* the line that is shown; "" while there is none */
} console = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* --- escaping --------------------------------------------------------------------------------- */

/* Decodes one character at text: its length and *c; 0 if the bytes are not UTF-8 (overlong forms,
 * surrogates and cut-off sequences are not). */
static size_t decode(const unsigned char *text, size_t len, uint32_t *c)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = text[0];
    size_t need = first < 0x80       ? 1
                  : first >> 5 == 6  ? 2
                  : first >> 4 == 14 ? 3
                  : first >> 3 == 30 ? 4
                                     : 0;
    if (!need || need > len) {
        return 0;
    }
    uint32_t v = need == 1 ? first : first & (0x7fu >> need);
    for (size_t i = 1; i < need; i++) {
        if (text[i] >> 6 != 2) {
            return 0;
        }
        v = v << 6 | (text[i] & 0x3f);
    }
    if (v < least[need] || v > 0x10ffff || (v >= 0xd800 && v <= 0xdfff)) {
        return 0;
    }
    *c = v;
    return need;
}

/* Whether a character could move the cursor, hide, or reorder what stands around it. */
static bool harmful(uint32_t c)
{
    static const struct {
        uint32_t from, to;
    } ranges[] = {
        {0x00, 0x1f},       {0x7f, 0x9f}, /* C0, DEL and C1 */
        {0xad, 0xad},                     /* soft hyphen */
        {0x61c, 0x61c},                   /* Arabic letter mark */
        {0x180e, 0x180e},                 /* Mongolian vowel separator */
        {0x200b, 0x200f},                 /* zero width, direction marks */
        {0x2028, 0x202e},                 /* separators, embeddings, overrides */
        {0x2060, 0x206f},                 /* word joiner, isolates, deprecated formats */
        {0xfeff, 0xfeff},                 /* byte order mark */
        {0xfff9, 0xfffb},                 /* interlinear annotation */
        {0xe0000, 0xe0fff},               /* tags, variation selectors */
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        if (c >= ranges[i].from && c <= ranges[i].to) {
            return true;
        }
    }
    return false;
}

enum weft_status cli_escape(struct weft_buf *b, const char *text, size_t len)
{
    const unsigned char *p = (const unsigned char *)text;
    enum weft_status st = WEFT_OK;
    for (size_t i = 0; i < len && st == WEFT_OK;) {
        uint32_t c = 0;
        size_t n = decode(p + i, len - i, &c);
        if (n && !harmful(c)) {
            st = weft_buf_append(b, text + i, n);
        } else if (n <= 1) {
            st = weft_buf_printf(b, "\\x%02x", p[i]);
        } else {
            st = weft_buf_printf(b, "\\u{%x}", (unsigned)c);
        }
        i += n ? n : 1;
    }
    return st;
}

/* --- writing ---------------------------------------------------------------------------------- */

static enum weft_status write_all(int fd, const char *text, size_t len)
{
    while (len) {
        ssize_t n = write(fd, text, len);
        if (n < 0) {
            int error = errno;
            if (!weft_write_again(fd, error)) {
                errno = error;
                return WEFT_EIO;
            }
        }
        if (n > 0) {
            text += n;
            len -= (size_t)n;
        }
    }
    return WEFT_OK;
}

/* Nobody can be told when standard error itself can't be written. */
static void write_stderr(const char *text, size_t len)
{
    if (write_all(STDERR_FILENO, text, len) != WEFT_OK) {
        return;
    }
}

/* The lock is held, and given back. */
static void print_message(const char *prefix, const char *fmt, va_list args)
{
    char raw[4096];
    vsnprintf(raw, sizeof raw, fmt, args);
    struct weft_buf b;
    weft_buf_init(&b, LONGEST_MESSAGE);
    enum weft_status st = weft_buf_puts(&b, *console.progress ? ERASE : "");
    st = st == WEFT_OK ? weft_buf_puts(&b, prefix) : st;
    st = st == WEFT_OK ? cli_escape(&b, raw, strlen(raw)) : st;
    st = st == WEFT_OK ? weft_buf_printf(&b, "\n%s", console.progress) : st;
    static const char lost[] = "weft: no memory for a message\n";
    write_stderr(st == WEFT_OK ? b.data : lost, st == WEFT_OK ? b.len : sizeof lost - 1);
    pthread_mutex_unlock(&console.lock);
    weft_buf_release(&b);
}

void cli_say(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    pthread_mutex_lock(&console.lock);
    print_message("weft: ", fmt, args);
    va_end(args);
}

/* Whether the lock was got, and standard error takes a line, before patience is lost. */
static bool lock_soon(void)
{
    struct pollfd p = {.fd = STDERR_FILENO, .events = POLLOUT};
    weft_time until = weft_now() + PATIENCE;
    while (pthread_mutex_trylock(&console.lock) != 0) {
        if (weft_now() >= until) {
            return false;
        }
        poll(NULL, 0, 1); /* between two looks */
    }
    if (poll(&p, 1, (int)(PATIENCE / WEFT_MS)) <= 0) {
        pthread_mutex_unlock(&console.lock);
        return false;
    }
    return true;
}

void cli_say_soon(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    if (lock_soon()) {
        print_message("weft: ", fmt, args);
    }
    va_end(args);
}

void cli_tell(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    pthread_mutex_lock(&console.lock);
    print_message("", fmt, args);
    va_end(args);
}

enum weft_status cli_put(const char *text, size_t len)
{
    pthread_mutex_lock(&console.lock);
    bool around = *console.progress && isatty(STDOUT_FILENO);
    if (around) {
        write_stderr(ERASE, strlen(ERASE));
    }
    enum weft_status st = write_all(STDOUT_FILENO, text, len);
    int error = errno;
    if (around) {
        write_stderr(console.progress, strlen(console.progress));
    }
    pthread_mutex_unlock(&console.lock);
    errno = error;
    return st;
}

void cli_progress_line(const char *text)
{
    char out[sizeof console.progress + sizeof ERASE];
    struct winsize size;
    size_t width = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1
                       ? size.ws_col - 1u
                       : 79;
    pthread_mutex_lock(&console.lock);
    bool shown = *console.progress;
    if (width >= sizeof console.progress) {
        width = sizeof console.progress - 1;
    }
    snprintf(console.progress, width + 1, "%s", text ? text : "");
    if (shown || *console.progress) {
        int n = snprintf(out, sizeof out, ERASE "%s", console.progress);
        write_stderr(out, (size_t)n);
    }
    pthread_mutex_unlock(&console.lock);
}

int cli_flush_stdout(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) {
        return CLI_OK;
    }
    if (errno != EPIPE) { /* who closes a pager has seen enough */
        cli_say("standard output: %s", strerror(errno));
    }
    return CLI_OUTPUT;
}

/* source.c -- see source.h. The reader appends whole lines to one buffer; whoever wants lines swaps
 * it for the one that is read up. */
#include "cli/source.h"

#include "base/buf.h"
#include "cli/guess.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_READY   (64u << 10) /* bytes of lines that wait */
#define LONGEST_LINE (20u << 10) /* over the longest URL; what is longer is cut and refused */
#define READ_AT_ONCE (32u << 10)

struct cli_source {
    char *const *urls;
    size_t nurls;
    const struct cli_list *files;
    int *fds; /* of files, in their order */
    int stop; /* an eventfd: the reader is to end */
    bool started;
    pthread_t thread;
    void (*more)(void *user);
    void *user;

    /* the one who asks */
    struct weft_buf lines; /* being read up: text, newline, text, newline */
    size_t at;
    struct weft_buf typed; /* a line with http:// before it */
    char guess[128];

    /* the reader */
    struct weft_buf line; /* the one that is not complete */
    uint64_t number;
    char error[256];

    pthread_mutex_t lock;  /* guards the rest */
    struct weft_buf ready; /* complete lines */
    bool done;             /* nothing will be added */
    bool stopping;
    bool hungry;         /* somebody was told WEFT_EAGAIN */
    pthread_cond_t room; /* signalled when ready has been taken || stopping */
};

/* --- the reader ------------------------------------------------------------------------------- */

/* Hands a line over; waits while too much is ready. false: it is to stop. */
static bool hand_over(struct cli_source *s, const char *text, size_t len)
{
    pthread_mutex_lock(&s->lock);
    while (s->ready.len + len + 1 > MOST_READY && !s->stopping) {
        pthread_cond_wait(&s->room, &s->lock);
    }
    bool go_on = !s->stopping;
    if (go_on && (weft_buf_append(&s->ready, text, len) != WEFT_OK ||
                  weft_buf_append(&s->ready, "\n", 1) != WEFT_OK)) {
        snprintf(s->error, sizeof s->error, "%s", weft_strerror(WEFT_ENOMEM));
        go_on = false;
    }
    bool tell = s->hungry;
    s->hungry = false;
    pthread_mutex_unlock(&s->lock);
    if (tell) {
        s->more(s->user);
    }
    return go_on;
}

/* The line that has been put together is complete. */
static bool end_line(struct cli_source *s)
{
    const char *text = s->line.data ? s->line.data : "";
    size_t len = s->line.len;
    s->number++;
    bool go_on = !cli_line_says_something(&text, &len, s->number) || hand_over(s, text, len);
    weft_buf_clear(&s->line);
    return go_on;
}

/* Adds to the line; what is beyond the longest is dropped, and the URL is refused for its length.
 */
static bool grow_line(struct cli_source *s, const char *text, size_t len)
{
    size_t left = LONGEST_LINE - s->line.len;
    if (weft_buf_append(&s->line, text, len < left ? len : left) != WEFT_OK) {
        snprintf(s->error, sizeof s->error, "%s", weft_strerror(WEFT_ENOMEM));
        return false;
    }
    return true;
}

static bool take_bytes(struct cli_source *s, const char *bytes, size_t len)
{
    while (len > 0) {
        const char *end = memchr(bytes, '\n', len);
        size_t n = end ? (size_t)(end - bytes) : len;
        if (!grow_line(s, bytes, n) || (end && !end_line(s))) {
            return false;
        }
        n += end != NULL;
        bytes += n;
        len -= n;
    }
    return true;
}

/* Waits for input. false: it is to stop. */
static bool readable(struct cli_source *s, int fd)
{
    struct pollfd fds[] = {{fd, POLLIN, 0}, {s->stop, POLLIN, 0}};
    while (poll(fds, 2, -1) < 0) {
        if (errno != EINTR && errno != EAGAIN) {
            return true; /* the read will say why */
        }
    }
    return fds[1].revents == 0;
}

/* false: it is to stop, or can't go on. */
static bool read_file(struct cli_source *s, int fd, const char *name)
{
    char bytes[READ_AT_ONCE];
    s->number = 0;
    for (;;) {
        if (!readable(s, fd)) {
            return false;
        }
        ssize_t n = read(fd, bytes, sizeof bytes);
        if (n < 0 && (errno == EINTR || errno == EAGAIN)) {
            continue;
        }
        if (n < 0) {
            char words[128];
            snprintf(s->error, sizeof s->error, "%.100s: %s", name,
                     strerror_r(errno, words, sizeof words));
            return false;
        }
        if (n == 0) {
            return s->line.len == 0 || end_line(s); /* the last line may lack its end */
        }
        if (!take_bytes(s, bytes, (size_t)n)) {
            return false;
        }
    }
}

static void *read_all(void *arg)
{
    struct cli_source *s = arg;
    bool go_on = true;
    for (size_t i = 0; i < s->nurls && go_on; i++) {
        go_on = hand_over(s, s->urls[i], strlen(s->urls[i]));
    }
    for (size_t i = 0; i < s->files->count && go_on; i++) {
        const char *name = s->files->items[i];
        go_on = read_file(s, s->fds[i], strcmp(name, "-") != 0 ? name : "standard input");
    }
    pthread_mutex_lock(&s->lock);
    s->done = true;
    pthread_mutex_unlock(&s->lock);
    s->more(s->user);
    return NULL;
}

/* --- those who ask ---------------------------------------------------------------------------- */

/* Swaps the buffers. WEFT_OK: there are lines to read up. */
static enum weft_status refill(struct cli_source *s)
{
    enum weft_status st = WEFT_OK;
    weft_buf_clear(&s->lines);
    s->at = 0;
    pthread_mutex_lock(&s->lock);
    struct weft_buf empty = s->lines;
    s->lines = s->ready;
    s->ready = empty;
    if (s->lines.len == 0) {
        st = s->done ? WEFT_END : WEFT_EAGAIN;
        s->hungry = !s->done;
    } else {
        pthread_cond_signal(&s->room);
    }
    pthread_mutex_unlock(&s->lock);
    return st;
}

enum weft_status cli_source_next(struct cli_source *s, const char **url, size_t *len)
{
    if (s->at == s->lines.len) {
        enum weft_status st = refill(s);
        if (st != WEFT_OK) {
            return st;
        }
    }
    const char *text = s->lines.data + s->at;
    const char *end = memchr(text, '\n', s->lines.len - s->at);
    size_t n = (size_t)(end - text);
    s->at += n + 1;
    *url = text;
    *len = n;
    if (memmem(text, n, "://", 3) || !cli_looks_like_host(text, n)) {
        return WEFT_OK;
    }
    if (!s->guess[0]) {
        snprintf(s->guess, sizeof s->guess, "%.*s", (int)(n < 100 ? n : 100), text);
    }
    weft_buf_clear(&s->typed);
    if (weft_buf_puts(&s->typed, "http://") == WEFT_OK &&
        weft_buf_append(&s->typed, text, n) == WEFT_OK) {
        *url = s->typed.data;
        *len = s->typed.len;
    }
    return WEFT_OK;
}

const char *cli_source_guess(const struct cli_source *s)
{
    return s->guess[0] ? s->guess : NULL;
}

const char *cli_source_error(const struct cli_source *s)
{
    return s->error[0] ? s->error : NULL;
}

/* --- its life --------------------------------------------------------------------------------- */

/* A pipe that nobody writes to yet must not hold up the others: it is opened without waiting. */
static enum weft_status open_files(struct cli_source *s, char *error, size_t cap)
{
    for (size_t i = 0; i < s->files->count; i++) {
        const char *name = s->files->items[i];
        s->fds[i] = strcmp(name, "-") != 0 ? open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
                                           : STDIN_FILENO;
        if (s->fds[i] < 0) {
            snprintf(error, cap, "%.200s: %s", name, strerror(errno));
            return WEFT_EINVAL; /* wrong use: no output is to blame */
        }
        struct stat about;
        if (fstat(s->fds[i], &about) == 0 && S_ISDIR(about.st_mode)) {
            snprintf(error, cap, "%.200s: %s", name, strerror(EISDIR));
            return WEFT_EINVAL;
        }
    }
    return WEFT_OK;
}

enum weft_status cli_source_new(struct cli_source **out, char *const *urls, size_t n,
                                const struct cli_list *files, char *error, size_t cap)
{
    struct cli_source *s = calloc(1, sizeof *s);
    *out = NULL;
    if (!s) {
        return WEFT_ENOMEM;
    }
    s->urls = urls;
    s->nurls = n;
    s->files = files;
    weft_buf_init(&s->lines, 2 * MOST_READY);
    weft_buf_init(&s->ready, 2 * MOST_READY);
    weft_buf_init(&s->typed, 2 * MOST_READY);
    weft_buf_init(&s->line, LONGEST_LINE);
    enum weft_status st = WEFT_ENOMEM;
    if (pthread_mutex_init(&s->lock, NULL) != 0) {
        goto no_lock;
    }
    if (pthread_cond_init(&s->room, NULL) != 0) {
        goto no_cond;
    }
    s->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    s->fds = calloc(files->count + 1, sizeof *s->fds); /* 0: standard input, which stays open */
    st = !s->fds ? WEFT_ENOMEM : s->stop < 0 ? WEFT_EIO : open_files(s, error, cap);
    if (st != WEFT_OK) {
        cli_source_free(s);
        return st;
    }
    *out = s;
    return WEFT_OK;
no_cond:
    pthread_mutex_destroy(&s->lock);
no_lock:
    free(s);
    return st;
}

/* Whether no line from where fd stands says anything. What can't be told or read may. */
static bool says_nothing(int fd)
{
    static const char blanks[] = {' ', '\t', '\r', '\n'};
    char bytes[READ_AT_ONCE];
    struct stat s, null;
    if (fstat(fd, &s) != 0) {
        return false;
    }
    if (!S_ISREG(s.st_mode)) {
        return S_ISCHR(s.st_mode) && stat("/dev/null", &null) == 0 && s.st_rdev == null.st_rdev;
    }
    off_t at = lseek(fd, 0, SEEK_CUR);
    ssize_t n = at < 0 ? -1 : pread(fd, bytes, sizeof bytes, at);
    size_t skip = n >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3) ? 3 : 0;
    for (bool comment = false; n > 0; skip = 0) {
        for (size_t i = skip; i < (size_t)n; i++) {
            comment = bytes[i] != '\n' && (comment || bytes[i] == '#');
            if (!comment && !memchr(blanks, bytes[i], sizeof blanks)) {
                return false;
            }
        }
        at += n;
        n = pread(fd, bytes, sizeof bytes, at);
    }
    return n == 0;
}

bool cli_source_is_empty(const struct cli_source *s)
{
    for (size_t i = 0; i < s->files->count; i++) {
        if (!says_nothing(s->fds[i])) {
            return false;
        }
    }
    return s->nurls == 0;
}

enum weft_status cli_source_start(struct cli_source *s, void (*more)(void *user), void *user)
{
    s->more = more;
    s->user = user;
    if (pthread_create(&s->thread, NULL, read_all, s) != 0) {
        return WEFT_EAGAIN;
    }
    s->started = true;
    return WEFT_OK;
}

void cli_source_stop(struct cli_source *s)
{
    if (!s || !s->started) {
        return;
    }
    pthread_mutex_lock(&s->lock);
    s->stopping = true;
    pthread_cond_signal(&s->room);
    pthread_mutex_unlock(&s->lock);
    eventfd_write(s->stop, 1);
    pthread_join(s->thread, NULL);
    s->started = false;
}

void cli_source_free(struct cli_source *s)
{
    if (!s) {
        return;
    }
    cli_source_stop(s);
    for (size_t i = 0; s->fds && i < s->files->count; i++) {
        if (s->fds[i] > STDIN_FILENO) {
            close(s->fds[i]);
        }
    }
    if (s->stop >= 0) {
        close(s->stop);
    }
    free(s->fds);
    weft_buf_release(&s->lines);
    weft_buf_release(&s->ready);
    weft_buf_release(&s->typed);
    weft_buf_release(&s->line);
    pthread_cond_destroy(&s->room);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

/* file.c -- see file.h. */
#include "store/file.h"

#include "base/again.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define TAIL_BLOCK ((size_t)64 << 10) /* read at once when a last line is looked for */

/* Whether something may be created at path: asks its folder. Returns 0 or an errno. */
static int may_create(const char *path, size_t len)
{
    const char *slash = memrchr(path, '/', len);
    if (!slash) {
        return access(".", W_OK | X_OK) ? errno : 0;
    }
    char *folder = strndup(path, slash == path ? 1 : (size_t)(slash - path));
    if (!folder) {
        return ENOMEM;
    }
    int error = access(folder, W_OK | X_OK) ? errno : 0;
    free(folder);
    return error;
}

enum weft_status weft_file_probe(const char *path, enum weft_output_mode mode, bool *existed,
                                 struct weft_failure *failure)
{
    struct stat s;
    *existed = false;
    if (stat(path, &s) != 0) {
        int error = errno == ENOENT ? may_create(path, strlen(path)) : errno;
        return error ? weft_fail_errno(failure, "create", path, error) : WEFT_OK;
    }
    *existed = true;
    if (S_ISDIR(s.st_mode)) {
        return weft_fail_errno(failure, "write", path, EISDIR);
    }
    if (S_ISREG(s.st_mode) && mode == WEFT_OUTPUT_NEW) {
        return weft_fail(failure, WEFT_EDONE,
                         "%s exists already: --append adds to it, --overwrite replaces it", path);
    }
    return access(path, W_OK) ? weft_fail_errno(failure, "write", path, errno) : WEFT_OK;
}

enum weft_status weft_file_probe_folder(const char *path, struct weft_failure *failure)
{
    struct stat s;
    if (stat(path, &s) == 0) {
        int error = !S_ISDIR(s.st_mode) ? ENOTDIR : access(path, W_OK | X_OK) ? errno : 0;
        return error ? weft_fail_errno(failure, "write into", path, error) : WEFT_OK;
    }
    int error = errno;
    if (error == ENOENT && lstat(path, &s) != 0) { /* else a link to nothing: no folder is made */
        size_t len = strlen(path);
        while (len > 1 && path[len - 1] == '/') {
            len--;
        }
        error = may_create(path, len);
    }
    return error ? weft_fail_errno(failure, "create", path, error) : WEFT_OK;
}

/* Two processes that write one file would cut each other's lines. Not every file system has locks;
 * without them we go on as before. */
static bool lock(int fd)
{
    return flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

static enum weft_status say_locked(const char *path, struct weft_failure *failure)
{
    return weft_fail(failure, WEFT_EIO, "can't write %s: another process is writing it", path);
}

enum weft_status weft_file_probe_lock(const char *path, struct weft_failure *failure)
{
    struct stat s;
    if (stat(path, &s) != 0 || !S_ISREG(s.st_mode)) { /* opening a pipe would be noticed */
        return WEFT_OK;
    }
    int fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        return weft_fail_errno(failure, "open", path, errno);
    }
    bool free = lock(fd);
    close(fd);
    return free ? WEFT_OK : say_locked(path, failure);
}

static int flags_for(const char *path, enum weft_output_mode mode)
{
    struct stat s;
    if (stat(path, &s) == 0 && !S_ISREG(s.st_mode)) {
        return O_WRONLY | O_CLOEXEC;
    }
    switch (mode) {
    case WEFT_OUTPUT_NEW:
        return O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    case WEFT_OUTPUT_APPEND:
        return O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC;
    case WEFT_OUTPUT_OVERWRITE:
        break;
    }
    return O_WRONLY | O_CREAT | O_CLOEXEC; /* emptied once it is locked */
}

enum weft_status weft_file_open(struct weft_file *f, const char *path, enum weft_output_mode mode,
                                struct weft_failure *failure)
{
    *f = (struct weft_file){.path = path, .fd = -1, .failure = failure};
    if (strcmp(path, "-") == 0) {
        f->path = "standard output";
        f->fd = STDOUT_FILENO;
        return WEFT_OK;
    }
    int fd = open(path, flags_for(path, mode), 0666);
    if (fd < 0) {
        return weft_fail_errno(failure, "open", path, errno);
    }
    struct stat s;
    if (fstat(fd, &s) != 0) {
        int error = errno;
        close(fd);
        return weft_fail_errno(failure, "open", path, error);
    }
    f->regular = S_ISREG(s.st_mode);
    f->named = f->regular && s.st_nlink > 0;
    if (f->regular && !lock(fd)) {
        close(fd);
        return say_locked(path, failure);
    }
    f->fd = fd;
    f->ours = true;
    f->size = f->regular ? s.st_size : 0;
    if (f->regular && mode == WEFT_OUTPUT_OVERWRITE && weft_file_cut(f, 0) != WEFT_OK) {
        close(fd);
        f->fd = -1;
        return WEFT_EIO;
    }
    return WEFT_OK;
}

/* After a failure: the sent bytes of a unit that did not come whole go, unless somebody else wrote
 * behind them (standard output may be shared). If even that fails, appending mends it. */
static void cut_torn(int fd, size_t sent)
{
    struct stat s;
    off_t at = lseek(fd, 0, SEEK_CUR);
    if (sent > 0 && fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && at == s.st_size &&
        ftruncate(fd, at - (off_t)sent) == 0) {
        lseek(fd, at - (off_t)sent, SEEK_SET);
    }
}

/* A file that was removed, alone or with its folder, can still be written; nobody would find it.
 * One that was moved is where it was moved to. */
static enum weft_status check_name(const struct weft_file *f)
{
    struct stat s;
    if (f->named && fstat(f->fd, &s) == 0 && s.st_nlink == 0) {
        return weft_fail(f->failure, WEFT_EIO, "can't write %s: it was removed", f->path);
    }
    return WEFT_OK;
}

enum weft_status weft_file_append(struct weft_file *f, const void *bytes, size_t len)
{
    size_t sent = 0;
    while (sent < len) {
        ssize_t n = write(f->fd, (const char *)bytes + sent, len - sent);
        if (n >= 0) {
            sent += (size_t)n;
            continue;
        }
        int error = errno;
        if (!weft_write_again(f->fd, error)) {
            cut_torn(f->fd, sent);
            return weft_fail_errno(f->failure, "write", f->path, error);
        }
    }
    return check_name(f);
}

enum weft_status weft_file_cut(struct weft_file *f, off_t size)
{
    if (ftruncate(f->fd, size) != 0) {
        return weft_fail_errno(f->failure, "cut", f->path, errno);
    }
    f->size = size;
    return WEFT_OK;
}

enum weft_status weft_file_resume(struct weft_file *f, off_t size)
{
    if (!f->regular || f->size == size) {
        return WEFT_OK;
    }
    if (f->size < size) {
        return weft_fail(f->failure, WEFT_EIO,
                         "can't go on with %s: it holds %lld bytes, and held %lld", f->path,
                         (long long)f->size, (long long)size);
    }
    return weft_file_cut(f, size);
}

off_t weft_file_size(const struct weft_file *f)
{
    struct stat s;
    return f->regular && fstat(f->fd, &s) == 0 ? s.st_size : -1;
}

enum weft_status weft_file_read(struct weft_file *f, off_t offset, void *bytes, size_t len,
                                size_t *got)
{
    *got = 0;
    while (*got < len) {
        ssize_t n = pread(f->fd, (char *)bytes + *got, len - *got, offset + (off_t)*got);
        if (n < 0) {
            if (errno == EINTR) {
                continue;
            }
            return weft_fail_errno(f->failure, "read", f->path, errno);
        }
        if (n == 0) {
            return WEFT_OK;
        }
        *got += (size_t)n;
    }
    return WEFT_OK;
}

enum weft_status weft_file_tail(struct weft_file *f, off_t *tail)
{
    enum weft_status st = WEFT_OK;
    *tail = 0;
    char *block = malloc(TAIL_BLOCK);
    if (!block) {
        return WEFT_ENOMEM;
    }
    for (off_t end = f->size; end > 0 && *tail == 0;) {
        off_t from = end > (off_t)TAIL_BLOCK ? end - (off_t)TAIL_BLOCK : 0;
        size_t got;
        if ((st = weft_file_read(f, from, block, (size_t)(end - from), &got)) != WEFT_OK) {
            break;
        }
        const char *newline = memrchr(block, '\n', got);
        *tail = newline ? from + (newline - block) + 1 : 0;
        end = from;
    }
    free(block);
    return st;
}

enum weft_status weft_file_close(struct weft_file *f)
{
    enum weft_status st = WEFT_OK;
    if (f->fd >= 0 && f->ours) {
        /* A full or broken disk may only show here. Pipes and devices have nothing to sync. */
        if (f->regular && fdatasync(f->fd) != 0 && errno != EINVAL && errno != EROFS) {
            st = weft_fail_errno(f->failure, "write", f->path, errno);
        }
        st = st == WEFT_OK ? check_name(f) : st;
        if (close(f->fd) != 0 && errno != EINTR && st == WEFT_OK) {
            st = weft_fail_errno(f->failure, "write", f->path, errno);
        }
    }
    f->fd = -1;
    return st;
}

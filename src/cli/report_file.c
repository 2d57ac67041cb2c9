/* report_file.c -- see report_file.h. */
#include "cli/report_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum weft_status fail(const char *path, int code, char *error, size_t cap)
{
    if (code == EEXIST) {
        snprintf(error, cap, "%s exists; --overwrite replaces it", path);
        return WEFT_EDONE;
    }
    snprintf(error, cap, "can't write %s: %s", path, strerror(code));
    return WEFT_EIO;
}

enum weft_status cli_report_check(const char *path, bool overwrite, char *error, size_t cap)
{
    struct stat s;
    if (!path) {
        return WEFT_OK;
    }
    if (stat(path, &s) == 0) {
        if (S_ISDIR(s.st_mode)) {
            return fail(path, EISDIR, error, cap);
        }
        return S_ISREG(s.st_mode) && !overwrite ? fail(path, EEXIST, error, cap) : WEFT_OK;
    }
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash) {
        slash[1] = '\0';
    }
    return access(slash ? folder : ".", W_OK | X_OK) == 0 ? WEFT_OK : fail(path, errno, error, cap);
}

enum weft_status cli_report_write(const char *path, bool overwrite, const char *data, size_t len,
                                  char *error, size_t cap)
{
    enum weft_status st = cli_report_check(path, overwrite, error, cap);
    if (st != WEFT_OK) {
        return st;
    }
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) {
        return fail(path, errno, error, cap);
    }
    int code = 0;
    for (size_t sent = 0; sent < len && code == 0;) {
        ssize_t n = write(fd, data + sent, len - sent);
        if (n < 0) {
            code = errno == EINTR ? 0 : errno;
        } else {
            sent += (size_t)n;
        }
    }
    if (close(fd) != 0 && code == 0 && errno != EINTR) {
        code = errno;
    }
    return code == 0 ? WEFT_OK : fail(path, code, error, cap);
}

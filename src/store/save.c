/* save.c -- bodies as files below a folder.
 *
 * Every name is made by save_name.c and looked up segment by segment, following no links, so that
 * nothing outside the folder can be reached. A body is written under a temporary name beside its
 * place and then renamed. Where a page is also a folder of others ("/a" and "/a/b"), its file is
 * "a#file", whichever of them came first. */
#include "base/buf.h"
#include "base/limits.h"
#include "store/claims.h"
#include "store/file.h"
#include "store/output.h"
#include "store/save_name.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ASIDE   "#file"
#define NAMECAP 256

struct save {
    int root;
    const char *path;
    struct weft_failure *failure;
    struct weft_claims claims;
    struct weft_buf name; /* of the file that is being written, below root */
    char temporary[32];
};

static enum weft_status fail(struct save *o, int error)
{
    char words[128];
    return weft_fail(o->failure, WEFT_EIO, "can't save %s/%s: %s", o->path,
                     o->name.data ? o->name.data : "", strerror_r(error, words, sizeof words));
}

/* Opens the folder called segment in at, making it if need be. What stands there as a file moves
 * aside. Returns a descriptor, or -1 and errno. */
static int enter(int at, const char *segment)
{
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    char aside[NAMECAP + sizeof ASIDE];
    int fd = openat(at, segment, flags);
    if (fd >= 0 || (errno != ENOENT && errno != ENOTDIR && errno != ELOOP)) {
        return fd;
    }
    if (errno != ENOENT) {
        snprintf(aside, sizeof aside, "%s" ASIDE, segment);
        if (renameat(at, segment, at, aside) != 0) {
            return -1;
        }
    }
    if (mkdirat(at, segment, 0777) != 0 && errno != EEXIST) {
        return -1;
    }
    return openat(at, segment, flags);
}

/* Opens the folder that the file goes to; *file is its name in there. */
static int enter_all(const struct save *o, const char **file)
{
    char segment[NAMECAP];
    int fd = dup(o->root);
    const char *at = o->name.data;
    for (const char *slash; fd >= 0 && (slash = strchr(at, '/')); at = slash + 1) {
        snprintf(segment, sizeof segment, "%.*s", (int)(slash - at), at);
        int next = enter(fd, segment);
        int error = errno;
        close(fd);
        errno = error;
        fd = next;
    }
    *file = at;
    return fd;
}

/* Returns 0 or an errno. */
static int write_all(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, bytes, len);
        if (n < 0 && errno != EINTR) {
            return errno;
        }
        if (n > 0) {
            bytes += n;
            len -= (size_t)n;
        }
    }
    return 0;
}

/* Gives the written file its name; a folder of that name stays. Returns 0 or an errno. */
static int put_in_place(int folder, const char *temporary, const char *file)
{
    char aside[NAMECAP + sizeof ASIDE];
    if (renameat(folder, temporary, folder, file) == 0) {
        return 0;
    }
    if (errno != EISDIR && errno != ENOTEMPTY && errno != EEXIST) {
        return errno;
    }
    snprintf(aside, sizeof aside, "%s" ASIDE, file);
    return renameat(folder, temporary, folder, aside) == 0 ? 0 : errno;
}

/* Returns 0 or an errno. */
static int write_file(const struct save *o, const char *bytes, size_t len)
{
    const char *file;
    int folder = enter_all(o, &file);
    if (folder < 0) {
        return errno;
    }
    int error = 0;
    int fd = openat(folder, o->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
                    0666);
    if (fd < 0) {
        error = errno;
        goto out;
    }
    error = write_all(fd, bytes, len);
    if (close(fd) != 0 && errno != EINTR && !error) {
        error = errno;
    }
    if (!error) {
        error = put_in_place(folder, o->temporary, file);
    }
    if (error) {
        unlinkat(folder, o->temporary, 0);
    }
out:
    close(folder);
    return error;
}

/* Where another URL has the name already, "#2" and so on is put behind it. */
static enum weft_status choose_name(struct save *o, const char *url)
{
    bool granted = false;
    enum weft_status st = weft_save_name(&o->name, url);
    size_t len = o->name.len;
    for (unsigned n = 2; st == WEFT_OK; n++) {
        if ((st = weft_claims_take(&o->claims, o->name.data, url, &granted)) != WEFT_OK ||
            granted) {
            break;
        }
        o->name.len = len;
        st = weft_buf_printf(&o->name, "#%u", n);
    }
    return weft_fail_status(o->failure, o->path, st);
}

static enum weft_status write_record(struct weft_output *out, const struct weft_record *record)
{
    struct save *o = (struct save *)out;
    /* The record of a URL that only led to another has no body: it is with that other's record. */
    if (record->outcome != WEFT_FETCHED || record->unwanted || !record->body) {
        return WEFT_OK;
    }
    enum weft_status st = choose_name(o, record->url);
    if (st != WEFT_OK) {
        return st;
    }
    int error = write_file(o, record->body, record->body_len);
    return error ? fail(o, error) : WEFT_OK;
}

static enum weft_status finish(struct weft_output *out, bool complete,
                               const struct weft_run_summary *summary)
{
    (void)complete; /* every file stands for itself */
    (void)summary;
    struct save *o = (struct save *)out;
    close(o->root);
    weft_claims_release(&o->claims);
    weft_buf_release(&o->name);
    free(o);
    return WEFT_OK;
}

static enum weft_status probe(const struct weft_output_options *options)
{
    return weft_file_probe_folder(options->path, options->failure);
}

static enum weft_status open_folder(struct weft_output **out,
                                    const struct weft_output_options *options)
{
    *out = NULL;
    struct save *o = calloc(1, sizeof *o);
    if (!o) {
        return WEFT_ENOMEM;
    }
    o->path = options->path;
    o->failure = options->failure;
    weft_buf_init(&o->name, WEFT_MAX_RECORD);
    snprintf(o->temporary, sizeof o->temporary, "#weft-%ld", (long)getpid());
    if (mkdir(o->path, 0777) != 0 && errno != EEXIST) {
        int error = errno;
        free(o);
        return weft_fail_errno(options->failure, "create", options->path, error);
    }
    o->root = open(o->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int error = o->root < 0 ? errno : faccessat(o->root, ".", W_OK, 0) != 0 ? errno : 0;
    if (error) {
        if (o->root >= 0) {
            close(o->root);
        }
        free(o);
        return weft_fail_errno(options->failure, "write into", options->path, error);
    }
    *out = (struct weft_output *)o;
    return WEFT_OK;
}

/* So that a name taken before is taken now. */
static enum weft_status recall(struct weft_output *out, const char *url)
{
    return choose_name((struct save *)out, url);
}

const struct weft_format weft_format_save = {
    .suffixes = (const char *const[]){NULL},
    .wants = WEFT_WANTS_BODY,
    .probe = probe,
    .open = open_folder,
    .write = write_record,
    .recall = recall,
    .finish = finish,
};

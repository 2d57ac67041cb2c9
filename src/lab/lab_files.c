/* lab_files.c -- the files of the served folder, and what its routes say of them.
 *
 * Nothing outside the folder can be reached: the kernel itself resolves the path below it, and
 * links that lead out of it, dot-files, devices and pipes do not exist. */
#include "lab/lab_files.h"

#include "lab/lab_reply.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define OPEN_FLAGS (O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

static const char *const types[][2] = {
    {"html", "text/html"},
    {"htm", "text/html"},
    {"xhtml", "application/xhtml+xml"},
    {"css", "text/css"},
    {"js", "text/javascript"},
    {"mjs", "text/javascript"},
    {"json", "application/json"},
    {"xml", "application/xml"},
    {"txt", "text/plain"},
    {"md", "text/markdown"},
    {"csv", "text/csv"},
    {"png", "image/png"},
    {"jpg", "image/jpeg"},
    {"jpeg", "image/jpeg"},
    {"gif", "image/gif"},
    {"svg", "image/svg+xml"},
    {"webp", "image/webp"},
    {"ico", "image/x-icon"},
    {"woff", "font/woff"},
    {"woff2", "font/woff2"},
    {"pdf", "application/pdf"},
    {"gz", "application/gzip"},
    {"zip", "application/zip"},
    {"rss", "application/rss+xml"},
    {"atom", "application/atom+xml"},
    {"wasm", "application/wasm"},
};

/* No charset is named: a page says its own, or its route does. */
static const char *type_of(const char *path)
{
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    if (dot && slash && dot > slash) {
        for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
            if (strcasecmp(dot + 1, types[i][0]) == 0) {
                return types[i][1];
            }
        }
    }
    return "application/octet-stream";
}

/* ---- opening ---- */

bool lab_files_allowed(const char *path)
{
    if (path[0] != '/' || strcmp(path, "/routes") == 0) {
        return false;
    }
    for (const char *p = path; *p; p += strcspn(p, "/")) {
        p++; /* the slash in front of a segment */
        if (*p == '.' || *p == '/') {
            return false;
        }
    }
    return true;
}

/* Where the kernel is too old for openat2, or a sandbox forbids it: segment by segment, following
 * no link at all. */
int lab_files_walk(int dir_fd, const char *path)
{
    char name[256];
    int at = dup(dir_fd);
    while (at >= 0) {
        size_t len = strcspn(path, "/");
        bool last = path[len] == '\0';
        int next = -1;
        if (len < sizeof name) {
            memcpy(name, path, len);
            name[len] = '\0';
            next = openat(at, name, OPEN_FLAGS | O_NOFOLLOW | (last ? 0 : O_DIRECTORY));
        }
        close(at);
        if (last || next < 0) {
            return next;
        }
        at = next;
        path += len + 1;
    }
    return -1;
}

/* Opens path (decoded, allowed, without the leading slash) below dir_fd; -1: there is none. */
static int open_below(int dir_fd, const char *path)
{
    struct open_how how = {.flags = OPEN_FLAGS, .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
    long fd = syscall(SYS_openat2, dir_fd, path, &how, sizeof how);
    if (fd < 0 && (errno == ENOSYS || errno == EPERM || errno == EAGAIN)) {
        return lab_files_walk(dir_fd, path);
    }
    return (int)fd;
}

int lab_files_open(int dir_fd, const char *path, struct stat *st)
{
    char index[PATH_MAX];
    size_t len = strlen(path);
    if (dir_fd < 0 || !lab_files_allowed(path)) {
        return -1;
    }
    if (path[len - 1] == '/') {
        if (snprintf(index, sizeof index, "%sindex.html", path) >= (int)sizeof index) {
            return -1;
        }
        path = index;
    }
    int fd = open_below(dir_fd, path + 1);
    if (fd >= 0 && (fstat(fd, st) != 0 || (!S_ISREG(st->st_mode) && !S_ISDIR(st->st_mode)) ||
                    (S_ISDIR(st->st_mode) && path == index))) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* ---- answering ---- */

/* The marks of a file's version. */
struct version {
    char etag[64], modified[64];
};

static void version_of(struct version *v, const struct stat *st)
{
    struct tm tm;
    snprintf(v->etag, sizeof v->etag, "\"%" PRIxMAX "-%" PRIxMAX ".%lx\"", (uintmax_t)st->st_size,
             (uintmax_t)st->st_mtim.tv_sec, st->st_mtim.tv_nsec);
    v->modified[0] = '\0';
    if (gmtime_r(&st->st_mtim.tv_sec, &tm)) {
        strftime(v->modified, sizeof v->modified, "%a, %d %b %Y %H:%M:%S GMT", &tm);
    }
}

/* RFC 9110 13.1: If-None-Match decides if it is there. A date is compared as text: only the one
 * that was handed out says "unchanged". */
static bool unchanged(const struct lab_request *r, const struct version *v)
{
    struct MHD_Connection *c = r->connection;
    const char *match = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "If-None-Match");
    const char *since = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "If-Modified-Since");
    if (match) {
        return strcmp(match, "*") == 0 || strstr(match, v->etag);
    }
    return since && strcmp(since, v->modified) == 0;
}

/* Reads all of a small file; t->status says whether it went well. */
static void read_file(int fd, size_t size, struct lab_text *t)
{
    ssize_t n = 1;
    t->status = weft_buf_reserve(&t->buf, size);
    while (t->status == WEFT_OK && t->buf.len < size && n > 0) {
        n = read(fd, t->buf.data + t->buf.len, size - t->buf.len);
        t->buf.len += n > 0 ? (size_t)n : 0;
    }
    if (n < 0) {
        t->status = WEFT_EIO;
    }
}

/* Takes fd. A small file goes out in one send with its header; a large one straight from disk. */
static enum weft_status reply_file(struct lab_reply *reply, unsigned status, const char *type,
                                   int fd, const struct stat *st)
{
    if (st->st_size > WEFT_LAB_MAX_IN_MEMORY) {
        struct MHD_Response *response = MHD_create_response_from_fd64((uint64_t)st->st_size, fd);
        if (!response) {
            close(fd);
        }
        return lab_reply_take(reply, status, type, response);
    }
    struct lab_text t;
    lab_text_init(&t);
    read_file(fd, (size_t)st->st_size, &t);
    close(fd);
    enum weft_status result = lab_reply_text(reply, status, type, &t);
    lab_text_release(&t);
    return result;
}

/* Takes fd. */
static enum weft_status answer_file(struct lab_request *r, struct lab_reply *reply, int fd,
                                    const struct stat *file)
{
    const struct lab_route *route = r->route;
    unsigned status = route && route->status ? route->status : MHD_HTTP_OK;
    bool folder = r->path[strlen(r->path) - 1] == '/';
    const char *type = route && route->type ? route->type : folder ? "text/html" : type_of(r->path);
    struct version v;
    enum weft_status st;
    version_of(&v, file);
    if (status == MHD_HTTP_OK && unchanged(r, &v)) {
        close(fd);
        st = lab_reply_take(reply, MHD_HTTP_NOT_MODIFIED, NULL,
                            MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT));
    } else {
        st = reply_file(reply, status, type, fd, file);
    }
    if (st == WEFT_OK && status == MHD_HTTP_OK) {
        st = lab_reply_header(reply, MHD_HTTP_HEADER_ETAG, v.etag);
        if (st == WEFT_OK && v.modified[0]) {
            st = lab_reply_header(reply, MHD_HTTP_HEADER_LAST_MODIFIED, v.modified);
        }
    }
    return st;
}

/* A folder asked for without its slash: relative links in its index would go wrong. */
static enum weft_status answer_folder(struct lab_request *r, struct lab_reply *reply)
{
    struct lab_text t;
    lab_text_init(&t);
    lab_text_bytes(&t, r->target, strcspn(r->target, "?"));
    lab_text_put(&t, *r->query ? "/?%s" : "/", r->query);
    enum weft_status st = t.status;
    if (st == WEFT_OK) {
        st = lab_reply_redirect(reply, MHD_HTTP_MOVED_PERMANENTLY, t.buf.data);
    }
    lab_text_release(&t);
    return st;
}

enum weft_status lab_files_answer(struct lab_request *r, struct lab_reply *reply)
{
    const struct lab_route *route = r->route;
    struct stat st;
    if (route && route->location) {
        return lab_reply_redirect(reply, route->status, route->location);
    }
    int fd = lab_files_open(r->lab->dir_fd, r->path, &st);
    if (fd >= 0 && S_ISDIR(st.st_mode)) {
        close(fd);
        return answer_folder(r, reply);
    }
    if (fd >= 0) {
        return answer_file(r, reply, fd, &st);
    }
    if (route && route->status) {
        return lab_reply_page(reply, route->status, "This is what the routes file says.");
    }
    return lab_reply_missing(reply);
}

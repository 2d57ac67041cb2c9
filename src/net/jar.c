/* jar.c -- cookies from and to a file, in the format that curl and wget use. */
#include "net/net.h"

#include "base/buf.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A handle for the shared cookies alone. NULL: no memory. */
static CURL *open_store(struct weft_net *net)
{
    CURL *e = curl_easy_init();
    if (e && (curl_easy_setopt(e, CURLOPT_SHARE, net->share) != CURLE_OK ||
              curl_easy_setopt(e, CURLOPT_COOKIEFILE, "") != CURLE_OK)) {
        curl_easy_cleanup(e);
        return NULL;
    }
    return e;
}

enum weft_status weft_net_load_cookies(struct weft_net *net, const char *file)
{
    CURL *e = open_store(net);
    if (!e) {
        return WEFT_ENOMEM;
    }
    bool loaded = curl_easy_setopt(e, CURLOPT_COOKIEFILE, file) == CURLE_OK &&
                  curl_easy_setopt(e, CURLOPT_COOKIELIST, "RELOAD") == CURLE_OK;
    curl_easy_cleanup(e);
    return loaded ? WEFT_OK : WEFT_ENOMEM;
}

/* Writes the lines and closes fd; -1: errno says why there is none. */
static bool write_lines(int fd, const struct curl_slist *lines)
{
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    if (!f) {
        if (fd >= 0) {
            close(fd);
        }
        return false;
    }
    bool ok = fputs("# Netscape HTTP Cookie File\n\n", f) >= 0;
    for (; lines && ok; lines = lines->next) {
        ok = fprintf(f, "%s\n", lines->data) >= 0;
    }
    return fclose(f) == 0 && ok;
}

/* Cookies are secrets: the file is nobody else's to read, and is never one that was there before.
 */
static bool replace(const char *file, const char *aside, const struct curl_slist *lines)
{
    unlink(aside);
    if (write_lines(open(aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600), lines) &&
        rename(aside, file) == 0) {
        return true;
    }
    int error = errno;
    unlink(aside);
    errno = error;
    return false;
}

/* A device or a pipe: `-c /dev/null` must not put a file in its place. */
static bool is_special(const char *file)
{
    struct stat s;
    return stat(file, &s) == 0 && !S_ISREG(s.st_mode);
}

/* A pipe that nobody reads is refused (ENXIO): to wait for a reader could be for ever, at the end
 * of a crawl that is over. One that is read slowly is waited for. -1: errno says why not. */
static int open_special(const char *file)
{
    int fd = open(file, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    int flags = fd < 0 ? -1 : fcntl(fd, F_GETFL);
    if (flags < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) == 0) {
        return fd;
    }
    int error = errno;
    close(fd);
    errno = error;
    return -1;
}

/* Writes the lines to where the name says; aside is a name beside it. false: errno says why not. */
static bool write_jar(const char *file, const char *aside, const struct curl_slist *lines)
{
    if (strcmp(file, "-") == 0) {
        return write_lines(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), lines);
    }
    return is_special(file) ? write_lines(open_special(file), lines) : replace(file, aside, lines);
}

enum weft_status weft_net_save_cookies(struct weft_net *net)
{
    if (!net->cookie_jar) {
        return WEFT_OK;
    }
    struct curl_slist *lines = NULL;
    struct weft_buf aside;
    weft_buf_init(&aside, 1 << 16);
    enum weft_status st = WEFT_ENOMEM;
    CURL *e = open_store(net);
    if (!e || curl_easy_getinfo(e, CURLINFO_COOKIELIST, &lines) != CURLE_OK) {
        goto out;
    }
    if ((st = weft_buf_printf(&aside, "%s.%ld.tmp", net->cookie_jar, (long)getpid())) != WEFT_OK) {
        goto out;
    }
    if (!write_jar(net->cookie_jar, aside.data, lines)) {
        st = WEFT_EIO;
    }
out:
    curl_slist_free_all(lines);
    curl_easy_cleanup(e);
    weft_buf_release(&aside);
    return st;
}

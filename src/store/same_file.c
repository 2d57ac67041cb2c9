/* same_file.c -- see same_file.h. */
#include "store/same_file.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_LINKS 40 /* as many as Linux follows */

/* What stands at a name, or else the folder that would get it and its name in there. */
struct place {
    dev_t dev;
    ino_t ino;
    char name[NAME_MAX + 1]; /* "": it exists */
};

/* Puts what the link at path leads to in its place. false: it is no link, or leads too far. */
static bool follow(char *path, size_t cap)
{
    char to[PATH_MAX], from[PATH_MAX];
    ssize_t n = readlink(path, to, sizeof to - 1);
    if (n <= 0) {
        return false;
    }
    to[n] = '\0';
    snprintf(from, sizeof from, "%s", path);
    char *slash = strrchr(from, '/');
    from[slash && *to != '/' ? slash + 1 - from : 0] = '\0';
    return strlen(from) + strlen(to) < cap && snprintf(path, cap, "%s%s", from, to) > 0;
}

/* Of a name where nothing stands: cuts it into folder and last name. */
static bool look_around(char *path, struct place *p)
{
    struct stat s;
    size_t len = strlen(path);
    while (len > 1 && path[len - 1] == '/') { /* a folder to be may be named with a slash */
        path[--len] = '\0';
    }
    char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    if (!*name || strlen(name) >= sizeof p->name) {
        return false;
    }
    memcpy(p->name, name, strlen(name) + 1);
    if (slash) {
        slash[slash == path] = '\0';
    }
    if (stat(slash ? path : ".", &s) != 0) {
        return false;
    }
    p->dev = s.st_dev;
    p->ino = s.st_ino;
    return true;
}

/* false: it can't be told, or nothing there can be replaced. */
static bool look(const char *name, struct place *p)
{
    char path[PATH_MAX];
    struct stat s;
    if (strlen(name) >= sizeof path) {
        return false;
    }
    snprintf(path, sizeof path, "%s", name);
    for (int i = 0; i < MOST_LINKS; i++) {
        if (stat(path, &s) == 0) {
            *p = (struct place){.dev = s.st_dev, .ino = s.st_ino, .name = ""};
            return S_ISREG(s.st_mode) || S_ISDIR(s.st_mode);
        }
        if (!follow(path, sizeof path)) { /* a link to nothing: opening creates what it names */
            return look_around(path, p);
        }
    }
    return false;
}

bool weft_same_file(const char *a, const char *b)
{
    struct place p, q;
    return look(a, &p) && look(b, &q) && p.dev == q.dev && p.ino == q.ino &&
           strcmp(p.name, q.name) == 0;
}

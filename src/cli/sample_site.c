/* sample_site.c -- see sample_site.h. */
#include "cli/sample_site.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool cli_find_sample_site(char *dir, size_t cap)
{
    ssize_t n = readlink("/proc/self/exe", dir, cap - 1);
    for (int up = 0; up < 2 && n > 0; up++) {
        while (n > 0 && dir[--n] != '/') {
        }
    }
    if (n > 0) {
        dir[n] = '\0';
        snprintf(dir + n, cap - (size_t)n, "/share/weft/sample_site");
        if (is_folder(dir)) {
            return true;
        }
    }
    snprintf(dir, cap, "sample_site");
    return is_folder(dir);
}

/* lab_files.h -- opening a file of the served folder, and never another one.
 *
 * Knows the file system. Threads: any. */
#ifndef WEFT_LAB_FILES_H
#define WEFT_LAB_FILES_H

#include <stdbool.h>
#include <sys/stat.h>

/* Whether a decoded path may name a file: it starts with '/', has no segment that is empty (but
 * the last) or starts with a dot, and is not the routes file. */
bool lab_files_allowed(const char *path);
/* Opens what a decoded path names below dir_fd and gives the descriptor and its state: a regular
 * file, or a folder asked for without a slash at the end; with one it is the folder's index.html.
 * -1: there is no such thing, or it may not be had. */
int lab_files_open(int dir_fd, const char *path, struct stat *st);
/* Opens a relative path of allowed segments without following any link, for kernels without
 * openat2. -1: no. */
int lab_files_walk(int dir_fd, const char *path);

#endif

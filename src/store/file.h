/* file.h -- an output file that only ever grows by whole units: a line, a compressed member.
 *
 * What could not be written whole is cut off again, so that everything before it stays readable.
 * Knows POSIX files; knows no format. Threads: one at a time. */
#ifndef WEFT_STORE_FILE_H
#define WEFT_STORE_FILE_H

#include "store/failure.h"
#include "store/writer.h"
#include <stdbool.h>
#include <sys/types.h>

struct weft_file {
    const char *path;             /* for sentences; borrowed */
    int fd;                       /* -1: not open */
    bool ours;                    /* fd is closed with the file; standard output is not */
    bool regular;                 /* has a size, can be cut */
    bool named;                   /* ... and had a name: it may be removed */
    off_t size;                   /* when it was opened, or since cut; 0 unless regular */
    struct weft_failure *failure; /* where sentences go; borrowed */
};

/* Whether path could be opened for writing with mode, changing nothing. *existed: something stands
 * there. WEFT_OK; WEFT_EDONE: a regular file stands there and mode is NEW; WEFT_EIO, with a
 * sentence: no such folder, a folder, no permission. Devices, pipes and sockets never "exist".
 * Threads: any. */
enum weft_status weft_file_probe(const char *path, enum weft_output_mode mode, bool *existed,
                                 struct weft_failure *failure) WEFT_MUST_USE;

/* Whether another process is writing the file, as open would find; nothing there is fine. Not for a
 * file that this process may have open as a database: closing it here would end SQLite's locks.
 * WEFT_OK; WEFT_EIO, with a sentence. */
enum weft_status weft_file_probe_lock(const char *path, struct weft_failure *failure) WEFT_MUST_USE;

/* As weft_file_probe, for a folder that is to be written into, and made unless it is there.
 * WEFT_OK, WEFT_EIO.
 */
enum weft_status weft_file_probe_folder(const char *path,
                                        struct weft_failure *failure) WEFT_MUST_USE;

/* Opens path ("-": standard output) and locks it against other writers. NEW: creates it; APPEND:
 * keeps what is there; OVERWRITE: empties it. Storage of f is the caller's; path and failure are
 * borrowed until close. WEFT_OK; WEFT_EIO and WEFT_EDONE with a sentence. Opening a named pipe
 * blocks until somebody reads it. */
enum weft_status weft_file_open(struct weft_file *f, const char *path, enum weft_output_mode mode,
                                struct weft_failure *failure) WEFT_MUST_USE;

/* Appends bytes, all or nothing where the file can be cut; one write(2) unless the system takes
 * less. May block. WEFT_OK; WEFT_EIO with a sentence, also when the file was removed: what is
 * written to it then is seen by nobody. */
enum weft_status weft_file_append(struct weft_file *f, const void *bytes, size_t len) WEFT_MUST_USE;

/* Cuts the file to size bytes: a torn tail, found on opening. WEFT_OK; WEFT_EIO. */
enum weft_status weft_file_cut(struct weft_file *f, off_t size) WEFT_MUST_USE;

/* Leads a file opened with APPEND back to the size that was kept of it. A pipe or device is left as
 * it is. WEFT_OK; WEFT_EIO, also when bytes are gone that were there. */
enum weft_status weft_file_resume(struct weft_file *f, off_t size) WEFT_MUST_USE;
/* The present size; -1 unless it is a regular file. */
off_t weft_file_size(const struct weft_file *f);

/* Reads up to len bytes at offset, of a file opened with APPEND; *got is less at its end. WEFT_OK;
 * WEFT_EIO. */
enum weft_status weft_file_read(struct weft_file *f, off_t offset, void *bytes, size_t len,
                                size_t *got) WEFT_MUST_USE;

/* Finds where the line starts that stands at the end of the file without a newline; the size if
 * none does. Of a file opened with APPEND. WEFT_OK, WEFT_EIO, WEFT_ENOMEM. */
enum weft_status weft_file_tail(struct weft_file *f, off_t *tail) WEFT_MUST_USE;

/* Hands what was written to the disk and closes; f is as never opened, whatever it returns.
 * WEFT_OK; WEFT_EIO: something written before did not arrive, or the file was removed. Not open is
 * fine. */
enum weft_status weft_file_close(struct weft_file *f) WEFT_MUST_USE;

#endif

/* state_impl.h -- what the files of the state share. */
#ifndef WEFT_STORE_STATE_IMPL_H
#define WEFT_STORE_STATE_IMPL_H

#include "store/sqlite_file.h"
#include "store/state.h"

#define WEFT_STATE_APPLICATION 0x77656673 /* "wefs" */
#define WEFT_STATE_VERSION     1

struct weft_state {
    struct weft_sqlite_file file;
    const char *path; /* borrowed */
    int lock_fd;      /* -1: none */
    bool is_new;
    sqlite3_stmt *begin, *commit, *set_position;
    sqlite3_stmt *change[WEFT_NNOTES];
};

/* Prepares the statements above. WEFT_OK, WEFT_EIO. */
enum weft_status weft_state_prepare(struct weft_state *s) WEFT_MUST_USE;

#endif

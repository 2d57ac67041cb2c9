/* page_files.h -- the files of the learning page (src/lab/page), as they lie in the program.
 * scripts/embed writes their bytes into a source of the build tree. */
#ifndef WEFT_LAB_PAGE_FILES_H
#define WEFT_LAB_PAGE_FILES_H

#include <stddef.h>

struct lab_page_file {
    const char *name; /* as in src/lab/page: "style.css"; NULL ends the table */
    const unsigned char *bytes;
    size_t len;
};

extern const struct lab_page_file lab_page_files[];

#endif

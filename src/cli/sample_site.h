/* sample_site.h -- where the sample site lies on this machine. */
#ifndef WEFT_CLI_SAMPLE_SITE_H
#define WEFT_CLI_SAMPLE_SITE_H

#include <stdbool.h>
#include <stddef.h>

/* Writes the folder's name to dir[0..cap): the one installed beside the program (PREFIX/bin/weft,
 * PREFIX/share/weft/sample_site), wherever PREFIX has been moved to; else that of the current
 * folder. false: there is none. */
bool cli_find_sample_site(char *dir, size_t cap);

#endif

/* gzip_mend.h -- makes a file of gzip members whole again after its writer was killed. */
#ifndef WEFT_STORE_GZIP_MEND_H
#define WEFT_STORE_GZIP_MEND_H

#include "store/file.h"

/* Cuts off what stands behind the last whole member of f, which was opened for appending; unpacks
 * all of it to find that. A file whose contents do not begin with magic is refused: it is somebody
 * else's. An empty file is fine. WEFT_OK; WEFT_EINVAL and WEFT_EIO with a sentence; WEFT_ENOMEM. */
enum weft_status weft_gzip_mend(struct weft_file *f, const char *magic) WEFT_MUST_USE;

#endif

/* Bytes in: a whole file, standard input or gzip, as one text in memory. */
#ifndef DPC_SOURCE_H
#define DPC_SOURCE_H

#include "crew.h"

/* What messages call the source: the path, or "standard input" for "-". */
const char *dpc_source_name(const char *path);

/*
 * Reads all of `path` and unpacks it where it is gzip. `*bytes` ends with a NUL that `*size` does
 * not count, and is freed by the caller. A source may have no byte at all. `crew` may be
 * NULL: then nobody is asked whether to stop.
 */
dpc_status dpc_source_read(const char *path, dpc_crew *crew, char **bytes, size_t *size,
                           dpc_error *err);

/* Does it begin with a byte order mark? At the start of a file that is none of the text. */
bool dpc_has_mark(const char *text);

typedef enum dpc_encoding {
    DPC_ENCODING_TEXT,   /* as far as can be told without reading it */
    DPC_ENCODING_UTF16,  /* by its mark, or by its zeros: see dpc_is_utf16 */
    DPC_ENCODING_BINARY, /* it has a NUL */
} dpc_encoding;

/* What the bytes are. The text begins at `*text`, behind a byte order mark; `*nul` is at the NUL.
 */
dpc_encoding dpc_source_encoding(const char *bytes, size_t size, const char **text,
                                 const char **nul);

/* Tells the caller how far reading is: DPC_INTERRUPTED where it asks to stop. */
dpc_status dpc_source_poll(const char *path, dpc_crew *crew, double fraction, dpc_error *err);

#endif

/* Texts that are no UTF-8: how to make them so. */
#ifndef DPC_ENCODING_H
#define DPC_ENCODING_H

#include "dualpc.h"

/* Is all of it UTF-8? */
bool dpc_is_utf8(const char *text, size_t length);

/*
 * Windows-1252, of which Latin-1 is a part, as UTF-8, and a NUL; `to` has room for 3 bytes for each
 * one and the NUL. Returns the byte after that.
 */
char *dpc_from_windows(const char *text, size_t length, char *to);

/* Is it UTF-16, by its mark, or by the zeros that plain letters have? */
bool dpc_is_utf16(const char *bytes, size_t size);

/* UTF-16 as UTF-8 that ends with a NUL, which *length does not count; owned by the caller. */
dpc_status dpc_from_utf16(const char *bytes, size_t size, char **text, size_t *length);

/* What a file that is no text table is, and what to do, after "the file is "; NULL: a table. */
const char *dpc_foreign_format(const char *bytes, size_t size);

#endif

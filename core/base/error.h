/* Failing with a sentence. */
#ifndef DPC_ERROR_H
#define DPC_ERROR_H

#include "dualpc.h"

/* Fills `err` (where not NULL) and returns `code`: `return dpc_fail(err, DPC_USAGE, "…", …);` */
__attribute__((format(printf, 3, 4))) dpc_status dpc_fail(dpc_error *err, dpc_status code,
                                                          const char *format, ...);

/*
 * The same for a failed allocation; `what` completes "out of memory for …". In the header, so that
 * whoever compiles one file sees that this is never DPC_OK.
 */
static inline dpc_status dpc_fail_memory(dpc_error *err, const char *what)
{
    dpc_fail(err, DPC_NO_MEMORY, "out of memory for %s", what);
    return DPC_NO_MEMORY;
}

#endif

/* Failing with a sentence. */
#ifndef DPC_STATUS_H
#define DPC_STATUS_H

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

/* The same where the caller has asked to stop. */
dpc_status dpc_fail_interrupted(dpc_error *err);

/*
 * The same for a call that has no sentences and answers DPC_OK, DPC_NO_MEMORY or DPC_INTERRUPTED.
 * Returns `status`.
 */
dpc_status dpc_fail_as(dpc_error *err, dpc_status status, const char *what);

/*
 * DPC_CHECK(call) returns the status of a call that has failed. For functions that own nothing
 * which they would have to free first: what they make belongs to an arena (arena.h) or to their
 * caller. DPC_TRY(status, call) does the same with `goto done`, where the function cleans up.
 */
#define DPC_CHECK(call)                                                                            \
    do {                                                                                           \
        dpc_status dpc_checked = (call);                                                           \
        if (dpc_checked != DPC_OK)                                                                 \
            return dpc_checked;                                                                    \
    } while (0)
#define DPC_TRY(status, call)                                                                      \
    do {                                                                                           \
        (status) = (call);                                                                         \
        if ((status) != DPC_OK)                                                                    \
            goto done;                                                                             \
    } while (0)

#endif

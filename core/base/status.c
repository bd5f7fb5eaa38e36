/* Failing with a sentence: see status.h. */
#include "status.h"

#include <stdarg.h>
#include <stdio.h>

const char *dpc_version(void)
{
    return DPC_VERSION;
}

dpc_status dpc_fail(dpc_error *err, dpc_status code, const char *format, ...)
{
    if (err != NULL) {
        va_list args;
        va_start(args, format);
        err->code = code;
        vsnprintf(err->message, sizeof err->message, format, args);
        va_end(args);
    }
    return code;
}

dpc_status dpc_fail_interrupted(dpc_error *err)
{
    return dpc_fail(err, DPC_INTERRUPTED, "interrupted");
}

dpc_status dpc_fail_as(dpc_error *err, dpc_status status, const char *what)
{
    if (status == DPC_INTERRUPTED)
        return dpc_fail_interrupted(err);
    return status == DPC_OK ? DPC_OK : dpc_fail_memory(err, what);
}

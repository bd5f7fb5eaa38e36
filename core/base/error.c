/* Failing with a sentence: see error.h. */
#include "error.h"

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

dpc_status dpc_fail_memory(dpc_error *err, const char *what)
{
    return dpc_fail(err, DPC_NO_MEMORY, "out of memory for %s", what);
}

/* Failing with a sentence: see error.h. */
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

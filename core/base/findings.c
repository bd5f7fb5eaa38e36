/* The list of findings: see dpc_audit in dualpc.h. */
#include "findings.h"

#include "alloc.h"

#include <stdarg.h>
#include <stdio.h>

dpc_status dpc_findings_add(dpc_audit *audit, dpc_severity severity, const char *format, ...)
{
    if (audit == NULL)
        return DPC_OK;
    if (audit->count == audit->capacity) {
        int capacity = audit->capacity > 0 ? 2 * audit->capacity : 8;
        dpc_finding *items = dpc_regrow(audit->items, capacity, sizeof *items);
        if (items == NULL)
            return DPC_NO_MEMORY;
        audit->items = items;
        audit->capacity = capacity;
    }
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = dpc_alloc((int64_t)length + 1, 1);
    if (text == NULL)
        return DPC_NO_MEMORY;
    va_start(args, format);
    vsnprintf(text, (size_t)length + 1, format, args);
    va_end(args);
    audit->items[audit->count++] = (dpc_finding){severity, text};
    audit->errors += severity == DPC_ERROR;
    return DPC_OK;
}

dpc_status dpc_findings_more(dpc_audit *audit, dpc_severity severity, int found, const char *what)
{
    if (found <= DPC_MOST_NAMED)
        return DPC_OK;
    return dpc_findings_add(audit, severity, "and %d more %s", found - DPC_MOST_NAMED, what);
}

void dpc_audit_clear(dpc_audit *audit)
{
    if (audit == NULL)
        return;
    for (int i = 0; i < audit->count; i++)
        free(audit->items[i].text);
    free(audit->items);
    *audit = (dpc_audit){0};
}

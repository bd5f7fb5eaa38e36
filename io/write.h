/* The writers from inside: they print to a FILE, and leave its errors to output.c. */
#ifndef DPC_WRITE_H
#define DPC_WRITE_H

#include "dualpc.h"

#include <stdio.h>

dpc_status dpc_write_report(FILE *file, dpc_format format, const dpc_report *report,
                            dpc_error *err);
dpc_status dpc_write_json(FILE *file, const dpc_report *report, dpc_error *err);

/* `-->` or `---`; a backward edge is written from its other end. */
const char *dpc_mark_text(dpc_mark mark);

/* Asks the progress callback whether to stop. */
bool dpc_report_stopped(const dpc_report *report, double fraction);

#endif

/*
 * The writers from inside: they print to a FILE, and leave its errors to output.c. A long one ends
 * early where the FILE has an error, for that is how it learns that it is to stop.
 */
#ifndef DPC_WRITE_H
#define DPC_WRITE_H

#include "dualpc.h"

#include <stdio.h>

dpc_status dpc_print_report(FILE *file, dpc_format format, const dpc_report *report,
                            dpc_error *err);
dpc_status dpc_print_json(FILE *file, const dpc_report *report, dpc_error *err);

/* Is it to be written to as it is, rather than replaced: a device, a pipe? */
bool dpc_is_device(const char *path);

/* `-->` or `---`; a backward edge is written from its other end. */
const char *dpc_mark_text(dpc_mark mark);

/* Asks the progress callback whether to stop. */
bool dpc_report_stopped(const dpc_report *report, double fraction);

#endif

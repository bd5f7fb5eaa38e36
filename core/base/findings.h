/* The list of findings: adding to it. The checks themselves are where the data are. */
#ifndef DPC_FINDINGS_H
#define DPC_FINDINGS_H

#include "dualpc.h"

/* Adds one finding. DPC_NO_MEMORY where it cannot; a NULL audit takes nothing and is fine. */
__attribute__((format(printf, 3, 4))) dpc_status
dpc_findings_add(dpc_audit *audit, dpc_severity severity, const char *format, ...);

/* So many findings of a kind are listed one by one. */
enum { DPC_MOST_NAMED = 10 };

/* Where more were found, "and 3 more", and what they are; otherwise nothing. */
dpc_status dpc_findings_more(dpc_audit *audit, dpc_severity severity, int found, const char *what);

#endif

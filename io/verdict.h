/*
 * The verdict on a result: what was found, whether it fits, how far directions can be trusted, and
 * what to try next; as numbers, as a few plain lines, and as a member of a JSON object.
 */
#ifndef DPC_VERDICT_H
#define DPC_VERDICT_H

#include "write.h"

typedef enum dpc_fit_word {
    DPC_FIT_UNKNOWN, /* nothing could be tested */
    DPC_FIT_GOOD,    /* as many contradictions as chance makes, and as large ones */
    DPC_FIT_FAIR,    /* more, but at most about three times as many */
    DPC_FIT_POOR,
} dpc_fit_word;

/* What the lines are made of. */
typedef struct dpc_verdict_counts {
    int64_t directed, undirected;
    int64_t strong, weak, against; /* arrows with an evidence of 3 or more, less, and below 0 */
    int64_t known, unrated;        /* required or implied by knowledge; without evidence */
    int64_t doubtful;              /* that more resamples reverse than keep; -1: no resamples */
    int64_t tested, exceed;        /* implied independencies */
    double expected;               /* by chance */
    dpc_fit_word fit;
} dpc_verdict_counts;

dpc_verdict_counts dpc_count_verdict(const dpc_report *report);

/* What a user would type for an alternative: "--refine fast". */
const char *dpc_alternative_options(const dpc_report *report, dpc_alternative_kind kind);

/* Is it better than the result on held-out rows, worse, or neither: 1, -1, 0. */
int dpc_alternative_sign(const dpc_alternative *alternative);

/* The lines, for dpc_write; and the member of a JSON object. */
dpc_status dpc_print_verdict(FILE *file, const dpc_report *report, dpc_error *err);
void dpc_print_json_verdict(FILE *file, const dpc_report *report);

/* The lines of a posterior that is all there is. */
dpc_status dpc_print_posterior_verdict(FILE *file, const dpc_posterior *posterior, dpc_error *err);

#endif

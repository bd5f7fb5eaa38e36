/*
 * The scores of a posterior's draws, for the picture of how the chains went: as a member of the
 * object of the page,
 *
 *     "trace": {"step": 2, "scores": [[-812.4, …], …], "edges": [[41, …], …]}
 *
 * with a list for each chain, of every step-th draw, so that all of them together stay few.
 */
#include "report.h"

#include <math.h>

enum { MOST_POINTS = 8000 };

/* "name": [[…], …], from `values` or, where that is NULL, from `counts`. */
static void print_chains(FILE *file, const char *name, const dpc_posterior *p, int step,
                         const double *values, const int32_t *counts)
{
    fprintf(file, ",\"%s\":[", name);
    for (int c = 0; c < p->chains; c++) {
        fputs(c > 0 ? ",[" : "[", file);
        for (int i = 0; i < p->draws; i += step) {
            int64_t at = (int64_t)c * p->draws + i;
            fprintf(file, "%s%.8g", i > 0 ? "," : "", values != NULL ? values[at] : counts[at]);
        }
        putc(']', file);
    }
    putc(']', file);
}

void dpc_report_trace(FILE *file, const dpc_report *report)
{
    const dpc_posterior *p = report->posterior;
    if (p == NULL)
        return;
    int step = (int)((int64_t)p->chains * p->draws / MOST_POINTS) + 1;
    fprintf(file, ",\"trace\":{\"step\":%d", step);
    print_chains(file, "scores", p, step, p->scores, NULL);
    print_chains(file, "edges", p, step, NULL, p->n_edges);
    putc('}', file);
}

/* The pairs that two graphs over the same nodes mark differently. */
#include "write.h"

#include "sorted.h"
#include "status.h"

dpc_status dpc_print_differences(FILE *file, const dpc_report *report, dpc_error *err)
{
    const dpc_graph *e = report->graph, *t = report->truth;
    int64_t i = 0, k = 0;
    if (t == NULL)
        return dpc_fail(err, DPC_USAGE, "there is no truth to differ from");
    fputs("a,b,estimate,truth\n", file);
    while ((i < e->n_edges || k < t->n_edges) && !ferror(file)) {
        int order = i == e->n_edges   ? 1
                    : k == t->n_edges ? -1
                                      : dpc_by_pair(&e->edges[i], &t->edges[k]);
        const dpc_edge *edge = order <= 0 ? &e->edges[i] : &t->edges[k];
        dpc_mark ours = order <= 0 ? e->edges[i].mark : DPC_NONE;
        dpc_mark theirs = order >= 0 ? t->edges[k].mark : DPC_NONE;
        if (ours != theirs) {
            dpc_print_field(file, report->names[edge->a]);
            putc(',', file);
            dpc_print_field(file, report->names[edge->b]);
            fprintf(file, ",%s,%s\n", dpc_mark_text(ours), dpc_mark_text(theirs));
        }
        i += order <= 0;
        k += order >= 0;
    }
    return DPC_OK;
}

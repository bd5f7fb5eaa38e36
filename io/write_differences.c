/* The pairs that two graphs mark differently, as CSV. */
#include "write.h"

#include "graph.h"
#include "sorted.h"
#include "status.h"

typedef struct differences {
    const dpc_graph *estimate, *truth;
    const char *const *names;
} differences;

static dpc_status print(FILE *file, const dpc_output *output, dpc_error *err)
{
    (void)err;
    const differences *d = output->what;
    const dpc_graph *e = d->estimate, *t = d->truth;
    int64_t i = 0, k = 0;
    fputs("a,b,estimate,truth\n", file);
    while ((i < e->n_edges || k < t->n_edges) && !ferror(file)) {
        int order = i == e->n_edges   ? 1
                    : k == t->n_edges ? -1
                                      : dpc_by_pair(&e->edges[i], &t->edges[k]);
        const dpc_edge *edge = order <= 0 ? &e->edges[i] : &t->edges[k];
        dpc_mark ours = order <= 0 ? e->edges[i].mark : DPC_NONE;
        dpc_mark theirs = order >= 0 ? t->edges[k].mark : DPC_NONE;
        if (ours != theirs) {
            dpc_print_field(file, d->names[edge->a]);
            putc(',', file);
            dpc_print_field(file, d->names[edge->b]);
            fprintf(file, ",%s,%s\n", dpc_mark_text(ours), dpc_mark_text(theirs));
        }
        i += order <= 0;
        k += order >= 0;
    }
    return DPC_OK;
}

dpc_status dpc_write_differences(const dpc_graph *estimate, const dpc_graph *truth,
                                 const char *const *names, const char *path, dpc_error *err)
{
    differences d = {estimate, truth, names};
    dpc_output output = {.path = path, .print = print, .what = &d};
    dpc_status status = dpc_graph_check(estimate, "estimate", err);
    if (status == DPC_OK)
        status = dpc_graph_check(truth, "truth", err);
    if (status == DPC_OK && estimate->n_nodes != truth->n_nodes)
        status = dpc_fail(err, DPC_USAGE, "the estimate has %d nodes and the truth %d",
                          estimate->n_nodes, truth->n_nodes);
    return status == DPC_OK ? dpc_outputs_write(&output, 1, NULL, err) : status;
}

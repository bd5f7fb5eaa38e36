/* A simulated data set in files: see save.h. */
#include "save.h"

#include "alloc.h"
#include "formats.h"
#include "graph.h"
#include "hidden.h"
#include "node_kinds.h"
#include "status.h"
#include "write.h"

enum { DAG, CPDAG, PATTERN, SKELETON, PAG, N_GRAPHS };

/* The outputs that are wanted, and what they are of. */
typedef struct plan {
    dpc_printing outputs[N_GRAPHS + 1];
    int count;
    dpc_graph graphs[N_GRAPHS]; /* owned */
    dpc_report reports[N_GRAPHS];
    bool wanted[N_GRAPHS];
    dpc_levels_table data;
    const char *const **levels; /* of `data`; owned; NULL: all columns are numbers */
} plan;

static dpc_status plan_data(plan *p, const dpc_saved_files *files, dpc_error *err)
{
    dpc_printing output = {.path = files->data, .fd = files->fd, .print = dpc_print_levels_table};
    if (files->data == NULL && files->fd < 0)
        return DPC_OK;
    if (files->data != NULL)
        DPC_CHECK(dpc_table_format_of_path(files->data, &output.format, err));
    p->outputs[p->count++] = output;
    return DPC_OK;
}

static dpc_status make_plan(plan *p, const dpc_saved_files *files, dpc_error *err)
{
    const char *paths[N_GRAPHS] = {files->dag, files->cpdag, files->pattern, files->skeleton,
                                   files->pag};
    *p = (plan){0};
    DPC_CHECK(plan_data(p, files, err));
    for (int g = 0; g < N_GRAPHS; g++) {
        dpc_format format;
        if (paths[g] == NULL)
            continue;
        DPC_CHECK(dpc_format_of_path(paths[g], &format, err));
        if (dpc_format_is_made(format))
            return dpc_fail(err, DPC_USAGE,
                            "%s: simulate writes graphs, no pictures; dualpc convert makes one",
                            paths[g]);
        if (g == PAG && !dpc_format_find(format)->says_pags)
            return dpc_fail(err, DPC_USAGE,
                            "%s: this format has no marks for both ends of an edge; write a PAG as "
                            ".pag.csv, .txt, .dot or .json",
                            paths[g]);
        p->wanted[g] = true;
        p->reports[g].graph = &p->graphs[g];
        p->outputs[p->count++] = (dpc_printing){.path = paths[g],
                                                .print = dpc_print_report,
                                                .what = &p->reports[g],
                                                .format = (int)format};
    }
    return DPC_OK;
}

dpc_status dpc_save_check(const dpc_saved_files *files, dpc_error *err)
{
    plan p;
    DPC_CHECK(make_plan(&p, files, err));
    return dpc_printings_check(p.outputs, p.count, NULL, 0, err);
}

static dpc_status make_graph(int which, const dpc_dag *dag, const bool *hidden, dpc_graph *out,
                             dpc_error *err)
{
    static const dpc_target TARGETS[] = {
        [CPDAG] = DPC_CPDAG, [PATTERN] = DPC_PATTERN, [SKELETON] = DPC_SKELETON};
    return which == DAG   ? dpc_dag_edges(dag, out, err)
           : which == PAG ? dpc_hidden_pag(dag, hidden, out, err)
                          : dpc_dag_graph(dag, TARGETS[which], out, err);
}

/* The PAG is over the columns that are written, the others are over all nodes. */
static dpc_status make_graphs(plan *p, const dpc_dag *dag, const bool *hidden,
                              const dpc_table *whole, const dpc_table *seen, dpc_error *err)
{
    for (int g = 0; g < N_GRAPHS; g++) {
        p->reports[g].names = dpc_table_about(g == PAG ? seen : whole).names;
        if (p->wanted[g])
            DPC_CHECK(make_graph(g, dag, hidden, &p->graphs[g], err));
    }
    return DPC_OK;
}

/* Nominal columns are written by the names of their levels. */
static dpc_status name_levels(plan *p, const dpc_dag *dag, const bool *hidden, dpc_error *err)
{
    if (dag->kinds == NULL)
        return DPC_OK;
    p->levels = dpc_zalloc(dag->n, sizeof *p->levels);
    if (p->levels == NULL)
        return dpc_fail_memory(err, "the names of levels");
    for (int v = 0, column = 0; v < dag->n; v++)
        if (!hidden[v])
            p->levels[column++] = dag->kinds[v].kind == DPC_NOMINAL ? dpc_level_names : NULL;
    p->data.levels = p->levels;
    return DPC_OK;
}

static dpc_status save(plan *p, const dpc_dag *dag, const dpc_table *whole, const dpc_table *seen,
                       const bool *hidden, const dpc_settings *settings, dpc_error *err)
{
    DPC_CHECK(make_graphs(p, dag, hidden, whole, seen, err));
    DPC_CHECK(name_levels(p, dag, hidden, err));
    p->data.table = seen;
    for (int i = 0; i < p->count; i++)
        if (p->outputs[i].print == dpc_print_levels_table)
            p->outputs[i].what = &p->data;
    return dpc_printings_write(p->outputs, p->count, settings, err);
}

dpc_status dpc_save(const dpc_dag *dag, const dpc_table *table, const bool *hidden,
                    const dpc_saved_files *files, const dpc_settings *settings, dpc_error *err)
{
    plan p = {0};
    dpc_table *seen = NULL;
    bool *none = dpc_zalloc(dag->n, sizeof *none);
    dpc_status status =
        none != NULL ? make_plan(&p, files, err) : dpc_fail_memory(err, "hidden nodes");
    if (status == DPC_OK && hidden != NULL)
        status = dpc_hidden_table(table, hidden, &seen, err);
    if (status == DPC_OK)
        status = save(&p, dag, table, seen != NULL ? seen : table, hidden != NULL ? hidden : none,
                      settings, err);
    for (int g = 0; g < N_GRAPHS; g++)
        dpc_graph_clear(&p.graphs[g]);
    free(p.levels);
    free(none);
    dpc_table_free(seen);
    return status;
}

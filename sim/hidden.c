/* Hidden variables: see hidden.h. */
#include "hidden.h"

#include "alloc.h"
#include "ancestral.h"
#include "noise.h"
#include "pag.h"
#include "status.h"
#include "table.h"

#include <math.h>
#include <string.h>

/* The nodes with two children or more, in a random order; how many. */
static int shuffle_causes(const dpc_dag *dag, dpc_random *random, int32_t *causes,
                          int32_t *children)
{
    int count = 0;
    dpc_dice dice = dpc_random_dice(random);
    dpc_dice_shuffle(causes, dag->n, &dice);
    for (int64_t e = 0; e < dag->start[dag->n]; e++)
        children[dag->parent[e]]++;
    for (int i = 0; i < dag->n; i++)
        if (children[causes[i]] >= 2)
            causes[count++] = causes[i];
    return count;
}

dpc_status dpc_hidden_draw(const dpc_dag *dag, double share, dpc_random *random, bool **out)
{
    bool *hidden = dpc_zalloc(dag->n, sizeof *hidden);
    int32_t *causes = dpc_alloc(dag->n, sizeof *causes);
    int32_t *children = dpc_zalloc(dag->n, sizeof *children);
    bool fine = hidden != NULL && causes != NULL && children != NULL;
    int count = fine ? shuffle_causes(dag, random, causes, children) : 0;
    for (int i = 0; i < count && i < (int)lround(share * dag->n); i++)
        hidden[causes[i]] = true;
    free(causes);
    free(children);
    if (!fine) {
        free(hidden);
        return DPC_NO_MEMORY;
    }
    *out = hidden;
    return DPC_OK;
}

dpc_status dpc_hidden_table(const dpc_table *table, const bool *hidden, dpc_table **out,
                            dpc_error *err)
{
    int count = 0;
    const char **names = dpc_alloc(table->n_vars, sizeof *names);
    if (names == NULL)
        return dpc_fail_memory(err, "the names of columns");
    for (int v = 0; v < table->n_vars; v++)
        if (!hidden[v])
            names[count++] = table->names[v];
    dpc_table *seen = NULL;
    dpc_status status = dpc_table_make(table->n_obs, count, names, &seen, err);
    for (int v = 0, to = 0; status == DPC_OK && v < table->n_vars; v++)
        if (!hidden[v])
            memcpy(seen->values + to++ * table->n_obs, table->values + v * table->n_obs,
                   (size_t)table->n_obs * sizeof *seen->values);
    free(names);
    if (status == DPC_OK)
        *out = seen;
    return status;
}

dpc_status dpc_hidden_pag(const dpc_dag *dag, const bool *hidden, dpc_graph *out, dpc_error *err)
{
    dpc_graph whole = {0}, mag = {0};
    dpc_status status = dpc_dag_edges(dag, &whole, err);
    if (status == DPC_OK)
        status = dpc_mag_of_dag(&whole, hidden, &mag, err);
    if (status == DPC_OK)
        status = dpc_fail_as(err, dpc_pag_of_mag(&mag, false, out), "a PAG");
    dpc_graph_clear(&whole);
    dpc_graph_clear(&mag);
    return status;
}

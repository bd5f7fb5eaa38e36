/* Random Gaussian Bayesian networks: see dag.h. */
#include "dag.h"

#include "alloc.h"
#include "status.h"

#include <math.h>

/* ---- Drawing ----------------------------------------------------------- */

static dpc_status check_model(const dpc_dag_model *model, dpc_error *err)
{
    if (model->n < 1)
        return dpc_fail(err, DPC_USAGE, "a DAG needs at least 1 node, not %d", model->n);
    if (!(model->parents >= 0) || !isfinite(model->parents))
        return dpc_fail(err, DPC_USAGE, "the expected number of parents must be 0 or more, not %g",
                        model->parents);
    if (!isfinite(model->weight_low) || !isfinite(model->weight_high) ||
        !(model->weight_low <= model->weight_high))
        return dpc_fail(err, DPC_USAGE, "the weights cannot be uniform on (%g, %g)",
                        model->weight_low, model->weight_high);
    return DPC_OK;
}

/* One more edge parent → v at the end of the lists; the capacity doubles as needed. */
static bool append_edge(dpc_dag *dag, int64_t count, int64_t *capacity, int parent, double weight)
{
    if (count == *capacity) {
        int64_t larger = 2 * *capacity + 16;
        int32_t *parents = dpc_regrow(dag->parent, larger, sizeof *parents);
        if (parents != NULL)
            dag->parent = parents;
        double *weights = dpc_regrow(dag->weight, larger, sizeof *weights);
        if (weights != NULL)
            dag->weight = weights;
        if (parents == NULL || weights == NULL)
            return false;
        *capacity = larger;
    }
    dag->parent[count] = parent;
    dag->weight[count] = weight;
    return true;
}

/* From (0, 1). */
static double inside(const dpc_dice *dice)
{
    double u;
    do
        u = dice->uniform(dice->state);
    while (u == 0);
    return u;
}

/* All orders are equally likely. */
static void shuffle(int32_t *order, int n, const dpc_dice *dice)
{
    for (int i = n - 1; i > 0; i--) {
        int j = (int)dice->below(dice->state, (uint64_t)i + 1);
        int32_t kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

/* Each pair is met twice, and drawn where u comes before v in the order. */
static bool draw_edges(dpc_dag *dag, const dpc_dag_model *model, const int32_t *place,
                       const dpc_dice *dice)
{
    int n = dag->n;
    double probability = n > 1 ? 2 * model->parents / (n - 1) : 0;
    double width = model->weight_high - model->weight_low;
    int64_t edges = 0, capacity = 0;
    for (int v = 0; v < n; v++) {
        dag->start[v] = edges;
        for (int u = 0; u < n; u++) {
            if (place[u] >= place[v] || dice->uniform(dice->state) >= probability)
                continue;
            double weight = model->weight_low + width * inside(dice);
            if (!append_edge(dag, edges++, &capacity, u, weight))
                return false;
        }
    }
    dag->start[n] = edges;
    return true;
}

/* place[order[i]] = i; NULL where memory ends. */
static int32_t *places(const dpc_dag *dag)
{
    int32_t *place = dpc_alloc(dag->n, sizeof *place);
    if (place != NULL)
        for (int i = 0; i < dag->n; i++)
            place[dag->order[i]] = i;
    return place;
}

dpc_status dpc_dag_draw(const dpc_dag_model *model, const dpc_dice *dice, dpc_dag **out,
                        dpc_error *err)
{
    DPC_CHECK(check_model(model, err));
    int n = model->n;
    int32_t *place = NULL;
    dpc_dag *dag = dpc_zalloc(1, sizeof *dag);
    if (dag == NULL)
        return dpc_fail_memory(err, "a random DAG");
    dag->n = n;
    dag->order = dpc_alloc(n, sizeof *dag->order);
    dag->start = dpc_alloc((int64_t)n + 1, sizeof *dag->start);
    if (dag->order == NULL || dag->start == NULL)
        goto failed;
    for (int v = 0; v < n; v++)
        dag->order[v] = v;
    shuffle(dag->order, n, dice);
    place = places(dag);
    if (place == NULL || !draw_edges(dag, model, place, dice))
        goto failed;
    free(place);
    *out = dag;
    return DPC_OK;
failed:
    free(place);
    dpc_dag_free(dag);
    return dpc_fail_memory(err, "a random DAG");
}

void dpc_dag_free(dpc_dag *dag)
{
    if (dag == NULL)
        return;
    free(dag->order);
    free(dag->start);
    free(dag->parent);
    free(dag->weight);
    free(dag);
}

/* ---- Equivalence class ------------------------------------------------- */

dpc_parents dpc_dag_parents(const dpc_dag *dag)
{
    return (dpc_parents){dag->n, dag->order, dag->start, dag->parent};
}

dpc_status dpc_dag_graph(const dpc_dag *dag, dpc_target target, dpc_graph *out, dpc_error *err)
{
    dpc_graph graph = {0};
    dpc_status status = dpc_dag_edges(dag, &graph, err);
    if (status == DPC_OK)
        status = dpc_class_graph(&graph, target, NULL, out, err);
    free(graph.edges);
    return status;
}

dpc_status dpc_dag_edges(const dpc_dag *dag, dpc_graph *out, dpc_error *err)
{
    dpc_parents parents = dpc_dag_parents(dag);
    return dpc_parents_graph(&parents, out, err);
}

/* Random Gaussian Bayesian networks: see dag.h. */
#include "dag.h"

#include "alloc.h"
#include "sorted.h"
#include "status.h"
#include "structure.h"

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

void dpc_dice_shuffle(int32_t *order, int n, const dpc_dice *dice)
{
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int j = (int)dice->below(dice->state, (uint64_t)i + 1);
        int32_t kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

static double draw_weight(const dpc_dag_model *model, const dpc_dice *dice)
{
    return model->weight_low + (model->weight_high - model->weight_low) * inside(dice);
}

/* Erdős and Rényi: each pair is met twice, and drawn where u comes before v in the order. */
static bool draw_edges(dpc_dag *dag, const dpc_dag_model *model, const int32_t *place,
                       const dpc_dice *dice)
{
    int n = dag->n;
    double probability = n > 1 ? 2 * model->parents / (n - 1) : 0;
    int64_t edges = 0, capacity = 0;
    for (int v = 0; v < n; v++) {
        dag->start[v] = edges;
        for (int u = 0; u < n; u++) {
            if (place[u] >= place[v] || dice->uniform(dice->state) >= probability)
                continue;
            if (!append_edge(dag, edges++, &capacity, u, draw_weight(model, dice)))
                return false;
        }
    }
    dag->start[n] = edges;
    return true;
}

/* place[order[i]] = i. */
static dpc_status draw_er(dpc_dag *dag, const dpc_dag_model *model, const dpc_dice *dice,
                          dpc_error *err)
{
    int32_t *place = dpc_alloc(dag->n, sizeof *place);
    bool fine = place != NULL;
    for (int i = 0; i < dag->n && fine; i++)
        place[dag->order[i]] = i;
    fine = fine && draw_edges(dag, model, place, dice);
    free(place);
    return fine ? DPC_OK : dpc_fail_memory(err, "a random DAG");
}

/* The edges between the places of the order become those of the nodes, and receive weights. */
static bool take_edges(dpc_dag *dag, const dpc_dag_model *model, dpc_arrow_list *edges,
                       const dpc_dice *dice)
{
    int64_t e = 0, capacity = 0;
    for (int64_t i = 0; i < edges->count; i++)
        edges->edge[i] = (dpc_arrow){.to = dag->order[edges->edge[i].to],
                                     .from = dag->order[edges->edge[i].from]};
    if (edges->count > 0)
        qsort(edges->edge, (size_t)edges->count, sizeof *edges->edge, dpc_by_pair);
    for (int v = 0; v < dag->n; v++) {
        dag->start[v] = e;
        for (; e < edges->count && edges->edge[e].to == v; e++)
            if (!append_edge(dag, e, &capacity, edges->edge[e].from, draw_weight(model, dice)))
                return false;
    }
    dag->start[dag->n] = e;
    return true;
}

static dpc_status draw_shape(dpc_dag *dag, const dpc_dag_model *model, const dpc_dice *dice,
                             dpc_error *err)
{
    dpc_arrow_list edges = {0};
    dpc_status status = dpc_structure_draw(model, dice, &edges, err);
    if (status == DPC_OK && !take_edges(dag, model, &edges, dice))
        status = dpc_fail_memory(err, "a random DAG");
    free(edges.edge);
    return status;
}

static dpc_status make_nodes(int n, dpc_dag **out, dpc_error *err)
{
    dpc_dag *dag = dpc_zalloc(1, sizeof *dag);
    if (dag == NULL)
        return dpc_fail_memory(err, "a random DAG");
    dag->n = n;
    dag->order = dpc_alloc(n, sizeof *dag->order);
    dag->start = dpc_alloc((int64_t)n + 1, sizeof *dag->start);
    dag->spread = dpc_alloc(n, sizeof *dag->spread);
    if (dag->order == NULL || dag->start == NULL || dag->spread == NULL) {
        dpc_dag_free(dag);
        return dpc_fail_memory(err, "a random DAG");
    }
    for (int v = 0; v < n; v++)
        dag->spread[v] = 1;
    *out = dag;
    return DPC_OK;
}

dpc_status dpc_dag_draw(const dpc_dag_model *model, const dpc_dice *dice, dpc_dag **out,
                        dpc_error *err)
{
    dpc_dag *dag = NULL;
    DPC_CHECK(check_model(model, err));
    DPC_CHECK(make_nodes(model->n, &dag, err));
    dpc_dice_shuffle(dag->order, dag->n, dice);
    dpc_status status = model->structure == DPC_ER ? draw_er(dag, model, dice, err)
                                                   : draw_shape(dag, model, dice, err);
    if (status == DPC_OK)
        *out = dag;
    else
        dpc_dag_free(dag);
    return status;
}

void dpc_dag_free(dpc_dag *dag)
{
    if (dag == NULL)
        return;
    free(dag->order);
    free(dag->start);
    free(dag->parent);
    free(dag->weight);
    free(dag->spread);
    free(dag->kinds);
    free(dag->curve);
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

/* Variables that are no numbers, and relations that are not linear: see node_kinds.h. */
#include "node_kinds.h"

#include "alloc.h"
#include "status.h"
#include "table.h"

#include <math.h>
#include <string.h>

const char *const dpc_level_names[DPC_MOST_LEVELS] = {"a", "b", "c", "d", "e",
                                                      "f", "g", "h", "i", "j"};

static dpc_status check_share(const char *name, double share, dpc_error *err)
{
    if (share >= 0 && share <= 1)
        return DPC_OK;
    return dpc_fail(err, DPC_USAGE, "%s must be from 0 to 1, not %g", name, share);
}

dpc_status dpc_kinds_model_check(const dpc_kinds_model *m, dpc_error *err)
{
    DPC_CHECK(check_share("mixed", m->mixed, err));
    DPC_CHECK(check_share("ordinal", m->ordinal, err));
    DPC_CHECK(check_share("curved", m->curved, err));
    if (m->levels != 0 && (m->levels < 2 || m->levels > DPC_MOST_LEVELS))
        return dpc_fail(err, DPC_USAGE, "levels must be from 2 to %d, not %d", DPC_MOST_LEVELS,
                        m->levels);
    if (m->mixed == 1 && (m->ordinal > 0 || m->curved > 0))
        return dpc_fail(err, DPC_USAGE,
                        "mixed 1 makes all variables nominal and leaves no numbers for %s",
                        m->ordinal > 0 ? "ordinal" : "curved");
    return DPC_OK;
}

/* The share of a count, to the nearest whole number. */
static int64_t part(double share, int64_t count)
{
    return (int64_t)floor(share * (double)count + 0.5);
}

static int draw_levels(const dpc_kinds_model *m, dpc_variable_kind kind, double uniform)
{
    int most = m->levels != 0        ? m->levels
               : kind == DPC_NOMINAL ? DPC_NOMINAL_LEVELS
                                     : DPC_ORDERED_LEVELS;
    return 2 + (int)(uniform * (most - 1));
}

dpc_status dpc_kinds_draw(const dpc_kinds_model *m, dpc_random *random, dpc_dag *dag,
                          dpc_error *err)
{
    const dpc_dice dice = dpc_random_dice(random);
    int64_t nominal = part(m->mixed, dag->n), ordered = part(m->ordinal, dag->n - nominal);
    if (nominal == 0 && ordered == 0)
        return DPC_OK;
    int32_t *order = dpc_alloc(dag->n, sizeof *order);
    dag->kinds = dpc_zalloc(dag->n, sizeof *dag->kinds);
    if (order == NULL || dag->kinds == NULL) {
        free(order);
        return dpc_fail_memory(err, "the kinds of the variables");
    }
    dpc_dice_shuffle(order, dag->n, &dice);
    for (int i = 0; i < dag->n; i++) {
        double uniform = dice.uniform(dice.state); /* of all nodes: each has its own */
        dpc_variable_kind kind = i < nominal             ? DPC_NOMINAL
                                 : i < nominal + ordered ? DPC_ORDERED
                                                         : DPC_NUMBER;
        if (kind != DPC_NUMBER)
            dag->kinds[order[i]] = (dpc_node_kind){kind, draw_levels(m, kind, uniform)};
    }
    free(order);
    return DPC_OK;
}

/* ---- Curves ---- */

/* The edges between numbers, of which `list` has room for all; returns how many. */
static int list_straight(const dpc_dag *dag, int64_t *list)
{
    int count = 0;
    for (int v = 0; v < dag->n; v++)
        for (int64_t e = dag->start[v]; e < dag->start[v + 1]; e++)
            if (dpc_node_kind_of(dag, v) != DPC_NOMINAL &&
                dpc_node_kind_of(dag, dag->parent[e]) != DPC_NOMINAL)
                list[count++] = e;
    return count;
}

dpc_status dpc_curves_draw(const dpc_kinds_model *m, dpc_random *random, dpc_dag *dag,
                           dpc_error *err)
{
    const dpc_dice dice = dpc_random_dice(random);
    int64_t edges = dag->start[dag->n];
    if (m->curved == 0 || edges == 0)
        return DPC_OK;
    int64_t *list = dpc_alloc(edges, sizeof *list);
    int32_t *order = dpc_alloc(edges, sizeof *order);
    dag->curve = dpc_zalloc(edges, sizeof *dag->curve);
    bool fine = list != NULL && order != NULL && dag->curve != NULL;
    int count = fine ? list_straight(dag, list) : 0;
    if (fine)
        dpc_dice_shuffle(order, count, &dice);
    for (int i = 0; fine && i < part(m->curved, count); i++)
        dag->curve[list[order[i]]] = (uint8_t)(DPC_EDGE_QUADRATIC + dice.below(dice.state, 3));
    free(list);
    free(order);
    return fine ? DPC_OK : dpc_fail_memory(err, "the curves of the edges");
}

/* ---- Ordered levels ---- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/*
 * The rows below each threshold: shares of 5 % and a row for each level, and of the rest what
 * uniform numbers give to it.
 */
static void draw_places(const dpc_dice *dice, int levels, int64_t n_obs, int64_t *place)
{
    double draw[DPC_MOST_LEVELS] = {0}, sum = 0, below = 0, n = (double)n_obs;
    double least = fmin(0.05 + 1 / n, 1.0 / levels);
    for (int l = 0; l < levels; l++)
        sum += draw[l] = dice->uniform(dice->state) + 0x1p-53;
    for (int l = 0; l < levels; l++) {
        below += least + (1 - levels * least) * draw[l] / sum;
        place[l] = (int64_t)floor(n * below + 0.5);
    }
}

static void cut(const dpc_dice *dice, int levels, double *x, double *sorted, int64_t n_obs)
{
    int64_t place[DPC_MOST_LEVELS];
    draw_places(dice, levels, n_obs, place);
    memcpy(sorted, x, (size_t)n_obs * sizeof *x);
    qsort(sorted, (size_t)n_obs, sizeof *x, by_value);
    for (int64_t t = 0; t < n_obs; t++) {
        int level = 0;
        while (level < levels - 1 && place[level] < n_obs && x[t] >= sorted[place[level]])
            level++;
        x[t] = level;
    }
}

dpc_status dpc_kinds_cut(const dpc_dag *dag, dpc_random *random, dpc_table *table, dpc_error *err)
{
    const dpc_dice dice = dpc_random_dice(random);
    if (dag->kinds == NULL)
        return DPC_OK;
    double *sorted = dpc_alloc(table->n_obs, sizeof *sorted);
    if (sorted == NULL)
        return dpc_fail_memory(err, "the levels of a variable");
    for (int v = 0; v < dag->n; v++)
        if (dag->kinds[v].kind == DPC_ORDERED)
            cut(&dice, dag->kinds[v].n_levels, table->values + v * table->n_obs, sorted,
                table->n_obs);
    free(sorted);
    return DPC_OK;
}

/* Values of networks with nominal variables or curved edges: see mixed_data.h. */
#include "mixed_data.h"

#include "arena.h"
#include "standardise.h"
#include "status.h"
#include "table.h"

#include <math.h>
#include <string.h>

enum {
    EFFECTS = DPC_MOST_LEVELS * DPC_MOST_LEVELS,
    LOOKED_AT = 2000, /* rows that decide about the a_l … */
    ROUNDS = 100,     /* … in as many steps, at most */
};

/* The drawing on its way through the nodes. */
typedef struct drawer {
    const dpc_dag *dag;
    const dpc_mixed_draw *how;
    dpc_table *table;
    dpc_moments *moments; /* of the numbers that are done */
    double *bent;         /* room for a column */
    double *effects;      /* EFFECTS for each parent of a node */
    dpc_ziggurat ziggurat;
} drawer;

static const double *column(const drawer *d, int v)
{
    return d->table->values + v * d->table->n_obs;
}

/* Levels of a node; 0: a number. */
static int levels_of(const drawer *d, int v)
{
    return dpc_node_kind_of(d->dag, v) == DPC_NOMINAL ? d->dag->kinds[v].n_levels : 0;
}

/* ---- Effects ---- */

/* A matrix of normal numbers, column by column, whose rows and columns are centred. */
static void draw_effects(drawer *d, int rows, int columns, double *out)
{
    double squares = 0;
    dpc_draw_noise(d->how->effects, &d->ziggurat, (dpc_noise){.degrees = INFINITY}, out,
                   (int64_t)rows * columns);
    for (int k = 0; k < columns; k++) {
        double sum = 0;
        for (int l = 0; l < rows; l++)
            sum += out[k * rows + l];
        for (int l = 0; l < rows; l++)
            out[k * rows + l] -= sum / rows;
    }
    for (int l = 0; l < rows && columns > 1; l++) {
        double sum = 0;
        for (int k = 0; k < columns; k++)
            sum += out[k * rows + l];
        for (int k = 0; k < columns; k++)
            out[k * rows + l] -= sum / columns;
    }
    for (int i = 0; i < rows * columns; i++)
        squares += out[i] * out[i];
    for (int i = 0; i < rows * columns; i++)
        out[i] *= sqrt(rows * columns / squares);
}

/* ---- Numbers ---- */

static void bend(double *z, int64_t n, dpc_edge_curve curve)
{
    for (int64_t t = 0; t < n; t++) {
        double size = fmin(fabs(z[t]), 3);
        z[t] = curve == DPC_EDGE_QUADRATIC ? size * size
               : curve == DPC_EDGE_TANH    ? tanh(2 * z[t])
                                           : sin(2 * z[t]);
    }
}

static void add_curved(drawer *d, int64_t edge, double *restrict y)
{
    int parent = d->dag->parent[edge];
    int64_t n_obs = d->table->n_obs;
    double *restrict z = d->bent, by = d->dag->weight[edge] * d->moments[parent].deviation;
    memcpy(z, column(d, parent), (size_t)n_obs * sizeof *z);
    dpc_standardise(z, n_obs);
    bend(z, n_obs, (dpc_edge_curve)d->dag->curve[edge]);
    dpc_standardise(z, n_obs);
    for (int64_t t = 0; t < n_obs; t++)
        y[t] += by * z[t];
}

static void add_parent(drawer *d, int64_t edge, double *restrict y)
{
    int parent = d->dag->parent[edge], levels = levels_of(d, parent);
    int64_t n_obs = d->table->n_obs;
    const double *restrict x = column(d, parent);
    double weight = d->dag->weight[edge], shift[DPC_MOST_LEVELS];
    if (levels > 0) {
        draw_effects(d, levels, 1, shift);
        for (int64_t t = 0; t < n_obs; t++)
            y[t] += weight * shift[(int)x[t]];
    } else if (d->dag->curve != NULL && d->dag->curve[edge] != DPC_EDGE_STRAIGHT) {
        add_curved(d, edge, y);
    } else {
        for (int64_t t = 0; t < n_obs; t++)
            y[t] += weight * x[t];
    }
}

static void draw_number(drawer *d, int v)
{
    const dpc_dag *dag = d->dag;
    int64_t n_obs = d->table->n_obs;
    double *y = d->table->values + v * n_obs;
    dpc_draw_noise(d->how->random, &d->ziggurat, d->how->noise, y, n_obs);
    dpc_shift_and_scale(y, n_obs, 0, dag->spread[v]);
    for (int64_t e = dag->start[v]; e < dag->start[v + 1]; e++)
        add_parent(d, e, y);
    if (d->how->internal)
        dpc_standardise(y, n_obs);
    d->moments[v] = dpc_moments_of(y, n_obs);
}

/* ---- Nominal variables ---- */

/* c or d of every edge into the node, times w / s. */
static void draw_node_effects(drawer *d, int v, int levels)
{
    const dpc_dag *dag = d->dag;
    for (int64_t e = dag->start[v]; e < dag->start[v + 1]; e++) {
        int of_parent = levels_of(d, dag->parent[e]), columns = of_parent > 0 ? of_parent : 1;
        double *effect = d->effects + (e - dag->start[v]) * EFFECTS;
        draw_effects(d, levels, columns, effect);
        for (int i = 0; i < levels * columns; i++)
            effect[i] *= dag->weight[e] / dag->spread[v];
    }
}

/* The probabilities of the levels in row t. */
static void weigh(const drawer *d, int v, int64_t t, int levels, const double *a, double *p)
{
    const dpc_dag *dag = d->dag;
    double largest = -INFINITY, sum = 0;
    memcpy(p, a, (size_t)levels * sizeof *p);
    for (int64_t e = dag->start[v]; e < dag->start[v + 1]; e++) {
        int parent = dag->parent[e];
        const double *effect = d->effects + (e - dag->start[v]) * EFFECTS;
        double x = column(d, parent)[t], by = 1;
        if (levels_of(d, parent) > 0)
            effect += (int)x * levels;
        else
            by = d->moments[parent].deviation > 0
                     ? (x - d->moments[parent].mean) / d->moments[parent].deviation
                     : 0;
        for (int l = 0; l < levels; l++)
            p[l] += by * effect[l];
    }
    for (int l = 0; l < levels; l++)
        largest = fmax(largest, p[l]);
    for (int l = 0; l < levels; l++)
        sum += p[l] = exp(p[l] - largest);
    for (int l = 0; l < levels; l++)
        p[l] /= sum;
}

/* The a_l for which the levels have their shares, among the first rows. */
static void find_intercepts(const drawer *d, int v, int levels, const double *share, double *a)
{
    int64_t rows = d->table->n_obs < LOOKED_AT ? d->table->n_obs : LOOKED_AT;
    double p[DPC_MOST_LEVELS], worst = INFINITY;
    for (int l = 0; l < levels; l++)
        a[l] = log(share[l]);
    for (int round = 0; round < ROUNDS && worst > 1e-3; round++) {
        double mean[DPC_MOST_LEVELS] = {0};
        for (int64_t t = 0; t < rows; t++) {
            weigh(d, v, t, levels, a, p);
            for (int l = 0; l < levels; l++)
                mean[l] += p[l] / (double)rows;
        }
        worst = 0;
        for (int l = 0; l < levels; l++) {
            double step = log(share[l] / fmax(mean[l], 1e-9));
            a[l] += step;
            worst = fmax(worst, fabs(step));
        }
    }
}

static void draw_nominal(drawer *d, int v)
{
    const dpc_dice shares = dpc_random_dice(d->how->effects),
                   dice = dpc_random_dice(d->how->random);
    int levels = levels_of(d, v);
    double share[DPC_MOST_LEVELS], a[DPC_MOST_LEVELS], p[DPC_MOST_LEVELS], sum = 0;
    double *y = d->table->values + v * d->table->n_obs;
    for (int l = 0; l < levels; l++)
        sum += share[l] = shares.uniform(shares.state) + 0x1p-53;
    for (int l = 0; l < levels; l++)
        share[l] = 0.5 / levels + 0.5 * share[l] / sum;
    draw_node_effects(d, v, levels);
    find_intercepts(d, v, levels, share, a);
    for (int64_t t = 0; t < d->table->n_obs; t++) {
        double left = dice.uniform(dice.state);
        int level = 0;
        weigh(d, v, t, levels, a, p);
        while (level < levels - 1 && left >= p[level])
            left -= p[level++];
        y[t] = level;
    }
}

dpc_status dpc_draw_mixed(const dpc_dag *dag, const dpc_mixed_draw *how, dpc_table *table,
                          dpc_error *err)
{
    int64_t most = 0;
    for (int v = 0; v < dag->n; v++)
        most = dag->start[v + 1] - dag->start[v] > most ? dag->start[v + 1] - dag->start[v] : most;
    dpc_arena arena = {0};
    drawer d = {.dag = dag, .how = how, .table = table};
    d.moments = dpc_arena_alloc(&arena, dag->n, sizeof *d.moments);
    d.bent = dpc_arena_alloc(&arena, table->n_obs, sizeof *d.bent);
    d.effects = dpc_arena_alloc(&arena, most * EFFECTS, sizeof *d.effects);
    dpc_ziggurat_init(&d.ziggurat);
    dpc_status status = dpc_arena_failed(&arena) ? dpc_fail_memory(err, "mixed data") : DPC_OK;
    for (int i = 0; i < dag->n && status == DPC_OK; i++) {
        int v = dag->order[i];
        if (levels_of(&d, v) > 0)
            draw_nominal(&d, v);
        else
            draw_number(&d, v);
    }
    dpc_arena_clear(&arena);
    return status;
}

/*
 * All sets of parents of a node, of blocks: see exact_blocks.h.
 *
 * At a branch stand the covariances of the columns of v and of the nodes that are still open, given
 * those that are in S. To take a node in is one step of elimination for each of its columns that S
 * leaves; to leave it out is to pass over its rows.
 */
#include "exact_blocks.h"

#include <math.h>
#include <string.h>

/* What does not change from branch to branch. */
typedef struct walk {
    const dpc_block_tree *tree;
    const dpc_scoring *scoring;
    int p;                     /* columns of v */
    int width[DPC_MOST_EXACT]; /* of the open nodes, as their roles are */
    int most;                  /* columns of S */
    double more;               /* what a parameter adds to ln det */
    double root;               /* κ */
    double *small;             /* of the order of v: two matrices */
} walk;

/* What S leaves of the open nodes and of v, which comes after them. */
typedef struct given {
    const double *cov; /* i ≤ j at i * stride + j */
    int stride, size;  /* of the columns */
    int open, paid;    /* nodes; parents that are not required */
    int pushed, used;  /* parents in S that are not determined; their columns */
    double *room;      /* for the next branch */
} given;

/* ---- One branch ---- */

static given leave_out(const walk *k, const given *g)
{
    int q = k->width[g->open];
    given after = *g;
    after.cov += (int64_t)q * g->stride + q;
    after.size -= q;
    after.open--;
    return after;
}

/* Eliminates column j from those after it. */
static void eliminate(double *a, int size, int j)
{
    const double *w = a + (int64_t)j * size;
    for (int i = j + 1; i < size; i++) {
        double *row = a + (int64_t)i * size, f = w[i] / w[j];
        for (int l = i; l < size; l++)
            row[l] -= f * w[l];
    }
}

/* The first open node is taken into S; false: S determines it, or there are too few rows. */
static bool take_in(const walk *k, const given *g, given *after)
{
    int q = k->width[g->open], size = g->size;
    double *a = g->room;
    *after = leave_out(k, g);
    for (int i = 0; i < size; i++)
        memcpy(a + (int64_t)i * size + i, g->cov + (int64_t)i * g->stride + i,
               (size_t)(size - i) * sizeof *a);
    for (int j = 0; j < q; j++)
        if (a[(int64_t)j * size + j] >= DPC_DETERMINED) {
            eliminate(a, size, j);
            after->used++;
        }
    after->cov = a + (int64_t)q * size + q;
    after->stride = size;
    after->room = a + (int64_t)size * size;
    after->pushed++;
    after->paid += k->tree->role[g->open] == DPC_PARENT_FREE;
    int64_t n_obs = k->scoring->stats.view.n_obs;
    return after->used > g->used && dpc_block_has_rows(n_obs, k->most, k->p, after->used);
}

/* As the variance of a scalar would be, times the price: see block_family.h. */
static double cost_of(const walk *k, const given *g)
{
    int p = k->p, some;
    double *matrix = k->small;
    for (int i = 0; i < p; i++)
        for (int j = 0; j <= i; j++)
            matrix[i * p + j] = g->cov[(int64_t)j * g->stride + i];
    double log_det = dpc_block_log_det(matrix, p, matrix + (int64_t)p * p, &some);
    return exp((log_det + k->more * (p * g->used - g->pushed)) / k->root) * k->tree->power[g->paid];
}

/* ---- All branches ---- */

static void fill(const walk *k, const given *g, double *table)
{
    enum { PATIENCE = 8 };
    if (g->open == PATIENCE && dpc_workers_halted(k->tree->workers, k->tree->worker))
        return;
    if (g->open == 0) {
        table[0] = cost_of(k, g);
        return;
    }
    int64_t half = INT64_C(1) << (g->open - 1);
    dpc_parent_role role = k->tree->role[g->open];
    given without = leave_out(k, g), with;
    bool welcome =
        role == DPC_PARENT_REQUIRED || (role == DPC_PARENT_FREE && g->paid < k->tree->most);
    bool in = welcome && take_in(k, g, &with);
    if (role == DPC_PARENT_REQUIRED) { /* determined by the others, it changes nothing */
        for (int64_t i = 0; i < half; i++)
            table[i] = INFINITY;
        fill(k, in ? &with : &without, table + half);
        return;
    }
    if (in)
        fill(k, &with, table + half);
    fill(k, &without, table);
    for (int64_t i = 0; i < half; i++)
        table[half + i] = in && table[half + i] < table[i] ? table[half + i] : table[i];
}

/* ---- The first branch ---- */

int64_t dpc_block_tree_room(const dpc_stats *stats)
{
    int64_t sum = 0, size = 0, widest = 0;
    for (int v = 0; v < stats->n; v++) {
        int count = dpc_variable_of(stats, v).count;
        widest = count > widest ? count : widest;
    }
    for (int u = stats->n - 1; u >= 0; u--) {
        size += dpc_variable_of(stats, u).count;
        sum += (size + widest) * (size + widest);
    }
    return sum + (size + widest) * (size + widest) + 2 * widest * widest;
}

/* The columns of the others, ascending, and of v, into `columns`; returns how many. */
static int list_columns(walk *k, int v, int32_t *columns)
{
    const dpc_stats *stats = &k->scoring->stats;
    int count = 0, open = stats->n;
    for (int u = 0; u < stats->n; u++) {
        dpc_variable variable = dpc_variable_of(stats, u);
        if (u == v)
            continue;
        k->width[--open] = variable.count;
        for (int i = 0; i < variable.count; i++)
            columns[count++] = variable.first + i;
    }
    for (int i = 0; i < k->p; i++)
        columns[count++] = dpc_variable_of(stats, v).first + i;
    return count;
}

void dpc_block_tree_fill(const dpc_block_tree *tree, int v, double *table)
{
    const dpc_scoring *scoring = tree->workers->scoring;
    const dpc_stats *stats = &scoring->stats;
    const dpc_blocks *blocks = stats->view.blocks;
    const double *r = blocks->r;
    int width = dpc_variable_of(stats, v).count;
    walk k = {.tree = tree,
              .scoring = scoring,
              .p = stats->one_equation && width > 0 ? 1 : width,
              .most = dpc_parent_limit(blocks->m, stats->view.n_obs),
              .more = 2 * stats->parameter / (double)stats->view.n_obs,
              .root = scoring->weight / scoring->n_obs,
              .small = tree->room};
    double *cov = tree->room + 2 * (int64_t)k.p * k.p;
    int size = list_columns(&k, v, tree->columns);
    for (int i = 0; i < size; i++)
        for (int j = i; j < size; j++)
            cov[(int64_t)i * size + j] =
                r[(int64_t)tree->columns[i] * blocks->m + tree->columns[j]];
    given start = {.cov = cov,
                   .stride = size,
                   .size = size,
                   .open = stats->n - 1,
                   .room = cov + (int64_t)size * size};
    fill(&k, &start, table);
}

/* How many independent rows the rows of a table are worth: see effective.h. */
#include "effective.h"

#include "canonical.h"
#include "family.h"
#include "status.h"

#include <math.h>

enum {
    MOST_NODES = 64, /* that are compared with all before them: enough for λ */
    LEAST_FREE = 5,  /* degrees of freedom of a partial correlation */
    LEAST_ROWS = 10, /* that any table is worth */
};

/*
 * Of independent rows λ is about 1, and varies the more the fewer pairs there are. It counts from
 * here on, and from 1 + SPREAD / √pairs: of 300 tables of independent Gaussian rows, 5 to 50
 * variables, half of them sorted by a column, 2 went beyond. Heavy tails do more often: 12 of 50
 * with Student's t of 3 degrees of freedom.
 */
static const double LEAST_FACTOR = 1.5, SPREAD = 8;

typedef struct comparison {
    dpc_family family[2]; /* of the halves */
    double rows[2];
    double sum; /* of |d| */
    int64_t pairs;
} comparison;

/* Fisher's z of u and the v of the family; NaN where its parents determine one of the two. */
static double z_of(const dpc_family *f, int u)
{
    if (dpc_family_determines(f, u))
        return NAN;
    double r = dpc_family_now(f)->t[f->place[u]] /
               sqrt(dpc_family_variance(f, u) * dpc_family_variance(f, f->v));
    return fabs(r) < 1 ? atanh(r) : NAN;
}

/* The node in one place of the order, and those before it that are not its parents. */
static dpc_status compare_node(comparison *c, const dpc_relatives *pa, const int32_t *order, int at)
{
    double variance = 0;
    for (int h = 0; h < 2; h++) {
        dpc_family *f = &c->family[h];
        DPC_CHECK(dpc_family_start(f, order[at], NULL, 0));
        DPC_CHECK(dpc_family_push_all(f, pa->node, (int)pa->count));
        double left = c->rows[h] - f->depth - 3;
        if (left < LEAST_FREE || dpc_family_determines(f, f->v))
            return DPC_OK;
        variance += 1 / left;
    }
    for (int i = 0; i < at; i++) {
        double difference = z_of(&c->family[0], order[i]) - z_of(&c->family[1], order[i]);
        if (isnan(difference)) /* a parent is determined, too */
            continue;
        c->sum += fabs(difference) / sqrt(variance);
        c->pairs++;
    }
    return DPC_OK;
}

static dpc_status compare(comparison *c, dpc_families *dag)
{
    int n = dag->n, step = (n + MOST_NODES - 1) / MOST_NODES;
    int32_t *order = dpc_alloc(n, sizeof *order);
    dpc_status status = order != NULL ? DPC_OK : DPC_NO_MEMORY;
    if (status == DPC_OK)
        dpc_families_order(dag, order);
    for (int i = n - 1; i > 0 && status == DPC_OK; i -= step)
        status = compare_node(c, &dag->pa[order[i]], order, i);
    free(order);
    return status;
}

static double factor_of(const comparison *c)
{
    double pairs = fmax((double)c->pairs, 1), mean = c->sum / pairs,
           lambda = acos(-1) / 2 * mean * mean;
    return lambda > fmax(LEAST_FACTOR, 1 + SPREAD / sqrt(pairs)) ? lambda : 1;
}

double dpc_price_for(double penalty, double n_obs, double rows)
{
    return n_obs / rows * penalty * log(rows);
}

dpc_status dpc_effective_rows(const dpc_correlation *correlation, const dpc_labels *labels,
                              dpc_families *dag, double *rows)
{
    comparison c = {0};
    dpc_status status = DPC_OK;
    double n_obs = (double)correlation->n_obs;
    *rows = n_obs;
    if (correlation->half[0] == NULL || correlation->half[1] == NULL)
        return DPC_OK;
    for (int h = 0; h < 2 && status == DPC_OK; h++) {
        const dpc_view view = dpc_view_of(correlation->half[h], labels);
        const dpc_stats stats = dpc_stats_of(&view);
        c.rows[h] = (double)view.n_obs;
        status = dpc_family_init(&c.family[h], &stats, DPC_NOISE_CAREFUL);
    }
    if (status == DPC_OK)
        status = compare(&c, dag);
    if (status == DPC_OK && factor_of(&c) > 1)
        *rows = fmax(n_obs / factor_of(&c), fmin(n_obs, LEAST_ROWS));
    dpc_family_clear(&c.family[0]);
    dpc_family_clear(&c.family[1]);
    return status;
}

/* Each node behind the one before it that it is most correlated with: what most have in common is
 * out of the comparison then. */
static dpc_status grow_tree(const dpc_view *view, dpc_families *tree)
{
    double *row = dpc_alloc(view->n, sizeof *row);
    dpc_status status = row != NULL ? DPC_OK : DPC_NO_MEMORY;
    for (int v = 1; v < view->n && status == DPC_OK; v++) {
        int best = 0;
        dpc_row(view, dpc_column_of(view->labels, v), NULL, view->n, row);
        for (int u = 1; u < v; u++)
            if (fabs(row[dpc_column_of(view->labels, u)]) >
                fabs(row[dpc_column_of(view->labels, best)]))
                best = u;
        status = dpc_families_add(tree, best, v);
    }
    free(row);
    return status;
}

dpc_status dpc_effective_rows_alone(const dpc_correlation *correlation,
                                    const dpc_settings *settings, double *rows, dpc_error *err)
{
    dpc_labels labels = {0};
    dpc_families tree = {0};
    *rows = (double)correlation->n_obs;
    if (correlation->half[0] == NULL)
        return DPC_OK;
    DPC_CHECK(dpc_labels_make(correlation, settings, &labels, err));
    const dpc_view view = dpc_view_of(correlation, &labels);
    dpc_status status = dpc_families_init(&tree, view.n);
    if (status == DPC_OK)
        status = grow_tree(&view, &tree);
    if (status == DPC_OK)
        status = dpc_effective_rows(correlation, &labels, &tree, rows);
    dpc_families_clear(&tree);
    dpc_labels_clear(&labels);
    return dpc_fail_as(err, status, "the comparison of the rows");
}

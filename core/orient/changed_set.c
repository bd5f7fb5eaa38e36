/*
 * One variable more or fewer in a separating set: see toggle.h.
 *
 * A set that was enumerated is short, and the correlation given it is computed directly. A set that
 * is "all neighbours of x but z and M" is long, but M is short: with T the inverse of R over x and
 * its neighbours at that level, r given the set is minus the correlation in T given M
 * (docs/algorithm.md, section 7). Putting y in takes it out of M, and the other way round. T serves
 * all such pairs of x and that level. Where T is missing or nearly singular, the long way is gone;
 * and where y is not in T. With the AND rule x may have dropped y from its own list before that
 * level, and y still be its neighbour, because y has not dropped x.
 */
#include "changed_set.h"

#include "linalg.h"
#include "memory.h"
#include "vector.h"

#include <math.h>

static const double SHAKY = 1e-4; /* a pivot, or a conditional variance, too small for T */

void dpc_toggler_clear(dpc_toggler *t)
{
    free(t->factor);
    free(t->written);
    free(t->members);
    free(t->small);
    free(t->scratch);
    *t = (dpc_toggler){0};
}

/* Room for sets of this size; false: no memory. */
static bool make_room(dpc_toggler *t, int64_t size)
{
    if (size <= t->room)
        return true;
    free(t->members);
    free(t->small);
    free(t->scratch);
    t->members = dpc_alloc(size, sizeof *t->members);
    t->small = dpc_alloc((size + 2) * (size + 2), sizeof *t->small);
    t->scratch = dpc_alloc((size + 2) * (size + 2), sizeof *t->scratch);
    t->room = t->members != NULL && t->small != NULL && t->scratch != NULL ? size : 0;
    return t->room > 0;
}

static int column(const dpc_toggler *t, int label)
{
    return dpc_column_of(t->task->view->labels, label);
}

/* F over the neighbours of t->x, and x; false: no memory. */
static bool make_factor(dpc_toggler *t)
{
    const dpc_view *view = t->task->view;
    int64_t d = dpc_degree(t->graph, t->x), order = d + 1;
    const int32_t *neighbour = dpc_neighbours(t->graph, t->x);
    double least;
    if (t->factor_graph == t->graph && t->factor_node == t->x)
        return true;
    if (order * order > t->factor_room) {
        free(t->factor);
        t->factor = dpc_alloc_aligned(order * order);
        t->factor_room = t->factor != NULL ? order * order : 0;
        if (t->factor == NULL)
            return false;
    }
    for (int64_t j = 0; j < order; j++) {
        const double *from = dpc_column_row(view, column(t, j < d ? neighbour[j] : t->x));
        for (int64_t i = j; i < order; i++)
            t->factor[j * order + i] = from[column(t, i < d ? neighbour[i] : t->x)];
    }
    t->has_factor =
        order < view->n_obs && dpc_inverse_factor(t->factor, (int)order, &least) && least > SHAKY;
    t->factor_graph = t->graph;
    t->factor_node = t->x;
    return true;
}

/* With tiers K is not all of the list that it is a complement in: it is written out. */
static bool write_out(dpc_toggler *t, const dpc_separation *found)
{
    if (t->written == NULL)
        t->written = dpc_alloc(t->task->skeleton->n, sizeof *t->written);
    if (t->written == NULL)
        return false;
    t->subset = t->written;
    t->count = dpc_record_members(t->task->sepsets, found->record, found->batch, t->written);
    return true;
}

bool dpc_toggle_pair(dpc_toggler *t, dpc_separation found)
{
    const dpc_record *record = found.record;
    bool complement = dpc_record_is_complement(record, found.batch);
    t->record = record;
    t->x = dpc_record_from(record);
    t->z = record->from_b ? record->a : record->b;
    t->subset = dpc_record_subset(t->task->sepsets, record);
    t->count = (int)record->count;
    if (complement && dpc_has_tiers(t->task->known)) {
        complement = false;
        if (!write_out(t, &found))
            return false;
    }
    t->graph = complement ? found.batch->graph : NULL;
    t->order = complement ? dpc_degree(t->graph, t->x) - 1 - t->count : t->count;
    if (!complement)
        return make_room(t, t->count + 1);
    if (!make_factor(t))
        return false;
    return make_room(t, t->has_factor ? t->count + 1 : dpc_degree(t->graph, t->x));
}

/* The subset with y in or out, into t->members; returns its size. */
static int toggle_subset(dpc_toggler *t, int y)
{
    int size = 0;
    for (int i = 0; i < t->count; i++)
        if (t->subset[i] != y)
            t->members[size++] = t->subset[i];
    if (size == t->count)
        t->members[size++] = y;
    return size;
}

/* Entry of T for the columns i and j of F. */
static double entry_of_t(const dpc_toggler *t, int64_t order, int64_t i, int64_t j)
{
    int64_t last = i > j ? i : j;
    return dpc_vector_best()->dot((int)(order - last), t->factor + i * order + last,
                                  t->factor + j * order + last);
}

/* From T, over the members, z and x in that order. */
static double from_factor(dpc_toggler *t, int size)
{
    int64_t order = (int64_t)dpc_degree(t->graph, t->x) + 1, first = t->graph->start[t->x];
    int all = size + 2;
    for (int i = 0; i < size; i++)
        t->members[i] = (int32_t)(dpc_slot(t->graph, t->x, t->members[i]) - first);
    int64_t z = dpc_slot(t->graph, t->x, t->z) - first;
    for (int i = 0; i < all; i++) {
        int64_t pi = i < size ? t->members[i] : i == size ? z : order - 1;
        for (int j = 0; j < i; j++)
            t->small[i * all + j] = t->small[j * all + i] =
                entry_of_t(t, order, pi, j < size ? t->members[j] : z);
        t->small[i * all + i] = 1;
    }
    for (int i = 0; i < size; i++)
        t->members[i] = i;
    return -dpc_partial_correlation(t->small, all, size + 1, size, t->members, size, SHAKY,
                                    t->scratch);
}

/* Given the columns of t->members, from R. */
static double directly(dpc_toggler *t, int size)
{
    const dpc_view *view = t->task->view;
    for (int i = 0; i < size; i++)
        t->members[i] = column(t, t->members[i]);
    return dpc_partial_correlation(view->r, view->n, column(t, t->x), column(t, t->z), t->members,
                                   size, DPC_SINGULAR, t->scratch);
}

/* K written out, with y in or out, into t->members; returns its size. */
static int toggle_complement(dpc_toggler *t, int y, bool inside)
{
    const int32_t *neighbour = dpc_neighbours(t->graph, t->x);
    int size = 0;
    for (int i = 0; i < dpc_degree(t->graph, t->x); i++) {
        bool left_out = neighbour[i] == t->z || neighbour[i] == y;
        for (int k = 0; k < t->count && !left_out; k++)
            left_out = t->subset[k] == neighbour[i];
        if (!left_out)
            t->members[size++] = neighbour[i];
    }
    if (!inside)
        t->members[size++] = y;
    return size;
}

double dpc_toggle(dpc_toggler *t, int y, bool *inside)
{
    bool in_subset = toggle_subset(t, y) < t->count;
    if (t->graph == NULL) {
        *inside = in_subset;
        return directly(t, toggle_subset(t, y));
    }
    bool listed = dpc_slot(t->graph, t->x, y) >= 0;
    double r = NAN;
    *inside = listed && !in_subset;
    if (listed && t->has_factor)
        r = from_factor(t, toggle_subset(t, y));
    if (isnan(r) && make_room(t, dpc_degree(t->graph, t->x)))
        r = directly(t, toggle_complement(t, y, *inside));
    return r;
}

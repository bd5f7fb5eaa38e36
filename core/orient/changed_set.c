/*
 * One variable more or fewer in a separating set: see changed_set.h.
 *
 * A set that was enumerated is short, and the correlation given it is computed directly. A set that
 * is "all neighbours of x but z and M" is long, but M is short: with T the inverse of R over x and
 * its neighbours at that level, r given the set is minus the correlation in T given M
 * (docs/algorithm.md, section 7). Putting y in takes it out of M, and the other way round. T serves
 * all such pairs of x and that level. Where T is missing or nearly singular, the long way is gone;
 * and where y is not in T. With the AND rule x may have dropped y from its own list before that
 * level, and y still be its neighbour, because y has not dropped x.
 *
 * Most y are outside of the short set. What it leaves of x and z is found once for all of them.
 */
#include "changed_set.h"

#include "alloc.h"
#include "sorted.h"
#include "vector.h"

#include <math.h>

static const double SHAKY = 1e-4; /* a pivot, or a conditional variance, too small for T */

void dpc_changed_set_init(const dpc_unoriented *task, dpc_changed_set *out)
{
    *out = (dpc_changed_set){.task = task, .direct = {.view = task->view}, .common_room = -1};
}

static void clear_common(dpc_changed_set *s)
{
    free(s->common);
    free(s->places);
    free(s->small);
    free(s->held);
}

void dpc_changed_set_clear(dpc_changed_set *s)
{
    clear_common(s);
    free(s->written);
    free(s->factor);
    free(s->members);
    free(s->scratch);
    dpc_patch_clear(&s->patch);
    dpc_direct_clear(&s->direct);
    *s = (dpc_changed_set){0};
}

/* Room for one set of this size. */
static dpc_status make_room(dpc_changed_set *s, int64_t size)
{
    if (size <= s->room)
        return DPC_OK;
    free(s->members);
    free(s->scratch);
    s->members = dpc_alloc(size, sizeof *s->members);
    s->scratch = dpc_alloc((size + 2) * (size + 2), sizeof *s->scratch);
    s->room = s->members != NULL && s->scratch != NULL ? size : 0;
    return s->room > 0 ? DPC_OK : DPC_NO_MEMORY;
}

/* Room for what the sets of a pair have in common. */
static dpc_status make_common_room(dpc_changed_set *s, int64_t count)
{
    if (count <= s->common_room)
        return DPC_OK;
    clear_common(s);
    s->common = dpc_alloc(count, sizeof *s->common);
    s->places = dpc_alloc(count + 3, sizeof *s->places);
    s->small = dpc_alloc((count + 3) * (count + 3), sizeof *s->small);
    s->held = dpc_alloc((count + 3) * (count + 2), sizeof *s->held);
    bool fine = s->common != NULL && s->places != NULL && s->small != NULL && s->held != NULL;
    s->common_room = fine ? count : -1;
    return fine ? DPC_OK : DPC_NO_MEMORY;
}

static int column(const dpc_changed_set *s, int label)
{
    return dpc_column_of(s->task->view->labels, label);
}

/* F over the neighbours of x, and x. */
static dpc_status make_factor(dpc_changed_set *s)
{
    const dpc_view *view = s->task->view;
    int64_t d = dpc_degree(s->graph, s->x), order = d + 1;
    const int32_t *neighbour = dpc_neighbours(s->graph, s->x);
    double least;
    if (s->factor_graph == s->graph && s->factor_node == s->x)
        return DPC_OK;
    s->factor_graph = NULL;
    if (order * order > s->factor_room) {
        free(s->factor);
        s->factor = dpc_alloc_aligned(order * order);
        s->factor_room = s->factor != NULL ? order * order : 0;
        if (s->factor == NULL)
            return DPC_NO_MEMORY;
    }
    if (make_room(s, order) != DPC_OK || dpc_patch_reserve(&s->patch, view, order) != DPC_OK)
        return DPC_NO_MEMORY;
    dpc_columns_of(view, neighbour, (int)d, s->members);
    s->members[d] = column(s, s->x);
    const dpc_view local = dpc_patch_over(&s->patch, view, s->members, (int)order);
    dpc_gather(&local, s->members, order, s->factor);
    s->has_factor = order < view->n_obs &&
                    dpc_inverse_factor(s->factor, (int)order, &least, NULL, 0) && least > SHAKY;
    s->factor_graph = s->graph;
    s->factor_node = s->x;
    return DPC_OK;
}

/* ---- The pair ---- */

/* What the subset, as it is in `common`, leaves of two columns of a matrix. */
static void start_partial(dpc_changed_set *s, const double *m, int64_t ld, int x, int z,
                          double tolerance)
{
    s->partial = dpc_partial_start(m, ld, x, z, s->common, s->count + 1, tolerance, s->held);
    s->singular = !dpc_partial_push_all(&s->partial, s->count);
}

/* The correlation of the two given the subset and one column more. */
static double r_with(const dpc_changed_set *s, int added)
{
    return s->singular ? NAN : dpc_partial_r_with(&s->partial, added);
}

/* Where a neighbour of x stands in T; below 0: it is not there. */
static int place_in_t(const dpc_changed_set *s, int label)
{
    int64_t slot = dpc_slot(s->graph, s->x, label);
    return slot >= 0 ? (int)(slot - s->graph->start[s->x]) : -1;
}

/* An entry of T, into both triangles of `small`. */
static void set_small(dpc_changed_set *s, int i, int j)
{
    int64_t order = (int64_t)dpc_degree(s->graph, s->x) + 1, all = s->count + 3;
    int64_t p = s->places[i], q = s->places[j], last = p > q ? p : q;
    s->small[i * all + j] = s->small[j * all + i] =
        i == j ? 1
               : dpc_vector_best()->dot((int)(order - last), s->factor + p * order + last,
                                        s->factor + q * order + last);
}

/* What is left of x and z in T; y will be at its place. */
static void start_from_t(dpc_changed_set *s)
{
    int y = s->count, z = y + 1, x = y + 2;
    for (int i = 0; i < s->count; i++) {
        s->common[i] = i;
        s->places[i] = place_in_t(s, s->subset[i]);
    }
    s->places[z] = place_in_t(s, s->z);
    s->places[x] = dpc_degree(s->graph, s->x);
    for (int j = 0; j <= x; j++)
        for (int i = 0; i <= j && j != y; i++)
            if (i != y)
                set_small(s, i, j);
    start_partial(s, s->small, x + 1, x, z, SHAKY);
}

/* A row of R over the first places, into both triangles of `small`. */
static void make_row(dpc_changed_set *s, int i, int count)
{
    int64_t all = s->count + 3;
    dpc_row(s->task->view, s->places[i], s->places, count, s->small + i * all);
    for (int j = 0; j < count; j++)
        s->small[j * all + i] = s->small[i * all + j];
}

/* What is left of x and z in R; y will be at its place. */
static void start_from_r(dpc_changed_set *s)
{
    int y = s->count, z = y + 1, x = y + 2;
    dpc_columns_of(s->task->view, s->subset, s->count, s->places);
    s->places[z] = column(s, s->z);
    s->places[x] = column(s, s->x);
    s->places[y] = s->places[z];
    for (int i = 0; i <= x; i++) {
        if (i < y)
            s->common[i] = i;
        make_row(s, i, i + 1);
    }
    start_partial(s, s->small, x + 1, x, z, DPC_SINGULAR);
}

/* With tiers K is not all of the list that it is a complement in: it is written out. */
static dpc_status write_out(dpc_changed_set *s, const dpc_separation *found)
{
    if (s->written == NULL)
        s->written = dpc_alloc(s->task->view->n, sizeof *s->written);
    if (s->written == NULL)
        return DPC_NO_MEMORY;
    s->subset = s->written;
    s->count = dpc_record_members(s->task->sepsets, found->record, found->batch, s->written);
    return DPC_OK;
}

dpc_status dpc_changed_set_start(dpc_changed_set *s, dpc_separation found)
{
    const dpc_record *record = found.record;
    bool complement = dpc_record_is_complement(record, found.batch);
    dpc_status status = DPC_OK;
    s->x = dpc_record_from(record);
    s->z = record->from_b ? record->a : record->b;
    s->subset = dpc_record_subset(s->task->sepsets, record);
    s->count = (int)record->count;
    if (complement && dpc_has_tiers(s->task->known)) {
        complement = false;
        status = write_out(s, &found);
    }
    s->graph = complement ? found.batch->graph : NULL;
    s->order = complement ? dpc_degree(s->graph, s->x) - 1 - s->count : s->count;
    if (status == DPC_OK)
        status = make_common_room(s, s->count);
    if (status == DPC_OK)
        status = make_room(s, s->count + 1);
    if (status == DPC_OK && complement)
        status = make_factor(s);
    if (status == DPC_OK && !complement)
        start_from_r(s);
    if (status == DPC_OK && complement && s->has_factor)
        start_from_t(s);
    return status;
}

/* ---- One variable ---- */

/* The subset without its member at a place, as it is in `common`; returns its size. */
static int without(dpc_changed_set *s, int place)
{
    int size = 0;
    for (int i = 0; i < s->count; i++)
        if (i != place)
            s->members[size++] = s->common[i];
    return size;
}

/* From T, y in the subset at a place, or to be added to it where that is below 0. */
static double from_t(dpc_changed_set *s, int y, int place)
{
    int all = s->count + 3, at = s->count;
    if (place >= 0)
        return -dpc_partial_correlation(s->small, all, all - 1, all - 2, s->members,
                                        without(s, place), SHAKY, s->scratch);
    s->places[at] = place_in_t(s, y);
    for (int i = 0; i < all; i++)
        set_small(s, i, at);
    return -r_with(s, at);
}

static double from_r(dpc_changed_set *s, int y, int place)
{
    const dpc_partial *p = &s->partial;
    if (place < 0) {
        s->places[s->count] = column(s, y);
        make_row(s, s->count, s->count + 3);
        return r_with(s, s->count);
    }
    return dpc_partial_correlation(p->m, p->ld, p->x, p->y, s->members, without(s, place),
                                   p->tolerance, s->scratch);
}

/* K written out as columns, with y in or out. */
static dpc_status the_long_way(dpc_changed_set *s, int y, bool inside, double *r)
{
    const int32_t *neighbour = dpc_neighbours(s->graph, s->x);
    int size = 0, degree = dpc_degree(s->graph, s->x);
    DPC_CHECK(make_room(s, (int64_t)degree + 1));
    for (int i = 0; i < degree; i++) {
        bool left_out = neighbour[i] == s->z || neighbour[i] == y ||
                        dpc_place_of(s->subset, s->count, neighbour[i]) >= 0;
        if (!left_out)
            s->members[size++] = column(s, neighbour[i]);
    }
    if (!inside)
        s->members[size++] = column(s, y);
    return dpc_direct_r(&s->direct, column(s, s->x), column(s, s->z), s->members, size, r);
}

dpc_status dpc_changed_set_r(dpc_changed_set *s, int y, double *r, bool *inside)
{
    int place = (int)dpc_place_of(s->subset, s->count, y);
    *r = NAN;
    if (s->graph == NULL) {
        *inside = place >= 0;
        *r = from_r(s, y, place);
        return DPC_OK;
    }
    bool listed = place_in_t(s, y) >= 0;
    *inside = listed && place < 0;
    if (listed && s->has_factor)
        *r = from_t(s, y, place);
    return isnan(*r) ? the_long_way(s, y, *inside, r) : DPC_OK;
}

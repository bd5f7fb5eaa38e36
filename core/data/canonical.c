/*
 * The canonical order of the columns.
 *
 * A PC algorithm meets its columns in some order, and where two verdicts compete the order decides.
 * If the columns are first sorted by something that does not depend on their places, the result
 * does not depend on them either. The key of a column is Σⱼ R²ᵢⱼ. Columns with the same key form a
 * class, and are separated by Σⱼ R²ᵢⱼ h(class of j), with h a fixed scatter of numbers, until no
 * class splits any more; then by the signs of R, and by the third moments of the data, where there
 * are data (ties.h). Few rows of 0 and 1 need that: many of their correlations are equal. The
 * members of a class that is left look the same from everywhere: the one that stands first in the
 * table is put before the others, and the splitting goes on. Exact copies therefore keep the order
 * they have, and so do the columns of a table that is the same after some of its columns, and some
 * of its rows, have changed places. (There are artificial matrices in which columns look the same
 * by all this and are not, such as two rings of different lengths. There the order is as good as
 * any, but not canonical.)
 *
 * The last bits of R depend on the places of the columns, because BLAS sums in blocks. So keys that
 * differ by less than 1e-9 count as equal: that is far above the rounding, and the keys of real
 * columns that are not copies differ by far more.
 */
#include "canonical.h"

#include "arena.h"
#include "crew.h"
#include "graph.h"
#include "random.h"
#include "row_norms.h"
#include "settings.h"
#include "sorted.h"
#include "status.h"
#include "ties.h"
#include "vector.h"

#include <math.h>

static const double SAME = 1e-9;

enum { MOST_CHOICES = 1000 }; /* of a first among equals; only an artificial R needs more */

typedef struct keyed {
    double key;
    int32_t column;
} keyed;

typedef struct sorting {
    const dpc_correlation *correlation;
    keyed *line;     /* the columns in their order so far */
    int32_t *class;  /* of a column: the place in the line where its class begins */
    double *scatter; /* by column: h of its class */
    bool split;      /* the last pass has split a class */
    double work;     /* that may still be done for ties */
    double *room;    /* for them */
    bool data_asked; /* or are not to be */
    int32_t *asked;  /* the columns, or places, whose keys are to be found; n */
    double *sums;    /* where there is no R: the keys; n */
    const dpc_vector *vector;
    dpc_crew crew;
    dpc_settings alone; /* those of the crew, without several ranks */
} sorting;

/* A number between 1 and 2 for each class, without pattern. */
static double scatter(uint32_t class)
{
    return 1 + (double)(dpc_mix(class * UINT64_C(0x9e3779b97f4a7c15)) >> 11) * 0x1p-53;
}

/* The length of the class that begins at `place`. */
static int length_at(const sorting *s, int place)
{
    int end = place, n = s->correlation->n_vars;
    while (end < n && s->class[s->line[end].column] == place)
        end++;
    return end - place;
}

/* Is the column at a place a class of its own? Then its key is of no use. */
static bool is_alone(const sorting *s, int64_t place)
{
    int class = s->class[s->line[place].column];
    return class == place &&
           (place + 1 == s->correlation->n_vars || s->class[s->line[place + 1].column] != class);
}

/* The task of one place. */
static void find_key(void *context, int64_t place, int worker)
{
    (void)worker;
    sorting *s = context;
    int64_t n = s->correlation->n_vars;
    if (is_alone(s, place))
        return;
    const double *r = s->correlation->r + s->line[place].column * n;
    s->line[place].key = s->vector->squares((int)n, r, s->scatter);
}

/*
 * All keys without R. Several ranks share only the first of these calls, which is the long one: how
 * many come later may depend on the kind of processor.
 */
static dpc_status ask_for_keys(sorting *s)
{
    int n = s->correlation->n_vars, count = 0;
    for (int place = 0; place < n; place++)
        if (!is_alone(s, place))
            s->asked[count++] = s->line[place].column;
    dpc_status status =
        dpc_weigh_squares(s->correlation->products, s->asked, count, s->scatter, &s->crew, s->sums);
    s->crew.settings = &s->alone;
    for (int place = 0, i = 0; place < n && status == DPC_OK; place++)
        if (!is_alone(s, place))
            s->line[place].key = s->sums[i++];
    return status;
}

static dpc_status find_square_keys(sorting *s)
{
    int n = s->correlation->n_vars;
    if (s->correlation->r == NULL)
        return ask_for_keys(s);
    return dpc_crew_run(&s->crew, n, (double)n * n, find_key, s) ? DPC_OK : DPC_INTERRUPTED;
}

static int by_key(const void *left, const void *right)
{
    const keyed *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? 1 : -1;
    return (a->column > b->column) - (a->column < b->column);
}

static int by_column(const void *left, const void *right)
{
    const keyed *a = left, *b = right;
    return (a->column > b->column) - (a->column < b->column);
}

/* Sorts one class by its keys, the largest first, and splits it where they differ. */
static void split_class(sorting *s, int place, int length)
{
    keyed *line = s->line + place;
    qsort(line, (size_t)length, sizeof *line, by_key);
    for (int from = 0, to = 1; to <= length; to++) {
        if (to < length && line[to - 1].key - line[to].key <= SAME * line[to - 1].key)
            continue;
        if (to - from > 1)
            qsort(line + from, (size_t)(to - from), sizeof *line, by_column);
        for (int i = from; i < to; i++)
            s->class[line[i].column] = place + from;
        s->split = s->split || to - from < length;
        from = to;
    }
}

/* Are these columns uncorrelated with all others, or copies? Then any order will do. */
static bool any_order_does(const sorting *s, int place, int length)
{
    int n = s->correlation->n_vars, column = s->line[place].column;
    const double *r = s->sums;
    double outside = -1, copies = 0; /* its own R² is 1 */
    if (s->correlation->r == NULL)
        dpc_product_row(s->correlation->products, column, NULL, n, s->sums);
    else
        r = s->correlation->r + (int64_t)column * n;
    for (int j = 0; j < n; j++)
        outside += r[j] * r[j];
    for (int i = place; i < place + length; i++)
        copies += fabs(r[s->line[i].column]) > 1 - SAME;
    return outside <= SAME || copies == length;
}

/* ---- Ties ---- */

/* So many additions and products in all: columns that are tied are few, or the table is artificial.
 */
static const double MOST_WORK = 5e8;

/* Separates those for which any order will do. Lists the places of all others that are in a class
 * with others in s->asked, and makes their keys equal; returns how many. */
static int find_tied(sorting *s)
{
    int n = s->correlation->n_vars, count = 0;
    for (int place = 0, length; place < n; place += length) {
        length = length_at(s, place);
        bool any = length > 1 && any_order_does(s, place, length);
        for (int i = 0; i < length && length > 1; i++) {
            s->line[place + i].key = 1;
            if (any)
                s->class[s->line[place + i].column] = place + i;
            else
                s->asked[count++] = place + i;
        }
    }
    return count;
}

/* May so much be done? */
static bool take_work(sorting *s, double work)
{
    bool may = work > 0 && work <= s->work;
    s->work -= may ? work : 0;
    return may;
}

static dpc_status find_sign_keys(sorting *s)
{
    int count = find_tied(s);
    if (!take_work(s, count * dpc_tie_work_by_signs(s->correlation)))
        return DPC_OK;
    for (int i = 0; i < count; i++) {
        keyed *tied = &s->line[s->asked[i]];
        tied->key = dpc_tie_by_signs(s->correlation, tied->column, s->scatter, s->room);
    }
    return DPC_OK;
}

/* The keys of those that are tied, by the columns; false: that takes too long. */
static bool find_moment_keys(sorting *s, const dpc_products *columns, int count)
{
    if (!take_work(s, count * dpc_tie_work_by_moments(s->correlation)))
        return false;
    for (int i = 0; i < count; i++) {
        keyed *tied = &s->line[s->asked[i]];
        tied->key = dpc_tie_by_moments(columns, tied->column, s->scatter, s->room);
    }
    return true;
}

/* Once; by what was kept of the data, or by the columns, where these are there. */
static dpc_status find_data_keys(sorting *s)
{
    const dpc_correlation *c = s->correlation;
    int count = s->data_asked ? 0 : find_tied(s);
    for (int i = 0; c->apart != NULL && i < count; i++) {
        keyed *tied = &s->line[s->asked[i]];
        tied->key = c->apart[tied->column];
    }
    if (c->products != NULL)
        find_moment_keys(s, c->products, count);
    s->data_asked = true;
    return DPC_OK;
}

/* Splits all classes until none splits any more: by squares, then by signs, then by the data. */
static dpc_status refine(sorting *s)
{
    static dpc_status (*const FIND_KEYS[])(sorting *) = {find_square_keys, find_sign_keys,
                                                         find_data_keys};
    int n = s->correlation->n_vars;
    for (int way = 0; way < 3; way = s->split ? 0 : way + 1) {
        s->split = false;
        for (int j = 0; j < n; j++)
            s->scatter[j] = scatter((uint32_t)s->class[j]);
        DPC_CHECK(FIND_KEYS[way](s));
        for (int place = 0, length; place < n; place += length) {
            length = length_at(s, place);
            if (length > 1)
                split_class(s, place, length);
        }
    }
    return DPC_OK;
}

/* Puts one before its equals; false: there are no equals. */
static bool choose_one(sorting *s, int *from)
{
    int n = s->correlation->n_vars;
    for (int place = *from, length; place < n; place += length) {
        length = length_at(s, place);
        *from = place;
        for (int i = 1; i < length; i++)
            s->class[s->line[place + i].column] = place + 1;
        if (length > 1)
            return true;
    }
    return false;
}

/* All in one class, and split as far as R, and the data, tell. */
static dpc_status begin(sorting *s)
{
    for (int j = 0; j < s->correlation->n_vars; j++) {
        s->line[j] = (keyed){0, j};
        s->class[j] = 0;
    }
    return refine(s);
}

static dpc_status sort_columns(sorting *s)
{
    int from = 0;
    DPC_CHECK(begin(s));
    for (int i = 0; i < MOST_CHOICES && choose_one(s, &from); i++)
        DPC_CHECK(refine(s));
    return DPC_OK;
}

/* In the memory of an arena. DPC_OK or no memory. */
static dpc_status sorting_init(sorting *s, const dpc_correlation *c, const dpc_settings *settings,
                               dpc_arena *arena)
{
    int n = c->n_vars;
    *s = (sorting){
        .correlation = c,
        .line = dpc_arena_alloc(arena, n, sizeof *s->line),
        .class = dpc_arena_alloc(arena, n, sizeof *s->class),
        .scatter = dpc_arena_alloc(arena, n, sizeof *s->scatter),
        .asked = dpc_arena_alloc(arena, n, sizeof *s->asked),
        .room = dpc_arena_alloc(arena, dpc_tie_room(n, c->products), sizeof *s->room),
        .work = MOST_WORK,
        .vector = dpc_vector_best(),
        .alone = *settings,
    };
    if (c->r == NULL)
        s->sums = dpc_arena_zalloc(arena, n, sizeof *s->sums);
    s->alone.ranks = NULL;
    return dpc_arena_failed(arena) ? DPC_NO_MEMORY : DPC_OK;
}

dpc_status dpc_labels_make(const dpc_correlation *c, const dpc_settings *settings, dpc_labels *out,
                           dpc_error *err)
{
    int n = c->n_vars;
    dpc_arena arena = {0};
    sorting s;
    *out = (dpc_labels){0};
    if (settings->order == DPC_ORDER_GIVEN)
        return DPC_OK;
    dpc_labels labels = {.column = dpc_alloc(n, sizeof(int32_t)),
                         .label = dpc_alloc(n, sizeof(int32_t))};
    dpc_status status = sorting_init(&s, c, settings, &arena);
    if (labels.column == NULL || labels.label == NULL)
        status = DPC_NO_MEMORY;
    dpc_crew_init(&s.crew, settings, DPC_STAGE_SKELETON);
    if (status == DPC_OK)
        status = sort_columns(&s);
    for (int i = 0; status == DPC_OK && i < n; i++) {
        labels.column[i] = s.line[i].column;
        labels.label[s.line[i].column] = i;
    }
    dpc_arena_clear(&arena);
    if (status == DPC_OK)
        *out = labels;
    else
        dpc_labels_clear(&labels);
    return dpc_fail_as(err, status, "the order of the columns");
}

/* ---- What the data tell ---- */

/* Of the columns that are tied, in the memory of an arena. */
static dpc_status ask_columns(sorting *s, const dpc_columns *columns, const dpc_settings *settings,
                              dpc_arena *arena, dpc_correlation *c)
{
    dpc_products *products = NULL;
    int count = find_tied(s);
    double *sd = dpc_arena_alloc(arena, c->n_vars, sizeof *sd);
    if (count == 0 || count * dpc_tie_work_by_moments(c) > s->work)
        return DPC_OK;
    c->apart = dpc_zalloc(c->n_vars, sizeof *c->apart);
    if (c->apart == NULL || sd == NULL)
        return DPC_NO_MEMORY;
    DPC_CHECK(dpc_products_new(columns, c->n_vars, settings, sd, &products));
    s->room = dpc_arena_alloc(arena, dpc_tie_room(c->n_vars, products), sizeof *s->room);
    if (s->room != NULL)
        find_moment_keys(s, products, count);
    for (int i = 0; i < count; i++)
        c->apart[s->line[s->asked[i]].column] = s->line[s->asked[i]].key;
    dpc_products_free(products);
    return s->room != NULL ? DPC_OK : DPC_NO_MEMORY;
}

dpc_status dpc_tell_apart(const dpc_columns *columns, const dpc_settings *settings,
                          dpc_correlation *c)
{
    dpc_arena arena = {0};
    sorting s;
    dpc_status status = sorting_init(&s, c, settings, &arena);
    s.data_asked = true;
    dpc_crew_init(&s.crew, &s.alone, DPC_STAGE_CORRELATION);
    s.crew.from = 1; /* that stage is done */
    if (status == DPC_OK)
        status = begin(&s);
    if (status == DPC_OK)
        status = ask_columns(&s, columns, &s.alone, &arena, c);
    dpc_arena_clear(&arena);
    return status;
}

/* ---- Back to the columns ---- */

static dpc_status undo_triples(const int32_t *column, int n, dpc_triple *triples, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        dpc_triple *t = &triples[i];
        int x = column[t->x], z = column[t->z];
        t->x = x < z ? x : z;
        t->y = column[t->y];
        t->z = x < z ? z : x;
    }
    return dpc_sort_triples(triples, count, n);
}

void dpc_labels_undo_graph(const dpc_labels *labels, dpc_graph *graph)
{
    const int32_t *column = labels->column;
    if (column == NULL)
        return;
    for (int64_t e = 0; e < graph->n_edges; e++) {
        dpc_edge *edge = &graph->edges[e];
        *edge = dpc_edge_of(column[edge->a], column[edge->b], edge->mark);
    }
    if (graph->n_edges > 0)
        qsort(graph->edges, (size_t)graph->n_edges, sizeof *graph->edges, dpc_by_pair);
}

static void undo_provenance(const int32_t *column, dpc_provenance *provenance, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        dpc_provenance *p = &provenance[i];
        p->from = column[p->from];
        p->to = column[p->to];
        for (int k = 0; k < 2; k++)
            p->other[k] = p->other[k] >= 0 ? column[p->other[k]] : -1;
    }
    if (count > 0)
        qsort(provenance, (size_t)count, sizeof *provenance, dpc_by_arrow);
}

dpc_status dpc_labels_undo(const dpc_labels *labels, dpc_oriented *oriented, dpc_error *err)
{
    if (labels->column == NULL)
        return DPC_OK;
    int n = oriented->graph.n_nodes;
    dpc_labels_undo_graph(labels, &oriented->graph);
    dpc_labels_undo_graph(labels, &oriented->whole);
    undo_provenance(labels->column, oriented->provenance, oriented->n_provenance);
    dpc_status status = undo_triples(labels->column, n, oriented->conflicts, oriented->n_conflicts);
    if (status == DPC_OK)
        status = undo_triples(labels->column, n, oriented->ambiguous, oriented->n_ambiguous);
    return dpc_fail_as(err, status, "the lists of triples");
}

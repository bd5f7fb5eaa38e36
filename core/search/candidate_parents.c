/* What else a node could have for a parent: see candidate_parents.h. */
#include "candidate_parents.h"

#include "bits.h"
#include "screen.h"
#include "sorted.h"

#include <math.h>
#include <string.h>

/* ---- The index ---- */

/* A share of the least correlation that is worth its price: low enough for `left` to be large, high
 * enough for few to be above it by chance. */
static const double SHARE = 0.6;

/* The pairs that are correlated by more than ε. */
static dpc_status relate(dpc_parent_index *index, const dpc_view *view, dpc_crew *crew)
{
    dpc_pairs pairs = {0};
    int n = view->n;
    dpc_status status =
        dpc_screen(view->products, index->above, 0, dpc_screen_tiles(n), crew, &pairs);
    if (status == DPC_OK) {
        dpc_graph graph = {.n_nodes = n, .edges = pairs.pair, .n_edges = pairs.count};
        status = dpc_adjacency_of(&graph, view->labels, &index->related);
    }
    dpc_pairs_clear(&pairs);
    return status;
}

dpc_status dpc_parent_index_init(dpc_parent_index *index, const dpc_scoring *scoring,
                                 const dpc_settings *settings, dpc_time_limit *limit)
{
    const dpc_view *view = &scoring->stats.view;
    dpc_settings alone = *settings;
    dpc_crew crew;
    *index = (dpc_parent_index){.above = SHARE * sqrt(scoring->least)};
    if (!dpc_stats_can(&scoring->stats, DPC_CAN_SCREEN))
        return DPC_OK;
    alone.ranks = NULL; /* refinement is the work of one rank */
    dpc_crew_init(&crew, &alone, DPC_STAGE_REFINE);
    crew.limit = limit;
    crew.to = 0;
    dpc_status status = relate(index, view, &crew);
    if (status == DPC_OK && (index->near = dpc_zalloc(view->n, sizeof *index->near)) == NULL)
        status = DPC_NO_MEMORY;
    if (status == DPC_OK)
        status = dpc_quantised_new(view->products, &crew, &index->quantised);
    return status == DPC_INTERRUPTED ? DPC_OK : status;
}

void dpc_parent_index_clear(dpc_parent_index *index)
{
    for (int v = 0; index->near != NULL && index->related != NULL && v < index->related->n; v++) {
        free(index->near[v].node);
        free(index->near[v].parent);
        free(index->near[v].factor);
    }
    free(index->near);
    dpc_quantised_free(index->quantised);
    dpc_adjacency_free(index->related);
    *index = (dpc_parent_index){0};
}

dpc_status dpc_workers_take_index(dpc_workers *workers, dpc_parent_index *index)
{
    const dpc_quantised *q = index->quantised;
    int64_t words = dpc_bit_words(workers->scoring->stats.n);
    for (int w = 0; q != NULL && w < workers->crew->threads; w++) {
        dpc_scorer *h = &workers->each[w];
        h->index = index;
        h->left = dpc_arena_alloc(&h->memory, q->n_rows, sizeof *h->left);
        h->steps = dpc_arena_alloc(&h->memory, q->n_rows, sizeof *h->steps);
        h->found = dpc_arena_alloc(&h->memory, q->n_vars, sizeof *h->found);
        h->listed = dpc_arena_zalloc(&h->memory, words, sizeof *h->listed);
        if (dpc_arena_failed(&h->memory))
            return DPC_NO_MEMORY;
    }
    return DPC_OK;
}

/* ---- What the parents leave of v ---- */

/* to += f × the column of a node, of length 1. */
static void add_column(const dpc_view *view, int node, double f, double *to)
{
    const dpc_products *p = view->products;
    int64_t column = dpc_column_of(view->labels, node);
    const double *z = p->z + column * p->n_rows;
    f *= p->scale[column];
    for (int64_t i = 0; i < p->n_rows; i++)
        to[i] += f * z[i];
}

/*
 * e = v - Σ_i (wi[v] / pi) ei, where ei is what the parents before ci leave of it, in its turn
 * ci - Σ_j<i (wj[ci] / pj) ej: from the last one on, all factors become those of the columns of
 * the parents. They are left in h->square.
 */
static void find_factors(dpc_scorer *h, int v)
{
    const dpc_family *f = &h->family;
    double *factor = h->square;
    for (int i = 0; i < f->depth; i++)
        factor[i] = f->level[i + 1].w[f->place[v]] / f->level[i + 1].pivot;
    for (int i = f->depth - 1; i >= 0; i--)
        for (int j = 0; j < i; j++)
            factor[j] -=
                factor[i] * f->level[j + 1].w[f->place[f->parent[i]]] / f->level[j + 1].pivot;
}

/* e, by these factors. */
static void find_left(dpc_scorer *h, int v)
{
    const dpc_family *f = &h->family;
    memset(h->left, 0, (size_t)h->index->quantised->n_rows * sizeof *h->left);
    add_column(&f->stats.view, v, 1, h->left);
    for (int i = 0; i < f->depth; i++)
        add_column(&f->stats.view, f->parent[i], -h->square[i], h->left);
}

/* The limit for |eᵀu|; 0: the bound is not worth much. */
static double limit_of(const dpc_scorer *h)
{
    const double firm = 1e-6, worth = 0.1; /* below `firm` rounding is not far */
    const dpc_family *f = &h->family;
    double left = 1, var_v = dpc_family_variance(f, f->v);
    for (int i = 1; i <= f->depth; i++) {
        const dpc_family_level *l = &f->level[i];
        left -= h->index->above * h->index->above * l->growth * l->growth * l->pivot;
    }
    if (!(left > worth) || !(var_v > firm))
        return 0;
    return sqrt(h->scoring->least * left * var_v) * (1 - firm);
}

/* ---- What was found before ---- */

/* A share of the limit: what is above it is found, so that later families may differ a little. */
static const double LOWER = 0.7;

/* Σ |f' - f| between the family now and that for which something was found. */
static double difference(const dpc_scorer *h, const dpc_found_near *near)
{
    const int32_t *parent = h->family.parent;
    int count = h->family.depth;
    double sum = 0;
    for (int i = 0; i < count; i++) {
        int64_t at = dpc_place_of(near->parent, near->parents, parent[i]);
        sum += fabs(h->square[i] - (at >= 0 ? near->factor[at] : 0));
    }
    for (int i = 0; i < near->parents; i++)
        if (dpc_place_of(parent, count, near->parent[i]) < 0)
            sum += fabs(near->factor[i]);
    return sum;
}

/* Does it serve the family as it is now, with this limit? */
static bool serves(const dpc_scorer *h, const dpc_found_near *near, double limit)
{
    return near->below > 0 && near->below + h->index->above * difference(h, near) <= limit;
}

static dpc_status reserve(dpc_found_near *near, int64_t nodes, int64_t parents)
{
    int32_t *node = dpc_make_little_room(near->node, &near->node_capacity, nodes, sizeof *node);
    near->node = node != NULL ? node : near->node;
    int32_t *parent =
        dpc_make_little_room(near->parent, &near->parent_capacity, parents, sizeof *parent);
    near->parent = parent != NULL ? parent : near->parent;
    double *factor =
        dpc_make_little_room(near->factor, &near->factor_capacity, parents, sizeof *factor);
    near->factor = factor != NULL ? factor : near->factor;
    return node != NULL && parent != NULL && factor != NULL ? DPC_OK : DPC_NO_MEMORY;
}

/* ---- The list ---- */

/* Adds nodes to the list; v is none of them, and nobody is listed twice. */
static int add_nodes(dpc_scorer *h, int v, const int32_t *nodes, int64_t count, int listed)
{
    for (int64_t i = 0; i < count; i++) {
        if (nodes[i] == v || dpc_bit(h->listed, 0, 0, nodes[i]))
            continue;
        dpc_set_bit(h->listed, 0, 0, nodes[i]);
        h->list[listed++] = nodes[i];
    }
    return listed;
}

/* Adds the parents, the children, and who is related to the parents. */
static int add_relatives(dpc_scorer *h, int v, const dpc_relatives *pa, const dpc_relatives *ch,
                         int listed)
{
    const dpc_adjacency *related = h->index->related;
    listed = add_nodes(h, v, pa->node, pa->count, listed);
    listed = add_nodes(h, v, ch->node, ch->count, listed);
    for (int64_t i = 0; i < pa->count; i++)
        listed = add_nodes(h, v, dpc_neighbours(related, pa->node[i]),
                           dpc_degree(related, pa->node[i]), listed);
    return listed;
}

/* Those that the quantised columns cannot rule out, and the relatives: into the list, and kept. */
static dpc_status find_near(dpc_scorer *h, int v, const dpc_relatives *pa, const dpc_relatives *ch,
                            double limit, int *listed)
{
    dpc_found_near *near = &h->index->near[v];
    near->below = 0;
    find_left(h, v);
    int count = dpc_quantised_find(h->index->quantised, h->left, LOWER * limit, h->steps, h->found);
    for (int i = 0; i < count; i++)
        h->found[i] = dpc_label_of(h->family.stats.view.labels, h->found[i]);
    *listed = add_relatives(h, v, pa, ch, add_nodes(h, v, h->found, count, 0));
    near->parents = h->family.depth;
    near->count = *listed;
    if (reserve(near, near->count, near->parents) != DPC_OK)
        return DPC_NO_MEMORY;
    memcpy(near->node, h->list, (size_t)near->count * sizeof *near->node);
    memcpy(near->parent, h->family.parent, (size_t)near->parents * sizeof *near->parent);
    memcpy(near->factor, h->square, (size_t)near->parents * sizeof *near->factor);
    near->below = LOWER * limit;
    return DPC_OK;
}

/* The nodes to be looked at, into h->list, in the order of their columns. */
static dpc_status list_nodes(dpc_scorer *h, int v, const dpc_relatives *pa, const dpc_relatives *ch,
                             double limit, int *listed)
{
    const dpc_found_near *near = &h->index->near[v];
    const dpc_labels *labels = h->family.stats.view.labels;
    dpc_status status = DPC_OK;
    find_factors(h, v);
    if (serves(h, near, limit))
        *listed = add_relatives(h, v, pa, ch, add_nodes(h, v, near->node, near->count, 0));
    else
        status = find_near(h, v, pa, ch, limit, listed);
    for (int i = 0; i < *listed; i++) {
        h->listed[h->list[i] / 64] = 0;
        h->list[i] = dpc_column_of(labels, h->list[i]);
    }
    dpc_sort_numbers(h->list, *listed);
    for (int i = 0; i < *listed; i++)
        h->list[i] = dpc_label_of(labels, h->list[i]);
    return status;
}

dpc_status dpc_candidate_parents(dpc_scorer *h, int v, const dpc_relatives *pa,
                                 const dpc_relatives *ch)
{
    double limit = 0;
    int listed = 0;
    if (h->index != NULL) {
        DPC_CHECK(dpc_family_of(&h->family, v, pa->node, (int)pa->count));
        limit = limit_of(h);
    }
    if (limit > 0)
        DPC_CHECK(list_nodes(h, v, pa, ch, limit, &listed));
    DPC_CHECK(dpc_family_start(&h->family, v, limit > 0 ? h->list : NULL, listed));
    return dpc_family_push_all(&h->family, pa->node, (int)pa->count);
}

/* ---- Better parents ---- */

typedef struct replacing {
    dpc_scorer *scorer;
    dpc_take_better *take;
    void *context;
} replacing;

/* The family has all parents but one. */
static dpc_status replace(const replacing *r, int out)
{
    double own = dpc_family_square(&r->scorer->family, out);
    return isnan(own) ? DPC_OK : r->take(r->context, out, own, dpc_scorer_above(r->scorer, own));
}

/* Of some parents, beside all others, each one: half of them with the other half, and the other way
 * round. So k parents take k log k pushes rather than k². */
static dpc_status replace_each(const replacing *r, const int32_t *parents, int count)
{
    dpc_family *f = &r->scorer->family;
    int half = count / 2, depth = f->depth;
    if (count == 1)
        return replace(r, parents[0]);
    DPC_CHECK(dpc_family_push_all(f, parents + half, count - half));
    DPC_CHECK(replace_each(r, parents, half));
    dpc_family_pop_to(f, depth);
    DPC_CHECK(dpc_family_push_all(f, parents, half));
    DPC_CHECK(replace_each(r, parents + half, count - half));
    dpc_family_pop_to(f, depth);
    return DPC_OK;
}

/* Without R: a node that is worth more than `out` is worth its price, as that is, and so it is a
 * candidate. */
static dpc_status replace_one(const replacing *r, int v, const dpc_relatives *pa, int32_t out)
{
    const dpc_relatives leaving = {.node = &out, .count = 1};
    dpc_relatives others = {.node = r->scorer->parent};
    for (int64_t i = 0; i < pa->count; i++)
        if (pa->node[i] != out)
            others.node[others.count++] = pa->node[i];
    DPC_CHECK(dpc_candidate_parents(r->scorer, v, &others, &leaving));
    return replace(r, out);
}

dpc_status dpc_better_parents(dpc_scorer *h, int v, const dpc_relatives *pa, dpc_take_better *take,
                              void *context)
{
    const replacing r = {h, take, context};
    if (pa->count == 0)
        return DPC_OK;
    for (int64_t i = 0; h->index != NULL && i < pa->count; i++)
        DPC_CHECK(replace_one(&r, v, pa, pa->node[i]));
    if (h->index != NULL)
        return DPC_OK;
    DPC_CHECK(dpc_family_start(&h->family, v, NULL, 0));
    return replace_each(&r, pa->node, (int)pa->count);
}

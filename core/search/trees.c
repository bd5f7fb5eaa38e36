/* Grow–shrink trees: see trees.h. */
#include "trees.h"

#include "alloc.h"
#include "sorted.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/*
 * A line of candidates, best first, and below each of them the node that it leads to. The line
 * comes before the branches: a walk reads it in every node, and most often it lies in one line of
 * the cache with the count.
 */
struct dpc_tree_node {
    _Atomic double score; /* of what is left after shrinking; NaN: not known yet */
    int32_t count;
    int32_t line[]; /* `count` candidates, and then as many branches */
};

static int64_t branches_at(int64_t count)
{
    int64_t size = (int64_t)offsetof(dpc_tree_node, line) + count * (int64_t)sizeof(int32_t);
    return (size + 7) / 8 * 8;
}

static inline _Atomic(dpc_tree_node *) *branches_of(dpc_tree_node *node)
{
    return (void *)((char *)node + branches_at(node->count));
}

static int64_t node_size(int64_t count)
{
    return branches_at(count) + count * (int64_t)sizeof(dpc_tree_node *);
}

/* ---- Memory ---- */

enum { FIRST_CHUNK = 1 << 13, LARGEST_CHUNK = 1 << 20 };

struct dpc_tree_chunk {
    dpc_tree_chunk *next; /* all of them, for the end */
    int64_t used, size;
    double room[];
};

dpc_status dpc_trees_init(dpc_trees *t, const dpc_scoring *scoring,
                          const dpc_precedence *precedence, const dpc_relatives *candidates,
                          double budget)
{
    int n = scoring->stats.n;
    *t = (dpc_trees){
        .scoring = scoring, .precedence = precedence, .candidates = candidates, .budget = budget};
    atomic_init(&t->used, 0);
    atomic_init(&t->chunks, NULL);
    t->root = dpc_alloc(n, sizeof *t->root);
    for (int v = 0; t->root != NULL && v < n; v++)
        atomic_init(&t->root[v], NULL);
    return t->root != NULL ? DPC_OK : DPC_NO_MEMORY;
}

static void free_chunks(dpc_trees *t)
{
    dpc_tree_chunk *chunk = atomic_exchange(&t->chunks, NULL);
    while (chunk != NULL) {
        dpc_tree_chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
}

void dpc_trees_clear(dpc_trees *t)
{
    free_chunks(t);
    free(t->root);
    t->root = NULL;
}

void dpc_trees_forget_one(dpc_trees *t, int v)
{
    atomic_store(&t->root[v], NULL);
}

void dpc_trees_forget(dpc_trees *t)
{
    for (int v = 0; v < t->scoring->stats.n; v++)
        dpc_trees_forget_one(t, v);
    free_chunks(t);
    atomic_store(&t->used, 0);
    t->forgotten++;
}

/* A chunk of the walker's own with room for a node; NULL: no memory. */
static dpc_tree_chunk *new_chunk(dpc_walker *w, int64_t size)
{
    dpc_trees *t = w->trees;
    int64_t wanted = w->chunk != NULL ? 2 * w->chunk->size : FIRST_CHUNK;
    wanted = wanted < LARGEST_CHUNK ? wanted : LARGEST_CHUNK;
    wanted = wanted > size ? wanted : size;
    dpc_tree_chunk *chunk = dpc_alloc(1, sizeof *chunk + (size_t)wanted);
    if (chunk == NULL)
        return NULL;
    *chunk = (dpc_tree_chunk){.size = wanted};
    chunk->next = atomic_load(&t->chunks);
    while (!atomic_compare_exchange_weak(&t->chunks, &chunk->next, chunk))
        ;
    atomic_fetch_add(&t->used, wanted);
    w->chunk = chunk;
    return chunk;
}

/* Room for a node that is to be kept; NULL: the budget is spent, or no memory. */
static dpc_tree_node *kept_node(dpc_walker *w, int64_t size)
{
    if (w->forgotten != w->trees->forgotten)
        w->chunk = NULL;
    w->forgotten = w->trees->forgotten;
    dpc_tree_chunk *chunk = w->chunk;
    if (chunk == NULL || chunk->size - chunk->used < size) {
        if (dpc_trees_full(w->trees))
            return NULL;
        chunk = new_chunk(w, size);
        w->status = chunk != NULL ? DPC_OK : DPC_NO_MEMORY;
    }
    if (chunk == NULL)
        return NULL;
    dpc_tree_node *node = (void *)((char *)chunk->room + chunk->used);
    chunk->used += size;
    return node;
}

/* Room for a node that is read once. */
static dpc_tree_node *spare_node(dpc_walker *w, int64_t size)
{
    if (size > w->spare_size) {
        void *spare = dpc_regrow(w->spare, 2 * size, 1);
        if (spare == NULL) {
            w->status = DPC_NO_MEMORY;
            return NULL;
        }
        w->spare = spare;
        w->spare_size = 2 * size;
    }
    return w->spare;
}

/* Room for a node, which may be the walker's spare one; NULL: no memory. */
static dpc_tree_node *new_node(dpc_walker *w, int64_t count, bool keep)
{
    int64_t size = node_size(count);
    dpc_tree_node *node = keep ? kept_node(w, size) : NULL;
    return node != NULL || w->status != DPC_OK ? node : spare_node(w, size);
}

/* ---- Walkers ---- */

dpc_status dpc_walker_init(dpc_walker *w, dpc_trees *trees, dpc_scorer *scorer)
{
    int64_t n = trees->scoring->stats.n;
    *w = (dpc_walker){
        .trees = trees, .scorer = scorer, .words = dpc_bit_words((int)n), .standing = -1};
    w->path = dpc_arena_alloc(&w->memory, n, sizeof *w->path);
    w->stand = dpc_arena_alloc(&w->memory, n, sizeof *w->stand);
    w->depth = dpc_arena_alloc(&w->memory, n + 1, sizeof *w->depth);
    w->passed = dpc_arena_zalloc(&w->memory, w->words + DPC_APART / 8, sizeof *w->passed);
    w->status = dpc_arena_failed(&w->memory) ? DPC_NO_MEMORY : DPC_OK;
    return w->status;
}

void dpc_walker_clear(dpc_walker *w)
{
    dpc_arena_clear(&w->memory);
    free(w->spare);
    *w = (dpc_walker){0};
}

void dpc_walker_rest(dpc_walker *w)
{
    w->standing = -1;
}

/* The family of v begins anew, over its candidates and its required parents. */
static void begin_family(dpc_walker *w, int v)
{
    const dpc_trees *t = w->trees;
    const dpc_relatives *required = &t->precedence->required.pa[v];
    dpc_scorer *h = w->scorer;
    if (t->candidates == NULL) {
        w->status = dpc_family_start(&h->family, v, NULL, 0);
    } else {
        const dpc_relatives *near = &t->candidates[v];
        int count =
            dpc_unite(near->node, (int)near->count, required->node, (int)required->count, h->list);
        w->status = dpc_family_start(&h->family, v, h->list, count);
    }
    w->stand_of = v;
    w->standing = 0;
}

/*
 * Brings the family to S = the path, from what it has in common with it. A required parent that
 * those before it determine is on the path, but not in S.
 */
static void stand_on_path(dpc_walker *w, int v)
{
    dpc_family *f = &w->scorer->family;
    bool pushed;
    int common = 0;
    if (w->standing < 0 || w->stand_of != v)
        begin_family(w, v);
    while (common < w->standing && common < w->length && w->stand[common] == w->path[common])
        common++;
    if (common < w->standing)
        while (f->depth > w->depth[common])
            dpc_family_pop(f);
    for (w->standing = common; w->status == DPC_OK && w->standing < w->length; w->standing++) {
        w->stand[w->standing] = w->path[w->standing];
        w->depth[w->standing] = f->depth;
        w->status = dpc_family_push(f, w->path[w->standing], &pushed);
    }
    w->depth[w->standing] = f->depth;
}

/* ---- Growing ---- */

/* Those worth their price where the walk stands, but for those that it has passed over. */
static int find_line(dpc_walker *w, int v)
{
    dpc_scorer *h = w->scorer;
    int kept = 0;
    stand_on_path(w, v);
    if (w->status != DPC_OK || w->length >= w->trees->scoring->most_parents)
        return 0;
    int count = dpc_scorer_candidates(h);
    for (int i = 0; i < count; i++)
        if (!dpc_bit(w->passed, 0, 0, h->candidates[i].node))
            h->candidates[kept++] = h->candidates[i];
    dpc_scorer_sort(h, kept);
    return kept;
}

/* The node where the walk stands, shown at `place` if it can be kept. */
static dpc_tree_node *make_node(dpc_walker *w, int v, _Atomic(dpc_tree_node *) *place)
{
    dpc_tree_node *other = NULL;
    int count = find_line(w, v);
    dpc_tree_node *node = w->status == DPC_OK ? new_node(w, count, place != NULL) : NULL;
    if (node == NULL)
        return NULL;
    node->count = count;
    atomic_init(&node->score, NAN);
    for (int i = 0; i < count; i++) {
        atomic_init(&branches_of(node)[i], NULL);
        node->line[i] = w->scorer->candidates[i].node;
    }
    w->made++;
    if (node != w->spare && !atomic_compare_exchange_strong_explicit(
                                place, &other, node, memory_order_acq_rel, memory_order_acquire))
        return other; /* somebody was faster: it says the same */
    return node;
}

/* ---- Shrinking ---- */

static double find_score(dpc_walker *w, int v)
{
    stand_on_path(w, v);
    if (w->status != DPC_OK)
        return NAN;
    double score = dpc_scorer_score(w->scorer, w->length);
    w->status = dpc_scorer_shrink(w->scorer, &score);
    return score;
}

/* ---- Walking ---- */

/* The first in the line that stands before v; passes over the others. -1: there is none. */
static int find_branch(dpc_walker *w, const dpc_tree_node *node, dpc_before before)
{
    for (int i = 0; i < node->count; i++) {
        int u = node->line[i];
        if (dpc_is_before(before, u))
            return i;
        w->passed[u / 64] |= UINT64_C(1) << (u % 64);
    }
    return -1;
}

double dpc_walk(dpc_walker *w, int v, dpc_before before)
{
    const dpc_relatives *required = &w->trees->precedence->required.pa[v];
    _Atomic(dpc_tree_node *) *place = &w->trees->root[v];
    if (w->status != DPC_OK)
        return NAN;
    memset(w->passed, 0, (size_t)w->words * sizeof *w->passed);
    w->length = (int)required->count;
    for (int i = 0; i < w->length; i++)
        w->path[i] = required->node[i];
    for (;;) {
        dpc_tree_node *node =
            place != NULL ? atomic_load_explicit(place, memory_order_acquire) : NULL;
        if (node == NULL)
            node = make_node(w, v, place);
        if (w->status != DPC_OK)
            return NAN;
        int branch = find_branch(w, node, before);
        if (branch < 0) {
            double score = atomic_load_explicit(&node->score, memory_order_relaxed);
            if (isnan(score)) {
                score = find_score(w, v);
                atomic_store_explicit(&node->score, score, memory_order_relaxed);
            }
            return score;
        }
        w->path[w->length++] = node->line[branch];
        place = node == w->spare ? NULL : &branches_of(node)[branch];
    }
}

int dpc_walk_parents(dpc_walker *w, int v, int32_t *parents)
{
    const dpc_relatives *required = &w->trees->precedence->required.pa[v];
    int32_t *left = w->scorer->parent;
    double score = 0;
    stand_on_path(w, v);
    if (w->status != DPC_OK)
        return 0;
    w->status = dpc_scorer_shrink(w->scorer, &score);
    dpc_sort_numbers(left, w->scorer->size);
    return dpc_unite(left, w->scorer->size, required->node, (int)required->count, parents);
}

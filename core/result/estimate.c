/*
 * The possible effects of one cause: see block.h.
 *
 * Local: the parents of the cause are pushed, then siblings as the walk over their sets goes; at
 * each set one reading gives all outcomes. Those that do not descend from the cause then have an
 * effect of 0. Where no possibly directed path to y begins with an undirected edge, the effect is
 * the same in all DAGs, so that y descends from the cause in all of them or in none; otherwise the
 * set of parents decides.
 *
 * Optimal: at each set of parents every outcome gets its own set. Outcomes with the same set share
 * a factor, and an outcome that had this set before has its effect already.
 */
#include "arena.h"
#include "bit_descendants.h"
#include "block.h"
#include "optimal.h"
#include "parental.h"
#include "sorted.h"

#include <math.h>
#include <string.h>

struct dpc_estimator {
    const dpc_asked *asked;
    dpc_ida ida;
    dpc_regress regress;
    dpc_optimal optimal;
    dpc_path_search search;
    dpc_arena arena; /* of what follows, n each, or as many as there are outcomes: */
    uint64_t *is, *possible, *loose;
    int32_t *scratch, *list, *set;
    int32_t *chosen;     /* outcomes of one factor … */
    double *effect, *se; /* … and their effects */
    int32_t *next_with;  /* by outcome: the next that waits for the same factor; -1: none */
    /* Of the cause at hand: */
    dpc_block *block;
    int found;           /* members so far */
    bool open;           /* the set of parents decides whether some outcome descends from it */
    int32_t *slots;      /* numbers of sets + 1, by their hash; owned */
    int64_t n_slots;     /* a power of two */
    int32_t *first_with; /* by set: the first outcome that waits for its factor; -1: none; owned */
    int64_t n_first;     /* allocated */
};

/* ---- Blocks ---- */

void dpc_block_clear(dpc_block *b)
{
    free(b->effect);
    free(b->se);
    free(b->set);
    free(b->columns);
    free(b->sets.start);
    free(b->sets.node);
    free(b->identified);
    free(b->possible);
    *b = (dpc_block){0};
}

int dpc_sets_add(dpc_sets *sets, const int32_t *node, int size)
{
    int64_t used = sets->count > 0 ? sets->start[sets->count] : 0;
    int64_t *start =
        dpc_make_room(sets->start, &sets->n_starts, (int64_t)sets->count + 2, sizeof *start);
    sets->start = start != NULL ? start : sets->start;
    int32_t *nodes = dpc_make_room(sets->node, &sets->n_nodes, used + size, sizeof *nodes);
    sets->node = nodes != NULL ? nodes : sets->node;
    if (start == NULL || nodes == NULL)
        return -1;
    if (size > 0)
        memcpy(nodes + used, node, (size_t)size * sizeof *node);
    start[sets->count] = used;
    start[sets->count + 1] = used + size;
    return sets->count++;
}

static dpc_status block_init(dpc_block *b, const dpc_terms *causes, int which, int n_members,
                             int n_outcomes, bool sets, bool columns)
{
    int64_t values = (int64_t)n_members * n_outcomes;
    *b = (dpc_block){
        .cause = causes->variable[which],
        .column = causes->column[which],
        .level = causes->level[which],
        .n_members = n_members,
        .effect = dpc_alloc(values, sizeof *b->effect),
        .se = dpc_alloc(values, sizeof *b->se),
        .set = sets ? dpc_alloc(values, sizeof *b->set) : NULL,
        .columns = columns ? dpc_zalloc(values, sizeof *b->columns) : NULL,
        .identified = dpc_alloc(n_outcomes, sizeof *b->identified),
        .possible = dpc_alloc(n_outcomes, sizeof *b->possible),
    };
    bool fine = b->effect && b->se && b->identified && b->possible && (b->set || !sets) &&
                (b->columns || !columns);
    return fine ? DPC_OK : DPC_NO_MEMORY;
}

/* ---- How many sets there are ---- */

static dpc_status count_push(void *context, int sibling)
{
    (void)context;
    (void)sibling;
    return DPC_OK;
}

static void count_pop(void *context)
{
    (void)context;
}

static dpc_status count_found(void *context, const int32_t *set, int size)
{
    dpc_estimator *e = context;
    (void)set;
    (void)size;
    return ++e->found > DPC_MOST_PARENTAL ? DPC_BAD_INPUT : DPC_OK;
}

static dpc_status walk(dpc_estimator *e, int cause, dpc_status (*push)(void *, int),
                       void (*pop)(void *), dpc_status (*found)(void *, const int32_t *, int))
{
    dpc_parental parental = {&e->asked->graph->lists, cause, e, push, pop, found};
    e->found = 0;
    return dpc_parental_walk(&parental, e->scratch);
}

/* ---- Local ---- */

static dpc_status local_push(void *context, int sibling)
{
    dpc_estimator *e = context;
    return dpc_regress_push(&e->regress, sibling);
}

static void local_pop(void *context)
{
    dpc_estimator *e = context;
    dpc_regress_pop(&e->regress);
}

/* With these parents of the cause, does y descend from it? pcalg asks no more than the parents. */
static bool descends(const dpc_estimator *e, int y, const int32_t *parents, int count)
{
    if (e->ida == DPC_IDA_PCALG)
        return dpc_place_of(parents, count, y) < 0;
    return e->loose[y] == 0 ? e->possible[y] != 0 : dpc_optimal_reaches(&e->optimal, y);
}

static dpc_status local_found(void *context, const int32_t *set, int size)
{
    dpc_estimator *e = context;
    dpc_block *b = e->block;
    const dpc_asked *a = e->asked;
    int64_t at = (int64_t)e->found++ * a->n_outcomes;
    dpc_node_row parents = dpc_parents_of(&a->graph->lists, b->cause);
    int count = dpc_unite(parents.node, (int)parents.count, set, size, e->list);
    if (dpc_sets_add(&b->sets, e->list, count) < 0)
        return DPC_NO_MEMORY;
    dpc_regress_read(&e->regress, a->column, a->n_outcomes, b->effect + at, b->se + at);
    for (int i = 0; i < a->n_outcomes && b->columns != NULL; i++)
        b->columns[at + i] = dpc_regress_columns(&e->regress);
    if (e->open)
        dpc_optimal_decide(&e->optimal, b->cause, set, size);
    for (int i = 0; i < a->n_outcomes; i++)
        if (!descends(e, a->outcome[i], e->list, count)) {
            b->effect[at + i] = 0;
            b->se[at + i] = DPC_BY_GRAPH;
        }
    if (e->open)
        dpc_optimal_undo(&e->optimal);
    return DPC_OK;
}

/* The columns of the regressions, where not all are asked for: outcomes and whoever is near. */
static int list_columns(dpc_estimator *e, int cause, int32_t *list)
{
    const dpc_asked *a = e->asked;
    const dpc_mixed_lists *lists = &a->graph->lists;
    int count = 0;
    for (int i = 0; i < a->n_outcomes; i++)
        e->is[list[count++] = a->outcome[i]] = 1;
    for (int64_t k = lists->start[3 * (int64_t)cause]; k < lists->start[3 * (int64_t)cause + 2];
         k++)
        if (e->is[lists->node[k]] == 0)
            list[count++] = lists->node[k];
    if (e->is[cause] == 0)
        list[count++] = cause;
    for (int i = 0; i < a->n_outcomes; i++)
        e->is[a->outcome[i]] = 0;
    return count;
}

static dpc_status local(dpc_estimator *e, int cause)
{
    const dpc_asked *a = e->asked;
    bool all = a->n_outcomes == a->graph->n || a->coding != NULL;
    int width = all ? 0 : list_columns(e, cause, e->set);
    dpc_node_row parents = dpc_parents_of(&a->graph->lists, cause);
    dpc_status status =
        dpc_regress_start(&e->regress, cause, e->block->column, all ? NULL : e->set, width);
    for (int64_t i = 0; i < parents.count && status == DPC_OK; i++)
        status = dpc_regress_push(&e->regress, parents.node[i]);
    return status == DPC_OK ? walk(e, cause, local_push, local_pop, local_found) : status;
}

/* ---- Optimal ---- */

static uint64_t hash_of(const int32_t *node, int size)
{
    uint64_t h = UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(size + 1);
    for (int i = 0; i < size; i++)
        h = (h ^ (uint64_t)node[i]) * UINT64_C(0xff51afd7ed558ccd), h ^= h >> 32;
    return h;
}

/* Where a set is among the slots, or has its place. */
static int64_t slot_of(const dpc_estimator *e, const int32_t *node, int size)
{
    const dpc_sets *sets = &e->block->sets;
    int64_t at = (int64_t)(hash_of(node, size) & (uint64_t)(e->n_slots - 1));
    for (; e->slots[at] != 0; at = (at + 1) & (e->n_slots - 1)) {
        int i = e->slots[at] - 1;
        if (dpc_set_size(sets, i) == size &&
            (size == 0 ||
             memcmp(sets->node + sets->start[i], node, (size_t)size * sizeof *node) == 0))
            break;
    }
    return at;
}

static dpc_status grow_slots(dpc_estimator *e)
{
    const dpc_sets *sets = &e->block->sets;
    if (2 * ((int64_t)sets->count + 1) < e->n_slots)
        return DPC_OK;
    int64_t larger = e->n_slots > 0 ? 2 * e->n_slots : 256;
    int32_t *slots = dpc_zalloc(larger, sizeof *slots);
    if (slots == NULL)
        return DPC_NO_MEMORY;
    free(e->slots);
    e->slots = slots;
    e->n_slots = larger;
    for (int i = 0; i < sets->count; i++)
        e->slots[slot_of(e, sets->node + sets->start[i], dpc_set_size(sets, i))] = i + 1;
    return DPC_OK;
}

/* The number of a set, a new one or one that is known; -1: no memory. */
static int number_of(dpc_estimator *e, const int32_t *node, int size)
{
    if (grow_slots(e) != DPC_OK)
        return -1;
    int64_t at = slot_of(e, node, size);
    if (e->slots[at] == 0) {
        int32_t *first = dpc_make_room(e->first_with, &e->n_first,
                                       (int64_t)e->block->sets.count + 1, sizeof *first);
        int number = first != NULL ? dpc_sets_add(&e->block->sets, node, size) : -1;
        e->first_with = first != NULL ? first : e->first_with;
        if (number < 0)
            return -1;
        first[number] = -1;
        e->slots[at] = number + 1;
    }
    return e->slots[at] - 1;
}

/* Finds the sets of up to 64 outcomes, by their places in the question. */
static dpc_status find_sets(dpc_estimator *e, const int32_t *place, int count)
{
    int32_t outcome[64] = {0};
    int64_t at = (int64_t)e->found * e->asked->n_outcomes;
    dpc_status status = DPC_OK;
    for (int i = 0; i < count; i++)
        outcome[i] = e->asked->outcome[place[i]];
    int listed = dpc_optimal_sets(&e->optimal, outcome, count, e->list);
    for (int i = 0; i < count && status == DPC_OK; i++) {
        int size = 0;
        for (int k = 0; k < listed; k++)
            if (e->optimal.member[e->list[k]] >> i & 1)
                e->set[size++] = e->list[k];
        int number = number_of(e, e->set, size);
        e->block->set[at + place[i]] = number;
        status = number >= 0 ? DPC_OK : DPC_NO_MEMORY;
    }
    dpc_optimal_forget(&e->optimal, e->list, listed);
    return status;
}

/* The effect of an earlier member with the same set. */
static bool known_before(dpc_estimator *e, int i)
{
    dpc_block *b = e->block;
    int64_t m = e->asked->n_outcomes, at = e->found * m + i;
    for (int64_t k = i; k < at; k += m)
        if (b->set[k] == b->set[at]) {
            b->effect[at] = b->effect[k];
            b->se[at] = b->se[k];
            if (b->columns != NULL)
                b->columns[at] = b->columns[k];
            return true;
        }
    return false;
}

/* All outcomes that wait for the set of outcome i. */
static dpc_status regress_with(dpc_estimator *e, int number)
{
    dpc_block *b = e->block;
    const dpc_asked *a = e->asked;
    const int32_t *set = b->sets.node + b->sets.start[number];
    int size = dpc_set_size(&b->sets, number), count = 0;
    int64_t at = (int64_t)e->found * a->n_outcomes;
    for (int32_t i = e->first_with[number]; i >= 0; i = e->next_with[i])
        e->chosen[count++] = a->column[i];
    if (dpc_regress_whole(&e->regress, b->cause, b->column, set, size, e->chosen, count, e->effect,
                          e->se) != DPC_OK)
        return DPC_NO_MEMORY;
    count = 0;
    for (int32_t i = e->first_with[number]; i >= 0; i = e->next_with[i], count++) {
        b->effect[at + i] = e->effect[count];
        b->se[at + i] = e->se[count];
        if (b->columns != NULL)
            b->columns[at + i] = dpc_regress_columns(&e->regress);
    }
    return DPC_OK;
}

static dpc_status estimate_with_sets(dpc_estimator *e)
{
    dpc_block *b = e->block;
    int m = e->asked->n_outcomes;
    int64_t at = (int64_t)e->found * m;
    dpc_status status = DPC_OK;
    for (int i = 0; i < m; i++) {
        if (b->set[at + i] < 0 || known_before(e, i)) {
            e->next_with[i] = -2;
            continue;
        }
        e->next_with[i] = e->first_with[b->set[at + i]];
        e->first_with[b->set[at + i]] = i;
    }
    for (int i = 0; i < m && status == DPC_OK; i++)
        if (e->next_with[i] != -2 && e->first_with[b->set[at + i]] == i) {
            status = regress_with(e, b->set[at + i]);
            e->first_with[b->set[at + i]] = -1;
        }
    return status;
}

static dpc_status optimal_found(void *context, const int32_t *siblings, int size)
{
    enum { AT_ONCE = 64 };
    dpc_estimator *e = context;
    dpc_block *b = e->block;
    const dpc_asked *a = e->asked;
    int32_t place[AT_ONCE];
    int count = 0, empty = number_of(e, NULL, 0);
    int64_t at = (int64_t)e->found * a->n_outcomes;
    dpc_status status = empty >= 0 ? DPC_OK : DPC_NO_MEMORY;
    dpc_optimal_decide(&e->optimal, b->cause, siblings, size);
    for (int i = 0; i < a->n_outcomes && status == DPC_OK; i++) {
        int y = a->outcome[i];
        b->set[at + i] = -1; /* no effect, and no set */
        b->effect[at + i] = 0;
        b->se[at + i] = DPC_BY_GRAPH;
        if (y == b->cause || !dpc_optimal_reaches(&e->optimal, y))
            continue;
        place[count++] = i;
        if (count == AT_ONCE) {
            status = find_sets(e, place, count);
            count = 0;
        }
    }
    if (status == DPC_OK && count > 0)
        status = find_sets(e, place, count);
    dpc_optimal_undo(&e->optimal);
    if (status == DPC_OK)
        status = estimate_with_sets(e);
    for (int i = 0; i < a->n_outcomes && status == DPC_OK; i++)
        b->set[at + i] = b->set[at + i] < 0 ? empty : b->set[at + i];
    e->found++;
    return status;
}

/* ---- All of it ---- */

static void find_identified(dpc_estimator *e, dpc_block *b)
{
    const dpc_asked *a = e->asked;
    e->is[b->cause] = 1;
    dpc_bit_possible(a->graph, e->is, &e->search, e->possible, e->loose);
    e->is[b->cause] = 0;
    e->open = false;
    for (int i = 0; i < a->n_outcomes; i++) {
        b->identified[i] = e->loose[a->outcome[i]] == 0;
        b->possible[i] = e->possible[a->outcome[i]] != 0;
        e->open = e->open || (!b->identified[i] && e->ida != DPC_IDA_PCALG);
    }
}

dpc_status dpc_estimate(dpc_estimator *e, const dpc_terms *causes, int which, dpc_block *out)
{
    bool sets = e->ida == DPC_IDA_OPTIMAL;
    int cause = causes->variable[which];
    dpc_status status = walk(e, cause, count_push, count_pop, count_found);
    if (status == DPC_OK)
        status = block_init(out, causes, which, e->found, e->asked->n_outcomes, sets,
                            e->asked->coding != NULL);
    if (status != DPC_OK)
        return status;
    e->block = out;
    find_identified(e, out);
    if (e->slots != NULL)
        memset(e->slots, 0, (size_t)e->n_slots * sizeof *e->slots);
    return sets ? walk(e, cause, count_push, count_pop, optimal_found) : local(e, cause);
}

void dpc_estimator_free(dpc_estimator *e)
{
    if (e == NULL)
        return;
    dpc_regress_clear(&e->regress);
    dpc_optimal_clear(&e->optimal);
    dpc_path_search_clear(&e->search);
    dpc_arena_clear(&e->arena);
    free(e->slots);
    free(e->first_with);
    free(e);
}

static dpc_status allocate(dpc_estimator *e, int64_t n, int64_t outcomes)
{
    int64_t most = n > outcomes ? n : outcomes;
    e->is = dpc_arena_zalloc(&e->arena, n, sizeof *e->is);
    e->possible = dpc_arena_alloc(&e->arena, n, sizeof *e->possible);
    e->loose = dpc_arena_alloc(&e->arena, n, sizeof *e->loose);
    e->scratch = dpc_arena_alloc(&e->arena, n, sizeof *e->scratch);
    e->list = dpc_arena_alloc(&e->arena, n, sizeof *e->list);
    e->set = dpc_arena_alloc(&e->arena, n, sizeof *e->set);
    e->chosen = dpc_arena_alloc(&e->arena, most, sizeof *e->chosen);
    e->effect = dpc_arena_alloc(&e->arena, most, sizeof *e->effect);
    e->se = dpc_arena_alloc(&e->arena, most, sizeof *e->se);
    e->next_with = dpc_arena_alloc(&e->arena, most, sizeof *e->next_with);
    return dpc_arena_failed(&e->arena) ? DPC_NO_MEMORY : DPC_OK;
}

dpc_status dpc_estimator_new(const dpc_asked *asked, dpc_ida ida, dpc_estimator **out)
{
    dpc_estimator *e = dpc_zalloc(1, sizeof *e);
    if (e == NULL)
        return DPC_NO_MEMORY;
    e->asked = asked;
    e->ida = ida;
    dpc_status status = allocate(e, asked->graph->n, asked->n_outcomes);
    if (status == DPC_OK)
        status = dpc_regress_init(asked->view, asked->coding, &e->regress);
    if (status == DPC_OK)
        status = dpc_path_search_init(asked->graph, &e->search);
    if (status == DPC_OK && ida != DPC_IDA_PCALG)
        status = dpc_optimal_init(asked->graph, &e->optimal);
    if (status == DPC_OK)
        *out = e;
    else
        dpc_estimator_free(e);
    return status;
}

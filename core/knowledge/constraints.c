/*
 * Background knowledge for a search: see constraints.h.
 *
 * All that forbids a single edge (it was said, its reverse is required, the tiers) becomes one bit.
 * The tiers become numbers without gaps, for there is one full-order test and one visit of a node
 * for each.
 */
#include "constraints.h"

#include "alloc.h"
#include "cycles.h"
#include "status.h"

#include <math.h>
#include <string.h>

void dpc_constraints_free(dpc_constraints *known)
{
    if (known == NULL)
        return;
    free(known->banned);
    free(known->required);
    free(known->limit);
    free(known->member);
    free(known->broken);
    free(known);
}

/* Tiers in use get the numbers 0, 1, …; returns how many. `number` is by tier. */
static int number_tiers(const dpc_knowledge *k, int32_t *number)
{
    int count = 0;
    memset(number, 0, DPC_MAX_TIERS * sizeof *number);
    for (int v = 0; v < k->n; v++)
        if (k->tier[v] >= 0)
            number[k->tier[v]] = 1;
    for (int t = 0; t < DPC_MAX_TIERS; t++)
        if (number[t] != 0)
            number[t] = count++;
    return count;
}

static void fill(dpc_constraints *known, const dpc_knowledge *k, const dpc_labels *labels,
                 const int32_t *number)
{
    for (int a = 0; a < known->n; a++) {
        int from = dpc_column_of(labels, a), tier = k->tier[from];
        known->member[a] = tier >= 0 ? number[tier] : 0;
        known->limit[a] = tier >= 0 ? number[tier] : known->n_limits - 1;
        for (int b = 0; b < known->n; b++) {
            int to = dpc_column_of(labels, b);
            if (dpc_knowledge_forbids(k, from, to))
                dpc_set_bit(known->banned, known->words, a, b);
            if (dpc_knowledge_requires(k, from, to))
                dpc_set_bit(known->required, known->words, a, b);
        }
    }
}

/* With no bits set; NULL: no memory. */
static dpc_constraints *allocate(int n, int64_t words, int n_limits)
{
    dpc_constraints *known = dpc_zalloc(1, sizeof *known);
    if (known == NULL)
        return NULL;
    *known = (dpc_constraints){
        .n = n,
        .words = words,
        .banned = dpc_zalloc(words * n, sizeof *known->banned),
        .required = dpc_zalloc(words * n, sizeof *known->required),
        .limit = dpc_alloc(n, sizeof *known->limit),
        .member = dpc_alloc(n, sizeof *known->member),
        .n_limits = n_limits,
    };
    if (known->banned && known->required && known->limit && known->member)
        return known;
    dpc_constraints_free(known);
    return NULL;
}

dpc_status dpc_constraints_new(const dpc_knowledge *k, const dpc_labels *labels,
                               dpc_constraints **out, dpc_error *err)
{
    *out = NULL;
    if (k == NULL)
        return DPC_OK;
    int32_t *number = dpc_alloc(DPC_MAX_TIERS, sizeof *number);
    if (number != NULL) {
        int tiers = number_tiers(k, number), n = labels->count > 0 ? labels->count : k->n;
        *out = allocate(n, dpc_bit_words(n), tiers > 1 ? tiers : 1);
    }
    if (*out != NULL)
        fill(*out, k, labels, number);
    free(number);
    return *out != NULL ? DPC_OK : dpc_fail_memory(err, "the background knowledge");
}

/* The bits of the pairs after each node has become another. */
static void relabel_bits(const dpc_constraints *known, const uint64_t *bits, const int32_t *to,
                         uint64_t *out)
{
    for (int a = 0; a < known->n; a++)
        for (int64_t word = 0; word < known->words; word++)
            for (uint64_t left = bits[a * known->words + word]; left != 0; left &= left - 1)
                dpc_set_bit(out, known->words, to[a], to[64 * word + __builtin_ctzll(left)]);
}

dpc_status dpc_constraints_relabel(dpc_constraints *known, const int32_t *to, dpc_error *err)
{
    if (known == NULL || to == NULL)
        return DPC_OK;
    dpc_constraints *moved = allocate(known->n, known->words, known->n_limits);
    if (moved == NULL)
        return dpc_fail_memory(err, "the background knowledge");
    relabel_bits(known, known->banned, to, moved->banned);
    relabel_bits(known, known->required, to, moved->required);
    for (int v = 0; v < known->n; v++) {
        moved->limit[to[v]] = known->limit[v];
        moved->member[to[v]] = known->member[v];
    }
    for (int64_t i = 0; i < 2 * known->n_broken; i++)
        known->broken[i] = to[known->broken[i]];
    moved->broken = known->broken;
    moved->n_broken = known->n_broken;
    known->broken = NULL;
    dpc_constraints old = *known;
    *known = *moved;
    *moved = old;
    dpc_constraints_free(moved);
    return DPC_OK;
}

/* ---- Pairs ---- */

/* Those of the banned pairs of a with 64 others that are, the other way round, in `bits` too. */
static uint64_t also_back(const dpc_constraints *known, const uint64_t *bits, int a, int word)
{
    uint64_t found = 0;
    for (uint64_t left = known->banned[a * known->words + word]; left != 0; left &= left - 1) {
        int place = __builtin_ctzll(left);
        found |= (uint64_t)dpc_bit(bits, known->words, 64 * word + place, a) << place;
    }
    return found;
}

uint64_t dpc_forbidden_word(const dpc_constraints *known, int a, int word)
{
    return known != NULL ? also_back(known, known->banned, a, word) : 0;
}

/* What is required one way is banned the other. */
uint64_t dpc_required_word(const dpc_constraints *known, int a, int word)
{
    return known != NULL ? known->required[a * known->words + word] |
                               also_back(known, known->required, a, word)
                         : 0;
}

/* ---- Tiers ---- */

dpc_part dpc_part_of(const dpc_constraints *known, int limit, const int32_t *list, int length,
                     int32_t *room)
{
    if (!dpc_has_tiers(known))
        return (dpc_part){.node = list, .size = length};
    int32_t *node = room, *place = room + length;
    int count = 0;
    for (int i = 0; i < length; i++) {
        if (known->member[list[i]] > limit)
            continue;
        node[count] = list[i];
        place[count++] = i;
    }
    return (dpc_part){.node = node, .place = place, .size = count};
}

int dpc_next_limit(const dpc_constraints *known, int x, const int32_t *list, int length, int after)
{
    if (known == NULL)
        return after < 0 && length > 0 ? 0 : -1;
    int next = -1;
    for (int i = 0; i < length; i++) {
        int limit = dpc_limit(known, x, list[i]);
        if (limit > after && (next < 0 || limit < next) && !dpc_required(known, x, list[i]))
            next = limit;
    }
    return next;
}

/* ---- Circles ---- */

/*
 * The weakest edge in a circle of edges that are left one direction, or between two such circles,
 * that is not required; false: there is no circle.
 */
static bool find_weakest(const dpc_constraints *known, dpc_mixed *arrows, dpc_cycles *cycles,
                         dpc_strength *strength, const void *context, int *from, int *to)
{
    const dpc_adjacency *g = arrows->graph;
    double least = INFINITY;
    for (int v = 0; v < g->n; v++)
        for (int64_t e = g->start[v]; e < g->start[v + 1]; e++)
            dpc_set_arrow(arrows, e,
                          dpc_forced(known, v, g->node[e]) && !dpc_forbidden(known, v, g->node[e]));
    if (!dpc_cycles_find(cycles, arrows, arrows->end))
        return false;
    for (int v = 0; v < g->n; v++)
        for (int64_t e = g->start[v]; e < g->start[v + 1] && !cycles->safe[v]; e++) {
            int w = g->node[e];
            if (cycles->safe[w] || !dpc_arrow_out(arrows, e) || dpc_required(known, v, w) ||
                !(strength(context, v, w) < least))
                continue;
            least = strength(context, v, w);
            *from = v;
            *to = w;
        }
    return least < INFINITY;
}

/* Bans a → b, the direction that was left, and notes it. */
static dpc_status ban(dpc_constraints *known, int a, int b)
{
    int32_t *broken = dpc_regrow(known->broken, 2 * (known->n_broken + 1), sizeof *broken);
    if (broken == NULL)
        return DPC_NO_MEMORY;
    known->broken = broken;
    broken[2 * known->n_broken] = a;
    broken[2 * known->n_broken + 1] = b;
    known->n_broken++;
    dpc_set_bit(known->banned, known->words, a, b);
    return DPC_OK;
}

/* The graph without the edges that are banned both ways. */
static dpc_status drop_banned(const dpc_constraints *known, dpc_adjacency **graph)
{
    const dpc_adjacency *g = *graph;
    dpc_adjacency *next = NULL;
    int32_t *degree = dpc_zalloc(g->n, sizeof *degree);
    if (degree == NULL)
        return DPC_NO_MEMORY;
    for (int v = 0; v < g->n; v++)
        for (int64_t e = g->start[v]; e < g->start[v + 1]; e++)
            degree[v] += !dpc_forbidden(known, v, g->node[e]);
    dpc_status status = dpc_adjacency_new(g->n, degree, &next);
    free(degree);
    if (status != DPC_OK)
        return status;
    int32_t *to = next->node;
    for (int v = 0; v < g->n; v++)
        for (int64_t e = g->start[v]; e < g->start[v + 1]; e++)
            if (!dpc_forbidden(known, v, g->node[e]))
                *to++ = g->node[e];
    dpc_adjacency_free(*graph);
    *graph = next;
    return DPC_OK;
}

dpc_status dpc_break_circles(dpc_constraints *known, dpc_strength *strength, const void *context,
                             dpc_adjacency **skeleton, dpc_error *err)
{
    if (known == NULL)
        return DPC_OK;
    int a = -1, b = -1;
    dpc_arena arena = {0};
    dpc_mixed arrows = {0};
    dpc_cycles cycles;
    dpc_status status = dpc_cycles_init(known->n, &arena, &cycles);
    if (status == DPC_OK)
        status = dpc_mixed_init(*skeleton, &arrows);
    while (status == DPC_OK && find_weakest(known, &arrows, &cycles, strength, context, &a, &b))
        status = ban(known, a, b);
    dpc_mixed_clear(&arrows);
    dpc_arena_clear(&arena);
    if (status == DPC_OK && known->n_broken > 0)
        status = drop_banned(known, skeleton);
    return status == DPC_OK ? DPC_OK
                            : dpc_fail_memory(err, "the circles of the background knowledge");
}

bool dpc_was_broken(const dpc_constraints *known, int a, int b)
{
    for (int64_t i = 0; known != NULL && i < known->n_broken; i++) {
        const int32_t *pair = known->broken + 2 * i;
        if ((pair[0] == a && pair[1] == b) || (pair[0] == b && pair[1] == a))
            return true;
    }
    return false;
}

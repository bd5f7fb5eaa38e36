/*
 * Who descends from whom, for 64 nodes at once: see bit_descendants.h.
 *
 * Arrows keep to the order of the DAG. In a CPDAG (and in a DAG, where each node is a component)
 * undirected edges lead to all of a chain component, whose members have the same parents, and
 * arrows only to later ones; a possibly directed path from t that begins with an undirected edge
 * leads to all others of its component, and on from these.
 *
 * In an MPDAG a path V1, V2, … is possibly directed only if none of its nodes has an arrow to an
 * earlier one (Perković, Kalisch and Maathuis 2017). Of such a path some nodes make an unshielded
 * one, and for unshielded ones it is enough that no edge on it points back. A path that is to begin
 * with t — s goes on unshielded from s, through no parent of t.
 */
#include "bit_descendants.h"

#include "alloc.h"

#include <string.h>

void dpc_bit_descend(const dpc_mixed_lists *lists, const int32_t *order, const uint64_t *is,
                     uint64_t *de)
{
    for (int i = 0; i < lists->n; i++) {
        int v = order != NULL ? order[i] : i;
        dpc_node_row parents = dpc_parents_of(lists, v);
        uint64_t all = is[v];
        for (int64_t k = 0; k < parents.count; k++)
            all |= de[parents.node[k]];
        de[v] = all;
    }
}

void dpc_bit_descend_in(const dpc_parents *dag, const uint64_t *is, uint64_t *de)
{
    for (int i = 0; i < dag->n; i++) {
        int v = dag->order[i];
        uint64_t all = is[v];
        for (int64_t e = dag->start[v]; e < dag->start[v + 1]; e++)
            all |= de[dag->parent[e]];
        de[v] = all;
    }
}

void dpc_bit_ascend(const dpc_mixed_lists *lists, const int32_t *order, const uint64_t *is,
                    uint64_t *an)
{
    for (int i = lists->n - 1; i >= 0; i--) {
        int v = order != NULL ? order[i] : i;
        dpc_node_row children = dpc_children_of(lists, v);
        uint64_t all = is[v];
        for (int64_t k = 0; k < children.count; k++)
            all |= an[children.node[k]];
        an[v] = all;
    }
}

/* ---- By components ---- */

static void possible_by_components(const dpc_causal *g, const uint64_t *is, uint64_t *possible,
                                   uint64_t *loose)
{
    for (int c = 0; c < g->n_components; c++) {
        const int32_t *member = g->member + g->first[c];
        int size = g->first[c + 1] - g->first[c];
        dpc_node_row parents = dpc_parents_of(&g->lists, member[0]); /* of all members */
        uint64_t reached = 0, loosely = 0, own = 0;
        for (int64_t k = 0; k < parents.count; k++) {
            reached |= possible[parents.node[k]];
            loosely |= loose[parents.node[k]];
        }
        for (int m = 0; m < size; m++)
            own |= is[member[m]];
        for (int m = 0; m < size; m++) {
            possible[member[m]] = reached | own;
            loose[member[m]] = loosely | (own & ~is[member[m]]);
        }
    }
}

/* ---- By unshielded paths ---- */

dpc_status dpc_path_search_init(const dpc_causal *g, dpc_path_search *out)
{
    int64_t slots = g->lists.start[3 * (int64_t)g->n];
    *out = (dpc_path_search){
        .seen = dpc_zalloc(slots, sizeof *out->seen),
        .queue = dpc_alloc(slots, sizeof *out->queue),
        .before = dpc_alloc(slots, sizeof *out->before),
        .from = dpc_alloc(slots, sizeof *out->from),
        .shut = dpc_zalloc(g->n, sizeof *out->shut),
    };
    if (!out->seen || !out->queue || !out->before || !out->from || !out->shut)
        return DPC_NO_MEMORY;
    for (int v = 0; v < g->n; v++)
        for (int64_t e = g->lists.start[3 * (int64_t)v]; e < g->lists.start[3 * (int64_t)v + 3];
             e++)
            out->from[e] = v;
    return DPC_OK;
}

void dpc_path_search_clear(dpc_path_search *search)
{
    free(search->seen);
    free(search->queue);
    free(search->before);
    free(search->from);
    free(search->shut);
    *search = (dpc_path_search){0};
}

/* The slots of v that lead on: its siblings and children, not adjacent to the node before. */
static void look_ahead(const dpc_causal *g, dpc_path_search *s, int64_t slot, int v, int64_t *end)
{
    const dpc_mixed_lists *lists = &g->lists;
    int before = slot >= 0 ? s->from[slot] : -1;
    for (int64_t e = lists->start[3 * (int64_t)v + 1]; e < lists->start[3 * (int64_t)v + 3]; e++) {
        int w = lists->node[e];
        if (s->seen[e] || s->shut[w] ||
            (before >= 0 && (w == before || dpc_mixed_lists_mark(lists, before, w) != DPC_NONE)))
            continue;
        s->seen[e] = true;
        s->before[e] = slot;
        s->queue[(*end)++] = e;
    }
}

/* The slots of all unshielded paths from v are put into the queue behind `end`, nearest first. */
static void search_from(const dpc_causal *g, dpc_path_search *s, int v, int64_t *end)
{
    int64_t next = *end;
    look_ahead(g, s, -1, v, end);
    for (; next < *end; next++)
        look_ahead(g, s, s->queue[next], g->lists.node[s->queue[next]], end);
}

static void forget(dpc_path_search *s, int64_t end)
{
    for (int64_t i = 0; i < end; i++)
        s->seen[s->queue[i]] = false;
}

static void shut(const dpc_causal *g, dpc_path_search *s, int t, bool closed)
{
    dpc_node_row parents = dpc_parents_of(&g->lists, t);
    s->shut[t] = closed;
    for (int64_t i = 0; i < parents.count; i++)
        s->shut[parents.node[i]] = closed;
}

static void possible_by_search(const dpc_causal *g, dpc_path_search *s, int t, uint64_t bit,
                               uint64_t *possible, uint64_t *loose)
{
    dpc_node_row siblings = dpc_siblings_of(&g->lists, t);
    int64_t end = 0;
    possible[t] |= bit;
    search_from(g, s, t, &end);
    for (int64_t i = 0; i < end; i++)
        possible[g->lists.node[s->queue[i]]] |= bit;
    forget(s, end);
    end = 0;
    shut(g, s, t, true);
    for (int64_t i = 0; i < siblings.count; i++) {
        loose[siblings.node[i]] |= bit;
        search_from(g, s, siblings.node[i], &end);
    }
    for (int64_t i = 0; i < end; i++)
        loose[g->lists.node[s->queue[i]]] |= bit;
    forget(s, end);
    shut(g, s, t, false);
}

/* From the last slot back to the node that the path began with, and t before it. */
static int follow_back(const dpc_causal *g, const dpc_path_search *s, int t, int start,
                       int64_t slot, int32_t *path)
{
    int length = 2;
    for (int64_t e = slot; e >= 0; e = s->before[e])
        length++;
    if (path == NULL)
        return length;
    path[0] = t;
    path[1] = start;
    int at = length - 1;
    for (int64_t e = slot; e >= 0; e = s->before[e])
        path[at--] = g->lists.node[e];
    return length;
}

int dpc_loose_path(const dpc_causal *g, dpc_path_search *s, int t, int y, int32_t *path)
{
    dpc_node_row siblings = dpc_siblings_of(&g->lists, t);
    int best = 0;
    shut(g, s, t, true);
    for (int64_t i = 0; i < siblings.count; i++) {
        int64_t end = 0, slot = -1;
        int start = siblings.node[i];
        bool found = start == y;
        if (!found)
            search_from(g, s, start, &end);
        for (int64_t k = 0; k < end && !found; k++)
            if (g->lists.node[s->queue[k]] == y) {
                found = true;
                slot = s->queue[k];
            }
        if (found && (best == 0 || follow_back(g, s, t, start, slot, NULL) < best))
            best = follow_back(g, s, t, start, slot, path);
        forget(s, end);
    }
    shut(g, s, t, false);
    return best;
}

void dpc_bit_possible(const dpc_causal *g, const uint64_t *is, dpc_path_search *search,
                      uint64_t *possible, uint64_t *loose)
{
    if (g->classified.kind != DPC_GRAPH_MPDAG) {
        possible_by_components(g, is, possible, loose);
        return;
    }
    memset(possible, 0, (size_t)g->n * sizeof *possible);
    memset(loose, 0, (size_t)g->n * sizeof *loose);
    for (int t = 0; t < g->n; t++)
        for (uint64_t left = is[t]; left != 0; left &= left - 1)
            possible_by_search(g, search, t, left & -left, possible, loose);
    for (int v = 0; v < g->n; v++)
        possible[v] |= loose[v];
}

/*
 * Adjustment in MAGs and PAGs: see pag_adjust.h.
 *
 * Of the nodes on possibly directed paths only those next to x matter: all others are possible
 * descendants of these, and so are the forbidden ones.
 */
#include "pag_adjust.h"

#include "bit_descendants.h"

#include <string.h>

/* What is found of a node, as bits of `possible`. */
enum {
    BEHIND_X = 1, /* a possibly directed path leads from x to it … */
    LOOSE = 2,    /* … and one begins with an edge that is not visible */
    BEFORE_Y = 4, /* one leads from it to y, and not through x */
    FORBIDDEN = 8,
};

/* ---- Edges ---- */

static uint8_t mark_at(const dpc_causal *g, int64_t slot)
{
    return g->marks.end[slot];
}

static uint8_t mark_before(const dpc_causal *g, int64_t slot)
{
    return g->marks.end[dpc_back(&g->marks, slot)];
}

static bool adjacent(const dpc_causal *g, int a, int b)
{
    return dpc_slot(g->marks.graph, a, b) >= 0;
}

static bool is_arrow(const dpc_causal *g, int64_t slot)
{
    return mark_at(g, slot) == DPC_END_ARROW && mark_before(g, slot) == DPC_END_TAIL;
}

/* May the edge of a slot be an arrow? */
static bool may_be_arrow(const dpc_causal *g, int64_t slot)
{
    return mark_at(g, slot) != DPC_END_TAIL && mark_before(g, slot) != DPC_END_ARROW;
}

static bool is_parent(const dpc_causal *g, int a, int b)
{
    int64_t slot = dpc_slot(g->marks.graph, a, b);
    return slot >= 0 && is_arrow(g, slot);
}

/* Is x → v, the edge of a slot, visible? Breadth first from x over colliders that are parents of
 * v. */
static bool is_visible(dpc_causal *g, int x, int64_t slot)
{
    const dpc_adjacency *a = g->marks.graph;
    int v = a->node[slot], end = 0;
    bool found = false;
    if (!is_arrow(g, slot))
        return false;
    g->in_set[x] = true;
    g->queue[end++] = x;
    for (int next = 0; next < end && !found; next++) {
        int u = g->queue[next];
        for (int64_t e = a->start[u]; e < a->start[u + 1] && !found; e++) {
            int w = a->node[e];
            if (w == v || g->in_set[w] || mark_before(g, e) != DPC_END_ARROW)
                continue;
            found = !adjacent(g, w, v);
            if (found || mark_at(g, e) != DPC_END_ARROW || !is_parent(g, w, v))
                continue;
            g->in_set[w] = true;
            g->queue[end++] = w;
        }
    }
    for (int i = 0; i < end; i++)
        g->in_set[g->queue[i]] = false;
    return found;
}

/* ---- Reach ---- */

/* Gives `bit` to all that possibly directed walks lead to from the nodes in the queue, `end` of
 * them, which have it; not to `barred`. With `back` against the edges. `previous` gets the node
 * before. */
static void spread(dpc_causal *g, uint64_t bit, int end, int barred, bool back)
{
    const dpc_adjacency *a = g->marks.graph;
    for (int next = 0; next < end; next++) {
        int v = g->queue[next];
        for (int64_t e = a->start[v]; e < a->start[v + 1]; e++) {
            int w = a->node[e];
            if (w == barred || (g->possible[w] & bit) != 0 ||
                !may_be_arrow(g, back ? dpc_back(&g->marks, e) : e))
                continue;
            g->possible[w] |= bit;
            g->previous[w] = v;
            g->queue[end++] = w;
        }
    }
}

/* The first nodes of possibly directed paths from x, into the queue with a bit; how many. */
static int step_from(dpc_causal *g, int x, uint64_t bit, bool only_loose)
{
    const dpc_adjacency *a = g->marks.graph;
    int end = 0;
    for (int64_t e = a->start[x]; e < a->start[x + 1]; e++)
        g->loose[a->node[e]] = may_be_arrow(g, e) && (!only_loose || !is_visible(g, x, e));
    for (int64_t e = a->start[x]; e < a->start[x + 1]; e++)
        if (g->loose[a->node[e]] != 0) {
            g->possible[a->node[e]] |= bit;
            g->previous[a->node[e]] = x;
            g->queue[end++] = a->node[e];
        }
    return end;
}

/* All bits for a pair. `previous` is that of the loose paths at last. */
static void find_possible(dpc_causal *g, int x, int y)
{
    int end = 0;
    memset(g->possible, 0, (size_t)g->n * sizeof *g->possible);
    spread(g, BEHIND_X, step_from(g, x, BEHIND_X, false), x, false);
    g->queue[0] = y;
    g->possible[y] |= BEFORE_Y;
    spread(g, BEFORE_Y, 1, x, true);
    for (int v = 0; v < g->n; v++)
        if ((g->possible[v] & BEHIND_X) != 0 && (g->possible[v] & BEFORE_Y) != 0) {
            g->possible[v] |= FORBIDDEN;
            g->queue[end++] = v;
        }
    spread(g, FORBIDDEN, end, -1, false);
    spread(g, LOOSE, step_from(g, x, LOOSE, true), x, false);
}

/* ---- Answers ---- */

void dpc_pag_identify(dpc_causal *g, int x, int y, dpc_identification *out)
{
    find_possible(g, x, y);
    out->identified = (g->possible[y] & LOOSE) == 0;
    out->possible = (g->possible[y] & BEHIND_X) != 0;
    out->length = 0;
    if (out->identified)
        return;
    for (int v = y; v != x; v = g->previous[v])
        out->length++;
    int at = ++out->length;
    for (int v = y; out->path != NULL; v = g->previous[v]) {
        out->path[--at] = v;
        if (v == x)
            break;
    }
}

/* A node on a possibly directed path from x to y of which v is a possible descendant. */
static int find_through(dpc_causal *g, int v)
{
    const dpc_adjacency *a = g->marks.graph;
    int end = 0, through = -1;
    g->in_set[v] = true;
    g->queue[end++] = v;
    for (int next = 0; next < end && through < 0; next++) {
        int u = g->queue[next];
        if ((g->possible[u] & BEHIND_X) != 0 && (g->possible[u] & BEFORE_Y) != 0)
            through = u;
        for (int64_t e = a->start[u]; e < a->start[u + 1]; e++)
            if (!g->in_set[a->node[e]] && may_be_arrow(g, dpc_back(&g->marks, e))) {
                g->in_set[a->node[e]] = true;
                g->queue[end++] = a->node[e];
            }
    }
    for (int i = 0; i < end; i++)
        g->in_set[g->queue[i]] = false;
    return through;
}

void dpc_pag_check_set(dpc_causal *g, int x, int y, const int32_t *set, int size,
                       dpc_set_check *out)
{
    find_possible(g, x, y);
    if ((g->possible[y] & LOOSE) != 0)
        return;
    for (int i = 0; i < size && out->node < 0; i++)
        if ((g->possible[set[i]] & FORBIDDEN) != 0) {
            out->verdict = DPC_SET_FORBIDDEN;
            out->node = set[i];
            out->through = find_through(g, set[i]);
        }
    if (out->node >= 0)
        return;
    dpc_causal_check_open(g, x, y, set, size, out);
}

/* ---- Sets ---- */

/* The ancestors of x and y in the MAG that is asked, less what is forbidden: if any set is valid,
 * this one is. */
static int ancestors_allowed(dpc_causal *g, int x, int y, int32_t *set)
{
    int size = 0;
    g->is[g->place[x]] = g->is[g->place[y]] = 1;
    dpc_bit_ascend(&g->dag, NULL, g->is, g->de);
    g->is[g->place[x]] = g->is[g->place[y]] = 0;
    for (int v = 0; v < g->n; v++)
        if (v != x && v != y && g->de[g->place[v]] != 0 && (g->possible[v] & FORBIDDEN) == 0)
            set[size++] = v;
    return size;
}

static int parents_of(const dpc_causal *g, int x, int32_t *set)
{
    const dpc_adjacency *a = g->marks.graph;
    int size = 0;
    for (int64_t e = a->start[x]; e < a->start[x + 1]; e++)
        if (is_arrow(g, dpc_back(&g->marks, e)))
            set[size++] = a->node[e];
    return size;
}

int dpc_pag_find_set(dpc_causal *g, int x, int y, dpc_adjustment_kind kind, int32_t *set)
{
    find_possible(g, x, y);
    if ((g->possible[y] & LOOSE) != 0 || kind == DPC_ADJUST_OPTIMAL)
        return -1;
    int size = kind == DPC_ADJUST_PARENTS ? parents_of(g, x, set) : ancestors_allowed(g, x, y, set);
    for (int i = 0; i < size; i++)
        if (set[i] == y || (g->possible[set[i]] & FORBIDDEN) != 0)
            return -1;
    if (dpc_causal_leaves_open(g, x, y, set, size, NULL, NULL))
        return -1;
    return kind == DPC_ADJUST_MINIMAL ? dpc_causal_leave_out(g, x, y, set, size) : size;
}

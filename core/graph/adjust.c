/*
 * Questions about one pair: separation, identification, adjustment sets (dualpc_graph.h).
 *
 * Whether a path is open is asked of one DAG of the class, by the kernel of flow.h. For separation
 * all DAGs of a class are the same; and so they are for the validity of a set, where the effect is
 * identified: see distances.c. The DAG of a MAG or a PAG is the canonical one of a MAG, with a node
 * for what is hidden behind each double arrow; the rest of their answers is in pag_adjust.c.
 */
#include "alloc.h"
#include "bit_descendants.h"
#include "pag_adjust.h"
#include "sorted.h"
#include "status.h"

#include <string.h>

/* ---- Is the question one? ---- */

static dpc_status check_pair(const dpc_causal *g, int x, int y, dpc_error *err)
{
    if (x < 0 || y < 0 || x >= g->n || y >= g->n)
        return dpc_fail(err, DPC_USAGE, "there is no node %d; the graph has %d",
                        x < 0 || x >= g->n ? x : y, g->n);
    return x != y ? DPC_OK : dpc_fail(err, DPC_USAGE, "two different nodes are needed");
}

static dpc_status check_set(const dpc_causal *g, int x, int y, const int32_t *set, int size,
                            dpc_error *err)
{
    for (int i = 0; i < size; i++) {
        if (set[i] < 0 || set[i] >= g->n)
            return dpc_fail(err, DPC_USAGE, "there is no node %d; the graph has %d", (int)set[i],
                            g->n);
        if (set[i] == x || set[i] == y)
            return dpc_fail(err, DPC_USAGE, "a set for two nodes holds neither of them");
    }
    return DPC_OK;
}

/* ---- A shortest open path ---- */

enum { UP, DOWN };

/* A node of the search for it: a place, and whether the path comes to it from below or above. */
static void visit(dpc_causal *g, int place, int direction, int32_t from, int *end)
{
    int32_t state = 2 * place + direction;
    if (g->previous[state] != -1 || g->flow.barred[place] != 0)
        return;
    g->previous[state] = from;
    g->queue[(*end)++] = state;
}

static void visit_row(dpc_causal *g, dpc_node_row row, int direction, int32_t from, int *end)
{
    for (int64_t i = 0; i < row.count; i++)
        visit(g, row.node[i], direction, from, end);
}

/* Breadth first, by the rules of flow.h. The first places are in the queue, `end` of them. */
static int find_path(dpc_causal *g, int x, int y, int end, int32_t *path)
{
    const dpc_flow *f = &g->flow;
    int32_t state = -1;
    int length = 1;
    for (int next = 0; next < end; next++) {
        state = g->queue[next];
        int v = state / 2;
        if (v == g->place[y])
            break;
        bool up = state % 2 == UP;
        if (f->blocked[v] == 0)
            visit_row(g, dpc_children_of(&g->dag, v), DOWN, state, &end);
        if (up ? f->blocked[v] == 0 : f->opened[v] != 0)
            visit_row(g, dpc_parents_of(&g->dag, v), UP, state, &end);
    }
    for (int32_t s = state; s >= 0; s = g->previous[s])
        length += g->at[s / 2] < g->n; /* hidden nodes are not shown */
    int at = length;
    for (int32_t s = state; s >= 0; s = g->previous[s])
        if (g->at[s / 2] < g->n)
            path[--at] = g->at[s / 2];
    path[0] = x;
    return length;
}

/* ---- Separation ---- */

enum { FIRST = -2 }; /* what led to the first places of a path */

/* The questions of one pair: the set, and the ends. */
static void ask(dpc_causal *g, int x, int y, const int32_t *set, int size)
{
    for (int v = g->n_all - g->n_selected; v < g->n_all; v++)
        dpc_flow_block(&g->flow, g->place[v], 1);
    for (int i = 0; i < size; i++)
        dpc_flow_block(&g->flow, g->place[set[i]], 1);
    dpc_flow_want(&g->flow, g->place[y], 1);
    dpc_flow_bar(&g->flow, g->place[x], 1);
    dpc_flow_ascend(&g->flow);
}

/*
 * Runs from the neighbours of x, where `causal` is false not along arrows on a way to y. True: y is
 * reached, and `path` (may be NULL) receives a way.
 */
static bool connect(dpc_causal *g, int x, int y, bool causal, int32_t *path, int *length)
{
    dpc_flow *f = &g->flow;
    int end = 0;
    dpc_node_row parents = dpc_parents_of(&g->dag, g->place[x]);
    dpc_node_row children = dpc_children_of(&g->dag, g->place[x]);
    memset(g->previous, -1, 2 * (size_t)g->n_all * sizeof *g->previous);
    for (int64_t i = 0; i < parents.count; i++) {
        dpc_flow_put_up(f, parents.node[i], 1);
        visit(g, parents.node[i], UP, FIRST, &end);
    }
    for (int64_t i = 0; i < children.count; i++) {
        int c = children.node[i];
        bool on_way = f->wanted[c] != 0;
        if (on_way ? !causal : f->opened[c] == 0)
            continue;
        dpc_flow_put_down(f, c, 1);
        visit(g, c, DOWN, FIRST, &end);
    }
    dpc_flow_run(f, false);
    bool reached = dpc_flow_at(f, g->place[y]) != 0;
    if (reached && path != NULL)
        *length = find_path(g, x, y, end, path);
    return reached;
}

dpc_status dpc_separated(dpc_causal *g, int x, int y, const int32_t *given, int count,
                         bool *separated, int32_t *path, int *length, dpc_error *err)
{
    int nodes = 0;
    DPC_CHECK(check_pair(g, x, y, err));
    DPC_CHECK(check_set(g, x, y, given, count, err));
    ask(g, x, y, given, count);
    *separated = !connect(g, x, y, true, path, &nodes);
    dpc_flow_reset(&g->flow);
    if (length != NULL)
        *length = nodes;
    return DPC_OK;
}

bool dpc_causal_leaves_open(dpc_causal *g, int x, int y, const int32_t *set, int size,
                            int32_t *path, int *length)
{
    ask(g, x, y, set, size);
    bool open = connect(g, x, y, false, path, length);
    dpc_flow_reset(&g->flow);
    return open;
}

/* ---- Identification ---- */

/* Fills `possible` and `loose` for the cause x, with 1 where they hold. */
static void ask_possible(dpc_causal *g, int x)
{
    g->is[x] = 1;
    dpc_bit_possible(g, g->is, g->search, g->possible, g->loose);
    g->is[x] = 0;
}

dpc_status dpc_identify(dpc_causal *g, int x, int y, dpc_identification *out, dpc_error *err)
{
    DPC_CHECK(check_pair(g, x, y, err));
    if (dpc_has_hidden(g)) {
        dpc_pag_identify(g, x, y, out);
        return DPC_OK;
    }
    ask_possible(g, x);
    out->identified = g->loose[y] == 0;
    out->possible = g->possible[y] != 0;
    out->length = out->identified ? 0 : dpc_loose_path(g, g->search, x, y, out->path);
    return DPC_OK;
}

/* ---- Is a set valid? ---- */

/* The descendants of x in the DAG, by places, without x. */
static void find_descendants(dpc_causal *g, int x)
{
    int place = g->place[x];
    g->is[place] = 1;
    dpc_bit_descend(&g->dag, NULL, g->is, g->de);
    g->is[place] = g->de[place] = 0;
}

/* The first forbidden node of up to 64; -1: none is. */
static int find_forbidden(dpc_causal *g, int y, const int32_t *set, int size, int32_t *through)
{
    dpc_flow *f = &g->flow;
    uint64_t bad = 0;
    int first = -1;
    for (int i = 0; i < size; i++)
        dpc_flow_block(f, g->place[set[i]], UINT64_C(1) << i);
    dpc_flow_want(f, g->place[y], ~UINT64_C(0));
    dpc_flow_ascend(f);
    for (int i = 0; i < g->n; i++)
        bad |= g->de[i] != 0 ? f->wanted[i] & f->opened[i] : 0;
    if (bad != 0)
        first = __builtin_ctzll(bad);
    for (int i = 0; i < g->n && first >= 0; i++) /* the last one is nearest */
        if (g->de[i] != 0 && (f->wanted[i] & f->opened[i] & UINT64_C(1) << first) != 0)
            *through = g->at[i];
    dpc_flow_reset(f);
    return first >= 0 ? set[first] : -1;
}

void dpc_causal_check_open(dpc_causal *g, int x, int y, const int32_t *set, int size,
                           dpc_set_check *out)
{
    int length = 0;
    bool open = dpc_causal_leaves_open(g, x, y, set, size, out->path, &length);
    out->verdict = open ? DPC_SET_OPEN : DPC_SET_VALID;
    out->length = length;
}

/* The pair is amenable; find_descendants was asked. */
static void check_amenable(dpc_causal *g, int x, int y, const int32_t *set, int size,
                           dpc_set_check *out)
{
    enum { AT_ONCE = 64 };
    int32_t through = -1;
    out->verdict = DPC_SET_FORBIDDEN;
    for (int i = 0; i < size && out->node < 0; i += AT_ONCE)
        out->node =
            find_forbidden(g, y, set + i, size - i < AT_ONCE ? size - i : AT_ONCE, &through);
    out->through = through;
    if (out->node >= 0)
        return;
    dpc_causal_check_open(g, x, y, set, size, out);
}

dpc_status dpc_check_adjustment(dpc_causal *g, int x, int y, const int32_t *set, int size,
                                dpc_set_check *out, dpc_error *err)
{
    DPC_CHECK(check_pair(g, x, y, err));
    DPC_CHECK(check_set(g, x, y, set, size, err));
    *out = (dpc_set_check){DPC_SET_NOT_IDENTIFIED, -1, -1, 0, out->path};
    if (dpc_has_hidden(g)) {
        dpc_pag_check_set(g, x, y, set, size, out);
        return DPC_OK;
    }
    ask_possible(g, x);
    if (g->loose[y] == 0) {
        find_descendants(g, x);
        check_amenable(g, x, y, set, size, out);
    }
    return DPC_OK;
}

/* ---- Sets ---- */

/* The parents, in the graph, of what is on a way from x to y, less the descendants of x. */
static int optimal_set(dpc_causal *g, int x, int y, int32_t *set)
{
    uint64_t *between = g->possible; /* of no more use */
    int size = 0;
    g->is[x] = 1;
    dpc_bit_descend(&g->lists, g->at, g->is, g->de);
    g->is[x] = 0;
    memset(between, 0, (size_t)g->n * sizeof *between);
    between[y] = 1;
    for (int i = g->place[y]; i > g->place[x]; i--) {
        int v = g->at[i];
        dpc_node_row parents = dpc_parents_of(&g->lists, v);
        for (int64_t k = 0; between[v] == 1 && k < parents.count; k++) {
            int p = parents.node[k];
            if (p == x || between[p] != 0)
                continue;
            between[p] = g->de[p] != 0 ? 1 : 2;
            if (g->de[p] == 0)
                set[size++] = p;
        }
    }
    dpc_sort_numbers(set, size);
    return size;
}

static bool is_valid(dpc_causal *g, int x, int y, const int32_t *set, int size)
{
    dpc_set_check check = {.node = -1};
    check_amenable(g, x, y, set, size, &check);
    return check.verdict == DPC_SET_VALID;
}

int dpc_causal_leave_out(dpc_causal *g, int x, int y, int32_t *set, int size)
{
    for (int i = size - 1; i >= 0; i--) {
        memcpy(g->other, set, (size_t)size * sizeof *set);
        memmove(g->other + i, g->other + i + 1, (size_t)(size - i - 1) * sizeof *set);
        if (!dpc_causal_leaves_open(g, x, y, g->other, size - 1, NULL, NULL))
            memcpy(set, g->other, (size_t)--size * sizeof *set);
    }
    return size;
}

dpc_status dpc_adjustment(dpc_causal *g, int x, int y, dpc_adjustment_kind kind, int32_t *set,
                          int *size, dpc_error *err)
{
    DPC_CHECK(check_pair(g, x, y, err));
    *size = -1;
    if (dpc_has_hidden(g)) {
        *size = dpc_pag_find_set(g, x, y, kind, set);
        return DPC_OK;
    }
    ask_possible(g, x);
    bool possible = g->possible[y] != 0;
    dpc_node_row parents = dpc_parents_of(&g->lists, x);
    if (g->loose[y] != 0 || (kind == DPC_ADJUST_OPTIMAL && !possible) ||
        dpc_place_of(parents.node, parents.count, y) >= 0)
        return DPC_OK;
    int count = (int)parents.count;
    if (kind == DPC_ADJUST_OPTIMAL || (kind == DPC_ADJUST_MINIMAL && possible))
        count = optimal_set(g, x, y, set);
    else if (count > 0)
        memcpy(set, parents.node, (size_t)count * sizeof *set);
    find_descendants(g, x);
    if (!is_valid(g, x, y, set, count))
        return DPC_OK;
    *size = kind == DPC_ADJUST_MINIMAL ? dpc_causal_leave_out(g, x, y, set, count) : count;
    return DPC_OK;
}

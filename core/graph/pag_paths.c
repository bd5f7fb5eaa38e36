/*
 * The rules of PAGs that look for paths: R4 (discriminating paths), R5 (uncovered circles of o–o
 * edges), R9 and R10 (uncovered potentially directed paths); see pag_rules.h.
 *
 * Uncovered paths, all of whose triples are unshielded, are found by walking over ordered edges: a
 * step from u→v goes on to v→w where u and w are not adjacent. A walk may come back to a node, and
 * then it is no path; only then a path is looked for depth first.
 */
#include "pag_state.h"

#include <string.h>

/* ---- R4 ---- */

/* One triple a, b, c of R4, and what the ends of its shortest paths say of b. */
typedef struct discriminated {
    int a, b, c;
    int noncollider, collider; /* ends d that say so */
    int first[2];              /* the first of them: collider, noncollider; -1 */
} discriminated;

static bool is_parent_of(const dpc_pag_state *s, int v, int c)
{
    int64_t vc = dpc_slot(s->graph->graph, v, c);
    return vc >= 0 && dpc_mark_at(s, vc) == DPC_END_ARROW && dpc_mark_before(s, vc) == DPC_END_TAIL;
}

static void hear(const dpc_pag_state *s, int d, discriminated *t)
{
    dpc_triple_status says = s->rules->judge(s->rules->context, d, t->a, t->b, t->c);
    if (says == DPC_STATUS_OPEN)
        return;
    bool non = says == DPC_STATUS_NONCOLLIDER;
    if (t->first[non] < 0 || d < t->first[non])
        t->first[non] = d;
    *(non ? &t->noncollider : &t->collider) += 1;
}

/*
 * Breadth first from a: through nodes v that are parents of c and colliders, until some d *-> v is
 * not adjacent to c. All such d at the smallest distance are heard, each once. on_path has the
 * nodes that were met.
 */
static void find_ends(dpc_pag_state *s, discriminated *t)
{
    const dpc_adjacency *g = s->graph->graph;
    int32_t *queue = s->some;
    int met = 0, end = 1, level_end = 1;
    queue[0] = t->a;
    s->on_path[t->a] = s->on_path[t->b] = s->on_path[t->c] = true;
    for (; met < level_end && t->collider + t->noncollider == 0; level_end = end)
        for (; met < level_end; met++) {
            int v = queue[met];
            if (v != t->a && dpc_slot(g, v, t->c) < 0)
                continue; /* an end that nobody can judge by */
            for (int64_t e = g->start[v]; e < g->start[v + 1]; e++) {
                int w = g->node[e];
                if (s->on_path[w] || dpc_mark_before(s, e) != DPC_END_ARROW)
                    continue;
                bool is_end = dpc_slot(g, w, t->c) < 0;
                if (!is_end && !(dpc_mark_at(s, e) == DPC_END_ARROW && is_parent_of(s, w, t->c)))
                    continue;
                s->on_path[w] = true;
                if (is_end)
                    hear(s, w, t);
                queue[end++] = w;
            }
        }
    for (int i = 0; i < end; i++)
        s->on_path[queue[i]] = false;
    s->on_path[t->b] = s->on_path[t->c] = false;
}

/* b o-* c and b *-> a → c. */
static void discriminate(dpc_pag_state *s, int a, int64_t ba, int64_t bc)
{
    const dpc_adjacency *g = s->graph->graph;
    int64_t cb = dpc_back(s->graph, bc), ab = dpc_back(s->graph, ba);
    discriminated t = {a, g->node[cb], g->node[bc], 0, 0, {-1, -1}};
    find_ends(s, &t);
    if (t.collider == t.noncollider)
        return;
    bool non = t.noncollider > t.collider;
    int d = t.first[non];
    dpc_pag_find(s, cb, non ? DPC_END_TAIL : DPC_END_ARROW, 4, d, a, t.b, t.c);
    dpc_pag_find(s, bc, DPC_END_ARROW, 4, d, a, t.b, t.c);
    if (!non)
        dpc_pag_find(s, ab, DPC_END_ARROW, 4, d, a, t.b, t.c);
}

void dpc_pag_rule_4(dpc_pag_state *s)
{
    const dpc_adjacency *g = s->graph->graph;
    for (int b = 0; b < g->n; b++)
        for (int64_t bc = g->start[b]; bc < g->start[b + 1]; bc++) {
            if (dpc_mark_before(s, bc) != DPC_END_CIRCLE)
                continue;
            for (int64_t ba = g->start[b]; ba < g->start[b + 1]; ba++)
                if (dpc_mark_at(s, ba) == DPC_END_ARROW &&
                    is_parent_of(s, g->node[ba], g->node[bc]))
                    discriminate(s, g->node[ba], ba, bc);
        }
}

/* ---- Uncovered walks ---- */

/* May a path go this way: along o–o edges, or where the edge may be an arrow? */
static bool may_go(const dpc_pag_state *s, int64_t slot, bool circles)
{
    uint8_t at = dpc_mark_at(s, slot), before = dpc_mark_before(s, slot);
    if (circles)
        return at == DPC_END_CIRCLE && before == DPC_END_CIRCLE;
    return at != DPC_END_TAIL && before != DPC_END_ARROW;
}

/* Can the slot v→w follow u→v on such a path from a? */
static bool may_follow(const dpc_pag_state *s, int a, int u, int v, int64_t vw, bool circles)
{
    int w = s->graph->graph->node[vw];
    return w != a && w != u && may_go(s, vw, circles) && dpc_pag_uncovered(s, u, v, w);
}

/* All slots that walks from a by its slot `first` come to, into the queue; how many. They stay
 * seen. */
static int64_t walk(dpc_pag_state *s, int a, int64_t first, bool circles)
{
    const dpc_adjacency *g = s->graph->graph;
    int64_t end = 0;
    s->from[first] = -1;
    s->seen[first] = true;
    s->queue[end++] = first;
    for (int64_t next = 0; next < end; next++) {
        int64_t uv = s->queue[next];
        int u = dpc_slot_node(s->graph, uv), v = g->node[uv];
        for (int64_t vw = g->start[v]; vw < g->start[v + 1]; vw++)
            if (!s->seen[vw] && may_follow(s, a, u, v, vw, circles)) {
                s->seen[vw] = true;
                s->from[vw] = uv;
                s->queue[end++] = vw;
            }
    }
    return end;
}

static void forget_walk(dpc_pag_state *s, int64_t end)
{
    for (int64_t i = 0; i < end; i++)
        s->seen[s->queue[i]] = false;
}

/* Does the walk that ends with a slot meet no node twice? (It does not come back to its first.) */
static bool is_simple(dpc_pag_state *s, int64_t slot)
{
    const int32_t *node = s->graph->graph->node;
    bool simple = true;
    int64_t e = slot;
    for (; e >= 0 && simple; e = s->from[e]) {
        simple = !s->on_path[node[e]];
        s->on_path[node[e]] = true;
    }
    for (int64_t f = slot; f != e; f = s->from[f])
        s->on_path[node[f]] = false;
    return simple;
}

/*
 * Is there a path from a, by its slot `first`, to y, whose last node but one is not adjacent to
 * `apart` (-1: anyone)? Depth first; given up after many steps, and then there is taken to be none.
 */
static bool find_simple(dpc_pag_state *s, int a, int64_t first, int y, int apart, bool circles)
{
    enum { MANY = 1000000 };
    const dpc_adjacency *g = s->graph->graph;
    int64_t *stack = s->stack; /* slots of the path */
    int depth = 0, steps = 0;
    bool found = false;
    stack[0] = first;
    s->level[0] = g->start[g->node[first]];
    s->on_path[g->node[first]] = true;
    while (depth >= 0 && !found && steps++ < MANY) {
        int u = dpc_slot_node(s->graph, stack[depth]), v = g->node[stack[depth]];
        int64_t vw = s->level[depth]++;
        if (vw >= g->start[v + 1]) {
            s->on_path[v] = false;
            depth--;
            continue;
        }
        int w = g->node[vw];
        if (s->on_path[w] || !may_follow(s, a, u, v, vw, circles))
            continue;
        found = w == y && (apart < 0 || dpc_slot(g, v, apart) < 0);
        if (w == y)
            continue;
        stack[++depth] = vw;
        s->level[depth] = g->start[w];
        s->on_path[w] = true;
    }
    for (; depth >= 0; depth--)
        s->on_path[g->node[stack[depth]]] = false;
    return found;
}

/* ---- R5 ---- */

/* The node before b on a path a, c, …, d, b of o–o edges that makes an uncovered circle with a o–o
 * b; -1: there is none. The walk from a→c is in the queue, `end` slots of it. */
static int before_last(dpc_pag_state *s, int a, int64_t ac, int b, int64_t end)
{
    const dpc_adjacency *g = s->graph->graph;
    int doubtful = -1;
    for (int64_t i = 0; i < end; i++) {
        int64_t db = s->queue[i];
        int d = dpc_slot_node(s->graph, db);
        if (g->node[db] != b || d == a || !dpc_pag_uncovered(s, d, b, a))
            continue;
        if (is_simple(s, db))
            return d;
        doubtful = d;
    }
    return doubtful >= 0 && find_simple(s, a, ac, b, a, true) ? doubtful : -1;
}

/* Every edge of such a circle is the one that closes it, so each is found by itself. */
void dpc_pag_rule_5(dpc_pag_state *s)
{
    const dpc_adjacency *g = s->graph->graph;
    for (int a = 0; a < g->n; a++)
        for (int64_t ac = g->start[a]; ac < g->start[a + 1]; ac++) {
            if (!may_go(s, ac, true))
                continue;
            int64_t end = walk(s, a, ac, true);
            for (int64_t ab = g->start[a]; ab < g->start[a + 1]; ab++) {
                int b = g->node[ab], c = g->node[ac], d;
                if (!may_go(s, ab, true) || !dpc_pag_uncovered(s, c, a, b) ||
                    (d = before_last(s, a, ac, b, end)) < 0)
                    continue;
                dpc_pag_find(s, ab, DPC_END_TAIL, 5, c, d, -1, -1);
                dpc_pag_find(s, dpc_back(s->graph, ab), DPC_END_TAIL, 5, d, c, -1, -1);
            }
            forget_walk(s, end);
        }
}

/* ---- R9 and R10 ---- */

enum { NOT_REACHED, REACHED, DOUBTFUL }; /* doubtful: by walks that are no paths */

/* Row i of `reach`: where uncovered potentially directed paths from a by its i-th slot lead. */
static void find_reach(dpc_pag_state *s, int a)
{
    const dpc_adjacency *g = s->graph->graph;
    memset(s->reach, NOT_REACHED, (size_t)g->n * (size_t)dpc_degree(g, a));
    for (int64_t first = g->start[a]; first < g->start[a + 1]; first++) {
        uint8_t *row = s->reach + (first - g->start[a]) * g->n;
        if (!may_go(s, first, false))
            continue;
        int64_t end = walk(s, a, first, false);
        for (int64_t i = 0; i < end; i++) {
            int v = g->node[s->queue[i]];
            if (row[v] != REACHED)
                row[v] = is_simple(s, s->queue[i]) ? REACHED : DOUBTFUL;
        }
        forget_walk(s, end);
    }
}

/* Does such a path from a by its slot lead to y? */
static bool leads(dpc_pag_state *s, int a, int64_t first, int y)
{
    const dpc_adjacency *g = s->graph->graph;
    uint8_t *reach = &s->reach[(first - g->start[a]) * g->n + y];
    if (*reach == DOUBTFUL)
        *reach = find_simple(s, a, first, y, -1, false) ? REACHED : NOT_REACHED;
    return *reach == REACHED;
}

/* R9: an uncovered potentially directed path a, b, d, …, c, with b not adjacent to c, makes a tail
 * at a of a o-> c. */
static void rule_9(dpc_pag_state *s, int a, int64_t ac)
{
    const dpc_adjacency *g = s->graph->graph;
    int c = g->node[ac];
    for (int64_t ab = g->start[a]; ab < g->start[a + 1]; ab++)
        if (ab != ac && dpc_pag_uncovered(s, c, a, g->node[ab]) && leads(s, a, ab, c))
            dpc_pag_find(s, dpc_back(s->graph, ac), DPC_END_TAIL, 9, g->node[ab], -1, -1, -1);
}

/* The parents of c that paths from a by its slot lead to: how many, and the first and the last. */
static int parents_reached(dpc_pag_state *s, int a, int64_t first, int c, int ends[2])
{
    const dpc_adjacency *g = s->graph->graph;
    int count = 0;
    for (int64_t cb = g->start[c]; cb < g->start[c + 1]; cb++) {
        int b = g->node[cb];
        if (b == a || dpc_mark_at(s, cb) != DPC_END_TAIL ||
            dpc_mark_before(s, cb) != DPC_END_ARROW || !leads(s, a, first, b))
            continue;
        ends[count++ > 0] = b;
        ends[1] = b;
    }
    return count;
}

/* R10: b → c ← d, and uncovered potentially directed paths from a to b and to d whose first nodes
 * differ and are not adjacent, make a tail at a of a o-> c. */
static void rule_10(dpc_pag_state *s, int a, int64_t ac)
{
    const dpc_adjacency *g = s->graph->graph;
    int c = g->node[ac], p[2], q[2];
    for (int64_t e = g->start[a]; e < g->start[a + 1]; e++) {
        if (e == ac || parents_reached(s, a, e, c, p) == 0)
            continue;
        for (int64_t f = e + 1; f < g->start[a + 1]; f++) {
            if (f == ac || !dpc_pag_uncovered(s, g->node[e], a, g->node[f]) ||
                parents_reached(s, a, f, c, q) == 0)
                continue;
            if (p[0] != q[1] || p[1] != q[0]) { /* not both the same single one */
                int b = p[0] != q[1] ? p[0] : p[1], d = p[0] != q[1] ? q[1] : q[0];
                dpc_pag_find(s, dpc_back(s->graph, ac), DPC_END_TAIL, 10, b, d, g->node[e],
                             g->node[f]);
            }
        }
    }
}

void dpc_pag_rules_9_10(dpc_pag_state *s)
{
    const dpc_adjacency *g = s->graph->graph;
    for (int a = 0; a < g->n; a++) {
        bool ready = false;
        for (int64_t ac = g->start[a]; ac < g->start[a + 1]; ac++) {
            if (dpc_mark_at(s, ac) != DPC_END_ARROW || dpc_mark_before(s, ac) != DPC_END_CIRCLE)
                continue;
            if (!ready)
                find_reach(s, a);
            ready = true;
            rule_9(s, a, ac);
            rule_10(s, a, ac);
        }
    }
}

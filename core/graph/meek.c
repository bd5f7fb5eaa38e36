/* Meek's rules: see meek.h. */
#include "meek.h"

/* ---- What directs an edge ---- */

/* The slot a→b is known as an arrow. */
static bool known(const dpc_meek *m, int64_t slot)
{
    return slot >= 0 && m->premise[slot] == DPC_END_ARROW;
}

static bool known_in(const dpc_meek *m, int64_t slot)
{
    return m->premise[dpc_back(m->arrows, slot)] == DPC_END_ARROW;
}

static int64_t slot_of(const dpc_meek *m, int a, int b)
{
    return dpc_slot(m->arrows->graph, a, b);
}

static bool noncollider(const dpc_meek *m, int a, int64_t first, int64_t second)
{
    return m->noncollider(m->context, a, first, second);
}

/* c → a — b. */
static bool rule_1(const dpc_meek *m, int a, int64_t e, int32_t *other)
{
    const dpc_adjacency *g = m->arrows->graph;
    if (m->n_in != NULL && m->n_in[a] == 0)
        return false;
    for (int64_t f = g->start[a]; f < g->start[a + 1]; f++)
        if (f != e && known_in(m, f) && noncollider(m, a, f, e)) {
            other[0] = g->node[f];
            return true;
        }
    return false;
}

/* a → c → b. */
static bool rule_2(const dpc_meek *m, int a, int64_t e, int32_t *other)
{
    const dpc_adjacency *g = m->arrows->graph;
    int b = g->node[e];
    if (m->n_in != NULL && (m->n_in[b] == 0 || m->n_out[a] == 0))
        return false;
    for (int64_t f = g->start[a]; f < g->start[a + 1]; f++)
        if (m->premise[f] == DPC_END_ARROW && known(m, slot_of(m, g->node[f], b))) {
            other[0] = g->node[f];
            return true;
        }
    return false;
}

/* a — c → b, a — d → b. */
static bool rule_3(const dpc_meek *m, int a, int64_t e, int32_t *other)
{
    const dpc_adjacency *g = m->arrows->graph;
    int b = g->node[e];
    if (m->n_in != NULL && m->n_in[b] < 2)
        return false;
    for (int64_t f = g->start[a]; f < g->start[a + 1]; f++) {
        if (f == e || !dpc_undirected(m->arrows, f) || !known(m, slot_of(m, g->node[f], b)))
            continue;
        for (int64_t h = f + 1; h < g->start[a + 1]; h++) {
            if (h == e || !dpc_undirected(m->arrows, h) || !known(m, slot_of(m, g->node[h], b)) ||
                !noncollider(m, a, f, h))
                continue;
            other[0] = g->node[f];
            other[1] = g->node[h];
            return true;
        }
    }
    return false;
}

/* a — c → d → b, a and d adjacent. */
static bool rule_4(const dpc_meek *m, int a, int64_t e, int32_t *other)
{
    const dpc_adjacency *g = m->arrows->graph;
    int b = g->node[e];
    if (m->n_in != NULL && m->n_in[b] == 0)
        return false;
    for (int64_t f = g->start[a]; f < g->start[a + 1]; f++) {
        int c = g->node[f];
        if (f == e || !dpc_undirected(m->arrows, f) || !noncollider(m, a, f, e))
            continue;
        for (int64_t h = g->start[a]; h < g->start[a + 1]; h++) {
            int d = g->node[h];
            if (!known(m, slot_of(m, c, d)) || !known(m, slot_of(m, d, b)) ||
                (m->all_undirected && !dpc_undirected(m->arrows, h)))
                continue;
            other[0] = c;
            other[1] = d;
            return true;
        }
    }
    return false;
}

bool dpc_meek_rule(const dpc_meek *m, int rule, int a, int64_t e, int32_t other[2])
{
    static bool (*const RULES[DPC_MEEK_RULES])(const dpc_meek *, int, int64_t,
                                               int32_t *) = {rule_1, rule_2, rule_3, rule_4};
    return RULES[rule - 1](m, a, e, other);
}

int dpc_meek_find(const dpc_meek *m, int last, int a, int64_t e, int32_t other[2])
{
    for (int rule = 1; rule <= last; rule++)
        if (dpc_meek_rule(m, rule, a, e, other))
            return rule;
    return 0;
}

/* ---- What an arrow directs ---- */

/* Can a slot of y be in a triple that is known to be no collider? */
static bool in_noncolliders(const dpc_meek *m, int64_t slot)
{
    return m->n_noncolliders == NULL || m->n_noncolliders[slot] > 0;
}

/* a → b: rule 1 for all b — c. */
static bool follow_1(const dpc_meek *m, int64_t slot, dpc_meek_direct *direct, void *context)
{
    const dpc_adjacency *g = m->arrows->graph;
    int b = g->node[slot];
    int64_t ba = dpc_back(m->arrows, slot);
    if (!in_noncolliders(m, ba))
        return true;
    for (int64_t bc = g->start[b]; bc < g->start[b + 1]; bc++)
        if (bc != ba && noncollider(m, b, ba, bc) && !direct(context, bc))
            return false;
    return true;
}

/* Rule 3 at p — b with the arrow a → b, p — a at slot pa of p: is there a second one? */
static bool has_partner(const dpc_meek *m, int p, int b, int64_t pa)
{
    const dpc_adjacency *g = m->arrows->graph;
    int64_t pc = g->start[p], bc = g->start[b];
    if (!in_noncolliders(m, pa))
        return false;
    for (; dpc_next_common(g, p, b, &pc, &bc); pc++, bc++)
        if (pc != pa && known_in(m, bc) && dpc_undirected(m->arrows, pc) &&
            noncollider(m, p, pa, pc))
            return true;
    return false;
}

/* a → b: rules 2 and 3 for all common neighbours c. */
static bool follow_2_3(const dpc_meek *m, int64_t slot, dpc_meek_direct *direct, void *context)
{
    const dpc_mixed *arrows = m->arrows;
    const dpc_adjacency *g = arrows->graph;
    int a = dpc_slot_node(arrows, slot), b = g->node[slot];
    int64_t ac = g->start[a], bc = g->start[b];
    for (; dpc_next_common(g, a, b, &ac, &bc); ac++, bc++) {
        bool open_ac = dpc_undirected(arrows, ac), open_bc = dpc_undirected(arrows, bc);
        int64_t follows = -1;
        if (open_ac && m->premise[bc] == DPC_END_ARROW) /* a → b → c */
            follows = ac;
        else if (open_bc && (known_in(m, ac) || /* c → a → b */
                             (open_ac && has_partner(m, g->node[ac], b, dpc_back(arrows, ac)))))
            follows = dpc_back(arrows, bc);
        if (follows >= 0 && !direct(context, follows))
            return false;
    }
    return true;
}

bool dpc_meek_follow(const dpc_meek *m, int64_t slot, dpc_meek_direct *direct, void *context)
{
    return follow_1(m, slot, direct, context) && follow_2_3(m, slot, direct, context);
}

/* Rule 3 for x — y — z: all b with x → b ← z and y — b. */
static bool follow_3(const dpc_meek *m, int y, int64_t ex, int64_t ez, dpc_meek_direct *direct,
                     void *context)
{
    const dpc_adjacency *g = m->arrows->graph;
    int x = g->node[ex], z = g->node[ez];
    int64_t yb = g->start[y], xb = g->start[x];
    if (!dpc_undirected(m->arrows, ex) || !dpc_undirected(m->arrows, ez))
        return true;
    for (; dpc_next_common(g, y, x, &yb, &xb); yb++, xb++)
        if (m->premise[xb] == DPC_END_ARROW && dpc_undirected(m->arrows, yb) &&
            known(m, slot_of(m, z, g->node[yb])) && !direct(context, yb))
            return false;
    return true;
}

bool dpc_meek_follow_noncollider(const dpc_meek *m, int y, int64_t ex, int64_t ez,
                                 dpc_meek_direct *direct, void *context)
{
    return (!known_in(m, ex) || direct(context, ez)) && (!known_in(m, ez) || direct(context, ex)) &&
           follow_3(m, y, ex, ez, direct, context);
}

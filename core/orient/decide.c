/*
 * The consistent rule, first step: triples are decided one after the other, the strongest evidence
 * first, each with all that follows from it. What contradicts an earlier decision is undone.
 *
 * A collider directs x → y ← z. A triple marked as no collider directs nothing by itself, but where
 * one arrow enters y the other edge leaves it. What follows from an arrow:
 *
 *     rule 1   a → b — c, (a, b, c) marked no collider                        ⇒ b → c
 *     rule 2   a → b → c, a — c                                              ⇒ a → c
 *     rule 3   p — b, p — a → b, p — c → b, (a, p, c) marked no collider      ⇒ p → b
 *
 * These are Meek's rules, where rules 1 and 3 go only through triples that have been decided. An
 * arrow against another one, and a circle of arrows, are contradictions. What background knowledge
 * directs is there before the first decision, and is never undone.
 */
#include "acyclic.h"

#include "crew.h"
#include "error.h"
#include "memory.h"

typedef struct greedy {
    dpc_triples *triples;
    dpc_arrows *arrows;
    int64_t *trail; /* slots directed by the present decision, in their order */
    int64_t length;
} greedy;

/* Directs a slot unless it is so already; false: a contradiction. */
static bool direct(greedy *g, int64_t slot)
{
    if (g->arrows->out[slot])
        return true;
    if (dpc_arrow_in(g->arrows, slot) || !dpc_arrows_add(g->arrows, slot))
        return false;
    g->trail[g->length++] = slot;
    return true;
}

/* a → b is new, at slot e of a: rule 1 for all c. */
static bool follow_1(greedy *g, int64_t e)
{
    const dpc_adjacency *graph = g->triples->graph;
    int b = graph->node[e], p = g->triples->places[e];
    for (int q = 0; q < dpc_degree(graph, b); q++)
        if (q != p && g->triples->mark[dpc_triple_at(g->triples, b, p, q)] == DPC_NO_COLLIDER &&
            !direct(g, graph->start[b] + q))
            return false;
    return true;
}

/* Slots a→c and b→c of the next common neighbour c of a and b; false: there is none. */
static bool next_common(const dpc_adjacency *graph, int a, int b, int64_t *ac, int64_t *bc)
{
    while (*ac < graph->start[a + 1] && *bc < graph->start[b + 1]) {
        int difference = graph->node[*ac] - graph->node[*bc];
        if (difference == 0)
            return true;
        *ac += difference < 0;
        *bc += difference > 0;
    }
    return false;
}

/* Rule 3 at p — b with the arrow a → b, p — a at slot pa of p: is there such a c? */
static bool has_partner(const greedy *g, int p, int b, int64_t pa)
{
    const dpc_adjacency *graph = g->triples->graph;
    int64_t pc = graph->start[p], bc = graph->start[b], first = graph->start[p];
    for (; next_common(graph, p, b, &pc, &bc); pc++, bc++)
        if (pc != pa && dpc_arrow_in(g->arrows, bc) && dpc_undirected(g->arrows, pc) &&
            g->triples->mark[dpc_triple_at(g->triples, p, pa - first, pc - first)] ==
                DPC_NO_COLLIDER)
            return true;
    return false;
}

/* a → b is new: rules 2 and 3 for all common neighbours. */
static bool follow_2_3(greedy *g, int a, int b)
{
    const dpc_adjacency *graph = g->triples->graph;
    dpc_arrows *arrows = g->arrows;
    int64_t ac = graph->start[a], bc = graph->start[b];
    for (; next_common(graph, a, b, &ac, &bc); ac++, bc++) {
        bool free_ac = dpc_undirected(arrows, ac), free_bc = dpc_undirected(arrows, bc);
        bool fine = true;
        if (free_ac && arrows->out[bc]) /* a → b → c */
            fine = direct(g, ac);
        else if (free_bc && dpc_arrow_in(arrows, ac)) /* c → a → b */
            fine = direct(g, dpc_back(g->triples, bc));
        else if (free_ac && free_bc && has_partner(g, graph->node[ac], b, dpc_back(g->triples, ac)))
            fine = direct(g, dpc_back(g->triples, bc));
        if (!fine)
            return false;
    }
    return true;
}

/* All that follows from the arrows of the trail; false: a contradiction. */
static bool propagate(greedy *g)
{
    const dpc_adjacency *graph = g->triples->graph;
    for (int64_t i = 0; i < g->length; i++) {
        int64_t e = g->trail[i];
        int a = graph->node[dpc_back(g->triples, e)];
        if (!follow_1(g, e) || !follow_2_3(g, a, graph->node[e]))
            return false;
    }
    return true;
}

/* Rule 3 for a triple x — y — z (slots of y) that is now known to be no collider. */
static bool follow_mark(greedy *g, int y, int64_t ex, int64_t ez)
{
    const dpc_adjacency *graph = g->triples->graph;
    int x = graph->node[ex], z = graph->node[ez];
    int64_t yb = graph->start[y], xb = graph->start[x];
    if (!dpc_undirected(g->arrows, ex) || !dpc_undirected(g->arrows, ez))
        return true;
    for (; next_common(graph, y, x, &yb, &xb); yb++, xb++) {
        int64_t zb = g->arrows->out[xb] && dpc_undirected(g->arrows, yb)
                         ? dpc_slot(graph, z, graph->node[yb])
                         : -1;
        if (zb >= 0 && g->arrows->out[zb] && !direct(g, yb))
            return false;
    }
    return true;
}

static void undo(greedy *g)
{
    while (g->length > 0)
        g->arrows->out[g->trail[--g->length]] = false;
}

/* x → y ← z, slots of y; false: it cannot be, and nothing has changed. */
static bool try_collider(greedy *g, int64_t entry, int64_t ex, int64_t ez)
{
    g->length = 0;
    g->triples->mark[entry] = DPC_COLLIDER;
    if (direct(g, dpc_back(g->triples, ex)) && direct(g, dpc_back(g->triples, ez)) && propagate(g))
        return true;
    undo(g);
    g->triples->mark[entry] = DPC_OPEN;
    return false;
}

static bool try_no_collider(greedy *g, int64_t entry, int y, int64_t ex, int64_t ez)
{
    g->length = 0;
    g->triples->mark[entry] = DPC_NO_COLLIDER;
    if ((!dpc_arrow_in(g->arrows, ex) || direct(g, ez)) &&
        (!dpc_arrow_in(g->arrows, ez) || direct(g, ex)) && follow_mark(g, y, ex, ez) &&
        propagate(g))
        return true;
    undo(g);
    g->triples->mark[entry] = DPC_OPEN;
    return false;
}

/* ---- The order of the decisions ---- */

/*
 * Entries with |weight| in the upper bits, complemented so that the strongest come first. Weights
 * are below 2^27, and a graph with 2^37 triples is none that fits anywhere.
 */
enum { ENTRY_BITS = 37, KEY_BITS = 27, DIGIT = 9 };

static uint64_t key_of(int32_t weight, int64_t entry)
{
    uint32_t size = (uint32_t)(weight < 0 ? -weight : weight), most = (1u << KEY_BITS) - 1;
    return (uint64_t)(most - (size < most ? size : most)) << ENTRY_BITS | (uint64_t)entry;
}

/* Sorts by the keys; equal ones keep their order, which is that of the entries. */
static void sort_keys(uint64_t *keys, uint64_t *spare, int64_t count)
{
    for (int shift = ENTRY_BITS; shift < ENTRY_BITS + KEY_BITS; shift += DIGIT) {
        int64_t at[(1 << DIGIT) + 1] = {0};
        for (int64_t i = 0; i < count; i++)
            at[(keys[i] >> shift & ((1 << DIGIT) - 1)) + 1]++;
        for (int d = 0; d < 1 << DIGIT; d++)
            at[d + 1] += at[d];
        for (int64_t i = 0; i < count; i++)
            spare[at[keys[i] >> shift & ((1 << DIGIT) - 1)]++] = keys[i];
        uint64_t *sorted = spare; /* three digits: the result ends in `spare` */
        spare = keys;
        keys = sorted;
    }
}

/* The entries of all triples, the strongest first; NULL: no memory. Freed by the caller. */
static uint64_t *list_by_strength(const dpc_triples *t, int64_t *count)
{
    int64_t total = t->start[t->graph->n];
    *count = 0;
    for (int64_t entry = 0; entry < total; entry++)
        *count += t->mark[entry] == DPC_OPEN;
    uint64_t *keys = dpc_alloc(*count, sizeof *keys), *sorted = dpc_alloc(*count, sizeof *keys);
    if (keys != NULL && sorted != NULL) {
        int64_t i = 0;
        for (int64_t entry = 0; entry < total; entry++)
            if (t->mark[entry] == DPC_OPEN)
                keys[i++] = key_of(t->weight[entry], entry);
        sort_keys(keys, sorted, *count);
    } else {
        free(sorted);
        sorted = NULL;
    }
    free(keys);
    return sorted;
}

/* The node of an entry, and the places of its two neighbours. */
static void locate(const dpc_triples *t, int64_t entry, int *y, int64_t *ex, int64_t *ez)
{
    int low = 0,
        high = t->graph->n; /* the last node whose triangle begins at or before the entry */
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (t->start[middle] <= entry)
            low = middle;
        else
            high = middle;
    }
    *y = low;
    int64_t left = entry - t->start[low], row = dpc_degree(t->graph, low) - 1, p = 0;
    for (; left >= row; left -= row--)
        p++;
    *ex = t->graph->start[low] + p;
    *ez = *ex + 1 + left;
}

static void decide(greedy *g, int64_t entry)
{
    int y;
    int64_t ex, ez;
    locate(g->triples, entry, &y, &ex, &ez);
    if (g->triples->weight[entry] > 0 && try_collider(g, entry, ex, ez))
        return;
    try_no_collider(g, entry, y, ex, ez);
}

/* The arrows that background knowledge leaves no choice about, and what follows from them. */
static void start_from(greedy *g, const dpc_constraints *known)
{
    const dpc_adjacency *graph = g->triples->graph;
    g->length = 0;
    for (int a = 0; known != NULL && a < graph->n; a++)
        for (int64_t e = graph->start[a]; e < graph->start[a + 1]; e++)
            if (dpc_must(known, a, graph->node[e]))
                direct(g, e); /* no circle: see dpc_break_circles */
    propagate(g);
}

dpc_status dpc_direct_greedily(const dpc_unoriented *task, dpc_triples *triples, dpc_arrows *arrows,
                               dpc_error *err)
{
    enum { BETWEEN_LOOKS = 1024 };
    dpc_crew crew;
    int64_t count;
    dpc_status status = DPC_OK;
    greedy g = {triples, arrows, dpc_alloc(dpc_slots(triples->graph), sizeof *g.trail), 0};
    uint64_t *keys = list_by_strength(triples, &count);
    dpc_crew_init(&crew, task->settings, DPC_STAGE_ORIENT);
    if (g.trail == NULL || keys == NULL)
        status = dpc_fail_memory(err, "the order of the decisions");
    else
        start_from(&g, task->known);
    for (int64_t i = 0; status == DPC_OK && i < count; i++) {
        decide(&g, (int64_t)(keys[i] & ((UINT64_C(1) << ENTRY_BITS) - 1)));
        if (i % BETWEEN_LOOKS == 0 && dpc_crew_stopped(&crew, 0))
            status = dpc_fail(err, DPC_INTERRUPTED, "interrupted");
    }
    free(g.trail);
    free(keys);
    return status;
}

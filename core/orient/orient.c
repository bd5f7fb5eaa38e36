/*
 * Orientation, as the paper has it: v-structures, then Meek's rules ("relaxed": where two
 * v-structures disagree about an edge, the later one wins).
 *
 * An edge x — y has two slots in the skeleton; `arrow[x→y]` says that y may be reached from x:
 * both set is an undirected edge, one set a directed one.
 *
 * With background knowledge the edges that it leaves one direction for have it from the start, a
 * v-structure against it is left out, and Meek's fourth rule is there too, which is needed only
 * then. Two nodes that cannot be adjacent say nothing of what is between them.
 */
#include "orient.h"

#include "crew.h"
#include "error.h"
#include "memory.h"

#include <string.h>

typedef struct orienting {
    const dpc_adjacency *graph;
    const dpc_sepsets *sepsets;
    int32_t *places;   /* see dpc_reverse_places */
    int32_t *in, *out; /* per node: directed edges that end and start there */
    uint64_t *bits;    /* adjacency as rows of `words`, where the graph is dense; or NULL */
    int64_t words;
    bool *arrow;                  /* by slot, as it is now */
    bool *at_start;               /* by slot, as it was when the rule began */
    const dpc_constraints *known; /* or NULL */
    bool strict; /* all nodes that are not adjacent count, for the class is decided */
    dpc_crew crew;
} orienting;

/* The slot of the same edge at its other end. */
static int64_t back(const orienting *o, int64_t e)
{
    return dpc_reverse(o->graph, o->places, e);
}

static bool undirected(const orienting *o, int64_t e)
{
    return o->arrow[e] && o->arrow[back(o, e)];
}

static bool directed(const orienting *o, int64_t e)
{
    return o->arrow[e] && !o->arrow[back(o, e)];
}

/* e = a→b: now directed from a to b, whatever it was. */
static void direct(orienting *o, int64_t e)
{
    int64_t r = back(o, e);
    int a = o->graph->node[r], b = o->graph->node[e];
    if (directed(o, e))
        return;
    if (directed(o, r)) {
        o->out[b]--;
        o->in[a]--;
    }
    o->out[a]++;
    o->in[b]++;
    o->arrow[e] = true;
    o->arrow[r] = false;
}

static bool adjacent(const orienting *o, int a, int b)
{
    if (o->bits != NULL)
        return o->bits[a * o->words + b / 64] >> (b % 64) & 1;
    return dpc_slot(o->graph, a, b) >= 0;
}

/* Are the two not adjacent, and does that say something? */
static bool apart(const orienting *o, int a, int b)
{
    return !adjacent(o, a, b) && (o->strict || !dpc_never(o->known, a, b));
}

/* The edges that background knowledge leaves one direction for. */
static void direct_known(orienting *o)
{
    const dpc_adjacency *g = o->graph;
    for (int a = 0; o->known != NULL && a < g->n; a++)
        for (int64_t e = g->start[a]; e < g->start[a + 1]; e++)
            if (dpc_must(o->known, a, g->node[e]))
                direct(o, e);
}

/* ---- V-structures ---- */

/* The pair x, z of neighbours of y, in slots ex and ez; nothing if it is no v-structure. */
static void collide(orienting *o, int y, int64_t ex, int64_t ez)
{
    int x = o->graph->node[ex], z = o->graph->node[ez];
    if (dpc_must(o->known, y, x) || dpc_must(o->known, y, z) || dpc_never(o->known, x, z) ||
        dpc_sepset_contains(o->sepsets, x, z, y))
        return;
    direct(o, back(o, ex));
    direct(o, back(o, ez));
}

/* y's turn: x → y ← z for all neighbours x, z that are not adjacent and that y does not separate.
 */
static void collide_at(orienting *o, int y)
{
    const dpc_adjacency *g = o->graph;
    for (int64_t ex = g->start[y]; ex < g->start[y + 1]; ex++) {
        int x = g->node[ex];
        if (o->bits == NULL) {
            for (int64_t ez = g->start[y]; ez < g->start[y + 1]; ez++)
                if (ez != ex && !adjacent(o, x, g->node[ez]))
                    collide(o, y, ex, ez);
            continue;
        }
        for (int64_t w = 0; w < o->words; w++) { /* 64 candidates at a glance */
            uint64_t left = o->bits[y * o->words + w] & ~o->bits[x * o->words + w];
            for (; left != 0; left &= left - 1) {
                int z = (int)(64 * w) + __builtin_ctzll(left);
                if (z != x)
                    collide(o, y, ex, dpc_slot(g, y, z));
            }
        }
    }
}

/* ---- Meek's rules ---- */

/* Each rule looks at one slot of an edge, asks the state now, and says whether it directed one. */
typedef bool rule(orienting *o, int64_t e, int a, int b);

/* a → b, b — c, a and c not adjacent ⇒ b → c. The slot is a→b. */
static bool rule_1(orienting *o, int64_t e, int a, int b)
{
    const dpc_adjacency *g = o->graph;
    bool changed = false;
    if (!directed(o, e))
        return false;
    for (int64_t f = g->start[b]; f < g->start[b + 1]; f++)
        if (undirected(o, f) && g->node[f] != a && apart(o, a, g->node[f])) {
            direct(o, f);
            changed = true;
        }
    return changed;
}

/* a — b, a → c → b ⇒ a → b. The slot is a→b. */
static bool rule_2(orienting *o, int64_t e, int a, int b)
{
    const dpc_adjacency *g = o->graph;
    if (!undirected(o, e) || o->out[a] == 0 || o->in[b] == 0)
        return false;
    for (int64_t f = g->start[a]; f < g->start[a + 1]; f++) {
        int64_t to_b = directed(o, f) ? dpc_slot(g, g->node[f], b) : -1;
        if (to_b >= 0 && directed(o, to_b)) {
            direct(o, e);
            return true;
        }
    }
    return false;
}

/* a — b, a — c → b, a — d → b, c and d not adjacent ⇒ a → b. The slot is a→b. */
static bool rule_3(orienting *o, int64_t e, int a, int b)
{
    const dpc_adjacency *g = o->graph;
    if (!undirected(o, e) || o->in[b] < 2)
        return false;
    for (int64_t f = g->start[a]; f < g->start[a + 1]; f++) {
        int c = g->node[f];
        int64_t cb = undirected(o, f) ? dpc_slot(g, c, b) : -1;
        if (cb < 0 || !directed(o, cb))
            continue;
        for (int64_t h = f + 1; h < g->start[a + 1]; h++) {
            int d = g->node[h];
            int64_t db = undirected(o, h) ? dpc_slot(g, d, b) : -1;
            if (db >= 0 && directed(o, db) && apart(o, c, d)) {
                direct(o, e);
                return true;
            }
        }
    }
    return false;
}

/* a — b, a — c → d → b, a and d adjacent, b and c not adjacent ⇒ a → b. The slot is a→b. */
static bool rule_4(orienting *o, int64_t e, int a, int b)
{
    const dpc_adjacency *g = o->graph;
    if (!undirected(o, e) || o->in[b] == 0)
        return false;
    for (int64_t h = g->start[a]; h < g->start[a + 1]; h++) {
        int d = g->node[h];
        int64_t db = o->in[d] > 0 ? dpc_slot(g, d, b) : -1;
        if (db < 0 || !directed(o, db))
            continue;
        for (int64_t f = g->start[a]; f < g->start[a + 1]; f++) {
            int c = g->node[f];
            int64_t cd = c != b && undirected(o, f) ? dpc_slot(g, c, d) : -1;
            if (cd >= 0 && directed(o, cd) && apart(o, b, c)) {
                direct(o, e);
                return true;
            }
        }
    }
    return false;
}

/*
 * Goes over the edges a→b column by column (b, then a) as they are when the rule begins:
 * directed ones for rule 1, undirected ones for the others.
 */
static bool apply(orienting *o, rule *apply_to, bool to_directed)
{
    const dpc_adjacency *g = o->graph;
    bool changed = false;
    memcpy(o->at_start, o->arrow, (size_t)dpc_slots(g) * sizeof *o->arrow);
    for (int b = 0; b < g->n; b++)
        for (int64_t e = g->start[b]; e < g->start[b + 1]; e++) {
            int64_t slot = back(o, e);
            if (o->at_start[slot] && o->at_start[e] == !to_directed)
                changed |= apply_to(o, slot, g->node[e], b);
        }
    return changed;
}

static dpc_status follow_rules(orienting *o, dpc_error *err)
{
    bool changed = true;
    while (changed) {
        changed = apply(o, rule_1, true);
        changed |= apply(o, rule_2, false);
        changed |= apply(o, rule_3, false);
        changed |= o->known != NULL && apply(o, rule_4, false);
        if (dpc_crew_stopped(&o->crew, 0))
            return dpc_fail(err, DPC_INTERRUPTED, "interrupted");
    }
    return DPC_OK;
}

static dpc_status orient(orienting *o, dpc_target target, dpc_error *err)
{
    if (target == DPC_SKELETON)
        return DPC_OK;
    direct_known(o);
    for (int y = 0; y < o->graph->n; y++) {
        collide_at(o, y);
        if (dpc_crew_stopped(&o->crew, 0))
            return dpc_fail(err, DPC_INTERRUPTED, "interrupted");
    }
    return target == DPC_CPDAG ? follow_rules(o, err) : DPC_OK;
}

/* The arrows of a graph over the skeleton, and all that the knowledge adds. */
static dpc_status orient_from(orienting *o, const dpc_graph *graph, dpc_target target,
                              dpc_error *err)
{
    for (int64_t i = 0; i < graph->n_edges; i++) {
        const dpc_edge *edge = &graph->edges[i];
        if (edge->mark == DPC_FORWARD)
            direct(o, dpc_slot(o->graph, edge->a, edge->b));
        else if (edge->mark == DPC_BACKWARD)
            direct(o, dpc_slot(o->graph, edge->b, edge->a));
    }
    direct_known(o);
    return target == DPC_CPDAG ? follow_rules(o, err) : DPC_OK;
}

/* ---- The result ---- */

static dpc_edge *list_edges(const orienting *o)
{
    const dpc_adjacency *g = o->graph;
    dpc_edge *edges = dpc_alloc(dpc_slots(g) / 2, sizeof *edges), *to = edges;
    for (int a = 0; edges != NULL && a < g->n; a++)
        for (int64_t e = g->start[a]; e < g->start[a + 1]; e++) {
            if (g->node[e] < a)
                continue;
            dpc_mark mark = undirected(o, e) ? DPC_UNDIRECTED
                            : o->arrow[e]    ? DPC_FORWARD
                                             : DPC_BACKWARD;
            *to++ = (dpc_edge){a, g->node[e], mark};
        }
    return edges;
}

/* In a dense graph a bit per pair is worth its memory; false: there is none. */
static bool fill_bits(orienting *o)
{
    const dpc_adjacency *g = o->graph;
    if (dpc_slots(g) < 64 * (int64_t)g->n)
        return true;
    o->words = ((int64_t)g->n + 63) / 64;
    o->bits = dpc_zalloc(o->words * g->n, sizeof *o->bits);
    if (o->bits == NULL)
        return false;
    for (int a = 0; a < g->n; a++)
        for (int64_t e = g->start[a]; e < g->start[a + 1]; e++)
            o->bits[a * o->words + g->node[e] / 64] |= UINT64_C(1) << (g->node[e] % 64);
    return true;
}

/* From v-structures, or from the graph `start` where that is not NULL. */
static dpc_status orient_all(const dpc_unoriented *task, const dpc_graph *start, dpc_graph *out,
                             dpc_error *err)
{
    const dpc_adjacency *skeleton = task->skeleton;
    const dpc_settings *settings = task->settings;
    int64_t slots = dpc_slots(skeleton);
    orienting o = {
        .graph = skeleton,
        .sepsets = task->sepsets,
        .places = dpc_reverse_places(skeleton),
        .in = dpc_zalloc(skeleton->n, sizeof(int32_t)),
        .out = dpc_zalloc(skeleton->n, sizeof(int32_t)),
        .arrow = dpc_alloc(slots, sizeof(bool)),
        .at_start = dpc_alloc(slots, sizeof(bool)),
        .known = task->known,
        .strict = start != NULL,
    };
    dpc_status status;
    dpc_crew_init(&o.crew, settings, DPC_STAGE_ORIENT);
    if (!o.places || !o.in || !o.out || !o.arrow || !o.at_start || !fill_bits(&o)) {
        status = dpc_fail_memory(err, "the orientation of the edges");
    } else {
        memset(o.arrow, true, (size_t)slots * sizeof *o.arrow);
        status = start != NULL ? orient_from(&o, start, settings->graph, err)
                               : orient(&o, settings->graph, err);
    }
    if (status == DPC_OK) {
        dpc_edge *edges = list_edges(&o);
        if (edges != NULL)
            *out = (dpc_graph){skeleton->n, slots / 2, edges};
        else
            status = dpc_fail_memory(err, "the list of edges");
    }
    free(o.places);
    free(o.in);
    free(o.out);
    free(o.bits);
    free(o.arrow);
    free(o.at_start);
    return status;
}

dpc_status dpc_orient_relaxed(const dpc_unoriented *task, dpc_graph *out, dpc_error *err)
{
    return orient_all(task, NULL, out, err);
}

dpc_status dpc_orient_further(const dpc_unoriented *task, dpc_graph *graph, dpc_error *err)
{
    dpc_graph further;
    dpc_status status = orient_all(task, graph, &further, err);
    if (status == DPC_OK) {
        dpc_graph_clear(graph);
        *graph = further;
    }
    return status;
}

dpc_status dpc_orient(const dpc_unoriented *task, dpc_oriented *result, dpc_error *err)
{
    const dpc_settings *settings = task->settings;
    if (settings->orient == DPC_RELAXED || settings->graph == DPC_SKELETON)
        return dpc_orient_relaxed(task, &result->graph, err);
    if (settings->orient == DPC_CONSISTENT)
        return dpc_orient_consistent(task, result, err);
    return dpc_orient_by_vote(task, result, err);
}

/*
 * Why an edge is an arrow.
 *
 * The reasons are found from the finished graph. Axioms are the v-structures: two arrows from nodes
 * that are not adjacent into a third one,
 *
 *   consistent, GES          all of them;
 *   majority, conservative   those that are not among the ambiguous triples;
 *   relaxed                  those whose separating set does not hold the third node. Of such a
 *                            v-structure a later one may have turned an arrow around; the other
 *                            arrow is an axiom all the same.
 *
 * All other arrows follow by Meek's rules. In rounds every arrow that some rule gives from arrows
 * of earlier rounds is taken; so chains are as short as they can be, and no arrow explains itself.
 * Of several rules the first is taken, of several premises those with the smallest labels.
 *
 * Rule 3 asks for a — c and a — d, undirected, when it acts; both may have got directions since.
 * What makes it right is that c → a ← d is no v-structure, and this is what is asked here. The same
 * holds for rule 4.
 *
 * With background knowledge its arrows are axioms too, and come first; and there is rule 4. Two
 * nodes that cannot be adjacent tell nothing about what is between them: no axiom and no rule rests
 * on them. The consistent rule alone cannot leave such a triple open: it counts for its rules, and
 * is an axiom where nothing else explains an arrow.
 *
 * Nodes are labels (labels.h), so that the chains do not depend on the places of the columns.
 */
#include "reasons.h"

#include "crew.h"
#include "error.h"
#include "graph.h"
#include "meek.h"
#include "memory.h"
#include "sepset.h"
#include "settings.h"

#include <math.h>

/* What sets an arrow. */
typedef struct step {
    int32_t round; /* -1: nothing is known */
    dpc_reason_kind kind;
    int32_t other[2];
} step;

typedef struct reasoning {
    const dpc_result *result;
    const dpc_settings *settings;
    const dpc_labels *labels;
    dpc_adjacency *graph;
    dpc_arrows arrows; /* all of them */
    bool *known;       /* by slot: the arrow is known from an earlier round */
    dpc_meek meek;
    step *steps;    /* by slot */
    int64_t *chain; /* slots of the answer */
    int length;
    int round;                   /* in progress */
    const dpc_constraints *sure; /* background knowledge; NULL: none */
    bool closed;                 /* triples that tell nothing are decided all the same */
    bool mute;                   /* their v-structures are axioms now */
} reasoning;

/* ---- Questions ---- */

static bool adjacent(const reasoning *o, int a, int b)
{
    return dpc_slot(o->graph, a, b) >= 0;
}

/* Are the two not adjacent, and does that say something? */
static bool apart(const reasoning *o, int a, int b)
{
    return !adjacent(o, a, b) && (o->closed || !dpc_never(o->sure, a, b));
}

static bool arrow(const reasoning *o, int a, int b)
{
    int64_t slot = dpc_slot(o->graph, a, b);
    return slot >= 0 && o->arrows.out[slot];
}

const dpc_triple *dpc_find_triple(const dpc_triple *triples, int64_t count, int x, int y, int z)
{
    dpc_triple key = {.x = x < z ? x : z, .y = y, .z = x < z ? z : x};
    return count > 0 ? bsearch(&key, triples, (size_t)count, sizeof key, dpc_by_nodes) : NULL;
}

/* The same for labels. */
static bool listed(const reasoning *o, const dpc_triple *triples, int64_t count, int x, int y,
                   int z)
{
    return dpc_find_triple(triples, count, dpc_column_of(o->labels, x), dpc_column_of(o->labels, y),
                           dpc_column_of(o->labels, z)) != NULL;
}

static bool ambiguous(const reasoning *o, int x, int y, int z)
{
    return listed(o, o->result->found.ambiguous, o->result->found.n_ambiguous, x, y, z);
}

static bool relaxed(const reasoning *o)
{
    return o->result->sepsets != NULL && o->settings->orient == DPC_RELAXED;
}

/* ---- V-structures ---- */

/* Do the separating sets want x → y ← z? */
static bool wanted(const reasoning *o, int x, int y, int z)
{
    return x != z && adjacent(o, y, z) && apart(o, x, z) && !dpc_must(o->sure, y, x) &&
           !dpc_must(o->sure, y, z) && !dpc_sepset_contains(o->result->sepsets, x, z, y);
}

/* The first w with from → to ← w as the separating sets want it, and w → to as `standing` says. */
static int find_wanted(const reasoning *o, int from, int to, bool standing)
{
    const int32_t *near = dpc_neighbours(o->graph, to);
    for (int i = 0; i < dpc_degree(o->graph, to); i++)
        if (arrow(o, near[i], to) == standing && wanted(o, from, to, near[i]))
            return near[i];
    return -1;
}

static bool find_relaxed(const reasoning *o, int from, int to, step *found)
{
    int z = find_wanted(o, from, to, true);
    found->kind = z >= 0 ? DPC_REASON_V_STRUCTURE : DPC_REASON_OVERWRITTEN;
    if (z < 0 && (z = find_wanted(o, from, to, false)) >= 0) {
        found->other[1] = find_wanted(o, to, z, true);
        if (found->other[1] < 0)
            found->other[1] = find_wanted(o, to, z, false);
    }
    found->other[0] = z;
    return z >= 0;
}

/* Those that the data speak for come before those that they speak against. */
static bool find_v_structure(const reasoning *o, int from, int to, step *found)
{
    const dpc_result *result = o->result;
    const int32_t *near = dpc_neighbours(o->graph, to);
    if (relaxed(o))
        return find_relaxed(o, from, to, found);
    found->kind = DPC_REASON_V_STRUCTURE;
    for (int i = 0; i < dpc_degree(o->graph, to); i++) {
        int z = near[i];
        if (z == from || !arrow(o, z, to) || !apart(o, from, z) || ambiguous(o, from, to, z) ||
            (dpc_never(o->sure, from, z) && !o->mute))
            continue;
        bool conflict = listed(o, result->found.conflicts, result->found.n_conflicts, from, to, z);
        if (found->other[0] < 0 || !conflict)
            found->other[0] = z;
        if (!conflict)
            break;
    }
    return found->other[0] >= 0;
}

/* ---- Meek's rules ---- */

/* Is y decided to be no collider between its neighbours in two slots? */
static bool is_noncollider(const void *context, int y, int64_t first, int64_t second)
{
    const reasoning *o = context;
    int x = o->graph->node[first], z = o->graph->node[second];
    return apart(o, x, z) && !ambiguous(o, x, y, z) &&
           !(dpc_arrow_in(&o->arrows, first) && dpc_arrow_in(&o->arrows, second));
}

static bool find_rule(const reasoning *o, int from, int64_t slot, step *found)
{
    static const dpc_reason_kind KINDS[DPC_MEEK_RULES] = {DPC_REASON_RULE_1, DPC_REASON_RULE_2,
                                                          DPC_REASON_RULE_3, DPC_REASON_RULE_4};
    int last = o->sure != NULL ? DPC_MEEK_RULES : 3;
    int rule = dpc_meek_find(&o->meek, last, from, slot, found->other);
    if (rule > 0)
        found->kind = KINDS[rule - 1];
    return rule > 0;
}

static bool find_known(const reasoning *o, int from, int to, step *found)
{
    found->kind = DPC_REASON_KNOWLEDGE;
    return dpc_must(o->sure, from, to);
}

/* What sets from → to, as far as this round goes. */
static bool find_step(const reasoning *o, int from, int64_t slot, step *found)
{
    int to = o->graph->node[slot];
    if (o->round == 0)
        return find_known(o, from, to, found) || find_v_structure(o, from, to, found);
    return (o->settings->graph == DPC_CPDAG && find_rule(o, from, slot, found)) ||
           (o->mute && find_v_structure(o, from, to, found));
}

/* One round over all arrows that are not known; false: nothing new. */
static bool run_round(reasoning *o)
{
    const dpc_adjacency *g = o->graph;
    bool any = false;
    for (int a = 0; a < g->n; a++)
        for (int64_t e = g->start[a]; e < g->start[a + 1]; e++) {
            step found = {.other = {-1, -1}};
            if (!o->arrows.out[e] || o->steps[e].round >= 0)
                continue;
            if (find_step(o, a, e, &found)) {
                found.round = o->round;
                o->steps[e] = found;
                any = true;
            }
        }
    for (int64_t e = 0; e < dpc_slots(g); e++)
        o->known[e] = o->steps[e].round >= 0;
    return any;
}

static dpc_status run_rounds(reasoning *o, int64_t asked, dpc_error *err)
{
    dpc_crew crew;
    dpc_crew_init(&crew, o->settings, DPC_STAGE_ORIENT);
    crew.progress.fraction = 1;
    bool any = run_round(o);
    while (o->steps[asked].round < 0) {
        if (!any || o->settings->graph != DPC_CPDAG) {
            if (!o->closed || o->mute)
                break;
            o->mute = true;
        }
        if (dpc_crew_stopped(&crew, 0))
            return dpc_fail(err, DPC_INTERRUPTED, "interrupted");
        o->round++;
        any = run_round(o);
    }
    return DPC_OK;
}

/* ---- The chain ---- */

/* Is it in the chain, itself or as the other arrow of a v-structure that is not of a later round?
 */
static bool in_chain(const reasoning *o, int64_t slot)
{
    int from = dpc_tail(&o->arrows, slot), to = o->graph->node[slot];
    for (int i = 0; i < o->length; i++) {
        const step *s = &o->steps[o->chain[i]];
        if (o->chain[i] == slot ||
            (s->kind == DPC_REASON_V_STRUCTURE && s->other[0] == from &&
             o->graph->node[o->chain[i]] == to && s->round <= o->steps[slot].round))
            return true;
    }
    return false;
}

static void add(reasoning *o, int a, int b)
{
    int64_t slot = dpc_slot(o->graph, a, b);
    if (!in_chain(o, slot))
        o->chain[o->length++] = slot;
}

/* The arrow and all that it follows from, in no order. */
static void collect(reasoning *o, int64_t asked)
{
    o->chain[o->length++] = asked;
    for (int i = 0; i < o->length; i++) {
        int64_t slot = o->chain[i];
        const step *s = &o->steps[slot];
        int from = dpc_tail(&o->arrows, slot), to = o->graph->node[slot];
        if (s->kind == DPC_REASON_RULE_1)
            add(o, s->other[0], from);
        if (s->kind == DPC_REASON_RULE_2)
            add(o, from, s->other[0]);
        if (s->kind == DPC_REASON_RULE_2 || s->kind == DPC_REASON_RULE_3)
            add(o, s->other[0], to);
        if (s->kind == DPC_REASON_RULE_4)
            add(o, s->other[0], s->other[1]);
        if (s->kind == DPC_REASON_RULE_3 || s->kind == DPC_REASON_RULE_4)
            add(o, s->other[1], to);
    }
}

/* By the round, then by the slot. Chains are short. */
static void sort_chain(reasoning *o)
{
    for (int i = 1; i < o->length; i++) {
        int64_t slot = o->chain[i];
        int j = i;
        for (; j > 0; j--) {
            int64_t before = o->chain[j - 1];
            int32_t round = o->steps[before].round;
            if (round < o->steps[slot].round || (round == o->steps[slot].round && before < slot))
                break;
            o->chain[j] = before;
        }
        o->chain[j] = slot;
    }
}

static int to_column(const reasoning *o, int label)
{
    return label >= 0 ? dpc_column_of(o->labels, label) : -1;
}

static dpc_status answer(reasoning *o, int64_t asked, dpc_reason **out, int *count, dpc_error *err)
{
    if (o->steps[asked].round < 0)
        o->steps[asked] = (step){.kind = DPC_REASON_CONFLICT, .other = {-1, -1}};
    collect(o, asked);
    sort_chain(o);
    dpc_reason *reasons = dpc_alloc(o->length, sizeof *reasons);
    if (reasons == NULL)
        return dpc_fail_memory(err, "the reasons of an arrow");
    for (int i = 0; i < o->length; i++) {
        const step *s = &o->steps[o->chain[i]];
        int from = to_column(o, dpc_tail(&o->arrows, o->chain[i]));
        int to = to_column(o, o->graph->node[o->chain[i]]);
        reasons[i] = (dpc_reason){
            .kind = s->kind,
            .from = from,
            .to = to,
            .other = {to_column(o, s->other[0]), to_column(o, s->other[1])},
            .known = s->kind == DPC_REASON_KNOWLEDGE
                         ? dpc_knowledge_why(o->settings->knowledge, from, to)
                         : DPC_KNOWN_NOTHING,
            .evidence = NAN,
        };
    }
    *out = reasons;
    *count = o->length;
    return DPC_OK;
}

/* ---- The graph in labels ---- */

static dpc_status build(reasoning *o)
{
    const dpc_graph *given = &o->result->found.graph;
    dpc_status status = dpc_adjacency_of(given, o->labels, &o->graph);
    if (status == DPC_OK)
        status = dpc_arrows_init(o->graph, &o->arrows);
    if (status != DPC_OK)
        return status;
    int64_t slots = dpc_slots(o->graph);
    o->known = dpc_zalloc(slots, sizeof *o->known);
    o->steps = dpc_alloc(slots, sizeof *o->steps);
    o->chain = dpc_alloc(slots, sizeof *o->chain);
    if (!o->known || !o->steps || !o->chain)
        return DPC_NO_MEMORY;
    dpc_arrows_copy(&o->arrows, given, o->labels);
    for (int64_t e = 0; e < slots; e++)
        o->steps[e].round = -1;
    o->meek = (dpc_meek){
        .arrows = &o->arrows,
        .premise = o->known,
        .noncollider = is_noncollider,
        .context = o,
        .finished = true,
    };
    return DPC_OK;
}

dpc_status dpc_reasons(const dpc_result *result, const dpc_settings *settings, int from, int to,
                       dpc_reason **out, int *count, dpc_error *err)
{
    const dpc_labels none = {0};
    const dpc_labels *labels = result->sepsets != NULL ? &result->sepsets->labels : &none;
    reasoning o = {
        .result = result,
        .settings = settings,
        .labels = labels,
        .sure = result->sepsets != NULL ? result->sepsets->known : NULL,
    };
    o.closed = o.sure != NULL && settings->orient == DPC_CONSISTENT;
    dpc_status status = build(&o);
    int64_t asked = -1;
    if (status != DPC_OK)
        dpc_fail_memory(err, "the reasons of an arrow");
    if (status == DPC_OK) {
        asked = dpc_slot(o.graph, dpc_label_of(o.labels, from), dpc_label_of(o.labels, to));
        status = run_rounds(&o, asked, err);
    }
    if (status == DPC_OK)
        status = answer(&o, asked, out, count, err);
    dpc_arrows_clear(&o.arrows);
    dpc_adjacency_free(o.graph);
    free(o.known);
    free(o.steps);
    free(o.chain);
    return status;
}

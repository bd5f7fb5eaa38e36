/*
 * Why an edge is an arrow: the chain of reasons that it follows from.
 *
 * Every arrow has its provenance, the last step of its strongest chain (provenance.c), found with
 * the graph. The chain of an arrow is its own last step, those of the arrows in it, and so on.
 * Where nothing was weighed, as by GES, they are found here, from the finished graph: its
 * v-structures and Meek's rules, with all triples of the same weight. Then chains are as short as
 * they can be.
 */
#include "reasons.h"

#include "arena.h"
#include "graph.h"
#include "provenance.h"
#include "status.h"

#include <math.h>

typedef struct reasoning {
    const dpc_provenance *provenance; /* sorted */
    int64_t count;
    bool *taken; /* by ground: it is in the chain */
    const dpc_provenance **chain;
    int length;
} reasoning;

/* ---- Grounds where nothing was weighed ---- */

static dpc_status find_grounds(const dpc_result *result, const dpc_settings *settings,
                               dpc_provenance **out, int64_t *count, dpc_error *err)
{
    const dpc_graph *graph = &result->found.graph;
    dpc_adjacency *skeleton = NULL;
    dpc_triples triples = {0};
    dpc_mixed arrows = {0};
    dpc_status status = dpc_adjacency_of(graph, NULL, &skeleton);
    if (status == DPC_OK)
        status = dpc_triples_init(skeleton, NULL, &triples);
    if (status == DPC_OK)
        status = dpc_mixed_init(skeleton, &arrows);
    if (status != DPC_OK)
        dpc_fail_memory(err, "the reasons of an arrow");
    if (status == DPC_OK) {
        dpc_unoriented task = {.skeleton = skeleton, .settings = settings, .known = result->known};
        dpc_mixed_copy(&arrows, graph, NULL);
        dpc_mark_decided(&arrows, &triples);
        status = dpc_trace_provenance(&task, &triples, graph, out, count, err);
    }
    for (int64_t i = 0; status == DPC_OK && i < *count; i++)
        (*out)[i].link = DPC_NO_LINK;
    dpc_mixed_clear(&arrows);
    dpc_triples_clear(&triples);
    dpc_adjacency_free(skeleton);
    return status;
}

/* ---- The chain ---- */

/* Does the chain have the v-structure that gives this arrow, for its other one? */
static bool is_given(const reasoning *o, const dpc_provenance *ground)
{
    const dpc_provenance *twin =
        ground->kind == DPC_REASON_V_STRUCTURE
            ? dpc_find_provenance(o->provenance, o->count, ground->other[0], ground->to)
            : NULL;
    return twin != NULL && twin->kind == DPC_REASON_V_STRUCTURE && twin->other[0] == ground->from &&
           o->taken[twin - o->provenance];
}

static void add(reasoning *o, int from, int to)
{
    const dpc_provenance *ground = dpc_find_provenance(o->provenance, o->count, from, to);
    if (ground == NULL || o->taken[ground - o->provenance] || is_given(o, ground))
        return;
    o->taken[ground - o->provenance] = true;
    o->chain[o->length++] = ground;
}

/* The arrow and all that it follows from, in no order. */
static void collect(reasoning *o, int from, int to)
{
    add(o, from, to);
    for (int i = 0; i < o->length; i++) {
        const dpc_provenance *g = o->chain[i];
        if (g->kind == DPC_REASON_RULE_1)
            add(o, g->other[0], g->from);
        if (g->kind == DPC_REASON_RULE_2)
            add(o, g->from, g->other[0]);
        if (g->kind == DPC_REASON_RULE_2 || g->kind == DPC_REASON_RULE_3)
            add(o, g->other[0], g->to);
        if (g->kind == DPC_REASON_RULE_4)
            add(o, g->other[0], g->other[1]);
        if (g->kind == DPC_REASON_RULE_3 || g->kind == DPC_REASON_RULE_4)
            add(o, g->other[1], g->to);
    }
}

/* Premises first. */
static int by_turn(const void *left, const void *right)
{
    const dpc_provenance *a = *(const dpc_provenance *const *)left,
                         *b = *(const dpc_provenance *const *)right;
    return (a->turn > b->turn) - (a->turn < b->turn);
}

static dpc_reason reason_of(const dpc_provenance *g, const dpc_settings *settings)
{
    return (dpc_reason){
        .kind = g->kind,
        .from = g->from,
        .to = g->to,
        .other = {g->other[0], g->other[1]},
        .known = g->kind == DPC_REASON_KNOWLEDGE
                     ? dpc_knowledge_why(settings->knowledge, g->from, g->to)
                     : DPC_KNOWN_NOTHING,
        .evidence = g->link != DPC_NO_LINK ? (double)g->link / DPC_WEIGHT_ONE : NAN,
    };
}

static dpc_status answer(reasoning *o, const dpc_settings *settings, int from, int to,
                         dpc_reason **out, int *count, dpc_error *err)
{
    collect(o, from, to);
    qsort(o->chain, (size_t)o->length, sizeof *o->chain, by_turn);
    dpc_reason *reasons = dpc_alloc(o->length, sizeof *reasons);
    if (reasons == NULL)
        return dpc_fail_memory(err, "the reasons of an arrow");
    for (int i = 0; i < o->length; i++)
        reasons[i] = reason_of(o->chain[i], settings);
    *out = reasons;
    *count = o->length;
    return DPC_OK;
}

dpc_status dpc_reasons(const dpc_result *result, const dpc_settings *settings, int from, int to,
                       dpc_reason **out, int *count, dpc_error *err)
{
    dpc_provenance *made = NULL;
    reasoning o = {.provenance = result->found.provenance, .count = result->found.n_provenance};
    dpc_status status = DPC_OK;
    if (o.provenance == NULL) {
        status = find_grounds(result, settings, &made, &o.count, err);
        o.provenance = made;
    }
    dpc_arena arena = {0};
    o.taken = dpc_arena_zalloc(&arena, o.count, sizeof *o.taken);
    o.chain = dpc_arena_alloc(&arena, o.count, sizeof *o.chain);
    if (status == DPC_OK && dpc_arena_failed(&arena))
        status = dpc_fail_memory(err, "the reasons of an arrow");
    if (status == DPC_OK)
        status = answer(&o, settings, from, to, out, count, err);
    free(made);
    dpc_arena_clear(&arena);
    return status;
}

/*
 * The rules of PAGs at work, from inside: shared by pag_rules.c, which has the rules of triples and
 * triangles and their order, and pag_paths.c, which has those that look for paths.
 */
#ifndef DPC_PAG_STATE_H
#define DPC_PAG_STATE_H

#include "arena.h"
#include "pag_rules.h"

typedef struct dpc_pag_state {
    const dpc_pag_rules *rules;
    dpc_mixed *graph;
    /* What the rule under way has found, written when it is through: */
    uint8_t *found;      /* by slot: the mark for its end; 0: none */
    int64_t *found_slot; /* the slots that have one */
    int64_t n_found;
    /* Nodes at an edge that has changed: since the round before this one, and since this one. */
    bool *stirred, *stirred_next;
    int32_t *some; /* nodes of one question; n */
    /* Walks over slots: */
    uint8_t *seen;  /* by slot; all 0 between walks */
    int64_t *queue; /* slots */
    int64_t *from;  /* by slot: the one before it; -1: the first */
    bool *on_path;  /* by node; all false between walks */
    /* Depth first: the slots of the path, and for each the next slot to try; n. */
    int64_t *stack, *level;
    uint8_t *reach; /* R9, R10: a row of n for each neighbour of one node */
} dpc_pag_state;

/* An end gets a mark, for a rule and its premises, if it is a circle. */
void dpc_pag_find(dpc_pag_state *state, int64_t slot, dpc_end mark, uint8_t rule, int o0, int o1,
                  int o2, int o3);

/* Is u — v — w an unshielded triple of which it is known what v is? */
static inline bool dpc_pag_uncovered(const dpc_pag_state *s, int u, int v, int w)
{
    if (u == w || dpc_slot(s->graph->graph, u, w) >= 0)
        return false;
    return !s->rules->some_open ||
           s->rules->judge(s->rules->context, u, u, v, w) != DPC_STATUS_OPEN;
}

/* The mark at the end of a slot a→b, at b; and at its beginning, at a. */
static inline uint8_t dpc_mark_at(const dpc_pag_state *s, int64_t slot)
{
    return s->graph->end[slot];
}

static inline uint8_t dpc_mark_before(const dpc_pag_state *s, int64_t slot)
{
    return s->graph->end[dpc_back(s->graph, slot)];
}

/* pag_paths.c: what these rules find in the graph as it is. */
void dpc_pag_rule_4(dpc_pag_state *state);
void dpc_pag_rule_5(dpc_pag_state *state);
void dpc_pag_rules_9_10(dpc_pag_state *state);

#endif

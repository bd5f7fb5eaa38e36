/*
 * Background knowledge as the user said it, in columns: which edges there cannot be, which there
 * must be, and which variables come before which. What follows from it for a search is in
 * constraints.h.
 */
#ifndef DPC_KNOWLEDGE_H
#define DPC_KNOWLEDGE_H

#include "dualpc_explain.h"

enum { DPC_MAX_TIERS = 1 << 16 };

/* What may be said of a tier, as bits. */
enum {
    DPC_TIER_WITHIN = 1, /* no edges between its members */
    DPC_TIER_NEXT = 2,   /* its members have no edges to tiers after the next */
};

struct dpc_knowledge {
    int n;
    int64_t words;                  /* of a row of bits */
    uint64_t *forbidden, *required; /* a bit per ordered pair, as it was said */
    int32_t *tier;                  /* per variable; -1: none */
    uint8_t *flags;                 /* DPC_MAX_TIERS of them, by tier */
    int32_t *stack, *seen, rounds;  /* for leads_to */
};

/*
 * One statement more. NULL: it holds now; otherwise why it cannot, and nothing has changed. All
 * numbers must be in their ranges.
 */
const char *dpc_know_forbidden(dpc_knowledge *knowledge, int from, int to);
const char *dpc_know_required(dpc_knowledge *knowledge, int from, int to);
const char *dpc_know_tier(dpc_knowledge *knowledge, int variable, int tier);
const char *dpc_know_flags(dpc_knowledge *knowledge, int tier, uint8_t flags);

/*
 * A copy of settings that may outlive what they were made from: with knowledge of its own, and
 * without the callback and the ranks. Free with dpc_settings_release.
 */
dpc_status dpc_settings_keep(const dpc_settings *settings, dpc_settings *out, dpc_error *err);
void dpc_settings_release(dpc_settings *settings);

dpc_status dpc_knowledge_copy(const dpc_knowledge *knowledge, dpc_knowledge **out, dpc_error *err);

/* Is it about so many variables? DPC_USAGE where not; NULL is about any. */
dpc_status dpc_knowledge_check(const dpc_knowledge *knowledge, int n_vars, dpc_error *err);

/*
 * Is the same known of two variables: are they in the same tier, is nothing known of an edge
 * between them, and is the same known of the edges of both with every other one?
 */
bool dpc_knowledge_same(const dpc_knowledge *knowledge, int a, int b);

/* Why an arrow from → to, columns, has no other direction; or why there is no edge at all. */
dpc_known_kind dpc_knowledge_why(const dpc_knowledge *knowledge, int from, int to);

#endif

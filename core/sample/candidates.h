/*
 * Which other variables may be parents of each: its candidates.
 *
 * Where all that knowledge allows are no more than K, these are. Otherwise K of them: graphs are
 * learned from resamples of the data (refine fast) and one from the data themselves (refine full),
 * and u is the better for v
 *
 *     the more of the resamples join u and v, two being added where the one graph does, and one
 *     more where u is a parent of v in a DAG of it,
 *     the larger |r|, the smaller its label.
 *
 * Parents that knowledge requires come first, and are always among them; what it forbids is not.
 * What was drawn with such candidates tells how probable they are, and what is left out
 * (plus_one.h): the more probable ones then take the places of others.
 *
 * Constant columns are candidates for none, and have none. Nodes are labels.
 */
#ifndef DPC_SAMPLE_CANDIDATES_H
#define DPC_SAMPLE_CANDIDATES_H

#include "canonical.h"
#include "space.h"

typedef struct dpc_candidate_plan {
    const dpc_table *table; /* NULL: resamples are drawn from the normal distribution */
    const dpc_correlation *correlation;
    const dpc_labels *labels;
    const dpc_constraints *known; /* in labels; or NULL */
    const dpc_settings *settings; /* as they were given, whole; not resolved, no ranks */
    int most;                     /* K */
    double most_parents;          /* that a family with weight has: see dpc_marginal_most */
    int resamples;
    double end; /* of the time for all of it, by dpc_seconds_roughly; 0: there is none */
} dpc_candidate_plan;

typedef struct dpc_candidates {
    dpc_candidate_sets sets;
    dpc_graph refined; /* a DAG of the graph by refine full, in labels; owned */
    bool has_refined;  /* there is one */
    bool complete;     /* the time was enough */
} dpc_candidates;

/* Does knowledge allow u → v, and do both vary? What is required is always allowed. */
bool dpc_may_be_candidate(const dpc_candidate_plan *plan, int u, int v);

/* Before any work: are there no more required parents than K? *all: is nothing to be chosen?
 * counts: how many candidates each node will have. */
dpc_status dpc_candidates_check(const dpc_candidate_plan *plan, bool *all, int32_t *counts,
                                dpc_error *err);

/* End with dpc_candidates_clear, also after a failure. */
dpc_status dpc_candidates_find(const dpc_candidate_plan *plan, dpc_candidates *out, dpc_error *err);
void dpc_candidates_clear(dpc_candidates *candidates);

/*
 * Other candidates in the place of those that are less probable: `mean` has what the candidates
 * have, by their places, and outside[child * n + parent] the others. Those with a bit in keep[v]
 * stay. *changed: there is one. DPC_OK or no memory.
 */
dpc_status dpc_candidates_exchange(const dpc_candidate_plan *plan, const double *mean,
                                   const double *outside, const uint32_t *keep,
                                   dpc_candidate_sets *sets, bool *changed);

#endif

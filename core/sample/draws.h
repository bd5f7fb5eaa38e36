/*
 * The DAGs that were drawn, and what is read from all of them: their classes, ancestors, and how
 * well the chains have mixed. Nodes are labels.
 */
#ifndef DPC_SAMPLE_DRAWS_H
#define DPC_SAMPLE_DRAWS_H

#include "constraints.h"
#include "crew.h"
#include "equivalence.h"
#include "space.h"
#include "weighted_graphs.h"

/* Draw d of chain c has the place c * draws + d. */
struct dpc_sampled {
    int n;
    dpc_labels labels;       /* owned */
    dpc_candidate_sets sets; /* owned */
    int chains, draws;       /* of each chain */
    uint32_t *parents; /* by place, then node: its parents, as bits of its candidates; owned */
    int32_t *order;    /* by place: the nodes, parents before children; owned */
};

typedef struct dpc_sampled dpc_sampled;

/* Room for so many draws. DPC_OK or no memory. Free with dpc_sampled_free. */
dpc_status dpc_sampled_new(const dpc_candidate_sets *sets, int chains, int draws,
                           dpc_sampled **out);
void dpc_sampled_free(dpc_sampled *sampled);

/* Keeps the first draws of each chain, and gives back the memory of the others. */
void dpc_sampled_cut(dpc_sampled *sampled, int draws);

static inline int64_t dpc_draw_place(const dpc_sampled *sampled, int chain, int draw)
{
    return (int64_t)chain * sampled->draws + draw;
}

static inline int64_t dpc_all_draws(const dpc_sampled *sampled)
{
    return (int64_t)sampled->chains * sampled->draws;
}

/* Arrays for a DAG by its parents; belongs to one worker. */
typedef struct dpc_dag_room {
    int64_t *start;
    int32_t *parent;
    int32_t *left; /* n: scratch */
} dpc_dag_room;

/* For DAGs of these candidates, or any with as many edges. From the arena; false: no memory. */
bool dpc_dag_room_init(dpc_dag_room *room, dpc_arena *arena, const dpc_candidate_sets *sets);

/* The DAG with these parents, which needs an order. */
dpc_parents dpc_dag_of_masks(const dpc_candidate_sets *sets, const uint32_t *masks,
                             dpc_dag_room *room);

/* A draw as a DAG, with its order. */
dpc_parents dpc_draw_dag(const dpc_sampled *sampled, int64_t place, dpc_dag_room *room);

/* Notes a draw: its parents, and an order of them. Returns the number of its edges. */
int dpc_sampled_put(dpc_sampled *sampled, int64_t place, const uint32_t *masks, dpc_dag_room *room);

/*
 * The classes of all draws as graphs in columns, each of weight 1, by their places; with knowledge
 * (in labels; or NULL) what it adds to them. DPC_OK, no memory or interrupted. End with
 * dpc_weighted_graphs_clear, also after a failure.
 */
dpc_status dpc_draw_classes(const dpc_sampled *sampled, const dpc_constraints *known,
                            dpc_crew *crew, dpc_weighted_graphs *out, dpc_error *err);

/* In how many draws a is an ancestor of b: count[a * n + b]. DPC_OK, no memory or interrupted. */
dpc_status dpc_count_ancestors(const dpc_sampled *sampled, dpc_crew *crew, int32_t *count,
                               dpc_error *err);

/* R-hat and effective draws of each candidate parent, by the places of the candidate sets. DPC_OK,
 * no memory or interrupted. */
dpc_status dpc_mixing_of_edges(const dpc_sampled *sampled, dpc_crew *crew, double *rhat,
                               double *ess, dpc_error *err);

#endif

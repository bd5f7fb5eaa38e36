/*
 * The inside of the exact draws (exact_draws.h): what follows on a pair (A, R), for all that goes
 * through the layers.
 */
#ifndef DPC_SAMPLE_LAYERS_H
#define DPC_SAMPLE_LAYERS_H

#include "exact_draws.h"
#include "shared.h"

enum { DPC_MOST_LAYERS_NEXT = 1 << DPC_MOST_LAYERED };

struct dpc_exact_draws {
    const dpc_space *space;
    int n;
    uint32_t all;    /* nodes, as bits */
    uint16_t *mask;  /* by node, then set of nodes: what of the set are its candidates */
    uint32_t *place; /* by set of nodes: Σ 3^i; a pair (A, R) is at place[A] + place[R] */
    int64_t pairs;   /* 3^n */
    double *value;   /* by pair: log V */
    double total;
    dpc_arena memory;
};

/* What may follow on the pair (A, R). */
typedef struct dpc_layer {
    uint32_t before, last;               /* A, R */
    uint32_t rest;                       /* nodes left */
    double log_weight[DPC_MOST_LAYERED]; /* by node of the rest: log [Z_v(A) - Z_v(A \ R)] … */
    double share[DPC_MOST_LAYERED];      /* … and what it is of Z_v(A) */
} dpc_layer;

/* A pass over the sets of nodes, size after size. */
typedef struct dpc_layer_pass {
    dpc_crew *crew;
    double from, all, done; /* its part of the progress, and how much of that is done */
    uint32_t *sets;         /* of the present size */
    int64_t count;
} dpc_layer_pass;

dpc_layer dpc_layer_after(const dpc_exact_draws *draws, uint32_t before, uint32_t last);

/*
 * The log weights of all next layers, in the order of dpc_next_within from the first nonempty one;
 * the i-th, from 1 on, is that of the nodes whose places within the rest are the bits of i. Returns
 * the highest.
 */
double dpc_weigh_layers(const dpc_exact_draws *draws, const dpc_layer *layer, double *log_weight);

/* Begins a pass; its list of sets is the arena's. False: no memory. */
bool dpc_layer_pass_begin(dpc_layer_pass *pass, const dpc_exact_draws *draws, dpc_crew *crew,
                          dpc_arena *arena);

/* Runs a task for each set A of a size; false: it was called off. */
bool dpc_layer_pass_run(dpc_layer_pass *pass, const dpc_exact_draws *draws, int size, dpc_task task,
                        void *context);

/* What of a set of nodes are candidates of v, as bits of these. */
static inline uint32_t dpc_layer_candidates(const dpc_exact_draws *draws, int v, uint32_t nodes)
{
    return draws->mask[((int64_t)v << draws->n) + nodes];
}

static inline int64_t dpc_pair_place(const dpc_exact_draws *draws, uint32_t before, uint32_t last)
{
    return (int64_t)draws->place[before] + draws->place[last];
}

#endif

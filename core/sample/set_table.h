/*
 * The tables of one node: for every set of its candidates its score and weight, and the sum of the
 * weights of all sets within it.
 *
 * Weights e^L range over more than a double does where there are many rows. So a number is a double
 * v and a level l, and stands for v 2^(-512 l) e^best, where `best` is the highest score. The
 * largest weight that it was summed from has v in (2^-512, 1]; what is more than one level below
 * another is nothing beside it.
 *
 * The bits of a set are split in two: the low half and the high half. `half` has, for every set M
 * of low bits and every set S of high ones, the sum over all sets that are S and something within
 * M: with these, a set within a given one is drawn in two short scans (set_draw.h).
 */
#ifndef DPC_SAMPLE_SET_TABLE_H
#define DPC_SAMPLE_SET_TABLE_H

#include "marginal.h"
#include "stats.h"

/* A level is this factor in weights, and so much in scores: 512 log 2. */
#define DPC_LEVEL     0x1p-512
#define DPC_LEVEL_LOG 354.89135644669199

/* The level of a number that is 0. */
enum { DPC_NO_LEVEL = UINT16_MAX };

/* Numbers by set. */
typedef struct dpc_levelled {
    double *value;
    uint16_t *level;
} dpc_levelled;

typedef struct dpc_set_table {
    int k, low;          /* candidates; of these, in the low half */
    uint32_t required;   /* candidates that are in every set with weight */
    double best;         /* the highest score */
    double *score;       /* L by set; -INFINITY: it has no weight */
    double *log_sum;     /* log of the sum of e^L over all sets within a set */
    dpc_levelled weight; /* e^L by set */
    dpc_levelled sum;    /* over all sets within a set */
    dpc_levelled half;   /* at M << (k - low) | S; see above */
    double least;        /* the least variance that a set leaves of the node, 1 the whole */
    void *memory;        /* of all of these; owned */
} dpc_set_table;

/* What a table is made from. */
typedef struct dpc_set_source {
    const dpc_stats *stats;
    const dpc_marginal *marginal;
    int v;
    const int32_t *candidate; /* k of them, ascending */
    int k;
    uint32_t required; /* as bits of these */
} dpc_set_source;

/* The bytes of a table. */
double dpc_set_table_memory(int k);

/* DPC_OK or no memory; to be cleared in either case. */
dpc_status dpc_set_table_init(dpc_set_table *table, const dpc_set_source *source);
void dpc_set_table_clear(dpc_set_table *table);

static inline uint32_t dpc_all_of(const dpc_set_table *table)
{
    return (UINT32_C(1) << table->k) - 1;
}

/* The next set within a set, 0 after the last. */
static inline uint32_t dpc_next_within(uint32_t set, uint32_t within)
{
    return (set - within) & within;
}

/* The value of a number at a level that is not above its own. */
static inline double dpc_at_level(dpc_levelled numbers, int64_t place, int level)
{
    int below = numbers.level[place] - level;
    double value = numbers.value[place];
    return below == 0 ? value : below == 1 ? value * DPC_LEVEL : 0;
}

#endif

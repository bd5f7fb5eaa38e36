/*
 * The separating sets, kept small.
 *
 * Most absent edges are separated at level 0: these have no record at all, only one bit where the
 * full-order test did it. An edge removed later has a record with the subset K that was
 * enumerated. A set that is "all neighbours of one end but the other end and K" is not written
 * out: the neighbour lists of that level are kept instead, once for all.
 */
#ifndef DPC_SEPSET_H
#define DPC_SEPSET_H

#include "adjacency.h"

/* How a set follows from the enumerated subset; the first ones are the public kinds. */
enum {
    DPC_SEP_PRIMAL_COMPLEMENT = DPC_SEP_DUAL + 1, /* a primal set, written as all but K */
};

typedef struct dpc_record {
    int32_t a, b; /* a < b */
    int32_t level;
    int32_t from;  /* a or b: whose neighbours */
    int32_t kept;  /* neighbour lists that K is the complement in; -1: the subset is the set */
    int32_t count; /* |K| */
    uint8_t kind;  /* dpc_sep_kind, or DPC_SEP_PRIMAL_COMPLEMENT */
    int64_t at;    /* K in the pool */
    double r;
} dpc_record;

typedef struct dpc_sepsets {
    int n;
    dpc_record *records; /* sorted by a, then b, once dpc_sepsets_sort has run */
    int64_t n_records, record_capacity;
    int32_t *pool;
    int64_t pool_used, pool_capacity;
    dpc_adjacency **kept; /* neighbour lists, owned */
    int n_kept;
    uint64_t *full_order; /* a bit per ordered pair, rows of `words`; NULL: test not made */
    int64_t words;
    double *precision; /* scaled inverse of R, where asked to keep it */
} dpc_sepsets;

dpc_sepsets *dpc_sepsets_new(int n);
void dpc_sepsets_free(dpc_sepsets *sets);

/* Makes room for the full-order bits. */
bool dpc_sepsets_start_full_order(dpc_sepsets *sets);

/* Takes over the neighbour lists of a level; returns their number, or -1 without memory. */
int dpc_sepsets_keep(dpc_sepsets *sets, dpc_adjacency *graph);

/* Adds a record and its subset; false: no memory. */
bool dpc_sepsets_add(dpc_sepsets *sets, dpc_record record, const int32_t *subset);

void dpc_sepsets_sort(dpc_sepsets *sets);

static inline void dpc_mark_full_order(dpc_sepsets *sets, int a, int b)
{
    sets->full_order[a * sets->words + b / 64] |= UINT64_C(1) << (b % 64);
}

static inline bool dpc_is_full_order(const dpc_sepsets *sets, int a, int b)
{
    return sets->full_order != NULL &&
           (sets->full_order[a * sets->words + b / 64] >> (b % 64) & 1) != 0;
}

/* The record of a pair removed after level 0, or NULL. */
const dpc_record *dpc_sepsets_find(const dpc_sepsets *sets, int a, int b);

/* Is v in the set that separated the non-adjacent a and b? */
bool dpc_sepset_contains(const dpc_sepsets *sets, int a, int b, int v);

/* Writes the set of a record, ascending, and returns its size; `members` may be NULL. */
int dpc_record_members(const dpc_sepsets *sets, const dpc_record *record, int32_t *members);

#endif

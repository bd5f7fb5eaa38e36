/*
 * The separating sets, kept small.
 *
 * Most absent edges are separated at level 0: these have no record at all, only one bit where the
 * full-order test did it. An edge removed later has a record with the subset K that was
 * enumerated. A set that is "all neighbours of one end but the other end and K" is not written
 * out: the neighbour lists of that level are kept instead, once for all. Where background knowledge
 * has tiers, "all neighbours" are those that sets for the pair may hold.
 */
#ifndef DPC_SEPSET_H
#define DPC_SEPSET_H

#include "constraints.h"
#include "dualpc_explain.h"
#include "view.h"

/* How a set follows from the enumerated subset; the first ones are the public kinds. */
enum {
    DPC_SEP_PRIMAL_COMPLEMENT = DPC_SEP_FORBIDDEN + 1, /* a primal set, written as all but K */
};

typedef struct dpc_record {
    int32_t a, b; /* a < b */
    double r;
    uint64_t at : 40;    /* K in the pool */
    uint64_t count : 19; /* |K| */
    uint64_t kind : 4;   /* dpc_sep_kind, or DPC_SEP_PRIMAL_COMPLEMENT */
    uint64_t from_b : 1; /* the neighbours are those of b, rather than of a */
} dpc_record;

/* The records of one level, sorted by a, then b. */
typedef struct dpc_batch {
    int level;
    int64_t first, count;
    dpc_adjacency *graph; /* the neighbour lists that sets are complements in; NULL: K is the set */
} dpc_batch;

/* x found a set against y after y had found one against x. */
typedef struct dpc_drop {
    int32_t x, y, level;
} dpc_drop;

typedef struct dpc_sepsets {
    int n;
    dpc_record *records; /* never NULL, and neither is the pool */
    int64_t n_records, record_capacity;
    int32_t *pool;
    int64_t pool_used, pool_capacity;
    dpc_batch *batches; /* of the levels 1, 2, … */
    int n_batches;
    /* AND rule: the drops that have no record, where the lists of a level are not kept. */
    dpc_drop *drops;
    int64_t n_drops, drop_capacity;
    uint64_t *full_order; /* a bit per ordered pair, rows of `words`; NULL: test not made */
    int64_t words;
    int64_t *full_rows;     /* N of the full-order tests, by limit */
    double *precision;      /* scaled inverse of R, where asked to keep it */
    int32_t *alike;         /* see dpc_representatives; owned; or NULL */
    dpc_constraints *known; /* tiers that restrict the sets, pairs that have none; owned; or NULL */
    dpc_labels labels;      /* all of the above is in labels, not in columns */
} dpc_sepsets;

/* ---- For the search ---- */

dpc_status dpc_sepsets_new(int n, dpc_sepsets **out);
void dpc_sepsets_free(dpc_sepsets *sets);

/* Makes room for the full-order bits, and the N of these tests. */
dpc_status dpc_sepsets_start_full_order(dpc_sepsets *sets, int n_limits);

/* Begins the records of a level, `expected` of them if that is known. */
dpc_status dpc_sepsets_begin(dpc_sepsets *sets, int level, int64_t expected);

/* What a visit found: K, how the set follows from it, and r given the set. */
typedef struct dpc_found {
    uint8_t kind; /* dpc_sep_kind, or DPC_SEP_PRIMAL_COMPLEMENT */
    double r;
    const int32_t *subset;
    int count;
} dpc_found;

/* Records at the level begun last what x has found against y. */
dpc_status dpc_sepsets_add(dpc_sepsets *sets, int x, int y, const dpc_found *found);

/* Notes that x has dropped y at the level begun last, as the second end. */
dpc_status dpc_sepsets_drop(dpc_sepsets *sets, int x, int y);

/* Ends the level: sorts its records, and takes over the neighbour lists they refer to, if any. */
void dpc_sepsets_end(dpc_sepsets *sets, dpc_adjacency *graph);

/* Takes back the level begun last, which has not been ended, with all that it has recorded. */
void dpc_sepsets_give_up(dpc_sepsets *sets);

/* The search is over: takes over its labels, and lets go of P unless it is to be kept. */
void dpc_sepsets_close(dpc_sepsets *sets, dpc_labels *labels, bool keep_precision);

/* Sets the bits of the pairs of a with 64 others, the first a multiple of 64. */
static inline void dpc_mark_full_order(dpc_sepsets *sets, int a, int first, uint64_t bits)
{
    sets->full_order[a * sets->words + first / 64] = bits;
}

/* ---- How a pair was separated, in labels ---- */

static inline bool dpc_is_full_order(const dpc_sepsets *sets, int a, int b)
{
    return sets->full_order != NULL && dpc_bit(sets->full_order, sets->words, a, b);
}

/* The level at which x dropped y as the second end; 0: never. After dpc_sepsets_close. */
int dpc_sepsets_dropped(const dpc_sepsets *sets, int x, int y);

typedef struct dpc_separation {
    bool full_order; /* by all others, at level 0; and the marginal test may have done it too */
    const dpc_record *record; /* after level 0; or NULL */
    const dpc_batch *batch;
} dpc_separation;

dpc_separation dpc_sepsets_find(const dpc_sepsets *sets, int a, int b);

/* Which end the set of a record was found from. */
static inline int dpc_record_from(const dpc_record *record)
{
    return record->from_b ? record->b : record->a;
}

/* Is the set all neighbours of that end, but the other end and the subset? */
static inline bool dpc_record_is_complement(const dpc_record *record, const dpc_batch *batch)
{
    return batch->graph != NULL && record->kind != DPC_SEP_PRIMAL;
}

/* K, ascending. */
static inline const int32_t *dpc_record_subset(const dpc_sepsets *sets, const dpc_record *record)
{
    return sets->pool + record->at;
}

/* Writes the set of a record, ascending, and returns its size; `members` may be NULL. */
int dpc_record_members(const dpc_sepsets *sets, const dpc_record *record, const dpc_batch *batch,
                       int32_t *members);

/*
 * How two columns were separated that were not adjacent when the search ended, as
 * dpc_separating_set describes it: of copies, how the columns that stand for them were. `members`
 * may be NULL only where no N differs from that of the view. Where variables are blocks of columns
 * r and p are NaN: the test is to be made again then.
 */
void dpc_sepsets_tell(const dpc_sepsets *sets, const dpc_view *view, dpc_test test, int a, int b,
                      dpc_sepset *out, int32_t *members);

/* Is v in the set that separated the non-adjacent a and b? */
bool dpc_sepset_contains(const dpc_sepsets *sets, int a, int b, int v);

#endif

/*
 * What one worker needs to look at a family, a node v and its parents S: what S leaves of all
 * others, and what each parent is worth.
 *
 * The sweep of the room next door (ges_sweep.h) has for every node u the covariance t[u] with v
 * given S and the variance var[u] given S, and for every parent c the row w of its covariances
 * given the parents before it, whose pivot is p = w[c]. These rows are the factor L D Lᵀ of the
 * parents' correlations, so that
 *
 *     (L)ji = wi[cj] / pi,   D = p,   M = (L D Lᵀ)⁻¹,   b = M · cov(parents, v)
 *
 * gives all losses at once: without parent i the variance of v grows by bi² / Mii.
 *
 * Data can be nearly singular and sound: in a deep network most of the variance of a late variable
 * is inherited, and what is left of it given its parents may be 1e-11 of the whole. So a node
 * counts as determined by S only where its variance is rounding. The rounding of var[u] is at most
 * a few ulp of 1 times g(u)², with g the sum of the absolute factors by which others enter into it:
 * g(u) = 1 + Σ_i |wi[u] / pi| g(ci). That takes time, and |wi[u]| is at most √pi: so first the
 * bound 1 + Σ_i g(ci) / √pi for all u is asked.
 */
#ifndef DPC_FAMILY_H
#define DPC_FAMILY_H

#include "alloc.h"
#include "crew.h"
#include "score.h"
#include "sweep.h"

typedef struct dpc_family {
    const dpc_scoring *scoring; /* not owned */
    dpc_sweep sweep;
    double *growth;         /* by depth: g of the parent that was pushed, over its pivot; owned */
    double *most_growth;    /* by depth: no g of any node is larger; owned */
    int32_t *parent;        /* the parents that were pushed; n; owned */
    dpc_pick *picks, *room; /* n and 2 n; owned */
    int32_t *list, *firm;   /* n each; owned */
    double *square;         /* n; owned */
    double *matrix;         /* M, b and the variance of v; owned */
    int size;               /* of M */
    bool inverted;          /* M is there; otherwise L⁻¹ still is */
    int64_t capacity;       /* of `matrix` */
    /* Where there is no R, for surveys (survey.h): */
    struct dpc_parent_index *index; /* not owned; NULL: there is none */
    double *left;                   /* by row: what the parents leave of v; owned */
    int16_t *steps;                 /* the same in steps; owned */
    int32_t *found;                 /* n; owned */
    uint64_t *listed;               /* bits, all 0 between surveys; owned */
    char apart[DPC_APART];
} dpc_family;

/* DPC_OK or no memory, as all below; to be cleared in either case. */
dpc_status dpc_family_init(dpc_family *family, const dpc_scoring *scoring);
void dpc_family_clear(dpc_family *family);

/* ---- What S leaves ---- */

/* S = ∅ for v, over these nodes; NULL: over all. */
dpc_status dpc_family_start(dpc_family *family, int v, const int32_t *nodes, int count);

/* One parent more; *pushed is false where S determines it. And the last one less. */
dpc_status dpc_family_push(dpc_family *family, int c, bool *pushed);
static inline void dpc_family_pop(dpc_family *family)
{
    dpc_sweep_pop(&family->sweep);
}

/* Several parents more. Those that are pushed are in family->firm, as many as the sweep is deep. */
dpc_status dpc_family_push_all(dpc_family *family, const int32_t *parents, int count);

/* All parents of v, over these alone. */
dpc_status dpc_family_of(dpc_family *family, int v, const int32_t *parents, int count);

/* The squared partial correlation of u and v given S, below 1; NaN where S determines one of them.
 */
double dpc_family_square(const dpc_family *family, int u);

/* s(v, S), where so many parents are to be paid for. */
double dpc_family_score(const dpc_family *family, int count);

/*
 * All nodes of the sweep that may be parents of v and are worth their price given S, in no order;
 * into family->picks. Returns how many. And sorts them: best first; those that are equally good,
 * but for rounding, by their numbers.
 */
int dpc_family_picks(dpc_family *family);
void dpc_family_sort_picks(dpc_family *family, int count);

/* ---- What each parent is worth ---- */

/*
 * For each parent in S, which family->firm has in the order in which they were pushed, the squared
 * partial correlation with v given the others; into family->square.
 */
dpc_status dpc_family_squares(dpc_family *family);

/* Afterwards: the same without parent i, which leaves family->firm, too; later ones move up. */
void dpc_family_drop(dpc_family *family, int i);

/* ---- The workers: all workers, and the way to end before the work is done ---- */

typedef struct dpc_workers {
    const dpc_scoring *scoring; /* of all each; not owned */
    dpc_crew *crew;             /* asked whether to go on; not owned */
    dpc_family *each;           /* one per worker of the crew; owned */
} dpc_workers;

dpc_status dpc_workers_init(dpc_workers *workers, const dpc_scoring *scoring, dpc_crew *crew);
void dpc_workers_clear(dpc_workers *workers);

/* Is it time to end? Once it is, it stays so. */
bool dpc_workers_halted(const dpc_workers *workers, int worker);

#endif

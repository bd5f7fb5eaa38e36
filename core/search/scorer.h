/*
 * What one worker needs to score families: the family (stats/family.h), the variables that would be
 * a gain as parents, and what each parent is worth.
 *
 * The levels of a family are the factor L D Lᵀ of the parents' correlations: with w the row of a
 * parent c, and p its pivot,
 *
 *     (L)ji = wi[cj] / pi,   D = p,   M = (L D Lᵀ)⁻¹,   b = M · cov(parents, v)
 *
 * gives all losses at once: without parent i the variance of v grows by bi² / Mii. Of blocks of
 * columns block_fit.h says the same.
 */
#ifndef DPC_SCORER_H
#define DPC_SCORER_H

#include "block_fit.h"
#include "crew.h"
#include "family.h"
#include "score.h"

typedef struct dpc_scorer {
    const dpc_scoring *scoring; /* not owned */
    dpc_family family;
    dpc_arena memory;                 /* of what follows */
    dpc_candidate *candidates, *room; /* n and 2 n */
    int32_t *list;                    /* n + 1; for whoever uses the scorer */
    int32_t *parent;                  /* the parents whose losses were found, n + 1 … */
    double *square;                   /* … and their r² given the others */
    int size;                         /* how many of these there are */
    double *matrix;                   /* M, b and the variance of v; owned */
    bool inverted;                    /* M is there; otherwise L⁻¹ still is */
    int64_t capacity;                 /* of `matrix` */
    dpc_block_fit fit;                /* of blocks, in place of `matrix` */
    /* Where there is no R (candidate_parents.h): */
    struct dpc_parent_index *index; /* not owned; NULL: there is none */
    double *left;                   /* by row: what the parents leave of v */
    int16_t *steps;                 /* the same in steps */
    int32_t *found;                 /* n */
    uint64_t *listed;               /* bits, all 0 between calls */
    char apart[DPC_APART];
} dpc_scorer;

/* DPC_OK or no memory, as all below; to be cleared in either case. */
dpc_status dpc_scorer_init(dpc_scorer *scorer, const dpc_scoring *scoring);
void dpc_scorer_clear(dpc_scorer *scorer);

/* s(v, S) of the family, where so many parents are to be paid for. */
double dpc_scorer_score(const dpc_scorer *scorer, int count);

/* All nodes of the family whose r² with v given S is above a number, in no order; into
 * scorer->candidates. Returns how many. */
int dpc_scorer_above(dpc_scorer *scorer, double square);

/*
 * The same of those that may be parents of v and are worth their price given S. And sorts them:
 * best first; those that are equally good, but for rounding, by their numbers.
 */
int dpc_scorer_candidates(dpc_scorer *scorer);
void dpc_scorer_sort(dpc_scorer *scorer, int count);

/*
 * For each parent in S, which go into scorer->parent in the order in which they were pushed, the
 * squared partial correlation with v given the others; into scorer->square.
 */
dpc_status dpc_scorer_squares(dpc_scorer *scorer);

/* Afterwards: the same without parent i, which leaves scorer->parent, too; later ones move up. */
void dpc_scorer_drop(dpc_scorer *scorer, int i);

/* Drops parents of v, the worst first, as long as that is a gain, but for required ones; what is
 * left is in scorer->parent, and the score is raised. The family stays as it is. */
dpc_status dpc_scorer_shrink(dpc_scorer *scorer, double *score);

/* For each of `count` parents, some of whom were not pushed: what it adds to the log-likelihood; 0
 * where the others determine it. */
dpc_status dpc_scorer_losses(dpc_scorer *scorer, const int32_t *parents, int count, double *losses);

/* ---- All workers, and the way to end before the work is done ---- */

typedef struct dpc_workers {
    const dpc_scoring *scoring; /* of all each; not owned */
    dpc_crew *crew;             /* asked whether to go on; not owned */
    dpc_scorer *each;           /* one per worker of the crew; owned */
} dpc_workers;

dpc_status dpc_workers_init(dpc_workers *workers, const dpc_scoring *scoring, dpc_crew *crew);
void dpc_workers_clear(dpc_workers *workers);

/* Is it time to end? Once it is, it stays so. */
bool dpc_workers_halted(const dpc_workers *workers, int worker);

#endif

/*
 * Families of blocks of columns (family.h): what a set S of variables leaves of v and of the
 * others, where each of them is several columns.
 *
 * The score of a family of blocks is
 *
 *     s(v, S) = -N/2 ln det Σ(v|S) - a p rank(S) - b |S|,
 *
 * with p columns of v, rank(S) those of S that the others of S do not determine, a price a per
 * parameter and a price b per edge. So u, with q columns that S leaves, gains
 *
 *     -N/2 ln Λ - a p q - b,    Λ = det Σ(v|S,u) / det Σ(v|S),
 *
 * Wilks' Λ. Every search reads a gain as -W/2 log(1 - r²) - (a + b) from a squared partial
 * correlation, W standing for N. So a family of blocks answers the r² and the variance of v of
 * scalars that would gain as much:
 *
 *     log(1 - r²) = (ln Λ + 2a (p q - 1) / N) / κ,    W = κ N,
 *     log σ²(v|S) = (ln det Σ(v|S) + 2a (p rank(S) - |S|) / N) / κ.
 *
 * Where u costs more than a scalar and explains little, such an r² is negative. κ is the width of
 * the widest block: Λ is the product of up to so many 1 - ρ², and 1 - r² is no smaller than their
 * mean then, which a double can tell from 0. One column everywhere: κ = p = q = 1, and these are
 * r² and σ² themselves.
 *
 * One equation. Of basis columns of a number, the first one is what S explains and p is 1; the
 * score is not the same for all DAGs of a class then.
 *
 * Determined. Columns of u of which S and the columns of u before them leave less than
 * DPC_DETERMINED do not count, here and where u is pushed; Λ does not depend on which of them these
 * are. An eigenvalue of Σ(v|S) below it counts as this. So nothing depends on the columns by which
 * a block is given.
 */
#ifndef DPC_BLOCK_FAMILY_H
#define DPC_BLOCK_FAMILY_H

#include "family.h"

#define DPC_DETERMINED 1e-8

/* What is left given the first columns of S. Slots are the columns of the chosen nodes, by place.
 */
typedef struct dpc_block_level {
    double *w;    /* by slot: the covariances of the last column given those before it */
    double *var;  /* by slot */
    double *t;    /* by column of v: its covariances by slot, `length` apart */
    double *off;  /* within each block: those of slot i with the slots j < i, one after the other */
    double pivot; /* the variance of the last column given those before it */
    int32_t slot; /* of that */
} dpc_block_level;

typedef struct dpc_slot_pair {
    int32_t i, j;
} dpc_slot_pair;

struct dpc_block_family {
    const dpc_blocks *blocks;           /* not owned */
    int widest;                         /* κ */
    int p;                              /* columns of v that count */
    int most;                           /* columns of S there may be */
    int64_t length;                     /* of a row: whole vectors */
    int slots;                          /* in use */
    int32_t *column;                    /* by slot: of R */
    int32_t *own_start, *all_start;     /* by place: its first slot; n + 1 */
    int32_t *own_off, *all_off;         /* by place: its first entry in `off`; n + 1 */
    dpc_slot_pair *own_pair, *all_pair; /* of each entry in `off` */
    const int32_t *start, *off;         /* one of the two */
    const dpc_slot_pair *pair;
    int32_t *used;          /* by depth: columns of S; n + 1 */
    double *log_det;        /* by depth: ln det Σ(v|S) */
    dpc_block_level *level; /* by columns of S; owned */
    int levels;             /* there is memory for; grows */
    double *spare;          /* a row */
    double *y, *norm;       /* rows, for the screen */
    double *cut;            /* by columns of u: the Λ that is worth as much as it must */
    double *small;          /* small matrices */
    int32_t *kept;          /* columns of a block */
};

/* DPC_OK or no memory, as below. Their memory is that of the family, but for the levels. */
dpc_status dpc_block_family_init(dpc_family *family);
void dpc_block_family_clear(dpc_family *family);

/* See family.h. The nodes have been given their places. */
dpc_status dpc_block_family_start(dpc_family *family);
dpc_status dpc_block_family_push(dpc_family *family, int c, bool *pushed);

/* ln Λ of u and v given S; NaN where S determines one of the two, or N is too small for it. *rank:
 * columns of u that S leaves. */
double dpc_block_log_lambda(const dpc_family *family, int u, int *rank);

/* Of scalars that would gain as much: r²; and log(1 - r²), from ln Λ and the columns of u, too. */
double dpc_block_square(const dpc_family *family, int u);
double dpc_block_log_left(const dpc_family *family, int u);
double dpc_block_equivalent(const dpc_family *family, double log_lambda, int rank);

/* See dpc_family_screen: of the nodes in `count` places. */
uint64_t dpc_block_screen(const dpc_family *family, int first, int count, double limit);

/* Are there rows enough for p columns of v and so many of S, of which there may be `most`? */
bool dpc_block_has_rows(int64_t n_obs, int most, int p, int used);

/* ln det of a symmetric matrix of order p, no eigenvalue of which counts as less than
 * DPC_DETERMINED; *left: how many are above that. The lower triangle is read. `room`: p². */
double dpc_block_log_det(const double *matrix, int p, double *room, int *left);

#endif

/*
 * A family: one variable v and a set S, its parents, that grows and shrinks at its end; and how
 * much each other variable u explains of v given S.
 *
 * Where all variables are scalars, a family keeps for all of them at once t[u], the covariance of u
 * and v given S, and var[u], the variance of u given S. With c the parent that comes last,
 * S = S' ∪ {c}, and w[u] the covariance of c and u given S':
 *
 *     t[u] = t'[u] - w[c→v] w[u] / var'[c],    var[u] = var'[u] - w[u]² / var'[c].
 *
 * One parent costs O(m |S|) for m columns, and is taken back for nothing. The squared partial
 * correlation of u and v given S is t[u]² / (var[u] var[v]). Where variables are blocks of columns,
 * the same is done by columns, and a family answers as scalars would that gain as much
 * (block_family.h).
 *
 * Which variance is rounding? Three rules, one of which a family is made with:
 *
 * Plain: below DPC_SINGULAR. The regressions use it, as everything does that factors once.
 *
 * Careful: below DPC_SINGULAR, or below 1e-15 over the smallest pivot on the way to it. The greedy
 * search and the fit use it.
 *
 * Exact: only what rounding explains. Data can be nearly singular and sound: in a deep network most
 * of the variance of a late variable is inherited, and what is left of it given its parents may be
 * 1e-11 of the whole. The rounding of var[u] is at most a few ulp of 1 times g(u)², with g the sum
 * of the absolute factors by which others enter into it: g(u) = 1 + Σ_i |wi[u] / pi| g(ci), p being
 * the pivots w[c]. That takes time, and |wi[u]| is at most √pi: so first the bound
 * 1 + Σ_i g(ci) / √pi for all u is asked. Refinement uses this rule.
 *
 * Nodes are labels. The numbers of the chosen nodes lie in `place`s side by side; where all nodes
 * are chosen these are the columns of the table, so that rows of R are copied as they are.
 */
#ifndef DPC_FAMILY_H
#define DPC_FAMILY_H

#include "arena.h"
#include "stats.h"
#include "vector.h"

typedef enum dpc_noise_rule { DPC_NOISE_PLAIN, DPC_NOISE_CAREFUL, DPC_NOISE_EXACT } dpc_noise_rule;

/* What is left given the first parents. */
typedef struct dpc_family_level {
    double *w, *t, *var; /* by place; one block of memory */
    double pivot;        /* var'[c] */
    double noise;        /* plain, careful: a variance below this is rounding */
    double growth;       /* exact: g of the parent, over its pivot */
    double most_growth;  /* exact: no g of any node is larger … */
    double most_noise;   /* … nor what rounding can make of its variance */
} dpc_family_level;

typedef struct dpc_block_family dpc_block_family;

typedef struct dpc_family {
    dpc_stats stats;
    dpc_noise_rule rule;
    const dpc_vector *vector;
    dpc_arena memory;     /* of what follows */
    int32_t *column;      /* by place: the column of a chosen node */
    int32_t *own_place;   /* by label, where it is chosen */
    int32_t *all_places;  /* by label, where all are chosen: their columns */
    const int32_t *place; /* one of the two */
    int m;                /* chosen nodes, v among them */
    int v;
    int depth;               /* |S| */
    int32_t *parent;         /* S, in the order in which it has grown; n */
    dpc_family_level *level; /* level[0]: given nothing; owned */
    int levels;              /* there is memory for; grows */
    double *spare;           /* a row */
    dpc_block_family *block; /* NULL: all variables are scalars */
} dpc_family;

/* DPC_OK or no memory; to be cleared in either case. What the view shows is to outlive the family.
 */
dpc_status dpc_family_init(dpc_family *family, const dpc_stats *stats, dpc_noise_rule rule);
void dpc_family_clear(dpc_family *family);

/* Starts with S = ∅ for v, over v and the nodes of a list, v among them or not; NULL: over all.
 * DPC_OK or no memory, as all below. */
dpc_status dpc_family_start(dpc_family *family, int v, const int32_t *nodes, int count);

/* One parent more; *pushed is false, and S as it was, where S determines it already. */
dpc_status dpc_family_push(dpc_family *family, int c, bool *pushed);

/* Several; those that are determined are passed over. */
dpc_status dpc_family_push_all(dpc_family *family, const int32_t *parents, int count);

/* v and all its parents, over these alone. */
dpc_status dpc_family_of(dpc_family *family, int v, const int32_t *parents, int count);

/* The last parent less. */
static inline void dpc_family_pop(dpc_family *family)
{
    family->depth--;
}

/* The last parents less, until so many are left. */
static inline void dpc_family_pop_to(dpc_family *family, int depth)
{
    family->depth = depth;
}

/* How much u explains of v given S. d is NaN where S determines one of the two. */
dpc_deviance dpc_family_gain(const dpc_family *family, int u);

/* ---- As of scalars ---- */

/* Of scalars only. */
static inline const dpc_family_level *dpc_family_now(const dpc_family *family)
{
    return &family->level[family->depth];
}

/* The variance of u; of blocks, only of v. */
static inline double dpc_family_variance(const dpc_family *family, int u)
{
    return dpc_family_now(family)->var[family->place[u]];
}

/* What rounding can make of a variance, by the exact rule: of a node with this g; of node u. */
static inline double dpc_noise_of(double growth)
{
    return 1e-14 * growth * growth;
}
double dpc_family_rounding(const dpc_family *family, int u);

/* Does S leave nothing of u? Of blocks, only of v. */
static inline bool dpc_family_determines(const dpc_family *family, int u)
{
    const dpc_family_level *l = dpc_family_now(family);
    double var = l->var[family->place[u]];
    return family->rule != DPC_NOISE_EXACT
               ? !(var >= l->noise)
               : !(var > l->most_noise) && !(var > dpc_family_rounding(family, u));
}

/*
 * The squared partial correlation of u and v given S; NaN where S leaves nothing of u or v. It is
 * below 1: at most 1 - DPC_SINGULAR by the plain and the careful rule, which is also what cannot be
 * told from 1; by the exact one as far below as rounding may have moved it. Of blocks it is that of
 * scalars that would gain as much, and can be below 0. The second is for where it is known that S
 * does not determine v.
 */
double dpc_family_square(const dpc_family *family, int u);
double dpc_family_square_of(const dpc_family *family, int u);

/*
 * The nodes among up to 64 places from `first` on that may have t² / var above a limit, as bits:
 * none that has is missing. A screen.
 */
uint64_t dpc_family_screen(const dpc_family *family, int first, double limit);

/* The node in a place. */
static inline int dpc_family_node(const dpc_family *family, int place)
{
    int column = family->place == family->all_places ? place : family->column[place];
    return dpc_label_of(family->stats.view.labels, column);
}

#endif

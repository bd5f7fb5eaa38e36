/* The most that the likelihood of a district can be: see district_bound.h. */
#include "district_bound.h"

#include <math.h>
#include <string.h>

enum { K = DPC_LARGEST_DISTRICT, M = 48, MOST_LAST = 2 };

static const double SINGULAR = 1e-7; /* a variance below this tells nothing */

/* A district whose variables have numbers: its nodes, then the other parents. */
typedef struct numbered {
    const dpc_district *district;
    int m;
    int32_t variable[M];  /* labels */
    uint64_t parents[K];  /* of each node, as bits */
    double bound[1 << K]; /* by part: the least product; NaN: not yet */
    double c[M * M];      /* correlations, by rows of m */
} numbered;

/* Some of the variables, and the inverse of their correlations: the others have been taken out. */
typedef struct among {
    uint64_t set;
    double w[M * M];
} among;

/* ---- Numbers ---- */

/* The place of a label, a new one if need be; -1: there are too many. */
static int place_of(numbered *b, int32_t label)
{
    for (int i = 0; i < b->m; i++)
        if (b->variable[i] == label)
            return i;
    if (b->m == M)
        return -1;
    b->variable[b->m] = label;
    return b->m++;
}

static bool number(numbered *b, const dpc_view *view)
{
    const dpc_district *d = b->district;
    for (int i = 0; i < d->size; i++)
        b->variable[b->m++] = d->node[i];
    for (int i = 0; i < d->size; i++)
        for (int j = 0; j < d->n_parents[i]; j++) {
            int at = place_of(b, d->parents[i][j]);
            if (at < 0)
                return false;
            b->parents[i] |= UINT64_C(1) << at;
        }
    for (int i = 0; i < b->m; i++)
        for (int j = 0; j <= i; j++)
            b->c[i * b->m + j] = b->c[j * b->m + i] =
                i == j ? 1 : dpc_r(view, b->variable[i], b->variable[j]);
    return true;
}

/* ---- Regressions ---- */

/* The lower factor of the correlations of some variables, with the inverses of its diagonal there,
 * by rows of M. False: they are singular. */
static bool factor(const numbered *b, const int *variable, int count, double *l)
{
    for (int j = 0; j < count; j++) {
        const double *c = b->c + (int64_t)variable[j] * b->m;
        double *own = l + (int64_t)j * M, left = 1;
        for (int h = 0; h < j; h++) {
            const double *other = l + (int64_t)h * M;
            double sum = c[variable[h]];
            for (int g = 0; g < h; g++)
                sum -= own[g] * other[g];
            own[h] = sum * other[h];
            left -= own[h] * own[h];
        }
        if (!(left > SINGULAR))
            return false;
        own[j] = 1 / sqrt(left);
    }
    return true;
}

/* All variables, W = L⁻ᵀ L⁻¹. */
static bool start(const numbered *b, among *all)
{
    double l[M * M];
    int m = b->m, variable[M] = {0};
    for (int i = 0; i < m; i++)
        variable[i] = i;
    if (!factor(b, variable, m, l))
        return false;
    for (int j = 0; j < m; j++) /* column j of L⁻¹, in the upper triangle of its transpose */
        for (int i = j; i < m; i++) {
            double sum = i == j;
            for (int h = j; h < i; h++)
                sum -= l[i * M + h] * all->w[j * m + h];
            all->w[j * m + i] = sum * l[i * M + i];
        }
    for (int i = 0; i < m; i++)
        for (int j = i; j < m; j++) { /* rows i and j of L⁻ᵀ, from j on; (i, j) is read last here */
            double sum = 0;
            for (int h = j; h < m; h++)
                sum += all->w[i * m + h] * all->w[j * m + h];
            all->w[i * m + j] = sum;
        }
    for (int i = 0; i < m; i++)
        for (int j = 0; j < i; j++)
            all->w[i * m + j] = all->w[j * m + i];
    all->set = (UINT64_C(1) << m) - 1;
    return true;
}

/* Without one of the variables; `to` may be `from`. */
static void take_out(const numbered *b, const among *from, int v, among *to)
{
    int m = b->m;
    double own[M], pivot = 1 / from->w[(int64_t)v * m + v];
    memcpy(own, from->w + (int64_t)v * m, (size_t)m * sizeof *own);
    to->set = from->set & ~(UINT64_C(1) << v);
    for (uint64_t bits = to->set; bits != 0; bits &= bits - 1) {
        int64_t at = (int64_t)__builtin_ctzll(bits) * m;
        double share = from->w[at + v] * pivot;
        for (int j = 0; j < m; j++)
            to->w[at + j] = from->w[at + j] - share * own[j];
    }
}

/* With these variables alone. */
static void take_part(const numbered *b, const among *from, uint64_t set, among *to)
{
    const among *now = from;
    for (uint64_t bits = from->set & ~set; bits != 0; bits &= bits - 1) {
        take_out(b, now, __builtin_ctzll(bits), to);
        now = to;
    }
    if (now == from) {
        to->set = from->set;
        memcpy(to->w, from->w, (size_t)(b->m * b->m) * sizeof *to->w);
    }
}

/* ---- Orders ---- */

/* All parents of the nodes of a part. */
static uint64_t parents_of(const numbered *b, uint64_t part)
{
    uint64_t all = 0;
    for (uint64_t bits = part; bits != 0; bits &= bits - 1)
        all |= b->parents[__builtin_ctzll(bits)];
    return all;
}

/* The nodes of `among` that double arrows join with the first of them. */
static uint64_t first_part(const numbered *b, uint64_t among)
{
    uint64_t part = among & -among, last = 0;
    while (part != last) {
        last = part;
        for (uint64_t bits = last; bits != 0; bits &= bits - 1)
            part |= b->district->spouses[__builtin_ctzll(bits)] & among;
    }
    return part;
}

/*
 * The nodes of a part that are tried as its last: no parents of others of it, a few, with the
 * fewest others in mb beside their own parents and spouses.
 */
static uint64_t choose_last(const numbered *b, uint64_t part, uint64_t parents)
{
    uint64_t chosen = 0, left = part & ~parents;
    for (int n = 0; n < MOST_LAST && left != 0; n++) {
        int best = __builtin_ctzll(left), fewest = M;
        for (uint64_t bits = left; bits != 0; bits &= bits - 1) {
            int i = __builtin_ctzll(bits);
            uint64_t own = b->parents[i] | b->district->spouses[i];
            int others = __builtin_popcountll((part | parents) & ~own);
            if (others < fewest) {
                fewest = others;
                best = i;
            }
        }
        chosen |= UINT64_C(1) << best;
        left &= ~chosen;
    }
    return chosen;
}

static double bound_part(numbered *b, const among *from, uint64_t part);

/* The product over all parts of some nodes. */
static double bound_parts(numbered *b, const among *from, uint64_t nodes)
{
    double product = 1;
    while (nodes != 0) {
        uint64_t part = first_part(b, nodes);
        product *= bound_part(b, from, part);
        nodes &= ~part;
    }
    return product;
}

/* The least product of 1 / left(i | mb(i)) of the orders of a part that double arrows join. What
 * all others leave of node i is 1 / W_ii. */
static double bound_part(numbered *b, const among *from, uint64_t part)
{
    among a;
    uint64_t parents = parents_of(b, part);
    double least = INFINITY;
    if (!isnan(b->bound[part]))
        return b->bound[part];
    take_part(b, from, part | parents, &a);
    for (uint64_t bits = choose_last(b, part, parents); bits != 0; bits &= bits - 1) {
        int i = __builtin_ctzll(bits);
        double rest = bound_parts(b, &a, part & ~(UINT64_C(1) << i));
        least = fmin(least, a.w[i * b->m + i] * rest);
    }
    return b->bound[part] = least;
}

double dpc_district_bound(const dpc_view *view, double n_obs, const dpc_district *district)
{
    numbered b; /* the matrices are filled as far as they are used */
    among all;
    uint64_t nodes = (UINT64_C(1) << district->size) - 1;
    b.district = district;
    b.m = 0;
    memset(b.parents, 0, sizeof b.parents);
    for (uint64_t i = 0; i <= nodes; i++)
        b.bound[i] = NAN;
    return number(&b, view) && start(&b, &all) ? n_obs / 2 * log(bound_parts(&b, &all, nodes))
                                               : INFINITY;
}

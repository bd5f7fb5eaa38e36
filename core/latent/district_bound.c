/* The most that the likelihood of a district can be: see district_bound.h. */
#include "district_bound.h"

#include <math.h>
#include <string.h>

enum { K = DPC_LARGEST_DISTRICT, MOST_VARIABLES = 32 };

static const double SINGULAR = 1e-9; /* a variance below this tells nothing */

/* A district whose variables have numbers: its nodes, then the other parents. */
typedef struct numbered {
    const dpc_district *district;
    int m;
    int32_t variable[MOST_VARIABLES]; /* labels */
    uint32_t parents[K];              /* of each node, as bits */
    double c[MOST_VARIABLES * MOST_VARIABLES];
} numbered;

/* The place of a label, a new one if need be; -1: there are too many. */
static int place_of(numbered *b, int32_t label)
{
    for (int i = 0; i < b->m; i++)
        if (b->variable[i] == label)
            return i;
    if (b->m == MOST_VARIABLES)
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
            b->parents[i] |= UINT32_C(1) << at;
        }
    for (int i = 0; i < b->m; i++)
        for (int j = 0; j < b->m; j++)
            b->c[i * MOST_VARIABLES + j] = i == j ? 1 : dpc_r(view, b->variable[i], b->variable[j]);
    return true;
}

/* mb(i), where `before` are i and the nodes before it. */
static uint32_t blanket_of(const numbered *b, uint32_t before, int i)
{
    uint32_t part = UINT32_C(1) << i, last = 0, all = 0;
    while (part != last) {
        last = part;
        for (uint32_t bits = last; bits != 0; bits &= bits - 1)
            part |= b->district->spouses[__builtin_ctz(bits)] & before;
    }
    for (uint32_t bits = part; bits != 0; bits &= bits - 1)
        all |= b->parents[__builtin_ctz(bits)];
    return (all | part) & ~(UINT32_C(1) << i);
}

/* The variance of i that a set leaves: the last pivot of a Cholesky factor. NaN: none can be told.
 */
static double left_of(const numbered *b, uint32_t set, int i)
{
    double l[(MOST_VARIABLES + 1) * MOST_VARIABLES];
    int row[MOST_VARIABLES + 1], count = 0;
    for (; set != 0; set &= set - 1)
        row[count++] = __builtin_ctz(set);
    row[count++] = i;
    for (int j = 0; j < count; j++) {
        const double *c = b->c + (int64_t)row[j] * MOST_VARIABLES;
        double *own = l + (int64_t)j * MOST_VARIABLES, left = 1;
        for (int h = 0; h < j; h++) {
            const double *other = l + (int64_t)h * MOST_VARIABLES;
            double sum = c[row[h]];
            for (int g = 0; g < h; g++)
                sum -= own[g] * other[g];
            own[h] = sum * other[h];
            left -= own[h] * own[h];
        }
        if (!(left > SINGULAR))
            return NAN;
        if (j == count - 1)
            return left;
        own[j] = 1 / sqrt(left);
    }
    return NAN;
}

/* The last of the nodes `before`: no parent of others of them, with the fewest in mb but its own
 * parents and spouses; of equals the first, or the last. */
static int choose_last(const numbered *b, uint32_t before, bool last, uint32_t *blanket)
{
    const dpc_district *d = b->district;
    int best = -1, fewest = 0;
    uint32_t parents = 0;
    for (uint32_t bits = before; bits != 0; bits &= bits - 1)
        parents |= b->parents[__builtin_ctz(bits)];
    for (uint32_t bits = before & ~parents; bits != 0; bits &= bits - 1) {
        int i = __builtin_ctz(bits);
        uint32_t own = blanket_of(b, before, i);
        int others = __builtin_popcount(own & ~b->parents[i] & ~(d->spouses[i] & before));
        if (best < 0 || others < fewest || (last && others == fewest)) {
            best = i;
            fewest = others;
            *blanket = own;
        }
    }
    return best;
}

static double bound_by_order(const numbered *b, double n_obs, bool last)
{
    uint32_t before = (UINT32_C(1) << b->district->size) - 1, blanket = 0;
    double sum = 0;
    while (before != 0) {
        int i = choose_last(b, before, last, &blanket);
        double left = i >= 0 ? left_of(b, blanket, i) : NAN; /* -1: a circle of arrows */
        if (isnan(left))
            return INFINITY;
        sum -= n_obs / 2 * log(left);
        before &= ~(UINT32_C(1) << i);
    }
    return sum;
}

double dpc_district_bound(const dpc_view *view, double n_obs, const dpc_district *district)
{
    numbered b; /* c is filled as far as it is used */
    b.district = district;
    b.m = 0;
    memset(b.parents, 0, sizeof b.parents);
    if (!number(&b, view))
        return INFINITY;
    return fmin(bound_by_order(&b, n_obs, false), bound_by_order(&b, n_obs, true));
}

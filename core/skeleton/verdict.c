/*
 * Deciding one test afresh: the partial correlation given a set, by a Cholesky factor made for
 * this one question. It is the only place where a verdict is made after level 0; the enumeration
 * in subsets.c calls it for what its screen lets through, and for what it cannot screen.
 *
 * Given a subset K the answer comes from R over K, x and y. Given the complement S \ K it comes
 * from T over K, x and y, a matrix just as small; where T is missing, or its error might decide,
 * from R over S \ K, which is exact but not cheap.
 */
#include "linalg.h"
#include "workspace.h"

#include <math.h>

static double correlation_given_subset(dpc_kernel *k, int y)
{
    const dpc_view *view = &k->problem->view;
    for (int i = 0; i < k->m; i++)
        k->set[i] = k->variable[k->prefix[i]];
    return dpc_partial_correlation(view->r, view->n, k->variable[k->degree], k->variable[y], k->set,
                                   k->m, DPC_SINGULAR, k->scratch);
}

/* Given the complement, from R: what is exact but not cheap. */
static double correlation_given_rest(dpc_kernel *k, int y)
{
    const dpc_view *view = &k->problem->view;
    int size = 0;
    for (int q = 0, i = 0; q < k->degree; q++) {
        if (i < k->m && k->prefix[i] == q)
            i++;
        else if (q != y)
            k->set[size++] = k->variable[q];
    }
    dpc_stopped(k, (int64_t)size * size * size / 8);
    return dpc_partial_correlation(view->r, view->n, k->variable[k->degree], k->variable[y], k->set,
                                   size, DPC_SINGULAR, k->scratch);
}

/* T over K, y and x in that order, as far as one direct test reads it. */
static void gather_small(dpc_kernel *k, int y)
{
    int order = k->degree + 1, size = k->m + 2;
    for (int i = 0; i < size; i++) {
        int pi = i < k->m ? k->prefix[i] : i == k->m ? y : k->degree;
        for (int j = 0; j < i; j++) {
            int pj = j < k->m ? k->prefix[j] : y, last = pi > pj ? pi : pj;
            double t = k->vector->dot(order - last, k->factor + (int64_t)pi * order + last,
                                      k->factor + (int64_t)pj * order + last);
            k->small[i * size + j] = k->small[j * size + i] = t;
        }
        k->small[i * size + i] = 1;
    }
}

/* Given the complement, from T where that is safe. */
static double correlation_given_complement(dpc_kernel *k, int y)
{
    const dpc_side *t = &k->side[SIDE_T];
    double r = NAN;
    if (k->inverted) {
        gather_small(k, y);
        r = -dpc_partial_correlation(k->small, k->m + 2, k->m + 1, k->m, k->identity, k->m,
                                     t->shaky, k->scratch);
    }
    if (isnan(r) || fabs(fabs(r) - t->c) <= t->doubt) {
        k->counts.doubtful_tests += k->inverted;
        r = correlation_given_rest(k, y);
    }
    return r;
}

/* The test of target y given K = prefix, all m elements of it; true: separated. */
bool dpc_settle(dpc_kernel *k, int p, int y)
{
    const dpc_side *side = &k->side[p];
    double r = p == SIDE_U ? correlation_given_subset(k, y) : correlation_given_complement(k, y);
    if (isnan(r)) { /* no test: what cannot be tested keeps its edge */
        k->counts.singular_tests++;
        k->counts.tests--;
        return false;
    }
    if (!(fabs(r) <= side->c))
        return false;
    dpc_record_verdict(k, y, side->kind, r, k->prefix, k->m);
    return true;
}

/* All targets given K = prefix, without the screen. */
void dpc_settle_set(dpc_kernel *k)
{
    for (int y = 0, i = 0; y < k->degree; y++) {
        if (i < k->m && k->prefix[i] == y) {
            i++;
            continue;
        }
        for (int p = 0; p < 2 && k->live[y]; p++)
            if (k->side[p].used) {
                k->counts.tests++;
                dpc_settle(k, p, y);
            }
    }
}

/* All targets given every set that begins with the first `chosen` elements of the prefix. */
void dpc_settle_below(dpc_kernel *k, int chosen, int first)
{
    int left = k->m - chosen;
    if (left == 0) {
        dpc_settle_set(k);
        return;
    }
    for (int q = first; q <= k->degree - left && !dpc_stopped(k, k->degree); q++) {
        k->prefix[chosen] = q;
        dpc_settle_below(k, chosen + 1, q + 1);
    }
}

/*
 * Deciding one test afresh: the partial correlation given a set, by a Cholesky factor made for
 * this one question. It is the only place where a verdict is made after level 0; the enumeration
 * in subsets.c calls it for what its screen lets through, and for what it cannot screen.
 *
 * Given a subset K the answer comes from R over K, x and y. Given the complement S \ K it comes
 * from T over K, x and y, a matrix just as small; where T is missing, or its error might decide,
 * from R over S \ K, which is exact but not cheap.
 *
 * Where cells are missing, each test has an N of its own (rows.h), and with it a critical value;
 * one whose N is too small is not made.
 */
#include "linalg.h"
#include "stats.h"
#include "visitor.h"

#include <math.h>

/* The variables of K into `set`; returns how many. */
static int write_subset(dpc_visitor *v)
{
    for (int i = 0; i < v->m; i++)
        v->set[i] = v->variable[v->prefix[i]];
    return v->m;
}

/* The variables of S \ K, the same. */
static int write_rest(dpc_visitor *v, int y)
{
    int size = 0;
    for (int q = 0, i = 0; q < v->degree; q++) {
        if (i < v->m && v->prefix[i] == q)
            i++;
        else if (q != y)
            v->set[size++] = v->variable[q];
    }
    return size;
}

/* The critical value of a test; NaN: its N does not allow it. */
static double critical_of(dpc_visitor *v, const dpc_side *side, int y)
{
    const dpc_view *view = &v->view;
    if (dpc_view_can(view, DPC_ONE_N))
        return side->c;
    bool dual = side->kind == DPC_SEP_DUAL || side->kind == DPC_SEP_FULL_S;
    int size = side == &v->side[SIDE_U] ? write_subset(v) : write_rest(v, y);
    int64_t rows = dpc_test_rows(view, v->variable[v->degree], v->variable[y], v->set, size);
    if (dual && !dpc_dual_allowed(v->problem->settings, rows, size))
        return NAN;
    return dpc_critical_at(&v->problem->critical, dual, rows, size);
}

/* From R, given the set that was written; counts what lies as near to c as rounding may reach. */
static double correlation_in_r(dpc_visitor *v, int y, int size, double c)
{
    const dpc_view *view = &v->view;
    int x = v->variable[v->degree], target = v->variable[y];
    double r = dpc_partial_correlation(view->r, view->n, x, target, v->set, size, DPC_SINGULAR,
                                       v->scratch);
    if (!isnan(r) && fabs(fabs(r) - c) <=
                         dpc_partial_doubt(view->r, view->n, x, target, v->set, size, v->scratch))
        v->counts.uncertain_tests++;
    return r;
}

/* Given the complement, from R: what is exact but not cheap. */
static double correlation_given_rest(dpc_visitor *v, int y, double c)
{
    int size = write_rest(v, y);
    dpc_stopped(v, (int64_t)size * size * size / 8);
    return correlation_in_r(v, y, size, c);
}

/* The entry of T for two positions, from its best form. */
static double entry_of_t(const dpc_visitor *v, int64_t p, int64_t q)
{
    if (!v->has_factor)
        return v->inverse[p * v->inverse_ld + q];
    int64_t order = v->degree + 1, last = p > q ? p : q;
    return v->vector->dot((int)(order - last), v->factor + p * order + last,
                          v->factor + q * order + last);
}

/* From T over K, y and x in that order; NaN: it is singular, or nearly. */
static double correlation_in_t(dpc_visitor *v, int y)
{
    int size = v->m + 2;
    for (int i = 0; i < size; i++) {
        int pi = i < v->m ? v->prefix[i] : i == v->m ? y : v->degree;
        for (int j = 0; j < i; j++)
            v->small[i * size + j] = v->small[j * size + i] =
                entry_of_t(v, pi, j < v->m ? v->prefix[j] : y);
        v->small[i * size + i] = 1;
    }
    return -dpc_partial_correlation(v->small, size, v->m + 1, v->m, v->identity, v->m,
                                    v->side[SIDE_T].shaky, v->scratch);
}

/*
 * Given the complement, from T where that is safe. T as it was inverted at once will do where it is
 * clear that nothing separates; a verdict that is recorded comes from F.
 */
static double correlation_given_complement(dpc_visitor *v, int y, double c)
{
    const dpc_side *t = &v->side[SIDE_T];
    double r = NAN;
    if (v->inverted && !v->has_factor) {
        r = correlation_in_t(v, y);
        if (fabs(r) > c + 2 * t->doubt)
            return r;
    }
    if (v->inverted)
        r = dpc_factorise(v) ? correlation_in_t(v, y) : NAN;
    if (isnan(r) || fabs(fabs(r) - c) <= t->doubt) {
        v->counts.doubtful_tests += v->inverted;
        r = correlation_given_rest(v, y, c);
    }
    return r;
}

/* The test of target y given K = prefix, all m elements of it; true: separated. */
bool dpc_judge(dpc_visitor *v, int p, int y)
{
    const dpc_side *side = &v->side[p];
    double c = critical_of(v, side, y), r = NAN;
    if (!isnan(c))
        r = p == SIDE_U ? correlation_in_r(v, y, write_subset(v), c)
                        : correlation_given_complement(v, y, c);
    if (isnan(r)) { /* no test: what cannot be tested keeps its edge */
        v->counts.singular_tests += !isnan(c);
        v->counts.tests--;
        return false;
    }
    if (!(fabs(r) <= c))
        return false;
    dpc_record_verdict(v, y, side->kind, r, v->prefix, v->m);
    return true;
}

/* All targets given K = prefix, without the screen. */
void dpc_judge_set(dpc_visitor *v)
{
    for (int y = 0, i = 0; y < v->degree; y++) {
        if (i < v->m && v->prefix[i] == y) {
            i++;
            continue;
        }
        for (int p = 0; p < 2 && v->live[y]; p++)
            if (v->side[p].used) {
                v->counts.tests++;
                dpc_judge(v, p, y);
            }
    }
}

/* All targets given every set that begins with the first `chosen` elements of the prefix. */
void dpc_judge_below(dpc_visitor *v, int chosen, int first)
{
    int left = v->m - chosen;
    if (left == 0) {
        dpc_judge_set(v);
        return;
    }
    for (int q = first; q <= v->degree - left && !dpc_stopped(v, v->degree); q++) {
        v->prefix[chosen] = q;
        dpc_judge_below(v, chosen + 1, q + 1);
    }
}

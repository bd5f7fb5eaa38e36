/*
 * Tests given subsets of a neighbourhood, at a constant cost each.
 *
 * For a matrix W let W.K be its Schur complement given K. Then, in the notation of kernel.c,
 *
 *     r(x, y | K)     =  Uxy.K / sqrt(Uxx.K Uyy.K)                        (paper, eq. peqn)
 *     r(x, y | S \ K) = -Txy.K / sqrt(Txx.K Tyy.K)                        (paper, eq. tblok)
 *
 * so both sides run through the same code. The subsets K of A with m elements are enumerated in
 * lexicographic order by recursion. Each depth keeps a panel, the Schur complement given the
 * prefix chosen so far; the last two elements a < q are never eliminated: given prefix and a,
 * with f = Waq/Waa and g = Wxq.a/Wqq.a,
 *
 *     Wyq.a = Wyq - f Wya ,   t = Wxy.aq = Wxy.a - g Wyq.a ,   v = Wyy.aq = Wyy.a - (Wyq.a)²/Wqq.a
 *
 * is one pass over contiguous columns y, whatever the order of the test. A column y that is in K
 * is masked, so that every target meets exactly the subsets of its own S, in their order; its
 * first hit counts, the subset before its complement.
 *
 * The recursion only screens: t² ≤ c² Wxx v + slack, with a slack far above its rounding error.
 * What passes is decided afresh, by a Cholesky factor of the set itself. So a verdict depends on
 * neither the route nor the machine. Below a pivot so small that the slack might not cover the
 * error (a shaky one) every set is decided that way.
 */
#include "linalg.h"
#include "workspace.h"

#include <math.h>
#include <string.h>

static const double MASKED = 1e150;           /* t of a column that is not to be tested */
static const int64_t BETWEEN_LOOKS = 1 << 20; /* operations between two looks whether to stop */

static bool stopped(dpc_kernel *k, int64_t work)
{
    k->budget -= work;
    if (k->budget < 0) {
        k->budget = BETWEEN_LOOKS;
        k->stopped = dpc_crew_stopped(k->crew, k->worker);
    }
    return k->stopped;
}

/* ---- Deciding one test afresh ---- */

static double correlation_given_subset(dpc_kernel *k, int y)
{
    const dpc_correlation *c = k->problem->correlation;
    for (int i = 0; i < k->m; i++)
        k->set[i] = k->variable[k->prefix[i]];
    return dpc_partial_correlation(c->r, c->n_vars, k->visit->x, k->variable[y], k->set, k->m,
                                   DPC_SINGULAR, k->scratch);
}

/* Given the complement, from R: what is exact but not cheap. */
static double correlation_given_rest(dpc_kernel *k, int y)
{
    const dpc_correlation *c = k->problem->correlation;
    int size = 0;
    for (int q = 0, i = 0; q < k->degree; q++) {
        if (i < k->m && k->prefix[i] == q)
            i++;
        else if (q != y)
            k->set[size++] = k->variable[q];
    }
    stopped(k, (int64_t)size * size * size / 8);
    return dpc_partial_correlation(c->r, c->n_vars, k->visit->x, k->variable[y], k->set, size,
                                   DPC_SINGULAR, k->scratch);
}

/* Given the complement, from T where that is safe. */
static double correlation_given_complement(dpc_kernel *k, int y)
{
    const dpc_side *t = &k->side[SIDE_T];
    double r = NAN;
    if (t->m != NULL)
        r = -dpc_partial_correlation(t->m, t->ld, k->degree, y, k->prefix, k->m, t->shaky,
                                     k->scratch);
    if (isnan(r) || fabs(fabs(r) - t->c) <= t->doubt) {
        k->counts.doubtful_tests++;
        r = correlation_given_rest(k, y);
    }
    return r;
}

/* The test of target y given K = prefix, all m elements of it; true: separated. */
static bool settle(dpc_kernel *k, int p, int y)
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
static void settle_set(dpc_kernel *k)
{
    for (int y = 0, i = 0; y < k->degree; y++) {
        if (i < k->m && k->prefix[i] == y) {
            i++;
            continue;
        }
        for (int p = 0; p < 2 && k->live[y]; p++)
            if (k->side[p].used) {
                k->counts.tests++;
                settle(k, p, y);
            }
    }
}

/* All targets given every set that begins with the first `chosen` elements of the prefix. */
static void settle_below(dpc_kernel *k, int chosen, int first)
{
    int left = k->m - chosen;
    if (left == 0) {
        settle_set(k);
        return;
    }
    for (int q = first; q <= k->degree - left && !stopped(k, k->degree); q++) {
        k->prefix[chosen] = q;
        settle_below(k, chosen + 1, q + 1);
    }
}

/* Below a shaky pivot: nothing to test where the sets are singular and have no complements. */
static void below_shaky(dpc_kernel *k, const dpc_depth *depth, int chosen, int a)
{
    if (!k->side[SIDE_T].used && depth->panel[SIDE_U].v[depth->column[a]] < DPC_SINGULAR)
        k->counts.singular_tests += depth->live;
    else
        settle_below(k, chosen, a + 1);
}

static bool shaky(const dpc_kernel *k, const dpc_depth *depth, int a)
{
    for (int p = 0; p < 2; p++)
        if (k->side[p].used && !(depth->panel[p].v[depth->column[a]] >= k->side[p].shaky))
            return true;
    return false;
}

/* ---- Columns ---- */

static void gather(const dpc_side *side, int q, const int32_t *position, int count, double *to)
{
    const double *from = side->m + side->index[q] * side->ld;
    for (int c = 0; c < count; c++)
        to[c] = from[side->index[position[c]]];
}

static void swap(double *values, int a, int b)
{
    double kept = values[a];
    values[a] = values[b];
    values[b] = kept;
}

/* Takes column c out of the live ones, in the rows of positions ≥ first. */
static void retire(dpc_kernel *k, dpc_depth *depth, int c, int first)
{
    int last = --depth->live;
    int pc = depth->position[c], plast = depth->position[last];
    depth->position[c] = plast, depth->column[plast] = c;
    depth->position[last] = pc, depth->column[pc] = last;
    for (int p = 0; p < 2; p++) {
        if (!k->side[p].used)
            continue;
        swap(depth->panel[p].x, c, last);
        swap(depth->panel[p].v, c, last);
        for (int q = first; k->m > 1 && q < k->degree; q++)
            swap(depth->panel[p].row + (int64_t)q * k->ld, c, last);
    }
}

/* Retires the columns of targets that were separated since this depth last looked. */
static void retire_dead(dpc_kernel *k, dpc_depth *depth, int first)
{
    if (depth->dead_seen == k->dead)
        return;
    for (int c = depth->live - 1; c >= 0; c--)
        if (!k->live[depth->position[c]])
            retire(k, depth, c, first);
    depth->dead_seen = k->dead;
}

/* ---- Screening one row ---- */

/* Does any column pass, for the last element q with row wq (no element before it)? */
static bool screen_first(int count, const double *restrict wq, const double *restrict t,
                         const double *restrict v, double g, double iq, double c2, double slack)
{
    int any = 0;
    for (int c = 0; c < count; c++) {
        double y = wq[c], ty = t[c] - g * y;
        any |= ty * ty <= c2 * (v[c] - iq * y * y) + slack;
    }
    return any;
}

/* The same where a is the element before q: the row of q given a is made on the way. */
static bool screen_next(int count, const double *restrict wq, const double *restrict wa, double f,
                        const double *restrict t, const double *restrict v, double g, double iq,
                        double c2, double slack)
{
    int any = 0;
    for (int c = 0; c < count; c++) {
        double y = wq[c] - f * wa[c], ty = t[c] - g * y;
        any |= ty * ty <= c2 * (v[c] - iq * y * y) + slack;
    }
    return any;
}

/* A row that has passes, column by column; `wa` may be NULL. */
static void settle_row(dpc_kernel *k, const dpc_depth *depth, int p, const double *wq,
                       const double *wa, double f, double g, double iq, double c2)
{
    const dpc_side *side = &k->side[p];
    for (int c = 0; c < depth->live; c++) {
        double y = wa != NULL ? wq[c] - f * wa[c] : wq[c], t = side->t[c] - g * y;
        if (!(t * t <= c2 * (side->v[c] - iq * y * y) + side->slack))
            continue;
        if (settle(k, p, depth->position[c]))
            k->side[SIDE_U].t[c] = k->side[SIDE_T].t[c] = MASKED;
    }
}

static int live_in_row(const dpc_kernel *k, const dpc_depth *depth)
{
    return depth->live - (k->dead - depth->dead_seen);
}

/* ---- Subsets of one element ---- */

static void test_singles(dpc_kernel *k)
{
    dpc_depth *depth = &k->depths[0];
    for (int q = 0; q < k->degree; q++) {
        if (depth->dead_seen != k->dead) {
            retire_dead(k, depth, k->degree);
            for (int p = 0; p < 2; p++)
                if (k->side[p].used)
                    memcpy(k->side[p].t, depth->panel[p].x, (size_t)depth->live * sizeof(double));
        }
        bool own = k->live[q];
        if (depth->live == 0 || stopped(k, 2 * depth->live))
            break;
        if (depth->live == own)
            continue; /* the only target left would be in the set */
        k->prefix[0] = q;
        for (int p = 0; p < 2; p++) {
            dpc_side *side = &k->side[p];
            if (!side->used)
                continue;
            gather(side, q, depth->position, depth->live, side->row);
            double g = side->m[side->index[q] * side->ld + side->index[k->degree]];
            double c2 = side->c * side->c * (1 - g * g), kept = 0;
            if (own) {
                kept = side->t[depth->column[q]];
                side->t[depth->column[q]] = MASKED;
            }
            k->counts.tests += live_in_row(k, depth) - own;
            if (screen_first(depth->live, side->row, side->t, side->v, g, 1, c2, side->slack))
                settle_row(k, depth, p, side->row, NULL, 0, g, 1, c2);
            if (own)
                side->t[depth->column[q]] = kept;
        }
    }
}

/* ---- Subsets of two and more ---- */

/* The columns given prefix and a, for all q that may come last. */
static void eliminate_into_vectors(dpc_kernel *k, const dpc_depth *depth, int p, int a, double *vx)
{
    const dpc_panel *w = &depth->panel[p];
    dpc_side *side = &k->side[p];
    const double *restrict wa = w->row + (int64_t)a * k->ld, *restrict x = w->x, *restrict v = w->v;
    double *restrict t = side->t, *restrict sv = side->v;
    int ca = depth->column[a];
    double inverse = 1 / v[ca], g = x[ca] * inverse;
    *vx = w->vx - x[ca] * g;
    for (int c = 0; c < depth->live; c++) {
        t[c] = x[c] - g * wa[c];
        sv[c] = v[c] - wa[c] * wa[c] * inverse;
    }
    if (ca < depth->live)
        t[ca] = MASKED;
}

/* One last element q on one side. */
static void test_last(dpc_kernel *k, const dpc_depth *depth, int p, int a, int q, double vx)
{
    const dpc_panel *w = &depth->panel[p];
    dpc_side *side = &k->side[p];
    const double *wa = w->row + (int64_t)a * k->ld, *wq = w->row + (int64_t)q * k->ld;
    int ca = depth->column[a], cq = depth->column[q];
    bool own = k->live[q];
    int targets = live_in_row(k, depth) - own - k->live[a];
    if (targets == 0)
        return;
    double f = wa[cq] / w->v[ca], vq = w->v[cq] - wa[cq] * f, xq = w->x[cq] - w->x[ca] * f;
    double iq = 1 / vq, g = xq * iq, c2 = side->c * side->c * (vx - xq * g), kept = 0;
    k->counts.tests += targets;
    if (own) {
        kept = side->t[cq];
        side->t[cq] = MASKED;
    }
    if (screen_next(depth->live, wq, wa, f, side->t, side->v, g, iq, c2, side->slack))
        settle_row(k, depth, p, wq, wa, f, g, iq, c2);
    if (own)
        side->t[cq] = kept;
}

/* Is q, given prefix and a, too close to a function of them for the screen? */
static bool shaky_pair(const dpc_kernel *k, const dpc_depth *depth, int a, int q)
{
    for (int p = 0; p < 2; p++) {
        if (!k->side[p].used)
            continue;
        const dpc_panel *w = &depth->panel[p];
        int ca = depth->column[a], cq = depth->column[q];
        double waq = w->row[(int64_t)a * k->ld + cq];
        if (!(w->v[cq] - waq * waq / w->v[ca] >= k->side[p].shaky))
            return true;
    }
    return false;
}

/* All sets prefix + a + q, q after a; `chosen` elements are in the prefix before a. */
static void test_last_two(dpc_kernel *k, dpc_depth *depth, int chosen, int a)
{
    double vx[2];
    for (int p = 0; p < 2; p++)
        if (k->side[p].used)
            eliminate_into_vectors(k, depth, p, a, &vx[p]);
    for (int q = a + 1; q < k->degree && !stopped(k, 2 * depth->live); q++) {
        k->prefix[chosen + 1] = q;
        if (shaky_pair(k, depth, a, q)) {
            int dead = k->dead;
            settle_set(k);
            for (int c = 0; dead != k->dead && c < depth->live; c++)
                if (!k->live[depth->position[c]])
                    k->side[SIDE_U].t[c] = k->side[SIDE_T].t[c] = MASKED;
            continue;
        }
        for (int p = 0; p < 2; p++)
            if (k->side[p].used)
                test_last(k, depth, p, a, q, vx[p]);
        if (live_in_row(k, depth) - k->live[a] == 0)
            break;
    }
}

/* The panel given one element more. */
static void eliminate(dpc_kernel *k, const dpc_depth *from, dpc_depth *to, int p, int a)
{
    const dpc_panel *w = &from->panel[p];
    dpc_panel *e = &to->panel[p];
    int ca = from->column[a], d = k->degree;
    const double *restrict wa = w->row + (int64_t)a * k->ld;
    double inverse = 1 / w->v[ca], g = w->x[ca] * inverse;
    e->vx = w->vx - w->x[ca] * g;
    for (int c = 0; c < d; c++) {
        e->x[c] = w->x[c] - g * wa[c];
        e->v[c] = w->v[c] - wa[c] * wa[c] * inverse;
    }
    for (int q = a + 1; q < d; q++) {
        const double *restrict wq = w->row + (int64_t)q * k->ld;
        double *restrict eq = e->row + (int64_t)q * k->ld;
        double f = wa[from->column[q]] * inverse;
        for (int c = 0; c < d; c++)
            eq[c] = wq[c] - f * wa[c];
    }
}

static void descend(dpc_kernel *k, const dpc_depth *from, dpc_depth *to, int a)
{
    to->live = from->live;
    to->dead_seen = from->dead_seen;
    memcpy(to->position, from->position, (size_t)k->degree * sizeof *to->position);
    memcpy(to->column, from->column, (size_t)k->degree * sizeof *to->column);
    for (int p = 0; p < 2; p++)
        if (k->side[p].used)
            eliminate(k, from, to, p, a);
    if (to->column[a] < to->live)
        retire(k, to, to->column[a], a + 1);
}

/* All sets that begin with the `chosen` elements of the prefix and go on from `first`. */
static void enumerate(dpc_kernel *k, int chosen, int first)
{
    dpc_depth *depth = &k->depths[chosen];
    int left = k->m - chosen;
    for (int a = first; a <= k->degree - left && !stopped(k, 2 * k->degree); a++) {
        retire_dead(k, depth, a);
        if (depth->live == 0)
            return;
        if (depth->live == 1 && k->live[a] && depth->column[a] == 0)
            continue; /* the only target left would be in the set */
        k->prefix[chosen] = a;
        if (shaky(k, depth, a)) {
            below_shaky(k, depth, chosen + 1, a);
        } else if (left == 2) {
            test_last_two(k, depth, chosen, a);
        } else {
            descend(k, depth, depth + 1, a);
            enumerate(k, chosen + 1, a + 1);
        }
    }
}

/* ---- The whole ---- */

static void start_panel(dpc_kernel *k, dpc_depth *depth, int p)
{
    const dpc_side *side = &k->side[p];
    dpc_panel *w = &depth->panel[p];
    gather(side, k->degree, depth->position, k->degree, w->x);
    w->vx = 1;
    for (int c = 0; c < k->degree; c++)
        w->v[c] = 1;
    memcpy(side->t, w->x, (size_t)k->degree * sizeof(double));
    memcpy(side->v, w->v, (size_t)k->degree * sizeof(double));
    for (int q = 0; k->m > 1 && q < k->degree; q++)
        gather(side, q, depth->position, k->degree, w->row + (int64_t)q * k->ld);
}

static void start_columns(dpc_kernel *k, dpc_depth *depth)
{
    depth->live = 0;
    depth->dead_seen = k->dead;
    for (int q = 0; q < k->degree; q++)
        if (k->live[q])
            depth->position[depth->live++] = q;
    for (int q = 0, c = depth->live; q < k->degree; q++)
        if (!k->live[q])
            depth->position[c++] = q;
    for (int c = 0; c < k->degree; c++)
        depth->column[depth->position[c]] = c;
}

void dpc_test_subsets(dpc_kernel *k)
{
    const dpc_side *t = &k->side[SIDE_T];
    if (k->m == 0 || (t->used && t->m == NULL)) {
        settle_below(k, 0, 0);
        return;
    }
    start_columns(k, &k->depths[0]);
    for (int p = 0; p < 2; p++)
        if (k->side[p].used)
            start_panel(k, &k->depths[0], p);
    if (k->m == 1)
        test_singles(k);
    else
        enumerate(k, 0, 0);
}

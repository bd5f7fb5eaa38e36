/*
 * Tests given subsets of a neighbourhood, at a constant cost each.
 *
 * For a matrix W let W.K be its Schur complement given K. Then, in the notation of visit.c,
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
 * The recursion only screens: on T by t² ≤ c² Wxx v + slack, with a slack far above its rounding
 * error. On U little may be left of x and y, and much of what is not separated would pass. There,
 * with e a bound on the rounding error of t, Wxx and v, and η small,
 *
 *     t² ≤ c' v + c' e + (1 + 1/η) e² ,   c' = (1 + η) c² (Wxx + e)
 *
 * whenever |t| ≤ c sqrt(Wxx v) without the errors, because 2 a e ≤ η a² + e²/η. So the screen is
 * sharp down to variances of about e/(c sqrt η). What passes is decided afresh, by a Cholesky
 * factor of the set itself, and by the critical value of its own N, where the screen takes that of
 * the smallest N around x, which is the largest. So a verdict on given correlations does not depend
 * on the route or on the vector unit. Below a pivot so small that the error might be larger (a
 * shaky one) every set is decided that way.
 */
#include "linalg.h"
#include "visitor.h"

#include <math.h>
#include <string.h>

static const double MASKED = 1e150; /* t of a column that is not to be tested */
static const double WIDER = 1e-3;   /* η */

/* Below a shaky pivot: nothing to test where the sets are singular and have no complements. */
static void below_shaky(dpc_visitor *v, const dpc_depth *depth, int chosen, int a)
{
    if (!v->side[SIDE_T].used && depth->panel[SIDE_U].v[depth->column[a]] < DPC_SINGULAR)
        v->counts.singular_tests += depth->live - v->live[a];
    else
        dpc_judge_below(v, chosen, a + 1);
}

static bool shaky(const dpc_visitor *v, const dpc_depth *depth, int a)
{
    for (int p = 0; p < 2; p++)
        if (v->side[p].used && !(depth->panel[p].v[depth->column[a]] >= v->side[p].shaky))
            return true;
    return false;
}

/* ---- Columns ---- */

static void swap(double *values, int a, int b)
{
    double kept = values[a];
    values[a] = values[b];
    values[b] = kept;
}

/* Takes column c out of the live ones, in the rows of positions ≥ first. */
static void retire(dpc_visitor *v, dpc_depth *depth, int c, int first)
{
    int last = --depth->live;
    int pc = depth->position[c], plast = depth->position[last];
    depth->position[c] = plast, depth->column[plast] = c;
    depth->position[last] = pc, depth->column[pc] = last;
    for (int p = 0; p < 2; p++) {
        if (!v->side[p].used)
            continue;
        swap(depth->panel[p].x, c, last);
        swap(depth->panel[p].v, c, last);
        for (int q = first; q < v->degree; q++)
            swap(depth->panel[p].row + (int64_t)q * v->ld, c, last);
    }
}

/* Retires the columns of targets that were separated since this depth last looked. */
static void retire_dead(dpc_visitor *v, dpc_depth *depth, int first)
{
    if (depth->dead_seen == v->dead)
        return;
    for (int c = depth->live - 1; c >= 0; c--)
        if (!v->live[depth->position[c]])
            retire(v, depth, c, first);
    depth->dead_seen = v->dead;
}

/* The live columns that have not been separated since. */
static int still_live(const dpc_visitor *v, const dpc_depth *depth)
{
    return depth->live - (v->dead - depth->dead_seen);
}

/* ---- One row: all targets given prefix and a last element q ---- */

/* The row of q, and what the formulas at the head need besides. */
typedef struct row {
    const double *wq, *wa; /* wa: the element before, to be eliminated on the way; or NULL */
    double f, g, iq, c2, slack;
} row;

/* c' where x has the variance vx. */
static double screened_at(const dpc_side *side, double vx)
{
    return (side->error > 0 ? 1 + WIDER : 1) * side->c * side->c * (vx + side->error);
}

/* The slack with this c', or a smaller one. */
static double slack_of(const dpc_side *side, double c2)
{
    return side->slack + c2 * side->error + (1 + 1 / WIDER) * side->error * side->error;
}

/* Does any column pass? */
static bool screen(const dpc_visitor *v, const dpc_side *side, const row *r, int count)
{
    double least = r->wa == NULL
                       ? v->vector->screen_first(count, r->wq, side->t, side->v, r->g, r->iq, r->c2)
                       : v->vector->screen_next(count, r->wq, r->wa, r->f, side->t, side->v, r->g,
                                                r->iq, r->c2);
    return least <= r->slack;
}

/* A row with columns that pass: decides each. */
static void judge_row(dpc_visitor *v, const dpc_depth *depth, int p, const row *r)
{
    enum { BLOCK = 64 };
    const dpc_side *side = &v->side[p];
    for (int from = 0; from < depth->live; from += BLOCK) {
        int left = depth->live - from, count = left < BLOCK ? dpc_whole_vectors(left) : BLOCK;
        uint64_t bits =
            v->vector->passing(count, r->wq + from, r->wa != NULL ? r->wa + from : NULL, r->f,
                               side->t + from, side->v + from, r->g, r->iq, r->c2, r->slack);
        for (; bits != 0; bits &= bits - 1) {
            int c = from + __builtin_ctzll(bits);
            if (c < depth->live && dpc_judge(v, p, depth->position[c]))
                v->side[SIDE_U].t[c] = v->side[SIDE_T].t[c] = MASKED;
        }
    }
}

/* Tests the row on one side; column `own` belongs to q itself (or is -1). */
static void test_row(dpc_visitor *v, const dpc_depth *depth, int p, const row *r, int own)
{
    dpc_side *side = &v->side[p];
    double kept = 0;
    if (own >= 0) {
        kept = side->t[own];
        side->t[own] = MASKED;
    }
    if (screen(v, side, r, dpc_whole_vectors(depth->live)))
        judge_row(v, depth, p, r);
    if (own >= 0)
        side->t[own] = kept;
}

/* ---- Subsets of one element ---- */

/*
 * Closes the gaps that separated targets have left, in the rows of positions ≥ first. Here the
 * order of the columns is kept, because it is the order of memory in the rows of R.
 */
static void close_gaps(dpc_visitor *v, dpc_depth *depth, int first)
{
    int32_t *kept = v->set;
    int live = 0;
    for (int c = 0; c < depth->live; c++) {
        int q = depth->position[c];
        if (!v->live[q])
            continue;
        kept[live] = c;
        v->of_column[live] = v->variable[q];
        depth->position[live] = q;
        depth->column[q] = live++;
    }
    for (int p = 0; p < 2; p++) {
        double *t = v->side[p].t;
        if (!v->side[p].used)
            continue;
        for (int c = 0; c < live; c++)
            t[c] = t[kept[c]];
        for (int c = live; c < dpc_whole_vectors(live); c++)
            t[c] = MASKED;
    }
    for (int q = first; v->side[SIDE_T].used && q < v->degree; q++) {
        double *row = depth->panel[SIDE_T].row + (int64_t)q * v->ld;
        for (int c = 0; c < live; c++)
            row[c] = row[kept[c]];
    }
    depth->live = live;
    depth->dead_seen = v->dead;
}

static void test_single(dpc_visitor *v, const dpc_depth *depth, int p, int q)
{
    dpc_side *side = &v->side[p];
    int own = v->live[q] ? depth->column[q] : -1;
    v->counts.tests += still_live(v, depth) - (own >= 0);
    row r = {.wq = v->gathered, .iq = 1};
    if (p == SIDE_U) {
        dpc_gather_columns(v, q, depth->live, v->gathered);
        r.g = dpc_column_row(&v->view, v->variable[v->degree])[v->variable[q]];
    } else {
        r.wq = depth->panel[p].row + (int64_t)q * v->ld;
        r.g = v->toward_x[q];
    }
    r.c2 = screened_at(side, 1 - r.g * r.g);
    r.slack = slack_of(side, r.c2);
    test_row(v, depth, p, &r, own);
}

static void test_singles(dpc_visitor *v)
{
    dpc_depth *depth = &v->depths[0];
    for (int p = 0; p < 2; p++) {
        if (!v->side[p].used)
            continue;
        memcpy(v->side[p].t, depth->panel[p].x, (size_t)depth->live * sizeof(double));
        for (int c = depth->live; c < dpc_whole_vectors(depth->live); c++)
            v->side[p].t[c] = MASKED;
    }
    for (int q = 0; q < v->degree && !dpc_stopped(v, 2 * depth->live); q++) {
        if (4 * (v->dead - depth->dead_seen) > depth->live)
            close_gaps(v, depth, q);
        int live = still_live(v, depth);
        if (live == 0)
            break;
        if (live == v->live[q])
            continue; /* the only target left would be in the set */
        v->prefix[0] = q;
        for (int p = 0; p < 2; p++)
            if (v->side[p].used)
                test_single(v, depth, p, q);
    }
}

/* ---- Subsets of two and more ---- */

/* What the sets with the same prefix and a share on one side. */
typedef struct given {
    double vx;      /* W(x, x) given them */
    double inverse; /* 1 / W(a, a) */
} given;

/* The columns given prefix and a, for all q that may come last. */
static given condition_columns(dpc_visitor *v, const dpc_depth *depth, int p, int a)
{
    const dpc_panel *w = &depth->panel[p];
    dpc_side *side = &v->side[p];
    const double *wa = w->row + (int64_t)a * v->ld;
    int ca = depth->column[a], count = dpc_whole_vectors(depth->live);
    double inverse = 1 / w->v[ca], g = w->x[ca] * inverse;
    v->vector->eliminate(count, w->x, wa, g, side->t);
    v->vector->reduce(count, w->v, wa, inverse, side->v);
    for (int c = depth->live; c < count; c++)
        side->t[c] = MASKED;
    if (ca < depth->live)
        side->t[ca] = MASKED;
    return (given){.vx = w->vx - w->x[ca] * g, .inverse = inverse};
}

/* One last element q on one side; true: its pivot is too small to rely on the screen. */
static bool prepare_last(const dpc_visitor *v, const dpc_depth *depth, int p, int a, int q,
                         const given *shared, row *r)
{
    const dpc_panel *w = &depth->panel[p];
    const dpc_side *side = &v->side[p];
    int ca = depth->column[a], cq = depth->column[q];
    r->wa = w->row + (int64_t)a * v->ld;
    r->wq = w->row + (int64_t)q * v->ld;
    r->f = r->wa[cq] * shared->inverse;
    double vq = w->v[cq] - r->wa[cq] * r->f, xq = w->x[cq] - w->x[ca] * r->f;
    r->iq = 1 / vq;
    r->g = xq * r->iq;
    r->c2 = screened_at(side, shared->vx - xq * r->g);
    r->slack = slack_of(side, r->c2);
    return !(vq >= side->shaky);
}

/* The rows of all that may come last, as the screen of many of them reads them. */
static dpc_last_rows rows_of(const dpc_visitor *v, const dpc_depth *depth, int p, int a,
                             const given *shared)
{
    const dpc_panel *w = &depth->panel[p];
    const dpc_side *side = &v->side[p];
    return (dpc_last_rows){
        .count = dpc_whole_vectors(depth->live),
        .ld = v->ld,
        .row = w->row,
        .column = depth->column,
        .wa = w->row + (int64_t)a * v->ld,
        .inverse = shared->inverse,
        .x = w->x,
        .v = w->v,
        .xa = w->x[depth->column[a]],
        .vx = shared->vx + side->error,
        .tc = side->t,
        .vc = side->v,
        .c2 = (side->error > 0 ? 1 + WIDER : 1) * side->c * side->c,
        .shaky = side->shaky,
        .slack = slack_of(side, screened_at(side, shared->vx)),
    };
}

/* Decides the set prefix + a + q without the screen, and masks what it separated. */
static void judge_last(dpc_visitor *v, const dpc_depth *depth)
{
    int dead = v->dead;
    dpc_judge_set(v);
    for (int c = 0; dead != v->dead && c < depth->live; c++)
        if (!v->live[depth->position[c]])
            v->side[SIDE_U].t[c] = v->side[SIDE_T].t[c] = MASKED;
}

/* One set prefix + a + q, for all targets. */
static void test_last(dpc_visitor *v, const dpc_depth *depth, int a, int q, const given *shared)
{
    int own = v->live[q] ? depth->column[q] : -1;
    bool shaky_row = false;
    row r[2];
    if (still_live(v, depth) == v->live[a] + (own >= 0))
        return; /* the targets left would be in the set */
    for (int p = 0; p < 2; p++)
        if (v->side[p].used)
            shaky_row |= prepare_last(v, depth, p, a, q, &shared[p], &r[p]);
    if (shaky_row) {
        judge_last(v, depth);
        return;
    }
    for (int p = 0; p < 2; p++) {
        if (!v->side[p].used)
            continue;
        v->counts.tests += still_live(v, depth) - v->live[a] - (own >= 0);
        test_row(v, depth, p, &r[p], own);
    }
}

/* Counts the tests of the sets whose last elements are from … to-1, where none has passed. */
static void count_quiet(dpc_visitor *v, const dpc_depth *depth, int a, int from, int to)
{
    int sides = v->side[SIDE_U].used + v->side[SIDE_T].used;
    int64_t tests = (int64_t)(to - from) * (still_live(v, depth) - v->live[a]);
    for (int q = from; q < to; q++)
        tests -= v->live[q];
    v->counts.tests += sides * tests;
}

/* All sets prefix + a + q, q after a; `chosen` elements are in the prefix before a. */
static void test_last_two(dpc_visitor *v, dpc_depth *depth, int chosen, int a)
{
    given shared[2] = {{0}};
    dpc_last_rows rows[2];
    int next[2] = {v->degree, v->degree}; /* on each side: nothing passes before it */
    for (int p = 0; p < 2; p++)
        if (v->side[p].used) {
            shared[p] = condition_columns(v, depth, p, a);
            rows[p] = rows_of(v, depth, p, a, &shared[p]);
            next[p] = a;
        }
    for (int q = a + 1; q < v->degree && still_live(v, depth) > v->live[a]; q++) {
        for (int p = 0; p < 2; p++)
            if (next[p] < q)
                next[p] = v->vector->first_passing(&rows[p], q, v->degree);
        int quiet = next[SIDE_U] < next[SIDE_T] ? next[SIDE_U] : next[SIDE_T];
        count_quiet(v, depth, a, q, quiet);
        if (dpc_stopped(v, 2 * (int64_t)depth->live * (quiet - q + 1)) || quiet == v->degree)
            break;
        q = quiet;
        v->prefix[chosen + 1] = q;
        test_last(v, depth, a, q, shared);
    }
}

/* The panel given one element more; what is 0 behind its columns stays so. */
static void eliminate(const dpc_visitor *v, const dpc_depth *from, dpc_depth *to, int p, int a)
{
    const dpc_panel *w = &from->panel[p];
    dpc_panel *e = &to->panel[p];
    const double *wa = w->row + (int64_t)a * v->ld;
    int ca = from->column[a], count = dpc_whole_vectors(v->degree);
    double inverse = 1 / w->v[ca], g = w->x[ca] * inverse;
    e->vx = w->vx - w->x[ca] * g;
    v->vector->eliminate(count, w->x, wa, g, e->x);
    v->vector->reduce(count, w->v, wa, inverse, e->v);
    for (int q = a + 1; q < v->degree; q++)
        v->vector->eliminate(count, w->row + (int64_t)q * v->ld, wa, wa[from->column[q]] * inverse,
                             e->row + (int64_t)q * v->ld);
}

static void descend(dpc_visitor *v, const dpc_depth *from, dpc_depth *to, int a)
{
    to->live = from->live;
    to->dead_seen = from->dead_seen;
    memcpy(to->position, from->position, (size_t)v->degree * sizeof *to->position);
    memcpy(to->column, from->column, (size_t)v->degree * sizeof *to->column);
    for (int p = 0; p < 2; p++)
        if (v->side[p].used)
            eliminate(v, from, to, p, a);
    if (to->column[a] < to->live)
        retire(v, to, to->column[a], a + 1);
}

/* All sets that begin with the `chosen` elements of the prefix and go on from `first`. */
static void enumerate(dpc_visitor *v, int chosen, int first)
{
    dpc_depth *depth = &v->depths[chosen];
    int left = v->m - chosen;
    for (int a = first; a <= v->degree - left && !dpc_stopped(v, 2 * v->degree); a++) {
        retire_dead(v, depth, a);
        if (depth->live == 0)
            return;
        if (depth->live == 1 && v->live[a] && depth->column[a] == 0)
            continue; /* the only target left would be in the set */
        v->prefix[chosen] = a;
        if (shaky(v, depth, a)) {
            below_shaky(v, depth, chosen + 1, a);
        } else if (left == 2) {
            test_last_two(v, depth, chosen, a);
        } else {
            descend(v, depth, depth + 1, a);
            enumerate(v, chosen + 1, a + 1);
        }
    }
}

/* ---- The whole ---- */

/* The empty subset's complement: the row of x in T has the correlations. */
static void test_full(dpc_visitor *v)
{
    const dpc_side *t = &v->side[SIDE_T];
    for (int y = 0; y < v->degree; y++) {
        if (!v->live[y])
            continue;
        v->counts.tests++;
        if (fabs(v->toward_x[y]) <= t->c + t->doubt)
            dpc_judge(v, SIDE_T, y);
    }
}

void dpc_test_subsets(dpc_visitor *v)
{
    if (v->m == 0) {
        test_full(v);
        return;
    }
    if (v->some || (v->side[SIDE_T].used && !v->inverted)) {
        dpc_judge_below(v, 0, 0);
        return;
    }
    dpc_start_panels(v);
    if (v->m == 1)
        test_singles(v);
    else
        enumerate(v, 0, 0);
}

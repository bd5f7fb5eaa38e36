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
 * What passes is decided afresh, by a Cholesky factor of the set itself. So a verdict on given
 * correlations does not depend on the route or on the vector unit. Below a pivot so small that
 * the slack might not cover the error (a shaky one) every set is decided that way.
 */
#include "linalg.h"
#include "workspace.h"

#include <math.h>
#include <string.h>

static const double MASKED = 1e150; /* t of a column that is not to be tested */

/* Below a shaky pivot: nothing to test where the sets are singular and have no complements. */
static void below_shaky(dpc_kernel *k, const dpc_depth *depth, int chosen, int a)
{
    if (!k->side[SIDE_T].used && depth->panel[SIDE_U].v[depth->column[a]] < DPC_SINGULAR)
        k->counts.singular_tests += depth->live - k->live[a];
    else
        dpc_settle_below(k, chosen, a + 1);
}

static bool shaky(const dpc_kernel *k, const dpc_depth *depth, int a)
{
    for (int p = 0; p < 2; p++)
        if (k->side[p].used && !(depth->panel[p].v[depth->column[a]] >= k->side[p].shaky))
            return true;
    return false;
}

/* ---- Columns ---- */

static int whole_vectors(int count)
{
    return (count + DPC_VECTOR - 1) / DPC_VECTOR * DPC_VECTOR;
}

/* Row q of R over the variables of the columns. */
static void gather(const dpc_kernel *k, int q, int count, double *to)
{
    enum { FAR = 512 }; /* variables from which R is not in the nearest caches anyway */
    const dpc_view *view = &k->problem->view;
    const double *from = dpc_column_row(view, k->variable[q]);
    const double *next = dpc_column_row(view, k->variable[q < k->degree ? q + 1 : q]);
    bool far = view->n >= FAR;
    for (int c = 0; c < count; c++) {
        to[c] = from[k->of_column[c]];
        if (far)
            __builtin_prefetch(next + k->of_column[c]); /* the row that comes after */
    }
    for (int c = count; c < whole_vectors(count); c++)
        to[c] = 0;
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
        for (int q = first; q < k->degree; q++)
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

/* The live columns that have not been separated since. */
static int still_live(const dpc_kernel *k, const dpc_depth *depth)
{
    return depth->live - (k->dead - depth->dead_seen);
}

/* ---- One row: all targets given prefix and a last element q ---- */

/* The row of q, and what the formulas at the head need besides. */
typedef struct row {
    const double *wq, *wa; /* wa: the element before, to be eliminated on the way; or NULL */
    double f, g, iq, c2;
} row;

/* Does any column pass? */
static bool screen(const dpc_kernel *k, const dpc_side *side, const row *r, int count)
{
    double least = r->wa == NULL
                       ? k->vector->screen_first(count, r->wq, side->t, side->v, r->g, r->iq, r->c2)
                       : k->vector->screen_next(count, r->wq, r->wa, r->f, side->t, side->v, r->g,
                                                r->iq, r->c2);
    return least <= side->slack;
}

/* A row with columns that pass: decides each. */
static void settle_row(dpc_kernel *k, const dpc_depth *depth, int p, const row *r)
{
    enum { BLOCK = 64 };
    const dpc_side *side = &k->side[p];
    for (int from = 0; from < depth->live; from += BLOCK) {
        int left = depth->live - from, count = left < BLOCK ? whole_vectors(left) : BLOCK;
        uint64_t bits =
            k->vector->passing(count, r->wq + from, r->wa != NULL ? r->wa + from : NULL, r->f,
                               side->t + from, side->v + from, r->g, r->iq, r->c2, side->slack);
        for (; bits != 0; bits &= bits - 1) {
            int c = from + __builtin_ctzll(bits);
            if (c < depth->live && dpc_settle(k, p, depth->position[c]))
                k->side[SIDE_U].t[c] = k->side[SIDE_T].t[c] = MASKED;
        }
    }
}

/* Tests the row on one side; column `own` belongs to q itself (or is -1). */
static void test_row(dpc_kernel *k, const dpc_depth *depth, int p, const row *r, int own)
{
    dpc_side *side = &k->side[p];
    double kept = 0;
    if (own >= 0) {
        kept = side->t[own];
        side->t[own] = MASKED;
    }
    if (screen(k, side, r, whole_vectors(depth->live)))
        settle_row(k, depth, p, r);
    if (own >= 0)
        side->t[own] = kept;
}

/* ---- Subsets of one element ---- */

/*
 * Closes the gaps that separated targets have left, in the rows of positions ≥ first. Here the
 * order of the columns is kept, because it is the order of memory in the rows of R.
 */
static void close_gaps(dpc_kernel *k, dpc_depth *depth, int first)
{
    int32_t *kept = k->set;
    int live = 0;
    for (int c = 0; c < depth->live; c++) {
        int q = depth->position[c];
        if (!k->live[q])
            continue;
        kept[live] = c;
        k->of_column[live] = k->variable[q];
        depth->position[live] = q;
        depth->column[q] = live++;
    }
    for (int p = 0; p < 2; p++) {
        double *t = k->side[p].t;
        if (!k->side[p].used)
            continue;
        for (int c = 0; c < live; c++)
            t[c] = t[kept[c]];
        for (int c = live; c < whole_vectors(live); c++)
            t[c] = MASKED;
    }
    for (int q = first; k->side[SIDE_T].used && q < k->degree; q++) {
        double *row = depth->panel[SIDE_T].row + (int64_t)q * k->ld;
        for (int c = 0; c < live; c++)
            row[c] = row[kept[c]];
    }
    depth->live = live;
    depth->dead_seen = k->dead;
}

static void test_single(dpc_kernel *k, const dpc_depth *depth, int p, int q)
{
    dpc_side *side = &k->side[p];
    int own = k->live[q] ? depth->column[q] : -1;
    k->counts.tests += still_live(k, depth) - (own >= 0);
    row r = {.wq = k->gathered, .iq = 1};
    if (p == SIDE_U) {
        gather(k, q, depth->live, k->gathered);
        r.g = dpc_column_row(&k->problem->view, k->variable[k->degree])[k->variable[q]];
    } else {
        r.wq = depth->panel[p].row + (int64_t)q * k->ld;
        r.g = k->factor[(int64_t)q * (k->degree + 1) + k->degree];
    }
    r.c2 = side->c * side->c * (1 - r.g * r.g);
    test_row(k, depth, p, &r, own);
}

static void test_singles(dpc_kernel *k)
{
    dpc_depth *depth = &k->depths[0];
    for (int p = 0; p < 2; p++) {
        if (!k->side[p].used)
            continue;
        memcpy(k->side[p].t, depth->panel[p].x, (size_t)depth->live * sizeof(double));
        for (int c = depth->live; c < whole_vectors(depth->live); c++)
            k->side[p].t[c] = MASKED;
    }
    for (int q = 0; q < k->degree && !dpc_stopped(k, 2 * depth->live); q++) {
        if (4 * (k->dead - depth->dead_seen) > depth->live)
            close_gaps(k, depth, q);
        int live = still_live(k, depth);
        if (live == 0)
            break;
        if (live == k->live[q])
            continue; /* the only target left would be in the set */
        k->prefix[0] = q;
        for (int p = 0; p < 2; p++)
            if (k->side[p].used)
                test_single(k, depth, p, q);
    }
}

/* ---- Subsets of two and more ---- */

/* What the sets with the same prefix and a share on one side. */
typedef struct given {
    double vx;      /* W(x, x) given them */
    double inverse; /* 1 / W(a, a) */
} given;

/* The columns given prefix and a, for all q that may come last. */
static given condition_columns(dpc_kernel *k, const dpc_depth *depth, int p, int a)
{
    const dpc_panel *w = &depth->panel[p];
    dpc_side *side = &k->side[p];
    const double *wa = w->row + (int64_t)a * k->ld;
    int ca = depth->column[a], count = whole_vectors(depth->live);
    double inverse = 1 / w->v[ca], g = w->x[ca] * inverse;
    k->vector->eliminate(count, w->x, wa, g, side->t);
    k->vector->reduce(count, w->v, wa, inverse, side->v);
    for (int c = depth->live; c < count; c++)
        side->t[c] = MASKED;
    if (ca < depth->live)
        side->t[ca] = MASKED;
    return (given){.vx = w->vx - w->x[ca] * g, .inverse = inverse};
}

/* One last element q on one side; true: its pivot is too small to rely on the screen. */
static bool prepare_last(const dpc_kernel *k, const dpc_depth *depth, int p, int a, int q,
                         const given *shared, row *r)
{
    const dpc_panel *w = &depth->panel[p];
    const dpc_side *side = &k->side[p];
    int ca = depth->column[a], cq = depth->column[q];
    r->wa = w->row + (int64_t)a * k->ld;
    r->wq = w->row + (int64_t)q * k->ld;
    r->f = r->wa[cq] * shared->inverse;
    double vq = w->v[cq] - r->wa[cq] * r->f, xq = w->x[cq] - w->x[ca] * r->f;
    r->iq = 1 / vq;
    r->g = xq * r->iq;
    r->c2 = side->c * side->c * (shared->vx - xq * r->g);
    return !(vq >= side->shaky);
}

/* Decides the set prefix + a + q without the screen, and masks what it separated. */
static void settle_last(dpc_kernel *k, const dpc_depth *depth)
{
    int dead = k->dead;
    dpc_settle_set(k);
    for (int c = 0; dead != k->dead && c < depth->live; c++)
        if (!k->live[depth->position[c]])
            k->side[SIDE_U].t[c] = k->side[SIDE_T].t[c] = MASKED;
}

/* All sets prefix + a + q, q after a; `chosen` elements are in the prefix before a. */
static void test_last_two(dpc_kernel *k, dpc_depth *depth, int chosen, int a)
{
    given shared[2] = {{0}};
    for (int p = 0; p < 2; p++)
        if (k->side[p].used)
            shared[p] = condition_columns(k, depth, p, a);
    for (int q = a + 1; q < k->degree && !dpc_stopped(k, 2 * depth->live); q++) {
        int own = k->live[q] ? depth->column[q] : -1;
        bool shaky_row = false;
        row r[2];
        if (still_live(k, depth) == k->live[a])
            break;
        if (still_live(k, depth) == k->live[a] + (own >= 0))
            continue; /* the targets left would be in the set */
        k->prefix[chosen + 1] = q;
        for (int p = 0; p < 2; p++)
            if (k->side[p].used)
                shaky_row |= prepare_last(k, depth, p, a, q, &shared[p], &r[p]);
        if (shaky_row) {
            settle_last(k, depth);
            continue;
        }
        for (int p = 0; p < 2; p++) {
            if (!k->side[p].used)
                continue;
            k->counts.tests += still_live(k, depth) - k->live[a] - (own >= 0);
            test_row(k, depth, p, &r[p], own);
        }
    }
}

/* The panel given one element more. */
static void eliminate(const dpc_kernel *k, const dpc_depth *from, dpc_depth *to, int p, int a)
{
    const dpc_panel *w = &from->panel[p];
    dpc_panel *e = &to->panel[p];
    const double *wa = w->row + (int64_t)a * k->ld;
    int ca = from->column[a], d = k->degree;
    double inverse = 1 / w->v[ca], g = w->x[ca] * inverse;
    e->vx = w->vx - w->x[ca] * g;
    k->vector->eliminate(d, w->x, wa, g, e->x);
    k->vector->reduce(d, w->v, wa, inverse, e->v);
    for (int q = a + 1; q < d; q++)
        k->vector->eliminate(d, w->row + (int64_t)q * k->ld, wa, wa[from->column[q]] * inverse,
                             e->row + (int64_t)q * k->ld);
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
    for (int a = first; a <= k->degree - left && !dpc_stopped(k, 2 * k->degree); a++) {
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
    for (int c = 0; c < k->degree; c++) {
        depth->column[depth->position[c]] = c;
        k->of_column[c] = k->variable[depth->position[c]];
    }
}

/* The rows of U that will be needed again and again; for single elements only that of x. */
static void start_subsets(dpc_kernel *k, dpc_depth *depth)
{
    dpc_panel *w = &depth->panel[SIDE_U];
    gather(k, k->degree, k->degree, w->x);
    for (int q = 0; k->m > 1 && q < k->degree; q++)
        gather(k, q, k->degree, w->row + (int64_t)q * k->ld);
}

/*
 * The rows of T = FᵀF, of x too, over the live columns; over all columns where they are to be
 * eliminated from each other. The product is made with the columns first: a row is contiguous.
 */
static void start_complements(dpc_kernel *k, dpc_depth *depth)
{
    const double one = 1;
    int order = k->degree + 1, columns = k->m > 1 ? k->degree : depth->live;
    double *to = depth->panel[SIDE_T].row;
    for (int i = 0; i < order; i++)
        for (int c = 0; c < columns; c++) {
            int j = depth->position[c];
            to[(int64_t)i * k->ld + c] = j <= i ? k->factor[(int64_t)j * order + i] : 0;
        }
    dtrmm_("R", "L", "N", "N", &columns, &order, &one, k->factor, &order, to, &k->ld);
    for (int i = 0; i < order; i++)
        for (int c = columns; c < whole_vectors(columns); c++)
            to[(int64_t)i * k->ld + c] = 0;
}

/* The empty subset's complement: the last row of F has the correlations. */
static void test_full(dpc_kernel *k)
{
    const dpc_side *t = &k->side[SIDE_T];
    for (int y = 0; y < k->degree; y++) {
        if (!k->live[y])
            continue;
        k->counts.tests++;
        if (fabs(k->factor[(int64_t)y * (k->degree + 1) + k->degree]) <= t->c + t->doubt)
            dpc_settle(k, SIDE_T, y);
    }
}

void dpc_test_subsets(dpc_kernel *k)
{
    dpc_depth *depth = &k->depths[0];
    if (k->m == 0) {
        test_full(k);
        return;
    }
    if (k->side[SIDE_T].used && !k->inverted) {
        dpc_settle_below(k, 0, 0);
        return;
    }
    start_columns(k, depth);
    for (int p = 0; p < 2; p++) {
        if (!k->side[p].used)
            continue;
        if (p == SIDE_U)
            start_subsets(k, depth);
        else
            start_complements(k, depth);
        depth->panel[p].vx = 1;
        for (int c = 0; c < k->ld; c++)
            k->side[p].v[c] = depth->panel[p].v[c] = 1;
    }
    if (k->m == 1)
        test_singles(k);
    else
        enumerate(k, 0, 0);
}

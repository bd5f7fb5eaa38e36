/*
 * Large triangular matrices by blocks: see triangular.h.
 *
 * The factor: a block of columns at a time. Its diagonal block is factored, the rows below are
 * solved for, and what the new columns explain is taken from all columns behind them.
 * The inverse: by halves, with W for the inverse, W21 = -W22 L21 W11.
 * The square: row blocks from above. (LᵀL)ij = Σ Lkiᵀ Lkj over k ≥ i needs rows of L from i on
 * only.
 */
#include "triangular.h"

#include "linalg.h"

enum {
    BLOCK = 256, /* columns of the factor, and rows of the square, at a time */
    SLICE = 128, /* rows or columns of one task */
};

typedef struct triangle {
    double *a;
    int n;
    int at;     /* where the present block begins … */
    int size;   /* … and how many rows and columns it has */
    int middle; /* the inverse: where the lower half of the block begins */
} triangle;

static double *entry(const triangle *t, int i, int j)
{
    return t->a + (int64_t)j * t->n + i;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* How many slices that many rows or columns make. */
static int slices(int count)
{
    return (count + SLICE - 1) / SLICE;
}

/* All tasks, by one worker or by all of them; false: called off. */
static bool share(dpc_shared_work *by, int count, double work, dpc_task task, triangle *t)
{
    dpc_crew *crew = by->crew;
    bool finished = true;
    if (crew != NULL && by->worker == DPC_ALL_WORKERS) {
        crew->from = by->done / by->all;
        crew->to = (by->done + work) / by->all;
        finished = dpc_crew_run(crew, count, work, task, t);
        crew->from = 0;
        crew->to = 1;
    } else {
        for (int i = 0; i < count && finished; i++) {
            task(t, i, by->worker);
            finished = crew == NULL || !dpc_crew_stopped(crew, by->worker);
        }
    }
    by->done += work;
    return finished;
}

/* ---- The factor ---- */

/* Some rows below the diagonal block. */
static void solve_rows(void *context, int64_t index, int worker)
{
    (void)worker;
    const triangle *t = context;
    const double one = 1;
    int first = t->at + t->size + (int)index * SLICE, rows = least(SLICE, t->n - first);
    dtrsm_("R", "L", "T", "N", &rows, &t->size, &one, entry(t, t->at, t->at), &t->n,
           entry(t, first, t->at), &t->n);
}

/* Takes from some columns behind the block what its columns explain. */
static void reduce_columns(void *context, int64_t index, int worker)
{
    (void)worker;
    const triangle *t = context;
    const double one = 1, minus = -1;
    int first = t->at + t->size + (int)index * SLICE, columns = least(SLICE, t->n - first);
    int below = first + columns, rows = t->n - below;
    dsyrk_("L", "N", &columns, &t->size, &minus, entry(t, first, t->at), &t->n, &one,
           entry(t, first, first), &t->n);
    if (rows > 0)
        dgemm_("N", "T", &rows, &columns, &t->size, &minus, entry(t, below, t->at), &t->n,
               entry(t, first, t->at), &t->n, &one, entry(t, below, first), &t->n);
}

bool dpc_blocks_factor(double *a, int n, dpc_shared_work *by)
{
    triangle t = {.a = a, .n = n};
    int info;
    if (n <= DPC_ONE_BLOCK) {
        dpotrf_("L", &n, a, &n, &info);
        return info == 0;
    }
    for (; t.at < n; t.at += t.size) {
        t.size = least(BLOCK, n - t.at);
        dpotrf_("L", &t.size, entry(&t, t.at, t.at), &n, &info);
        double rest = n - t.at - t.size;
        int count = slices((int)rest);
        if (info != 0 || !share(by, count, rest * t.size * t.size, solve_rows, &t) ||
            !share(by, count, rest * rest * t.size, reduce_columns, &t))
            return false;
    }
    return true;
}

/* ---- The inverse ---- */

/* Some columns of W22 L21. */
static void multiply_columns(void *context, int64_t index, int worker)
{
    (void)worker;
    const triangle *t = context;
    const double minus = -1;
    int first = t->at + (int)index * SLICE, columns = least(SLICE, t->middle - first);
    int rows = t->at + t->size - t->middle;
    dtrmm_("L", "L", "N", "N", &rows, &columns, &minus, entry(t, t->middle, t->middle), &t->n,
           entry(t, t->middle, first), &t->n);
}

/* Some rows of that times W11. */
static void multiply_rows(void *context, int64_t index, int worker)
{
    (void)worker;
    const triangle *t = context;
    const double one = 1;
    int first = t->middle + (int)index * SLICE, columns = t->middle - t->at;
    int rows = least(SLICE, t->at + t->size - first);
    dtrmm_("R", "L", "N", "N", &rows, &columns, &one, entry(t, t->at, t->at), &t->n,
           entry(t, first, t->at), &t->n);
}

/* One that is not large. LAPACK's own is slow at the sizes of neighbourhoods. */
static void invert_small(double *l, int n, int ld)
{
    enum { SMALL = 24 };
    int info;
    if (n <= SMALL) {
        dtrtri_("L", "N", &n, l, &ld, &info); /* the diagonal was checked before */
        return;
    }
    const double one = 1, minus = -1;
    int n1 = n / 2, n2 = n - n1;
    double *l21 = l + n1, *l22 = l + (int64_t)n1 * ld + n1;
    invert_small(l, n1, ld);
    invert_small(l22, n2, ld);
    dtrmm_("L", "L", "N", "N", &n2, &n1, &minus, l22, &ld, l21, &ld);
    dtrmm_("R", "L", "N", "N", &n2, &n1, &one, l, &ld, l21, &ld);
}

static void invert_block(void *context, int64_t index, int worker)
{
    (void)index;
    (void)worker;
    const triangle *t = context;
    invert_small(entry(t, t->at, t->at), t->size, t->n);
}

static bool invert_from(const triangle *whole, int at, int size, dpc_shared_work *by)
{
    triangle t = {.a = whole->a, .n = whole->n, .at = at, .size = size};
    double half = size / 2.0;
    if (size <= DPC_ONE_BLOCK)
        return share(by, 1, 2. / 3 * half * half * size, invert_block, &t);
    t.middle = at + size / 2;
    return invert_from(whole, at, t.middle - at, by) &&
           invert_from(whole, t.middle, at + size - t.middle, by) &&
           share(by, slices(t.middle - at), half * half * half, multiply_columns, &t) &&
           share(by, slices(at + size - t.middle), half * half * half, multiply_rows, &t);
}

bool dpc_blocks_invert(double *l, int n, dpc_shared_work *by)
{
    triangle whole = {.a = l, .n = n};
    if (n > DPC_ONE_BLOCK)
        return invert_from(&whole, 0, n, by);
    invert_small(l, n, n);
    return true;
}

/* ---- The square ---- */

/* The columns of some columns before the diagonal block, in the rows of the block. */
static void square_columns(void *context, int64_t index, int worker)
{
    (void)worker;
    const triangle *t = context;
    const double one = 1;
    int first = (int)index * SLICE, columns = least(SLICE, t->at - first);
    int below = t->at + t->size, rows = t->n - below;
    dtrmm_("L", "L", "T", "N", &t->size, &columns, &one, entry(t, t->at, t->at), &t->n,
           entry(t, t->at, first), &t->n);
    if (rows > 0)
        dgemm_("T", "N", &t->size, &columns, &rows, &one, entry(t, below, t->at), &t->n,
               entry(t, below, first), &t->n, &one, entry(t, t->at, first), &t->n);
}

static void square_diagonal(const triangle *t)
{
    const double one = 1;
    int below = t->at + t->size, rows = t->n - below, info;
    dlauum_("L", &t->size, entry(t, t->at, t->at), &t->n, &info);
    if (rows > 0)
        dsyrk_("L", "T", &t->size, &rows, &one, entry(t, below, t->at), &t->n, &one,
               entry(t, t->at, t->at), &t->n);
}

bool dpc_blocks_square(double *l, int n, dpc_shared_work *by)
{
    triangle t = {.a = l, .n = n};
    int info;
    if (n <= DPC_ONE_BLOCK) {
        dlauum_("L", &n, l, &n, &info);
        return true;
    }
    for (; t.at < n; t.at += t.size) {
        t.size = least(BLOCK, n - t.at);
        double work = (double)t.at * t.size * (n - t.at);
        if (!share(by, slices(t.at), work, square_columns, &t))
            return false;
        square_diagonal(&t);
    }
    return true;
}

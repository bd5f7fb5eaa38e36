/*
 * The maximum likelihood estimate of the mean μ and the covariance Σ of a Gaussian from rows with
 * missing cells (Dempster, Laird and Rubin 1977): the expectation is em_expect.c's, the
 * maximisation the mean and the covariance of the completed rows.
 *
 * EM is slow where much is missing, so its steps are accelerated (math/squarem.h) in the
 * coordinates μ and the Cholesky factor of Σ with the logarithms of its diagonal: every point is a
 * Gaussian. An accelerated step stands only if the likelihood, which the expectation at its end
 * finds along the way, has not become smaller; otherwise the step of EM is taken in its place, and
 * that never makes it smaller.
 *
 * The columns stand in an order of their own, by their cells, so the estimate is the same for any
 * order in which they were given, also where it is not at its end.
 */
#include "em.h"

#include "em_expect.h"
#include "linalg.h"
#include "squarem.h"

#include <math.h>
#include <string.h>

/* So many expectations at least, and at most, before it is given up; and between these as many as
 * so many products take, so that a small table has more than a large one. */
enum { FEWEST = 300, MOST = 5000 };
static const double WORK = 8e9;

/* A change of a covariance, in standard deviations, that makes a step of EM the last one; and one
 * that nobody needs to know of where there are no steps left. */
static const double SMALLEST = 1e-10, SETTLED = 1e-7;

/* A likelihood smaller by such a share of it is only rounding. */
static const double ROUNDING = 1e-12;

/* Of a standard deviation given the columns before it: the least that is not taken for 0. */
#define LEAST_PIVOT (sqrt(DPC_SINGULAR / 10))

typedef struct em {
    dpc_em_rows rows;
    dpc_em_point at;  /* where the expectation is taken */
    dpc_em_sums sums; /* what it finds */
    dpc_em_room room;
    double *mean, *sigma; /* the last maximum: the estimate so far */
    double *factor;       /* U, upper triangle, with UᵀU = Σ */
    double *x, *image;    /* coordinates of a point, and of what EM makes of it */
    dpc_squarem squarem;  /* the steps so far */
} em;

/* ---- Maximisation ---- */

/* The new estimate; returns the largest change of a covariance, in standard deviations. */
static double maximise(em *e)
{
    int64_t n = e->rows.n;
    double rows = (double)e->rows.n_rows, change = 0;
    const double *first = e->sums.first, *second = e->sums.second, *old = e->at.sigma;
    for (int64_t j = 0; j < n; j++) {
        double shift = first[j] / rows;
        e->mean[j] = e->at.mean[j] + shift;
        change = fmax(change, fabs(shift) / sqrt(old[j * n + j]));
        for (int64_t i = 0; i <= j; i++) {
            double s = second[j * n + i] / rows - first[i] / rows * shift;
            double unit = sqrt(old[i * n + i] * old[j * n + j]);
            change = fmax(change, fabs(s - old[j * n + i]) / unit);
            e->sigma[j * n + i] = e->sigma[i * n + j] = s;
        }
    }
    return change;
}

/* U of Σ + a ridge; the ridge is 0 unless Σ is singular, and then as small as it can be. */
static void factor_estimate(em *e)
{
    int n = e->rows.n, info;
    for (double ridge = 0;; ridge = ridge > 0 ? 10 * ridge : DPC_SINGULAR) {
        memcpy(e->factor, e->sigma, (size_t)n * (size_t)n * sizeof *e->factor);
        for (int64_t j = 0; j < n; j++)
            e->factor[j * n + j] += ridge;
        dpotrf_("U", &n, e->factor, &n, &info);
        bool fine = info == 0;
        for (int64_t j = 0; j < n && fine; j++)
            fine = e->factor[j * n + j] > LEAST_PIVOT;
        if (fine || ridge > 1)
            return;
    }
}

/* ---- Coordinates ---- */

static int64_t coordinates(int64_t n)
{
    return n + n * (n + 1) / 2;
}

/* Those of a mean, and of the Σ whose factor e->factor is. */
static void to_coordinates(const em *e, const double *mean, double *x)
{
    int64_t n = e->rows.n;
    memcpy(x, mean, (size_t)n * sizeof *x);
    x += n;
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = 0; i < j; i++)
            *x++ = e->factor[j * n + i];
        *x++ = log(e->factor[j * n + j]);
    }
}

static void mirror(double *a, int64_t n)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < j; i++)
            a[i * n + j] = a[j * n + i];
}

/* The point whose coordinates e->x are: where the next expectation is taken. */
static void go_to_point(em *e)
{
    const double one = 1, *x = e->x + e->rows.n;
    int n = e->rows.n, info;
    dpc_em_point *at = &e->at;
    memcpy(at->mean, e->x, (size_t)n * sizeof *e->x);
    at->log_det = 0;
    memset(e->factor, 0, (size_t)n * (size_t)n * sizeof *e->factor);
    for (int64_t j = 0; j < n; j++) {
        double pivot = fmin(fmax(exp(x[j]), LEAST_PIVOT), 1 / LEAST_PIVOT);
        memcpy(e->factor + j * n, x, (size_t)j * sizeof *x);
        e->factor[j * n + j] = pivot;
        at->log_det += 2 * log(pivot);
        x += j + 1;
    }
    size_t size = (size_t)n * (size_t)n * sizeof *e->factor;
    memcpy(at->sigma, e->factor, size);
    dtrmm_("L", "U", "T", "N", &n, &n, &one, e->factor, &n, at->sigma, &n);
    mirror(at->sigma, n);
    memcpy(at->omega, e->factor, size);
    dtrtri_("U", "N", &n, at->omega, &n, &info);
    dlauum_("U", &n, at->omega, &n, &info);
    mirror(at->omega, n);
}

/* ---- The whole ---- */

/* Back to the last step of EM, and on from there without the steps before. */
static void take_back(em *e)
{
    memcpy(e->x, e->image, (size_t)coordinates(e->rows.n) * sizeof *e->x);
    dpc_squarem_refuse(&e->squarem);
    go_to_point(e);
}

/* How far it is: from a change of 1 down to the smallest, in powers of 10. */
static void show_progress(dpc_crew *crew, double change)
{
    double done = log(change) / log(SMALLEST);
    crew->from = crew->to = fmax(crew->from, fmin(done, 1));
}

/* Until the steps are too small to matter or there are too many. False: the work was called off. */
static bool run(em *e, dpc_crew *crew, dpc_em_course *course)
{
    double likelihood = -INFINITY, n = e->rows.n;
    int most = (int)fmin(fmax(WORK / ((double)e->rows.n_rows * n * n), FEWEST), MOST);
    bool accelerated = false;
    factor_estimate(e);
    to_coordinates(e, e->mean, e->x);
    go_to_point(e);
    while (course->steps < most && course->change > SMALLEST) {
        if (!dpc_em_expect(&e->rows, &e->at, &e->room, crew, &e->sums))
            return false;
        course->steps++;
        if (accelerated && !(e->sums.likelihood >= likelihood - ROUNDING * fabs(likelihood))) {
            take_back(e);
            accelerated = false;
            continue;
        }
        likelihood = e->sums.likelihood;
        course->change = maximise(e);
        show_progress(crew, course->change);
        factor_estimate(e);
        to_coordinates(e, e->mean, e->image);
        accelerated = dpc_squarem_next(&e->squarem, e->x, e->image);
        go_to_point(e);
    }
    return true;
}

static void start(em *e, const double *r, int64_t n_vars)
{
    int64_t n = e->rows.n;
    memset(e->mean, 0, (size_t)n * sizeof *e->mean);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            e->sigma[j * n + i] = r[e->rows.column[j] * n_vars + e->rows.column[i]];
}

static void finish(const em *e, int64_t n_vars, double *r, double *sd)
{
    int64_t n = e->rows.n;
    for (int64_t j = 0; j < n_vars; j++)
        sd[j] = 1;
    for (int64_t j = 0; j < n; j++)
        sd[e->rows.column[j]] = sqrt(e->sigma[j * n + j]);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < j; i++) {
            int64_t a = e->rows.column[i], b = e->rows.column[j];
            double x = e->sigma[j * n + i] / (sd[a] * sd[b]);
            r[b * n_vars + a] = r[a * n_vars + b] = fmax(-1, fmin(1, x));
        }
}

static em make(const dpc_incomplete *in, int threads, dpc_arena *arena)
{
    em e = {.rows = dpc_em_rows_make(in, arena)};
    int n = e.rows.n;
    int64_t square = (int64_t)n * n, length = coordinates(n);
    e.at.mean = dpc_arena_alloc(arena, n, sizeof *e.at.mean);
    e.at.sigma = dpc_arena_aligned(arena, square);
    e.at.omega = dpc_arena_aligned(arena, square);
    e.sums = dpc_em_sums_make(n, arena);
    e.room = dpc_em_room_make(n, threads, arena);
    e.mean = dpc_arena_alloc(arena, n, sizeof *e.mean);
    e.sigma = dpc_arena_aligned(arena, square);
    e.factor = dpc_arena_aligned(arena, square);
    e.x = dpc_arena_alloc(arena, length, sizeof *e.x);
    e.image = dpc_arena_alloc(arena, length, sizeof *e.image);
    dpc_squarem_init(&e.squarem, length, dpc_arena_alloc(arena, length, sizeof(double)));
    return e;
}

dpc_status dpc_em(const dpc_incomplete *in, const dpc_settings *settings, dpc_time_limit *limit,
                  double *r, double *sd, dpc_em_course *course)
{
    dpc_crew crew;
    dpc_arena arena = {0};
    dpc_crew_init(&crew, settings, DPC_STAGE_CORRELATION);
    crew.limit = limit;
    crew.to = 0;
    *course = (dpc_em_course){.change = INFINITY};
    em e = make(in, crew.threads, &arena);
    dpc_status status = dpc_arena_failed(&arena) ? DPC_NO_MEMORY : DPC_OK;
    if (status == DPC_OK) {
        start(&e, r, in->n_vars);
        bool done = e.rows.n == 0 || run(&e, &crew, course);
        course->late = !done && crew.late;
        course->settled = e.rows.n == 0 || course->change <= SETTLED;
        status = done || course->late ? DPC_OK : DPC_INTERRUPTED;
    }
    if (status == DPC_OK)
        finish(&e, in->n_vars, r, sd);
    dpc_arena_clear(&arena);
    return status;
}

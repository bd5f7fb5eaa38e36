/*
 * Correlation matrices that no data can have: see definite.h.
 *
 * R = V diag(λ) Vᵀ becomes D V diag(max(λ, floor)) Vᵀ D, with the diagonal D that makes its
 * diagonal 1. A matrix that is singular but for rounding stays: so are those of complete data with
 * copies of columns.
 */
#include "definite.h"

#include "alloc.h"
#include "linalg.h"

#include <math.h>
#include <string.h>

/* Eigenvalues below it, seen from 0, are more than rounding. */
static const double NEGATIVE = -1e-8;

/* What they become: small, and far from what is called singular. */
static const double FLOOR = 1e-4;

/* The eigenvectors into `v`, which holds the matrix, and the eigenvalues in ascending order. */
static dpc_status decompose(double *v, int n, double *values)
{
    int ask = -1, info = 0;
    double wanted = 0;
    dsyev_("V", "U", &n, v, &n, values, &wanted, &ask, &info);
    int room = wanted > 3.0 * n ? (int)wanted : 3 * n;
    double *work = dpc_alloc(room, sizeof *work);
    if (work == NULL)
        return DPC_NO_MEMORY;
    dsyev_("V", "U", &n, v, &n, values, work, &room, &info);
    free(work);
    return DPC_OK;
}

/* V diag(max(λ, floor)) Vᵀ, scaled to unit diagonal, into both triangles of r. */
static void compose(double *v, int n, double *values, double floor, double *r)
{
    const double one = 1, none = 0;
    for (int64_t k = 0; k < n; k++) {
        double root = sqrt(fmax(values[k], floor));
        for (int64_t i = 0; i < n; i++)
            v[k * n + i] *= root;
    }
    dsyrk_("U", "N", &n, &n, &one, v, &n, &none, r, &n);
    for (int64_t j = 0; j < n; j++)
        values[j] = 1 / sqrt(r[j * n + j]);
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = 0; i < j; i++) {
            double x = r[j * n + i] * values[i] * values[j];
            r[j * n + i] = r[i * n + j] = fmax(-1, fmin(1, x));
        }
        r[j * n + j] = 1;
    }
}

dpc_status dpc_make_definite(double *r, int n, double *least)
{
    int64_t cells = (int64_t)n * n;
    int info = 0;
    double *v = dpc_alloc_aligned(cells), *values = dpc_alloc(n, sizeof *values);
    dpc_status status = v != NULL && values != NULL ? DPC_OK : DPC_NO_MEMORY;
    if (least != NULL)
        *least = 0;
    if (status == DPC_OK) {
        memcpy(v, r, (size_t)cells * sizeof *v);
        dpotrf_("U", &n, v, &n, &info);
    }
    if (status == DPC_OK && info != 0) {
        memcpy(v, r, (size_t)cells * sizeof *v);
        status = decompose(v, n, values);
        if (status == DPC_OK && values[0] < NEGATIVE) {
            if (least != NULL)
                *least = values[0];
            compose(v, n, values, FLOOR, r);
        }
    }
    free(v);
    free(values);
    return status;
}

/* ---- The nearest ---- */

enum { MANY = 300, MOST_STEPS = 100 };
static const double NEAR = 1e-6; /* a diagonal that is so near to 1 is scaled to it */

void dsyevr_(const char *jobz, const char *range, const char *uplo, const int *n, double *a,
             const int *lda, const double *vl, const double *vu, const int *il, const int *iu,
             const double *abstol, int *m, double *w, double *z, const int *ldz, int *isuppz,
             double *work, const int *lwork, int *iwork, const int *liwork, int *info);

/* What the steps below need. */
typedef struct nearest {
    int n;
    double floor;
    double *values, *v, *x, *change, *work; /* n; three n × n; of LAPACK; owned */
    int *support, *places;                  /* of LAPACK; owned */
    int n_work, n_places;
} nearest;

static void nearest_clear(nearest *s)
{
    free(s->values);
    free(s->v);
    free(s->x);
    free(s->change);
    free(s->work);
    free(s->support);
    free(s->places);
}

static bool nearest_init(nearest *s, int n, double floor)
{
    int64_t cells = (int64_t)n * n;
    *s = (nearest){
        .n = n,
        .floor = floor,
        .values = dpc_alloc(n, sizeof(double)),
        .v = dpc_alloc_aligned(cells),
        .x = dpc_alloc_aligned(cells),
        .change = dpc_alloc_aligned(cells),
        .n_work = 64 * n,
        .n_places = 10 * n,
        .support = dpc_alloc(2 * (int64_t)n, sizeof(int)),
    };
    s->work = dpc_alloc(s->n_work, sizeof(double));
    s->places = dpc_alloc(s->n_places, sizeof(int));
    return s->values && s->v && s->x && s->change && s->work && s->support && s->places;
}

/* The eigenvectors of the matrix in s->x, which is spoilt, into s->v; faster than the way above. */
static void find_vectors(nearest *s)
{
    const double unused = 0;
    const int none = 0;
    int found = 0, info = 0;
    dsyevr_("V", "A", "U", &s->n, s->x, &s->n, &unused, &unused, &none, &none, &unused, &found,
            s->values, s->v, &s->n, s->support, s->work, &s->n_work, s->places, &s->n_places,
            &info);
}

/* V diag(max(λ, floor)) Vᵀ into s->x, both triangles; s->v is spoilt. */
static void clip(nearest *s)
{
    const double one = 1, none = 0;
    int64_t n = s->n;
    for (int64_t k = 0; k < n; k++) {
        double root = sqrt(fmax(s->values[k], s->floor));
        for (int64_t i = 0; i < n; i++)
            s->v[k * n + i] *= root;
    }
    dsyrk_("U", "N", &s->n, &s->n, &one, s->v, &s->n, &none, s->x, &s->n);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < j; i++)
            s->x[i * n + j] = s->x[j * n + i];
}

/*
 * Dykstra's projections, in turns: to matrices with eigenvalues above the floor, with what the last
 * such step has changed taken back first, and to unit diagonals.
 */
static void project(nearest *s, double *r)
{
    int64_t n = s->n, cells = n * n;
    double off = 1;
    memset(s->change, 0, (size_t)cells * sizeof *s->change);
    for (int step = 0; step < MOST_STEPS && off > NEAR; step++) {
        for (int64_t i = 0; i < cells; i++)
            s->x[i] = s->change[i] = r[i] - s->change[i];
        find_vectors(s);
        clip(s);
        off = 0;
        for (int64_t i = 0; i < cells; i++) {
            s->change[i] = s->x[i] - s->change[i];
            r[i] = s->x[i];
        }
        for (int64_t j = 0; j < n; j++) {
            off = fmax(off, fabs(r[j * n + j] - 1));
            r[j * n + j] = 1;
        }
    }
}

/*
 * Eigenvalues clipped once, and scaled; returns the smallest one before. Where scaling has divided
 * by more than 1, a little of the identity takes the smallest one back to the floor.
 */
static double clip_once(nearest *s, double *r)
{
    int64_t n = s->n;
    memcpy(s->x, r, (size_t)(n * n) * sizeof *r);
    find_vectors(s);
    double least = s->values[0], scale = 1;
    if (least >= s->floor)
        return least;
    compose(s->v, s->n, s->values, s->floor, r);
    for (int64_t j = 0; j < n; j++) /* by which it has multiplied */
        scale = fmin(scale, s->values[j]);
    double now = s->floor * scale * scale, more = (s->floor - now) / (1 - now);
    for (int64_t i = 0; i < n * n; i++)
        r[i] *= i % (n + 1) == 0 ? 1 : 1 - more;
    return least;
}

/* Are all eigenvalues above the floor? */
static bool is_above(nearest *s, const double *r)
{
    int64_t n = s->n;
    int info = 0;
    memcpy(s->x, r, (size_t)(n * n) * sizeof *r);
    for (int64_t j = 0; j < n; j++)
        s->x[j * n + j] -= s->floor;
    dpotrf_("U", &s->n, s->x, &s->n, &info);
    return info == 0;
}

static double least_of(nearest *s, const double *r)
{
    memcpy(s->x, r, (size_t)s->n * (size_t)s->n * sizeof *r);
    find_vectors(s);
    return s->values[0];
}

dpc_status dpc_nearest_correlation(double *r, int n, double floor, double *least)
{
    nearest s;
    dpc_status status = nearest_init(&s, n, floor) ? DPC_OK : DPC_NO_MEMORY;
    *least = floor;
    if (status == DPC_OK && !is_above(&s, r)) {
        *least = n <= MANY ? fmin(least_of(&s, r), floor) : floor;
        if (n <= MANY)
            project(&s, r);
        double left = clip_once(&s, r);
        *least = n <= MANY ? *least : left;
    }
    nearest_clear(&s);
    return status;
}

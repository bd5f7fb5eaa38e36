/* The likelihood of a district: see ricf.h. */
#include "ricf.h"

#include "alloc.h"
#include "status.h"

#include <math.h>
#include <string.h>

static const double SINGULAR = 1e-12; /* a variance below this is none */
static const double ENOUGH = 1e-9;    /* in units of log-likelihood: no more is left to gain */
static const double LEAST_DAMPING = 1e-6, MORE = 16, LESS = 8;
static const double NEAR = 1; /* a sweep that gains less is near enough for Newton */

enum {
    K = DPC_LARGEST_DISTRICT,
    FIRST_SWEEPS = 4,  /* before Newton's method, unless they gain little */
    MOST_SWEEPS = 500, /* after it has failed */
    MOST_STEPS = 30,   /* of Newton's method in a row */
    MOST_DAMPINGS = 6,
};

typedef struct fit {
    const dpc_district *district;
    int k, m; /* |D|; variables: D, then the other parents */
    int q;    /* parameters: coefficients, then Ω by rows, i ≤ j */
    int n_coefficients;
    double n_obs;
    int32_t *variable;      /* m labels */
    int32_t *parent[K];     /* the places of the parents of each node */
    int32_t *row, *column;  /* q: of each parameter in E, or in Ω */
    double *c;              /* m × m: the correlations */
    double *e, *t;          /* k × m: E, and E C */
    double a[K * K];        /* E C Eᵀ */
    double omega[K * K];    /* Ω */
    double inverse[K * K];  /* Ω⁻¹ */
    double half_likelihood; /* -(log det Ω + tr(Ω⁻¹ A) - k): ℓ / (N/2) */
    double *gram, *right;   /* normal equations: q × q, and q with room for 2 q more */
    double *second;         /* q × q: minus the second derivatives */
    double damping;         /* of Newton's method */
    double *e_before, omega_before[K * K];
} fit;

/* ---- Small matrices, by rows ---- */

/*
 * The lower factor of A, in its place, with the inverses of its diagonal there. False: A is
 * singular. Each pivot is taken out of all rows below at once: these loops are vectors.
 */
static bool factor(double *a, int n, double *restrict column)
{
    for (int j = 0; j < n; j++) {
        double pivot = a[(int64_t)j * n + j];
        if (!(pivot > SINGULAR))
            return false;
        double inverse = 1 / sqrt(pivot);
        a[(int64_t)j * n + j] = inverse;
        for (int i = j + 1; i < n; i++)
            column[i] = a[(int64_t)i * n + j] *= inverse;
        for (int i = j + 1; i < n; i++) {
            double *restrict row = a + (int64_t)i * n, own = column[i];
            for (int c = j + 1; c <= i; c++)
                row[c] -= own * column[c];
        }
    }
    return true;
}

/* b ← A⁻¹ b, by such a factor; the first `zeros` entries of b are 0. */
static void solve(const double *l, int n, int zeros, double *restrict b)
{
    for (int i = zeros; i < n; i++) {
        const double *row = l + (int64_t)i * n;
        double even = 0, odd = 0;
        int j = zeros;
        for (; j + 1 < i; j += 2) {
            even += row[j] * b[j];
            odd += row[j + 1] * b[j + 1];
        }
        if (j < i)
            even += row[j] * b[j];
        b[i] = (b[i] - even - odd) * row[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        const double *row = l + (int64_t)i * n;
        double own = b[i] *= row[i];
        for (int j = 0; j < i; j++)
            b[j] -= row[j] * own;
    }
}

/* The inverse of A, which is spoilt, and log det A. */
static bool invert(double *a, int n, double *inverse, double *log_det)
{
    double room[K];
    if (!factor(a, n, room))
        return false;
    *log_det = 0;
    for (int i = 0; i < n; i++) {
        double column[K] = {0};
        column[i] = 1;
        solve(a, n, i, column);
        for (int j = 0; j < n; j++)
            inverse[j * n + i] = column[j];
        *log_det -= 2 * log(a[i * n + i]);
    }
    return true;
}

/* ---- What follows from E and Ω ---- */

/* The rows of E C and E C Eᵀ that belong to node i. */
static void renew_row(fit *f, int i)
{
    int m = f->m, k = f->k;
    const double *e = f->e + (int64_t)i * m;
    double *t = f->t + (int64_t)i * m;
    memcpy(t, f->c + (int64_t)i * m, (size_t)m * sizeof *t);
    for (int j = 0; j < f->district->n_parents[i]; j++) {
        int u = f->parent[i][j];
        const double *c = f->c + (int64_t)u * m;
        for (int v = 0; v < m; v++)
            t[v] += e[u] * c[v];
    }
    for (int j = 0; j < k; j++) {
        const double *other = f->e + (int64_t)j * m;
        double sum = t[j];
        for (int p = 0; p < f->district->n_parents[j]; p++)
            sum += t[f->parent[j][p]] * other[f->parent[j][p]];
        f->a[i * k + j] = f->a[j * k + i] = sum;
    }
}

/* Ω⁻¹ and ℓ. False: Ω is not positive definite. */
static bool renew_likelihood(fit *f)
{
    int k = f->k;
    double l[K * K], log_det, trace = 0;
    memcpy(l, f->omega, (size_t)(k * k) * sizeof *l);
    if (!invert(l, k, f->inverse, &log_det))
        return false;
    for (int i = 0; i < k * k; i++)
        trace += f->inverse[i] * f->a[i];
    f->half_likelihood = k - log_det - trace;
    return isfinite(f->half_likelihood);
}

/* ---- One step of the fitting ---- */

/* W, the inverse of Ω without row and column i, from Ω⁻¹. */
static void invert_others(const fit *f, int i, double *w)
{
    int k = f->k, at = 0;
    const double *inverse = f->inverse;
    for (int a = 0; a < k; a++)
        for (int b = 0; b < k; b++)
            if (a != i && b != i)
                w[at++] = inverse[a * k + b] -
                          inverse[a * k + i] * inverse[i * k + b] / inverse[i * k + i];
}

/* Ω_i, of which the others leave so much, and Ω⁻¹ after it. */
static void take_row(fit *f, int i, const double *covariance, double left, const double *w)
{
    int k = f->k;
    double solved[K], own = left; /* W Ω_i */
    for (int a = 0; a < k; a++) {
        solved[a] = a == i ? -1 : 0;
        for (int b = 0; a != i && b < k; b++)
            if (b != i)
                solved[a] += w[(a - (a > i)) * (k - 1) + b - (b > i)] * covariance[b];
        own += a != i ? solved[a] * covariance[a] : 0;
    }
    for (int a = 0; a < k; a++) {
        f->omega[i * k + a] = f->omega[a * k + i] = a == i ? own : covariance[a];
        for (int b = 0; b < k; b++)
            f->inverse[a * k + b] =
                solved[a] * solved[b] / left +
                (a != i && b != i ? w[(a - (a > i)) * (k - 1) + b - (b > i)] : 0);
    }
}

/* The regressors of X_i: its parents, then Z_s. Their covariances, and those with X_i. */
static int make_equations(fit *f, int i, const double *w, double *zt, double *zz)
{
    int k = f->k, m = f->m, p = f->district->n_parents[i], q = p, of[K];
    for (int s = 0; s < k; s++)
        if (f->district->spouses[i] >> s & 1)
            of[q++ - p] = s;
    for (int a = 0; a < q - p; a++) { /* Z_s with X, and with ε */
        const double *row = w + (of[a] - (of[a] > i)) * (k - 1);
        memset(zt + (int64_t)a * m, 0, (size_t)m * sizeof *zt);
        memset(zz + a * k, 0, (size_t)k * sizeof *zz);
        for (int b = 0; b < k; b++) {
            if (b == i)
                continue;
            double weight = row[b - (b > i)];
            for (int v = 0; v < m; v++)
                zt[(int64_t)a * m + v] += weight * f->t[(int64_t)b * m + v];
            for (int c = 0; c < k; c++)
                zz[a * k + c] += weight * f->a[b * k + c];
        }
    }
    for (int a = 0; a < p; a++) {
        const double *c = f->c + (int64_t)f->parent[i][a] * m;
        for (int b = 0; b <= a; b++)
            f->gram[(int64_t)a * q + b] = c[f->parent[i][b]];
        f->right[a] = c[i];
    }
    for (int a = 0; a < q - p; a++) {
        double *gram = f->gram + (int64_t)(p + a) * q;
        for (int b = 0; b < p; b++)
            gram[b] = zt[(int64_t)a * m + f->parent[i][b]];
        for (int b = 0; b <= a; b++) {
            const double *row = w + (of[b] - (of[b] > i)) * (k - 1);
            gram[p + b] = 0;
            for (int c = 0; c < k; c++)
                if (c != i)
                    gram[p + b] += zz[a * k + c] * row[c - (c > i)];
        }
        f->right[p + a] = zt[(int64_t)a * m + i];
    }
    return q;
}

/* B_i and Ω_i as if node i had no spouses. */
static bool regress(fit *f, int i)
{
    int p = f->district->n_parents[i];
    double *found = f->right + p, left = 1, *e = f->e + (int64_t)i * f->m;
    for (int a = 0; a < p; a++) {
        const double *c = f->c + (int64_t)f->parent[i][a] * f->m;
        for (int b = 0; b <= a; b++)
            f->gram[(int64_t)a * p + b] = c[f->parent[i][b]];
        found[a] = f->right[a] = c[i];
    }
    if (!factor(f->gram, p, found + p))
        return false;
    solve(f->gram, p, 0, found);
    for (int a = 0; a < p; a++) {
        left -= found[a] * f->right[a];
        e[f->parent[i][a]] = -found[a];
    }
    f->omega[i * f->k + i] = left;
    renew_row(f, i);
    return left > SINGULAR;
}

/* B_i and Ω_i that are best with all else as it is. */
static bool update(fit *f, int i, double *zt)
{
    int p = f->district->n_parents[i];
    double w[K * K], zz[K * K], covariance[K] = {0}, *e = f->e + (int64_t)i * f->m, left = 1;
    invert_others(f, i, w);
    int q = make_equations(f, i, w, zt, zz);
    double *found = f->right + q;
    memcpy(found, f->right, (size_t)q * sizeof *found);
    if (!factor(f->gram, q, found + q))
        return false;
    solve(f->gram, q, 0, found);
    for (int a = 0; a < q; a++)
        left -= found[a] * f->right[a];
    if (!(left > SINGULAR))
        return false;
    for (int a = 0; a < p; a++)
        e[f->parent[i][a]] = -found[a];
    for (int s = 0, a = p; s < f->k; s++)
        if (f->district->spouses[i] >> s & 1)
            covariance[s] = found[a++];
    take_row(f, i, covariance, left, w);
    renew_row(f, i);
    return true;
}

static bool sweep(fit *f, double *zt)
{
    for (int i = 0; i < f->k; i++)
        if (!update(f, i, zt))
            return false;
    return renew_likelihood(f);
}

/* ---- Newton's method ---- */

/* With respect to the parameters, of ℓ / N: first derivatives into `right`, minus the second ones
 * into the lower triangle of `gram`. P is Ω⁻¹ A Ω⁻¹, M is Ω⁻¹ E C. */
static void differentiate(fit *f, double *m_)
{
    int k = f->k, m = f->m, q = f->q;
    const double *w = f->inverse;
    double wa[K * K] = {0}, p[K * K] = {0};
    memset(m_, 0, (size_t)k * (size_t)m * sizeof *m_);
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++) {
            for (int v = 0; v < m; v++)
                m_[(int64_t)i * m + v] += w[i * k + j] * f->t[(int64_t)j * m + v];
            for (int h = 0; h < k; h++)
                wa[i * k + h] += w[i * k + j] * f->a[j * k + h];
        }
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++)
            for (int h = 0; h < k; h++)
                p[i * k + h] += wa[i * k + j] * w[j * k + h];
    for (int x = 0; x < q; x++) {
        int i = f->row[x], u = f->column[x];
        double *line = f->gram + (int64_t)x * q;
        if (x < f->n_coefficients) {
            f->right[x] = m_[(int64_t)i * m + u];
            for (int y = 0; y <= x; y++)
                line[y] = w[i * k + f->row[y]] * f->c[(int64_t)u * m + f->column[y]];
            continue;
        }
        double share = i == u ? 0.5 : 1; /* Ω_ii stands in one place, Ω_ij in two */
        f->right[x] = share * (p[i * k + u] - w[i * k + u]);
        for (int y = 0; y < f->n_coefficients; y++) {
            int j = f->row[y], v = f->column[y];
            line[y] = share * (w[j * k + i] * m_[(int64_t)u * m + v] +
                               w[j * k + u] * m_[(int64_t)i * m + v]);
        }
        for (int y = f->n_coefficients; y <= x; y++) {
            int g = f->row[y], h = f->column[y];
            double part = g == h ? 0.5 : 1;
            double sum = w[i * k + g] * p[h * k + u] + w[i * k + h] * p[g * k + u] +
                         p[i * k + g] * w[h * k + u] + p[i * k + h] * w[g * k + u] -
                         w[i * k + g] * w[h * k + u] - w[i * k + h] * w[g * k + u];
            line[y] = share * part * sum;
        }
    }
}

/* The parameters as they were, plus a part of a step. False: Ω is not positive definite. */
static bool go(fit *f, const double *step, double part)
{
    int k = f->k;
    memcpy(f->e, f->e_before, (size_t)k * (size_t)f->m * sizeof *f->e);
    memcpy(f->omega, f->omega_before, sizeof f->omega);
    for (int x = 0; x < f->q; x++) {
        int i = f->row[x], j = f->column[x];
        if (x < f->n_coefficients)
            f->e[(int64_t)i * f->m + j] -= part * step[x];
        else {
            f->omega[i * k + j] += part * step[x];
            f->omega[j * k + i] = f->omega[i * k + j];
        }
    }
    for (int i = 0; i < k; i++)
        renew_row(f, i);
    return renew_likelihood(f);
}

/* How much a parameter curves ℓ / N where the data are as the parameters say. */
static double curvature(const fit *f, int x)
{
    int k = f->k, i = f->row[x], u = f->column[x];
    const double *w = f->inverse;
    if (x < f->n_coefficients)
        return w[i * k + i];
    return i == u ? w[i * k + i] * w[i * k + i] / 2
                  : w[i * k + i] * w[u * k + u] + w[i * k + u] * w[i * k + u];
}

/* The step with the damping that there is. False: ℓ is not concave enough. */
static bool find_step(fit *f, const double *scale, double *step)
{
    memcpy(f->gram, f->second, (size_t)f->q * (size_t)f->q * sizeof *f->gram);
    for (int x = 0; x < f->q; x++)
        f->gram[(int64_t)x * f->q + x] += f->damping * scale[x];
    memcpy(step, f->right, (size_t)f->q * sizeof *step);
    if (!factor(f->gram, f->q, step + f->q))
        return false;
    solve(f->gram, f->q, 0, step);
    return true;
}

/* One step; *left: what it promised, in units of log-likelihood. False: there is none that gains.
 */
static bool newton(fit *f, double *m_, double *left)
{
    double before = f->half_likelihood, *step = f->right + f->q, *scale = step + 2 * f->q;
    differentiate(f, m_);
    memcpy(f->second, f->gram, (size_t)f->q * (size_t)f->q * sizeof *f->gram);
    for (int x = 0; x < f->q; x++)
        scale[x] = curvature(f, x);
    memcpy(f->e_before, f->e, (size_t)f->k * (size_t)f->m * sizeof *f->e);
    memcpy(f->omega_before, f->omega, sizeof f->omega);
    for (int i = 0; i < MOST_DAMPINGS; i++) {
        if (find_step(f, scale, step)) {
            *left = f->damping > 0 ? INFINITY : 0;
            for (int x = 0; x < f->q; x++)
                *left += f->n_obs / 2 * step[x] * f->right[x];
            if (go(f, step, 1) && f->half_likelihood > before - 1e-13) {
                f->damping = f->damping < LEAST_DAMPING ? 0 : f->damping / LESS;
                return true;
            }
            if (*left < ENOUGH)
                break;
        }
        f->damping = f->damping == 0 ? LEAST_DAMPING : f->damping * MORE;
    }
    go(f, step, 0);
    return *left < ENOUGH;
}

/* ---- All of it ---- */

/* Regressions, which is the maximum without covariances, and up to `most` sweeps, as long as one
 * gains; *gain receives what the last one did. False: it is singular. */
static bool approach(fit *f, double *room, int most, double *gain)
{
    *gain = INFINITY;
    for (int i = 0; i < f->k; i++)
        if (!regress(f, i))
            return false;
    if (!renew_likelihood(f))
        return false;
    for (int i = 0; i<most && * gain> NEAR; i++) {
        double before = f->half_likelihood;
        if (!sweep(f, room))
            return false;
        *gain = f->n_obs / 2 * (f->half_likelihood - before);
    }
    return true;
}

/* False: it is singular. */
static bool maximise(fit *f, double *room)
{
    double gain, left = INFINITY;
    if (!approach(f, room, FIRST_SWEEPS, &gain))
        return false;
    for (int sweeps = 0; sweeps < MOST_SWEEPS; sweeps++) {
        for (int i = 0; left > ENOUGH && i < MOST_STEPS && newton(f, room, &left);)
            i++;
        if (left <= ENOUGH || gain < ENOUGH / 100)
            return true;
        double before = f->half_likelihood;
        if (!sweep(f, room))
            return false;
        gain = f->n_obs / 2 * (f->half_likelihood - before);
    }
    return true;
}

/* Numbers the variables and the parameters, which f->q counts. */
static void number(fit *f, dpc_ricf *ricf)
{
    const dpc_district *d = f->district;
    f->m = 0;
    for (int i = 0; i < f->k; i++) {
        f->variable[f->m] = d->node[i];
        ricf->place[d->node[i]] = f->m++;
    }
    for (int i = 0; i < f->k; i++)
        for (int j = 0; j < d->n_parents[i]; j++) {
            int u = d->parents[i][j];
            if (ricf->place[u] < 0) {
                f->variable[f->m] = u;
                ricf->place[u] = f->m++;
            }
            f->parent[i][j] = ricf->place[u];
            f->row[f->q] = i;
            f->column[f->q++] = f->parent[i][j];
        }
    f->n_coefficients = f->q;
    for (int i = 0; i < f->k; i++)
        for (int j = i; j < f->k; j++)
            if (j == i || (d->spouses[i] >> j & 1) != 0) {
                f->row[f->q] = i;
                f->column[f->q++] = j;
            }
    for (int v = 0; v < f->m; v++)
        ricf->place[f->variable[v]] = -1;
}

/* No coefficients, and the variances of the data. */
static void start(fit *f, const dpc_view *view)
{
    int m = f->m, k = f->k;
    for (int i = 0; i < m; i++)
        for (int j = 0; j <= i; j++) {
            double r = i == j ? 1 : dpc_r(view, f->variable[i], f->variable[j]);
            f->c[(int64_t)i * m + j] = f->c[(int64_t)j * m + i] = r;
        }
    memset(f->e, 0, (size_t)k * (size_t)m * sizeof *f->e);
    memset(f->omega, 0, sizeof f->omega);
    for (int i = 0; i < k; i++)
        f->e[(int64_t)i * m + i] = f->omega[i * k + i] = 1;
    for (int i = 0; i < k; i++)
        renew_row(f, i);
}

/* Takes the arrays of the fit out of the memory; `coefficients` is how many there are. */
static dpc_status make_room(dpc_ricf *ricf, fit *f, int64_t coefficients)
{
    int64_t k = f->k, m = k + coefficients, q = coefficients + k * (k + 1) / 2;
    int64_t wanted = m * m + 4 * k * m + 2 * q * q + 4 * q + (m + coefficients + 2 * q + 1) / 2 + 1;
    double *memory = dpc_make_room(ricf->memory, &ricf->capacity, wanted, sizeof *memory);
    if (memory == NULL)
        return DPC_NO_MEMORY;
    ricf->memory = memory;
    f->c = memory;
    f->e = f->c + m * m;
    f->t = f->e + k * m;
    f->e_before = f->t + k * m;
    double *scratch = f->e_before + k * m; /* k × m, see dpc_ricf_likelihood */
    f->gram = scratch + k * m;
    f->second = f->gram + q * q;
    f->right = f->second + q * q;
    f->variable = (int32_t *)(f->right + 4 * q);
    f->row = f->variable + m;
    f->column = f->row + q;
    int32_t *places = f->column + q;
    for (int i = 0; i < f->k; i++) {
        f->parent[i] = places;
        places += f->district->n_parents[i];
    }
    return DPC_OK;
}

/* Makes all ready for a fit; *scratch is k × m. */
static dpc_status prepare(dpc_ricf *ricf, fit *f, const dpc_view *view, double **scratch)
{
    int64_t coefficients = 0;
    for (int i = 0; i < f->k; i++)
        coefficients += f->district->n_parents[i];
    DPC_CHECK(make_room(ricf, f, coefficients));
    number(f, ricf);
    start(f, view);
    *scratch = f->gram - (int64_t)f->k * (f->k + coefficients);
    return DPC_OK;
}

dpc_status dpc_ricf_likelihood(dpc_ricf *ricf, const dpc_view *view, double n_obs,
                               const dpc_district *district, double *likelihood)
{
    fit f = {.district = district, .k = district->size, .n_obs = n_obs};
    double *scratch;
    DPC_CHECK(prepare(ricf, &f, view, &scratch));
    *likelihood = maximise(&f, scratch) ? n_obs / 2 * f.half_likelihood : -INFINITY;
    return DPC_OK;
}

dpc_status dpc_ricf_roughly(dpc_ricf *ricf, const dpc_view *view, double n_obs,
                            const dpc_district *district, double *likelihood)
{
    fit f = {.district = district, .k = district->size, .n_obs = n_obs};
    double *scratch, gain;
    DPC_CHECK(prepare(ricf, &f, view, &scratch));
    *likelihood = approach(&f, scratch, FIRST_SWEEPS, &gain) ? n_obs / 2 * f.half_likelihood + gain
                                                             : -INFINITY;
    return DPC_OK;
}

dpc_status dpc_ricf_init(dpc_ricf *ricf, int n)
{
    *ricf = (dpc_ricf){.n = n, .place = dpc_alloc(n, sizeof *ricf->place)};
    for (int v = 0; ricf->place != NULL && v < n; v++)
        ricf->place[v] = -1;
    return ricf->place != NULL ? DPC_OK : DPC_NO_MEMORY;
}

void dpc_ricf_clear(dpc_ricf *ricf)
{
    free(ricf->memory);
    free(ricf->place);
    *ricf = (dpc_ricf){0};
}

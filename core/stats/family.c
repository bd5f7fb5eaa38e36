/* What one worker needs to look at a family: see family.h. */
#include "family.h"

#include "alloc.h"

#include <math.h>
#include <string.h>

/* The rounding of a covariance of standardised variables, before it is multiplied. */
static const double ROUNDING = 1e-14;

dpc_status dpc_family_init(dpc_family *h, const dpc_scoring *scoring)
{
    int n = scoring->view.n;
    *h = (dpc_family){.scoring = scoring};
    dpc_status status = dpc_sweep_init(&h->sweep, &scoring->view);
    h->growth = dpc_alloc((int64_t)n + 1, sizeof *h->growth);
    h->most_growth = dpc_alloc((int64_t)n + 1, sizeof *h->most_growth);
    h->parent = dpc_alloc(n, sizeof *h->parent);
    h->picks = dpc_alloc(n, sizeof *h->picks);
    h->room = dpc_alloc(2 * (int64_t)n, sizeof *h->room);
    h->list = dpc_alloc((int64_t)n + 1, sizeof *h->list);
    h->firm = dpc_alloc((int64_t)n + 1, sizeof *h->firm);
    h->square = dpc_alloc((int64_t)n + DPC_APART, sizeof *h->square);
    if (!h->growth || !h->most_growth || !h->parent || !h->picks || !h->room || !h->list ||
        !h->firm || !h->square)
        status = DPC_NO_MEMORY;
    return status;
}

void dpc_family_clear(dpc_family *h)
{
    dpc_sweep_clear(&h->sweep);
    free(h->growth);
    free(h->most_growth);
    free(h->parent);
    free(h->picks);
    free(h->room);
    free(h->list);
    free(h->firm);
    free(h->square);
    free(h->matrix);
    free(h->left);
    free(h->steps);
    free(h->found);
    free(h->listed);
    *h = (dpc_family){0};
}

/* ---- What S leaves ---- */

/* g(u): see family.h. */
static double growth_of(const dpc_family *h, int u)
{
    const dpc_sweep *s = &h->sweep;
    double g = 1;
    for (int i = 1; i <= s->depth; i++)
        g += fabs(s->level[i].w[s->place[u]]) * h->growth[i];
    return g;
}

/* What rounding can make of a variance; of a node that grows so. */
static double noise(double growth)
{
    return ROUNDING * growth * growth;
}

static bool determined(const dpc_family *h, int u)
{
    double var = dpc_sweep_variance(&h->sweep, u);
    return !(var > noise(h->most_growth[h->sweep.depth])) && !(var > noise(growth_of(h, u)));
}

/* What is determined is told here, not by the sweep, which is more careful. */
static void trust(dpc_sweep *s)
{
    s->level[s->depth].noise = 0;
}

dpc_status dpc_family_start(dpc_family *h, int v, const int32_t *nodes, int count)
{
    dpc_status status = nodes != NULL ? dpc_sweep_start(&h->sweep, v, nodes, count)
                                      : dpc_sweep_start_all(&h->sweep, v);
    if (status == DPC_OK)
        trust(&h->sweep);
    h->most_growth[0] = 1;
    return status;
}

/* What is left of the parents themselves is rounding, which must not look like parents to be had.
 */
static void clear_parents(dpc_family *h)
{
    const dpc_sweep *s = &h->sweep;
    const dpc_sweep_level *l = &s->level[s->depth];
    for (int i = 0; i < s->depth; i++)
        l->t[s->place[h->parent[i]]] = l->var[s->place[h->parent[i]]] = 0;
}

dpc_status dpc_family_push(dpc_family *h, int c, bool *pushed)
{
    *pushed = false;
    if (determined(h, c))
        return DPC_OK;
    int depth = h->sweep.depth;
    double growth = growth_of(h, c), pivot = dpc_sweep_variance(&h->sweep, c);
    dpc_status status = dpc_sweep_push(&h->sweep, c, pushed);
    if (status != DPC_OK || !*pushed)
        return status;
    h->growth[depth + 1] = growth / pivot;
    h->most_growth[depth + 1] = h->most_growth[depth] + growth / sqrt(pivot);
    h->parent[depth] = c;
    trust(&h->sweep);
    clear_parents(h);
    return DPC_OK;
}

dpc_status dpc_family_push_all(dpc_family *h, const int32_t *parents, int count)
{
    bool pushed;
    dpc_status status = DPC_OK;
    for (int i = 0; status == DPC_OK && i < count; i++) {
        status = dpc_family_push(h, parents[i], &pushed);
        if (status == DPC_OK && pushed)
            h->firm[h->sweep.depth - 1] = parents[i];
    }
    return status;
}

dpc_status dpc_family_of(dpc_family *h, int v, const int32_t *parents, int count)
{
    const int32_t none = 0; /* NULL would be all */
    dpc_status status = dpc_family_start(h, v, count > 0 ? parents : &none, count);
    return status == DPC_OK ? dpc_family_push_all(h, parents, count) : status;
}

/* 1 - r², where it is so small that it may be rounding: u enters into v as one parent more would.
 */
static double doubtful_left(const dpc_family *h, int u, double left, double f, double var_v)
{
    return fmax(left, fmin(noise(growth_of(h, h->sweep.v) + f * growth_of(h, u)) / var_v, 0.5));
}

/* The same as dpc_family_square, where v is known not to be determined. */
static double square_of(const dpc_family *h, int u)
{
    const dpc_sweep *s = &h->sweep;
    const dpc_sweep_level *l = &s->level[s->depth];
    double t = l->t[s->place[u]], var_u = l->var[s->place[u]], var_v = l->var[s->place[s->v]];
    double most = h->most_growth[s->depth], f = fabs(t) / var_u;
    if (!(var_u > noise(most)) && determined(h, u))
        return NAN;
    double left = 1 - t * t / (var_u * var_v);
    if (!(left * var_v > noise(most + f * most)))
        left = doubtful_left(h, u, left, f, var_v);
    return 1 - left;
}

double dpc_family_square(const dpc_family *h, int u)
{
    return determined(h, h->sweep.v) ? NAN : square_of(h, u);
}

double dpc_family_score(const dpc_family *h, int count)
{
    double left = fmax(dpc_sweep_variance(&h->sweep, h->sweep.v), ROUNDING);
    return -h->scoring->n_obs / 2 * log(left) - h->scoring->price * count;
}

/* ---- Parents to be had ---- */

static int consider(dpc_family *h, int u, int count)
{
    if (u == h->sweep.v || !dpc_may_be_parent(h->scoring, u, h->sweep.v))
        return count;
    double square = square_of(h, u);
    if (square > h->scoring->least) /* not where it is NaN */
        h->picks[count++] = (dpc_pick){square, u};
    return count;
}

int dpc_family_picks(dpc_family *h)
{
    const dpc_sweep *s = &h->sweep;
    const dpc_sweep_level *l = &s->level[s->depth];
    double limit = h->scoring->least * dpc_sweep_variance(s, s->v);
    int count = 0;
    if (determined(h, s->v))
        return 0;
    for (int first = 0; first < s->m; first += 64) {
        int width = s->m - first < 64 ? s->m - first : 64;
        int whole = (width + DPC_VECTOR - 1) / DPC_VECTOR * DPC_VECTOR;
        uint64_t bits = ~s->vector->passing(whole, l->t + first, NULL, 0, l->t + first,
                                            l->var + first, 0, 0, limit, 0);
        bits &= width < 64 ? (UINT64_C(1) << width) - 1 : ~UINT64_C(0);
        for (; bits != 0; bits &= bits - 1) {
            int at = first + __builtin_ctzll(bits);
            int column = s->place == s->all_places ? at : s->column[at];
            count = consider(h, dpc_label_of(s->view.labels, column), count);
        }
    }
    return count;
}

void dpc_family_sort_picks(dpc_family *h, int count)
{
    double var_v = dpc_sweep_variance(&h->sweep, h->sweep.v);
    dpc_sort_picks(h->picks, count, ROUNDING / fmax(var_v, ROUNDING) / 10, h->room);
}

/* ---- What each parent is worth ---- */

/* The matrix has k rows of M, then b, then one number: the variance of v. */
static dpc_status make_room(dpc_family *h, int64_t k)
{
    int64_t wanted = k * k + k + 1;
    if (wanted <= h->capacity)
        return DPC_OK;
    double *matrix = dpc_regrow(h->matrix, 2 * wanted, sizeof *matrix);
    if (matrix == NULL)
        return DPC_NO_MEMORY;
    h->matrix = matrix;
    h->capacity = 2 * wanted;
    return DPC_OK;
}

/* L⁻¹ into the lower triangle, row by row: row j of it is eⱼ - Σ_i<j Lji row i. */
static void invert_factor(const dpc_family *h, int k, double *m)
{
    const dpc_sweep *s = &h->sweep;
    for (int j = 0; j < k; j++) {
        double *row = m + (int64_t)j * k;
        int at = s->place[h->firm[j]];
        for (int q = 0; q < j; q++)
            row[q] = 0;
        row[j] = 1;
        for (int i = 0; i < j; i++) {
            double f = s->level[i + 1].w[at] / s->level[i + 1].pivot;
            const double *above = m + (int64_t)i * k;
            for (int q = 0; q <= i; q++)
                row[q] -= f * above[q];
        }
    }
}

/* M = L⁻ᵀ D⁻¹ L⁻¹ in the place of L⁻¹; row i of M needs rows i … k-1 of that, and no others. */
static void square_factor(const dpc_family *h, int k, double *m)
{
    const dpc_sweep *s = &h->sweep;
    for (int i = 0; i < k; i++)
        for (int q = 0; q <= i; q++) {
            double sum = 0;
            for (int j = i; j < k; j++)
                sum += m[(int64_t)j * k + i] * m[(int64_t)j * k + q] / s->level[j + 1].pivot;
            m[(int64_t)q * k + i] = sum; /* above the diagonal, or on it when all have read it */
        }
    for (int i = 0; i < k; i++)
        for (int q = 0; q < i; q++)
            m[(int64_t)i * k + q] = m[(int64_t)q * k + i];
}

/* The losses of v, by b and the diagonal of M. */
static void find_squares(dpc_family *h)
{
    int k = h->size;
    const double *m = h->matrix, *b = m + (int64_t)k * k;
    for (int i = 0; i < k; i++) {
        double grown = b[i] * b[i] / m[(int64_t)i * k + i];
        h->square[i] = grown / (b[k] + grown);
    }
}

dpc_status dpc_family_squares(dpc_family *h)
{
    const dpc_sweep *s = &h->sweep;
    int k = s->depth;
    if (make_room(h, k) != DPC_OK)
        return DPC_NO_MEMORY;
    double *m = h->matrix, *b = m + (int64_t)k * k;
    invert_factor(h, k, m);
    b[k] = fmax(dpc_sweep_variance(s, s->v), ROUNDING);
    for (int q = 0; q < k; q++) { /* b = L⁻ᵀ (wj[v] / pj), and the diagonal of M */
        double of_v = 0, own = 0;
        for (int j = q; j < k; j++) {
            const dpc_sweep_level *l = &s->level[j + 1];
            double f = m[(int64_t)j * k + q] / l->pivot;
            of_v += f * l->w[s->place[s->v]];
            own += f * m[(int64_t)j * k + q];
        }
        b[q] = of_v;
        h->square[q] = of_v * of_v / own / (b[k] + of_v * of_v / own);
    }
    h->size = k;
    h->inverted = false;
    return DPC_OK;
}

/* The same matrices without row and column i, in a smaller space. */
static void close_up(dpc_family *h, int i)
{
    int k = h->size;
    double *to = h->matrix;
    for (int j = 0; j <= k; j++) /* the last row is b */
        for (int q = 0; q < k; q++)
            if (j != i && q != i)
                *to++ = h->matrix[(int64_t)j * k + q];
    *to = h->matrix[(int64_t)k * k + k];
    memmove(h->firm + i, h->firm + i + 1, (size_t)(k - i - 1) * sizeof *h->firm);
    h->size = k - 1;
}

void dpc_family_drop(dpc_family *h, int i)
{
    int k = h->size;
    double *m = h->matrix, *b = m + (int64_t)k * k;
    const double *mi = m + (int64_t)i * k;
    if (!h->inverted)
        square_factor(h, k, m);
    h->inverted = true;
    b[k] += b[i] * b[i] / mi[i];
    for (int j = 0; j < k; j++) {
        double f = m[(int64_t)j * k + i] / mi[i];
        if (j == i)
            continue;
        b[j] -= f * b[i];
        for (int q = 0; q < k; q++)
            m[(int64_t)j * k + q] -= f * mi[q];
    }
    close_up(h, i);
    find_squares(h);
}

/* ---- The workers ---- */

dpc_status dpc_workers_init(dpc_workers *s, const dpc_scoring *scoring, dpc_crew *crew)
{
    *s = (dpc_workers){scoring, crew, dpc_zalloc(crew->threads, sizeof *s->each)};
    dpc_status status = s->each != NULL ? DPC_OK : DPC_NO_MEMORY;
    for (int w = 0; status == DPC_OK && w < crew->threads; w++)
        status = dpc_family_init(&s->each[w], scoring);
    return status;
}

void dpc_workers_clear(dpc_workers *s)
{
    for (int w = 0; s->each != NULL && w < s->crew->threads; w++)
        dpc_family_clear(&s->each[w]);
    free(s->each);
    *s = (dpc_workers){0};
}

bool dpc_workers_halted(const dpc_workers *s, int worker)
{
    return dpc_crew_stopped(s->crew, worker);
}

/* Tests of nominal variables by counts: see g2.h. */
#include "g2.h"

#include "codes.h"
#include "distribution.h"
#include "far_quantile.h"

#include <math.h>
#include <string.h>

bool dpc_g2_applies(const dpc_blocks *b, int x, int y, const int32_t *set, int k)
{
    if (b->codes == NULL || k > DPC_G2_MOST)
        return false;
    const int32_t *levels = b->codes->levels;
    bool all = levels[x] > 0 && levels[y] > 0;
    for (int i = 0; i < k; i++)
        all = all && levels[set[i]] > 0;
    return all;
}

/* Rows and their strata; the first row of each stratum; cells and margins of one. */
int64_t dpc_g2_room(const dpc_blocks *b)
{
    int64_t most = b->codes != NULL ? b->codes->most : 0, strata = 1;
    for (int i = 0; i < DPC_G2_MOST; i++)
        strata *= most;
    return b->codes != NULL ? b->codes->n_rows + strata + 1 + most * most + 2 * most : 0;
}

/* The counts of one stratum, all 0 between strata. */
typedef struct counts {
    const uint8_t *x, *y;
    const int32_t *times;
    int width; /* levels of y */
    int32_t *cell, *of_x, *of_y;
} counts;

/* The count of a level or a cell, which is set to 0; it was seen if it was not. */
static double take(int32_t *count)
{
    double n = *count;
    *count = 0;
    return n;
}

/* Adds the rows of a stratum to G² and the degrees of freedom. */
static void add_stratum(counts *c, const int32_t *row, int64_t count, dpc_g2 *sum)
{
    double total = 0, seen_x = 0, seen_y = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t r = row[i];
        int32_t times = c->times != NULL ? c->times[r] : 1;
        c->cell[c->x[r] * c->width + c->y[r]] += times;
        c->of_x[c->x[r]] += times;
        c->of_y[c->y[r]] += times;
        total += times;
    }
    for (int64_t i = 0; i < count; i++) {
        int64_t r = row[i];
        double n = take(&c->cell[c->x[r] * c->width + c->y[r]]);
        if (n > 0)
            sum->g2 += 2 * n * log(n * total / ((double)c->of_x[c->x[r]] * c->of_y[c->y[r]]));
    }
    for (int64_t i = 0; i < count; i++) {
        seen_x += take(&c->of_x[c->x[row[i]]]) > 0;
        seen_y += take(&c->of_y[c->y[row[i]]]) > 0;
    }
    if (total > 0)
        sum->df += (seen_x - 1) * (seen_y - 1);
}

/* The stratum of a row. */
static int64_t stratum_of(const dpc_codes *codes, const int32_t *set, int k, int64_t row)
{
    int64_t stratum = 0;
    for (int i = 0; i < k; i++)
        stratum = stratum * codes->levels[set[i]] + codes->code[set[i] * codes->n_rows + row];
    return stratum;
}

/* The rows by their strata; first[s] … first[s + 1] - 1 are those of s. Returns how many strata. */
static int64_t sort_rows(const dpc_codes *codes, const int32_t *set, int k, int32_t *first,
                         int32_t *row)
{
    int64_t strata = 1;
    for (int i = 0; i < k; i++)
        strata *= codes->levels[set[i]];
    memset(first, 0, (size_t)(strata + 1) * sizeof *first);
    for (int64_t i = 0; i < codes->n_rows; i++)
        first[stratum_of(codes, set, k, i) + 1]++;
    for (int64_t s = 0; s < strata; s++)
        first[s + 1] += first[s];
    for (int64_t i = codes->n_rows - 1; i >= 0; i--) /* from the end of each stratum to its start */
        row[--first[stratum_of(codes, set, k, i) + 1]] = (int32_t)i;
    memmove(first, first + 1, (size_t)strata * sizeof *first);
    first[strata] = (int32_t)codes->n_rows;
    return strata;
}

/*
 * ln P(χ² > x) far out, by the continued fraction of the incomplete gamma function with a = df / 2:
 * Q = exp(-y) y^a / Γ(a) / (y + 1 - a - 1 (1 - a) / (y + 3 - a - …)), y = x / 2.
 */
static double log_tail(double x, double df)
{
    const double tiny = 1e-300;
    int sign;
    double a = df / 2, y = x / 2, b = y + 1 - a, c = 1 / tiny, d = 1 / fmax(b, tiny), h = d;
    for (int i = 1; i < 1000; i++) {
        double step = -i * (i - a);
        b += 2;
        d = 1 / fmax(step * d + b, tiny);
        c = fmax(b + step / c, tiny);
        h *= c * d;
        if (fabs(c * d - 1) < 1e-15)
            break;
    }
    return -y + a * log(y) - lgamma_r(a, &sign) + log(h);
}

dpc_g2 dpc_g2_of(const dpc_blocks *b, int x, int y, const int32_t *set, int k, int32_t *room)
{
    const dpc_codes *codes = b->codes;
    int64_t n = codes->n_rows;
    dpc_g2 out = {0};
    int32_t *row = room, *cell = row + n;
    counts c = {.x = codes->code + x * n,
                .y = codes->code + y * n,
                .times = b->times,
                .width = codes->levels[y],
                .cell = cell};
    c.of_x = cell + codes->levels[x] * codes->levels[y];
    c.of_y = c.of_x + codes->levels[x];
    int32_t *first = c.of_y + codes->levels[y];
    memset(cell, 0, (size_t)(first - cell) * sizeof *cell);
    int64_t strata = sort_rows(codes, set, k, first, row);
    for (int64_t s = 0; s < strata; s++)
        if (first[s + 1] > first[s])
            add_stratum(&c, row + first[s], first[s + 1] - first[s], &out);
    out.g2 = fmax(out.g2, 0);
    out.p = out.df > 0 ? dpc_chi_square_tail(out.g2, out.df) : NAN;
    out.z = isnan(out.p)     ? NAN
            : out.p > 1e-280 ? dpc_normal_from_tail(out.p / 2)
                             : dpc_far_quantile(log_tail(out.g2, out.df) - log(2));
    return out;
}

/*
 * Normal scores of the ranks: Φ⁻¹(rank / (N+1)), ties sharing their mean rank; of a column, and
 * of a resample of its rows, where a row that was drawn k times is k ties.
 *
 * The order comes from a radix sort, least digit first: the bits of a double, with the sign bit
 * flipped for positive numbers and all bits flipped for negative ones, are ordered like the
 * numbers themselves. A digit that is the same for all values costs nothing. The upper half of
 * the digits separates nearly all values; where it does, an insertion sort moves the few others.
 */
#include "rank.h"

#include "alloc.h"
#include "distribution.h"

#include <stdbool.h>
#include <string.h>

enum {
    DIGIT = 11, /* bits */
    BUCKETS = 1 << DIGIT,
    DIGITS = 6,
};

void dpc_score_table(int64_t n, double *score)
{
    for (int64_t i = 0; i < n; i++)
        score[i] = dpc_normal_quantile((double)(i + 1) / (double)(n + 1));
}

static uint64_t key_of(double x)
{
    uint64_t bits;
    x += 0.0; /* -0 becomes 0: they are the same number */
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static unsigned digit_of(uint64_t key, int digit)
{
    return (unsigned)(key >> (DIGIT * digit)) & (BUCKETS - 1);
}

/* Moves all entries to their places by one digit; `count` becomes the places. */
static void sort_by_digit(const dpc_ranked *from, int64_t n, int digit, int32_t *count,
                          dpc_ranked *to)
{
    int32_t place = 0;
    for (int b = 0; b < BUCKETS; b++) {
        int32_t here = count[b];
        count[b] = place;
        place += here;
    }
    for (int64_t i = 0; i < n; i++)
        to[count[digit_of(from[i].key, digit)]++] = from[i];
}

/* Sorts by the digits from `first` up; returns which half of the scratch has the result. */
static dpc_ranked *sort_by_digits(const double *x, int64_t n, int first, dpc_ranked *scratch)
{
    int32_t count[DIGITS][BUCKETS] = {0};
    dpc_ranked *from = scratch, *to = scratch + n;
    for (int64_t i = 0; i < n; i++) {
        from[i] = (dpc_ranked){key_of(x[i]), (int32_t)i};
        for (int d = first; d < DIGITS; d++)
            count[d][digit_of(from[i].key, d)]++;
    }
    for (int d = first; d < DIGITS; d++) {
        if (count[d][digit_of(from[0].key, d)] == n)
            continue;
        sort_by_digit(from, n, d, count[d], to);
        dpc_ranked *kept = from;
        from = to;
        to = kept;
    }
    return from;
}

/* Puts right what is nearly sorted; false: it is not nearly enough. */
static bool tidy(dpc_ranked *order, int64_t n)
{
    int64_t moves = 0;
    for (int64_t i = 1; i < n; i++) {
        dpc_ranked here = order[i];
        int64_t j = i;
        for (; j > 0 && order[j - 1].key > here.key; j--)
            order[j] = order[j - 1];
        order[j] = here;
        moves += i - j;
        if (moves > n)
            return false;
    }
    return true;
}

static const dpc_ranked *sort(const double *x, int64_t n, dpc_ranked *scratch)
{
    dpc_ranked *order = sort_by_digits(x, n, DIGITS / 2, scratch);
    return tidy(order, n) ? order : sort_by_digits(x, n, 0, scratch);
}

void dpc_normal_scores(const double *x, int64_t n, const double *table, dpc_ranked *scratch,
                       double *out)
{
    const dpc_ranked *order = sort(x, n, scratch);
    for (int64_t i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && order[j].key == order[i].key; j++)
            ;
        double score = table[i];
        if (j - i > 1) /* ranks i+1 … j share their mean */
            score = dpc_normal_quantile(0.5 * (double)(i + 1 + j) / (double)(n + 1));
        for (int64_t k = i; k < j; k++)
            out[order[k].row] = score;
    }
}

void dpc_sort_rows(const double *x, int64_t n, dpc_ranked *scratch, int32_t *out)
{
    const dpc_ranked *order = sort(x, n, scratch);
    for (int64_t i = 0; i < n; i++)
        out[i] = i > 0 && order[i].key == order[i - 1].key ? ~order[i].row : order[i].row;
}

double *dpc_half_score_table(int64_t n)
{
    double *score = dpc_alloc(2 * n + 1, sizeof *score);
    for (int64_t h = 2; score != NULL && h <= 2 * n; h++)
        score[h] = dpc_normal_quantile(0.5 * (double)h / (double)(n + 1));
    return score;
}

/* Ranks i+1 … i+size share their mean, (2 i + 1 + size) / 2. */
void dpc_resample_scores(const int32_t *order, int64_t n, const int32_t *count,
                         const int32_t *place, const double *table, double *out)
{
    int64_t before = 0;
    for (int64_t i = 0, j; i < n; i = j) {
        int64_t size = count[order[i]];
        for (j = i + 1; j < n && order[j] < 0; j++)
            size += count[~order[j]];
        if (size == 0)
            continue;
        double score = table[2 * before + 1 + size];
        before += size;
        for (int64_t k = i; k < j; k++) {
            int32_t row = order[k] < 0 ? ~order[k] : order[k];
            if (count[row] > 0)
                out[place[row]] = score;
        }
    }
}

/* Ascending lists of whole numbers: see sorted.h. */
#include "sorted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_number(const void *left, const void *right)
{
    const int32_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

int dpc_by_pair(const void *left, const void *right)
{
    int32_t a[2], b[2];
    memcpy(a, left, sizeof a);
    memcpy(b, right, sizeof b);
    if (a[0] != b[0])
        return a[0] < b[0] ? -1 : 1;
    return (a[1] > b[1]) - (a[1] < b[1]);
}

void dpc_sort_numbers(int32_t *list, int64_t count)
{
    enum { SHORT = 16 };
    if (count > SHORT) {
        qsort(list, (size_t)count, sizeof *list, by_number);
        return;
    }
    for (int64_t i = 1; i < count; i++) {
        int32_t v = list[i];
        int64_t place = i;
        for (; place > 0 && list[place - 1] > v; place--)
            list[place] = list[place - 1];
        list[place] = v;
    }
}

static int by_value(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

void dpc_sort_values(double *values, int64_t count)
{
    qsort(values, (size_t)count, sizeof *values, by_value);
}

double dpc_quantile(const double *sorted, int64_t count, double p)
{
    if (count == 0)
        return NAN;
    double at = p * (double)(count - 1);
    int64_t low = (int64_t)at;
    return low + 1 < count ? sorted[low] + (at - (double)low) * (sorted[low + 1] - sorted[low])
                           : sorted[count - 1];
}

int dpc_row_of(const int64_t *start, int n_rows, int64_t item)
{
    int low = 0, high = n_rows; /* the last row that begins at or before the item */
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (start[middle] <= item)
            low = middle;
        else
            high = middle;
    }
    return low;
}

int dpc_unite(const int32_t *p, int np, const int32_t *q, int nq, int32_t *to)
{
    int length = 0;
    for (int i = 0, j = 0; i < np || j < nq; length++) {
        int32_t next = j == nq || (i < np && p[i] < q[j]) ? p[i] : q[j];
        i += i < np && p[i] == next;
        j += j < nq && q[j] == next;
        if (to != NULL)
            to[length] = next;
    }
    return length;
}

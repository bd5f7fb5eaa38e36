/* How good probabilities are: see judge.h. */
#include "judge.h"

#include <math.h>
#include <stdlib.h>

const double study_bin[STUDY_BINS + 1] = {0, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98, 1};

static int by_falling_probability(const void *left, const void *right)
{
    double p = ((const study_statement *)left)->given, q = ((const study_statement *)right)->given;
    return (p < q) - (p > q);
}

/* Σ over groups of equal probability: (true ones of the group / all true) × precision so far. */
static double average_precision(const study_statement *sorted, int64_t count, double truths)
{
    double sum = 0, found = 0;
    for (int64_t i = 0, end; i < count; i = end) {
        double here = 0;
        for (end = i; end < count && sorted[end].given == sorted[i].given; end++)
            here += sorted[end].is;
        found += here;
        sum += here * found / (double)end;
    }
    return truths > 0 ? sum / truths : NAN;
}

static int bin_of(double given)
{
    int bin = 0;
    while (bin < STUDY_BINS - 1 && given >= study_bin[bin + 1])
        bin++;
    return bin;
}

study_judged study_judge(study_statement *list, int64_t count)
{
    study_judged j = {0};
    for (int64_t i = 0; i < count; i++) {
        double given = list[i].given, is = list[i].is;
        double clipped = fmin(fmax(given, STUDY_CLIP), 1 - STUDY_CLIP);
        int bin = bin_of(given);
        j.truths += is;
        j.log_loss -= list[i].is ? log(clipped) : log1p(-clipped);
        j.brier += (given - is) * (given - is);
        j.bins[bin].count++;
        j.bins[bin].given += given;
        j.bins[bin].truths += is;
    }
    qsort(list, (size_t)count, sizeof *list, by_falling_probability);
    j.average_precision = average_precision(list, count, j.truths);
    return j;
}

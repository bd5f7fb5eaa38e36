/* Level 0 (section 3): every pair given nothing, and given all others. */
#include "run.h"

#include <math.h>

void ref_marginal_tests(struct run *run)
{
    struct reference_sepset found;
    for (int x = 0; x < run->n; x++) {
        for (int y = x + 1; y < run->n; y++) {
            if (ref_impossible(run, x, y)) {
                found = (struct reference_sepset){DPC_SEP_FORBIDDEN, 0, -1, 0, NAN, run->set};
                ref_record(run, x, y, &found);
                continue;
            }
            if (!ref_required(run, x, y) &&
                ref_test(run, x, y, run->set, 0, DPC_SEP_MARGINAL, 0, &found)) {
                ref_delete_edge(run, x, y);
                ref_record(run, x, y, &found);
            }
        }
    }
}

/* The full-order test of one pair, given all others that its tier allows. */
static void full_order_test(struct run *run, int x, int y)
{
    int size = 0;
    for (int v = 0; v < run->n; v++)
        if (v != x && v != y && ref_usable(run, x, y, v))
            run->set[size++] = v;
    run->set[size] = x;
    run->set[size + 1] = y;
    double n_obs = ref_rows(run, x, y, run->set, size);
    if (!ref_enough_samples(run, n_obs, size) || !ref_inverse_exists(run, run->set, size + 2))
        return;
    real r = ref_partial_from_inverse(run, size + 2, size, size + 1);
    if (!ref_independent(run, r, ref_critical(run, DPC_SEP_FULL_ORDER, n_obs, size))) {
        ref_note_weakest(run, x, y, r, n_obs, size);
        return;
    }
    struct reference_sepset found = {DPC_SEP_FULL_ORDER, 0, -1, size, (double)r, run->set};
    ref_delete_edge(run, x, y);
    ref_record(run, x, y, &found);
}

void ref_full_order_tests(struct run *run)
{
    int n = run->n;
    if (run->blocks != NULL) {
        ref_block_full_order(run);
        return;
    }
    if (run->known != NULL) {
        for (int x = 0; x < n; x++)
            for (int y = x + 1; y < n; y++)
                if (!ref_required(run, x, y) && !ref_impossible(run, x, y))
                    full_order_test(run, x, y);
        return;
    }
    if (n < 2)
        return;
    for (int v = 0; v < n; v++)
        run->set[v] = v;
    double n_obs = ref_rows(run, 0, 1, run->set + 2, n - 2);
    if (!ref_enough_samples(run, n_obs, n - 2) || !ref_inverse_exists(run, run->set, n))
        return;
    for (int x = 0; x < n; x++) {
        for (int y = x + 1; y < n; y++) {
            real r = ref_partial_from_inverse(run, n, x, y);
            if (!ref_independent(run, r, ref_critical(run, DPC_SEP_FULL_ORDER, n_obs, n - 2))) {
                ref_note_weakest(run, x, y, r, n_obs, n - 2);
                continue;
            }
            int size = 0;
            for (int v = 0; v < n; v++)
                if (v != x && v != y)
                    run->set[size++] = v;
            struct reference_sepset found = {DPC_SEP_FULL_ORDER, 0, -1, size, (double)r, run->set};
            ref_delete_edge(run, x, y);
            ref_record(run, x, y, &found);
        }
    }
}

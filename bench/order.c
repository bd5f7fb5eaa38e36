/*
 * The cost of a test as its order grows: 25 variables, all correlated, so many observations that
 * nothing separates; every node has 24 neighbours at every level.
 *
 *     order [dual|classic] MAX_ORDER
 *
 * Prints a line per level: level, tests, seconds, nanoseconds per test.
 */
#include "correlation.h"
#include "dualpc_explain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 25, RUNS = 10 };

int main(int argc, char **argv)
{
    double r[N * N];
    dpc_settings settings;
    dpc_result *result = NULL;
    dpc_error err = {0};
    if (argc != 3)
        return 1;
    unsigned state = 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) {
            state = 1664525 * state + 1013904223;
            r[i * N + j] = r[j * N + i] = i == j ? 1 : 0.3 + 0.1 * (state >> 16) / 65536.;
        }
    dpc_correlation c = {.n_vars = N, .n_obs = INT64_C(1000000000000000), .r = r};
    dpc_settings_default(&settings);
    settings.alpha = 0.999999;
    settings.method = strcmp(argv[1], "dual") == 0 ? DPC_DUAL : DPC_CLASSIC;
    settings.threads = 1;
    settings.graph = DPC_SKELETON;
    double best[32];
    int max_order = atoi(argv[2]) < 31 ? atoi(argv[2]) : 31;
    /* low orders are over in no time: they are run more often */
    for (int run = 0; run < RUNS; run++) {
        settings.max_order = run + 1 < RUNS && max_order > 4 ? 4 : max_order;
        dpc_result_free(result);
        result = NULL;
        if (dpc_learn(&c, &settings, &result, &err) != DPC_OK) {
            fprintf(stderr, "order: %s\n", err.message);
            return 1;
        }
        for (int level = 1; level < dpc_result_info(result)->n_levels; level++) {
            double seconds = dpc_result_info(result)->levels[level].seconds;
            if (run == 0 || level > 4 || seconds < best[level])
                best[level] = seconds;
        }
    }
    if (dpc_result_graph(result)->n_edges != N * (N - 1) / 2) {
        fprintf(stderr, "order: something was separated\n");
        return 1;
    }
    for (int level = 1; level < dpc_result_info(result)->n_levels; level++) {
        const dpc_level *l = &dpc_result_info(result)->levels[level];
        printf("%d %lld %.6f %.3f\n", level, (long long)l->tests, best[level],
               1e9 * best[level] / (double)l->tests);
    }
    dpc_result_free(result);
    return 0;
}

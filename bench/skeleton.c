/*
 * Times the skeleton search on a correlation matrix: raw n × n doubles.
 *
 *     skeleton MATRIX.bin n N alpha [-a] [-c] [-g] [-s] [-e min_ess] [-t threads] [-r runs]
 *
 * -a AND rule, -c classic, -g columns in the given order, -s standard. Prints the best time of the
 * runs, tests, edges and levels.
 */
#include "alloc.h"
#include "correlation.h"
#include "dualpc_explain.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* As the command line program does: the threads are ours. */
__attribute__((weak)) void openblas_set_num_threads(int threads);

static double *read_matrix(const char *path, int n)
{
    FILE *file = fopen(path, "rb");
    size_t cells = (size_t)n * (size_t)n;
    double *r = dpc_alloc_aligned((int64_t)cells); /* as the library allocates it */
    if (file == NULL || r == NULL || fread(r, sizeof *r, cells, file) != cells) {
        perror(path);
        exit(1);
    }
    fclose(file);
    return r;
}

int main(int argc, char **argv)
{
    dpc_settings settings;
    int runs = 5, option;
    if (openblas_set_num_threads != NULL)
        openblas_set_num_threads(1);
    dpc_settings_default(&settings);
    settings.graph = DPC_SKELETON;
    settings.threads = 1;
    while ((option = getopt(argc, argv, "acgse:t:r:")) != -1)
        switch (option) {
        case 'a':
            settings.rule = DPC_RULE_AND;
            break;
        case 'c':
            settings.method = DPC_CLASSIC;
            break;
        case 'g':
            settings.order = DPC_ORDER_GIVEN;
            break;
        case 's':
            settings.variant = DPC_STANDARD;
            break;
        case 'e':
            settings.min_ess = atof(optarg);
            break;
        case 't':
            settings.threads = atoi(optarg);
            break;
        case 'r':
            runs = atoi(optarg);
            break;
        default:
            return 1;
        }
    if (argc - optind != 4)
        return 1;
    int n = atoi(argv[optind + 1]);
    dpc_correlation c = {
        .n_vars = n, .n_obs = (int64_t)atof(argv[optind + 2]), .r = read_matrix(argv[optind], n)};
    settings.alpha = atof(argv[optind + 3]);
    double best = 1e300;
    for (int run = 0; run < runs; run++) {
        dpc_result *result = NULL;
        dpc_error err;
        if (dpc_learn(&c, &settings, &result, &err) != DPC_OK) {
            fprintf(stderr, "%s\n", err.message);
            return 1;
        }
        double seconds = dpc_result_info(result)->seconds[DPC_STAGE_SKELETON];
        best = seconds < best ? seconds : best;
        if (run + 1 == runs) {
            printf("seconds %.6f tests %lld edges %lld levels", best,
                   (long long)dpc_result_info(result)->tests,
                   (long long)dpc_result_graph(result)->n_edges);
            for (int i = 0; i < dpc_result_info(result)->n_levels; i++)
                printf(" %.5f", dpc_result_info(result)->levels[i].seconds);
            putchar('\n');
        }
        dpc_result_free(result);
    }
    free(c.r);
    return 0;
}

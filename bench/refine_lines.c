/* The lines that are measured, and their data sets: drawn as `dualpc simulate` does, or written. */
#include "refine.h"

#include "graph.h"

#include <stdlib.h>
#include <string.h>

const bench_line bench_lines[] = {
    {"dense", DPC_ER, DPC_POSITIVE, 50, 1000, 4, .4, 2, 0, 0, .025, .15},
    {"dense-mixed", DPC_ER, DPC_MIXED_SIGNS, 50, 1000, 4, .4, 2, 0, 0, 0, .15},
    {"scale-free-out", DPC_SCALE_FREE_OUT, DPC_POSITIVE, 100, 1000, 2, .4, 2, 0, 1, .37, .10},
    {"scale-free-in", DPC_SCALE_FREE_IN, DPC_POSITIVE, 100, 1000, 2, .4, 2, 0, 0, .01, .10},
    {"hubs", DPC_HUBS, DPC_POSITIVE, 100, 1000, 2, .4, 2, 0, 0, .02, .10},
    {"small-world", DPC_SMALL_WORLD, DPC_POSITIVE, 100, 1000, 2, .4, 2, 0, 0, .11, .10},
    {"er-50", DPC_ER, DPC_POSITIVE, 50, 1250, 2, .4, 2, 0, 0, .02, .10},
    {"er-100", DPC_ER, DPC_POSITIVE, 100, 2500, 1.5, .4, 2, 0, 0, .01, .10},
    {"wide-150", DPC_ER, DPC_POSITIVE, 150, 100, 1, .4, 2, 0, -1, .10, .10},
    {"weak-60", DPC_ER, DPC_POSITIVE, 60, 600, 1, .1, .5, 0, -1, .29, .15},
    {"weak-100", DPC_ER, DPC_POSITIVE, 100, 1000, 1.5, .1, .5, 0, -1, 0, .10},
    {"er-100-5000", DPC_ER, DPC_POSITIVE, 100, 5000, 2, .4, 2, 0, 0, .01, .10},
    {"er-200-5000", DPC_ER, DPC_POSITIVE, 200, 5000, 2, .4, 2, 0, 0, .005, .10},
    {"wide-500", DPC_ER, DPC_POSITIVE, 500, 250, .2, .4, 2, 1e-5, -1, .025, .10},
};
const int bench_n_lines = sizeof bench_lines / sizeof *bench_lines;

void bench_draw(const bench_line *line, uint64_t seed, bench_set *set)
{
    dpc_simulation simulation;
    dpc_error err = {0};
    *set = (bench_set){0};
    dpc_simulation_default(&simulation);
    simulation.model.n = line->n;
    simulation.model.parents = line->parents;
    simulation.model.structure = line->structure;
    simulation.model.weight_low = line->low;
    simulation.model.weight_high = line->high;
    simulation.signs = line->signs;
    simulation.n_obs = line->n_obs;
    simulation.seed = seed;
    if (dpc_simulate(&simulation, &set->dag, &set->table, &err) != DPC_OK ||
        dpc_dag_graph(set->dag, DPC_CPDAG, &set->truth, &err) != DPC_OK)
        bench_stop(&err);
}

void bench_set_clear(bench_set *set)
{
    dpc_graph_clear(&set->truth);
    dpc_table_free(set->table);
    dpc_dag_free(set->dag);
    *set = (bench_set){0};
}

static void write_set(const bench_line *line, uint64_t seed, const char *path)
{
    bench_set set;
    dpc_error err = {0};
    dpc_correlation *c = NULL;
    bench_draw(line, seed, &set);
    if (dpc_correlate(set.table, NULL, NULL, &c, &err) != DPC_OK)
        bench_stop(&err);
    const double *r = dpc_correlation_about(c).values;
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    fprintf(file, "%d %lld\n", line->n, (long long)line->n_obs);
    for (int i = 0; i < line->n; i++)
        for (int j = 0; j < line->n; j++)
            fprintf(file, "%.17g%c", r[(size_t)i * line->n + j], j + 1 < line->n ? ' ' : '\n');
    if (fclose(file) != 0) {
        perror(path);
        exit(1);
    }
    dpc_correlation_free(c);
    bench_set_clear(&set);
}

void bench_write(const bench_options *o, const char *dir)
{
    char path[4096];
    for (int l = 0; l < bench_n_lines; l++)
        for (int i = 0; i < o->sets && bench_chosen(o, bench_lines[l].name); i++) {
            uint64_t seed = o->seed + (uint64_t)i;
            snprintf(path, sizeof path, "%s/%s-%llu.cor", dir, bench_lines[l].name,
                     (unsigned long long)seed);
            write_set(&bench_lines[l], seed, path);
        }
}

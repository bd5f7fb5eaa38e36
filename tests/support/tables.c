/* Tables to resample: see tables.h. */
#include "tables.h"

#include "frequency.h"

#include "simulate.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

void spoil_columns(dpc_table *table, gsl_rng *rng)
{
    int64_t n = table->n_obs;
    for (int j = 0; j < table->n_vars; j++) {
        double *x = table->values + j * n;
        int way = draw_int(rng, 0, 15);
        for (int64_t i = 0; i < n; i++)
            if (way == 0)
                x[i] = x[i] > 0; /* binary */
            else if (way == 1)
                x[i] = round(2 * x[i]); /* ties */
            else if (way == 2)
                x[i] += 1e6; /* a large mean */
            else if (way == 3)
                x[i] *= 1e150; /* squares are out of range */
            else if (way == 4)
                x[i] = i == (n / 2 + j) % n; /* constant without this row */
            else if (way == 5)
                x[i] = 3; /* constant */
            else if (way == 6)
                x[i] = exp(3 * x[i]);
            else if (way == 7)
                x[i] *= 1e-310;
            else if (way == 8) /* beside this row all others are nothing */
                x[i] = i == (n / 3 + j) % n ? 1e300 : x[i];
            else if (way == 9)
                x[i] = i == (n / 3 + j) % n ? 1 : x[i] * 1e-200;
    }
}

dpc_table *simulated_table(int n, int64_t n_obs, uint64_t seed)
{
    dpc_simulation simulation;
    dpc_dag *dag = NULL;
    dpc_table *table = NULL;
    dpc_simulation_default(&simulation);
    simulation.model.n = n;
    simulation.model.parents = fmin(1.5, dpc_most_parents(DPC_ER, n));
    simulation.n_obs = n_obs;
    simulation.seed = seed;
    dpc_error err;
    if (dpc_simulate(&simulation, &dag, &table, &err) != DPC_OK)
        fail_msg("%s", err.message);
    dpc_dag_free(dag);
    return table;
}

dpc_settings plain_settings(void)
{
    dpc_settings settings;
    dpc_settings_default(&settings);
    settings.min_ess = 5;
    settings.threads = 1;
    return settings;
}

dpc_frequencies *bootstrap(const dpc_table *table, const dpc_settings *settings, dpc_resampling how)
{
    dpc_frequencies *f = NULL;
    dpc_error err;
    if (dpc_bootstrap(table, settings, &how, &f, &err) != DPC_OK)
        fail_msg("%s", err.message);
    assert_int_equal(f->resamples, how.resamples);
    return f;
}

bool same_edges(const dpc_graph *p, const dpc_graph *q)
{
    bool same = p->n_nodes == q->n_nodes && p->n_edges == q->n_edges;
    for (int64_t e = 0; same && e < p->n_edges; e++)
        same = p->edges[e].a == q->edges[e].a && p->edges[e].b == q->edges[e].b &&
               p->edges[e].mark == q->edges[e].mark;
    return same;
}

dpc_graph resample_graph(const dpc_frequencies *f, int resample)
{
    dpc_graph graph = {0};
    assert_true(dpc_has_graph(&f->graphs->graphs, resample));
    assert_int_equal(dpc_weighted_graphs_at(&f->graphs->graphs, resample, &graph), DPC_OK);
    return graph;
}

bool same_as_resample(const dpc_graph *graph, const dpc_frequencies *f, int resample)
{
    dpc_graph other = resample_graph(f, resample);
    bool same = same_edges(graph, &other);
    dpc_graph_clear(&other);
    return same;
}

bool same_resamples(const dpc_frequencies *f, int i, const dpc_frequencies *g, int k)
{
    dpc_graph graph = resample_graph(f, i);
    bool same = same_as_resample(&graph, g, k);
    dpc_graph_clear(&graph);
    return same;
}

void assert_same_frequencies(const dpc_frequencies *p, const dpc_frequencies *q)
{
    assert_int_equal(p->resamples, q->resamples);
    assert_int_equal(p->constant, q->constant);
    assert_int_equal(p->n_pairs, q->n_pairs);
    if (p->n_pairs > 0)
        assert_memory_equal(p->pairs, q->pairs, (size_t)p->n_pairs * sizeof *p->pairs);
}

/* The score of a graph, computed afresh: it shares nothing with the score that a search climbs. */
#include "refine.h"

#include <math.h>
#include <stdlib.h>

/* log σ²(v | parents): the last pivot of the correlations of the parents and v, in that order. */
static double log_variance(const double *r, int n, int v, const int32_t *parent, int count)
{
    int size = count + 1;
    long double *a = malloc((size_t)size * (size_t)size * sizeof *a), pivot = 0;
    for (int i = 0; i < size; i++) {
        int row = i < count ? parent[i] : v;
        for (int j = 0; j <= i; j++) {
            int column = j < count ? parent[j] : v;
            a[i * size + j] = r[(size_t)row * (size_t)n + (size_t)column];
            for (int k = 0; k < j; k++)
                a[i * size + j] -= a[i * size + k] * a[j * size + k];
            if (j < i)
                a[i * size + j] /= a[j * size + j];
        }
        pivot = a[i * size + i];
        a[i * size + i] = sqrtl(pivot);
    }
    free(a);
    return (double)logl(pivot);
}

double bench_score(const double *r, int n, int64_t n_obs, double price, const int64_t *start,
                   const int32_t *parent)
{
    double score = 0;
    for (int v = 0; v < n; v++) {
        int count = (int)(start[v + 1] - start[v]);
        score -= .5 * (double)n_obs * log_variance(r, n, v, parent + start[v], count);
        score -= price * count;
    }
    return score;
}

double bench_score_class(const double *r, int64_t n_obs, double price, const dpc_graph *cpdag)
{
    dpc_graph *dag = NULL;
    dpc_error err = {0};
    if (dpc_class_member(cpdag, &dag, &err) != DPC_OK)
        bench_stop(&err);
    int n = dag->n_nodes;
    int64_t *start = calloc((size_t)n + 2, sizeof *start);
    int32_t *parent = malloc(((size_t)dag->n_edges + 1) * sizeof *parent);
    for (int64_t i = 0; i < dag->n_edges; i++) {
        const dpc_edge *edge = &dag->edges[i];
        start[(edge->mark == DPC_FORWARD ? edge->b : edge->a) + 2]++;
    }
    for (int v = 0; v < n; v++)
        start[v + 1] += start[v];
    for (int64_t i = 0; i < dag->n_edges; i++) {
        const dpc_edge *edge = &dag->edges[i];
        bool forward = edge->mark == DPC_FORWARD;
        parent[start[(forward ? edge->b : edge->a) + 1]++] = forward ? edge->a : edge->b;
    }
    double score = bench_score(r, n, n_obs, price, start, parent);
    free(start);
    free(parent);
    dpc_graph_free(dag);
    return score;
}

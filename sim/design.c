/*
 * Designs: see design.h.
 *
 * Both designs that change the weights go through the nodes in a causal order and keep the
 * population covariances of those done. Node j with weights b on its parents has
 *
 *     cov(j, u) = Σ_i b_i cov(i, u)  for every u before it,    var(j) = Σ_i b_i cov(i, j) + s_j² V,
 *
 * where V is the variance of the noise.
 *
 * Internal: b and s_j are divided by the square root of var(j).
 *
 * Onion: in an order with the sources first, node number i (from 0) with k > 0 parents explains q ~
 * Beta(k/2, (n - i + 1)/2) of its variance in a uniform direction w/|w|. With m = n - i + 1, the
 * first k coordinates of a uniform point on the sphere in k + m dimensions are such a w of length
 * √q. Then b = L⁻ᵀ w, where L Lᵀ is the correlation matrix of the parents.
 */
#include "design.h"

#include "arena.h"
#include "linalg.h"
#include "status.h"

#include <math.h>

const char *const dpc_design_words[] = {"scm", "internal", "onion", NULL};
const char *const dpc_signs_words[] = {"positive", "mixed", NULL};

void dpc_design_signs(dpc_dag *dag, dpc_random *random)
{
    for (int64_t e = 0; e < dag->start[dag->n]; e++)
        if (dpc_random_below(random, 2) == 1)
            dag->weight[e] = -dag->weight[e];
}

void dpc_design_variances(dpc_dag *dag, double low, double high, dpc_random *random)
{
    const dpc_dice dice = dpc_random_dice(random);
    for (int v = 0; v < dag->n; v++)
        dag->spread[v] = sqrt(low + (high - low) * dice.uniform(dice.state));
}

/* A design on its way through the nodes. */
typedef struct maker {
    dpc_dag *dag;
    double noise_variance; /* V */
    double *covariance;    /* n × n, of the nodes that are done */
    double *factor;        /* room for the correlation matrix of the parents of a node */
    dpc_random *random;
    dpc_ziggurat ziggurat;
} maker;

/* Stable: among themselves sources, and the others, keep their order. */
static void put_sources_first(dpc_dag *dag, int32_t *scratch)
{
    int sources = 0, others = 0;
    for (int i = 0; i < dag->n; i++) {
        int v = dag->order[i];
        if (dag->start[v] == dag->start[v + 1])
            dag->order[sources++] = v;
        else
            scratch[others++] = v;
    }
    for (int i = 0; i < others; i++)
        dag->order[sources + i] = scratch[i];
}

/* The sum of m squares of normal numbers. */
static double squares(maker *k, int m)
{
    double x, sum = 0;
    for (int i = 0; i < m; i++) {
        dpc_draw_noise(k->random, &k->ziggurat, (dpc_noise){.degrees = INFINITY}, &x, 1);
        sum += x * x;
    }
    return sum;
}

/* The weights and s_j of node number i of the order. False: its parents are collinear. */
static bool draw_onion(maker *k, int i)
{
    dpc_dag *dag = k->dag;
    int v = dag->order[i], count = (int)(dag->start[v + 1] - dag->start[v]), one = 1, failed = 0;
    const int32_t *parent = dag->parent + dag->start[v];
    double *w = dag->weight + dag->start[v], inside = 0;
    dag->spread[v] = 1 / sqrt(k->noise_variance);
    if (count == 0)
        return true;
    dpc_draw_noise(k->random, &k->ziggurat, (dpc_noise){.degrees = INFINITY}, w, count);
    for (int a = 0; a < count; a++)
        inside += w[a] * w[a];
    double beyond = squares(k, dag->n - i + 1), all = inside + beyond;
    for (int a = 0; a < count; a++) {
        w[a] /= sqrt(all);
        for (int b = 0; b < count; b++)
            k->factor[a * count + b] = k->covariance[(int64_t)parent[a] * dag->n + parent[b]];
    }
    dag->spread[v] *= sqrt(beyond / all);
    dpotrf_("L", &count, k->factor, &count, &failed);
    if (failed != 0)
        return false;
    dtrsv_("L", "T", "N", &count, k->factor, &count, w, &one);
    return true;
}

/* The covariances of node v with those done, into its row; returns its variance. */
static double covary(const maker *k, int v)
{
    const dpc_dag *dag = k->dag;
    int64_t n = dag->n;
    double *row = k->covariance + v * n;
    for (int64_t e = dag->start[v]; e < dag->start[v + 1]; e++) {
        const double *of_parent = k->covariance + dag->parent[e] * n;
        for (int u = 0; u < n; u++) /* 0 for those to come */
            row[u] += dag->weight[e] * of_parent[u];
    }
    double variance = dag->spread[v] * dag->spread[v] * k->noise_variance;
    for (int64_t e = dag->start[v]; e < dag->start[v + 1]; e++)
        variance += dag->weight[e] * row[dag->parent[e]];
    return variance;
}

/* Divides node v by its standard deviation, and completes the matrix. */
static void scale(const maker *k, int v, double variance)
{
    dpc_dag *dag = k->dag;
    int64_t n = dag->n;
    double by = 1 / sqrt(variance), *row = k->covariance + v * n;
    for (int64_t e = dag->start[v]; e < dag->start[v + 1]; e++)
        dag->weight[e] *= by;
    dag->spread[v] *= by;
    for (int u = 0; u < n; u++)
        k->covariance[u * n + v] = row[u] *= by;
    row[v] = 1;
}

static dpc_status make(maker *k, dpc_design design, dpc_error *err)
{
    for (int i = 0; i < k->dag->n; i++) {
        int v = k->dag->order[i];
        if (design == DPC_ONION && !draw_onion(k, i))
            return dpc_fail(err, DPC_USAGE,
                            "the parents of V%d are collinear in this draw; take another seed",
                            v + 1);
        double variance = covary(k, v);
        scale(k, v, design == DPC_ONION ? 1 : variance);
    }
    return DPC_OK;
}

dpc_status dpc_design_apply(dpc_design design, double noise_variance, dpc_random *random,
                            dpc_dag *dag, dpc_error *err)
{
    int64_t n = dag->n, most = 0;
    if (design == DPC_SCM)
        return DPC_OK;
    for (int v = 0; v < n; v++)
        most = dag->start[v + 1] - dag->start[v] > most ? dag->start[v + 1] - dag->start[v] : most;
    double bytes = (double)n * (double)n * sizeof(double);
    dpc_memory_offer offer = dpc_memory_offered();
    if (bytes > offer.bytes)
        return dpc_fail(err, DPC_NO_MEMORY,
                        "out of memory for the covariances of %d variables, which need %.1f GB; "
                        "%s %.1f GB",
                        dag->n, bytes * 1e-9, offer.who, offer.bytes * 1e-9);
    dpc_arena arena = {0};
    maker k = {.dag = dag, .noise_variance = noise_variance, .random = random};
    int32_t *scratch = dpc_arena_alloc(&arena, n, sizeof *scratch);
    k.covariance = dpc_arena_zalloc(&arena, n * n, sizeof *k.covariance);
    k.factor = dpc_arena_alloc(&arena, most * most, sizeof *k.factor);
    dpc_ziggurat_init(&k.ziggurat);
    dpc_status status = dpc_arena_failed(&arena) ? dpc_fail_memory(err, "a design") : DPC_OK;
    if (status == DPC_OK && design == DPC_ONION)
        put_sources_first(dag, scratch);
    if (status == DPC_OK)
        status = make(&k, design, err);
    dpc_arena_clear(&arena);
    return status;
}

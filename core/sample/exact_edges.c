/*
 * The probabilities of all edges: see exact_edges.h.
 *
 * A task has a set A. The pairs (A ∪ T, T) that follow on it follow on no other, so that it adds to
 * these what is met of all pairs (A, R), and its parts of the edges go to a row of its own. Sets go
 * by size, the smaller first; after each size the rows are added up in their order.
 */
#include "exact_edges.h"

#include "layers.h"

#include <math.h>
#include <string.h>

enum {
    MOST_NEXT = DPC_MOST_LAYERS_NEXT,
    MOST_LAST =
        1 << (DPC_MOST_LAYERED - 1), /* sets of candidates; and 2^i (n - i) is at most this */
};

/* A pair that is met less often is passed over: of 3^13 that is 1e-8 in all, and far less in fact;
 * and so is a step that is as rare as this. */
static const double HARDLY_EVER = 1e-14, NEVER = 1e-18;

typedef struct passage {
    const dpc_exact_draws *draws;
    dpc_layer_pass pass;
    int64_t places;
    double *met;                         /* by pair: Q */
    double *rows;                        /* by task: its part of the edges, by place */
    double *joined;                      /* by task, then node: how often it joins … */
    double all_joined[DPC_MOST_LAYERED]; /* … and in all */
} passage;

/* ---- On to the next layers ---- */

/* Adds to the pairs that follow; joins[i] becomes the probability that the i-th node of the rest is
 * in the next layer. */
static void go_on(const passage *p, const dpc_layer *l, double met, double *joins)
{
    const dpc_exact_draws *d = p->draws;
    double weight[MOST_NEXT], whole = d->value[dpc_pair_place(d, l->before, l->last)];
    double least = log(NEVER / met);
    uint32_t count = UINT32_C(1) << __builtin_popcount(l->rest), set = 0;
    dpc_weigh_layers(d, l, weight);
    weight[0] = 0;
    for (uint32_t i = 1; i < count; i++) {
        set = dpc_next_within(set, l->rest);
        weight[i] = weight[i] - whole > least ? met * exp(weight[i] - whole) : 0;
        p->met[dpc_pair_place(d, l->before | set, set)] += weight[i];
    }
    for (int i = 0; count > 1; i++) { /* with the lowest place that is left, then without it */
        joins[i] = 0;
        count /= 2;
        for (uint32_t j = 0; j < count; j++) {
            joins[i] += weight[2 * j + 1];
            weight[j] = weight[2 * j] + weight[2 * j + 1];
        }
    }
}

/* Goes on from all pairs of a set; joins is by R, in their order, then node of the rest. */
static void go_on_from(const passage *p, uint32_t before, double *joins)
{
    const dpc_exact_draws *d = p->draws;
    uint32_t last = 0;
    int rest = d->n - __builtin_popcount(before);
    do {
        double met = p->met[dpc_pair_place(d, before, last)];
        if (met > HARDLY_EVER) {
            dpc_layer l = dpc_layer_after(d, before, last);
            go_on(p, &l, met, joins);
        } else {
            memset(joins, 0, (size_t)rest * sizeof *joins);
        }
        joins += rest;
        last = dpc_next_within(last, before);
    } while (last != 0);
}

/* ---- Parents ---- */

/* Z_v(B) / Z_v(A) of all sets B within A, by candidates. */
static void divide_sums(const dpc_set_table *table, uint32_t within, double *part)
{
    int level = table->sum.level[within];
    double whole = table->sum.value[within];
    uint32_t set = 0;
    do {
        part[set] = dpc_at_level(table->sum, set, level) / whole;
        set = dpc_next_within(set, within);
    } while (set != 0);
}

/*
 * With W(B) the sum of G / [Z(A) - Z(A \ R)] over all R that leave the candidates B, a parent u has
 * Y(A) Σ W - Σ_{B ∋ u} W(B) Y(B).
 */
static void add_parents(uint32_t within, const double *part, const double *w, double *row)
{
    double all = 0;
    uint32_t set = 0;
    do {
        all += w[set];
        set = dpc_next_within(set, within);
    } while (set != 0);
    for (uint32_t left = within; left != 0; left &= left - 1) {
        uint32_t u = left & -left, others = within & ~u, b = 0;
        double sum = all * (1 - part[others]);
        do {
            sum -= w[b | u] * (part[b | u] - part[b]);
            b = dpc_next_within(b, others);
        } while (b != 0);
        row[__builtin_ctz(u)] += sum;
    }
}

/* Of the node v, the i-th of the rest. */
static void find_parents(const passage *p, uint32_t before, int v, int i, const double *joins,
                         double *row)
{
    const dpc_exact_draws *d = p->draws;
    double part[MOST_LAST], w[MOST_LAST];
    int rest = d->n - __builtin_popcount(before);
    uint32_t within = dpc_layer_candidates(d, v, before), last = 0, set = 0;
    if (!(d->space->table[v].sum.value[within] > 0))
        return; /* a required parent is not among them */
    divide_sums(&d->space->table[v], within, part);
    do {
        w[set] = 0;
        set = dpc_next_within(set, within);
    } while (set != 0);
    do {
        uint32_t apart = dpc_layer_candidates(d, v, before & ~last);
        if (joins[i] > 0 && part[apart] < 1)
            w[apart] += joins[i] / (1 - part[apart]);
        joins += rest;
        last = dpc_next_within(last, before);
    } while (last != 0);
    add_parents(within, part, w, row);
}

/* ---- All sets ---- */

static void pass_task(void *context, int64_t index, int worker)
{
    (void)worker;
    const passage *p = context;
    const dpc_exact_draws *d = p->draws;
    uint32_t before = p->pass.sets[index], left = d->all & ~before;
    int rest = d->n - __builtin_popcount(before);
    double joins[MOST_LAST], *row = p->rows + index * p->places, *joined = p->joined + index * d->n;
    memset(row, 0, (size_t)p->places * sizeof *row);
    memset(joined, 0, (size_t)d->n * sizeof *joined);
    go_on_from(p, before, joins);
    for (int i = 0; i < rest; i++, left &= left - 1) {
        int v = __builtin_ctz(left);
        for (int64_t j = i; j < (int64_t)rest << (d->n - rest); j += rest)
            joined[v] += joins[j];
        if (before != 0)
            find_parents(p, before, v, i, joins, row + d->space->sets.start[v]);
    }
}

static void add_rows(passage *p, double *probability)
{
    int n = p->draws->n;
    for (int64_t task = 0; task < p->pass.count; task++) {
        for (int64_t i = 0; i < p->places; i++)
            probability[i] += p->rows[task * p->places + i];
        for (int v = 0; v < n; v++)
            p->all_joined[v] += p->joined[task * n + v];
    }
}

/* Without the digits that rounding has made, so that what is certain is 1, and what is as probable
 * is equal. */
static double without_noise(double p)
{
    const double one = 0x1p40;
    return fmin(fmax(rint(p * one) / one, 0), 1);
}

static dpc_status pass_all(passage *p, double *probability)
{
    const int32_t *start = p->draws->space->sets.start;
    for (int size = 0; size < p->draws->n; size++) {
        if (!dpc_layer_pass_run(&p->pass, p->draws, size, pass_task, p))
            return DPC_INTERRUPTED;
        add_rows(p, probability);
    }
    for (int v = 0; v < p->draws->n; v++) /* every node joins once, but for what was passed over */
        for (int64_t i = start[v]; i < start[v + 1]; i++)
            probability[i] = without_noise(probability[i] / p->all_joined[v]);
    return DPC_OK;
}

/* The most sets of any size. */
static int64_t most_tasks(int n)
{
    int64_t count = 1;
    for (int i = 0; i < n / 2; i++)
        count = count * (n - i) / (i + 1);
    return count;
}

dpc_status dpc_exact_edges(const dpc_exact_draws *draws, dpc_crew *crew, double *probability,
                           dpc_error *err)
{
    dpc_arena arena = {0};
    passage p = {.draws = draws, .places = draws->space->sets.start[draws->n]};
    p.met = dpc_arena_zalloc(&arena, draws->pairs, sizeof *p.met);
    p.rows = dpc_arena_alloc(&arena, most_tasks(draws->n) * p.places, sizeof *p.rows);
    p.joined = dpc_arena_alloc(&arena, most_tasks(draws->n) * draws->n, sizeof *p.joined);
    dpc_status status = DPC_NO_MEMORY;
    if (dpc_layer_pass_begin(&p.pass, draws, crew, &arena) && !dpc_arena_failed(&arena)) {
        memset(probability, 0, (size_t)p.places * sizeof *probability);
        p.met[0] = 1;
        status = pass_all(&p, probability);
    }
    dpc_arena_clear(&arena);
    return dpc_fail_as(err, status, "the probabilities of the edges");
}

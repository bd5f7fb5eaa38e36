/* Draws from the posterior itself: see exact_draws.h. */
#include "exact_draws.h"

#include "set_draw.h"
#include "shared.h"
#include "variates.h"

#include <math.h>

enum { MOST = DPC_MOST_LAYERED, MOST_SETS = 1 << MOST };

struct dpc_exact_draws {
    const dpc_space *space;
    int n;
    uint32_t all;    /* nodes, as bits */
    uint16_t *mask;  /* by node, then set of nodes: what of the set are its candidates */
    uint32_t *place; /* by set of nodes: Σ 3^i; a pair (A, R) is at place[A] + place[R] */
    double *value;   /* by pair: log V */
    double total;
    dpc_arena memory;
};

/* What may follow on the pair (A, R). */
typedef struct layer {
    uint32_t before, last; /* A, R */
    uint32_t rest;         /* nodes left */
    double log_weight[MOST]; /* by node of the rest: log [Z_v(A) - Z_v(A \ R)] … */
    double share[MOST];      /* … and what it is of Z_v(A) */
} layer;

/* ---- Layers ---- */

static uint32_t candidates_in(const dpc_exact_draws *d, int v, uint32_t nodes)
{
    return d->mask[((int64_t)v << d->n) + nodes];
}

static layer layer_after(const dpc_exact_draws *d, uint32_t before, uint32_t last)
{
    const double rounding = 1e-12;
    layer l = {.before = before, .last = last, .rest = d->all & ~before};
    for (uint32_t left = l.rest; left != 0; left &= left - 1) {
        int v = __builtin_ctz(left);
        const double *sum = d->space->table[v].log_sum;
        double all = sum[candidates_in(d, v, before)];
        double none = last != 0 ? sum[candidates_in(d, v, before & ~last)] : -INFINITY;
        l.share[v] = isfinite(all) ? -expm1(none - all) : 0;
        l.log_weight[v] = l.share[v] > rounding ? all + log(l.share[v]) : -INFINITY;
    }
    return l;
}

/* The next set within a set, 0 after the last. */
static uint32_t next_within(uint32_t set, uint32_t within)
{
    return (set - within) & within;
}

/*
 * The log weights of all next layers, in the order of next_within from the first nonempty one; the
 * i-th is that of the nodes whose places within the rest are the bits of i. Returns the highest.
 */
static double weigh_layers(const dpc_exact_draws *d, const layer *l, double *log_weight)
{
    double product[MOST_SETS], most = -INFINITY, by_place[MOST];
    int count = 0;
    for (uint32_t left = l->rest; left != 0; left &= left - 1)
        by_place[count++] = l->log_weight[__builtin_ctz(left)];
    product[0] = 0;
    uint32_t set = next_within(0, l->rest);
    for (uint32_t i = 1; i < UINT32_C(1) << count; i++) {
        product[i] = product[i & (i - 1)] + by_place[__builtin_ctz(i)];
        log_weight[i] = product[i] + d->value[d->place[l->before | set] + d->place[set]];
        most = log_weight[i] > most ? log_weight[i] : most;
        set = next_within(set, l->rest);
    }
    return most;
}

/* Σ e^weight, over e^most. */
static double sum_layers(const layer *l, const double *log_weight, double most)
{
    const double nothing = 45; /* below the highest: 1e-19 of it */
    uint32_t count = UINT32_C(1) << __builtin_popcount(l->rest);
    double sum = 0;
    for (uint32_t i = 1; i < count; i++)
        if (log_weight[i] > most - nothing)
            sum += exp(log_weight[i] - most);
    return sum;
}

static double value_of(const dpc_exact_draws *d, uint32_t before, uint32_t last)
{
    double log_weight[MOST_SETS];
    layer l = layer_after(d, before, last);
    double most = weigh_layers(d, &l, log_weight);
    return isfinite(most) ? most + log(sum_layers(&l, log_weight, most)) : -INFINITY;
}

/* ---- All pairs ---- */

typedef struct filling {
    dpc_exact_draws *draws;
    const uint32_t *sets; /* of one size */
} filling;

static void fill_task(void *context, int64_t index, int worker)
{
    (void)worker;
    const filling *f = context;
    dpc_exact_draws *d = f->draws;
    uint32_t before = f->sets[index];
    for (uint32_t last = next_within(0, before); last != 0; last = next_within(last, before))
        d->value[d->place[before] + d->place[last]] =
            before == d->all ? 0 : value_of(d, before, last);
}

/* Larger sets first; false: it was called off. */
static bool fill(dpc_exact_draws *d, uint32_t *sets, dpc_crew *crew)
{
    filling f = {d, sets};
    double from = crew->from, all = crew->to - crew->from, done = 0;
    for (int size = d->n; size > 0; size--) {
        int64_t count = 0;
        for (uint32_t set = 1; set <= d->all; set++)
            if (__builtin_popcount(set) == size)
                sets[count++] = set;
        double share = (double)count * ldexp(1, size) * ldexp(1, d->n - size) / ldexp(1, 2 * d->n);
        crew->from = from + all * done;
        done += share;
        crew->to = from + all * done;
        if (!dpc_crew_run(crew, count, 10 * share * ldexp(1, 2 * d->n), fill_task, &f))
            return false;
    }
    d->total = value_of(d, 0, 0);
    return true;
}

/* ---- Making and freeing ---- */

static void fill_masks(dpc_exact_draws *d)
{
    for (uint32_t set = 0; set <= d->all; set++) {
        uint32_t place = 0, power = 1;
        for (int i = 0; i < d->n; i++, power *= 3)
            place += (set >> i & 1) != 0 ? power : 0;
        d->place[set] = place;
        for (int v = 0; v < d->n; v++) {
            const uint64_t nodes = set;
            d->mask[((int64_t)v << d->n) + set] =
                (uint16_t)dpc_among_candidates(d->space, v, &nodes);
        }
    }
}

static dpc_status prepare(dpc_exact_draws *d, dpc_crew *crew)
{
    int64_t sets = INT64_C(1) << d->n, pairs = 1;
    for (int i = 0; i < d->n; i++)
        pairs *= 3;
    d->mask = dpc_arena_alloc(&d->memory, sets * d->n, sizeof *d->mask);
    d->place = dpc_arena_alloc(&d->memory, sets, sizeof *d->place);
    d->value = dpc_arena_alloc(&d->memory, pairs, sizeof *d->value);
    uint32_t *list = dpc_arena_alloc(&d->memory, sets, sizeof *list);
    if (dpc_arena_failed(&d->memory))
        return DPC_NO_MEMORY;
    fill_masks(d);
    return fill(d, list, crew) ? DPC_OK : DPC_INTERRUPTED;
}

dpc_status dpc_exact_draws_new(const dpc_space *space, dpc_crew *crew, dpc_exact_draws **out,
                               dpc_error *err)
{
    dpc_exact_draws *d = dpc_zalloc(1, sizeof *d);
    dpc_status status = DPC_NO_MEMORY;
    if (d != NULL) {
        d->space = space;
        d->n = space->n;
        d->all = (UINT32_C(1) << space->n) - 1;
        status = prepare(d, crew);
    }
    if (status != DPC_OK) {
        dpc_exact_draws_free(d);
        return dpc_fail_as(err, status, "the weights of all layers");
    }
    *out = d;
    return DPC_OK;
}

void dpc_exact_draws_free(dpc_exact_draws *draws)
{
    if (draws == NULL)
        return;
    dpc_arena_clear(&draws->memory);
    free(draws);
}

double dpc_exact_total(const dpc_exact_draws *draws)
{
    return draws->total;
}

/* ---- A draw ---- */

static uint32_t draw_layer(const dpc_exact_draws *d, const layer *l, dpc_random *random)
{
    double log_weight[MOST_SETS], most = weigh_layers(d, l, log_weight);
    double t = dpc_draw_uniform(random) * sum_layers(l, log_weight, most);
    const double nothing = 45;
    uint32_t set = next_within(0, l->rest), drawn = set;
    for (uint32_t i = 1; set != 0; i++, set = next_within(set, l->rest)) {
        if (!(log_weight[i] > most - nothing))
            continue;
        drawn = set;
        t -= exp(log_weight[i] - most);
        if (t < 0)
            break;
    }
    return drawn;
}

static uint32_t draw_parents(const dpc_exact_draws *d, const layer *l, int v, dpc_random *random)
{
    const dpc_set_table *table = &d->space->table[v];
    uint32_t meet = candidates_in(d, v, l->last), within = candidates_in(d, v, l->before);
    if (l->last == 0)
        return dpc_draw_set(table, within, random);
    return dpc_draw_set_meeting(table, within, &meet, 1, l->share[v], random);
}

void dpc_exact_draw(const dpc_exact_draws *draws, dpc_random *random, uint32_t *parents)
{
    uint32_t before = 0, last = 0;
    while (before != draws->all) {
        layer l = layer_after(draws, before, last);
        last = draw_layer(draws, &l, random);
        before |= last;
        for (uint32_t left = last; left != 0; left &= left - 1) {
            int v = __builtin_ctz(left);
            parents[v] = draw_parents(draws, &l, v, random);
        }
    }
}

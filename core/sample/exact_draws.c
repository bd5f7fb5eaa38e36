/* Draws from the posterior itself: see exact_draws.h. */
#include "exact_draws.h"

#include "layers.h"
#include "set_draw.h"
#include "variates.h"

#include <math.h>

enum { MOST = DPC_MOST_LAYERED, MOST_SETS = DPC_MOST_LAYERS_NEXT };

/* ---- Layers ---- */

dpc_layer dpc_layer_after(const dpc_exact_draws *d, uint32_t before, uint32_t last)
{
    const double rounding = 1e-12;
    dpc_layer l = {.before = before, .last = last, .rest = d->all & ~before};
    for (uint32_t left = l.rest; left != 0; left &= left - 1) {
        int v = __builtin_ctz(left);
        const double *sum = d->space->table[v].log_sum;
        double all = sum[dpc_layer_candidates(d, v, before)];
        double none = last != 0 ? sum[dpc_layer_candidates(d, v, before & ~last)] : -INFINITY;
        l.share[v] = isfinite(all) ? -expm1(none - all) : 0;
        l.log_weight[v] = l.share[v] > rounding ? all + log(l.share[v]) : -INFINITY;
    }
    return l;
}

double dpc_weigh_layers(const dpc_exact_draws *d, const dpc_layer *l, double *log_weight)
{
    double product[MOST_SETS], most = -INFINITY, by_place[MOST];
    int count = 0;
    for (uint32_t left = l->rest; left != 0; left &= left - 1)
        by_place[count++] = l->log_weight[__builtin_ctz(left)];
    product[0] = 0;
    uint32_t set = dpc_next_within(0, l->rest);
    for (uint32_t i = 1; i < UINT32_C(1) << count; i++) {
        product[i] = product[i & (i - 1)] + by_place[__builtin_ctz(i)];
        log_weight[i] = product[i] + d->value[dpc_pair_place(d, l->before | set, set)];
        most = log_weight[i] > most ? log_weight[i] : most;
        set = dpc_next_within(set, l->rest);
    }
    return most;
}

/* Σ e^weight, over e^most. */
static double sum_layers(const dpc_layer *l, const double *log_weight, double most)
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
    dpc_layer l = dpc_layer_after(d, before, last);
    double most = dpc_weigh_layers(d, &l, log_weight);
    return isfinite(most) ? most + log(sum_layers(&l, log_weight, most)) : -INFINITY;
}

/* ---- All pairs ---- */

bool dpc_layer_pass_begin(dpc_layer_pass *pass, const dpc_exact_draws *draws, dpc_crew *crew,
                          dpc_arena *arena)
{
    *pass = (dpc_layer_pass){.crew = crew, .from = crew->from, .all = crew->to - crew->from};
    pass->sets = dpc_arena_alloc(arena, INT64_C(1) << draws->n, sizeof *pass->sets);
    return pass->sets != NULL;
}

bool dpc_layer_pass_run(dpc_layer_pass *pass, const dpc_exact_draws *draws, int size, dpc_task task,
                        void *context)
{
    double terms;
    pass->count = 0;
    for (uint32_t set = 0; set <= draws->all; set++)
        if (__builtin_popcount(set) == size)
            pass->sets[pass->count++] = set;
    terms = (double)pass->count * ldexp(1, draws->n);
    pass->crew->from = pass->from + pass->all * pass->done;
    pass->done += terms / ldexp(1, 2 * draws->n);
    pass->crew->to = pass->from + pass->all * pass->done;
    return dpc_crew_run(pass->crew, pass->count, 10 * terms, task, context);
}

typedef struct filling {
    dpc_exact_draws *draws;
    dpc_layer_pass pass;
} filling;

static void fill_task(void *context, int64_t index, int worker)
{
    (void)worker;
    const filling *f = context;
    dpc_exact_draws *d = f->draws;
    uint32_t before = f->pass.sets[index], last = dpc_next_within(0, before);
    for (; last != 0; last = dpc_next_within(last, before))
        d->value[dpc_pair_place(d, before, last)] =
            before == d->all ? 0 : value_of(d, before, last);
}

/* Larger sets first. */
static dpc_status fill(dpc_exact_draws *d, dpc_crew *crew)
{
    filling f = {.draws = d};
    if (!dpc_layer_pass_begin(&f.pass, d, crew, &d->memory))
        return DPC_NO_MEMORY;
    for (int size = d->n; size > 0; size--)
        if (!dpc_layer_pass_run(&f.pass, d, size, fill_task, &f))
            return DPC_INTERRUPTED;
    d->total = d->value[0] = value_of(d, 0, 0);
    return DPC_OK;
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
    int64_t sets = INT64_C(1) << d->n;
    d->pairs = 1;
    for (int i = 0; i < d->n; i++)
        d->pairs *= 3;
    d->mask = dpc_arena_alloc(&d->memory, sets * d->n, sizeof *d->mask);
    d->place = dpc_arena_alloc(&d->memory, sets, sizeof *d->place);
    d->value = dpc_arena_alloc(&d->memory, d->pairs, sizeof *d->value);
    if (dpc_arena_failed(&d->memory))
        return DPC_NO_MEMORY;
    fill_masks(d);
    return fill(d, crew);
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

static uint32_t draw_layer(const dpc_exact_draws *d, const dpc_layer *l, dpc_random *random)
{
    double log_weight[MOST_SETS], most = dpc_weigh_layers(d, l, log_weight);
    double t = dpc_draw_uniform(random) * sum_layers(l, log_weight, most);
    const double nothing = 45;
    uint32_t set = dpc_next_within(0, l->rest), drawn = set;
    for (uint32_t i = 1; set != 0; i++, set = dpc_next_within(set, l->rest)) {
        if (!(log_weight[i] > most - nothing))
            continue;
        drawn = set;
        t -= exp(log_weight[i] - most);
        if (t < 0)
            break;
    }
    return drawn;
}

static uint32_t draw_parents(const dpc_exact_draws *d, const dpc_layer *l, int v,
                             dpc_random *random)
{
    const dpc_set_table *table = &d->space->table[v];
    uint32_t meet = dpc_layer_candidates(d, v, l->last),
             within = dpc_layer_candidates(d, v, l->before);
    if (l->last == 0)
        return dpc_draw_set(table, within, random);
    return dpc_draw_set_meeting(table, within, &meet, 1, l->share[v], random);
}

void dpc_exact_draw(const dpc_exact_draws *draws, dpc_random *random, uint32_t *parents)
{
    uint32_t before = 0, last = 0;
    while (before != draws->all) {
        dpc_layer l = dpc_layer_after(draws, before, last);
        last = draw_layer(draws, &l, random);
        before |= last;
        for (uint32_t left = last; left != 0; left &= left - 1) {
            int v = __builtin_ctz(left);
            parents[v] = draw_parents(draws, &l, v, random);
        }
    }
}

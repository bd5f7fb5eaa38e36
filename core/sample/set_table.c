/*
 * The tables of one node: see set_table.h.
 *
 * The scores come from one walk through all sets (all_sets.h), over the matrix T of the score
 * scaled to a unit diagonal. Required parents are taken in first: one that those before it
 * determine changes nothing, and is not counted. Of the others, a set with one that the rest of it
 * determines has no weight.
 *
 * Sums over all sets within a set (zeta transform): for one bit after the other, what a set with
 * the bit has is added to by what it has without. After the low bits that is `half`.
 */
#include "set_table.h"

#include "all_sets.h"
#include "patch.h"
#include "score.h"

#include <math.h>

/* ---- Memory ---- */

enum { DOUBLES = 5, LEVELS = 3 };

double dpc_set_table_memory(int k)
{
    return ldexp(DOUBLES * sizeof(double) + LEVELS * sizeof(uint16_t), k);
}

static dpc_status allocate(dpc_set_table *t)
{
    int64_t sets = INT64_C(1) << t->k;
    int64_t words = DOUBLES * sets + (LEVELS * sets + 3) / 4;
    double *d = dpc_alloc_aligned(words);
    t->memory = d;
    if (d == NULL)
        return DPC_NO_MEMORY;
    uint16_t *levels = (uint16_t *)(d + DOUBLES * sets);
    t->sum = (dpc_levelled){d, levels};
    t->half = (dpc_levelled){d + sets, levels + sets};
    t->weight = (dpc_levelled){d + 2 * sets, levels + 2 * sets};
    t->score = d + 3 * sets;
    t->log_sum = d + 4 * sets;
    return DPC_OK;
}

void dpc_set_table_clear(dpc_set_table *table)
{
    free(table->memory);
    *table = (dpc_set_table){0};
}

/* ---- Scores ---- */

/* The walk through all sets of the candidates that are not required. */
typedef struct walk {
    const dpc_set_source *source;
    const dpc_vector *vector;
    double unit; /* the diagonal of T */
    double *room;
    uint32_t bit[DPC_MOST_CANDIDATES + 1]; /* of the first open node, by how many are open */
    double *score;
    double least;
} walk;

/* A set on the way. */
typedef struct taken {
    uint32_t set;
    int size;
    double log_det; /* of T over it */
} taken;

static double score_of(walk *w, const taken *s, double variance)
{
    const dpc_marginal *marginal = w->source->marginal;
    variance = variance > DPC_LEAST_LEFT ? variance : DPC_LEAST_LEFT;
    if (variance < w->least && marginal->constant[s->size] > -INFINITY)
        w->least = variance;
    return dpc_marginal_of(marginal, s->size, variance * w->unit, s->log_det);
}

/* The set with the first open node. */
static taken take(const walk *w, const taken *s, const dpc_given *g)
{
    bool needed = w->source->marginal->determinant != 0;
    return (taken){.set = s->set | w->bit[g->open],
                   .size = s->size + 1,
                   .log_det = s->log_det + (needed ? log(g->var[0] * w->unit) : 0)};
}

static void walk_on(walk *w, const dpc_given *g, const taken *s)
{
    if (g->open == 0) {
        w->score[s->set] = score_of(w, s, g->var[0]);
        return;
    }
    bool welcome = !dpc_given_determines(g);
    taken with = welcome ? take(w, s, g) : *s;
    if (g->open == 1) { /* as at half of all branches */
        w->score[s->set] = score_of(w, s, g->var[1]);
        if (welcome)
            w->score[with.set] = score_of(w, &with, dpc_given_last(g, w->vector));
        return;
    }
    dpc_given after;
    dpc_given_without(g, &after);
    walk_on(w, &after, s);
    if (welcome) {
        dpc_given_with(g, w->vector, w->room, &after);
        walk_on(w, &after, &with);
    }
}

/* Required candidates first, v last, into `order`; their bits into w->bit. */
static void arrange(walk *w, int32_t *order)
{
    const dpc_set_source *source = w->source;
    int at = 0;
    for (int part = 0; part < 2; part++)
        for (int i = 0; i < source->k; i++) {
            bool required = (source->required >> i & 1) != 0;
            if (required != (part == 0))
                continue;
            w->bit[source->k - at] = UINT32_C(1) << i;
            order[at++] = source->candidate[i];
        }
    order[at] = source->v;
}

/* All candidates and v given nothing. */
static dpc_given start_of(const walk *w, const int32_t *order)
{
    const dpc_marginal *m = w->source->marginal;
    const dpc_view *view = &w->source->stats->view;
    int open = w->source->k, stride = open + 1;
    double *var = w->room + dpc_given_room(open), *growth = var + stride, *cov = growth + stride;
    for (int i = 0; i <= open; i++) {
        var[i] = growth[i] = 1;
        for (int j = i + 1; j <= open; j++)
            cov[i * stride + j] = m->scale / w->unit * dpc_r(view, order[i], order[j]);
    }
    return (dpc_given){cov, var, growth, stride, open};
}

static dpc_status fill_scores(dpc_set_table *t, const dpc_set_source *source)
{
    int32_t order[DPC_MOST_CANDIDATES + 1];
    walk w = {.source = source,
              .vector = dpc_vector_best(),
              .unit = source->marginal->scale + source->marginal->ridge,
              .room = dpc_alloc(dpc_given_room(source->k + 1), sizeof *w.room),
              .score = t->score,
              .least = 1};
    if (w.room == NULL)
        return DPC_NO_MEMORY;
    for (uint32_t set = 0; set <= dpc_all_of(t); set++)
        t->score[set] = -INFINITY;
    arrange(&w, order);
    dpc_given g = start_of(&w, order);
    taken s = {0};
    for (int i = __builtin_popcount(source->required); i > 0; i--) {
        dpc_given after;
        if (dpc_given_determines(&g)) {
            s.set |= w.bit[g.open];
            dpc_given_without(&g, &after);
        } else {
            s = take(&w, &s, &g);
            dpc_given_with(&g, w.vector, w.room, &after);
        }
        g = after;
    }
    walk_on(&w, &g, &s);
    t->least = w.least;
    free(w.room);
    return DPC_OK;
}

/* ---- Sums ---- */

static void fill_weights(dpc_set_table *t)
{
    t->best = -INFINITY;
    for (uint32_t set = 0; set <= dpc_all_of(t); set++)
        t->best = t->score[set] > t->best ? t->score[set] : t->best;
    for (uint32_t set = 0; set <= dpc_all_of(t); set++) {
        double below = t->best - t->score[set], level = floor(below / DPC_LEVEL_LOG);
        bool none = !(level < DPC_NO_LEVEL);
        t->weight.level[set] = none ? DPC_NO_LEVEL : (uint16_t)level;
        t->weight.value[set] = none ? 0 : exp(level * DPC_LEVEL_LOG - below);
    }
}

/* to += from */
static inline void add(dpc_levelled a, uint32_t to, uint32_t from)
{
    int below = a.level[from] - a.level[to];
    if (below >= 0) {
        a.value[to] += dpc_at_level(a, from, a.level[to]);
    } else {
        a.value[to] = a.value[from] + dpc_at_level(a, to, a.level[from]);
        a.level[to] = a.level[from];
    }
}

/* What the sets with each of these bits have is added to by what they have without. */
static void add_bits(dpc_levelled a, int k, int from, int to)
{
    uint32_t sets = UINT32_C(1) << k;
    for (int b = from; b < to; b++)
        for (uint32_t first = UINT32_C(1) << b; first < sets; first += UINT32_C(2) << b)
            for (uint32_t i = 0; i < UINT32_C(1) << b; i++)
                add(a, first + i, first + i - (UINT32_C(1) << b));
}

/* The sums so far, by their high bits within their low ones. */
static void fill_halves(dpc_set_table *t)
{
    int high = t->k - t->low;
    for (uint32_t s = 0; s < UINT32_C(1) << high; s++)
        for (uint32_t m = 0; m < UINT32_C(1) << t->low; m++) {
            t->half.value[m << high | s] = t->sum.value[s << t->low | m];
            t->half.level[m << high | s] = t->sum.level[s << t->low | m];
        }
}

static void fill_sums(dpc_set_table *t)
{
    size_t sets = (size_t)1 << t->k;
    memcpy(t->sum.value, t->weight.value, sets * sizeof *t->sum.value);
    memcpy(t->sum.level, t->weight.level, sets * sizeof *t->sum.level);
    add_bits(t->sum, t->k, 0, t->low);
    fill_halves(t);
    add_bits(t->sum, t->k, t->low, t->k);
    for (size_t set = 0; set < sets; set++)
        t->log_sum[set] = t->sum.level[set] == DPC_NO_LEVEL ? -INFINITY
                                                            : t->best + log(t->sum.value[set]) -
                                                                  t->sum.level[set] * DPC_LEVEL_LOG;
}

dpc_status dpc_set_table_init(dpc_set_table *table, const dpc_set_source *source)
{
    *table = (dpc_set_table){.k = source->k, .low = source->k / 2, .required = source->required};
    DPC_CHECK(allocate(table));
    DPC_CHECK(fill_scores(table, source));
    fill_weights(table);
    fill_sums(table);
    return DPC_OK;
}

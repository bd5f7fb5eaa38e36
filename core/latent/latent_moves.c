/* Latent moves: see latent_moves.h. */
#include "latent_moves.h"

#include "random.h"

#include <math.h>

enum {
    MOST_PAIRS = DPC_LARGEST_CLIQUE * (DPC_LARGEST_CLIQUE - 1) / 2,
    MOST_CHANGES = 20, /* of a try: what takes more is hardly ever kept */
};

/* ---- Cliques ---- */

void dpc_latent_near(dpc_mag_walker *w, const dpc_clique *c)
{
    const dpc_mag *mag = &w->state.mag;
    int64_t words = mag->words;
    uint64_t *near = w->within;
    memset(near, 0, (size_t)words * sizeof *near);
    for (int i = 0; i < c->size; i++) {
        int64_t at = c->node[i] * words;
        for (int64_t j = 0; j < words; j++)
            near[j] |= mag->parents[at + j] | mag->children[at + j] | mag->spouses[at + j];
        dpc_set_bit(near, words, 0, c->node[i]);
    }
}

/* The districts of those near, too. */
static void add_districts(dpc_mag_walker *w)
{
    int64_t words = w->state.mag.words;
    for (int v = -1; (v = dpc_next_bit(w->within, words, v)) >= 0;) {
        dpc_mag_state_district(&w->state, v, w->scorer.row);
        for (int64_t j = 0; j < words; j++)
            w->within[j] |= w->scorer.row[j];
    }
}

/* Who is near, with what parents, spouses and ancestors. */
static dpc_key key_of(dpc_mag_walker *w, const dpc_clique *c)
{
    const dpc_mag_state *s = &w->state;
    int64_t words = s->mag.words;
    dpc_key key = {0};
    for (int i = 0; i < c->size; i++)
        key.low += dpc_mix((uint64_t)c->node[i]);
    dpc_latent_near(w, c);
    add_districts(w);
    for (int v = -1; (v = dpc_next_bit(w->within, words, v)) >= 0;) {
        uint64_t own = (uint64_t)v;
        for (int64_t j = 0; j < words; j++)
            own = dpc_mix(own ^ (s->mag.ancestors[v * words + j] & w->within[j]));
        key.low += dpc_mix(s->key[v].low ^ own);
        key.high += dpc_mix(s->key[v].high + own);
    }
    return key;
}

static bool is_worth_a_try(dpc_mag_walker *w, const dpc_clique *c)
{
    bool all = true;
    for (int i = 0; i < c->size; i++)
        for (int j = i + 1; j < c->size; j++) {
            int a = c->node[i], b = c->node[j];
            if (!dpc_mag_may_be(w->scoring, (dpc_edge){a, b, DPC_BIDIRECTED}))
                return false;
            all = all && dpc_mag_state_mark(&w->state, a, b) == DPC_BIDIRECTED;
        }
    return !all;
}

static dpc_status add_clique(dpc_mag_walker *w, const dpc_clique *c, dpc_latent_tries *out)
{
    if (c->size < 2 || !is_worth_a_try(w, c))
        return DPC_OK;
    dpc_latent_try *room = dpc_make_room(out->each, &out->capacity, out->count + 1, sizeof *room);
    if (room == NULL)
        return DPC_NO_MEMORY;
    out->each = room;
    out->each[out->count++] = (dpc_latent_try){.clique = *c, .near = key_of(w, c)};
    return DPC_OK;
}

/* Those that begin with the nodes of c. */
static dpc_status extend(dpc_mag_walker *w, dpc_clique *c, dpc_latent_tries *out)
{
    const dpc_mag *mag = &w->state.mag;
    DPC_CHECK(add_clique(w, c, out));
    if (c->size == DPC_LARGEST_CLIQUE)
        return DPC_OK;
    for (int v = c->node[c->size - 1] + 1; v < mag->n; v++) {
        bool all = true;
        for (int i = 0; all && i < c->size; i++)
            all = dpc_mag_adjacent(mag, c->node[i], v);
        if (!all)
            continue;
        c->node[c->size++] = v;
        DPC_CHECK(extend(w, c, out));
        c->size--;
    }
    return DPC_OK;
}

dpc_status dpc_latent_cliques(dpc_mag_walker *w, dpc_latent_tries *out)
{
    for (int v = 0; v < w->state.mag.n; v++) {
        dpc_clique c = {.node = {v}, .size = 1};
        DPC_CHECK(extend(w, &c, out));
    }
    return DPC_OK;
}

void dpc_latent_tries_clear(dpc_latent_tries *tries)
{
    for (int64_t i = 0; i < tries->count; i++)
        free(tries->each[i].changes);
    free(tries->each);
    *tries = (dpc_latent_tries){0};
}

/* ---- Tries ---- */

/* All pairs of the path that are joined otherwise now. */
static dpc_status read_changes(const dpc_mag_walker *w, dpc_latent_try *one)
{
    one->count = 0;
    one->changes = dpc_alloc(w->length, sizeof *one->changes);
    if (one->changes == NULL)
        return DPC_NO_MEMORY;
    for (int64_t i = 0; i < w->length; i++) {
        const dpc_edge *was = &w->path[i];
        dpc_mark now = dpc_mag_state_mark(&w->state, was->a, was->b);
        bool first = true;
        for (int64_t j = 0; first && j < i; j++)
            first = w->path[j].a != was->a || w->path[j].b != was->b;
        if (first && now != was->mark)
            one->changes[one->count++] = (dpc_edge){was->a, was->b, now};
    }
    return DPC_OK;
}

/* From a clique of double arrows on. What needs too many changes does not count. */
static dpc_status settle(dpc_mag_walker *w, const dpc_clique *c, const dpc_edge *pairs, int count,
                         double *gain)
{
    dpc_mag_held held = {.pair = pairs, .count = count, .roughly = true, .most = MOST_CHANGES};
    double more;
    dpc_latent_near(w, c);
    for (int i = 0; i < 2 && w->length < MOST_CHANGES; i++) {
        DPC_CHECK(dpc_mag_settle(w, held, &more));
        *gain += more;
        held.count = 0; /* let go */
    }
    if (w->length >= MOST_CHANGES)
        *gain = -INFINITY;
    return DPC_OK;
}

dpc_status dpc_latent_try_one(dpc_mag_walker *w, dpc_latent_try *one)
{
    const dpc_clique *c = &one->clique;
    dpc_edge pairs[MOST_PAIRS], before[MOST_PAIRS];
    int count = 0;
    double score = dpc_mag_score(&w->scorer, &w->state);
    for (int i = 0; i < c->size; i++)
        for (int j = i + 1; j < c->size; j++) {
            int a = c->node[i], b = c->node[j];
            before[count] = (dpc_edge){a, b, dpc_mag_state_mark(&w->state, a, b)};
            pairs[count++] = (dpc_edge){a, b, DPC_BIDIRECTED};
        }
    one->gain = 0;
    if (!dpc_mag_state_change(&w->state, pairs, count))
        return DPC_OK;
    w->length = 0;
    dpc_status status = DPC_OK;
    for (int i = 0; status == DPC_OK && i < count; i++) {
        status = dpc_mag_go(w, pairs[i]);
        if (status == DPC_OK)
            w->path[w->length - 1].mark = before[i].mark;
    }
    double gain = dpc_mag_score(&w->scorer, &w->state) - score;
    if (status == DPC_OK && gain > -INFINITY)
        status = settle(w, c, pairs, count, &gain);
    if (status == DPC_OK && gain > DPC_LEAST_MAG_GAIN) {
        one->gain = gain;
        status = read_changes(w, one);
    }
    dpc_mag_back(w, 0);
    return w->scorer.failed ? DPC_NO_MEMORY : status;
}

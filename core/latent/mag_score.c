/* The score of a MAG: see mag_score.h. */
#include "mag_score.h"

#include "district_bound.h"
#include "random.h"
#include "sorted.h"

#include <math.h>

static const double ROUNDING = 1e-6; /* that a bound allows for */

enum { FEW_PLACES = 1 << 12, MOST_PLACES = 1 << 20 };

/* ---- What is kept ---- */

static dpc_key key_of(const dpc_mag_state *s, const uint64_t *district)
{
    dpc_key key = {0};
    for (int v = -1; (v = dpc_next_bit(district, s->mag.words, v)) >= 0;) {
        key.low += dpc_mix(s->key[v].low + (uint64_t)v);
        key.high += dpc_mix(s->key[v].high ^ (uint64_t)v);
    }
    key.low |= 1; /* never free */
    return key;
}

/* The place of a key, or the free one where it belongs. */
static dpc_known_score *place_of(dpc_known_score *known, int64_t places, dpc_key key)
{
    uint64_t mask = (uint64_t)places - 1, i = key.high & mask;
    while (known[i].key.low != 0 && (known[i].key.low != key.low || known[i].key.high != key.high))
        i = (i + 1) & mask;
    return &known[i];
}

/* Twice the places, or, where that is too much memory, all of them free. */
static void make_places(dpc_mag_scorer *s)
{
    int64_t places = 2 * s->places;
    dpc_known_score *known = places <= s->most ? dpc_zalloc(places, sizeof *known) : NULL;
    if (known == NULL) {
        memset(s->known, 0, (size_t)s->places * sizeof *s->known);
        s->used = 0;
        return;
    }
    for (int64_t i = 0; i < s->places; i++)
        if (s->known[i].key.low != 0)
            *place_of(known, places, s->known[i].key) = s->known[i];
    free(s->known);
    s->known = known;
    s->places = places;
}

/* ---- One district ---- */

static double regress(dpc_mag_scorer *s, int v, const int32_t *parents, int count)
{
    if (dpc_family_of(&s->regression.family, v, parents, count) != DPC_OK) {
        s->failed = true;
        return -INFINITY;
    }
    return dpc_scorer_score(&s->regression, 0);
}

/* Its nodes, spouses and parents. False: it is too large, or has too many parents. */
static bool read_district(dpc_mag_scorer *s, const dpc_mag_state *state, const uint64_t *row,
                          dpc_district *d)
{
    const dpc_mag *mag = &state->mag;
    int64_t words = mag->words;
    d->size = 0;
    for (int v = -1; (v = dpc_next_bit(row, words, v)) >= 0;) {
        if (d->size == DPC_LARGEST_DISTRICT)
            return false;
        d->node[d->size++] = v;
    }
    for (int i = 0; i < d->size; i++) {
        const uint64_t *pa = mag->parents + d->node[i] * words;
        d->parents[i] = s->parents + (int64_t)i * (mag->n + DPC_LARGEST_DISTRICT);
        d->n_parents[i] = 0;
        d->spouses[i] = 0;
        for (int u = -1; (u = dpc_next_bit(pa, words, u)) >= 0;)
            d->parents[i][d->n_parents[i]++] = u;
        for (int j = 0; j < d->size; j++)
            if (dpc_bit(mag->spouses, words, d->node[i], d->node[j]))
                d->spouses[i] |= UINT32_C(1) << j;
        if (d->n_parents[i] + __builtin_popcount(d->spouses[i]) >
            s->regression.scoring->most_parents)
            return false;
    }
    return true;
}

static bool is_within(const dpc_district *d, int i, int j) /* pa(i) ⊆ pa(j)? */
{
    int at = 0;
    for (int p = 0; p < d->n_parents[i]; p++) {
        while (at < d->n_parents[j] && d->parents[j][at] < d->parents[i][p])
            at++;
        if (at == d->n_parents[j] || d->parents[j][at] != d->parents[i][p])
            return false;
    }
    return true;
}

/* Is node i a regression: see the head of mag_score.h. */
static bool can_go(const dpc_district *d, int i)
{
    for (int j = 0; j < d->size; j++) {
        uint32_t bit = UINT32_C(1) << j;
        if ((d->spouses[i] & bit) == 0)
            continue;
        if ((d->spouses[i] & ~bit & ~d->spouses[j]) != 0 || !is_within(d, i, j))
            return false;
    }
    return true;
}

/* It becomes a parent of its spouses. */
static void let_go(dpc_district *d, int i)
{
    for (int j = 0; j < d->size; j++) {
        if ((d->spouses[i] >> j & 1) == 0)
            continue;
        int32_t *list = d->parents[j];
        int at = d->n_parents[j]++;
        for (; at > 0 && list[at - 1] > d->node[i]; at--)
            list[at] = list[at - 1];
        list[at] = d->node[i];
        d->spouses[j] &= ~(UINT32_C(1) << i);
    }
    d->spouses[i] = 0;
}

/* The nodes of `places`, which double arrows join, as a district of its own. */
static void take_part(const dpc_district *d, uint32_t places, dpc_district *part)
{
    int at[DPC_LARGEST_DISTRICT], size = 0;
    for (int i = 0; i < d->size; i++)
        if (places >> i & 1)
            at[size++] = i;
    part->size = size;
    for (int i = 0; i < size; i++) {
        part->node[i] = d->node[at[i]];
        part->parents[i] = d->parents[at[i]];
        part->n_parents[i] = d->n_parents[at[i]];
        part->spouses[i] = 0;
        for (int j = 0; j < size; j++)
            part->spouses[i] |= (d->spouses[at[i]] >> at[j] & 1) << j;
    }
}

/* Arrows, double arrows and variances. */
static int count_parameters(const dpc_district *d)
{
    int count = d->size, doubled = 0;
    for (int i = 0; i < d->size; i++) {
        count += d->n_parents[i];
        doubled += __builtin_popcount(d->spouses[i]);
    }
    return count + doubled / 2;
}

/* A part that cannot be taken apart. */
static double fit_part(dpc_mag_scorer *s, const dpc_district *part, dpc_precision precision)
{
    if (count_parameters(part) > DPC_MOST_PARAMETERS)
        return -INFINITY;
    const dpc_scoring *scoring = s->regression.scoring;
    const dpc_view *view = &scoring->stats.view;
    double likelihood;
    if (precision == DPC_BOUND)
        return dpc_district_bound(view, scoring->n_obs, part) + ROUNDING;
    dpc_status status =
        precision == DPC_ROUGH
            ? dpc_ricf_roughly(&s->ricf, view, scoring->n_obs, part, &likelihood)
            : dpc_ricf_likelihood(&s->ricf, view, scoring->n_obs, part, &likelihood);
    s->failed = s->failed || status != DPC_OK;
    return status == DPC_OK ? likelihood : -INFINITY;
}

/* What cannot be taken apart: the sum over its parts. */
static double fit_parts(dpc_mag_scorer *s, const dpc_district *d, uint32_t left,
                        dpc_precision precision)
{
    double sum = 0;
    while (left != 0) {
        uint32_t part = left & -left, before = 0;
        dpc_district own;
        while (part != before) {
            before = part;
            for (int i = 0; i < d->size; i++)
                part |= before >> i & 1 ? d->spouses[i] : 0;
        }
        left &= ~part;
        take_part(d, part, &own);
        sum += fit_part(s, &own, precision);
    }
    return sum;
}

/* Takes out the nodes that are regressions, and adds them to *sum. Returns what is left. */
static uint32_t take_apart(dpc_mag_scorer *s, dpc_district *d, double *sum)
{
    uint32_t left = (UINT32_C(1) << d->size) - 1;
    for (int i = 0; i < d->size;) {
        if ((left >> i & 1) == 0 || !can_go(d, i)) {
            i++;
            continue;
        }
        *sum += regress(s, d->node[i], d->parents[i], d->n_parents[i]);
        let_go(d, i);
        left &= ~(UINT32_C(1) << i);
        i = 0; /* others may go now */
    }
    return left;
}

/* Into score[precision], or, where nothing is to be fitted, into all three. */
static void find_score(dpc_mag_scorer *s, const dpc_mag_state *state, const uint64_t *row,
                       dpc_precision precision, double *score)
{
    dpc_district d;
    double sum = 0;
    uint32_t left = 0;
    if (!read_district(s, state, row, &d))
        sum = -INFINITY;
    else
        left = take_apart(s, &d, &sum);
    if (left != 0)
        score[precision] = sum + fit_parts(s, &d, left, precision);
    else
        score[DPC_BOUND] = score[DPC_ROUGH] = score[DPC_EXACT] = sum;
}

double dpc_mag_fit_district(dpc_mag_scorer *s, const dpc_mag_state *state, const uint64_t *row,
                            dpc_precision precision)
{
    double score[3];
    find_score(s, state, row, precision, score);
    return score[precision];
}

/* The place where the score of a district is kept, a new one if need be. */
static dpc_known_score *look_up(dpc_mag_scorer *s, const dpc_mag_state *state, const uint64_t *row)
{
    dpc_key key = key_of(state, row);
    dpc_known_score *place = place_of(s->known, s->places, key);
    if (place->key.low != 0)
        return place;
    if (2 * (s->used + 1) > s->places) {
        make_places(s);
        place = place_of(s->known, s->places, key);
    }
    s->used++;
    *place = (dpc_known_score){key, {NAN, NAN, NAN}};
    return place;
}

double dpc_mag_score_district(dpc_mag_scorer *s, const dpc_mag_state *state, int v,
                              dpc_precision precision, uint64_t *row)
{
    dpc_mag_state_district(state, v, row);
    dpc_known_score *place = look_up(s, state, row);
    s->scores++;
    if (isnan(place->score[precision]))
        find_score(s, state, row, precision, place->score);
    return s->failed ? -INFINITY : place->score[precision];
}

/* ---- Graphs and changes ---- */

static double price_of(const dpc_mag_scorer *s, const dpc_mag_state *state)
{
    return s->regression.scoring->price * (double)state->edges +
           s->hidden_price * (double)state->double_arrows;
}

double dpc_mag_score(dpc_mag_scorer *s, const dpc_mag_state *state)
{
    double sum = -price_of(s, state);
    for (int v = 0; v < state->mag.n; v++) {
        double own = dpc_mag_score_district(s, state, v, DPC_EXACT, s->row);
        if (dpc_next_bit(s->row, state->mag.words, -1) == v) /* each district once */
            sum += own;
    }
    return sum;
}

/* Of the districts of two nodes, minus all prices. */
static double score_near(dpc_mag_scorer *s, const dpc_mag_state *state, int a, int b,
                         dpc_precision precision)
{
    double sum = dpc_mag_score_district(s, state, a, precision, s->row) - price_of(s, state);
    return dpc_bit(s->row, state->mag.words, 0, b)
               ? sum
               : sum + dpc_mag_score_district(s, state, b, precision, s->other_row);
}

double dpc_mag_gain(dpc_mag_scorer *s, dpc_mag_state *state, dpc_edge change,
                    dpc_precision precision)
{
    dpc_mark old = dpc_mag_state_mark(state, change.a, change.b);
    double before = score_near(s, state, change.a, change.b, DPC_EXACT);
    dpc_mag_state_mark_only(state, change.a, change.b, change.mark);
    double after = score_near(s, state, change.a, change.b, precision);
    dpc_mag_state_mark_only(state, change.a, change.b, old);
    return after - before;
}

/* ---- Making and freeing ---- */

dpc_status dpc_mag_scorer_init(dpc_mag_scorer *s, const dpc_scoring *scoring, double hidden_price,
                               double memory)
{
    int64_t n = scoring->stats.n, words = dpc_bit_words((int)n);
    *s = (dpc_mag_scorer){.hidden_price = hidden_price, .places = FEW_PLACES, .most = FEW_PLACES};
    while (s->most < MOST_PLACES && 2.0 * (double)s->most * sizeof *s->known < memory)
        s->most *= 2;
    s->known = dpc_zalloc(s->places, sizeof *s->known);
    s->parents = dpc_arena_alloc(&s->memory, DPC_LARGEST_DISTRICT * (n + DPC_LARGEST_DISTRICT),
                                 sizeof *s->parents);
    s->row = dpc_arena_alloc(&s->memory, words, sizeof *s->row);
    s->other_row = dpc_arena_alloc(&s->memory, words, sizeof *s->other_row);
    DPC_CHECK(dpc_scorer_init(&s->regression, scoring));
    DPC_CHECK(dpc_ricf_init(&s->ricf, (int)n));
    return s->known == NULL || dpc_arena_failed(&s->memory) ? DPC_NO_MEMORY : DPC_OK;
}

void dpc_mag_scorer_clear(dpc_mag_scorer *s)
{
    dpc_scorer_clear(&s->regression);
    dpc_ricf_clear(&s->ricf);
    dpc_arena_clear(&s->memory);
    free(s->known);
    *s = (dpc_mag_scorer){0};
}

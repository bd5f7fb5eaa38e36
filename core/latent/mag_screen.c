/* Which pairs are worth a fit: see mag_screen.h. */
#include "mag_screen.h"

#include <math.h>

static const double SHARE = 0.25; /* of the price that a first step has to promise */

/* ---- Regressions ---- */

/* S_v, ascending, into the residual. */
static dpc_status find_given(dpc_mag_residual *r, dpc_mag_walker *w, int v)
{
    const dpc_mag *mag = &w->state.mag;
    int64_t words = mag->words;
    uint64_t *district = w->scorer.row, *given = w->scorer.other_row;
    dpc_mag_state_district(&w->state, v, district);
    memcpy(given, district, (size_t)words * sizeof *given);
    for (int u = -1; (u = dpc_next_bit(district, words, u)) >= 0;)
        for (int64_t i = 0; i < words; i++)
            given[i] |= mag->parents[u * words + i];
    dpc_clear_bit(given, words, 0, v);
    r->count = 0;
    r->alone = dpc_next_bit(mag->spouses + v * words, words, -1) < 0;
    for (int u = -1; (u = dpc_next_bit(given, words, u)) >= 0;) {
        int32_t *room = dpc_make_little_room(r->given, &r->room, r->count + 1, sizeof *room);
        if (room == NULL)
            return DPC_NO_MEMORY;
        r->given = room;
        r->given[r->count++] = u;
    }
    return DPC_OK;
}

dpc_status dpc_mag_screen_renew(dpc_mag_screen *s, dpc_mag_walker *w, int v)
{
    dpc_mag_residual *r = &s->of[v];
    dpc_scorer *h = &w->scorer.regression;
    DPC_CHECK(find_given(r, w, v));
    DPC_CHECK(dpc_family_of(&h->family, v, r->given, r->count));
    DPC_CHECK(dpc_scorer_squares(h));
    r->left = fmax(dpc_family_variance(&h->family, v), DPC_LEAST_LEFT);
    r->count = h->size; /* those that are not determined by others */
    double *room =
        dpc_make_little_room(r->coefficient, &r->coefficient_room, r->count + 1, sizeof *room);
    if (room == NULL)
        return DPC_NO_MEMORY;
    r->coefficient = room;
    for (int i = 0; i < h->size; i++) {
        r->given[i] = h->parent[i];
        r->coefficient[i] = h->matrix[(int64_t)h->size * h->size + i];
    }
    return DPC_OK;
}

/* ---- Pairs that are not adjacent ---- */

static bool has_given(const dpc_mag_residual *r, int u)
{
    for (int i = 0; i < r->count; i++)
        if (r->given[i] == u)
            return true;
    return false;
}

/* Is a double arrow between u and v worth a fit? The family is that of v given S_v. */
static bool may_be_spouses(const dpc_mag_screen *s, const dpc_mag_walker *w, int u, int v)
{
    const dpc_mag_residual *r = &s->of[u];
    const dpc_family *f = &w->scorer.regression.family;
    const double *t = dpc_family_now(f)->t;
    double covariance = t[f->place[u]];
    if (has_given(r, v) || has_given(&s->of[v], u))
        return true;
    for (int i = 0; i < r->count; i++)
        covariance -= r->coefficient[i] * t[f->place[r->given[i]]];
    double square = fmin(covariance * covariance / (r->left * s->of[v].left), 1 - 1e-9);
    double price = w->scoring->price + w->scorer.hidden_price;
    return dpc_likelihood_of(w->scoring, square) > SHARE * price;
}

/* Is an arrow u → v? */
static bool may_be_parent(const dpc_mag_screen *s, const dpc_mag_walker *w, int u, int v)
{
    const dpc_mag_residual *r = &s->of[v];
    if (has_given(r, u))
        return true;
    double square = dpc_family_square(&w->scorer.regression.family, u);
    double share = r->alone ? 1 : SHARE;
    return square > 0 && dpc_likelihood_of(w->scoring, square) > share * w->scoring->price;
}

/* The kinds of edges that are worth a fit, by node: bits of these. */
enum { ARROW = 1, DOUBLE_ARROW = 2 };

static dpc_status screen_all(const dpc_mag_screen *s, dpc_mag_walker *w, const uint64_t *touched,
                             int v, int32_t *kinds)
{
    const dpc_mag *mag = &w->state.mag;
    const dpc_mag_residual *r = &s->of[v];
    dpc_family *f = &w->scorer.regression.family;
    DPC_CHECK(dpc_family_start(f, v, NULL, 0));
    DPC_CHECK(dpc_family_push_all(f, r->given, r->count));
    for (int u = 0; u < mag->n; u++) {
        kinds[u] = 0;
        if (u == v || dpc_mag_adjacent(mag, u, v))
            continue;
        bool twice = dpc_bit(touched, mag->words, 0, u) && u > v;
        kinds[u] = (may_be_parent(s, w, u, v) ? ARROW : 0) |
                   (!twice && may_be_spouses(s, w, u, v) ? DOUBLE_ARROW : 0);
    }
    return DPC_OK;
}

dpc_status dpc_mag_screen_offer(const dpc_mag_screen *s, dpc_mag_walker *w, const uint64_t *touched,
                                int v, dpc_mag_moves *to)
{
    const dpc_mag *mag = &w->state.mag;
    int32_t *kinds = w->scorer.regression.list;
    DPC_CHECK(screen_all(s, w, touched, v, kinds));
    for (int u = 0; u < mag->n; u++) {
        bool twice = dpc_bit(touched, mag->words, 0, u) && u > v;
        if (u != v && !twice && dpc_mag_adjacent(mag, u, v))
            DPC_CHECK(dpc_mag_offer(w, u, v, true, to));
        if ((kinds[u] & ARROW) != 0)
            DPC_CHECK(dpc_mag_offer_mark(w, (dpc_edge){u, v, DPC_FORWARD}, true, to));
        if ((kinds[u] & DOUBLE_ARROW) != 0)
            DPC_CHECK(dpc_mag_offer_mark(w, (dpc_edge){u, v, DPC_BIDIRECTED}, true, to));
    }
    return DPC_OK;
}

/* ---- Making and freeing ---- */

dpc_status dpc_mag_screen_init(dpc_mag_screen *s, int n)
{
    *s = (dpc_mag_screen){.n = n, .of = dpc_zalloc(n, sizeof *s->of)};
    return s->of != NULL ? DPC_OK : DPC_NO_MEMORY;
}

void dpc_mag_screen_clear(dpc_mag_screen *s)
{
    for (int v = 0; s->of != NULL && v < s->n; v++) {
        free(s->of[v].given);
        free(s->of[v].coefficient);
    }
    free(s->of);
    *s = (dpc_mag_screen){0};
}

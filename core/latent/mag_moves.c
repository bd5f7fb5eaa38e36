/* Moves between MAGs: see mag_moves.h. */
#include "mag_moves.h"

#include <math.h>

/* ---- What there is ---- */

bool dpc_mag_may_be(const dpc_scoring *scoring, dpc_edge e)
{
    bool required = dpc_required(scoring->known, e.a, e.b);
    switch (e.mark) {
    case DPC_NONE:
        return !required;
    case DPC_FORWARD:
        return dpc_may_be_parent(scoring, e.a, e.b);
    case DPC_BACKWARD:
        return dpc_may_be_parent(scoring, e.b, e.a);
    default: /* what is forbidden both ways is never joined */
        return !required && !dpc_forbidden(scoring->known, e.a, e.b);
    }
}

static dpc_status add_move(dpc_mag_moves *moves, const dpc_mag_move *move)
{
    dpc_mag_move *room =
        dpc_make_room(moves->move, &moves->capacity, moves->count + 1, sizeof *room);
    if (room == NULL)
        return DPC_NO_MEMORY;
    moves->move = room;
    moves->move[moves->count++] = *move;
    return DPC_OK;
}

static bool counts(const dpc_mag_move *m)
{
    return m->gain > (m->all && !m->adds ? -INFINITY : DPC_LEAST_MAG_GAIN);
}

dpc_status dpc_mag_offer_mark(dpc_mag_walker *w, dpc_edge edge, bool all, dpc_mag_moves *to)
{
    edge = dpc_edge_of(edge.a, edge.b, edge.mark);
    dpc_mark now = dpc_mag_state_mark(&w->state, edge.a, edge.b);
    if (edge.mark == now || !dpc_mag_may_be(w->scoring, edge))
        return DPC_OK;
    dpc_mag_move move = {.to = edge, .adds = now == DPC_NONE, .all = all, .gain = NAN};
    if (!dpc_mag_state_is_hopeless(&w->state, edge)) {
        move.gain = dpc_mag_gain(&w->scorer, &w->state, edge, DPC_BOUND);
        if (w->scorer.failed)
            return DPC_NO_MEMORY;
        if (!counts(&move))
            return DPC_OK;
    }
    return add_move(to, &move);
}

dpc_status dpc_mag_offer(dpc_mag_walker *w, int a, int b, bool all, dpc_mag_moves *to)
{
    static const dpc_mark MARKS[] = {DPC_NONE, DPC_FORWARD, DPC_BACKWARD, DPC_BIDIRECTED};
    for (size_t i = 0; i < sizeof MARKS / sizeof *MARKS; i++)
        DPC_CHECK(dpc_mag_offer_mark(w, (dpc_edge){a, b, MARKS[i]}, all, to));
    return DPC_OK;
}

/* ---- What has changed ---- */

static bool depends(const dpc_mag_move *m, const uint64_t *touched, int64_t words)
{
    bool a = dpc_bit(touched, words, 0, m->to.a), b = dpc_bit(touched, words, 0, m->to.b);
    if (m->adds && m->to.mark == DPC_FORWARD)
        return b;
    return m->adds && m->to.mark == DPC_BACKWARD ? a : a || b;
}

void dpc_mag_moves_forget(dpc_mag_moves *moves, const uint64_t *touched, int64_t words)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < moves->count; i++)
        if (!depends(&moves->move[i], touched, words))
            moves->move[kept++] = moves->move[i];
    moves->count = kept;
}

void dpc_mag_touch(dpc_mag_walker *w, int a, int b)
{
    int64_t words = w->state.mag.words;
    const int end[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        dpc_mag_state_district(&w->state, end[i], w->scorer.row);
        for (int64_t j = 0; j < words; j++)
            w->touched[j] |= w->scorer.row[j];
    }
}

/* ---- Choosing ---- */

static bool is_held(dpc_mag_held held, const dpc_edge *pair)
{
    for (int i = 0; i < held.count; i++)
        if (held.pair[i].a == pair->a && held.pair[i].b == pair->b)
            return true;
    return false;
}

static bool is_first(const dpc_edge *one, const dpc_edge *other)
{
    return one->a != other->a   ? one->a < other->a
           : one->b != other->b ? one->b < other->b
                                : one->mark < other->mark;
}

/* Which moves may be made. */
typedef struct choice {
    dpc_mag_held held;
    double least, despite;
} choice;

static bool is_barred(const dpc_mag_move *m, const choice *c)
{
    return !counts(m) || m->gain <= (is_held(c->held, &m->to) ? c->despite : c->least);
}

/*
 * Is a move as good as it looks? Not where it leads to no MAG. Otherwise its gain is found more
 * precisely, as long as that changes nothing. Most moves are never fitted: others are better than
 * all that they could be.
 */
static bool stands(dpc_mag_walker *w, dpc_mag_move *m, const choice *c)
{
    double before = m->gain;
    m->fine = m->fine || dpc_mag_state_allows(&w->state, m->to);
    m->barred = !m->fine;
    while (!m->barred && m->precision != DPC_EXACT && m->gain >= before) {
        bool roughly = c->held.roughly && m->precision == DPC_BOUND;
        m->precision = roughly ? DPC_ROUGH : DPC_EXACT;
        double gain = dpc_mag_gain(&w->scorer, &w->state, m->to, m->precision);
        m->gain = m->precision == DPC_EXACT ? gain : fmin(gain, m->gain);
        m->barred = is_barred(m, c);
    }
    return !m->barred && m->gain >= before;
}

/* The best by itself. */
static int64_t find_best(dpc_mag_walker *w, const choice *c)
{
    dpc_mag_move *move = w->moves.move;
    int64_t best;
    do {
        best = -1;
        for (int64_t i = 0; i < w->moves.count; i++)
            if (!move[i].barred && (best < 0 || move[i].gain > move[best].gain))
                best = i;
    } while (best >= 0 && !stands(w, &move[best], c));
    return best;
}

int64_t dpc_mag_best(dpc_mag_walker *w, dpc_mag_held held, double least, double despite)
{
    const choice c = {held, least, despite};
    dpc_mag_move *move = w->moves.move;
    for (int64_t i = 0; i < w->moves.count; i++) {
        if (isnan(move[i].gain) && !dpc_mag_state_is_hopeless(&w->state, move[i].to))
            move[i].gain = dpc_mag_gain(&w->scorer, &w->state, move[i].to, DPC_BOUND);
        move[i].fine = false;
        move[i].barred = is_barred(&move[i], &c);
    }
    int64_t best = find_best(w, &c);
    double tied = best >= 0 ? move[best].gain - DPC_LEAST_MAG_GAIN : INFINITY;
    for (int64_t i = 0; i < w->moves.count; i++) {
        while (!move[i].barred && move[i].gain >= tied && is_first(&move[i].to, &move[best].to))
            if (stands(w, &move[i], &c))
                best = i;
    }
    return best;
}

/* ---- Walking ---- */

dpc_status dpc_mag_go(dpc_mag_walker *w, dpc_edge to)
{
    dpc_edge *path = dpc_make_room(w->path, &w->room, w->length + 1, sizeof *path);
    if (path == NULL)
        return DPC_NO_MEMORY;
    w->path = path;
    path[w->length++] = (dpc_edge){to.a, to.b, dpc_mag_state_mark(&w->state, to.a, to.b)};
    dpc_mag_state_set(&w->state, to.a, to.b, DPC_NONE);
    dpc_mag_state_set(&w->state, to.a, to.b, to.mark);
    return DPC_OK;
}

/* On the way back from one MAG to another there may be circles: so all goes before anything comes.
 */
void dpc_mag_back(dpc_mag_walker *w, int64_t length)
{
    for (int64_t i = length; i < w->length; i++)
        dpc_mag_state_set(&w->state, w->path[i].a, w->path[i].b, DPC_NONE);
    for (int64_t i = length; i < w->length; i++) { /* the first change of a pair says what it was */
        bool first = true;
        for (int64_t j = length; first && j < i; j++)
            first = w->path[j].a != w->path[i].a || w->path[j].b != w->path[i].b;
        if (first)
            dpc_mag_state_set(&w->state, w->path[i].a, w->path[i].b, w->path[i].mark);
    }
    w->length = length;
}

/* The moves within, of pairs that have a touched node. */
static dpc_status renew_within(dpc_mag_walker *w)
{
    int64_t words = w->state.mag.words;
    dpc_mag_moves_forget(&w->moves, w->touched, words);
    for (int v = -1; (v = dpc_next_bit(w->touched, words, v)) >= 0;)
        for (int u = -1; (u = dpc_next_bit(w->within, words, u)) >= 0;) {
            bool both = dpc_bit(w->touched, words, 0, u);
            if (u == v || !dpc_bit(w->within, words, 0, v) || (both && u > v))
                continue;
            if (both || dpc_mag_adjacent(&w->state.mag, u, v)) {
                DPC_CHECK(dpc_mag_offer(w, u, v, false, &w->moves));
                continue;
            }
            DPC_CHECK(dpc_mag_offer_mark(w, (dpc_edge){u, v, DPC_FORWARD}, false, &w->moves));
            DPC_CHECK(dpc_mag_offer_mark(w, (dpc_edge){u, v, DPC_BIDIRECTED}, false, &w->moves));
        }
    return DPC_OK;
}

dpc_status dpc_mag_settle(dpc_mag_walker *w, dpc_mag_held held, double *gain)
{
    int64_t words = w->state.mag.words, best;
    *gain = 0;
    w->moves.count = 0;
    memcpy(w->touched, w->within, (size_t)words * sizeof *w->touched);
    DPC_CHECK(renew_within(w));
    while ((held.most == 0 || w->length < held.most) &&
           (best = dpc_mag_best(w, held, DPC_LEAST_MAG_GAIN, INFINITY)) >= 0) {
        dpc_mag_move move = w->moves.move[best];
        *gain += move.gain;
        w->steps++;
        memset(w->touched, 0, (size_t)words * sizeof *w->touched);
        dpc_mag_touch(w, move.to.a, move.to.b);
        DPC_CHECK(dpc_mag_go(w, move.to));
        dpc_mag_touch(w, move.to.a, move.to.b);
        DPC_CHECK(renew_within(w));
    }
    return DPC_OK;
}

/* ---- Making and freeing ---- */

dpc_status dpc_mag_walker_init(dpc_mag_walker *w, const dpc_scoring *scoring, const dpc_graph *mag,
                               double hidden_price, double memory)
{
    int64_t words = dpc_bit_words(mag->n_nodes);
    *w = (dpc_mag_walker){.scoring = scoring};
    w->within = dpc_arena_zalloc(&w->memory, words, sizeof *w->within);
    w->touched = dpc_arena_zalloc(&w->memory, words, sizeof *w->touched);
    DPC_CHECK(dpc_mag_state_init(&w->state, mag));
    DPC_CHECK(dpc_mag_scorer_init(&w->scorer, scoring, hidden_price, memory));
    return dpc_arena_failed(&w->memory) ? DPC_NO_MEMORY : DPC_OK;
}

void dpc_mag_walker_clear(dpc_mag_walker *w)
{
    dpc_mag_state_clear(&w->state);
    dpc_mag_scorer_clear(&w->scorer);
    dpc_arena_clear(&w->memory);
    free(w->moves.move);
    free(w->path);
    *w = (dpc_mag_walker){0};
}

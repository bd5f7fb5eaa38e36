/*
 * Listing steps: see ges_moves.h.
 *
 * The cliques C of ne(v) are walked through depth first; each is one element more than the one
 * before, so that one family (stats/family.h) gives all r of v given pa(v) ∪ C. A list keeps the
 * best so many of them as a heap with the worst on top; for insertions, which are compared by r²
 * because their penalty is always the same, what cannot enter is screened out many columns at a
 * time.
 */
#include "ges_moves.h"

#include "alloc.h"
#include "linalg.h"
#include "sorted.h"

#include <math.h>
#include <string.h>

/* ---- Lists ---- */

void dpc_moves_clear(dpc_moves *moves)
{
    free(moves->move);
    free(moves->witness);
    free(moves->set);
}

int dpc_moves_set(const dpc_moves *moves, const dpc_move *move, const dpc_cpdag *graph, int v,
                  int32_t *members)
{
    const int32_t *ne;
    int count = dpc_cpdag_neighbours(graph, v, &ne), size = 0;
    const uint64_t *bits = moves->set + (int64_t)move->slot * moves->words;
    for (int i = 0; i < count; i++)
        if (bits[i / 64] >> (i % 64) & 1)
            members[size++] = ne[i];
    return size;
}

static bool better(const dpc_move *a, const dpc_move *b)
{
    return a->gain != b->gain ? a->gain > b->gain : dpc_move_is_first(a, b);
}

/* Lets the move at `at` sink below all that are worse. */
static void sink(dpc_moves *m, int at)
{
    for (;;) {
        int child = 2 * at + 1;
        if (child >= m->count)
            return;
        if (child + 1 < m->count && better(&m->move[child], &m->move[child + 1]))
            child++;
        if (!better(&m->move[at], &m->move[child]))
            return;
        dpc_move swap = m->move[at];
        m->move[at] = m->move[child];
        m->move[child] = swap;
        at = child;
    }
}

static void rise(dpc_moves *m, int at)
{
    while (at > 0 && better(&m->move[(at - 1) / 2], &m->move[at])) {
        dpc_move swap = m->move[at];
        m->move[at] = m->move[(at - 1) / 2];
        m->move[(at - 1) / 2] = swap;
        at = (at - 1) / 2;
    }
}

static dpc_status reserve(dpc_moves *m, int wanted, int words)
{
    if (wanted > m->capacity) {
        dpc_move *move = dpc_regrow(m->move, wanted, sizeof *move);
        if (move == NULL)
            return DPC_NO_MEMORY;
        m->move = move;
        dpc_witness *witness = dpc_regrow(m->witness, wanted, sizeof *witness);
        if (witness == NULL)
            return DPC_NO_MEMORY;
        m->witness = witness;
        m->capacity = wanted;
    }
    if ((int64_t)m->capacity * words > m->set_capacity) {
        uint64_t *set = dpc_regrow(m->set, (int64_t)m->capacity * words, sizeof *set);
        if (set == NULL)
            return DPC_NO_MEMORY;
        m->set = set;
        m->set_capacity = (int64_t)m->capacity * words;
    }
    m->words = words;
    return DPC_OK;
}

/* Offers a step into v with the present clique to the list. */
static void offer(dpc_mover *o, dpc_move move)
{
    dpc_moves *m = o->moves;
    move.slot = m->count;
    move.serial = o->serial;
    if (m->count == m->capacity) {
        if (!better(&move, &m->move[0]))
            return;
        move.slot = m->move[0].slot;
        m->move[0] = move;
        sink(m, 0);
    } else {
        m->move[m->count++] = move;
        rise(m, m->count - 1);
    }
    uint64_t *bits = m->set + (int64_t)move.slot * m->words;
    memset(bits, 0, (size_t)m->words * sizeof *bits);
    for (int i = 0; i < o->size; i++)
        bits[o->clique[i] / 64] |= UINT64_C(1) << (o->clique[i] % 64);
}

/* Sorts the heap, best first. */
static void sort_moves(dpc_moves *m)
{
    int count = m->count;
    for (m->count--; m->count > 0; m->count--) {
        dpc_move worst = m->move[0];
        m->move[0] = m->move[m->count];
        m->move[m->count] = worst;
        sink(m, 0);
    }
    m->count = count;
}

/* ---- Gains ---- */

/*
 * Two correlations that differ by less than this are the same number, but for rounding. Where a
 * column is the sum of others that happens: r(x,c|a) = r(x,b|a) for c = a + b. Which of two such
 * steps is taken must not hang on the last bit, which hangs on the places of the columns.
 */
static const double TIED = 1e-10;

/* The exact rule itself keeps r² as far below 1 as rounding asks for. */
static double likelihood(const dpc_mover *o, double square)
{
    double most = o->scoring.noise == DPC_NOISE_EXACT ? 1 : 1 - DPC_SINGULAR;
    return dpc_deviance_of_square(fmin(square, most), o->n_obs).d / 2;
}

/* What an r that is off by TIED does to it. */
static double likelihood_slack(const dpc_mover *o, double square)
{
    double r = sqrt(square > 0 ? square : 0); /* of blocks it may be below */
    if (o->scoring.slack > 0)
        return o->scoring.slack;
    return o->n_obs * TIED * (r + TIED) / fmax(1 - square, DPC_SINGULAR);
}

static double square_slack(double square)
{
    return 2 * TIED * (sqrt(square > 0 ? square : 0) + TIED);
}

/* Is it a gain, and not of rounding? A search that follows that may never end. */
static bool gains(double gain, double slack)
{
    return gain > 1e-9 + slack;
}

double dpc_mover_gain(const dpc_mover *o, dpc_phase phase, const dpc_move *move)
{
    return phase == DPC_INSERT ? likelihood(o, move->gain) - o->scoring.price : move->gain;
}

/*
 * r² of u and v given the nodes in o->queue, which become columns, the direct way; NaN where
 * singular.
 */
static double direct_square(dpc_mover *o, int u, int size)
{
    const dpc_view *view = o->direct.view;
    double r = NAN;
    dpc_columns_of(view, o->queue, size, o->queue);
    dpc_status status = dpc_direct_r(&o->direct, dpc_column_of(view->labels, u),
                                     dpc_column_of(view->labels, o->v), o->queue, size, &r);
    o->status = status == DPC_OK ? o->status : status;
    return r * r;
}

/* ---- One clique; walk() has made sure that it does not determine v ---- */

static bool is_banned(const dpc_mover *o, int u, int out)
{
    return dpc_step_is_banned(o->graph, o->known, u, o->v, o->members, o->size, out);
}

/* May u → v be inserted with C, and `out`, if it is a node, go? */
static bool may_enter(const dpc_mover *o, int u, int out)
{
    return u != o->v && o->near[u] == o->inside[u] && !dpc_cpdag_joined(o->graph, u, o->v) &&
           !is_banned(o, u, out);
}

static void consider_insertion(dpc_mover *o, const dpc_family *f, int u)
{
    if (!may_enter(o, u, -1))
        return;
    double square = dpc_family_square_of(f, u);
    if (isnan(square))
        o->singular++;
    else if (square > o->least)
        offer(o, (dpc_move){.gain = square, .slack = square_slack(square), .u = u});
}

/* Is there no R, so that the nodes in question are to be found? */
static bool is_indexed(const dpc_mover *o)
{
    return o->scorer != NULL && o->scorer->index != NULL;
}

/* pa(v) ∪ C, in the memory of the queue. */
static dpc_relatives find_parents(dpc_mover *o)
{
    const int32_t *pa;
    int count = dpc_cpdag_parents(o->graph, o->v, &pa);
    return (dpc_relatives){.node = o->queue,
                           .count = dpc_unite(pa, count, o->members, o->size, o->queue)};
}

/* All u that may be inserted. */
static void visit_insert(dpc_mover *o)
{
    const dpc_family *f = &o->family;
    const dpc_moves *m = o->moves;
    if (is_indexed(o)) {
        const dpc_relatives parents = find_parents(o), none = {0};
        o->status = dpc_candidate_parents(o->scorer, o->v, &parents, &none);
        if (o->status != DPC_OK)
            return;
        f = &o->scorer->family;
    }
    const int32_t *list;
    double var_v = dpc_family_variance(f, o->v);
    o->scores += f->m - 1 - dpc_cpdag_adjacent(o->graph, o->v, &list);
    for (int first = 0; first < f->m; first += 64) {
        bool full = m->count == m->capacity && m->move[0].gain > o->least;
        double limit = full ? m->move[0].gain : o->least;
        for (uint64_t bits = dpc_family_screen(f, first, limit * var_v); bits != 0;
             bits &= bits - 1)
            consider_insertion(o, f, dpc_family_node(f, first + __builtin_ctzll(bits)));
    }
}

static void consider_deletion(dpc_mover *o, int u, bool directed)
{
    if (dpc_required(o->known, u, o->v))
        return;
    double square = dpc_family_square_of(&o->family, u);
    dpc_move move = {.gain = o->scoring.price - likelihood(o, square),
                     .slack = likelihood_slack(o, square),
                     .u = u,
                     .directed = directed};
    o->scores++;
    if (isnan(square))
        o->singular++;
    else if (gains(move.gain, move.slack))
        offer(o, move);
}

/* The parent `only`, or all neighbours that C is adjacent to. */
static void visit_delete(dpc_mover *o)
{
    const int32_t *ne;
    if (o->only >= 0) {
        consider_deletion(o, o->only, true);
        return;
    }
    int count = dpc_cpdag_neighbours(o->graph, o->v, &ne);
    for (int i = 0; i < count; i++)
        if (!o->mark[ne[i]] && o->inside[ne[i]] == o->size)
            consider_deletion(o, ne[i], false);
}

/* Does C ∩ N separate C \ N from N \ C in the graph on ne(v)? C is marked. */
static bool separated(dpc_mover *o, int u)
{
    const int32_t *ne;
    int count = dpc_cpdag_neighbours(o->graph, o->v, &ne), seen = 0;
    bool apart = true;
    for (int i = 0; i < o->size; i++)
        if (!dpc_cpdag_joined(o->graph, o->members[i], u))
            o->queue[seen++] = o->members[i];
    int first = seen;
    for (int at = 0; at < seen && apart; at++)
        for (int i = 0; i < count; i++) {
            int x = ne[i];
            if (x == u || o->mark[x] || !dpc_cpdag_joined(o->graph, o->queue[at], x))
                continue;
            apart = apart && !dpc_cpdag_joined(o->graph, x, u);
            o->mark[x] = true;
            o->queue[seen++] = x;
        }
    for (int at = first; at < seen; at++)
        o->mark[o->queue[at]] = false;
    return apart;
}

/* The same by a family: by the exact rule, which is that of the scorer; or of blocks. */
static double family_square(dpc_mover *o, int u, int size)
{
    dpc_family *f = o->scorer != NULL ? &o->scorer->family : &o->aside;
    o->queue[size] = u;
    dpc_status status = dpc_family_start(f, o->v, o->queue, size + 1);
    if (status == DPC_OK)
        status = dpc_family_push_all(f, o->queue, size);
    o->status = status == DPC_OK ? o->status : status;
    return status == DPC_OK ? dpc_family_square(f, u) : NAN;
}

/* A turn that takes u from S, the nodes in o->queue, to the set of the family. Is it a gain? */
static bool weigh_turn(dpc_mover *o, int u, int size, dpc_move *move)
{
    double plus = dpc_family_square_of(&o->family, u);
    bool direct = o->scorer == NULL && o->aside.parent == NULL;
    double minus = direct ? direct_square(o, u, size) : family_square(o, u, size);
    o->scores++;
    if (isnan(plus) || isnan(minus)) {
        o->singular++;
        return false;
    }
    *move = (dpc_move){.gain = likelihood(o, plus) - likelihood(o, minus),
                       .slack = likelihood_slack(o, plus) + likelihood_slack(o, minus),
                       .u = u};
    return gains(move->gain, move->slack);
}

/* Turns v — u into u → v: here C has members that are not adjacent to u. */
static void turn_undirected(dpc_mover *o, int u)
{
    const int32_t *pa;
    int size = dpc_cpdag_parents(o->graph, o->v, &pa);
    dpc_move move;
    memcpy(o->queue, pa, (size_t)size * sizeof *pa);
    for (int i = 0; i < o->size; i++)
        if (dpc_cpdag_joined(o->graph, o->members[i], u))
            o->queue[size++] = o->members[i];
    if (weigh_turn(o, u, size, &move) && separated(o, u))
        offer(o, move);
}

/* Turns v → u; all of N is in C. */
static void turn_directed(dpc_mover *o, int u)
{
    const int32_t *pa;
    int count = dpc_cpdag_parents(o->graph, u, &pa), size = 0;
    dpc_move move;
    for (int i = 0; i < count; i++)
        if (pa[i] != o->v)
            o->queue[size++] = pa[i];
    if (weigh_turn(o, u, size, &move)) {
        move.directed = true;
        offer(o, move);
    }
}

static void visit_turn(dpc_mover *o)
{
    const int32_t *list;
    int count = dpc_cpdag_children(o->graph, o->v, &list);
    for (int i = 0; i < count; i++)
        if (o->inside[list[i]] == o->near[list[i]] && !is_banned(o, list[i], -1))
            turn_directed(o, list[i]);
    count = dpc_cpdag_neighbours(o->graph, o->v, &list);
    for (int i = 0; i < count; i++)
        if (!o->mark[list[i]] && o->inside[list[i]] < o->size && !is_banned(o, list[i], -1))
            turn_undirected(o, list[i]);
}

/* All that are worth more than the parent `out`. */
static dpc_status offer_swaps(void *context, int out, double own, int count)
{
    dpc_mover *o = context;
    const dpc_candidate *in = o->scorer->candidates;
    for (int i = 0; i < count && !dpc_required(o->known, out, o->v); i++) {
        dpc_move move = {.gain = likelihood(o, in[i].square) - likelihood(o, own),
                         .slack = likelihood_slack(o, own),
                         .u = in[i].node,
                         .out = out};
        if (gains(move.gain, move.slack) && may_enter(o, move.u, out))
            offer(o, move);
    }
    return DPC_OK;
}

static void visit_swap(dpc_mover *o)
{
    const dpc_relatives parents = find_parents(o);
    o->status = dpc_better_parents(o->scorer, o->v, &parents, offer_swaps, o);
}

/* ---- All cliques ---- */

/* x enters C (by 1) or leaves it (by -1). */
static void count_inside(dpc_mover *o, int x, int by)
{
    const int32_t *list;
    int count = dpc_cpdag_adjacent(o->graph, x, &list);
    for (int i = 0; i < count; i++)
        o->inside[list[i]] += by;
    o->mark[x] = by > 0;
}

static void visit(dpc_mover *o)
{
    if (++o->serial % 256 == 0 && dpc_crew_stopped(o->crew, o->worker))
        o->status = DPC_INTERRUPTED;
    else if (o->phase == DPC_INSERT)
        visit_insert(o);
    else if (o->phase == DPC_DELETE)
        visit_delete(o);
    else if (o->phase == DPC_TURN)
        visit_turn(o);
    else
        visit_swap(o);
}

/* So many parents v may have before the step. */
static int most_parents(const dpc_mover *o)
{
    if (o->phase == DPC_DELETE)
        return o->graph->n;
    return o->phase == DPC_SWAP ? o->scoring.most_parents : o->scoring.most_parents - 1;
}

/*
 * C as it is, then with one neighbour more, from place `from` on. Where v has no variance left
 * nothing can be gained or lost, whatever else enters C.
 */
static void walk(dpc_mover *o, int from)
{
    const int32_t *ne;
    int count = dpc_cpdag_neighbours(o->graph, o->v, &ne);
    if (o->family.depth > most_parents(o))
        return;
    if (dpc_family_determines(&o->family, o->v)) {
        o->singular++;
        return;
    }
    visit(o);
    for (int i = from; i < count && o->status == DPC_OK; i++) {
        bool pushed;
        if (o->serial >= o->last_serial) {
            o->cut = true;
            return;
        }
        if (o->inside[ne[i]] != o->size ||
            (o->only >= 0 && !dpc_cpdag_joined(o->graph, ne[i], o->only)))
            continue;
        o->status = dpc_family_push(&o->family, ne[i], &pushed);
        if (!pushed) {
            o->singular++;
            continue;
        }
        o->clique[o->size] = i;
        o->members[o->size++] = ne[i];
        count_inside(o, ne[i], 1);
        walk(o, i + 1);
        count_inside(o, ne[i], -1);
        o->size--;
        dpc_family_pop(&o->family);
    }
}

/* The cliques given pa(v), without `only` where that is a node. */
static void walk_from_parents(dpc_mover *o)
{
    const int32_t *list, *ne;
    bool fine = true, lenient = o->scoring.noise == DPC_NOISE_EXACT;
    bool sweeps = o->phase == DPC_INSERT || o->phase == DPC_SWAP;
    int64_t edges = o->only >= 0 ? 1 : dpc_cpdag_neighbours(o->graph, o->v, &ne);
    int64_t sets = sweeps ? o->scoring.most_sweeps : o->scoring.most_sets;
    int count = dpc_cpdag_adjacent(o->graph, o->v, &list);
    o->last_serial = o->serial + sets * (edges > 0 ? edges : 1);
    bool all = o->phase == DPC_INSERT && !is_indexed(o);
    o->status = dpc_family_start(&o->family, o->v, all ? NULL : list, count);
    count = dpc_cpdag_parents(o->graph, o->v, &list);
    for (int i = 0; o->status == DPC_OK && (fine || lenient) && i < count; i++)
        if (list[i] != o->only)
            o->status = dpc_family_push(&o->family, list[i], &fine);
    if (o->status == DPC_OK && (fine || lenient))
        walk(o, 0);
    else
        o->singular++;
}

/* |N| for every u. */
static void count_near(dpc_mover *o, int by)
{
    const int32_t *ne, *list;
    int count = dpc_cpdag_neighbours(o->graph, o->v, &ne);
    for (int i = 0; i < count; i++) {
        int adjacent = dpc_cpdag_adjacent(o->graph, ne[i], &list);
        for (int j = 0; j < adjacent; j++)
            o->near[list[j]] += by;
    }
}

dpc_status dpc_mover_list(dpc_mover *o, dpc_phase phase, int v, int wanted, dpc_moves *moves)
{
    const int32_t *list;
    int neighbours = dpc_cpdag_neighbours(o->graph, v, &list);
    if (o->status == DPC_OK)
        o->status = reserve(moves, wanted, neighbours / 64 + 1);
    if (o->status != DPC_OK)
        return o->status;
    moves->count = 0;
    o->v = v;
    o->phase = phase;
    o->moves = moves;
    o->serial = 0;
    o->only = -1;
    count_near(o, 1);
    walk_from_parents(o);
    int parents = phase == DPC_DELETE ? dpc_cpdag_parents(o->graph, v, &list) : 0;
    for (int i = 0; i < parents && o->status == DPC_OK; i++) {
        o->only = list[i];
        walk_from_parents(o);
    }
    count_near(o, -1);
    sort_moves(moves);
    for (int i = 0; i < moves->count; i++)
        moves->witness[i].count = 0;
    moves->more = moves->count == moves->capacity;
    moves->stale = false;
    return o->status;
}

/* ---- The score ---- */

/* Parents that the others determine add nothing. */
static double variance_given_parents(dpc_mover *o, const dpc_parents *dag, int v)
{
    const int32_t *parent = dag->parent + dag->start[v];
    int count = (int)(dag->start[v + 1] - dag->start[v]);
    o->status = dpc_family_of(&o->family, v, parent, count);
    return o->status == DPC_OK ? fmax(dpc_family_variance(&o->family, v), DPC_SINGULAR) : 1;
}

/* As many as there are, in the units of n_obs. */
static double columns_of(const dpc_mover *o)
{
    const dpc_view *view = &o->family.stats.view;
    return view->blocks != NULL ? view->blocks->m * (double)view->n_obs / o->n_obs : view->n;
}

dpc_status dpc_mover_score(dpc_mover *o, double *score)
{
    dpc_parents dag = dpc_cpdag_dag(o->graph);
    const dpc_labels *labels = o->family.stats.view.labels;
    double logs = 0;
    for (int i = 0; i < dag.n && o->status == DPC_OK; i++)
        logs += log(variance_given_parents(o, &dag, dpc_label_of(labels, i)));
    *score = -o->n_obs / 2 * (columns_of(o) + logs) -
             o->scoring.price * (double)(dag.n + dag.start[dag.n]);
    return o->status;
}

/* ---- Making and freeing ---- */

dpc_status dpc_mover_init(dpc_mover *o, const dpc_stats *stats, const dpc_step_scoring *scoring,
                          const dpc_cpdag *graph, const dpc_constraints *known, dpc_crew *crew,
                          int worker)
{
    int n = stats->n;
    *o = (dpc_mover){.graph = graph,
                     .known = known,
                     .crew = crew,
                     .worker = worker,
                     .scoring = *scoring,
                     .n_obs = dpc_score_weight(stats)};
    o->scorer = scoring->workers != NULL ? &scoring->workers->each[worker] : NULL;
    o->least = -expm1(-2 * (scoring->price + fmax(scoring->slack, 1e-9)) / o->n_obs);
    o->clique = dpc_arena_alloc(&o->memory, n, sizeof *o->clique);
    o->members = dpc_arena_alloc(&o->memory, n, sizeof *o->members);
    o->near = dpc_arena_zalloc(&o->memory, n, sizeof *o->near);
    o->inside = dpc_arena_zalloc(&o->memory, n, sizeof *o->inside);
    o->queue = dpc_arena_alloc(&o->memory, n, sizeof *o->queue);
    o->mark = dpc_arena_zalloc(&o->memory, n, sizeof *o->mark);
    o->status = dpc_family_init(&o->family, stats, scoring->noise);
    if (o->status == DPC_OK && o->scorer == NULL && !dpc_stats_can(stats, DPC_ALL_SCALAR))
        o->status = dpc_family_init(&o->aside, stats, scoring->noise);
    o->direct.view = &o->family.stats.view;
    if (dpc_arena_failed(&o->memory))
        o->status = DPC_NO_MEMORY;
    return o->status;
}

void dpc_mover_clear(dpc_mover *o)
{
    dpc_family_clear(&o->family);
    dpc_family_clear(&o->aside);
    dpc_direct_clear(&o->direct);
    dpc_arena_clear(&o->memory);
}

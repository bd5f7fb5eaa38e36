/* The search for a maximal ancestral graph: see mag_search.h. */
#include "mag_search.h"

#include "effective.h"
#include "latent_moves.h"
#include "mag_screen.h"
#include "settings.h"
#include "start.h"
#include "status.h"

#include <math.h>

enum {
    TABU = 8,     /* moves for which a pair stays as it is */
    PATIENCE = 3, /* moves without gain */
    MOST_ROUNDS = 4,
    MOST_WAVES = 16, /* of tries in a round */
};

typedef struct search {
    dpc_scoring scoring;
    dpc_crew crew;
    dpc_mag_walker *walker; /* one per worker, all in the same MAG; owned */
    dpc_mag_screen screen;
    dpc_mag_moves *own;     /* per task: the moves of a touched node; owned */
    int32_t *nodes;         /* the touched nodes */
    dpc_latent_tries tries; /* of one wave */
    dpc_key *vain;          /* of cliques that were tried in vain; owned */
    int64_t n_vain, room;
    int waves_left;
    atomic_bool failed;
    dpc_arena memory;
    double score;
    dpc_mag_found found;
} search;

double dpc_mag_price(double penalty, int n_vars, double n_obs, double rows)
{
    return penalty > 0 ? penalty * log(n_obs) : dpc_price_for(dpc_ebic(n_vars, rows), n_obs, rows);
}

static bool halted(search *s)
{
    return dpc_crew_stopped(&s->crew, 0);
}

/* ---- Moves of touched nodes ---- */

static void offer_task(void *context, int64_t index, int worker)
{
    search *s = context;
    dpc_mag_moves *own = &s->own[index];
    own->count = 0;
    if (dpc_mag_screen_offer(&s->screen, &s->walker[worker], s->walker[0].touched, s->nodes[index],
                             own) != DPC_OK)
        atomic_store(&s->failed, true);
}

/* Makes the moves of the touched nodes anew. */
static dpc_status renew(search *s)
{
    dpc_mag_walker *w = &s->walker[0];
    int64_t words = w->state.mag.words;
    int count = 0;
    dpc_mag_moves_forget(&w->moves, w->touched, words);
    for (int v = -1; (v = dpc_next_bit(w->touched, words, v)) >= 0;) {
        s->nodes[count++] = v;
        DPC_CHECK(dpc_mag_screen_renew(&s->screen, w, v));
    }
    double work = 1e3 * count * w->state.mag.n;
    dpc_crew_run(&s->crew, count, work, offer_task, s);
    if (atomic_load(&s->failed))
        return DPC_NO_MEMORY;
    for (int i = 0; i < count; i++)
        for (int64_t j = 0; j < s->own[i].count; j++) {
            dpc_mag_moves *all = &w->moves;
            dpc_mag_move *room =
                dpc_make_room(all->move, &all->capacity, all->count + 1, sizeof *room);
            if (room == NULL)
                return DPC_NO_MEMORY;
            all->move = room;
            all->move[all->count++] = s->own[i].move[j];
        }
    return DPC_OK;
}

/* ---- Climbing ---- */

static dpc_status go_all(search *s, dpc_edge to)
{
    for (int i = 0; i < s->crew.threads; i++)
        DPC_CHECK(dpc_mag_go(&s->walker[i], to));
    return DPC_OK;
}

static dpc_status make_move(search *s, dpc_edge to)
{
    dpc_mag_walker *w = &s->walker[0];
    memset(w->touched, 0, (size_t)w->state.mag.words * sizeof *w->touched);
    dpc_mag_touch(w, to.a, to.b);
    DPC_CHECK(go_all(s, to));
    dpc_mag_touch(w, to.a, to.b);
    return renew(s);
}

/* The best moves from here; in the end the best MAG on the way. */
static dpc_status climb(search *s)
{
    dpc_mag_walker *w = &s->walker[0];
    int n = w->state.mag.n, without_gain = 0;
    double score = s->score;
    int64_t best_length = 0;
    dpc_edge tabu[TABU];
    for (int i = 0; i < s->crew.threads; i++)
        s->walker[i].length = 0;
    w->moves.count = 0;
    for (int v = 0; v < n; v++)
        dpc_set_bit(w->touched, w->state.mag.words, 0, v);
    DPC_CHECK(renew(s));
    while (without_gain < PATIENCE && !halted(s)) {
        int64_t made = w->length;
        dpc_mag_held held = {
            .pair = tabu, .count = made < TABU ? (int)made : TABU, .roughly = true};
        int64_t best = dpc_mag_best(w, held, -INFINITY, s->score - score + DPC_LEAST_MAG_GAIN);
        if (best < 0)
            break;
        dpc_mag_move move = w->moves.move[best];
        tabu[made % TABU] = move.to;
        score += move.gain;
        DPC_CHECK(make_move(s, move.to));
        if (score > s->score + DPC_LEAST_MAG_GAIN) {
            s->score = score;
            best_length = w->length;
            without_gain = 0;
        } else
            without_gain++;
    }
    for (int i = 0; i < s->crew.threads; i++)
        dpc_mag_back(&s->walker[i], best_length);
    s->found.steps += best_length;
    s->score = dpc_mag_score(&w->scorer, &w->state);
    return w->scorer.failed ? DPC_NO_MEMORY : DPC_OK;
}

/* ---- Latent moves ---- */

static bool was_vain(const search *s, dpc_key key)
{
    for (int64_t i = 0; i < s->n_vain; i++)
        if (s->vain[i].low == key.low && s->vain[i].high == key.high)
            return true;
    return false;
}

static dpc_status note_vain(search *s, dpc_key key)
{
    dpc_key *room = dpc_make_room(s->vain, &s->room, s->n_vain + 1, sizeof *room);
    if (room == NULL)
        return DPC_NO_MEMORY;
    s->vain = room;
    s->vain[s->n_vain++] = key;
    return DPC_OK;
}

static void try_task(void *context, int64_t index, int worker)
{
    search *s = context;
    dpc_latent_try *one = &s->tries.each[index];
    one->status = dpc_latent_try_one(&s->walker[worker], one);
}

/* The cliques that are worth a try. */
static dpc_status find_tries(search *s)
{
    dpc_latent_tries *t = &s->tries;
    int64_t kept = 0;
    dpc_latent_tries_clear(t);
    DPC_CHECK(dpc_latent_cliques(&s->walker[0], t));
    for (int64_t i = 0; i < t->count; i++)
        if (!was_vain(s, t->each[i].near))
            t->each[kept++] = t->each[i];
    t->count = kept;
    return DPC_OK;
}

/* Takes the changes of a try where they still gain, after those that were taken before. */
static dpc_status take(search *s, dpc_latent_try *one, bool *taken)
{
    dpc_mag_walker *w = &s->walker[0];
    *taken = false;
    dpc_edge *old = dpc_alloc(one->count, sizeof *old);
    if (old == NULL)
        return DPC_NO_MEMORY;
    for (int64_t i = 0; i < one->count; i++) {
        old[i] = one->changes[i];
        old[i].mark = dpc_mag_state_mark(&w->state, old[i].a, old[i].b);
    }
    if (dpc_mag_state_change(&w->state, one->changes, (int)one->count)) {
        double score = dpc_mag_score(&w->scorer, &w->state);
        *taken = score > s->score + DPC_LEAST_MAG_GAIN;
        if (*taken)
            s->score = score;
        else
            dpc_mag_state_change(&w->state, old, (int)one->count);
    }
    for (int i = 1; *taken && i < s->crew.threads; i++)
        dpc_mag_state_change(&s->walker[i].state, one->changes, (int)one->count);
    free(old);
    return w->scorer.failed ? DPC_NO_MEMORY : DPC_OK;
}

/* Of those that gain, and have not been looked at, the best; of equals the first. */
static dpc_latent_try *find_best(dpc_latent_tries *t)
{
    dpc_latent_try *best = NULL;
    for (int64_t i = 0; i < t->count; i++)
        if (t->each[i].gain > 0 &&
            (best == NULL || t->each[i].gain > best->gain + DPC_LEAST_MAG_GAIN))
            best = &t->each[i];
    return best;
}

/* Tries all cliques from where the search is; *kept counts what was taken. */
static dpc_status wave(search *s, int64_t *kept)
{
    *kept = 0;
    DPC_CHECK(find_tries(s));
    dpc_latent_tries *t = &s->tries;
    if (!dpc_crew_run(&s->crew, t->count, 1e6 * (double)t->count, try_task, s))
        return DPC_OK; /* called off */
    s->found.tries += t->count;
    for (int64_t i = 0; i < t->count; i++) {
        DPC_CHECK(t->each[i].status);
        if (!(t->each[i].gain > 0))
            DPC_CHECK(note_vain(s, t->each[i].near));
    }
    for (dpc_latent_try *best; (best = find_best(t)) != NULL; best->gain = 0) {
        bool taken;
        DPC_CHECK(take(s, best, &taken));
        *kept += taken;
    }
    return DPC_OK;
}

static void report(search *s)
{
    s->crew.progress.score = s->score;
    s->crew.progress.edges = s->walker[0].state.edges;
}

/* Waves until nothing is gained. */
static dpc_status round_of_waves(search *s, int64_t *kept)
{
    int64_t more = 1;
    *kept = 0;
    for (int i = 0; i < MOST_WAVES && s->waves_left > 0 && more > 0 && !halted(s); i++) {
        DPC_CHECK(wave(s, &more));
        s->waves_left--;
        *kept += more;
        report(s);
    }
    s->found.kept += *kept;
    return DPC_OK;
}

static dpc_status run(search *s)
{
    DPC_CHECK(climb(s));
    report(s);
    for (int round = 0; round < MOST_ROUNDS && !halted(s); round++) {
        int64_t kept;
        DPC_CHECK(round_of_waves(s, &kept));
        s->found.rounds++;
        if (kept == 0)
            break;
        DPC_CHECK(climb(s));
        report(s);
    }
    return DPC_OK;
}

/* ---- Making and freeing ---- */

static dpc_status init(search *s, const dpc_view *view, const dpc_constraints *known,
                       const dpc_settings *settings, const dpc_mag_plan *plan, const dpc_graph *mag)
{
    int n = view->n;
    double n_obs = (double)view->n_obs;
    double price = plan->price > 0 ? plan->price : log(n_obs) / 2 + log(n);
    double hidden = plan->hidden_price >= 0 ? plan->hidden_price : DPC_HIDDEN_PRICE;
    dpc_stats stats = dpc_stats_of(view);
    dpc_scoring_init(&s->scoring, &stats, known, price);
    s->found.price = price;
    s->found.hidden_price = hidden;
    dpc_crew_init(&s->crew, settings, DPC_STAGE_HIDDEN);
    s->crew.limit = plan->limit;
    s->waves_left = plan->waves > 0 ? plan->waves : MOST_ROUNDS * MOST_WAVES;
    atomic_init(&s->failed, false);
    int threads = s->crew.threads;
    s->walker = dpc_arena_zalloc(&s->memory, threads, sizeof *s->walker);
    s->own = dpc_arena_zalloc(&s->memory, n, sizeof *s->own);
    s->nodes = dpc_arena_alloc(&s->memory, n, sizeof *s->nodes);
    if (dpc_arena_failed(&s->memory))
        return DPC_NO_MEMORY;
    for (int i = 0; i < threads; i++)
        DPC_CHECK(
            dpc_mag_walker_init(&s->walker[i], &s->scoring, mag, hidden, plan->memory / threads));
    return dpc_mag_screen_init(&s->screen, n);
}

static void clear(search *s)
{
    for (int i = 0; s->walker != NULL && i < s->crew.threads; i++)
        dpc_mag_walker_clear(&s->walker[i]);
    for (int v = 0; s->own != NULL && v < s->screen.n; v++)
        free(s->own[v].move);
    dpc_mag_screen_clear(&s->screen);
    dpc_latent_tries_clear(&s->tries);
    free(s->vain);
    dpc_arena_clear(&s->memory);
}

static dpc_status graph_of(const dpc_families *dag, dpc_graph *out)
{
    dpc_mag mag = {0};
    dpc_status status = dpc_mag_init(dag->n, &mag);
    for (int v = 0; status == DPC_OK && v < dag->n; v++)
        for (int64_t i = 0; i < dag->pa[v].count; i++)
            dpc_mag_set(&mag, dag->pa[v].node[i], v, DPC_FORWARD);
    if (status == DPC_OK)
        status = dpc_mag_graph(&mag, out);
    dpc_mag_clear(&mag);
    return status;
}

/* A MAG to start from. */
static dpc_status make_start(const dpc_graph *graph, const dpc_constraints *known, dpc_graph *mag,
                             dpc_error *err)
{
    dpc_precedence precedence = {0};
    dpc_families dag = {0};
    if (dpc_graph_is_pag(graph))
        return dpc_fail_as(err, dpc_graph_duplicate(graph, mag), "the MAG to start from");
    dpc_status status = dpc_precedence_init(&precedence, graph->n_nodes, known);
    if (status == DPC_OK)
        status = dpc_families_init(&dag, graph->n_nodes);
    status = status != DPC_OK ? dpc_fail_memory(err, "the DAG to start from")
                              : dpc_start_from(graph, &precedence, &dag, err);
    if (status == DPC_OK)
        status = dpc_fail_as(err, graph_of(&dag, mag), "the DAG to start from");
    dpc_families_clear(&dag);
    dpc_precedence_clear(&precedence);
    return status;
}

static dpc_status check(const dpc_view *view, dpc_error *err)
{
    if (dpc_view_can(view, DPC_ALL_SCALAR))
        return DPC_OK;
    return dpc_fail(err, DPC_BAD_INPUT,
                    "a search for hidden common causes needs numbers; nominal variables, blocks "
                    "and curves have no likelihood there");
}

dpc_status dpc_search_mag(const dpc_view *view, const dpc_constraints *known,
                          const dpc_settings *settings, const dpc_mag_plan *plan,
                          const dpc_graph *start, dpc_graph *mag, dpc_mag_found *found,
                          dpc_error *err)
{
    static const char WHAT[] = "the search for hidden common causes";
    search s = {0};
    dpc_graph from = {0}, made = {0};
    DPC_CHECK(check(view, err));
    DPC_CHECK(make_start(start, known, &from, err));
    dpc_status status = init(&s, view, known, settings, plan, &from);
    dpc_graph_clear(&from);
    if (status == DPC_OK) {
        s.score = s.found.score_before = dpc_mag_score(&s.walker[0].scorer, &s.walker[0].state);
        status = run(&s);
    }
    if (status == DPC_OK)
        status = dpc_mag_graph(&s.walker[0].state.mag, &made);
    if (status == DPC_OK) {
        s.found.score_after = s.score;
        s.found.complete = !atomic_load(&s.crew.stop);
        *found = s.found;
        *mag = made;
    }
    clear(&s);
    return dpc_fail_as(err, status, WHAT);
}

/* ---- Losses ---- */

typedef struct loss_work {
    search *search;
    const dpc_edge *pairs;
    dpc_mag_loss *losses;
} loss_work;

/* What is lost where the edge is changed, held, and all around it settles. */
static dpc_status find_loss(dpc_mag_walker *w, dpc_edge to, double *loss)
{
    dpc_mark now = dpc_mag_state_mark(&w->state, to.a, to.b);
    *loss = now == to.mark ? 0 : NAN;
    if (now == to.mark || !dpc_mag_may_be(w->scoring, to) || !dpc_mag_state_allows(&w->state, to))
        return DPC_OK;
    double gain = dpc_mag_gain(&w->scorer, &w->state, to, DPC_EXACT), more = 0;
    dpc_clique pair = {.node = {to.a, to.b}, .size = 2};
    w->length = 0;
    DPC_CHECK(dpc_mag_go(w, to));
    dpc_latent_near(w, &pair);
    dpc_status status = gain > -INFINITY
                            ? dpc_mag_settle(w, (dpc_mag_held){.pair = &to, .count = 1}, &more)
                            : DPC_OK;
    dpc_mag_back(w, 0);
    *loss = gain > -INFINITY ? -(gain + more) : NAN;
    return w->scorer.failed ? DPC_NO_MEMORY : status;
}

static void loss_task(void *context, int64_t index, int worker)
{
    const loss_work *work = context;
    dpc_mag_walker *w = &work->search->walker[worker];
    dpc_edge e = work->pairs[index];
    dpc_mag_loss *l = &work->losses[index];
    const dpc_mark marks[] = {DPC_NONE, DPC_FORWARD, DPC_BACKWARD, DPC_BIDIRECTED};
    double *to[] = {&l->none, &l->forward, &l->backward, &l->both};
    for (int i = 0; i < 4; i++)
        if (find_loss(w, (dpc_edge){e.a, e.b, marks[i]}, to[i]) != DPC_OK)
            atomic_store(&work->search->failed, true);
}

/* What the MAG loses at each of some pairs. */
static dpc_status find_losses(const dpc_view *view, const dpc_constraints *known,
                              const dpc_settings *settings, const dpc_mag_plan *plan,
                              const dpc_graph *mag, const dpc_edge *pairs, int64_t count,
                              dpc_mag_loss *losses, dpc_error *err)
{
    search s = {0};
    loss_work work = {&s, pairs, losses};
    DPC_CHECK(check(view, err));
    dpc_status status = init(&s, view, known, settings, plan, mag);
    double cost = 1e6 * (double)count;
    if (status == DPC_OK && !dpc_crew_run(&s.crew, count, cost, loss_task, &work))
        status = DPC_INTERRUPTED;
    if (atomic_load(&s.failed))
        status = DPC_NO_MEMORY;
    clear(&s);
    return dpc_fail_as(err, status, "what the edges are worth");
}

dpc_status dpc_mag_loss_of(const dpc_view *view, const dpc_constraints *known,
                           const dpc_settings *settings, const dpc_mag_plan *plan,
                           const dpc_graph *mag, int a, int b, dpc_mag_loss *loss, dpc_error *err)
{
    const dpc_edge pair = {a, b, DPC_NONE};
    return find_losses(view, known, settings, plan, mag, &pair, 1, loss, err);
}

dpc_status dpc_mag_losses(const dpc_view *view, const dpc_constraints *known,
                          const dpc_settings *settings, const dpc_mag_plan *plan,
                          const dpc_graph *mag, dpc_mag_loss *losses, dpc_error *err)
{
    return find_losses(view, known, settings, plan, mag, mag->edges, mag->n_edges, losses, err);
}

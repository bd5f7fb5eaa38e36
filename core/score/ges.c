/*
 * Greedy equivalence search (Chickering 2002; with turning, Hauser and Bühlmann 2012).
 *
 * From the class of the empty graph, in rounds of three phases: insertions, deletions, turns. A
 * phase takes the best step of its kind (ges_moves.h) as long as one improves the score. The search
 * ends with a round that changes nothing.
 *
 * Every node has a list of its best steps in each phase. A list is made again when it is stale, and
 * a step makes few of them stale. With T the nodes whose parents or neighbours it changed, and x, y
 * the ends of its edge, the steps into v depend on
 *
 *   insert   pa(v), ne(v), ad(v); ad(w) for w ∈ ne(v)       stale: T, x, y; ne(x), ne(y)
 *   delete   pa(v), ne(v); ad(u) ∩ ne(v) for u ∈ ad(v)      stale: T, x, y; ad(x) ∩ ad(y)
 *   turn     the same, ch(v), and pa(u) for u ∈ ch(v)       stale: the same and pa(T)
 *
 * for adjacency changes for the pair x, y only, in insertions and deletions, and a child that v
 * has lost or won is in T, with v among its parents now, or v itself is in T or one of x, y.
 *
 * Whether an insertion or a turn closes a cycle can depend on any edge. It is asked when a step is
 * the best one. If it does, the step is passed over, with a path as the witness, until a node of
 * that path is in T: an edge that goes, turns or gets a direction changes parents or neighbours of
 * at least the end it points to. So the step taken is always the best of all valid ones.
 */
#include "ges.h"

#include "error.h"
#include "ges_moves.h"
#include "memory.h"

#include <math.h>

/* Of a list; where all of it closes cycles it is made longer. */
enum { FIRST_LENGTH = 8, WHOLE_LENGTH = 4096 };

typedef struct greedy {
    dpc_class graph;
    dpc_crew crew;
    dpc_mover *mover; /* one per worker; owned */
    int movers;
    dpc_moves *lists[DPC_N_PHASES]; /* per node; owned */
    double *best;                   /* per node: the gain at `at`, or 0; owned */
    int32_t *at;     /* per node: the first step of its list not passed over; owned */
    int32_t *passed; /* the nodes with steps passed over, and others; owned */
    int n_passed;
    bool *in_passed;  /* per node; owned */
    bool *touched;    /* per node, false but in pass_again; owned */
    int32_t *stale;   /* nodes whose lists are to be made; owned */
    int32_t *members; /* C of the step; owned */
    dpc_phase phase;
    bool afresh;       /* make every list in full after every step */
    double first_gain; /* of the search, for the progress */
} greedy;

/* ---- Lists ---- */

static void make_list(void *context, int64_t index, int worker)
{
    greedy *g = context;
    int v = g->stale[index];
    int length = g->afresh ? WHOLE_LENGTH : FIRST_LENGTH;
    dpc_mover_list(&g->mover[worker], g->phase, v, length, &g->lists[g->phase][v]);
}

/* Finds the best step into v that has no witness against it. */
static void look_at(greedy *g, int v)
{
    const dpc_moves *list = &g->lists[g->phase][v];
    while (g->at[v] < list->count && list->witness[g->at[v]].count != 0)
        g->at[v]++;
    g->best[v] = g->at[v] < list->count ? list->move[g->at[v]].gain : 0;
}

static dpc_status movers_status(const greedy *g, bool finished, dpc_error *err)
{
    for (int i = 0; i < g->movers; i++) {
        if (g->mover[i].failed)
            return dpc_fail_memory(err, "the steps of the greedy search");
        finished = finished && !g->mover[i].stopped;
    }
    return finished ? DPC_OK : dpc_fail(err, DPC_INTERRUPTED, "interrupted");
}

/* Makes all lists of the phase that are stale. */
static dpc_status make_lists(greedy *g, dpc_error *err)
{
    int n = g->graph.n, count = 0;
    int64_t scores = 0;
    for (int v = 0; v < n; v++)
        if (g->lists[g->phase][v].stale)
            g->stale[count++] = v;
    double work = (double)count * (g->phase == DPC_INSERT ? 40.0 * n : 1e4);
    bool finished = dpc_crew_run(&g->crew, count, work, make_list, g);
    for (int i = 0; i < count; i++) {
        g->at[g->stale[i]] = 0;
        look_at(g, g->stale[i]);
    }
    for (int i = 0; i < g->movers; i++)
        scores += g->mover[i].scores;
    atomic_store_explicit(&g->crew.tests, scores, memory_order_relaxed);
    return movers_status(g, finished, err);
}

static void make_stale(greedy *g, dpc_phase phase, int v)
{
    g->lists[phase][v].stale = true;
}

static void make_all_stale(greedy *g)
{
    for (int phase = 0; phase < DPC_N_PHASES; phase++)
        for (int v = 0; v < g->graph.n; v++)
            make_stale(g, (dpc_phase)phase, v);
}

static void make_adjacent_stale(greedy *g, int x, int y)
{
    const int32_t *list;
    int count = dpc_class_neighbours(&g->graph, x, &list);
    for (int i = 0; i < count; i++)
        make_stale(g, DPC_INSERT, list[i]);
    count = dpc_class_adjacent(&g->graph, x, &list);
    for (int i = 0; i < count; i++)
        if (dpc_class_joined(&g->graph, list[i], y)) {
            make_stale(g, DPC_DELETE, list[i]);
            make_stale(g, DPC_TURN, list[i]);
        }
    for (int phase = 0; phase < DPC_N_PHASES; phase++)
        make_stale(g, (dpc_phase)phase, x);
}

/* After a step: see the head of the file. */
static void find_stale(greedy *g, const dpc_step *step)
{
    const int32_t *pa;
    for (int i = 0; i < g->graph.n_changed; i++) {
        int x = g->graph.changed[i], count = dpc_class_parents(&g->graph, x, &pa);
        for (int phase = 0; phase < DPC_N_PHASES; phase++)
            make_stale(g, (dpc_phase)phase, x);
        for (int j = 0; j < count; j++)
            make_stale(g, DPC_TURN, pa[j]);
    }
    make_adjacent_stale(g, step->u, step->v);
    make_adjacent_stale(g, step->v, step->u);
    if (g->afresh)
        make_all_stale(g);
}

/* ---- Choosing and stepping ---- */

static int best_node(const greedy *g)
{
    int best = 0;
    for (int v = 1; v < g->graph.n; v++)
        if (g->best[v] > g->best[best])
            best = v;
    return best;
}

/*
 * Passes over the best step of v: a path of so many nodes is in the queue of the graph. Where the
 * list has come to its end it is made longer, which begins it again.
 */
static dpc_status pass_over(greedy *g, int v, int length, dpc_error *err)
{
    dpc_moves *list = &g->lists[g->phase][v];
    dpc_witness *witness = &list->witness[g->at[v]];
    witness->count = length <= DPC_WITNESS ? length : -1;
    for (int i = 0; i < witness->count; i++)
        witness->node[i] = g->graph.queue[i];
    if (!g->in_passed[v])
        g->passed[g->n_passed++] = v;
    g->in_passed[v] = true;
    look_at(g, v);
    if (g->at[v] == list->count && list->more) {
        dpc_mover_list(&g->mover[0], g->phase, v, 4 * list->capacity, list);
        g->at[v] = 0;
        look_at(g, v);
    }
    return movers_status(g, true, err);
}

static bool still_there(const greedy *g, const dpc_witness *witness)
{
    bool there = witness->count > 0;
    for (int i = 0; there && i < witness->count; i++)
        there = !g->touched[witness->node[i]];
    return there;
}

/* After a step: takes back what was passed over and may be valid now. */
static void pass_again(greedy *g)
{
    for (int i = 0; i < g->graph.n_changed; i++)
        g->touched[g->graph.changed[i]] = true;
    for (int i = 0; i < g->n_passed; i++) {
        int v = g->passed[i];
        dpc_moves *list = &g->lists[g->phase][v];
        for (int j = 0; j < list->count; j++)
            if (list->witness[j].count != 0 && !still_there(g, &list->witness[j])) {
                list->witness[j].count = 0;
                g->at[v] = j < g->at[v] ? j : g->at[v];
            }
        look_at(g, v);
    }
    for (int i = 0; i < g->graph.n_changed; i++)
        g->touched[g->graph.changed[i]] = false;
}

/* The best step that closes no cycle; *found says whether there is one. */
static dpc_status choose(greedy *g, dpc_step *step, double *gain, bool *found, dpc_error *err)
{
    dpc_status status = DPC_OK;
    *found = false;
    while (status == DPC_OK && !*found) {
        int v = best_node(g);
        if (!(g->best[v] > 0))
            break;
        const dpc_moves *list = &g->lists[g->phase][v];
        const dpc_move *move = &list->move[g->at[v]];
        *step = (dpc_step){.phase = g->phase, .u = move->u, .v = v, .directed = move->directed};
        step->set = g->members;
        step->size = dpc_moves_set(list, move, &g->graph, v, g->members);
        *gain = move->gain;
        bool remote = g->phase == DPC_INSERT || (g->phase == DPC_TURN && move->directed);
        int length = remote ? dpc_class_find_path(&g->graph, step) : 0;
        *found = length == 0;
        if (!*found)
            status = pass_over(g, v, length, err);
    }
    return status;
}

/* Other phases have changed the graph: what was passed over before may be valid now. */
static void start_phase(greedy *g, dpc_phase phase)
{
    g->phase = phase;
    g->n_passed = 0;
    for (int v = 0; v < g->graph.n; v++) {
        dpc_moves *list = &g->lists[phase][v];
        for (int i = 0; i < list->count; i++)
            list->witness[i].count = 0;
        g->in_passed[v] = false;
        g->at[v] = 0;
        look_at(g, v);
    }
}

static void tell_progress(greedy *g, double gain)
{
    if (!(g->first_gain > 0))
        g->first_gain = gain;
    double fraction = fmax(g->crew.from, 1 - gain / g->first_gain);
    g->crew.from = g->crew.to = g->crew.progress.fraction = fraction;
    g->crew.progress.edges_left = dpc_class_edges(&g->graph);
}

/*
 * One phase. Turns alone could go in circles, where two classes differ by less than rounding: they
 * end when the score, made afresh, does not rise.
 */
static dpc_status run_phase(greedy *g, dpc_phase phase, int64_t *steps, dpc_error *err)
{
    dpc_step step;
    double gain = 0, score = phase == DPC_TURN ? dpc_mover_score(&g->mover[0]) : 0;
    bool found = true;
    start_phase(g, phase);
    dpc_status status = make_lists(g, err);
    while (status == DPC_OK && found) {
        status = choose(g, &step, &gain, &found, err);
        if (status != DPC_OK || !found)
            break;
        if (!dpc_class_apply(&g->graph, &step))
            return dpc_fail_memory(err, "a step of the greedy search");
        find_stale(g, &step);
        pass_again(g);
        ++*steps;
        tell_progress(g, gain);
        if (phase == DPC_TURN) {
            double risen = dpc_mover_score(&g->mover[0]);
            found = risen > score;
            score = risen;
        }
        status = make_lists(g, err);
    }
    return status;
}

/* Rounds until nothing changes, or the score has not risen, which is rounding again. */
static dpc_status run_rounds(greedy *g, dpc_info *info, dpc_error *err)
{
    dpc_status status = DPC_OK;
    double score = -INFINITY, risen = dpc_mover_score(&g->mover[0]);
    for (int64_t steps = -1, before = -2; status == DPC_OK && steps != before && risen > score;) {
        score = risen;
        before = steps;
        for (int phase = 0; status == DPC_OK && phase < DPC_N_PHASES; phase++)
            status = run_phase(g, (dpc_phase)phase, &info->steps[phase], err);
        steps = info->steps[DPC_INSERT] + info->steps[DPC_DELETE] + info->steps[DPC_TURN];
        g->crew.progress.level++;
        if (status == DPC_OK) {
            risen = dpc_mover_score(&g->mover[0]);
            status = movers_status(g, true, err);
        }
    }
    info->score = risen;
    return status;
}

/* ---- Making and freeing ---- */

static void close_greedy(greedy *g)
{
    for (int i = 0; i < g->movers; i++)
        dpc_mover_clear(&g->mover[i]);
    free(g->mover);
    for (int phase = 0; phase < DPC_N_PHASES; phase++) {
        for (int v = 0; g->lists[phase] != NULL && v < g->graph.n; v++)
            dpc_moves_clear(&g->lists[phase][v]);
        free(g->lists[phase]);
    }
    free(g->best);
    free(g->at);
    free(g->passed);
    free(g->in_passed);
    free(g->touched);
    free(g->stale);
    free(g->members);
    dpc_class_clear(&g->graph);
}

static bool open_greedy(greedy *g, const dpc_correlation *c, const dpc_settings *settings)
{
    int n = c->n_vars;
    *g = (greedy){0};
    dpc_crew_init(&g->crew, settings, DPC_STAGE_SKELETON);
    g->crew.to = 0;
    if (!dpc_class_init(&g->graph, n))
        return false;
    bool fine = true;
    for (int phase = 0; phase < DPC_N_PHASES; phase++)
        fine = (g->lists[phase] = dpc_zalloc(n, sizeof **g->lists)) != NULL && fine;
    g->best = dpc_zalloc(n, sizeof *g->best);
    g->at = dpc_zalloc(n, sizeof *g->at);
    g->passed = dpc_alloc(n, sizeof *g->passed);
    g->in_passed = dpc_zalloc(n, sizeof *g->in_passed);
    g->touched = dpc_zalloc(n, sizeof *g->touched);
    g->stale = dpc_alloc(n, sizeof *g->stale);
    g->members = dpc_alloc(n, sizeof *g->members);
    g->mover = dpc_zalloc(g->crew.threads, sizeof *g->mover);
    fine = fine && g->best && g->at && g->passed && g->in_passed && g->touched && g->stale &&
           g->members && g->mover;
    for (int i = 0; fine && i < g->crew.threads; i++, g->movers++)
        fine = dpc_mover_init(&g->mover[i], c, settings, &g->graph, &g->crew, i);
    if (fine)
        make_all_stale(g);
    return fine;
}

static dpc_status search(const dpc_correlation *c, const dpc_settings *settings, bool afresh,
                         dpc_graph *graph, dpc_info *info, dpc_error *err)
{
    greedy g;
    dpc_status status = DPC_OK;
    if (!open_greedy(&g, c, settings))
        status = dpc_fail_memory(err, "the greedy search");
    g.afresh = afresh;
    if (status == DPC_OK)
        status = run_rounds(&g, info, err);
    for (int i = 0; i < g.movers; i++) {
        info->tests += g.mover[i].scores;
        info->singular_tests += g.mover[i].singular;
    }
    if (status == DPC_OK) {
        dpc_parents dag = dpc_class_dag(&g.graph);
        status = dpc_class_graph(&dag, settings->graph, graph, err);
    }
    close_greedy(&g);
    return status;
}

dpc_status dpc_ges(const dpc_correlation *c, const dpc_settings *settings, dpc_graph *graph,
                   dpc_info *info, dpc_error *err)
{
    return search(c, settings, false, graph, info, err);
}

dpc_status dpc_ges_afresh(const dpc_correlation *c, const dpc_settings *settings, dpc_graph *graph,
                          dpc_info *info, dpc_error *err)
{
    return search(c, settings, true, graph, info, err);
}

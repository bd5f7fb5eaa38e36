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
 *
 * Steps can be equally good and lead to different classes: where columns determine each other, r =
 * 1 in many ways. At the first such choice the search begins again, with nodes that are labels in
 * an order that does not know the places of the columns (canonical.h). Of all steps within rounding
 * of the best one it then takes the first by (v, u, C). Where there is no such choice the order of
 * the nodes does not matter, and labels are columns.
 */
#include "ges.h"

#include "canonical.h"
#include "error.h"
#include "ges_moves.h"
#include "memory.h"

#include <math.h>
#include <string.h>

/* Of a list; where all of it closes cycles, or is equally good, it is made longer. */
enum { FIRST_LENGTH = 8, WHOLE_LENGTH = 4096 };

/*
 * A step must raise the score, made afresh, by this share of what it promises. Less is rounding:
 * the promise was made of variances of which nothing is left.
 */
static const double LEAST_SHARE = 0.01;

typedef struct greedy {
    dpc_cpdag graph;
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
    int32_t *others;  /* C of another; owned */
    dpc_phase phase;
    bool afresh;       /* make every list in full after every step */
    double first_gain; /* of the search, for the progress */
    double promised;   /* by the steps of this round */
    bool by_labels;    /* the order of the nodes may decide */
    bool undecided;    /* it may not, and should: the search has ended */
} greedy;

/* A step that was chosen. */
typedef struct choice {
    bool found;     /* there is one */
    int place;      /* in the list of its node */
    double gain;    /* in score */
    double limit;   /* other steps are as good that gain so much, by what their lists say */
    bool rivals;    /* there are such steps, */
    uint64_t class; /* and this is where they lead */
} choice;

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

static dpc_status check_movers(const greedy *g, bool finished, dpc_error *err)
{
    for (int i = 0; i < g->movers; i++) {
        if (g->mover[i].status == DPC_NO_MEMORY)
            return dpc_fail_memory(err, "the steps of the greedy search");
        finished = finished && g->mover[i].status == DPC_OK;
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
    return check_movers(g, finished, err);
}

/* Makes the list of v longer, which begins it again. */
static dpc_status make_longer(greedy *g, int v, dpc_error *err)
{
    dpc_moves *list = &g->lists[g->phase][v];
    dpc_mover_list(&g->mover[0], g->phase, v, 4 * list->capacity, list);
    g->at[v] = 0;
    look_at(g, v);
    return check_movers(g, true, err);
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
    int count = dpc_cpdag_neighbours(&g->graph, x, &list);
    for (int i = 0; i < count; i++)
        make_stale(g, DPC_INSERT, list[i]);
    count = dpc_cpdag_adjacent(&g->graph, x, &list);
    for (int i = 0; i < count; i++)
        if (dpc_cpdag_joined(&g->graph, list[i], y)) {
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
        int x = g->graph.changed[i], count = dpc_cpdag_parents(&g->graph, x, &pa);
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

/* Of the steps into v that gain at least `limit`, the first by (u, C): its place in the list. */
static int first_of_tied(const greedy *g, int v, double limit)
{
    const dpc_moves *list = &g->lists[g->phase][v];
    int first = g->at[v];
    for (int i = first + 1; i < list->count && list->move[i].gain >= limit; i++) {
        const dpc_move *move = &list->move[i], *best = &list->move[first];
        if (list->witness[i].count == 0 &&
            (move->u < best->u || (move->u == best->u && move->serial < best->serial)))
            first = i;
    }
    return first;
}

/* Of all steps that gain at least `limit` the first: its node, and its place in the list. */
static dpc_status find_first(greedy *g, double limit, int *v, int *place, dpc_error *err)
{
    dpc_status status = DPC_OK;
    *v = 0;
    while (g->best[*v] < limit)
        ++*v;
    const dpc_moves *list = &g->lists[g->phase][*v];
    while (status == DPC_OK && list->more && list->move[list->count - 1].gain >= limit)
        status = make_longer(g, *v, err);
    if (status == DPC_OK)
        *place = first_of_tied(g, *v, limit);
    return status;
}

/*
 * Passes over a step into v: a path of so many nodes is in the queue of the graph. Where the list
 * has come to its end it is made longer.
 */
static dpc_status pass_over(greedy *g, int v, int place, int length, dpc_error *err)
{
    dpc_moves *list = &g->lists[g->phase][v];
    dpc_witness *witness = &list->witness[place];
    witness->count = length <= DPC_WITNESS ? length : -1;
    for (int i = 0; i < witness->count; i++)
        witness->node[i] = g->graph.queue[i];
    if (!g->in_passed[v])
        g->passed[g->n_passed++] = v;
    g->in_passed[v] = true;
    look_at(g, v);
    return g->at[v] == list->count && list->more ? make_longer(g, v, err) : DPC_OK;
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

static dpc_step step_at(const greedy *g, int v, int place, int32_t *members)
{
    const dpc_moves *list = &g->lists[g->phase][v];
    const dpc_move *move = &list->move[place];
    return (dpc_step){.phase = g->phase,
                      .u = move->u,
                      .v = v,
                      .directed = move->directed,
                      .set = members,
                      .size = dpc_moves_set(list, move, &g->graph, v, members)};
}

/* The length of the path that the step would close: see dpc_cpdag_find_path. */
static int find_cycle(greedy *g, const dpc_step *step)
{
    bool remote = g->phase == DPC_INSERT || (g->phase == DPC_TURN && step->directed);
    return remote ? dpc_cpdag_find_path(&g->graph, step) : 0;
}

/*
 * The best step that closes no cycle; *found says whether there is one. `chosen` receives the place
 * in the list of its node, and the gain that is no better.
 */
static dpc_status choose(greedy *g, dpc_step *step, choice *chosen, dpc_error *err)
{
    for (;;) {
        int v = best_node(g);
        chosen->found = g->best[v] > 0;
        if (!chosen->found)
            return DPC_OK;
        const dpc_moves *list = &g->lists[g->phase][v];
        chosen->place = g->at[v];
        chosen->limit = g->best[v] - list->move[g->at[v]].slack;
        dpc_status status = DPC_OK;
        if (g->by_labels)
            status = find_first(g, chosen->limit, &v, &chosen->place, err);
        if (status != DPC_OK)
            return status;
        *step = step_at(g, v, chosen->place, g->members);
        chosen->gain =
            dpc_mover_gain(&g->mover[0], g->phase, &g->lists[g->phase][v].move[chosen->place]);
        int length = find_cycle(g, step);
        if (length == 0)
            return DPC_OK;
        status = pass_over(g, v, chosen->place, length, err);
        if (status != DPC_OK)
            return status;
    }
}

/* ---- Steps that are equally good ---- */

/* Marks pa(v) ∪ C of a step, or takes the marks away; `seen` counts those that had one. */
static int mark_set(greedy *g, const dpc_step *step, bool mark, int *seen)
{
    const int32_t *pa;
    int parents = dpc_cpdag_parents(&g->graph, step->v, &pa), size = parents + step->size;
    *seen = 0;
    for (int i = 0; i < size; i++) {
        bool *touched = &g->touched[i < parents ? pa[i] : step->set[i - parents]];
        *seen += *touched;
        *touched = mark;
    }
    return size;
}

/*
 * The same edge given the same set, seen from its other end? That is no choice: the edge is
 * covered, and the class the same. It spares most insertions the trial below.
 */
static bool is_mirrored(greedy *g, const dpc_step *step, const dpc_step *other)
{
    int common, none;
    if (g->phase == DPC_TURN || step->u != other->v || step->v != other->u)
        return false;
    int size = mark_set(g, step, true, &none), same = mark_set(g, other, true, &common);
    mark_set(g, step, false, &none);
    mark_set(g, other, false, &none);
    return size == same && size == common;
}

/* The class to which one of them leads must be that of all others. */
static dpc_status try_step(greedy *g, const dpc_step *step, choice *chosen)
{
    if (find_cycle(g, step) > 0)
        return DPC_OK;
    dpc_status status = dpc_cpdag_apply(&g->graph, step);
    if (status != DPC_OK)
        return status;
    uint64_t class = dpc_cpdag_hash(&g->graph);
    g->undecided = g->undecided || (chosen->rivals && chosen->class != class);
    chosen->rivals = true;
    chosen->class = class;
    dpc_cpdag_undo(&g->graph, step);
    return DPC_OK;
}

/* Tries all steps as good as the one that was chosen, but for itself. */
static dpc_status try_others(greedy *g, const dpc_step *step, choice *chosen)
{
    dpc_status status = DPC_OK;
    for (int v = 0; v < g->graph.n && !g->undecided; v++) {
        const dpc_moves *list = &g->lists[g->phase][v];
        if (g->best[v] < chosen->limit)
            continue;
        for (int i = g->at[v]; i < list->count && list->move[i].gain >= chosen->limit; i++) {
            bool itself = v == step->v && i == chosen->place;
            if (itself || list->witness[i].count != 0 || status != DPC_OK)
                continue;
            dpc_step other = step_at(g, v, i, g->others);
            if (!is_mirrored(g, step, &other))
                status = try_step(g, &other, chosen);
        }
    }
    return status;
}

/* Makes the step; without labels only where all that are as good lead to the same class. */
static dpc_status make_step(greedy *g, const dpc_step *step, choice *chosen, dpc_error *err)
{
    dpc_status status = g->by_labels ? DPC_OK : try_others(g, step, chosen);
    if (status == DPC_OK)
        status = dpc_cpdag_apply(&g->graph, step);
    if (status != DPC_OK)
        return dpc_fail_memory(err, "a step of the greedy search");
    if (chosen->rivals)
        g->undecided = g->undecided || chosen->class != dpc_cpdag_hash(&g->graph);
    return DPC_OK;
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
    g->crew.progress.edges_left = dpc_cpdag_edges(&g->graph);
}

static dpc_status find_score(greedy *g, double *score, dpc_error *err)
{
    dpc_mover_score(&g->mover[0], score);
    return check_movers(g, true, err);
}

/* Turns alone could go in circles: has the score risen by what was promised? */
static dpc_status check_turn(greedy *g, double gain, double *score, bool *risen, dpc_error *err)
{
    double before = *score;
    dpc_status status = find_score(g, score, err);
    *risen = *score - before > LEAST_SHARE * gain;
    return status;
}

static dpc_status run_phase(greedy *g, dpc_phase phase, int64_t *steps, dpc_error *err)
{
    dpc_step step;
    double score = 0;
    bool risen = true;
    dpc_status status = phase == DPC_TURN ? find_score(g, &score, err) : DPC_OK;
    start_phase(g, phase);
    if (status == DPC_OK)
        status = make_lists(g, err);
    while (status == DPC_OK && !g->undecided) {
        choice chosen = {0};
        status = choose(g, &step, &chosen, err);
        if (status == DPC_OK && chosen.found)
            status = make_step(g, &step, &chosen, err);
        if (status != DPC_OK || !chosen.found)
            break;
        find_stale(g, &step);
        pass_again(g);
        ++*steps;
        g->promised += chosen.gain;
        tell_progress(g, chosen.gain);
        if (phase == DPC_TURN)
            status = check_turn(g, chosen.gain, &score, &risen, err);
        if (status == DPC_OK)
            status = make_lists(g, err);
        if (!risen)
            break;
    }
    return status;
}

/* Rounds until nothing changes, or the score has not risen by what was promised. */
static dpc_status run_rounds(greedy *g, dpc_info *info, dpc_error *err)
{
    double score, risen;
    dpc_status status = find_score(g, &risen, err);
    do {
        score = risen;
        g->promised = 0;
        for (int phase = 0; status == DPC_OK && !g->undecided && phase < DPC_N_PHASES; phase++)
            status = run_phase(g, (dpc_phase)phase, &info->steps[phase], err);
        g->crew.progress.level++;
        if (status == DPC_OK)
            status = find_score(g, &risen, err);
    } while (status == DPC_OK && !g->undecided && g->promised > 0 &&
             risen - score > LEAST_SHARE * g->promised);
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
    free(g->others);
    dpc_cpdag_clear(&g->graph);
}

static dpc_status open_greedy(greedy *g, const dpc_view *view, const dpc_settings *settings)
{
    int n = view->n;
    *g = (greedy){0};
    dpc_crew_init(&g->crew, settings, DPC_STAGE_SKELETON);
    g->crew.to = 0;
    if (dpc_cpdag_init(&g->graph, n) != DPC_OK)
        return DPC_NO_MEMORY;
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
    g->others = dpc_alloc(n, sizeof *g->others);
    g->mover = dpc_zalloc(g->crew.threads, sizeof *g->mover);
    fine = fine && g->best && g->at && g->passed && g->in_passed && g->touched && g->stale &&
           g->members && g->others && g->mover;
    for (int i = 0; fine && i < g->crew.threads; i++, g->movers++)
        fine = dpc_mover_init(&g->mover[i], view, settings, &g->graph, &g->crew, i) == DPC_OK;
    if (fine)
        make_all_stale(g);
    return fine ? DPC_OK : DPC_NO_MEMORY;
}

/* One search, until it ends or is undecided; then *undecided is true, and there is no graph. */
static dpc_status search(const dpc_view *view, const dpc_settings *settings, bool afresh,
                         bool *undecided, dpc_graph *graph, dpc_info *info, dpc_error *err)
{
    greedy g;
    dpc_status status = open_greedy(&g, view, settings);
    g.afresh = afresh;
    g.by_labels = *undecided;
    if (status == DPC_OK)
        status = run_rounds(&g, info, err);
    else
        dpc_fail_memory(err, "the greedy search");
    for (int i = 0; i < g.movers; i++) {
        info->tests += g.mover[i].scores;
        info->singular_tests += g.mover[i].singular;
    }
    *undecided = g.undecided;
    if (status == DPC_OK && !g.undecided) {
        dpc_parents dag = dpc_cpdag_dag(&g.graph);
        status = dpc_class_graph(&dag, settings->graph, graph, err);
    }
    close_greedy(&g);
    return status;
}

static dpc_status search_until_decided(const dpc_correlation *c, const dpc_settings *settings,
                                       bool afresh, dpc_graph *graph, dpc_info *info,
                                       dpc_error *err)
{
    dpc_labels labels = {0};
    dpc_view view = dpc_view_of(c, &labels);
    dpc_info fresh = *info;
    bool undecided = false;
    dpc_status status = search(&view, settings, afresh, &undecided, graph, info, err);
    if (status == DPC_OK && undecided) {
        *info = fresh;
        status = dpc_labels_make(c, settings, &labels, err);
        if (status == DPC_OK)
            status = search(&view, settings, afresh, &undecided, graph, info, err);
        if (status == DPC_OK)
            dpc_labels_undo_graph(&labels, graph);
        dpc_labels_clear(&labels);
    }
    return status;
}

dpc_status dpc_ges(const dpc_correlation *c, const dpc_settings *settings, dpc_graph *graph,
                   dpc_info *info, dpc_error *err)
{
    return search_until_decided(c, settings, false, graph, info, err);
}

dpc_status dpc_ges_afresh(const dpc_correlation *c, const dpc_settings *settings, dpc_graph *graph,
                          dpc_info *info, dpc_error *err)
{
    return search_until_decided(c, settings, true, graph, info, err);
}

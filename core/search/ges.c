/*
 * Greedy equivalence search (Chickering 2002; with turning, Hauser and Bühlmann 2012).
 *
 * From the class of the empty graph, or of the required edges (ges_known.h), in rounds of three
 * phases: insertions, deletions, turns. A phase takes the best step of its kind (ges_moves.h) as
 * long as one improves the score. The search ends with a round that changes nothing.
 *
 * Steps can be equally good and lead to different classes: where columns determine each other, r =
 * 1 in many ways. At the first such choice the search begins again, with nodes that are labels in
 * an order that does not know the places of the columns (canonical.h). Of all steps within rounding
 * of the best one it then takes the first by (v, u, C). Where there is no such choice the order of
 * the nodes does not matter, and labels are columns.
 */
#include "ges.h"

#include "alloc.h"
#include "canonical.h"
#include "ges_lists.h"
#include "status.h"

#include <math.h>

/*
 * A step must raise the score, made afresh, by this share of what it promises. Less is rounding:
 * the promise was made of variances of which nothing is left.
 */
static const double LEAST_SHARE = 0.01;

typedef struct greedy {
    dpc_ges_lists lists;
    dpc_constraints *known;   /* owned; NULL: nothing is known beforehand */
    bool dag_is_stale;        /* a step was tried and taken back */
    int32_t *set, *other_set; /* C of the step that is chosen, and of another; owned */
    double first_gain;        /* of the search, for the progress */
    double promised;          /* by the steps of this round */
    bool by_labels;           /* the order of the nodes may decide */
    bool undecided;           /* it may not, and should: the search has ended */
} greedy;

/* A step that was chosen. */
typedef struct choice {
    bool found; /* there is one */
    dpc_step step;
    int place;      /* in the list of its node */
    double gain;    /* in score */
    double limit;   /* steps are as good as this one that gain so much, by what their lists say */
    bool rivals;    /* there are other such steps, */
    uint64_t class; /* and this is where they lead */
} choice;

/* ---- Choosing ---- */

static int best_node(const dpc_ges_lists *l)
{
    int best = 0;
    for (int v = 1; v < l->graph.n; v++)
        if (l->best[v] > l->best[best])
            best = v;
    return best;
}

/* Of the steps into v that gain at least `limit`, the first by (u, C): its place in the list. */
static int first_of_tied(const dpc_ges_lists *l, int v, double limit)
{
    const dpc_moves *list = dpc_ges_lists_of(l, v);
    int first = l->at[v];
    for (int i = first + 1; i < list->count && list->move[i].gain >= limit; i++) {
        const dpc_move *move = &list->move[i], *best = &list->move[first];
        if (list->witness[i].count == 0 &&
            (move->u < best->u || (move->u == best->u && move->serial < best->serial)))
            first = i;
    }
    return first;
}

/* Of all steps that gain at least `limit` the first: its node, and its place in the list. */
static dpc_status find_first(dpc_ges_lists *l, double limit, int *v, int *place, dpc_error *err)
{
    dpc_status status = DPC_OK;
    *v = 0;
    while (l->best[*v] < limit)
        ++*v;
    const dpc_moves *list = dpc_ges_lists_of(l, *v);
    while (status == DPC_OK && list->more && list->move[list->count - 1].gain >= limit)
        status = dpc_ges_lists_lengthen(l, *v, err);
    if (status == DPC_OK)
        *place = first_of_tied(l, *v, limit);
    return status;
}

static dpc_step step_at(const dpc_ges_lists *l, int v, int place, int32_t *set)
{
    const dpc_moves *list = dpc_ges_lists_of(l, v);
    const dpc_move *move = &list->move[place];
    return (dpc_step){.phase = l->phase,
                      .u = move->u,
                      .v = v,
                      .directed = move->directed,
                      .set = set,
                      .size = dpc_moves_set(list, move, &l->graph, v, set)};
}

/* The length of the path that the step would close: see dpc_cpdag_find_path. */
static int find_cycle(dpc_ges_lists *l, const dpc_step *step)
{
    bool remote = l->phase == DPC_INSERT || (l->phase == DPC_TURN && step->directed);
    return remote ? dpc_cpdag_find_path(&l->graph, step) : 0;
}

/* The best step, valid or not; of several the first, where labels may decide. */
static dpc_status choose_any(greedy *g, choice *chosen, dpc_error *err)
{
    dpc_ges_lists *l = &g->lists;
    int v = best_node(l), place = l->at[v];
    double best = l->best[v];
    chosen->found = best > 0;
    if (!chosen->found)
        return DPC_OK;
    chosen->limit = best - fmin(dpc_ges_lists_of(l, v)->move[place].slack, best / 2);
    if (g->by_labels) {
        dpc_status status = find_first(l, chosen->limit, &v, &place, err);
        if (status != DPC_OK)
            return status;
    }
    chosen->place = place;
    chosen->step = step_at(l, v, place, g->set);
    chosen->gain = dpc_mover_gain(&l->mover[0], l->phase, &dpc_ges_lists_of(l, v)->move[place]);
    return DPC_OK;
}

/* Does the step, which closes no cycle, lead to a class that respects the knowledge? */
static dpc_status is_respectful(greedy *g, const dpc_step *step, bool *out)
{
    dpc_cpdag *graph = &g->lists.graph;
    *out = true;
    if (g->known == NULL)
        return DPC_OK;
    dpc_status status = dpc_cpdag_apply(graph, step);
    if (status == DPC_OK)
        status = dpc_class_respects(graph, g->known, out);
    if (status == DPC_OK)
        dpc_cpdag_undo(graph, step);
    g->dag_is_stale = true;
    return status;
}

/* The same that closes no cycle and respects the knowledge. */
static dpc_status choose(greedy *g, choice *chosen, dpc_error *err)
{
    for (;;) {
        bool respectful = true;
        dpc_status status = choose_any(g, chosen, err);
        if (status != DPC_OK || !chosen->found)
            return status;
        int length = find_cycle(&g->lists, &chosen->step);
        if (length == 0 && is_respectful(g, &chosen->step, &respectful) != DPC_OK)
            return dpc_fail_memory(err, "a step of the greedy search");
        if (length == 0 && respectful)
            return DPC_OK;
        if (length == 0)
            length = DPC_WITNESS + 1;
        status = dpc_ges_lists_pass_over(&g->lists, chosen->step.v, chosen->place, length, err);
        if (status != DPC_OK)
            return status;
    }
}

/* ---- Steps that are equally good ---- */

/* Marks pa(v) ∪ C of a step, or takes the marks away; `seen` counts those that had one. */
static int mark_set(dpc_ges_lists *l, const dpc_step *step, bool mark, int *seen)
{
    const int32_t *pa;
    int parents = dpc_cpdag_parents(&l->graph, step->v, &pa), size = parents + step->size;
    *seen = 0;
    for (int i = 0; i < size; i++) {
        bool *here = &l->mark[i < parents ? pa[i] : step->set[i - parents]];
        *seen += *here;
        *here = mark;
    }
    return size;
}

/*
 * The same edge given the same set, seen from its other end? That is no choice: the edge is
 * covered, and the class the same. It spares most insertions the trial below.
 */
static bool is_mirrored(dpc_ges_lists *l, const dpc_step *step, const dpc_step *other)
{
    int common, none;
    if (l->phase == DPC_TURN || step->u != other->v || step->v != other->u)
        return false;
    int size = mark_set(l, step, true, &none), same = mark_set(l, other, true, &common);
    mark_set(l, step, false, &none);
    mark_set(l, other, false, &none);
    return size == same && size == common;
}

/* The class to which one of them leads must be that of all others. */
static dpc_status try_step(greedy *g, const dpc_step *step, choice *chosen)
{
    dpc_cpdag *graph = &g->lists.graph;
    bool respectful;
    if (find_cycle(&g->lists, step) > 0)
        return DPC_OK;
    dpc_status status = is_respectful(g, step, &respectful);
    if (status != DPC_OK || !respectful)
        return status;
    status = dpc_cpdag_apply(graph, step);
    if (status != DPC_OK)
        return status;
    uint64_t class = dpc_cpdag_hash(graph);
    g->undecided = g->undecided || (chosen->rivals && chosen->class != class);
    chosen->rivals = true;
    chosen->class = class;
    dpc_cpdag_undo(graph, step);
    return DPC_OK;
}

/* Tries all steps as good as the one that was chosen, but for itself. */
static dpc_status try_others(greedy *g, choice *chosen)
{
    dpc_ges_lists *l = &g->lists;
    dpc_status status = DPC_OK;
    for (int v = 0; v < l->graph.n; v++) {
        if (l->best[v] < chosen->limit)
            continue;
        const dpc_moves *list = dpc_ges_lists_of(l, v);
        for (int i = l->at[v]; i < list->count && list->move[i].gain >= chosen->limit; i++) {
            bool itself = v == chosen->step.v && i == chosen->place;
            if (itself || list->witness[i].count != 0 || g->undecided || status != DPC_OK)
                continue;
            dpc_step other = step_at(l, v, i, g->other_set);
            if (!is_mirrored(l, &chosen->step, &other))
                status = try_step(g, &other, chosen);
        }
    }
    return status;
}

/* Makes the step. Without labels that is right only where all as good lead to the same class. */
static dpc_status make_step(greedy *g, choice *chosen, dpc_error *err)
{
    dpc_cpdag *graph = &g->lists.graph;
    dpc_status status = g->by_labels ? DPC_OK : try_others(g, chosen);
    if (status == DPC_OK)
        status = dpc_cpdag_apply(graph, &chosen->step);
    if (status != DPC_OK)
        return dpc_fail_memory(err, "a step of the greedy search");
    g->dag_is_stale = false;
    if (chosen->rivals)
        g->undecided = g->undecided || chosen->class != dpc_cpdag_hash(graph);
    return DPC_OK;
}

/* ---- Phases and rounds ---- */

static void tell_progress(greedy *g, double gain)
{
    dpc_crew *crew = &g->lists.crew;
    if (!(g->first_gain > 0))
        g->first_gain = gain;
    crew->from = crew->to = crew->progress.fraction = fmax(crew->from, 1 - gain / g->first_gain);
    crew->progress.edges = dpc_cpdag_edges(&g->lists.graph);
}

/*
 * Has the score, made afresh, risen by what was promised? If not, nothing is left of some variance,
 * and the score is that of one DAG of the class, which depends on the order of the nodes.
 */
static dpc_status check_score(greedy *g, double gain, double *score, bool *risen, dpc_error *err)
{
    double before = *score;
    dpc_status status = dpc_ges_lists_score(&g->lists, score, err);
    *risen = *score - before > LEAST_SHARE * gain;
    g->undecided = g->undecided || (!*risen && !g->by_labels);
    return status;
}

/* Turns alone could go in circles: they end when the score does not rise. */
static dpc_status run_phase(greedy *g, dpc_phase phase, int64_t *steps, dpc_error *err)
{
    double score = 0;
    bool going = true;
    dpc_status status = phase == DPC_TURN ? dpc_ges_lists_score(&g->lists, &score, err) : DPC_OK;
    if (status == DPC_OK)
        status = dpc_ges_lists_start(&g->lists, phase, err);
    while (status == DPC_OK && going) {
        choice chosen = {0};
        status = choose(g, &chosen, err);
        if (status == DPC_OK && chosen.found)
            status = make_step(g, &chosen, err);
        if (status != DPC_OK || !chosen.found || g->undecided)
            break;
        ++*steps;
        g->promised += chosen.gain;
        tell_progress(g, chosen.gain);
        if (phase == DPC_TURN)
            status = check_score(g, chosen.gain, &score, &going, err);
        if (status == DPC_OK && !g->undecided)
            status = dpc_ges_lists_renew(&g->lists, &chosen.step, err);
    }
    if (status == DPC_OK && g->dag_is_stale)
        dpc_cpdag_refresh(&g->lists.graph);
    g->dag_is_stale = false;
    return status;
}

/* Rounds until nothing changes, or the score has not risen by what was promised. */
static dpc_status run_rounds(greedy *g, dpc_info *info, dpc_error *err)
{
    bool going = true;
    dpc_status status = dpc_ges_lists_score(&g->lists, &info->score, err);
    while (status == DPC_OK && going && !g->undecided) {
        g->promised = 0;
        for (int phase = 0; status == DPC_OK && !g->undecided && phase < DPC_N_PHASES; phase++)
            status = run_phase(g, (dpc_phase)phase, &info->steps[phase], err);
        g->lists.crew.progress.round++;
        going = g->promised > 0;
        if (status == DPC_OK && going)
            status = check_score(g, g->promised, &info->score, &going, err);
    }
    return status;
}

/* ---- The search ---- */

static dpc_status open_greedy(greedy *g, const dpc_view *view, const dpc_settings *settings)
{
    *g = (greedy){.set = dpc_alloc(view->n, sizeof *g->set),
                  .other_set = dpc_alloc(view->n, sizeof *g->other_set)};
    dpc_status status = dpc_constraints_new(settings->knowledge, view->labels, &g->known, NULL);
    if (status == DPC_OK)
        status = dpc_ges_lists_init(&g->lists, view, settings, g->known);
    return g->set != NULL && g->other_set != NULL ? status : DPC_NO_MEMORY;
}

static void close_greedy(greedy *g)
{
    free(g->set);
    free(g->other_set);
    dpc_ges_lists_clear(&g->lists);
    dpc_constraints_free(g->known);
}

/* The time is up: every step has led to a class, and the last of them is the result. */
static dpc_status end_early(greedy *g, dpc_info *info, dpc_error *err)
{
    dpc_cpdag_refresh(&g->lists.graph);
    for (int i = 0; i < g->lists.movers; i++)
        g->lists.mover[i].status = DPC_OK;
    g->undecided = false;
    if (err != NULL)
        *err = (dpc_error){0};
    return dpc_ges_lists_score(&g->lists, &info->score, err);
}

/* What the searches of one call have in common. */
typedef struct request {
    const dpc_settings *settings;
    dpc_time_limit *limit;
    bool afresh;
} request;

/* Until it ends or is undecided; then *undecided is true, and there is no graph. */
static dpc_status search(const dpc_view *view, const request *asked, bool *undecided,
                         dpc_graph *graph, dpc_info *info, dpc_error *err)
{
    greedy g;
    dpc_status status = open_greedy(&g, view, asked->settings);
    g.lists.afresh = asked->afresh;
    g.lists.crew.limit = asked->limit;
    g.by_labels = *undecided;
    if (status == DPC_OK)
        status = run_rounds(&g, info, err);
    else
        dpc_fail_memory(err, "the greedy search");
    if (status == DPC_INTERRUPTED && g.lists.crew.late)
        status = end_early(&g, info, err);
    for (int i = 0; i < g.lists.movers; i++) {
        info->scores += g.lists.mover[i].scores;
        info->singular_tests += g.lists.mover[i].singular;
    }
    *undecided = g.undecided;
    if (status == DPC_OK && !g.undecided) {
        dpc_parents dag = dpc_cpdag_dag(&g.lists.graph);
        status = dpc_class_graph(&dag, asked->settings->graph, graph, err);
    }
    close_greedy(&g);
    return status;
}

static dpc_status search_until_decided(const dpc_correlation *c, const request *asked,
                                       dpc_graph *graph, dpc_info *info, dpc_error *err)
{
    dpc_labels labels = {0};
    dpc_view view = dpc_view_of(c, &labels);
    dpc_info fresh = *info;
    bool undecided = false;
    dpc_status status = search(&view, asked, &undecided, graph, info, err);
    if (status == DPC_OK && undecided) {
        *info = fresh;
        status = dpc_labels_make(c, asked->settings, &labels, err);
        if (status == DPC_OK)
            status = search(&view, asked, &undecided, graph, info, err);
        if (status == DPC_OK)
            dpc_labels_undo_graph(&labels, graph);
        dpc_labels_clear(&labels);
    }
    return status;
}

dpc_status dpc_ges(const dpc_correlation *c, const dpc_settings *settings, dpc_time_limit *limit,
                   dpc_graph *graph, dpc_info *info, dpc_error *err)
{
    request asked = {.settings = settings, .limit = limit};
    return search_until_decided(c, &asked, graph, info, err);
}

dpc_status dpc_ges_afresh(const dpc_correlation *c, const dpc_settings *settings, dpc_graph *graph,
                          dpc_info *info, dpc_error *err)
{
    request asked = {.settings = settings, .afresh = true};
    return search_until_decided(c, &asked, graph, info, err);
}

/*
 * A search over equivalence classes from a DAG: see class_search.h.
 *
 * The search is that of GES (greedy.h), in rounds of phases, until a round changes nothing. Swaps,
 * which take a sweep over all variables for each parent, come where nothing else is a gain. What is
 * here besides leads from a DAG to its class, and from the last class back to a DAG.
 *
 * A step must raise the score, made afresh for the families that it changes, or it is not made.
 * Where columns determine each other even that may go in circles: the steps are counted.
 */
#include "class_search.h"

#include "apply_knowledge.h"
#include "graph.h"
#include "greedy.h"
#include "sorted.h"

#include <string.h>

/* A clique of 20 has a million subsets: so many are looked at for each edge. */
enum { MOST_SETS = 4096, MOST_SWEEPS = 512 };

typedef struct searching {
    dpc_greedy greedy;
    dpc_scorer *scorer; /* not owned */
    int64_t left;       /* steps that may still be made */
    dpc_class_searched *out;
} searching;

/* ---- From a DAG to its class, and back ---- */

/* Makes the class that of the DAG. */
static dpc_status enter_class(dpc_cpdag *class, dpc_families *dag)
{
    dpc_arena arena = {0};
    dpc_parents parents;
    dpc_status status = dpc_families_parents(dag, &arena, &parents);
    if (status == DPC_OK)
        status = dpc_cpdag_begin(class, &parents);
    dpc_arena_clear(&arena);
    return status;
}

/* A DAG of the class that keeps to the knowledge, in place of the one there is. */
static dpc_status leave_class(dpc_cpdag *class, const dpc_constraints *known, dpc_families *dag)
{
    dpc_cpdag_refresh(class);
    dpc_parents parents = dpc_cpdag_dag(class);
    dpc_graph any = {0}, graph = {0}, *member = NULL;
    dpc_status status = DPC_OK;
    DPC_TRY(status, dpc_parents_graph(&parents, &any, NULL));
    DPC_TRY(status, dpc_class_graph(&any, DPC_CPDAG, NULL, &graph, NULL));
    if (known != NULL)
        DPC_TRY(status, dpc_apply_knowledge(known, true, &graph, NULL));
    DPC_TRY(status, dpc_class_member(&graph, &member, NULL));
    dpc_families_empty(dag);
    status = dpc_families_read(dag, member);

done:
    dpc_graph_clear(&any);
    dpc_graph_clear(&graph);
    dpc_graph_free(member);
    return status;
}

/* ---- What a step has gained ---- */

/* The parents of x, with one of them more or fewer; a node that is negative is none. */
static int list_parents(const dpc_parents *dag, int x, int with, int without, int32_t *list)
{
    int count = 0;
    for (int64_t e = dag->start[x]; e < dag->start[x + 1]; e++)
        if (dag->parent[e] != without)
            list[count++] = dag->parent[e];
    if (with >= 0)
        list[count++] = with;
    dpc_sort_numbers(list, count);
    return count;
}

/* Adds what the family of x has gained since it had one parent more, or fewer. */
static dpc_status add_gain(searching *s, int x, int with, int without, double *gain)
{
    const dpc_parents dag = dpc_cpdag_dag(&s->greedy.lists.graph);
    dpc_scorer *h = s->scorer;
    int count = list_parents(&dag, x, -1, -1, h->list);
    DPC_CHECK(dpc_family_of(&h->family, x, h->list, count));
    *gain += dpc_scorer_score(h, count);
    count = list_parents(&dag, x, with, without, h->list);
    DPC_CHECK(dpc_family_of(&h->family, x, h->list, count));
    *gain -= dpc_scorer_score(h, count);
    return DPC_OK;
}

/* Of the step that was made last: the DAG of the class is the one in which it was. */
static dpc_status find_gain(searching *s, const dpc_step *step, double *gain)
{
    int u = step->u, v = step->v;
    *gain = 0;
    if (step->phase == DPC_DELETE)
        return add_gain(s, v, u, -1, gain);
    DPC_CHECK(add_gain(s, v, step->phase == DPC_SWAP ? step->out : -1, u, gain));
    return step->phase == DPC_TURN ? add_gain(s, u, v, -1, gain) : DPC_OK;
}

/* ---- Phases and rounds ---- */

/* Makes a step; takes it back and passes it over where the score has not risen. */
static dpc_status try_step(searching *s, dpc_choice *chosen)
{
    dpc_greedy *g = &s->greedy;
    double gain;
    DPC_CHECK(dpc_greedy_make(g, chosen, NULL));
    DPC_CHECK(find_gain(s, &chosen->step, &gain));
    if (gain > s->scorer->scoring->slack) {
        s->left--;
        s->out->moved = true;
        return dpc_ges_lists_renew(&g->lists, &chosen->step, NULL);
    }
    dpc_cpdag_undo(&g->lists.graph, &chosen->step);
    g->dag_is_stale = true;
    return dpc_ges_lists_pass_over(&g->lists, chosen->step.v, chosen->place, DPC_WITNESS + 1, NULL);
}

static dpc_status run_phase(searching *s, dpc_phase phase)
{
    dpc_greedy *g = &s->greedy;
    DPC_CHECK(dpc_ges_lists_start(&g->lists, phase, NULL));
    while (s->left > 0) {
        dpc_choice chosen = {0};
        DPC_CHECK(dpc_greedy_choose(g, &chosen, NULL));
        if (!chosen.found)
            return DPC_OK;
        if (dpc_crew_stopped(g->lists.crew, 0))
            return DPC_INTERRUPTED;
        DPC_CHECK(try_step(s, &chosen));
    }
    return DPC_OK;
}

static dpc_status run_rounds(searching *s, int steps)
{
    static const dpc_phase PHASES[] = {DPC_DELETE, DPC_INSERT, DPC_TURN, DPC_SWAP};
    for (int64_t before = s->left + 1; s->left < before && s->left > 0;) {
        before = s->left;
        for (int i = 0; i < DPC_ALL_PHASES; i++)
            if ((steps >> PHASES[i] & 1) && (PHASES[i] != DPC_SWAP || s->left == before))
                DPC_CHECK(run_phase(s, PHASES[i]));
    }
    return DPC_OK;
}

static dpc_status search(searching *s, int steps, dpc_families *dag)
{
    dpc_ges_lists *lists = &s->greedy.lists;
    DPC_CHECK(enter_class(&lists->graph, dag));
    s->left = 100 + 20 * (int64_t)dag->n + 4 * dpc_families_edges(dag);
    dpc_status status = run_rounds(s, steps);
    s->out->halted = status == DPC_INTERRUPTED || s->left == 0;
    for (int i = 0; i < lists->movers; i++)
        s->out->cut = s->out->cut || lists->mover[i].cut;
    if (status == DPC_INTERRUPTED) /* the class is as far as it got */
        status = DPC_OK;
    return status == DPC_OK && s->out->moved ? leave_class(&lists->graph, s->greedy.known, dag)
                                             : status;
}

dpc_status dpc_class_search(dpc_workers *workers, int steps, dpc_families *dag,
                            dpc_class_searched *out)
{
    const dpc_scoring *scoring = workers->scoring;
    dpc_step_scoring how = {.price = scoring->price,
                            .noise = DPC_NOISE_EXACT,
                            .slack = scoring->slack,
                            .most_parents = scoring->most_parents,
                            .most_sets = MOST_SETS,
                            .most_sweeps = MOST_SWEEPS,
                            .workers = workers};
    searching s = {.scorer = &workers->each[0], .out = out};
    *out = (dpc_class_searched){.cut = scoring->stats.one_equation};
    if (out->cut) /* the DAGs of a class do not score the same */
        return DPC_OK;
    dpc_status status =
        dpc_greedy_init(&s.greedy, &scoring->stats, &how, scoring->known, workers->crew);
    s.greedy.by_labels = true;
    if (status == DPC_OK)
        status = search(&s, steps, dag);
    dpc_greedy_clear(&s.greedy);
    return status;
}

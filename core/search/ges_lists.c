/* The lists of the greedy search: see ges_lists.h. */
#include "ges_lists.h"

#include "alloc.h"
#include "status.h"

#include <math.h>

/* Of a list; where all of it closes cycles, or is equally good, it is made longer. */
enum { FIRST_LENGTH = 8, WHOLE_LENGTH = 4096 };

static void make_list(void *context, int64_t index, int worker)
{
    dpc_ges_lists *l = context;
    int v = l->stale[index];
    int length = l->afresh ? WHOLE_LENGTH : FIRST_LENGTH;
    dpc_mover_list(&l->mover[worker], l->phase, v, length, &l->lists[l->phase][v]);
    if (l->phase == DPC_INSERT && l->mover[worker].scorer != NULL && l->lists[DPC_SWAP][v].stale)
        dpc_mover_list(&l->mover[worker], DPC_SWAP, v, length, &l->lists[DPC_SWAP][v]);
}

static void set_best(dpc_ges_lists *l, int v, double gain)
{
    l->best[v] = gain;
    for (int64_t i = (l->leaves + v) / 2; i > 0; i /= 2) {
        double most = fmax(l->tree[2 * i], l->tree[2 * i + 1]);
        if (l->tree[i] == most)
            return;
        l->tree[i] = most;
    }
}

int dpc_ges_lists_first(const dpc_ges_lists *l, double limit)
{
    int64_t i = 1;
    while (i < l->leaves)
        i = 2 * i + (l->tree[2 * i] < limit);
    return (int)(i - l->leaves);
}

/* Finds the best step into v that has no witness against it. */
static void look_at(dpc_ges_lists *l, int v)
{
    const dpc_moves *list = &l->lists[l->phase][v];
    while (l->at[v] < list->count && list->witness[l->at[v]].count != 0)
        l->at[v]++;
    set_best(l, v, l->at[v] < list->count ? list->move[l->at[v]].gain : 0);
}

static dpc_status check_movers(const dpc_ges_lists *l, bool finished, dpc_error *err)
{
    for (int i = 0; i < l->movers; i++) {
        if (l->mover[i].status == DPC_NO_MEMORY)
            return dpc_fail_memory(err, "the steps of the greedy search");
        finished = finished && l->mover[i].status == DPC_OK;
    }
    return finished ? DPC_OK : dpc_fail(err, DPC_INTERRUPTED, "interrupted");
}

/* Makes all lists of the phase that are stale. */
static dpc_status make_lists(dpc_ges_lists *l, dpc_error *err)
{
    int n = l->graph.n, count = 0;
    for (int v = 0; v < n; v++)
        if (l->lists[l->phase][v].stale)
            l->stale[count++] = v;
    bool sweeps = l->phase == DPC_INSERT || l->phase == DPC_SWAP;
    double work = (double)count * (sweeps ? 40.0 * n : 1e4);
    bool finished = dpc_crew_run(l->crew, count, work, make_list, l);
    for (int i = 0; i < count; i++) {
        l->at[l->stale[i]] = 0;
        look_at(l, l->stale[i]);
    }
    return check_movers(l, finished, err);
}

dpc_status dpc_ges_lists_lengthen(dpc_ges_lists *l, int v, dpc_error *err)
{
    dpc_moves *list = &l->lists[l->phase][v];
    dpc_mover_list(&l->mover[0], l->phase, v, 4 * list->capacity, list);
    l->at[v] = 0;
    look_at(l, v);
    return check_movers(l, true, err);
}

static void make_stale(dpc_ges_lists *l, dpc_phase phase, int v)
{
    l->lists[phase][v].stale = true;
}

static void make_all_phases_stale(dpc_ges_lists *l, int v)
{
    for (int phase = 0; phase < DPC_ALL_PHASES; phase++)
        make_stale(l, (dpc_phase)phase, v);
}

static void make_all_stale(dpc_ges_lists *l)
{
    for (int v = 0; v < l->graph.n; v++)
        make_all_phases_stale(l, v);
}

static void make_adjacent_stale(dpc_ges_lists *l, int x, int y)
{
    const int32_t *list;
    int count = dpc_cpdag_neighbours(&l->graph, x, &list);
    for (int i = 0; i < count; i++) {
        make_stale(l, DPC_INSERT, list[i]);
        make_stale(l, DPC_SWAP, list[i]);
    }
    count = dpc_cpdag_adjacent(&l->graph, x, &list);
    for (int i = 0; i < count; i++)
        if (dpc_cpdag_joined(&l->graph, list[i], y)) {
            make_stale(l, DPC_DELETE, list[i]);
            make_stale(l, DPC_TURN, list[i]);
        }
    make_all_phases_stale(l, x);
    count = l->mover[0].known != NULL ? dpc_cpdag_children(&l->graph, x, &list) : 0;
    for (int i = 0; i < count; i++)
        make_all_phases_stale(l, list[i]);
}

/* After a step: see ges_lists.h. */
static void find_stale(dpc_ges_lists *l, const dpc_step *step)
{
    const int32_t *pa;
    for (int i = 0; i < l->graph.n_changed; i++) {
        int x = l->graph.changed[i], count = dpc_cpdag_parents(&l->graph, x, &pa);
        make_all_phases_stale(l, x);
        for (int j = 0; j < count; j++)
            make_stale(l, DPC_TURN, pa[j]);
    }
    make_adjacent_stale(l, step->u, step->v);
    make_adjacent_stale(l, step->v, step->u);
    if (step->phase == DPC_SWAP) {
        make_adjacent_stale(l, step->out, step->v);
        make_adjacent_stale(l, step->v, step->out);
    }
    if (l->afresh)
        make_all_stale(l);
}

/* ---- Steps that are passed over ---- */

static uint64_t bit_of(int node)
{
    return UINT64_C(1) << (node % 64);
}

dpc_status dpc_ges_lists_pass_over(dpc_ges_lists *l, int v, int place, int length, dpc_error *err)
{
    dpc_moves *list = &l->lists[l->phase][v];
    dpc_witness *witness = &list->witness[place];
    witness->count = length <= DPC_WITNESS ? length : -1;
    witness->about = 0;
    for (int i = 0; i < witness->count; i++) {
        witness->node[i] = l->graph.queue[i];
        witness->about |= bit_of(witness->node[i]);
    }
    if (!l->in_passed[v])
        l->passed[l->n_passed++] = v;
    l->in_passed[v] = true;
    look_at(l, v);
    return l->at[v] == list->count && list->more ? dpc_ges_lists_lengthen(l, v, err) : DPC_OK;
}

/* Is the path from v, some of whose nodes may have changed? `changed` has the bits of these. */
static bool still_there(const dpc_ges_lists *l, int v, const dpc_witness *witness, uint64_t changed)
{
    bool there = witness->count > 0, touched = false;
    if (!there || (witness->about & changed) == 0)
        return there;
    for (int i = 0; i < witness->count; i++)
        touched = touched || l->mark[witness->node[i]];
    if (!touched || l->phase != DPC_INSERT)
        return !touched;
    for (int i = witness->count - 1, from = v; there && i >= 0; from = witness->node[i--])
        there = dpc_cpdag_leads(&l->graph, from, witness->node[i]);
    return there;
}

/* After a step: takes back what was passed over and may be valid now. */
static void pass_again(dpc_ges_lists *l)
{
    uint64_t changed = 0;
    for (int i = 0; i < l->graph.n_changed; i++) {
        l->mark[l->graph.changed[i]] = true;
        changed |= bit_of(l->graph.changed[i]);
    }
    for (int i = 0; i < l->n_passed; i++) {
        int v = l->passed[i];
        dpc_moves *list = &l->lists[l->phase][v];
        for (int j = 0; j < list->count; j++)
            if (list->witness[j].count != 0 && !still_there(l, v, &list->witness[j], changed)) {
                list->witness[j].count = 0;
                l->at[v] = j < l->at[v] ? j : l->at[v];
            }
        look_at(l, v);
    }
    for (int i = 0; i < l->graph.n_changed; i++)
        l->mark[l->graph.changed[i]] = false;
}

/* Other phases have changed the graph: what was passed over before may be valid now. */
dpc_status dpc_ges_lists_start(dpc_ges_lists *l, dpc_phase phase, dpc_error *err)
{
    l->phase = phase;
    l->n_passed = 0;
    for (int v = 0; v < l->graph.n; v++) {
        dpc_moves *list = &l->lists[phase][v];
        for (int i = 0; i < list->count; i++)
            list->witness[i].count = 0;
        l->in_passed[v] = false;
        l->at[v] = 0;
        look_at(l, v);
    }
    return make_lists(l, err);
}

dpc_status dpc_ges_lists_renew(dpc_ges_lists *l, const dpc_step *step, dpc_error *err)
{
    find_stale(l, step);
    pass_again(l);
    return make_lists(l, err);
}

dpc_status dpc_ges_lists_score(dpc_ges_lists *l, double *score, dpc_error *err)
{
    dpc_mover_score(&l->mover[0], score);
    return check_movers(l, true, err);
}

/* ---- Making and freeing ---- */

void dpc_ges_lists_clear(dpc_ges_lists *l)
{
    for (int i = 0; i < l->movers; i++)
        dpc_mover_clear(&l->mover[i]);
    for (int phase = 0; phase < DPC_ALL_PHASES; phase++)
        for (int v = 0; l->lists[phase] != NULL && v < l->graph.n; v++)
            dpc_moves_clear(&l->lists[phase][v]);
    dpc_arena_clear(&l->memory);
    dpc_cpdag_clear(&l->graph);
}

dpc_status dpc_ges_lists_init(dpc_ges_lists *l, const dpc_stats *stats,
                              const dpc_step_scoring *scoring, const dpc_constraints *known,
                              dpc_crew *crew)
{
    int n = stats->n;
    *l = (dpc_ges_lists){.crew = crew};
    DPC_CHECK(dpc_cpdag_init(&l->graph, n));
    for (int phase = 0; phase < DPC_ALL_PHASES; phase++)
        l->lists[phase] = dpc_arena_zalloc(&l->memory, n, sizeof **l->lists);
    for (l->leaves = 1; l->leaves < n;)
        l->leaves *= 2;
    l->tree = dpc_arena_zalloc(&l->memory, 2 * l->leaves, sizeof *l->tree);
    l->best = l->tree != NULL ? l->tree + l->leaves : NULL;
    l->at = dpc_arena_zalloc(&l->memory, n, sizeof *l->at);
    l->passed = dpc_arena_alloc(&l->memory, n, sizeof *l->passed);
    l->in_passed = dpc_arena_zalloc(&l->memory, n, sizeof *l->in_passed);
    l->mark = dpc_arena_zalloc(&l->memory, n, sizeof *l->mark);
    l->stale = dpc_arena_alloc(&l->memory, n, sizeof *l->stale);
    l->mover = dpc_arena_zalloc(&l->memory, crew->threads, sizeof *l->mover);
    if (dpc_arena_failed(&l->memory))
        return DPC_NO_MEMORY;
    while (l->movers < crew->threads) {
        int i = l->movers++; /* to be cleared, whatever becomes of it */
        DPC_CHECK(dpc_mover_init(&l->mover[i], stats, scoring, &l->graph, known, crew, i));
    }
    make_all_stale(l);
    return DPC_OK;
}

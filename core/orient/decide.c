/*
 * The consistent rule, first step: triples are decided one after the other, the strongest evidence
 * first, each with all that follows from it by Meek's rules. What contradicts an earlier decision
 * is undone.
 *
 * A collider directs x → y ← z. A triple marked as no collider directs nothing by itself, but where
 * one arrow enters y the other edge leaves it; and rules 1 and 3 go only through triples that have
 * been marked so. An arrow against another one, and a circle of arrows, are contradictions. What
 * background knowledge directs is there before the first decision, and is never undone.
 *
 * What follows, and whether there is a contradiction, does not depend on the order in which the
 * rules are applied: a set of arrows without one that is closed under the rules has all that they
 * give in any order. And a triple with both edges directed cannot direct anything any more,
 * whatever becomes of it. So triples are not all sorted: they come in waves, each weaker than the
 * one before, and a wave takes only those that have an undirected edge left when it begins. After a
 * few waves hardly any have.
 *
 * It may end after any decision, when the time is up.
 */
#include "decide.h"

#include "arena.h"
#include "crew.h"
#include "meek.h"
#include "reach.h"
#include "sorted.h"
#include "status.h"

typedef struct deciding {
    dpc_triples *triples;
    dpc_acyclic *acyclic;
    dpc_mixed *arrows; /* of `acyclic` */
    bool dense;        /* circles are found by `reach` rather than by `acyclic` */
    dpc_reach reach;
    dpc_meek meek;
    int32_t *noncolliders; /* by slot of y: triples with it that are marked no collider */
    int32_t *open;         /* per node: undirected edges */
    int64_t *trail;        /* slots directed by the present decision, in their order */
    int64_t length;
    dpc_crew crew;
} deciding;

/* ---- One decision ---- */

/* Where the graph is dense, only circles with arrows of earlier decisions; see add_to_reach. */
static bool closes_circle(deciding *d, int64_t slot)
{
    if (!d->dense)
        return !dpc_acyclic_add(d->acyclic, slot);
    return dpc_reaches(&d->reach, d->arrows->graph->node[slot], dpc_slot_node(d->arrows, slot));
}

/* Directs a slot unless it is so already; false: a contradiction. */
static bool direct(void *context, int64_t slot)
{
    deciding *d = context;
    if (dpc_arrow_out(d->arrows, slot))
        return true;
    if (dpc_arrow_in(d->arrows, slot) || closes_circle(d, slot))
        return false;
    dpc_set_arrow(d->arrows, slot, true);
    d->trail[d->length++] = slot;
    return true;
}

/* All arrows of the trail at once; false, and nothing changed: some of them lie in a circle. */
static bool add_to_reach(deciding *d)
{
    dpc_reach_mark(&d->reach);
    for (int64_t i = 0; i < d->length; i++) {
        int64_t slot = d->trail[i];
        if (!dpc_reach_add(&d->reach, dpc_slot_node(d->arrows, slot),
                           d->arrows->graph->node[slot])) {
            dpc_reach_undo(&d->reach);
            return false;
        }
    }
    return true;
}

/* Adds all that follows from the arrows of the trail; false: a contradiction. */
static bool propagate(deciding *d)
{
    for (int64_t i = 0; i < d->length; i++)
        if (!dpc_meek_follow(&d->meek, d->trail[i], direct, d))
            return false;
    return !d->dense || add_to_reach(d);
}

static void keep(deciding *d)
{
    for (int64_t i = 0; i < d->length; i++) {
        d->open[dpc_slot_node(d->arrows, d->trail[i])]--;
        d->open[d->arrows->graph->node[d->trail[i]]]--;
    }
    d->length = 0;
}

static void undo(deciding *d)
{
    while (d->length > 0)
        dpc_set_arrow(d->arrows, d->trail[--d->length], false);
}

static void mark(deciding *d, int64_t entry, int64_t ex, int64_t ez, uint8_t as)
{
    bool before = d->triples->mark[entry] == DPC_NO_COLLIDER, after = as == DPC_NO_COLLIDER;
    d->triples->mark[entry] = as;
    d->noncolliders[ex] += after - before;
    d->noncolliders[ez] += after - before;
}

/* x → y ← z, slots of y; false: it cannot be, and nothing has changed. */
static bool try_collider(deciding *d, int64_t entry, int64_t ex, int64_t ez)
{
    if (!direct(d, dpc_back(d->arrows, ex)) || !direct(d, dpc_back(d->arrows, ez)) ||
        !propagate(d)) {
        undo(d);
        return false;
    }
    mark(d, entry, ex, ez, DPC_COLLIDER);
    keep(d);
    return true;
}

static void try_no_collider(deciding *d, int64_t entry, int y, int64_t ex, int64_t ez)
{
    mark(d, entry, ex, ez, DPC_NO_COLLIDER);
    if (dpc_meek_follow_noncollider(&d->meek, y, ex, ez, direct, d) && propagate(d)) {
        keep(d);
        return;
    }
    undo(d);
    mark(d, entry, ex, ez, DPC_OPEN);
}

static void decide(deciding *d, int64_t entry)
{
    const dpc_triples *t = d->triples;
    int y = dpc_row_of(t->start, t->graph->n, entry);
    int64_t left = entry - t->start[y], row = dpc_degree(t->graph, y) - 1;
    int64_t ex = t->graph->start[y];
    for (; left >= row; left -= row--)
        ex++;
    int64_t ez = ex + 1 + left;
    if (!dpc_undirected(d->arrows, ex) && !dpc_undirected(d->arrows, ez))
        return;
    if (t->weight[entry] > 0 && try_collider(d, entry, ex, ez))
        return;
    try_no_collider(d, entry, y, ex, ez);
}

/* ---- The order of the decisions ---- */

/*
 * Entries with |weight| in the upper bits, complemented so that the strongest come first. Weights
 * are below 2^27, and a graph with 2^37 triples is none that fits anywhere.
 */
enum { ENTRY_BITS = 37, KEY_BITS = 27, DIGIT = 9 };

/* Strengths are told apart by their upper bits where waves are cut. */
enum { GRADE_BITS = 14, GRADES = 1 << GRADE_BITS };

typedef struct wave {
    uint64_t *keys; /* owned */
    int64_t count, capacity;
    int from, to; /* grades, the weakest and the strongest */
} wave;

static uint32_t strength(int32_t weight)
{
    uint32_t size = (uint32_t)(weight < 0 ? -weight : weight), most = (1u << KEY_BITS) - 1;
    return size < most ? size : most;
}

static int grade(int32_t weight)
{
    return (int)(strength(weight) >> (KEY_BITS - GRADE_BITS));
}

/* A few keys; each has its entry in the lower bits, so that no two are the same. */
static void sort_few(const uint64_t *keys, uint64_t *sorted, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t at = i;
        for (; at > 0 && sorted[at - 1] > keys[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = keys[i];
    }
}

/* Sorts by the keys into `spare`; equal ones keep their order, which is that of the entries. */
static void sort_keys(uint64_t *keys, uint64_t *spare, int64_t count)
{
    enum { FEW = 64 };
    if (count <= FEW) {
        sort_few(keys, spare, count);
        return;
    }
    for (int shift = ENTRY_BITS; shift < ENTRY_BITS + KEY_BITS; shift += DIGIT) {
        int64_t at[(1 << DIGIT) + 1] = {0};
        for (int64_t i = 0; i < count; i++)
            at[(keys[i] >> shift & ((1 << DIGIT) - 1)) + 1]++;
        for (int d = 0; d < 1 << DIGIT; d++)
            at[d + 1] += at[d];
        for (int64_t i = 0; i < count; i++)
            spare[at[keys[i] >> shift & ((1 << DIGIT) - 1)]++] = keys[i];
        uint64_t *sorted = spare; /* three digits: the result ends in `spare` */
        spare = keys;
        keys = sorted;
    }
}

/* The triples at y that belong to the wave and have an undirected edge. */
static dpc_status list_at(const deciding *d, int y, wave *w)
{
    const dpc_triples *t = d->triples;
    const dpc_adjacency *g = t->graph;
    int64_t entry = t->start[y];
    for (int64_t ex = g->start[y]; ex < g->start[y + 1]; ex++) {
        bool open = dpc_undirected(d->arrows, ex);
        uint64_t *keys =
            dpc_make_room(w->keys, &w->capacity, w->count + (g->start[y + 1] - ex), sizeof *keys);
        if (keys == NULL)
            return DPC_NO_MEMORY;
        w->keys = keys;
        for (int64_t ez = ex + 1; ez < g->start[y + 1]; ez++, entry++) {
            int level = grade(t->weight[entry]);
            if (level < w->from || level > w->to || t->mark[entry] != DPC_OPEN ||
                (!open && !dpc_undirected(d->arrows, ez)))
                continue;
            uint64_t key = (1u << KEY_BITS) - 1 - strength(t->weight[entry]);
            keys[w->count++] = key << ENTRY_BITS | (uint64_t)entry;
        }
    }
    return DPC_OK;
}

static dpc_status list_wave(const deciding *d, wave *w)
{
    dpc_status status = DPC_OK;
    w->count = 0;
    for (int y = 0; y < d->triples->graph->n && status == DPC_OK; y++)
        if (d->open[y] > 0)
            status = list_at(d, y, w);
    return status;
}

static dpc_status run_wave(deciding *d, wave *w, dpc_error *err)
{
    enum { BETWEEN_LOOKS = 256 };
    dpc_status status = list_wave(d, w);
    uint64_t *sorted = status == DPC_OK ? dpc_alloc(w->count, sizeof *sorted) : NULL;
    if (sorted == NULL)
        return dpc_fail_memory(err, "the order of the decisions");
    sort_keys(w->keys, sorted, w->count);
    for (int64_t i = 0; i < w->count && status == DPC_OK; i++) {
        decide(d, (int64_t)(sorted[i] & ((UINT64_C(1) << ENTRY_BITS) - 1)));
        if (i % BETWEEN_LOOKS == 0 && dpc_crew_stopped(&d->crew, 0)) {
            if (!d->crew.late)
                status = dpc_fail(err, DPC_INTERRUPTED, "interrupted");
            break;
        }
    }
    free(sorted);
    return status;
}

/* How many triples there are of each grade. The caller frees *out. */
static dpc_status count_grades(const dpc_triples *t, int64_t **out)
{
    int64_t *count = dpc_zalloc(GRADES, sizeof *count);
    if (count == NULL)
        return DPC_NO_MEMORY;
    for (int64_t entry = 0; entry < dpc_triples_end(t); entry++)
        count[grade(t->weight[entry])] += t->mark[entry] == DPC_OPEN;
    *out = count;
    return DPC_OK;
}

/* The first wave has about `FIRST` triples, each next one twice as many; where there are no more
 * than that, there is one. */
static dpc_status run_waves(deciding *d, dpc_error *err)
{
    enum { FIRST = 1 << 15 };
    wave w = {.to = GRADES - 1};
    int64_t *count = NULL, length = FIRST;
    dpc_status status = DPC_OK;
    if (dpc_triples_end(d->triples) > FIRST && count_grades(d->triples, &count) != DPC_OK)
        return dpc_fail_memory(err, "the order of the decisions");
    for (; w.to >= 0 && status == DPC_OK && !d->crew.late; w.to = w.from - 1, length *= 2) {
        int64_t listed = count != NULL ? count[w.to] : 0;
        for (w.from = count != NULL ? w.to : 0; w.from > 0 && listed < length; w.from--)
            listed += count[w.from - 1];
        status = run_wave(d, &w, err);
    }
    free(w.keys);
    free(count);
    return status;
}

/* ---- All of it ---- */

/* The arrows that background knowledge leaves no choice about, and what follows from them. */
static void start_from(deciding *d, const dpc_constraints *known)
{
    const dpc_adjacency *g = d->triples->graph;
    for (int a = 0; known != NULL && a < g->n; a++)
        for (int64_t e = g->start[a]; e < g->start[a + 1]; e++)
            if (dpc_forced(known, a, g->node[e]))
                direct(d, e); /* no circle: see dpc_break_circles */
    propagate(d);
    keep(d);
}

static dpc_status deciding_init(deciding *d, const dpc_unoriented *task, dpc_triples *triples,
                                dpc_acyclic *acyclic, dpc_arena *arena)
{
    const dpc_adjacency *g = triples->graph;
    *d = (deciding){
        .triples = triples,
        .acyclic = acyclic,
        .arrows = &acyclic->arrows,
        .dense = 128 * dpc_slots(g) >= (int64_t)g->n * g->n,
        .noncolliders = dpc_arena_zalloc(arena, dpc_slots(g), sizeof *d->noncolliders),
        .open = dpc_arena_alloc(arena, g->n, sizeof *d->open),
        .trail = dpc_arena_alloc(arena, dpc_slots(g) / 2, sizeof *d->trail),
    };
    d->meek = (dpc_meek){
        .arrows = d->arrows,
        .premise = d->arrows->end,
        .noncollider = dpc_triple_is_noncollider,
        .context = triples,
        .n_noncolliders = d->noncolliders,
    };
    dpc_crew_init(&d->crew, task->settings, DPC_STAGE_ORIENT);
    d->crew.limit = task->limit;
    if (dpc_arena_failed(arena))
        return DPC_NO_MEMORY;
    for (int v = 0; v < g->n; v++)
        d->open[v] = dpc_degree(g, v);
    return d->dense ? dpc_reach_init(g->n, &d->reach) : DPC_OK;
}

dpc_status dpc_decide(const dpc_unoriented *task, dpc_triples *triples, dpc_acyclic *acyclic,
                      dpc_error *err)
{
    dpc_arena arena = {0};
    deciding d;
    dpc_status status = deciding_init(&d, task, triples, acyclic, &arena);
    if (status == DPC_OK) {
        start_from(&d, task->known);
        status = run_waves(&d, err);
    } else {
        dpc_fail_memory(err, "the order of the decisions");
    }
    dpc_reach_clear(&d.reach);
    dpc_arena_clear(&arena);
    return status;
}

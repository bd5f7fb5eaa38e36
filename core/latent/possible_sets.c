/* Tests given sets in Possible-D-SEP: see possible_sets.h. */
#include "possible_sets.h"

#include "alloc.h"
#include "arena.h"
#include "platform.h"
#include "possible_dsep.h"
#include "rows.h"
#include "stats.h"
#include "status.h"
#include "subsets.h"
#include "test.h"
#include "wilks.h"

#include <math.h>

/*
 * What the sets of one ordered pair may cost, in operations: its part of what all may. A set of k
 * costs a factor of order k + 2, and something more.
 */
static const double MOST_WORK = 3e10, LEAST_WORK = 1e7;

static double cost_of(int size)
{
    double order = size + 2;
    return 1000 + order * order * order / 3;
}

/* What one end has found against the other. */
typedef struct finding {
    int32_t *set; /* owned; NULL: nothing */
    int size;
    double r;
    uint8_t kind;
} finding;

/* What belongs to a worker. */
typedef struct searcher {
    dpc_direct direct;
    dpc_pds_walk walk;
    int32_t *possible; /* Q */
    int32_t *chosen;   /* places of K in it */
    int32_t *set;      /* a set of labels, and … */
    int32_t *columns;  /* … the same as columns */
    bool *near;        /* x and its neighbours */
    int64_t tests, singular, given_up;
    bool failed; /* no memory */
    char apart[DPC_APART];
} searcher;

typedef struct looking {
    const dpc_second_look *look;
    const dpc_adjacency *graph;
    dpc_critical critical;
    dpc_crew crew;
    searcher *searchers; /* one for each worker */
    finding *found;      /* by slot */
    double most;         /* work of an ordered pair */
    dpc_arena arena;
} looking;

/* One ordered pair. */
typedef struct pair {
    looking *of;
    searcher *by;
    int worker, x, y;
    int size; /* of Q */
    finding *found;
    double work; /* what its sets have cost */
} pair;

/* ---- One test ---- */

static bool answer_blocks(pair *p, int size, bool dual, double *r)
{
    const dpc_settings *settings = p->of->look->settings;
    const dpc_view *view = p->of->look->view;
    int x = dpc_column_of(view->labels, p->x), y = dpc_column_of(view->labels, p->y);
    dpc_block_answer answer;
    dpc_direct *direct = &p->by->direct;
    if ((dual ? dpc_direct_blocks(direct, x, y, p->by->columns, size, settings->min_ess, &answer)
              : dpc_direct_primal(direct, x, y, p->by->columns, size, &answer)) != DPC_OK)
        return !(p->by->failed = true);
    p->by->tests += !isnan(answer.p);
    *r = answer.r;
    return answer.p > (dual ? settings->alpha_dual : settings->alpha);
}

static bool answer_scalars(pair *p, int size, bool dual, double *r)
{
    const dpc_settings *settings = p->of->look->settings;
    const dpc_view *view = p->of->look->view;
    int x = dpc_column_of(view->labels, p->x), y = dpc_column_of(view->labels, p->y);
    int64_t rows = dpc_test_rows(view, x, y, p->by->columns, size);
    if (!dpc_testable(rows, size) || (dual && !dpc_dual_allowed(settings, rows, size)))
        return false;
    if (dpc_direct_r(&p->by->direct, x, y, p->by->columns, size, r) != DPC_OK)
        return !(p->by->failed = true);
    p->by->tests += !isnan(*r);
    p->by->singular += isnan(*r);
    return fabs(*r) <= dpc_critical_at(&p->of->critical, dual, rows, size);
}

/* The test given by->set, unless all of it are neighbours of x; true: it separates. */
static bool separates(pair *p, int size, dpc_sep_kind kind)
{
    searcher *by = p->by;
    const dpc_view *view = p->of->look->view;
    bool new = false, dual = kind != DPC_SEP_PRIMAL;
    double r = NAN;
    for (int i = 0; i < size; i++)
        new |= !by->near[by->set[i]];
    if (!new)
        return false;
    p->work += cost_of(size);
    dpc_columns_of(view, by->set, size, by->columns);
    if (!(view->blocks != NULL ? answer_blocks(p, size, dual, &r)
                               : answer_scalars(p, size, dual, &r)))
        return false;
    int32_t *set = dpc_alloc(size, sizeof *set);
    if (set == NULL)
        return !(by->failed = true);
    memcpy(set, by->set, (size_t)size * sizeof *set);
    *p->found = (finding){set, size, r, (uint8_t)kind};
    return true;
}

/* ---- All sets of a pair ---- */

/* K, the chosen ones, or what is left of Q without them. */
static bool try_chosen(pair *p, int count, bool rest)
{
    searcher *by = p->by;
    int size = 0;
    for (int i = 0, k = 0; i < p->size; i++) {
        bool in = k < count && by->chosen[k] == i;
        k += in;
        if (in != rest)
            by->set[size++] = by->possible[i];
    }
    return separates(p, size, rest ? DPC_SEP_DUAL : DPC_SEP_PRIMAL);
}

/* True: the pair is done with, be it that it is separated. */
static bool try_size(pair *p, int count)
{
    bool more = true, done = false;
    dpc_first_subset(p->by->chosen, count);
    for (; more && !done; more = dpc_next_subset(p->by->chosen, count, p->size)) {
        done = try_chosen(p, count, false) || p->by->failed;
        if (!done && 2 * count < p->size)
            done = try_chosen(p, count, true) || p->by->failed;
        if (!done && p->work >= p->of->most) {
            p->by->given_up++;
            done = true;
        }
        done = done || dpc_crew_stopped(&p->of->crew, p->worker);
    }
    return done;
}

static void try_pair(pair *p, int pds_size, const int32_t *pds)
{
    const dpc_second_look *look = p->of->look;
    searcher *by = p->by;
    bool new = false;
    p->size = 0;
    for (int i = 0; i < pds_size; i++)
        if (pds[i] != p->y && dpc_allowed(look->known, p->x, p->y, pds[i])) {
            new |= !by->near[pds[i]];
            by->possible[p->size++] = pds[i];
        }
    if (!new)
        return;
    if (cost_of(p->size) > p->of->most) {
        by->given_up++;
        return;
    }
    memcpy(by->set, by->possible, (size_t)p->size * sizeof *by->set);
    bool done = separates(p, p->size, DPC_SEP_FULL_S) || by->failed;
    for (int l = 1; !done && l <= look->settings->pdsep && 2 * l <= p->size; l++)
        done = try_size(p, l);
}

/* The pairs of one node: a task. */
static void look_from(void *context, int64_t index, int worker)
{
    looking *w = context;
    const dpc_adjacency *g = w->graph;
    searcher *by = &w->searchers[worker];
    int x = (int)index;
    if (dpc_degree(g, x) == 0 || by->failed)
        return;
    int32_t *pds = by->possible + g->n; /* the second half */
    int size = dpc_possible_dsep(&by->walk, x, pds);
    dpc_set_near(g, x, true, by->near);
    for (int64_t e = g->start[x]; e < g->start[x + 1] && !by->failed; e++) {
        pair p = {.of = w, .by = by, .worker = worker, .x = x, .y = g->node[e]};
        p.found = &w->found[e];
        if (!dpc_required(w->look->known, x, p.y))
            try_pair(&p, size, pds);
        if (dpc_crew_stopped(&w->crew, worker))
            break;
    }
    dpc_set_near(g, x, false, by->near);
}

/* ---- What is left ---- */

/* The pairs that one end has found a set for, that with the smaller label first. */
static dpc_status record(looking *w, const dpc_info *info, dpc_sepsets *sepsets, bool *gone,
                         int64_t *removed)
{
    const dpc_mixed *mixed = w->look->colliders;
    const dpc_adjacency *g = w->graph;
    DPC_CHECK(dpc_sepsets_begin(sepsets, info->n_levels, 0));
    for (int a = 0; a < g->n; a++)
        for (int64_t e = g->start[a]; e < g->start[a + 1]; e++) {
            int b = g->node[e];
            int64_t back = dpc_back(mixed, e);
            const finding *f = w->found[e].set != NULL ? &w->found[e] : &w->found[back];
            if (b < a || f->set == NULL)
                continue;
            dpc_found found = {f->kind, f->r, f->set, f->size};
            bool from_a = f == &w->found[e];
            DPC_CHECK(dpc_sepsets_add(sepsets, from_a ? a : b, from_a ? b : a, &found));
            gone[e] = gone[back] = true;
            ++*removed;
        }
    dpc_sepsets_end(sepsets, NULL);
    return DPC_OK;
}

static dpc_status without(looking *w, const bool *gone, dpc_adjacency **left)
{
    const dpc_adjacency *g = w->graph;
    int32_t *degree = dpc_arena_zalloc(&w->arena, g->n, sizeof *degree);
    if (degree == NULL)
        return DPC_NO_MEMORY;
    for (int a = 0; a < g->n; a++)
        for (int64_t e = g->start[a]; e < g->start[a + 1]; e++)
            degree[a] += !gone[e];
    DPC_CHECK(dpc_adjacency_new(g->n, degree, left));
    int32_t *to = (*left)->node;
    for (int64_t e = 0; e < dpc_slots(g); e++)
        if (!gone[e])
            *to++ = g->node[e];
    return DPC_OK;
}

/* One more level. */
static dpc_status count(looking *w, int64_t removed, double seconds, dpc_info *info)
{
    dpc_level *levels = dpc_regrow(info->levels, (int64_t)info->n_levels + 1, sizeof *levels);
    int64_t tests = 0;
    if (levels == NULL)
        return DPC_NO_MEMORY;
    for (int i = 0; i < w->crew.threads; i++) {
        tests += w->searchers[i].tests;
        info->singular_tests += w->searchers[i].singular;
        info->pdsep_given_up += w->searchers[i].given_up;
    }
    info->levels = levels;
    info->tests += tests;
    levels[info->n_levels] = (dpc_level){.tests = tests,
                                         .removed = removed,
                                         .left = levels[info->n_levels - 1].left - removed,
                                         .seconds = seconds};
    info->n_levels++;
    return DPC_OK;
}

static dpc_status finish(looking *w, dpc_sepsets *sepsets, dpc_info *info, double seconds,
                         dpc_adjacency **left)
{
    int64_t removed = 0;
    bool *gone = dpc_arena_zalloc(&w->arena, dpc_slots(w->graph), sizeof *gone);
    if (gone == NULL)
        return DPC_NO_MEMORY;
    DPC_CHECK(record(w, info, sepsets, gone, &removed));
    DPC_CHECK(count(w, removed, seconds, info));
    return removed > 0 ? without(w, gone, left) : DPC_OK;
}

/* ---- The door ---- */

static dpc_status prepare(looking *w, dpc_error *err)
{
    const dpc_second_look *look = w->look;
    int64_t n = w->graph->n;
    bool fine = true;
    DPC_CHECK(dpc_critical_init(look->settings, look->view->n_obs, (int)n, &w->critical, err));
    dpc_crew_init(&w->crew, look->settings, DPC_STAGE_SKELETON);
    w->crew.limit = look->limit;
    w->searchers = dpc_arena_zalloc(&w->arena, w->crew.threads, sizeof *w->searchers);
    w->found = dpc_arena_zalloc(&w->arena, dpc_slots(w->graph), sizeof *w->found);
    for (int i = 0; w->searchers != NULL && i < w->crew.threads; i++) {
        searcher *by = &w->searchers[i];
        by->direct = (dpc_direct){.view = look->view};
        by->possible = dpc_arena_alloc(&w->arena, 2 * n, sizeof *by->possible);
        by->chosen = dpc_arena_alloc(&w->arena, n, sizeof *by->chosen);
        by->set = dpc_arena_alloc(&w->arena, n, sizeof *by->set);
        by->columns = dpc_arena_alloc(&w->arena, n, sizeof *by->columns);
        by->near = dpc_arena_zalloc(&w->arena, n, sizeof *by->near);
        fine = dpc_pds_walk_init(look->colliders, &by->walk) == DPC_OK && fine;
    }
    return fine && !dpc_arena_failed(&w->arena)
               ? DPC_OK
               : dpc_fail_memory(err, "the tests given Possible-D-SEP");
}

static void clear(looking *w)
{
    for (int i = 0; w->searchers != NULL && i < w->crew.threads; i++) {
        dpc_direct_clear(&w->searchers[i].direct);
        dpc_pds_walk_clear(&w->searchers[i].walk);
    }
    for (int64_t e = 0; w->found != NULL && e < dpc_slots(w->graph); e++)
        free(w->found[e].set);
    dpc_critical_clear(&w->critical);
    dpc_arena_clear(&w->arena);
}

dpc_status dpc_look_again(const dpc_second_look *look, dpc_sepsets *sepsets, dpc_info *info,
                          dpc_adjacency **left, dpc_error *err)
{
    looking w = {.look = look, .graph = look->colliders->graph};
    double start = dpc_seconds(), work = 1e6 * (double)w.graph->n;
    w.most = fmax(MOST_WORK / (double)(dpc_slots(w.graph) + 1), LEAST_WORK);
    dpc_status status = prepare(&w, err);
    *left = NULL;
    w.crew.progress.level = info->n_levels;
    bool whole = status == DPC_OK && dpc_crew_run(&w.crew, w.graph->n, work, look_from, &w);
    for (int i = 0; whole && i < w.crew.threads; i++)
        if (w.searchers[i].failed)
            status = dpc_fail_memory(err, "the tests given Possible-D-SEP");
    if (status == DPC_OK && !whole && !w.crew.late)
        status = dpc_fail_interrupted(err);
    if (status == DPC_OK && whole &&
        finish(&w, sepsets, info, dpc_seconds() - start, left) != DPC_OK)
        status = dpc_fail_memory(err, "the sets in Possible-D-SEP");
    clear(&w);
    return status;
}

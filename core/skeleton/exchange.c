/* What ranks send each other: see exchange.h. */
#include "exchange.h"

#include "alloc.h"
#include "status.h"

#include <string.h>

/* ---- Verdicts ---- */

/* What a rank sends: this, then the neighbourhoods that it knows more of, then its verdicts. */
typedef struct head {
    dpc_counts counts;
    int64_t n_learned, n_found;
} head;

/* Of a neighbourhood, by its place. */
typedef struct learned {
    int64_t at, condition;
} learned;

/* The subset follows. */
typedef struct finding {
    int64_t slot;
    double r;
    int32_t kind, unused;
} finding;

static int64_t finding_bytes(const dpc_verdicts *v)
{
    int64_t subset = v->stride * (int64_t)sizeof *v->subset;
    return (int64_t)sizeof(finding) + (subset + 7) / 8 * 8;
}

static int64_t count_neighbourhoods(const dpc_skeleton_search *search)
{
    return (int64_t)dpc_nodes(&search->problem.view) * dpc_n_limits(search->problem.known);
}

dpc_status dpc_common_keep(const dpc_skeleton_search *search, const dpc_verdicts *v,
                           dpc_arena *arena, dpc_common *common)
{
    int64_t slots = dpc_slots(search->graph), neighbourhoods = count_neighbourhoods(search);
    common->kind = dpc_arena_alloc(arena, slots, sizeof *common->kind);
    common->condition = dpc_arena_alloc(arena, neighbourhoods, sizeof *common->condition);
    if (common->kind == NULL || common->condition == NULL)
        return DPC_NO_MEMORY;
    memcpy(common->kind, v->kind, (size_t)slots * sizeof *v->kind);
    memcpy(common->condition, search->condition,
           (size_t)neighbourhoods * sizeof *search->condition);
    return DPC_OK;
}

/* What this rank has counted since the last time. */
static dpc_counts take_counts(dpc_skeleton_search *search)
{
    dpc_counts sum = {0};
    for (int i = 0; i < search->crew.threads; i++)
        dpc_counts_add(&sum, dpc_visitor_take_counts(search->visitors[i]));
    return sum;
}

/* How much this rank has to send. */
static head summarise(dpc_skeleton_search *search, const dpc_common *common, const dpc_verdicts *v)
{
    head h = {.counts = take_counts(search)};
    for (int64_t slot = 0; slot < dpc_slots(search->graph); slot++)
        h.n_found += v->kind[slot] != common->kind[slot];
    for (int64_t i = 0; i < count_neighbourhoods(search); i++)
        h.n_learned += search->condition[i] != common->condition[i];
    return h;
}

static char *append(char *to, const void *bytes, size_t size)
{
    memcpy(to, bytes, size);
    return to + size;
}

static void pack(const dpc_skeleton_search *search, const dpc_common *common, const dpc_verdicts *v,
                 const head *h, char *to)
{
    size_t subset = (size_t)v->stride * sizeof *v->subset;
    to = append(to, h, sizeof *h);
    for (int64_t i = 0; i < count_neighbourhoods(search); i++)
        if (search->condition[i] != common->condition[i]) {
            learned more = {i, search->condition[i]};
            to = append(to, &more, sizeof more);
        }
    for (int64_t slot = 0; slot < dpc_slots(search->graph); slot++)
        if (v->kind[slot] != common->kind[slot]) {
            finding f = {.slot = slot, .r = v->r[slot], .kind = v->kind[slot]};
            append(append(to, &f, sizeof f), v->subset + slot * v->stride, subset);
            to += finding_bytes(v);
        }
}

/* Takes in what another rank has packed. */
static void unpack(dpc_skeleton_search *search, const char *from, dpc_verdicts *v)
{
    head h;
    learned more;
    finding f;
    size_t subset = (size_t)v->stride * sizeof *v->subset;
    memcpy(&h, from, sizeof h);
    from += sizeof h;
    dpc_count(search, h.counts);
    atomic_fetch_add(&search->crew.tests, h.counts.tests);
    for (int64_t i = 0; i < h.n_learned; i++, from += sizeof more) {
        memcpy(&more, from, sizeof more);
        search->condition[more.at] = (uint8_t)more.condition;
    }
    for (int64_t i = 0; i < h.n_found; i++, from += finding_bytes(v)) {
        memcpy(&f, from, sizeof f);
        v->kind[f.slot] = (uint8_t)f.kind;
        v->r[f.slot] = f.r;
        memcpy(v->subset + f.slot * v->stride, from + sizeof f, subset);
    }
}

dpc_status dpc_exchange_verdicts(dpc_skeleton_search *search, const dpc_common *common, bool done,
                                 dpc_verdicts *v, dpc_error *err)
{
    const dpc_ranks *ranks = search->problem.settings->ranks;
    head h = summarise(search, common, v);
    int64_t size =
        (int64_t)sizeof h + h.n_learned * (int64_t)sizeof(learned) + h.n_found * finding_bytes(v);
    char *mine = dpc_zalloc(size, 1);
    dpc_exchange e = {.mine = mine, .size = size};
    if (mine == NULL)
        e.status = dpc_fail_memory(err, "a level of the search");
    else
        pack(search, common, v, &h, mine);
    if (!done)
        e.status = dpc_fail_interrupted(err);
    dpc_count(search, h.counts);
    dpc_status status = dpc_crew_exchange(&search->crew, &e, err);
    for (int rank = 0; rank < ranks->ranks && status == DPC_OK; rank++)
        if (rank != ranks->rank)
            unpack(search, e.all + e.at[rank], v);
    free(mine);
    dpc_exchange_clear(&e);
    return status;
}

/* ---- The rest ---- */

dpc_status dpc_exchange_workers(dpc_skeleton_search *search, dpc_error *err)
{
    const dpc_ranks *ranks = search->problem.settings->ranks;
    int threads = search->crew.threads;
    dpc_exchange e = {.mine = (const char *)&threads, .size = sizeof threads};
    search->workers = threads;
    if (ranks == NULL || ranks->ranks == 1)
        return DPC_OK;
    dpc_status status = dpc_crew_exchange(&search->crew, &e, err);
    search->workers = 0;
    for (int rank = 0; rank < ranks->ranks && status == DPC_OK; rank++) {
        memcpy(&threads, e.all + e.at[rank], sizeof threads);
        search->workers += threads;
    }
    dpc_exchange_clear(&e);
    return status;
}

static dpc_status spread(const dpc_skeleton_search *search, void *bytes, int64_t count, size_t size,
                         dpc_error *err)
{
    const dpc_ranks *ranks = search->problem.settings->ranks;
    return ranks->spread(ranks->context, bytes, count * (int64_t)size, err);
}

/* The lengths of the lists, one after the other, then their nodes. */
static dpc_status spread_graph(dpc_skeleton_search *search, dpc_error *err)
{
    int n = dpc_nodes(&search->problem.view);
    int32_t *degree = dpc_arena_alloc(&search->arena, n, sizeof *degree);
    if (degree == NULL)
        return dpc_fail_memory(err, "the first graph");
    for (int x = 0; search->graph != NULL && x < n; x++)
        degree[x] = dpc_degree(search->graph, x);
    DPC_CHECK(spread(search, degree, n, sizeof *degree, err));
    if (search->graph == NULL)
        DPC_CHECK(
            dpc_fail_as(err, dpc_adjacency_new(n, degree, &search->graph), "the first graph"));
    return spread(search, search->graph->node, dpc_slots(search->graph), sizeof(int32_t), err);
}

/* A search that directs edges weighs evidence, and reads P for that. */
static dpc_status spread_full_order(dpc_skeleton_search *search, dpc_error *err)
{
    dpc_sepsets *sets = search->sepsets;
    int64_t n = dpc_nodes(&search->problem.view), limits = dpc_n_limits(search->problem.known);
    bool directs = search->problem.settings->graph != DPC_SKELETON;
    uint8_t has[] = {sets->full_order != NULL, sets->precision != NULL && directs};
    DPC_CHECK(spread(search, has, sizeof has, 1, err));
    if (has[0] && sets->full_order == NULL)
        DPC_CHECK(dpc_fail_as(err, dpc_sepsets_start_full_order(sets, (int)limits),
                              "the full-order tests"));
    if (has[1] && sets->precision == NULL && (sets->precision = dpc_alloc_aligned(n * n)) == NULL)
        return dpc_fail_memory(err, "the inverse of the correlation matrix");
    if (has[0]) {
        DPC_CHECK(spread(search, sets->full_order, n * sets->words, sizeof *sets->full_order, err));
        DPC_CHECK(spread(search, sets->full_rows, limits, sizeof *sets->full_rows, err));
    }
    return has[1] ? spread(search, sets->precision, n * n, sizeof *sets->precision, err) : DPC_OK;
}

dpc_status dpc_spread_level_zero(dpc_skeleton_search *search, dpc_error *err)
{
    DPC_CHECK(spread_graph(search, err));
    return spread_full_order(search, err);
}

/*
 * What all chains share: see space.h and shared.h.
 */
#include "shared.h"

#include "sorted.h"

#include <math.h>

/* ---- The candidates ---- */

void dpc_candidate_sets_clear(dpc_candidate_sets *sets)
{
    free(sets->start);
    free(sets->node);
    *sets = (dpc_candidate_sets){0};
}

static int candidates_of(const dpc_space *s, int v, const int32_t **list)
{
    *list = s->sets.node + s->sets.start[v];
    return s->sets.start[v + 1] - s->sets.start[v];
}

static dpc_status copy_sets(dpc_space *s, const dpc_candidate_sets *sets)
{
    int n = sets->n, total = sets->start[n];
    s->sets = (dpc_candidate_sets){
        .n = n,
        .start = dpc_arena_alloc(&s->memory, n + 1, sizeof *s->sets.start),
        .node = dpc_arena_alloc(&s->memory, total, sizeof *s->sets.node),
    };
    s->candidates = dpc_arena_zalloc(&s->memory, n * s->words, sizeof *s->candidates);
    s->place = dpc_arena_alloc(&s->memory, (int64_t)n * n, sizeof *s->place);
    if (dpc_arena_failed(&s->memory))
        return DPC_NO_MEMORY;
    memcpy(s->sets.start, sets->start, ((size_t)n + 1) * sizeof *s->sets.start);
    memcpy(s->sets.node, sets->node, (size_t)total * sizeof *s->sets.node);
    memset(s->place, DPC_NO_PLACE, (size_t)n * (size_t)n);
    for (int v = 0; v < n; v++) {
        const int32_t *list;
        int k = candidates_of(s, v, &list);
        for (int i = 0; i < k; i++) {
            dpc_set_bit(s->candidates, s->words, v, list[i]);
            s->place[(int64_t)v * n + list[i]] = (uint8_t)i;
        }
    }
    return DPC_OK;
}

/* The bit of u among the candidates of v; 0: it is none. */
static uint32_t bit_of(const dpc_space *s, int v, int u)
{
    return dpc_bit_at(s->place[(int64_t)v * s->n + u]);
}

/* ---- Who is related to whom ---- */

/* The nodes that are related to v, by a row of bits; into `to`, which may be NULL. How many. */
static int64_t list_relations(const dpc_space *s, int v, dpc_relation *to)
{
    int64_t count = 0;
    for (int u = 0; u < s->n; u++) {
        dpc_relation r = {u, bit_of(s, v, u), bit_of(s, u, v)};
        if (r.mine == 0 && r.theirs == 0)
            continue;
        if (to != NULL)
            to[count] = r;
        count++;
    }
    return count;
}

static dpc_status relate(dpc_space *s)
{
    s->first = dpc_arena_alloc(&s->memory, s->n + 1, sizeof *s->first);
    s->neighbour = dpc_arena_alloc(&s->memory, s->n, sizeof *s->neighbour);
    if (dpc_arena_failed(&s->memory))
        return DPC_NO_MEMORY;
    s->first[0] = 0;
    for (int v = 0; v < s->n; v++)
        s->first[v + 1] = s->first[v] + list_relations(s, v, NULL);
    s->relation = dpc_arena_alloc(&s->memory, s->first[s->n], sizeof *s->relation);
    if (dpc_arena_failed(&s->memory))
        return DPC_NO_MEMORY;
    for (int v = 0; v < s->n; v++)
        list_relations(s, v, s->relation + s->first[v]);
    DPC_CHECK(dpc_picks_init(&s->first_node, &s->memory, s->n));
    for (int v = 0; v < s->n; v++)
        DPC_CHECK(
            dpc_picks_init(&s->neighbour[v], &s->memory, (int32_t)(s->first[v + 1] - s->first[v])));
    return DPC_OK;
}

/* ---- Which nodes make a block ---- */

/* How uncertain an edge from a candidate is, by its bit. */
static double doubt_of(const dpc_space *s, const double *probability, int v, uint32_t bit)
{
    if (bit == 0)
        return 0;
    double p = probability[s->sets.start[v] + __builtin_ctz(bit)];
    return p > 0 && p < 1 ? p * (1 - p) : 0;
}

dpc_status dpc_space_prefer(dpc_space *space, const double *probability)
{
    const double least_pair = 0.02, least_node = 0.1;
    dpc_arena memory = {0};
    double *node = dpc_arena_alloc(&memory, space->n, sizeof *node);
    double *pair = dpc_arena_alloc(&memory, space->n, sizeof *pair);
    int32_t *room = dpc_arena_alloc(&memory, space->n, sizeof *room);
    bool failed = dpc_arena_failed(&memory);
    for (int v = 0; v < space->n && !failed; v++) {
        const dpc_relation *relation = space->relation + space->first[v];
        int32_t count = space->neighbour[v].count;
        node[v] = least_node;
        for (int32_t i = 0; i < count; i++) {
            double doubt = probability == NULL ? 0
                                               : doubt_of(space, probability, v, relation[i].mine) +
                                                     doubt_of(space, probability, relation[i].node,
                                                              relation[i].theirs);
            node[v] += doubt;
            pair[i] = least_pair + doubt;
        }
        if (count > 0)
            dpc_picks_fill(&space->neighbour[v], pair, room);
    }
    if (!failed)
        dpc_picks_fill(&space->first_node, node, room);
    dpc_arena_clear(&memory);
    return failed ? DPC_NO_MEMORY : DPC_OK;
}

/* ---- The tables ---- */

double dpc_space_memory(int k)
{
    return dpc_set_table_memory(k) + sizeof(dpc_set_table);
}

typedef struct filling {
    dpc_space *space;
    const dpc_stats *stats;
    const dpc_constraints *known;
    const dpc_marginal *marginal;
    dpc_status *status; /* by node */
} filling;

static void fill_task(void *context, int64_t v, int worker)
{
    (void)worker;
    const filling *f = context;
    dpc_set_source source = {f->stats, f->marginal, .v = (int)v};
    source.k = candidates_of(f->space, (int)v, &source.candidate);
    for (int i = 0; i < source.k && f->known != NULL; i++)
        if (dpc_bit(f->known->required, f->known->words, source.candidate[i], (int)v))
            source.required |= UINT32_C(1) << i;
    f->status[v] = dpc_set_table_init(&f->space->table[v], &source);
}

static dpc_status fill_tables(filling *f, dpc_crew *crew)
{
    dpc_space *s = f->space;
    s->table = dpc_arena_zalloc(&s->memory, s->n, sizeof *s->table);
    f->status = dpc_arena_zalloc(&s->memory, s->n, sizeof *f->status);
    if (dpc_arena_failed(&s->memory))
        return DPC_NO_MEMORY;
    double work = 0;
    for (int v = 0; v < s->n; v++)
        work += ldexp(50, s->sets.start[v + 1] - s->sets.start[v]);
    if (!dpc_crew_run(crew, s->n, work, fill_task, f))
        return DPC_INTERRUPTED;
    for (int v = 0; v < s->n; v++)
        DPC_CHECK(f->status[v]);
    return DPC_OK;
}

static dpc_status fill(filling *f, const dpc_candidate_sets *sets, dpc_crew *crew)
{
    DPC_CHECK(copy_sets(f->space, sets));
    DPC_CHECK(relate(f->space));
    DPC_CHECK(fill_tables(f, crew));
    dpc_patterns_init(&f->space->patterns);
    return dpc_space_prefer(f->space, NULL);
}

dpc_status dpc_space_new(const dpc_stats *stats, const dpc_constraints *known,
                         const dpc_marginal *marginal, const dpc_candidate_sets *sets,
                         dpc_crew *crew, dpc_space **out, dpc_error *err)
{
    dpc_space *space = dpc_zalloc(1, sizeof *space);
    filling f = {space, stats, known, marginal, NULL};
    dpc_status status = DPC_NO_MEMORY;
    if (space != NULL) {
        space->n = sets->n;
        space->words = dpc_bit_words(sets->n);
        status = fill(&f, sets, crew);
    }
    if (status != DPC_OK) {
        dpc_space_free(space);
        return dpc_fail_as(err, status, "the tables of parent sets");
    }
    *out = space;
    return DPC_OK;
}

void dpc_space_free(dpc_space *space)
{
    if (space == NULL)
        return;
    for (int v = 0; v < space->n && space->table != NULL; v++)
        dpc_set_table_clear(&space->table[v]);
    dpc_arena_clear(&space->memory);
    free(space);
}

/* ---- Questions ---- */

const dpc_candidate_sets *dpc_space_candidates(const dpc_space *space)
{
    return &space->sets;
}

double dpc_space_score(const dpc_space *space, int v, uint32_t set)
{
    return space->table[v].score[set];
}

double dpc_space_sum(const dpc_space *space, int v, uint32_t set)
{
    return space->table[v].log_sum[set];
}

double dpc_space_least_variance(const dpc_space *space, int *v)
{
    int least = 0;
    for (int u = 1; u < space->n; u++)
        if (space->table[u].least < space->table[least].least)
            least = u;
    *v = least;
    return space->table[least].least;
}

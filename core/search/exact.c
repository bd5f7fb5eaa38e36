/*
 * Exact search: see exact.h.
 *
 * Products in the place of scores. With N rows, s(v, S) = -N/2 log σ²(v|S) - price |S| is highest
 * where
 *
 *     c(v, S) = σ²(v|S) q^|S|,    q = exp(2 price / N),
 *
 * is lowest, and the score of a DAG is highest where the product of these is lowest: no logarithms
 * are taken. A required parent costs the same in all DAGs, and is not paid for here. So no product
 * that matters is above 1, and none is below DPC_LEAST_LEFT to the power of n, which is 1e-280.
 *
 * All sets of the other nodes are gone through in the order of their labels (all_sets.h). So a set
 * has the same score as in a family (family.h) that takes its parents in that order.
 *
 * A set is a word of n bits, in which node v is bit n-1-v; in the table of v its own bit is left
 * out. So the half of a table that has u1 follows the half that has not. When both are there, the
 * second takes over what is lower in the first: then the table has, for every set, the lowest c of
 * all sets within it.
 *
 * Blocks of columns are gone through in the same way (exact_blocks.c); σ² is what a family of
 * blocks says of v then, and N what stands for it (block_family.h).
 *
 * Ties. The numbers in the tables are the lowest; what is chosen at the end, n times a last node
 * and up to n times its parents, may be higher by a 2n-th of the slack each time. So rounding does
 * not choose, and all choices together cost no more than the slack.
 */
#include "exact.h"

#include "all_sets.h"
#include "exact_blocks.h"

#include <math.h>
#include <string.h>

typedef struct exact {
    dpc_workers *workers;
    const dpc_vector *vector;
    int n;
    double *r;                        /* n × n, by labels */
    double *table[DPC_MOST_EXACT];    /* by v: of 2^(n-1) sets, the lowest c within each */
    double *whole;                    /* of 2^n sets: the lowest product of a DAG over each */
    double power[DPC_MOST_EXACT + 1]; /* q^i */
    double *room;                     /* by worker */
    int64_t room_size;                /* … */
    int32_t *columns;                 /* of blocks: by worker */
    dpc_arena memory;                 /* of the arrays */
} exact;

/* ---- All sets of parents of a node ---- */

/* The tree of all sets for one v. */
typedef struct tree {
    const exact *exact;
    int worker;
    double *room; /* of the worker */
    dpc_parent_role
        role[DPC_MOST_EXACT]; /* of the other nodes, the first at [n-1], the last at [1] */
    int most;                 /* parents to be paid for */
} tree;

/* A branch of it. */
typedef struct branch {
    dpc_given given;
    int paid; /* parents in S that are not required */
} branch;

/* The first open node is passed over. */
static void leave_out(const branch *b, branch *after)
{
    dpc_given_without(&b->given, &after->given);
    after->paid = b->paid;
}

/* The first open node is taken into S. */
static void take_in(const tree *t, const branch *b, branch *after)
{
    dpc_given_with(&b->given, t->exact->vector, t->room, &after->given);
    after->paid = b->paid + (t->role[b->given.open] == DPC_PARENT_FREE);
}

/* May it be taken in, if it need not? */
static bool is_welcome(const tree *t, const branch *b)
{
    return t->role[b->given.open] == DPC_PARENT_FREE && b->paid < t->most &&
           !dpc_given_determines(&b->given);
}

/* fmin for numbers: a single instruction. */
static double lower(double a, double b)
{
    return a < b ? a : b;
}

static double cost_of(const tree *t, double var, int paid)
{
    return (var > DPC_LEAST_LEFT ? var : DPC_LEAST_LEFT) * t->exact->power[paid];
}

static void fill(const tree *t, const branch *b, double *table);

/* The first open node must be in S; determined by the others, it changes nothing. */
static void fill_required(const tree *t, const branch *b, double *table)
{
    int64_t half = INT64_C(1) << (b->given.open - 1);
    branch after;
    if (dpc_given_determines(&b->given))
        leave_out(b, &after);
    else
        take_in(t, b, &after);
    for (int64_t i = 0; i < half; i++)
        table[i] = INFINITY;
    fill(t, &after, table + half);
}

/* The sets without the first open node, and those that may have it. */
static void fill_both(const tree *t, const branch *b, double *table)
{
    int64_t half = INT64_C(1) << (b->given.open - 1);
    branch after;
    leave_out(b, &after);
    fill(t, &after, table);
    if (!is_welcome(t, b)) {
        memcpy(table + half, table, (size_t)half * sizeof *table);
        return;
    }
    take_in(t, b, &after);
    fill(t, &after, table + half);
    for (int64_t i = 0; i < half; i++)
        table[half + i] = lower(table[half + i], table[i]);
}

/* The same where no other one is open, as at half of all branches. */
static void fill_last(const tree *t, const branch *b, double *table)
{
    table[0] = table[1] = cost_of(t, b->given.var[1], b->paid);
    if (!is_welcome(t, b))
        return;
    double left = dpc_given_last(&b->given, t->exact->vector);
    table[1] = lower(cost_of(t, left, b->paid + 1), table[0]);
}

/* The lowest c of all sets that a branch leads to, within each of 2^open. */
static void fill(const tree *t, const branch *b, double *table)
{
    enum { PATIENCE = 12 };
    if (b->given.open == PATIENCE && dpc_workers_halted(t->exact->workers, t->worker))
        return;
    if (b->given.open == 0)
        table[0] = cost_of(t, b->given.var[0], b->paid);
    else if (t->role[b->given.open] == DPC_PARENT_REQUIRED)
        fill_required(t, b, table);
    else if (b->given.open == 1)
        fill_last(t, b, table);
    else
        fill_both(t, b, table);
}

/* Of blocks; 0: all nodes are scalars. */
static int columns_of(const exact *e)
{
    const dpc_blocks *blocks = e->workers->scoring->stats.view.blocks;
    return blocks != NULL ? blocks->m : 0;
}

/* The roles of the others; how many parents there may be. */
static tree tree_of(const exact *e, int v, int worker)
{
    const dpc_scoring *scoring = e->workers->scoring;
    tree t = {.exact = e, .worker = worker, .room = e->room + worker * e->room_size};
    int open = e->n - 1, required = 0;
    for (int u = 0; u < e->n; u++) {
        if (u == v)
            continue;
        bool must = dpc_required_parent(scoring, u, v);
        required += must;
        t.role[open--] = must                               ? DPC_PARENT_REQUIRED
                         : dpc_may_be_parent(scoring, u, v) ? DPC_PARENT_FREE
                                                            : DPC_PARENT_FORBIDDEN;
    }
    t.most = scoring->most_parents > required ? scoring->most_parents - required : 0;
    return t;
}

/* The others and v given nothing. */
static branch start_of(const exact *e, int v, double *room)
{
    int open = e->n - 1, stride = e->n;
    double *var = room + dpc_given_room(open), *growth = var + stride, *cov = growth + stride;
    for (int i = 0; i <= open; i++)
        var[i] = growth[i] = 1;
    for (int i = 0; i < open; i++) {
        const double *row = e->r + (i + (i >= v)) * e->n;
        for (int j = i + 1; j < open; j++)
            cov[i * stride + j] = row[j + (j >= v)];
        cov[i * stride + open] = row[v];
    }
    return (branch){{cov, var, growth, stride, open}, 0};
}

/* The same of blocks. */
static void fill_blocks(const tree *t, int v)
{
    const exact *e = t->exact;
    const dpc_block_tree blocks = {.workers = e->workers,
                                   .worker = t->worker,
                                   .role = t->role,
                                   .most = t->most,
                                   .power = e->power,
                                   .room = t->room,
                                   .columns = e->columns + (int64_t)t->worker * columns_of(e)};
    dpc_block_tree_fill(&blocks, v, e->table[v]);
}

static void fill_task(void *context, int64_t v, int worker)
{
    const exact *e = context;
    tree t = tree_of(e, (int)v, worker);
    if (columns_of(e) > 0) {
        fill_blocks(&t, (int)v);
        return;
    }
    branch start = start_of(e, (int)v, t.room);
    fill(&t, &start, e->table[v]);
}

/* ---- The best DAG over every set ---- */

static uint32_t bit_of(const exact *e, int v)
{
    return UINT32_C(1) << (e->n - 1 - v);
}

/* Where a set without v is in the table of v. */
static uint32_t place_of(uint32_t set, uint32_t bit)
{
    return (set & (bit - 1)) | (set >> 1 & ~(bit - 1));
}

/* The lowest product of a DAG over the set in which v comes last. */
static double with_last(const exact *e, uint32_t set, int v)
{
    uint32_t bit = bit_of(e, v), before = set & ~bit;
    return e->whole[before] * e->table[v][place_of(before, bit)];
}

/* False: it is time to end. */
static bool fill_whole(const exact *e)
{
    enum { PATIENCE = 1 << 14 };
    uint32_t sets = UINT32_C(1) << e->n;
    e->whole[0] = 1;
    for (uint32_t set = 1; set < sets; set++) {
        double lowest = INFINITY;
        for (uint32_t left = set; left != 0; left &= left - 1)
            lowest = lower(lowest, with_last(e, set, e->n - 1 - __builtin_ctz(left)));
        e->whole[set] = lowest;
        if (set % PATIENCE == 0 && dpc_workers_halted(e->workers, 0))
            return false;
    }
    return true;
}

/* ---- The DAG ---- */

/* How much higher a product may be, and still count as the lowest. */
static double tie_of(const exact *e)
{
    const dpc_scoring *s = e->workers->scoring;
    return exp(2 * (s->slack / (2 * e->n)) / s->weight);
}

/* The one that comes last in a set; of several the last by its label. */
static int last_of(const exact *e, uint32_t set)
{
    int v = e->n - 1;
    double limit = e->whole[set] * tie_of(e);
    while ((set & bit_of(e, v)) == 0 || !(with_last(e, set, v) <= limit))
        v--;
    return v;
}

/* The parents of v within a set: who can be spared is, the last by its label first. */
static uint32_t parents_of(const exact *e, int v, uint32_t set)
{
    uint32_t bit = bit_of(e, v);
    double limit = e->table[v][place_of(set, bit)] * tie_of(e);
    for (int u = e->n - 1; u >= 0; u--)
        if (e->table[v][place_of(set & ~bit_of(e, u), bit)] <= limit)
            set &= ~bit_of(e, u);
    return set;
}

static dpc_status make_dag(const exact *e, dpc_families *dag)
{
    uint32_t set = (UINT32_C(1) << e->n) - 1;
    dpc_families_empty(dag);
    while (set != 0) {
        int v = last_of(e, set);
        set &= ~bit_of(e, v);
        uint32_t parents = parents_of(e, v, set);
        for (int u = 0; u < e->n; u++)
            if ((parents & bit_of(e, u)) != 0)
                DPC_CHECK(dpc_families_add(dag, u, v));
    }
    return DPC_OK;
}

/* ---- All of it ---- */

double dpc_exact_memory(int n)
{
    return ldexp(n + 2, n - 1) * sizeof(double);
}

static dpc_status exact_init(exact *e)
{
    const dpc_scoring *scoring = e->workers->scoring;
    const dpc_view *view = &scoring->stats.view;
    int n = e->n, threads = e->workers->crew->threads;
    int64_t sets = INT64_C(1) << n;
    e->r = dpc_arena_alloc(&e->memory, n * n, sizeof *e->r);
    e->room_size = columns_of(e) > 0 ? dpc_block_tree_room(&scoring->stats) : dpc_given_room(n);
    e->room = dpc_arena_alloc(&e->memory, threads * e->room_size, sizeof *e->room);
    e->columns = dpc_arena_alloc(&e->memory, threads * columns_of(e), sizeof *e->columns);
    e->whole = dpc_arena_aligned(&e->memory, sets);
    for (int v = 0; v < n; v++)
        e->table[v] = dpc_arena_aligned(&e->memory, sets / 2);
    if (dpc_arena_failed(&e->memory))
        return DPC_NO_MEMORY;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            e->r[i * n + j] = dpc_r(view, i, j);
    for (int i = 0; i <= n; i++)
        e->power[i] = exp(2 * scoring->price * i / scoring->weight);
    return DPC_OK;
}

static dpc_status search(exact *e, dpc_families *dag, bool *done)
{
    DPC_CHECK(exact_init(e));
    double work = ldexp(20 * e->n, e->n - 1);
    *done = dpc_crew_run(e->workers->crew, e->n, work, fill_task, e) && fill_whole(e);
    return *done ? make_dag(e, dag) : DPC_OK;
}

dpc_status dpc_search_exact(dpc_workers *workers, dpc_families *dag, bool *done)
{
    exact e = {.workers = workers, .vector = dpc_vector_best(), .n = dag->n};
    dpc_status status = search(&e, dag, done);
    dpc_arena_clear(&e.memory);
    return status;
}

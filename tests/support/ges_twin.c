/* The slow twin of the greedy equivalence search: see ges_twin.h. */
#include "ges_twin.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* parents[v]: a bit for each parent of v */
struct dag {
    unsigned parents[GREEDY_MAX];
};

struct search {
    int n;
    const dpc_knowledge *knowledge;                 /* or NULL */
    long double local[GREEDY_MAX][1 << GREEDY_MAX]; /* by node and set of parents */
    struct dag now;
    long double score;
};

/* ---- Scores ---- */

long double greedy_local(const dpc_correlation *c, double penalty, int v, const int32_t *parents,
                         int count)
{
    int n = c->n_vars;
    long double *l = calloc((size_t)(count + 1) * (size_t)(count + 1), sizeof *l), left = 1;
    if (l == NULL)
        abort();
    for (int i = 0; i <= count; i++) {
        int x = i < count ? parents[i] : v;
        left = 1;
        for (int j = 0; j < i; j++) {
            long double value = c->r[(int64_t)x * n + parents[j]];
            for (int k = 0; k < j; k++)
                value -= l[i * (count + 1) + k] * l[j * (count + 1) + k];
            l[i * (count + 1) + j] = value / l[j * (count + 1) + j];
            left -= l[i * (count + 1) + j] * l[i * (count + 1) + j];
        }
        l[i * (count + 1) + i] = sqrtl(left);
    }
    free(l);
    long double n_obs = (long double)c->n_obs;
    return -n_obs / 2 * (1 + logl(left)) - penalty * logl(n_obs) * (1 + count);
}

static void fill_scores(struct search *s, const dpc_correlation *c, double penalty)
{
    for (int v = 0; v < s->n; v++)
        for (unsigned set = 0; set < 1u << s->n; set++) {
            int32_t list[GREEDY_MAX];
            int count = 0;
            for (int x = 0; x < s->n; x++)
                if (set >> x & 1)
                    list[count++] = x;
            if (!(set >> v & 1))
                s->local[v][set] = greedy_local(c, penalty, v, list, count);
        }
}

static long double score_of(const struct search *s, const struct dag *dag)
{
    long double sum = 0;
    for (int v = 0; v < s->n; v++)
        sum += s->local[v][dag->parents[v]];
    return sum;
}

/* ---- DAGs and their classes ---- */

static bool acyclic(const struct dag *dag, int n)
{
    unsigned done = 0;
    for (int round = 0; round < n; round++)
        for (int v = 0; v < n; v++)
            if ((dag->parents[v] & ~done) == 0)
                done |= 1u << v;
    return done == (1u << n) - 1;
}

static bool joined(const struct dag *dag, int a, int b)
{
    return (dag->parents[a] >> b & 1) || (dag->parents[b] >> a & 1);
}

static bool collider(const struct dag *dag, int a, int y, int b)
{
    return (dag->parents[y] >> a & 1) && (dag->parents[y] >> b & 1) && !joined(dag, a, b);
}

/* Two DAGs with the same skeleton: have they the same v-structures? */
static bool equivalent(const struct dag *p, const struct dag *q, int n)
{
    for (int y = 0; y < n; y++)
        for (int a = 0; a < n; a++)
            for (int b = 0; b < a; b++)
                if (collider(p, a, y, b) != collider(q, a, y, b))
                    return false;
    return true;
}

typedef void on_dag(struct search *s, const struct dag *dag, void *context);

/* Calls for every DAG of the class of one. */
static void each_member(struct search *s, const struct dag *one, on_dag *call, void *context)
{
    int a[GREEDY_MAX * GREEDY_MAX], b[GREEDY_MAX * GREEDY_MAX], edges = 0;
    for (int x = 0; x < s->n; x++)
        for (int y = 0; y < x; y++)
            if (joined(one, x, y)) {
                a[edges] = x;
                b[edges++] = y;
            }
    for (unsigned way = 0; way < 1u << edges; way++) {
        struct dag dag = {{0}};
        for (int e = 0; e < edges; e++)
            if (way >> e & 1)
                dag.parents[a[e]] |= 1u << b[e];
            else
                dag.parents[b[e]] |= 1u << a[e];
        if (acyclic(&dag, s->n) && equivalent(&dag, one, s->n))
            call(s, &dag, context);
    }
}

/* ---- Knowledge ---- */

static bool respects(const struct search *s, const struct dag *dag)
{
    for (int a = 0; a < s->n; a++)
        for (int b = 0; b < s->n; b++) {
            bool arrow = dag->parents[b] >> a & 1;
            if (s->knowledge != NULL && a != b &&
                ((arrow && dpc_knowledge_forbids(s->knowledge, a, b)) ||
                 (!arrow && dpc_knowledge_requires(s->knowledge, a, b))))
                return false;
        }
    return true;
}

static void look_at_member(struct search *s, const struct dag *dag, void *context)
{
    bool *found = context;
    *found = *found || respects(s, dag);
}

/* Has the class of the DAG a member that respects the knowledge? */
static bool is_good(struct search *s, const struct dag *dag)
{
    bool found = s->knowledge == NULL;
    if (!found)
        each_member(s, dag, look_at_member, &found);
    return found;
}

static bool is_required(const struct search *s, int u, int v)
{
    const dpc_knowledge *k = s->knowledge;
    return k != NULL && (dpc_knowledge_requires(k, u, v) || dpc_knowledge_requires(k, v, u));
}

/* ---- Steps ---- */

struct best {
    dpc_phase phase;
    bool found;
    struct dag dag;
    long double score;
};

static void try_pair(struct search *s, const struct dag *from, int u, int v, struct best *best)
{
    struct dag to = *from;
    if (best->phase == DPC_DELETE && is_required(s, u, v))
        return;
    if (best->phase == DPC_INSERT && !joined(from, u, v)) {
        to.parents[v] |= 1u << u;
    } else if (best->phase == DPC_DELETE && (from->parents[v] >> u & 1)) {
        to.parents[v] &= ~(1u << u);
    } else if (best->phase == DPC_TURN && (from->parents[u] >> v & 1)) {
        to.parents[u] &= ~(1u << v);
        to.parents[v] |= 1u << u;
        if (equivalent(&to, from, s->n))
            return;
    } else {
        return;
    }
    if (!acyclic(&to, s->n))
        return;
    long double score = score_of(s, &to);
    if ((!best->found || score > best->score) && score > s->score && is_good(s, &to)) {
        best->found = true;
        best->dag = to;
        best->score = score;
    }
}

static void try_all(struct search *s, const struct dag *dag, void *context)
{
    for (int u = 0; u < s->n; u++)
        for (int v = 0; v < s->n; v++)
            if (u != v)
                try_pair(s, dag, u, v, context);
}

/* ---- The search ---- */

static void mark_member(struct search *s, const struct dag *dag, void *context)
{
    struct greedy_twin *twin = context;
    if (!respects(s, dag))
        return;
    for (int x = 0; x < s->n; x++)
        for (int y = 0; y < s->n; y++) {
            if (x == y || !joined(dag, x, y))
                continue;
            dpc_mark mark = dag->parents[y] >> x & 1 ? DPC_FORWARD : DPC_BACKWARD;
            dpc_mark *seen = &twin->mark[x][y];
            *seen = *seen == DPC_NONE || *seen == mark ? mark : DPC_UNDIRECTED;
        }
}

void greedy_search(const dpc_correlation *c, double penalty, const dpc_knowledge *knowledge,
                   struct greedy_twin *twin)
{
    struct search s = {.n = c->n_vars, .knowledge = knowledge};
    for (int v = 0; v < s.n && knowledge != NULL; v++)
        for (int u = 0; u < s.n; u++)
            s.now.parents[v] |= (unsigned)dpc_knowledge_requires(knowledge, u, v) << u;
    *twin = (struct greedy_twin){.n = s.n, .least_gain = INFINITY};
    fill_scores(&s, c, penalty);
    s.score = score_of(&s, &s.now);
    for (bool changed = true; changed;) {
        changed = false;
        for (int phase = 0; phase < DPC_N_PHASES; phase++)
            for (;;) {
                struct best best = {.phase = (dpc_phase)phase};
                each_member(&s, &s.now, try_all, &best);
                if (!best.found || !(best.score > s.score + 1e-9L))
                    break;
                twin->least_gain = fmin(twin->least_gain, (double)(best.score - s.score));
                s.now = best.dag;
                s.score = best.score;
                twin->steps[phase]++;
                changed = true;
            }
    }
    each_member(&s, &s.now, mark_member, twin);
    twin->score = (double)s.score;
}

void greedy_twin_check(int number, const dpc_result *result, const struct greedy_twin *twin)
{
    const dpc_info *info = dpc_result_info(result);
    assert_int_equal(info->n_levels, 0);
    for (int phase = 0; phase < DPC_N_PHASES; phase++)
        if (info->steps[phase] != twin->steps[phase])
            fail_msg("case %d: %lld steps in phase %d, the twin makes %lld", number,
                     (long long)info->steps[phase], phase, (long long)twin->steps[phase]);
    if (!(fabs(info->score - twin->score) <= 1e-9 * (1 + fabs(twin->score))))
        fail_msg("case %d: score %.12g, the twin has %.12g", number, info->score, twin->score);
    for (int a = 0; a < twin->n; a++)
        for (int b = 0; b < twin->n; b++) {
            dpc_mark seen =
                a != b ? dpc_graph_mark(dpc_result_graph(result), a, b) : twin->mark[a][b];
            if (seen != twin->mark[a][b])
                fail_msg("case %d: the edge %d, %d is %d, the twin has %d", number, a, b, (int)seen,
                         (int)twin->mark[a][b]);
        }
}

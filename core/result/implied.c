/* The independencies that a DAG implies, held against the data: see implied.h. */
#include "implied.h"

#include "alloc.h"
#include "rows.h"

#include <math.h>
#include <string.h>

/*
 * A family keeps three rows for each parent. Rows over all columns are the fastest; where they
 * would take too much room, the columns come in parts of so many.
 */
enum { PART = 1024 };

typedef struct looking {
    const dpc_ordered *dag;
    dpc_crew *crew;
    double *variance;
    dpc_implied_worker *states;
} looking;

int dpc_ordered_parents(const dpc_ordered *dag, int v, int32_t *parents)
{
    const int32_t *near = dpc_neighbours(dag->graph, v);
    int degree = dpc_degree(dag->graph, v), count = 0;
    for (int i = 0; i < degree; i++)
        if (dag->when[near[i]] > dag->when[v])
            parents[count++] = near[i];
    return count;
}

/* ---- The largest ---- */

static bool larger(const dpc_contradiction *a, const dpc_contradiction *b)
{
    if (a->z != b->z)
        return a->z > b->z;
    return a->v != b->v ? a->v < b->v : a->u < b->u;
}

void dpc_implied_keep(dpc_implied_counts *c, dpc_contradiction found)
{
    int at = c->n_largest < DPC_MOST_IMPLIED ? c->n_largest++ : DPC_MOST_IMPLIED;
    for (; at > 0 && larger(&found, &c->largest[at - 1]); at--)
        if (at < DPC_MOST_IMPLIED)
            c->largest[at] = c->largest[at - 1];
    if (at < DPC_MOST_IMPLIED)
        c->largest[at] = found;
}

/* ---- One node ---- */

/* What a test given k variables measures by. */
typedef struct gauge {
    double critical, root; /* NaN: it cannot be made */
} gauge;

static gauge gauge_of(const dpc_ordered *dag, int64_t n_obs, int k)
{
    if (!dpc_testable(n_obs, k))
        return (gauge){NAN, NAN};
    return (gauge){dpc_critical_at(&dag->critical, false, n_obs, k), sqrt((double)(n_obs - k - 3))};
}

/* The same of the pair u, v, by its own N where cells are missing. */
static gauge gauge_of_pair(const dpc_implied_worker *l, const dpc_ordered *dag, int u, int v, int k)
{
    const dpc_labels *labels = dag->view.labels;
    return gauge_of(
        dag,
        dpc_test_rows(&dag->view, dpc_column_of(labels, u), dpc_column_of(labels, v), l->given, k),
        k);
}

/* Can any pair be tested given k? Where every pair has an N of its own, each is asked. */
static bool testable(const dpc_ordered *dag, int k)
{
    return !dpc_view_can(&dag->view, DPC_ONE_N) || dpc_testable(dag->view.n_obs, k);
}

double dpc_implied_last(const dpc_implied_counts *c, const dpc_ordered *dag, int k)
{
    bool full = c->n_largest == DPC_MOST_IMPLIED;
    double root = gauge_of(dag, dag->view.n_obs, k).root;
    return full ? tanh(c->largest[DPC_MOST_IMPLIED - 1].z / root) : 0;
}

double dpc_implied_least(const dpc_implied_counts *c, const dpc_ordered *dag, int k)
{
    return fmin(dag->critical.primal[k], dpc_implied_last(c, dag, k));
}

static void count_by(dpc_implied_counts *c, gauge by, int v, int u, double square, double t)
{
    double r = copysign(sqrt(square), t);
    c->untested += isnan(square);
    c->exceed += sqrt(square) > by.critical;
    dpc_contradiction found = {r, by.root * atanh(fabs(r)), NAN, u, v};
    if (!isnan(square) &&
        (c->n_largest < DPC_MOST_IMPLIED || larger(&found, &c->largest[DPC_MOST_IMPLIED - 1])))
        dpc_implied_keep(c, found);
}

void dpc_implied_count(dpc_implied_counts *c, const dpc_ordered *dag, int k, int v, int u,
                       double square, double t)
{
    count_by(c, gauge_of(dag, dag->view.n_obs, k), v, u, square, t);
}

/* Looks at the pairs of v with the nodes at some places; `label` has these, or NULL: columns. */
static void look(dpc_implied_worker *l, const dpc_ordered *dag, int k, const int32_t *label,
                 int first, int count)
{
    const dpc_family *s = &l->family;
    const dpc_family_level *level = dpc_family_now(s);
    const double *t = level->t + first, *var = level->var + first;
    bool own =
        !dpc_stats_can(&s->stats, DPC_ONE_N); /* N differs: then all pairs are worth a look */
    double least = own ? 0 : dpc_implied_least(&l->counts, dag, k);
    double limit = own ? -1 : least * least * (1 - 1e-12) * dpc_family_variance(s, s->v);
    double noise = level->noise;
    uint8_t *flag = l->flag;
    for (int i = 0; i < count; i++)
        flag[i] = (uint8_t)((t[i] * t[i] > limit * var[i]) | !(var[i] >= noise));
    for (int i = 0; i < count; i++) {
        if (!flag[i])
            continue;
        int u = label != NULL ? label[i] : dpc_label_of(dag->view.labels, first + i);
        if (dag->when[u] <= dag->when[s->v] || l->near[u])
            continue;
        gauge by = own ? gauge_of_pair(l, dag, u, s->v, k) : gauge_of(dag, dag->view.n_obs, k);
        count_by(&l->counts, by, s->v, u, isnan(by.root) ? NAN : dpc_family_square(s, u), t[i]);
    }
}

/* v and its k parents, the first of the list, over these and others behind them; NULL: over all
 * nodes. Parents that the others determine add nothing. */
static void start_family(dpc_implied_worker *l, int v, const int32_t *nodes, int count, int k)
{
    l->status = dpc_family_start(&l->family, v, nodes, count);
    if (l->status == DPC_OK)
        l->status = dpc_family_push_all(&l->family, l->list, k);
}

void dpc_implied_by_parts(dpc_implied_worker *l, const dpc_ordered *dag, dpc_crew *crew, int v,
                          int k, int worker)
{
    int count = 0;
    dpc_set_near(dag->graph, v, true, l->near);
    for (int u = 0; u < dag->view.n; u++)
        if (dag->when[u] > dag->when[v] && !l->near[u])
            l->others[count++] = u;
    for (int from = 0; from < count && !dpc_crew_stopped(crew, worker); from += PART) {
        int width = count - from < PART ? count - from : PART;
        memcpy(l->list + k, l->others + from, (size_t)width * sizeof *l->list);
        start_family(l, v, l->list, k + width, k);
        if (l->status != DPC_OK)
            break;
        look(l, dag, k, l->list + k, 1 + k, width);
    }
    dpc_set_near(dag->graph, v, false, l->near);
}

/* The family of v and its parents is made: over all columns, or over the parents alone. */
static bool start(dpc_implied_worker *l, const dpc_ordered *dag, int v, int k, bool whole,
                  double *variance)
{
    int64_t pairs = dag->view.n - 1 - dag->when[v] - k;
    start_family(l, v, whole ? NULL : l->list, k, k);
    if (l->status != DPC_OK)
        return false;
    bool determined = dpc_family_determines(&l->family, v);
    variance[v] = determined ? NAN : dpc_family_variance(&l->family, v);
    l->counts.implied += pairs;
    if (determined || !testable(dag, k))
        l->counts.untested += pairs;
    return !determined && testable(dag, k);
}

bool dpc_implied_start(dpc_implied_worker *l, const dpc_ordered *dag, int v, int k,
                       double *variance)
{
    return start(l, dag, v, k, false, variance);
}

static void look_at_node(void *context, int64_t node, int worker)
{
    const looking *job = context;
    const dpc_ordered *dag = job->dag;
    dpc_implied_worker *l = &job->states[worker];
    int v = (int)node, n = dag->view.n;
    if (l->status != DPC_OK)
        return;
    int k = dpc_ordered_parents(dag, v, l->list);
    bool whole = testable(dag, k) && 3. * (k + 1) * n <= dag->most_room;
    dpc_columns_of(&dag->view, l->list, k, l->given);
    if (!start(l, dag, v, k, whole, job->variance))
        return;
    if (!whole) {
        dpc_implied_by_parts(l, dag, job->crew, v, k, worker);
        return;
    }
    dpc_set_near(dag->graph, v, true, l->near);
    look(l, dag, k, NULL, 0, n);
    dpc_set_near(dag->graph, v, false, l->near);
}

/* ---- All of them ---- */

static dpc_status state_init(dpc_implied_worker *l, const dpc_view *view)
{
    int64_t n = view->n;
    const dpc_stats stats = dpc_stats_of(view);
    l->near = dpc_arena_zalloc(&l->memory, n, sizeof *l->near);
    l->flag = dpc_arena_alloc(&l->memory, n > PART ? n : PART, sizeof *l->flag);
    l->list = dpc_arena_alloc(&l->memory, 2 * n, sizeof *l->list);
    l->others = dpc_arena_alloc(&l->memory, n, sizeof *l->others);
    l->given = dpc_arena_alloc(&l->memory, n, sizeof *l->given);
    l->status = dpc_family_init(&l->family, &stats, DPC_NOISE_CAREFUL);
    return dpc_arena_failed(&l->memory) ? DPC_NO_MEMORY : l->status;
}

static void state_clear(dpc_implied_worker *l)
{
    dpc_family_clear(&l->family);
    dpc_arena_clear(&l->memory);
}

void dpc_implied_add(dpc_implied_counts *to, const dpc_implied_counts *from)
{
    to->implied += from->implied;
    to->untested += from->untested;
    to->exceed += from->exceed;
    for (int i = 0; i < from->n_largest; i++)
        dpc_implied_keep(to, from->largest[i]);
}

dpc_status dpc_look_at_implied(const dpc_ordered *dag, dpc_crew *crew, double *variance,
                               dpc_implied_counts *out)
{
    double n = dag->view.n;
    looking job = {dag, crew, variance, dpc_zalloc(crew->threads, sizeof *job.states)};
    dpc_status status = job.states != NULL ? DPC_OK : DPC_NO_MEMORY;
    int made = 0;
    while (status == DPC_OK && made < crew->threads)
        status = state_init(&job.states[made++], &dag->view);
    if (status == DPC_OK && dpc_view_can(&dag->view, DPC_CAN_SCREEN))
        status = dpc_implied_tiles(dag, crew, job.states, variance);
    else if (status == DPC_OK && !dpc_crew_run(crew, dag->view.n, 8 * n * n, look_at_node, &job))
        status = DPC_INTERRUPTED;
    *out = (dpc_implied_counts){0};
    for (int i = 0; i < made; i++) {
        if (job.states[i].status != DPC_OK)
            status = DPC_NO_MEMORY;
        dpc_implied_add(out, &job.states[i].counts);
        state_clear(&job.states[i]);
    }
    free(job.states);
    return status;
}

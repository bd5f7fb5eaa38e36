/* The independencies that a DAG implies, held against the data: see implied.h. */
#include "implied.h"

#include "ges_sweep.h"
#include "memory.h"
#include "rows.h"

#include <math.h>
#include <string.h>

/*
 * A sweep keeps three rows for each parent. Rows over all columns are the fastest; where they would
 * take too much room, the columns come in parts of so many.
 */
enum { PART = 1024 };

/* One per worker. */
typedef struct looker {
    dpc_sweep sweep;
    bool *near;      /* by node: v or a neighbour of it; false between tasks; owned */
    uint8_t *flag;   /* by place: worth a look; owned */
    int32_t *list;   /* parents, then other nodes; 2 n; owned */
    int32_t *others; /* n; owned */
    int32_t *given;  /* the parents as columns; n; owned */
    dpc_implied_counts counts;
    dpc_status status;
} looker;

typedef struct looking {
    const dpc_ordered *dag;
    dpc_crew *crew;
    double *variance;
    looker *lookers;
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

static void keep(dpc_implied_counts *c, dpc_contradiction found)
{
    int at = c->n_largest < DPC_MOST_IMPLIED ? c->n_largest++ : DPC_MOST_IMPLIED;
    for (; at > 0 && larger(&found, &c->largest[at - 1]); at--)
        if (at < DPC_MOST_IMPLIED)
            c->largest[at] = c->largest[at - 1];
    if (at < DPC_MOST_IMPLIED)
        c->largest[at] = found;
}

/* ---- One node ---- */

/* r² from which on a pair is counted, or may be among the largest. */
static double least_square(const dpc_implied_counts *c, double critical, double root)
{
    bool full = c->n_largest == DPC_MOST_IMPLIED;
    double last = full ? tanh(c->largest[DPC_MOST_IMPLIED - 1].z / root) : 0;
    return fmin(critical * critical, last * last) * (1 - 1e-12);
}

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
static gauge gauge_of_pair(const looker *l, const dpc_ordered *dag, int u, int v, int k)
{
    const dpc_labels *labels = dag->view.labels;
    return gauge_of(
        dag,
        dpc_test_rows(&dag->view, dpc_column_of(labels, u), dpc_column_of(labels, v), l->given, k),
        k);
}

/* Looks at the pairs of v with the nodes at some places; `label` has these, or NULL: columns. */
static void look(looker *l, const dpc_ordered *dag, int k, const int32_t *label, int first,
                 int count)
{
    const dpc_sweep *s = &l->sweep;
    const dpc_sweep_level *level = &s->level[s->depth];
    const double *t = level->t + first, *var = level->var + first;
    dpc_implied_counts *c = &l->counts;
    bool own = dag->view.rows != NULL; /* N differs: then all pairs are worth a look */
    gauge all = gauge_of(dag, dag->view.n_obs, k);
    double limit = own ? -1 : least_square(c, all.critical, all.root) * dpc_sweep_variance(s, s->v);
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
        gauge by = own ? gauge_of_pair(l, dag, u, s->v, k) : all;
        double square = isnan(by.root) ? NAN : dpc_sweep_square(s, u);
        double r = copysign(sqrt(square), t[i]);
        c->untested += isnan(square);
        c->exceed += sqrt(square) > by.critical;
        dpc_contradiction found = {r, by.root * atanh(fabs(r)), u, s->v};
        if (!isnan(square) &&
            (c->n_largest < DPC_MOST_IMPLIED || larger(&found, &c->largest[DPC_MOST_IMPLIED - 1])))
            keep(c, found);
    }
}

/* Parents that the others determine add nothing. */
static void push_parents(looker *l, int k)
{
    bool pushed;
    for (int i = 0; i < k && l->status == DPC_OK; i++)
        l->status = dpc_sweep_push(&l->sweep, l->list[i], &pushed);
}

/* The columns in parts. */
static void look_by_parts(looker *l, const looking *job, int v, int k, int worker)
{
    const dpc_ordered *dag = job->dag;
    int count = 0;
    for (int u = 0; u < dag->view.n; u++)
        if (dag->when[u] > dag->when[v] && !l->near[u])
            l->others[count++] = u;
    for (int from = 0; from < count && !dpc_crew_stopped(job->crew, worker); from += PART) {
        int width = count - from < PART ? count - from : PART;
        memcpy(l->list + k, l->others + from, (size_t)width * sizeof *l->list);
        l->status = dpc_sweep_start(&l->sweep, v, l->list, k + width);
        push_parents(l, k);
        if (l->status != DPC_OK)
            return;
        look(l, dag, k, l->list + k, 1 + k, width);
    }
}

static void look_at_node(void *context, int64_t node, int worker)
{
    const looking *job = context;
    const dpc_ordered *dag = job->dag;
    looker *l = &job->lookers[worker];
    int v = (int)node, n = dag->view.n;
    if (l->status != DPC_OK)
        return;
    int k = dpc_ordered_parents(dag, v, l->list);
    int64_t pairs = n - 1 - dag->when[v] - k;
    bool testable = dag->view.rows != NULL || dpc_testable(dag->view.n_obs, k);
    dpc_columns_of(&dag->view, l->list, k, l->given);
    bool whole = testable && 3. * (k + 1) * n <= dag->most_room;
    l->status =
        whole ? dpc_sweep_start_all(&l->sweep, v) : dpc_sweep_start(&l->sweep, v, l->list, k);
    push_parents(l, k);
    if (l->status != DPC_OK)
        return;
    bool determined = dpc_sweep_determines(&l->sweep, v);
    job->variance[v] = determined ? NAN : dpc_sweep_variance(&l->sweep, v);
    l->counts.implied += pairs;
    if (determined || !testable) {
        l->counts.untested += pairs;
        return;
    }
    dpc_set_near(dag->graph, v, true, l->near);
    if (whole)
        look(l, dag, k, NULL, 0, n);
    else
        look_by_parts(l, job, v, k, worker);
    dpc_set_near(dag->graph, v, false, l->near);
}

/* ---- All of them ---- */

static dpc_status looker_init(looker *l, const dpc_view *view)
{
    int n = view->n;
    l->near = dpc_zalloc(n, sizeof *l->near);
    l->flag = dpc_alloc(n > PART ? n : PART, sizeof *l->flag);
    l->list = dpc_alloc(2 * (int64_t)n, sizeof *l->list);
    l->others = dpc_alloc(n, sizeof *l->others);
    l->given = dpc_alloc(n, sizeof *l->given);
    l->status = dpc_sweep_init(&l->sweep, view);
    return l->near && l->flag && l->list && l->others && l->given ? l->status : DPC_NO_MEMORY;
}

static void looker_clear(looker *l)
{
    dpc_sweep_clear(&l->sweep);
    free(l->near);
    free(l->flag);
    free(l->list);
    free(l->others);
    free(l->given);
}

static void add(dpc_implied_counts *to, const dpc_implied_counts *from)
{
    to->implied += from->implied;
    to->untested += from->untested;
    to->exceed += from->exceed;
    for (int i = 0; i < from->n_largest; i++)
        keep(to, from->largest[i]);
}

dpc_status dpc_look_at_implied(const dpc_ordered *dag, dpc_crew *crew, double *variance,
                               dpc_implied_counts *out)
{
    double n = dag->view.n;
    looking job = {dag, crew, variance, dpc_zalloc(crew->threads, sizeof *job.lookers)};
    dpc_status status = job.lookers != NULL ? DPC_OK : DPC_NO_MEMORY;
    int made = 0;
    while (status == DPC_OK && made < crew->threads)
        status = looker_init(&job.lookers[made++], &dag->view);
    bool done = status == DPC_OK && dpc_crew_run(crew, dag->view.n, 8 * n * n, look_at_node, &job);
    *out = (dpc_implied_counts){0};
    for (int i = 0; i < made; i++) {
        if (job.lookers[i].status != DPC_OK)
            status = DPC_NO_MEMORY;
        add(out, &job.lookers[i].counts);
        looker_clear(&job.lookers[i]);
    }
    free(job.lookers);
    return status != DPC_OK ? status : done ? DPC_OK : DPC_INTERRUPTED;
}

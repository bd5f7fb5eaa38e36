/*
 * The independencies that a DAG implies, where variables are blocks of columns: see implied.h. Each
 * pair is a test of its own (block_answer.h), whose z is that of a normal variable with the same
 * p-value. A block that its parents leave something of has a determinant in place of a variance.
 */
#include "alloc.h"
#include "block_answer.h"
#include "implied.h"

#include <math.h>

/* One per worker. */
typedef struct block_worker {
    dpc_direct direct;
    int32_t *given; /* the parents as columns; n */
    dpc_implied_counts counts;
    dpc_status status;
} block_worker;

typedef struct block_looking {
    const dpc_ordered *dag;
    dpc_crew *crew;
    double *variance;
    block_worker *workers;
} block_looking;

/* v and u given the parents of v, k of them. */
static void look_at_pair(block_worker *l, const dpc_ordered *dag, int v, int u, int k)
{
    const dpc_labels *labels = dag->view.labels;
    dpc_block_answer answer;
    l->status = dpc_answer_given(&l->direct, dpc_column_of(labels, u), dpc_column_of(labels, v),
                                 l->given, k, 0, &answer);
    if (l->status != DPC_OK)
        return;
    l->counts.implied++;
    l->counts.untested += isnan(answer.p);
    l->counts.exceed += answer.p <= dag->alpha;
    if (!isnan(answer.p))
        dpc_implied_keep(&l->counts, (dpc_contradiction){answer.r, answer.z, answer.p, u, v});
}

static void look_at_node(void *context, int64_t node, int worker)
{
    const block_looking *job = context;
    const dpc_ordered *dag = job->dag;
    block_worker *l = &job->workers[worker];
    int v = (int)node;
    double log_det;
    if (l->status != DPC_OK)
        return;
    int k = dpc_ordered_parents(dag, v, l->given);
    dpc_columns_of(&dag->view, l->given, k, l->given);
    l->status = dpc_direct_left(&l->direct, dpc_column_of(dag->view.labels, v), l->given, k, false,
                                &log_det);
    job->variance[v] = log_det;
    for (int u = 0; u < dag->view.n && l->status == DPC_OK; u++)
        if (dag->when[u] > dag->when[v] && dpc_slot(dag->graph, v, u) < 0 &&
            !dpc_crew_stopped(job->crew, worker))
            look_at_pair(l, dag, v, u, k);
}

dpc_status dpc_implied_blocks(const dpc_ordered *dag, dpc_crew *crew, double *log_det,
                              dpc_implied_counts *out)
{
    double n = dag->view.n, m = dag->view.blocks->m;
    block_looking job = {dag, crew, log_det, dpc_zalloc(crew->threads, sizeof *job.workers)};
    dpc_status status = job.workers != NULL ? DPC_OK : DPC_NO_MEMORY;
    for (int i = 0; i < crew->threads && status == DPC_OK; i++) {
        job.workers[i].direct.view = &dag->view;
        job.workers[i].given = dpc_alloc(dag->view.n, sizeof(int32_t));
        status = job.workers[i].given != NULL ? DPC_OK : DPC_NO_MEMORY;
    }
    if (status == DPC_OK && !dpc_crew_run(crew, dag->view.n, 100 * n * m, look_at_node, &job))
        status = DPC_INTERRUPTED;
    *out = (dpc_implied_counts){0};
    for (int i = 0; i < crew->threads && job.workers != NULL; i++) {
        if (job.workers[i].status != DPC_OK)
            status = DPC_NO_MEMORY;
        dpc_implied_add(out, &job.workers[i].counts);
        dpc_direct_clear(&job.workers[i].direct);
        free(job.workers[i].given);
    }
    free(job.workers);
    return status;
}

/* FCI after a skeleton of the dual PC algorithm: see fci.h. */
#include "fci.h"

#include "known_marks.h"
#include "possible_sets.h"
#include "rows.h"
#include "stats.h"
#include "status.h"
#include "test.h"
#include "wilks.h"

#include <math.h>

/* ---- The judge of the rules: separating sets ---- */

typedef struct sets_judge {
    const dpc_fci_task *task;
    const dpc_sepsets *sets;
    dpc_critical critical; /* owned */
    dpc_direct direct;     /* of blocks; owned */
    bool failed;           /* there was no memory for it */
} sets_judge;

/* Has the marginal test separated a pair that was separated at level 0? */
static bool is_uncorrelated(sets_judge *j, int a, int b)
{
    const dpc_view *view = j->task->view;
    int x = dpc_column_of(view->labels, a), y = dpc_column_of(view->labels, b);
    dpc_block_answer answer;
    if (view->blocks != NULL) {
        j->failed = dpc_direct_primal(&j->direct, x, y, NULL, 0, &answer) != DPC_OK || j->failed;
        return !j->failed && answer.p > j->task->settings->alpha;
    }
    return fabs(dpc_r_at(view, x, y)) <=
           dpc_critical_at(&j->critical, false, dpc_test_rows(view, x, y, NULL, 0), 0);
}

/* Is b in the set that has separated d and c? Pairs that cannot be adjacent were not tested. */
static dpc_triple_status judge_by_sets(const void *context, int d, int a, int b, int c)
{
    sets_judge *j = (sets_judge *)context; /* it has memory for one question after the other */
    (void)a;
    if (dpc_forbidden(j->sets->known, d, c))
        return DPC_STATUS_OPEN;
    if (!dpc_sepset_contains(j->sets, d, c, b))
        return DPC_STATUS_COLLIDER;
    dpc_separation found = dpc_sepsets_find(j->sets, d, c);
    return found.record == NULL && is_uncorrelated(j, d, c) ? DPC_STATUS_COLLIDER
                                                            : DPC_STATUS_NONCOLLIDER;
}

static void judge_clear(sets_judge *j)
{
    dpc_critical_clear(&j->critical);
    dpc_direct_clear(&j->direct);
}

static dpc_status judge_init(const dpc_fci_task *task, const dpc_sepsets *sets, sets_judge *out,
                             dpc_error *err)
{
    *out = (sets_judge){.task = task, .sets = sets, .direct = {.view = task->view}};
    return dpc_critical_init(task->settings, task->view->n_obs, 0, &out->critical, err);
}

/* ---- The steps ---- */

static dpc_pag_rules rules_of(const sets_judge *j)
{
    return (dpc_pag_rules){.judge = judge_by_sets,
                           .context = j,
                           .some_open = j->sets->known != NULL,
                           .selection = j->task->settings->selection};
}

/* R0 on the skeleton, only to walk over it; then the skeleton is what is left of it. */
static dpc_status look_again(const sets_judge *j, dpc_adjacency **skeleton, dpc_sepsets *sepsets,
                             dpc_info *info, dpc_error *err)
{
    const dpc_fci_task *task = j->task;
    const dpc_pag_rules rules = rules_of(j);
    dpc_mixed colliders;
    dpc_adjacency *left = NULL;
    dpc_second_look look = {task->view, task->settings, sepsets->known, task->limit, &colliders};
    dpc_status status = dpc_mixed_init(*skeleton, &colliders);
    if (status == DPC_OK) {
        dpc_pag_start(&rules, &colliders);
        status = dpc_pag_colliders(&rules, &colliders);
    }
    if (status != DPC_OK)
        dpc_fail_memory(err, "the colliders of the skeleton");
    else
        status = dpc_look_again(&look, sepsets, info, &left, err);
    dpc_mixed_clear(&colliders);
    if (left != NULL) {
        dpc_adjacency_free(*skeleton);
        *skeleton = left;
    }
    return status;
}

static dpc_status mark(const sets_judge *j, const dpc_adjacency *skeleton, dpc_graph *out)
{
    const dpc_pag_rules rules = rules_of(j);
    dpc_mixed pag;
    dpc_status status = dpc_mixed_init(skeleton, &pag);
    if (status == DPC_OK) {
        dpc_pag_start(&rules, &pag);
        dpc_know_marks(j->sets->known, &pag, NULL);
        status = dpc_pag_apply(&rules, &pag);
    }
    if (status == DPC_OK)
        status = dpc_mixed_graph(&pag, out);
    dpc_mixed_clear(&pag);
    return status;
}

dpc_status dpc_fci(const dpc_fci_task *task, dpc_adjacency **skeleton, dpc_sepsets *sepsets,
                   dpc_info *info, dpc_graph *out, dpc_error *err)
{
    sets_judge judge;
    dpc_graph graph = {0};
    bool late = task->limit != NULL && task->limit->over;
    dpc_status status = judge_init(task, sepsets, &judge, err);
    if (status == DPC_OK && task->settings->pdsep > 0 && !late)
        status = look_again(&judge, skeleton, sepsets, info, err);
    if (status == DPC_OK && (mark(&judge, *skeleton, &graph) != DPC_OK || judge.failed)) {
        status = dpc_fail_memory(err, "the marks of the graph");
        dpc_graph_clear(&graph);
    }
    if (status == DPC_OK)
        *out = graph;
    judge_clear(&judge);
    return status;
}

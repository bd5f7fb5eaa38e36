/*
 * From a DAG to a local optimum of the score: see local_optimum.h.
 *
 * Steps between classes (class_search.h) as long as there is one. Two things can be in the way of
 * that. A class may have too many DAGs to look at all of them. And where columns determine each
 * other the DAGs of a class do not score the same, so that a step which is a gain in one may lead
 * to a class whose next DAG scores lower. Then hill climbing with swaps (climb.h) looks at the DAG
 * that there is, and if it finds something all begins again.
 */
#include "local_optimum.h"

#include "class_search.h"
#include "climb.h"
#include "gains.h"

/* Each round is a gain; but rounding could go in circles. */
enum { MOST_ROUNDS = 20 };

/* The DAG gives way to the next one if that scores higher. */
static dpc_status keep_better(dpc_workers *workers, const dpc_families *next, dpc_families *dag,
                              bool *better)
{
    double before, after;
    DPC_CHECK(dpc_dag_score(&workers->each[0], dag, &before));
    DPC_CHECK(dpc_dag_score(&workers->each[0], next, &after));
    *better = after > before + workers->scoring->slack;
    return *better ? dpc_families_copy(dag, next) : DPC_OK;
}

/* One round, in the memory of `next`; *again: another one may find more. */
static dpc_status improve(dpc_workers *workers, dpc_families *dag, dpc_families *next, bool *halted,
                          bool *again)
{
    dpc_class_searched searched;
    bool better = true;
    *again = false;
    DPC_CHECK(dpc_families_copy(next, dag));
    DPC_CHECK(dpc_class_search(workers, DPC_STEPS_AND_SWAPS, next, &searched));
    *halted = searched.halted;
    if (searched.moved)
        DPC_CHECK(keep_better(workers, next, dag, &better));
    if (searched.halted || (!searched.cut && better))
        return DPC_OK;
    DPC_CHECK(dpc_families_copy(next, dag));
    DPC_CHECK(dpc_climb_with_swaps(workers, next));
    return keep_better(workers, next, dag, again);
}

dpc_status dpc_local_optimum(dpc_workers *workers, dpc_families *dag, bool *reached)
{
    dpc_families next;
    bool halted = false, again = true;
    dpc_status status = dpc_families_init(&next, dag->n);
    for (int i = 0; i < MOST_ROUNDS && again && !halted && status == DPC_OK; i++)
        status = improve(workers, dag, &next, &halted, &again);
    *reached = !again && !halted && !dpc_workers_halted(workers, 0);
    dpc_families_clear(&next);
    return status;
}

/* Which tests a visit makes: see plan.h. */
#include "plan.h"

#include "sepset.h"

/* The tests given a subset K, and those given S \ K that are dual ones. */
static void plan_subsets(const dpc_problem *problem, dpc_row_counts rows, int level, bool inverse,
                         dpc_plan *plan)
{
    const dpc_settings *settings = problem->settings;
    int size = plan->complement_size;
    plan->subset = dpc_testable(rows.most, level);
    plan->some = plan->subset && !dpc_testable(rows.least, level);
    plan->subset_critical = dpc_critical_at(&problem->critical, false, rows.least, level);
    if (!inverse || !dpc_dual_allowed(settings, rows.most, size))
        return;
    plan->complement = true;
    plan->complement_kind = DPC_SEP_DUAL;
    plan->complement_critical = dpc_critical_at(&problem->critical, true, rows.least, size);
    plan->some = plan->some || !dpc_dual_allowed(settings, rows.least, size);
}

/* Sets of more than half of S: dual ones at level s - level, if they could be made then. */
static void plan_large_sets(const dpc_problem *problem, dpc_row_counts rows, int level,
                            bool answered, dpc_plan *plan)
{
    const dpc_critical *critical = &problem->critical;
    answered = answered && critical->dual == critical->primal &&
               dpc_dual_allowed(problem->settings, rows.least, level);
    plan->complement = !answered && dpc_testable(rows.most, level);
    plan->some = plan->complement && !dpc_testable(rows.least, level);
    plan->complement_size = level;
    plan->complement_kind = DPC_SEP_PRIMAL_COMPLEMENT;
    plan->complement_critical = dpc_critical_at(critical, false, rows.least, level);
}

dpc_plan dpc_plan_visit(const dpc_problem *problem, dpc_row_counts rows, int degree, int level,
                        int since, bool refused)
{
    int s = degree - 1;
    dpc_plan plan = {0};
    if (s < level)
        return plan;
    if (!problem->dual) {
        plan.m = level;
        plan_subsets(problem, rows, level, false, &plan);
        return plan;
    }
    plan.too_large = s + 2 >= rows.all;
    bool inverse = !plan.too_large && !refused;
    plan.full = level == since && inverse && dpc_dual_allowed(problem->settings, rows.all, s);
    plan.full_critical = dpc_critical_at(&problem->critical, true, rows.all, s);
    if (level == s)
        return plan;
    if (2 * level <= s) {
        plan.m = level;
        plan.complement_size = s - level;
        plan_subsets(problem, rows, level, inverse && 2 * level < s, &plan);
    } else {
        plan.m = s - level;
        plan_large_sets(problem, rows, level, s - level >= since && inverse, &plan);
    }
    return plan;
}

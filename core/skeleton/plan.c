/* Which tests a visit makes: see plan.h. */
#include "plan.h"

#include "sepset.h"

dpc_plan dpc_plan_visit(const dpc_problem *problem, int degree, int level, int since, bool refused)
{
    const dpc_settings *settings = problem->settings;
    const dpc_critical *critical = &problem->critical;
    int64_t n_obs = problem->view.n_obs;
    int s = degree - 1;
    dpc_plan plan = {0};
    if (s < level)
        return plan;
    if (!problem->dual) {
        plan.m = level;
        plan.subset = true;
        return plan;
    }
    plan.too_large = s + 2 >= n_obs;
    bool inverse = !plan.too_large && !refused;
    plan.full = level == since && inverse && dpc_dual_allowed(settings, n_obs, s);
    if (level == s)
        return plan;
    if (2 * level <= s) {
        plan.m = level;
        plan.subset = true;
        plan.complement = 2 * level < s && inverse && dpc_dual_allowed(settings, n_obs, s - level);
        plan.complement_size = s - level;
        plan.complement_kind = DPC_SEP_DUAL;
        plan.complement_critical = critical->dual[s - level];
    } else { /* these sets were dual ones at level s - level */
        bool answered = s - level >= since && inverse && critical->dual == critical->primal &&
                        dpc_dual_allowed(settings, n_obs, level);
        plan.m = s - level;
        plan.complement = !answered;
        plan.complement_size = level;
        plan.complement_kind = DPC_SEP_PRIMAL_COMPLEMENT;
        plan.complement_critical = critical->primal[level];
    }
    return plan;
}

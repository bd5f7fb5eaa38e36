/* Which tests a visit makes: see plan.h. */
#include "plan.h"

#include "sepset.h"

#include <math.h>

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

/* May the test given all of S be made? Of blocks the columns count, and all of them take part. */
static bool full_allowed(const dpc_problem *problem, dpc_row_counts rows, int s)
{
    const dpc_settings *settings = problem->settings;
    return problem->view.blocks == NULL
               ? dpc_dual_allowed(settings, rows.all, s)
               : (double)(rows.all - 1 - rows.columns) >= fmax(3, settings->min_ess);
}

/* The levels of dual PC. */
static void plan_dual(const dpc_problem *problem, dpc_row_counts rows, int s, int level, int since,
                      bool refused, dpc_plan *plan)
{
    plan->too_large = (problem->view.blocks != NULL ? rows.columns : s + 2) >= rows.all;
    bool inverse = !plan->too_large && !refused;
    plan->full = level == since && inverse && full_allowed(problem, rows, s);
    plan->full_critical = dpc_critical_at(&problem->critical, true, rows.all, s);
    if (level == s)
        return;
    if (2 * level <= s) {
        plan->m = level;
        plan->complement_size = s - level;
        plan_subsets(problem, rows, level, inverse && 2 * level < s, plan);
    } else {
        plan->m = s - level;
        plan_large_sets(problem, rows, level, s - level >= since && inverse, plan);
    }
}

/* ---- Too many ---- */

static const double MANY = 200000; /* tests judged one by one, at one node and level */

/* The subsets of size m, or of half of all if that is less, of `all` elements; 0 where m < 0. */
static double count_sets(int all, int m)
{
    double sets = m >= 0 && all >= 0;
    for (int i = 0; i < m && 2 * (i + 1) <= all && sets <= MANY; i++)
        sets *= (double)(all - i) / (i + 1);
    return sets;
}

/* Do too many of the tests given sets of one size have two that are alike? */
static bool many_alike(dpc_alike alike, int s, int level)
{
    double among = (double)alike.among * count_sets(s - 2, level - 2);
    double own = (double)alike.own * count_sets(s - 1, level - 1);
    return (s + 1) * fmin(among + own, count_sets(s, level)) > MANY;
}

dpc_alike dpc_count_alike(const dpc_problem *problem, int x, const int32_t *neighbour, int degree)
{
    const int32_t *alike = problem->alike;
    int32_t *tally = problem->tally;
    dpc_alike count = {0};
    if (alike == NULL)
        return count;
    for (int i = 0; i < degree; i++)
        count.among += tally[alike[neighbour[i]]]++;
    count.own = tally[alike[x]];
    for (int i = 0; i < degree; i++)
        tally[alike[neighbour[i]]] = 0;
    return count;
}

dpc_plan dpc_plan_visit(const dpc_problem *problem, dpc_row_counts rows, int degree, int level,
                        int since, uint8_t condition, dpc_alike alike)
{
    int s = degree - 1;
    dpc_plan plan = {0};
    if (s < level)
        return plan;
    if (problem->view.blocks != NULL)
        since = level; /* which tests could be made before depends on the columns of each */
    if (problem->dual) {
        plan_dual(problem, rows, s, level, since, (condition & DPC_NO_INVERSE) != 0, &plan);
    } else {
        plan.m = level;
        plan_subsets(problem, rows, level, false, &plan);
    }
    plan.many = 2 * level > s && !plan.too_large && (s + 1) * count_sets(s, level) > MANY;
    plan.left_out = many_alike(alike, s, level) || (plan.many && (condition & DPC_LEFT_OUT) != 0);
    if (plan.left_out) {
        plan.m = 0;
        plan.subset = plan.complement = plan.some = false;
    }
    return plan;
}

double dpc_plan_cost(const dpc_plan *plan, int degree)
{
    const double enough = 1e100;
    double d = degree, sets = 1;
    for (int i = 0; i < plan->m && sets < enough; i++)
        sets *= (d - i) / (i + 1);
    return (dpc_plan_inverts(plan) ? d * d * d : 0) + sets * d * (plan->subset + plan->complement);
}

/* The settings of a run: their words, their defaults, and one place that checks them. */
#include "settings.h"
#include "error.h"

#include <math.h>
#include <omp.h>

const char *const dpc_method_words[] = {"dual", "classic", "precision", "ges", NULL};
const char *const dpc_variant_words[] = {"stable", "standard", NULL};
const char *const dpc_rule_words[] = {"or", "and", NULL};
const char *const dpc_test_words[] = {"z", "t", NULL};
const char *const dpc_normalize_words[] = {"none", "copula", NULL};
const char *const dpc_target_words[] = {"cpdag", "pattern", "skeleton", NULL};
const char *const dpc_orientation_words[] = {"consistent", "relaxed", "majority", "conservative",
                                             NULL};
const char *const dpc_order_words[] = {"canonical", "given", NULL};

void dpc_settings_default(dpc_settings *settings)
{
    *settings = (dpc_settings){
        .alpha = 0.05,
        .alpha_dual = 0,
        .method = DPC_DUAL,
        .variant = DPC_STABLE,
        .rule = DPC_RULE_OR,
        .test = DPC_FISHER_Z,
        .max_order = DPC_NO_MAX_ORDER,
        .min_ess = 30,
        .penalty = 0.5,
        .normalize = DPC_NORMALIZE_NONE,
        .graph = DPC_CPDAG,
        .orient = DPC_CONSISTENT,
        .order = DPC_ORDER_CANONICAL,
        .threads = 0,
        .keep_separating_sets = false,
        .knowledge = NULL,
        .progress = NULL,
        .progress_user = NULL,
    };
}

dpc_status dpc_settings_check(const dpc_settings *s, dpc_error *err)
{
    if (!(s->alpha > 0 && s->alpha < 1))
        return dpc_fail(err, DPC_USAGE, "alpha must be between 0 and 1, not %g", s->alpha);
    if (s->alpha_dual != 0 && !(s->alpha_dual > 0 && s->alpha_dual < 1))
        return dpc_fail(err, DPC_USAGE, "alpha-dual must be between 0 and 1, not %g",
                        s->alpha_dual);
    if (s->max_order < 0)
        return dpc_fail(err, DPC_USAGE, "max-order must be 0 or more, not %d", s->max_order);
    if (!(s->min_ess >= 0) || isinf(s->min_ess))
        return dpc_fail(err, DPC_USAGE, "min-ess must be 0 or more, not %g", s->min_ess);
    if (!(s->penalty > 0) || isinf(s->penalty))
        return dpc_fail(err, DPC_USAGE, "penalty must be more than 0, not %g", s->penalty);
    if (s->threads < 0)
        return dpc_fail(err, DPC_USAGE, "threads must be 0 (all) or more, not %d", s->threads);
    if ((unsigned)s->method > DPC_GES)
        return dpc_fail(err, DPC_USAGE, "unknown method %d", (int)s->method);
    if ((unsigned)s->variant > DPC_STANDARD)
        return dpc_fail(err, DPC_USAGE, "unknown variant %d", (int)s->variant);
    if ((unsigned)s->rule > DPC_RULE_AND)
        return dpc_fail(err, DPC_USAGE, "unknown rule %d", (int)s->rule);
    if ((unsigned)s->test > DPC_EXACT_T)
        return dpc_fail(err, DPC_USAGE, "unknown test %d", (int)s->test);
    if ((unsigned)s->normalize > DPC_NORMALIZE_COPULA)
        return dpc_fail(err, DPC_USAGE, "unknown normalization %d", (int)s->normalize);
    if ((unsigned)s->graph > DPC_SKELETON)
        return dpc_fail(err, DPC_USAGE, "unknown kind of graph %d", (int)s->graph);
    if ((unsigned)s->orient > DPC_CONSERVATIVE)
        return dpc_fail(err, DPC_USAGE, "unknown rule of orientation %d", (int)s->orient);
    if ((unsigned)s->order > DPC_ORDER_GIVEN)
        return dpc_fail(err, DPC_USAGE, "unknown order of the columns %d", (int)s->order);
    if (s->knowledge != NULL && s->method == DPC_GES)
        return dpc_fail(err, DPC_USAGE,
                        "background knowledge is not used by GES yet; choose "
                        "another method");
    return DPC_OK;
}

dpc_status dpc_settings_or_default(const dpc_settings *given, dpc_settings *out, dpc_error *err)
{
    if (given != NULL)
        *out = *given;
    else
        dpc_settings_default(out);
    return dpc_settings_check(out, err);
}

double dpc_alpha_dual(const dpc_settings *s)
{
    return s->alpha_dual > 0 ? s->alpha_dual : s->alpha;
}

int dpc_thread_count(const dpc_settings *s)
{
    int offered = omp_get_max_threads();
    return s->threads > 0 ? s->threads : offered > 0 ? offered : 1;
}

bool dpc_poll(const dpc_settings *s, const dpc_progress *progress)
{
    return s->progress != NULL && s->progress(progress, s->progress_user) != 0;
}

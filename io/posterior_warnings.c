/*
 * What should be known before a posterior is believed, in sentences: see dpc_posterior_warnings.
 *
 * Chains that agree may still be wrong together. So the probability of the edges that could not be
 * drawn, the share of a variance that is left and the score of a graph that was found by another
 * search are looked at beside R-hat and effective draws.
 */
#include "findings.h"
#include "status.h"
#include "text.h"
#include "write.h"

#include <math.h>

static const double HIGH_RHAT = 1.05;
static const double FEW_DRAWS = 400;     /* effective ones */
static const double CHAIN_BELOW = 20;    /* log units between the means of two chains */
static const double OUTSIDE_HIGH = 0.01; /* probability of a parent that is no candidate */
static const double VARIANCE_LOW = 1e-8; /* share of a variance that parents leave */
static const double EFFECT_OPEN = 0.05;
static const double REFINED_ABOVE = 20, REFINED_SDS = 10; /* log units, standard deviations */

/* What adds to the list. */
typedef struct teller {
    const dpc_posterior *posterior;
    const char *const *names;
    dpc_audit *audit;
} teller;

static const char *name_of(const teller *t, int v, char clipped[DPC_CLIP_SIZE])
{
    return dpc_clip_name(t->names[v], clipped);
}

/* The larger of two numbers, either of which may be unknown. */
static double worse(double a, double b)
{
    return isnan(a) ? b : isnan(b) || a > b ? a : b;
}

static dpc_status tell_incomplete(const teller *t)
{
    const dpc_posterior *p = t->posterior;
    if (p->complete)
        return DPC_OK;
    return dpc_findings_add(t->audit, DPC_WARNING,
                            "sampling ended early, after %d of %d draws per chain; allow more time "
                            "(--timeout), or use fewer draws (--draws) or less thinning (--thin)",
                            p->draws, p->sampling.draws);
}

/* The pair whose draws are worst; -1: none has a number. */
static int64_t worst_pair(const dpc_posterior *p)
{
    const double uncertain = 0.02;
    int64_t worst = -1;
    for (int64_t i = 0; i < p->n_pairs; i++) {
        double edge = p->pairs[i].forward + p->pairs[i].backward;
        bool varies = edge >= uncertain && !isnan(p->pairs[i].rhat);
        if (varies && (worst < 0 || p->pairs[i].rhat > p->pairs[worst].rhat))
            worst = i;
    }
    return worst;
}

/* "1.20", or where chains do not move at all, a word. */
static const char *rhat_text(double rhat, char text[16])
{
    snprintf(text, 16, isinf(rhat) ? "infinite" : "%.2f", rhat);
    return text;
}

static dpc_status tell_rhat(const teller *t)
{
    const dpc_posterior *p = t->posterior;
    char a[DPC_CLIP_SIZE], b[DPC_CLIP_SIZE], where[3 * DPC_CLIP_SIZE] = "", text[16];
    bool edges = p->rhat > HIGH_RHAT;
    double rhat = edges ? worse(p->rhat, p->score_rhat) : p->score_rhat;
    if (!(rhat > HIGH_RHAT))
        return DPC_OK;
    int64_t pair = edges ? worst_pair(p) : -1;
    if (pair >= 0)
        snprintf(where, sizeof where, "; the chains differ most about '%s' and '%s'",
                 name_of(t, p->pairs[pair].a, a), name_of(t, p->pairs[pair].b, b));
    return dpc_findings_add(t->audit, DPC_WARNING,
                            "the chains have not converged: R-hat%s is %s, and should be at most "
                            "%.2f%s; increase --draws or --thin, and until then do not rely on "
                            "these probabilities",
                            edges ? "" : " of the score", rhat_text(rhat, text), HIGH_RHAT, where);
}

/* The mean score of a chain. */
static double mean_score(const dpc_posterior *p, int chain)
{
    double sum = 0;
    for (int i = 0; i < p->draws; i++)
        sum += p->scores[(int64_t)chain * p->draws + i];
    return sum / p->draws;
}

static dpc_status tell_low_chain(const teller *t)
{
    const dpc_posterior *p = t->posterior;
    int lowest = 0;
    if (!(p->worst_chain > CHAIN_BELOW) || p->draws == 0)
        return DPC_OK;
    for (int c = 1; c < p->chains; c++)
        if (mean_score(p, c) < mean_score(p, lowest))
            lowest = c;
    return dpc_findings_add(t->audit, DPC_WARNING,
                            "chain %d stayed at worse graphs than the others: its mean log score "
                            "is %.0f below the best; use another --seed or more --draws, and leave "
                            "such a chain out of conclusions",
                            lowest + 1, p->worst_chain);
}

/*
 * Is the whole run at worse graphs than one that another search has found? The mean of a posterior
 * is always below its best graph: where k of its choices are open by about k / 2, which is about
 * the variance of the score. Only what is far more than that says something.
 */
static dpc_status tell_below_refined(const teller *t)
{
    const dpc_posterior *p = t->posterior;
    int64_t count = (int64_t)p->chains * p->draws;
    double mean = 0, squares = 0;
    for (int64_t i = 0; i < count; i++)
        mean += p->scores[i];
    mean /= (double)(count > 0 ? count : 1);
    for (int64_t i = 0; i < count; i++)
        squares += (p->scores[i] - mean) * (p->scores[i] - mean);
    double below = p->refined_score - mean,
           sd = sqrt(squares / (double)(count > 1 ? count - 1 : 1));
    double most = fmax(REFINED_ABOVE, sd * fmax(REFINED_SDS, sd));
    if (count == 0 || !(below > most))
        return DPC_OK;
    return dpc_findings_add(t->audit, DPC_WARNING,
                            "the draws may have missed the most probable graphs: their mean log "
                            "score is %.0f below that of a graph found by --refine full; increase "
                            "--candidates and --draws, or use another --seed",
                            below);
}

static dpc_status tell_few_draws(const teller *t)
{
    const dpc_posterior *p = t->posterior;
    double ess = p->ess;
    bool edges = !isnan(ess);
    if (isnan(ess) || p->score_ess < ess) {
        ess = p->score_ess;
        edges = false;
    }
    if (isnan(ess) && p->complete && p->draws < DPC_JUDGED_DRAWS)
        return dpc_findings_add(t->audit, DPC_WARNING,
                                "convergence cannot be judged from %d draw%s per chain; increase "
                                "--draws",
                                p->draws, dpc_plural(p->draws));
    if (!(ess < FEW_DRAWS))
        return DPC_OK;
    return dpc_findings_add(
        t->audit, DPC_WARNING,
        "few effective draws: for %s the %lld draws are worth only %.0f independent ones, and "
        "should be worth at least %.0f; increase --draws or --thin about %.0f-fold",
        edges ? "the edge that mixes worst" : "the score", (long long)p->chains * p->draws, ess,
        FEW_DRAWS, ceil(fmax(2, FEW_DRAWS / fmax(ess, 1))));
}

static dpc_status tell_outside(const teller *t)
{
    const dpc_posterior *p = t->posterior;
    char parent[DPC_CLIP_SIZE], child[DPC_CLIP_SIZE];
    if (!(p->outside > OUTSIDE_HIGH) || p->outside_parent < 0)
        return DPC_OK;
    return dpc_findings_add(t->audit, DPC_WARNING,
                            "a possible parent was left out: '%s' is a parent of '%s' with a "
                            "probability of about %.2g, but is not among its %d candidates; use a "
                            "larger --candidates",
                            name_of(t, p->outside_parent, parent),
                            name_of(t, p->outside_child, child), p->outside,
                            p->sampling.candidates);
}

static dpc_status tell_variance(const teller *t)
{
    const dpc_posterior *p = t->posterior;
    char name[DPC_CLIP_SIZE];
    if (!(p->least_variance < VARIANCE_LOW) || p->least_variable < 0)
        return DPC_OK;
    return dpc_findings_add(t->audit, DPC_WARNING,
                            "'%s' is almost completely determined by other variables (%.1g of its "
                            "variance is left), so its edges are not reliable; exclude it, or one "
                            "of those that determine it, with --drop",
                            name_of(t, p->least_variable, name), p->least_variance);
}

/*
 * Where it is open whether there is an effect at all, the draws are a mixture with zeros, and by
 * itself that makes the intervals miss effects that are not zero more often than 1 in 20.
 */
static dpc_status tell_effects(const teller *t)
{
    const dpc_posterior *p = t->posterior;
    int64_t open = 0;
    for (int64_t i = 0; i < p->n_effects; i++)
        open += p->effects[i].nonzero > EFFECT_OPEN && p->effects[i].nonzero < 1 - EFFECT_OPEN;
    if (open == 0)
        return DPC_OK;
    return dpc_findings_add(t->audit, DPC_WARNING,
                            "of the %lld effects %lld may or may not be zero (nonzero between %g "
                            "and %g): their intervals mix graphs with an effect and graphs without "
                            "one; read nonzero before the interval",
                            (long long)p->n_effects, (long long)open, EFFECT_OPEN, 1 - EFFECT_OPEN);
}

dpc_status dpc_posterior_warnings(const dpc_posterior *posterior, const char *const *names,
                                  dpc_audit *audit, dpc_error *err)
{
    static dpc_status (*const TELL[])(const teller *) = {
        tell_incomplete, tell_rhat,    tell_low_chain, tell_below_refined,
        tell_few_draws,  tell_outside, tell_variance,  tell_effects};
    const teller t = {posterior, names, audit};
    for (size_t i = 0; i < sizeof TELL / sizeof *TELL; i++)
        if (TELL[i](&t) != DPC_OK)
            return dpc_fail_memory(err, "the warnings");
    return DPC_OK;
}

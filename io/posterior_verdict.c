/*
 * What a posterior says, in a few plain lines: how many graphs were drawn, how many edges are
 * probable, and whether the chains agree. Warnings are in posterior_warnings.c.
 */
#include "verdict.h"

#include "status.h"
#include "text.h"

#include <math.h>

static const double LIKELY = 0.5, SURE = 0.9;
static const double GOOD_RHAT = 1.01, FAIR_RHAT = 1.05, GOOD_ESS = 400;

static dpc_status say_drawn(FILE *file, const dpc_posterior *p, dpc_error *err)
{
    dpc_edge_count edges;
    DPC_CHECK(dpc_count_edges(p, &edges, err));
    fprintf(
        file,
        "Sampled: %lld DAGs (%d chain%s of %d), with %.1f edges on average (95 %% interval %d to "
        "%d).\n",
        (long long)p->chains * p->draws, p->chains, dpc_plural(p->chains), p->draws, edges.mean,
        edges.low, edges.high);
    return DPC_OK;
}

static void say_edges(FILE *file, const dpc_posterior *p)
{
    int64_t likely = 0, sure = 0, directed = 0;
    for (int64_t i = 0; i < p->n_pairs; i++) {
        double forward = p->pairs[i].forward, backward = p->pairs[i].backward;
        likely += forward + backward >= LIKELY;
        sure += forward + backward >= SURE;
        directed += fmax(forward, backward) >= SURE;
    }
    if (likely == 0)
        fprintf(file, "Probable: no edge has a probability of at least %g.\n", LIKELY);
    else
        fprintf(
            file,
            "Probable: %lld edge%s a probability of at least %g, %lld of at least %g; %lld %s a "
            "direction with a probability of at least %g.\n",
            (long long)likely, likely == 1 ? " has" : "s have", LIKELY, (long long)sure, SURE,
            (long long)directed, directed == 1 ? "has" : "have", SURE);
}

static void say_convergence(FILE *file, const dpc_posterior *p)
{
    bool edges = !isnan(p->rhat);
    double rhat = edges ? fmax(p->rhat, p->score_rhat) : p->score_rhat;
    double ess = edges ? fmin(p->ess, p->score_ess) : p->score_ess;
    if (isnan(rhat)) {
        fprintf(file, "Convergence: cannot be judged, because %s.\n",
                p->draws < DPC_JUDGED_DRAWS ? "there are too few draws" : "all draws are the same");
        return;
    }
    if (isinf(rhat)) {
        fputs("Convergence: poor. The chains stay at different graphs.\n", file);
        return;
    }
    fprintf(file,
            "Convergence: %s. The largest R-hat is %.3f; the %lld draws are worth at least %.0f "
            "independent ones.\n",
            rhat > FAIR_RHAT                     ? "poor"
            : rhat > GOOD_RHAT || ess < GOOD_ESS ? "fair"
                                                 : "good",
            rhat, (long long)p->chains * p->draws, ess);
}

dpc_status dpc_print_posterior_verdict(FILE *file, const dpc_posterior *posterior, dpc_error *err)
{
    DPC_CHECK(say_drawn(file, posterior, err));
    say_edges(file, posterior);
    say_convergence(file, posterior);
    return DPC_OK;
}

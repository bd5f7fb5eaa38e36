/* Sampling: DAGs from their posterior, as R holds them. */
#include "glue.h"

#include <string.h>

/* ---- What was sampled ---- */

static SEXP numbers_of(const double *values, R_xlen_t count)
{
    SEXP out = Rf_allocVector(REALSXP, count);
    for (R_xlen_t i = 0; i < count; i++)
        REAL(out)[i] = or_na(values[i]);
    return out;
}

static R_xlen_t all_draws(const dpc_posterior *posterior)
{
    return (R_xlen_t)posterior->chains * posterior->draws;
}

static SEXP pairs_of(const dpc_posterior *posterior)
{
    static const char *const NAMES[] = {"a",    "b",        "forward",    "backward",
                                        "edge", "ancestor", "descendant", "se",
                                        "rhat", "ess",      NULL};
    enum { COLUMNS = 8 };
    SEXP out = PROTECT(named_list(NAMES));
    for (int column = 0; NAMES[column] != NULL; column++)
        SET_VECTOR_ELT(out, column,
                       Rf_allocVector(column < 2 ? INTSXP : REALSXP, posterior->n_pairs));
    for (int64_t i = 0; i < posterior->n_pairs; i++) {
        const dpc_probability *p = &posterior->pairs[i];
        const double values[COLUMNS] = {p->forward,  p->backward,   p->forward + p->backward,
                                        p->ancestor, p->descendant, p->se,
                                        p->rhat,     p->ess};
        INTEGER(VECTOR_ELT(out, 0))[i] = to_r(p->a);
        INTEGER(VECTOR_ELT(out, 1))[i] = to_r(p->b);
        for (int column = 0; column < COLUMNS; column++)
            REAL(VECTOR_ELT(out, 2 + column))[i] = or_na(values[column]);
    }
    UNPROTECT(1);
    return out;
}

static SEXP effects_of(const dpc_posterior *posterior)
{
    static const char *const NAMES[] = {"cause", "outcome", "mean",    "sd",
                                        "low",   "high",    "nonzero", NULL};
    enum { COLUMNS = 5 };
    if (posterior->effect_draws == NULL)
        return R_NilValue;
    SEXP out = PROTECT(named_list(NAMES));
    for (int column = 0; NAMES[column] != NULL; column++)
        SET_VECTOR_ELT(out, column,
                       Rf_allocVector(column < 2 ? INTSXP : REALSXP, posterior->n_effects));
    for (int64_t i = 0; i < posterior->n_effects; i++) {
        const dpc_posterior_effect *e = &posterior->effects[i];
        const double values[COLUMNS] = {e->mean, e->sd, e->low, e->high, e->nonzero};
        INTEGER(VECTOR_ELT(out, 0))[i] = to_r(e->cause);
        INTEGER(VECTOR_ELT(out, 1))[i] = to_r(e->outcome);
        for (int column = 0; column < COLUMNS; column++)
            REAL(VECTOR_ELT(out, 2 + column))[i] = or_na(values[column]);
    }
    UNPROTECT(1);
    return out;
}

static SEXP effect_draws_of(const dpc_posterior *posterior)
{
    if (posterior->effect_draws == NULL)
        return R_NilValue;
    return numbers_of(posterior->effect_draws,
                      all_draws(posterior) * (R_xlen_t)posterior->n_effects);
}

static SEXP edge_counts_of(const dpc_posterior *posterior)
{
    SEXP out = Rf_allocVector(INTSXP, all_draws(posterior));
    for (R_xlen_t i = 0; i < XLENGTH(out); i++)
        INTEGER(out)[i] = posterior->n_edges[i];
    return out;
}

/* The places of the edges of a DAG in its adjacency matrix, from 1. */
static void put_places(const dpc_graph *dag, int *place)
{
    for (int64_t e = 0; e < dag->n_edges; e++) {
        const dpc_edge *edge = &dag->edges[e];
        bool forward = edge->mark == DPC_FORWARD;
        int from = forward ? edge->a : edge->b, to = forward ? edge->b : edge->a;
        place[e] = to_r(from + to * dag->n_nodes);
    }
}

/* The places of all draws, one draw after the other: so R can save them. Numbers of variables whose
 * square is no int R refuses. */
static dpc_status put_draws(work *w, int *place)
{
    const dpc_posterior *posterior = w->posterior;
    dpc_status status = DPC_OK;
    for (int chain = 0; chain < posterior->chains; chain++)
        for (int draw = 0; draw < posterior->draws && status == DPC_OK; draw++) {
            status = dpc_posterior_draw(posterior, chain, draw, &w->graph, &w->error);
            if (status != DPC_OK)
                continue;
            put_places(w->graph, place);
            place += w->graph->n_edges;
            dpc_graph_free(w->graph);
            w->graph = NULL;
        }
    return status;
}

static SEXP draws_of(work *w, dpc_status *status)
{
    R_xlen_t count = 0;
    for (R_xlen_t i = 0; i < all_draws(w->posterior); i++)
        count += w->posterior->n_edges[i];
    SEXP out = PROTECT(Rf_allocVector(INTSXP, count));
    *status = put_draws(w, INTEGER(out));
    UNPROTECT(1);
    return out;
}

static SEXP diagnostics_of(const dpc_posterior *p)
{
    static const char *const NAMES[] = {"rhat",           "ess",
                                        "score_rhat",     "score_ess",
                                        "worst_chain",    "refined_score",
                                        "outside",        "outside_parent",
                                        "outside_child",  "least_variance",
                                        "least_variable", "moves",
                                        "log_moves",      "annealed",
                                        "exact",          NULL};
    const double values[] = {p->rhat,
                             p->ess,
                             p->score_rhat,
                             p->score_ess,
                             p->worst_chain,
                             p->refined_score,
                             p->outside,
                             p->outside_parent < 0 ? NA_REAL : p->outside_parent + 1,
                             p->outside_child < 0 ? NA_REAL : p->outside_child + 1,
                             p->least_variance,
                             p->least_variable < 0 ? NA_REAL : p->least_variable + 1,
                             (double)p->moves,
                             (double)p->log_moves,
                             p->annealed,
                             p->exact};
    SEXP out = PROTECT(named_list(NAMES));
    for (int i = 0; NAMES[i] != NULL; i++)
        SET_VECTOR_ELT(out, i, Rf_ScalarReal(or_na(values[i])));
    UNPROTECT(1);
    return out;
}

static SEXP seconds_of(const dpc_posterior *p)
{
    static const char *const NAMES[] = {"candidates", "tables", "start", "draws", "all", NULL};
    const double values[] = {p->seconds_candidates, p->seconds_tables, p->seconds_start,
                             p->seconds_draws, p->seconds};
    SEXP out = PROTECT(named_list(NAMES));
    for (int i = 0; NAMES[i] != NULL; i++)
        SET_VECTOR_ELT(out, i, Rf_ScalarReal(values[i]));
    UNPROTECT(1);
    return out;
}

static SEXP answer(SEXP handle, const work *w, SEXP draws, SEXP names)
{
    static const char *const NAMES[] = {
        "handle",  "interrupted",  "complete",    "chains",  "draws",    "n_obs",
        "pairs",   "scores",       "n_edges",     "entries", "best",     "best_score",
        "effects", "effect_draws", "diagnostics", "seconds", "warnings", "candidates",
        "verdict", "thin",         NULL};
    const dpc_posterior *posterior = w->posterior;
    SEXP out = PROTECT(named_list(NAMES));
    SET_VECTOR_ELT(out, 0, handle);
    SET_VECTOR_ELT(out, 1, Rf_ScalarLogical(w->interrupted));
    SET_VECTOR_ELT(out, 2, Rf_ScalarLogical(posterior->complete));
    SET_VECTOR_ELT(out, 3, Rf_ScalarInteger(posterior->chains));
    SET_VECTOR_ELT(out, 4, Rf_ScalarInteger(posterior->draws));
    SET_VECTOR_ELT(out, 5, Rf_ScalarReal((double)posterior->n_obs));
    SET_VECTOR_ELT(out, 6, pairs_of(posterior));
    SET_VECTOR_ELT(out, 7, numbers_of(posterior->scores, all_draws(posterior)));
    SET_VECTOR_ELT(out, 8, edge_counts_of(posterior));
    SET_VECTOR_ELT(out, 9, draws);
    SET_VECTOR_ELT(out, 10, adjacency(posterior->best, names));
    SET_VECTOR_ELT(out, 11, Rf_ScalarReal(posterior->best_score));
    SET_VECTOR_ELT(out, 12, effects_of(posterior));
    SET_VECTOR_ELT(out, 13, effect_draws_of(posterior));
    SET_VECTOR_ELT(out, 14, diagnostics_of(posterior));
    SET_VECTOR_ELT(out, 15, seconds_of(posterior));
    SET_VECTOR_ELT(out, 16, findings(&w->audit, DPC_WARNING));
    SET_VECTOR_ELT(out, 17, Rf_ScalarInteger(posterior->sampling.candidates));
    SET_VECTOR_ELT(out, 18, Rf_ScalarString(Rf_mkCharCE(w->text, CE_UTF8)));
    SET_VECTOR_ELT(out, 19, Rf_ScalarInteger(posterior->sampling.thin));
    UNPROTECT(1);
    return out;
}

/* ---- Sampling ---- */

/* `numbers` has score, prior, edge_probability, candidates, chains, draws and thin. */
static dpc_sampling read_sampling(SEXP numbers, SEXP causes, SEXP outcomes)
{
    const double *asked = REAL(numbers);
    dpc_sampling out;
    dpc_sampling_default(&out);
    out.score = (dpc_marginal_score)asked[0];
    out.prior = (dpc_graph_prior)asked[1];
    out.edge_probability = asked[2];
    out.candidates = (int)asked[3];
    out.chains = (int)asked[4];
    out.draws = (int)asked[5];
    out.thin = (int)asked[6];
    out.causes = chosen(causes, &out.n_causes);
    out.outcomes = chosen(outcomes, &out.n_outcomes);
    return out;
}

/* Of a table, or from correlations with the number of observations behind them. An interrupt is no
 * failure where there are draws. */
static dpc_status sample(work *w, const dpc_settings *how, const dpc_sampling *sampling)
{
    int threads = blas_alone();
    dpc_status status =
        w->correlation != NULL
            ? dpc_sample_correlation(w->correlation, how, sampling, &w->posterior, &w->error)
            : dpc_sample(w->table, how, sampling, &w->audit, &w->posterior, &w->error);
    blas_again(threads);
    return status == DPC_INTERRUPTED && w->posterior != NULL ? DPC_OK : status;
}

/* What is said of the draws: warnings come into the audit, the verdict into w->text. */
static dpc_status judge(work *w, SEXP names)
{
    dpc_report report = {.size = sizeof report,
                         .names = read_names(names),
                         .graph = w->posterior->best,
                         .posterior = w->posterior};
    dpc_status status = dpc_posterior_warnings(w->posterior, report.names, &w->audit, &w->error);
    if (status == DPC_OK)
        status = dpc_write_string(&report, DPC_CONTENT_VERDICT, DPC_FORMAT_AUTO, &w->text, NULL,
                                  &w->error);
    return status;
}

SEXP r_sample(SEXP data, SEXP n_obs, SEXP names, SEXP settings, SEXP texts, SEXP knowledge,
              SEXP missing, SEXP numbers, SEXP causes, SEXP outcomes)
{
    work *w;
    dpc_settings how;
    dpc_sampling sampling = read_sampling(numbers, causes, outcomes);
    SEXP handle = PROTECT(work_new(&w)), draws = R_NilValue, out;
    dpc_status status = read_settings(settings, texts, w, &how);
    if (work_of(knowledge) != NULL)
        how.knowledge = work_of(knowledge)->knowledge;
    if (status == DPC_OK)
        status = n_obs == R_NilValue ? view_table(w, data, names, missing)
                                     : read_correlation(w, data, n_obs, names, missing, &how);
    if (status == DPC_OK)
        status = sample(w, &how, &sampling);
    if (status == DPC_OK)
        status = judge(w, names);
    if (status == DPC_OK)
        draws = draws_of(w, &status);
    PROTECT(draws);
    if (status == DPC_OK) {
        out = PROTECT(answer(handle, w, draws, names));
        dpc_table_free(w->table); /* what is left looks at nothing of R */
        dpc_correlation_free(w->correlation);
        w->table = NULL;
        w->correlation = NULL;
    } else {
        out = PROTECT(failure(w, status));
        finish(handle);
    }
    UNPROTECT(3);
    return out;
}

/* The graph of the probable edges. */
SEXP r_probable_graph(SEXP handle, SEXP min_probability, SEXP names)
{
    work *w;
    const dpc_posterior *posterior = work_of(handle)->posterior;
    SEXP own = PROTECT(work_new(&w));
    dpc_status status =
        dpc_posterior_graph(posterior, Rf_asReal(min_probability), &w->graph, &w->error);
    SEXP out = PROTECT(status == DPC_OK ? adjacency(w->graph, names) : failure(w, status));
    finish(own);
    UNPROTECT(2);
    return out;
}

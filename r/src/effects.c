/* What follows from a graph: effects and adjustment sets. */
#include "glue.h"

/* ---- Effects ---- */

static R_xlen_t rows_of(const dpc_effect_table *table)
{
    R_xlen_t rows = 0;
    for (int64_t i = 0; i < dpc_effect_table_about(table)->n_pairs; i++)
        rows += dpc_effect_table_pair(table, i).count;
    return rows;
}

static void fill_row(SEXP out, R_xlen_t row, const dpc_effect_pair *pair, const dpc_effect *effect)
{
    INTEGER(VECTOR_ELT(out, 0))[row] = to_r(pair->cause);
    INTEGER(VECTOR_ELT(out, 1))[row] = to_r(pair->outcome);
    LOGICAL(VECTOR_ELT(out, 2))[row] = pair->identified;
    INTEGER(VECTOR_ELT(out, 3))[row] = pair->count;
    const double values[] = {pair->min_abs, effect->effect, effect->standardised,
                             effect->se,    effect->low,    effect->high};
    for (int i = 0; i < 6; i++)
        REAL(VECTOR_ELT(out, 4 + i))[row] = or_na(values[i]);
    SEXP set = Rf_allocVector(INTSXP, effect->size);
    SET_VECTOR_ELT(VECTOR_ELT(out, 10), row, set);
    for (int i = 0; i < effect->size; i++)
        INTEGER(set)[i] = to_r(effect->set[i]);
    LOGICAL(VECTOR_ELT(out, 11))[row] = pair->possible;
    const int32_t levels[] = {pair->contrast, pair->baseline, pair->level};
    for (int i = 0; i < 3; i++)
        INTEGER(VECTOR_ELT(out, 12 + i))[row] = levels[i] < 0 ? NA_INTEGER : to_r(levels[i]);
}

static SEXP effects_of(const dpc_effect_table *table)
{
    static const char *const NAMES[] = {
        "cause", "outcome", "identified", "count",    "min_abs",  "effect",   "standardised", "se",
        "low",   "high",    "set",        "possible", "contrast", "baseline", "level",        NULL};
    static const SEXPTYPE TYPES[] = {INTSXP,  INTSXP,  LGLSXP,  INTSXP,  REALSXP,
                                     REALSXP, REALSXP, REALSXP, REALSXP, REALSXP,
                                     VECSXP,  LGLSXP,  INTSXP,  INTSXP,  INTSXP};
    R_xlen_t rows = rows_of(table), row = 0;
    SEXP out = PROTECT(named_list(NAMES));
    for (int column = 0; NAMES[column] != NULL; column++)
        SET_VECTOR_ELT(out, column, Rf_allocVector(TYPES[column], rows));
    for (int64_t i = 0; i < dpc_effect_table_about(table)->n_pairs; i++) {
        dpc_effect_pair pair = dpc_effect_table_pair(table, i);
        for (int k = 0; k < pair.count; k++) {
            dpc_effect effect = dpc_effect_table_at(table, i, k);
            fill_row(out, row++, &pair, &effect);
        }
    }
    UNPROTECT(1);
    return out;
}

/* `how` is a list: ida, standardised, top, extend, threads. */
static dpc_status ask(work *w, const dpc_correlation *correlation, SEXP names, SEXP causes,
                      SEXP outcomes, SEXP how)
{
    dpc_settings settings;
    dpc_effect_query query = {
        .ida = Rf_asInteger(VECTOR_ELT(how, 0)),
        .standardised = Rf_asLogical(VECTOR_ELT(how, 1)),
        .top = Rf_asInteger(VECTOR_ELT(how, 2)),
    };
    query.causes = chosen(causes, &query.n_causes);
    query.outcomes = chosen(outcomes, &query.n_outcomes);
    dpc_settings_default(&settings);
    settings.progress = interrupted;
    dpc_status status =
        dpc_settings_set(&settings, "threads", CHAR(STRING_ELT(VECTOR_ELT(how, 4), 0)), &w->error);
    if (status == DPC_OK)
        status = dpc_causal_new(w->graph, read_names(names), Rf_asLogical(VECTOR_ELT(how, 3)),
                                &w->causal, &w->error);
    int threads = blas_alone();
    if (status == DPC_OK)
        status = dpc_effects(correlation, w->causal, &query, &settings, &w->effects, &w->error);
    blas_again(threads);
    return status;
}

static dpc_status correlate(work *w, SEXP covariance, SEXP n_obs, SEXP names)
{
    int n = Rf_nrows(covariance);
    dpc_status status = dpc_table_view(REAL(covariance), DPC_DOUBLE, n, n, 1, n, read_names(names),
                                       &w->table, &w->error);
    if (status == DPC_OK)
        status = dpc_correlation_from_matrix(w->table, (int64_t)Rf_asReal(n_obs), NULL, NULL,
                                             &w->correlation, &w->error);
    return status;
}

/* From a covariance matrix, which has units, from correlations, or from a result: what a matrix of
 * variables does not say where some have several columns. */
SEXP r_effects(SEXP source, SEXP n_obs, SEXP matrix, SEXP names, SEXP causes, SEXP outcomes,
               SEXP how)
{
    work *w;
    SEXP handle = PROTECT(work_new(&w));
    bool learned = TYPEOF(source) == EXTPTRSXP;
    dpc_status status = learned ? DPC_OK : correlate(w, source, n_obs, names);
    const dpc_correlation *correlation =
        learned ? dpc_result_info(work_of(source)->result)->correlation : w->correlation;
    if (status == DPC_OK)
        status = read_graph(matrix, &w->graph, &w->error);
    if (status == DPC_OK)
        status = ask(w, correlation, names, causes, outcomes, how);
    SEXP out = PROTECT(status == DPC_OK ? effects_of(w->effects) : failure(w, status));
    finish(handle);
    UNPROTECT(2);
    return out;
}

/* ---- Adjustment sets ---- */

static SEXP set_of(const int32_t *set, int size)
{
    if (size < 0)
        return R_NilValue;
    SEXP out = Rf_allocVector(INTSXP, size);
    for (int i = 0; i < size; i++)
        INTEGER(out)[i] = to_r(set[i]);
    return out;
}

/* The graph as it is asked. */
static dpc_status make_asked(work *w, SEXP matrix, SEXP names, SEXP extend)
{
    return (has_marks(matrix) ? dpc_causal_new_pag : dpc_causal_new)(
        w->graph, read_names(names), Rf_asLogical(extend), &w->causal, &w->error);
}

/* Whether the effect is identified and possible; the path to blame where not; the set, or NULL. */
SEXP r_adjustment(SEXP matrix, SEXP names, SEXP cause, SEXP outcome, SEXP kind, SEXP extend)
{
    static const char *const NAMES[] = {"identified", "possible", "path", "set", "hidden", NULL};
    work *w;
    int x = Rf_asInteger(cause), y = Rf_asInteger(outcome), size = -1;
    SEXP handle = PROTECT(work_new(&w)), out;
    dpc_status status = read_graph(matrix, &w->graph, &w->error);
    if (status == DPC_OK)
        status = make_asked(w, matrix, names, extend);
    int32_t *set = (int32_t *)R_alloc((size_t)Rf_nrows(matrix), sizeof *set);
    dpc_identification told = {
        .path = (int32_t *)R_alloc((size_t)Rf_nrows(matrix), sizeof *told.path),
    };
    if (status == DPC_OK)
        status = dpc_identify(w->causal, x, y, &told, &w->error);
    if (status == DPC_OK && told.identified)
        status = dpc_adjustment(w->causal, x, y, Rf_asInteger(kind), set, &size, &w->error);
    if (status == DPC_OK) {
        out = PROTECT(named_list(NAMES));
        SET_VECTOR_ELT(out, 0, Rf_ScalarLogical(told.identified));
        SET_VECTOR_ELT(out, 1, Rf_ScalarLogical(told.possible));
        SET_VECTOR_ELT(out, 2, set_of(told.path, told.identified ? -1 : told.length));
        SET_VECTOR_ELT(out, 3, set_of(set, size));
        SET_VECTOR_ELT(out, 4, Rf_ScalarLogical(dpc_causal_about(w->causal).kind >= DPC_GRAPH_MAG));
    } else {
        out = PROTECT(failure(w, status));
    }
    finish(handle);
    UNPROTECT(2);
    return out;
}

/* ---- Separation ---- */

/* Are a and b independent by the graph, given others? If not, a path that is open. */
SEXP r_separated(SEXP matrix, SEXP names, SEXP a, SEXP b, SEXP given, SEXP extend)
{
    static const char *const NAMES[] = {"separated", "path", NULL};
    work *w;
    int count = 0, length = 0;
    bool apart = false;
    const int32_t *others = chosen(given, &count);
    SEXP handle = PROTECT(work_new(&w)), out;
    dpc_status status = read_graph(matrix, &w->graph, &w->error);
    if (status == DPC_OK)
        status = make_asked(w, matrix, names, extend);
    int32_t *path = (int32_t *)R_alloc((size_t)Rf_nrows(matrix) + 1, sizeof *path);
    if (status == DPC_OK)
        status = dpc_separated(w->causal, Rf_asInteger(a), Rf_asInteger(b), others, count, &apart,
                               path, &length, &w->error);
    if (status == DPC_OK) {
        out = PROTECT(named_list(NAMES));
        SET_VECTOR_ELT(out, 0, Rf_ScalarLogical(apart));
        SET_VECTOR_ELT(out, 1, set_of(path, apart ? -1 : length));
    } else {
        out = PROTECT(failure(w, status));
    }
    finish(handle);
    UNPROTECT(2);
    return out;
}

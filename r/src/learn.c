/* Learning: from a matrix of R to a result that R can hold. */
#include "glue.h"
#include "platform.h"

#include <string.h>

/* ---- The correlations ---- */

/*
 * The kinds of the columns are an attribute of the matrix: their names, kinds and levels (NULL: it
 * has none, or they are its values), and the names and columns of blocks.
 */
enum { KINDS_COLUMNS, KINDS_KINDS, KINDS_LEVELS, KINDS_BLOCKS, KINDS_MEMBERS };

static SEXP kinds_of(SEXP data)
{
    return Rf_getAttrib(data, Rf_install("kinds"));
}

static dpc_variable_kind kind_of_word(const char *word)
{
    int kind = DPC_NUMBER;
    while (kind < DPC_BLOCK && strcmp(dpc_word(DPC_WORD_VARIABLE, kind), word) != 0)
        kind++;
    return (dpc_variable_kind)kind;
}

static dpc_status make_block(work *w, const char *name, SEXP members, int32_t *at, int columns)
{
    int count = Rf_length(members);
    int32_t *now = (int32_t *)R_alloc((size_t)count + 1, sizeof *now), place = INT32_MAX;
    for (int i = 0; i < count; i++) {
        now[i] = at[INTEGER(members)[i] - 1];
        place = now[i] < place ? now[i] : place;
    }
    dpc_status status = dpc_table_join(w->table, name, now, count, &w->error);
    for (int v = 0; v < columns; v++) { /* what is behind the others moves up */
        int32_t gone = 0;
        for (int i = 0; i < count; i++)
            gone += now[i] < at[v] && now[i] != place;
        at[v] -= gone;
    }
    return status;
}

static dpc_status set_kinds(work *w, SEXP kinds)
{
    SEXP words = VECTOR_ELT(kinds, KINDS_KINDS), blocks = VECTOR_ELT(kinds, KINDS_BLOCKS);
    int columns = Rf_length(words);
    dpc_status status = DPC_OK;
    for (int v = 0; v < columns && status == DPC_OK; v++) {
        SEXP levels = VECTOR_ELT(VECTOR_ELT(kinds, KINDS_LEVELS), v);
        status = dpc_table_set_kind(w->table, v, kind_of_word(CHAR(STRING_ELT(words, v))),
                                    Rf_length(levels), read_names(levels), &w->error);
    }
    int32_t *at = (int32_t *)R_alloc((size_t)columns + 1, sizeof *at);
    for (int v = 0; v < columns; v++)
        at[v] = v;
    const char *const *names = read_names(blocks);
    for (int b = 0; b < Rf_length(blocks) && status == DPC_OK; b++)
        status =
            make_block(w, names[b], VECTOR_ELT(VECTOR_ELT(kinds, KINDS_MEMBERS), b), at, columns);
    return status;
}

dpc_status view_table(work *w, SEXP data, SEXP names, SEXP missing)
{
    int rows = Rf_nrows(data), way = 0;
    SEXP kinds = kinds_of(data);
    const char *word = CHAR(STRING_ELT(missing, 0));
    while (dpc_word(DPC_WORD_MISSING, (dpc_missing)way) != NULL &&
           strcmp(dpc_word(DPC_WORD_MISSING, (dpc_missing)way), word) != 0)
        way++;
    dpc_status status =
        dpc_table_view(REAL(data), DPC_DOUBLE, rows, Rf_ncols(data), 1, rows,
                       read_names(Rf_isNull(kinds) ? names : VECTOR_ELT(kinds, KINDS_COLUMNS)),
                       &w->table, &w->error);
    if (status == DPC_OK && !Rf_isNull(kinds))
        status = set_kinds(w, kinds);
    return status == DPC_OK ? dpc_table_set_missing(w->table, (dpc_missing)way, &w->error) : status;
}

/* Do the rows of pairs, an attribute of the correlations, become the N of a test by their mean? */
static bool has_mean_rows(SEXP rows)
{
    SEXP mean = Rf_getAttrib(rows, Rf_install("mean"));
    return Rf_isLogical(mean) && Rf_asLogical(mean) == 1;
}

dpc_status read_correlation(work *w, SEXP data, SEXP n_obs, SEXP names, SEXP missing,
                            const dpc_settings *settings)
{
    dpc_status status = view_table(w, data, names, missing);
    if (status != DPC_OK)
        return status;
    int threads = blas_alone();
    dpc_settings whole = *settings; /* R gets the matrix, so it is made whatever it takes */
    whole.memory = 1e12;
    status = n_obs == R_NilValue
                 ? dpc_correlate(w->table, &whole, &w->audit, &w->correlation, &w->error)
                 : dpc_correlation_from_matrix(w->table, (int64_t)Rf_asReal(n_obs), settings,
                                               &w->audit, &w->correlation, &w->error);
    blas_again(threads);
    SEXP rows = Rf_getAttrib(data, Rf_install("rows")); /* of correlations handed over before */
    if (status == DPC_OK && n_obs != R_NilValue && Rf_isInteger(rows) &&
        XLENGTH(rows) == XLENGTH(data))
        status =
            dpc_correlation_set_rows(w->correlation, INTEGER(rows), has_mean_rows(rows), &w->error);
    return status;
}

/*
 * The correlations become a matrix of R, which the library only looks at from now on: so they are
 * in memory once, and are saved with the rest of the result. The handle keeps the matrix. Where
 * cells were missing, the rows that two columns have in common are its attribute. With kinds, or
 * curves, the library has more than that matrix, and keeps its own.
 */
static dpc_status hand_over(SEXP handle, work *w, SEXP names, bool kinds)
{
    int n = dpc_correlation_about(w->correlation).n_vars;
    int64_t n_obs = dpc_correlation_about(w->correlation).n_obs;
    SEXP cor = PROTECT(Rf_allocMatrix(REALSXP, n, n));
    name_both(cor, names);
    R_SetExternalPtrProtected(handle, cor);
    memcpy(REAL(cor), dpc_correlation_about(w->correlation).values,
           (size_t)n * (size_t)n * sizeof(double));
    if (kinds) {
        UNPROTECT(1);
        return DPC_OK;
    }
    const int32_t *common = dpc_correlation_about(w->correlation).rows;
    SEXP rows = PROTECT(common != NULL ? Rf_allocMatrix(INTSXP, n, n) : R_NilValue);
    if (common != NULL) {
        memcpy(INTEGER(rows), common, (size_t)n * (size_t)n * sizeof *common);
        Rf_setAttrib(rows, Rf_install("mean"),
                     Rf_ScalarLogical(dpc_correlation_about(w->correlation).mean_rows));
        Rf_setAttrib(cor, Rf_install("rows"), rows);
    }
    dpc_correlation *made = w->correlation;
    w->correlation = NULL;
    dpc_status status = dpc_correlation_view(REAL(cor), n, n_obs, &w->correlation, &w->error);
    if (status == DPC_OK)
        dpc_correlation_share_halves(w->correlation, made);
    dpc_correlation_free(made);
    if (status == DPC_OK && rows != R_NilValue)
        status =
            dpc_correlation_set_rows(w->correlation, INTEGER(rows), has_mean_rows(rows), &w->error);
    UNPROTECT(2);
    return status;
}

/* The standard deviations of the columns; NULL: there are none. */
static SEXP units_of(const dpc_correlation *correlation)
{
    const double *units = correlation != NULL ? dpc_correlation_about(correlation).units : NULL;
    if (units == NULL)
        return R_NilValue;
    int n = dpc_correlation_about(correlation).n_vars;
    SEXP out = Rf_allocVector(REALSXP, n);
    memcpy(REAL(out), units, (size_t)n * sizeof *units);
    return out;
}

/* ---- What was learned ---- */

static SEXP settings_of(const dpc_settings *settings)
{
    int count = count_options();
    SEXP out = PROTECT(Rf_allocVector(STRSXP, count));
    SEXP names = PROTECT(Rf_allocVector(STRSXP, count));
    for (int i = 0; i < count; i++) {
        char text[DPC_OPTION_SIZE] = "";
        const char *name = dpc_option_at(i)->name;
        (void)dpc_settings_get(settings, name, text, sizeof text, NULL);
        SET_STRING_ELT(names, i, Rf_mkChar(name));
        SET_STRING_ELT(out, i, Rf_mkChar(text));
    }
    Rf_setAttrib(out, R_NamesSymbol, names);
    UNPROTECT(2);
    return out;
}

static SEXP levels_of(const dpc_info *info)
{
    static const char *const NAMES[] = {"level", "tests", "removed", "left", "seconds", NULL};
    SEXP out = PROTECT(named_list(NAMES));
    SET_VECTOR_ELT(out, 0, Rf_allocVector(INTSXP, info->n_levels));
    for (int column = 1; column < 5; column++)
        SET_VECTOR_ELT(out, column, Rf_allocVector(REALSXP, info->n_levels));
    for (int i = 0; i < info->n_levels; i++) {
        INTEGER(VECTOR_ELT(out, 0))[i] = i;
        REAL(VECTOR_ELT(out, 1))[i] = (double)info->levels[i].tests;
        REAL(VECTOR_ELT(out, 2))[i] = (double)info->levels[i].removed;
        REAL(VECTOR_ELT(out, 3))[i] = (double)info->levels[i].left;
        REAL(VECTOR_ELT(out, 4))[i] = info->levels[i].seconds;
    }
    UNPROTECT(1);
    return out;
}

static SEXP counts_of(const dpc_result *result)
{
    static const char *const NAMES[] = {
        "tests",
        "singular_neighbourhoods",
        "singular_tests",
        "doubtful_tests",
        "insertions",
        "deletions",
        "turns",
        "score",
        "conflicts",
        "ambiguous",
        "uncertain_tests",
        "copies",
        "left_out",
        "pdsep_given_up",
        NULL,
    };
    const dpc_info *info = dpc_result_info(result);
    const double values[] = {
        (double)(info->tests + info->scores), /* one of them is 0 */
        (double)info->singular_neighbourhoods,
        (double)info->singular_tests,
        (double)info->doubtful_tests,
        (double)info->steps[DPC_INSERT],
        (double)info->steps[DPC_DELETE],
        (double)info->steps[DPC_TURN],
        isnan(info->score) ? NA_REAL : info->score,
        (double)info->n_conflicts,
        (double)info->n_ambiguous,
        (double)info->uncertain_tests,
        (double)info->n_copies,
        (double)info->left_out,
        (double)info->pdsep_given_up,
    };
    SEXP out = PROTECT(named_list(NAMES));
    for (int i = 0; i < (int)(sizeof values / sizeof *values); i++)
        SET_VECTOR_ELT(out, i, Rf_ScalarReal(values[i]));
    UNPROTECT(1);
    return out;
}

static SEXP seconds_of(const work *w)
{
    static const char *const NAMES[] = {"correlation", "skeleton", "orient", "refine", NULL};
    const double *seconds = dpc_result_info(w->result)->seconds;
    SEXP out = PROTECT(named_list(NAMES));
    SET_VECTOR_ELT(out, 0, Rf_ScalarReal(w->seconds));
    SET_VECTOR_ELT(out, 1, Rf_ScalarReal(seconds[DPC_STAGE_SKELETON]));
    SET_VECTOR_ELT(out, 2, Rf_ScalarReal(seconds[DPC_STAGE_ORIENT]));
    SET_VECTOR_ELT(out, 3, Rf_ScalarReal(seconds[DPC_STAGE_REFINE]));
    UNPROTECT(1);
    return out;
}

/* What refinement has changed: marks as they are seen from a. */
static SEXP changes_of(const dpc_refined *refined)
{
    static const char *const NAMES[] = {"a", "b", "change", "before", "after", "gain", NULL};
    static const char *const MARKS[] = {[DPC_NONE] = "none",
                                        [DPC_UNDIRECTED] = "---",
                                        [DPC_FORWARD] = "-->",
                                        [DPC_BACKWARD] = "<--"};
    SEXP out = PROTECT(named_list(NAMES));
    for (int column = 0; column < 6; column++)
        SET_VECTOR_ELT(out, column,
                       Rf_allocVector(column < 2   ? INTSXP
                                      : column < 5 ? STRSXP
                                                   : REALSXP,
                                      refined->n_changes));
    for (int64_t i = 0; i < refined->n_changes; i++) {
        const dpc_change *change = &refined->changes[i];
        INTEGER(VECTOR_ELT(out, 0))[i] = to_r(change->a);
        INTEGER(VECTOR_ELT(out, 1))[i] = to_r(change->b);
        SET_STRING_ELT(VECTOR_ELT(out, 2), i, Rf_mkChar(dpc_word(DPC_WORD_CHANGE, change->kind)));
        SET_STRING_ELT(VECTOR_ELT(out, 3), i, Rf_mkChar(MARKS[change->before]));
        SET_STRING_ELT(VECTOR_ELT(out, 4), i, Rf_mkChar(MARKS[change->after]));
        REAL(VECTOR_ELT(out, 5))[i] = change->gain;
    }
    UNPROTECT(1);
    return out;
}

static SEXP refined_of(const dpc_result *result)
{
    static const char *const NAMES[] = {"price",      "score_before", "score_after",
                                        "complete",   "restarts",     "changes",
                                        "optimality", "doubt",        NULL};
    const dpc_refined *refined = dpc_result_info(result)->refined;
    if (refined == NULL)
        return R_NilValue;
    SEXP out = PROTECT(named_list(NAMES));
    SET_VECTOR_ELT(out, 0, Rf_ScalarReal(refined->price));
    SET_VECTOR_ELT(out, 1, Rf_ScalarReal(refined->score_before));
    SET_VECTOR_ELT(out, 2, Rf_ScalarReal(refined->score_after));
    SET_VECTOR_ELT(out, 3, Rf_ScalarLogical(refined->complete));
    SET_VECTOR_ELT(out, 4, Rf_ScalarInteger(refined->restarts));
    SET_VECTOR_ELT(out, 5, changes_of(refined));
    SET_VECTOR_ELT(out, 6, Rf_mkString(dpc_word(DPC_WORD_OPTIMALITY, refined->optimality)));
    SET_VECTOR_ELT(out, 7, Rf_mkString(dpc_word(DPC_WORD_DOUBT, refined->doubt)));
    UNPROTECT(1);
    return out;
}

/* What a search for hidden causes has done; NULL: there was none. */
static SEXP hidden_of(const dpc_result *result, SEXP names)
{
    static const char *const NAMES[] = {"mag",      "price",       "hidden_price", "tries", "kept",
                                        "complete", "score_after", "score_before", NULL};
    const dpc_hidden_search *hidden = dpc_result_info(result)->hidden;
    if (hidden == NULL)
        return R_NilValue;
    SEXP out = PROTECT(named_list(NAMES));
    SET_VECTOR_ELT(out, 0, marks_matrix(hidden->mag, names));
    SET_VECTOR_ELT(out, 1, Rf_ScalarReal(hidden->price));
    SET_VECTOR_ELT(out, 2, Rf_ScalarReal(hidden->hidden_price));
    SET_VECTOR_ELT(out, 3, Rf_ScalarReal((double)hidden->tries));
    SET_VECTOR_ELT(out, 4, Rf_ScalarReal((double)hidden->kept));
    SET_VECTOR_ELT(out, 5, Rf_ScalarLogical(hidden->complete));
    SET_VECTOR_ELT(out, 6, Rf_ScalarReal(hidden->score_after));
    SET_VECTOR_ELT(out, 7, Rf_ScalarReal(hidden->score_before));
    UNPROTECT(1);
    return out;
}

/* Of the audit, and what was noticed while learning. */
static SEXP warnings_of(const work *w)
{
    const char *last = dpc_result_info(w->result)->warning;
    SEXP found = PROTECT(findings(&w->audit, DPC_WARNING));
    if (last != NULL) {
        R_xlen_t count = XLENGTH(found);
        found = PROTECT(Rf_xlengthgets(found, count + 1));
        SET_STRING_ELT(found, count, Rf_mkCharCE(last, CE_UTF8));
        UNPROTECT(1);
    }
    UNPROTECT(1);
    return found;
}

static SEXP answer(SEXP handle, const work *w, SEXP cor, SEXP units, SEXP names)
{
    static const char *const NAMES[] = {
        "handle",  "cor",      "amat",           "class",   "type",     "n_obs",
        "counts",  "levels",   "settings",       "seconds", "warnings", "units",
        "refined", "complete", "effective_rows", "hidden",  "repaired", NULL};
    const dpc_result *result = w->result;
    bool pag = dpc_result_settings(result)->latent != DPC_HIDDEN_NONE;
    SEXP (*matrix)(const dpc_graph *, SEXP) = pag ? marks_matrix : adjacency;
    const dpc_graph *graph = dpc_result_graph(result), *full = dpc_result_info(result)->class_graph;
    SEXP out = PROTECT(named_list(NAMES));
    SET_VECTOR_ELT(out, 0, handle);
    SET_VECTOR_ELT(out, 1, cor);
    SET_VECTOR_ELT(out, 2, matrix(graph, names));
    SET_VECTOR_ELT(out, 3, full != graph && !pag ? adjacency(full, names) : R_NilValue);
    SET_VECTOR_ELT(out, 4, Rf_mkString(dpc_result_info(result)->type));
    SET_VECTOR_ELT(out, 5, Rf_ScalarReal((double)dpc_result_info(result)->n_obs));
    SET_VECTOR_ELT(out, 6, counts_of(result));
    SET_VECTOR_ELT(out, 7, levels_of(dpc_result_info(result)));
    SET_VECTOR_ELT(out, 8, settings_of(dpc_result_settings(result)));
    SET_VECTOR_ELT(out, 9, seconds_of(w));
    SET_VECTOR_ELT(out, 10, warnings_of(w));
    SET_VECTOR_ELT(out, 11, units);
    SET_VECTOR_ELT(out, 12, refined_of(result));
    SET_VECTOR_ELT(out, 13, Rf_ScalarLogical(dpc_result_info(result)->complete));
    SET_VECTOR_ELT(out, 14, Rf_ScalarReal(dpc_result_info(result)->effective_rows));
    SET_VECTOR_ELT(out, 15, hidden_of(result, names));
    SET_VECTOR_ELT(out, 16, Rf_ScalarLogical(dpc_result_info(result)->repaired));
    UNPROTECT(1);
    return out;
}

/* What the handle owns in the end: the result, and the correlations it looks at. */
static dpc_status learn(SEXP handle, work *w, const dpc_settings *how, SEXP names, bool kinds)
{
    dpc_table_free(w->table);
    w->table = NULL;
    dpc_status status = hand_over(handle, w, names, kinds);
    int threads = blas_alone();
    if (status == DPC_OK)
        status = dpc_learn(w->correlation, how, &w->result, &w->error);
    blas_again(threads);
    /* refinement has a graph at any time; but who interrupts R does not want it */
    return w->interrupted ? DPC_INTERRUPTED : status;
}

/* What the correlations leave of the time. */
static double time_left(double timeout, double seconds)
{
    const double hardly_any = 1e-9;
    if (timeout == DPC_NO_TIMEOUT || timeout <= seconds)
        return timeout == DPC_NO_TIMEOUT ? timeout : hardly_any;
    return timeout - seconds;
}

SEXP r_learn(SEXP data, SEXP n_obs, SEXP names, SEXP settings, SEXP texts, SEXP knowledge,
             SEXP missing)
{
    work *w;
    dpc_settings how;
    SEXP handle = PROTECT(work_new(&w));
    dpc_status status = read_settings(settings, texts, w, &how);
    if (work_of(knowledge) != NULL)
        how.knowledge = work_of(knowledge)->knowledge;
    double start = dpc_seconds();
    if (status == DPC_OK)
        status = read_correlation(w, data, n_obs, names, missing, &how);
    w->seconds = dpc_seconds() - start;
    how.timeout = time_left(how.timeout, w->seconds);
    SEXP units = PROTECT(units_of(w->correlation)), out;
    if (status == DPC_OK)
        status = learn(handle, w, &how, names,
                       !Rf_isNull(kinds_of(data)) || how.relations == DPC_CURVED);
    if (status == DPC_OK) {
        out = PROTECT(answer(handle, w, R_ExternalPtrProtected(handle), units, names));
    } else {
        out = PROTECT(failure(w, status));
        finish(handle);
    }
    UNPROTECT(3);
    return out;
}

/*
 * The verdict on a result, and the table that it is measured on.
 *
 * A result keeps its table until the verdict is asked for, by a weak reference: so it lives as long
 * as the result, and is not saved with it.
 */
#include "glue.h"

/* A weak reference to `value`, which `key` keeps alive. */
SEXP r_keep(SEXP key, SEXP value)
{
    return R_MakeWeakRef(key, value, R_NilValue, FALSE);
}

/* What it refers to; NULL: nothing any more, as in a result that was saved and loaded. */
SEXP r_kept(SEXP reference)
{
    return TYPEOF(reference) == WEAKREFSXP ? R_WeakRefValue(reference) : R_NilValue;
}

/* What the rows say: the assumptions, and with `advice` 1 or 2 (always) what other settings do. */
static dpc_status look_at_rows(work *w, const dpc_result *result, const dpc_settings *how,
                               int advice)
{
    dpc_status status = dpc_check_assumptions(w->table, w->graph, how, &w->assumptions, &w->error);
    if (status == DPC_OK && advice > 0)
        status = dpc_advise(w->table, result, how, advice > 1, &w->advice, &w->error);
    return status;
}

/*
 * The lines. `matrix` is the graph; `rows` NULL, or a list of values, names of settings, texts of
 * these, knowledge, and what missing values do; `numbers` the advice and min_frequency.
 */
SEXP r_verdict(SEXP handle, SEXP names, SEXP matrix, SEXP rows, SEXP numbers)
{
    work *w;
    const dpc_result *result = work_of(handle)->result;
    dpc_settings how;
    SEXP own = PROTECT(work_new(&w));
    dpc_status status = read_graph(matrix, &w->graph, &w->error);
    if (status == DPC_OK && rows != R_NilValue)
        status = read_settings(VECTOR_ELT(rows, 1), VECTOR_ELT(rows, 2), w, &how);
    if (status == DPC_OK && rows != R_NilValue)
        status = view_table(w, VECTOR_ELT(rows, 0), names, VECTOR_ELT(rows, 4));
    dpc_report report = {.size = sizeof report,
                         .names = read_names(names),
                         .result = result,
                         .graph = w->graph,
                         .min_frequency = REAL(numbers)[1]};
    int threads = blas_alone();
    bool pag = dpc_result_settings(result)->latent != DPC_HIDDEN_NONE; /* fit is about DAGs */
    if (status == DPC_OK && !pag && dpc_result_settings(result)->graph != DPC_SKELETON)
        status = dpc_fit(result, report.min_frequency > 0 ? w->graph : NULL, interrupted, w,
                         &w->fit, &w->error);
    if (status == DPC_OK && rows != R_NilValue) {
        if (work_of(VECTOR_ELT(rows, 3)) != NULL)
            how.knowledge = work_of(VECTOR_ELT(rows, 3))->knowledge;
        how.timeout = DPC_NO_TIMEOUT;
        status = look_at_rows(w, result, &how, pag ? 0 : (int)REAL(numbers)[0]);
    }
    report.fit = w->fit;
    report.assumptions = w->assumptions;
    report.advice = w->advice;
    if (status == DPC_OK)
        status = dpc_write_string(&report, DPC_CONTENT_VERDICT, DPC_FORMAT_AUTO, &w->text, NULL,
                                  &w->error);
    blas_again(threads);
    SEXP out = PROTECT(status == DPC_OK ? Rf_ScalarString(Rf_mkCharCE(w->text, CE_UTF8))
                                        : failure(w, status));
    finish(own);
    UNPROTECT(2);
    return out;
}

/* Handles, settings, failures and interrupts: see glue.h. */
#include "glue.h"

#include <stdlib.h>
#include <string.h>

/* ---- Handles ---- */

static void work_clear(work *w)
{
    dpc_table_free(w->table);
    dpc_result_free(w->result);
    dpc_correlation_free(w->correlation);
    dpc_knowledge_free(w->knowledge);
    dpc_frequencies_free(w->frequencies);
    dpc_posterior_free(w->posterior);
    dpc_graph_free(w->graph);
    dpc_graph_free(w->other);
    dpc_explanation_free(w->explanation);
    dpc_edge_table_free(w->edges);
    dpc_node_table_free(w->nodes);
    dpc_goodness_free(w->fit);
    dpc_assumptions_free(w->assumptions);
    dpc_advice_free(w->advice);
    dpc_causal_free(w->causal);
    dpc_causal_free(w->other_causal);
    dpc_effect_table_free(w->effects);
    dpc_dag_free(w->dag);
    free(w->hidden);
    dpc_audit_clear(&w->audit);
    dpc_string_free(w->text);
}

void finish(SEXP handle)
{
    work *w = R_ExternalPtrAddr(handle);
    if (w == NULL)
        return;
    R_ClearExternalPtr(handle);
    work_clear(w);
    free(w);
}

SEXP work_new(work **out)
{
    SEXP handle = PROTECT(R_MakeExternalPtr(NULL, Rf_install("dualpc"), R_NilValue));
    R_RegisterCFinalizerEx(handle, finish, TRUE);
    work *w = calloc(1, sizeof *w);
    if (w == NULL)
        Rf_error("out of memory");
    R_SetExternalPtrAddr(handle, w);
    UNPROTECT(1);
    *out = w;
    return handle;
}

work *work_of(SEXP handle)
{
    return TYPEOF(handle) == EXTPTRSXP ? R_ExternalPtrAddr(handle) : NULL;
}

/* ---- Interrupts ---- */

static void check_interrupt(void *nothing)
{
    (void)nothing;
    R_CheckUserInterrupt();
}

/* R would jump out of the library; R_ToplevelExec catches that, and tells. */
int interrupted(const dpc_progress *progress, void *user)
{
    (void)progress;
    bool stop = R_ToplevelExec(check_interrupt, NULL) == FALSE;
    if (stop && user != NULL)
        ((work *)user)->interrupted = true;
    return stop;
}

/* ---- The threads of the BLAS ---- */

/* Of OpenBLAS; NULL in another BLAS. */
__attribute__((weak)) void openblas_set_num_threads(int threads);
__attribute__((weak)) int openblas_get_num_threads(void);

int blas_alone(void)
{
    if (openblas_set_num_threads == NULL || openblas_get_num_threads == NULL)
        return 0;
    int before = openblas_get_num_threads();
    openblas_set_num_threads(1);
    return before;
}

void blas_again(int before)
{
    if (before > 0)
        openblas_set_num_threads(before);
}

/* ---- From R ---- */

dpc_status read_settings(SEXP names, SEXP texts, work *w, dpc_settings *settings)
{
    dpc_status status = DPC_OK;
    dpc_settings_default(settings);
    settings->progress = interrupted;
    settings->progress_user = w;
    for (R_xlen_t i = 0; i < XLENGTH(names) && status == DPC_OK; i++)
        status = dpc_settings_set(settings, CHAR(STRING_ELT(names, i)), CHAR(STRING_ELT(texts, i)),
                                  &w->error);
    return status;
}

const char *const *read_names(SEXP names)
{
    if (names == R_NilValue)
        return NULL;
    R_xlen_t count = XLENGTH(names);
    const char **out = (const char **)R_alloc((size_t)count + 1, sizeof *out);
    for (R_xlen_t i = 0; i < count; i++)
        out[i] = Rf_translateCharUTF8(STRING_ELT(names, i));
    return out;
}

/* ---- To R ---- */

SEXP named_list(const char *const *names)
{
    int count = 0;
    while (names[count] != NULL)
        count++;
    SEXP list = PROTECT(Rf_allocVector(VECSXP, count));
    SEXP given = PROTECT(Rf_allocVector(STRSXP, count));
    for (int i = 0; i < count; i++)
        SET_STRING_ELT(given, i, Rf_mkChar(names[i]));
    Rf_setAttrib(list, R_NamesSymbol, given);
    UNPROTECT(2);
    return list;
}

SEXP findings(const dpc_audit *audit, dpc_severity severity)
{
    int count = 0, next = 0;
    for (int i = 0; i < audit->count; i++)
        count += audit->items[i].severity == severity;
    SEXP out = PROTECT(Rf_allocVector(STRSXP, count));
    for (int i = 0; i < audit->count; i++)
        if (audit->items[i].severity == severity)
            SET_STRING_ELT(out, next++, Rf_mkCharCE(audit->items[i].text, CE_UTF8));
    UNPROTECT(1);
    return out;
}

SEXP failure(const work *w, dpc_status status)
{
    static const char *const NAMES[] = {"status", "message", "findings", NULL};
    SEXP out = PROTECT(named_list(NAMES));
    SET_VECTOR_ELT(out, 0, Rf_ScalarInteger(status));
    SET_VECTOR_ELT(out, 1, Rf_ScalarString(Rf_mkCharCE(w->error.message, CE_UTF8)));
    SET_VECTOR_ELT(out, 2, findings(&w->audit, DPC_ERROR));
    Rf_setAttrib(out, R_ClassSymbol, Rf_mkString("dualpc_failure"));
    UNPROTECT(1);
    return out;
}

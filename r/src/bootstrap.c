/* The bootstrap: how often resamples have each edge. */
#include "glue.h"

static SEXP pairs_of(const dpc_frequencies *f)
{
    static const char *const NAMES[] = {"a",        "b",          "edge", "forward",
                                        "backward", "undirected", NULL};
    enum { COLUMNS = 6 };
    SEXP out = PROTECT(named_list(NAMES));
    for (int column = 0; column < COLUMNS; column++)
        SET_VECTOR_ELT(out, column, Rf_allocVector(INTSXP, f->n_pairs));
    for (int64_t i = 0; i < f->n_pairs; i++) {
        const dpc_frequency *pair = &f->pairs[i];
        const int values[COLUMNS] = {to_r(pair->a),       to_r(pair->b),
                                     (int)pair->edge,     (int)pair->forward,
                                     (int)pair->backward, (int)pair->undirected};
        for (int column = 0; column < COLUMNS; column++)
            INTEGER(VECTOR_ELT(out, column))[i] = values[column];
    }
    UNPROTECT(1);
    return out;
}

/* Of PAGs, in the order of the pairs: how often each has each mark, and what is said of causes. */
static SEXP pags_of(const dpc_frequencies *f)
{
    static const char *const NAMES[] = {
        "-->", "<--", "<->",        "o->",           "<-o",        "o-o",           "---",
        "o--", "--o", "a_is_cause", "a_is_no_cause", "b_is_cause", "b_is_no_cause", NULL};
    static const dpc_mark MARKS[] = {DPC_FORWARD,      DPC_BACKWARD,     DPC_BIDIRECTED,
                                     DPC_CIRCLE_ARROW, DPC_ARROW_CIRCLE, DPC_CIRCLES,
                                     DPC_UNDIRECTED,   DPC_CIRCLE_TAIL,  DPC_TAIL_CIRCLE};
    enum { N_MARKS = sizeof MARKS / sizeof *MARKS };
    if (f->pags == NULL)
        return R_NilValue;
    SEXP out = PROTECT(named_list(NAMES));
    for (int column = 0; NAMES[column] != NULL; column++)
        SET_VECTOR_ELT(out, column, Rf_allocVector(INTSXP, f->n_pairs));
    for (int64_t i = 0; i < f->n_pairs; i++) {
        const dpc_pag_frequency *pag = &f->pags[i];
        const double causes[] = {pag->a_is_cause, pag->a_is_no_cause, pag->b_is_cause,
                                 pag->b_is_no_cause};
        for (int column = 0; NAMES[column] != NULL; column++)
            INTEGER(VECTOR_ELT(out, column))
        [i] = (int)(column < N_MARKS ? pag->mark[MARKS[column]] : causes[column - N_MARKS]);
    }
    UNPROTECT(1);
    return out;
}

static SEXP answer(const work *w, SEXP names)
{
    static const char *const NAMES[] = {"pairs",   "resamples", "rows", "constant", "consensus",
                                        "seconds", "complete",  "pags", NULL};
    SEXP out = PROTECT(named_list(NAMES));
    SET_VECTOR_ELT(out, 0, pairs_of(w->frequencies));
    SET_VECTOR_ELT(out, 1, Rf_ScalarInteger(w->frequencies->resamples));
    SET_VECTOR_ELT(out, 2, Rf_ScalarReal((double)w->frequencies->rows));
    SET_VECTOR_ELT(out, 3, Rf_ScalarInteger(w->frequencies->constant));
    SET_VECTOR_ELT(out, 4, w->graph != NULL ? adjacency(w->graph, names) : R_NilValue);
    SET_VECTOR_ELT(out, 5, Rf_ScalarReal(w->frequencies->seconds));
    SET_VECTOR_ELT(out, 6, Rf_ScalarLogical(w->frequencies->complete));
    SET_VECTOR_ELT(out, 7, pags_of(w->frequencies));
    UNPROTECT(1);
    return out;
}

/* `resampling` has resamples, seed, subsample and min_frequency (0: no consensus is wanted). */
SEXP r_bootstrap(SEXP data, SEXP names, SEXP settings, SEXP texts, SEXP knowledge, SEXP resampling,
                 SEXP missing)
{
    work *w;
    dpc_settings how;
    SEXP handle = PROTECT(work_new(&w));
    const double *asked = REAL(resampling);
    dpc_resampling r = {(int)asked[0], (uint64_t)asked[1], asked[2]};
    dpc_status status = read_settings(settings, texts, w, &how);
    if (work_of(knowledge) != NULL)
        how.knowledge = work_of(knowledge)->knowledge;
    if (status == DPC_OK)
        status = view_table(w, data, names, missing);
    int threads = blas_alone();
    if (status == DPC_OK)
        status = dpc_bootstrap(w->table, &how, &r, &w->frequencies, &w->error);
    if (status == DPC_OK && asked[3] != 0)
        status = dpc_consensus(w->frequencies, asked[3], interrupted, w, &w->graph, &w->error);
    blas_again(threads);
    SEXP out = PROTECT(status == DPC_OK ? answer(w, names) : failure(w, status));
    finish(handle);
    UNPROTECT(2);
    return out;
}

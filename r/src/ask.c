/* Questions to a result that was learned. Variables are numbered from 0 here. */
#include "glue.h"
#include "graph.h"

/* Has the handle what it had when it was made? Not after it was saved and loaded. */
SEXP r_alive(SEXP handle)
{
    return Rf_ScalarLogical(work_of(handle) != NULL);
}

static SEXP variables(const int32_t *list, int count)
{
    SEXP out = Rf_allocVector(INTSXP, count);
    for (int i = 0; i < count; i++)
        INTEGER(out)[i] = to_r(list[i]);
    return out;
}

static SEXP number(double value)
{
    return Rf_ScalarReal(ISNAN(value) ? NA_REAL : value);
}

static SEXP set_of(const dpc_sepset *set, const int32_t *members)
{
    static const char *const NAMES[] = {"kind", "set", "order", "level", "from",
                                        "r",    "p",   "n",     NULL};
    SEXP out = PROTECT(named_list(NAMES));
    SET_VECTOR_ELT(out, 0, Rf_mkString(dpc_word(DPC_WORD_SEPARATION, set->kind)));
    SET_VECTOR_ELT(out, 1, variables(members, set->size));
    SET_VECTOR_ELT(out, 2, Rf_ScalarInteger(set->size));
    SET_VECTOR_ELT(out, 3, Rf_ScalarInteger(set->level));
    SET_VECTOR_ELT(out, 4, Rf_ScalarInteger(to_r(set->from)));
    SET_VECTOR_ELT(out, 5, number(set->r));
    SET_VECTOR_ELT(out, 6, number(set->p));
    SET_VECTOR_ELT(out, 7, Rf_ScalarReal((double)set->n_obs));
    UNPROTECT(1);
    return out;
}

/* For each of some pairs; NULL where nothing separated it. */
SEXP r_separating_set(SEXP handle, SEXP a, SEXP b)
{
    work *w = work_of(handle);
    R_xlen_t count = XLENGTH(a);
    int32_t *members =
        (int32_t *)R_alloc((size_t)dpc_result_info(w->result)->n_vars, sizeof *members);
    SEXP out = PROTECT(Rf_allocVector(VECSXP, count));
    for (R_xlen_t i = 0; i < count; i++) {
        dpc_sepset set;
        dpc_status status =
            dpc_separating_set(w->result, INTEGER(a)[i], INTEGER(b)[i], &set, members, &w->error);
        if (status != DPC_OK) {
            UNPROTECT(1);
            return failure(w, status);
        }
        if (set.kind != DPC_SEP_NONE)
            SET_VECTOR_ELT(out, i, set_of(&set, members));
    }
    UNPROTECT(1);
    return out;
}

/* ---- The edges with numbers ---- */

static SEXP rows_of(const dpc_edge_table *table)
{
    static const char *const NAMES[] = {"from", "to",       "directed",  "r",    "low", "high",
                                        "p",    "evidence", "all_tests", "mark", NULL};
    static const SEXPTYPE TYPES[] = {INTSXP,  INTSXP,  LGLSXP,  REALSXP, REALSXP,
                                     REALSXP, REALSXP, REALSXP, LGLSXP,  STRSXP};
    SEXP out = PROTECT(named_list(NAMES));
    for (int column = 0; NAMES[column] != NULL; column++)
        SET_VECTOR_ELT(out, column, Rf_allocVector(TYPES[column], table->n_rows));
    for (int64_t i = 0; i < table->n_rows; i++) {
        const dpc_edge_row *row = &table->rows[i];
        const double values[] = {row->r, row->low, row->high, row->p, row->evidence};
        INTEGER(VECTOR_ELT(out, 0))[i] = to_r(row->from);
        INTEGER(VECTOR_ELT(out, 1))[i] = to_r(row->to);
        LOGICAL(VECTOR_ELT(out, 2))[i] = row->mark == DPC_FORWARD;
        for (int k = 0; k < 5; k++)
            REAL(VECTOR_ELT(out, 3 + k))[i] = ISNAN(values[k]) ? NA_REAL : values[k];
        LOGICAL(VECTOR_ELT(out, 8))[i] = row->all_tests;
        SET_STRING_ELT(VECTOR_ELT(out, 9), i, Rf_mkChar(dpc_mark_text(row->mark)));
    }
    UNPROTECT(1);
    return out;
}

/* Of the graph of the result, or of another one over its variables. */
SEXP r_edges(SEXP handle, SEXP matrix)
{
    work *w;
    const dpc_result *result = work_of(handle)->result;
    SEXP own = PROTECT(work_new(&w));
    dpc_status status = DPC_OK;
    if (matrix != R_NilValue)
        status = read_graph(matrix, &w->graph, &w->error);
    int threads = blas_alone();
    if (status == DPC_OK)
        status =
            dpc_tabulate_edges(result, w->graph, NULL, interrupted, NULL, &w->edges, &w->error);
    blas_again(threads);
    SEXP out = PROTECT(status == DPC_OK ? rows_of(w->edges) : failure(w, status));
    finish(own);
    UNPROTECT(2);
    return out;
}

/* ---- The nodes with numbers, and the methods ---- */

static SEXP nodes_of(const dpc_node_table *table)
{
    static const char *const NAMES[] = {"neighbours", "parents",    "children",
                                        "r2",         "r2_parents", NULL};
    SEXP out = PROTECT(named_list(NAMES));
    for (int column = 0; NAMES[column] != NULL; column++)
        SET_VECTOR_ELT(out, column, Rf_allocVector(column < 3 ? INTSXP : REALSXP, table->n_vars));
    for (int v = 0; v < table->n_vars; v++) {
        const dpc_node_info *row = &table->rows[v];
        INTEGER(VECTOR_ELT(out, 0))[v] = row->neighbours;
        INTEGER(VECTOR_ELT(out, 1))[v] = row->parents;
        INTEGER(VECTOR_ELT(out, 2))[v] = row->children;
        REAL(VECTOR_ELT(out, 3))[v] = ISNAN(row->r2) ? NA_REAL : row->r2;
        REAL(VECTOR_ELT(out, 4))[v] = ISNAN(row->r2_parents) ? NA_REAL : row->r2_parents;
    }
    UNPROTECT(1);
    return out;
}

/* Of the graph of the result, or of another one over its variables. */
SEXP r_nodes(SEXP handle, SEXP matrix)
{
    work *w;
    const dpc_result *result = work_of(handle)->result;
    SEXP own = PROTECT(work_new(&w));
    dpc_status status = DPC_OK;
    if (matrix != R_NilValue)
        status = read_graph(matrix, &w->graph, &w->error);
    int threads = blas_alone();
    if (status == DPC_OK)
        status = dpc_tabulate_nodes(result, w->graph, interrupted, NULL, &w->nodes, &w->error);
    blas_again(threads);
    SEXP out = PROTECT(status == DPC_OK ? nodes_of(w->nodes) : failure(w, status));
    finish(own);
    UNPROTECT(2);
    return out;
}

/* `resampling`: resamples, seed, subsample, rows and min_frequency of a bootstrap, or NULL. */
SEXP r_methods(SEXP handle, SEXP names, SEXP matrix, SEXP resampling)
{
    work *w;
    const dpc_result *result = work_of(handle)->result;
    SEXP own = PROTECT(work_new(&w));
    dpc_frequencies counts = {.n_vars = dpc_result_info(result)->n_vars};
    dpc_report report = {.size = sizeof report, .names = read_names(names), .result = result};
    dpc_status status = DPC_OK;
    if (matrix != R_NilValue)
        status = read_graph(matrix, &w->graph, &w->error);
    if (resampling != R_NilValue) {
        const double *value = REAL(resampling);
        counts.resamples = (int)value[0];
        counts.resampling = (dpc_resampling){counts.resamples, (uint64_t)value[1], value[2]};
        counts.rows = (int64_t)value[3];
        report.frequencies = &counts;
        report.min_frequency = value[4];
    }
    report.graph = w->graph;
    if (status == DPC_OK)
        status = dpc_methods_string(&report, &w->text, NULL, &w->error);
    SEXP out = PROTECT(status == DPC_OK ? Rf_ScalarString(Rf_mkCharCE(w->text, CE_UTF8))
                                        : failure(w, status));
    finish(own);
    UNPROTECT(2);
    return out;
}

/* ---- Files ---- */

/* The graph of the result, or `matrix` where it is one, to a file in the format of this word; "":
 * the one that the file's extension says. */
SEXP r_write(SEXP handle, SEXP names, SEXP matrix, SEXP file, SEXP format)
{
    work *w;
    const work *learned = work_of(handle);
    SEXP own = PROTECT(work_new(&w));
    const char *word = CHAR(STRING_ELT(format, 0));
    dpc_output output = {.path = Rf_translateChar(STRING_ELT(file, 0))};
    dpc_report report = {.size = sizeof report,
                         .names = read_names(names),
                         .result = learned != NULL ? learned->result : NULL};
    dpc_status status = DPC_OK;
    if (word[0] != '\0')
        status = dpc_format_of_word(word, &output.format, &w->error);
    if (status == DPC_OK && matrix != R_NilValue)
        status = read_graph(matrix, &w->graph, &w->error);
    report.graph = w->graph;
    if (status == DPC_OK)
        status = dpc_write(&report, &output, 1, &w->error);
    SEXP out = PROTECT(status == DPC_OK ? R_NilValue : failure(w, status));
    finish(own);
    UNPROTECT(2);
    return out;
}

/* Triples in doubt: first the conflicts, then the ambiguous ones. */
SEXP r_triples(SEXP handle)
{
    static const char *const NAMES[] = {"x", "y", "z", "collider", "evidence", "conflict", NULL};
    const work *w = work_of(handle);
    const dpc_info *info = dpc_result_info(w->result);
    const int64_t counts[2] = {info->n_conflicts, info->n_ambiguous};
    const dpc_triple *lists[2] = {info->conflicts, info->ambiguous};
    R_xlen_t all = counts[0] + counts[1], next = 0;
    SEXP out = PROTECT(named_list(NAMES));
    for (int column = 0; column < 6; column++)
        SET_VECTOR_ELT(out, column,
                       Rf_allocVector(column < 3    ? INTSXP
                                      : column == 4 ? REALSXP
                                                    : LGLSXP,
                                      all));
    for (int list = 0; list < 2; list++)
        for (int64_t i = 0; i < counts[list]; i++, next++) {
            const dpc_triple *t = &lists[list][i];
            INTEGER(VECTOR_ELT(out, 0))[next] = to_r(t->x);
            INTEGER(VECTOR_ELT(out, 1))[next] = to_r(t->y);
            INTEGER(VECTOR_ELT(out, 2))[next] = to_r(t->z);
            LOGICAL(VECTOR_ELT(out, 3))[next] = t->collider;
            REAL(VECTOR_ELT(out, 4))[next] = ISNAN(t->evidence) ? NA_REAL : t->evidence;
            LOGICAL(VECTOR_ELT(out, 5))[next] = list == 0;
        }
    UNPROTECT(1);
    return out;
}

/* ---- Explanations ---- */

static SEXP reasons_of(const dpc_explanation *e)
{
    static const char *const NAMES[] = {"kind", "from", "to", "other", "other2", "evidence", NULL};
    SEXP out = PROTECT(named_list(NAMES));
    SET_VECTOR_ELT(out, 0, Rf_allocVector(STRSXP, e->n_reasons));
    for (int column = 1; column < 5; column++)
        SET_VECTOR_ELT(out, column, Rf_allocVector(INTSXP, e->n_reasons));
    SET_VECTOR_ELT(out, 5, Rf_allocVector(REALSXP, e->n_reasons));
    for (int i = 0; i < e->n_reasons; i++) {
        const dpc_reason *reason = &e->reasons[i];
        SET_STRING_ELT(VECTOR_ELT(out, 0), i, Rf_mkChar(dpc_word(DPC_WORD_REASON, reason->kind)));
        INTEGER(VECTOR_ELT(out, 1))[i] = to_r(reason->from);
        INTEGER(VECTOR_ELT(out, 2))[i] = to_r(reason->to);
        INTEGER(VECTOR_ELT(out, 3))[i] = to_r(reason->other[0]);
        INTEGER(VECTOR_ELT(out, 4))[i] = to_r(reason->other[1]);
        REAL(VECTOR_ELT(out, 5))[i] = ISNAN(reason->evidence) ? NA_REAL : reason->evidence;
    }
    UNPROTECT(1);
    return out;
}

static SEXP test_of(const dpc_pair_test *test)
{
    return test->what.kind == DPC_SEP_NONE && test->what.size == 0 && ISNAN(test->what.r)
               ? R_NilValue
               : set_of(&test->what, test->members);
}

/* The marks of a PAG at the two ends, each with its rule and the nodes of its premises. */
static SEXP ends_of(const dpc_explanation *e)
{
    static const char *const NAMES[] = {"mark", "rule", "others", NULL};
    static const char *const MARKS[] = {"none", "circle", "arrow", "tail"};
    const dpc_end_reason *ends[] = {&e->end_a, &e->end_b};
    if (e->end_a.end == DPC_END_NONE)
        return R_NilValue;
    SEXP out = PROTECT(named_list(NAMES));
    SET_VECTOR_ELT(out, 0, Rf_allocVector(STRSXP, 2));
    SET_VECTOR_ELT(out, 1, Rf_allocVector(STRSXP, 2));
    SET_VECTOR_ELT(out, 2, Rf_allocVector(VECSXP, 2));
    for (int i = 0; i < 2; i++) {
        char rule[16] = "R";
        int count = 0;
        while (count < 4 && ends[i]->other[count] >= 0)
            count++;
        snprintf(rule, sizeof rule, "R%d", ends[i]->rule);
        SET_STRING_ELT(VECTOR_ELT(out, 0), i, Rf_mkChar(MARKS[ends[i]->end]));
        SET_STRING_ELT(VECTOR_ELT(out, 1), i,
                       ends[i]->rule == DPC_RULE_NONE    ? NA_STRING
                       : ends[i]->rule == DPC_RULE_KNOWN ? Rf_mkChar("knowledge")
                                                         : Rf_mkChar(rule));
        SET_VECTOR_ELT(VECTOR_ELT(out, 2), i, variables(ends[i]->other, count));
    }
    UNPROTECT(1);
    return out;
}

/* What another mark of the pair would cost after a search; NULL: there was none. */
static SEXP lost_of(const dpc_explanation *e)
{
    static const char *const NAMES[] = {"none", "-->", "<--", "<->", NULL};
    const double values[] = {e->lost.none, e->lost.forward, e->lost.backward, e->lost.both};
    bool any = false;
    for (int i = 0; i < 4; i++)
        any = any || !ISNAN(values[i]);
    if (!any)
        return R_NilValue;
    SEXP out = PROTECT(named_list(NAMES));
    for (int i = 0; i < 4; i++)
        SET_VECTOR_ELT(out, i, number(values[i]));
    UNPROTECT(1);
    return out;
}

static SEXP explained(const work *w)
{
    static const char *const NAMES[] = {
        "text",  "test", "other",    "known",  "tests",  "all_tests", "r",    "low",  "high",
        "order", "gain", "evidence", "near_a", "near_b", "reasons",   "ends", "lost", NULL};
    const dpc_explanation *e = w->explanation;
    const char *known = e->known == DPC_KNOWN_NOTHING ? NULL : dpc_word(DPC_WORD_KNOWN, e->known);
    SEXP out = PROTECT(named_list(NAMES));
    SET_VECTOR_ELT(out, 0, Rf_ScalarString(Rf_mkCharCE(w->text, CE_UTF8)));
    SET_VECTOR_ELT(out, 1, test_of(&e->test));
    SET_VECTOR_ELT(out, 2, e->other.what.kind == DPC_SEP_NONE ? R_NilValue : test_of(&e->other));
    SET_VECTOR_ELT(out, 3, known != NULL ? Rf_mkString(known) : R_NilValue);
    SET_VECTOR_ELT(out, 4, Rf_ScalarReal((double)e->tests));
    SET_VECTOR_ELT(out, 5, Rf_ScalarLogical(e->all_tests));
    SET_VECTOR_ELT(out, 6, number(e->r));
    SET_VECTOR_ELT(out, 7, number(e->low));
    SET_VECTOR_ELT(out, 8, number(e->high));
    SET_VECTOR_ELT(out, 9, Rf_ScalarInteger(e->order));
    SET_VECTOR_ELT(out, 10, number(e->gain));
    SET_VECTOR_ELT(out, 11, number(e->evidence));
    SET_VECTOR_ELT(out, 12, variables(e->near_a, e->n_near_a));
    SET_VECTOR_ELT(out, 13, variables(e->near_b, e->n_near_b));
    SET_VECTOR_ELT(out, 14, reasons_of(e));
    SET_VECTOR_ELT(out, 15, ends_of(e));
    SET_VECTOR_ELT(out, 16, lost_of(e));
    UNPROTECT(1);
    return out;
}

SEXP r_explain(SEXP handle, SEXP names, SEXP a, SEXP b)
{
    work *w;
    const dpc_result *result = work_of(handle)->result;
    SEXP own = PROTECT(work_new(&w));
    int threads = blas_alone();
    dpc_status status = dpc_explain(result, Rf_asInteger(a), Rf_asInteger(b), interrupted, NULL,
                                    &w->explanation, &w->error);
    blas_again(threads);
    if (status == DPC_OK)
        status = dpc_explanation_string(result, read_names(names), w->explanation, &w->text, NULL,
                                        &w->error);
    SEXP out = PROTECT(status == DPC_OK ? explained(w) : failure(w, status));
    finish(own);
    UNPROTECT(2);
    return out;
}

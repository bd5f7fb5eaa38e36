/* Graphs between R and the library. */
#include "glue.h"

#include <string.h>

/* What a matrix of marks says of itself: pcalg has the same attribute, with the same value. */
static const char MARKS[] = "amat.pag";

void name_both(SEXP matrix, SEXP names)
{
    SEXP both = PROTECT(Rf_allocVector(VECSXP, 2));
    SET_VECTOR_ELT(both, 0, names);
    SET_VECTOR_ELT(both, 1, names);
    Rf_setAttrib(matrix, R_DimNamesSymbol, both);
    UNPROTECT(1);
}

SEXP adjacency(const dpc_graph *graph, SEXP names)
{
    int n = graph->n_nodes;
    SEXP out = PROTECT(Rf_allocMatrix(INTSXP, n, n));
    int *entry = INTEGER(out);
    for (R_xlen_t i = 0; i < XLENGTH(out); i++)
        entry[i] = 0;
    for (int64_t e = 0; e < graph->n_edges; e++) {
        const dpc_edge *edge = &graph->edges[e];
        if (edge->mark != DPC_BACKWARD)
            entry[edge->a + (R_xlen_t)edge->b * n] = 1;
        if (edge->mark != DPC_FORWARD)
            entry[edge->b + (R_xlen_t)edge->a * n] = 1;
    }
    name_both(out, names);
    UNPROTECT(1);
    return out;
}

SEXP marks_matrix(const dpc_graph *graph, SEXP names)
{
    int n = graph->n_nodes;
    SEXP out = PROTECT(Rf_allocMatrix(INTSXP, n, n));
    int *entry = INTEGER(out);
    for (R_xlen_t i = 0; i < XLENGTH(out); i++)
        entry[i] = DPC_END_NONE;
    for (int64_t e = 0; e < graph->n_edges; e++) {
        const dpc_edge *edge = &graph->edges[e];
        entry[edge->a + (R_xlen_t)edge->b * n] = dpc_end_b(edge->mark);
        entry[edge->b + (R_xlen_t)edge->a * n] = dpc_end_a(edge->mark);
    }
    name_both(out, names);
    UNPROTECT(1);
    return out;
}

bool has_marks(SEXP matrix)
{
    SEXP type = Rf_getAttrib(matrix, Rf_install("type"));
    return TYPEOF(type) == STRSXP && XLENGTH(type) == 1 &&
           strcmp(CHAR(STRING_ELT(type, 0)), MARKS) == 0;
}

/* From an integer matrix; R has its columns one after the other, which turns the arrows round. */
dpc_status read_graph(SEXP matrix, dpc_graph **out, dpc_error *err)
{
    int n = Rf_nrows(matrix);
    bool marks = has_marks(matrix);
    const int *entry = INTEGER(matrix);
    uint8_t *bytes = (uint8_t *)R_alloc((size_t)n * (size_t)n + 1, 1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int value = entry[i + (R_xlen_t)j * n];
            bytes[(R_xlen_t)i * n + j] = (uint8_t)(marks ? value : value != 0);
        }
    return marks ? dpc_graph_from_marks(bytes, n, out, err)
                 : dpc_graph_from_adjacency(bytes, n, out, err);
}

SEXP r_member(SEXP matrix)
{
    work *w;
    SEXP handle = PROTECT(work_new(&w));
    dpc_status status = read_graph(matrix, &w->graph, &w->error);
    if (status == DPC_OK)
        status = dpc_class_member(w->graph, &w->other, &w->error);
    SEXP names = Rf_getAttrib(matrix, R_DimNamesSymbol);
    SEXP out =
        PROTECT(status == DPC_OK ? adjacency(w->other, VECTOR_ELT(names, 0)) : failure(w, status));
    finish(handle);
    UNPROTECT(2);
    return out;
}

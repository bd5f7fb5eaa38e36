/* Random networks and data, as dualpc simulate draws them. */
#include "glue.h"

#include "graph.h"
#include "hidden.h"
#include "kinds.h"
#include "sortability.h"

#include <stdlib.h>
#include <string.h>

/* The names of R's matrices: V1, V2, … */
static SEXP names_of(const dpc_table *table)
{
    int n = dpc_table_about(table).n_vars;
    SEXP out = PROTECT(Rf_allocVector(STRSXP, n));
    for (int i = 0; i < n; i++)
        SET_STRING_ELT(out, i, Rf_mkChar(dpc_table_about(table).names[i]));
    UNPROTECT(1);
    return out;
}

/* Row i, column j is the weight of i → j. */
static SEXP weights_of(const dpc_dag *dag, SEXP names)
{
    SEXP out = PROTECT(Rf_allocMatrix(REALSXP, dag->n, dag->n));
    memset(REAL(out), 0, (size_t)XLENGTH(out) * sizeof(double));
    for (int v = 0; v < dag->n; v++)
        for (int64_t e = dag->start[v]; e < dag->start[v + 1]; e++)
            REAL(out)[dag->parent[e] + (R_xlen_t)v * dag->n] = dag->weight[e];
    name_both(out, names);
    UNPROTECT(1);
    return out;
}

static SEXP columns_of(dpc_table *table, SEXP names)
{
    R_xlen_t rows = dpc_table_about(table).n_obs;
    int n = dpc_table_about(table).n_vars;
    SEXP out = PROTECT(Rf_allocVector(VECSXP, n));
    for (int j = 0; j < n; j++) {
        SET_VECTOR_ELT(out, j, Rf_allocVector(REALSXP, rows));
        memcpy(REAL(VECTOR_ELT(out, j)), dpc_table_about(table).values + j * rows,
               (size_t)rows * sizeof(double));
    }
    Rf_setAttrib(out, R_NamesSymbol, names);
    UNPROTECT(1);
    return out;
}

/* Of nominal variables how many levels they have; of others 0. */
static SEXP levels_of(const dpc_dag *dag)
{
    SEXP out = PROTECT(Rf_allocVector(INTSXP, dag->n));
    for (int v = 0; v < dag->n; v++)
        INTEGER(out)[v] = dpc_node_kind_of(dag, v) == DPC_NOMINAL ? dag->kinds[v].n_levels : 0;
    UNPROTECT(1);
    return out;
}

/* Which nodes are hidden; NULL: nobody has asked for any. */
static SEXP hidden_of(const work *w)
{
    if (w->hidden == NULL)
        return R_NilValue;
    SEXP out = PROTECT(Rf_allocVector(LGLSXP, w->dag->n));
    for (int v = 0; v < w->dag->n; v++)
        LOGICAL(out)[v] = w->hidden[v];
    UNPROTECT(1);
    return out;
}

/* The names of the nodes that are not hidden. */
static SEXP seen_names(const work *w, SEXP names)
{
    int count = 0;
    SEXP out = PROTECT(Rf_allocVector(STRSXP, w->other->n_nodes));
    for (int v = 0; v < w->dag->n; v++)
        if (!w->hidden[v])
            SET_STRING_ELT(out, count++, STRING_ELT(names, v));
    UNPROTECT(1);
    return out;
}

static SEXP answer(const work *w, double sortability)
{
    static const char *const NAMES[] = {"data",   "weights", "cpdag", "sortability",
                                        "levels", "hidden",  "pag",   NULL};
    SEXP out = PROTECT(named_list(NAMES)), names = PROTECT(names_of(w->table));
    SET_VECTOR_ELT(out, 0, columns_of(w->table, names));
    SET_VECTOR_ELT(out, 1, weights_of(w->dag, names));
    SET_VECTOR_ELT(out, 2, adjacency(w->graph, names));
    SET_VECTOR_ELT(out, 3, Rf_ScalarReal(sortability));
    SET_VECTOR_ELT(out, 4, levels_of(w->dag));
    SET_VECTOR_ELT(out, 5, hidden_of(w));
    if (w->other != NULL) {
        SEXP seen = PROTECT(seen_names(w, names));
        SET_VECTOR_ELT(out, 6, marks_matrix(w->other, seen));
        UNPROTECT(1);
    }
    UNPROTECT(2);
    return out;
}

/* The CPDAG into w->graph, as an object of its own. */
static dpc_status make_cpdag(work *w)
{
    dpc_graph cpdag = {0};
    dpc_status status = dpc_dag_graph(w->dag, DPC_CPDAG, &cpdag, &w->error);
    if (status == DPC_OK)
        status = dpc_graph_copy(&cpdag, &w->graph, &w->error);
    free(cpdag.edges);
    return status;
}

/* Which nodes are hidden, and the PAG of the others into w->other. */
static dpc_status hide(work *w, const dpc_simulation *s)
{
    dpc_graph pag = {0};
    dpc_status status = dpc_simulate_hidden(s, w->dag, &w->hidden, &w->error);
    if (status == DPC_OK)
        status = dpc_hidden_pag(w->dag, w->hidden, &pag, &w->error);
    if (status == DPC_OK)
        status = dpc_graph_copy(&pag, &w->other, &w->error);
    dpc_graph_clear(&pag);
    return status;
}

/*
 * `numbers`: nodes, parents, samples, degrees of freedom, tanh, the two weights, seed, structure,
 * design, signs, the two variances, exponential or not, mixed, ordinal, curved, levels, hidden (the
 * share; negative: there is no PAG to be told).
 */
SEXP r_simulate(SEXP numbers)
{
    work *w;
    const double *given = REAL(numbers);
    SEXP handle = PROTECT(work_new(&w));
    dpc_simulation s;
    dpc_simulation_default(&s);
    s.model.n = (int)given[0];
    s.model.parents = given[1];
    s.n_obs = (int64_t)given[2];
    s.noise.degrees = given[3];
    s.tanh_lambda = given[4];
    s.model.weight_low = given[5];
    s.model.weight_high = given[6];
    s.seed = (uint64_t)given[7];
    s.model.structure = (dpc_structure)given[8];
    s.design = (dpc_design)given[9];
    s.signs = (dpc_signs)given[10];
    s.variance_low = given[11];
    s.variance_high = given[12];
    s.noise.exponential = given[13] != 0;
    s.kinds = (dpc_kinds_model){given[14], given[15], given[16], (int)given[17]};
    s.hidden = given[18] > 0 ? given[18] : 0;
    double sortability = R_NaReal;
    dpc_status status = dpc_simulate(&s, &w->dag, &w->table, &w->error);
    if (status == DPC_OK)
        status = make_cpdag(w);
    if (status == DPC_OK && given[18] >= 0)
        status = hide(w, &s);
    if (status == DPC_OK)
        status = dpc_sortability(w->dag, w->table, &sortability, &w->error);
    SEXP out = PROTECT(status == DPC_OK ? answer(w, sortability) : failure(w, status));
    finish(handle);
    UNPROTECT(2);
    return out;
}

/*
 * Between R and the library: what the files of this folder share.
 *
 * R leaves a C function by a jump where memory ends or the user interrupts, and nothing behind the
 * jump is done. So whatever the library makes is hung into a handle, an external pointer with a
 * finalizer, before R is asked for anything: what a jump leaves behind the garbage collector finds.
 * The library itself is never jumped out of (see interrupted).
 */
#ifndef DUALPC_GLUE_H
#define DUALPC_GLUE_H

#define R_NO_REMAP
#define STRICT_R_HEADERS
#include "dualpc.h"
#include "dualpc_io.h"
#include "dualpc_sample.h"
#include "simulate.h"

#include <R.h>
#include <Rinternals.h>

/* ---- call.c: what every call needs ---- */

/* All that a call may make; freed with its handle. Zeros: not made yet. */
typedef struct work {
    dpc_table *table;
    dpc_correlation *correlation;
    dpc_knowledge *knowledge;
    dpc_result *result;
    dpc_frequencies *frequencies;
    dpc_posterior *posterior;
    dpc_graph *graph, *other;
    dpc_explanation *explanation;
    dpc_edge_table *edges;
    dpc_node_table *nodes;
    dpc_goodness *fit;
    dpc_assumptions *assumptions;
    dpc_advice *advice;
    dpc_causal *causal, *other_causal;
    dpc_effect_table *effects;
    dpc_dag *dag;
    bool *hidden; /* nodes of the dag */
    dpc_audit audit;
    char *text;
    double seconds;   /* that the correlations took */
    bool interrupted; /* by the user */
    dpc_error error;
} work;

/* A handle, to be protected by the caller; *out is what it owns. */
SEXP work_new(work **out);

/* Frees what it owns now, and not only when R collects its garbage. */
void finish(SEXP handle);

/* What a handle owns; NULL: it comes from another session of R, or is none. */
work *work_of(SEXP handle);

/* The settings of these names and texts, with the interrupt of the user as callback. */
dpc_status read_settings(SEXP names, SEXP texts, work *w, dpc_settings *settings);

/* The callback: has the user interrupted? `user` may be a work, which remembers it. */
int interrupted(const dpc_progress *progress, void *user);

/*
 * The library has its own threads, which those of a BLAS would only stand in the way of: R's has
 * one between blas_alone and blas_again, which takes what the other returned. Nothing jumps in
 * between.
 */
int blas_alone(void);
void blas_again(int before);

/* Strings as UTF-8, which live as long as the call; NULL for R's NULL. */
const char *const *read_names(SEXP names);

/* What a call returns that failed: a list of status, message and the findings of the audit. */
SEXP failure(const work *w, dpc_status status);

/* The findings as strings. */
SEXP findings(const dpc_audit *audit, dpc_severity severity);

/* How many settings there are. */
int count_options(void);

/* A list with these names, ended by NULL; its values are NULL. To be protected. */
SEXP named_list(const char *const *names);

/* R's names, 1 for the first variable; R_NaInt where there is none. */
static inline int to_r(int variable)
{
    return variable < 0 ? NA_INTEGER : variable + 1;
}

static inline double or_na(double value)
{
    return ISNAN(value) ? NA_REAL : value;
}

/* Numbers of variables from R, from 0; none: NULL. */
static inline const int32_t *chosen(SEXP list, int *count)
{
    *count = (int)XLENGTH(list);
    return *count > 0 ? INTEGER(list) : NULL;
}

/* ---- learn.c ---- */

/* The table over a matrix of R, into w->table; `missing`: what its NaN do, but not "rows". */
dpc_status view_table(work *w, SEXP data, SEXP names, SEXP missing);

/* The correlations of a table of observations, or, with `n_obs`, from a matrix of them; into
 * w->correlation. */
dpc_status read_correlation(work *w, SEXP data, SEXP n_obs, SEXP names, SEXP missing,
                            const dpc_settings *settings);

/* ---- graph.c ---- */

/* The same names for rows and columns. */
void name_both(SEXP matrix, SEXP names);

/* The adjacency matrix: row i, column j is 1 for i → j and for i — j. To be protected. */
SEXP adjacency(const dpc_graph *graph, SEXP names);

/* The marks of a PAG: row i, column j is the dpc_end at j. To be protected. */
SEXP marks_matrix(const dpc_graph *graph, SEXP names);

/* From either of them. A matrix of marks has the attribute "type", "amat.pag". */
bool has_marks(SEXP matrix);
dpc_status read_graph(SEXP matrix, dpc_graph **out, dpc_error *err);

/* ---- What R calls ---- */

SEXP r_options(void);
SEXP r_knowledge(SEXP n_vars, SEXP kind, SEXP first, SEXP second);
SEXP r_knowledge_text(SEXP text, SEXP source, SEXP names);
SEXP r_learn(SEXP data, SEXP n_obs, SEXP names, SEXP settings, SEXP texts, SEXP knowledge,
             SEXP missing);
SEXP r_bootstrap(SEXP data, SEXP names, SEXP settings, SEXP texts, SEXP knowledge, SEXP resampling,
                 SEXP missing);
SEXP r_sample(SEXP data, SEXP n_obs, SEXP names, SEXP settings, SEXP texts, SEXP knowledge,
              SEXP missing, SEXP numbers, SEXP causes, SEXP outcomes);
SEXP r_probable_graph(SEXP handle, SEXP min_probability, SEXP names);
SEXP r_alive(SEXP handle);
SEXP r_separating_set(SEXP handle, SEXP a, SEXP b);
SEXP r_write(SEXP handle, SEXP names, SEXP matrix, SEXP file, SEXP format);
SEXP r_triples(SEXP handle);
SEXP r_explain(SEXP handle, SEXP names, SEXP a, SEXP b);
SEXP r_member(SEXP matrix);
SEXP r_compare_pags(SEXP estimate, SEXP truth);
SEXP r_compare(SEXP estimate, SEXP truth, SEXP as, SEXP extend, SEXP threads);
SEXP r_edges(SEXP handle, SEXP matrix);
SEXP r_nodes(SEXP handle, SEXP matrix);
SEXP r_methods(SEXP handle, SEXP names, SEXP matrix, SEXP resampling);
SEXP r_effects(SEXP source, SEXP n_obs, SEXP matrix, SEXP names, SEXP causes, SEXP outcomes,
               SEXP how);
SEXP r_adjustment(SEXP matrix, SEXP names, SEXP cause, SEXP outcome, SEXP kind, SEXP extend);
SEXP r_separated(SEXP matrix, SEXP names, SEXP a, SEXP b, SEXP given, SEXP extend);
SEXP r_simulate(SEXP numbers);
SEXP r_keep(SEXP key, SEXP value);
SEXP r_kept(SEXP reference);
SEXP r_verdict(SEXP handle, SEXP names, SEXP matrix, SEXP rows, SEXP numbers);

#endif

/* Distances between two graphs, as dualpc compare has them. */
#include "glue.h"

/* What a graph can be asked; its reason where it cannot, and NULL stays in *out. */
static dpc_status make_causal(const dpc_graph *graph, bool extend, dpc_causal **out, work *w)
{
    dpc_status status = dpc_causal_new(graph, NULL, extend, out, &w->error);
    return status == DPC_BAD_INPUT ? DPC_OK : status;
}

/* PAGs, as skeletons, have no distances of effects. */
static dpc_status measure(work *w, SEXP as, bool pag, bool extend, SEXP threads, dpc_metrics *m,
                          dpc_aid *aid)
{
    dpc_settings settings;
    dpc_settings_default(&settings);
    settings.progress = interrupted;
    dpc_status status = dpc_settings_set(&settings, "graph", CHAR(STRING_ELT(as, 0)), &w->error);
    if (status == DPC_OK)
        status = dpc_settings_set(&settings, "threads", CHAR(STRING_ELT(threads, 0)), &w->error);
    if (status == DPC_OK)
        status = dpc_compare(w->graph, w->other, settings.graph, m, &w->error);
    if (status == DPC_OK && !pag)
        status = make_causal(w->graph, extend, &w->causal, w);
    if (status == DPC_OK && !pag)
        status = make_causal(w->other, extend, &w->other_causal, w);
    *aid = (dpc_aid){.parent = -1, .ancestor = -1, .oset = -1, .sid = -1};
    if (status == DPC_OK && w->causal != NULL && w->other_causal != NULL)
        status = dpc_distances(w->causal, w->other_causal, DPC_AID_ALL, &settings, aid, &w->error);
    return status;
}

static double known(int64_t count)
{
    return count < 0 ? NA_REAL : (double)count;
}

static SEXP numbers_of(const work *w, const dpc_metrics *m, const dpc_aid *aid)
{
    static const char *const NAMES[] = {
        "TP",         "FP",           "FN",       "SHD", "TPR",   "FPRp", "P",   "precision",
        "recall",     "F1",           "exact",    "AP",  "AR",    "AHP",  "AHR", "AHRC",
        "parent_aid", "ancestor_aid", "oset_aid", "sid", "pairs", NULL,
    };
    double n = w->graph->n_nodes;
    const double values[] = {
        m->tp,
        m->fp,
        m->fn,
        m->shd,
        m->tpr,
        m->fprp,
        (double)m->p,
        m->precision,
        m->recall,
        m->f1,
        m->exact,
        m->ap,
        m->ar,
        m->ahp,
        m->ahr,
        m->ahrc,
        known(aid->parent),
        known(aid->ancestor),
        known(aid->oset),
        known(aid->sid),
        n * (n - 1),
    };
    SEXP out = PROTECT(named_list(NAMES));
    for (int i = 0; i < (int)(sizeof values / sizeof *values); i++)
        SET_VECTOR_ELT(out, i, Rf_ScalarReal(ISNAN(values[i]) ? NA_REAL : values[i]));
    UNPROTECT(1);
    return out;
}

/* ---- PAGs ---- */

static SEXP pag_numbers(const dpc_pag_metrics *m)
{
    static const char *const NAMES[] = {
        "skeleton_precision", "skeleton_recall", "skeleton_F1", "arrow_precision", "arrow_recall",
        "tail_precision",     "tail_recall",     "SHD",         "exact",           NULL,
    };
    const double values[] = {
        m->precision,      m->recall,      m->f1,          m->arrow_precision, m->arrow_recall,
        m->tail_precision, m->tail_recall, (double)m->shd, m->exact,
    };
    SEXP out = PROTECT(named_list(NAMES));
    for (int i = 0; NAMES[i] != NULL; i++)
        SET_VECTOR_ELT(out, i, Rf_ScalarReal(or_na(values[i])));
    UNPROTECT(1);
    return out;
}

SEXP r_compare_pags(SEXP estimate, SEXP truth)
{
    work *w;
    dpc_pag_metrics m;
    SEXP handle = PROTECT(work_new(&w));
    dpc_status status = read_graph(estimate, &w->graph, &w->error);
    if (status == DPC_OK)
        status = read_graph(truth, &w->other, &w->error);
    if (status == DPC_OK)
        status = dpc_compare_pags(w->graph, w->other, &m, &w->error);
    SEXP out = PROTECT(status == DPC_OK ? pag_numbers(&m) : failure(w, status));
    finish(handle);
    UNPROTECT(2);
    return out;
}

/* ---- Others ---- */

SEXP r_compare(SEXP estimate, SEXP truth, SEXP as, SEXP extend, SEXP threads)
{
    work *w;
    dpc_metrics m;
    dpc_aid aid;
    SEXP handle = PROTECT(work_new(&w));
    dpc_status status = read_graph(estimate, &w->graph, &w->error);
    if (status == DPC_OK)
        status = read_graph(truth, &w->other, &w->error);
    if (status == DPC_OK)
        status = measure(w, as, has_marks(estimate) || has_marks(truth), Rf_asLogical(extend),
                         threads, &m, &aid);
    SEXP out = PROTECT(status == DPC_OK ? numbers_of(w, &m, &aid) : failure(w, status));
    finish(handle);
    UNPROTECT(2);
    return out;
}

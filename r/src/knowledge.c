/* Background knowledge from R: statements about numbered variables, or the text of a file. */
#include "glue.h"

enum statement { FORBID, REQUIRE, TIER, NO_EDGES_WITHIN, ONLY_NEXT };

static dpc_status say(dpc_knowledge *k, int kind, int first, int second, dpc_error *err)
{
    switch (kind) {
    case FORBID:
        return dpc_knowledge_forbid(k, first, second, err);
    case REQUIRE:
        return dpc_knowledge_require(k, first, second, err);
    case TIER:
        return dpc_knowledge_tier(k, first, second, err);
    default:
        return dpc_knowledge_restrict(k, first, kind == NO_EDGES_WITHIN, kind == ONLY_NEXT, err);
    }
}

/*
 * A handle with the knowledge; or, where a statement contradicts the ones before it, the failure,
 * with its number as the attribute "statement".
 */
SEXP r_knowledge(SEXP n_vars, SEXP kind, SEXP first, SEXP second)
{
    work *w;
    SEXP handle = PROTECT(work_new(&w));
    dpc_status status = dpc_knowledge_new(Rf_asInteger(n_vars), &w->knowledge, &w->error);
    R_xlen_t i = 0;
    for (; i < XLENGTH(kind) && status == DPC_OK; i++)
        status =
            say(w->knowledge, INTEGER(kind)[i], INTEGER(first)[i], INTEGER(second)[i], &w->error);
    if (status == DPC_OK) {
        UNPROTECT(1);
        return handle;
    }
    SEXP out = PROTECT(failure(w, status));
    Rf_setAttrib(out, Rf_install("statement"), Rf_ScalarInteger((int)i));
    UNPROTECT(2);
    return out;
}

SEXP r_knowledge_text(SEXP text, SEXP source, SEXP names)
{
    work *w;
    SEXP handle = PROTECT(work_new(&w));
    dpc_status status = dpc_knowledge_parse(
        Rf_translateCharUTF8(STRING_ELT(text, 0)), Rf_translateCharUTF8(STRING_ELT(source, 0)),
        read_names(names), (int)XLENGTH(names), &w->knowledge, &w->error);
    SEXP out = PROTECT(status == DPC_OK ? handle : failure(w, status));
    UNPROTECT(2);
    return out;
}

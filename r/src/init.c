/* What R may call. */
#include "glue.h"

#include <R_ext/Rdynload.h>
#include <R_ext/Visibility.h>

#define CALL(name, arguments)                                                                      \
    {                                                                                              \
#name, (DL_FUNC)&name, arguments                                                           \
    }

static const R_CallMethodDef CALLS[] = {
    CALL(r_options, 0),        CALL(r_knowledge, 4),  CALL(r_knowledge_text, 3),
    CALL(r_learn, 7),          CALL(r_bootstrap, 7),  CALL(r_alive, 1),
    CALL(r_separating_set, 3), CALL(r_edges, 2),      CALL(r_triples, 1),
    CALL(r_explain, 4),        CALL(r_member, 1),     CALL(r_compare, 5),
    CALL(r_effects, 7),        CALL(r_adjustment, 6), CALL(r_simulate, 1),
    CALL(r_nodes, 2),          CALL(r_methods, 4),    CALL(r_keep, 2),
    CALL(r_kept, 1),           CALL(r_verdict, 5),    CALL(r_sample, 10),
    CALL(r_probable_graph, 3), CALL(r_separated, 6),  CALL(r_compare_pags, 2),
    CALL(r_write, 5),          {NULL, NULL, 0},
};

void attribute_visible R_init_dualpc(DllInfo *dll);

void attribute_visible R_init_dualpc(DllInfo *dll)
{
    R_registerRoutines(dll, NULL, CALLS, NULL, NULL);
    R_useDynamicSymbols(dll, FALSE);
    R_forceSymbols(dll, TRUE);
}

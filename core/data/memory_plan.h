/* What fits into memory, asked before the work begins. */
#ifndef DPC_MEMORY_PLAN_H
#define DPC_MEMORY_PLAN_H

#include "dualpc.h"

/* What sentences call the matrix that tests given all other variables need. */
#define DPC_THE_INVERSE "the inverse of the correlation matrix, for the tests given all others,"

/*
 * May R be made as a whole? By default it may take half of the memory. All ranks make it, or none.
 */
dpc_status dpc_matrix_fits(int n_vars, const dpc_settings *settings, bool *fits, dpc_error *err);

/*
 * May another n × n matrix be made, where R was not? DPC_NO_MEMORY, and a sentence that says what
 * `what` would take, where it would be more than the settings allow.
 */
dpc_status dpc_square_fits(int n_vars, const dpc_settings *settings, const char *what,
                           dpc_error *err);

/* Can a search do without R, or is there something else that it has no room for? */
dpc_status dpc_plan_without_matrix(const dpc_table *table, const dpc_settings *settings,
                                   dpc_error *err);

#endif

/* Whether a hidden common cause of two variables explains what a graph without any does not. */
#ifndef DPC_HIDDEN_HINT_H
#define DPC_HIDDEN_HINT_H

#include "correlation.h"
#include "dualpc_explain.h"

/*
 * `settings` are checked and ask for a full refinement; `refined` is NULL or a result of them,
 * which saves making one. What takes long is left out unless `always`: out->gain is NaN then.
 */
dpc_status dpc_find_hidden_hint(const dpc_correlation *correlation, const dpc_settings *settings,
                                const dpc_result *refined, bool always, dpc_hidden_hint *out,
                                dpc_error *err);

#endif

/* Results that must be there, and two that must be the same. */
#ifndef SAME_H
#define SAME_H

#include "result.h"

/*
 * Fails, with `words`, where they differ in the graph, the counts, the separating sets, the triples
 * or any bit of a partial correlation. Of the sets both must have been kept.
 */
void check_same(const dpc_result *first, const dpc_result *second, const char *words);

/*
 * The same, but numbers may differ by rounding, at most by 1e-10: of correlations that were summed
 * in another order.
 */
void check_nearly_same(const dpc_result *first, const dpc_result *second, const char *words);

/* Two graphs; `words` and `number` say of which case. */
void check_same_graph(const dpc_graph *first, const dpc_graph *second, const char *words,
                      int number);

/* What dpc_learn finds; fails where it does not. */
dpc_result *learned(const dpc_correlation *correlation, const dpc_settings *settings);

#endif

/* Two results that must be the same. */
#ifndef SAME_H
#define SAME_H

#include "result.h"

/*
 * Fails, with `words`, where they differ in the graph, the counts, the separating sets, the triples
 * or any bit of a partial correlation. Of the sets both must have been kept.
 */
void check_same(const dpc_result *first, const dpc_result *second, const char *words);

#endif

/*
 * What is known of edges as marks of a PAG. That there is no edge from → to says that the edge
 * between the two, where there is one, has an arrowhead at `from`, and nothing of its other end: it
 * may be ←, or ↔ for a hidden cause of both. Only a required edge has a tail.
 */
#ifndef DPC_KNOWN_MARKS_H
#define DPC_KNOWN_MARKS_H

#include "constraints.h"
#include "pag_rules.h"

/* What is known of the end at b of the edge between a and b; a circle: nothing. */
dpc_end dpc_known_end(const dpc_constraints *known, int a, int b);

/*
 * Writes these marks in the place of circles; tiers are among what is known. `reasons`, by slot,
 * may be NULL. How many marks were written; `known` may be NULL: none.
 */
int64_t dpc_know_marks(const dpc_constraints *known, dpc_mixed *graph, dpc_mark_reason *reasons);

#endif

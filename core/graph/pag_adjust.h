/*
 * Adjustment in MAGs and PAGs, by the generalised adjustment criterion (Perković, Textor, Kalisch
 * and Maathuis 2018).
 *
 * A path is possibly directed where no edge on it has an arrowhead at its end towards x. An arrow
 * x → v is visible where nothing hidden can be behind it: some node that is not adjacent to v has
 * an arrow into x, or a path of colliders that are all parents of v leads from one into x. The
 * effect of x on y is amenable where every possibly directed path begins with a visible arrow; then
 * a set is valid where it holds no possible descendant of a node on such a path, and blocks all
 * paths that are not causal. For the last it is enough to ask one MAG of the class.
 */
#ifndef DPC_PAG_ADJUST_H
#define DPC_PAG_ADJUST_H

#include "causal.h"

/* dpc_identify, of a pair that was checked. */
void dpc_pag_identify(dpc_causal *graph, int x, int y, dpc_identification *out);

/* dpc_check_adjustment; *out has its first values. */
void dpc_pag_check_set(dpc_causal *graph, int x, int y, const int32_t *set, int size,
                       dpc_set_check *out);

/* dpc_adjustment: the size of the set, -1: there is none. No set is known to be optimal. */
int dpc_pag_find_set(dpc_causal *graph, int x, int y, dpc_adjustment_kind kind, int32_t *set);

#endif

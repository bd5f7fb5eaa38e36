/*
 * What background knowledge says of an order of the variables, parents before children.
 *
 * A required edge puts its two ends in order. Tiers do, too, where every variable is in one: then
 * no DAG with these tiers needs another order. (A variable in no tier may stand between a later
 * tier and an earlier one, so that with such variables the tiers only say who is no parent of
 * whom.) What else is forbidden leaves the order free.
 */
#ifndef DPC_PRECEDENCE_H
#define DPC_PRECEDENCE_H

#include "constraints.h"
#include "families.h"

typedef struct dpc_precedence {
    const dpc_constraints *known; /* or NULL */
    dpc_families required;        /* the required edges */
    int32_t *first;               /* by tier: the places before it; NULL: there are no tiers */
    int32_t *room;                /* n; owned */
} dpc_precedence;

/* DPC_OK or no memory; to be cleared in either case. */
dpc_status dpc_precedence_init(dpc_precedence *precedence, int n, const dpc_constraints *known);
void dpc_precedence_clear(dpc_precedence *precedence);

/* Rearranges an order, as little as that takes, so that it is as the knowledge says. By one thread
 * at a time: it uses the memory of the precedence. */
void dpc_precedence_obey(dpc_precedence *precedence, int32_t *order);

/* Of an order that is: v may go before the node that stands in place j among the others, *low ≤ j ≤
 * *high; at most n - 1, which is the end. */
void dpc_precedence_window(const dpc_precedence *precedence, const int32_t *place, int v, int *low,
                           int *high);

#endif

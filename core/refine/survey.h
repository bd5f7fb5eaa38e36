/*
 * What else a node could have for a parent: its family, over all nodes, or, where there is no R,
 * over those that could be worth their price.
 *
 * Let e be what the parents S leave of the column of v, ε a bound, and u a node whose correlations
 * with all of S are at most ε. With g as in hand.h and p the pivots of the sweep, the covariance of
 * u with a parent ci given those before it is at most ε g(ci), so that
 *
 *     var(u|S) ≥ 1 - ε² Σ_i g(ci)² / pi = left,    r²(u,v|S) ≤ (eᵀu)² / (left · var(v|S)).
 *
 * So u is out of the question unless |eᵀu| is above a limit; which nodes could be is told by the
 * columns in coarse steps (coarse.h). These, those that are related to a parent by more than ε, and
 * the children are all that has to be looked at, and it is looked at as it would be by whole rows
 * of R. Where the bound is not worth much, whole rows are made.
 */
#ifndef DPC_SURVEY_H
#define DPC_SURVEY_H

#include "adjacency.h"
#include "coarse.h"
#include "families.h"
#include "hand.h"

/* What all workers know of an R that is not there. Start from {0}. */
typedef struct dpc_chart {
    dpc_coarse *coarse;     /* owned; NULL: it is empty */
    dpc_adjacency *related; /* who is correlated by more than `above`, in labels; owned */
    double above;           /* ε */
} dpc_chart;

/*
 * Made where there is no R, and stays empty where the caller has called it off. DPC_OK or no
 * memory; to be cleared in either case.
 */
dpc_status dpc_chart_init(dpc_chart *chart, const dpc_scoring *scoring,
                          const dpc_settings *settings, dpc_time_limit *limit);
void dpc_chart_clear(dpc_chart *chart);

/* Gives the staff an empty chart, or one that has been made, to keep as long as it works. */
dpc_status dpc_staff_take_chart(dpc_staff *staff, const dpc_chart *chart);

/*
 * All parents of v, as by dpc_hand_family, over nodes among which are the parents, the children,
 * and all that dpc_hand_picks would find among all nodes. DPC_OK or no memory.
 */
dpc_status dpc_hand_survey(dpc_hand *hand, int v, const dpc_kin *parents, const dpc_kin *children);

#endif

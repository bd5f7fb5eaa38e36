/*
 * How well ways of learning predict rows that they have not seen.
 *
 * The complete rows are cut into DPC_HELD_OUT_BLOCKS blocks of consecutive rows, and the blocks are
 * dealt out to DPC_HELD_OUT_FOLDS folds in turn. Blocks keep neighbouring rows together, so rows
 * that resemble their neighbours (a time series, groups) cannot leak from one side to the other;
 * dealing them out in turn gives every fold a share of each part of the file, so a sorted file is
 * not asked to predict values beyond those that were seen.
 *
 * A graph is learned from the other folds, one DAG of its class is fitted to these by linear
 * regressions, and the log-likelihood of the rows of the fold is taken under it. Variables are
 * standardised by the rows that were learned from, so it has no units. Means of blocks are kept:
 * the difference of two ways of learning has a standard error by their spread.
 */
#ifndef DPC_HELD_OUT_H
#define DPC_HELD_OUT_H

#include "dualpc_explain.h"

enum { DPC_HELD_OUT_BLOCKS = 20, DPC_HELD_OUT_FOLDS = 5 };

/* What one way of learning has reached. */
typedef struct dpc_block_scores {
    int64_t rows;                     /* that were scored: the complete ones */
    double mean[DPC_HELD_OUT_BLOCKS]; /* log-likelihood per row */
} dpc_block_scores;

/*
 * The graph that these settings find where it takes at most `most` tests, or scores of steps of
 * GES; *within is false, and there is no graph, where it takes more. That depends on their number
 * alone, not on when the search is called off.
 */
dpc_status dpc_learn_within(const dpc_correlation *correlation, const dpc_settings *settings,
                            int64_t most, dpc_graph *graph, bool *within, dpc_error *err);

/*
 * The scores of `count` settings, which dpc_settings_or_default has made and which agree in
 * `normalize`. Threads, progress and the rest of what is no way of learning are those of the first.
 * DPC_USAGE where the table has too few complete rows. *within is false, and there are no scores,
 * where one of the graphs takes more than `most` tests.
 */
dpc_status dpc_score_held_out(const dpc_table *table, const dpc_settings *settings, int count,
                              int64_t most, dpc_block_scores *out, bool *within, dpc_error *err);

/* The second against the first, over the blocks. */
dpc_held_out dpc_held_out_difference(const dpc_block_scores *first, const dpc_block_scores *second);

#endif

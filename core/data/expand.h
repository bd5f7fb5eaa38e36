/*
 * From a table whose variables are of several kinds to one of columns: a nominal variable with L
 * levels becomes L - 1 indicators, a block its columns, a number of which relations may be curved
 * the Legendre polynomials of its ranks. What goes over columns, the product and the resamples,
 * works on that table; then the columns of each variable become a block (blocks.h).
 */
#ifndef DPC_EXPAND_H
#define DPC_EXPAND_H

#include "codes.h"
#include "correlation.h"
#include "table.h"

typedef struct dpc_expanded {
    dpc_table *table; /* m columns; owned */
    int32_t *first;   /* by variable: its columns; n + 1; owned */
    int32_t *lead;    /* see dpc_blocks; owned; NULL: all columns of all variables */
    dpc_codes *codes; /* of nominal variables, where tests are made by counts; owned; or NULL */
    bool *number;     /* see dpc_blocks; owned */
} dpc_expanded;

/* Is there a variable of several columns, or one whose tests are made by counts? */
bool dpc_has_blocks(const dpc_table *table, const dpc_settings *settings);

/*
 * The variables as they were given, where some are several columns: missing cells are refused,
 * infinite and constant ones found as dpc_correlate does (correlate.c).
 */
dpc_status dpc_check_variables(const dpc_table *table, const dpc_settings *settings,
                               dpc_audit *audit, dpc_error *err);

/* Checks nothing of the values. End with dpc_expanded_clear. */
dpc_status dpc_expand(const dpc_table *table, const dpc_settings *settings, dpc_expanded *out,
                      dpc_error *err);
void dpc_expanded_clear(dpc_expanded *expanded);

/*
 * Fills a correlation of the n variables, whose `r` and `sd` have room, from that of their m
 * columns: its blocks, the associations, the standard deviations of single columns (1 elsewhere).
 * Of a resample dpc_blocks_set_times has to say then how often each row was drawn.
 */
dpc_status dpc_gather_blocks(const dpc_expanded *expanded, const dpc_correlation *columns,
                             dpc_correlation *out, dpc_error *err);

#endif

/* The checks before the work: what they notice goes into the audit. */
#ifndef DPC_AUDIT_H
#define DPC_AUDIT_H

#include "dualpc.h"
#include "text.h"

/*
 * The names of the variables and the number of observations. An error of the audit makes it
 * DPC_BAD_INPUT, and the first one fills `err`. `audit` may be NULL.
 */
dpc_status dpc_audit_shape(char *const *names, int n_vars, int64_t n_obs, dpc_audit *audit,
                           dpc_error *err);

/* The same for the values: none missing, none infinite. */
dpc_status dpc_audit_values(const dpc_table *table, dpc_audit *audit, dpc_error *err);

/* The names alone: none empty, none twice. `numbers` of the columns; NULL: 1, 2, … */
dpc_status dpc_audit_names(char *const *names, int n, const int32_t *numbers, dpc_audit *audit);

enum { DPC_WHERE_SIZE = DPC_CLIP_SIZE + 48 };

/*
 * Cells that are missing, or infinite: how many, and where the first is, such as "column 'x' on
 * line 7"; what to do about them; what the first says.
 */
dpc_status dpc_audit_missing(int64_t count, const char *where, const char *advice,
                             dpc_audit *audit);
dpc_status dpc_audit_infinite(int64_t count, const char *first, const char *where,
                              dpc_audit *audit);

/* Does a column with these extremes vary by no more than rounding? */
bool dpc_is_constant(double low, double high);

/* Warns of constant columns. */
dpc_status dpc_audit_constant(char *const *names, const bool *constant, int n, dpc_audit *audit);

/* Finds the constant columns, and warns of them. A column with a bad value is not constant. */
dpc_status dpc_audit_constant_columns(const dpc_table *table, dpc_audit *audit);

/* Warns of duplicated columns and exact linear combinations. */
dpc_status dpc_audit_correlations(char *const *names, const dpc_correlation *correlation,
                                  const dpc_settings *settings, dpc_audit *audit, dpc_error *err);

#endif

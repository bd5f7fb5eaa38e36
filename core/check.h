/* The checks before the work: what they notice goes into the audit. */
#ifndef DPC_CHECK_H
#define DPC_CHECK_H

#include "dualpc.h"

/*
 * Names and values of a table or matrix with n_obs observations behind it. An error of the audit
 * makes it DPC_BAD_INPUT, and the first one fills `err`.
 */
dpc_status dpc_check_table(const dpc_table *table, int64_t n_obs, dpc_audit *audit, dpc_error *err);

/* The names alone: none empty, none twice. */
dpc_status dpc_check_names(char *const *names, int n, dpc_audit *audit);

/* Does the column vary by no more than rounding? One with a NaN is not constant. */
bool dpc_is_constant(const double *column, int64_t n_obs);

/* Warns of constant columns. */
dpc_status dpc_check_constant(char *const *names, const bool *constant, int n, dpc_audit *audit);

/* Warns of duplicated columns and exact linear combinations. */
dpc_status dpc_check_dependence(char *const *names, const dpc_correlation *correlation,
                                dpc_audit *audit);

#endif

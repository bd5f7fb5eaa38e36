/* The slow twin of dpc_learn, from the same input: see tests/reference/reference.h. */
#ifndef TWIN_H
#define TWIN_H

#include "reference.h"

/* Hands over the correlations and what is known as plain numbers. Free with reference_free. */
struct reference *twin_learn(const dpc_correlation *correlation, const dpc_settings *settings);

/* The same of variables that are several columns. */
struct reference *twin_learn_columns(int n, int64_t n_obs, const struct reference_columns *columns,
                                     const dpc_settings *settings);

/* The partial correlation of a and b given a set. */
long double slow_partial(const dpc_correlation *correlation, int a, int b, const int32_t *set,
                         int size);

/* The fewest observations that two of them have in common. */
int64_t slow_rows(const dpc_correlation *correlation, int a, int b, const int32_t *set, int size);

#endif

/*
 * What the variables of a table are, where they are more than columns of numbers: see
 * dpc_table_set_kind and dpc_table_join in dualpc.h, and dpc_column_kind in table.h.
 *
 * A nominal variable holds codes, 0 … L - 1. An ordered one holds codes as well, or, where its
 * levels were taken from numbers, these numbers. A block has its first column in the table, and the
 * others in `more`.
 */
#ifndef DPC_KINDS_H
#define DPC_KINDS_H

#include "dualpc.h"

/* Frees the kinds; all variables are numbers then. */
void dpc_kinds_free(dpc_table *table);

/*
 * The kinds of `from` for a table that has the same variables and other rows. The further columns
 * of its blocks are to be filled by dpc_kinds_gather. A table without kinds costs nothing.
 */
dpc_status dpc_kinds_copy(const dpc_table *from, dpc_table *to, dpc_error *err);

/*
 * The rows `row[0]` … `row[count - 1]` of `from`, each `times[row[i]]` times (NULL: once), are
 * those of `to`: fills the further columns of its blocks. The values of its variables are there
 * already; the levels are counted.
 */
void dpc_kinds_gather(const dpc_table *from, const int32_t *row, int64_t count,
                      const int32_t *times, dpc_table *to);

/* Counts the levels anew, after rows have changed. */
void dpc_kinds_count(dpc_table *table);

/* How many variables are of each kind, and the columns that they take before any is dropped. */
enum { DPC_N_KINDS = DPC_BLOCK + 1 };
typedef struct dpc_kind_counts {
    int variables[DPC_N_KINDS];
    int64_t columns[DPC_N_KINDS];
} dpc_kind_counts;
dpc_kind_counts dpc_kinds_of(const dpc_table *table);

/*
 * Do settings and missing cells go together with the kinds? DPC_USAGE: normal scores or latent
 * variables of a nominal variable with more than two levels. DPC_BAD_INPUT: a nominal variable has
 * missing cells that were to be estimated around. The sentence names the variable.
 */
dpc_status dpc_kinds_check(const dpc_table *table, const dpc_settings *settings, dpc_error *err);

#endif

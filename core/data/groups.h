/*
 * Rows that repeat: tables in which several columns have one value for each group of rows, such as
 * what is known of a school beside each of its pupils, or of a quarter beside each building that
 * was begun in it. About such columns a table knows as much as it has groups, not rows.
 *
 * A column divides the rows by its values. Where several columns divide them in the same way, into
 * at least DPC_LEAST_GROUPS groups and with two rows to a group or more on average, these are the
 * groups; where there are several such divisions, that of the most columns, then the finest.
 */
#ifndef DPC_GROUPS_H
#define DPC_GROUPS_H

#include "prepare.h"

enum { DPC_LEAST_GROUPS = 10 };

/*
 * For each row the number of its group, in the order in which they appear; without groups each row
 * is one. Returns through *count how many there are. DPC_OK or no memory.
 */
dpc_status dpc_find_groups(const dpc_columns *columns, int n_vars, int32_t *group, int64_t *count);

#endif

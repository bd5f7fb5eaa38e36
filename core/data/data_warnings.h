/*
 * Numbers that are probably not what they are taken for: found in a table of any source,
 * and reported as warnings.
 */
#ifndef DPC_DATA_WARNINGS_H
#define DPC_DATA_WARNINGS_H

#include "dualpc.h"

/* What is odd about one column. */
typedef struct dpc_data_warning {
    int values;       /* how many different ones, up to 5; 0: more */
    bool has_code;    /* the same extreme number again and again, far from the others */
    double code;      /* that number */
    int64_t repeated; /* how often */
    double lag;       /* the correlation of each row with the next */
    bool counts;      /* it is the number of the row */
} dpc_data_warning;

/*
 * Looks at a column of n values with these extremes; `mean` is that of scale × value. It is not
 * constant, and all its values are finite.
 */
dpc_data_warning dpc_look_for_warnings(const double *x, int64_t n, double low, double high,
                                       double mean, double scale);

/* Is each of n rows similar to the next in this column? */
bool dpc_rows_are_similar(const dpc_data_warning *odd, int64_t n);

/* Is that so in enough of the columns to be mentioned? */
static inline bool dpc_similar_enough(int similar, int columns)
{
    return similar >= 2 && 3 * similar >= columns;
}

/*
 * Warns of constant columns, then of what is odd, each kind once. `odd` has one for each column,
 * all zeros where it is constant; NULL: only of constant columns.
 */
dpc_status dpc_audit_columns(const dpc_table *table, const bool *constant,
                             const dpc_data_warning *odd, dpc_audit *audit, dpc_error *err);

#endif

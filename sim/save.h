/* A simulated data set in files: the data and the graphs behind them, all of them or none. */
#ifndef DPC_SAVE_H
#define DPC_SAVE_H

#include "dag.h"

/* Paths; NULL: not wanted. The extension chooses the format. */
typedef struct dpc_saved_files {
    const char *data; /* .csv or .tsv, each with .gz after it or not */
    const char *dag;  /* this and the others in the formats of dpc_write */
    const char *cpdag, *pattern, *skeleton;
    const char *pag; /* of the nodes that are not hidden; not in the formats without marks */
    int fd;          /* what gets the data as CSV where `data` is NULL; negative: nothing */
} dpc_saved_files;

/* Can they be written, as far as is known before the work, and are they all different? */
dpc_status dpc_save_check(const dpc_saved_files *files, dpc_error *err);

/* Writes them; the data and the PAG without the nodes that are hidden (NULL: none). The progress
 * callback of `settings` (may be NULL) can stop it. */
dpc_status dpc_save(const dpc_dag *dag, const dpc_table *table, const bool *hidden,
                    const dpc_saved_files *files, const dpc_settings *settings, dpc_error *err);

#endif

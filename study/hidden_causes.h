/*
 * The study of hidden common causes: how far the PAGs that are found are from the true ones
 * (sim/hidden.h).
 *
 *     hidden_causes       what is run, and one data set; latent.csv (grid.h)
 *     hidden_causes_show  latent-summary.csv, a figure, latent.html
 *
 * A data set makes a block of rows: each method.
 */
#ifndef DPC_STUDY_HIDDEN_CAUSES_H
#define DPC_STUDY_HIDDEN_CAUSES_H

#include "grid.h"

typedef struct study_finder {
    const char *word, *label;
    dpc_hidden latent;
    dpc_method method;
    double alpha; /* 0: as by default */
} study_finder;

enum { STUDY_FINDERS = 6, STUDY_LATENT_SETTINGS = 8 };

extern const study_finder study_finders[STUDY_FINDERS];
extern const study_setting study_latent_settings[STUDY_LATENT_SETTINGS];
extern const char *const study_latent_names[STUDY_LATENT_SETTINGS];

/* What one method finds in one data set, in the order of the columns; numbers only. */
typedef enum study_found_value {
    STUDY_FOUND_HIDDEN, /* nodes of the data set that are hidden */
    STUDY_FOUND_DOUBLE, /* ↔ of the true PAG */
    STUDY_FOUND_SHD,
    STUDY_FOUND_EXACT, /* 1: it is the true PAG */
    STUDY_FOUND_ARROW_PRECISION,
    STUDY_FOUND_ARROW_RECALL,
    STUDY_FOUND_TAIL_PRECISION,
    STUDY_FOUND_TAIL_RECALL,
    STUDY_FOUND_VALID,    /* 1: it is a PAG of some MAG */
    STUDY_FOUND_REPAIRED, /* 1: only after a repair */
    STUDY_FOUND_SECONDS,  /* of the processor, on one thread, from the correlation matrix on */
    STUDY_FOUND_VALUES
} study_found_value;

/* NaN: a share of nothing. */
typedef struct study_found {
    double value[STUDY_FOUND_VALUES];
} study_found;

/* The names are "latent" and "latent-" with one of the settings'. */
bool study_is_latent(const char *name);

/* The rows, what follows from them, the figure and the page; by the rank that leads. */
dpc_status study_run_latent(const study_options *options, dpc_error *err);

/* The files that follow from the rows. */
dpc_status study_show_latent(const study_shown *shown, dpc_error *err);

#endif

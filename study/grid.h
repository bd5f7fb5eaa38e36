/*
 * A study with settings and rows of its own, beside results.csv: each data set makes a block of
 * rows of numbers.
 *
 *     n,N,parents,options,rep,seed,…   the key: setting, data set, and what the row is about
 *     …,seconds                        the numbers, the last of them the time
 *
 * What a study has to say is its form; all else, the file that survives being killed, the blocks
 * that are missing, and who computes them, is the same.
 */
#ifndef DPC_STUDY_GRID_H
#define DPC_STUDY_GRID_H

#include "study.h"

enum { STUDY_MOST_SETTINGS = 8, STUDY_GRID_KEY = 200, STUDY_ROW_KEY = 40 };

typedef struct study_grid_form {
    const char *file;   /* of the rows, without its folder */
    const char *header; /* with its line break */
    const study_setting *settings;
    int n_settings;   /* at most STUDY_MOST_SETTINGS */
    int rows, values; /* of a data set; of a row, the last one seconds */
    int64_t bytes;    /* of the points of a data set: an object without pointers */
    /* What a row is about, without a comma behind; at most STUDY_ROW_KEY bytes. */
    int (*print_row)(int row, char *to);
    /* The place of a number in the points of a data set. */
    double *(*value)(void *points, int row, int column);
    double (*cost)(const study_setting *setting); /* relative */
    /* Draws a data set and fills its points, by any thread; `ask` can call it off. */
    dpc_status (*compute)(const study_setting *setting, uint64_t seed, dpc_progress_fn ask,
                          void *user, void *points, dpc_error *err);
} study_grid_form;

typedef struct study_grid {
    const study_grid_form *form;
    const study_options *options;
    bool wanted[STUDY_MOST_SETTINGS];
    char *points[STUDY_MOST_SETTINGS]; /* NULL, or those of all reps; owned */
    bool *done[STUDY_MOST_SETTINGS];   /* NULL, or which reps are there; owned */
    void *spare;                       /* for a data set that is read and not wanted; owned */
    study_rows rows;                   /* owned */
} study_grid;

/* The points of a data set. */
static inline void *study_grid_points(const study_grid *grid, int setting, int rep)
{
    return grid->points[setting] + (int64_t)rep * grid->form->bytes;
}

/* Is there anything to show of it? By the rank that leads. */
static inline bool study_grid_shows(const study_grid *grid, int setting)
{
    return grid->wanted[setting] && grid->points[setting] != NULL;
}

/* n,N,parents,options with a comma behind; returns the length, which is below STUDY_GRID_KEY. */
int study_print_setting(const study_setting *setting, char *to);

/* A comma and the number; NaN is nothing. */
void study_print_number(double value, FILE *file);

/* What is shown of a grid, with room for a number of each data set of a setting. */
typedef struct study_shown {
    const study_grid *grid;
    double *values;
} study_shown;

/* Writes the files that follow from the rows. */
typedef dpc_status study_grid_show(const study_shown *shown, dpc_error *err);

/* All of it: given form, options and wanted; the rest is made and freed here. */
dpc_status study_grid_run(study_grid *grid, study_grid_show *show, dpc_error *err);

#endif

/* What curves.c, boxes.c and scatter.c share: the grid of panels, the colours, the ends of the
 * axes; and panels side by side. */
#ifndef DPC_STUDY_FIGURE_H
#define DPC_STUDY_FIGURE_H

#include "study.h"

typedef struct study_range {
    double low, high; /* of what is drawn, in all panels */
} study_range;

/* Widens the range to hold the value; NaN changes nothing. */
void study_widen(study_range *range, double value);

/* A round distance between tics, so that there are at most `most` of them. */
double study_tic_step(study_range range, int most);

/* A square root scale from 0 to a little more than `high`, with tics that are round numbers. */
void study_root_scale(const char *axis, double high, FILE *file);

/* The place of a run's colour and point among the line types of a script, from 1. */
int study_line_type(const study_run *run);

/* The runs that a panel draws, in the order of the legend; returns how many. */
int study_shown_runs(const study_results *results, const study_figure *figure, int panel,
                     int runs[STUDY_MAX_LINES]);

typedef struct study_axes {
    study_range x, y;
} study_axes;

/* How a kind of figure is drawn. */
typedef struct study_drawing {
    /* Writes the data as gnuplot data blocks, and finds the ranges of the axes. */
    dpc_status (*data)(const study_results *results, const study_figure *figure, FILE *file,
                       study_axes *axes, dpc_error *err);
    /* Writes the settings of the axes, */
    void (*settings)(const study_results *results, const study_figure *figure,
                     const study_axes *axes, FILE *file);
    /* and the `plot` command of a panel. */
    void (*plot)(const study_results *results, const study_figure *figure, int panel, FILE *file);
} study_drawing;

/* Writes the commands that draw all panels, from `set multiplot` to `unset output`. */
typedef void study_panels(const void *context, FILE *file);

/* The part of a script behind its data: draws the panels to NAME.svg and to NAME.pdf. */
void study_write_drawing(const char *name, int width, int height, study_panels *panels,
                         const void *context, FILE *file);

/* ---- panels.c: panels side by side ---- */

int study_panels_width(int panels);
int study_panels_height(void);

/* Where the next plot goes. */
void study_place_panel(int panel, int panels, const char *title, FILE *file);

/* An empty plot over everything, for its key; and the end of the panels. */
void study_write_legend(const char *style, const char *(*label)(int), int count, FILE *file);

typedef struct study_bars {
    const char *name, *y_label;
    int panels, settings, methods;
    const char *(*title)(int panel);
    const char *(*label)(int method);
    /* What is below a group of bars; NULL: the setting is not shown. */
    const char *(*setting)(const void *context, int setting);
    double (*height)(const void *context, int panel, int setting, int method);
} study_bars;

/* The script of a figure of bars, with its data. */
void study_write_bars(const study_bars *bars, const void *context, FILE *file);

extern const study_drawing study_curves, study_boxes, study_scatter;

#endif

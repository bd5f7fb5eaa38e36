/* What the lists of figures share: catalogue.c, refined.c, critics.c and beyond.c. */
#ifndef DPC_STUDY_CATALOGUE_H
#define DPC_STUDY_CATALOGUE_H

#include "study.h"

#define STUDY_BIT(method) (1u << (method))

/* printf into an array of characters. */
#define STUDY_PRINT(text, ...) snprintf(text, sizeof(text), __VA_ARGS__)

extern const int STUDY_SIZES[4];
extern const double STUDY_LAMBDAS[3];

/* The place of a setting, which is added where it is not there yet. */
int study_setting_of(study_catalogue *c, study_setting wanted);

study_figure *study_add_figure(study_catalogue *c, const char *name, study_kind kind,
                               unsigned methods, int rows, int columns);
/* The next panel, row by row. */
void study_add_panel(study_figure *f, int setting, dpc_normalize normalize);
/* A panel for each N and n of the Gaussian settings, with the runs and all else of `with`. */
study_figure *study_add_grid(study_catalogue *c, const char *stem, study_kind kind,
                             unsigned methods, double parents, study_setting with);
/* Two rows: after quantile normalisation, and as the data are. */
study_figure *study_add_pair_of_rows(study_catalogue *c, const char *name, study_kind kind);
void study_title(study_figure *f, const char *title, const char *caption);

/* ---- refined.c ---- */

/* The paper's Gaussian setting, with every method as the program runs by default; n, N and d open.
 */
extern const study_setting STUDY_DEFAULTS;
/* The methods of these runs. */
enum { STUDY_OURS = STUDY_BIT(DPC_DUAL) | STUDY_BIT(DPC_CLASSIC) | STUDY_BIT(DPC_GES) };

/* A figure that is not in the paper, and not in "all". */
void study_leave_out_of_all(study_figure *f, const char *group);

void study_add_refined(study_catalogue *c);

/* ---- critics.c ---- */

void study_add_critics(study_catalogue *c);

/* ---- beyond.c ---- */

void study_add_beyond(study_catalogue *c);

#endif

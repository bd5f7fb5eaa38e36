/*
 * The simulation study: the paper's figures, computed anew, and figures of refined graphs and of
 * data that are drawn in other ways.
 *
 *     catalogue   what is run and what is shown: settings, runs, figures
 *     refined     the same of what the paper does not have: refinement, distances
 *     critics     the same of designs that the paper does not have
 *     beyond      the same of data that are not linear and Gaussian
 *     dataset     one data set: drawn, learned by every run, counted
 *     rows        a file of rows, appended block by block, read back after any interruption
 *     results     results.csv
 *     blocks      who computes which data set, and in which order they are written
 *     study       the whole: which blocks are missing, and what follows from them
 *     statistics  means and quartiles; summary.csv
 *     published   the means of the authors' own results
 *     figure, curves, boxes, scatter   gnuplot scripts, one panel after the other
 *     page        index.html
 *     grid, panels    studies with rows of their own, and their figures: grid.h
 *     probabilities   one of them: probabilities.h
 *     hidden_causes   another: hidden_causes.h
 *     output      files that appear when they are whole; gnuplot
 *     show        what follows from the results, written and drawn
 *
 * A *setting* says how data are drawn, a *run* how a graph is learned from them, a *point* is one
 * run at one of its levels. A data set makes a *block* of rows: each point, each of three graphs.
 */
#ifndef DPC_STUDY_H
#define DPC_STUDY_H

#include "design.h"
#include "dualpc.h"
#include "node_kinds.h"
#include "simulate.h"

#include <stdio.h>

/* ---- catalogue.c ---- */

enum { STUDY_LEVELS = 9, STUDY_GRAPHS = 3, STUDY_AIDS = 3 };

/* What variables with levels are taken for. */
typedef enum study_kinds {
    STUDY_AS_NUMBERS, /* the numbers of their levels */
    STUDY_AS_ORDERED, /* ordered, also where they are nominal */
    STUDY_AS_BLOCKS,  /* nominal: blocks of indicators */
} study_kinds;

typedef struct study_run {
    const char *label; /* in the legend of a figure */
    dpc_method method;
    dpc_variant variant;
    dpc_test test;
    dpc_normalize normalize;
    double min_ess;
    const double *levels; /* significance levels, or penalties of GES; as many as the setting has */
    dpc_orientation orient;
    dpc_rule rule;
    dpc_refinement refine;
    study_kinds kinds;
    int line; /* its line type in the figures, from 1; 0: by method, variant, rule and refinement */
} study_run;

/* What is not as in the paper where data are drawn. */
typedef struct study_departure {
    const char *options; /* of dualpc simulate, the noise left out; "": none, "--signs mixed" */
    dpc_structure structure;
    dpc_design design;
    dpc_signs signs;
    double variance_low, variance_high; /* 0: as by default */
    bool exponential;                   /* the noise */
    double weight_low, weight_high;     /* both 0: as by default */
    double hidden;                      /* the share of the nodes that are hidden */
    dpc_kinds_model kinds;
} study_departure;

typedef struct study_setting {
    int n;          /* variables */
    int64_t n_obs;  /* N */
    double parents; /* d */
    double degrees; /* of freedom of the noise; INFINITY is Gaussian */
    double tanh;    /* λ of the transformation; 0: none */
    const study_run *runs;
    int n_runs;
    int n_levels;   /* of each run: STUDY_LEVELS, or 1 */
    bool distances; /* are those of dpc_distances asked for? They take longer than learning */
    const study_departure *departure; /* NULL: none, the data are drawn as in the paper */
} study_setting;

/* What a figure draws in its panels. */
typedef enum study_kind {
    STUDY_CURVES,      /* TPR against FPRp, over the levels */
    STUDY_SHD,         /* boxes of SHD / n at one level */
    STUDY_TESTS,       /* boxes of the number of tests */
    STUDY_SECONDS,     /* boxes of the run times */
    STUDY_SHD_CHANGE,  /* boxes of SHD, exact t minus Fisher z */
    STUDY_TIME_CHANGE, /* boxes of (time of t - time of z) / time of z */
    STUDY_SCATTER,     /* a share of wrong effects against SHD / n, every data set a dot */
} study_kind;

enum { STUDY_MAX_PANELS = 18, STUDY_MAX_LINES = 8 };

typedef struct study_panel {
    int setting;
    dpc_normalize normalize; /* which runs of the setting */
    int aid;                 /* which distance a scatter shows, in the order of study_point */
} study_panel;

typedef struct study_figure {
    char name[32]; /* what the user types */
    char title[64];
    char caption[320]; /* one or two sentences */
    study_kind kind;
    dpc_target graph;
    int rows, columns;
    int n_panels;
    study_panel panels[STUDY_MAX_PANELS];    /* row by row */
    char row_label[STUDY_MAX_PANELS][32];    /* `rows` of them */
    char column_label[STUDY_MAX_PANELS][32]; /* `columns` of them */
    unsigned methods;                        /* of the runs shown: bit 1 << dpc_method */
    bool in_paper;
    bool sortability;  /* is its mean shown in each panel? */
    bool every_run;    /* are runs shown whatever their normalisation? */
    const char *group; /* a name for several figures, which "all" leaves out; NULL: in "all" */
} study_figure;

typedef struct study_catalogue {
    study_setting *settings; /* owned */
    int n_settings;
    study_figure *figures; /* owned */
    int n_figures;
} study_catalogue;

dpc_status study_catalogue_new(study_catalogue *out, dpc_error *err);
void study_catalogue_free(study_catalogue *catalogue);

/* Is this run of a setting drawn in the figure's panel? */
bool study_shows(const study_figure *figure, const study_panel *panel, const study_run *run);

/* The seed of a data set: the DAG is the same for all N, noises and transformations. */
uint64_t study_seed(const study_setting *setting, uint64_t seed, int rep);

/* Relative cost of a data set, for the time left. */
double study_cost(const study_setting *setting);

/* ---- dataset.c ---- */

/* What is counted at one point; the three graphs in the order of dpc_target. */
typedef struct study_point {
    struct {
        double tp, fp, fn;
    } graph[STUDY_GRAPHS];
    int64_t p;              /* edges of the truth */
    int64_t tests;          /* made; of GES: scores */
    double aid[STUDY_AIDS]; /* pairs with a wrong effect: parent, ancestor, oset; NaN: not asked */
    double sortability;     /* R²-, of the data; NaN: not asked, or there is none */
    double seconds; /* of the processor, from the correlation matrix to the CPDAG, on one thread */
} study_point;

static inline int study_points(const study_setting *setting)
{
    return setting->n_runs * setting->n_levels;
}

/* The point of a run that boxes show: the middle level, α = 5 %, or 5e-5 in the sparse settings. */
static inline int study_middle(const study_setting *setting, int run)
{
    return run * setting->n_levels + setting->n_levels / 2;
}

/* Is the sortability asked for? Where the paper's curves are computed again it is not. */
static inline bool study_asks_sortability(const study_setting *setting)
{
    return setting->n_levels == 1;
}

/* How the data of a setting are drawn. */
dpc_simulation study_simulation(const study_setting *setting, uint64_t seed);

/* Draws a data set, with its hidden nodes. Free with dpc_dag_free and dpc_table_free, also after a
 * failure. */
dpc_status study_draw_data(const study_setting *setting, uint64_t seed, dpc_dag **dag,
                           dpc_table **table, dpc_error *err);

/* Of this thread, which does all the work: what else the machine is busy with does not count. */
double study_processor_seconds(void);

/* A search that was called off has a graph too, but not the one that we want: interrupted. */
dpc_status study_check_complete(const dpc_result *result, dpc_error *err);

/* Draws the data set and fills its points, run by run, level by level. `ask` can call it off. */
dpc_status study_dataset(const study_setting *setting, uint64_t seed, dpc_progress_fn ask,
                         void *user, study_point *points, dpc_error *err);

/* ---- beyond.c ---- */

/* Makes the variables of a simulated table what a run takes them for. */
dpc_status study_set_kinds(const dpc_dag *dag, study_kinds kinds, dpc_table *table, dpc_error *err);

/* ---- rows.c ---- */

/* A file of rows, open and locked. */
typedef struct study_rows {
    int fd;           /* owned */
    const char *name; /* without its folder, for errors */
    bool empty;       /* it has no header yet */
} study_rows;

/* How the rows of a file are read back. */
typedef struct study_reader {
    const char *name;   /* of the file, without its folder */
    const char *header; /* with its line break */
    /* Rows of the block that begins at `text`; 0: it is none that we know. */
    int (*count)(void *context, const char *text);
    /* Takes such a block in, and returns what follows it; NULL: it is not whole. */
    const char *(*take)(void *context, const char *text, const char *end);
    void *context;
} study_reader;

/* Opens the file, takes in what is there already, and cuts off a torn end. Close it in any case. */
dpc_status study_rows_open(const char *path, const study_reader *reader, study_rows *out,
                           dpc_error *err);
void study_rows_close(study_rows *rows);
/* Appends a block by one write, behind the header where the file is empty. */
dpc_status study_rows_append(study_rows *rows, const char *header, const char *text, int64_t length,
                             dpc_error *err);
/* Waits until what has been appended is on the disk. */
dpc_status study_rows_sync(study_rows *rows, dpc_error *err);

/* ---- results.c ---- */

/* The points of the data sets that are there. */
typedef struct study_results {
    const study_catalogue *catalogue;
    uint64_t seed;
    int reps;
    bool seconds;         /* are times written? */
    study_point **points; /* by setting: NULL, or reps × study_points; owned */
    bool **done;          /* by setting: NULL, or which of the reps are there; owned */
    study_point *spare;   /* for a data set that is read and not wanted; owned */
    study_rows rows;      /* results.csv; owned */
} study_results;

/*
 * Given catalogue, seed, reps and seconds: makes room for the wanted settings, opens the file, and
 * takes in what is there already. Close it in any case.
 */
dpc_status study_results_open(study_results *results, const bool *wanted, const char *path,
                              dpc_error *err);
void study_results_close(study_results *results);

/* Appends the block of a data set, whose points are filled. */
dpc_status study_results_append(study_results *results, int setting, int rep, dpc_error *err);

/* The key of a row up to the graph, as in published.csv; returns its length. */
enum { STUDY_KEY_SIZE = 160 };
int study_public_key(const study_setting *setting, const study_run *run, double level,
                     dpc_target graph, char *key);
/* What follows it where run and data need not be the paper's: rule, orient, refine, kinds, options;
 * with a comma each. */
int study_way_key(const study_setting *setting, const study_run *run, char *key);

/* ---- statistics.c ---- */

typedef struct study_summary {
    int count;
    double mean, sd, least, q25, median, q75, most; /* NaN where count is 0 */
} study_summary;

/* Sorts the values; NaN among them are left out. */
study_summary study_describe(double *values, int count);

/* A number that a point has; NaN where it has none. */
typedef double study_measure(const study_point *point, dpc_target graph, int n);
study_measure study_shd, study_shd_per_node, study_tpr, study_fprp, study_tests, study_seconds,
    study_sortability;
/* In the order of study_point; of the CPDAG only. */
extern study_measure *const study_aid[STUDY_AIDS];

/* The measure at one point of a setting over its data sets; `values` has room for all reps. */
int study_collect(const study_results *results, int setting, int point, dpc_target graph,
                  study_measure *measure, double *values);

dpc_status study_write_summary(const study_results *results, FILE *file, dpc_error *err);

/* ---- published.c ---- */

typedef struct study_published {
    double shd, shd_q25, shd_median, shd_q75;
    double tpr, fprp;
    double seconds, seconds_median;
} study_published;

/* False: the authors have not published this point, or the run is not theirs. */
bool study_find_published(const study_setting *setting, const study_run *run, double level,
                          dpc_target graph, study_published *out);

/* ---- figure.c, curves.c, boxes.c, scatter.c ---- */

/*
 * Writes the gnuplot script that draws the figure to NAME.svg and NAME.pdf, where it is run, with
 * the text of its variable `beside` after the names, where that is set.
 */
dpc_status study_write_script(const study_results *results, const study_figure *figure, FILE *file,
                              dpc_error *err);

/* ---- page.c ---- */

/* The beginning of a page, with its style. */
extern const char study_page_head[];

/* A figure of the folder, with its links; `command`: the study that draws it, or NULL. */
void study_write_figure(const char *name, const char *title, const char *caption,
                        const char *command, FILE *file);

/*
 * index.html, beside the folder of the figures. `shown`, `earlier`: one bool a figure, for those of
 * this run and those that an earlier one has left in the folder.
 */
void study_write_page(const study_results *results, const bool *shown, const bool *earlier,
                      FILE *file);

/* What is asked for. */
typedef struct study_options {
    const char *name; /* of a figure, of a group of them, or "all" */
    const char *out;  /* folder, made where it is not there */
    int reps;
    int threads; /* 0: all */
    uint64_t seed;
    bool seconds;             /* write the run times, which are never the same twice */
    bool figures;             /* draw them, with gnuplot */
    dpc_progress_fn progress; /* receives the fraction of the work; may be NULL */
    void *progress_user;
    const dpc_ranks *ranks; /* processes that share the data sets; NULL: this one is alone */
} study_options;

/* ---- blocks.c ---- */

/* A data set that is missing. */
typedef struct study_block {
    int setting, rep;
} study_block;

typedef struct study_blocks {
    study_block *list; /* in the order in which they are written; owned */
    int64_t count, capacity;
} study_blocks;

dpc_status study_blocks_add(study_blocks *blocks, int setting, int rep, dpc_error *err);
void study_blocks_clear(study_blocks *blocks);

/* What is done with them; `context` is the study's. */
typedef struct study_work {
    double (*cost)(const void *context, const study_block *block); /* relative, for the time left */
    int64_t (*bytes)(const void *context, const study_block *block); /* of its points */
    /* Where its points belong, at the rank that leads. */
    void *(*place)(void *context, const study_block *block);
    /* Fills its points, by any thread; `ask` can call it off. */
    dpc_status (*compute)(const void *context, const study_block *block, dpc_progress_fn ask,
                          void *user, void *points, dpc_error *err);
    /* Appends its rows. */
    dpc_status (*append)(void *context, const study_block *block, dpc_error *err);
} study_work;

/* Computes all and appends them to the rows, in their order; the list is that of the rank that
 * leads, from whom the others have it. */
dpc_status study_blocks_run(study_blocks *blocks, const study_work *work, void *context,
                            study_rows *rows, const study_options *options, dpc_error *err);

/* ---- output.c ---- */

/* folder/name into `path`, of PATH_MAX bytes. */
dpc_status study_join(const char *folder, const char *name, char *path, dpc_error *err);
/* Fine where it is there already. */
dpc_status study_make_folder(const char *path, dpc_error *err);
/* DPC_INTERRUPTED, with the sentence. */
dpc_status study_interrupted(dpc_error *err);
/* Is gnuplot there? Hours of work should not end in a missing program. */
dpc_status study_check_gnuplot(dpc_error *err);

/* Has the caller asked to stop? Then DPC_INTERRUPTED. */
dpc_status study_ask(const study_options *options, dpc_error *err);

/* Prints a file. */
typedef dpc_status study_writer(const void *context, FILE *file, dpc_error *err);

/* A file of the folder. */
dpc_status study_write_file(const char *folder, const char *name, study_writer *writer,
                            const void *context, dpc_error *err);

/* figures/NAME.gp, .svg and .pdf in the folder of the study, by a script as study_write_script
 * says. */
dpc_status study_draw(const study_options *options, const char *figure, study_writer *script,
                      const void *context, dpc_error *err);

/* ---- show.c ---- */

/*
 * summary.csv; and, where `shown` (one bool a figure) is not NULL, the figures and the page. The
 * caller is asked between them, and while gnuplot draws, whether to go on.
 */
dpc_status study_show(const study_results *results, const study_options *options, const bool *shown,
                      dpc_error *err);

/* ---- study.c ---- */

void study_options_default(study_options *options);

/* Where to look first, in the folder of the study. */
const char *study_first_file(const study_options *options);

/* All of it: results.csv, summary.csv, figures/, index.html; by the rank that leads. */
dpc_status study_run_all(const study_options *options, dpc_error *err);

#endif

/*
 * The study of probabilities of edges: those of a bootstrap and those of posterior distributions
 * (dualpc_sample.h), against the DAG that the data were drawn from.
 *
 *     judge           how good probabilities are
 *     probabilities   what is run, and one data set; posterior.csv (grid.h)
 *     probabilities_show  posterior-summary.csv, posterior-calibration.csv, figures, posterior.html
 *
 * A data set makes a block of rows: each method, each kind of statement.
 */
#ifndef DPC_STUDY_PROBABILITIES_H
#define DPC_STUDY_PROBABILITIES_H

#include "dualpc_sample.h"
#include "grid.h"
#include "judge.h"

/* Statements: a and b are joined; a → b; a is an ancestor of b. */
typedef enum study_claim { STUDY_JOINED, STUDY_ARROW, STUDY_ANCESTOR, STUDY_CLAIMS } study_claim;

extern const char *const study_claim_words[STUDY_CLAIMS];

typedef struct study_way {
    const char *word, *label;
    int resamples; /* of a bootstrap; 0: it is a posterior, … */
    dpc_marginal_score score;
    dpc_graph_prior prior;
} study_way;

enum { STUDY_WAYS = 6, STUDY_POSTERIOR_SETTINGS = 7 };

extern const study_way study_ways[STUDY_WAYS];
extern const study_setting study_posterior_settings[STUDY_POSTERIOR_SETTINGS];
extern const char *const study_posterior_names[STUDY_POSTERIOR_SETTINGS]; /* n/N */

/* What one method says of one data set; numbers only. */
typedef struct study_verdict {
    study_judged claims[STUDY_CLAIMS]; /* NaN: it does not say */
    double rhat, ess; /* the worst of the edges that are uncertain; NaN: it has none */
    double seconds;   /* of the processor, on one thread, from the table on */
} study_verdict;

/* The names are "posterior" and "posterior-20", -50 and -100, for those with that many variables.
 */
bool study_is_posterior(const char *name);

/* The rows, what follows from them, the figures and the page; by the rank that leads. */
dpc_status study_run_posterior(const study_options *options, dpc_error *err);

/* The files that follow from the rows. */
dpc_status study_show_posterior(const study_shown *shown, dpc_error *err);

#endif

/* Random inputs for the property tests, ordinary and awkward, and what a failure should say. */
#ifndef CASES_H
#define CASES_H

#include "correlation.h"
#include "dag_gsl.h"
#include "graph.h"
#include "result.h"
#include "table.h"

/* What is done to the columns of an ordinary sample. */
enum flaw {
    FLAW_NONE,
    FLAW_COPY,    /* a column is the exact copy of another */
    FLAW_SUM,     /* a column is the sum of two or three others */
    FLAW_NOISE,   /* a column is one or two others plus relative noise of 1e-9 to 1e-2 */
    FLAW_N_FLAWS, /* how many flaws there are */
};

struct sample {
    dpc_correlation correlation; /* r and rows are owned */
    enum flaw flaw;
    int copy, original; /* FLAW_COPY: the two columns; else -1 */
};

struct sample_model {
    int n;
    int64_t n_obs;
    double parents; /* expected number of parents in the DAG the data come from */
    enum flaw flaw; /* not done where the columns are too few for it */
    int roots;      /* where > 0, only the first so many nodes of the order have children */
    bool holes;     /* two variables have some of the observations in common, not all */
};

/* Correlations of a random sample of a random DAG. Aborts where memory ends. */
struct sample sample_draw(const struct sample_model *model, gsl_rng *rng);
void sample_free(struct sample *sample);

/* A generator that is freed with gsl_rng_free; aborts where memory ends. */
gsl_rng *seeded(uint64_t seed);

/* Uniform between low and high, both included. */
int draw_int(gsl_rng *rng, int low, int high);

/* An undirected edge or an arrow. */
dpc_mark draw_mark(gsl_rng *rng);

/* Uniform on a logarithmic scale. */
double draw_log(gsl_rng *rng, double low, double high);

/* dpc_separating_set; aborts where that fails. */
void separated(const dpc_result *result, int a, int b, dpc_sepset *out, int32_t *members);

const char *method_name(dpc_method method);
const char *variant_name(dpc_variant variant);
const char *target_name(dpc_target target);

/* The settings in one line, into `text`, so that a failure can be repeated. */
void describe_settings(const dpc_settings *settings, char *text, size_t size);

#endif

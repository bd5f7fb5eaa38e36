/* Means, deviations and quartiles over the data sets of a setting; summary.csv. */
#include "study.h"

#include "alloc.h"
#include "status.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

study_summary study_describe(double *values, int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (!isnan(values[i]))
            values[kept++] = values[i];
    if (kept == 0)
        return (study_summary){0, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    size_t size = (size_t)kept;
    gsl_sort(values, 1, size);
    return (study_summary){
        .count = kept,
        .mean = gsl_stats_mean(values, 1, size),
        .sd = kept > 1 ? gsl_stats_sd(values, 1, size) : NAN,
        .least = values[0],
        .q25 = gsl_stats_quantile_from_sorted_data(values, 1, size, 0.25),
        .median = gsl_stats_quantile_from_sorted_data(values, 1, size, 0.5),
        .q75 = gsl_stats_quantile_from_sorted_data(values, 1, size, 0.75),
        .most = values[kept - 1],
    };
}

/* ---- Measures ---- */

static double ratio(double above, double below)
{
    return below > 0 ? above / below : NAN;
}

/* clang-format off */
#define MEASURE(name, value)                                  \
    double name(const study_point *p, dpc_target graph, int n) \
    {                                                         \
        (void)graph, (void)n;                                 \
        return value;                                         \
    }
#define TP p->graph[graph].tp
#define FP p->graph[graph].fp
#define FN p->graph[graph].fn
static MEASURE(true_positive, TP)
static MEASURE(false_positive, FP)
static MEASURE(false_negative, FN)
MEASURE(study_shd, FP + FN)
MEASURE(study_shd_per_node, (FP + FN) / n)
MEASURE(study_tpr, ratio(TP, (double)p->p))
MEASURE(study_fprp, ratio(FP, (double)p->p))
static MEASURE(precision, ratio(TP, TP + FP))
static MEASURE(f1, ratio(2 * TP, 2 * TP + FP + FN))
static MEASURE(positives, (double)p->p)
MEASURE(study_tests, (double)p->tests)
MEASURE(study_seconds, p->seconds)
MEASURE(study_sortability, p->sortability)
/* As in results.csv: these are about the CPDAG only. */
static MEASURE(parent_aid, graph == DPC_CPDAG ? p->aid[0] : NAN)
static MEASURE(ancestor_aid, graph == DPC_CPDAG ? p->aid[1] : NAN)
static MEASURE(oset_aid, graph == DPC_CPDAG ? p->aid[2] : NAN)
    /* clang-format on */

    study_measure *const study_aid[STUDY_AIDS] = {parent_aid, ancestor_aid, oset_aid};

int study_collect(const study_results *r, int setting, int point, dpc_target graph,
                  study_measure *measure, double *values)
{
    const study_setting *s = &r->catalogue->settings[setting];
    int count = 0;
    for (int rep = 0; rep < r->reps; rep++)
        if (r->done[setting][rep])
            values[count++] =
                measure(&r->points[setting][(int64_t)rep * study_points(s) + point], graph, s->n);
    return count;
}

/* ---- summary.csv ---- */

/* In the order of the columns; what is never the same twice comes last. */
static const struct {
    const char *name;
    study_measure *measure;
} MEANS[] = {
    {"TP", true_positive},      {"FP", false_positive},
    {"FN", false_negative},     {"TPR", study_tpr},
    {"FPRp", study_fprp},       {"precision", precision},
    {"recall", study_tpr},      {"F1", f1},
    {"P", positives},           {"tests", study_tests},
    {"parent_aid", parent_aid}, {"ancestor_aid", ancestor_aid},
    {"oset_aid", oset_aid},     {"sortability", study_sortability},
};
enum { N_MEANS = sizeof MEANS / sizeof *MEANS };

static void print_number(FILE *file, double value)
{
    if (isnan(value))
        putc(',', file);
    else
        fprintf(file, ",%.6g", value);
}

/* Ours minus theirs, in standard errors of the difference of two such means. */
static double in_standard_errors(const study_summary *ours, double theirs)
{
    double error = ours->sd * sqrt(1.0 / ours->count + 1.0 / 100);
    return error > 0 ? (ours->mean - theirs) / error : NAN;
}

static void print_row(const study_results *r, int setting, int point, dpc_target graph,
                      double *values, FILE *file)
{
    const study_setting *s = &r->catalogue->settings[setting];
    const study_run *run = &s->runs[point / s->n_levels];
    double level = run->levels[point % s->n_levels];
    char key[2 * STUDY_KEY_SIZE];
    study_published published = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    int length = study_public_key(s, run, level, graph, key);
    length += study_way_key(s, run, key + length);
    study_summary shd =
        study_describe(values, study_collect(r, setting, point, graph, study_shd, values));
    fprintf(file, "%.*s%d", length, key, shd.count);
    const double distances[] = {shd.mean, shd.sd, shd.q25, shd.median, shd.q75};
    for (int i = 0; i < 5; i++)
        print_number(file, distances[i]);
    for (int m = 0; m < N_MEANS; m++) {
        int count = study_collect(r, setting, point, graph, MEANS[m].measure, values);
        print_number(file, study_describe(values, count).mean);
    }
    study_find_published(s, run, level, graph, &published);
    print_number(file, published.shd);
    print_number(file, in_standard_errors(&shd, published.shd));
    print_number(file, published.tpr);
    print_number(file, published.fprp);
    print_number(file, published.seconds);
    study_summary seconds =
        study_describe(values, study_collect(r, setting, point, graph, study_seconds, values));
    print_number(file, r->seconds ? seconds.mean : NAN);
    print_number(file, r->seconds ? seconds.median : NAN);
    putc('\n', file);
}

dpc_status study_write_summary(const study_results *r, FILE *file, dpc_error *err)
{
    double *values = dpc_alloc(r->reps, sizeof *values);
    if (values == NULL)
        return dpc_fail_memory(err, "the summary");
    fputs("n,N,parents,noise,tanh,normalize,method,variant,test,value,graph,rule,orient,refine,"
          "kinds,options,"
          "reps,SHD,SHD_sd,SHD_q25,"
          "SHD_median,SHD_q75",
          file);
    for (int m = 0; m < N_MEANS; m++)
        fprintf(file, ",%s", MEANS[m].name);
    fputs(",published_SHD,SHD_difference_se,published_TPR,published_FPRp,published_seconds,seconds,"
          "seconds_median\n",
          file);
    for (int i = 0; i < r->catalogue->n_settings; i++)
        for (int p = 0; r->points[i] != NULL && p < study_points(&r->catalogue->settings[i]); p++)
            for (int g = 0; g < STUDY_GRAPHS; g++)
                print_row(r, i, p, (dpc_target)g, values, file);
    free(values);
    return DPC_OK;
}

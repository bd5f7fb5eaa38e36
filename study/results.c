/*
 * results.csv: one row for each data set, run, level and graph, in blocks of one data set (rows.c).
 * A row begins with its key, from `n` to `options`, which the seed and the catalogue determine.
 */
#include "study.h"

#include "alloc.h"
#include "status.h"

#include <math.h>
#include <string.h>

static const char HEADER[] =
    "n,N,parents,noise,tanh,rep,seed,normalize,method,variant,test,"
    "min_ess,parameter,value,graph,rule,orient,refine,kinds,options,TP,FP,FN,"
    "SHD,TPR,FPRp,precision,recall,F1,P,tests,parent_aid,ancestor_aid,"
    "oset_aid,sortability,seconds\n";

/* ---- Rows as text ---- */

static int print_setting(const study_setting *s, char *to)
{
    char noise[32] = "gaussian";
    if (s->departure != NULL && s->departure->exponential)
        snprintf(noise, sizeof noise, "exponential");
    else if (!isinf(s->degrees))
        snprintf(noise, sizeof noise, "t:%g", s->degrees);
    return snprintf(to, STUDY_KEY_SIZE, "%d,%lld,%g,%s,%g,", s->n, (long long)s->n_obs, s->parents,
                    noise, s->tanh);
}

/* What does not apply to a run stays empty. */
static int print_run(const study_run *run, double level, dpc_target graph, bool all, char *to)
{
    bool ges = run->method == DPC_GES;
    char ess[32] = ",", parameter[16] = "";
    if (run->method != DPC_GES && run->method != DPC_CLASSIC)
        snprintf(ess, sizeof ess, "%g,", run->min_ess);
    snprintf(parameter, sizeof parameter, "%s,", ges ? "penalty" : "alpha");
    return snprintf(
        to, STUDY_KEY_SIZE, "%s,%s,%s,%s,%s%s%g,%s,", dpc_word(DPC_WORD_NORMALIZE, run->normalize),
        dpc_word(DPC_WORD_METHOD, run->method), ges ? "" : dpc_word(DPC_WORD_VARIANT, run->variant),
        ges ? "" : dpc_word(DPC_WORD_TEST, run->test), all ? ess : "", all ? parameter : "", level,
        dpc_word(DPC_WORD_TARGET, graph));
}

int study_public_key(const study_setting *setting, const study_run *run, double level,
                     dpc_target graph, char *key)
{
    int length = print_setting(setting, key);
    return length + print_run(run, level, graph, false, key + length);
}

int study_way_key(const study_setting *setting, const study_run *run, char *key)
{
    static const char *const KINDS[] = {"numbers", "ordered", "blocks"};
    bool ges = run->method == DPC_GES;
    return snprintf(key, STUDY_KEY_SIZE, "%s,%s,%s,%s,%s,",
                    ges ? "" : dpc_word(DPC_WORD_RULE, run->rule),
                    ges ? "" : dpc_word(DPC_WORD_ORIENTATION, run->orient),
                    ges ? "" : dpc_word(DPC_WORD_REFINEMENT, run->refine), KINDS[run->kinds],
                    setting->departure != NULL ? setting->departure->options : "");
}

/* The key of one row of the block. */
static int print_key(const study_results *r, int setting, int rep, int point, dpc_target graph,
                     char *key)
{
    const study_setting *s = &r->catalogue->settings[setting];
    const study_run *run = &s->runs[point / s->n_levels];
    int length = print_setting(s, key);
    length +=
        sprintf(key + length, "%d,%llu,", rep + 1, (unsigned long long)study_seed(s, r->seed, rep));
    length += print_run(run, run->levels[point % s->n_levels], graph, true, key + length);
    return length + study_way_key(s, run, key + length);
}

/* A ratio, or nothing where it has no denominator. */
static int print_ratio(double above, double below, char *to)
{
    return below > 0 ? sprintf(to, ",%.6g", above / below) : sprintf(to, ",");
}

/* They are about the CPDAG only. */
static int print_distances(const study_point *point, dpc_target graph, char *to)
{
    int length = 0;
    for (int i = 0; i < STUDY_AIDS; i++)
        if (graph == DPC_CPDAG && !isnan(point->aid[i]))
            length += sprintf(to + length, "%g,", point->aid[i]);
        else
            length += sprintf(to + length, ",");
    return length;
}

static int print_counts(const study_point *point, dpc_target graph, bool seconds, char *to)
{
    double tp = point->graph[graph].tp, fp = point->graph[graph].fp, fn = point->graph[graph].fn;
    int length = sprintf(to, "%g,%g,%g,%g", tp, fp, fn, fp + fn);
    length += print_ratio(tp, (double)point->p, to + length);
    length += print_ratio(fp, (double)point->p, to + length);
    length += print_ratio(tp, tp + fp, to + length);
    length += print_ratio(tp, (double)point->p, to + length);
    length += print_ratio(2 * tp, 2 * tp + fp + fn, to + length);
    length += sprintf(to + length, ",%lld,%lld,", (long long)point->p, (long long)point->tests);
    length += print_distances(point, graph, to + length);
    if (!isnan(point->sortability))
        length += sprintf(to + length, "%.6g", point->sortability);
    length += sprintf(to + length, ",");
    return length + sprintf(to + length, seconds ? "%.6f\n" : "\n", point->seconds);
}

/* ---- Reading back ---- */

enum {
    N_FIELDS = 16,
    P_FIELD = 9,
    TESTS_FIELD,
    AID_FIELD,
    SORTABILITY_FIELD = AID_FIELD + STUDY_AIDS,
    SECONDS_FIELD,
};

/* The counts behind the key; NULL: the row is torn or not ours. */
static const char *parse_counts(const char *text, const char *end, study_point *point, int graph)
{
    const char *line_end = memchr(text, '\n', (size_t)(end - text));
    double field[N_FIELDS];
    if (line_end == NULL)
        return NULL;
    for (int i = 0; i < N_FIELDS; i++) {
        char *after = (char *)text;
        field[i] = i >= AID_FIELD && i < SECONDS_FIELD ? NAN : 0;
        if (*text != ',' && *text != '\n') /* it may be empty, and strtod skips line breaks */
            field[i] = strtod(text, &after);
        if (after > line_end || *after != (i < N_FIELDS - 1 ? ',' : '\n'))
            return NULL;
        text = after + 1;
    }
    point->graph[graph].tp = field[0];
    point->graph[graph].fp = field[1];
    point->graph[graph].fn = field[2];
    point->p = (int64_t)field[P_FIELD];
    point->tests = (int64_t)field[TESTS_FIELD];
    point->sortability = field[SORTABILITY_FIELD];
    point->seconds = field[SECONDS_FIELD];
    for (int i = 0; i < STUDY_AIDS && graph == DPC_CPDAG; i++)
        point->aid[i] = field[AID_FIELD + i];
    return line_end + 1;
}

/* The block of a data set at `text`; NULL where it is not whole. */
static const char *parse_block(const study_results *r, int setting, int rep, const char *text,
                               const char *end, study_point *points)
{
    char key[2 * STUDY_KEY_SIZE];
    for (int p = 0; p < study_points(&r->catalogue->settings[setting]); p++)
        for (int g = 0; g < STUDY_GRAPHS; g++) {
            size_t length = (size_t)print_key(r, setting, rep, p, (dpc_target)g, key);
            if ((size_t)(end - text) < length || memcmp(text, key, length) != 0)
                return NULL;
            text = parse_counts(text + length, end, &points[p], g);
            if (text == NULL)
                return NULL;
        }
    return text;
}

/*
 * The setting and the number of the data set whose block begins here; false: none we know. Two
 * settings may have the same data and other runs, so the whole key is looked at.
 */
static bool identify(const study_results *r, const char *text, int *setting, int *rep)
{
    char key[2 * STUDY_KEY_SIZE];
    for (int i = 0; i < r->catalogue->n_settings; i++) {
        int length = print_setting(&r->catalogue->settings[i], key);
        if (strncmp(text, key, (size_t)length) != 0)
            continue;
        *setting = i;
        *rep = atoi(text + length) - 1;
        if (*rep < 0)
            return false;
        length = print_key(r, i, *rep, 0, DPC_CPDAG, key);
        if (strncmp(text, key, (size_t)length) == 0)
            return true;
    }
    return false;
}

/* Rows of the block that begins here; 0: none we know. */
static int count_rows(void *context, const char *text)
{
    const study_results *r = context;
    int setting, rep;
    return identify(r, text, &setting, &rep)
               ? study_points(&r->catalogue->settings[setting]) * STUDY_GRAPHS
               : 0;
}

static const char *take_block(void *context, const char *text, const char *end)
{
    study_results *r = context;
    int setting, rep;
    if (!identify(r, text, &setting, &rep))
        return NULL;
    bool kept = r->points[setting] != NULL && rep < r->reps;
    int per_rep = study_points(&r->catalogue->settings[setting]);
    study_point *points = kept ? r->points[setting] + (int64_t)rep * per_rep : r->spare;
    const char *next = parse_block(r, setting, rep, text, end, points);
    if (next != NULL && kept)
        r->done[setting][rep] = true;
    return next;
}

/* ---- Opening, appending, closing ---- */

static dpc_status allocate(study_results *r, const bool *wanted, dpc_error *err)
{
    int n = r->catalogue->n_settings, most = 0;
    r->points = dpc_zalloc(n, sizeof *r->points);
    r->done = dpc_zalloc(n, sizeof *r->done);
    bool fine = r->points != NULL && r->done != NULL;
    for (int i = 0; i < n && fine; i++) {
        int per_rep = study_points(&r->catalogue->settings[i]);
        most = per_rep > most ? per_rep : most;
        if (!wanted[i])
            continue;
        r->points[i] = dpc_zalloc((int64_t)r->reps * per_rep, sizeof **r->points);
        r->done[i] = dpc_zalloc(r->reps, sizeof **r->done);
        fine = r->points[i] != NULL && r->done[i] != NULL;
    }
    r->spare = dpc_alloc(most, sizeof *r->spare);
    return fine && r->spare != NULL ? DPC_OK : dpc_fail_memory(err, "the results");
}

dpc_status study_results_open(study_results *r, const bool *wanted, const char *path,
                              dpc_error *err)
{
    const study_reader reader = {"results.csv", HEADER, count_rows, take_block, r};
    DPC_CHECK(allocate(r, wanted, err));
    return study_rows_open(path, &reader, &r->rows, err);
}

void study_results_close(study_results *r)
{
    for (int i = 0; r->points != NULL && r->done != NULL && i < r->catalogue->n_settings; i++) {
        free(r->points[i]);
        free(r->done[i]);
    }
    free(r->points);
    free(r->done);
    free(r->spare);
    study_rows_close(&r->rows);
    *r = (study_results){.rows.fd = -1};
}

dpc_status study_results_append(study_results *r, int setting, int rep, dpc_error *err)
{
    int points = study_points(&r->catalogue->settings[setting]);
    const study_point *point = r->points[setting] + (int64_t)rep * points;
    char *text = dpc_alloc((int64_t)points * STUDY_GRAPHS * 3 * STUDY_KEY_SIZE, 1);
    if (text == NULL)
        return dpc_fail_memory(err, "the rows of a data set");
    int64_t length = 0;
    for (int p = 0; p < points; p++)
        for (int g = 0; g < STUDY_GRAPHS; g++) {
            length += print_key(r, setting, rep, p, (dpc_target)g, text + length);
            length += print_counts(&point[p], (dpc_target)g, r->seconds, text + length);
        }
    dpc_status status = study_rows_append(&r->rows, HEADER, text, length, err);
    if (status == DPC_OK)
        r->done[setting][rep] = true;
    free(text);
    return status;
}

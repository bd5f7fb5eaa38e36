/*
 * results.csv: one row for each data set, run, level and graph, in blocks of one data set.
 *
 * A block is appended by one write, so that what a killed run leaves behind is whole blocks and at
 * most one torn one at the end, which is cut off when the file is opened again. A row begins with
 * its key, from `n` to `options`, which the seed and the catalogue determine; reading compares
 * keys, so a file of another seed or another program is refused rather than mixed.
 */
#include "study.h"

#include "alloc.h"
#include "status.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Takes in the blocks of the text; returns how many bytes of it are whole blocks. */
static int64_t take_in(study_results *r, const char *text, const char *end, study_point *spare)
{
    const char *at = text;
    int setting, rep;
    while (at < end && identify(r, at, &setting, &rep)) {
        bool kept = r->points[setting] != NULL && rep < r->reps;
        int per_rep = study_points(&r->catalogue->settings[setting]);
        study_point *points = kept ? r->points[setting] + (int64_t)rep * per_rep : spare;
        const char *next = parse_block(r, setting, rep, at, end, points);
        if (next == NULL)
            break;
        if (kept)
            r->done[setting][rep] = true;
        at = next;
    }
    return at - text;
}

/* Is what follows the whole blocks just the torn end of one? */
static bool is_torn_block(const study_results *r, const char *text, const char *end)
{
    int setting, rep;
    const char *first_line = memchr(text, '\n', (size_t)(end - text));
    if (first_line == NULL)
        return true;
    if (!identify(r, text, &setting, &rep))
        return false;
    int64_t lines = 0,
            rows = (int64_t)study_points(&r->catalogue->settings[setting]) * STUDY_GRAPHS;
    for (const char *at = text; at < end; at++)
        lines += *at == '\n';
    return lines <= rows;
}

static dpc_status read_file(int fd, const char *path, char **out, int64_t *length, dpc_error *err)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return dpc_fail(err, DPC_BAD_INPUT, "cannot read '%s': %s", path, strerror(errno));
    char *text = dpc_alloc(info.st_size + 1, 1);
    if (text == NULL)
        return dpc_fail_memory(err, "the results that are there already");
    int64_t done = 0;
    while (done < info.st_size) {
        ssize_t got = pread(fd, text + done, (size_t)(info.st_size - done), done);
        if (got < 0 && errno != EINTR) {
            free(text);
            return dpc_fail(err, DPC_BAD_INPUT, "cannot read '%s': %s", path, strerror(errno));
        }
        if (got == 0)
            break;
        done += got > 0 ? got : 0;
    }
    text[done] = '\0';
    *out = text;
    *length = done;
    return DPC_OK;
}

/* Calls that a disk behind a network may interrupt are made again. */
static int open_file(const char *path)
{
    int fd;
    do
        fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    while (fd < 0 && errno == EINTR);
    return fd;
}

static bool cut_file(int fd, int64_t length)
{
    int code;
    do
        code = ftruncate(fd, length);
    while (code != 0 && errno == EINTR);
    return code == 0;
}

/* Reads what is there and cuts off what is torn. */
static dpc_status resume(study_results *r, const char *path, dpc_error *err)
{
    const int64_t header = (int64_t)strlen(HEADER);
    char *text = NULL;
    int64_t length = 0, whole = 0;
    int most = 0;
    for (int i = 0; i < r->catalogue->n_settings; i++)
        most = study_points(&r->catalogue->settings[i]) > most
                   ? study_points(&r->catalogue->settings[i])
                   : most;
    study_point *spare = dpc_alloc(most, sizeof *spare);
    if (spare == NULL)
        return dpc_fail_memory(err, "the results");
    dpc_status status = read_file(r->fd, path, &text, &length, err);
    if (status == DPC_OK && strncmp(text, HEADER, (size_t)(length < header ? length : header)) != 0)
        status = dpc_fail(err, DPC_BAD_INPUT,
                          "'%s' is not a results file of this version of "
                          "dualpc (an older one wrote other columns); give another --out",
                          path);
    if (status == DPC_OK && length > header) {
        whole = header + take_in(r, text + header, text + length, spare);
        if (!is_torn_block(r, text + whole, text + length))
            status = dpc_fail(err, DPC_BAD_INPUT,
                              "'%s' holds results of another study (another --seed?); give another "
                              "--out",
                              path);
    }
    if (status == DPC_OK && whole < length && !cut_file(r->fd, whole))
        status = dpc_fail(err, DPC_WRITE_FAILED, "cannot shorten '%s': %s", path, strerror(errno));
    r->empty = whole == 0;
    free(text);
    free(spare);
    return status;
}

/* ---- Opening, appending, closing ---- */

static dpc_status allocate(study_results *r, const bool *wanted, dpc_error *err)
{
    int n = r->catalogue->n_settings;
    r->points = dpc_zalloc(n, sizeof *r->points);
    r->done = dpc_zalloc(n, sizeof *r->done);
    bool fine = r->points != NULL && r->done != NULL;
    for (int i = 0; i < n && fine; i++) {
        if (!wanted[i])
            continue;
        int64_t points = (int64_t)r->reps * study_points(&r->catalogue->settings[i]);
        r->points[i] = dpc_zalloc(points, sizeof **r->points);
        r->done[i] = dpc_zalloc(r->reps, sizeof **r->done);
        fine = r->points[i] != NULL && r->done[i] != NULL;
    }
    return fine ? DPC_OK : dpc_fail_memory(err, "the results");
}

dpc_status study_results_open(study_results *r, const bool *wanted, const char *path,
                              dpc_error *err)
{
    DPC_CHECK(allocate(r, wanted, err));
    r->fd = open_file(path);
    if (r->fd < 0)
        return dpc_fail(err, DPC_WRITE_FAILED, "cannot open '%s': %s", path, strerror(errno));
    if (flock(r->fd, LOCK_EX | LOCK_NB) == 0)
        return resume(r, path, err);
    if (errno == EWOULDBLOCK)
        return dpc_fail(err, DPC_WRITE_FAILED,
                        "another study is writing '%s'; wait for it, or give another --out", path);
    return dpc_fail(err, DPC_WRITE_FAILED, "cannot lock '%s': %s; give another --out", path,
                    strerror(errno));
}

void study_results_close(study_results *r)
{
    for (int i = 0; r->points != NULL && r->done != NULL && i < r->catalogue->n_settings; i++) {
        free(r->points[i]);
        free(r->done[i]);
    }
    free(r->points);
    free(r->done);
    if (r->fd >= 0)
        close(r->fd);
    *r = (study_results){.fd = -1};
}

static dpc_status write_all(int fd, const char *text, size_t length, dpc_error *err)
{
    while (length > 0) {
        ssize_t written = write(fd, text, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return dpc_fail(err, DPC_WRITE_FAILED, "cannot write results.csv: %s", strerror(errno));
        text += written;
        length -= (size_t)written;
    }
    return DPC_OK;
}

dpc_status study_results_append(study_results *r, int setting, int rep, dpc_error *err)
{
    int points = study_points(&r->catalogue->settings[setting]);
    const study_point *point = r->points[setting] + (int64_t)rep * points;
    char *text =
        dpc_alloc((int64_t)points * STUDY_GRAPHS * 3 * STUDY_KEY_SIZE + (int64_t)sizeof HEADER, 1);
    if (text == NULL)
        return dpc_fail_memory(err, "the rows of a data set");
    int64_t length = r->empty ? sprintf(text, "%s", HEADER) : 0;
    for (int p = 0; p < points; p++)
        for (int g = 0; g < STUDY_GRAPHS; g++) {
            length += print_key(r, setting, rep, p, (dpc_target)g, text + length);
            length += print_counts(&point[p], (dpc_target)g, r->seconds, text + length);
        }
    dpc_status status = write_all(r->fd, text, (size_t)length, err);
    if (status == DPC_OK) {
        r->empty = false;
        r->done[setting][rep] = true;
    }
    free(text);
    return status;
}

dpc_status study_results_sync(study_results *r, dpc_error *err)
{
    int code;
    do
        code = fdatasync(r->fd);
    while (code != 0 && errno == EINTR);
    if (code != 0 && errno != EINVAL)
        return dpc_fail(err, DPC_WRITE_FAILED, "cannot write results.csv: %s", strerror(errno));
    return DPC_OK;
}

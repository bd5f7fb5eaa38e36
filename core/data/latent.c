/*
 * The correlations of a latent Gaussian copula model: see latent.h.
 *
 * Pairs are independent of each other, and shared by the crew, a column of R being a task. Columns
 * whose scores are the same, but for the sign, are copies: their correlation is ±1, and whatever
 * else is estimated is that of the first of them. The others make a matrix that need not be
 * positive definite, since its entries were estimated one by one; where its smallest eigenvalue is
 * below a floor, the nearest correlation matrix with that floor takes its place. Where there are
 * fewer effective rows than columns, the whole matrix is nothing that a test reads; it stays.
 */
#include "latent.h"

#include "arena.h"
#include "crew.h"
#include "definite.h"
#include "findings.h"
#include "latent_pair.h"
#include "settings.h"
#include "status.h"
#include "table.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    LEAST_ROWS = 4,     /* of a pair */
    VAGUE = 8,          /* rows: with fewer r is hardly known */
    FEW = 30,           /* the mean of a column: with fewer hardly anything is known of it */
    ROWS_PER_SCORE = 25 /* and variable: with fewer a search by score adds too many edges */
};
static const double FLOOR = 1e-3;
static const double COPY = 1e-12;
static const double QUANTILE = 0.1;

void dpc_latent_free(dpc_latent *latent)
{
    if (latent != NULL)
        free(latent->visible);
    free(latent);
}

/* ---- Kinds ---- */

dpc_status dpc_latent_check(const dpc_table *table, dpc_audit *audit, dpc_error *err)
{
    char name[DPC_CLIP_SIZE], text[DPC_MESSAGE_SIZE];
    for (int j = 0; j < table->n_vars; j++) {
        dpc_variable_kind kind = dpc_kind_of(table, j);
        bool nominal = kind == DPC_NOMINAL && table->variable[j].n_levels > 2;
        if (!nominal && kind != DPC_BLOCK)
            continue;
        dpc_clip_name(table->names[j], name);
        if (nominal)
            snprintf(text, sizeof text,
                     "column '%s' has %d levels without an order, and normalize = latent "
                     "(--normalize latent) needs levels that have one; say that they are ordered "
                     "with types (--types), exclude the column with drop (--drop), or leave out "
                     "normalize",
                     name, table->variable[j].n_levels);
        else
            snprintf(text, sizeof text,
                     "variable '%s' is a block of columns, which normalize = latent (--normalize "
                     "latent) cannot use; leave out normalize, or use its columns one by one",
                     name);
        if (dpc_findings_add(audit, DPC_ERROR, "%s", text) != DPC_OK)
            return dpc_fail_memory(err, "the audit of the data");
        return dpc_fail(err, DPC_BAD_INPUT, "%s", text);
    }
    return DPC_OK;
}

dpc_latent_kind dpc_latent_kind_of(const dpc_table *table, int column, const int32_t *order)
{
    switch (dpc_kind_of(table, column)) {
    case DPC_ORDERED:
    case DPC_NOMINAL:
        return DPC_LATENT_LEVELS;
    case DPC_ZERO:
        return DPC_LATENT_ATOM;
    default:
        break;
    }
    return table->variable != NULL && table->variable[column].said
               ? DPC_LATENT_CONTINUOUS
               : dpc_latent_kind_found(order, table->n_obs);
}

/* ---- Pairs ---- */

typedef struct pair_job {
    const dpc_columns *columns;
    dpc_correlation *c;
    dpc_latent_curve *curve; /* per column; NULL: none is continuous */
    double *room;            /* dpc_latent_room() per worker */
    int32_t *like;           /* per column: the first that it is a copy of; or itself */
} pair_job;

static bool is_continuous(const pair_job *job, int64_t j)
{
    return job->columns->constant[j] || job->columns->latent[j].kind == DPC_LATENT_CONTINUOUS;
}

static void make_curve(void *context, int64_t j, int worker)
{
    const pair_job *job = context;
    if (!is_continuous(job, j))
        dpc_latent_curve_make(&job->columns->latent[j], job->room + worker * dpc_latent_room(),
                              &job->curve[j]);
}

/* Of the rows, those that are left of a pair. */
static double share_of(const pair_job *job, int64_t i, int64_t j, double r, double *room)
{
    const dpc_latent_column *a = &job->columns->latent[i], *b = &job->columns->latent[j];
    bool shown_a = is_continuous(job, i), shown_b = is_continuous(job, j);
    if (job->columns->constant[i] || job->columns->constant[j] || (shown_a && shown_b))
        return 1;
    if (shown_a || shown_b)
        return dpc_latent_curve_at(&job->curve[shown_a ? j : i], r);
    return dpc_latent_share(a, b, r, false, room);
}

/*
 * A pair that has a class without rows, or nearly so: the information about r vanishes where r is
 * largest, though the data may tell clearly that it is not 0. r is then that of a line through
 * g(0), which is right where it is small, and the rows are such that the test of the pair is that
 * of its scores, z₀ = √(N - 3) atanh m.
 */
static double settle_vague(const pair_job *job, int64_t i, int64_t j, double m, double *r)
{
    double n_obs = (double)job->c->latent->n_obs, z = sqrt(n_obs - 3) * atanh(fabs(m));
    double loadings =
        dpc_latent_loading(&job->columns->latent[i]) * dpc_latent_loading(&job->columns->latent[j]);
    *r = copysign(fmin(DPC_LATENT_MOST, fabs(m) / loadings), m);
    double quotient = z / atanh(fabs(*r)), rows = 3 + quotient * quotient;
    if (rows >= LEAST_ROWS)
        return fmin(rows, n_obs);
    *r = copysign(tanh(z), m);
    return LEAST_ROWS;
}

/* The pairs of column j with those before it. */
static void make_pairs(void *context, int64_t index, int worker)
{
    const pair_job *job = context;
    dpc_correlation *c = job->c;
    int64_t n = c->n_vars, j = n - 1 - index; /* the longest first */
    double n_obs = (double)c->latent->n_obs, *room = job->room + worker * dpc_latent_room();
    for (int64_t i = 0; i <= j; i++) {
        bool real = i != j && !job->columns->constant[i] && !job->columns->constant[j];
        bool copies = job->like[i] == job->like[j];
        double m = c->latent->visible[j * n + i], r = i == j ? 1 : m;
        if (real && copies)
            r = copysign(1, m);
        else if (real)
            r = dpc_latent_r(&job->columns->latent[i], &job->columns->latent[j], m);
        double rows = n_obs;
        if (real && !copies)
            rows *= share_of(job, i, j, r, room);
        if (rows < VAGUE && r != 0)
            rows = settle_vague(job, i, j, m, &r);
        c->r[j * n + i] = c->r[i * n + j] = r;
        rows = fmax(LEAST_ROWS, floor(rows + 0.5));
        c->rows[j * n + i] = c->rows[i * n + j] = (int32_t)rows;
    }
}

/* Columns with the same scores, but for the sign. */
static void find_copies(const pair_job *job, const double *m, int64_t n)
{
    for (int64_t j = 0; j < n; j++) {
        job->like[j] = (int32_t)j;
        for (int64_t i = 0; i < j && !job->columns->constant[j]; i++)
            if (1 - fabs(m[j * n + i]) < COPY && job->like[i] == i) {
                job->like[j] = (int32_t)i;
                break;
            }
    }
}

/* ---- Repair ---- */

/* The matrix over the columns that are no copies, into `part`; returns how many these are. */
static int gather(const pair_job *job, double *part)
{
    int64_t n = job->c->n_vars, count = 0, to = 0;
    for (int64_t j = 0; j < n; j++)
        count += job->like[j] == j;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n && job->like[j] == j; i++)
            if (job->like[i] == i)
                part[to++] = job->c->r[j * n + i];
    return (int)count;
}

/* Puts it back, also for the copies, and notes the largest change. */
static void scatter(const pair_job *job, const double *part, int count, int32_t *place,
                    dpc_latent_repair *repair)
{
    int64_t n = job->c->n_vars;
    double *r = job->c->r;
    for (int64_t j = 0, k = 0; j < n; j++)
        place[j] = job->like[j] == j ? (int32_t)k++ : place[job->like[j]];
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < j; i++) {
            if (job->like[i] == job->like[j])
                continue;
            double sign_i = job->like[i] == i ? 1 : r[i * n + job->like[i]];
            double sign_j = job->like[j] == j ? 1 : r[j * n + job->like[j]];
            double next = sign_i * sign_j * part[(int64_t)place[j] * count + place[i]];
            double change = fabs(next - r[j * n + i]);
            if (change > repair->largest) {
                repair->largest = change;
                repair->a = (int)i;
                repair->b = (int)j;
            }
            r[j * n + i] = r[i * n + j] = next;
        }
}

/* The mean rows of a column's pairs with the others that are no copies. */
static double rows_of_column(const pair_job *job, int64_t j)
{
    int64_t n = job->c->n_vars, count = 0;
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        if (i != j && job->like[i] == i && !job->columns->constant[i]) {
            sum += job->c->rows[j * n + i];
            count++;
        }
    return count > 0 ? sum / (double)count : (double)job->c->latent->n_obs;
}

/*
 * Columns of which hardly anything is known, such as those with a level of one row, are drawn to
 * 0 first: otherwise the correlations of all others would be bent to fit with theirs.
 */
static void shrink_vague(const pair_job *job, double *part, int count)
{
    int64_t n = job->c->n_vars;
    for (int64_t j = 0, k = 0; j < n; k += job->like[j] == j, j++) {
        double rows = rows_of_column(job, j), factor = rows / (rows + (double)n);
        if (job->like[j] != j || job->columns->constant[j] || rows >= FEW)
            continue;
        for (int64_t i = 0; i < count; i++)
            if (i != k)
                part[k * count + i] = part[i * count + k] *= factor;
    }
}

static dpc_status make_definite(const pair_job *job, dpc_latent_repair *repair)
{
    int64_t n = job->c->n_vars;
    double *part = dpc_alloc_aligned(n * n);
    int32_t *place = dpc_alloc(n, sizeof *place);
    dpc_status status = part != NULL && place != NULL ? DPC_OK : DPC_NO_MEMORY;
    if (status == DPC_OK) {
        int count = gather(job, part);
        double unused;
        status = dpc_nearest_correlation(part, count, FLOOR, &repair->least);
        repair->made = status == DPC_OK && repair->least < FLOOR;
        if (repair->made) {
            gather(job, part);
            shrink_vague(job, part, count);
            status = dpc_nearest_correlation(part, count, FLOOR, &unused);
        }
        if (repair->made && status == DPC_OK)
            scatter(job, part, count, place, repair);
    }
    free(part);
    free(place);
    return status;
}

/* ---- All pairs ---- */

/* What a score counts with; and N of all that has one: that, or the mean over all pairs. */
static dpc_status count_rows(dpc_correlation *c, bool by_score)
{
    int64_t n = c->n_vars, pairs = n * (n - 1) / 2, below = 0;
    int64_t *with = dpc_zalloc(c->latent->n_obs + LEAST_ROWS + 1, sizeof *with); /* so many rows */
    double sum = 0;
    if (with == NULL)
        return DPC_NO_MEMORY;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < j; i++) {
            with[c->rows[j * n + i]]++;
            sum += c->rows[j * n + i];
        }
    int64_t rows = 0, wanted = (int64_t)(QUANTILE * (double)pairs);
    while (pairs > 0 && (below += with[rows]) <= wanted)
        rows++;
    c->n_obs = pairs > 0 ? (int64_t)(sum / (double)pairs) : c->latent->n_obs;
    c->latent->score_rows = pairs > 0 ? rows : c->n_obs;
    if (by_score)
        c->n_obs = c->latent->score_rows;
    free(with);
    return DPC_OK;
}

static bool make_room(dpc_correlation *c)
{
    int64_t cells = (int64_t)c->n_vars * c->n_vars;
    if (c->latent == NULL)
        c->latent = dpc_zalloc(1, sizeof *c->latent);
    if (c->latent != NULL && c->latent->visible == NULL)
        c->latent->visible = dpc_alloc_aligned(cells);
    if (c->rows == NULL)
        c->rows = dpc_alloc(cells, sizeof *c->rows);
    return c->latent != NULL && c->latent->visible != NULL && c->rows != NULL;
}

static dpc_status estimate(pair_job *job, dpc_crew *crew, dpc_latent_repair *repair)
{
    dpc_correlation *c = job->c;
    int64_t n = c->n_vars;
    double pairs = (double)n * (double)n / 2;
    c->latent->n_obs = c->n_obs;
    memcpy(c->latent->visible, c->r, (size_t)(n * n) * sizeof *c->r);
    find_copies(job, c->latent->visible, n);
    if (job->curve != NULL && !dpc_crew_run(crew, n, 1e6 * (double)n, make_curve, job))
        return DPC_INTERRUPTED;
    if (!dpc_crew_run(crew, n, 2000 * pairs, make_pairs, job))
        return DPC_INTERRUPTED;
    DPC_CHECK(count_rows(c, dpc_by_score(crew->settings)));
    if (c->n_obs > n) /* otherwise no test can take so many columns that it would matter */
        DPC_CHECK(make_definite(job, repair));
    for (int64_t j = 0; j < n; j++)
        c->sd[j] = job->columns->constant[j] ? 0 : 1;
    c->mean_rows = true;
    return DPC_OK;
}

dpc_status dpc_latent_correlate(const dpc_columns *columns, const dpc_settings *settings,
                                dpc_correlation *c, dpc_latent_repair *repair)
{
    dpc_crew crew;
    dpc_arena arena = {0};
    int shown = 0;
    pair_job job = {.columns = columns, .c = c};
    for (int j = 0; j < c->n_vars; j++)
        shown += is_continuous(&job, j);
    *repair = (dpc_latent_repair){0};
    if (shown == c->n_vars && c->latent == NULL) /* of an earlier resample there may be something */
        return DPC_OK;
    dpc_crew_init(&crew, settings, DPC_STAGE_CORRELATION);
    job.room = dpc_arena_alloc(&arena, crew.threads * dpc_latent_room(), sizeof(double));
    job.like = dpc_arena_alloc(&arena, c->n_vars, sizeof *job.like);
    if (shown > 0)
        job.curve = dpc_arena_alloc(&arena, c->n_vars, sizeof *job.curve);
    dpc_status status = make_room(c) && !dpc_arena_failed(&arena) ? DPC_OK : DPC_NO_MEMORY;
    if (status == DPC_OK)
        status = estimate(&job, &crew, repair);
    dpc_arena_clear(&arena);
    return status;
}

/* ---- Words ---- */

static dpc_status report_kind(const dpc_table *table, const dpc_columns *columns,
                              dpc_latent_kind kind, const char *as, dpc_audit *audit)
{
    enum { NAMED = 3 };
    char names[NAMED * (DPC_CLIP_SIZE + 4)] = "", clip[DPC_CLIP_SIZE];
    int count = 0;
    for (int j = 0; j < table->n_vars; j++) {
        if (columns->constant[j] || columns->latent[j].kind != kind)
            continue;
        size_t used = strlen(names);
        if (count++ < NAMED)
            snprintf(names + used, sizeof names - used, "%s'%s'", used > 0 ? ", " : "",
                     dpc_clip_name(table->names[j], clip));
    }
    if (count == 0)
        return DPC_OK;
    return dpc_findings_add(audit, DPC_WARNING, "normalize latent takes %d column%s as %s: %s%s",
                            count, dpc_plural(count), as, names, count > NAMED ? ", …" : "");
}

static dpc_status report_rows(const dpc_table *table, const dpc_correlation *c, dpc_audit *audit)
{
    char a[DPC_CLIP_SIZE], b[DPC_CLIP_SIZE];
    int64_t n = c->n_vars, least = 1;
    double sum = 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < j; i++) {
            sum += c->rows[j * n + i];
            if (c->rows[j * n + i] < c->rows[least])
                least = j * n + i;
        }
    return dpc_findings_add(
        audit, DPC_WARNING,
        "latent correlations are less certain than those of visible variables: a test counts with "
        "the mean effective rows of its pairs, on average %lld of %lld, at least %lld (columns "
        "'%s' and '%s')",
        (long long)(sum / ((double)n * (double)(n - 1) / 2)), (long long)c->latent->n_obs,
        (long long)c->rows[least], dpc_clip_name(table->names[least % n], a),
        dpc_clip_name(table->names[least / n], b));
}

/* Columns of which hardly anything is known. */
static dpc_status report_few(const dpc_table *table, const dpc_columns *columns,
                             const dpc_correlation *c, dpc_audit *audit)
{
    char name[DPC_CLIP_SIZE];
    int found = 0;
    int64_t n = c->n_vars;
    if (c->latent->n_obs < 2 * FEW)
        return DPC_OK; /* which is so of all */
    for (int64_t j = 0; j < n; j++) {
        double sum = 0, others = 0;
        for (int64_t i = 0; i < n && !columns->constant[j]; i++)
            if (i != j && !columns->constant[i]) {
                sum += c->rows[j * n + i];
                others++;
            }
        if (sum >= FEW * others || found++ >= DPC_MOST_NAMED)
            continue;
        DPC_CHECK(dpc_findings_add(audit, DPC_WARNING,
                                   "column '%s' tells no more than %lld rows of a visible variable "
                                   "would, because nearly all of its rows are in one level; "
                                   "exclude it with drop (--drop)",
                                   dpc_clip_name(table->names[j], name),
                                   (long long)(sum / others)));
    }
    return dpc_findings_more(audit, DPC_WARNING, found, "such columns");
}

static dpc_status report_repair(const dpc_table *table, const dpc_latent_repair *repair,
                                dpc_audit *audit)
{
    char a[DPC_CLIP_SIZE], b[DPC_CLIP_SIZE];
    if (!repair->made)
        return DPC_OK;
    return dpc_findings_add(
        audit, DPC_WARNING,
        "the latent correlations do not fit together (their smallest eigenvalue is %.3g); they "
        "were replaced by the nearest correlation matrix with eigenvalues of at least %g. The "
        "largest change is %.2g, of columns '%s' and '%s'",
        repair->least, FLOOR, repair->largest, dpc_clip_name(table->names[repair->a], a),
        dpc_clip_name(table->names[repair->b], b));
}

dpc_status dpc_latent_report(const dpc_table *table, const dpc_columns *columns,
                             const dpc_correlation *c, const dpc_latent_repair *repair,
                             dpc_audit *audit)
{
    DPC_CHECK(report_kind(table, columns, DPC_LATENT_LEVELS, "ordered levels", audit));
    DPC_CHECK(report_kind(table, columns, DPC_LATENT_ATOM,
                          "numbers of which many are the smallest one", audit));
    DPC_CHECK(report_kind(table, columns, DPC_LATENT_CONTINUOUS, "continuous", audit));
    if (c->latent == NULL)
        return DPC_OK;
    DPC_CHECK(report_rows(table, c, audit));
    DPC_CHECK(report_few(table, columns, c, audit));
    return report_repair(table, repair, audit);
}

dpc_status dpc_latent_check_score(const dpc_correlation *c, dpc_error *err)
{
    int64_t needed = (int64_t)ROWS_PER_SCORE * c->n_vars;
    if (c->latent == NULL || c->latent->score_rows >= needed)
        return DPC_OK;
    return dpc_fail(err, DPC_USAGE,
                    "a search by score needs about %lld effective rows for %d variables, and a "
                    "tenth of the pairs of latent variables have %lld or fewer of %lld; leave out "
                    "refine, ges and latent search or dag, select fewer columns, or leave out "
                    "normalize latent",
                    (long long)needed, c->n_vars, (long long)c->latent->score_rows,
                    (long long)c->latent->n_obs);
}

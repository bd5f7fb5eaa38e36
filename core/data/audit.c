/*
 * The checks before the work, one function for each kind of finding. A reader of a file and the
 * library, which checks its caller's table, report what they find in this order:
 *
 *     names, cells that are no numbers, missing and infinite ones, the number of observations,
 *     constant columns, odd numbers (data_warnings.c), copies, linear combinations
 *
 * and a reader first reports how it took the file apart (header, row names).
 *
 * Linear dependence: copies, and columns that are combinations of the columns before them
 * (dependence.h). With N ≤ n every column is one sooner or later; then only pairs are worth naming.
 */
#include "audit.h"

#include "arena.h"
#include "copies.h"
#include "dependence.h"
#include "findings.h"
#include "linalg.h"
#include "memory_plan.h"
#include "status.h"
#include "table.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MIN_OBS = 4,    /* the marginal test needs N - 3 ≥ 1 */
    MOST_TERMS = 6, /* names in one linear combination */
};

/* Columns that vary less than this, relative to their size, vary by rounding only. */
static const double CONSTANT = 1e-15;

/* A variance this far below 0 is not rounding. */
static const double INDEFINITE = 1e-6;

/* ---- Names and sizes ---- */

typedef struct named {
    const char *name;
    int column;
} named;

static int by_name(const void *pa, const void *pb)
{
    const named *a = pa, *b = pb;
    int order = strcmp(a->name, b->name);
    return order != 0 ? order : (a->column > b->column) - (a->column < b->column);
}

dpc_status dpc_audit_names(char *const *names, int n, const int32_t *numbers, dpc_audit *audit)
{
    dpc_status status = DPC_OK;
    named *sorted = dpc_alloc(n, sizeof *sorted);
    if (sorted == NULL)
        return DPC_NO_MEMORY;
    for (int j = 0; j < n; j++)
        sorted[j] = (named){names[j], numbers != NULL ? numbers[j] : j + 1};
    qsort(sorted, (size_t)n, sizeof *sorted, by_name);
    int unnamed = 0, twice = 0;
    char name[DPC_CLIP_SIZE];
    for (int j = 0; j < n && status == DPC_OK; j++) {
        bool empty = sorted[j].name[strspn(sorted[j].name, " \t")] == '\0';
        if (empty && ++unnamed <= DPC_MOST_NAMED)
            status = dpc_findings_add(audit, DPC_ERROR, "column %d has no name; give it one",
                                      sorted[j].column);
        else if (!empty && j > 0 && strcmp(sorted[j].name, sorted[j - 1].name) == 0 &&
                 ++twice <= DPC_MOST_NAMED)
            status = dpc_findings_add(
                audit, DPC_ERROR, "columns %d and %d are both named '%s'; rename one of them",
                sorted[j - 1].column, sorted[j].column, dpc_clip_name(sorted[j].name, name));
    }
    if (status == DPC_OK)
        status = dpc_findings_more(audit, DPC_ERROR, unnamed, "columns have no name");
    if (status == DPC_OK)
        status = dpc_findings_more(audit, DPC_ERROR, twice, "names are used twice");
    free(sorted);
    return status;
}

static dpc_status check_counts(int n_vars, int64_t n_obs, dpc_audit *audit)
{
    if (n_vars < 2)
        DPC_CHECK(dpc_findings_add(audit, DPC_ERROR,
                                   "there is %s, and a graph needs at least two variables",
                                   n_vars == 1 ? "only one variable" : "no variable"));
    if (n_obs >= MIN_OBS)
        return DPC_OK;
    return dpc_findings_add(audit, DPC_ERROR,
                            "there are too few observations to test anything: %lld, and "
                            "at least %d are needed",
                            (long long)n_obs, MIN_OBS);
}

/* ---- Values ---- */

dpc_status dpc_audit_missing(int64_t count, const char *where, const char *advice, dpc_audit *audit)
{
    return dpc_findings_add(audit, DPC_ERROR, "%lld missing cell%s, the first in %s; %s",
                            (long long)count, dpc_plural(count), where, advice);
}

dpc_status dpc_audit_infinite(int64_t count, const char *first, const char *where, dpc_audit *audit)
{
    return dpc_findings_add(audit, DPC_ERROR,
                            "%lld infinite cell%s, the first '%s' in %s; correct or remove such "
                            "rows",
                            (long long)count, dpc_plural(count), first, where);
}

/* Missing or infinite cells: how many, and the first by columns. */
typedef struct bad_values {
    int64_t count, row;
    const char *name; /* of the column of the first */
    double value;
} bad_values;

static const char *where_is(const bad_values *bad, char out[DPC_WHERE_SIZE])
{
    char name[DPC_CLIP_SIZE];
    snprintf(out, DPC_WHERE_SIZE, "column '%s', row %lld", dpc_clip_name(bad->name, name),
             (long long)(bad->row + 1));
    return out;
}

static void note_bad(double v, int64_t row, const char *name, bad_values *missing,
                     bad_values *infinite)
{
    bad_values *bad = isnan(v) ? missing : infinite;
    if (!isfinite(v) && bad->count++ == 0)
        *bad = (bad_values){1, row, name, v};
}

/* In the columns of a block beside the first. */
static void find_bad_further(const dpc_column_kind *block, int64_t n_obs, bad_values *missing,
                             bad_values *infinite)
{
    for (int64_t c = 0; c < block->n_more; c++)
        for (int64_t i = 0; i < n_obs; i++)
            note_bad(block->more[c * n_obs + i], i, block->columns[c + 1], missing, infinite);
}

static dpc_status find_bad_values(const dpc_table *table, dpc_audit *audit)
{
    bad_values missing = {0}, infinite = {0};
    char where[DPC_WHERE_SIZE];
    const dpc_cells cells = dpc_table_cells(table);
    for (int j = 0; j < table->n_vars; j++) {
        const dpc_variable_info info = dpc_table_variable(table, j);
        const char *name = info.columns != NULL ? info.columns[0] : table->names[j];
        for (int64_t i = 0; i < table->n_obs; i++)
            note_bad(dpc_value_at(&cells, i, j), i, name, &missing, &infinite);
        if (info.kind == DPC_BLOCK)
            find_bad_further(&table->variable[j], table->n_obs, &missing, &infinite);
    }
    if (missing.count > 0 && table->how_missing == DPC_MISSING_ERROR)
        DPC_CHECK(dpc_audit_missing(
            missing.count, where_is(&missing, where),
            "use missing = em (recommended), pairwise or rows, or fill them in", audit));
    if (infinite.count > 0)
        DPC_CHECK(dpc_audit_infinite(infinite.count, infinite.value < 0 ? "-Inf" : "Inf",
                                     where_is(&infinite, where), audit));
    return DPC_OK;
}

/* The verdict of an audit that has had `before` findings earlier. */
static dpc_status verdict(const dpc_audit *audit, int before, dpc_status status, dpc_error *err)
{
    if (status != DPC_OK)
        return dpc_fail_memory(err, "the audit of the data");
    for (int i = before; i < audit->count; i++)
        if (audit->items[i].severity == DPC_ERROR)
            return dpc_fail(err, DPC_BAD_INPUT, "%s", audit->items[i].text);
    return DPC_OK;
}

dpc_status dpc_audit_shape(char *const *names, int n_vars, int64_t n_obs, dpc_audit *given,
                           dpc_error *err)
{
    dpc_audit own = {0}, *audit = given != NULL ? given : &own;
    int before = audit->count;
    dpc_status status = dpc_audit_names(names, n_vars, NULL, audit);
    if (status == DPC_OK)
        status = check_counts(n_vars, n_obs, audit);
    status = verdict(audit, before, status, err);
    dpc_audit_clear(&own);
    return status;
}

dpc_status dpc_audit_values(const dpc_table *table, dpc_audit *given, dpc_error *err)
{
    dpc_audit own = {0}, *audit = given != NULL ? given : &own;
    int before = audit->count;
    dpc_status status = verdict(audit, before, find_bad_values(table, audit), err);
    dpc_audit_clear(&own);
    return status;
}

bool dpc_is_constant(double low, double high)
{
    double largest = fmax(fabs(low), fabs(high));
    /* Half of a large number cannot overflow; half of a tiny one could round to nothing. */
    double part = largest > 1 ? 0.5 : 1;
    return !(high * part - low * part > CONSTANT * 2 * part * largest);
}

dpc_status dpc_audit_constant(char *const *names, const bool *constant, int n, dpc_audit *audit)
{
    int found = 0;
    char name[DPC_CLIP_SIZE];
    for (int j = 0; j < n; j++)
        if (constant[j] && ++found <= DPC_MOST_NAMED)
            DPC_CHECK(dpc_findings_add(audit, DPC_WARNING,
                                       "column '%s' is constant; it will have no edges",
                                       dpc_clip_name(names[j], name)));
    return dpc_findings_more(audit, DPC_WARNING, found, "constant columns");
}

dpc_status dpc_audit_constant_columns(const dpc_table *table, dpc_audit *audit)
{
    bool *constant = dpc_zalloc(table->n_vars, sizeof *constant);
    const dpc_cells cells = dpc_table_cells(table);
    if (constant == NULL)
        return DPC_NO_MEMORY;
    for (int j = 0; j < table->n_vars; j++) {
        double low = INFINITY, high = -INFINITY, x;
        int64_t i = 0;
        for (; i < table->n_obs && isfinite(x = dpc_value_at(&cells, i, j)); i++) {
            low = fmin(low, x);
            high = fmax(high, x);
        }
        constant[j] = i > 0 && i == table->n_obs && dpc_is_constant(low, high);
    }
    dpc_status status = dpc_audit_constant(table->names, constant, table->n_vars, audit);
    free(constant);
    return status;
}

/* ---- Linear dependence ---- */

static dpc_status check_duplicates(char *const *names, int n_vars, const int32_t *copied,
                                   bool *duplicate, dpc_audit *audit)
{
    int found = 0;
    char name[DPC_CLIP_SIZE], other[DPC_CLIP_SIZE];
    for (int j = 0; j < n_vars; j++) {
        duplicate[j] = copied[j] >= 0;
        if (duplicate[j] && ++found <= DPC_MOST_NAMED)
            DPC_CHECK(dpc_findings_add(
                audit, DPC_WARNING, "column '%s' is a copy or a linear function of '%s'",
                dpc_clip_name(names[j], name), dpc_clip_name(names[copied[j]], other)));
    }
    return dpc_findings_more(audit, DPC_WARNING, found, "such columns");
}

static dpc_status name_combination(char *const *names, const dpc_dependent *found, dpc_audit *audit)
{
    char list[MOST_TERMS * (DPC_CLIP_SIZE + 4) + 32], name[DPC_CLIP_SIZE];
    const double *weight = dpc_dependent_weights(found);
    size_t used = 0;
    int terms = 0;
    for (int i = 0; i < found->rank; i++) {
        if (!(fabs(weight[i]) > 1e-6) || ++terms > MOST_TERMS)
            continue;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s'%s'", terms > 1 ? ", " : "",
                                 dpc_clip_name(names[found->basis[i]], name));
    }
    if (terms > MOST_TERMS)
        snprintf(list + used, sizeof list - used, " and %d more", terms - MOST_TERMS);
    return dpc_findings_add(audit, DPC_WARNING, "column '%s' is an exact linear combination of %s",
                            dpc_clip_name(names[found->column], name), list);
}

typedef struct combinations {
    char *const *names;
    dpc_audit *audit;
    int found;
    bool indefinite; /* no more need be looked for */
} combinations;

static dpc_status on_dependent(void *context, const dpc_dependent *found)
{
    combinations *c = context;
    char name[DPC_CLIP_SIZE];
    if (c->indefinite)
        return DPC_OK;
    if (found->left < -INDEFINITE) {
        c->indefinite = true;
        return dpc_findings_add(c->audit, DPC_WARNING,
                                "the matrix is not positive definite, as a correlation matrix "
                                "should be; it shows at column '%s'",
                                dpc_clip_name(c->names[found->column], name));
    }
    return ++c->found <= DPC_MOST_NAMED ? name_combination(c->names, found, c->audit) : DPC_OK;
}

static dpc_status check_combinations(char *const *names, const dpc_correlation *c,
                                     const bool *duplicate, const dpc_settings *settings,
                                     dpc_audit *audit)
{
    combinations all = {.names = names, .audit = audit};
    DPC_CHECK(dpc_find_dependents(c, duplicate, settings, on_dependent, &all));
    if (!all.indefinite)
        DPC_CHECK(dpc_findings_more(audit, DPC_WARNING, all.found, "linear combinations"));
    return DPC_OK;
}

/* The arrays have a place for each column. */
static dpc_status check_dependence(char *const *names, const dpc_correlation *c,
                                   const dpc_settings *settings, bool *duplicate, int32_t *copied,
                                   dpc_audit *audit)
{
    const dpc_labels columns = {0};
    DPC_CHECK(dpc_find_copies(c, &columns, DPC_SINGULAR, settings, copied));
    DPC_CHECK(check_duplicates(names, c->n_vars, copied, duplicate, audit));
    if (c->n_obs <= c->n_vars)
        return dpc_findings_add(audit, DPC_WARNING,
                                "%lld observations of %d variables: the correlation matrix is "
                                "singular, and full-order tests cannot be made",
                                (long long)c->n_obs, c->n_vars);
    if (c->r == NULL && dpc_square_fits(c->n_vars, settings, "", NULL) != DPC_OK)
        return dpc_findings_add(audit, DPC_WARNING,
                                "no look for linear combinations: it would take %.3g GB",
                                (double)c->n_vars * c->n_vars * sizeof(double) * 1e-9);
    return check_combinations(names, c, duplicate, settings, audit);
}

dpc_status dpc_audit_correlations(char *const *names, const dpc_correlation *c,
                                  const dpc_settings *settings, dpc_audit *audit, dpc_error *err)
{
    if (audit == NULL)
        return DPC_OK;
    dpc_arena arena = {0};
    bool *duplicate = dpc_arena_zalloc(&arena, c->n_vars, sizeof *duplicate);
    int32_t *copied = dpc_arena_alloc(&arena, c->n_vars, sizeof *copied);
    dpc_status status = dpc_arena_failed(&arena)
                            ? DPC_NO_MEMORY
                            : check_dependence(names, c, settings, duplicate, copied, audit);
    dpc_arena_clear(&arena);
    return dpc_fail_as(err, status, "the audit of the correlations");
}

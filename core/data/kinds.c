/* The kinds of the variables of a table: see kinds.h. */
#include "kinds.h"

#include "alloc.h"
#include "decimal.h"
#include "names.h"
#include "status.h"
#include "table.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Owning ---- */

static void kind_clear(dpc_column_kind *k)
{
    dpc_names_free_list(k->levels, k->n_levels);
    dpc_names_free_list(k->columns, 1 + k->n_more);
    free(k->counts);
    free(k->more);
    free(k->at);
    *k = (dpc_column_kind){0};
}

void dpc_kinds_free(dpc_table *table)
{
    for (int v = 0; table->variable != NULL && v < table->n_vars; v++)
        kind_clear(&table->variable[v]);
    free(table->variable);
    table->variable = NULL;
}

/* An array of kinds, all of them numbers, where there is none. */
static dpc_status need_kinds(dpc_table *table, dpc_error *err)
{
    if (table->variable == NULL)
        table->variable = dpc_zalloc(table->n_vars, sizeof *table->variable);
    return table->variable != NULL ? DPC_OK : dpc_fail_memory(err, "the kinds of the variables");
}

bool dpc_has_kinds(const dpc_table *table)
{
    for (int v = 0; v < table->n_vars; v++)
        if (dpc_kind_of(table, v) != DPC_NUMBER)
            return true;
    return false;
}

/* The values of a view, copied. */
static dpc_status own_values(dpc_table *table, dpc_error *err)
{
    int64_t cells;
    const dpc_cells view = dpc_table_cells(table);
    if (table->values != NULL)
        return DPC_OK;
    double *values = NULL;
    if (!__builtin_mul_overflow(table->n_obs, (int64_t)table->n_vars, &cells))
        values = dpc_alloc_aligned(cells);
    if (values == NULL)
        return dpc_fail_memory(err, "a copy of the table");
    dpc_cells_gather(&view, 0, table->n_vars, NULL, 0, table->n_obs, values);
    table->values = values;
    table->view = (dpc_cells){0};
    return DPC_OK;
}

static char **copy_list(char *const *list, int count)
{
    char **copy = dpc_zalloc(count, sizeof *copy);
    for (int i = 0; copy != NULL && i < count; i++) {
        copy[i] = strdup(list[i]);
        if (copy[i] == NULL) {
            dpc_names_free_list(copy, count);
            return NULL;
        }
    }
    return copy;
}

/* ---- Levels ---- */

/* The level of a value; -1: none. */
static int level_of(const dpc_column_kind *k, double x)
{
    if (k->at == NULL)
        return x >= 0 && x < k->n_levels && x == floor(x) ? (int)x : -1;
    int low = 0, high = k->n_levels;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (k->at[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low < k->n_levels && k->at[low] == x ? low : -1;
}

/* The row of a cell that is no level; -1: each is one, or missing, and they are counted. */
static int64_t count_levels(const dpc_cells *cells, int variable, int64_t n_obs,
                            const dpc_column_kind *k)
{
    memset(k->counts, 0, (size_t)k->n_levels * sizeof *k->counts);
    for (int64_t i = 0; i < n_obs; i++) {
        double x = dpc_value_at(cells, i, variable);
        int level = isnan(x) ? -1 : level_of(k, x);
        if (level >= 0)
            k->counts[level]++;
        else if (!isnan(x))
            return i;
    }
    return -1;
}

void dpc_kinds_count(dpc_table *table)
{
    const dpc_cells cells = dpc_table_cells(table);
    for (int v = 0; table->variable != NULL && v < table->n_vars; v++)
        if (table->variable[v].counts != NULL)
            count_levels(&cells, v, table->n_obs, &table->variable[v]);
}

static dpc_status refuse_levels(const dpc_table *table, int variable, int n_levels, dpc_error *err)
{
    char name[DPC_CLIP_SIZE];
    return dpc_fail(err, DPC_USAGE, "variable '%s' has %s; categories need at least two levels",
                    dpc_clip_name(table->names[variable], name),
                    n_levels == 1 ? "only one level" : "no level");
}

/* Levels that the caller has named, or only counted. */
static dpc_status given_levels(const dpc_table *table, int variable, int n_levels,
                               const char *const *levels, dpc_column_kind *k, dpc_error *err)
{
    char text[DPC_DECIMAL_SIZE], name[DPC_CLIP_SIZE];
    const dpc_cells cells = dpc_table_cells(table);
    k->n_levels = n_levels;
    k->levels = dpc_zalloc(n_levels, sizeof *k->levels);
    k->counts = dpc_zalloc(n_levels, sizeof *k->counts);
    bool fine = k->levels != NULL && k->counts != NULL;
    for (int i = 0; fine && i < n_levels; i++) {
        if (levels != NULL && levels[i] == NULL)
            return dpc_fail(err, DPC_USAGE, "level %d of variable '%s' has no name", i,
                            dpc_clip_name(table->names[variable], name));
        snprintf(text, sizeof text, "%d", i);
        k->levels[i] = strdup(levels != NULL ? levels[i] : text);
        fine = k->levels[i] != NULL;
    }
    if (!fine)
        return dpc_fail_memory(err, "the levels of a variable");
    int64_t row = count_levels(&cells, variable, table->n_obs, k);
    if (row < 0)
        return DPC_OK;
    return dpc_fail(
        err, DPC_USAGE,
        "variable '%s' has %g in row %lld; its cells must be the numbers of its levels, "
        "0 to %d",
        dpc_clip_name(table->names[variable], name), dpc_value_at(&cells, row, variable),
        (long long)row + 1, n_levels - 1);
}

static int by_value(const void *pa, const void *pb)
{
    const double *a = pa, *b = pb;
    return (*a > *b) - (*a < *b);
}

/* The different values of a column, ascending, into `x`, which has room for all; -1: one is
 * infinite. */
static int64_t different_values(const dpc_table *table, int variable, double *x)
{
    const dpc_cells cells = dpc_table_cells(table);
    int64_t count = 0, different = 0;
    for (int64_t i = 0; i < table->n_obs; i++) {
        double value = dpc_value_at(&cells, i, variable);
        if (isinf(value))
            return -1;
        if (!isnan(value))
            x[count++] = value;
    }
    qsort(x, (size_t)count, sizeof *x, by_value);
    for (int64_t i = 0; i < count; i++)
        if (i == 0 || x[i] != x[different - 1])
            x[different++] = x[i];
    return different;
}

/* Levels that are the values of the column, in `k->at`. */
static dpc_status found_levels(const dpc_table *table, int variable, dpc_column_kind *k,
                               dpc_error *err)
{
    char name[DPC_CLIP_SIZE], text[DPC_DECIMAL_SIZE];
    const dpc_cells cells = dpc_table_cells(table);
    k->at = dpc_alloc(table->n_obs, sizeof *k->at);
    if (k->at == NULL)
        return dpc_fail_memory(err, "the levels of a variable");
    int64_t different = different_values(table, variable, k->at);
    if (different < 0)
        return dpc_fail(err, DPC_USAGE, "variable '%s' has an infinite cell; it can be no level",
                        dpc_clip_name(table->names[variable], name));
    if (different < 2 || different > INT32_MAX)
        return refuse_levels(table, variable, (int)different, err);
    k->n_levels = (int)different;
    k->levels = dpc_zalloc(different, sizeof *k->levels);
    k->counts = dpc_zalloc(different, sizeof *k->counts);
    bool fine = k->levels != NULL && k->counts != NULL;
    for (int i = 0; fine && i < different; i++) {
        dpc_decimal_print(k->at[i] + 0.0, text); /* no -0 */
        k->levels[i] = strdup(text);
        fine = k->levels[i] != NULL;
    }
    if (!fine)
        return dpc_fail_memory(err, "the levels of a variable");
    count_levels(&cells, variable, table->n_obs, k);
    return DPC_OK;
}

static bool are_codes(const dpc_column_kind *k)
{
    int i = 0;
    while (i < k->n_levels && k->at[i] == i)
        i++;
    return i == k->n_levels;
}

/* The values of a nominal column become the numbers of their levels. */
static dpc_status encode(dpc_table *table, int variable, dpc_column_kind *k, dpc_error *err)
{
    if (!are_codes(k)) {
        DPC_CHECK(own_values(table, err));
        double *x = table->values + variable * table->n_obs;
        for (int64_t i = 0; i < table->n_obs; i++)
            if (!isnan(x[i]))
                x[i] = level_of(k, x[i]);
    }
    free(k->at);
    k->at = NULL;
    return DPC_OK;
}

static dpc_status make_levels(dpc_table *table, int variable, int n_levels,
                              const char *const *levels, dpc_column_kind *k, dpc_error *err)
{
    if (n_levels > 0)
        return n_levels == 1 ? refuse_levels(table, variable, 1, err)
                             : given_levels(table, variable, n_levels, levels, k, err);
    DPC_CHECK(found_levels(table, variable, k, err));
    return k->kind == DPC_NOMINAL ? encode(table, variable, k, err) : DPC_OK;
}

static dpc_status check_kind(const dpc_table *table, int variable, dpc_variable_kind kind,
                             int n_levels, dpc_error *err)
{
    char name[DPC_CLIP_SIZE];
    if (variable < 0 || variable >= table->n_vars)
        return dpc_fail(err, DPC_USAGE, "the table has %d variables; there is none with number %d",
                        table->n_vars, variable);
    dpc_clip_name(table->names[variable], name);
    if (kind == DPC_BLOCK)
        return dpc_fail(err, DPC_USAGE, "a block is made of several variables, by dpc_table_join");
    if ((unsigned)kind > DPC_BLOCK)
        return dpc_fail(err, DPC_USAGE, "there is no kind of variables %d", (int)kind);
    if (dpc_kind_of(table, variable) == DPC_BLOCK)
        return dpc_fail(err, DPC_USAGE, "variable '%s' is a block of columns and stays one", name);
    bool has_levels = kind == DPC_NOMINAL || kind == DPC_ORDERED;
    if (n_levels < 0 || (n_levels > 0 && !has_levels))
        return dpc_fail(err, DPC_USAGE, "variable '%s' cannot have %d levels: it holds %s", name,
                        n_levels, has_levels ? "categories" : "numbers");
    return dpc_table_check(table, err);
}

dpc_status dpc_table_set_kind(dpc_table *table, int variable, dpc_variable_kind kind, int n_levels,
                              const char *const *levels, dpc_error *err)
{
    DPC_CHECK(check_kind(table, variable, kind, n_levels, err));
    dpc_column_kind made = {.kind = kind, .said = true};
    bool had = table->variable != NULL;
    dpc_status status = need_kinds(table, err);
    if (status == DPC_OK && (kind == DPC_NOMINAL || kind == DPC_ORDERED))
        status = make_levels(table, variable, n_levels, levels, &made, err);
    if (status != DPC_OK) {
        kind_clear(&made);
        if (!had && table->variable != NULL)
            dpc_kinds_free(table);
        return status;
    }
    kind_clear(&table->variable[variable]);
    table->variable[variable] = made;
    return DPC_OK;
}

/* ---- Blocks ---- */

static dpc_status check_members(const dpc_table *table, const char *name, const int32_t *variables,
                                int count, dpc_error *err)
{
    char clipped[DPC_CLIP_SIZE], block[DPC_CLIP_SIZE];
    if (name == NULL || *name == '\0')
        return dpc_fail(err, DPC_USAGE, "a block of columns needs a name");
    dpc_clip_name(name, block);
    if (count < 2)
        return dpc_fail(err, DPC_USAGE, "block '%s' needs at least two columns", block);
    for (int i = 0; i < count; i++) {
        if (variables[i] < 0 || variables[i] >= table->n_vars)
            return dpc_fail(err, DPC_USAGE,
                            "the table has %d variables; there is none with number %d for block "
                            "'%s'",
                            table->n_vars, (int)variables[i], block);
        dpc_clip_name(table->names[variables[i]], clipped);
        if (dpc_kind_of(table, variables[i]) != DPC_NUMBER)
            return dpc_fail(err, DPC_USAGE,
                            "column '%s' of block '%s' is of kind %s; the columns of a block are "
                            "numbers",
                            clipped, block,
                            dpc_word(DPC_WORD_VARIABLE, (int)dpc_kind_of(table, variables[i])));
        for (int j = 0; j < i; j++)
            if (variables[j] == variables[i])
                return dpc_fail(err, DPC_USAGE, "column '%s' is in block '%s' twice", clipped,
                                block);
    }
    return dpc_table_check(table, err);
}

static dpc_status make_block(const dpc_table *table, const int32_t *variables, int count,
                             dpc_column_kind *block, double **first, dpc_error *err)
{
    int64_t n = table->n_obs;
    size_t bytes = (size_t)n * sizeof(double);
    block->kind = DPC_BLOCK;
    block->n_more = count - 1;
    block->columns = dpc_zalloc(count, sizeof *block->columns);
    block->more = dpc_alloc(n * (count - 1), sizeof *block->more);
    *first = dpc_alloc(n, sizeof **first);
    bool fine = block->columns != NULL && block->more != NULL && *first != NULL;
    for (int i = 0; fine && i < count; i++) {
        memcpy(i == 0 ? *first : block->more + (i - 1) * n, table->values + variables[i] * n,
               bytes);
        block->columns[i] = strdup(table->names[variables[i]]);
        fine = block->columns[i] != NULL;
    }
    return fine ? DPC_OK : dpc_fail_memory(err, "a block of columns");
}

/* The variables behind the members move up; nothing can fail any more. */
static void close_ranks(dpc_table *table, char *name, const bool *member, dpc_column_kind *block,
                        const double *first)
{
    int64_t n = table->n_obs;
    size_t bytes = (size_t)n * sizeof(double);
    int kept = 0, place = -1;
    for (int v = 0; v < table->n_vars; v++) {
        int64_t missing = table->missing != NULL ? table->missing[v] : 0;
        if (member[v]) {
            free(table->names[v]);
            if (place < 0) {
                place = kept++;
            } else {
                if (table->missing != NULL)
                    table->missing[place] += missing;
                continue;
            }
        } else {
            kept++;
            table->names[kept - 1] = table->names[v];
        }
        table->variable[kept - 1] = table->variable[v];
        if (table->missing != NULL)
            table->missing[kept - 1] = missing;
        if (kept - 1 < v)
            memmove(table->values + (kept - 1) * n, table->values + v * n, bytes);
    }
    memcpy(table->values + place * n, first, bytes);
    table->names[place] = name;
    table->variable[place] = *block;
    table->n_vars = kept;
}

dpc_status dpc_table_join(dpc_table *table, const char *name, const int32_t *variables, int count,
                          dpc_error *err)
{
    DPC_CHECK(check_members(table, name, variables, count, err));
    DPC_CHECK(own_values(table, err));
    bool had = table->variable != NULL;
    DPC_CHECK(need_kinds(table, err));
    dpc_column_kind block = {0};
    double *first = NULL;
    char *copy = strdup(name);
    bool *member = dpc_zalloc(table->n_vars, sizeof *member);
    dpc_status status = copy != NULL && member != NULL ? DPC_OK : dpc_fail_memory(err, "a block");
    if (status == DPC_OK)
        status = make_block(table, variables, count, &block, &first, err);
    if (status == DPC_OK) {
        for (int i = 0; i < count; i++)
            member[variables[i]] = true;
        close_ranks(table, copy, member, &block, first);
    } else {
        kind_clear(&block);
        free(copy);
        if (!had)
            dpc_kinds_free(table);
    }
    free(member);
    free(first);
    return status;
}

/* ---- Other rows ---- */

static bool copy_kind(const dpc_column_kind *from, int64_t n_obs, dpc_column_kind *to)
{
    *to = (dpc_column_kind){.kind = from->kind, .n_levels = from->n_levels, .n_more = from->n_more};
    bool fine = true;
    if (from->levels != NULL)
        fine = (to->levels = copy_list(from->levels, from->n_levels)) != NULL;
    if (fine && from->columns != NULL)
        fine = (to->columns = copy_list(from->columns, 1 + from->n_more)) != NULL;
    if (fine && from->counts != NULL)
        fine = (to->counts = dpc_zalloc(from->n_levels, sizeof *to->counts)) != NULL;
    if (fine && from->more != NULL)
        fine = (to->more = dpc_alloc(from->n_more * n_obs, sizeof *to->more)) != NULL;
    if (fine && from->at != NULL) {
        fine = (to->at = dpc_alloc(from->n_levels, sizeof *to->at)) != NULL;
        if (fine)
            memcpy(to->at, from->at, (size_t)from->n_levels * sizeof *to->at);
    }
    return fine;
}

dpc_status dpc_kinds_copy(const dpc_table *from, dpc_table *to, dpc_error *err)
{
    if (from->variable == NULL)
        return DPC_OK;
    dpc_kinds_free(to);
    DPC_CHECK(need_kinds(to, err));
    for (int v = 0; v < to->n_vars; v++)
        if (!copy_kind(&from->variable[v], to->n_obs, &to->variable[v])) {
            dpc_kinds_free(to);
            return dpc_fail_memory(err, "the kinds of the variables");
        }
    return DPC_OK;
}

void dpc_kinds_gather(const dpc_table *from, const int32_t *row, int64_t count,
                      const int32_t *times, dpc_table *to)
{
    for (int v = 0; to->variable != NULL && v < to->n_vars; v++) {
        double *next = to->variable[v].more;
        for (int c = 0; next != NULL && c < to->variable[v].n_more; c++) {
            const double *x = from->variable[v].more + c * from->n_obs;
            for (int64_t i = 0; i < count; i++)
                for (int k = times != NULL ? times[row[i]] : 1; k > 0; k--)
                    *next++ = x[row[i]];
        }
    }
    dpc_kinds_count(to);
}

/* ---- Asking ---- */

dpc_variable_info dpc_table_variable(const dpc_table *table, int variable)
{
    if (table->variable == NULL || variable < 0 || variable >= table->n_vars)
        return (dpc_variable_info){.n_columns = 1};
    const dpc_column_kind *k = &table->variable[variable];
    return (dpc_variable_info){
        .kind = k->kind,
        .n_levels = k->n_levels,
        .levels = (const char *const *)k->levels,
        .counts = k->counts,
        .n_columns = 1 + k->n_more,
        .columns = (const char *const *)k->columns,
    };
}

dpc_kind_counts dpc_kinds_of(const dpc_table *table)
{
    dpc_kind_counts counts = {{0}, {0}};
    for (int v = 0; v < table->n_vars; v++) {
        dpc_variable_kind kind = dpc_kind_of(table, v);
        counts.variables[kind]++;
        counts.columns[kind] += dpc_width_of(table, v);
    }
    return counts;
}

static bool has_missing(const dpc_table *table, int variable)
{
    const dpc_cells cells = dpc_table_cells(table);
    for (int64_t i = 0; i < table->n_obs; i++)
        if (dpc_is_missing(table, &cells, i, variable))
            return true;
    return false;
}

dpc_status dpc_kinds_check(const dpc_table *table, const dpc_settings *settings, dpc_error *err)
{
    char name[DPC_CLIP_SIZE];
    bool scores = settings->normalize != DPC_NORMALIZE_NONE;
    bool estimated = table->how_missing != DPC_MISSING_ERROR;
    for (int v = 0; table->variable != NULL && v < table->n_vars; v++) {
        const dpc_column_kind *k = &table->variable[v];
        if (k->kind != DPC_NOMINAL)
            continue;
        dpc_clip_name(table->names[v], name);
        if (scores && k->n_levels > 2)
            return dpc_fail(err, DPC_USAGE,
                            "column '%s' is nominal with %d levels; normalize %s needs numbers or "
                            "ordered levels. Use normalize none, or exclude the column",
                            name, k->n_levels,
                            settings->normalize == DPC_NORMALIZE_COPULA ? "copula" : "latent");
        if (settings->latent == DPC_HIDDEN_SEARCH && k->n_levels > 2)
            return dpc_fail(err, DPC_USAGE,
                            "column '%s' is nominal with %d levels; latent search needs variables "
                            "that are numbers. Use latent fci, or exclude the column",
                            name, k->n_levels);
        if (estimated && has_missing(table, v))
            return dpc_fail(err, DPC_BAD_INPUT,
                            "column '%s' is nominal and has missing cells, which missing %s cannot "
                            "estimate; use missing rows (--missing rows)",
                            name, dpc_word(DPC_WORD_MISSING, (int)table->how_missing));
    }
    return DPC_OK;
}

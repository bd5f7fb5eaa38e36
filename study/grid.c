/* A study with settings and rows of its own: the rows as text, and the whole. */
#include "grid.h"

#include "alloc.h"
#include "ranks.h"
#include "status.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { VALUE_SIZE = 26 };

/* ---- Rows as text ---- */

int study_print_setting(const study_setting *s, char *to)
{
    return snprintf(to, STUDY_GRID_KEY, "%d,%lld,%g,%s,", s->n, (long long)s->n_obs, s->parents,
                    s->departure != NULL ? s->departure->options : "");
}

void study_print_number(double value, FILE *file)
{
    if (isnan(value))
        putc(',', file);
    else
        fprintf(file, ",%.6g", value);
}

static uint64_t seed_of(const study_grid *grid, int setting, int rep)
{
    return study_seed(&grid->form->settings[setting], grid->options->seed, rep);
}

static int print_key(const study_grid *grid, int setting, int rep, int row, char *key)
{
    char about[STUDY_ROW_KEY + 1];
    int length = study_print_setting(&grid->form->settings[setting], key);
    grid->form->print_row(row, about);
    return length + snprintf(key + length, (size_t)(STUDY_GRID_KEY - length), "%d,%llu,%s", rep + 1,
                             (unsigned long long)seed_of(grid, setting, rep), about);
}

/* NaN is nothing. */
static int print_values(const study_grid *grid, void *points, int row, char *to)
{
    int length = 0, values = grid->form->values;
    for (int i = 0; i < values; i++) {
        double value = *grid->form->value(points, row, i);
        bool shown = !isnan(value) && (grid->options->seconds || i < values - 1);
        length += shown ? sprintf(to + length, ",%.12g", value) : sprintf(to + length, ",");
    }
    return length + sprintf(to + length, "\n");
}

/* The setting and the number of the data set whose block begins here. */
static bool identify(const study_grid *grid, const char *text, int *setting, int *rep)
{
    char key[STUDY_GRID_KEY];
    for (int i = 0; i < grid->form->n_settings; i++) {
        int length = study_print_setting(&grid->form->settings[i], key);
        if (strncmp(text, key, (size_t)length) != 0)
            continue;
        *setting = i;
        *rep = atoi(text + length) - 1;
        length = print_key(grid, i, *rep, 0, key);
        return *rep >= 0 && strncmp(text, key, (size_t)length) == 0;
    }
    return false;
}

static int count_rows(void *context, const char *text)
{
    const study_grid *grid = context;
    int setting, rep;
    return identify(grid, text, &setting, &rep) ? grid->form->rows : 0;
}

/* The numbers behind a key; NULL: the row is torn or not ours. */
static const char *parse_values(const study_grid *grid, const char *text, const char *end,
                                void *points, int row)
{
    const char *line_end = memchr(text, '\n', (size_t)(end - text));
    for (int i = 0; i < grid->form->values && line_end != NULL; i++) {
        if (*text++ != ',')
            return NULL;
        char *after = (char *)text;
        double value = NAN;
        if (*text != ',' && *text != '\n') /* it may be empty, and strtod skips line breaks */
            value = strtod(text, &after);
        if (after > line_end)
            return NULL;
        *grid->form->value(points, row, i) = value;
        text = after;
    }
    return line_end != NULL && text == line_end ? line_end + 1 : NULL;
}

static const char *take_block(void *context, const char *text, const char *end)
{
    study_grid *grid = context;
    int setting, rep;
    char key[STUDY_GRID_KEY];
    if (!identify(grid, text, &setting, &rep))
        return NULL;
    bool kept = grid->wanted[setting] && rep < grid->options->reps;
    void *points = kept ? study_grid_points(grid, setting, rep) : grid->spare;
    for (int row = 0; row < grid->form->rows && text != NULL; row++) {
        size_t length = (size_t)print_key(grid, setting, rep, row, key);
        if ((size_t)(end - text) < length || memcmp(text, key, length) != 0)
            return NULL;
        text = parse_values(grid, text + length, end, points, row);
    }
    if (text != NULL && kept)
        grid->done[setting][rep] = true;
    return text;
}

/* ---- Blocks ---- */

static double cost(const void *context, const study_block *b)
{
    const study_grid_form *form = ((const study_grid *)context)->form;
    return form->cost(&form->settings[b->setting]);
}

static int64_t bytes(const void *context, const study_block *b)
{
    (void)b;
    return ((const study_grid *)context)->form->bytes;
}

static void *place(void *context, const study_block *b)
{
    return study_grid_points(context, b->setting, b->rep);
}

static dpc_status compute(const void *context, const study_block *b, dpc_progress_fn ask,
                          void *user, void *points, dpc_error *err)
{
    const study_grid *grid = context;
    return grid->form->compute(&grid->form->settings[b->setting], seed_of(grid, b->setting, b->rep),
                               ask, user, points, err);
}

static dpc_status append(void *context, const study_block *b, dpc_error *err)
{
    study_grid *grid = context;
    const study_grid_form *form = grid->form;
    void *points = place(context, b);
    char *text = dpc_alloc(form->rows, (size_t)(STUDY_GRID_KEY + form->values * VALUE_SIZE));
    if (text == NULL)
        return dpc_fail_memory(err, "the rows of a data set");
    int64_t length = 0;
    for (int row = 0; row < form->rows; row++) {
        length += print_key(grid, b->setting, b->rep, row, text + length);
        length += print_values(grid, points, row, text + length);
    }
    dpc_status status = study_rows_append(&grid->rows, form->header, text, length, err);
    if (status == DPC_OK)
        grid->done[b->setting][b->rep] = true;
    free(text);
    return status;
}

/* ---- All of it ---- */

static dpc_status make_room(study_grid *grid, dpc_error *err)
{
    bool failed = (grid->spare = dpc_zalloc(1, (size_t)grid->form->bytes)) == NULL;
    for (int i = 0; i < grid->form->n_settings; i++) {
        if (!grid->wanted[i])
            continue;
        grid->points[i] = dpc_zalloc(grid->options->reps, (size_t)grid->form->bytes);
        grid->done[i] = dpc_zalloc(grid->options->reps, sizeof *grid->done[i]);
        failed = failed || grid->points[i] == NULL || grid->done[i] == NULL;
    }
    return failed ? dpc_fail_memory(err, "the results") : DPC_OK;
}

/* What only the rank that leads does before the work. */
static dpc_status lead(study_grid *grid, study_blocks *blocks, dpc_error *err)
{
    const study_options *o = grid->options;
    const study_reader reader = {grid->form->file, grid->form->header, count_rows, take_block,
                                 grid};
    char path[PATH_MAX];
    if (o->figures)
        DPC_CHECK(study_check_gnuplot(err));
    DPC_CHECK(study_make_folder(o->out, err));
    DPC_CHECK(study_join(o->out, grid->form->file, path, err));
    DPC_CHECK(make_room(grid, err));
    DPC_CHECK(study_rows_open(path, &reader, &grid->rows, err));
    for (int rep = 0; rep < o->reps; rep++)
        for (int i = 0; i < grid->form->n_settings; i++)
            if (grid->wanted[i] && !grid->done[i][rep])
                DPC_CHECK(study_blocks_add(blocks, i, rep, err));
    return DPC_OK;
}

static dpc_status show_all(const study_grid *grid, study_grid_show *show, dpc_error *err)
{
    const study_shown shown = {grid, dpc_alloc(grid->options->reps, sizeof(double))};
    dpc_status status =
        shown.values != NULL ? show(&shown, err) : dpc_fail_memory(err, "the summary");
    free(shown.values);
    return status;
}

static dpc_status run(study_grid *grid, study_blocks *blocks, study_grid_show *show, dpc_error *err)
{
    static const study_work WORK = {cost, bytes, place, compute, append};
    bool leads = dpc_leads(grid->options->ranks);
    if (leads)
        DPC_CHECK(lead(grid, blocks, err));
    DPC_CHECK(study_blocks_run(blocks, &WORK, grid, &grid->rows, grid->options, err));
    return leads ? show_all(grid, show, err) : DPC_OK;
}

dpc_status study_grid_run(study_grid *grid, study_grid_show *show, dpc_error *err)
{
    study_blocks blocks = {0};
    grid->rows.fd = -1;
    dpc_status status = run(grid, &blocks, show, err);
    study_blocks_clear(&blocks);
    study_rows_close(&grid->rows);
    free(grid->spare);
    for (int i = 0; i < grid->form->n_settings; i++) {
        free(grid->points[i]);
        free(grid->done[i]);
    }
    return status;
}

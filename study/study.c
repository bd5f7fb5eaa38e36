/*
 * The study as a whole: which data sets are missing, the first of every setting before the second;
 * then the summary, the figures and the page.
 */
#include "hidden_causes.h"
#include "probabilities.h"

#include "alloc.h"
#include "ranks.h"
#include "status.h"

#include <limits.h>
#include <string.h>

typedef struct study {
    const study_options *options;
    study_catalogue catalogue; /* owned */
    bool *settings, *figures;  /* which are wanted; owned */
    study_results results;     /* owned */
    study_blocks blocks;       /* what is missing; owned */
    dpc_error *err;
} study;

void study_options_default(study_options *options)
{
    *options = (study_options){.reps = 100, .seed = 1, .seconds = true, .figures = true};
}

/* ---- Planning ---- */

static bool is_called(const study_figure *figure, const char *name)
{
    return strcmp(name, figure->name) == 0 ||
           (figure->group != NULL && strcmp(name, figure->group) == 0);
}

/* Which figures the name means, and the settings that they need. */
static dpc_status choose(study *s)
{
    const study_catalogue *c = &s->catalogue;
    bool all = strcmp(s->options->name, "all") == 0, any = false;
    s->settings = dpc_zalloc(c->n_settings, sizeof *s->settings);
    s->figures = dpc_zalloc(c->n_figures, sizeof *s->figures);
    if (s->settings == NULL || s->figures == NULL)
        return dpc_fail_memory(s->err, "the plan of the study");
    for (int f = 0; f < c->n_figures; f++) {
        const study_figure *figure = &c->figures[f];
        s->figures[f] = all ? figure->group == NULL : is_called(figure, s->options->name);
        any = any || s->figures[f];
        for (int p = 0; p < figure->n_panels && s->figures[f]; p++)
            s->settings[figure->panels[p].setting] = true;
    }
    if (!any)
        return dpc_fail(s->err, DPC_USAGE,
                        "there is no study '%s'; dualpc study --list shows the names",
                        s->options->name);
    return DPC_OK;
}

static dpc_status list_missing(study *s)
{
    const study_catalogue *c = &s->catalogue;
    for (int rep = 0; rep < s->options->reps; rep++)
        for (int i = 0; i < c->n_settings; i++)
            if (s->settings[i] && !s->results.done[i][rep])
                DPC_CHECK(study_blocks_add(&s->blocks, i, rep, s->err));
    return DPC_OK;
}

/* ---- Working ---- */

static double cost(const void *context, const study_block *b)
{
    return study_cost(&((const study *)context)->catalogue.settings[b->setting]);
}

static int64_t bytes(const void *context, const study_block *b)
{
    const study_setting *setting = &((const study *)context)->catalogue.settings[b->setting];
    return (int64_t)study_points(setting) * (int64_t)sizeof(study_point);
}

static void *place(void *context, const study_block *b)
{
    const study *s = context;
    return s->results.points[b->setting] +
           (int64_t)b->rep * study_points(&s->catalogue.settings[b->setting]);
}

static dpc_status compute(const void *context, const study_block *b, dpc_progress_fn ask,
                          void *user, void *points, dpc_error *err)
{
    const study *s = context;
    const study_setting *setting = &s->catalogue.settings[b->setting];
    return study_dataset(setting, study_seed(setting, s->options->seed, b->rep), ask, user, points,
                         err);
}

static dpc_status append(void *context, const study_block *b, dpc_error *err)
{
    study *s = context;
    return study_results_append(&s->results, b->setting, b->rep, err);
}

static const study_work WORK = {cost, bytes, place, compute, append};

/* ---- All of it ---- */

static dpc_status open_results(study *s)
{
    char path[PATH_MAX];
    DPC_CHECK(study_join(s->options->out, "results.csv", path, s->err));
    s->results.catalogue = &s->catalogue;
    s->results.seed = s->options->seed;
    s->results.reps = s->options->reps;
    s->results.seconds = s->options->seconds;
    return study_results_open(&s->results, s->settings, path, s->err);
}

/* What only the rank that leads does before the work. */
static dpc_status lead(study *s)
{
    if (s->options->figures)
        DPC_CHECK(study_check_gnuplot(s->err));
    DPC_CHECK(study_make_folder(s->options->out, s->err));
    DPC_CHECK(open_results(s));
    return list_missing(s);
}

static dpc_status run(study *s)
{
    DPC_CHECK(study_catalogue_new(&s->catalogue, s->err));
    DPC_CHECK(choose(s));
    bool leads = dpc_leads(s->options->ranks);
    if (leads)
        DPC_CHECK(lead(s));
    DPC_CHECK(study_blocks_run(&s->blocks, &WORK, s, &s->results.rows, s->options, s->err));
    return leads ? study_show(&s->results, s->options, s->options->figures ? s->figures : NULL,
                              s->err)
                 : DPC_OK;
}

const char *study_first_file(const study_options *options)
{
    if (study_is_posterior(options->name))
        return options->figures ? "posterior.html" : "posterior-summary.csv";
    if (study_is_latent(options->name))
        return options->figures ? "latent.html" : "latent-summary.csv";
    return options->figures ? "index.html" : "summary.csv";
}

dpc_status study_run_all(const study_options *options, dpc_error *err)
{
    if (study_is_posterior(options->name))
        return study_run_posterior(options, err);
    if (study_is_latent(options->name))
        return study_run_latent(options, err);
    study s = {.options = options, .results.rows.fd = -1, .err = err};
    dpc_status status = run(&s);
    study_results_close(&s.results);
    study_catalogue_free(&s.catalogue);
    free(s.settings);
    free(s.figures);
    study_blocks_clear(&s.blocks);
    return status;
}

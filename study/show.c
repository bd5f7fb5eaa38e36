/* What people look at: summary.csv, the figures and the page that shows them. */
#include "study.h"

#include "alloc.h"
#include "status.h"

#include <limits.h>
#include <unistd.h>

static dpc_status print_summary(const void *context, FILE *file, dpc_error *err)
{
    return study_write_summary(context, file, err);
}

/* Was this figure drawn into the folder by an earlier run? */
static bool was_drawn(const char *folder, const study_figure *figure)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/figures/%s.svg", folder, figure->name);
    return length < (int)sizeof path && access(path, R_OK) == 0;
}

/* What the page shows: the figures of this run, and those that are in the folder from others. */
typedef struct page {
    const study_results *results;
    const bool *shown, *earlier;
} page;

static dpc_status print_page(const void *context, FILE *file, dpc_error *err)
{
    const page *p = context;
    (void)err;
    study_write_page(p->results, p->shown, p->earlier, file);
    return DPC_OK;
}

static dpc_status write_page(const study_results *r, const char *folder, const bool *shown,
                             dpc_error *err)
{
    int n = r->catalogue->n_figures;
    bool *earlier = dpc_zalloc(n, sizeof *earlier);
    if (earlier == NULL)
        return dpc_fail_memory(err, "the page of the study");
    for (int f = 0; f < n; f++)
        earlier[f] = !shown[f] && was_drawn(folder, &r->catalogue->figures[f]);
    const page p = {r, shown, earlier};
    dpc_status status = study_write_file(folder, "index.html", print_page, &p, err);
    free(earlier);
    return status;
}

/* ---- Figures ---- */

typedef struct drawn {
    const study_results *results;
    const study_figure *figure;
} drawn;

static dpc_status print_script(const void *context, FILE *file, dpc_error *err)
{
    const drawn *d = context;
    return study_write_script(d->results, d->figure, file, err);
}

static dpc_status draw_all(const study_results *r, const study_options *options, const bool *shown,
                           dpc_error *err)
{
    for (int f = 0; f < r->catalogue->n_figures; f++) {
        const drawn d = {r, &r->catalogue->figures[f]};
        if (shown[f])
            DPC_CHECK(study_draw(options, d.figure->name, print_script, &d, err));
        DPC_CHECK(study_ask(options, err));
    }
    return DPC_OK;
}

dpc_status study_show(const study_results *results, const study_options *options, const bool *shown,
                      dpc_error *err)
{
    DPC_CHECK(study_ask(options, err));
    DPC_CHECK(study_write_file(options->out, "summary.csv", print_summary, results, err));
    if (shown == NULL)
        return DPC_OK;
    DPC_CHECK(draw_all(results, options, shown, err));
    return write_page(results, options->out, shown, err);
}

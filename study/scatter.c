/*
 * A scatter: of every data set the share of pairs whose effect is wrong against SHD / n, and the
 * means of each run. Square root scales on both axes, because some runs are near zero.
 */
#include "figure.h"

#include "alloc.h"
#include "status.h"

#include <math.h>

static void write_dots(const study_results *r, const study_figure *figure, int panel, int run,
                       double *x, double *y, study_axes *axes, FILE *file)
{
    const study_panel *p = &figure->panels[panel];
    const study_setting *s = &r->catalogue->settings[p->setting];
    double pairs = (double)s->n * (s->n - 1);
    int point = study_middle(s, run);
    int count = study_collect(r, p->setting, point, figure->graph, study_shd_per_node, x);
    study_collect(r, p->setting, point, figure->graph, study_aid[p->aid], y);
    fprintf(file, "$dots_%d_%d << END\n", panel, run);
    for (int i = 0; i < count; i++) {
        y[i] /= pairs;
        fprintf(file, "%.6g %.6g\n", x[i], y[i]);
        study_widen(&axes->x, x[i]);
        study_widen(&axes->y, y[i]);
    }
    fprintf(file, "END\n$mean_%d_%d << END\n", panel, run);
    double mean = study_describe(x, count).mean;
    fprintf(file, "%.6g %.6g\nEND\n", mean, study_describe(y, count).mean);
}

static dpc_status write_data(const study_results *r, const study_figure *figure, FILE *file,
                             study_axes *axes, dpc_error *err)
{
    int runs[STUDY_MAX_LINES];
    double *x = dpc_alloc(r->reps, sizeof *x), *y = dpc_alloc(r->reps, sizeof *y);
    bool fine = x != NULL && y != NULL;
    for (int p = 0; p < figure->n_panels && fine; p++) {
        int count = study_shown_runs(r, figure, p, runs);
        for (int i = 0; i < count; i++)
            write_dots(r, figure, p, runs[i], x, y, axes, file);
    }
    free(x);
    free(y);
    return fine ? DPC_OK : dpc_fail_memory(err, "a figure");
}

static void write_settings(const study_results *r, const study_figure *figure,
                           const study_axes *axes, FILE *file)
{
    (void)r, (void)figure;
    study_root_scale("x", axes->x.high, file);
    study_root_scale("y", axes->y.high, file);
}

static void write_plot(const study_results *r, const study_figure *figure, int panel, FILE *file)
{
    const study_setting *s = &r->catalogue->settings[figure->panels[panel].setting];
    int runs[STUDY_MAX_LINES];
    int count = study_shown_runs(r, figure, panel, runs);
    fputs("plot", file);
    for (int i = 0; i < count; i++)
        fprintf(file, "%s $dots_%d_%d with points lt %d pt 7 ps 0.2", i > 0 ? "," : "", panel,
                runs[i], study_line_type(&s->runs[runs[i]]));
    for (int i = 0; i < count; i++)
        fprintf(file, ", $mean_%d_%d with points lt %d ps 0.8", panel, runs[i],
                study_line_type(&s->runs[runs[i]]));
    putc('\n', file);
}

const study_drawing study_scatter = {write_data, write_settings, write_plot};

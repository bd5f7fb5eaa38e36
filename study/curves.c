/* ROC-like curves: the mean TPR against the mean FPRp, one point for each level. */
#include "figure.h"

#include "alloc.h"
#include "status.h"

static void write_curve(const study_results *r, const study_figure *figure, int panel, int run,
                        double *values, study_axes *axes, FILE *file)
{
    int setting = figure->panels[panel].setting;
    fprintf(file, "$ours_%d_%d << END\n", panel, run);
    for (int level = 0; level < STUDY_LEVELS; level++) {
        int point = run * r->catalogue->settings[setting].n_levels + level;
        int count = study_collect(r, setting, point, figure->graph, study_fprp, values);
        double x = study_describe(values, count).mean;
        count = study_collect(r, setting, point, figure->graph, study_tpr, values);
        double y = study_describe(values, count).mean;
        fprintf(file, "%.6g %.6g\n", x, y);
        study_widen(&axes->x, x);
        study_widen(&axes->y, y);
    }
    fputs("END\n", file);
}

/* Where the authors have not published a level, the block is empty. */
static void write_published(const study_results *r, const study_figure *figure, int panel, int run,
                            study_axes *axes, FILE *file)
{
    const study_setting *s = &r->catalogue->settings[figure->panels[panel].setting];
    study_published p;
    fprintf(file, "$published_%d_%d << END\n", panel, run);
    for (int level = 0; level < STUDY_LEVELS; level++)
        if (study_find_published(s, &s->runs[run], s->runs[run].levels[level], figure->graph, &p)) {
            fprintf(file, "%.6g %.6g\n", p.fprp, p.tpr);
            study_widen(&axes->x, p.fprp);
            study_widen(&axes->y, p.tpr);
        }
    fputs("END\n", file);
}

static dpc_status write_data(const study_results *r, const study_figure *figure, FILE *file,
                             study_axes *axes, dpc_error *err)
{
    int runs[STUDY_MAX_LINES];
    double *values = dpc_alloc(r->reps, sizeof *values);
    if (values == NULL)
        return dpc_fail_memory(err, "a figure");
    for (int p = 0; p < figure->n_panels; p++) {
        int count = study_shown_runs(r, figure, p, runs);
        for (int i = 0; i < count; i++) {
            write_curve(r, figure, p, runs[i], values, axes, file);
            write_published(r, figure, p, runs[i], axes, file);
        }
    }
    free(values);
    return DPC_OK;
}

static void write_settings(const study_results *r, const study_figure *figure,
                           const study_axes *axes, FILE *file)
{
    (void)r, (void)figure;
    double x = 0.04 * (axes->x.high - axes->x.low) + 1e-3;
    double y = 0.05 * (axes->y.high - axes->y.low) + 1e-3;
    fprintf(file, "set xrange [%.5g:%.5g]; set yrange [%.5g:%.5g]\n", axes->x.low - x,
            axes->x.high + x, axes->y.low - y, axes->y.high + y);
    fprintf(file, "set xtics %g; set ytics %g; unset logscale\n", study_tic_step(axes->x, 5),
            study_tic_step(axes->y, 6));
}

static bool is_published(const study_setting *s, int run, dpc_target graph)
{
    study_published p;
    return study_find_published(s, &s->runs[run], s->runs[run].levels[0], graph, &p);
}

static void write_plot(const study_results *r, const study_figure *figure, int panel, FILE *file)
{
    const study_setting *s = &r->catalogue->settings[figure->panels[panel].setting];
    int runs[STUDY_MAX_LINES];
    int count = study_shown_runs(r, figure, panel, runs);
    fputs("plot", file);
    for (int i = 0; i < count; i++)
        if (is_published(s, runs[i], figure->graph))
            fprintf(file, " $published_%d_%d with lines lt %d dt (6,4),", panel, runs[i],
                    study_line_type(&s->runs[runs[i]]));
    for (int i = 0; i < count; i++)
        fprintf(file, "%s $ours_%d_%d with linespoints lt %d", i > 0 ? "," : "", panel, runs[i],
                study_line_type(&s->runs[runs[i]]));
    putc('\n', file);
}

const study_drawing study_curves = {write_data, write_settings, write_plot};

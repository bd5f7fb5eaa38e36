/*
 * Boxes: the distribution over the data sets at one level, with the published quartiles beside
 * them. Box: quartiles and median; whiskers: the furthest data set within 1.5 times the
 * interquartile range; circles: those beyond.
 */
#include "figure.h"

#include "alloc.h"
#include "status.h"

#include <math.h>

/* Ours stand left of the place of their run, the published right. */
static const double OURS = -0.14, THEIRS = 0.27, OUR_WIDTH = 0.46, THEIR_WIDTH = 0.24;

/* The run that differs from this one only in the test. */
static int exact_twin(const study_setting *s, int run)
{
    for (int r = 0; r < s->n_runs; r++)
        if (s->runs[r].test == DPC_EXACT_T && s->runs[r].method == s->runs[run].method &&
            s->runs[r].variant == s->runs[run].variant &&
            s->runs[r].normalize == s->runs[run].normalize)
            return r;
    return run;
}

static study_measure *const MEASURES[] = {
    [STUDY_SHD] = study_shd_per_node,    [STUDY_TESTS] = study_tests,
    [STUDY_SECONDS] = study_seconds,     [STUDY_SHD_CHANGE] = study_shd,
    [STUDY_TIME_CHANGE] = study_seconds,
};

/* What the box of a run describes, one value for each data set; `other` is scratch. */
static int collect(const study_results *r, const study_figure *figure, int panel, int run,
                   double *values, double *other)
{
    int setting = figure->panels[panel].setting;
    const study_setting *s = &r->catalogue->settings[setting];
    study_measure *measure = MEASURES[figure->kind];
    int point = study_middle(s, run);
    int count = study_collect(r, setting, point, figure->graph, measure, values);
    if (figure->kind == STUDY_SHD_CHANGE || figure->kind == STUDY_TIME_CHANGE) {
        point = study_middle(s, exact_twin(s, run));
        study_collect(r, setting, point, figure->graph, measure, other);
        for (int i = 0; i < count; i++)
            values[i] = figure->kind == STUDY_SHD_CHANGE ? other[i] - values[i]
                                                         : (other[i] - values[i]) / values[i];
    }
    if (figure->kind == STUDY_SECONDS || figure->kind == STUDY_TESTS) /* a log scale has no 0 */
        for (int i = 0; i < count; i++)
            values[i] = values[i] > 0 ? values[i] : NAN;
    return count;
}

/* The three data blocks of a panel, written side by side. */
typedef struct blocks {
    FILE *boxes;     /* x, lower quartile, whiskers, upper quartile, median, line type */
    FILE *beyond;    /* x, y, line type */
    FILE *published; /* corners of a box: x, y, line type; then the ends of its median */
} blocks;

/* The box of a run, whose place among those of the panel is x. */
static void write_box(const study_figure *figure, double x, int line, double *values, int count,
                      study_axes *axes, blocks *to)
{
    study_summary s = study_describe(values, count);
    double reach = 1.5 * (s.q75 - s.q25), low = s.q25, high = s.q75;
    bool outliers = figure->kind != STUDY_TIME_CHANGE; /* of times they are noise, and far out */
    for (int i = 0; i < s.count; i++) {
        if (values[i] >= s.q25 - reach && values[i] < low)
            low = values[i];
        if (values[i] <= s.q75 + reach && values[i] > high)
            high = values[i];
    }
    if (s.count > 0)
        fprintf(to->boxes, "%g %.6g %.6g %.6g %.6g %.6g %d\n", x + OURS, s.q25, low, high, s.q75,
                s.median, line);
    for (int i = 0; i < s.count && outliers; i++)
        if (values[i] < low || values[i] > high) {
            fprintf(to->beyond, "%g %.6g %d\n", x + OURS, values[i], line);
            study_widen(&axes->y, values[i]);
        }
    study_widen(&axes->y, low);
    study_widen(&axes->y, high);
}

/* Quartiles and median where they are known, otherwise a line at the mean or median. */
static void write_published(const study_setting *s, const study_figure *figure, double x, int run,
                            study_axes *axes, blocks *to)
{
    double level = s->runs[run].levels[s->n_levels / 2], n = s->n;
    double q25 = NAN, median = NAN, q75 = NAN;
    study_published p, exact;
    if (!study_find_published(s, &s->runs[run], level, figure->graph, &p))
        return;
    if (figure->kind == STUDY_SHD)
        q25 = p.shd_q25 / n, median = p.shd_median / n, q75 = p.shd_q75 / n;
    else if (figure->kind == STUDY_SECONDS && p.seconds_median > 0)
        q25 = median = q75 = p.seconds_median;
    else if (figure->kind == STUDY_SHD_CHANGE &&
             study_find_published(s, &s->runs[exact_twin(s, run)], level, figure->graph, &exact))
        q25 = median = q75 = exact.shd - p.shd;
    else
        return;
    double left = x + THEIRS - THEIR_WIDTH / 2, right = left + THEIR_WIDTH;
    const double path[][2] = {{left, q25}, {right, q25},   {right, q75},   {left, q75},
                              {left, q25}, {left, median}, {right, median}};
    for (int i = 0; i < 7; i++)
        fprintf(to->published, "%g %.6g %d\n", path[i][0], path[i][1],
                study_line_type(&s->runs[run]));
    putc('\n', to->published);
    study_widen(&axes->y, q25);
    study_widen(&axes->y, q75);
}

/* A first row left of the axes: gnuplot complains of blocks without any. */
static void write_block(const char *name, int panel, const char *first, const char *rows,
                        FILE *file)
{
    fprintf(file, "$%s_%d << END\n%s\n\n%sEND\n", name, panel, first, rows);
}

static bool write_panel(const study_results *r, const study_figure *figure, int panel,
                        double *values, double *other, study_axes *axes, FILE *file)
{
    const study_setting *s = &r->catalogue->settings[figure->panels[panel].setting];
    char *text[3] = {NULL, NULL, NULL};
    size_t length[3];
    int runs[STUDY_MAX_LINES];
    int shown = study_shown_runs(r, figure, panel, runs);
    blocks to = {open_memstream(&text[0], &length[0]), open_memstream(&text[1], &length[1]),
                 open_memstream(&text[2], &length[2])};
    bool fine = to.boxes != NULL && to.beyond != NULL && to.published != NULL;
    for (int i = 0; i < shown && fine; i++) {
        int count = collect(r, figure, panel, runs[i], values, other);
        write_box(figure, i + 1, study_line_type(&s->runs[runs[i]]), values, count, axes, &to);
        write_published(s, figure, i + 1, runs[i], axes, &to);
    }
    FILE *const streams[] = {to.boxes, to.beyond, to.published};
    for (int i = 0; i < 3; i++)
        if (streams[i] != NULL)
            fine = fclose(streams[i]) == 0 && fine;
    if (fine) {
        write_block("boxes", panel, "-9 1 1 1 1 1 1", text[0], file);
        write_block("beyond", panel, "-9 1 1", text[1], file);
        write_block("published", panel, "-9 1 1", text[2], file);
    }
    for (int i = 0; i < 3; i++)
        free(text[i]);
    return fine;
}

static dpc_status write_data(const study_results *r, const study_figure *figure, FILE *file,
                             study_axes *axes, dpc_error *err)
{
    double *values = dpc_alloc(r->reps, sizeof *values), *other = dpc_alloc(r->reps, sizeof *other);
    bool fine = values != NULL && other != NULL;
    for (int p = 0; p < figure->n_panels && fine; p++)
        fine = write_panel(r, figure, p, values, other, axes, file);
    free(values);
    free(other);
    return fine ? DPC_OK : dpc_fail_memory(err, "a figure");
}

static void write_settings(const study_results *r, const study_figure *figure,
                           const study_axes *axes, FILE *file)
{
    bool log = figure->kind == STUDY_TESTS || figure->kind == STUDY_SECONDS;
    double low = axes->y.low, high = axes->y.high, room = 0.05 * (high - low) + 1e-9;
    int runs[STUDY_MAX_LINES];
    int boxes = study_shown_runs(r, figure, 0, runs);
    if (isnan(low))
        low = log ? 1 : 0, high = log ? 10 : 1, room = 0; /* nothing to show */
    fprintf(file, "set xrange [0.4:%g]; unset xtics; set boxwidth %g\n", boxes + 0.6, OUR_WIDTH);
    if (log)
        fprintf(file, "set logscale y; set yrange [%.5g:%.5g]; set ytics autofreq\n", low / 1.4,
                high * 1.4);
    else if (figure->group != NULL)
        study_root_scale("y", high, file);
    else
        fprintf(file, "unset logscale; set yrange [%.5g:%.5g]; set ytics autofreq\n",
                figure->kind == STUDY_SHD ? 0 : low - room, high + room);
}

static void write_plot(const study_results *r, const study_figure *figure, int panel, FILE *file)
{
    (void)r;
    bool change = figure->kind == STUDY_SHD_CHANGE || figure->kind == STUDY_TIME_CHANGE;
    fprintf(file,
            "plot %s"
            "$boxes_%d using 1:2:3:4:5:7 with candlesticks lc variable lw 1 fs solid 0.35 "
            "whiskerbars 0.5, '' using 1:6:6:6:6:7 with candlesticks lc variable lw 2, "
            "$beyond_%d using 1:2:3 with points lc variable pt 6 ps 0.2 lw 0.7, "
            "$published_%d using 1:2:3 with lines lc variable lw 1.2 dt (6,4)\n",
            change ? "0 with lines lc rgb '#808080' lw 0.8, " : "", panel, panel, panel);
}

const study_drawing study_boxes = {write_data, write_settings, write_plot};

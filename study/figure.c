/*
 * A figure as a gnuplot script: a grid of panels with common axes, labels on the outside, one
 * legend below. The script holds its data, so that it can be drawn again in another shape.
 *
 * Sizes are in points of the SVG; the PDF has the same shape.
 */
#include "figure.h"

#include "status.h"

#include <math.h>

enum {
    PANEL_WIDTH = 190,
    PANEL_HEIGHT = 150,
    GAP = 12,
    LEFT = 70,
    RIGHT = 34,
    TOP = 34,
    BELOW = 56, /* tics and the title of the axis */
    LEGEND_LINE = 19,
    LEGEND_COLUMNS = 3,
    FONT = 13,
};
static const double POINTS_PER_INCH = 96;

void study_widen(study_range *range, double value)
{
    if (isnan(value) || isinf(value))
        return;
    range->low = isnan(range->low) || value < range->low ? value : range->low;
    range->high = isnan(range->high) || value > range->high ? value : range->high;
}

double study_tic_step(study_range range, int most)
{
    double rough = (range.high - range.low) / most, power = pow(10, floor(log10(rough)));
    double leading = rough / power;
    return power * (leading <= 1 ? 1 : leading <= 2 ? 2 : leading <= 5 ? 5 : 10);
}

void study_root_scale(const char *axis, double high, FILE *file)
{
    double top = isnan(high) || high <= 0 ? 1 : 1.1 * high, last = top;
    fprintf(file,
            "set nonlinear %s via sqrt(%s) inverse %s**2; set %srange [0:%.5g]; set %stics (0",
            axis, axis, axis, axis, top, axis);
    for (int power = (int)ceil(log10(top)); power > -8; power--)
        for (int i = 2; i >= 0; i--) { /* 5, 2, 1: those that are not too near one another */
            double tic = (double[]){1, 2, 5}[i] * pow(10, power);
            double share = sqrt(last / top) - sqrt(tic / top);
            if (tic > top || sqrt(tic / top) < 0.12 || (last < top && share < 0.14))
                continue;
            fprintf(file, ", %g", tic);
            last = tic;
        }
    fputs(")\n", file);
}

/* ---- Lines ---- */

/*
 * Colours that stay apart for colour-blind readers and in grey print; by method and variant.
 * Refined graphs have those of precision-first PC, and the rule `and` that of the standard
 * variant: no figure has both.
 */
static const struct {
    const char *colour;
    int point;
} LINE_TYPES[] = {
    {"#0072B2", 7}, {"#56B4E9", 6}, {"#D55E00", 5},  {"#E69F00", 4},
    {"#7B3294", 9}, {"#CC79A7", 8}, {"#009E73", 11}, {"#666666", 13},
};

int study_line_type(const study_run *run)
{
    if (run->line != 0)
        return run->line;
    if (run->refine != DPC_REFINE_NONE)
        return run->refine == DPC_REFINE_FULL ? 5 : 6;
    if (run->rule == DPC_RULE_AND)
        return 2;
    return run->method == DPC_GES ? 7 : 2 * (int)run->method + (int)run->variant + 1;
}

int study_shown_runs(const study_results *results, const study_figure *figure, int panel,
                     int runs[STUDY_MAX_LINES])
{
    const study_panel *p = &figure->panels[panel];
    const study_setting *setting = &results->catalogue->settings[p->setting];
    int count = 0;
    for (int r = 0; r < setting->n_runs; r++)
        if (study_shows(figure, p, &setting->runs[r]) && count < STUDY_MAX_LINES)
            runs[count++] = r;
    return count;
}

static bool has_published(const study_results *results, const study_figure *figure)
{
    int runs[STUDY_MAX_LINES];
    study_published published;
    if (figure->kind == STUDY_TESTS || figure->kind == STUDY_TIME_CHANGE)
        return false;
    for (int p = 0; p < figure->n_panels; p++) {
        const study_setting *s = &results->catalogue->settings[figure->panels[p].setting];
        int count = study_shown_runs(results, figure, p, runs);
        for (int i = 0; i < count; i++) {
            const study_run *run = &s->runs[runs[i]];
            if (study_find_published(s, run, run->levels[s->n_levels / 2], figure->graph,
                                     &published))
                return true;
        }
    }
    return false;
}

/* Of the legend, the published ones counted. */
static int entries(const study_results *results, const study_figure *figure)
{
    int runs[STUDY_MAX_LINES];
    return study_shown_runs(results, figure, 0, runs) + has_published(results, figure);
}

static void write_line_types(FILE *file)
{
    for (size_t i = 0; i < sizeof LINE_TYPES / sizeof *LINE_TYPES; i++)
        fprintf(file, "set linetype %zu lc rgb '%s' lw 1.4 pt %d ps 0.45\n", i + 1,
                LINE_TYPES[i].colour, LINE_TYPES[i].point);
}

/* ---- The grid ---- */

typedef struct grid {
    int width, height;
    int legend; /* its rows */
    int below;  /* the panels: axis and legend */
} grid;

static grid grid_of(const study_results *results, const study_figure *figure)
{
    int legend = (entries(results, figure) + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS;
    int below = BELOW + legend * LEGEND_LINE;
    return (grid){
        .width = LEFT + figure->columns * PANEL_WIDTH + (figure->columns - 1) * GAP + RIGHT,
        .height = TOP + figure->rows * PANEL_HEIGHT + (figure->rows - 1) * GAP + below,
        .legend = legend,
        .below = below,
    };
}

/* In the upper left corner of a panel, of the data sets of its setting. */
static void write_sortability(const study_results *results, const study_panel *panel, FILE *file)
{
    double sum = 0;
    int count = 0;
    for (int rep = 0; rep < results->reps; rep++) {
        int64_t first = (int64_t)rep * study_points(&results->catalogue->settings[panel->setting]);
        if (!results->done[panel->setting][rep])
            continue;
        double value = results->points[panel->setting][first].sortability;
        sum += isnan(value) ? 0 : value;
        count += !isnan(value);
    }
    if (count > 0)
        fprintf(file, "set label 'sortability %.2f' at graph 0.03, graph 0.93 left\n", sum / count);
}

static void place_panel(const study_figure *figure, grid g, int row, int column, FILE *file)
{
    double left = LEFT + column * (PANEL_WIDTH + GAP);
    double top = TOP + row * (PANEL_HEIGHT + GAP);
    fprintf(file,
            "set lmargin at screen %.5f; set rmargin at screen %.5f; "
            "set tmargin at screen %.5f; set bmargin at screen %.5f\n",
            left / g.width, (left + PANEL_WIDTH) / g.width, 1 - top / g.height,
            1 - (top + PANEL_HEIGHT) / g.height);
    fputs("unset label\n", file);
    if (row == 0)
        fprintf(file, "set label '%s' at graph 0.5, graph 1 center offset 0, 0.8\n",
                figure->column_label[column]);
    if (column == figure->columns - 1)
        fprintf(file, "set label '%s' at graph 1, graph 0.5 center offset 1.6, 0 rotate by -90\n",
                figure->row_label[row]);
}

/* Tics have numbers only at the outside. */
static void write_tics(const study_figure *figure, int row, int column, FILE *file)
{
    bool log = figure->kind == STUDY_TESTS || figure->kind == STUDY_SECONDS;
    const char *y = column > 0 ? "" : log ? "10^{%T}" : "%g";
    fprintf(file, "set format y '%s'\n", y);
    if (figure->kind == STUDY_CURVES || figure->kind == STUDY_SCATTER)
        fprintf(file, "set format x '%s'\n", row < figure->rows - 1 ? "" : "%g");
}

static const char *const Y_TITLES[] = {
    [STUDY_CURVES] = "TPR",
    [STUDY_SHD] = "SHD / n",
    [STUDY_TESTS] = "tests",
    [STUDY_SECONDS] = "seconds",
    [STUDY_SHD_CHANGE] = "SHD, exact t minus z",
    [STUDY_TIME_CHANGE] = "time, (t - z) / z",
    [STUDY_SCATTER] = "share of wrong effects",
};

static void write_titles(const study_figure *figure, grid g, FILE *file)
{
    double middle_x = (LEFT + (g.width - LEFT - RIGHT) / 2.0) / g.width;
    double middle_y = (g.below + (g.height - TOP - g.below) / 2.0) / g.height;
    fprintf(file, "set label '%s' at screen %.5f, screen %.5f center rotate by 90\n",
            Y_TITLES[figure->kind], 16.0 / g.width, middle_y);
    const char *x_title = figure->kind == STUDY_CURVES    ? "FPRp"
                          : figure->kind == STUDY_SCATTER ? "SHD / n"
                                                          : NULL;
    if (x_title != NULL)
        fprintf(file, "set label '%s' at screen %.5f, screen %.5f center\n", x_title, middle_x,
                (g.below - 38.0) / g.height);
}

/* An empty plot over everything, for its key. */
static void write_legend(const study_results *results, const study_figure *figure, grid g,
                         FILE *file)
{
    int runs[STUDY_MAX_LINES];
    int count = study_shown_runs(results, figure, 0, runs);
    const study_setting *s = &results->catalogue->settings[figure->panels[0].setting];
    const char *style = figure->kind == STUDY_CURVES    ? "linespoints"
                        : figure->kind == STUDY_SCATTER ? "points"
                                                        : "boxes fs solid 0.35";
    fprintf(
        file,
        "set lmargin at screen 0; set rmargin at screen 1; set tmargin at screen 1; set bmargin "
        "at screen 0\nunset border; unset tics; unset label; unset logscale; unset nonlinear x; "
        "unset nonlinear y; unset grid\n"
        "set key at screen 0.5, screen %.5f center bottom horizontal maxrows %d samplen 2.5 "
        "width 1\n"
        "plot [0:1] [0:1]",
        6.0 / g.height, g.legend);
    for (int i = 0; i < count; i++)
        fprintf(file, "%s NaN with %s lt %d title '%s'", i > 0 ? "," : "", style,
                study_line_type(&s->runs[runs[i]]), s->runs[runs[i]].label);
    if (has_published(results, figure))
        fputs(", NaN with lines lc rgb '#404040' lw 1.2 dt (6,4) title 'published'", file);
    fputs("\nset border; set tics; unset key\n", file);
}

/* ---- The script ---- */

static void write_panels(const study_results *results, const study_figure *figure,
                         const study_drawing *k, const study_axes *axes, grid g, FILE *file)
{
    fputs("set multiplot\n", file);
    k->settings(results, figure, axes, file);
    for (int p = 0; p < figure->n_panels; p++) {
        int row = p / figure->columns, column = p % figure->columns;
        place_panel(figure, g, row, column, file);
        write_tics(figure, row, column, file);
        if (figure->sortability)
            write_sortability(results, &figure->panels[p], file);
        if (p == 0)
            write_titles(figure, g, file);
        k->plot(results, figure, p, file);
    }
    write_legend(results, figure, g, file);
    fputs("unset multiplot\nunset output\n", file);
}

typedef struct drawing {
    const study_results *results;
    const study_figure *figure;
    const study_drawing *kind;
    const study_axes *axes;
    grid g;
} drawing;

static void draw_panels(const void *context, FILE *file)
{
    const drawing *d = context;
    write_panels(d->results, d->figure, d->kind, d->axes, d->g, file);
}

void study_write_drawing(const char *name, int width, int height, study_panels *panels,
                         const void *context, FILE *file)
{
    fputs("if (!exists('beside')) beside = ''\n"
          "set encoding utf8\nunset key\nset tics scale 0.5 nomirror\nset border lw 0.8\n"
          "set grid lc rgb '#e4e4e4' lw 0.8 lt 1\n",
          file);
    write_line_types(file);
    fprintf(file, "set terminal svg size %d,%d font 'Helvetica,%d' background rgb 'white'\n", width,
            height, FONT);
    fprintf(file, "set output '%s.svg'.beside\n", name);
    panels(context, file);
    fprintf(file, "set terminal pdfcairo size %.3fin,%.3fin font 'Helvetica,%d' fontscale 0.75\n",
            width / POINTS_PER_INCH, height / POINTS_PER_INCH, FONT);
    fprintf(file, "set output '%s.pdf'.beside\n", name);
    panels(context, file);
}

dpc_status study_write_script(const study_results *results, const study_figure *figure, FILE *file,
                              dpc_error *err)
{
    const study_drawing *k = figure->kind == STUDY_CURVES    ? &study_curves
                             : figure->kind == STUDY_SCATTER ? &study_scatter
                                                             : &study_boxes;
    grid g = grid_of(results, figure);
    study_axes axes = {{NAN, NAN}, {NAN, NAN}};
    fprintf(file, "# %s: %s\n# %s\n", figure->name, figure->title, figure->caption);
    DPC_CHECK(k->data(results, figure, file, &axes, err));
    const drawing d = {results, figure, k, &axes, g};
    study_write_drawing(figure->name, g.width, g.height, draw_panels, &d, file);
    return DPC_OK;
}

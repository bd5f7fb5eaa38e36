/*
 * Panels side by side, over one legend: what the figures of studies with rows of their own share.
 * Bars: in each panel a group for each setting, in each group a bar for each method.
 */
#include "figure.h"

enum { WIDTH = 300, LEFT = 70, GAP = 40, TOP = 44, HEIGHT = 260, BELOW = 110 };

int study_panels_width(int panels)
{
    return LEFT + panels * (WIDTH + GAP);
}

int study_panels_height(void)
{
    return TOP + HEIGHT + BELOW;
}

void study_place_panel(int panel, int panels, const char *title, FILE *file)
{
    double width = study_panels_width(panels), height = study_panels_height();
    double left = LEFT + panel * (WIDTH + GAP);
    fprintf(file,
            "set lmargin at screen %.5f; set rmargin at screen %.5f; "
            "set tmargin at screen %.5f; set bmargin at screen %.5f\nset title '%s'\n",
            left / width, (left + WIDTH) / width, 1 - TOP / height, BELOW / height, title);
}

void study_write_legend(const char *style, const char *(*label)(int), int count, FILE *file)
{
    fputs("set lmargin at screen 0; set rmargin at screen 1; set tmargin at screen 1; "
          "set bmargin at screen 0\nunset border; unset tics; unset title; unset xlabel; "
          "unset ylabel; unset grid\n"
          "set key at screen 0.5, screen 0.02 center bottom horizontal maxrows 1 samplen 2.5 "
          "width 1\n"
          "plot [0:1] [0:1]",
          file);
    for (int i = 0; i < count; i++)
        fprintf(file, "%s NaN with %s lt %d title '%s'", i > 0 ? "," : "", style, i + 1, label(i));
    fputs("\nset border; set tics; set grid; unset key\nunset multiplot\nunset output\n", file);
}

static void write_bar_panels(const void *context, FILE *file)
{
    const study_bars *b = context;
    fputs("set multiplot\nset style data histograms; set style histogram clustered gap 1.5\n"
          "set style fill solid 0.6 noborder; set yrange [0:*]; set xtics rotate by -25\n",
          file);
    fprintf(file, "set ylabel '%s' offset 1, 0\n", b->y_label);
    for (int p = 0; p < b->panels; p++) {
        study_place_panel(p, b->panels, b->title(p), file);
        for (int m = 0; m < b->methods; m++)
            fprintf(file, "%s $bars_%d using %d:xtic(1) lt %d", m > 0 ? "," : "plot", p, m + 2,
                    m + 1);
        fputs("\nset ylabel ' '\n", file); /* the first panel has it */
    }
    study_write_legend("boxes fs solid 0.6", b->label, b->methods, file);
}

void study_write_bars(const study_bars *bars, const void *context, FILE *file)
{
    for (int p = 0; p < bars->panels; p++) {
        fprintf(file, "$bars_%d << END\n", p);
        for (int s = 0; s < bars->settings; s++) {
            const char *name = bars->setting(context, s);
            if (name == NULL)
                continue;
            fprintf(file, "\"%s\"", name);
            for (int m = 0; m < bars->methods; m++)
                fprintf(file, " %.6g", bars->height(context, p, s, m));
            putc('\n', file);
        }
        fputs("END\n", file);
    }
    study_write_drawing(bars->name, study_panels_width(bars->panels), study_panels_height(),
                        write_bar_panels, bars, file);
}

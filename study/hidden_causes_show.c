/* What follows from the rows of latent.csv: means over data sets, a figure, and the page. */
#include "hidden_causes.h"

#include "figure.h"
#include "status.h"

#include <math.h>

/* Over the data sets of a setting. */
static study_summary describe(const study_shown *s, int setting, int finder,
                              study_found_value value)
{
    int count = 0;
    for (int rep = 0; rep < s->grid->options->reps; rep++) {
        const study_found *found = study_grid_points(s->grid, setting, rep);
        if (s->grid->done[setting][rep])
            s->values[count++] = found[finder].value[value];
    }
    return study_describe(s->values, count);
}

static double mean(const study_shown *s, int setting, int finder, study_found_value value)
{
    bool left_out = value == STUDY_FOUND_SECONDS && !s->grid->options->seconds;
    return left_out ? NAN : describe(s, setting, finder, value).mean;
}

/* ---- latent-summary.csv ---- */

static void print_row(const study_shown *s, int setting, int finder, FILE *file)
{
    char key[STUDY_GRID_KEY];
    study_summary shd = describe(s, setting, finder, STUDY_FOUND_SHD);
    study_print_setting(&study_latent_settings[setting], key);
    fprintf(file, "%s,%s%s,%d", study_latent_names[setting], key, study_finders[finder].word,
            shd.count);
    for (int v = 0; v < STUDY_FOUND_VALUES; v++) {
        study_print_number(mean(s, setting, finder, (study_found_value)v), file);
        if (v == STUDY_FOUND_SHD)
            study_print_number(shd.sd / sqrt(shd.count), file);
    }
    study_summary seconds = describe(s, setting, finder, STUDY_FOUND_SECONDS);
    study_print_number(s->grid->options->seconds ? seconds.most : NAN, file);
    putc('\n', file);
}

static dpc_status print_summary(const void *context, FILE *file, dpc_error *err)
{
    const study_shown *s = context;
    (void)err;
    fputs("setting,n,N,parents,options,method,reps,hidden,double_arrows,SHD,SHD_se,exact,"
          "arrow_precision,arrow_recall,tail_precision,tail_recall,valid,repaired,seconds,most_"
          "seconds\n",
          file);
    for (int i = 0; i < STUDY_LATENT_SETTINGS; i++)
        for (int f = 0; study_grid_shows(s->grid, i) && f < STUDY_FINDERS; f++)
            print_row(s, i, f, file);
    return DPC_OK;
}

/* ---- The figure ---- */

static const struct {
    const char *title;
    study_found_value value;
} PANELS[] = {{"SHD", STUDY_FOUND_SHD},
              {"arrow precision", STUDY_FOUND_ARROW_PRECISION},
              {"tail precision", STUDY_FOUND_TAIL_PRECISION}};

static const char *title_of(int panel)
{
    return PANELS[panel].title;
}

static const char *label_of(int finder)
{
    return study_finders[finder].label;
}

static const char *setting_of(const void *context, int setting)
{
    const study_shown *s = context;
    return study_grid_shows(s->grid, setting) ? study_latent_names[setting] : NULL;
}

static double height_of(const void *context, int panel, int setting, int finder)
{
    return mean(context, setting, finder, PANELS[panel].value);
}

static dpc_status print_script(const void *context, FILE *file, dpc_error *err)
{
    static const study_bars BARS = {.name = "latent",
                                    .y_label = "mean",
                                    .panels = sizeof PANELS / sizeof *PANELS,
                                    .settings = STUDY_LATENT_SETTINGS,
                                    .methods = STUDY_FINDERS,
                                    .title = title_of,
                                    .label = label_of,
                                    .setting = setting_of,
                                    .height = height_of};
    (void)err;
    study_write_bars(&BARS, context, file);
    return DPC_OK;
}

/* ---- The page ---- */

static void write_row(const study_shown *s, int setting, int finder, FILE *file)
{
    const study_setting *what = &study_latent_settings[setting];
    fprintf(file, "<tr><th>%s</th><td>%d</td><td>%lld</td><td>%g %%</td><td>%s</td>",
            study_latent_names[setting], what->n, (long long)what->n_obs,
            100 * what->departure->hidden, study_finders[finder].label);
    for (int v = STUDY_FOUND_SHD; v < STUDY_FOUND_VALUES; v++) {
        double value = mean(s, setting, finder, (study_found_value)v);
        if (isnan(value))
            fputs("<td></td>", file);
        else
            fprintf(file, v == STUDY_FOUND_SHD ? "<td>%.2f</td>" : "<td>%.3f</td>", value);
    }
    fputs("</tr>\n", file);
}

static void write_table(const study_shown *s, FILE *file)
{
    fputs("<table>\n<tr><th>setting</th><th>n</th><th>N</th><th>hidden</th><th>method</th>"
          "<th>SHD</th><th>exact</th><th>arrow precision</th><th>arrow recall</th>"
          "<th>tail precision</th><th>tail recall</th><th>valid</th><th>repaired</th>"
          "<th>CPU s</th></tr>\n",
          file);
    for (int i = 0; i < STUDY_LATENT_SETTINGS; i++)
        for (int f = 0; study_grid_shows(s->grid, i) && f < STUDY_FINDERS; f++)
            write_row(s, i, f, file);
    fputs("</table>\n", file);
}

static dpc_status print_page(const void *context, FILE *file, dpc_error *err)
{
    const study_shown *s = context;
    const study_options *o = s->grid->options;
    (void)err;
    fputs(study_page_head, file);
    fprintf(file,
            "<h1>Hidden common causes</h1>\n"
            "<p>Computed by dualpc %s: %d data set%s for each setting, seed %llu. Weights are "
            "±(0.25 to 1) with 1 parent expected, or as in the paper; the hidden variables are "
            "among those with two or more children. Means over data sets, against the true PAG: "
            "SHD counts the pairs "
            "that differ in the edge or in one of its marks. The classic order tests small sets "
            "only, with the same rules. Alpha is the default, or 0.01. Seconds are CPU time on one "
            "thread. "
            "Numbers: <a "
            "href=\"latent-summary.csv\">latent-summary.csv</a> (means), <a "
            "href=\"latent.csv\">latent.csv</a> (every data set).</p>\n",
            dpc_version(), o->reps, o->reps == 1 ? "" : "s", (unsigned long long)o->seed);
    write_table(s, file);
    study_write_figure("latent", "Distance and precision",
                       "Means over data sets. Fewer differences and higher precision are better.",
                       "latent", file);
    fputs("</body>\n</html>\n", file);
    return DPC_OK;
}

/* ---- All ---- */

dpc_status study_show_latent(const study_shown *s, dpc_error *err)
{
    const study_options *o = s->grid->options;
    DPC_CHECK(study_ask(o, err));
    DPC_CHECK(study_write_file(o->out, "latent-summary.csv", print_summary, s, err));
    if (!o->figures)
        return DPC_OK;
    DPC_CHECK(study_draw(o, "latent", print_script, s, err));
    return study_write_file(o->out, "latent.html", print_page, s, err);
}

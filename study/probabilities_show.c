/*
 * What follows from the rows of posterior.csv: means over data sets, bins pooled over all of them,
 * two figures, and the page.
 */
#include "probabilities.h"

#include "figure.h"
#include "status.h"

#include <math.h>

static const study_verdict *verdict_of(const study_grid *grid, int setting, int rep, int way)
{
    return (const study_verdict *)study_grid_points(grid, setting, rep) + way;
}

/* ---- Means ---- */

/* A number of a verdict. */
typedef double measure(const study_verdict *verdict, study_claim claim);

/* clang-format off */
#define MEASURE(name, value)                                         \
    static double name(const study_verdict *v, study_claim claim)    \
    {                                                                \
        (void)claim;                                                 \
        return value;                                                \
    }
MEASURE(truths, v->claims[claim].truths)
MEASURE(log_loss, v->claims[claim].log_loss)
MEASURE(brier, v->claims[claim].brier)
MEASURE(average_precision, v->claims[claim].average_precision)
MEASURE(loss_per_truth, v->claims[claim].truths > 0 ? v->claims[claim].log_loss / v->claims[claim].truths : NAN)
MEASURE(rhat, v->rhat)
MEASURE(ess, v->ess)
MEASURE(seconds, v->seconds)
/* clang-format on */

/* Over the data sets of a setting; `less`: minus that of the bootstrap on the same data. */
static study_summary describe(const study_grid *grid, int setting, int way, study_claim claim,
                              measure *m, bool less, double *values)
{
    int count = 0;
    for (int rep = 0; rep < grid->options->reps; rep++)
        if (grid->done[setting][rep])
            values[count++] = m(verdict_of(grid, setting, rep, way), claim) -
                              (less ? m(verdict_of(grid, setting, rep, 0), claim) : 0);
    return study_describe(values, count);
}

/* Of all data sets of all settings that are shown. */
static study_judged pool(const study_grid *grid, int way, study_claim claim)
{
    study_judged sum = {0};
    for (int i = 0; i < STUDY_POSTERIOR_SETTINGS; i++)
        for (int rep = 0; study_grid_shows(grid, i) && rep < grid->options->reps; rep++)
            for (int b = 0; grid->done[i][rep] && b < STUDY_BINS; b++) {
                const study_judged *j = &verdict_of(grid, i, rep, way)->claims[claim];
                sum.bins[b].count += j->bins[b].count;
                sum.bins[b].given += j->bins[b].given;
                sum.bins[b].truths += j->bins[b].truths;
            }
    return sum;
}

/* ---- Files of numbers ---- */

static void print_row(const study_grid *grid, int setting, int way, study_claim claim,
                      double *values, FILE *file)
{
    static measure *const MEANS[] = {truths, log_loss, brier, average_precision};
    const study_setting *s = &study_posterior_settings[setting];
    char key[STUDY_GRID_KEY];
    study_summary less = describe(grid, setting, way, claim, log_loss, true, values);
    study_print_setting(s, key);
    fprintf(file, "%s%s,%s,%d", key, study_ways[way].word, study_claim_words[claim],
            describe(grid, setting, way, claim, seconds, false, values).count);
    for (size_t m = 0; m < sizeof MEANS / sizeof *MEANS; m++)
        study_print_number(describe(grid, setting, way, claim, MEANS[m], false, values).mean, file);
    study_print_number(less.mean, file);
    study_print_number(less.sd / sqrt(less.count), file);
    study_print_number(describe(grid, setting, way, claim, rhat, false, values).most, file);
    study_print_number(describe(grid, setting, way, claim, ess, false, values).least, file);
    study_summary time = describe(grid, setting, way, claim, seconds, false, values);
    study_print_number(grid->options->seconds ? time.mean : NAN, file);
    putc('\n', file);
}

static dpc_status print_summary(const void *context, FILE *file, dpc_error *err)
{
    const study_shown *s = context;
    (void)err;
    fputs("n,N,parents,options,method,of,reps,true,log_loss,brier,average_precision,"
          "less_bootstrap,less_bootstrap_se,largest_rhat,least_ess,seconds\n",
          file);
    for (int i = 0; i < STUDY_POSTERIOR_SETTINGS; i++)
        for (int w = 0; study_grid_shows(s->grid, i) && w < STUDY_WAYS; w++)
            for (int c = 0; c < STUDY_CLAIMS; c++)
                print_row(s->grid, i, w, (study_claim)c, s->values, file);
    return DPC_OK;
}

static dpc_status print_calibration(const void *context, FILE *file, dpc_error *err)
{
    const study_shown *s = context;
    (void)err;
    fputs("method,of,from,to,count,given,true\n", file);
    for (int w = 0; w < STUDY_WAYS; w++)
        for (int c = 0; c < STUDY_CLAIMS; c++) {
            study_judged sum = pool(s->grid, w, (study_claim)c);
            for (int b = 0; b < STUDY_BINS; b++) {
                double count = sum.bins[b].count;
                fprintf(file, "%s,%s,%g,%g", study_ways[w].word, study_claim_words[c], study_bin[b],
                        study_bin[b + 1]);
                study_print_number(count, file);
                study_print_number(sum.bins[b].given / count, file);
                study_print_number(sum.bins[b].truths / count, file);
                putc('\n', file);
            }
        }
    return DPC_OK;
}

/* ---- Figures ---- */

static const char *label_of(int way)
{
    return study_ways[way].label;
}

static const char *title_of(int panel)
{
    return study_claim_words[panel];
}

/* Few statements say little: their share is not drawn. */
enum { FEW = 20 };

static void write_calibration_panels(const void *context, FILE *file)
{
    (void)context;
    fputs("set multiplot\nset xrange [0:1]; set yrange [0:1]\n"
          "set xlabel 'given probability'; set ylabel 'share that is true' offset 1, 0\n",
          file);
    for (int c = 0; c < STUDY_CLAIMS; c++) {
        study_place_panel(c, STUDY_CLAIMS, study_claim_words[c], file);
        fputs("plot x with lines lc rgb '#999999' dt (4,4)", file);
        for (int w = 0; w < STUDY_WAYS; w++)
            if (c != STUDY_ANCESTOR || study_ways[w].resamples == 0)
                fprintf(file, ", $pool_%d_%d with linespoints lt %d", c, w, w + 1);
        fputs("\nset ylabel ' '\n", file); /* the first panel has it */
    }
    study_write_legend("linespoints", label_of, STUDY_WAYS, file);
}

static dpc_status print_calibration_script(const void *context, FILE *file, dpc_error *err)
{
    const study_shown *s = context;
    (void)err;
    for (int c = 0; c < STUDY_CLAIMS; c++)
        for (int w = 0; w < STUDY_WAYS; w++) {
            study_judged sum = pool(s->grid, w, (study_claim)c);
            fprintf(file, "$pool_%d_%d << END\n", c, w);
            for (int b = 0; b < STUDY_BINS; b++)
                if (sum.bins[b].count >= FEW)
                    fprintf(file, "%.6g %.6g\n", sum.bins[b].given / sum.bins[b].count,
                            sum.bins[b].truths / sum.bins[b].count);
            fputs(sum.bins[0].count >= FEW ? "END\n" : "NaN NaN\nEND\n", file);
        }
    study_write_drawing("posterior-calibration", study_panels_width(STUDY_CLAIMS),
                        study_panels_height(), write_calibration_panels, NULL, file);
    return DPC_OK;
}

static const char *setting_of(const void *context, int setting)
{
    return study_grid_shows(((const study_shown *)context)->grid, setting)
               ? study_posterior_names[setting]
               : NULL;
}

static double loss_of(const void *context, int claim, int setting, int way)
{
    const study_shown *s = context;
    return describe(s->grid, setting, way, (study_claim)claim, loss_per_truth, false, s->values)
        .mean;
}

static dpc_status print_loss_script(const void *context, FILE *file, dpc_error *err)
{
    static const study_bars BARS = {"posterior-loss", "log loss for each true edge",
                                    STUDY_ARROW + 1,  STUDY_POSTERIOR_SETTINGS,
                                    STUDY_WAYS,       title_of,
                                    label_of,         setting_of,
                                    loss_of};
    (void)err;
    study_write_bars(&BARS, context, file);
    return DPC_OK;
}

/* ---- The page ---- */

static void write_head_of_table(FILE *file)
{
    fputs("<table>\n<tr><th>n / N</th>", file);
    for (int w = 0; w < STUDY_WAYS; w++)
        fprintf(file, "<th>%s</th>", study_ways[w].label);
    fputs("</tr>\n", file);
}

static void write_losses(const study_shown *s, FILE *file)
{
    write_head_of_table(file);
    for (int i = 0; i < STUDY_POSTERIOR_SETTINGS; i++) {
        if (!study_grid_shows(s->grid, i))
            continue;
        fprintf(file, "<tr><th>%s</th>", study_posterior_names[i]);
        for (int w = 0; w < STUDY_WAYS; w++)
            fprintf(file, "<td>%.1f / %.1f / %.3f</td>",
                    describe(s->grid, i, w, STUDY_JOINED, log_loss, false, s->values).mean,
                    describe(s->grid, i, w, STUDY_ARROW, log_loss, false, s->values).mean,
                    describe(s->grid, i, w, STUDY_ARROW, average_precision, false, s->values).mean);
        fputs("</tr>\n", file);
    }
    fputs("</table>\n", file);
}

static dpc_status print_page(const void *context, FILE *file, dpc_error *err)
{
    const study_shown *s = context;
    const study_options *o = s->grid->options;
    (void)err;
    fputs(study_page_head, file);
    fprintf(
        file,
        "<h1>Probabilities of edges: bootstrap and posterior</h1>\n"
        "<p>Computed by dualpc %s: %d data set%s for each setting, seed %llu. The bootstrap has "
        "%d resamples of <code>--refine fast</code>; an edge that it does not direct counts "
        "half each way. Means of the skeleton's log loss, the directed edges' log loss, and "
        "their average precision, against the DAG of the simulation; probabilities are "
        "clipped to %g. Numbers: <a href=\"posterior-summary.csv\">posterior-summary.csv</a> "
        "(means), <a href=\"posterior-calibration.csv\">posterior-calibration.csv</a> (bins), "
        "<a href=\"posterior.csv\">posterior.csv</a> (every data set).</p>\n",
        dpc_version(), o->reps, o->reps == 1 ? "" : "s", (unsigned long long)o->seed,
        study_ways[0].resamples, STUDY_CLIP);
    write_losses(s, file);
    study_write_figure("posterior-loss", "Log loss", "Means for each true edge; less is better.",
                       NULL, file);
    study_write_figure(
        "posterior-calibration", "Calibration",
        "Of the statements with about the same probability, the share that is true; all "
        "data sets together. On the dashed line probabilities mean what they say.",
        NULL, file);
    fputs("</body>\n</html>\n", file);
    return DPC_OK;
}

/* ---- All ---- */

dpc_status study_show_posterior(const study_shown *s, dpc_error *err)
{
    const study_options *o = s->grid->options;
    DPC_CHECK(study_ask(o, err));
    DPC_CHECK(study_write_file(o->out, "posterior-summary.csv", print_summary, s, err));
    DPC_CHECK(study_write_file(o->out, "posterior-calibration.csv", print_calibration, s, err));
    if (!o->figures)
        return DPC_OK;
    DPC_CHECK(study_draw(o, "posterior-calibration", print_calibration_script, s, err));
    DPC_CHECK(study_draw(o, "posterior-loss", print_loss_script, s, err));
    return study_write_file(o->out, "posterior.html", print_page, s, err);
}

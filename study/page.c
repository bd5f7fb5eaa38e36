/*
 * index.html: every figure with its caption, in the paper's order, those of earlier runs into the
 * same folder too. Plain HTML, no scripts.
 */
#include "study.h"

const char study_page_head[] =
    "<!DOCTYPE html>\n"
    "<html lang=\"en\">\n"
    "<head>\n"
    "<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<title>dualpc study</title>\n"
    "<style>\n"
    "body { font: 16px/1.5 system-ui, sans-serif; color: #222; max-width: 60rem; margin: 2rem "
    "auto; "
    "padding: 0 1rem; }\n"
    "h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 3rem; }\n"
    "nav ol { columns: 2; padding-left: 1.4rem; }\n"
    "figure { margin: 0 0 1rem; } img { width: 100%; height: auto; border: 1px solid #ddd; }\n"
    "figcaption { color: #444; } code { background: #f4f4f4; padding: 0 .25em; }\n"
    "a { color: #0058a3; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; "
    "font-size: .85rem; }\n"
    "th, td { padding: .15rem .4rem; text-align: right; border-bottom: 1px solid #ddd; }\n"
    "td { white-space: nowrap; }\n"
    "th:first-child { text-align: left; }\n"
    "@media (max-width: 40rem) { nav ol { columns: 1; } }\n"
    "</style>\n"
    "</head>\n"
    "<body>\n";

static void write_contents(const study_catalogue *c, const bool *shown, const bool *earlier,
                           FILE *file)
{
    fputs("<nav aria-label=\"Figures\">\n<ol>\n", file);
    for (int f = 0; f < c->n_figures; f++)
        if (shown[f] || earlier[f])
            fprintf(file, "<li><a href=\"#%s\">%s</a></li>\n", c->figures[f].name,
                    c->figures[f].title);
    fputs("</ol>\n</nav>\n", file);
}

void study_write_figure(const char *name, const char *title, const char *caption,
                        const char *command, FILE *file)
{
    fprintf(file,
            "<h2 id=\"%s\">%s</h2>\n"
            "<figure>\n"
            "<img src=\"figures/%s.svg\" alt=\"%s\">\n"
            "<figcaption>%s <a href=\"figures/%s.svg\">SVG</a>, <a "
            "href=\"figures/%s.pdf\">PDF</a>, "
            "<a href=\"figures/%s.gp\">gnuplot script with the data</a>",
            name, title, name, title, caption, name, name, name);
    if (command != NULL)
        fprintf(file, "; <code>dualpc study %s</code>", command);
    fputs(".</figcaption>\n</figure>\n", file);
}

static void write_figure(const study_figure *f, bool earlier, FILE *file)
{
    char caption[sizeof f->caption + 80];
    snprintf(caption, sizeof caption, "%s%s%s", f->caption,
             f->in_paper ? "" : " This figure is not in the paper.",
             earlier ? " Drawn by an earlier run." : "");
    study_write_figure(f->name, f->title, caption, f->name, file);
}

void study_write_page(const study_results *results, const bool *shown, const bool *earlier,
                      FILE *file)
{
    const study_catalogue *c = results->catalogue;
    fputs(study_page_head, file);
    fprintf(
        file,
        "<h1>The simulation study of the dual PC algorithm</h1>\n"
        "<p>Computed by dualpc %s: %d data set%s for each setting, seed %llu. Solid: our runs. "
        "Dashed, in the same colours: the means (in boxes: quartiles and medians) that the authors "
        "of the algorithm published, from 100 data sets of their own, where they published them; "
        "their run times are those of R programs on other machines. Numbers: <a "
        "href=\"summary.csv\">summary.csv</a> (means), <a href=\"results.csv\">results.csv</a> "
        "(every data set).</p>\n",
        dpc_version(), results->reps, results->reps == 1 ? "" : "s",
        (unsigned long long)results->seed);
    write_contents(c, shown, earlier, file);
    for (int f = 0; f < c->n_figures; f++)
        if (shown[f] || earlier[f])
            write_figure(&c->figures[f], earlier[f], file);
    fputs("</body>\n</html>\n", file);
}

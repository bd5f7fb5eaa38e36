/* dualpc study: the paper's simulation study, or one figure of it. */
#include "study.h"
#include "cli.h"
#include "clock.h"

#include <getopt.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

enum {
    OPT_OUT = 256,
    OPT_REPS,
    OPT_THREADS,
    OPT_SEED,
    OPT_LIST,
    OPT_NO_SECONDS,
    OPT_NO_FIGURES,
    OPT_QUIET,
};

static const struct option LONG_OPTIONS[] = {
    {"out", required_argument, NULL, OPT_OUT},
    {"reps", required_argument, NULL, OPT_REPS},
    {"threads", required_argument, NULL, OPT_THREADS},
    {"seed", required_argument, NULL, OPT_SEED},
    {"list", no_argument, NULL, OPT_LIST},
    {"no-seconds", no_argument, NULL, OPT_NO_SECONDS},
    {"no-figures", no_argument, NULL, OPT_NO_FIGURES},
    {"quiet", no_argument, NULL, OPT_QUIET},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static void print_help(FILE *file)
{
    study_options d;
    study_options_default(&d);
    fprintf(
        file,
        "dualpc study NAME|all --out DIR [options]\n"
        "dualpc study --list\n"
        "\n"
        "Simulates the data of one figure of the paper, or of all of them, learns from them by "
        "every\n"
        "method, and draws the figure. Stopped at any moment and started again with the same\n"
        "options, it goes on where it was.\n"
        "\n"
        "  --list          the names of the studies, with their titles\n"
        "  --out DIR       gets results.csv (every data set), summary.csv (means), figures/ (SVG,\n"
        "                  PDF, gnuplot scripts) and index.html, which shows them\n"
        "  --reps R        data sets for each setting [%d]\n"
        "  --seed S        of the random numbers [%llu]\n"
        "  --threads T     never changes the results [all]\n"
        "  --no-seconds    leave the run times out: then two runs write the same bytes\n"
        "  --no-figures    only results.csv and summary.csv; gnuplot is not needed\n"
        "  --quiet         no progress\n"
        "  --help\n",
        d.reps, (unsigned long long)d.seed);
}

static int print_list(void)
{
    study_catalogue c = {0};
    dpc_error err;
    if (study_catalogue_new(&c, &err) != DPC_OK) {
        fprintf(stderr, "dualpc: %s\n", err.message);
        return err.code;
    }
    for (int f = 0; f < c.n_figures; f++)
        printf("%-18s %s\n", c.figures[f].name, c.figures[f].title);
    study_catalogue_free(&c);
    return finish_stdout();
}

/* ---- Progress ---- */

typedef struct ticker {
    bool bar;   /* standard error is a terminal: one line, drawn again */
    bool lines; /* it is not: a line now and then */
    double start, last;
} ticker;

static void print_duration(double seconds)
{
    if (seconds < 90)
        fprintf(stderr, "%.0f s", seconds);
    else if (seconds < 5400)
        fprintf(stderr, "%.0f min", seconds / 60);
    else
        fprintf(stderr, "%.1f h", seconds / 3600);
}

static void draw(ticker *c, double fraction, double now)
{
    double elapsed = now - c->start;
    fprintf(stderr, "%s%3.0f%% done, ", c->bar ? "\r\033[K" : "", 100 * fraction);
    print_duration(elapsed);
    if (fraction > 0.002) {
        fputs(" gone, about ", stderr);
        print_duration(elapsed / fraction * (1 - fraction));
        fputs(" left", stderr);
    }
    fputs(c->bar ? "" : "\n", stderr);
    fflush(stderr);
}

static int on_progress(const dpc_progress *p, void *user)
{
    ticker *c = user;
    double now = dpc_seconds();
    if ((c->bar && now - c->last > 0.2) || (c->lines && now - c->last > 60)) {
        c->last = now;
        draw(c, p->fraction, now);
    }
    return interrupted();
}

/* ---- Options ---- */

typedef struct wishes {
    study_options study;
    bool quiet, list;
} wishes;

static bool take(int code, const char *text, void *into, dpc_error *err)
{
    wishes *w = into;
    study_options *o = &w->study;
    int64_t count = 0;
    switch (code) {
    case OPT_OUT:
        o->out = text;
        return *text != '\0' || wrong(err, "--out needs the name of a folder");
    case OPT_REPS:
        if (!parse_count("--reps", text, 1, 100000, &count, err))
            return false;
        o->reps = (int)count;
        return true;
    case OPT_SEED:
        return parse_seed(text, &o->seed, err);
    case OPT_THREADS:
        return parse_threads(text, &o->threads, err);
    case OPT_NO_SECONDS:
        o->seconds = false;
        return true;
    case OPT_NO_FIGURES:
        o->figures = false;
        return true;
    case OPT_LIST:
        w->list = true;
        return true;
    default:
        w->quiet = true;
        return true;
    }
}

static parsed parse(int argc, char **argv, wishes *w, dpc_error *err)
{
    study_options_default(&w->study);
    parsed seen = parse_options(argc, argv, ":h", LONG_OPTIONS, take, w, err);
    if (seen != PARSED_RUN || w->list)
        return seen;
    if (optind >= argc)
        wrong(err, "no study named; dualpc study --list shows the names, and 'all' is all of them");
    else if (optind + 1 < argc)
        wrong(err, "'%s' is one name too many, after '%s'", argv[optind + 1], argv[optind]);
    else if (w->study.out == NULL)
        wrong(err, "--out DIR is missing: the folder that gets the results");
    else
        w->study.name = argv[optind];
    return w->study.name != NULL ? PARSED_RUN : PARSED_WRONG;
}

static int run(study_options *o, bool quiet)
{
    bool terminal = isatty(STDERR_FILENO) != 0;
    ticker c = {.bar = !quiet && terminal, .lines = !quiet && !terminal, .start = dpc_seconds()};
    dpc_error err = {0};
    c.last = c.start;
    interrupt_watch();
    o->progress = on_progress;
    o->progress_user = &c;
    dpc_status status = study_run_all(o, &err);
    if (c.bar)
        fputs("\r\033[K", stderr);
    if (status != DPC_OK) {
        fprintf(stderr, "dualpc: %s\n", err.message);
    } else if (!quiet) {
        fprintf(stderr, "done in ");
        print_duration(dpc_seconds() - c.start);
        fprintf(stderr, "; see %s/%s\n", o->out, o->figures ? "index.html" : "summary.csv");
    }
    return status;
}

int study_main(int argc, char **argv)
{
    wishes w = {0};
    dpc_error err = {0};
    switch (parse(argc, argv, &w, &err)) {
    case PARSED_HELP:
        print_help(stdout);
        return finish_stdout();
    case PARSED_RUN:
        return w.list ? print_list() : run(&w.study, w.quiet);
    default:
        fprintf(stderr, "dualpc: %s\n", err.message);
        return DPC_USAGE;
    }
}

/* dualpc study: the paper's simulation study, or one figure of it. */
#include "study.h"
#include "cli.h"
#include "platform.h"
#include "status.h"

#include <getopt.h>
#include <stddef.h>
#include <unistd.h>

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
    printf("%-18s %s\n", "posterior", "Probabilities of edges: bootstrap and posterior");
    printf("%-18s %s\n", "latent", "Hidden common causes: PAGs by search, fci and dag");
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
    if (p->stage == DPC_STAGE_WRITE)
        interrupt_patiently(); /* there are files to take away */
    if ((c->bar && now - c->last > 0.2) || (c->lines && now - c->last > 60)) {
        c->last = now;
        draw(c, p->fraction, now);
    }
    return interrupted();
}

/* ---- Options ---- */

typedef struct wishes {
    study_options study;
    bool quiet, list, no_seconds, no_figures;
} wishes;

static dpc_status take_out(const char *text, void *into, dpc_error *err)
{
    ((wishes *)into)->study.out = text;
    return *text != '\0' ? DPC_OK : dpc_fail(err, DPC_USAGE, "--out needs the name of a folder");
}

static const dpc_option_row ROWS[] = {
    {{"list", DPC_OPTION_FLAG, .sentence = "the names of the studies, with their titles"},
     DPC_PLACE(BOOL, wishes, list)},
    {{"out", DPC_OPTION_TEXT, "DIR",
      .sentence = "gets results.csv (every data set), summary.csv (means), figures/ (SVG, PDF, "
                  "gnuplot scripts) and index.html, which shows them"},
     DPC_TYPE_OWN,
     .take = take_out},
    {{"reps", DPC_OPTION_COUNT, "R", .range = "[1,100000]",
      .sentence = "data sets for each setting"},
     DPC_PLACE(INT, wishes, study.reps)},
    {{"seed", DPC_OPTION_COUNT, "S", .sentence = "of the random numbers"},
     DPC_PLACE(UINT64, wishes, study.seed)},
    {{"threads", DPC_OPTION_COUNT, "T", .word = "all", .range = DPC_THREADS_RANGE,
      .sentence = "never changes the results"},
     DPC_PLACE(INT, wishes, study.threads)},
    {{"no-seconds", DPC_OPTION_FLAG,
      .sentence = "leave the run times out: then two runs write the same bytes"},
     DPC_PLACE(BOOL, wishes, no_seconds)},
    {{"no-figures", DPC_OPTION_FLAG,
      .sentence = "only results.csv and summary.csv; gnuplot is not needed"},
     DPC_PLACE(BOOL, wishes, no_figures)},
    {{"quiet", DPC_OPTION_FLAG, .sentence = "no progress"}, DPC_PLACE(BOOL, wishes, quiet)},
};

static command study_command(wishes *w)
{
    *w = (wishes){0};
    study_options_default(&w->study);
    return (command){
        .head = "dualpc study NAME|all --out DIR [options]\n"
                "dualpc study --list\n"
                "\n"
                "Simulates the data of one figure of the paper, or of all of them, learns from "
                "them by\n"
                "every method, and draws the figure. Six more are not in 'all': 'refine' (SHD "
                "and time of\n"
                "refined graphs), 'aid' (wrong effects against wrong edges), 'critics' (SHD on "
                "data of\n"
                "other designs and structures, with their R2-sortability), 'beyond-gaussian' "
                "(data with\n"
                "categories, ordered levels and curved relations), 'posterior' (the "
                "probabilities of edges,\n"
                "by a bootstrap and by sampling; posterior-20, -50 or -100 for one number of "
                "nodes) and\n"
                "'latent' (PAGs of data with hidden common causes; latent-few50 and the like "
                "for one of\n"
                "its settings).\n"
                "Stopped at any moment and started again with the same options, it goes on where "
                "it was.\n",
        .tail = "",
        .n_groups = 1,
        .groups = {{.rows = ROWS, .count = sizeof ROWS / sizeof *ROWS, .into = w}},
    };
}

static parsed parse(int argc, char **argv, wishes *w, dpc_error *err)
{
    command c = study_command(w);
    parsed seen = parse_options(argc, argv, &c, err);
    if (seen != PARSED_RUN || w->list)
        return seen;
    if (optind >= argc)
        dpc_fail(err, DPC_USAGE,
                 "no study named; dualpc study --list shows the names, and 'all' is the whole "
                 "study of the paper");
    else if (optind + 1 < argc)
        dpc_fail(err, DPC_USAGE, "'%s' is one name too many, after '%s'", argv[optind + 1],
                 argv[optind]);
    else if (w->study.out == NULL)
        dpc_fail(err, DPC_USAGE, "--out DIR is missing: the folder that gets the results");
    else
        w->study.name = argv[optind];
    w->study.seconds = !w->no_seconds;
    w->study.figures = !w->no_figures;
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
    o->ranks = program_library_ranks();
    if (o->ranks != NULL)
        interrupt_says("dualpc: interrupted; the same command goes on where this one "
                       "stopped\n" ENDED_FROM_OUTSIDE);
    dpc_status status = reserve_blas_memory(&o->threads, &err);
    if (status == DPC_OK)
        status = study_run_all(o, &err);
    if (c.bar)
        fputs("\r\033[K", stderr);
    if (status != DPC_OK) {
        fprintf(stderr, "dualpc: %s\n", err.message);
    } else if (!quiet) {
        fprintf(stderr, "done in ");
        print_duration(dpc_seconds() - c.start);
        fprintf(stderr, "; see %s/%s\n", o->out, study_first_file(o));
    }
    return status;
}

command study_table(void)
{
    wishes ignored;
    command c = study_command(&ignored);
    c.groups[0].into = NULL;
    return c;
}

int study_main(int argc, char **argv)
{
    wishes w, defaults;
    dpc_error err = {0};
    command help = study_command(&defaults);
    parsed seen = parse(argc, argv, &w, &err);
    if (seen != PARSED_RUN)
        return answer(seen, &help, &err);
    return w.list ? print_list() : run(&w.study, w.quiet);
}

/* dualpc simulate: a random network, data drawn from it, and the graphs that are to be found. */
#include "simulate.h"
#include "cli.h"
#include "decimal.h"
#include "save.h"
#include "sortability.h"
#include "status.h"

#include <getopt.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct simulate_options {
    dpc_simulation simulation;
    dpc_saved_files files;
    bool quiet;
} simulate_options;

/* ---- The options ---- */

static dpc_status read_number(const char *shown, const char *text, double *out, dpc_error *err)
{
    if (dpc_decimal_read(text, out))
        return DPC_OK;
    return dpc_fail(err, DPC_USAGE, "%s needs a number, not '%s'", shown, text);
}

static dpc_status take_noise(const char *text, void *into, dpc_error *err)
{
    dpc_noise noise = {.degrees = INFINITY, .exponential = strcmp(text, "exponential") == 0};
    if (strncmp(text, "t:", 2) == 0) {
        DPC_CHECK(read_number("--noise t:NU", text + 2, &noise.degrees, err));
        if (!(noise.degrees > 0))
            return dpc_fail(err, DPC_USAGE,
                            "--noise t:NU needs more than 0 degrees of freedom, not %s", text + 2);
    } else if (!noise.exponential && strcmp(text, "gaussian") != 0)
        return dpc_fail(err, DPC_USAGE, "--noise must be gaussian, t:NU or exponential, not '%s'",
                        text);
    ((simulate_options *)into)->simulation.noise = noise;
    return DPC_OK;
}

static void print_noise(const void *from, char text[DPC_OPTION_SIZE])
{
    dpc_noise noise = ((const simulate_options *)from)->simulation.noise;
    if (noise.exponential || isinf(noise.degrees))
        snprintf(text, DPC_OPTION_SIZE, noise.exponential ? "exponential" : "gaussian");
    else
        snprintf(text, DPC_OPTION_SIZE, "t:%g", noise.degrees);
}

/* LO,HI of the option with this name. */
static dpc_status read_interval(const char *name, const char *text, double *low, double *high,
                                dpc_error *err)
{
    char first[64], shown[DPC_SHOWN_SIZE];
    const char *comma = strchr(text, ',');
    if (comma == NULL || (size_t)(comma - text) >= sizeof first)
        return dpc_fail(err, DPC_USAGE, "%s needs two numbers LO,HI, not '%s'", name, text);
    snprintf(first, sizeof first, "%.*s", (int)(comma - text), text);
    snprintf(shown, sizeof shown, "%s LO,HI", name);
    DPC_CHECK(read_number(shown, first, low, err));
    DPC_CHECK(read_number(shown, comma + 1, high, err));
    if (*low > *high)
        return dpc_fail(err, DPC_USAGE, "%s must have the smaller number first, not %s", name,
                        text);
    return DPC_OK;
}

static dpc_status take_weights(const char *text, void *into, dpc_error *err)
{
    dpc_dag_model *model = &((simulate_options *)into)->simulation.model;
    return read_interval("--weights", text, &model->weight_low, &model->weight_high, err);
}

static void print_weights(const void *from, char text[DPC_OPTION_SIZE])
{
    const dpc_dag_model *model = &((const simulate_options *)from)->simulation.model;
    snprintf(text, DPC_OPTION_SIZE, "%g,%g", model->weight_low, model->weight_high);
}

static dpc_status take_variances(const char *text, void *into, dpc_error *err)
{
    dpc_simulation *s = &((simulate_options *)into)->simulation;
    DPC_CHECK(read_interval("--variances", text, &s->variance_low, &s->variance_high, err));
    if (!(s->variance_low > 0))
        return dpc_fail(err, DPC_USAGE, "--variances must be above 0, not %s", text);
    return DPC_OK;
}

static void print_variances(const void *from, char text[DPC_OPTION_SIZE])
{
    const dpc_simulation *s = &((const simulate_options *)from)->simulation;
    snprintf(text, DPC_OPTION_SIZE, "%g,%g", s->variance_low, s->variance_high);
}

static const dpc_option_row ROWS[] = {
    {{"nodes", DPC_OPTION_COUNT, "n", .range = "[1,2147483647]",
      .sentence = "number of variables, V1, V2, ..."},
     DPC_PLACE(INT, simulate_options, simulation.model.n),
     .absent = "must be given"},
    {{"samples", DPC_OPTION_COUNT, "N", .range = "[2,9000000000000000]",
      .sentence = "number of observations, 2 or more"},
     DPC_PLACE(INT64, simulate_options, simulation.n_obs),
     .absent = "must be given"},
    {{"parents", DPC_OPTION_NUMBER, "d", .range = "[0,inf)",
      .sentence = "expected number of parents of a node, at most (n-1)/2; with --structure er each "
                  "pair is an edge with probability 2d/(n-1)"},
     DPC_PLACE(DOUBLE, simulate_options, simulation.model.parents)},
    {{"seed", DPC_OPTION_COUNT, "S", .sentence = "a whole number from 0 to 2^64-1"},
     DPC_PLACE(UINT64, simulate_options, simulation.seed)},
    {{"structure", DPC_OPTION_WORD, .words = dpc_structure_words,
      .sentence = "shape of the DAG: all pairs equally likely (er); hubs that are effects "
                  "(scale-free-in) or causes (scale-free-out); a rewired ring (small-world); a "
                  "third causes, the rest effects (bipartite); four nodes joined to a quarter of "
                  "the others (hubs); each node causes the next one (chain)"},
     DPC_PLACE(ENUM, simulate_options, simulation.model.structure)},
    {{"design", DPC_OPTION_WORD, .words = dpc_design_words,
      .sentence = "scm: weights and noise as drawn; internal: each variable is divided by its "
                  "standard deviation before its children are made; onion: uniform over the "
                  "correlation matrices of the DAG, without --weights, --signs and --variances"},
     DPC_PLACE(ENUM, simulate_options, simulation.design)},
    {{"noise", DPC_OPTION_TEXT, "gaussian|t:NU|exponential",
      .sentence = "N(0,1), Student's t with NU > 0 degrees of freedom, or the exponential "
                  "distribution minus its mean"},
     DPC_TYPE_OWN,
     .take = take_noise,
     .print = print_noise},
    {{"tanh", DPC_OPTION_NUMBER, "LAMBDA", .range = "[0,inf)",
      .sentence = "then tanh(LAMBDA (Y + e_j)), e_j ~ N(0,1), one for each variable, and "
                  "standardise again; 0: not"},
     DPC_PLACE(DOUBLE, simulate_options, simulation.tanh_lambda)},
    {{"weights", DPC_OPTION_TEXT, "LO,HI", .sentence = "the weights are uniform on (LO, HI)"},
     DPC_TYPE_OWN,
     .take = take_weights,
     .print = print_weights},
    {{"signs", DPC_OPTION_WORD, .words = dpc_signs_words,
      .sentence = "positive: the weights as drawn; mixed: each is negated with probability 1/2"},
     DPC_PLACE(ENUM, simulate_options, simulation.signs)},
    {{"variances", DPC_OPTION_TEXT, "LO,HI",
      .sentence =
          "the noise of each variable is multiplied by the root of a number that is uniform "
          "on (LO, HI)"},
     DPC_TYPE_OWN,
     .take = take_variances,
     .print = print_variances},
    {{"mixed", DPC_OPTION_NUMBER, "SHARE", .range = "[0,1]",
      .sentence = "share of the variables that are nominal, with levels a, b, ...: a conditional "
                  "Gaussian network. Softmax given their parents; they shift their children"},
     DPC_PLACE(DOUBLE, simulate_options, simulation.kinds.mixed)},
    {{"ordinal", DPC_OPTION_NUMBER, "SHARE", .range = "[0,1]",
      .sentence = "share of the other variables that are cut into ordered levels 0, 1, ... at "
                  "random thresholds, at the end; no level has less than 5 % of the rows"},
     DPC_PLACE(DOUBLE, simulate_options, simulation.kinds.ordinal)},
    {{"curved", DPC_OPTION_NUMBER, "SHARE", .range = "[0,1]",
      .sentence = "share of the edges between numbers that are curved: quadratic, tanh or sin, "
                  "scaled to explain as much as a linear edge"},
     DPC_PLACE(DOUBLE, simulate_options, simulation.kinds.curved)},
    {{"levels", DPC_OPTION_COUNT, "K", .range = "[2,10]",
      .sentence = "nominal and ordered variables have 2 to K levels"},
     DPC_PLACE(INT, simulate_options, simulation.kinds.levels),
     .absent = "4 nominal, 5 ordered"},
    {{"hidden", DPC_OPTION_NUMBER, "SHARE", .range = "[0,1)",
      .sentence = "share of the variables that are not written to the data: hidden causes, drawn "
                  "among those with two effects or more"},
     DPC_PLACE(DOUBLE, simulate_options, simulation.hidden)},
    {{"output", DPC_OPTION_TEXT, "FILE", .sentence = "the data: .csv or .tsv, or .csv.gz, .tsv.gz"},
     DPC_PLACE(TEXT, simulate_options, files.data),
     .letter = 'o',
     .absent = "standard output, as CSV"},
    {{"dag", DPC_OPTION_TEXT, "FILE",
      .sentence = "the DAG, in a format of dualpc learn -o: .csv, .txt, .dot or .json"},
     DPC_PLACE(TEXT, simulate_options, files.dag),
     .absent = "not written"},
    {{"cpdag", DPC_OPTION_TEXT, "FILE",
      .sentence = "the CPDAG of its equivalence class, which is what there is to learn"},
     DPC_PLACE(TEXT, simulate_options, files.cpdag),
     .absent = "not written"},
    {{"pattern", DPC_OPTION_TEXT, "FILE", .sentence = "that with its v-structures directed only"},
     DPC_PLACE(TEXT, simulate_options, files.pattern),
     .absent = "not written"},
    {{"skeleton", DPC_OPTION_TEXT, "FILE", .sentence = "that with nothing directed"},
     DPC_PLACE(TEXT, simulate_options, files.skeleton),
     .absent = "not written"},
    {{"pag", DPC_OPTION_TEXT, "FILE",
      .sentence = "the PAG of the variables that are not hidden, which is what there is to learn "
                  "with --hidden: .pag.csv, .txt, .dot or .json"},
     DPC_PLACE(TEXT, simulate_options, files.pag),
     .absent = "not written"},
    {{"quiet", DPC_OPTION_FLAG, .sentence = "no sortability, no warnings"},
     DPC_PLACE(BOOL, simulate_options, quiet)},
};

static command simulate_command(simulate_options *o)
{
    *o = (simulate_options){.files.fd = STDOUT_FILENO};
    dpc_simulation_default(&o->simulation);
    return (command){
        .head = "dualpc simulate --nodes n --samples N [options]\n"
                "\n"
                "Draws a random DAG and data from it: Y_j = sum of w_ij Y_i over the parents i, "
                "plus\n"
                "noise, standardised. Writes the data to standard output, or to files, and prints "
                "their\n"
                "R2-sortability to standard error: the share of the pairs of a cause and an effect "
                "in\n"
                "which the other variables explain less of the cause. 0.5 is chance; 1 means that "
                "the\n"
                "order of the variables could be read off.\n",
        .tail = "\n"
                "The edges depend on the seed, --nodes, --parents and --structure only.\n"
                "Exit codes: 0 done, 1 wrong usage, 3 could not write, 4 out of memory,\n"
                "130 interrupted.\n",
        .version = true,
        .n_groups = 1,
        .groups = {{.rows = ROWS, .count = sizeof ROWS / sizeof *ROWS, .into = o}},
    };
}

/* The onion has its own weights and noise. */
static void warn_of_unused(const command *c)
{
    static const char *const UNUSED[] = {"weights", "signs", "variances"};
    for (size_t i = 0; i < sizeof UNUSED / sizeof *UNUSED; i++)
        if (was_given(c, UNUSED[i]))
            fprintf(stderr, "dualpc: warning: --%s has no effect with --design onion\n", UNUSED[i]);
}

/* What is to be learned of some variables is no CPDAG. */
static dpc_status check_hidden(const simulate_options *o, dpc_error *err)
{
    const dpc_saved_files *f = &o->files;
    const char *graph = f->cpdag != NULL      ? "cpdag"
                        : f->pattern != NULL  ? "pattern"
                        : f->skeleton != NULL ? "skeleton"
                                              : NULL;
    if (o->simulation.hidden == 0 || graph == NULL)
        return DPC_OK;
    return dpc_fail(err, DPC_USAGE,
                    "--%s is over all variables, and --hidden leaves some out of the data; take "
                    "--pag for what there is to learn, or --dag for the whole network",
                    graph);
}

/* What the options together must make sense of. */
static dpc_status check(simulate_options *o, const command *c, dpc_error *err)
{
    dpc_dag_model *model = &o->simulation.model;
    bool parents_given = was_given(c, "parents");
    if (model->n == 0)
        return dpc_fail(err, DPC_USAGE,
                        "--nodes is missing; say how many variables there are to be");
    if (o->simulation.n_obs == 0)
        return dpc_fail(err, DPC_USAGE,
                        "--samples is missing; say how many observations there are to be");
    double most = dpc_most_parents(model->structure, model->n);
    if (!parents_given && model->parents > most)
        model->parents = most; /* the default suits all numbers of nodes */
    if (model->parents > most)
        return dpc_fail(err, DPC_USAGE, "--parents must be at most %.10g with --nodes %d%s, not %g",
                        most, model->n,
                        model->structure == DPC_BIPARTITE ? " and --structure bipartite" : "",
                        model->parents);
    const dpc_kinds_model *kinds = &o->simulation.kinds;
    if (kinds->levels != 0 && kinds->mixed == 0 && kinds->ordinal == 0)
        return dpc_fail(err, DPC_USAGE, "--levels needs --mixed or --ordinal above 0");
    DPC_CHECK(dpc_simulation_check(&o->simulation, err));
    DPC_CHECK(check_hidden(o, err));
    if (o->simulation.design == DPC_ONION && !o->quiet)
        warn_of_unused(c);
    return DPC_OK;
}

static parsed parse(int argc, char **argv, simulate_options *o, dpc_error *err)
{
    command c = simulate_command(o);
    parsed seen = parse_options(argc, argv, &c, err);
    if (seen != PARSED_RUN)
        return seen;
    dpc_status status =
        optind < argc ? dpc_fail(err, DPC_USAGE,
                                 "'%s' is not an option of simulate; see dualpc simulate --help",
                                 argv[optind])
                      : check(o, &c, err);
    return status == DPC_OK ? PARSED_RUN : PARSED_WRONG;
}

/* ---- The work ---- */

/* A dpc_progress_fn. */
static int ask_interrupt(const dpc_progress *progress, void *user)
{
    (void)progress, (void)user;
    return interrupted();
}

static const char *why_no_sortability(const dpc_dag *dag, int64_t n_obs)
{
    if (dag->kinds != NULL)
        return "there are nominal or ordered variables";
    if (dag->start[dag->n] == 0)
        return "there are no edges";
    if (dag->n > DPC_SORTABLE)
        return "it is not computed for more than 2000 variables";
    return n_obs <= dag->n ? "there are not more rows than variables"
                           : "the correlation matrix has no inverse";
}

static void print_sortability(const dpc_dag *dag, int64_t n_obs, double sortability)
{
    if (isnan(sortability))
        fprintf(stderr, "sortability NaN (%s)\n", why_no_sortability(dag, n_obs));
    else
        fprintf(stderr, "sortability %.4g\n", sortability);
}

/* Ctrl-C ends the drawing by the timer of interrupt.c: there is nothing to take away then. */
static dpc_status simulate(const simulate_options *o, dpc_error *err)
{
    dpc_dag *dag = NULL;
    dpc_table *table = NULL;
    bool *hidden = NULL;
    double sortability = NAN;
    dpc_settings settings;
    dpc_settings_default(&settings);
    settings.progress = ask_interrupt;
    interrupt_watch();
    dpc_status status = dpc_save_check(&o->files, err);
    int one = 1; /* thread: for the sortability, and the factors of onion */
    if (status == DPC_OK && (!o->quiet || o->simulation.design == DPC_ONION))
        status = reserve_blas_memory(&one, err);
    if (status == DPC_OK)
        status = dpc_simulate(&o->simulation, &dag, &table, err);
    if (status == DPC_OK)
        status = dpc_simulate_hidden(&o->simulation, dag, &hidden, err);
    if (status == DPC_OK && !o->quiet)
        status = dpc_sortability(dag, table, &sortability, err);
    if (status == DPC_OK) {
        interrupt_defer(true);
        status = dpc_save(dag, table, hidden, &o->files, &settings, err);
        interrupt_defer(false);
    }
    if (status == DPC_OK && !o->quiet)
        print_sortability(dag, o->simulation.n_obs, sortability);
    dpc_dag_free(dag);
    dpc_table_free(table);
    free(hidden);
    return status;
}

command simulate_table(void)
{
    simulate_options ignored;
    command c = simulate_command(&ignored);
    c.groups[0].into = NULL;
    return c;
}

int simulate_main(int argc, char **argv)
{
    simulate_options o, defaults;
    dpc_error err = {0};
    command help = simulate_command(&defaults);
    parsed seen = parse(argc, argv, &o, &err);
    if (seen != PARSED_RUN)
        return answer(seen, &help, &err);
    dpc_status status = simulate(&o, &err);
    const dpc_saved_files *f = &o.files;
    bool files = f->data || f->dag || f->cpdag || f->pattern || f->skeleton || f->pag;
    if (status != DPC_OK && (files || !is_closed_pipe(status)))
        fprintf(stderr, "dualpc: %s\n", err.message);
    return status;
}

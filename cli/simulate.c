/* dualpc simulate: a random network, data drawn from it, and the graphs that are to be found. */
#include "simulate.h"
#include "cli.h"
#include "decimal.h"
#include "save.h"
#include "status.h"

#include <getopt.h>
#include <math.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

typedef struct simulate_options {
    dpc_simulation simulation;
    dpc_saved_files files;
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
    dpc_noise *noise = &((simulate_options *)into)->simulation.noise;
    double degrees = INFINITY;
    if (strcmp(text, "gaussian") != 0) {
        if (strncmp(text, "t:", 2) != 0)
            return dpc_fail(err, DPC_USAGE, "--noise must be gaussian or t:NU, not '%s'", text);
        dpc_status status = read_number("--noise t:NU", text + 2, &degrees, err);
        if (status != DPC_OK)
            return status;
    }
    if (!(degrees > 0))
        return dpc_fail(err, DPC_USAGE, "--noise t:NU needs more than 0 degrees of freedom, not %s",
                        text + 2);
    noise->degrees = degrees;
    return DPC_OK;
}

static void print_noise(const void *from, char text[DPC_OPTION_SIZE])
{
    double degrees = ((const simulate_options *)from)->simulation.noise.degrees;
    if (isinf(degrees))
        snprintf(text, DPC_OPTION_SIZE, "gaussian");
    else
        snprintf(text, DPC_OPTION_SIZE, "t:%g", degrees);
}

static dpc_status take_weights(const char *text, void *into, dpc_error *err)
{
    dpc_dag_model *model = &((simulate_options *)into)->simulation.model;
    char low[64];
    const char *comma = strchr(text, ',');
    if (comma == NULL || (size_t)(comma - text) >= sizeof low)
        return dpc_fail(err, DPC_USAGE, "--weights needs two numbers LO,HI, not '%s'", text);
    memcpy(low, text, (size_t)(comma - text));
    low[comma - text] = '\0';
    DPC_CHECK(read_number("--weights LO,HI", low, &model->weight_low, err));
    DPC_CHECK(read_number("--weights LO,HI", comma + 1, &model->weight_high, err));
    if (model->weight_low > model->weight_high)
        DPC_CHECK(
            dpc_fail(err, DPC_USAGE, "--weights must have the smaller number first, not %s", text));
    return DPC_OK;
}

static void print_weights(const void *from, char text[DPC_OPTION_SIZE])
{
    const dpc_dag_model *model = &((const simulate_options *)from)->simulation.model;
    snprintf(text, DPC_OPTION_SIZE, "%g,%g", model->weight_low, model->weight_high);
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
      .sentence = "expected number of parents of a node, at most (n-1)/2; each pair is an edge "
                  "with probability 2d/(n-1)"},
     DPC_PLACE(DOUBLE, simulate_options, simulation.model.parents)},
    {{"seed", DPC_OPTION_COUNT, "S", .sentence = "a whole number from 0 to 2^64-1"},
     DPC_PLACE(UINT64, simulate_options, simulation.seed)},
    {{"noise", DPC_OPTION_TEXT, "gaussian|t:NU",
      .sentence = "N(0,1), or Student's t with NU > 0 degrees of freedom"},
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
                "noise, standardised. Writes the data to standard output, or to files.\n",
        .tail = "\n"
                "The DAG depends on the seed, --nodes, --parents and --weights only.\n"
                "Exit codes: 0 done, 1 wrong usage, 3 could not write, 4 out of memory,\n"
                "130 interrupted.\n",
        .version = true,
        .n_groups = 1,
        .groups = {{.rows = ROWS, .count = sizeof ROWS / sizeof *ROWS, .into = o}},
    };
}

/* What the options together must make sense of. */
static dpc_status check(simulate_options *o, bool parents_given, dpc_error *err)
{
    dpc_dag_model *model = &o->simulation.model;
    if (model->n == 0)
        return dpc_fail(err, DPC_USAGE,
                        "--nodes is missing; say how many variables there are to be");
    if (o->simulation.n_obs == 0)
        return dpc_fail(err, DPC_USAGE,
                        "--samples is missing; say how many observations there are to be");
    double most = dpc_most_parents(model->n);
    if (!parents_given && model->parents > most)
        model->parents = most; /* the default suits all numbers of nodes */
    if (model->parents > most)
        return dpc_fail(err, DPC_USAGE, "--parents must be at most %.10g with --nodes %d, not %g",
                        most, model->n, model->parents);
    return dpc_simulation_check(&o->simulation, err);
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
                      : check(o, was_given(&c, "parents"), err);
    return status == DPC_OK ? PARSED_RUN : PARSED_WRONG;
}

/* ---- The work ---- */

/* A dpc_progress_fn. */
static int ask_interrupt(const dpc_progress *progress, void *user)
{
    (void)progress, (void)user;
    return interrupted();
}

/* Ctrl-C ends the drawing by the timer of interrupt.c: there is nothing to take away then. */
static dpc_status simulate(const simulate_options *o, dpc_error *err)
{
    dpc_dag *dag = NULL;
    dpc_table *table = NULL;
    dpc_settings settings;
    dpc_settings_default(&settings);
    settings.progress = ask_interrupt;
    interrupt_watch();
    dpc_status status = dpc_save_check(&o->files, err);
    if (status == DPC_OK)
        status = dpc_simulate(&o->simulation, &dag, &table, err);
    if (status == DPC_OK) {
        interrupt_defer(true);
        status = dpc_save(dag, table, &o->files, &settings, err);
        interrupt_defer(false);
    }
    dpc_dag_free(dag);
    dpc_table_free(table);
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
    bool files = f->data || f->dag || f->cpdag || f->pattern || f->skeleton;
    if (status != DPC_OK && (files || !is_closed_pipe(status)))
        fprintf(stderr, "dualpc: %s\n", err.message);
    return status;
}

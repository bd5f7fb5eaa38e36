/* dualpc simulate: a random network, data drawn from it, and the graphs that are to be found. */
#include "simulate.h"
#include "cli.h"
#include "save.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct simulate_options {
    dpc_simulation simulation;
    dpc_saved_files files;
    bool parents_given;
} simulate_options;

enum {
    OPT_NODES = 256,
    OPT_PARENTS,
    OPT_SAMPLES,
    OPT_SEED,
    OPT_NOISE,
    OPT_TANH,
    OPT_WEIGHTS,
    OPT_DAG,
    OPT_CPDAG,
    OPT_PATTERN,
    OPT_SKELETON,
    OPT_THREADS,
    OPT_QUIET,
};

static const struct option LONG_OPTIONS[] = {
    {"nodes", required_argument, NULL, OPT_NODES},
    {"parents", required_argument, NULL, OPT_PARENTS},
    {"samples", required_argument, NULL, OPT_SAMPLES},
    {"seed", required_argument, NULL, OPT_SEED},
    {"noise", required_argument, NULL, OPT_NOISE},
    {"tanh", required_argument, NULL, OPT_TANH},
    {"weights", required_argument, NULL, OPT_WEIGHTS},
    {"output", required_argument, NULL, 'o'},
    {"dag", required_argument, NULL, OPT_DAG},
    {"cpdag", required_argument, NULL, OPT_CPDAG},
    {"pattern", required_argument, NULL, OPT_PATTERN},
    {"skeleton", required_argument, NULL, OPT_SKELETON},
    {"threads", required_argument, NULL, OPT_THREADS},
    {"quiet", no_argument, NULL, OPT_QUIET},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

static void print_simulate_help(FILE *file)
{
    dpc_simulation d;
    dpc_simulation_default(&d);
    fprintf(file,
            "dualpc simulate --nodes n --samples N [options]\n"
            "\n"
            "Draws a random DAG and data from it: Y_j = sum of w_ij Y_i over the parents i, plus\n"
            "noise, standardised. Writes the data to standard output, or to files.\n"
            "\n"
            "  --nodes n                number of variables, V1, V2, ... [must be given]\n"
            "  --samples N              number of observations, 2 or more [must be given]\n"
            "  --parents d              expected number of parents of a node, at most (n-1)/2;\n"
            "                           each pair is an edge with probability 2d/(n-1) [%g]\n"
            "  --seed S                 a whole number from 0 to 2^64-1 [%llu]\n"
            "  --noise gaussian|t:NU    N(0,1), or Student's t with NU > 0 degrees of freedom\n"
            "                           [gaussian]\n"
            "  --tanh LAMBDA            then tanh(LAMBDA (Y + e_j)), e_j ~ N(0,1), one for each\n"
            "                           variable, and standardise again; 0: not [%g]\n"
            "  --weights LO,HI          the weights are uniform on (LO, HI) [%g,%g]\n"
            "  -o, --output FILE        the data: .csv or .tsv, or .csv.gz, .tsv.gz [standard\n"
            "                           output, as CSV]\n"
            "  --dag FILE               the DAG, in a format of dualpc learn -o: .csv, .txt,\n"
            "                           .dot or .json [not written]\n"
            "  --cpdag FILE             the CPDAG of its equivalence class, which is what there\n"
            "  --pattern FILE           is to learn; that with its v-structures directed only;\n"
            "  --skeleton FILE          that with nothing directed [not written]\n"
            "  --threads T              accepted; one thread draws, and the bytes are the same\n"
            "  --quiet                  accepted; there is no progress and no summary\n"
            "  --help, --version\n"
            "\n"
            "The DAG depends on the seed, --nodes, --parents and --weights only.\n"
            "Exit codes: 0 done, 1 wrong usage, 3 could not write, 4 out of memory,\n"
            "130 interrupted.\n",
            d.model.parents, (unsigned long long)d.seed, d.tanh_lambda, d.model.weight_low,
            d.model.weight_high);
}

/* ---- The options ---- */

static bool parse_noise(const char *text, dpc_noise *out, dpc_error *err)
{
    double degrees;
    if (strcmp(text, "gaussian") == 0) {
        out->degrees = INFINITY;
        return true;
    }
    if (strncmp(text, "t:", 2) != 0)
        return wrong(err, "--noise must be gaussian or t:NU, not '%s'", text);
    if (!parse_number("--noise t:NU", text + 2, &degrees, err))
        return false;
    if (!(degrees > 0))
        return wrong(err, "--noise t:NU needs more than 0 degrees of freedom, not %s", text + 2);
    out->degrees = degrees;
    return true;
}

static bool parse_weights(const char *text, dpc_dag_model *model, dpc_error *err)
{
    char low[64];
    const char *comma = strchr(text, ',');
    if (comma == NULL || (size_t)(comma - text) >= sizeof low)
        return wrong(err, "--weights needs two numbers LO,HI, not '%s'", text);
    memcpy(low, text, (size_t)(comma - text));
    low[comma - text] = '\0';
    if (!parse_number("--weights LO,HI", low, &model->weight_low, err) ||
        !parse_number("--weights LO,HI", comma + 1, &model->weight_high, err))
        return false;
    if (model->weight_low > model->weight_high)
        return wrong(err, "--weights must have the smaller number first, not %s", text);
    return true;
}

static bool parse_at_least_0(const char *option, const char *text, double *out, dpc_error *err)
{
    if (!parse_number(option, text, out, err))
        return false;
    if (*out < 0)
        return wrong(err, "%s must be 0 or more, not %s", option, text);
    return true;
}

static bool parse_nodes(const char *text, int *out, dpc_error *err)
{
    int64_t count;
    if (!parse_count("--nodes", text, 1, INT_MAX, &count, err))
        return false;
    *out = (int)count;
    return true;
}

/* The same option twice would leave a file out. */
static bool parse_path(const char *option, const char *text, const char **out, dpc_error *err)
{
    if (*out != NULL)
        return wrong(err, "%s is given twice, as '%s' and '%s'", option, *out, text);
    *out = text;
    return true;
}

static bool take(int code, const char *text, void *into, dpc_error *err)
{
    simulate_options *o = into;
    dpc_simulation *s = &o->simulation;
    int threads;
    switch (code) {
    case OPT_NODES:
        return parse_nodes(text, &s->model.n, err);
    case OPT_PARENTS:
        o->parents_given = true;
        return parse_at_least_0("--parents", text, &s->model.parents, err);
    case OPT_SAMPLES:
        return parse_count("--samples", text, 2, INT64_C(9000000000000000), &s->n_obs, err);
    case OPT_SEED:
        return parse_seed(text, &s->seed, err);
    case OPT_NOISE:
        return parse_noise(text, &s->noise, err);
    case OPT_TANH:
        return parse_at_least_0("--tanh", text, &s->tanh_lambda, err);
    case OPT_WEIGHTS:
        return parse_weights(text, &s->model, err);
    case 'o':
        return parse_path("-o", text, &o->files.data, err);
    case OPT_DAG:
        return parse_path("--dag", text, &o->files.dag, err);
    case OPT_CPDAG:
        return parse_path("--cpdag", text, &o->files.cpdag, err);
    case OPT_PATTERN:
        return parse_path("--pattern", text, &o->files.pattern, err);
    case OPT_SKELETON:
        return parse_path("--skeleton", text, &o->files.skeleton, err);
    case OPT_THREADS:
        return parse_threads(text, &threads, err);
    case OPT_QUIET:
        return true;
    default:
        return wrong(err, "unknown option; see dualpc simulate --help");
    }
}

/* What the options together must make sense of. */
static bool check(simulate_options *o, dpc_error *err)
{
    dpc_dag_model *model = &o->simulation.model;
    if (model->n == 0)
        return wrong(err, "--nodes is missing; say how many variables there are to be");
    if (o->simulation.n_obs == 0)
        return wrong(err, "--samples is missing; say how many observations there are to be");
    double most = dpc_most_parents(model->n);
    if (!o->parents_given && model->parents > most)
        model->parents = most; /* the default suits all numbers of nodes */
    if (model->parents > most)
        return wrong(err, "--parents must be at most %.10g with --nodes %d, not %g", most, model->n,
                     model->parents);
    return dpc_simulation_check(&o->simulation, err) == DPC_OK;
}

static parsed parse(int argc, char **argv, simulate_options *o, dpc_error *err)
{
    *o = (simulate_options){.files.fd = STDOUT_FILENO};
    dpc_simulation_default(&o->simulation);
    parsed seen = parse_options(argc, argv, ":o:hV", LONG_OPTIONS, take, o, err);
    if (seen != PARSED_RUN)
        return seen;
    if (optind < argc) {
        wrong(err, "'%s' is not an option of simulate; see dualpc simulate --help", argv[optind]);
        return PARSED_WRONG;
    }
    return check(o, err) ? PARSED_RUN : PARSED_WRONG;
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

int simulate_main(int argc, char **argv)
{
    simulate_options o;
    dpc_error err = {0};
    dpc_status status = DPC_USAGE;
    switch (parse(argc, argv, &o, &err)) {
    case PARSED_HELP:
        print_simulate_help(stdout);
        return finish_stdout();
    case PARSED_VERSION:
        puts("dualpc " DPC_VERSION);
        return finish_stdout();
    case PARSED_WRONG:
        break;
    case PARSED_RUN:
        status = simulate(&o, &err);
        break;
    }
    if (status != DPC_OK)
        fprintf(stderr, "dualpc: %s\n", err.message);
    return status;
}

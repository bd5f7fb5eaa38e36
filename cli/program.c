/* The command line program: finds the subcommand; everything else is in its file. */
#include "cli.h"
#include "text.h"

#include <string.h>
#include <unistd.h>

/*
 * OpenBLAS has threads of its own; ours call it, and two crews would be in each other's way. It
 * starts them when it is loaded, and where memory or threads are limited that alone ends the
 * program, or never ends. Before, it asks this function of its own for what OPENBLAS_NUM_THREADS
 * says; the linker lets the program's one answer. Where it does not, they are sent away later.
 */
__attribute__((weak)) void openblas_set_num_threads(int threads);
__attribute__((weak, visibility("default"))) int openblas_num_threads_env(void);

int openblas_num_threads_env(void)
{
    return 1;
}

static void print_overview(FILE *file)
{
    fputs("dualpc " DPC_VERSION ": the structure of Gaussian Bayesian networks, by the dual PC "
          "algorithm\n"
          "\n"
          "  dualpc learn DATA [options]      learn a graph from a table; dualpc DATA is the same\n"
          "  dualpc sample DATA [options]     how probable each edge is: draw graphs from their "
          "posterior\n"
          "  dualpc simulate [options]        a random network, and data drawn from it\n"
          "  dualpc compare ESTIMATE TRUTH    how far one graph is from another\n"
          "  dualpc effects DATA              what happens to one variable if another is changed\n"
          "  dualpc adjust GRAPH X Y          what to adjust for, for the effect of X on Y\n"
          "  dualpc separate GRAPH X Y        does the graph say that X and Y are independent?\n"
          "  dualpc convert IN OUT            a graph from one format into another\n"
          "  dualpc view FILE                 a report, or a graph, in the browser\n"
          "  dualpc study NAME --out DIR      the figures of the paper, simulated anew\n"
          "  dualpc --version                 the version\n"
          "\n"
          "Each has its own --help. --help, --quiet and --threads T may stand before or after the\n"
          "name of any of them. This is the help of learn:\n"
          "\n",
          file);
    options defaults;
    command learn = learn_command(&defaults);
    print_help(file, &learn);
}

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    command (*table)(void);
    bool shared; /* has work for the other ranks */
} COMMANDS[] = {
    {"learn", learn_main, learn_table, true},
    {"sample", sample_main, sample_table, false},
    {"simulate", simulate_main, simulate_table, false},
    {"compare", compare_main, compare_table, false},
    {"convert", convert_main, convert_table, false},
    {"effects", effects_main, effects_table, false},
    {"adjust", adjust_main, adjust_table, false},
    {"separate", separate_main, separate_table, false},
    {"view", view_main, view_table, false},
    {"study", study_main, study_table, true},
};

static const other_ranks *with_whom;

const other_ranks *program_ranks(void)
{
    return with_whom;
}

const dpc_ranks *program_library_ranks(void)
{
    return with_whom != NULL ? with_whom->ranks : NULL;
}

/* Options may come before the subcommand: its name goes to the front, where it is looked for. */
static void bring_forward(int argc, char **argv)
{
    for (size_t i = 0; argv[1][0] == '-' && i < sizeof COMMANDS / sizeof *COMMANDS; i++) {
        command table = COMMANDS[i].table();
        int place = first_operand(argc, argv, &table);
        if (place == 0 || strcmp(argv[place], COMMANDS[i].name) != 0)
            continue;
        char *name = argv[place];
        memmove(argv + 2, argv + 1, (size_t)(place - 1) * sizeof *argv);
        argv[1] = name;
        return;
    }
}

/*
 * A command that may have been meant by what stands in the place of one, or of DATA: neither a
 * command nor a file, and nothing that looks like the name of a file. NULL: none.
 */
static const char *meant_command(int argc, char **argv, const char **typed)
{
    const char *names[sizeof COMMANDS / sizeof *COMMANDS];
    int count = 0;
    for (size_t i = 0; i < sizeof COMMANDS / sizeof *COMMANDS; i++)
        names[count++] = COMMANDS[i].name;
    command learn = learn_table();
    int place = first_operand(argc, argv, &learn);
    *typed = argv[place];
    if (place == 0 || strpbrk(*typed, "./") != NULL || access(*typed, F_OK) == 0)
        return NULL;
    return dpc_similar(names, count, *typed, strlen(*typed));
}

int program_run(int argc, char **argv, const other_ranks *with)
{
    with_whom = with;
    bool leads = with == NULL || with->ranks->rank == 0;
    if (openblas_set_num_threads != NULL)
        openblas_set_num_threads(1);
    if (argc < 2) {
        print_overview(stderr);
        return DPC_USAGE;
    }
    bring_forward(argc, argv);
    const char *first = argv[1];
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0 || strcmp(first, "help") == 0) {
        print_overview(stdout);
        return finish_stdout();
    }
    for (size_t i = 0; i < sizeof COMMANDS / sizeof *COMMANDS; i++)
        if (strcmp(first, COMMANDS[i].name) == 0)
            return leads || COMMANDS[i].shared ? COMMANDS[i].run(argc - 1, argv + 1) : DPC_OK;
    const char *typed, *meant = meant_command(argc, argv, &typed);
    if (meant == NULL)
        return learn_main(argc, argv);
    if (leads)
        fprintf(stderr, "dualpc: there is no command '%.60s'; did you mean '%s'?\n", typed, meant);
    return DPC_USAGE;
}

/* dualpc: the command line program. Finds the subcommand; everything else is in its file. */
#include "cli.h"

#include <errno.h>
#include <string.h>

/* OpenBLAS has threads of its own; ours call it, and two crews would be in each other's way. */
__attribute__((weak)) void openblas_set_num_threads(int threads);

static void print_help(FILE *file)
{
    fputs("dualpc " DPC_VERSION ": the structure of Gaussian Bayesian networks, by the dual PC "
          "algorithm\n"
          "\n"
          "  dualpc learn DATA [options]   learn a graph from a table; dualpc DATA is the same\n"
          "  dualpc --version              the version\n"
          "\n",
          file);
    print_learn_help(file);
}

int finish_stdout(void)
{
    if (fflush(stdout) == 0)
        return DPC_OK;
    fprintf(stderr, "dualpc: cannot write standard output: %s\n", strerror(errno));
    return DPC_WRITE_FAILED;
}

int main(int argc, char **argv)
{
    if (openblas_set_num_threads != NULL)
        openblas_set_num_threads(1);
    const char *first = argc > 1 ? argv[1] : "";
    if (argc < 2) {
        print_help(stderr);
        return DPC_USAGE;
    }
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0 || strcmp(first, "help") == 0) {
        print_help(stdout);
        return finish_stdout();
    }
    if (strcmp(first, "learn") == 0)
        return learn_main(argc - 1, argv + 1);
    return learn_main(argc, argv);
}

/* dualpc: the command line program, alone. dualpc-mpi, with others, begins in mpi/main.c. */
#include "cli.h"

int main(int argc, char **argv)
{
    return program_run(argc, argv, NULL);
}

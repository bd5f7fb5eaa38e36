/* dualpc simulate */
#include "cli.h"

int simulate_main(int argc, char **argv)
{
    (void)argc, (void)argv;
    return DPC_USAGE;
}

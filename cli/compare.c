/* dualpc compare */
#include "cli.h"

int compare_main(int argc, char **argv)
{
    (void)argc, (void)argv;
    return DPC_USAGE;
}

/* dualpc study */
#include "cli.h"

int study_main(int argc, char **argv)
{
    (void)argc, (void)argv;
    return DPC_USAGE;
}

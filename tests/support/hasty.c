/*
 * A clock that is always late: in tests linked with --wrap=dpc_seconds_roughly (see the Makefile) a
 * second passes between any two looks at it, so that the caller is asked at every opportunity.
 */
#include "platform.h"

#include <stdatomic.h>

double __wrap_dpc_seconds_roughly(void);

double __wrap_dpc_seconds_roughly(void)
{
    static atomic_llong looks;
    return (double)(atomic_fetch_add(&looks, 1) + 1);
}

/* The memory that a BLAS takes for itself. */
#ifndef DPC_BLAS_H
#define DPC_BLAS_H

#include "dualpc.h"

/*
 * To be called before the first use of BLAS or LAPACK in a function of the public header: sees to
 * it that the library has its work space for every thread of `settings`, or for as many as there is
 * memory for, which are then the threads of `settings`. DPC_NO_MEMORY: not even for one.
 */
dpc_status dpc_blas_ready(dpc_settings *settings, dpc_error *err);

#endif

/* The covariance of a Gaussian from rows with missing cells, by expectation and maximisation. */
#ifndef DPC_EM_H
#define DPC_EM_H

#include "incomplete.h"

/* How it went. */
typedef struct dpc_em_course {
    int steps;
    double change; /* of the last step: the largest of a covariance, in standard deviations */
    bool settled;  /* it is small enough */
} dpc_em_course;

/*
 * `r` holds positive definite correlations to start from and receives those of the estimate; sd
 * receives its standard deviations, in those of in->x. Constant columns stay as they are.
 * DPC_OK, DPC_NO_MEMORY or DPC_INTERRUPTED.
 */
dpc_status dpc_em(const dpc_incomplete *in, const dpc_settings *settings, double *r, double *sd,
                  dpc_em_course *course);

#endif

/* The covariance of a Gaussian from rows with missing cells, by expectation and maximisation. */
#ifndef DPC_EM_H
#define DPC_EM_H

#include "crew.h"
#include "incomplete.h"

/* How it went. */
typedef struct dpc_em_course {
    int steps;     /* expectations */
    double change; /* of the last step: the largest of a covariance, in standard deviations */
    bool settled;  /* it is small enough */
    bool late;     /* the time was up before */
} dpc_em_course;

/*
 * `r` holds positive definite correlations to start from and receives those of the estimate; sd
 * receives its standard deviations, in those of in->x. Constant columns stay as they are. Where the
 * time limit (may be NULL) ends it, the estimate is that of the last step. DPC_OK, DPC_NO_MEMORY or
 * DPC_INTERRUPTED.
 */
dpc_status dpc_em(const dpc_incomplete *in, const dpc_settings *settings, dpc_time_limit *limit,
                  double *r, double *sd, dpc_em_course *course);

#endif

/* The normal quantile of a tail that is too small to be a number. */
#ifndef DPC_FAR_QUANTILE_H
#define DPC_FAR_QUANTILE_H

/* The z with ln P(Z > z) = log_tail, which is below -600. */
double dpc_far_quantile(double log_tail);

#endif

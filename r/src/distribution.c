/*
 * Distributions from R's own library: stands in the place of core/math/distribution.c, which has
 * them from GSL. See distribution.h there.
 *
 * Rmath warns through R where an argument is out of its range, and a warning may jump. So its
 * functions are only given arguments for which they do not: no NaN, probabilities inside [0, 1],
 * degrees of freedom of at least 1. They have no state, and may be called from any thread.
 */
#include "distribution.h"

#include <Rmath.h>
#include <math.h>
#include <stdbool.h>

static const double FEWEST = 1;

enum { UPPER = 0, PLAIN = 0 }; /* upper tails, and not their logarithms */

static bool is_probability(double p)
{
    return p >= 0 && p <= 1;
}

double dpc_normal_tail(double z)
{
    return isnan(z) ? NAN : Rf_pnorm5(z, 0, 1, UPPER, PLAIN);
}

double dpc_normal_from_tail(double p)
{
    return is_probability(p) ? Rf_qnorm5(p, 0, 1, UPPER, PLAIN) : NAN;
}

double dpc_normal_quantile(double p)
{
    return is_probability(p) ? -dpc_normal_from_tail(p) : NAN;
}

double dpc_student_tail(double t, double df)
{
    return isnan(t) || !(df >= FEWEST) ? NAN : Rf_pt(t, df, UPPER, PLAIN);
}

double dpc_student_from_tail(double p, double df)
{
    return is_probability(p) && df >= FEWEST ? Rf_qt(p, df, UPPER, PLAIN) : NAN;
}

double dpc_chi_square_tail(double x, double df)
{
    return isnan(x) || !(df >= FEWEST) ? NAN : Rf_pchisq(x, df, UPPER, PLAIN);
}

double dpc_f_tail(double f, double df1, double df2)
{
    return isnan(f) || !(df1 >= FEWEST) || !(df2 >= FEWEST) ? NAN
                                                            : Rf_pf(f, df1, df2, UPPER, PLAIN);
}

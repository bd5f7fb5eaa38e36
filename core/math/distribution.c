/*
 * Distributions from GSL: see distribution.h.
 *
 * GSL calls an error handler of the whole process, which ends it unless the host has chosen
 * another. So its functions are only given arguments for which they cannot fail: probabilities
 * inside (0, 1), finite points, and degrees of freedom from 1 to 1e15. test_distribution tries the
 * corners of that.
 */
#include "distribution.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

static const double FEWEST = 1,
                    MOST = 1e15; /* beyond it GSL goes astray, and t is normal to 12 digits */

double dpc_normal_tail(double z)
{
    return isnan(z) ? NAN : gsl_cdf_ugaussian_Q(z);
}

double dpc_normal_from_tail(double p)
{
    if (!(p >= 0 && p <= 1))
        return NAN;
    return p == 0 ? INFINITY : p == 1 ? -INFINITY : gsl_cdf_ugaussian_Qinv(p);
}

double dpc_normal_quantile(double p)
{
    if (!(p >= 0 && p <= 1))
        return NAN;
    return p == 0 ? -INFINITY : p == 1 ? INFINITY : gsl_cdf_ugaussian_Pinv(p);
}

double dpc_student_tail(double t, double df)
{
    if (isnan(t) || !(df >= FEWEST))
        return NAN;
    if (isinf(t))
        return t > 0 ? 0 : 1;
    return df > MOST ? dpc_normal_tail(t) : gsl_cdf_tdist_Q(t, df);
}

double dpc_student_from_tail(double p, double df)
{
    if (!(p >= 0 && p <= 1) || !(df >= FEWEST))
        return NAN;
    if (p == 0 || p == 1 || df > MOST)
        return dpc_normal_from_tail(p);
    return gsl_cdf_tdist_Qinv(p, df);
}

double dpc_chi_square_tail(double x, double df)
{
    if (isnan(x) || !(df >= FEWEST && df <= MOST))
        return NAN;
    return x <= 0 ? 1 : isinf(x) ? 0 : gsl_cdf_chisq_Q(x, df);
}

double dpc_f_tail(double f, double df1, double df2)
{
    if (isnan(f) || !(df1 >= FEWEST && df1 <= MOST) || !(df2 >= FEWEST && df2 <= MOST))
        return NAN;
    return f <= 0 ? 1 : isinf(f) ? 0 : gsl_cdf_fdist_Q(f, df1, df2);
}

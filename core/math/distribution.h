/*
 * The normal, Student's t, the chi-square and the F distribution, from the upper tail, so that
 * small probabilities are as exact as large ones. Everything that is not a number, and everything
 * outside its range, has an answer: NaN, or the end of the line. Nothing here prints or ends the
 * program.
 *
 * distribution.c takes them from GSL. A host with another library (R has Rmath) puts a file with
 * the same functions in its place.
 */
#ifndef DPC_DISTRIBUTION_H
#define DPC_DISTRIBUTION_H

/* P(Z > z), and the z for which that is p. */
double dpc_normal_tail(double z);
double dpc_normal_from_tail(double p);

/* The z for which P(Z < z) is p. */
double dpc_normal_quantile(double p);

/* P(T > t) with df ≥ 1 degrees of freedom, and the t for which that is p. */
double dpc_student_tail(double t, double df);
double dpc_student_from_tail(double p, double df);

/* P(X > x) of a chi-square distribution with df ≥ 1 degrees of freedom. */
double dpc_chi_square_tail(double x, double df);

/* P(F > f) of an F distribution with df1 and df2 ≥ 1 degrees of freedom. */
double dpc_f_tail(double f, double df1, double df2);

#endif

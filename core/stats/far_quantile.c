/* The normal quantile of a tail that is too small to be a number. */
#include "far_quantile.h"

#include <math.h>

/* The z with ln P(Z > z) = l, far out, where the tail is exp(-z²/2) / (z sqrt(2π)) (1 - 1/z² + …).
 */
double dpc_far_quantile(double l)
{
    const double log_root = 0.91893853320467274; /* ln sqrt(2π) */
    double z = sqrt(-2 * l);
    for (int i = 0; i < 50; i++) {
        double y = 1 / (z * z);
        double now = -z * z / 2 - log(z) - log_root + log1p(-y * (1 - 3 * y * (1 - 5 * y)));
        double step = (now - l) / z;
        z += step;
        if (fabs(step) < 1e-12 * z)
            break;
    }
    return z;
}

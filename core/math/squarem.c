/*
 * Squared extrapolation: see squarem.h.
 *
 * Of three points x, F(x), F(F(x)) with the first difference r and the second one v, the next point
 * is x + 2 a r + a² v with a = |r| / |v|: as many steps ahead as the differences shrink slowly.
 * With a = 1 it is F(F(x)), and it is never less. The longest a grows where it was long enough to
 * matter, and shrinks where the caller refuses.
 */
#include "squarem.h"

#include <math.h>
#include <string.h>

/* The longest a: at first, and how it grows and shrinks. */
static const double FIRST = 4, FACTOR = 4;

void dpc_squarem_init(dpc_squarem *s, int64_t n, double *room)
{
    *s = (dpc_squarem){.n = n, .before = room, .longest = FIRST};
}

/* a, from x0, x1 and x2. */
static double length_of(const dpc_squarem *s, const double *x, const double *image)
{
    double rr = 0, vv = 0;
    for (int64_t i = 0; i < s->n; i++) {
        double r = x[i] - s->before[i], v = image[i] - x[i] - r;
        rr += r * r;
        vv += v * v;
    }
    double a = sqrt(rr / vv);
    return a > 1 ? a : 1; /* also where it is no number */
}

bool dpc_squarem_next(dpc_squarem *s, double *x, const double *image)
{
    size_t size = (size_t)s->n * sizeof *x;
    s->second = !s->second;
    if (s->second) {
        memcpy(s->before, x, size);
        memcpy(x, image, size);
        return false;
    }
    if (s->bounded)
        s->longest *= FACTOR;
    double a = length_of(s, x, image);
    s->bounded = a >= s->longest;
    a = fmin(a, s->longest);
    for (int64_t i = 0; i < s->n; i++) {
        double r = x[i] - s->before[i], v = image[i] - x[i] - r;
        x[i] = a > 1 ? s->before[i] + 2 * a * r + a * a * v : image[i];
    }
    return a > 1;
}

void dpc_squarem_refuse(dpc_squarem *s)
{
    s->bounded = s->second = false;
    s->longest = fmax(s->longest / FACTOR, FACTOR);
}

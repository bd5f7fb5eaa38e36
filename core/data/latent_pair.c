/*
 * The latent correlation of two columns.
 *
 * g(r), the correlation of the scores, rises with r (Price: g' = E s'(Z) t'(Z')), so that one r
 * has g(r) = m. It is found by Newton's method, kept between bounds. Up to |r| = 0.9, g is its
 * series (latent_column.h), of which the first terms are enough where r is small. Beyond that it is
 * the series at ±0.9 and the integral of g' from there; with r = sin θ the densities
 *
 *     φ₂(s, t; r) dr = exp(-(s² + t² - 2 s t sin θ) / (2 cos² θ)) / 2π dθ
 *
 * are smooth up to the end. The part of an atom's slopes that lies above both cuts needs the
 * probability P(u) of that, and ∫ P du = (r - r₀) P(r₀) + ∫ (r - u) φ₂ du.
 */
#include "latent_pair.h"

#include "distribution.h"

#include <math.h>

static const double FAR = 0.9; /* |r| up to which the series serves */
static const double SMALL = 1e-14, CLOSE = 1e-9, FLAT = 1e-7;
static const double TWO_PI = 6.28318530717958647692;

/* ---- The series ---- */

/* So many terms leave less than SMALL of it: from the power of 2 above r, where that is small. */
static int terms_for(double r)
{
    const double digits = 47; /* binary ones, of 1 / SMALL */
    double power = fabs(r) < 0.25 ? -1 - ilogb(fmax(fabs(r), SMALL)) : -log2(fabs(r));
    double wanted = digits / power;
    return wanted < 4 ? 4 : wanted > DPC_LATENT_TERMS ? DPC_LATENT_TERMS : (int)wanted + 1;
}

static double by_series(const double *a, const double *b, double r, double *slope)
{
    double g = 0, rate = 0;
    for (int k = terms_for(r) - 1; k >= 0; k--) {
        rate = rate * r + g;
        g = g * r + a[k] * b[k];
    }
    *slope = rate * r + g; /* of g r */
    return g * r;
}

/* ---- Beyond it ---- */

static const double NODE[12] = {
    .0640568928626056260850430826247450385909, .1911188674736163091586398207570696318404,
    .3150426796961633743867932913198102407864, .4337935076260451384870842319133497124524,
    .5454214713888395356583756172183723700107, .6480936519369755692524957869107476266696,
    .7401241915785543642438281030999784255232, .8200019859739029219539498726697452080761,
    .8864155270044010342131543419821967550873, .9382745520027327585236490017087214496548,
    .9747285559713094981983919930081690617411, .9951872199970213601799974097007368118745,
};
static const double WEIGHT[12] = {
    .1279381953467521569740561652246953718517, .1258374563468282961213753825111836887264,
    .1216704729278033912044631534762624256070, .1155056680537256013533444839067835598622,
    .1074442701159656347825773424466062227946, .0976186521041138882698806644642471544279,
    .0861901615319532759171852029837426671850, .0733464814110803057340336152531165181193,
    .0592985849154367807463677585001085845412, .0442774388174198061686027482113382288593,
    .0285313886289336631813078159518782864491, .0123412297999871995468056670700372915759,
};

static double density(double z)
{
    return exp(-0.5 * z * z) / sqrt(TWO_PI);
}

static double density_of_two(double s, double t, double r)
{
    double left = 1 - r * r;
    return exp(-(s * s + t * t - 2 * r * s * t) / (2 * left)) / (TWO_PI * sqrt(left));
}

/* The terms of g' that have a jump of a. */
static double at_jumps(const dpc_latent_column *a, const dpc_latent_column *b, double r)
{
    double sum = 0, root = sqrt(1 - r * r);
    for (int i = 0; i < a->n_cuts; i++) {
        double s = a->cut[i], here = 0;
        for (int j = 0; j < b->n_cuts; j++)
            here += b->jump[j] * density_of_two(s, b->cut[j], r);
        if (b->slope > 0)
            here += b->slope * density(s) * dpc_normal_tail((b->cut[b->n_cuts - 1] - r * s) / root);
        sum += a->jump[i] * here;
    }
    return sum;
}

/* Those of g' without the part above the cuts of two atoms. */
static double rate_at(const dpc_latent_column *a, const dpc_latent_column *b, double r)
{
    double sum = at_jumps(a, b, r), root = sqrt(1 - r * r);
    for (int j = 0; j < b->n_cuts && a->slope > 0; j++) /* those that have a jump of b alone */
        sum += a->slope * b->jump[j] * density(b->cut[j]) *
               dpc_normal_tail((a->cut[a->n_cuts - 1] - r * b->cut[j]) / root);
    return sum;
}

/* P(Z > s, Z' > t) at ±FAR. */
static double above_both(double s, double t, double r)
{
    double sum = 0, power = r, hs = 1, ht = 1, before_s = 0, before_t = 0;
    for (int k = 1; k <= DPC_LATENT_TERMS; k++) {
        sum += hs * ht * power / k;
        double next_s = (s * hs - sqrt(k - 1) * before_s) / sqrt(k);
        double next_t = (t * ht - sqrt(k - 1) * before_t) / sqrt(k);
        before_s = hs;
        before_t = ht;
        hs = next_s;
        ht = next_t;
        power *= r;
    }
    return dpc_normal_tail(s) * dpc_normal_tail(t) + density(s) * density(t) * sum;
}

/* g and g' beyond FAR. */
static double by_integral(const dpc_latent_column *a, const dpc_latent_column *b, double r,
                          double *slope)
{
    double from = copysign(FAR, r), middle = 0.5 * (asin(from) + asin(r));
    double half = 0.5 * (asin(r) - asin(from)), both = a->slope * b->slope, unused;
    double sum = by_series(a->series, b->series, from, &unused);
    double s = both > 0 ? a->cut[0] : 0, t = both > 0 ? b->cut[0] : 0;
    double above = both > 0 ? above_both(s, t, from) : 0, more = 0;
    sum += both * above * (r - from);
    for (int i = 0; i < 24; i++) {
        double angle = middle + (i % 2 ? half : -half) * NODE[i / 2], u = sin(angle);
        double weight = half * WEIGHT[i / 2] * cos(angle);
        sum += weight * rate_at(a, b, u);
        if (both > 0) {
            double d = weight * density_of_two(s, t, u);
            sum += both * d * (r - u);
            more += d;
        }
    }
    *slope = rate_at(a, b, r) + both * (above + more);
    return sum;
}

double dpc_latent_visible(const dpc_latent_column *a, const dpc_latent_column *b, double r,
                          double *slope)
{
    if (a->series == NULL || b->series == NULL) {
        *slope = dpc_latent_loading(a) * dpc_latent_loading(b);
        return r * *slope;
    }
    return fabs(r) <= FAR ? by_series(a->series, b->series, r, slope) : by_integral(a, b, r, slope);
}

/* ---- Its inverse ---- */

static double within(double r, double low, double high)
{
    return r > low && r < high ? r : 0.5 * (low + high);
}

/* A fixed order of two columns, so that rounding does not depend on which comes first. */
static bool comes_first(const dpc_latent_column *a, const dpc_latent_column *b)
{
    if (a->n_cuts != b->n_cuts)
        return a->n_cuts < b->n_cuts;
    for (int i = 0; i < a->n_cuts; i++)
        if (a->cut[i] != b->cut[i])
            return a->cut[i] < b->cut[i];
    return true;
}

double dpc_latent_r(const dpc_latent_column *a, const dpc_latent_column *b, double m)
{
    enum { MOST_STEPS = 60 };
    const double most = DPC_LATENT_MOST;
    double loadings = dpc_latent_loading(a) * dpc_latent_loading(b);
    double r = m / loadings, low = -most, high = most;
    if (a->series == NULL && b->series == NULL)
        return m;
    r = fmax(-most, fmin(most, r));
    if (a->series == NULL || b->series == NULL || m == 0)
        return r;
    if (!comes_first(a, b)) {
        const dpc_latent_column *kept = a;
        a = b;
        b = kept;
    }
    r = fmax(-FAR, fmin(FAR, r));
    for (int i = 0; i < MOST_STEPS && high - low > SMALL; i++) {
        double slope, off = dpc_latent_visible(a, b, r, &slope) - m, step = off / slope;
        if (off > 0)
            high = r;
        else
            low = r;
        if (slope < FLAT * loadings && fabs(off) < CLOSE)
            return copysign(most, m); /* a class that no row is in: any larger r says the same */
        if (fabs(step) < (fabs(r) < FAR ? CLOSE : SMALL)) /* the next one is below rounding */
            return fmax(-most, fmin(most, r - step));
        r = within(r - step, low, high);
    }
    return r;
}

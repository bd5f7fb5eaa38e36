/*
 * Random numbers with the distributions that models need: see variates.h.
 *
 * Chi-square with df degrees of freedom is twice a gamma variable of the shape a = df/2. Of a ≥ 1
 * that is made by Marsaglia and Tsang's method (2000): with d = a - 1/3, c = 1/√(9d), z normal and
 * v = (1 + c z)³, d v has the distribution where log u < z²/2 + d (1 - v + log v); nearly all are
 * taken. Of a < 1 it is one of the shape a + 1 times u^(1/a).
 */
#include "variates.h"

/* Where the tail begins, so that 256 pieces of the same area make up all of it. */
static const double TAIL = 3.6541528853610088;

void dpc_ziggurat_init(dpc_ziggurat *z)
{
    double at_tail = exp(-TAIL * TAIL / 2);
    double area = TAIL * at_tail + sqrt(M_PI / 2) * erfc(TAIL * M_SQRT1_2);
    z->edge[0] = area / at_tail; /* the lowest piece and the tail, as one rectangle */
    z->height[0] = 0;
    z->edge[1] = TAIL;
    z->height[1] = at_tail;
    for (int i = 2; i < DPC_LAYERS; i++) {
        z->height[i] = z->height[i - 1] + area / z->edge[i - 1];
        z->edge[i] = sqrt(-2 * log(z->height[i]));
    }
    z->edge[DPC_LAYERS] = 0;
    z->height[DPC_LAYERS] = 1;
}

double dpc_draw_normal_tail(dpc_random *random)
{
    double a, b;
    do {
        a = -log(dpc_draw_uniform(random)) / TAIL;
        b = -log(dpc_draw_uniform(random));
    } while (2 * b < a * a);
    return TAIL + a;
}

/* Of a shape of at least 1. */
static double draw_gamma(dpc_random *random, const dpc_ziggurat *ziggurat, double shape)
{
    double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        double z = dpc_draw_normal(random, ziggurat), root = 1 + c * z, v = root * root * root;
        if (root > 0 && log(dpc_draw_uniform(random)) < z * z / 2 + d * (1 - v + log(v)))
            return d * v;
    }
}

double dpc_draw_chi_square(dpc_random *random, const dpc_ziggurat *ziggurat, double df)
{
    double shape = df / 2;
    if (shape >= 1)
        return 2 * draw_gamma(random, ziggurat, shape);
    double larger = draw_gamma(random, ziggurat, shape + 1);
    return 2 * larger * pow(dpc_draw_uniform(random), 1 / shape);
}

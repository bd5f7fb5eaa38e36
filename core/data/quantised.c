/* The columns in whole steps: see quantised.h. */
#include "quantised.h"

#include "alloc.h"
#include "vector.h"

#include <math.h>

void dpc_quantised_free(dpc_quantised *c)
{
    if (c == NULL)
        return;
    free(c->steps);
    free(c->step);
    free(c->error);
    free(c);
}

/* A vector in steps: their size, the length of the vector, and that of what rounding took. */
typedef struct rounded {
    double step, length, error;
} rounded;

/* Of scale × from. */
static rounded round_vector(const double *from, double scale, int64_t count, int16_t *to)
{
    double most = 0, square = 0, off = 0;
    for (int64_t i = 0; i < count; i++)
        most = fmax(most, fabs(from[i] * scale));
    double step = most / DPC_MOST_STEPS, inverse = step > 1e-300 ? 1 / step : 0;
    for (int64_t i = 0; i < count; i++) {
        double value = from[i] * scale, steps = rint(value * inverse);
        double left = value - steps * step;
        to[i] = (int16_t)steps;
        square += value * value;
        off += left * left;
    }
    return (rounded){step, sqrt(square), sqrt(off)};
}

typedef struct quantised_job {
    const dpc_products *products;
    dpc_quantised *quantised;
} quantised_job;

static void round_column(void *context, int64_t j, int worker)
{
    (void)worker;
    const quantised_job *job = context;
    dpc_quantised *c = job->quantised;
    const dpc_products *p = job->products;
    rounded u =
        round_vector(p->z + j * c->n_rows, p->scale[j], c->n_rows, c->steps + j * c->n_rows);
    c->step[j] = u.step;
    c->error[j] = u.error;
}

dpc_status dpc_quantised_new(const dpc_products *p, dpc_crew *crew, dpc_quantised **out)
{
    dpc_quantised *c = dpc_zalloc(1, sizeof *c);
    if (c == NULL)
        return DPC_NO_MEMORY;
    *c = (dpc_quantised){
        .n_vars = p->n_vars,
        .n_rows = p->n_rows,
        .steps = dpc_alloc(p->n_vars * p->n_rows, sizeof(int16_t)),
        .step = dpc_alloc(p->n_vars, sizeof(double)),
        .error = dpc_alloc(p->n_vars, sizeof(double)),
    };
    quantised_job job = {p, c};
    dpc_status status = c->steps && c->step && c->error ? DPC_OK : DPC_NO_MEMORY;
    double work = 4 * (double)p->n_vars * (double)p->n_rows;
    if (status == DPC_OK && !dpc_crew_run(crew, p->n_vars, work, round_column, &job))
        status = DPC_INTERRUPTED;
    if (status == DPC_OK)
        *out = c;
    else
        dpc_quantised_free(c);
    return status;
}

int dpc_quantised_find(const dpc_quantised *c, const double *e, double limit, int16_t *room,
                       int32_t *columns)
{
    const double rounding = 1e-9; /* of the lengths and of the sum below, with much to spare */
    const dpc_vector *vector = dpc_vector_best();
    rounded r = round_vector(e, 1, c->n_rows, room);
    int count = 0;
    for (int j = 0; j < c->n_vars; j++) {
        double product =
            c->step[j] * r.step * (double)vector->steps(c->n_rows, c->steps + j * c->n_rows, room);
        double error = r.length * c->error[j] + r.error * (1 + c->error[j]);
        if (fabs(product) + error > limit - rounding * r.length)
            columns[count++] = j;
    }
    return count;
}

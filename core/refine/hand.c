/* What one worker needs to look at a family: see hand.h. */
#include "hand.h"

#include "linalg.h"
#include "memory.h"

#include <math.h>

dpc_status dpc_hand_init(dpc_hand *h, const dpc_scoring *scoring)
{
    int n = scoring->view.n;
    *h = (dpc_hand){.scoring = scoring};
    dpc_status status = dpc_sweep_init(&h->sweep, &scoring->view);
    h->picks = dpc_alloc(n, sizeof *h->picks);
    h->room = dpc_alloc(n, sizeof *h->room);
    h->list = dpc_alloc(n, sizeof *h->list);
    h->firm = dpc_alloc(n, sizeof *h->firm);
    h->square = dpc_alloc(n, sizeof *h->square);
    if (!h->picks || !h->room || !h->list || !h->firm || !h->square)
        status = DPC_NO_MEMORY;
    return status;
}

void dpc_hand_clear(dpc_hand *h)
{
    dpc_sweep_clear(&h->sweep);
    free(h->picks);
    free(h->room);
    free(h->list);
    free(h->firm);
    free(h->square);
    free(h->matrix);
    *h = (dpc_hand){0};
}

dpc_status dpc_hand_family(dpc_hand *h, int v, const int32_t *parents, int count, int *firm)
{
    bool pushed;
    dpc_status status = dpc_sweep_start_all(&h->sweep, v);
    *firm = 0;
    for (int i = 0; status == DPC_OK && i < count; i++) {
        status = dpc_sweep_push(&h->sweep, parents[i], &pushed);
        if (status == DPC_OK && pushed)
            h->firm[(*firm)++] = parents[i];
    }
    return status;
}

double dpc_hand_score(const dpc_hand *h, int count)
{
    double left = fmax(dpc_sweep_variance(&h->sweep, h->sweep.v), DPC_SINGULAR);
    return -h->scoring->n_obs / 2 * log(left) - h->scoring->price * count;
}

/* ---- The parents' own matrix ---- */

static dpc_status make_room(dpc_hand *h, int order)
{
    int64_t ld = dpc_small_ld(order), wanted = ld * (ld + 4);
    if (wanted <= h->capacity)
        return DPC_OK;
    double *matrix = dpc_alloc_aligned(2 * wanted);
    if (matrix == NULL)
        return DPC_NO_MEMORY;
    free(h->matrix);
    h->matrix = matrix;
    h->capacity = 2 * wanted;
    return DPC_OK;
}

/*
 * The correlations of v and its parents. The upper triangle by rows, which is the lower one in
 * Fortran's sense.
 */
static void gather(dpc_hand *h, int v, const int32_t *parents, int count, int ld)
{
    const dpc_view *view = &h->scoring->view;
    h->list[0] = dpc_column_of(view->labels, v);
    dpc_columns_of(view, parents, count, h->list + 1);
    for (int i = 0; i <= count; i++) {
        const double *row = dpc_column_row(view, h->list[i]);
        for (int j = i; j <= count; j++)
            h->matrix[(int64_t)i * ld + j] = row[h->list[j]];
    }
}

dpc_status dpc_hand_squares(dpc_hand *h, int v, const int32_t *parents, int count)
{
    int order = count + 1, ld = dpc_small_ld(order);
    double least;
    if (make_room(h, order) != DPC_OK)
        return DPC_NO_MEMORY;
    gather(h, v, parents, count, ld);
    bool regular = dpc_small_inverse(h->matrix, order, h->matrix + (int64_t)ld * ld, &least);
    if (!regular) {
        gather(h, v, parents, count, order);
        regular = dpc_scaled_inverse(h->matrix, order, &least, NULL, 0);
    }
    for (int i = 0; i < count; i++)
        h->square[i] = regular ? h->matrix[i + 1] * h->matrix[i + 1] : NAN;
    return DPC_OK;
}

/* ---- The staff ---- */

dpc_status dpc_staff_init(dpc_staff *s, const dpc_scoring *scoring, dpc_crew *crew, double deadline)
{
    *s = (dpc_staff){scoring, crew, deadline, dpc_zalloc(crew->threads, sizeof *s->hands)};
    dpc_status status = s->hands != NULL ? DPC_OK : DPC_NO_MEMORY;
    for (int w = 0; status == DPC_OK && w < crew->threads; w++)
        status = dpc_hand_init(&s->hands[w], scoring);
    return status;
}

void dpc_staff_clear(dpc_staff *s)
{
    for (int w = 0; s->hands != NULL && w < s->crew->threads; w++)
        dpc_hand_clear(&s->hands[w]);
    free(s->hands);
    *s = (dpc_staff){0};
}

bool dpc_staff_halted(const dpc_staff *s, int worker)
{
    if (s->deadline < INFINITY && dpc_seconds_roughly() > s->deadline)
        atomic_store_explicit(&s->crew->stop, true, memory_order_relaxed);
    return dpc_crew_stopped(s->crew, worker);
}

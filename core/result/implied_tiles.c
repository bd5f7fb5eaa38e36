/*
 * The independencies that a DAG implies, where there is no R: see implied.h.
 *
 * For a node v with parents S let q be an orthonormal basis of the columns of S, and e what they
 * leave of the column of v, scaled to length 1. Then for any other u, of length 1 too,
 *
 *     r(u, v | S) = eᵀu / sqrt(1 - Σ (qᵀu)²).
 *
 * So the e and q of many nodes, times the columns of all u that come before them, is one product of
 * matrices. It is made in single precision; its error is bounded as that of the screen is
 * (screen.c), and what the bound does not decide is computed as it would be from R, pair by pair.
 * The same goes for nodes with many parents, or with parents that nearly determine each other.
 */
#include "implied.h"

#include "alloc.h"
#include "linalg.h"
#include "screen.h"
#include "tiles.h"

#include <math.h>

enum {
    WIDTH = 128,       /* nodes of a task */
    MOST_PARENTS = 12, /* of a node that is looked at this way */
    TILE = DPC_TILE,
    BLOCK = DPC_ROW_BLOCK,
    MOST_VECTORS = WIDTH * (1 + MOST_PARENTS),
};

/* A pivot, or a variance that is left, from which on nothing is said of rounding. */
static const double FIRM = 1e-2;

/* A node of a task: where its e is, with its q behind it. */
typedef struct placed {
    int v, k; /* k parents */
    int first;
} placed;

/* One per worker. */
typedef struct room {
    float *vectors; /* MOST_VECTORS columns, N long */
    float *block;   /* some rows of the columns of a tile */
    float *product; /* a tile of TILE rows and MOST_VECTORS columns */
    double *basis;  /* e and q of one node */
    placed nodes[WIDTH];
    int n_nodes, n_vectors;
} room;

typedef struct tiles_job {
    const dpc_ordered *dag;
    dpc_crew *crew;
    dpc_implied_worker *states;
    double *variance;
    int32_t *node_at; /* by when */
    double margin;    /* of an inner product */
    room *rooms;
} tiles_job;

/* ---- The vectors of a node ---- */

/* The column of a node, as one of length 1. */
static void unit_column(const dpc_view *view, int node, double *to)
{
    const dpc_products *p = view->products;
    int column = dpc_column_of(view->labels, node);
    for (int64_t i = 0; i < p->n_rows; i++)
        to[i] = p->z[column * p->n_rows + i] * p->scale[column];
}

/* Leaves of the last of `rank` + 1 vectors what the others do not have, to length 1; returns how
 * much that was. */
static double leave_own(double *basis, int rank, int64_t rows)
{
    const dpc_vector *vector = dpc_vector_best();
    double *last = basis + rank * rows;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < rank; i++) {
            const double *q = basis + i * rows;
            double f = vector->dot((int)rows, q, last);
            for (int64_t row = 0; row < rows; row++)
                last[row] -= f * q[row];
        }
    double square = vector->dot((int)rows, last, last), scale = 1 / sqrt(square);
    for (int64_t i = 0; i < rows; i++)
        last[i] *= scale;
    return square;
}

/* Puts e and q of v among the vectors; false: it is better looked at pair by pair. */
static bool place(room *m, const dpc_ordered *dag, int v, const int32_t *parents, int k)
{
    int64_t rows = dag->view.products->n_rows;
    if (k > MOST_PARENTS)
        return false;
    for (int i = 0; i <= k; i++) {
        unit_column(&dag->view, i < k ? parents[i] : v, m->basis + i * rows);
        if (!(leave_own(m->basis, i, rows) >= FIRM))
            return false;
    }
    m->nodes[m->n_nodes++] = (placed){v, k, m->n_vectors};
    float *to = m->vectors + m->n_vectors * rows;
    for (int i = k; i >= 0; i--) /* e is the last */
        for (int64_t row = 0; row < rows; row++)
            *to++ = (float)m->basis[i * rows + row];
    m->n_vectors += k + 1;
    return true;
}

/* ---- One tile ---- */

/* The products of all vectors with the columns of the nodes from some place on. */
static void multiply(const tiles_job *job, room *m, int first, int count)
{
    const dpc_ordered *dag = job->dag;
    const dpc_products *p = dag->view.products;
    float one = 1, beta = 0;
    int all = (int)p->n_rows, ld = TILE;
    for (int64_t from = 0; from < all; from += BLOCK, beta = 1) {
        int rows = all - from < BLOCK ? (int)(all - from) : BLOCK;
        float *to = m->block;
        for (int i = 0; i < count; i++) {
            int column = dpc_column_of(dag->view.labels, job->node_at[first + i]);
            const double *z = p->z + column * p->n_rows + from;
            double scale = p->scale[column];
            for (int row = 0; row < rows; row++)
                *to++ = (float)(z[row] * scale);
        }
        sgemm_("T", "N", &count, &m->n_vectors, &rows, &one, m->block, &rows, m->vectors + from,
               &all, &beta, m->product, &ld);
    }
}

/* One pair as it would be from R. The parents are in the list, and stay there. */
static void look_closely(dpc_implied_worker *l, const dpc_ordered *dag, const placed *n, int u)
{
    const dpc_family *f = &l->family;
    int k = dpc_ordered_parents(dag, n->v, l->list);
    l->list[k] = u;
    l->status = dpc_family_start(&l->family, n->v, l->list, k + 1);
    if (l->status == DPC_OK)
        l->status = dpc_family_push_all(&l->family, l->list, k);
    if (l->status == DPC_OK)
        dpc_implied_count(&l->counts, dag, k, n->v, u, dpc_family_square(f, u),
                          dpc_family_now(f)->t[f->place[u]]);
}

/* What the set leaves of each u of the tile. */
static void leave(const room *m, const placed *n, int count, float *restrict left)
{
    for (int i = 0; i < count; i++)
        left[i] = 1;
    for (int j = 1; j <= n->k; j++) {
        const float *restrict w = m->product + (int64_t)(n->first + j) * TILE;
        for (int i = 0; i < count; i++)
            left[i] -= w[i] * w[i];
    }
}

/* The pairs of one node with the nodes of the tile. */
static void look_at_tile(const tiles_job *job, const room *m, const placed *n, int first, int count,
                         dpc_implied_worker *l)
{
    const dpc_ordered *dag = job->dag;
    const float *t = m->product + (int64_t)n->first * TILE;
    float left[TILE];
    double error = job->margin, critical = dag->critical.primal[n->k];
    double spare = (2 * sqrt(n->k) + n->k + 2) * (error + 0x1p-23);
    double least = dpc_implied_least(&l->counts, dag, n->k);
    float limit = (float)(least * least * (1 - 1e-5)), low = (float)error, loss = (float)spare;
    uint8_t *flag = l->flag;
    leave(m, n, count, left);
    for (int i = 0; i < count; i++) {
        float high = fabsf(t[i]) + low;
        flag[i] = (uint8_t)((high * high >= limit * (left[i] - loss)) | !(left[i] >= 2 * FIRM));
    }
    for (int i = 0; i < count && l->status == DPC_OK; i++) {
        int u = job->node_at[first + i];
        if (!flag[i] || first + i <= dag->when[n->v] || l->near[u])
            continue;
        double from = fabs((double)t[i]) - error, to = from + 2 * error;
        double more = sqrt(left[i] + spare), fewer = sqrt(fmax(left[i] - spare, FIRM));
        bool sure = left[i] >= 2 * FIRM && from > critical * more;
        bool large = to >= dpc_implied_last(&l->counts, dag, n->k) * fewer;
        if (sure && !large)
            l->counts.exceed++;
        else
            look_closely(l, dag, n, u);
    }
}

/* ---- A task: some nodes, one after the other ---- */

static void place_nodes(const tiles_job *job, room *m, int first, int end, int worker)
{
    const dpc_ordered *dag = job->dag;
    dpc_implied_worker *l = &job->states[worker];
    m->n_nodes = m->n_vectors = 0;
    for (int when = first; when < end && l->status == DPC_OK; when++) {
        int v = job->node_at[when], k = dpc_ordered_parents(dag, v, l->list);
        if (dpc_implied_start(l, dag, v, k, job->variance) && !place(m, dag, v, l->list, k))
            dpc_implied_by_parts(l, dag, job->crew, v, k, worker);
    }
}

static void look_at_nodes(void *context, int64_t index, int worker)
{
    tiles_job *job = context;
    dpc_implied_worker *l = &job->states[worker];
    room *m = &job->rooms[worker];
    int n = job->dag->view.n, start = (int)index * WIDTH;
    place_nodes(job, m, start, start + WIDTH < n ? start + WIDTH : n, worker);
    for (int first = start; first < n && m->n_nodes > 0; first += TILE) {
        int count = n - first < TILE ? n - first : TILE;
        if (l->status != DPC_OK || dpc_crew_stopped(job->crew, worker))
            return;
        multiply(job, m, first, count);
        for (int i = 0; i < m->n_nodes; i++) {
            dpc_set_near(job->dag->graph, m->nodes[i].v, true, l->near);
            look_at_tile(job, m, &m->nodes[i], first, count, l);
            dpc_set_near(job->dag->graph, m->nodes[i].v, false, l->near);
        }
    }
}

/* ---- The whole ---- */

static dpc_status room_init(room *m, int64_t rows)
{
    *m = (room){
        .vectors = dpc_alloc(MOST_VECTORS * rows, sizeof(float)),
        .block = dpc_alloc((int64_t)BLOCK * TILE, sizeof(float)),
        .product = dpc_alloc((int64_t)MOST_VECTORS * TILE, sizeof(float)),
        .basis = dpc_alloc((MOST_PARENTS + 1) * rows, sizeof(double)),
    };
    return m->vectors && m->block && m->product && m->basis ? DPC_OK : DPC_NO_MEMORY;
}

static void room_clear(room *m)
{
    free(m->vectors);
    free(m->block);
    free(m->product);
    free(m->basis);
}

dpc_status dpc_implied_tiles(const dpc_ordered *dag, dpc_crew *crew, dpc_implied_worker *states,
                             double *variance)
{
    int n = dag->view.n, tasks = (n + WIDTH - 1) / WIDTH, made = 0;
    int64_t rows = dag->view.products->n_rows;
    tiles_job job = {dag,
                     crew,
                     states,
                     variance,
                     dpc_alloc(n, sizeof(int32_t)),
                     dpc_screen_margin(rows) + 1e-9,
                     dpc_zalloc(crew->threads, sizeof *job.rooms)};
    dpc_status status = job.node_at != NULL && job.rooms != NULL ? DPC_OK : DPC_NO_MEMORY;
    while (status == DPC_OK && made < crew->threads)
        status = room_init(&job.rooms[made++], rows);
    for (int v = 0; v < n && status == DPC_OK; v++)
        job.node_at[dag->when[v]] = v;
    double work = (double)n * n * (double)rows;
    if (status == DPC_OK && !dpc_crew_run(crew, tasks, work, look_at_nodes, &job))
        status = DPC_INTERRUPTED;
    for (int i = 0; i < made; i++)
        room_clear(&job.rooms[i]);
    free(job.rooms);
    free(job.node_at);
    return status;
}

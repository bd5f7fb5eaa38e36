/*
 * Each correlation from the rows that have both of its cells: see pairwise.h.
 *
 * With z a column with 0 where a cell is missing, and m with 1 where it is there and 0 where it is
 * not, all that the pair i, j needs are inner products: of m and m the number of rows, of z and m
 * and of z² and m the sums of one over the rows of the other, of z and z the products. So a tile of
 * pairs is six products of matrices, in blocks of rows that fit the cache. Means and variances are
 * those of the rows that both have, as everywhere (R: use = "pairwise.complete.obs").
 *
 * The columns have mean 0 and variance 1 to begin with, so that little is lost in Σz² - (Σz)²/N.
 */
#include "pairwise.h"

#include "arena.h"
#include "crew.h"
#include "linalg.h"
#include "tiles.h"

#include <math.h>

enum {
    TILE = 128,  /* columns */
    BLOCK = 256, /* rows */
    KINDS = 3,   /* z, m, z² */
    SUMS = 6,    /* products of a tile */
};

/* A variance, where that of the column is 1, that is only rounding. */
static const double NOTHING = 1e-12;

typedef struct pairwise_job {
    const dpc_incomplete *in;
    double *r;
    int32_t *rows;
    double *room;         /* of each worker: the blocks of both sides, then the sums */
    dpc_pair_rows *pairs; /* of each tile */
} pairwise_job;

enum { SIDE = KINDS * TILE * BLOCK, ROOM = 2 * SIDE + SUMS * TILE * TILE };

/* Rows from … from+rows-1 of some columns: their z, then their m, then their z². */
static void fill(const dpc_incomplete *in, int first, int columns, int64_t from, int rows,
                 double *to)
{
    double *z = to, *m = z + TILE * BLOCK, *q = m + TILE * BLOCK;
    for (int j = 0; j < columns; j++) {
        const double *x = in->x + (first + j) * in->n_obs + from;
        for (int i = 0; i < rows; i++) {
            double there = !isnan(x[i]), value = there > 0 ? x[i] : 0;
            z[(int64_t)j * rows + i] = value;
            m[(int64_t)j * rows + i] = there;
            q[(int64_t)j * rows + i] = value * value;
        }
    }
}

/* The order of the sums: which kind of the one side, which of the other. */
static const int LEFT[SUMS] = {0, 1, 0, 1, 2, 1}, RIGHT[SUMS] = {0, 1, 1, 0, 1, 2};

static void multiply(const dpc_incomplete *in, const int first[2], const int width[2], double *room)
{
    double *side[2] = {room, room + SIDE}, *sums = room + 2 * SIDE;
    const double one = 1;
    double beta = 0; /* the first block overwrites */
    for (int64_t from = 0; from < in->n_obs; from += BLOCK, beta = 1) {
        int rows = dpc_part_size(in->n_obs - from, BLOCK);
        for (int s = 0; s < 2; s++)
            fill(in, first[s], width[s], from, rows, side[s]);
        for (int k = 0; k < SUMS; k++)
            dgemm_("T", "N", &width[0], &width[1], &rows, &one, side[0] + LEFT[k] * TILE * BLOCK,
                   &rows, side[1] + RIGHT[k] * TILE * BLOCK, &rows, &beta, sums + k * TILE * TILE,
                   &width[0]);
    }
}

/* The correlation from the six sums of a pair. */
static double correlate(const double *sums)
{
    double n = sums[1 * TILE * TILE], a = sums[2 * TILE * TILE], b = sums[3 * TILE * TILE];
    double va = sums[4 * TILE * TILE] - a * a / n, vb = sums[5 * TILE * TILE] - b * b / n;
    if (!(va > NOTHING * n && vb > NOTHING * n)) /* also where n is 0 */
        return 0;
    return fmax(-1, fmin(1, (sums[0] - a * b / n) / sqrt(va * vb)));
}

static void count_pair(dpc_pair_rows *pairs, int i, int j, double rows)
{
    if (pairs->count++ == 0 || (int64_t)rows < pairs->least) {
        pairs->least = (int64_t)rows;
        pairs->least_of[0] = i;
        pairs->least_of[1] = j;
    }
    pairs->most = (int64_t)rows > pairs->most ? (int64_t)rows : pairs->most;
    pairs->sum += rows;
}

static void correlate_tile(void *context, int64_t index, int worker)
{
    const pairwise_job *job = context;
    const dpc_incomplete *in = job->in;
    int64_t n = in->n_vars;
    dpc_tile t = dpc_tile_of(index, in->n_vars, TILE);
    const int first[2] = {t.top, t.left}, width[2] = {t.height, t.width};
    double *room = job->room + (int64_t)worker * ROOM;
    multiply(in, first, width, room);
    dpc_pair_rows *pairs = &job->pairs[index];
    for (int64_t j = first[1]; j < first[1] + width[1]; j++)
        for (int64_t i = first[0]; i < first[0] + width[0] && i <= j; i++) {
            const double *sums = room + 2 * SIDE + (j - first[1]) * width[0] + (i - first[0]);
            job->r[j * n + i] = job->r[i * n + j] = i == j ? 1 : correlate(sums);
            bool varies = !in->constant[i] && !in->constant[j];
            double rows = varies ? sums[1 * TILE * TILE] : (double)in->n_obs;
            job->rows[j * n + i] = job->rows[i * n + j] = (int32_t)rows;
            if (i < j && varies)
                count_pair(pairs, (int)i, (int)j, rows);
        }
}

static dpc_pair_rows add_up(const dpc_pair_rows *tiles, int64_t count)
{
    dpc_pair_rows all = {0};
    for (int64_t t = 0; t < count; t++) {
        if (tiles[t].count == 0)
            continue;
        dpc_pair_rows more = all.count == 0 || tiles[t].least < all.least ? tiles[t] : all;
        more.count = all.count + tiles[t].count;
        more.sum = all.sum + tiles[t].sum;
        more.most = all.most > tiles[t].most ? all.most : tiles[t].most;
        all = more;
    }
    return all;
}

dpc_status dpc_correlate_pairwise(const dpc_incomplete *in, const dpc_settings *settings, double *r,
                                  int32_t *rows, dpc_pair_rows *pairs)
{
    dpc_crew crew;
    dpc_arena arena = {0};
    dpc_crew_init(&crew, settings, DPC_STAGE_CORRELATION);
    int64_t tiles = dpc_tiles_of(in->n_vars, TILE);
    pairwise_job job = {
        .in = in,
        .r = r,
        .rows = rows,
        .room = dpc_arena_aligned(&arena, (int64_t)crew.threads * ROOM),
        .pairs = dpc_arena_zalloc(&arena, tiles, sizeof *job.pairs),
    };
    dpc_status status = DPC_NO_MEMORY;
    if (!dpc_arena_failed(&arena)) {
        double work = SUMS * (double)in->n_vars * in->n_vars * (double)in->n_obs;
        status = dpc_crew_run(&crew, tiles, work, correlate_tile, &job) ? DPC_OK : DPC_INTERRUPTED;
        *pairs = add_up(job.pairs, tiles);
    }
    dpc_arena_clear(&arena);
    return status;
}

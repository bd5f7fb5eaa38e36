/* The score of any family: see family_score.h. */
#include "family_score.h"

#include "linalg.h"
#include "score.h"

#include <math.h>

dpc_status dpc_score_matrix_init(dpc_score_matrix *matrix, const dpc_view *view,
                                 const dpc_marginal *marginal)
{
    int64_t n = view->n;
    double factor = marginal->scale / (marginal->scale + marginal->ridge);
    *matrix = (dpc_score_matrix){.view = *view};
    if (marginal->ridge == 0)
        return DPC_OK;
    matrix->shrunk = dpc_alloc(n * n, sizeof *matrix->shrunk);
    if (matrix->shrunk == NULL)
        return DPC_NO_MEMORY;
    for (int64_t i = 0; i < n * n; i++)
        matrix->shrunk[i] = i % (n + 1) == 0 ? 1 : view->r[i] * factor;
    matrix->view.r = matrix->shrunk;
    return DPC_OK;
}

void dpc_score_matrix_clear(dpc_score_matrix *matrix)
{
    free(matrix->shrunk);
    *matrix = (dpc_score_matrix){0};
}

dpc_status dpc_family_scorer_init(dpc_family_scorer *scorer, const dpc_score_matrix *matrix,
                                  const dpc_marginal *marginal)
{
    const dpc_stats stats = dpc_stats_of(&matrix->view);
    scorer->marginal = marginal;
    return dpc_family_init(&scorer->family, &stats, DPC_NOISE_PLAIN);
}

void dpc_family_scorer_clear(dpc_family_scorer *scorer)
{
    dpc_family_clear(&scorer->family);
}

/* log det of R' over the parents. */
static double log_det(const dpc_family *family)
{
    double sum = 0;
    for (int i = 1; i <= family->depth; i++)
        sum += log(family->level[i].pivot);
    return sum;
}

/* From a variance and a determinant of R'. */
static double score_of(const dpc_family_scorer *s, int size, double variance, double log_det)
{
    double unit = s->marginal->scale + s->marginal->ridge;
    variance = variance > DPC_LEAST_LEFT ? variance : DPC_LEAST_LEFT;
    return dpc_marginal_of(s->marginal, size, unit * variance, log_det + size * log(unit));
}

double dpc_family_score(const dpc_family_scorer *s)
{
    const dpc_family *f = &s->family;
    return score_of(s, f->depth, dpc_family_variance(f, f->v), log_det(f));
}

double dpc_family_score_with(const dpc_family_scorer *s, int u)
{
    const dpc_family *f = &s->family;
    double pivot = dpc_family_variance(f, u), square = dpc_family_square(f, u);
    if (!(pivot >= DPC_SINGULAR))
        return -INFINITY;
    double variance = isnan(square) ? 0 : dpc_family_variance(f, f->v) * (1 - square);
    return score_of(s, f->depth + 1, variance, log_det(f) + log(pivot));
}

dpc_status dpc_family_score_dag(dpc_family_scorer *s, const dpc_mixed_lists *dag, double *score)
{
    *score = 0;
    for (int v = 0; v < dag->n; v++) {
        dpc_node_row parents = dpc_parents_of(dag, v);
        DPC_CHECK(dpc_family_of(&s->family, v, parents.node, (int)parents.count));
        *score += s->family.depth == parents.count ? dpc_family_score(s) : -INFINITY;
    }
    return DPC_OK;
}

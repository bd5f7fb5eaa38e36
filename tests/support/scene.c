/* What the tests of the parts of refinement share: see scene.h. */
#include "scene.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

static void fine(dpc_status status)
{
    if (status != DPC_OK)
        abort();
}

struct scene *open_scene(gsl_rng *rng, int n, int64_t n_obs, double parents)
{
    struct sample_model model = {.n = n, .n_obs = n_obs, .parents = fmin(parents, (n - 1) / 2.0)};
    return open_scene_of(rng, &model);
}

struct scene *open_scene_of(gsl_rng *rng, const struct sample_model *model)
{
    struct scene *s = calloc(1, sizeof *s);
    if (s == NULL)
        abort();
    s->sample = sample_draw(model, rng);
    s->view = dpc_view_of(&s->sample.correlation, &s->labels);
    double price = draw_log(rng, 1, 10);
    const dpc_stats stats = dpc_stats_of(&s->view);
    dpc_scoring_init(&s->scoring, &stats, NULL, price);
    dpc_crew_init(&s->crew, NULL, DPC_STAGE_REFINE);
    fine(dpc_workers_init(&s->workers, &s->scoring, &s->crew));
    fine(dpc_precedence_init(&s->precedence, model->n, NULL));
    s->twin = (struct score_twin){s->sample.correlation.r, model->n, (double)model->n_obs, price,
                                  s->scoring.most_parents};
    return s;
}

void close_scene(struct scene *s)
{
    dpc_precedence_clear(&s->precedence);
    dpc_workers_clear(&s->workers);
    dpc_constraints_free(s->known);
    dpc_knowledge_free(s->knowledge);
    sample_free(&s->sample);
    free(s);
}

void draw_dag(gsl_rng *rng, int n, int chance, dpc_families *dag)
{
    int order[n];
    for (int i = 0; i < n; i++)
        order[i] = i;
    gsl_ran_shuffle(rng, order, (size_t)n, sizeof *order);
    fine(dpc_families_init(dag, n));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (draw_int(rng, 1, 100) <= chance)
                fine(dpc_families_add(dag, order[j], order[i]));
}

dpc_knowledge *draw_obeyed(gsl_rng *rng, int n, const uint64_t *parents, struct rules *rules)
{
    dpc_knowledge *k = NULL;
    fine(dpc_knowledge_new(n, &k, NULL));
    for (int v = 0; v < n; v++)
        for (int u = 0; u < n; u++) {
            bool there = (parents[v] >> u & 1) != 0;
            if (u == v || draw_int(rng, 0, there ? 7 : 2) > 0)
                continue;
            fine(there ? dpc_knowledge_require(k, u, v, NULL)
                       : dpc_knowledge_forbid(k, u, v, NULL));
        }
    rules_of(k, n, rules);
    return k;
}

void know_about(gsl_rng *rng, struct scene *s, const dpc_families *dag, struct rules *rules)
{
    uint64_t parents[TWIN_NODES];
    to_bits(dag, parents);
    s->knowledge = draw_obeyed(rng, dag->n, parents, rules);
    fine(dpc_constraints_new(s->knowledge, &s->labels, &s->known, NULL));
    s->scoring.known = s->known;
}

void to_bits(const dpc_families *dag, uint64_t *parents)
{
    for (int v = 0; v < dag->n; v++) {
        parents[v] = 0;
        for (int64_t i = 0; i < dag->pa[v].count; i++)
            parents[v] |= UINT64_C(1) << dag->pa[v].node[i];
    }
}

void from_bits(const uint64_t *parents, dpc_families *dag)
{
    dpc_families_empty(dag);
    for (int v = 0; v < dag->n; v++)
        for (int u = 0; u < dag->n; u++)
            if (parents[v] >> u & 1)
                fine(dpc_families_add(dag, u, v));
}

double score_of(struct scene *s, const dpc_families *dag)
{
    double score;
    fine(dpc_dag_score(&s->workers.each[0], dag, &score));
    return score;
}

bool near_enough(double a, double b)
{
    return fabs(a - b) <= 1e-6 * (1 + fabs(a));
}

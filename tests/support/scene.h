/*
 * What the tests of the parts of refinement share: a sample with all that a part needs, its slow
 * twin, and DAGs as they have them.
 */
#ifndef SCENE_H
#define SCENE_H

#include "cases.h"
#include "gains.h"
#include "precedence.h"
#include "step_twin.h"

/* All that a part needs, over one sample. */
struct scene {
    struct sample sample;
    dpc_labels labels;
    dpc_view view;
    dpc_scoring scoring;
    dpc_crew crew;
    dpc_workers workers;
    dpc_precedence precedence;
    struct score_twin twin;
    dpc_knowledge *knowledge; /* NULL: nothing is known */
    dpc_constraints *known;
};

/* Aborts where memory ends. The price is drawn, too. */
struct scene *open_scene(gsl_rng *rng, int n, int64_t n_obs, double parents);
struct scene *open_scene_of(gsl_rng *rng, const struct sample_model *model);
void close_scene(struct scene *s);

/* A DAG with each pair joined by a chance of so many in a hundred, along a random order. */
void draw_dag(gsl_rng *rng, int n, int chance, dpc_families *dag);

/* Makes something known that the DAG obeys: some of its edges must be, others cannot be. */
void know_about(gsl_rng *rng, struct scene *s, const dpc_families *dag, struct rules *rules);

/* Its parents as bits, and back. */
void to_bits(const dpc_families *dag, uint64_t *parents);
void from_bits(const uint64_t *parents, dpc_families *dag);

/* The same for parents as bits. */
dpc_knowledge *draw_obeyed(gsl_rng *rng, int n, const uint64_t *parents, struct rules *rules);

double score_of(struct scene *s, const dpc_families *dag);

/* Are the two the same but for rounding? */
bool near_enough(double a, double b);

#endif

/*
 * The search for a maximal ancestral graph: a graph of the measured variables that says where two
 * of them have a hidden common cause.
 *
 *     start → climbing → up to four rounds of latent moves (latent_moves.h), climbing after each
 *
 * The score (mag_score.h) is the Gaussian log-likelihood minus a price per edge and a price more
 * per double arrow. Climbing takes the best move of all (mag_moves.h), also where it loses, but
 * does not touch a pair again for a while (tabu search), and ends after a few moves without gain.
 * All graphs on the way are MAGs.
 *
 * Nodes are labels, so rearranging the columns rearranges the result. Threads change nothing.
 *
 * Knowledge: a → b that is forbidden is never there, but a ↔ b may be; a pair that is forbidden
 * both ways is never joined. What is required is there as it is required.
 */
#ifndef DPC_MAG_SEARCH_H
#define DPC_MAG_SEARCH_H

#include "constraints.h"
#include "crew.h"
#include "view.h"

typedef struct dpc_mag_plan {
    double price;          /* of an edge; 0: ½ log N + log n */
    double hidden_price;   /* of a double arrow, beyond that; negative: DPC_HIDDEN_PRICE */
    double memory;         /* bytes for what the search keeps to be faster; INFINITY: any */
    dpc_time_limit *limit; /* of the search; NULL: none */
    int waves;             /* of latent moves, at most; 0: as many as gain */
} dpc_mag_plan;

#define DPC_HIDDEN_PRICE 2.0

/* The price of an edge where `penalty` times log N is given; 0: EBIC, of the `rows` independent
 * ones that a table of N is worth. */
double dpc_mag_price(double penalty, int n_vars, double n_obs, double rows);

typedef struct dpc_mag_found {
    double price, hidden_price; /* that were used */
    double score_before, score_after;
    int64_t steps; /* of the climbing that were kept */
    int64_t tries; /* of latent moves */
    int64_t kept;  /* of these */
    int rounds;    /* of latent moves */
    bool complete; /* false: the time was up, or the callback has asked to stop */
} dpc_mag_found;

/*
 * The best MAG that the search comes to, from `start`: a partly directed graph, of which a DAG is
 * made as for refinement, or a MAG, which has to agree with the knowledge; in labels as `known`,
 * which may be NULL. Blocks of columns are DPC_BAD_INPUT. Where the search is ended on the way, the
 * result is the best so far. End with dpc_graph_clear.
 */
dpc_status dpc_search_mag(const dpc_view *view, const dpc_constraints *known,
                          const dpc_settings *settings, const dpc_mag_plan *plan,
                          const dpc_graph *start, dpc_graph *mag, dpc_mag_found *found,
                          dpc_error *err);

/*
 * What score is lost if an edge of a MAG is changed: by new mark, none, →, ← and ↔ seen from its
 * first node. The pair is held so, and its neighbourhood settles around it: what is left of the
 * loss then. 0 for the mark that it has; NaN where no MAG has another one with all else as it is,
 * or where the knowledge does not allow it. Below 0 where the MAG could be better.
 */
typedef struct dpc_mag_loss {
    double none, forward, backward, both;
} dpc_mag_loss;

/* For one pair of a MAG, seen from a < b, joined or not. As below. */
dpc_status dpc_mag_loss_of(const dpc_view *view, const dpc_constraints *known,
                           const dpc_settings *settings, const dpc_mag_plan *plan,
                           const dpc_graph *mag, int a, int b, dpc_mag_loss *loss, dpc_error *err);

/* For each edge of a MAG, in their order. DPC_OK, no memory or interrupted. */
dpc_status dpc_mag_losses(const dpc_view *view, const dpc_constraints *known,
                          const dpc_settings *settings, const dpc_mag_plan *plan,
                          const dpc_graph *mag, dpc_mag_loss *losses, dpc_error *err);

#endif

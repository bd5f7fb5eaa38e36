/*
 * Mixed graphs of few nodes by their definitions, on matrices of marks and by going through all
 * paths; without any code of core/, but for the drawing of random ones.
 */
#ifndef MAGS_H
#define MAGS_H

#include "cases.h"
#include "dualpc_graph.h"

enum { MAGS_MAX = 8 };

/* m[i][j] is the mark at j of the edge between i and j. */
struct marks {
    int n;
    uint8_t m[MAGS_MAX][MAGS_MAX];
};

struct marks marks_of(const dpc_graph *graph);
dpc_graph marks_graph(const struct marks *marks); /* ended by dpc_graph_clear */
bool marks_same(const struct marks *p, const struct marks *q);
/* Node v becomes to[v]. */
struct marks marks_renumbered(const struct marks *marks, const int32_t *to);
/* In one line, for failures. */
const char *marks_text(const struct marks *marks);

/* Of a graph without circles: the ancestors of v, with v, as bits. */
unsigned mag_ancestors(const struct marks *mag, int v);
/* Is it ancestral? Does some set separate every two nodes that are not adjacent? */
bool mag_is_ancestral(const struct marks *mag);
bool mag_is_maximal(const struct marks *mag);

/* Are x and y m-separated given a set, by all paths? */
bool mag_separated(const struct marks *mag, int x, int y, unsigned given);

/* All separations of a MAG, as bits: the same where MAGs are equivalent. */
enum { MAGS_KEY = 24 }; /* words: 28 pairs of 8 nodes, 64 sets each */
struct mag_key {
    uint64_t word[MAGS_KEY + 4];
};
struct mag_key mag_key_of(const struct marks *mag);

/*
 * The marks that all MAGs equivalent to one share, circles elsewhere; found by trying all marks on
 * its edges, undirected ones too where `selection`. *members (may be NULL): how many there are.
 */
struct marks slow_pag(const struct marks *mag, bool selection, int *members);

/* Calls `visit` for each of the MAGs that slow_pag meets. */
typedef void mag_visit(void *context, const struct marks *mag);
void mags_equivalent(const struct marks *mag, bool selection, mag_visit *visit, void *context);

/* A valid set for adjustment in a MAG or PAG by the generalised adjustment criterion, by all paths.
 */
bool slow_amenable(const struct marks *graph, int x, int y);
unsigned slow_forbidden(const struct marks *graph, int x, int y);
bool slow_criterion(const struct marks *graph, int x, int y, unsigned set);

/* A random order. */
void shuffle_nodes(gsl_rng *rng, int32_t *to, int n);

/* A random MAG: what a random DAG of up to five more nodes says of n; of at most so many edges. */
struct marks draw_mag(gsl_rng *rng, int n, int most_edges);

enum { MOST_SEEN = 16 };

/* Rows of a random linear model over n variables that are seen, and some that are not; by columns.
 * The first nodes of its order are causes of the later ones. Free with free. */
double *draw_hidden_data(gsl_rng *rng, int n, int hidden, int rows);

#endif

/*
 * The consensus of many graphs: the edges that enough of them have, and directions that most of
 * them agree on, as the CPDAG of a DAG.
 *
 * The directions come from the unshielded triples x — y — z of the kept edges, by the steps of the
 * consistent rule (consistent.c). A graph that has both edges says "collider" where both
 * arrows enter y, and "no collider" where one of them leaves y or x and z are not adjacent; a
 * triangle without such arrows says nothing. Of m graphs that say something c say collider:
 *
 *     w = ln (c + ½) / (m - c + ½).
 *
 * So a direction that only some graphs have for certain is not lost, and an edge that points
 * here in one half of them and there in the other makes no v-structure that none of them has.
 *
 * The consensus respects background knowledge as each of the graphs does (docs/algorithm.md,
 * section 17). Where the directions left for the kept edges close a circle, which they do in none
 * of the graphs, the rarest edge goes.
 */
#include "alloc.h"
#include "consistent.h"
#include "crew.h"
#include "frequency.h"
#include "settings.h"
#include "sorted.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* What one of the graphs has at a slot y→x of the consensus. */
enum { ABSENT = 0, PLAIN, INTO, OUT_OF }; /* PLAIN: undirected; the arrow enters or leaves y */

typedef struct vote_state {
    const dpc_labels *labels;
    const dpc_triples *triples;
    uint8_t *state;   /* by slot */
    double *decided;  /* by entry: the weight of the graphs that say something … */
    double *collider; /* … and of those that say collider */
} vote_state;

/* What the edges are chosen by. */
typedef struct choice {
    const dpc_frequencies *weights;
    const dpc_labels *labels;
    const dpc_constraints *known;
    double min_frequency;
} choice;

/* ---- The edges ---- */

/* Counts an edge at both of its ends, or, where there is a graph, puts it there. */
static void add_edge(dpc_adjacency *kept, int32_t *degree, int a, int b)
{
    if (kept == NULL) {
        degree[a]++;
        degree[b]++;
    } else {
        kept->node[kept->start[a] + --degree[a]] = b;
        kept->node[kept->start[b] + --degree[b]] = a;
    }
}

/* All edges that are frequent enough and not banned, and all that are required; in labels. */
static void add_edges(const choice *c, int n, dpc_adjacency *kept, int32_t *degree)
{
    for (int64_t i = 0; i < c->weights->n_pairs; i++) {
        const dpc_frequency *pair = &c->weights->pairs[i];
        int a = dpc_label_of(c->labels, pair->a), b = dpc_label_of(c->labels, pair->b);
        if (pair->edge / c->weights->total >= c->min_frequency && !dpc_forbidden(c->known, a, b) &&
            !dpc_required(c->known, a, b))
            add_edge(kept, degree, a, b);
    }
    for (int a = 0; c->known != NULL && a < n; a++)
        for (int b = a + 1; b < n; b++)
            if (dpc_required(c->known, a, b))
                add_edge(kept, degree, a, b);
}

/* The kept edges, in labels. */
static dpc_status keep_edges(const choice *c, int n, dpc_adjacency **out, dpc_error *err)
{
    int32_t *degree = dpc_zalloc(n, sizeof *degree);
    dpc_status status = degree != NULL ? DPC_OK : DPC_NO_MEMORY;
    if (status == DPC_OK) {
        add_edges(c, n, NULL, degree);
        status = dpc_adjacency_new(n, degree, out);
    }
    if (status == DPC_OK)
        add_edges(c, n, *out, degree);
    for (int x = 0; status == DPC_OK && x < n; x++)
        dpc_sort_numbers((*out)->node + (*out)->start[x], dpc_degree(*out, x));
    free(degree);
    return status == DPC_OK ? DPC_OK : dpc_fail_memory(err, "the edges of the consensus");
}

/* The weight of the graphs with an edge; the context is the choice. */
static double strength(const void *context, int a, int b)
{
    const choice *c = context;
    return dpc_frequency_of(c->weights, dpc_column_of(c->labels, a), dpc_column_of(c->labels, b))
        .edge;
}

/* ---- The votes of one graph ---- */

static void set_states(const vote_state *b, const dpc_weighted_graph *graph)
{
    const dpc_adjacency *g = b->triples->graph;
    memset(b->state, ABSENT, (size_t)dpc_slots(g) * sizeof *b->state);
    for (int64_t e = 0; e < graph->n_edges; e++) {
        dpc_edge edge = dpc_unpack_edge(graph->edges[e]);
        int64_t slot =
            dpc_slot(g, dpc_label_of(b->labels, edge.a), dpc_label_of(b->labels, edge.b));
        if (slot < 0)
            continue;
        bool directed = edge.mark != DPC_UNDIRECTED, forward = edge.mark == DPC_FORWARD;
        b->state[slot] = !directed ? PLAIN : forward ? OUT_OF : INTO;
        b->state[dpc_reverse(g, b->triples->places, slot)] = !directed ? PLAIN
                                                             : forward ? INTO
                                                                       : OUT_OF;
    }
}

static bool adjacent(const vote_state *b, const dpc_weighted_graph *graph, int x, int z)
{
    return dpc_packed_adjacent(graph, dpc_column_of(b->labels, x), dpc_column_of(b->labels, z));
}

static void vote_at(const vote_state *b, const dpc_weighted_graph *graph, int y)
{
    const dpc_adjacency *g = b->triples->graph;
    int64_t entry = b->triples->start[y];
    for (int64_t ex = g->start[y]; ex < g->start[y + 1]; ex++)
        for (int64_t ez = ex + 1; ez < g->start[y + 1]; ez++, entry++) {
            uint8_t sx = b->state[ex], sz = b->state[ez];
            if (b->triples->mark[entry] != DPC_OPEN || sx == ABSENT || sz == ABSENT)
                continue;
            bool collider = sx == INTO && sz == INTO;
            bool decided = collider || sx == OUT_OF || sz == OUT_OF ||
                           !adjacent(b, graph, g->node[ex], g->node[ez]);
            b->collider[entry] += collider ? graph->weight : 0;
            b->decided[entry] += decided ? graph->weight : 0;
        }
}

/* ---- All votes ---- */

static void set_weights(const vote_state *b, dpc_triples *t)
{
    for (int64_t entry = 0; entry < dpc_triples_end(t); entry++) {
        double for_it = b->collider[entry], against = b->decided[entry] - for_it;
        t->weight[entry] = (int32_t)lrint(log((for_it + 0.5) / (against + 0.5)) * DPC_WEIGHT_ONE);
    }
}

static void vote(const vote_state *b, const dpc_weighted_graph *graph)
{
    set_states(b, graph);
    for (int y = 0; y < b->triples->graph->n; y++)
        vote_at(b, graph, y);
}

/* A dpc_weigher; the context are the resamples. */
static dpc_status weigh_votes(const void *context, const dpc_unoriented *task, dpc_triples *t,
                              dpc_error *err)
{
    const struct dpc_resamples *resamples = context;
    const dpc_weighted_graphs *all = &resamples->graphs;
    int64_t total = dpc_triples_end(t);
    vote_state b = {
        .labels = &resamples->labels,
        .triples = t,
        .state = dpc_alloc(dpc_slots(t->graph), sizeof *b.state),
        .decided = dpc_zalloc(total, sizeof *b.decided),
        .collider = dpc_zalloc(total, sizeof *b.collider),
    };
    dpc_crew crew;
    dpc_crew_init(&crew, task->settings, DPC_STAGE_ORIENT);
    dpc_status status = DPC_OK;
    if (b.state == NULL || b.decided == NULL || b.collider == NULL)
        status = dpc_fail_memory(err, "the votes of the resamples");
    for (int64_t i = 0; i < all->places && status == DPC_OK; i++) {
        crew.progress.fraction = (double)i / (double)all->places;
        if (dpc_crew_stopped(&crew, 0))
            status = dpc_fail(err, DPC_INTERRUPTED, "interrupted");
        else if (dpc_has_graph(all, i))
            vote(&b, &all->graphs[i]);
    }
    if (status == DPC_OK)
        set_weights(&b, t);
    free(b.state);
    free(b.decided);
    free(b.collider);
    return status;
}

/* ---- The graph ---- */

static dpc_status direct(const struct dpc_resamples *all, const dpc_unoriented *task,
                         dpc_graph **out, dpc_error *err)
{
    dpc_oriented found = {0};
    DPC_CHECK(dpc_orient_weighed(task, weigh_votes, all, &found, err));
    dpc_labels_undo_graph(&all->labels, &found.graph);
    return dpc_graph_release(&found.graph, out, err);
}

/* Of the edges that are chosen. */
static dpc_status make_consensus(const struct dpc_resamples *all, const choice *choice,
                                 dpc_constraints *known, const dpc_settings *settings,
                                 dpc_graph **out, dpc_error *err)
{
    dpc_adjacency *kept = NULL;
    dpc_status status = keep_edges(choice, all->graphs.n_nodes, &kept, err);
    if (status == DPC_OK)
        status = dpc_break_circles(known, strength, choice, &kept, err);
    if (status == DPC_OK) {
        dpc_unoriented task = {
            .skeleton = kept, .settings = settings, .known = known, .graph_only = true};
        status = direct(all, &task, out, err);
    }
    dpc_adjacency_free(kept);
    return status;
}

dpc_status dpc_consensus(const dpc_frequencies *f, double min_frequency, dpc_progress_fn progress,
                         void *progress_user, dpc_graph **out, dpc_error *err)
{
    const struct dpc_resamples *all = f->graphs;
    dpc_settings settings = all->settings;
    dpc_constraints *known = NULL;
    if (!(min_frequency > 0 && min_frequency <= 1))
        return dpc_fail(err, DPC_USAGE, "min-frequency must be above 0 and at most 1, not %g",
                        min_frequency);
    if (settings.latent != DPC_HIDDEN_NONE)
        return dpc_fail(err, DPC_USAGE,
                        "min-frequency makes one graph of many by their arrows, and the marks of "
                        "PAGs are no votes for arrows; leave it out, and read the frequencies");
    settings.progress = progress;
    settings.progress_user = progress_user;
    DPC_CHECK(dpc_constraints_new(settings.knowledge, &all->labels, &known, err));
    choice choice = {f, &all->labels, known, min_frequency};
    dpc_status status = make_consensus(all, &choice, known, &settings, out, err);
    dpc_constraints_free(known);
    return status;
}

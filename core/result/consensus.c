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
    const struct dpc_resamples *all;
    const dpc_triples *triples;
    uint8_t *state;   /* by slot */
    int32_t *decided; /* by entry: graphs that say something */
    int32_t *collider;
} vote_state;

static int label_of(const struct dpc_resamples *all, int node)
{
    return dpc_label_of(&all->labels, node);
}

/* ---- The edges ---- */

static bool is_kept(const dpc_frequencies *f, const dpc_frequency *pair, double min_frequency)
{
    return (double)pair->edge / f->resamples >= min_frequency;
}

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
static void add_edges(const dpc_frequencies *f, double min_frequency, const dpc_constraints *known,
                      dpc_adjacency *kept, int32_t *degree)
{
    for (int64_t i = 0; i < f->n_pairs; i++) {
        int a = label_of(f->graphs, f->pairs[i].a), b = label_of(f->graphs, f->pairs[i].b);
        if (is_kept(f, &f->pairs[i], min_frequency) && !dpc_forbidden(known, a, b) &&
            !dpc_required(known, a, b))
            add_edge(kept, degree, a, b);
    }
    for (int a = 0; known != NULL && a < f->n_vars; a++)
        for (int b = a + 1; b < f->n_vars; b++)
            if (dpc_required(known, a, b))
                add_edge(kept, degree, a, b);
}

/* The kept edges, in labels. */
static dpc_status keep_edges(const dpc_frequencies *f, double min_frequency,
                             const dpc_constraints *known, dpc_adjacency **out, dpc_error *err)
{
    int n = f->n_vars;
    int32_t *degree = dpc_zalloc(n, sizeof *degree);
    dpc_status status = degree != NULL ? DPC_OK : DPC_NO_MEMORY;
    if (status == DPC_OK) {
        add_edges(f, min_frequency, known, NULL, degree);
        status = dpc_adjacency_new(n, degree, out);
    }
    if (status == DPC_OK)
        add_edges(f, min_frequency, known, *out, degree);
    for (int x = 0; status == DPC_OK && x < n; x++)
        dpc_sort_numbers((*out)->node + (*out)->start[x], dpc_degree(*out, x));
    free(degree);
    return status == DPC_OK ? DPC_OK : dpc_fail_memory(err, "the edges of the consensus");
}

/* In how many resamples; the context are the frequencies. */
static double strength(const void *context, int a, int b)
{
    const dpc_frequencies *f = context;
    const dpc_labels *labels = &f->graphs->labels;
    return dpc_frequency_of(f, dpc_column_of(labels, a), dpc_column_of(labels, b)).edge;
}

/* ---- The votes of one graph ---- */

static void set_states(const vote_state *b, const dpc_graph *graph)
{
    const dpc_adjacency *g = b->triples->graph;
    memset(b->state, ABSENT, (size_t)dpc_slots(g) * sizeof *b->state);
    for (int64_t e = 0; e < graph->n_edges; e++) {
        const dpc_edge *edge = &graph->edges[e];
        int64_t slot = dpc_slot(g, label_of(b->all, edge->a), label_of(b->all, edge->b));
        if (slot < 0)
            continue;
        bool directed = edge->mark != DPC_UNDIRECTED, forward = edge->mark == DPC_FORWARD;
        b->state[slot] = !directed ? PLAIN : forward ? OUT_OF : INTO;
        b->state[dpc_reverse(g, b->triples->places, slot)] = !directed ? PLAIN
                                                             : forward ? INTO
                                                                       : OUT_OF;
    }
}

static bool adjacent(const vote_state *b, const dpc_graph *graph, int x, int z)
{
    const dpc_labels *labels = &b->all->labels;
    return dpc_graph_mark(graph, dpc_column_of(labels, x), dpc_column_of(labels, z)) != DPC_NONE;
}

static void vote_at(const vote_state *b, const dpc_graph *graph, int y)
{
    const dpc_adjacency *g = b->triples->graph;
    int64_t entry = b->triples->start[y];
    for (int64_t ex = g->start[y]; ex < g->start[y + 1]; ex++)
        for (int64_t ez = ex + 1; ez < g->start[y + 1]; ez++, entry++) {
            uint8_t sx = b->state[ex], sz = b->state[ez];
            if (b->triples->mark[entry] != DPC_OPEN || sx == ABSENT || sz == ABSENT)
                continue;
            bool collider = sx == INTO && sz == INTO;
            b->collider[entry] += collider;
            b->decided[entry] += collider || sx == OUT_OF || sz == OUT_OF ||
                                 !adjacent(b, graph, g->node[ex], g->node[ez]);
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

/* A dpc_weigher; the context are the resamples. */
static dpc_status weigh_votes(const void *context, const dpc_unoriented *task, dpc_triples *t,
                              dpc_error *err)
{
    const struct dpc_resamples *all = context;
    int64_t total = dpc_triples_end(t);
    vote_state b = {
        .all = all,
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
    for (int64_t i = 0; i < all->room && status == DPC_OK; i++) {
        crew.progress.fraction = (double)i / (double)all->room;
        if (dpc_crew_stopped(&crew, 0))
            status = dpc_fail(err, DPC_INTERRUPTED, "interrupted");
        else if (dpc_resample_done(all, i))
            set_states(&b, &all->graphs[i]);
        for (int y = 0; y < t->graph->n && status == DPC_OK && dpc_resample_done(all, i); y++)
            vote_at(&b, &all->graphs[i], y);
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
    dpc_status status = dpc_orient_weighed(task, weigh_votes, all, &found, err);
    if (status != DPC_OK)
        return status;
    dpc_labels_undo_graph(&all->labels, &found.graph);
    return dpc_graph_release(&found.graph, out, err);
}

dpc_status dpc_consensus(const dpc_frequencies *f, double min_frequency, dpc_progress_fn progress,
                         void *progress_user, dpc_graph **out, dpc_error *err)
{
    dpc_settings settings = f->graphs->settings;
    dpc_constraints *known = NULL;
    dpc_adjacency *kept = NULL;
    dpc_status status = DPC_OK;
    if (!(min_frequency > 0 && min_frequency <= 1))
        return dpc_fail(err, DPC_USAGE, "min-frequency must be above 0 and at most 1, not %g",
                        min_frequency);
    settings.progress = progress;
    settings.progress_user = progress_user;
    status = dpc_constraints_new(settings.knowledge, &f->graphs->labels, &known, err);
    if (status == DPC_OK)
        status = keep_edges(f, min_frequency, known, &kept, err);
    if (status == DPC_OK)
        status = dpc_break_circles(known, strength, f, &kept, err);
    if (status == DPC_OK) {
        dpc_unoriented task = {
            .skeleton = kept, .settings = &settings, .known = known, .graph_only = true};
        status = direct(f->graphs, &task, out, err);
    }
    dpc_adjacency_free(kept);
    dpc_constraints_free(known);
    return status;
}

/*
 * Orientation by weighed triples against its slow twin, step by step, on random graphs with random
 * weights: sparse and dense ones, with few weights that often tie, and with background knowledge;
 * and what the arrows rest on against all chains.
 */
#include "acyclic.h"
#include "apply_knowledge.h"
#include "cases.h"
#include "climb_arrows.h"
#include "complete.h"
#include "decide.h"
#include "oriented.h"
#include "provenance.h"
#include "repeat.h"
#include "weighed_twin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_SMALL = 300 };

/* One graph, as the library and as the twin have it. */
struct input {
    int n;
    bool *adjacent, *must;
    int32_t *weight;
    dpc_adjacency *graph;
    dpc_constraints *known; /* NULL: nothing is known */
};

static void *zeros(size_t count, size_t size)
{
    void *p = calloc(count, size);
    assert_non_null(p);
    return p;
}

static void draw_edges(struct input *in, double density, gsl_rng *rng)
{
    int n = in->n;
    int32_t *degree = zeros((size_t)n, sizeof *degree);
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++) {
            bool edge = gsl_rng_uniform(rng) < density;
            in->adjacent[a * n + b] = in->adjacent[b * n + a] = edge;
            degree[a] += edge;
            degree[b] += edge;
        }
    assert_int_equal(dpc_adjacency_new(n, degree, &in->graph), DPC_OK);
    for (int a = 0; a < n; a++)
        for (int b = 0, at = 0; b < n; b++)
            if (in->adjacent[a * n + b])
                in->graph->node[in->graph->start[a] + at++] = b;
    free(degree);
}

/* Some edges may not point against a random order of the nodes. */
static void draw_knowledge(struct input *in, double share, gsl_rng *rng)
{
    int n = in->n;
    dpc_knowledge *knowledge = NULL;
    const dpc_labels none = {0};
    double *rank = zeros((size_t)n, sizeof *rank);
    for (int v = 0; v < n; v++)
        rank[v] = gsl_rng_uniform(rng);
    assert_int_equal(dpc_knowledge_new(n, &knowledge, NULL), DPC_OK);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            if (in->adjacent[a * n + b] && rank[a] < rank[b] && gsl_rng_uniform(rng) < share) {
                in->must[a * n + b] = true;
                assert_int_equal(dpc_knowledge_forbid(knowledge, b, a, NULL), DPC_OK);
            }
    assert_int_equal(dpc_constraints_new(knowledge, &none, &in->known, NULL), DPC_OK);
    dpc_knowledge_free(knowledge);
    free(rank);
}

/* Weights up to `size` in steps of `step`, more of them above 0 where `up` is larger. */
static void draw_weights(struct input *in, int size, int step, double up, gsl_rng *rng)
{
    int n = in->n;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            for (int z = x + 1; z < n; z++) {
                int32_t w = step * draw_int(rng, 0, size / step);
                w = gsl_rng_uniform(rng) < up ? w : -w;
                in->weight[(y * n + x) * n + z] = in->weight[(y * n + z) * n + x] = w;
            }
}

static struct input input_of(int n)
{
    struct input in = {.n = n};
    size_t pairs = (size_t)n * n;
    in.adjacent = zeros(pairs, sizeof *in.adjacent);
    in.must = zeros(pairs, sizeof *in.must);
    in.weight = zeros(pairs * n, sizeof *in.weight);
    return in;
}

static void input_clear(struct input *in)
{
    free(in->adjacent);
    free(in->must);
    free(in->weight);
    dpc_adjacency_free(in->graph);
    dpc_constraints_free(in->known);
}

static void fill_triples(const struct input *in, dpc_triples *triples)
{
    const dpc_adjacency *g = in->graph;
    int64_t entry = 0;
    assert_int_equal(dpc_triples_init(g, in->known, triples), DPC_OK);
    for (int y = 0; y < g->n; y++)
        for (int64_t ex = g->start[y]; ex < g->start[y + 1]; ex++)
            for (int64_t ez = ex + 1; ez < g->start[y + 1]; ez++, entry++) {
                bool shielded = in->adjacent[g->node[ex] * in->n + g->node[ez]];
                assert_int_equal(triples->mark[entry], shielded ? DPC_SHIELDED : DPC_OPEN);
                if (!shielded)
                    triples->weight[entry] =
                        in->weight[(y * in->n + g->node[ex]) * in->n + g->node[ez]];
            }
    assert_int_equal(entry, dpc_triples_end(triples));
}

static void check_arrows(const char *step, int number, const struct weighed_twin *twin,
                         const dpc_mixed *arrows)
{
    const dpc_adjacency *g = arrows->graph;
    for (int a = 0; a < g->n; a++)
        for (int64_t e = g->start[a]; e < g->start[a + 1]; e++)
            if (dpc_arrow_out(arrows, e) != twin->arrow[a * g->n + g->node[e]])
                fail_msg("graph %d, %s: %d and %d of %d nodes", number, step, a, g->node[e], g->n);
}

/* Every parent stands before its children. */
static void check_order(const dpc_acyclic *acyclic)
{
    const dpc_adjacency *g = acyclic->arrows.graph;
    for (int a = 0; a < g->n; a++) {
        assert_int_equal(acyclic->node[acyclic->place[a]], a);
        for (int64_t e = g->start[a]; e < g->start[a + 1]; e++)
            if (dpc_arrow_out(&acyclic->arrows, e))
                assert_true(acyclic->place[a] < acyclic->place[g->node[e]]);
    }
}

/* ---- Evidence ---- */

/* Into the arrows of the twin. */
static void copy_graph(const dpc_graph *graph, bool *arrow)
{
    int n = graph->n_nodes;
    memset(arrow, 0, (size_t)n * n * sizeof *arrow);
    for (int64_t e = 0; e < graph->n_edges; e++) {
        const dpc_edge *edge = &graph->edges[e];
        arrow[edge->a * n + edge->b] = edge->mark == DPC_FORWARD;
        arrow[edge->b * n + edge->a] = edge->mark == DPC_BACKWARD;
    }
}

/* Some triples say nothing, some both; then not every arrow has a ground. */
static void blur(dpc_triples *triples, gsl_rng *rng)
{
    for (int64_t entry = 0; entry < dpc_triples_end(triples); entry++)
        if (triples->mark[entry] != DPC_SHIELDED && draw_int(rng, 0, 3) == 0)
            triples->mark[entry] = (uint8_t)draw_int(rng, 0, 3);
}

static void copy_marks(const dpc_triples *triples, unsigned char *says)
{
    const dpc_adjacency *g = triples->graph;
    int64_t entry = 0;
    int n = g->n;
    for (int y = 0; y < n; y++)
        for (int64_t ex = g->start[y]; ex < g->start[y + 1]; ex++)
            for (int64_t ez = ex + 1; ez < g->start[y + 1]; ez++, entry++)
                says[(y * n + g->node[ex]) * n + g->node[ez]] =
                    says[(y * n + g->node[ez]) * n + g->node[ex]] = triples->mark[entry];
}

struct provenance_seen {
    int64_t arrows, kinds[DPC_REASON_CONTESTED + 1];
};

/* A ground is what it says, and its premises have been settled before and bear as much. */
static void check_ground(const struct weighed_twin *t, const dpc_provenance *list, int64_t count,
                         const dpc_provenance *g)
{
    int premise[2][2] = {{-1, -1}, {-1, -1}}, n = t->n;
    int a = g->from, b = g->to, c = g->other[0], d = g->other[1];
    int32_t least = g->link == DPC_NO_LINK ? DPC_SURE : g->link;
    switch (g->kind) {
    case DPC_REASON_V_STRUCTURE:
    case DPC_REASON_OVERWRITTEN:
    case DPC_REASON_CONTESTED:
        assert_int_equal(g->link, t->weight[(b * n + a) * n + c]);
        assert_int_equal(g->kind == DPC_REASON_V_STRUCTURE, t->arrow[c * n + b]);
        break;
    case DPC_REASON_RULE_1:
        premise[0][0] = c, premise[0][1] = a;
        assert_int_equal(g->link, -t->weight[(a * n + c) * n + b]);
        break;
    case DPC_REASON_RULE_2:
        premise[0][0] = a, premise[0][1] = premise[1][0] = c, premise[1][1] = b;
        assert_int_equal(g->link, DPC_NO_LINK);
        break;
    case DPC_REASON_RULE_3:
        premise[0][0] = c, premise[1][0] = d, premise[0][1] = premise[1][1] = b;
        assert_int_equal(g->link, -t->weight[(a * n + c) * n + d]);
        break;
    case DPC_REASON_RULE_4:
        premise[0][0] = c, premise[0][1] = premise[1][0] = d, premise[1][1] = b;
        assert_int_equal(g->link, -t->weight[(a * n + c) * n + b]);
        break;
    case DPC_REASON_KNOWLEDGE:
        assert_true(t->must[a * n + b]);
        break;
    case DPC_REASON_CONFLICT:
        assert_int_equal(g->turn, -1);
        return;
    }
    for (int i = 0; i < 2 && premise[i][0] >= 0; i++) {
        const dpc_provenance *p = dpc_find_provenance(list, count, premise[i][0], premise[i][1]);
        assert_true(p != NULL && p->turn >= 0 && p->turn < g->turn);
        least = p->weight < least ? p->weight : least;
    }
    assert_int_equal(least, g->weight);
}

/* The grounds of the graph of the DAG in `acyclic`. */
static void check_grounds(const dpc_unoriented *task, dpc_triples *triples,
                          const dpc_acyclic *acyclic, struct weighed_twin *twin, int number,
                          gsl_rng *rng, struct provenance_seen *seen)
{
    size_t pairs = (size_t)twin->n * twin->n;
    int32_t *evidence = zeros(pairs, sizeof *evidence);
    unsigned char *says = zeros(pairs * twin->n, 1);
    dpc_graph graph = {0};
    dpc_provenance *provenance = NULL;
    int64_t count = 0;
    assert_int_equal(dpc_acyclic_class(acyclic, DPC_CPDAG, &graph, NULL), DPC_OK);
    if (task->known != NULL)
        assert_int_equal(dpc_apply_knowledge(task->known, true, &graph, NULL), DPC_OK);
    dpc_mark_decided(&acyclic->arrows, triples);
    if (number % 2 == 1)
        blur(triples, rng);
    assert_int_equal(dpc_trace_provenance(task, triples, &graph, &provenance, &count, NULL),
                     DPC_OK);
    copy_graph(&graph, twin->arrow);
    copy_marks(triples, says);
    twin_evidence(twin, says, evidence);
    for (int64_t i = 0; i < count; i++) {
        const dpc_provenance *g = &provenance[i];
        assert_true(twin->arrow[g->from * twin->n + g->to]);
        if (g->weight != evidence[g->from * twin->n + g->to])
            fail_msg("graph %d: %d → %d has evidence %d, not %d", number, g->from, g->to, g->weight,
                     evidence[g->from * twin->n + g->to]);
        if (number % 2 == 0)
            assert_true(g->turn >= 0); /* a CPDAG has a chain for every arrow */
        check_ground(twin, provenance, count, g);
        seen->kinds[g->kind]++;
    }
    for (int64_t i = 0; i < count; i++)
        twin->arrow[provenance[i].from * twin->n + provenance[i].to] = false;
    for (size_t i = 0; i < pairs; i++)
        assert_false(twin->arrow[i]); /* none is missing */
    seen->arrows += count;
    dpc_graph_clear(&graph);
    free(provenance);
    free(evidence);
    free(says);
}

/* ---- One graph ---- */

/* Returns how many edges the polish has turned. */
static int64_t check_input(const struct input *in, int number, gsl_rng *rng,
                           struct provenance_seen *seen)
{
    int n = in->n;
    size_t pairs = (size_t)n * n;
    dpc_triples triples;
    dpc_acyclic acyclic;
    dpc_settings settings;
    dpc_settings_default(&settings);
    settings.threads = 1 + number % 2;
    dpc_unoriented task = {.skeleton = in->graph, .settings = &settings, .known = in->known};
    struct weighed_twin twin = {n,
                                in->adjacent,
                                in->must,
                                in->weight,
                                zeros(pairs, sizeof(bool)),
                                zeros(pairs * n, sizeof(bool))};
    bool *before = zeros(pairs, sizeof *before);
    int64_t turned = 0;
    fill_triples(in, &triples);
    assert_int_equal(dpc_acyclic_init(in->graph, &acyclic), DPC_OK);
    twin_decide(&twin);
    assert_int_equal(dpc_decide(&task, &triples, &acyclic, NULL), DPC_OK);
    check_arrows("decide", number, &twin, &acyclic.arrows);
    twin_complete(&twin);
    assert_int_equal(dpc_complete(&task, &triples, &acyclic, NULL), DPC_OK);
    check_arrows("complete", number, &twin, &acyclic.arrows);
    check_order(&acyclic);
    memcpy(before, twin.arrow, pairs * sizeof *before);
    twin_polish(&twin);
    assert_int_equal(dpc_climb_arrows(&task, &triples, &acyclic, NULL), DPC_OK);
    check_arrows("polish", number, &twin, &acyclic.arrows);
    check_order(&acyclic);
    for (size_t i = 0; i < pairs; i++)
        turned += twin.arrow[i] && !before[i];
    if (in->known == NULL)
        twin.must = NULL;
    check_grounds(&task, &triples, &acyclic, &twin, number, rng, seen);
    dpc_acyclic_clear(&acyclic);
    dpc_triples_clear(&triples);
    free(twin.arrow);
    free(twin.apart);
    free(before);
    return turned;
}

static void test_small(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240611);
    int64_t turned = 0, edges = 0;
    struct provenance_seen seen = {0};
    for (int number = 0; number < repeats(N_SMALL); number++) {
        struct input in = input_of(draw_int(rng, 2, 16));
        draw_edges(&in, gsl_rng_uniform(rng), rng);
        draw_weights(&in, 5000000, draw_int(rng, 0, 1) ? 1 : 500000, gsl_rng_uniform(rng), rng);
        if (number % 3 == 0)
            draw_knowledge(&in, gsl_rng_uniform(rng), rng);
        turned += check_input(&in, number, rng, &seen);
        edges += dpc_slots(in.graph) / 2;
        input_clear(&in);
    }
    gsl_rng_free(rng);
    print_message("%lld edges, %lld of them turned\n", (long long)edges, (long long)turned);
    assert_true(turned > share(100));
    for (int kind = 0; kind <= DPC_REASON_CONTESTED; kind++) {
        if (kind == DPC_REASON_OVERWRITTEN)
            continue; /* of another rule */
        print_message("%s %lld; ", dpc_word(DPC_WORD_REASON, (dpc_reason_kind)kind),
                      (long long)seen.kinds[kind]);
        assert_true(seen.kinds[kind] >= share(1));
    }
    print_message("%lld arrows\n", (long long)seen.arrows);
}

/* So sparse that circles are searched for along the arrows. */
static void test_sparse(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240612);
    struct provenance_seen seen = {0};
    for (int number = 0; number < 2; number++) {
        struct input in = input_of(200);
        draw_edges(&in, 1.4 / in.n, rng);
        assert_true(128 * dpc_slots(in.graph) < (int64_t)in.n * in.n);
        draw_weights(&in, 5000000, 1, 0.7, rng);
        if (number % 2 == 1)
            draw_knowledge(&in, 0.2, rng);
        check_input(&in, number, rng, &seen);
        input_clear(&in);
    }
    gsl_rng_free(rng);
}

/* So many triples that they come in several waves. */
static void test_waves(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240613);
    struct provenance_seen seen = {0};
    for (int number = 0; number < 2; number++) {
        struct input in = input_of(44);
        int64_t entries = 0;
        draw_edges(&in, 0.93, rng);
        draw_weights(&in, 30000000, 1, number == 0 ? 0.3 : 0.8, rng);
        for (int v = 0; v < in.n; v++)
            entries += dpc_degree(in.graph, v) * (dpc_degree(in.graph, v) - 1) / 2;
        assert_true(entries > 1 << 15); /* see run_waves in decide.c */
        check_input(&in, number, rng, &seen);
        input_clear(&in);
    }
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_small), cmocka_unit_test(test_sparse),
                                       cmocka_unit_test(test_waves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Counting edges over many graphs. Their edges are sorted; so the graphs are walked side by side,
 * one node a after the other, with counters for every other end b of its edges.
 */
#include "frequency.h"

#include "alloc.h"
#include "sorted.h"

#include <string.h>

typedef struct counter {
    const struct dpc_resamples *all;
    int64_t *next;     /* per graph: its first edge that has not been counted */
    dpc_frequency *of; /* per node b: the counts of the present a and b */
    int32_t *met;      /* the nodes b that have some */
    int n_met;
    dpc_frequency *pairs; /* the result, or NULL */
    int64_t n_pairs;
} counter;

static void count_edge(counter *c, const dpc_edge *edge)
{
    dpc_frequency *f = &c->of[edge->b];
    if (f->edge++ == 0)
        c->met[c->n_met++] = edge->b;
    f->forward += edge->mark == DPC_FORWARD;
    f->backward += edge->mark == DPC_BACKWARD;
    f->undirected += edge->mark == DPC_UNDIRECTED;
}

/* All pairs a, b with b > a. */
static void count_node(counter *c, int a)
{
    c->n_met = 0;
    for (int64_t i = 0; i < c->all->room; i++) {
        const dpc_graph *graph = &c->all->graphs[i];
        for (; c->next[i] < graph->n_edges && graph->edges[c->next[i]].a == a; c->next[i]++)
            count_edge(c, &graph->edges[c->next[i]]);
    }
    if (c->pairs != NULL)
        dpc_sort_numbers(c->met, c->n_met);
    for (int k = 0; k < c->n_met; k++) {
        dpc_frequency *f = &c->of[c->met[k]];
        f->a = a;
        f->b = c->met[k];
        if (c->pairs != NULL)
            c->pairs[c->n_pairs] = *f;
        c->n_pairs++;
        *f = (dpc_frequency){0};
    }
}

static void count_all(counter *c, int n)
{
    c->n_pairs = 0;
    memset(c->next, 0, (size_t)c->all->room * sizeof *c->next);
    for (int a = 0; a < n; a++)
        count_node(c, a);
}

bool dpc_frequencies_count(dpc_frequencies *f)
{
    counter c = {
        .all = f->graphs,
        .next = dpc_alloc(f->graphs->room, sizeof *c.next),
        .of = dpc_zalloc(f->n_vars, sizeof *c.of),
        .met = dpc_alloc(f->n_vars, sizeof *c.met),
    };
    bool fine = c.next != NULL && c.of != NULL && c.met != NULL;
    if (fine) {
        count_all(&c, f->n_vars); /* how many */
        c.pairs = dpc_alloc(c.n_pairs, sizeof *c.pairs);
        fine = c.pairs != NULL;
    }
    if (fine) {
        count_all(&c, f->n_vars);
        f->pairs = c.pairs;
        f->n_pairs = c.n_pairs;
        f->resamples = 0;
        for (int64_t i = 0; i < f->graphs->room; i++)
            f->resamples += dpc_resample_done(f->graphs, i);
    }
    free(c.next);
    free(c.of);
    free(c.met);
    return fine;
}

dpc_frequency dpc_frequency_of(const dpc_frequencies *f, int a, int b)
{
    dpc_frequency key = {.a = a < b ? a : b, .b = a < b ? b : a};
    const dpc_frequency *found = NULL;
    if (f->n_pairs > 0)
        found = bsearch(&key, f->pairs, (size_t)f->n_pairs, sizeof key, dpc_by_pair);
    return found != NULL ? *found : key;
}

void dpc_frequencies_free(dpc_frequencies *f)
{
    if (f == NULL)
        return;
    for (int64_t i = 0; f->graphs != NULL && i < f->graphs->room; i++)
        dpc_graph_clear(&f->graphs->graphs[i]);
    if (f->graphs != NULL) {
        free(f->graphs->graphs);
        dpc_labels_clear(&f->graphs->labels);
        dpc_settings_release(&f->graphs->settings);
    }
    free(f->graphs);
    free(f->pairs);
    free(f);
}

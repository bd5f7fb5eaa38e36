/*
 * The state of the greedy search: an equivalence class of DAGs as its CPDAG, beside it one DAG of
 * the class, and the steps that lead from one class to another.
 *
 * A CPDAG is a chain graph whose undirected components are chordal. Orienting every component along
 * an order in which the earlier neighbours of each node are a clique (a perfect order) gives a DAG
 * of the class, and each DAG of the class comes from such orders.
 */
#ifndef DPC_GES_CPDAG_H
#define DPC_GES_CPDAG_H

#include "arena.h"
#include "equivalence.h"
#include "mixed_lists.h"

typedef struct dpc_cpdag {
    int n;
    dpc_mixed_lists now, next; /* the CPDAG, and room for the one after it; owned */
    uint64_t *bits;            /* adjacency, n rows of `words` */
    int64_t words;
    int32_t *order; /* the DAG, as in dpc_parents … */
    int64_t *start;
    int32_t *parent; /* owned */
    bool *compelled; /* … and which of its edges are, beside `parent`; owned */
    int64_t dag_capacity;
    int32_t *changed; /* nodes whose parents or neighbours the last step changed */
    int n_changed;
    int32_t *rank, *queue;              /* scratch, per node */
    int32_t *head, *forward, *backward; /* the lists of the search for a perfect order */
    bool *mark;                         /* scratch, per node, all false between calls */
    dpc_arena memory;                   /* of all arrays but those that are owned */
} dpc_cpdag;

/* The phases of GES, and one more, which refinement has: an insertion u → v in whose place another
 * parent of v goes. */
#define DPC_SWAP ((dpc_phase)DPC_N_PHASES)
enum { DPC_ALL_PHASES = DPC_N_PHASES + 1 };

/* One step: see ges_moves.h. */
typedef struct dpc_step {
    dpc_phase phase;
    int u, v;
    int out;       /* swap: the parent that goes; otherwise it means nothing */
    bool directed; /* the edge that is deleted (u → v) or turned (v → u) has a direction now */
    const int32_t *set; /* C, neighbours of v */
    int size;
} dpc_step;

/* The class of the DAG without edges. DPC_OK or no memory; to be cleared in either case. */
dpc_status dpc_cpdag_init(dpc_cpdag *c, int n);
void dpc_cpdag_clear(dpc_cpdag *c);

/* `lists` of its lists, from `first` on: they lie side by side. */
static inline int dpc_cpdag_lists(const dpc_cpdag *c, int v, int first, int lists,
                                  const int32_t **list)
{
    const int64_t *start = c->now.start + 3 * (int64_t)v + first;
    *list = c->now.node + start[0];
    return (int)(start[lists] - start[0]);
}

static inline int dpc_cpdag_parents(const dpc_cpdag *c, int v, const int32_t **list)
{
    return dpc_cpdag_lists(c, v, 0, 1, list);
}

static inline int dpc_cpdag_neighbours(const dpc_cpdag *c, int v, const int32_t **list)
{
    return dpc_cpdag_lists(c, v, 1, 1, list);
}

static inline int dpc_cpdag_children(const dpc_cpdag *c, int v, const int32_t **list)
{
    return dpc_cpdag_lists(c, v, 2, 1, list);
}

/* All of them: parents, neighbours, children. */
static inline int dpc_cpdag_adjacent(const dpc_cpdag *c, int v, const int32_t **list)
{
    return dpc_cpdag_lists(c, v, 0, 3, list);
}

static inline bool dpc_cpdag_joined(const dpc_cpdag *c, int a, int b)
{
    return c->bits[a * c->words + b / 64] >> (b % 64) & 1;
}

/* Is there x — y or x → y? */
bool dpc_cpdag_leads(const dpc_cpdag *c, int x, int y);

static inline int64_t dpc_cpdag_edges(const dpc_cpdag *c)
{
    return c->start[c->n];
}

/* The DAG; the class stays the owner. */
static inline dpc_parents dpc_cpdag_dag(const dpc_cpdag *c)
{
    return (dpc_parents){c->n, c->order, c->start, c->parent};
}

/* Makes it the class of a DAG. DPC_OK or no memory. */
dpc_status dpc_cpdag_begin(dpc_cpdag *c, const dpc_parents *dag);

/*
 * Would the new edge u → v close a cycle? That is: is there a semi-directed path from v to u (along
 * undirected edges and arrows) that avoids C, for an insertion; that avoids C and the neighbours of
 * u, and is not the edge v → u itself, for the turn of a directed edge. Returns the number of its
 * nodes after v, which are in c->queue then, or 0: there is none.
 */
int dpc_cpdag_find_path(dpc_cpdag *c, const dpc_step *step);

/*
 * Makes the step, which must be valid. DPC_OK or no memory, and then the class is of no use any
 * more.
 */
dpc_status dpc_cpdag_apply(dpc_cpdag *c, const dpc_step *step);

/* Takes back the step that was made last; the DAG is of no use until the next one, … */
void dpc_cpdag_undo(dpc_cpdag *c, const dpc_step *step);

/* … or until this: makes the DAG again, of a class that has not changed since. */
void dpc_cpdag_refresh(dpc_cpdag *c);

/* A number that tells classes apart. */
uint64_t dpc_cpdag_hash(const dpc_cpdag *c);

#endif

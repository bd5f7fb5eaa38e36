/*
 * The steps that the greedy search may take, from the side of the node v whose parents they change.
 *
 * With ne, pa, ch, ad for neighbours, parents, children and adjacent nodes in the CPDAG, and
 * N = ne(v) ∩ ad(u), a step is an edge u → v and a clique C ⊂ ne(v), which become parents of v:
 *
 *   insert u → v             u not in ad(v),  N ⊂ C, no semi-directed path from v to u outside C
 *   swap u → v for x → v     the same, and x in pa(v) ∪ C
 *   delete u → v or u — v    C ⊂ N
 *   turn v → u               N ⊂ C, no semi-directed path from v to u outside C ∪ ne(u) but v → u
 *   turn v — u into u → v    C \ N not empty, separated from N \ C by C ∩ N in the graph on ne(v)
 *
 * (Chickering 2002; Hauser and Bühlmann 2012.) Conditions on paths are remote: any step may change
 * them. They are left to the search, and so is whether the class that a step leads to respects the
 * knowledge, but for what one look tells (ges_known.h). All else is local, and lists of steps stay
 * good until something near v changes.
 *
 * What a step gains. A node with parents S has the score -N/2 (1 + log σ²) - λ log N (1 + |S|),
 * σ² being its variance given S. With
 *
 *     L(u,v|S) = -N/2 log(1 - r²)    r the partial correlation of u and v given S,
 *
 * a step gains L(u,v|S) - λ log N (insert, S = pa(v) ∪ C), λ log N - L(u,v|S) (delete,
 * S = pa(v) ∪ C \ u), L(u,v|pa(v) ∪ C) - L(u,v|S) (turn; S = pa(u) \ v for v → u, and
 * S = pa(u) ∪ (C ∩ N) for v — u; pa(u) is pa(v) then, for a component shares its parents),
 * L(u,v|S) - L(x,v|S) (swap, S = pa(v) ∪ C \ x).
 */
#ifndef DPC_GES_MOVES_H
#define DPC_GES_MOVES_H

#include "candidate_parents.h"
#include "correlation.h"
#include "crew.h"
#include "family.h"
#include "ges_known.h"

typedef struct dpc_move {
    double gain;  /* of an insertion: r², which orders them in the same way */
    double slack; /* steps whose gains differ by less have the same gain: see TIED in ges_moves.c */
    int32_t u;
    int32_t slot;   /* of C: bits over the neighbours of v, `words` words from set + slot * words */
    int64_t serial; /* when C was found, in the order of labels: breaks ties */
    int32_t out;    /* as in dpc_step */
    bool directed;  /* as in dpc_step */
} dpc_move;

/* Of two steps into v that are equally good, does the one come before the other? */
static inline bool dpc_move_is_first(const dpc_move *one, const dpc_move *other)
{
    if (one->u != other->u)
        return one->u < other->u;
    return one->serial != other->serial ? one->serial < other->serial : one->out < other->out;
}

/*
 * Why a step would close a cycle: the nodes of a path after v, the last one first. As long as
 * neither parents nor neighbours of these change the path is there.
 */
enum { DPC_WITNESS = 15 };
typedef struct dpc_witness {
    uint64_t about; /* bit i: a node that is i modulo 64 is on the path */
    int32_t count;  /* 0: none is known; -1: a path that is too long to keep */
    int32_t node[DPC_WITNESS];
} dpc_witness;

/* The best steps into one node, best first. */
typedef struct dpc_moves {
    dpc_move *move;
    dpc_witness *witness; /* beside `move`, once it is sorted */
    uint64_t *set;
    int count, capacity;
    int words;
    int64_t set_capacity;
    bool more;  /* there may be others, worse than these */
    bool stale; /* something near the node has changed since */
} dpc_moves;

void dpc_moves_clear(dpc_moves *moves);

/* Members of C of a move into v, as nodes; returns their number. */
int dpc_moves_set(const dpc_moves *moves, const dpc_move *move, const dpc_cpdag *graph, int v,
                  int32_t *members);

/* How steps are scored. */
typedef struct dpc_step_scoring {
    double price; /* of an edge; λ log N above */
    /* By the exact rule parents that the others determine are passed over; by the careful one a
     * node with such parents has no steps. */
    dpc_noise_rule noise;
    double slack;         /* gains that differ by less are the same; 0: see TIED in ges_moves.c */
    int most_parents;     /* of a node, after a step */
    int64_t most_sets;    /* so many C of a node are looked at for each of its neighbours, … */
    int64_t most_sweeps;  /* … and where that takes all variables, so many */
    dpc_workers *workers; /* whose scorers find swaps, and insertions where there is no R; not
                             owned; NULL: there is an R, and there are no swaps */
} dpc_step_scoring;

/* What makes lists; one per worker. */
typedef struct dpc_mover {
    const dpc_cpdag *graph;       /* not owned */
    const dpc_constraints *known; /* not owned; may be NULL */
    dpc_crew *crew;               /* not owned */
    int worker;
    dpc_family family;
    dpc_family aside; /* for a question beside it, of blocks and without a scorer */
    dpc_direct direct;
    dpc_scorer *scorer; /* not owned; NULL: see dpc_step_scoring */
    dpc_step_scoring scoring;
    double n_obs; /* N, or what stands for it: score.h */
    double least; /* the smallest r² whose insertion gains something */
    int64_t scores, singular;
    /* for the node whose list is made: */
    int v;
    dpc_phase phase;
    dpc_moves *moves;
    int only;                  /* delete: the one parent in question, or -1 for the neighbours */
    int64_t serial;            /* sets seen */
    int64_t last_serial;       /* sets that may be seen */
    bool cut;                  /* there were more, of some node */
    int32_t *clique, *members; /* C as places among the neighbours, and as nodes; n each */
    int size;
    int32_t *near, *inside; /* per node u: |N|, |C ∩ N|; zero between calls */
    int32_t *queue;         /* n */
    bool *mark;             /* per node, false between calls */
    dpc_arena memory;       /* of all these */
    dpc_status status;      /* once it is no memory or interrupted, the lists are of no use */
} dpc_mover;

/* DPC_OK or no memory; to be cleared in either case. */
dpc_status dpc_mover_init(dpc_mover *mover, const dpc_stats *stats, const dpc_step_scoring *scoring,
                          const dpc_cpdag *graph, const dpc_constraints *known, dpc_crew *crew,
                          int worker);
void dpc_mover_clear(dpc_mover *mover);

/* Lists the best `wanted` steps of a phase into v; returns mover->status. */
dpc_status dpc_mover_list(dpc_mover *mover, dpc_phase phase, int v, int wanted, dpc_moves *moves);

/* What a step adds to the score. */
double dpc_mover_gain(const dpc_mover *mover, dpc_phase phase, const dpc_move *move);

/* The score of the DAG of the class; returns mover->status. */
dpc_status dpc_mover_score(dpc_mover *mover, double *score);

#endif

/*
 * dualpc: what follows from a graph. Separation, adjustment sets, the possible effects of one
 * variable on another, and distances between graphs by the effects that they get wrong
 * (docs/effects.md). All of it works in memory, by the rules of the house in dualpc.h.
 *
 *     dpc_causal_new → a graph that can be asked
 *
 *     dpc_separated, dpc_identify, dpc_adjustment, dpc_check_adjustment   the graph alone
 *     dpc_effects, dpc_bootstrap_effects                                  with data
 *     dpc_distances                                                       two graphs
 */
#ifndef DUALPC_EFFECTS_H
#define DUALPC_EFFECTS_H

#include "dualpc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- What follows from a graph ------------------------------------------- */

/* What a graph may be, to be asked about effects. */
typedef enum dpc_graph_kind {
    DPC_GRAPH_DAG,   /* all edges directed: one DAG */
    DPC_GRAPH_CPDAG, /* a class of equivalent DAGs, with the arrows that all of them share */
    DPC_GRAPH_MPDAG, /* those of such a class that have certain arrows more */
} dpc_graph_kind;

/* "dag", "cpdag", "mpdag"; NULL: there is no such kind. */
DPC_API const char *dpc_graph_kind_word(dpc_graph_kind kind);

/*
 * A graph that can be asked. A copy, with all that the answers need: no question allocates. One
 * thread may ask it at a time. Opaque.
 */
typedef struct dpc_causal dpc_causal;

/*
 * DPC_BAD_INPUT where the graph is none of the above, with the edges that are to blame, called by
 * `names` (may be NULL). With `extend` the nearest graph that is takes its place: what follows by
 * Meek's rules is directed, and where no DAG has the arrows and v-structures of the graph it is
 * the DAG, or its class, that turns few arrows. Free with dpc_causal_free.
 */
DPC_API dpc_status dpc_causal_new(const dpc_graph *graph, const char *const *names, bool extend,
                                  dpc_causal **out, dpc_error *err);
DPC_API void dpc_causal_free(dpc_causal *graph);

DPC_API dpc_graph_kind dpc_causal_kind(const dpc_causal *graph);
/* The graph as it is asked; how many of its edges are not marked as those given, and why (NULL:
 * none is). All lives as long as the object. */
DPC_API const dpc_graph *dpc_causal_graph(const dpc_causal *graph);
DPC_API int64_t dpc_causal_changed(const dpc_causal *graph);
DPC_API const char *dpc_causal_reason(const dpc_causal *graph);

/* ---- Adjustment sets and separation -------------------------------------- */

/*
 * Are x and y d-separated given some nodes, in all DAGs that the graph stands for? Where they are
 * not and `path` (may be NULL) has room for n nodes, it receives a shortest path from x to y that
 * is open in one of these DAGs, and *length its nodes; 0 otherwise.
 */
DPC_API dpc_status dpc_separated(dpc_causal *graph, int x, int y, const int32_t *given, int count,
                                 bool *separated, int32_t *path, int *length, dpc_error *err);

/* What a graph says about the effect of x on y before any set is looked at. */
typedef struct dpc_identification {
    bool identified; /* by adjustment: every possibly directed path to y begins with an arrow */
    bool possible;   /* there is such a path; if not, the effect is 0 in all DAGs */
    int32_t length;  /* not identified: the nodes of one that begins with an undirected edge, */
    int32_t *path;   /* which this receives where it is not NULL; room for n nodes */
} dpc_identification;

/* The caller sets out->path. */
DPC_API dpc_status dpc_identify(dpc_causal *graph, int x, int y, dpc_identification *out,
                                dpc_error *err);

typedef enum dpc_adjustment_kind {
    DPC_ADJUST_OPTIMAL, /* the valid set with the smallest asymptotic variance */
    DPC_ADJUST_PARENTS, /* the parents of x */
    DPC_ADJUST_MINIMAL, /* from the optimal set or the parents; no part of it is valid */
} dpc_adjustment_kind;

/*
 * A valid adjustment set for the effect of x on y, ascending, into `set`, which has room for n
 * nodes. *size is -1 where there is none of this kind; no optimal one where the effect is 0.
 */
DPC_API dpc_status dpc_adjustment(dpc_causal *graph, int x, int y, dpc_adjustment_kind kind,
                                  int32_t *set, int *size, dpc_error *err);

typedef enum dpc_verdict {
    DPC_SET_VALID,
    DPC_SET_NOT_IDENTIFIED, /* no set is: see dpc_identify */
    DPC_SET_FORBIDDEN,      /* it has a node on a causal path, or behind one */
    DPC_SET_OPEN,           /* it leaves a path open that is not causal */
} dpc_verdict;

/* "valid", "not-identified", "forbidden", "open"; NULL: there is no such verdict. */
DPC_API const char *dpc_verdict_word(dpc_verdict verdict);

typedef struct dpc_set_check {
    dpc_verdict verdict;
    int32_t node;    /* forbidden: which; otherwise -1 … */
    int32_t through; /* … a descendant of this one, or itself, which is on a causal path */
    int32_t length;  /* open: the nodes of a path that is open in one DAG of the class, … */
    int32_t *path;   /* … which this receives where it is not NULL; room for n nodes */
} dpc_set_check;

/* Is the set a valid adjustment set? (Perković, Textor, Kalisch and Maathuis 2018.) The caller sets
 * out->path. */
DPC_API dpc_status dpc_check_adjustment(dpc_causal *graph, int x, int y, const int32_t *set,
                                        int size, dpc_set_check *out, dpc_error *err);

/* ---- Effects --------------------------------------------------------------- */

/* Which set is adjusted for in each case that the graph leaves open (IDA). */
typedef enum dpc_ida {
    DPC_IDA_LOCAL,   /* the parents of the cause (Maathuis, Kalisch and Bühlmann 2009) */
    DPC_IDA_OPTIMAL, /* the optimal set (Witte, Henckel, Maathuis and Didelez 2020) */
} dpc_ida;

/* "local", "optimal"; NULL: there is no such value. */
DPC_API const char *dpc_ida_word(dpc_ida ida);

typedef struct dpc_effect_resamples dpc_effect_resamples; /* see dpc_bootstrap_effects; opaque */

/* Which effects. All zeros: those of all ordered pairs, local. */
typedef struct dpc_effect_query {
    dpc_ida ida;
    const int32_t *causes; /* n_causes different ones; NULL: all */
    int n_causes;
    const int32_t *outcomes; /* likewise */
    int n_outcomes;
    bool standardised; /* in standard deviations, even where there are units */
    int top;           /* > 0: of each outcome only so many causes, largest min_abs first */
    /* What resamples say about the same causes, outcomes and so on; ranks are by their medians. Not
     * owned; NULL: nothing. */
    const dpc_effect_resamples *resamples;
} dpc_effect_query;

/* The possible total effects of one variable on another. Opaque: ask it by the functions below. */
typedef struct dpc_effect_table dpc_effect_table;

/* What a pair has; NaN: a regression has no answer, for no variance is left or N is too small. */
typedef struct dpc_effect_pair {
    int32_t cause, outcome;
    bool identified; /* see dpc_identify; if not, the effects may differ also without noise */
    int count;       /* of effects: one for each set of parents that the cause may have */
    double min_abs, max_abs; /* of these: of `effect`, or without units of `standardised` */
} dpc_effect_pair;

/*
 * One of them: the coefficient of the cause in the regression of the outcome on it and the set, or
 * 0, exactly, where the graph leaves no effect. The interval takes the graph as given: it does not
 * know that it may have been learned from the same data.
 */
typedef struct dpc_effect {
    double effect;        /* units of the outcome per unit of the cause; NaN: there are no units */
    double standardised;  /* standard deviations per standard deviation */
    double se, low, high; /* standard error, 95 % interval; of `effect`, or of `standardised` */
    int size;
    const int32_t *set; /* adjusted for, ascending; lives as long as the table */
} dpc_effect;

/*
 * The effects over the class that a graph of the same variables stands for. Of `settings` (may be
 * NULL) threads and progress are used. DPC_BAD_INPUT where a cause has more than DPC_MOST_PARENTAL
 * sets of possible parents. Free with dpc_effect_table_free.
 */
#define DPC_MOST_PARENTAL 65536
DPC_API dpc_status dpc_effects(const dpc_correlation *correlation, const dpc_causal *graph,
                               const dpc_effect_query *query, const dpc_settings *settings,
                               dpc_effect_table **out, dpc_error *err);
DPC_API void dpc_effect_table_free(dpc_effect_table *table);

/*
 * Its pairs: by the cause, then by the outcome, in the order of the query; with `top` by the
 * outcome, then by the rank. Out of range: a pair with a cause of -1, an effect of NaNs.
 */
DPC_API int64_t dpc_effect_table_count(const dpc_effect_table *table);
DPC_API dpc_effect_pair dpc_effect_table_pair(const dpc_effect_table *table, int64_t pair);
DPC_API dpc_effect dpc_effect_table_at(const dpc_effect_table *table, int64_t pair, int which);

/* What resamples say about a pair, in units as its effects are. */
typedef struct dpc_effect_spread {
    int resamples;    /* 0: none were asked, or no such pair */
    double low, high; /* 95 % of them: of the effect that is smallest in absolute value */
    double min_abs;   /* the median of its absolute value */
    double rank;      /* the median of the rank of the cause by it, among those of the outcome */
} dpc_effect_spread;

DPC_API dpc_effect_spread dpc_effect_table_spread(const dpc_effect_table *table, int64_t pair);

/* Has it units? Are there regressions without an answer, and how many? */
DPC_API bool dpc_effect_table_units(const dpc_effect_table *table);
DPC_API int64_t dpc_effect_table_undefined(const dpc_effect_table *table);

/*
 * Learns a graph from each of B resamples of the rows, as dpc_bootstrap does, and estimates the
 * effects of the query in each, by the graph of the resample (the nearest valid one where it is
 * none), so that what varies with the graph is seen too. `frequencies` (may be NULL) receives what
 * dpc_bootstrap returns. Free with dpc_effect_resamples_free. A call that is called off returns
 * DPC_INTERRUPTED with those resamples that were done, where there are any, as dpc_bootstrap does.
 */
DPC_API dpc_status dpc_bootstrap_effects(const dpc_table *table, const dpc_settings *settings,
                                         const dpc_resampling *resampling,
                                         const dpc_effect_query *query,
                                         dpc_frequencies **frequencies, dpc_effect_resamples **out,
                                         dpc_error *err);
DPC_API void dpc_effect_resamples_free(dpc_effect_resamples *resamples);

/* ---- Distances ------------------------------------------------------------ */

/*
 * How wrong an estimate is about effects (adjustment identification distances of Henckel, Würtzen
 * and Weichwald, 2024): of all ordered pairs, for how many is what it says wrong in the truth?
 * docs/effects.md has the definitions.
 */
typedef struct dpc_aid {
    int64_t pairs;                  /* n (n - 1) */
    int64_t parent, ancestor, oset; /* wrong ones, by the set that is adjusted for; -1: not asked */
    int64_t sid; /* structural intervention distance: `parent` of two DAGs; -1: not both are */
} dpc_aid;

/* Which of them: some of these, or all of them. */
enum { DPC_AID_PARENT = 1, DPC_AID_ANCESTOR = 2, DPC_AID_OSET = 4, DPC_AID_ALL = 7 };

/* Of `settings` (may be NULL) threads and progress are used. Two threads may ask the same. */
DPC_API dpc_status dpc_distances(const dpc_causal *estimate, const dpc_causal *truth,
                                 unsigned which, const dpc_settings *settings, dpc_aid *out,
                                 dpc_error *err);

#ifdef __cplusplus
}
#endif

#endif

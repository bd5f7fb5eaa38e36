/*
 * dualpc: questions to a result. Separating sets, why an edge is there, bootstrap frequencies, fit,
 * the table of edges, and causal effects (docs/effects.md); the rules of the house are in dualpc.h.
 */
#ifndef DUALPC_EXPLAIN_H
#define DUALPC_EXPLAIN_H

#include "dualpc_graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- What refinement has done ------------------------------------------- */

typedef enum dpc_change_kind {
    DPC_EDGE_ADDED,
    DPC_EDGE_REMOVED,
    DPC_EDGE_TURNED, /* it is in both graphs, with another direction or with none */
} dpc_change_kind;

/* What it has changed at a pair of the graph that the tests have found. */
typedef struct dpc_change {
    int32_t a, b; /* a < b */
    dpc_change_kind kind;
    dpc_mark before, after; /* seen from a */
    /* What the edge adds to the score of a DAG of the result; of one that was removed: would add.
     */
    double gain;
} dpc_change;

/* What is certain about the score of a refined graph. */
typedef enum dpc_optimality {
    DPC_OPTIMUM_UNKNOWN, /* the search ended before it was done */
    DPC_OPTIMUM_LOCAL,   /* no single addition, deletion, reversal or swap of an edge improves it */
    DPC_OPTIMUM_GLOBAL,  /* no DAG scores higher */
} dpc_optimality;

/* Why a full search may well find a graph that scores higher than that of a fast one. */
typedef enum dpc_doubt {
    DPC_DOUBT_NONE,
    DPC_DOUBT_ROWS,     /* there are fewer rows than variables */
    DPC_DOUBT_HUB,      /* a variable has very many neighbours */
    DPC_DOUBT_DENSE,    /* there are more than three edges for each variable */
    DPC_DOUBT_RESTARTS, /* restarts of the fast search have found better graphs */
} dpc_doubt;

/* See `refined` of dpc_info. */
typedef struct dpc_refined {
    double price;                     /* of an edge, in units of log-likelihood */
    double score_before, score_after; /* of DAGs of the two graphs: the log-likelihood of the
                                       * standardised data up to a constant, minus the prices */
    bool complete;                    /* false: it ended before it was done */
    int restarts;                     /* done */
    int64_t n_changes;
    dpc_change *changes;   /* by a, then b; owned */
    double effective_rows; /* as in dpc_info */
    dpc_optimality optimality;
    dpc_doubt doubt; /* DPC_DOUBT_NONE of all but a fast search */
} dpc_refined;

/* ---- What a search for hidden causes has done ---------------------------- */

/* See `hidden` of dpc_info. */
typedef struct dpc_hidden_search {
    const dpc_graph *mag; /* the best maximal ancestral graph: the PAG is that of its class */
    double price;         /* of an edge, in units of log-likelihood */
    double hidden_price;  /* of a double arrow, beyond that */
    double score_before;  /* of the refined DAG: the log-likelihood minus the prices … */
    double score_after;   /* … and of this graph */
    int64_t tries;        /* of hidden causes of two to four variables that are joined */
    int64_t kept;         /* of these: the score rose */
    bool complete;        /* false: it ended before it was done */
} dpc_hidden_search;

/* ---- Separating sets ----------------------------------------------------- */

typedef enum dpc_sep_kind {
    DPC_SEP_NONE,       /* nothing separated the pair: it is adjacent, or the method is GES */
    DPC_SEP_MARGINAL,   /* by the empty set */
    DPC_SEP_FULL_ORDER, /* by all other variables */
    DPC_SEP_FULL_S,     /* by all neighbours of one end but the other end */
    DPC_SEP_PRIMAL,     /* by a subset as large as the level */
    DPC_SEP_DUAL,       /* by all neighbours but such a subset */
    DPC_SEP_FORBIDDEN,  /* by no set: the knowledge leaves no direction for an edge */
} dpc_sep_kind;

typedef struct dpc_sepset {
    dpc_sep_kind kind;
    int level;     /* at which it was found: the edge was removed then, or later by DPC_RULE_AND */
    int from;      /* whose neighbours the set was taken from: a or b; -1 at level 0 */
    int size;      /* of the set */
    double r;      /* the partial correlation; NaN for full order unless sets were kept. Where a
                      variable is more than a column of numbers: see dpc_f_test */
    double p;      /* its p-value under the settings of the run; NaN likewise */
    int64_t n_obs; /* N of the test: less than that of the table where its cells are missing */
} dpc_sepset;

/*
 * How the pair a, b was separated. Where `members` is not NULL it receives the set, ascending;
 * n_vars entries are always enough.
 */
DPC_API dpc_status dpc_separating_set(const dpc_result *result, int a, int b, dpc_sepset *out,
                                      int32_t *members, dpc_error *err);

/*
 * A test where variables are several columns: nominal ones, blocks, or all of them where relations
 * may be curved. Wilks' lambda of the two given the set, by Rao's F. One column is the case of one,
 * so every test of such a result is of this kind. With categorical = mixture a test of levels given
 * few others is made by counts: then f is G², df1 has its degrees of freedom, and df2 is 0.
 */
typedef struct dpc_f_test {
    double f, df1, df2;
    double p;       /* P(F > f); with two equations twice that, at most 1. NaN: there is no test */
    double r;       /* sqrt(1 - Λ^(1/k)), k the columns of the narrower of the two: an association
                       without a sign … */
    bool is_signed; /* … but of two columns of numbers the partial correlation, with its sign */
    int equations;  /* 2: of two tests, each variable in turn being the one that is explained, this
                       is the one with the smaller p-value */
    int n_canonical;
    double
        *canonical; /* canonical partial correlations of all their columns, largest first; owned */
} dpc_f_test;

/*
 * The test of a and b given a set of `size` other variables, as the result would make it; a size of
 * -1: given the set that has separated them (dpc_separating_set). *out is NULL where every variable
 * of the result is one column of numbers, one of the two is constant, or nothing has separated the
 * pair. Free with dpc_f_test_free.
 */
DPC_API dpc_status dpc_explain_test(const dpc_result *result, int a, int b, const int32_t *set,
                                    int size, dpc_f_test **out, dpc_error *err);
DPC_API void dpc_f_test_free(dpc_f_test *test);

/* ---- Why an edge is there, or not --------------------------------------- */

/* One test of a pair. */
typedef struct dpc_pair_test {
    dpc_sepset what;  /* kind DPC_SEP_NONE: there is none */
    int32_t *members; /* the set, ascending, what.size of them; owned by the explanation */
    int64_t ess;      /* effective sample size, N - size - 3; where variables are several columns
                         N - 1 less the columns of the test */
} dpc_pair_test;

/* What background knowledge has decided about a pair, or about the direction of an edge. */
typedef enum dpc_known_kind {
    DPC_KNOWN_NOTHING,   /* nothing: the data decide */
    DPC_KNOWN_REQUIRED,  /* the edge must be */
    DPC_KNOWN_FORBIDDEN, /* it cannot be; of an arrow: its reverse cannot */
    DPC_KNOWN_TIERS,     /* the same, and it is the tiers that say so */
    DPC_KNOWN_CIRCLE,    /* the edge was tested, and taken away: the directions left for some edges,
                            this one the weakest of them, would have closed a circle */
} dpc_known_kind;

/* Why the edge between `from` and `to` is an arrow. */
typedef enum dpc_reason_kind {
    DPC_REASON_V_STRUCTURE, /* from → to ← other[0], not adjacent; sets both arrows */
    DPC_REASON_OVERWRITTEN, /* DPC_RELAXED: such a v-structure, but to → other[0] now, set by the
                               later v-structure to → other[0] ← other[1] */
    DPC_REASON_RULE_1,      /* other[0] → from, other[0] and `to` not adjacent */
    DPC_REASON_RULE_2,      /* from → other[0] → to */
    DPC_REASON_RULE_3, /* other[0] → to ← other[1], not adjacent, both adjacent to `from` */
    DPC_REASON_RULE_4, /* other[0] → other[1] → to, `from` adjacent to all three, other[0] and
                          `to` not adjacent; with background knowledge only */
    DPC_REASON_KNOWLEDGE, /* background knowledge leaves no other direction */
    DPC_REASON_CONFLICT,  /* none of these: left by a conflict */
    DPC_REASON_CONTESTED, /* DPC_MAJORITY, DPC_CONSERVATIVE: from → to ← other[0], not adjacent, but
                             the edge to — other[0] is contested by to → other[0] ← other[1] or,
                             where that is -1, would have closed a circle */
} dpc_reason_kind;

typedef struct dpc_reason {
    dpc_reason_kind kind;
    int32_t from, to;     /* the arrow that it sets */
    int32_t other[2];     /* see the kind; -1: not used */
    dpc_known_kind known; /* DPC_REASON_KNOWLEDGE: what is known; otherwise nothing */
    double evidence; /* what the data say to the triple in it: of a v-structure as in dpc_triple, of
                        a triple that is no collider, as in rules 1, 3 and 4, with the other sign;
                        NaN: there is no triple in it, or the method is DPC_GES */
} dpc_reason;

#define DPC_RULE_KNOWN 11 /* in the place of a rule: background knowledge says so */
#define DPC_RULE_NONE  (-1)

/*
 * Why an end of an edge of a PAG has its mark: by the rules R0 to R10 of FCI (Zhang 2008), from the
 * colliders of the graph as it is. `other` has the nodes of the premises, -1 where there are fewer:
 *
 *     R0, R1   the third node of the triple;
 *     R2, R8   the node between;
 *     R3       the two ends of the collider;
 *     R4       the first node of the discriminating path, the node before the one that it
 *              discriminates, that node, and the last;
 *     R5       the nodes next to the two on the circle;
 *     R6, R7   the third node;
 *     R9       the first node of the path;
 *     R10      the two parents, and the first nodes of the paths to them.
 */
typedef struct dpc_end_reason {
    dpc_end end; /* the mark; DPC_END_NONE: there is no edge, or the graph is no PAG */
    int rule;    /* DPC_RULE_NONE: it is a circle, or no rule gives it */
    int32_t other[4];
} dpc_end_reason;

/*
 * DPC_HIDDEN_SEARCH: the score that is lost if the pair of the MAG were joined otherwise, held so,
 * and its neighbourhood had settled around it; by mark, seen from a. 0 for that of the MAG; NaN
 * where there is no such MAG, or the knowledge forbids it. About 0 for others of the same class.
 */
typedef struct dpc_score_lost {
    double none, forward, backward, both;
} dpc_score_lost;

/* What dpc_explain has found out about a pair. docs/algorithm.md, section 15, has the definitions.
 */
typedef struct dpc_explanation {
    int a, b;
    dpc_mark mark; /* seen from a */
    /*
     * No edge: the test that removed it. An edge: of all tests that it survived, the one that looks
     * most like independence, with the largest p. GES: kind DPC_SEP_NONE; r given the parents of an
     * end in one DAG of the class, `from` being the other end; -1 where there is no such DAG.
     */
    dpc_pair_test test;
    /*
     * DPC_RULE_AND. No edge: the set that the other end found. An edge: the set that one end found,
     * which was not enough. Otherwise of kind DPC_SEP_NONE.
     */
    dpc_pair_test other;
    /*
     * Whether background knowledge has decided on the pair. Then there was no test, and `test` is
     * of kind DPC_SEP_NONE for an edge and DPC_SEP_FORBIDDEN for none; but see DPC_KNOWN_CIRCLE.
     */
    dpc_known_kind known;
    int64_t tests;  /* that were made again to find this */
    bool all_tests; /* false: there were too many, and some were not looked at */
    /*
     * No edge: the neighbours that a and b had when it was removed, of those that sets of this pair
     * may hold; otherwise those they have.
     */
    int32_t *near_a, *near_b; /* ascending, without a and b; owned */
    int n_near_a, n_near_b;
    /*
     * An edge: the partial correlation given all neighbours of a or of b, with a 95 % confidence
     * interval by Fisher's z; NaN where N is too small or the set singular. Where an end is more
     * than a column of numbers, r is the association of dpc_f_test, and has no interval: NaN.
     */
    double r, low, high;
    int order;   /* how many neighbours that are */
    double gain; /* GES: what the edge adds to the score, or would add; NaN for other methods */
    dpc_reason *reasons; /* an arrow: what sets it, premises first, itself last; owned */
    int n_reasons;
    /*
     * The evidence of the arrow, as by dpc_evidence. An undirected edge with reasons is an arrow
     * that min_evidence has left out: these are its evidence and its reasons.
     */
    double evidence;
    /*
     * Where variables are several columns: `test` and `other` as tests of such; owned. NULL: there
     * is none, or every variable is one column of numbers.
     */
    dpc_f_test *test_f, *other_f;
    /* Hidden causes, where the graph is a PAG: */
    dpc_end_reason end_a, end_b; /* of an edge */
    dpc_score_lost lost;         /* DPC_HIDDEN_SEARCH; otherwise NaN */
    bool by_pdsep;   /* no edge: the set is from Possible-D-SEP of an end, not its neighbours */
    dpc_mark tested; /* what the tests say of the pair, seen from a: not `mark` where the PAG had
                        to be repaired */
} dpc_explanation;

/*
 * Why the pair a, b has the edge it has, or none. Free with dpc_explanation_free. Where separating
 * sets were not kept (keep_separating_sets) full-order tests are made again from an inverse of the
 * whole matrix. A pair with many neighbours takes seconds: `progress` (may be NULL) can call it
 * off.
 */
DPC_API dpc_status dpc_explain(const dpc_result *result, int a, int b, dpc_progress_fn progress,
                               void *progress_user, dpc_explanation **out, dpc_error *err);
DPC_API void dpc_explanation_free(dpc_explanation *explanation);

/* ---- Bootstrap: how sure ------------------------------------------------- */

typedef struct dpc_resampling {
    int resamples;    /* B, at least 1 */
    uint64_t seed;    /* every value gives other resamples */
    double subsample; /* 0: N rows with replacement; else a share of them, < 1, without */
} dpc_resampling;

/* The weights of the graphs that join a pair a < b. Each resample weighs 1: so these are counts. */
typedef struct dpc_frequency {
    int32_t a, b;
    double edge;                          /* more than 0; of graphs that are no PAGs it is … */
    double forward, backward, undirected; /* … the sum of these: a → b, a ← b, a — b */
} dpc_frequency;

/*
 * The same of PAGs: by the marks of the edge, and what the graphs say about causes, whether or not
 * they join the pair. One is a cause of the other where arrows lead there; it is none where no path
 * does that could consist of arrows. The rest leave it open.
 */
typedef struct dpc_pag_frequency {
    double mark[16]; /* by dpc_mark, seen from a; mark[DPC_NONE] of those that do not join it */
    double a_is_cause, a_is_no_cause; /* of b */
    double b_is_cause, b_is_no_cause; /* of a */
} dpc_pag_frequency;

struct dpc_resamples; /* the graphs with their weights, for dpc_consensus; opaque */

typedef struct dpc_frequencies {
    int n_vars;
    dpc_resampling resampling; /* what was asked for */
    int resamples;             /* done: fewer than asked for where the work has ended early */
    int64_t rows;              /* in each resample; the N of its tests */
    int constant; /* resamples in which a column was constant that varies in the table */
    double total; /* the weight of all graphs: that of the resamples which are done */
    int64_t n_pairs;
    dpc_frequency *pairs;         /* those joined at least once, sorted by a, then b; owned */
    struct dpc_resamples *graphs; /* owned */
    double seconds;
    bool
        complete; /* all that was asked for; false: `timeout` or the caller has ended it before. The
                     only graph of one that `timeout` has ended at once is not complete itself. */
    dpc_pag_frequency *pags; /* of each pair, where hidden causes are allowed for; NULL: they are
                                not; owned */
} dpc_frequencies;

/*
 * Learns a graph from each of B resamples of the rows, as dpc_correlate and dpc_learn would from
 * a table of these rows, and counts. The resamples are shared among the threads; the same seed
 * gives the same counts for any number of them. A column that is constant in a resample has no
 * edges there. `settings` may be NULL. Free with dpc_frequencies_free.
 *
 * Unlike elsewhere a call that is called off has a result: it returns DPC_INTERRUPTED, and where
 * at least one resample was done *out has the counts of those that were. Which ones these are
 * depends on the time and on the threads. With settings->timeout the same is DPC_OK, and there is
 * always one resample: where none was done in time, the first as far as it has come.
 */
DPC_API dpc_status dpc_bootstrap(const dpc_table *table, const dpc_settings *settings,
                                 const dpc_resampling *resampling, dpc_frequencies **out,
                                 dpc_error *err);
DPC_API void dpc_frequencies_free(dpc_frequencies *frequencies);

/*
 * The graph of the edges that at least a share of min_frequency of the resamples has, 0 <
 * min_frequency <= 1, directed as most of the resamples have it and always the CPDAG (or what the
 * settings of the bootstrap ask for) of a DAG. It respects their knowledge: required edges are
 * there however rare, banned ones are not. `progress` (may be NULL) can call it off. Free with
 * dpc_graph_free. Of PAGs there is none: DPC_USAGE.
 */
DPC_API dpc_status dpc_consensus(const dpc_frequencies *frequencies, double min_frequency,
                                 dpc_progress_fn progress, void *progress_user, dpc_graph **out,
                                 dpc_error *err);

/* How the pair a, b (any order of the two) is joined, seen from a < b; zeros: never, or no pair. */
DPC_API dpc_frequency dpc_frequency_of(const dpc_frequencies *frequencies, int a, int b);

/* Is an edge with this mark an arrow that more resamples have the other way round than as it is? */
DPC_API bool dpc_is_doubtful(const dpc_frequencies *frequencies, int a, int b, dpc_mark mark);

/* ---- How well it fits ---------------------------------------------------- */

#define DPC_MOST_IMPLIED 10

/* Two variables that the graph separates, and how strongly the data join them given the set. */
typedef struct dpc_implied {
    int32_t a, b; /* a < b */
    double r;     /* the partial correlation given the set; see dpc_f_test */
    double z;     /* sqrt(N - size - 3) atanh r; of tests by F, that of the same p-value */
    double p;     /* by the test of the settings */
    int size;     /* of the set … */
    int32_t *set; /* … which is the parents of a or of b in the DAG, ascending; owned */
} dpc_implied;

/*
 * How well one DAG of the class fits the data (docs/fit.md has the definitions). The likelihood is
 * that of Gaussian variables at its maximum; all DAGs of the class have the same. It is about the
 * columns of the table, their normal scores where settings.normalize says so, and standardised ones
 * where only correlations are known. Where variables are several columns (dpc_f_test), it is that
 * of Gaussian columns that are standardised and uncorrelated within each variable; an edge between
 * p and q columns has p q parameters.
 */
typedef struct dpc_goodness {
    int n_vars;
    double log_likelihood; /* NaN where it has no bound: `determined` is not 0 */
    double bic;            /* log_likelihood - parameters / 2 · log N: larger is better */
    int64_t parameters; /* edges + 2 n: coefficients, means, variances; without constant columns */
    bool standardised;  /* of standardised variables: the scales are not known */
    bool forced;        /* the graph stands for no DAG; this one has its edges, and turns some */
    int determined;     /* variables of which their parents leave no variance */
    int64_t implied;    /* independencies that the DAG implies: one for each pair not joined */
    int64_t untested;   /* of these: N is too small, or no variance is left */
    int64_t exceed;     /* of these: |r| is above the critical value at settings.alpha */
    /*
     * Edges that would not be there at alpha / 10, given all neighbours of either end; about as
     * many are false. -1: too much work to count, or the method is DPC_GES.
     */
    int64_t close_calls;
    int n_largest;
    dpc_implied largest[DPC_MOST_IMPLIED]; /* the first by |z| */
} dpc_goodness;

/*
 * Asks it of a graph over the variables of the result; NULL: of dpc_result_class. DPC_USAGE where
 * that is a skeleton, which does not say which DAGs it came from. `progress` (may be NULL) can call
 * it off. Free with dpc_goodness_free.
 */
DPC_API dpc_status dpc_fit(const dpc_result *result, const dpc_graph *graph,
                           dpc_progress_fn progress, void *progress_user, dpc_goodness **out,
                           dpc_error *err);
DPC_API void dpc_goodness_free(dpc_goodness *goodness);

/* ---- Rows that were held out --------------------------------------------- */

/*
 * Two ways of learning, judged by rows that they have not seen (docs/fit.md): the rows are cut into
 * 20 blocks, dealt out to 5 folds in turn; each fold is predicted by a DAG of the graph that is
 * learned from the others. Log-likelihoods are those of standardised variables, per row.
 */
typedef struct dpc_held_out {
    int64_t rows;         /* predicted: those without a missing cell */
    double first, second; /* the mean log-likelihood per row of each way */
    double gain;          /* second - first: above 0, the second predicts better */
    double se;            /* the standard error of that, by the spread over the blocks */
} dpc_held_out;

/*
 * Compares two settings (NULL: the defaults) with the same `normalize`. Threads and progress are
 * those of the first; timeouts are not used. The answer does not depend on the threads. DPC_USAGE
 * where fewer than 40 rows are complete, or variables are several columns. A correlation matrix has
 * no rows: there is no such question to it.
 */
DPC_API dpc_status dpc_compare_held_out(const dpc_table *table, const dpc_settings *first,
                                        const dpc_settings *second, dpc_held_out *out,
                                        dpc_error *err);

/* ---- What to try next ------------------------------------------------------ */

/* Another way of learning from the same table. */
typedef enum dpc_alternative_kind {
    DPC_TRY_STRICT,  /* rule and, alpha 0.01 */
    DPC_TRY_REFINE,  /* refine fast, by method dual where the result is that of GES */
    DPC_TRY_WITHOUT, /* the same without refinement */
} dpc_alternative_kind;

/* What it would change, measured on the table. */
typedef struct dpc_alternative {
    dpc_alternative_kind kind;
    int64_t edges;          /* of its graph */
    int64_t added, removed; /* pairs that it joins and the result does not, and the reverse */
    int64_t tested, exceed; /* independencies that its graph implies, and that the data contradict
                               at the alpha of the result; see dpc_goodness */
    dpc_held_out held_out;  /* the second is this one, the first the result's */
} dpc_alternative;

/* Why nothing was measured, or not all. */
typedef enum dpc_advice_limit {
    DPC_ADVICE_WHOLE,    /* all was measured */
    DPC_ADVICE_FEW_ROWS, /* fewer than 40 complete rows */
    DPC_ADVICE_WORK,     /* it would take long: see `always` */
    DPC_ADVICE_SKELETON, /* a skeleton predicts nothing */
    DPC_ADVICE_COLUMNS,  /* variables are several columns, whose rows are not predicted */
} dpc_advice_limit;

/*
 * Two variables for which a hidden common cause explains the data better than an arrow does:
 * DPC_HIDDEN_SEARCH finds more. Not looked for with missing cells, in a latent copula, nor where
 * it takes long (see `always`).
 */
typedef struct dpc_hidden_hint {
    int a, b;    /* a < b; -1: no two of them, or it was not looked for */
    double gain; /* in score, over the best DAG that was found; NaN: it was not looked for */
    double lost; /* in score, where an arrow joins the two instead; NaN: there are none */
} dpc_hidden_hint;

#define DPC_MOST_ALTERNATIVES 2
typedef struct dpc_advice {
    dpc_advice_limit limit;
    int64_t tested, exceed; /* of the result, as above */
    int count;
    dpc_alternative items[DPC_MOST_ALTERNATIVES];
    int best; /* the one that predicts held-out rows best, and better than the result by more than
                 twice the standard error; -1: none does */
    dpc_hidden_hint hidden;
} dpc_advice;

/*
 * Learns from the table in other ways, and says what each would change: the edges, the contradicted
 * independencies, and how well rows are predicted that were held out (dpc_compare_held_out).
 * `table` and `settings` (may be NULL) are those that the result was learned from. What takes long,
 * by the size of the table and the tests that were made, is left out unless `always`; the clock
 * does not decide. Free with dpc_advice_free.
 */
DPC_API dpc_status dpc_advise(const dpc_table *table, const dpc_result *result,
                              const dpc_settings *settings, bool always, dpc_advice **out,
                              dpc_error *err);
DPC_API void dpc_advice_free(dpc_advice *advice);

/* ---- Assumptions ------------------------------------------------------------ */

/* What one column is like. The limits are those of West, Finch and Curran (1995). */
typedef struct dpc_column_check {
    double skewness, kurtosis; /* kurtosis: 0 is that of a Gaussian. NaN: constant, or at most five
                                  different values */
    bool skewed;               /* |skewness| > 2 … */
    bool heavy;                /* … kurtosis > 7 */
    int64_t zeros; /* how often 0 occurs that looks like a missing cell: all other values are above
                      0, and far from it; 0: nothing does */
    double above;  /* the smallest of these values */
    double lag;    /* the correlation of each row with the next; NaN: not known */
} dpc_column_check;

/* An edge that is curved: how `to` depends on the square of `from`, given `from`. */
typedef struct dpc_curve {
    int32_t from, to;
    double r, p; /* the partial correlation of normal scores, and its p-value */
} dpc_curve;

typedef struct dpc_assumptions {
    int n_vars;
    dpc_column_check *columns; /* one for each variable; owned */
    int skewed, heavy, zeros;  /* columns that are so */
    int similar, rows_of; /* columns, of so many, in which consecutive rows are similar; 0: too few
                             to mention */
    int64_t n_curves;
    dpc_curve *curves; /* the strongest first; owned. One for an edge: that of the larger |r| */
} dpc_assumptions;

/*
 * Looks at the columns of a table, and along the edges of a graph over them. An edge is curved
 * where |r| is at least 0.2, and p below 0.001 over twice the number of edges. Of `settings` (may
 * be NULL) threads and progress are used, and `relations`: where these may be curved, no edge is
 * looked at. Only columns of numbers are looked at, not the codes of categories. Free with
 * dpc_assumptions_free.
 */
DPC_API dpc_status dpc_check_assumptions(const dpc_table *table, const dpc_graph *graph,
                                         const dpc_settings *settings, dpc_assumptions **out,
                                         dpc_error *err);
DPC_API void dpc_assumptions_free(dpc_assumptions *assumptions);

/* ---- The edges with numbers ---------------------------------------------- */

/* What is known of one edge. NaN: that is not known. */
typedef struct dpc_edge_row {
    int32_t from, to; /* an arrow points from `from` to `to`; otherwise from < to */
    dpc_mark mark;    /* DPC_FORWARD or DPC_UNDIRECTED; those of a PAG as edge lists have them */
    /*
     * The partial correlation given all neighbours of either end, with a 95 % confidence interval
     * by Fisher's z; where an end is more than a column of numbers, an association without a sign
     * and without an interval: see dpc_explanation.
     */
    double r, low, high;
    double p;        /* of all tests that the edge has survived, the largest; none with DPC_GES */
    bool all_tests;  /* false: there were too many, and some were not looked at */
    double evidence; /* for the direction */
    double edge;     /* shares of the resamples: joined at all, … */
    double forward;  /* … as from → to, … */
    double backward; /* … as from ← to, … */
    double undirected;
    bool association; /* r has no sign: see above */
} dpc_edge_row;

/* Is it an arrow that more resamples have the other way round than as it is? */
static inline bool dpc_edge_row_is_doubtful(const dpc_edge_row *row)
{
    return row->mark == DPC_FORWARD && row->backward > row->forward;
}

typedef struct dpc_edge_table {
    int n_vars;
    int64_t n_rows;
    dpc_edge_row *rows; /* in the order of the edges of the graph; owned */
} dpc_edge_table;

/*
 * The edges of a graph over the variables of the result, NULL: its own, each with what the result
 * and, where they are not NULL, the frequencies know of it. An edge that the result does not have
 * has survived no tests. The tests are made again: where separating sets were not kept
 * (keep_separating_sets) that can take long. `progress` (may be NULL) can call it off. Free with
 * dpc_edge_table_free.
 */
DPC_API dpc_status dpc_tabulate_edges(const dpc_result *result, const dpc_graph *graph,
                                      const dpc_frequencies *frequencies, dpc_progress_fn progress,
                                      void *progress_user, dpc_edge_table **out, dpc_error *err);
DPC_API void dpc_edge_table_free(dpc_edge_table *table);

/* ---- The nodes with numbers ---------------------------------------------- */

/* What is known of one node. */
typedef struct dpc_node_info {
    int neighbours;    /* in the graph */
    int parents;       /* of these: an arrow points from there, … */
    int children;      /* … or to there */
    double r2;         /* the share of its variance that its neighbours explain, 0 to 1; NaN where
                          a large dense graph would take too long. Of p columns 1 - d^(1/p), d the
                          share of their determinant that is left; of a number whose relations may
                          be curved, that of its ranks */
    double r2_parents; /* that its parents explain; NaN: not all of its edges are arrows */
} dpc_node_info;

typedef struct dpc_node_table {
    int n_vars;
    dpc_node_info *rows; /* by column; owned */
} dpc_node_table;

/*
 * The nodes of a graph over the variables of the result, NULL: of its own. R² is that of the linear
 * regression in the data of the result, known as the predictability of a node. `progress` (may be
 * NULL) can call it off. Free with dpc_node_table_free.
 */
DPC_API dpc_status dpc_tabulate_nodes(const dpc_result *result, const dpc_graph *graph,
                                      dpc_progress_fn progress, void *progress_user,
                                      dpc_node_table **out, dpc_error *err);
DPC_API void dpc_node_table_free(dpc_node_table *table);

/* ---- Effects --------------------------------------------------------------- */

/*
 * Which set is adjusted for in each case that the graph leaves open (IDA). By the first two an
 * effect is 0, exactly, where the outcome does not descend from the cause in that case.
 */
typedef enum dpc_ida {
    DPC_IDA_LOCAL,   /* the parents of the cause (Maathuis, Kalisch and Bühlmann 2009) */
    DPC_IDA_OPTIMAL, /* the optimal set (Witte, Henckel, Maathuis and Didelez 2020) */
    DPC_IDA_PCALG,   /* the parents, and 0 only where the outcome is one of them: as pcalg does */
} dpc_ida;

typedef struct dpc_effect_resamples dpc_effect_resamples; /* see dpc_bootstrap_effects; opaque */

/* Which effects. All zeros: those of all ordered pairs, local. */
typedef struct dpc_effect_query {
    dpc_ida ida;
    const int32_t *causes; /* n_causes different ones; NULL: all */
    int n_causes;
    const int32_t *outcomes; /* likewise */
    int n_outcomes;
    bool standardised; /* in standard deviations, even where there are units */
    /* > 0: of each outcome only so many causes, largest min_abs first, and none without a possibly
     * directed path to it (but for DPC_IDA_PCALG) */
    int top;
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
    bool possible; /* there is a possibly directed path; if not, the effect is 0 in all DAGs */
    /* A nominal cause: what its level `contrast` does in place of `baseline`, its most frequent
     * one. A pair has an entry for each contrast. -1: the cause is a number. */
    int32_t contrast, baseline;
    /* A nominal outcome: the level whose share changes, an entry for each. -1: a number. */
    int32_t level;
} dpc_effect_pair;

/*
 * One of them: the coefficient of the cause in the regression of the outcome on it and the set, or
 * 0, exactly, where the graph leaves no effect: that is no estimate, and has no interval. The
 * interval of others takes the graph as given: it does not know that it may have been learned from
 * the same data.
 */
typedef struct dpc_effect {
    double effect;        /* units of the outcome per unit of the cause; NaN: there are no units */
    double standardised;  /* standard deviations per standard deviation; shares and contrasts of
                             levels stay as they are */
    double se, low, high; /* standard error, 95 % interval; of `effect`, or of `standardised` */
    int size;
    const int32_t *set; /* adjusted for, ascending; lives as long as the table */
    bool possible;      /* false: 0 by the graph, with these parents of the cause */
} dpc_effect;

/*
 * The effects over the class that a graph of the same variables stands for. Of `settings` (may be
 * NULL) threads and progress are used. DPC_BAD_INPUT where a cause has more than DPC_MOST_PARENTAL
 * sets of possible parents, and where no single number describes an effect: relations are curved,
 * or the query names a block of columns (which a query of all variables leaves out). Free with
 * dpc_effect_table_free.
 */
#define DPC_MOST_PARENTAL 65536
DPC_API dpc_status dpc_effects(const dpc_correlation *correlation, const dpc_causal *graph,
                               const dpc_effect_query *query, const dpc_settings *settings,
                               dpc_effect_table **out, dpc_error *err);
DPC_API void dpc_effect_table_free(dpc_effect_table *table);

typedef struct dpc_effect_table_info {
    int64_t n_pairs;
    int64_t undefined; /* regressions without an answer */
    bool units;        /* it has units */
    bool resampled;    /* resamples say something: dpc_effect_table_spread */
    dpc_ida ida;
    bool all_causes, all_outcomes; /* the query named none */
    bool levels;  /* some variables are nominal: pairs may have contrasts and levels */
    int left_out; /* variables that are blocks of columns, whose effects are no single numbers */
} dpc_effect_table_info;

/* Lives as long as the table. */
DPC_API const dpc_effect_table_info *dpc_effect_table_about(const dpc_effect_table *table);

/*
 * Its pairs: by the cause, then by the outcome, in the order of the query; with `top` by the
 * outcome, then by the rank. Out of range: a pair with a cause of -1, an effect of NaNs.
 */
DPC_API dpc_effect_pair dpc_effect_table_pair(const dpc_effect_table *table, int64_t pair);
DPC_API dpc_effect dpc_effect_table_at(const dpc_effect_table *table, int64_t pair, int which);

/*
 * How many of the pairs that were asked about have no possibly directed path, those that `top`
 * leaves out too: of a cause, on an outcome, or of any (-1).
 */
DPC_API int64_t dpc_effect_table_impossible(const dpc_effect_table *table, int cause, int outcome);

/* What resamples say about a pair, in units as its effects are. */
typedef struct dpc_effect_spread {
    int resamples;    /* 0: none were asked, or no such pair */
    double low, high; /* 95 % of them: of the effect that is smallest in absolute value */
    double min_abs;   /* the median of its absolute value */
    double rank;      /* the median of the rank of the cause by it, among those of the outcome */
} dpc_effect_spread;

DPC_API dpc_effect_spread dpc_effect_table_spread(const dpc_effect_table *table, int64_t pair);

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

#ifdef __cplusplus
}
#endif

#endif

/*
 * dualpc: learn the structure of Gaussian Bayesian networks.
 *
 * The dual PC algorithm of Giudice, Kuipers and Moffa, with classic PC, precision-first PC and
 * greedy equivalence search beside it, from a table of observations or from a correlation matrix to
 * a skeleton, pattern or CPDAG. This header has what learns; dualpc_graph.h graphs and what
 * follows from them; dualpc_explain.h questions to a result: why, how sure, how well it fits,
 * effects; dualpc_sample.h a posterior over graphs; dualpc_io.h files and texts. The first four
 * work in memory.
 *
 * The way through the house:
 *
 *     dpc_table_new, dpc_table_view → dpc_correlate ──────────────┐
 *     dpc_correlation_from_matrix, dpc_correlation_view ──────────┴→ dpc_learn → dpc_result
 *
 *     dpc_result_graph      → the graph: its edges, dpc_graph_adjacency
 *     dpc_result_info       → counts and times, triples in doubt, what refinement did
 *     dpc_separating_set    → why two variables are not joined
 *     dpc_explain           → why they are, and what directs the edge
 *     dpc_write_string      → all of it as JSON, or the graph in other formats (dualpc_io.h)
 *
 *     dpc_bootstrap         → dpc_frequencies, how sure each edge is → dpc_consensus
 *     dpc_class_member      → a DAG of the class that a graph stands for
 *     dpc_fit               → how well the graph fits, and what it leaves out
 *     dpc_tabulate_edges    → the edges with their strengths
 *     dpc_compare           → how far a graph is from the truth
 *
 * What changes the way is in dpc_settings, and what is known before the data in dpc_knowledge.
 * dpc_learn_table is the short way from a table to a result.
 *
 * Rules of the house:
 *
 *  - A function that can fail returns a dpc_status and, where `err` is not NULL, fills it. Its
 *    outputs are untouched on failure.
 *  - Who makes an object frees it, with the *_free of its type, which accepts NULL.
 *  - Inputs are const, and may be freed as soon as a function has returned: what an object needs of
 *    them later it copies or shares. Views of a caller's own memory say how long that must stay.
 *  - Numbers from outside are checked. An index that is out of its range is DPC_USAGE, or, where a
 *    function has no status, the answer that its comment says.
 *  - The library does not print, does not exit, installs no signal handlers and has no global
 *    state. Different threads may use different objects freely, and may ask one result, graph or
 *    correlation at the same time.
 *  - A call starts the threads it wants beside the caller's, blocks all signals in them, and ends
 *    them before it returns; where the system gives none it goes on with those it has. So a process
 *    may fork between calls, and the child may call the library with any number of threads. After
 *    a fork during a call on another thread the child may only exec, as POSIX has it.
 *  - Variables are numbered from 0, in the order of the columns.
 *  - The memory that a BLAS takes for itself, its threads and its other settings belong to the
 *    process, so they are its host's. OpenBLAS maps 128 MB for each thread that calls it, and waits
 *    for ever where the system refuses: under a tight limit the program `dualpc` maps them before.
 *  - Structs. What the library makes and lends (dpc_info, dpc_progress, dpc_graph, …: those behind
 * a pointer) is to be read, not made or copied; members may come at its end. What a caller makes
 *    and may grow begins with `size`, which the caller sets: members that it does not know have
 *    their defaults. All other structs, which are passed by value or lie in arrays of the caller,
 *    stay as they are; so do the values of the enums, which may be added to.
 */
#ifndef DUALPC_H
#define DUALPC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPC_VERSION "0.1.0"

#if defined(__GNUC__)
#define DPC_API __attribute__((visibility("default")))
#else
#define DPC_API
#endif

/* The version of the library in use, to compare with DPC_VERSION. */
DPC_API const char *dpc_version(void);

/* ---- Status and errors ------------------------------------------------- */

/* The values are also the exit codes of the command line program. */
typedef enum dpc_status {
    DPC_OK = 0,
    DPC_USAGE = 1,         /* a setting or an argument is out of its range */
    DPC_BAD_INPUT = 2,     /* the data cannot be used */
    DPC_WRITE_FAILED = 3,  /* an output could not be written */
    DPC_NO_MEMORY = 4,     /* out of memory */
    DPC_INTERRUPTED = 130, /* the progress callback asked to stop */
} dpc_status;

#define DPC_MESSAGE_SIZE 512

typedef struct dpc_error {
    dpc_status code;
    char message[DPC_MESSAGE_SIZE]; /* one sentence: what, where, what to do */
} dpc_error;

/* ---- Audit: what was noticed about the data ---------------------------- */

typedef enum dpc_severity {
    DPC_WARNING, /* the run goes on */
    DPC_ERROR,   /* the run stops */
} dpc_severity;

typedef struct dpc_finding {
    dpc_severity severity;
    char *text; /* one line, without a final stop or line break */
} dpc_finding;

/*
 * A growing list of findings. Start from {0}; end with dpc_audit_clear. Readers and dpc_correlate
 * add to it in one order: how a file was taken apart (comments, header, row names), names, cells
 * that are no numbers, missing ones, infinite ones, the number of observations, constant columns,
 * numbers that are probably not meant, copies of others, linear combinations of others.
 */
typedef struct dpc_audit {
    int count;          /* findings in all */
    int errors;         /* of these, with severity DPC_ERROR */
    int capacity;       /* allocated length of `items` */
    dpc_finding *items; /* in that order */
} dpc_audit;

DPC_API void dpc_audit_clear(dpc_audit *audit);

/* ---- Table: N observations of n variables ------------------------------ */

/* N rows and n columns of numbers, each column with a name; NaN is a missing value. Opaque. */
typedef struct dpc_table dpc_table;

/*
 * A new table with all values 0 and names copied, or V1, V2, … where `names` is NULL. Fill it
 * through `values` of dpc_table_info. Free with dpc_table_free.
 */
DPC_API dpc_status dpc_table_new(int64_t n_obs, int n_vars, const char *const *names,
                                 dpc_table **out, dpc_error *err);

/* The type of the numbers in a caller's array. */
typedef enum dpc_cell_type {
    DPC_DOUBLE,
    DPC_FLOAT,
} dpc_cell_type;

/*
 * A table over the caller's own array: nothing of it is copied, and nothing written. The cell of
 * row i and column j is array[i * row_stride + j * column_stride]. So an array of columns has the
 * strides 1 and n_obs, an array of rows n_vars and 1; others select rows and columns of a larger
 * one. What is learned is the same to the bit as from a table with these values. The array must
 * stay where and as it is until dpc_table_drop_values or dpc_table_free; a correlation or a result
 * made from the table does not need it. Names as in dpc_table_new.
 */
DPC_API dpc_status dpc_table_view(const void *array, dpc_cell_type type, int64_t n_obs, int n_vars,
                                  int64_t row_stride, int64_t column_stride,
                                  const char *const *names, dpc_table **out, dpc_error *err);
DPC_API void dpc_table_free(dpc_table *table);

/* What a missing cell, a NaN, does. */
typedef enum dpc_missing {
    DPC_MISSING_ERROR,    /* it is an error of the audit */
    DPC_MISSING_ROWS,     /* its row is dropped, with a warning; of files only */
    DPC_MISSING_PAIRWISE, /* each correlation is that of the rows which have both cells */
    DPC_MISSING_EM,       /* the covariances are the maximum likelihood estimate of a Gaussian */
} dpc_missing;

/*
 * What its missing cells do: an error, unless it was read or set otherwise. With pairwise and em
 * the number of observations of the correlation is the one that all tests count with, the smallest
 * and the mean number of rows that two columns have in common; resamples of the table are estimated
 * in the same way, each from its rows. A table without missing cells is what it always is.
 * DPC_USAGE for DPC_MISSING_ROWS: a table has the rows that it has.
 */
DPC_API dpc_status dpc_table_set_missing(dpc_table *table, dpc_missing missing, dpc_error *err);

/* What a variable is. */
typedef enum dpc_variable_kind {
    DPC_NUMBER,  /* a column of numbers */
    DPC_ORDERED, /* levels that have an order: a column of their numbers */
    DPC_NOMINAL, /* categories: levels without an order */
    DPC_ZERO,    /* numbers of which many are the smallest one: amounts that are often zero */
    DPC_BLOCK,   /* several columns that are one variable */
} dpc_variable_kind;

/*
 * Sets the kind of a variable, DPC_NUMBER unless it was read or set otherwise; dpc_table_join makes
 * blocks. The cells of a variable with `n_levels` > 0 levels are their numbers, 0 … n_levels - 1,
 * or NaN; their names are copied, or are the numbers where `levels` is NULL. n_levels = 0: the
 * levels of a nominal or ordered variable are the values that the column has, ascending. An ordered
 * variable keeps these values; the cells of a nominal one become the numbers of its levels, and a
 * view whose cells are others becomes a copy of its own. Numbers have no levels. DPC_USAGE where
 * the cells are not as said, or there is only one level or none.
 */
DPC_API dpc_status dpc_table_set_kind(dpc_table *table, int variable, dpc_variable_kind kind,
                                      int n_levels, const char *const *levels, dpc_error *err);

/*
 * Makes one variable, a DPC_BLOCK, of `count` > 1 variables that are numbers: its columns are in
 * the order given, it takes the place of the leftmost, and the variables behind the others move up.
 * A view becomes a copy of its own. DPC_USAGE where one of them is no number, or is there twice.
 */
DPC_API dpc_status dpc_table_join(dpc_table *table, const char *name, const int32_t *variables,
                                  int count, dpc_error *err);

/* What is known of a variable of a table; all of it lives as long as the table. */
typedef struct dpc_variable_info {
    dpc_variable_kind kind;
    int n_levels;               /* nominal, ordered; 0: they were not counted */
    const char *const *levels;  /* their names */
    const int64_t *counts;      /* rows with each */
    int n_columns;              /* of a block; otherwise 1 */
    const char *const *columns; /* their names; NULL: that of the variable */
} dpc_variable_info;

DPC_API dpc_variable_info dpc_table_variable(const dpc_table *table, int variable);

/* What a table has; all of it lives as long as the table. */
typedef struct dpc_table_info {
    int64_t n_obs;            /* N */
    int n_vars;               /* n */
    const char *const *names; /* n of them */
    double *values; /* column j starts at values + j * n_obs. NULL: it is a view, or they were
                       dropped */
    const int64_t *missing; /* missing cells of each column in its file, also in rows that were
                             * dropped; NULL: none was missing, or it comes from no file */
} dpc_table_info;

DPC_API dpc_table_info dpc_table_about(const dpc_table *table);
/*
 * Frees the values, or lets go of the array of a view, and keeps the names. Once there is a
 * correlation matrix only the bootstrap needs them.
 */
DPC_API void dpc_table_drop_values(dpc_table *table);

/* ---- Progress and cancellation ----------------------------------------- */

typedef enum dpc_stage {
    DPC_STAGE_READ,
    DPC_STAGE_PREPARE,
    DPC_STAGE_CORRELATION,
    DPC_STAGE_SKELETON,
    DPC_STAGE_ORIENT,
    DPC_STAGE_WRITE,
    DPC_STAGE_BOOTSTRAP,
    DPC_STAGE_REFINE,
    DPC_STAGE_EFFECTS,
    DPC_STAGE_EXPLAIN, /* explanations, fit and edge table */
    DPC_STAGE_LAYOUT,  /* pictures: of the program */
    DPC_STAGE_REPORT,  /* the HTML report: of the program */
    DPC_STAGE_SAMPLE,  /* DAGs from their posterior */
    DPC_STAGE_HIDDEN,  /* the search for hidden causes, after refinement */
} dpc_stage;
#define DPC_N_STAGES 14

typedef struct dpc_progress {
    dpc_stage stage;
    double fraction; /* of this stage or level that is done, 0 to 1 */
    /* The skeleton: */
    int level;
    int64_t tests;        /* made so far */
    int node;             /* a variable whose tests take long; -1: there is none … */
    double node_fraction; /* … and how far they are, 0 to 1 */
    /* All searches: */
    int64_t edges; /* of the graph: at the start of the level, or now where a score decides */
    /* GES, whose stage is that of the skeleton: */
    int round;
    int64_t scores; /* made so far */
    /* Refinement: */
    double score; /* that of the best graph so far, as in dpc_refined */
    int restarts; /* done */
    /* The bootstrap: */
    int resamples, resamples_done; /* asked for, and done */
    /* Sampling: */
    int draws, draws_done; /* of each chain: asked for, and done; 0 done: the chains start */
} dpc_progress;

/*
 * Called when work begins, and then at most about a hundred times a second and, in long work, at
 * least once; always on the thread that called the library, while its other threads work on.
 * Returning non-zero cancels the work: the function in progress frees what it made and returns
 * DPC_INTERRUPTED within a second. Refinement (DPC_STAGE_REFINE) and the search for hidden causes
 * (DPC_STAGE_HIDDEN) have a graph at any time: there it ends the search, and the result, DPC_OK, is
 * the best graph so far; see dpc_refined and dpc_hidden_search.
 *
 * It may ask finished objects, and may call the library anew with objects of its own. It must come
 * back: an exception or a longjmp out of it would leave threads behind that still work.
 */
typedef int (*dpc_progress_fn)(const dpc_progress *progress, void *user);

/* ---- Settings ---------------------------------------------------------- */

typedef enum dpc_method {
    DPC_DUAL,      /* the dual PC algorithm */
    DPC_CLASSIC,   /* PC as in pcalg */
    DPC_PRECISION, /* level 0 of the dual PC, then classic levels */
    DPC_GES,       /* greedy equivalence search: no tests, but a penalised likelihood */
} dpc_method;

typedef enum dpc_variant {
    DPC_STABLE,   /* the skeleton does not depend on the order of the columns */
    DPC_STANDARD, /* deletions take effect at once */
} dpc_variant;

/* When tests of level 1 and above delete an edge. */
typedef enum dpc_rule {
    DPC_RULE_OR,   /* one end has found a separating set: the paper's rule */
    DPC_RULE_AND,  /* both ends have, each among its own neighbours */
    DPC_RULE_AUTO, /* or; with refinement and, whose graph is the best start */
} dpc_rule;

typedef enum dpc_test {
    DPC_FISHER_Z,
    DPC_EXACT_T,
} dpc_test;

typedef enum dpc_normalize {
    DPC_NORMALIZE_NONE,
    DPC_NORMALIZE_COPULA, /* normal scores of the ranks: a Gaussian copula model */
    DPC_NORMALIZE_LATENT, /* a latent Gaussian copula: columns are cut from normal variables */
} dpc_normalize;

typedef enum dpc_target {
    DPC_CPDAG,    /* all edges directed that the data can direct */
    DPC_PATTERN,  /* only v-structures directed */
    DPC_SKELETON, /* nothing directed */
} dpc_target;

/* How the edges of a skeleton are directed. */
typedef enum dpc_orientation {
    DPC_CONSISTENT,   /* strongest evidence first; always the CPDAG of a DAG */
    DPC_RELAXED,      /* as in the paper: the last v-structure wins; may be no CPDAG */
    DPC_MAJORITY,     /* by more than half of all separating sets; what is even stays ambiguous */
    DPC_CONSERVATIVE, /* by all separating sets; what is divided stays ambiguous */
} dpc_orientation;

/* In which order the columns are met. */
typedef enum dpc_order {
    DPC_ORDER_CANONICAL, /* by the correlations: rearranging the columns changes nothing */
    DPC_ORDER_GIVEN,     /* as they come */
    DPC_ORDER_AUTO,      /* as they come with DPC_RELAXED, as the paper has it; else canonical */
} dpc_order;

/* Whether a search by score goes on from the graph that the tests have found. */
typedef enum dpc_refinement {
    DPC_REFINE_NONE,
    DPC_REFINE_FAST,  /* hill climbing, and a search over orders near what it finds */
    DPC_REFINE_FULL,  /* then one over all variables, with restarts; of at most 14, as exact */
    DPC_REFINE_EXACT, /* a DAG with the highest score, of at most DPC_MOST_EXACT variables */
} dpc_refinement;

/* How a variable may depend on others. */
typedef enum dpc_relations {
    DPC_LINEAR, /* along straight lines */
    DPC_CURVED, /* along curves: numbers enter by polynomials of their ranks */
} dpc_relations;

/* How variables are tested that are all nominal. */
typedef enum dpc_categorical {
    DPC_CATEGORICAL_BLOCKS,  /* as all others: by their indicators */
    DPC_CATEGORICAL_MIXTURE, /* given at most two others by G², which sees interactions */
} dpc_categorical;

/* Whether hidden common causes are allowed for, and how. The graph is a PAG then. */
typedef enum dpc_hidden {
    DPC_HIDDEN_NONE,   /* there are none: the graph stands for DAGs over the variables */
    DPC_HIDDEN_SEARCH, /* a search over maximal ancestral graphs by likelihood */
    DPC_HIDDEN_FCI,    /* by tests: the skeleton of the PC algorithm, then the rules of FCI */
    DPC_HIDDEN_DAG,    /* the PAG of the refined DAG */
} dpc_hidden;

#define DPC_NO_TIMEOUT      0
#define DPC_AUTO_RESTARTS   (-1)
#define DPC_MOST_EXACT      20
#define DPC_NO_MAX_ORDER    INT32_MAX
#define DPC_ALL_PDSEP       INT32_MAX
#define DPC_NO_MIN_EVIDENCE (-1e300)

typedef struct dpc_graph dpc_graph;         /* see dualpc_graph.h */
typedef struct dpc_knowledge dpc_knowledge; /* see "Background knowledge"; opaque */
typedef struct dpc_ranks dpc_ranks;         /* of dualpc-mpi; opaque */

/*
 * New members come at the end: a program that was compiled with an older header says by `size` how
 * much it has, and the library takes the defaults for the rest.
 */
typedef struct dpc_settings {
    size_t size;       /* of the struct as the caller knows it: dpc_settings_default sets it */
    double alpha;      /* significance level, 0 < alpha < 1; 0: 0.05, with refinement 0.01 */
    double alpha_dual; /* level of full-order, full-S and dual tests; 0: as alpha */
    dpc_method method;
    dpc_variant variant;
    dpc_rule rule; /* of the PC algorithms; not DPC_RULE_AND with DPC_GES */
    dpc_test test;
    int max_order;  /* largest level; DPC_NO_MAX_ORDER for none */
    double min_ess; /* effective sample size a dual test must leave, >= 0; INFINITY: none is made */
    double penalty; /* GES, refinement: a parameter costs so many log N, > 0; 1/2 is BIC. 0: GES 1,
                       and where N < n 1/2 + log n / log N, which is EBIC; refinement as the data
                       ask for: EBIC and one more, or EBIC and less */
    dpc_normalize normalize;
    dpc_target graph;
    dpc_orientation orient;
    dpc_order order;
    int threads;                    /* 1 to 256; 0: OMP_NUM_THREADS, or all processors */
    bool keep_separating_sets;      /* keep what r and p of these need; not with DPC_GES */
    const dpc_knowledge *knowledge; /* about as many variables; not owned; NULL: none */
    dpc_progress_fn progress;       /* may be NULL */
    void *progress_user;            /* passed to `progress` */
    /*
     * Arrows with weaker evidence (dpc_evidence) are left undirected; DPC_NO_MIN_EVIDENCE: none.
     * The result is a partially directed graph then, and need not be the CPDAG of any DAG. Not with
     * DPC_GES. dpc_bootstrap does not use it.
     */
    double min_evidence;
    /*
     * Refinement: the graph by tests is the start, and a score decides. Not with DPC_GES,
     * min_evidence or keep_separating_sets.
     */
    dpc_refinement refine;
    int restarts;  /* of DPC_REFINE_FULL, >= 0; DPC_AUTO_RESTARTS: until nothing better comes */
    uint64_t seed; /* of its random numbers; the same one gives the same graph */
    /*
     * Megabytes, > 0: a correlation matrix that takes more is not made (dpc_correlate), and
     * refinement keeps no more to be faster. 0: half of what this machine, container or process
     * may use, and 1000. Never changes the graph.
     */
    double memory;
    /*
     * Seconds from the start of dpc_learn, dpc_learn_table or dpc_bootstrap after which the best
     * graph so far is the result: see `complete` of dpc_info. What there is always is the graph of
     * level 0, directed. A tenth of the time more may go into directing. dpc_correlate ends EM, the
     * estimate around missing cells, after half of it. DPC_NO_TIMEOUT: none.
     */
    double timeout;
    const dpc_ranks *ranks; /* processes that share the work; not owned; NULL: this one is alone */
    dpc_relations relations;
    int degree; /* DPC_CURVED: of the polynomials, 1 to 8 */
    dpc_categorical categorical;
    int unused; /* 0 */
    /*
     * Hidden common causes. Not with DPC_GES, min_evidence or another graph than DPC_CPDAG;
     * DPC_HIDDEN_FCI not with refinement, which the others need: none is DPC_REFINE_FULL there.
     */
    dpc_hidden latent;
    int pdsep; /* DPC_HIDDEN_FCI: the largest sets of Possible-D-SEP, and the most that are left out
                  of it; 0: none is tested; DPC_ALL_PDSEP: all are */
    bool selection; /* samples may be selected by what the variables cause: tails at both ends */
} dpc_settings;

/* Fills a struct of `size` bytes with the defaults; DPC_USAGE where no version has that size. */
DPC_API dpc_status dpc_settings_init(dpc_settings *settings, size_t size);

/*
 * The same as the caller's compiler sees it. Settings must begin here: others are refused with
 * DPC_USAGE by whoever takes them, and so are those of a newer header than the library's.
 */
static inline void dpc_settings_default(dpc_settings *settings)
{
    (void)dpc_settings_init(settings, sizeof *settings);
}

/* ---- Settings by name --------------------------------------------------- */

typedef enum dpc_option_kind {
    DPC_OPTION_NUMBER, /* in a range */
    DPC_OPTION_COUNT,  /* a whole number in a range */
    DPC_OPTION_WORD,   /* one of some words */
    DPC_OPTION_FLAG,   /* yes or no */
    DPC_OPTION_TEXT,   /* anything; no setting is of this kind */
} dpc_option_kind;

/* What there is to know about a setting. */
typedef struct dpc_option {
    const char *name; /* as in the shell: max-order; - and _ are the same */
    dpc_option_kind kind;
    const char *value;        /* what documents call the value of it: M; may be NULL */
    const char *const *words; /* DPC_OPTION_WORD: the choices, ended by NULL */
    const char *word;         /* what may stand in the place of a value: none, auto; may be NULL */
    const char *range;        /* of a number: "(0,1)" without its ends, "[0,inf)" with 0 */
    const char *sentence;     /* what it is about; no capital, no final stop */
    unsigned methods;         /* to which it matters: bits 1u << dpc_method */
} dpc_option;

/* All settings that can be given as text, in their order, from 0 on; NULL: there are no more. */
DPC_API const dpc_option *dpc_option_at(int i);

/*
 * Sets one of them. What the text may be is what the command line takes: a number with a decimal
 * point in any locale, a word, yes or no. DPC_USAGE, with a sentence that names the setting, and
 * nothing changed, where it is anything else.
 */
DPC_API dpc_status dpc_settings_set(dpc_settings *settings, const char *name, const char *text,
                                    dpc_error *err);

#define DPC_OPTION_SIZE 32 /* room for the text of every setting */

/* Its value as dpc_settings_set takes it, up to the last bit. */
DPC_API dpc_status dpc_settings_get(const dpc_settings *settings, const char *name, char *text,
                                    size_t size, dpc_error *err);

/* The vocabularies: the words of one enum each. */
typedef enum dpc_word_kind {
    DPC_WORD_METHOD,
    DPC_WORD_VARIANT,
    DPC_WORD_RULE,
    DPC_WORD_TEST,
    DPC_WORD_NORMALIZE,
    DPC_WORD_TARGET,
    DPC_WORD_ORIENTATION,
    DPC_WORD_ORDER,
    DPC_WORD_REFINEMENT,
    DPC_WORD_MISSING,
    DPC_WORD_GRAPH_KIND, /* of dualpc_graph.h: dpc_graph_kind, … */
    DPC_WORD_VERDICT,    /* … dpc_verdict */
    DPC_WORD_CHANGE,     /* of dualpc_explain.h: dpc_change_kind, … */
    DPC_WORD_SEPARATION, /* … dpc_sep_kind, … */
    DPC_WORD_REASON,     /* … dpc_reason_kind, … */
    DPC_WORD_KNOWN,      /* … dpc_known_kind, … */
    DPC_WORD_IDA,        /* … dpc_ida */
    DPC_WORD_STAGE,      /* dpc_stage, as in the times of JSON and of the summary */
    DPC_WORD_OPTIMALITY, /* of dualpc_explain.h: dpc_optimality, … */
    DPC_WORD_DOUBT,      /* … dpc_doubt */
    DPC_WORD_VARIABLE,   /* dpc_variable_kind */
    DPC_WORD_SCORE,      /* of dualpc_sample.h: dpc_marginal_score, … */
    DPC_WORD_PRIOR,      /* … dpc_graph_prior */
    DPC_WORD_HIDDEN,     /* dpc_hidden */
} dpc_word_kind;

/*
 * The word of a value, as in the shell, in JSON and elsewhere; NULL: there is no such value, or it
 * is DPC_RULE_AUTO, which a result does not have.
 */
DPC_API const char *dpc_word(dpc_word_kind kind, int value);

/* ---- Background knowledge ----------------------------------------------- */

/*
 * What is known of the edges before the data speak. Each statement is held against the earlier
 * ones: what contradicts them (an edge required and forbidden, required edges in a circle or
 * against the tiers, a variable in two tiers) is refused with DPC_BAD_INPUT, and changes nothing.
 * Free with dpc_knowledge_free.
 */
DPC_API dpc_status dpc_knowledge_new(int n_vars, dpc_knowledge **out, dpc_error *err);
DPC_API void dpc_knowledge_free(dpc_knowledge *knowledge);

/* There is no edge from → to; both ways: there is none between the two. */
DPC_API dpc_status dpc_knowledge_forbid(dpc_knowledge *knowledge, int from, int to, dpc_error *err);
/* There is an edge from → to. */
DPC_API dpc_status dpc_knowledge_require(dpc_knowledge *knowledge, int from, int to,
                                         dpc_error *err);
/*
 * Puts a variable into a tier, 0 to 65535. There are no edges from a later tier to an earlier one;
 * variables in no tier may have any.
 */
DPC_API dpc_status dpc_knowledge_tier(dpc_knowledge *knowledge, int variable, int tier,
                                      dpc_error *err);
/* A tier has no edges within it; or none to other tiers than the next. */
DPC_API dpc_status dpc_knowledge_restrict(dpc_knowledge *knowledge, int tier, bool within,
                                          bool only_next, dpc_error *err);

/*
 * Can there be no edge from → to, for whatever of these reasons? Must there be one? False of
 * variables that there are not.
 */
DPC_API bool dpc_knowledge_forbids(const dpc_knowledge *knowledge, int from, int to);
DPC_API bool dpc_knowledge_requires(const dpc_knowledge *knowledge, int from, int to);
/* The tier of a variable; -1: none, or no such variable. */
DPC_API int dpc_knowledge_tier_of(const dpc_knowledge *knowledge, int variable);

typedef struct dpc_knowledge_counts {
    int n_vars;
    int tiers;                   /* that have a variable */
    int64_t required, forbidden; /* edges that were said to be; without what the tiers forbid */
} dpc_knowledge_counts;

DPC_API void dpc_knowledge_count(const dpc_knowledge *knowledge, dpc_knowledge_counts *out);

/* ---- Correlation ------------------------------------------------------- */

/*
 * A correlation matrix of n variables and the number N of observations behind it; symmetric, with a
 * diagonal of 1 and nothing beyond -1 and 1. Opaque. A result shares it: it may be freed before.
 */
typedef struct dpc_correlation dpc_correlation;

/*
 * The correlation matrix of a table, of its normal scores where
 * settings->normalize says so. Before any work the columns are audited:
 * duplicate or empty names, missing values (see dpc_table_set_missing) or
 * infinite ones, too few rows are errors; constant columns (they become isolated nodes) are
 * warnings; after it, duplicated columns and exact linear combinations are warnings. `audit` and
 * `settings` may be NULL.
 *
 * Where the n × n matrix would take more than settings->memory, and no cell is missing, it is not
 * made: the correlation then keeps the centred columns, n N numbers, and its entries are made from
 * these when they are asked for. All that is learned from it is the same. What only the inverse of
 * the matrix can tell (tests given all other variables, where N is large enough for them) is
 * DPC_NO_MEMORY then, with a sentence, unless settings->min_ess is INFINITY.
 */
DPC_API dpc_status dpc_correlate(const dpc_table *table, const dpc_settings *settings,
                                 dpc_audit *audit, dpc_correlation **out, dpc_error *err);

/*
 * A correlation matrix from a covariance or correlation matrix: a table with
 * as many rows as columns, and the number of observations behind it. A matrix
 * that is not symmetric, or has an entry no covariance can have, is an error.
 */
DPC_API dpc_status dpc_correlation_from_matrix(const dpc_table *matrix, int64_t n_obs,
                                               const dpc_settings *settings, dpc_audit *audit,
                                               dpc_correlation **out, dpc_error *err);

/*
 * The caller's own matrix of n × n correlations as it is: nothing is copied, and nothing written. A
 * NaN, an entry beyond -1 and 1, a diagonal that is not 1 and a matrix that is not symmetric, by
 * more than rounding, are DPC_BAD_INPUT. The matrix must stay where and as it is until the
 * correlation and all results that were learned from it have been freed. (There are no names here,
 * and no audit: dpc_correlation_from_matrix has them, and makes a copy.)
 */
DPC_API dpc_status dpc_correlation_view(const double *r, int n_vars, int64_t n_obs,
                                        dpc_correlation **out, dpc_error *err);
/*
 * What dpc_correlate has kept of the rows of a table, for searches by score: `to` knows it as well
 * from here on. For who copies a correlation matrix into memory of its own.
 */
DPC_API void dpc_correlation_share_halves(dpc_correlation *to, const dpc_correlation *from);
DPC_API void dpc_correlation_free(dpc_correlation *correlation);

/* What a correlation has; all of it lives as long as the correlation. */
typedef struct dpc_correlation_info {
    int n_vars;           /* n */
    int64_t n_obs;        /* N */
    const double *values; /* the n × n entries, row after row; NULL: there is no matrix */
    /*
     * The standard deviations of the n columns, 0 where one is constant, from a table or a
     * covariance matrix; NULL where there are no units: a correlation matrix, a view, normal
     * scores.
     */
    const double *units;
    /*
     * The observations that two variables have in common, n × n, where cells were missing. A test
     * then counts with those of its variables, the fewest or, after EM, the mean over all two of
     * them; N is the mean over all pairs. NULL: N, everywhere.
     */
    const int32_t *rows;
    bool mean_rows;
} dpc_correlation_info;

DPC_API dpc_correlation_info dpc_correlation_about(const dpc_correlation *correlation);

/* The rows of correlations that come from elsewhere: at least 4 each, symmetric; they are copied.
 */
DPC_API dpc_status dpc_correlation_set_rows(dpc_correlation *correlation, const int32_t *rows,
                                            bool mean, dpc_error *err);

/* ---- Result ------------------------------------------------------------ */

typedef struct dpc_level {
    int64_t tests;   /* tests made at this level */
    int64_t removed; /* edges it removed */
    int64_t left;    /* edges left after it */
    double seconds;
} dpc_level;

/* The phases of GES. */
typedef enum dpc_phase {
    DPC_INSERT,
    DPC_DELETE,
    DPC_TURN,
} dpc_phase;
#define DPC_N_PHASES 3

/* x — y — z in the skeleton, x < z not adjacent. */
typedef struct dpc_triple {
    int32_t x, y, z;
    bool collider; /* what the graph says: x → y ← z, or not */
    /*
     * Conflicts: what the data say; above 0 speaks for a collider, below 0 against it, the size is
     * like log-odds. Ambiguous: the share of the separating sets that hold y; NaN: there are none.
     */
    double evidence;
} dpc_triple;

/* What is known of a result besides its graph; all of it lives as long as the result. */
typedef struct dpc_info {
    int64_t tests;                   /* tests made in all */
    int n_levels;                    /* levels run, level 0 included */
    dpc_level *levels;               /* n_levels of them; owned */
    int64_t singular_neighbourhoods; /* matrices that could not be inverted (level 0 included) */
    int64_t singular_tests; /* not made: no variance left given the set (or one of its parts);
                               each pair of copies counts as one */
    int64_t doubtful_tests; /* verdicts too close for the fast route, decided by a direct one */
    int64_t scores;         /* GES: scores of steps made in all */
    int64_t steps[DPC_N_PHASES];  /* GES: by dpc_phase */
    double score;                 /* GES: of the graph, see `penalty`; NaN for the others */
    double seconds[DPC_N_STAGES]; /* by dpc_stage; what the library did itself */
    bool complete; /* false: `timeout` has ended the work, or the caller a refinement, before it was
                      done; a level that was given up is not among the levels, nor are its tests */
    /* verdicts so close to the critical value that the rounding of the data's correlations decides
     */
    int64_t uncertain_tests;
    int n_vars;    /* n */
    int64_t n_obs; /* N */
    /*
     * What the graph is called: "CPDAG", with background knowledge "MPDAG", with min_evidence
     * "PDAG"; "pattern" or "skeleton" where the settings ask for that; "PAG" where hidden causes
     * are allowed for.
     */
    const char *type;
    /*
     * The graph with the arrows that min_evidence has left out; otherwise the same graph. This one
     * stands for a class of DAGs, as far as the rule of orientation sees to it.
     */
    const dpc_graph *class_graph;
    const dpc_correlation *correlation;
    const struct dpc_refined *refined; /* of dualpc_explain.h; NULL: the graph was not refined */
    /*
     * Triples in doubt, sorted by y, x, z; NULL where the settings make no such list. Conflicts, of
     * DPC_CONSISTENT: those that the graph decides against the data. Ambiguous, of DPC_MAJORITY and
     * DPC_CONSERVATIVE: those that no direction was read from.
     */
    const dpc_triple *conflicts, *ambiguous;
    int64_t n_conflicts, n_ambiguous;
    /*
     * Searches by score whose penalty is left open: how many independent rows the N are worth, by
     * which an edge is paid for. Fewer than N where the rows resemble each other: a time series,
     * groups, batches, repeated rows. N otherwise.
     */
    double effective_rows;
    const char *warning; /* the same in a sentence, for the user; NULL: there is nothing to say */
    /*
     * Searches by tests: columns that are copies of others, or linear functions of them, take no
     * part in the tests. In the end such a column has the edges of the one that it is a copy of,
     * and one with that and with each other copy; a refinement begins with the last of these alone
     * and treats it as any other column.
     */
    int n_copies;
    int64_t left_out; /* neighbourhoods, counted at each level, whose tests of that level were not
                         made: too many of them would involve columns that are nearly copies */
    int start_ended;  /* the level before which the tests that a refinement starts from were ended,
                         because there were too many of them; 0: they were not */
    const int32_t *copy_of; /* by column: what it is a copy of; -1: it took part. NULL: no copies */
    /* Hidden causes: what the tests say is the PAG of no graph, and this is the nearest valid one.
     */
    bool repaired;
    int64_t pdsep_given_up; /* ordered pairs whose sets in Possible-D-SEP were not all tested: there
                               were too many */
    const struct dpc_hidden_search *hidden; /* of dualpc_explain.h; NULL: not DPC_HIDDEN_SEARCH */
} dpc_info;

/*
 * What was learned, with all that it takes to ask about it later: a copy of the settings and of the
 * knowledge in them, and a share of the correlation matrix. Opaque.
 */
typedef struct dpc_result dpc_result;

/* Learns a graph. `settings` may be NULL for the defaults. Free with dpc_result_free. */
DPC_API dpc_status dpc_learn(const dpc_correlation *correlation, const dpc_settings *settings,
                             dpc_result **out, dpc_error *err);

/* dpc_correlate and dpc_learn in one call. `audit` may be NULL. */
DPC_API dpc_status dpc_learn_table(const dpc_table *table, const dpc_settings *settings,
                                   dpc_audit *audit, dpc_result **out, dpc_error *err);
DPC_API void dpc_result_free(dpc_result *result);

/* What a result has; all of it lives as long as the result. */
DPC_API const dpc_graph *dpc_result_graph(const dpc_result *result);
DPC_API const dpc_info *dpc_result_info(const dpc_result *result);
/*
 * As they were given, with the values that were taken in the place of auto ones: alpha, alpha_dual,
 * rule, order, and of searches by score the penalty. The knowledge is a copy, and there is no
 * progress callback.
 */
DPC_API const dpc_settings *dpc_result_settings(const dpc_result *result);

/*
 * The evidence of the arrow from → to of the graph: that of the weakest link in its strongest chain
 * of reasons (docs/algorithm.md, section 14). Below 0: the data speak against it. INFINITY: it is
 * known beforehand. NAN: there is no such arrow, or its evidence is not known, as with DPC_GES.
 */
DPC_API double dpc_evidence(const dpc_result *result, int from, int to);

#ifdef __cplusplus
}
#endif

#endif

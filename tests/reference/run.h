/* One run of the slow twin, and what its files have of each other. Only for this folder. */
#ifndef REFERENCE_RUN_H
#define REFERENCE_RUN_H

#include "reference.h"

typedef long double real;

/* What an ordered pair has been asked given all of S or nearly all, S being as it is now. */
struct asked {
    uint64_t s;      /* S, a bit per variable */
    uint64_t *given; /* the sets */
    double *critical;
    int count, capacity;
};

/* Everything of one run. */
struct run {
    int n;
    double n_obs;
    const double *r;
    const int32_t *rows; /* NULL: n_obs, always */
    bool mean_rows;
    const dpc_settings *settings;
    const struct reference_facts *known; /* NULL: nothing */
    struct reference *out;
    unsigned char *adjacency;  /* the skeleton as it is now; AND rule: row x is the list of x */
    struct asked *asked;       /* n × n */
    double *primal;            /* c(k) at alpha; NaN where the test cannot be made */
    double *dual;              /* c(k) at alpha_dual */
    real *matrix, *inverse;    /* scratch, n × n */
    int32_t *set, *subset;     /* scratch, n */
    const int *copies;         /* by variable: how many it stands for; itself is one */
    struct ref_blocks *blocks; /* in place of r; NULL: each variable is one column */
    int *alike;                /* by variable: the one that stands for those that nearly are it */
};

/* ---- reference.c ---- */

void *ref_need(void *memory);
void *ref_zeroed(size_t count, size_t size);
unsigned char *ref_cell(struct run *run, int x, int y);
struct reference_sepset *ref_sepset(struct reference *out, int x, int y);
struct reference *ref_new(int n);

/* All but the graph and the sets goes from one to the other. */
void ref_take_counts(struct reference *from, struct reference *to);

/* Learns with all variables, none of which is a copy; edges count for those they stand for. */
struct reference *ref_learn_all(const struct reference_input *input, const int *copies);

/* ---- copies.c ---- */

/*
 * By variable: the first before it that stands for itself, and with which 1 - r² is below `left`;
 * otherwise the variable. `facts`: the same must be known of both.
 */
void ref_stand_for(const struct reference_input *input, real left, bool facts, int *of);

/* Is the neighbourhood of x left out: S, of size s in run->set, and y? Or where it is singular? */
bool ref_too_many_alike(struct run *run, int x, int y, int s, int level);
bool ref_too_many_large(int s, int level);

/* ---- knowledge.c ---- */

/* Must there be an edge between the two? Is this direction ruled out? Can there be no edge? */
bool ref_required(const struct run *run, int x, int y);
bool ref_forbidden(const struct run *run, int from, int to);
bool ref_impossible(const struct run *run, int x, int y);

/* May v be in a set for the pair x, y? */
bool ref_usable(const struct run *run, int x, int y, int v);

/* ---- partial.c ---- */

/* The partial correlation of x and y given K. False where it does not exist. */
bool ref_partial_correlation(struct run *run, int x, int y, const int32_t *set, int k, real *r);

/* Is the matrix of R over `index` invertible? Leaves the inverse in run->inverse. */
bool ref_inverse_exists(struct run *run, const int32_t *index, int size);

/* -P_xy / sqrt(P_xx P_yy) for positions x and y of run->inverse. */
real ref_partial_from_inverse(const struct run *run, int size, int x, int y);

/* ---- blocks.c ---- */

struct ref_blocks *ref_blocks_new(const struct reference_input *input);
void ref_blocks_free(struct ref_blocks *blocks);

/* As ref_test, the full-order tests of all pairs, and ref_inverse_exists over some variables. */
bool ref_block_test(struct run *run, int x, int y, int32_t *set, int k, dpc_sep_kind kind,
                    int level, struct reference_sepset *found);
void ref_block_full_order(struct run *run);
bool ref_block_inverse_exists(struct run *run, const int32_t *index, int size);

/* ---- test.c ---- */

/* c(k) for all k < n, with n_obs observations. */
double *ref_critical_values(const struct run *run, double alpha);

/* N of a test: the fewest observations that two of its variables have in common. */
double ref_rows(const struct run *run, int x, int y, const int32_t *set, int k);

/* Its critical value, at the level of its kind. */
double ref_critical(const struct run *run, dpc_sep_kind kind, double n_obs, int k);
bool ref_enough_samples(const struct run *run, double n_obs, int k);

/* Counts a test; true where independence is not rejected. */
bool ref_independent(struct run *run, real r, double critical);

/* The pair has survived a test given k variables. */
void ref_note_weakest(struct run *run, int x, int y, real r, double n_obs, int k);

/* One test of a level; where it separates, *found says how. */
bool ref_test(struct run *run, int x, int y, int32_t *set, int k, dpc_sep_kind kind, int level,
              struct reference_sepset *found);

/* A new visit of (x, y): forgets what was asked if S has changed. */
void ref_look_back(struct run *run, int x, int y, int s);

/* As ref_test, and whether it was asked before is noted: not counted as distinct then. */
bool ref_test_noted(struct run *run, int x, int y, int32_t *set, int k, dpc_sep_kind kind,
                    int level, struct reference_sepset *found);

/* What separated x and y: seen from x, or from both. */
void ref_record_at(struct reference *out, int x, int y, const struct reference_sepset *found);
void ref_record(struct run *run, int x, int y, const struct reference_sepset *found);
void ref_delete_edge(struct run *run, int x, int y);

/* ---- level_zero.c, subsets.c, levels.c, and_rule.c, orient.c ---- */

void ref_marginal_tests(struct run *run);
void ref_full_order_tests(struct run *run);

/* The subsets of {0 … s-1} of size m in lexicographic order; false after the last. */
void ref_first_subset(int32_t *position, int m);
bool ref_next_subset(int32_t *position, int m, int s);

/* Splits S into the members at the positions and the others. */
void ref_split(const int32_t *set, int s, const int32_t *position, int m, int32_t *inside,
               int32_t *outside);

/* One level of all pairs. Returns whether some pair asks for another. */
bool ref_level(struct run *run, int level);

/* Makes one graph of the lists, and leaves one set for each pair without an edge. */
void ref_join_lists(struct run *run);

/* From run->adjacency to the graph that is asked for. */
void ref_orient(struct run *run);

#endif

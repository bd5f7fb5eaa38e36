/*
 * The slow twin: docs/algorithm.md sections 2 to 6, "The AND rule" and "Copies", written to be read
 * beside that page and for nothing else. It shares no code with core/: this folder sees the public
 * header alone, for the settings and the words of results, and calls nothing of the library
 * (tests/rooms.sh looks). Its input is plain numbers; tests/support/twin.h makes them.
 */
#ifndef REFERENCE_H
#define REFERENCE_H

#include "dualpc_explain.h"

/* How a pair was separated: as dpc_sepset, with the members. */
struct reference_sepset {
    dpc_sep_kind kind;
    int level, from, size;
    double r;
    int32_t *members; /* ascending; points into the owner's store */
};

struct reference {
    int n;
    unsigned char *adjacency;         /* n × n: [x][y] = 1, [y][x] = 0 is x → y */
    struct reference_sepset *sepsets; /* n × n: [x][y] and [y][x] say the same */
    int64_t tests;                    /* of the plain algorithm, which skips nothing */
    int64_t distinct;                 /* of these, not known from an earlier level (section 7) */
    int n_levels;                     /* level 0 included */
    int64_t *left;                    /* by level: edges left after it */
    int64_t one_sided;                /* AND rule: edges kept though one end found a set */
    int64_t apart;    /* AND rule: pairs whose ends found their sets at two levels */
    int n_copies;     /* variables that others stand for */
    int64_t left_out; /* pairs, at each level, of neighbourhoods that were left out */

    /*
     * How well posed the run was, for deciding what may be compared with it.
     * A "variance" is a conditional variance that decided, against 1e-10, whether a
     * test or an inverse exists; where doubles may err about it, they are taken to.
     */
    int64_t refused_inverses; /* R or U whose inverse was refused as singular */
    int64_t refused_tests;    /* tests not made because a variance vanished */
    double least_variance;    /* the smallest variance above 1e-10 */
    double largest_refused;   /* the largest variance below 1e-10; 0 where none was */
    double least_product;     /* … and of it and the least pivot of what is given */
    double least_margin;      /* the smallest | |r| - c(k) | of the tests made */

    /*
     * n × n, both halves the same: the largest p of all tests of the pair that rejected; -1: none.
     * And, AND rule, for a pair without an edge: the set of the end that found one later.
     */
    double *weakest;
    struct reference_sepset *second; /* members are in the store below */

    int32_t *members; /* the store of all sets: n entries for each of the n × n pairs, twice */
};

/* What is known beforehand, as plain facts. n × n: [from][to]. */
struct reference_facts {
    const int *tier; /* -1: none */
    const unsigned char *forbidden, *required;
};

/* Variables of several columns, as plain numbers. */
struct reference_columns {
    const int *first;           /* n + 1: columns first[v] … first[v + 1] - 1 are those of v */
    const double *values;       /* n_obs each, one column after the other */
    const int *lead;            /* by variable: that many lead in a one-equation test; NULL: all */
    const unsigned char *codes; /* n_obs a variable: tests are made by counts; NULL: none is */
    const int *levels;          /* of the codes; 0: the variable has none */
};

struct reference_input {
    int n;
    int64_t n_obs;
    const double *r;                     /* n × n */
    const int32_t *rows;                 /* n × n: common to two; NULL: n_obs, always */
    bool mean_rows;                      /* a test counts with their mean, not with the fewest */
    const struct reference_facts *known; /* NULL: nothing */
    const dpc_settings *settings;        /* its `knowledge` is not read */
    const struct reference_columns *columns; /* in place of r; NULL: each variable is one column */
};

/*
 * Learns as dpc_learn would; of the settings, method, variant, rule, test, alpha,
 * alpha_dual, max_order, min_ess and graph count. Aborts where memory ends: it is only for tests.
 */
struct reference *reference_learn(const struct reference_input *input);
void reference_free(struct reference *reference);

/* The mark between a and b, seen from a, as dpc_graph_mark. */
dpc_mark reference_mark(const struct reference *reference, int a, int b);

/* The partial correlation of x and y given a set; NaN where it does not exist. */
long double reference_partial(const double *r, int n, int x, int y, const int32_t *set, int size);

/* The critical value of |r| given k variables; NaN where no test can be made. */
double reference_critical(dpc_test test, double alpha, double n_obs, int k);

#endif

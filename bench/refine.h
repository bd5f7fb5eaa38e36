/*
 * What the parts of build/bench/refine share: the lines that are measured, data sets, scores that
 * are computed outside of the library, what a rival has found, and bars.
 */
#ifndef BENCH_REFINE_H
#define BENCH_REFINE_H

#include "dualpc_explain.h"
#include "simulate.h"

#include <stdio.h>

/* A kind of data, and what has to be reached on it. */
typedef struct bench_line {
    const char *name;
    dpc_structure structure;
    dpc_signs signs;
    int n;
    int64_t n_obs;
    double parents, low, high; /* expected parents of a node; weights are uniform on (low, high) */
    double alpha;              /* of the start; 0: as it is by default */
    int below;                 /* so many of 10 sets may score below the truth; -1: any */
    double shd;                /* of the CPDAG per node at the price auto, at most; 0: no bar */
    double share;              /* of the rival's CPU time, at most; 0: no bar */
} bench_line;

extern const bench_line bench_lines[];
extern const int bench_n_lines;

typedef struct bench_options {
    int threads, sets, restarts;
    uint64_t seed;     /* of the first set */
    double price;      /* of an edge, for the times; 0: auto */
    const char *lines; /* names with commas between; NULL: all */
    const char *rival; /* a file with what it has found; NULL: none */
    bool each;         /* a line for each data set */
} bench_options;

/* Prints the error and ends the program. */
_Noreturn void bench_stop(const dpc_error *err);

/* Is this one of the names that were asked for? */
bool bench_chosen(const bench_options *o, const char *name);

/* The processor's seconds of this process so far, all threads. */
double bench_cpu(void);

/* "met" or "MISSED", which is counted. */
const char *bench_bar(bool met);
extern int bench_missed;

/* ---- Data sets (refine_lines.c) ---- */

typedef struct bench_set {
    dpc_dag *dag;
    dpc_table *table;
    dpc_graph truth; /* its CPDAG */
} bench_set;

void bench_draw(const bench_line *line, uint64_t seed, bench_set *set);
void bench_set_clear(bench_set *set);

/* Writes DIR/NAME-SEED.cor for each set of the lines: "n N", then the correlations, row by row. */
void bench_write(const bench_options *o, const char *dir);

/* ---- Scores (refine_score.c) ---- */

/*
 * -N/2 Σ log σ²(v | parents of v) - price · edges, from the correlations, by elimination in long
 * double; nothing of it comes from the library. The parents of v are parent[start[v]] …
 * parent[start[v + 1] - 1].
 */
double bench_score(const double *r, int n, int64_t n_obs, double price, const int64_t *start,
                   const int32_t *parent);

/* The same of a DAG of the class of a CPDAG. */
double bench_score_class(const double *r, int64_t n_obs, double price, const dpc_graph *cpdag);

/* ---- A rival (refine_rival.c) ---- */

/* One set of a line: the score of the rival's graph at the price log N, and the CPU of its search.
 */
typedef struct bench_found {
    char line[32];
    uint64_t seed;
    double score, ms;
} bench_found;

typedef struct bench_rival {
    bench_found *found; /* owned */
    size_t count;
} bench_rival;

/* Reads lines "line,seed,score,cpu_ms"; others are passed over. NULL: nothing is found. */
void bench_rival_read(const char *path, bench_rival *rival);

/* NULL: nothing is known about this set. */
const bench_found *bench_rival_find(const bench_rival *rival, const char *line, uint64_t seed);

/* ---- What is measured ---- */

void bench_bars(const bench_options *o);  /* refine_bars.c: the lines, one after the other */
void bench_small(const bench_options *o); /* refine_small.c: against the optimum of few variables */

/* refine_times.c: SHD and milliseconds of all settings of one kind of refinement, or of one. */
void bench_times(dpc_refinement how, const bench_options *o);
void bench_times_large(const bench_options *o); /* from 500 variables on, fast */
void bench_time(dpc_refinement how, const bench_options *o, int n, int64_t n_obs, double parents,
                double alpha);

#endif

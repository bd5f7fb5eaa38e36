/*
 * How good probabilities are, where the truth is known: of many statements (this edge is there)
 * each with a probability and with what is true.
 */
#ifndef DPC_STUDY_JUDGE_H
#define DPC_STUDY_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct study_statement {
    double given; /* its probability */
    bool is;      /* true */
} study_statement;

enum { STUDY_BINS = 8 };

/* Where bins begin and end: bin i has the statements from study_bin[i] to below study_bin[i + 1];
 * the last one has 1, too. */
extern const double study_bin[STUDY_BINS + 1];

/* Probabilities are clipped to this and 1 minus this before their logarithm is taken: the half of
 * one resample of 200. */
#define STUDY_CLIP 0.0025

/* All members are numbers, so that a file can hold them as a list. */
typedef struct study_judged {
    double truths;   /* statements that are true */
    double log_loss; /* the sum of -log of the probability that was given to what is true */
    double brier;    /* the sum of squares of probability minus truth */
    /* The mean precision over the true statements, by falling probability: statements with the same
     * one come together. NaN: none is true. */
    double average_precision;
    struct {
        double count, given, truths; /* statements, the sum of their probabilities, true ones */
    } bins[STUDY_BINS];
} study_judged;

/* Sorts the statements. */
study_judged study_judge(study_statement *list, int64_t count);

#endif

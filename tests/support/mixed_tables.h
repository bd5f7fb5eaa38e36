/* Random tables of numbers and categories, ordinary and awkward, and their slow twin. */
#ifndef MIXED_TABLES_H
#define MIXED_TABLES_H

#include "cases.h"
#include "twin.h"

/* What is done to a table. */
enum mixed_flaw {
    MIXED_FINE,
    MIXED_FUNCTION, /* a nominal variable is a function of another */
    MIXED_COPY,     /* two nominal variables are the same but for the names of their levels */
    MIXED_RARE,     /* a level is seen once */
    MIXED_CONSTANT, /* a variable has one value */
    MIXED_N_FLAWS,
};

struct mixed_model {
    int n;
    int64_t n_obs;
    int widest;     /* nominal variables have 2 … widest + 1 levels */
    double nominal; /* their share */
    double ordered; /* of the others, the share of ordered ones with few levels */
    double parents;
    enum mixed_flaw flaw;
};

/* Free with dpc_table_free. Aborts where memory ends. */
dpc_table *mixed_table(const struct mixed_model *model, gsl_rng *rng);

/*
 * The slow twin of dpc_learn_table, from indicators of all levels but one that is drawn, or, where
 * relations are curved, from the columns that the library makes. Free with reference_free.
 */
struct reference *mixed_twin(const dpc_table *table, const dpc_settings *settings, gsl_rng *rng);

#endif

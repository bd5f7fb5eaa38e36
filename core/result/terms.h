/*
 * What effects are asked about, by columns: a number is one term. A nominal cause has a term for
 * each level but its baseline, which is the contrast of the two; a nominal outcome one for each
 * level, whose share may change. A block has none: no single number describes its effects.
 */
#ifndef DPC_TERMS_H
#define DPC_TERMS_H

#include "correlation.h"

typedef struct dpc_terms {
    int count;
    int32_t *variable, *column; /* owned; where there is no coding they are the same */
    int32_t *level;             /* -1: a number; owned */
} dpc_terms;

/*
 * The terms of some variables in their order; NULL: of all that have some. `coding` may be NULL:
 * all are numbers. End with dpc_terms_clear, also after a failure: no memory.
 */
dpc_status dpc_terms_make(const dpc_coding *coding, const int32_t *variables, int count,
                          bool causes, dpc_terms *out);
void dpc_terms_clear(dpc_terms *terms);

#endif

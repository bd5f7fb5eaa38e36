/*
 * The tests of blocks of columns behind a result, made again for those who ask about it. All of
 * them go through here: given a set by the direct way (wilks.h), given all others from P where that
 * was kept. A variable without a column is constant, and independent of everything.
 */
#ifndef DPC_BLOCK_ANSWER_H
#define DPC_BLOCK_ANSWER_H

#include "result.h"
#include "wilks.h"

/*
 * The test of columns a and b given k others; `least` of N - 1 - w - p - q as dpc_direct_blocks has
 * it. The p of the answer is NaN where there is no
 * test. DPC_OK or no memory.
 */
dpc_status dpc_answer_given(dpc_direct *direct, int a, int b, const int32_t *set, int k,
                            double least, dpc_block_answer *out);

/* The same of a test given nothing or a primal set, which may be made by counts (g2.h). */
dpc_status dpc_answer_primal(dpc_direct *direct, int a, int b, const int32_t *set, int k,
                             dpc_block_answer *out);

/* The same given all other variables that sets of the pair may hold, `set`, k of them. */
dpc_status dpc_answer_of_rest(const dpc_sepsets *sets, dpc_direct *direct, int a, int b,
                              const int32_t *set, int k, double least, dpc_block_answer *out);

/* The effective sample size of an answer: N - 1 - w - p - q, of single columns N - k - 3. */
static inline int64_t dpc_answer_ess(const dpc_block_answer *answer, int64_t n_obs)
{
    const dpc_wilks *w = &answer->wilks;
    return n_obs - 1 - w->w - w->p - w->q;
}

/*
 * dpc_sepsets_tell for any kind of variable: r and p of blocks are those of the test made again.
 * `members` has room for any set, but may be NULL where variables are single columns and no N
 * differs from that of the view. `answer` (may be NULL) receives the test of blocks. DPC_OK or no
 * memory.
 */
dpc_status dpc_tell_separation(const dpc_sepsets *sets, const dpc_settings *settings,
                               dpc_direct *direct, int a, int b, dpc_sepset *out, int32_t *members,
                               dpc_block_answer *answer);

/*
 * A test as it is told to callers (dpc_f_test), with canonical correlations: `answer` is that given
 * k others, which is all there are where P is taken from `from_p` (may be NULL). *out is NULL where
 * a variable is constant.
 */
dpc_status dpc_f_test_new(const dpc_block_answer *answer, const dpc_sepsets *from_p,
                          dpc_direct *direct, int a, int b, const int32_t *set, int k,
                          dpc_f_test **out, dpc_error *err);

/* dpc_explain_test; one that is not primal is not made by counts. */
dpc_status dpc_f_test_given(const dpc_result *result, int a, int b, const int32_t *set, int size,
                            bool primal, dpc_f_test **out, dpc_error *err);

#endif

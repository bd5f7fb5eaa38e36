/* The tests of blocks of columns behind a result: see block_answer.h. */
#include "block_answer.h"

#include "alloc.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* ---- One test ---- */

/* Independence of a variable that is constant. */
static dpc_block_answer no_column(const dpc_blocks *blocks, int a, int b)
{
    return (dpc_block_answer){
        .wilks = {.p = dpc_block_width(blocks, a), .q = dpc_block_width(blocks, b)},
        .rao = {.f = 0, .p = 1},
        .equations = 1,
        .p = 1};
}

static bool is_constant(const dpc_blocks *blocks, int a, int b)
{
    return dpc_block_width(blocks, a) == 0 || dpc_block_width(blocks, b) == 0;
}

dpc_status dpc_answer_given(dpc_direct *direct, int a, int b, const int32_t *set, int k,
                            double least, dpc_block_answer *out)
{
    const dpc_blocks *blocks = direct->view->blocks;
    if (is_constant(blocks, a, b)) {
        *out = no_column(blocks, a, b);
        return DPC_OK;
    }
    return dpc_direct_blocks(direct, a, b, set, k, least, out);
}

dpc_status dpc_answer_primal(dpc_direct *direct, int a, int b, const int32_t *set, int k,
                             dpc_block_answer *out)
{
    const dpc_blocks *blocks = direct->view->blocks;
    if (is_constant(blocks, a, b)) {
        *out = no_column(blocks, a, b);
        return DPC_OK;
    }
    return dpc_direct_primal(direct, a, b, set, k, out);
}

/* Where the columns of a label begin in P. */
static int64_t place_in_p(const dpc_sepsets *sets, const dpc_blocks *blocks, int label)
{
    int64_t place = 0;
    for (int v = 0; v < label; v++)
        place += dpc_block_width(blocks, dpc_column_of(&sets->labels, v));
    return place;
}

/* P over the columns of a and b. */
static void gather(const dpc_sepsets *sets, const dpc_blocks *blocks, int a, int b, double *w)
{
    int p = dpc_block_width(blocks, a), order = p + dpc_block_width(blocks, b);
    int64_t at_a = place_in_p(sets, blocks, dpc_label_of(&sets->labels, a));
    int64_t at_b = place_in_p(sets, blocks, dpc_label_of(&sets->labels, b));
    for (int i = 0; i < order; i++)
        for (int j = 0; j < order; j++)
            w[i * order + j] = sets->precision[(i < p ? at_a + i : at_b + i - p) * blocks->m +
                                               (j < p ? at_a + j : at_b + j - p)];
}

/* From P over a and b: of it the ratio is the same, but for leading columns. */
static dpc_status answer_from_p(const dpc_sepsets *sets, dpc_direct *direct, int a, int b,
                                double least, dpc_block_answer *out)
{
    const dpc_blocks *blocks = direct->view->blocks;
    int p = dpc_block_width(blocks, a), q = dpc_block_width(blocks, b), order = p + q, count;
    int lead_a = dpc_lead_of(blocks, a), lead_b = dpc_lead_of(blocks, b);
    bool some = lead_a < p || lead_b < q;
    dpc_wilks part[2] = {{.log_lambda = NAN, .p = p, .q = q, .w = blocks->m - order}};
    DPC_CHECK(dpc_direct_reserve(direct, order, order));
    double *w = direct->scratch;
    gather(sets, blocks, a, b, w);
    double sign = order == 2 && dpc_blocks_signed(blocks, a, b) ? -w[1] : 1;
    if (some && !dpc_block_inverse(w, order)) {
        *out = dpc_answer_of(part, 1, direct->view->n_obs, least);
        return DPC_OK;
    }
    dpc_wilks_from(w, p, q, lead_a, lead_b, blocks->m - order, w + order * order, part, &count);
    *out = dpc_answer_of(part, count, direct->view->n_obs, least);
    out->r = copysign(out->r, sign);
    return DPC_OK;
}

dpc_status dpc_answer_of_rest(const dpc_sepsets *sets, dpc_direct *direct, int a, int b,
                              const int32_t *set, int k, double least, dpc_block_answer *out)
{
    if (sets->precision == NULL || is_constant(direct->view->blocks, a, b))
        return dpc_answer_given(direct, a, b, set, k, least, out);
    return answer_from_p(sets, direct, a, b, least, out);
}

/* ---- Separating sets ---- */

dpc_status dpc_tell_separation(const dpc_sepsets *sets, const dpc_settings *settings,
                               dpc_direct *direct, int a, int b, dpc_sepset *out, int32_t *members,
                               dpc_block_answer *answer)
{
    dpc_block_answer own = {0};
    answer = answer != NULL ? answer : &own;
    dpc_sepsets_tell(sets, direct->view, settings->test, a, b, out, members);
    if (direct->view->blocks == NULL || out->kind == DPC_SEP_FORBIDDEN)
        return DPC_OK;
    bool rest = out->kind == DPC_SEP_FULL_ORDER;
    if (rest && !settings->keep_separating_sets)
        return DPC_OK; /* without P it would take long for all pairs */
    bool primal = out->kind == DPC_SEP_MARGINAL || out->kind == DPC_SEP_PRIMAL;
    DPC_CHECK(rest     ? dpc_answer_of_rest(sets, direct, a, b, members, out->size, 0, answer)
              : primal ? dpc_answer_primal(direct, a, b, members, out->size, answer)
                       : dpc_answer_given(direct, a, b, members, out->size, 0, answer));
    out->r = answer->r;
    out->p = answer->p;
    return DPC_OK;
}

/* ---- For callers ---- */

void dpc_f_test_free(dpc_f_test *test)
{
    if (test == NULL)
        return;
    free(test->canonical);
    free(test);
}

/* The canonical correlations, from P where that was kept and the set is all others. */
static dpc_status find_canonical(const dpc_sepsets *from_p, dpc_direct *direct, int a, int b,
                                 const int32_t *set, int k, dpc_f_test *test)
{
    const dpc_blocks *blocks = direct->view->blocks;
    int p = dpc_block_width(blocks, a), q = dpc_block_width(blocks, b);
    test->canonical = dpc_alloc(p < q ? p : q, sizeof *test->canonical);
    if (test->canonical == NULL)
        return DPC_NO_MEMORY;
    if (from_p == NULL || from_p->precision == NULL)
        return dpc_direct_canonical(direct, a, b, set, k, test->canonical, &test->n_canonical);
    DPC_CHECK(dpc_direct_reserve(direct, p + q, p + q));
    gather(from_p, blocks, a, b, direct->scratch);
    return dpc_canonical_from(direct->scratch, p, q, test->canonical, &test->n_canonical);
}

dpc_status dpc_f_test_new(const dpc_block_answer *answer, const dpc_sepsets *from_p,
                          dpc_direct *direct, int a, int b, const int32_t *set, int k,
                          dpc_f_test **out, dpc_error *err)
{
    if (is_constant(direct->view->blocks, a, b)) {
        *out = NULL;
        return DPC_OK;
    }
    dpc_f_test *test = dpc_alloc(1, sizeof *test);
    if (test == NULL)
        return dpc_fail_memory(err, "a test of several columns");
    bool counts = answer->g2.df > 0;
    *test = (dpc_f_test){.f = counts ? answer->g2.g2 : answer->rao.f,
                         .df1 = counts ? answer->g2.df : answer->rao.df1,
                         .df2 = counts ? 0 : answer->rao.df2,
                         .p = answer->p,
                         .r = answer->r,
                         .is_signed = dpc_blocks_signed(direct->view->blocks, a, b),
                         .equations = answer->equations};
    dpc_status status = find_canonical(from_p, direct, a, b, set, k, test);
    if (status == DPC_OK)
        *out = test;
    else
        dpc_f_test_free(test);
    return dpc_fail_as(err, status, "a test of several columns");
}

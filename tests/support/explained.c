/* What the tests of explanations share: see explained.h. */
#include "explained.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

void ok_or_fail(dpc_status status, const dpc_error *err)
{
    if (status != DPC_OK)
        fail_msg("%s", err->message);
}

dpc_result *learn(const dpc_correlation *c, const dpc_settings *settings)
{
    dpc_result *result = NULL;
    dpc_error err;
    ok_or_fail(dpc_learn(c, settings, &result, &err), &err);
    return result;
}

dpc_explanation *explain(const struct studied *s, int a, int b)
{
    dpc_explanation *e = NULL;
    dpc_error err;
    ok_or_fail(
        dpc_explain(s->result, a, b, s->settings->progress, s->settings->progress_user, &e, &err),
        &err);
    assert_int_equal(e->a, a);
    assert_int_equal(e->b, b);
    assert_int_equal(e->mark, dpc_graph_mark(dpc_result_graph(s->result), a, b));
    return e;
}

double slow_partial(const dpc_correlation *c, int a, int b, const int32_t *set, int size)
{
    long double m[MAX_NODES][MAX_NODES];
    int variable[MAX_NODES] = {a, b}, count = size + 2;
    for (int i = 0; i < size; i++)
        variable[i + 2] = set[i];
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            m[i][j] = c->r[(int64_t)variable[i] * c->n_vars + variable[j]];
    for (int k = count - 1; k >= 2; k--)
        for (int i = 0; i < k; i++)
            for (int j = 0; j < k; j++)
                m[i][j] -= m[i][k] * m[k][j] / m[k][k];
    return (double)(m[0][1] / sqrtl(m[0][0] * m[1][1]));
}

bool contains(const int32_t *set, int size, int v)
{
    for (int i = 0; i < size; i++)
        if (set[i] == v)
            return true;
    return false;
}

bool same_set(const int32_t *p, const int32_t *q, int size)
{
    return size == 0 || memcmp(p, q, (size_t)size * sizeof *p) == 0;
}

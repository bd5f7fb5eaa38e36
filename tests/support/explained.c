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

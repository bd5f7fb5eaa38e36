/* What the tests of explanations share: one run, its explanations. */
#ifndef EXPLAINED_H
#define EXPLAINED_H

#include "cases.h"

enum { MAX_NODES = 40 };

/* One run, and the words a failure starts with. */
struct studied {
    const dpc_correlation *c;
    const dpc_settings *settings;
    dpc_result *result;
    char words[256];
};

/* These fail the test where the library does. */
void ok_or_fail(dpc_status status, const dpc_error *err);
dpc_result *learn(const dpc_correlation *c, const dpc_settings *settings);
dpc_explanation *explain(const struct studied *s, int a, int b);

bool contains(const int32_t *set, int size, int v);
bool same_set(const int32_t *p, const int32_t *q, int size);

#endif

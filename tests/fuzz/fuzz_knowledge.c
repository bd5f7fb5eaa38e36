/*
 * The reader of background knowledge, as text and as JSON. An input is the file; the variables are
 * always the same.
 *
 * What was read is without contradiction: no edge is required and forbidden, or required both ways
 * or in a circle, or against the tiers. A search takes it, and keeps to it.
 */
#include "fuzz.h"
#include "graph.h"

#include <stdlib.h>
#include <string.h>

enum { N = 6 };
static const char *const NAMES[N] = {"a", "b", "X 1", "d,e", "tier", "\xce\xa9"};

/* Every two variables correlated, so that a search has edges to decide on. */
static dpc_correlation *some_correlation(void)
{
    static double r[N * N];
    dpc_correlation *correlation = NULL;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            r[i * N + j] = i == j ? 1 : 0.5 / (1 + abs(i - j));
    MUST(dpc_correlation_view(r, N, 200, &correlation, NULL) == DPC_OK, "no correlation");
    return correlation;
}

/* Whom the required edges lead to, one step after the other. */
static void check_circles(const dpc_knowledge *k)
{
    bool leads[N][N];
    for (int a = 0; a < N; a++)
        for (int b = 0; b < N; b++)
            leads[a][b] = a != b && dpc_knowledge_requires(k, a, b);
    for (int via = 0; via < N; via++)
        for (int a = 0; a < N; a++)
            for (int b = 0; b < N; b++)
                leads[a][b] = leads[a][b] || (leads[a][via] && leads[via][b]);
    for (int a = 0; a < N; a++)
        MUST(!leads[a][a], "'%s' is required to cause itself", NAMES[a]);
}

static void check_knowledge(const dpc_knowledge *k)
{
    for (int a = 0; a < N; a++)
        for (int b = 0; b < N; b++) {
            int from = dpc_knowledge_tier_of(k, a), to = dpc_knowledge_tier_of(k, b);
            if (a == b || !dpc_knowledge_requires(k, a, b))
                continue;
            MUST(!dpc_knowledge_forbids(k, a, b), "%d, %d is required and forbidden", a, b);
            MUST(!dpc_knowledge_requires(k, b, a), "%d, %d is required both ways", a, b);
            MUST(from < 0 || to < 0 || from <= to, "%d, %d is required against the tiers", a, b);
        }
    check_circles(k);
}

static void check_search(const dpc_knowledge *k)
{
    dpc_settings settings;
    dpc_result *result = NULL;
    dpc_error err = {0};
    dpc_correlation *correlation = some_correlation();
    dpc_settings_default(&settings);
    settings.threads = 1;
    settings.knowledge = k;
    MUST(dpc_learn(correlation, &settings, &result, &err) == DPC_OK, "%s", err.message);
    const dpc_graph *graph = dpc_result_graph(result);
    for (int a = 0; a < N; a++)
        for (int b = 0; b < N; b++) {
            if (a == b)
                continue;
            dpc_mark mark = dpc_graph_mark(graph, a, b);
            MUST(!dpc_knowledge_requires(k, a, b) || mark == DPC_FORWARD, "%d, %d is not there", a,
                 b);
            MUST(!dpc_knowledge_forbids(k, a, b) || mark != DPC_FORWARD, "%d, %d is there", a, b);
        }
    dpc_result_free(result);
    dpc_correlation_free(correlation);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dpc_knowledge *knowledge = NULL;
    dpc_error err = {0};
    const char *path = fuzz_file(data, size);
    fuzz_watch_memory();
    dpc_status status = dpc_knowledge_read(path, NAMES, N, &knowledge, &err);
    fuzz_check_memory();
    fuzz_check_error(status, &err);
    MUST((status == DPC_OK) == (knowledge != NULL), "status %d and knowledge", (int)status);
    if (status == DPC_OK) {
        check_knowledge(knowledge);
        check_search(knowledge);
    }
    dpc_knowledge_free(knowledge);
    return 0;
}

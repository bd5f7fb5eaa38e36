/* Every golden distance, exactly. */
#include "dualpc_io.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#ifndef GOLDEN_DIR
#define GOLDEN_DIR "tests/golden"
#endif

static dpc_causal *read_causal(int pair, const char *which)
{
    char path[512];
    dpc_named_graph *graph = NULL;
    dpc_causal *causal = NULL;
    dpc_error err = {0};
    snprintf(path, sizeof path, "%s/aid/%03d-%s.csv", GOLDEN_DIR, pair, which);
    dpc_status status = dpc_graph_read(path, &graph, &err);
    if (status == DPC_OK)
        status = dpc_causal_new(&graph->graph, NULL, false, &causal, &err);
    if (status != DPC_OK)
        fail_msg("%s: %s", path, err.message);
    dpc_named_graph_free(graph);
    return causal;
}

static void test_all_pairs(void **state)
{
    (void)state;
    char line[256];
    int checked = 0;
    FILE *index = fopen(GOLDEN_DIR "/aid/index.csv", "r");
    assert_non_null(index);
    assert_non_null(fgets(line, sizeof line, index));
    while (fgets(line, sizeof line, index) != NULL) {
        int pair, nodes, parent, ancestor, oset, shd, sid;
        dpc_aid seen;
        dpc_error err = {0};
        assert_int_equal(sscanf(line, "%d,%*[^,],%d,%d,%d,%d,%d,%d", &pair, &nodes, &parent,
                                &ancestor, &oset, &shd, &sid),
                         7);
        dpc_causal *guess = read_causal(pair, "guess"), *truth = read_causal(pair, "truth");
        if (dpc_distances(guess, truth, DPC_AID_ALL, NULL, &seen, &err) != DPC_OK)
            fail_msg("%s", err.message);
        if (seen.parent != parent || seen.ancestor != ancestor || seen.oset != oset ||
            seen.sid != sid || seen.pairs != (int64_t)nodes * (nodes - 1))
            fail_msg("pair %d: %lld, %lld, %lld, %lld", pair, (long long)seen.parent,
                     (long long)seen.ancestor, (long long)seen.oset, (long long)seen.sid);
        dpc_causal_free(guess);
        dpc_causal_free(truth);
        checked++;
    }
    assert_int_equal(checked, 60);
    fclose(index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

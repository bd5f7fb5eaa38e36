/*
 * Learning with allocations failing: all methods, variants, rules and orientations, refinement,
 * resamples, missing cells, knowledge, simulated data, tables in memory.
 */
#include "inputs.h"
#include "way.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void test_fault(void **state)
{
    (void)state;
    setup s = {.data = "table.csv", .missing = DPC_MISSING_ROWS};
    for (int i = 0; i < 12; i++) {
        dpc_settings_default(&s.settings);
        s.settings.threads = i == 3 ? 1 : 2; /* workers of a search make room when they need it */
        s.settings.alpha = 0.2;
        s.settings.alpha_dual = i % 2 ? 0.1 : 0;
        s.settings.min_ess = 5;
        s.settings.method = (dpc_method)(i % 3);
        s.settings.variant = (dpc_variant)(i / 3 % 2);
        s.settings.rule = (dpc_rule)(i / 6);
        s.settings.normalize = i == 1 ? DPC_NORMALIZE_COPULA : DPC_NORMALIZE_NONE;
        s.settings.keep_separating_sets = i % 4 != 3;
        s.settings.orient = (dpc_orientation)(i % 4);
        s.settings.min_evidence = i % 3 == 2 ? 1 : DPC_NO_MIN_EVIDENCE;
        try_all(&s);
    }
    s.settings.min_evidence = DPC_NO_MIN_EVIDENCE;
    s.settings.method = DPC_GES;
    s.settings.rule = DPC_RULE_OR;
    try_all(&s);
    s.settings.method = DPC_PRECISION;
    s.settings.rule = DPC_RULE_AND;
    s.settings.normalize = DPC_NORMALIZE_NONE;
    s.settings.orient = DPC_CONSISTENT;
    s.matrix = true;
    s.data = "matrix.csv";
    try_all(&s);
}

/* Without the n × n matrix. */
static void test_fault_sparse(void **state)
{
    (void)state;
    setup s = {.data = "table.csv", .missing = DPC_MISSING_ROWS};
    for (int i = 0; i < 5; i++) {
        dpc_settings_default(&s.settings);
        s.settings.threads = i == 3 ? 1 : 2; /* workers of a search make room when they need it */
        s.settings.alpha = 0.2;
        s.settings.min_ess = INFINITY;
        s.settings.memory = 1e-9;
        s.settings.method = i == 4 ? DPC_GES : (dpc_method)(i % 2);
        s.settings.variant = (dpc_variant)(i % 2);
        s.settings.rule = (dpc_rule)(i == 2);
        s.settings.orient = (dpc_orientation)(i % 4);
        s.settings.normalize = i == 3 ? DPC_NORMALIZE_COPULA : DPC_NORMALIZE_NONE;
        s.settings.keep_separating_sets = i < 2;
        s.settings.refine = i == 3 ? DPC_REFINE_FAST : DPC_REFINE_NONE;
        try_all(&s);
    }
}

/* From a table with a copy and a constant column, with knowledge and without. */
static void test_fault_refined(void **state)
{
    (void)state;
    setup s = {.data = "table.csv", .missing = DPC_MISSING_ROWS};
    dpc_settings_default(&s.settings);
    s.settings.threads = 1;
    for (int i = 0; i < 4; i++) {
        s.settings.refine = i % 2 == 0 ? DPC_REFINE_FAST : DPC_REFINE_EXACT;
        s.settings.graph = i == 0 ? DPC_PATTERN : DPC_CPDAG;
        s.knowledge = i >= 2 ? KNOWLEDGE[0] : NULL;
        try_all(&s);
    }
}

/* Of more variables than a full search goes through exactly. */
static void test_fault_restarts(void **state)
{
    (void)state;
    dpc_simulation simulation;
    dpc_simulation_default(&simulation);
    simulation.model.n = 16;
    simulation.n_obs = 60;
    setup s = {.data = "simulated", .simulation = &simulation};
    dpc_settings_default(&s.settings);
    s.settings.threads = 1;
    s.settings.refine = DPC_REFINE_FULL;
    s.settings.restarts = 2;
    try_all(&s);
}

/* The table is the same with its rows the other way round, 0 and 1 exchanged, and b and c as well:
 * R does not tell these two apart. */
static void write_tied(const char *path)
{
    char text[1000] = "a,b,c,d,e,f,g,h,i,j,k,l\n";
    size_t used = strlen(text);
    for (int row = 0; row < 16; row++)
        for (int j = 0; j < 12; j++) {
            int upper = row < 8, half = upper ? row : 15 - row;
            int bit = j < 3 ? 0 : (half * half * (2 * j + 1) + 5 * half) / (j + 2) % 2;
            bit ^= (j == 1 && row == 0) || (j == 2 && row == 15) ? 1 : 0;
            used += (size_t)snprintf(text + used, sizeof text - used, "%d%c", upper ? bit : 1 - bit,
                                     j < 11 ? ',' : '\n');
        }
    write_text(path, text);
}

static void test_fault_tied(void **state)
{
    (void)state;
    setup s = {.data = "tied.csv"};
    dpc_settings_default(&s.settings);
    s.settings.threads = 1;
    write_tied(s.data);
    try_all(&s);
    s.settings.memory = 1e-9;
    try_all(&s);
    unlink(s.data);
}

static void test_fault_advice(void **state)
{
    (void)state;
    setup s = {.data = "table.csv", .missing = DPC_MISSING_ROWS, .advise = true};
    dpc_settings_default(&s.settings);
    s.settings.threads = 1;
    try_all(&s);
}

/* On one thread, for the failing allocator counts without locks. */
static void test_fault_bootstrap(void **state)
{
    (void)state;
    setup s = {.data = "table.csv", .missing = DPC_MISSING_ROWS};
    for (int i = 0; i < 4; i++) {
        dpc_settings_default(&s.settings);
        s.settings.threads = 1;
        s.settings.min_ess = 5;
        s.settings.normalize = (dpc_normalize)(i % 2);
        s.settings.order = (dpc_order)(i / 2);
        s.resampling = (dpc_resampling){.resamples = 3, .seed = 1, .subsample = i < 2 ? 0 : 0.7};
        try_all(&s);
    }
}

/* Latent variables, and resamples of them. */
static void test_fault_latent(void **state)
{
    (void)state;
    setup s = {.data = "levels.csv", .missing = DPC_MISSING_ROWS};
    for (int i = 0; i < 2; i++) {
        dpc_settings_default(&s.settings);
        s.settings.threads = 1;
        s.settings.min_ess = 5;
        s.settings.normalize = DPC_NORMALIZE_LATENT;
        s.settings.rule = (dpc_rule)i;
        s.resampling = (dpc_resampling){.resamples = i == 0 ? 0 : 3, .seed = 1};
        try_all(&s);
    }
}

/* Variables of several columns: nominal ones, and curved relations. */
static void test_fault_blocks(void **state)
{
    (void)state;
    setup s = {.data = "mixed.csv"};
    for (int i = 0; i < 6; i++) {
        dpc_settings_default(&s.settings);
        s.settings.threads = i == 4 ? 2 : 1;
        s.settings.alpha = 0.1;
        s.settings.min_ess = 5;
        s.settings.method = (dpc_method)(i % 2);
        s.settings.rule = (dpc_rule)(i / 2 % 2);
        s.settings.variant = (dpc_variant)(i / 3);
        s.settings.orient = (dpc_orientation)(i % 4);
        s.settings.relations = i % 3 == 2 ? DPC_CURVED : DPC_LINEAR;
        s.settings.keep_separating_sets = i % 2 == 0;
        s.resampling = (dpc_resampling){.resamples = i < 3 ? 3 : 0, .seed = 1};
        s.advise = i < 2;
        try_all(&s);
    }
}

/* Estimates around the missing cells, of the whole and of resamples. */
static void test_fault_incomplete(void **state)
{
    (void)state;
    setup s = {.data = "table.csv"};
    for (int i = 0; i < 4; i++) {
        dpc_settings_default(&s.settings);
        s.settings.threads = 1;
        s.settings.min_ess = 5;
        s.settings.normalize = (dpc_normalize)(i % 2);
        s.missing = i < 2 ? DPC_MISSING_PAIRWISE : DPC_MISSING_EM;
        s.resampling = (dpc_resampling){.resamples = 2, .seed = 1};
        try_all(&s);
    }
}

static void test_fault_known(void **state)
{
    (void)state;
    setup s = {.data = "table.csv", .missing = DPC_MISSING_ROWS};
    for (int i = 0; i < 12; i++) {
        dpc_settings_default(&s.settings);
        s.knowledge = KNOWLEDGE[i / 4 % 2];
        s.settings.threads = i == 3 ? 1 : 2; /* workers of a search make room when they need it */
        s.settings.alpha = 0.2;
        s.settings.min_ess = 5;
        s.settings.method = (dpc_method)(i % 3);
        s.settings.variant = (dpc_variant)(i / 3 % 2);
        s.settings.rule = (dpc_rule)(i / 6);
        s.settings.keep_separating_sets = true;
        s.settings.orient = (dpc_orientation)(i % 4);
        s.resampling.resamples = i % 4 == 0 ? 2 : 0;
        try_all(&s);
    }
    for (int i = 0; i < 2; i++) {
        dpc_settings_default(&s.settings);
        s.knowledge = KNOWLEDGE[i];
        s.settings.method = DPC_GES;
        s.settings.penalty = 0.3;
        s.settings.threads = 2;
        try_all(&s);
    }
}

static void test_fault_simulated(void **state)
{
    (void)state;
    dpc_simulation simulation;
    dpc_simulation_default(&simulation);
    simulation.model.n = 30;
    simulation.n_obs = 20;
    simulation.noise.degrees = 5;
    simulation.tanh_lambda = 1;
    setup s = {.data = "simulated", .simulation = &simulation};
    dpc_settings_default(&s.settings);
    for (int structure = DPC_ER; structure <= DPC_CHAIN; structure++) {
        simulation.model.structure = (dpc_structure)structure;
        simulation.design = (dpc_design)(structure % 3);
        try_all(&s);
    }
    simulation.design = DPC_SCM;
    simulation.kinds = (dpc_kinds_model){.mixed = 0.4, .ordinal = 0.5, .curved = 0.5};
    try_all(&s);
}

static void test_fault_in_memory(void **state)
{
    (void)state;
    setup s = {.data = "floats", .in_memory = true};
    for (int i = 0; i < 2; i++) {
        dpc_settings_default(&s.settings);
        s.settings.threads = 1;
        s.settings.normalize = (dpc_normalize)i;
        s.resampling.resamples = 2;
        try_all(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fault),           cmocka_unit_test(test_fault_advice),
        cmocka_unit_test(test_fault_bootstrap), cmocka_unit_test(test_fault_incomplete),
        cmocka_unit_test(test_fault_known),     cmocka_unit_test(test_fault_simulated),
        cmocka_unit_test(test_fault_in_memory), cmocka_unit_test(test_fault_refined),
        cmocka_unit_test(test_fault_restarts),  cmocka_unit_test(test_fault_sparse),
        cmocka_unit_test(test_fault_tied),      cmocka_unit_test(test_fault_latent),
        cmocka_unit_test(test_fault_blocks),
    };
    return cmocka_run_group_tests(tests, inputs_enter, way_leave);
}

/*
 * What is written of a posterior, by one whose numbers are known: tables, text, JSON, and the
 * sentences that warn. Draws of a real one are the business of tests/cli/sample.sh.
 */
#include "dualpc_io.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const NAMES[] = {"a", "b, c", "d"};

/* Two chains of three draws of three variables, nothing to warn of. */
typedef struct made {
    dpc_probability pairs[3];
    dpc_posterior_effect effects[2];
    double scores[6];
    int32_t n_edges[6];
    dpc_edge edges[2];
    dpc_graph best;
    dpc_posterior posterior;
} made;

static made *make(void)
{
    made *m = calloc(1, sizeof *m);
    assert_non_null(m);
    *m = (made){
        .pairs = {{0, 1, .25, .5, .25, .5, .01, 1.001, 900},
                  {0, 2, .0, .05, .0, .125, .005, NAN, NAN},
                  {1, 2, 1, 0, 1, 0, 0, NAN, NAN}},
        .effects = {{1, 2, .75, .1, .5, 1, 1}, {2, 0, .01, .02, 0, .05, .125}},
        .scores = {-10, -11, -12, -10, -10.5, -12.5},
        .n_edges = {2, 2, 1, 2, 2, 3},
        .edges = {{0, 1, DPC_BACKWARD}, {1, 2, DPC_FORWARD}},
    };
    m->best = (dpc_graph){.n_nodes = 3, .n_edges = 2, .edges = m->edges};
    m->posterior = (dpc_posterior){
        .n_vars = 3,
        .n_obs = 100,
        .seed = 7,
        .chains = 2,
        .draws = 3,
        .complete = true,
        .n_pairs = 3,
        .pairs = m->pairs,
        .best = &m->best,
        .best_score = -10,
        .scores = m->scores,
        .n_edges = m->n_edges,
        .rhat = 1.001,
        .ess = 900,
        .score_rhat = 1.002,
        .score_ess = 1000,
        .refined_score = -10,
        .outside_parent = -1,
        .outside_child = -1,
        .least_variance = .5,
        .least_variable = 2,
    };
    dpc_sampling_default(&m->posterior.sampling);
    m->posterior.sampling.candidates = 12;
    m->posterior.sampling.draws = 3;
    return m;
}

static dpc_report report_of(const made *m)
{
    return (dpc_report){.size = sizeof(dpc_report),
                        .names = NAMES,
                        .graph = &m->best,
                        .posterior = &m->posterior,
                        .min_probability = .5};
}

static char *written(const dpc_report *report, dpc_content what, dpc_format format)
{
    char *text = NULL;
    dpc_error err = {0};
    if (dpc_write_string(report, what, format, &text, NULL, &err) != DPC_OK)
        fail_msg("%s", err.message);
    return text;
}

static void expect_text(const dpc_report *report, dpc_content what, const char *wanted)
{
    char *text = written(report, what, DPC_FORMAT_EDGES);
    assert_string_equal(text, wanted);
    dpc_string_free(text);
}

/* Is this somewhere in what is written? */
static void expect_in(const dpc_report *report, dpc_content what, dpc_format format,
                      const char *part)
{
    char *text = written(report, what, format);
    if (strstr(text, part) == NULL)
        fail_msg("no %s in %s", part, text);
    dpc_string_free(text);
}

/* ---- Tables ---- */

static void test_tables(void **state)
{
    (void)state;
    made *m = make();
    dpc_report report = report_of(m);
    expect_text(&report, DPC_CONTENT_PROBABILITIES,
                "a,b,forward,backward,edge,ancestor,descendant,se\n"
                "a,\"b, c\",0.25,0.5,0.75,0.25,0.5,0.01\n"
                "a,d,0,0.05,0.05,0,0.125,0.005\n"
                "\"b, c\",d,1,0,1,1,0,0\n");
    expect_text(&report, DPC_CONTENT_POSTERIOR_EFFECTS, "cause,outcome,mean,sd,low,high,nonzero\n");
    m->posterior.effects = m->effects;
    m->posterior.n_effects = 2;
    expect_text(&report, DPC_CONTENT_POSTERIOR_EFFECTS,
                "cause,outcome,mean,sd,low,high,nonzero\n"
                "\"b, c\",d,0.75,0.1,0.5,1,1\nd,a,0.01,0.02,0,0.05,0.125\n");
    free(m);
}

/* The most probable edge first, the likelier direction of each first, and none below .1. */
static void test_text(void **state)
{
    (void)state;
    made *m = make();
    dpc_report report = report_of(m);
    expect_text(&report, DPC_CONTENT_PROBABLE_EDGES,
                "A     B   edge  A --> B  A <-- B  error\n"
                "b, c  d  1.000    1.000    0.000  0.000\n"
                "b, c  a  0.750    0.500    0.250  0.010\n");
    free(m);
}

static void test_nothing_to_write(void **state)
{
    (void)state;
    made *m = make();
    dpc_report report = report_of(m);
    report.posterior = NULL;
    static const dpc_content OF[] = {DPC_CONTENT_PROBABILITIES, DPC_CONTENT_PROBABLE_EDGES,
                                     DPC_CONTENT_DRAWS, DPC_CONTENT_POSTERIOR_EFFECTS};
    for (size_t i = 0; i < sizeof OF / sizeof *OF; i++) {
        char *text = NULL;
        assert_int_equal(dpc_write_string(&report, OF[i], DPC_FORMAT_AUTO, &text, NULL, NULL),
                         DPC_USAGE);
        assert_null(text);
    }
    report.posterior = &m->posterior;
    m->posterior.n_vars = 4;
    char *text = NULL;
    assert_int_equal(
        dpc_write_string(&report, DPC_CONTENT_PROBABILITIES, DPC_FORMAT_AUTO, &text, NULL, NULL),
        DPC_USAGE);
    free(m);
}

/* ---- JSON and DOT ---- */

static void test_json(void **state)
{
    (void)state;
    static const char *const PARTS[] = {
        "\"score\": \"fbf\", \"prior\": \"fair\"",
        "\"seed\": 7, \"min_probability\": 0.5",
        "\"n_obs\": 100",
        /* an edge is told along its arrow */
        "{\"from\": \"b, c\", \"to\": \"a\", \"mark\": \"-->\", \"probability\": 0.75, "
        "\"forward_probability\": 0.5, \"backward_probability\": 0.25}",
        "{\"a\": \"a\", \"b\": \"d\", \"forward\": 0, \"backward\": 0.05, \"edge\": 0.05, "
        "\"ancestor\": 0, \"descendant\": 0.125, \"se\": 0.005, \"rhat\": null, \"ess\": null}",
        "{\"chain\": 2, \"draws\": 3, \"mean_score\": -11,",
        "\"max_score\": -10, \"mean_edges\": 2.33",
        "\"n_edges\": {\"mean\": 2, \"low\": 1, \"high\": 3}",
        "\"best\": {\"score\": -10, \"edges\": [[\"b, c\", \"a\"], [\"b, c\", \"d\"]]}",
        "\"rhat\": 1.001,",
        "\"complete\": true",
        "\"warnings\": []",
    };
    made *m = make();
    dpc_report report = report_of(m);
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++)
        expect_in(&report, DPC_CONTENT_GRAPH, DPC_FORMAT_JSON, PARTS[i]);
    m->posterior.complete = false;
    expect_in(&report, DPC_CONTENT_GRAPH, DPC_FORMAT_JSON, "\"complete\": false");
    expect_in(&report, DPC_CONTENT_GRAPH, DPC_FORMAT_JSON, "\"warnings\": [\"sampling ended");
    free(m);
}

/* The label is that of the posterior where there are no resamples. */
static void test_dot(void **state)
{
    (void)state;
    made *m = make();
    dpc_report report = report_of(m);
    expect_in(&report, DPC_CONTENT_GRAPH, DPC_FORMAT_DOT,
              "\"b, c\" -> \"a\" [probability=\"0.7500\", label=\"0.75 (→ 0.50)\"");
    m->pairs[0].forward = .6; /* more probable the other way round */
    expect_in(&report, DPC_CONTENT_GRAPH, DPC_FORMAT_DOT, "style=dashed, probability=\"1.1000\"");
    free(m);
}

/* ---- Sentences ---- */

/* How many warnings there are, and does one of them say all these words? */
static void expect_warning(const made *m, int count, const char *const words[], int n_words)
{
    dpc_audit audit = {0};
    assert_int_equal(dpc_posterior_warnings(&m->posterior, NAMES, &audit, NULL), DPC_OK);
    assert_int_equal(audit.count, count);
    assert_int_equal(audit.errors, 0);
    bool found = count == 0;
    for (int i = 0; i < audit.count; i++) {
        bool all = true;
        for (int k = 0; k < n_words; k++)
            all = all && strstr(audit.items[i].text, words[k]) != NULL;
        found = found || all;
    }
    if (!found)
        fail_msg("no warning with '%s': %s", words[0], audit.items[0].text);
    dpc_audit_clear(&audit);
}

#define EXPECT_WARNING(m, ...)                                                                     \
    do {                                                                                           \
        const char *const words[] = {__VA_ARGS__};                                                 \
        expect_warning(m, 1, words, sizeof words / sizeof *words);                                 \
        free(m);                                                                                   \
        m = make();                                                                                \
    } while (0)

static void test_warnings(void **state)
{
    (void)state;
    made *m = make();
    expect_warning(m, 0, NULL, 0);
    m->posterior.rhat = m->pairs[0].rhat = 1.2;
    EXPECT_WARNING(m, "R-hat is 1.20", "'a'", "'b, c'", "--draws", "--thin");
    m->posterior.score_rhat = 1.06;
    EXPECT_WARNING(m, "R-hat of the score is 1.06", "--draws");
    m->posterior.worst_chain = 25;
    EXPECT_WARNING(m, "chain 1", "25", "--seed"); /* -11 both: the first */
    m->posterior.ess = 90;
    EXPECT_WARNING(m, "90", "--draws", "--thin");
    m->posterior.outside = .2;
    m->posterior.outside_parent = 2;
    m->posterior.outside_child = 1;
    EXPECT_WARNING(m, "'d'", "parent of 'b, c'", "about 0.2", "--candidates");
    m->posterior.least_variance = 1e-10;
    EXPECT_WARNING(m, "'d'", "determined", "--drop");
    m->posterior.refined_score = 30;
    EXPECT_WARNING(m, "score", "41 below", "--candidates", "--seed");
    m->posterior.complete = false;
    m->posterior.sampling.draws = 50;
    EXPECT_WARNING(m, "3 of 50 draws", "--timeout", "--draws");
    m->posterior.rhat = m->posterior.ess = NAN;
    m->posterior.score_rhat = m->posterior.score_ess = NAN;
    EXPECT_WARNING(m, "3 draws per chain", "--draws");
    m->posterior.n_effects = 2;
    dpc_posterior_effect effects[] = {{.nonzero = 1}, {.nonzero = 0.4}};
    m->posterior.effects = effects;
    EXPECT_WARNING(m, "2 effects 1 may", "nonzero");
    m->posterior.effects = NULL;
    free(m);
}

/* Just below the thresholds there is nothing to say, and what is not known is no reason. */
static void test_no_warnings(void **state)
{
    (void)state;
    made *m = make();
    m->posterior.rhat = 1.05;
    m->posterior.worst_chain = 20;
    m->posterior.ess = 400;
    m->posterior.outside = .01;
    m->posterior.outside_parent = m->posterior.outside_child = 1;
    m->posterior.least_variance = 1e-8;
    m->posterior.refined_score = 8;
    expect_warning(m, 0, NULL, 0);
    m->posterior.chains = 1; /* of six draws, which are the same */
    m->posterior.draws = 6;
    m->posterior.rhat = m->posterior.ess = NAN;
    m->posterior.score_rhat = m->posterior.score_ess = NAN;
    m->posterior.refined_score = NAN;
    expect_warning(m, 0, NULL, 0);
    free(m);
}

static void test_lines(void **state)
{
    (void)state;
    made *m = make();
    dpc_report report = report_of(m);
    expect_in(&report, DPC_CONTENT_VERDICT, DPC_FORMAT_EDGES, "6 DAGs (2 chains of 3)");
    expect_in(&report, DPC_CONTENT_VERDICT, DPC_FORMAT_EDGES, "interval 1 to 3");
    expect_in(&report, DPC_CONTENT_VERDICT, DPC_FORMAT_EDGES,
              "2 edges have a probability of at least 0.5, 1 of at least 0.9; 1 has");
    expect_in(&report, DPC_CONTENT_VERDICT, DPC_FORMAT_EDGES, "Convergence: good");
    m->posterior.score_rhat = 1.03;
    expect_in(&report, DPC_CONTENT_VERDICT, DPC_FORMAT_EDGES, "Convergence: fair");
    m->posterior.rhat = 1.3;
    expect_in(&report, DPC_CONTENT_VERDICT, DPC_FORMAT_EDGES, "Convergence: poor");
    free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_nothing_to_write),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_dot),
        cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_no_warnings),
        cmocka_unit_test(test_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

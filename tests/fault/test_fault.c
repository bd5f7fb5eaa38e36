/*
 * The whole way, file to files, simulation to files, memory to memory, and from graph files to
 * metrics, with allocations failing: the k-th one for every k there is, and every k-th one. Each
 * run must end in DPC_OK or DPC_NO_MEMORY with its outputs untouched, leave no file half-written or
 * temporary, and give back all memory.
 *
 * The linker sends the project's own calls through the __wrap functions below; the libraries
 * allocate as usual.
 */
#include "cases.h"
#include "dualpc_io.h"
#include "evidence.h"
#include "save.h"
#include "simulate.h"
#include "skeleton.h"
#include "tables.h"

#include <dirent.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- Allocations that fail on demand ---- */

static long calls, live; /* allocations asked for, and not yet freed */
static long fail_at;     /* which one fails; 0: none */
static bool repeatedly;  /* every fail_at-th one, rather than one */

static bool fails(void)
{
    calls++;
    return fail_at > 0 && (repeatedly ? calls % fail_at == 0 : calls == fail_at);
}

static void *counted(void *p)
{
    live += p != NULL;
    return p;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *p, size_t size);
int __real_posix_memalign(void **p, size_t alignment, size_t size);
char *__real_strdup(const char *s);
locale_t __real_newlocale(int mask, const char *name, locale_t base);
void __real_freelocale(locale_t locale);
FILE *__real_fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions);
void __real_free(void *p);

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : counted(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : counted(__real_calloc(count, size));
}

void *__wrap_realloc(void *p, size_t size)
{
    if (fails())
        return NULL;
    void *q = __real_realloc(p, size);
    live += p == NULL && q != NULL;
    return q;
}

int __wrap_posix_memalign(void **p, size_t alignment, size_t size)
{
    if (fails())
        return 12; /* ENOMEM */
    int code = __real_posix_memalign(p, alignment, size);
    live += code == 0;
    return code;
}

char *__wrap_strdup(const char *s)
{
    return fails() ? NULL : counted(__real_strdup(s));
}

int __wrap_asprintf(char **out, const char *format, ...)
{
    if (fails())
        return -1;
    va_list args;
    va_start(args, format);
    int length = vasprintf(out, format, args);
    va_end(args);
    live += length >= 0;
    return length;
}

locale_t __wrap_newlocale(int mask, const char *name, locale_t base)
{
    if (fails())
        return (locale_t)0;
    live++;
    return __real_newlocale(mask, name, base);
}

void __wrap_freelocale(locale_t locale)
{
    live--;
    __real_freelocale(locale);
}

FILE *__wrap_fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions)
{
    return fails() ? NULL : __real_fopencookie(cookie, mode, functions);
}

void __wrap_free(void *p)
{
    live -= p != NULL;
    __real_free(p);
}

/* ---- One run ---- */

typedef struct setup {
    const char *data; /* in the working folder */
    bool matrix;
    dpc_missing missing;
    dpc_settings settings;
    const char *knowledge;            /* a file with it; NULL: none */
    const dpc_simulation *simulation; /* not NULL: data are drawn, not read */
    dpc_resampling resampling;        /* no resamples: no bootstrap */
    bool in_memory;                   /* the data are not read from anywhere, and nothing written */
} setup;

static char folder[] = "/tmp/dualpc-fault-XXXXXX";
static const char *const OUTPUTS[] = {"out.txt", "out.csv", "out.dot", "out.json"};
static const dpc_saved_files SAVED = {
    .data = "data.csv.gz",
    .dag = "dag.json",
    .cpdag = "cpdag.csv",
    .pattern = "pattern.txt",
    .skeleton = "skeleton.dot",
    .fd = -1,
};

static const char *const KNOWLEDGE[] = {"knowledge.txt", "knowledge.json"};
static const char *const VARIABLES[] = {"a", "b", "c", "d", "e",    "f",
                                        "g", "h", "i", "j", "copy", "constant"};

static int entries(void)
{
    DIR *dir = opendir(".");
    int count = 0;
    while (readdir(dir) != NULL)
        count++;
    closedir(dir);
    return count;
}

static dpc_status read_and_learn(const setup *s, dpc_audit *audit, dpc_table **table,
                                 dpc_correlation **c, dpc_result **result, dpc_error *err)
{
    dpc_status status = s->matrix
                            ? dpc_matrix_read(s->data, &s->settings, audit, table, err)
                            : dpc_table_read(s->data, s->missing, &s->settings, audit, table, err);
    if (status == DPC_OK)
        status = s->matrix ? dpc_correlation_from_matrix(*table, 500, &s->settings, audit, c, err)
                           : dpc_correlate(*table, &s->settings, audit, c, err);
    if (status == DPC_OK)
        status = dpc_learn(*c, &s->settings, result, err);
    return status;
}

enum { N_PAIRS = 3 };

/* A few pairs, with an edge and without. */
static dpc_status explain_some(const dpc_result *result, dpc_explanation **out, dpc_error *err)
{
    dpc_status status = DPC_OK;
    for (int i = 0; i < N_PAIRS && status == DPC_OK; i++) {
        const dpc_graph *g = dpc_result_graph(result);
        bool edge = i < 2 && g->n_edges > i;
        const dpc_edge *e = edge ? &g->edges[i * (g->n_edges - 1)] : NULL;
        status = dpc_explain(result, edge ? e->a : 0, edge ? e->b : 6, NULL, NULL, &out[i], err);
        assert_int_equal(out[i] != NULL, status == DPC_OK);
        char *sentences = NULL;
        if (status == DPC_OK)
            status = dpc_explanation_string(result, VARIABLES, out[i], &sentences, NULL, err);
        assert_int_equal(sentences != NULL, status == DPC_OK);
        dpc_string_free(sentences);
    }
    return status;
}

static dpc_status simulate_and_save(const setup *s, dpc_error *err)
{
    dpc_dag *dag = NULL;
    dpc_table *table = NULL;
    dpc_status status = dpc_save_check(&SAVED, err);
    if (status == DPC_OK)
        status = dpc_simulate(s->simulation, &dag, &table, err);
    assert_int_equal(dag != NULL, status == DPC_OK);
    assert_int_equal(table != NULL, status == DPC_OK);
    if (status == DPC_OK)
        status = dpc_save(dag, table, &SAVED, &s->settings, err);
    dpc_dag_free(dag);
    dpc_table_free(table);
    return status;
}

/* The frequencies, and their consensus. */
static dpc_status resample(const setup *s, const dpc_table *table, dpc_frequencies **out,
                           dpc_graph **graph, dpc_error *err)
{
    dpc_status status = dpc_bootstrap(table, &s->settings, &s->resampling, out, err);
    assert_int_equal(*out != NULL, status == DPC_OK);
    if (status == DPC_OK)
        status = dpc_consensus(*out, 0.3, NULL, NULL, graph, err);
    assert_int_equal(*graph != NULL, status == DPC_OK);
    return status;
}

/* A view of rows of floats, its graph as a matrix and back, and a text. */
static dpc_status stay_in_memory(const setup *s, dpc_error *err)
{
    enum { N_OBS = 40, N_VARS = 6 };
    static float rows[N_OBS][N_VARS];
    uint8_t matrix[N_VARS * N_VARS];
    dpc_table *table = NULL;
    dpc_result *result = NULL;
    dpc_frequencies *frequencies = NULL;
    dpc_graph *graph = NULL;
    char *text = NULL;
    for (int i = 0; i < N_OBS; i++)
        for (int j = 0; j < N_VARS; j++)
            rows[i][j] = (float)((i * (3 + j) * (7 + j)) % 31) + (j > 0 ? rows[i][j - 1] : 0);
    dpc_status status =
        dpc_table_view(rows, DPC_FLOAT, N_OBS, N_VARS, N_VARS, 1, VARIABLES, &table, err);
    assert_int_equal(table != NULL, status == DPC_OK);
    if (status == DPC_OK)
        status = dpc_learn_table(table, &s->settings, NULL, &result, err);
    if (status == DPC_OK)
        status = dpc_bootstrap(table, &s->settings, &s->resampling, &frequencies, err);
    if (status == DPC_OK)
        status = dpc_graph_adjacency(dpc_result_graph(result), matrix, err);
    if (status == DPC_OK)
        status = dpc_graph_from_adjacency(matrix, N_VARS, &graph, err);
    assert_int_equal(graph != NULL, status == DPC_OK);
    if (status == DPC_OK) {
        dpc_report report = {.size = sizeof report,
                             .names = VARIABLES,
                             .result = result,
                             .graph = graph,
                             .frequencies = frequencies};
        status = dpc_write_string(&report, DPC_FORMAT_JSON, &text, NULL, err);
    }
    assert_int_equal(text != NULL, status == DPC_OK);
    dpc_string_free(text);
    dpc_graph_free(graph);
    dpc_frequencies_free(frequencies);
    dpc_result_free(result);
    dpc_table_free(table);
    return status;
}

static dpc_status whole_way(const setup *s, dpc_error *err)
{
    if (s->simulation != NULL)
        return simulate_and_save(s, err);
    if (s->in_memory)
        return stay_in_memory(s, err);
    dpc_audit audit = {0};
    dpc_table *table = NULL;
    dpc_correlation *c = NULL;
    dpc_result *result = NULL;
    dpc_frequencies *frequencies = NULL;
    dpc_graph *consensus = NULL, *dag = NULL;
    dpc_knowledge *knowledge = NULL;
    setup with = *s;
    dpc_status status = DPC_OK;
    if (s->knowledge != NULL)
        status = dpc_knowledge_read(s->knowledge, VARIABLES, 12, &knowledge, err);
    assert_int_equal(knowledge != NULL, s->knowledge != NULL && status == DPC_OK);
    with.settings.knowledge = knowledge;
    if (status == DPC_OK)
        status = read_and_learn(&with, &audit, &table, &c, &result, err);
    if (status != DPC_OK)
        assert_null(result);
    dpc_explanation *explanations[N_PAIRS] = {NULL};
    if (status == DPC_OK)
        status = explain_some(result, explanations, err);
    if (status == DPC_OK && s->resampling.resamples > 0)
        status = resample(&with, table, &frequencies, &consensus, err);
    if (status == DPC_OK && s->settings.orient == DPC_CONSISTENT)
        status =
            dpc_class_member(consensus != NULL ? consensus : dpc_result_class(result), &dag, err);
    dpc_goodness *fit = NULL;
    dpc_edge_table *edges = NULL;
    if (status == DPC_OK && s->settings.graph != DPC_SKELETON)
        status = dpc_fit(result, consensus, NULL, NULL, &fit, err);
    if (status == DPC_OK)
        status = dpc_tabulate_edges(result, consensus, frequencies, NULL, NULL, &edges, err);
    assert_int_equal(edges != NULL, status == DPC_OK);
    if (status == DPC_OK) {
        dpc_report report = {.size = sizeof report,
                             .names = dpc_table_names(table),
                             .result = result,
                             .graph = consensus,
                             .separating_sets = with.settings.keep_separating_sets,
                             .audit = &audit,
                             .dag_path = dag != NULL ? "dag.csv" : NULL,
                             .dag = dag,
                             .explanations = explanations,
                             .n_explanations = N_PAIRS,
                             .frequencies = frequencies,
                             .frequencies_path = frequencies != NULL ? "frequencies.csv" : NULL,
                             .progress = with.settings.progress,
                             .progress_user = with.settings.progress_user,
                             .fit = fit,
                             .edge_table = edges,
                             .edge_table_path = "edges.csv"};
        status = dpc_write(&report, OUTPUTS, 4, -1, DPC_FORMAT_EDGES, err);
    }
    for (int i = 0; i < N_PAIRS; i++)
        dpc_explanation_free(explanations[i]);
    dpc_goodness_free(fit);
    dpc_edge_table_free(edges);
    dpc_graph_free(consensus);
    dpc_graph_free(dag);
    dpc_frequencies_free(frequencies);
    dpc_result_free(result);
    dpc_correlation_free(c);
    dpc_table_free(table);
    dpc_audit_clear(&audit);
    dpc_knowledge_free(knowledge);
    return status;
}

static void remove_outputs(void)
{
    const char *const others[] = {"dag.csv", "frequencies.csv", "edges.csv",   SAVED.data,
                                  SAVED.dag, SAVED.cpdag,       SAVED.pattern, SAVED.skeleton};
    for (int i = 0; i < 4; i++)
        unlink(OUTPUTS[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        unlink(others[i]);
}

static bool fresh; /* the outputs are not there yet; otherwise they are replaced */

/* True: it did run out of memory. */
static bool run_with_failures(const setup *s, long k, bool again)
{
    dpc_error err = {0};
    if (fresh)
        remove_outputs();
    int before = entries();
    calls = live = 0;
    fail_at = k;
    repeatedly = again;
    dpc_status status = whole_way(s, &err);
    fail_at = 0;
    if (status != DPC_OK && status != DPC_NO_MEMORY)
        fail_msg("%s, allocation %ld: status %d, %s", s->data, k, (int)status, err.message);
    if (status == DPC_NO_MEMORY)
        assert_non_null(strstr(err.message, "memory"));
    if (live != 0)
        fail_msg("%s, allocation %ld: %ld blocks leaked", s->data, k, live);
    if (status != DPC_OK && entries() != before)
        fail_msg("%s, allocation %ld: files were left behind", s->data, k);
    return status == DPC_NO_MEMORY;
}

/* ---- The data ---- */

static double uniform(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-53;
}

/* Twelve variables in a chain, one copied, one constant, some cells missing. */
static void write_table(const char *path)
{
    uint64_t state = 7;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("a,b,c,d,e,f,g,h,i,j,copy,constant\n", file);
    for (int row = 0; row < 60; row++) {
        double value[10], last = 0;
        for (int j = 0; j < 10; j++)
            last = value[j] = 0.8 * last + uniform(&state) - (j > 3 ? value[j - 3] : 0);
        for (int j = 0; j < 10; j++)
            if (row % 17 == 5 && j == 4)
                fputs("NA,", file);
            else
                fprintf(file, "%.6f,", value[j]);
        fprintf(file, "%.6f,1\n", value[2]);
    }
    fclose(file);
}

static void write_matrix(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            fprintf(file, "%g%c", i == j ? 1 : i / 2 == j / 2 ? 0.9 : 0.4, j < 7 ? ',' : '\n');
    fclose(file);
}

static void try_all(const setup *s)
{
    static int turn;
    dpc_error err = {0};
    fresh = turn++ % 2 == 1;
    long all = 0;
    for (int i = 0; i < 2; i++) { /* when it is counted the outputs are there, or they are not */
        if (fresh)
            remove_outputs();
        calls = 0;
        if (whole_way(s, &err) != DPC_OK)
            fail_msg("%s: %s", s->data, err.message);
        all = calls;
    }
    assert_true(all > 50);
    long failed = 0;
    for (long k = 1; k <= all; k++)
        failed += run_with_failures(s, k, false);
    assert_true(failed >= all - 1); /* giving memory back may fail without harm */
    for (long k = 1; k <= all; k = k < 20 ? k + 1 : k * 3 / 2)
        run_with_failures(s, k, true);
}

static void test_fault(void **state)
{
    (void)state;
    setup s = {.data = "table.csv", .missing = DPC_MISSING_ROWS};
    for (int i = 0; i < 12; i++) {
        dpc_settings_default(&s.settings);
        s.settings.threads = 2;
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

/* From a table with a copy and a constant column, with knowledge and without. */
/* Without the n × n matrix. */
static void test_fault_sparse(void **state)
{
    (void)state;
    setup s = {.data = "table.csv", .missing = DPC_MISSING_ROWS};
    for (int i = 0; i < 5; i++) {
        dpc_settings_default(&s.settings);
        s.settings.threads = 2;
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

static void test_fault_refined(void **state)
{
    (void)state;
    setup s = {.data = "table.csv", .missing = DPC_MISSING_ROWS};
    dpc_settings_default(&s.settings);
    s.settings.threads = 1;
    for (int i = 0; i < 4; i++) {
        dpc_settings_refine(&s.settings, i % 2 == 0 ? DPC_REFINE_FAST : DPC_REFINE_FULL);
        s.settings.restarts = 2;
        s.settings.graph = i == 0 ? DPC_PATTERN : DPC_CPDAG;
        s.knowledge = i >= 2 ? KNOWLEDGE[0] : NULL;
        try_all(&s);
    }
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

/* Tiers, and a circle of directions that has to be broken; and without tiers. */
static void write_knowledge(void)
{
    static const char *const texts[] = {
        "addtemporal\n1 a b c\n2 d e f g\n4 h\nrequiredirect\na b\nforbiddirect\nd e\ne f\nf d\n"
        "b i\ni b\nrequiredgroup\nd f\nj\n",
        "{\"forbidden_edges\": [[\"a\", \"b\"], [\"b\", \"c\"], [\"c\", \"a\"]],\n"
        "\"required_edges\": [[\"a\", \"d\"]]}"};
    for (int i = 0; i < 2; i++) {
        FILE *file = fopen(KNOWLEDGE[i], "w");
        assert_non_null(file);
        fputs(texts[i], file);
        fclose(file);
    }
}

static void test_fault_known(void **state)
{
    (void)state;
    setup s = {.data = "table.csv", .missing = DPC_MISSING_ROWS};
    for (int i = 0; i < 12; i++) {
        dpc_settings_default(&s.settings);
        s.knowledge = KNOWLEDGE[i / 4 % 2];
        s.settings.threads = 2;
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

/* ---- Graphs ---- */

static const char *const GRAPHS[] = {"graph.csv", "graph.txt", "graph.dot", "graph.json"};

/* A DAG over twenty nodes, more than the lists of names and edges start with. */
static void write_graphs(void)
{
    enum { N = 20 };
    FILE *file[4];
    for (int f = 0; f < 4; f++)
        assert_non_null(file[f] = fopen(GRAPHS[f], "w"));
    fputs("digraph {\n", file[2]);
    fputs("{\"nodes\": [", file[3]);
    for (int i = 0; i < N; i++) {
        fprintf(file[0], "x%d%c", i, i < N - 1 ? ',' : '\n');
        fprintf(file[3], "\"x%d\"%s", i, i < N - 1 ? ", " : "], \"edges\": [");
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            bool edge = i < j && (i + j) % 3 > 0;
            fprintf(file[0], "%d%c", edge, j < N - 1 ? ',' : '\n');
            if (!edge)
                continue;
            fprintf(file[1], "x%d --> x%d\n", i, j);
            fprintf(file[2], "x%d -> x%d;\n", i, j);
            fprintf(file[3], "%s{\"from\": \"x%d\", \"to\": \"x%d\", \"mark\": \"-->\"}",
                    i + j > 1 ? ", " : "", i, j);
        }
    fputs("}\n", file[2]);
    fputs("]}\n", file[3]);
    for (int f = 0; f < 4; f++)
        fclose(file[f]);
}

static dpc_status read_and_compare(const char *path, const char *other, dpc_target as,
                                   dpc_metrics *metrics, dpc_error *err)
{
    dpc_named_graph *estimate = NULL, *truth = NULL;
    dpc_status status = dpc_graph_read(path, &estimate, err);
    if (status == DPC_OK)
        status = dpc_graph_read(other, &truth, err);
    else
        assert_null(estimate);
    if (status == DPC_OK)
        status = dpc_compare_named(estimate, truth, as, metrics, err);
    dpc_named_graph_free(estimate);
    dpc_named_graph_free(truth);
    return status;
}

static void try_graphs(const char *path, const char *other, dpc_target as)
{
    dpc_metrics metrics = {0};
    dpc_error err = {0};
    calls = live = 0;
    if (read_and_compare(path, other, as, &metrics, &err) != DPC_OK)
        fail_msg("%s", err.message);
    assert_true(metrics.p > 100);
    assert_int_equal(live, 0);
    long all = calls;
    assert_true(all > 40);
    for (fail_at = 1; fail_at <= all; fail_at++) {
        metrics.p = -7;
        calls = live = 0;
        repeatedly = false;
        dpc_status status = read_and_compare(path, other, as, &metrics, &err);
        if (status != DPC_NO_MEMORY || live != 0)
            fail_msg("%s and %s, allocation %ld: status %d, %ld blocks leaked", path, other,
                     fail_at, (int)status, live);
        assert_non_null(strstr(err.message, "memory"));
        assert_int_equal(metrics.p, -7);
    }
    fail_at = 0;
}

/* Into a format and back. */
static dpc_status there_and_back(const dpc_report *report, dpc_format format, int64_t *edges,
                                 dpc_error *err)
{
    dpc_named_graph *read = NULL;
    char *text = NULL;
    size_t length;
    dpc_status status = dpc_write_string(report, format, &text, &length, err);
    if (status == DPC_OK) {
        FILE *file = fopen("there", "w");
        assert_int_equal(fwrite(text, 1, length, file), length);
        fclose(file);
        status = dpc_graph_read_as("there", format, &read, err);
        assert_int_equal(read != NULL, status == DPC_OK);
    }
    *edges = read != NULL ? read->graph.n_edges : 0;
    dpc_named_graph_free(read);
    dpc_string_free(text);
    return status;
}

/* Every format, written and read, with names in quotes where it has such. */
static void test_formats(void **state)
{
    (void)state;
    dpc_named_graph *g = NULL;
    dpc_error err = {0};
    int64_t edges;
    assert_int_equal(dpc_graph_read(GRAPHS[0], &g, &err), DPC_OK);
    dpc_report report = {
        .size = sizeof report, .names = (const char *const *)g->names, .graph = &g->graph};
    for (dpc_format format = 0; dpc_format_is_read(format) || !dpc_format_is_made(format);
         format++) {
        if (!dpc_format_is_read(format))
            continue;
        bool picky = format == DPC_FORMAT_TETRAD;
        snprintf(g->names[3], 3, "%s", picky ? "y" : " z");
        fail_at = calls = 0;
        if (there_and_back(&report, format, &edges, &err) != DPC_OK)
            fail_msg("%s: %s", dpc_format_word(format), err.message);
        assert_int_equal(edges, g->graph.n_edges);
        long all = calls;
        for (long k = 1; k <= all; k++) {
            calls = live = 0;
            fail_at = k;
            repeatedly = false;
            dpc_status status = there_and_back(&report, format, &edges, &err);
            fail_at = 0;
            if (status != DPC_NO_MEMORY || live != 0)
                fail_msg("%s, allocation %ld: status %d, %ld blocks leaked",
                         dpc_format_word(format), k, (int)status, live);
        }
    }
    dpc_named_graph_free(g);
    remove("there");
}

static void test_graphs(void **state)
{
    (void)state;
    for (int f = 0; f < 4; f++)
        for (dpc_target as = DPC_CPDAG; as <= DPC_SKELETON; as++) {
            try_graphs(GRAPHS[f], GRAPHS[(f + 1) % 4], as);
            try_graphs(GRAPHS[f], GRAPHS[1], as);
        }
}

/* ---- The evidence ---- */

/* Has the set of the pair x, z been found in a list that y was not in any more? */
static bool unlisted(const dpc_sepsets *sets, int x, int y, int z)
{
    dpc_separation found = dpc_sepsets_find(sets, x, z);
    return found.record != NULL && dpc_record_is_complement(found.record, found.batch) &&
           dpc_slot(found.batch->graph, dpc_record_from(found.record), y) < 0;
}

static bool any_unlisted(const dpc_unoriented *task)
{
    const dpc_adjacency *g = task->skeleton;
    for (int y = 0; y < g->n; y++)
        for (int64_t ex = g->start[y]; ex < g->start[y + 1]; ex++)
            for (int64_t ez = ex + 1; ez < g->start[y + 1]; ez++)
                if (dpc_slot(g, g->node[ex], g->node[ez]) < 0 &&
                    unlisted(task->sepsets, g->node[ex], y, g->node[ez]))
                    return true;
    return false;
}

/* With every allocation failing in turn, the weights are right or there are none. */
static void try_evidence(const dpc_unoriented *task)
{
    dpc_triples right, tried;
    dpc_error err = {0};
    assert_int_equal(dpc_triples_init(task->skeleton, NULL, &right), DPC_OK);
    calls = 0;
    assert_int_equal(dpc_weigh_evidence(task, &right, &err), DPC_OK);
    long all = calls;
    for (long k = 1; k <= all; k++) {
        assert_int_equal(dpc_triples_init(task->skeleton, NULL, &tried), DPC_OK);
        long before = live;
        calls = 0;
        fail_at = k;
        dpc_status status = dpc_weigh_evidence(task, &tried, &err);
        fail_at = 0;
        assert_int_equal(live, before);
        if (status != DPC_NO_MEMORY)
            fail_msg("allocation %ld of %ld failed, and the status is %d", k, all, (int)status);
        dpc_triples_clear(&tried);
    }
    dpc_triples_clear(&right);
}

/* The AND rule makes sets that cannot be changed by the short way, which takes memory of its own.
 */
static void test_fault_evidence(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240607);
    int tried = 0;
    repeatedly = false;
    for (int number = 0; number < 60; number++) {
        struct sample_model model = {.n = 20, .n_obs = 500, .parents = 4};
        struct sample sample = sample_draw(&model, rng);
        const dpc_labels given = {0};
        dpc_view view = dpc_view_of(&sample.correlation, &given);
        dpc_adjacency *skeleton = NULL;
        dpc_sepsets *sepsets = NULL;
        dpc_info info = {0};
        dpc_settings settings;
        dpc_settings_default(&settings);
        settings.threads = 1;
        settings.rule = DPC_RULE_AND;
        settings.alpha = 0.4;
        assert_int_equal(dpc_skeleton(&view, NULL, &settings, &skeleton, &sepsets, &info, NULL),
                         DPC_OK);
        dpc_unoriented task = {&view, skeleton, sepsets, &settings, NULL};
        if (any_unlisted(&task)) {
            try_evidence(&task);
            tried++;
        }
        free(info.levels);
        dpc_sepsets_free(sepsets);
        dpc_adjacency_free(skeleton);
        sample_free(&sample);
    }
    gsl_rng_free(rng);
    assert_true(tried >= 3);
}

static int enter(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        return -1;
    write_table("table.csv");
    write_matrix("matrix.csv");
    write_graphs();
    write_knowledge();
    return 0;
}

static int leave(void **state)
{
    (void)state;
    remove_outputs();
    for (int i = 0; i < 4; i++)
        unlink(GRAPHS[i]);
    unlink("table.csv");
    unlink("matrix.csv");
    for (int i = 0; i < 2; i++)
        unlink(KNOWLEDGE[i]);
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

/* ---- What follows from a graph ---- */

/* Graphs of all kinds, their questions, distances and effects, in memory and in files. */
static dpc_status ask_graphs(const dpc_table *table, const dpc_graph *graph, bool extend,
                             bool files, dpc_error *err)
{
    enum { N = 12 };
    dpc_settings settings;
    dpc_resampling how = {2, 1, 0};
    dpc_causal *causal = NULL;
    dpc_correlation *c = NULL;
    dpc_effect_table *effects = NULL;
    dpc_effect_resamples *resamples = NULL;
    dpc_frequencies *frequencies = NULL;
    dpc_aid aid;
    dpc_settings_default(&settings);
    settings.threads = 1;
    dpc_status status = dpc_causal_new(graph, VARIABLES, extend, &causal, err);
    assert_int_equal(causal != NULL, status == DPC_OK);
    if (status == DPC_OK)
        status = dpc_distances(causal, causal, DPC_AID_ALL, &settings, &aid, err);
    if (status == DPC_OK)
        status = dpc_correlate(table, &settings, NULL, &c, err);
    for (dpc_ida ida = DPC_IDA_LOCAL; ida <= DPC_IDA_OPTIMAL && status == DPC_OK; ida++) {
        dpc_effect_query query = {.ida = ida};
        if (ida == DPC_IDA_LOCAL)
            status = dpc_bootstrap_effects(table, &settings, &how, &query, &frequencies, &resamples,
                                           err);
        assert_int_equal(resamples != NULL, ida == DPC_IDA_OPTIMAL || status == DPC_OK);
        query.resamples = ida == DPC_IDA_LOCAL ? resamples : NULL;
        query.top = ida == DPC_IDA_LOCAL ? 2 : 0;
        if (status == DPC_OK)
            status = dpc_effects(c, causal, &query, &settings, &effects, err);
        assert_int_equal(effects != NULL, status == DPC_OK);
        if (status == DPC_OK && files) {
            const char *const paths[] = {"effects.csv", "effects.json", "effects.txt"};
            dpc_effects_report report = {effects, VARIABLES, N, true, NULL, NULL};
            status = dpc_write_effects(&report, paths, 3, -1, DPC_FORMAT_EDGES, err);
        }
        dpc_effect_table_free(effects);
        effects = NULL;
    }
    if (status == DPC_OK && files)
        status = dpc_write_differences(graph, dpc_causal_graph(causal), VARIABLES,
                                       "differences.csv", err);
    dpc_effect_resamples_free(resamples);
    dpc_frequencies_free(frequencies);
    dpc_correlation_free(c);
    dpc_causal_free(causal);
    return status;
}

static void test_fault_effects(void **state)
{
    (void)state;
    static const struct {
        dpc_edge edges[6];
        int count;
        bool extend;
    } graphs[] = {
        {{{0, 1, DPC_UNDIRECTED},
          {1, 2, DPC_UNDIRECTED},
          {1, 3, DPC_UNDIRECTED},
          {4, 5, DPC_FORWARD},
          {6, 5, DPC_FORWARD}},
         5,
         false},
        {{{0, 1, DPC_FORWARD}, {0, 2, DPC_UNDIRECTED}, {1, 2, DPC_UNDIRECTED}}, 3, false},
        {{{0, 1, DPC_FORWARD}, {1, 2, DPC_UNDIRECTED}}, 2, true},
        {{{0, 1, DPC_UNDIRECTED},
          {1, 2, DPC_UNDIRECTED},
          {2, 3, DPC_UNDIRECTED},
          {0, 3, DPC_UNDIRECTED},
          {3, 4, DPC_FORWARD}},
         5,
         true},
        {{{0, 1, DPC_FORWARD}, {1, 2, DPC_FORWARD}, {2, 0, DPC_FORWARD}}, 3, true},
    };
    dpc_table *table = simulated_table(12, 40, 3);
    int before = entries();
    for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++) {
        dpc_graph *graph = NULL;
        dpc_error err = {0};
        fail_at = 0;
        assert_int_equal(dpc_graph_new(12, graphs[i].edges, graphs[i].count, &graph, &err), DPC_OK);
        calls = live = 0;
        if (ask_graphs(table, graph, graphs[i].extend, i == 1, &err) != DPC_OK)
            fail_msg("graph %zu: %s", i, err.message);
        assert_int_equal(live, 0);
        long all = calls, failures = 0;
        for (long k = 1; k <= all; k++) {
            calls = live = 0;
            fail_at = k;
            repeatedly = k % 2 == 0;
            dpc_status status = ask_graphs(table, graph, graphs[i].extend, i == 1, &err);
            fail_at = 0;
            if ((status != DPC_NO_MEMORY && status != DPC_OK) || live != 0)
                fail_msg("graph %zu, allocation %ld: status %d, %ld blocks leaked", i, k,
                         (int)status, live);
            failures += status != DPC_OK;
        }
        assert_true(failures > all * 9 / 10); /* few can be done without */
        dpc_graph_free(graph);
    }
    remove("effects.csv");
    remove("effects.json");
    remove("effects.txt");
    remove("differences.csv");
    assert_int_equal(entries(), before);
    dpc_table_free(table);
}

/* ---- The ways in which tables come ---- */

static dpc_status read_door(const dpc_read_options *options, dpc_error *err)
{
    dpc_audit audit = {0};
    dpc_table *table = NULL;
    dpc_correlation *c = NULL;
    int64_t samples = 0;
    dpc_status status = dpc_data_read("door.csv", options, NULL, &audit, &table, &samples, err);
    assert_int_equal(table != NULL, status == DPC_OK);
    if (status == DPC_OK)
        status = samples != 0 ? dpc_correlation_from_matrix(table, samples, NULL, &audit, &c, err)
                              : dpc_correlate(table, NULL, &audit, &c, err);
    dpc_correlation_free(c);
    dpc_table_free(table);
    dpc_audit_clear(&audit);
    return status;
}

static void test_fault_doors(void **state)
{
    (void)state;
    static const char *const drop[] = {"x,\"y,z\"", "4-5"}, *const na[] = {"-9,none", "77"};
    static const struct {
        const char *text;
        dpc_read_options options;
    } doors[] = {
        {"# c\nx,a,b,c,d,e,\"y,z\"\nq,1,2,3,4,5,6\n# d\nr,3,2,1,,1,7\n\ns,-9,3,1,1,1,1\n"
         "q,1,3,4,5,6,7\nr,3,9,4,5,1,7\nr,2,9,1,5,1,7\nz,none,1,1,1,1,1\n",
         {.missing = DPC_MISSING_ROWS, .drop = drop, .n_drop = 2, .na = na, .n_na = 2}},
        {"a;b\n1,5;2%\n2,5;3%\n1,25;1%\n0,5;5%\n1,5;2%\n", {.missing = DPC_MISSING_ERROR}},
        {"g,s,t,u,v\na,1,2,4,3\nb,2,1,4,9\ngr\xf6,1,7,3,3\n", {.transpose = true}},
        {"1 2 3\n2 1 1\n4 4 1\n9 5 2\n", {.no_header = true}},
        {"\xff\xfe"
         "a,b\n1,2\n2,1\n3,3\n4,5\n",
         {.missing = DPC_MISSING_ERROR}},
        {"50\nx y z\n1\n.5 1\n.2 .1 1\n", {.drop = drop + 1, .n_drop = 0}},
    };
    for (size_t i = 0; i < sizeof doors / sizeof *doors; i++) {
        dpc_read_options options = doors[i].options;
        options.size = sizeof options;
        FILE *file = fopen("door.csv", "w");
        const char *text = doors[i].text;
        bool wide = *text == '\xff'; /* each letter with a zero behind it */
        for (int k = 0; text[k] != '\0'; k++) {
            fputc(text[k], file);
            if (wide && k > 1)
                fputc('\0', file);
        }
        fclose(file);
        dpc_error err = {0};
        calls = live = 0;
        if (read_door(&options, &err) != DPC_OK)
            fail_msg("door %d: %s", (int)i, err.message);
        long all = calls;
        assert_true(all > 10 && live == 0);
        for (long k = 1; k <= all; k++) {
            calls = 0;
            fail_at = k;
            dpc_status status = read_door(&options, &err);
            fail_at = 0;
            if (status != DPC_NO_MEMORY || live != 0)
                fail_msg("door %d, allocation %ld: status %d, %ld blocks leaked", (int)i, k,
                         (int)status, live);
        }
    }
    unlink("door.csv");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fault_doors),     cmocka_unit_test(test_fault),
        cmocka_unit_test(test_fault_bootstrap), cmocka_unit_test(test_fault_incomplete),
        cmocka_unit_test(test_fault_known),     cmocka_unit_test(test_fault_simulated),
        cmocka_unit_test(test_fault_in_memory), cmocka_unit_test(test_graphs),
        cmocka_unit_test(test_formats),         cmocka_unit_test(test_fault_refined),
        cmocka_unit_test(test_fault_sparse),    cmocka_unit_test(test_fault_effects),
        cmocka_unit_test(test_fault_evidence)};
    return cmocka_run_group_tests(tests, enter, leave);
}

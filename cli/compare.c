/* dualpc compare: how far one graph is from another. */
#include "compare.h"
#include "cli.h"
#include "decimal.h"
#include "graph.h"
#include "status.h"
#include "words.h"

#include <getopt.h>
#include <math.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

typedef struct comparison {
    const char *estimate, *truth; /* paths; one of them may be "-" */
    dpc_target as;
    const char *differences; /* path; NULL: none */
    bool extend, json;
    int threads;
} comparison;

static dpc_status take_differences(const char *path, void *into, dpc_error *err)
{
    comparison *c = into;
    return take_table_path("differences", path, &c->differences, err);
}

static const dpc_option_row ROWS[] = {
    {{"graph", DPC_OPTION_WORD, .words = dpc_target_words,
      .sentence = "what is counted; a DAG as TRUTH is turned into its CPDAG or pattern first, "
                  "and so is ESTIMATE where both are DAGs"},
     DPC_PLACE(ENUM, comparison, as)},
    {{"differences", DPC_OPTION_TEXT, "FILE.csv",
      .sentence = "every pair that differs, and how: a,b,estimate,truth"},
     DPC_TYPE_OWN,
     .take = take_differences},
    {{"extend", DPC_OPTION_FLAG,
      .sentence = "distances of the nearest valid graph where one is no DAG, CPDAG or MPDAG"},
     DPC_PLACE(BOOL, comparison, extend)},
    {{"threads", DPC_OPTION_COUNT, "T", .word = "all", .range = DPC_THREADS_RANGE,
      .sentence = "never changes the result"},
     DPC_PLACE(INT, comparison, threads)},
    {{"json", DPC_OPTION_FLAG, .sentence = "the same as one JSON object"},
     DPC_PLACE(BOOL, comparison, json)},
};

static command compare_command(comparison *c)
{
    *c = (comparison){.as = DPC_CPDAG};
    return (command){
        .head =
            "dualpc compare ESTIMATE TRUTH [options]\n"
            "\n"
            "How far one graph is from another. Both are files in any format that dualpc convert\n"
            "knows; the extension says which, also with .gz after it. One of them may be -, an\n"
            "edge list on standard input. Nodes are matched by their names.\n",
        .tail =
            "\n"
            "Prints one name and value a line. An extra pair is one FP, a missing one one FN, one\n"
            "that is marked differently half of each; P is the number of pairs of TRUTH,\n"
            "TP = P - FN, SHD = FP + FN, TPR = recall = TP/P, FPRp = FP/P,\n"
            "precision = TP/(TP + FP), F1 = 2 TP/(2 TP + FP + FN). NaN: the denominator is 0.\n"
            "exact: 1 where SHD is 0. AP, AR: precision and recall of the pairs; AHP, AHR: of the\n"
            "arrowheads; AHRC: their recall among pairs that both join.\n"
            "parent_aid, ancestor_aid, oset_aid: of all ordered pairs (pairs), for how many is "
            "the\n"
            "effect of one on the other wrong in TRUTH when it is taken from ESTIMATE, adjusting\n"
            "for parents, for ancestors, for the optimal set; sid is parent_aid of two DAGs. A "
            "DAG\n"
            "as TRUTH is that DAG for these. NaN, and a reason on standard error: a graph is no\n"
            "DAG, CPDAG or MPDAG. The last lines say what each graph was taken for.\n"
            "\n"
            "Two PAGs (A o-> B, A <-> B, A o-o B) have lines of their own: skeleton_precision,\n"
            "skeleton_recall, skeleton_F1 of the pairs; arrow_precision, arrow_recall,\n"
            "tail_precision, tail_recall of the marks at the ends of edges, which must be right "
            "at\n"
            "the same end of the same pair; SHD, the number of pairs that differ; exact.\n"
            "\n"
            "Exit codes: 0 done, 1 wrong usage, 2 bad input, 3 could not write, 4 out of memory,\n"
            "130 interrupted.\n",
        .n_groups = 1,
        .groups = {{.rows = ROWS, .count = sizeof ROWS / sizeof *ROWS, .into = c}},
    };
}

static dpc_status parse_operands(int argc, char **argv, comparison *c, dpc_error *err)
{
    if (argc - optind > 2)
        return dpc_fail(err, DPC_USAGE, "'%s' is one file too many, after ESTIMATE and TRUTH",
                        argv[optind + 2]);
    if (argc - optind < 2)
        return dpc_fail(err, DPC_USAGE,
                        "compare needs two files, ESTIMATE and TRUTH; see dualpc compare --help");
    c->estimate = argv[optind];
    c->truth = argv[optind + 1];
    if (strcmp(c->estimate, "-") == 0 && strcmp(c->truth, "-") == 0)
        return dpc_fail(err, DPC_USAGE, "only one of ESTIMATE and TRUTH can be standard input (-)");
    return DPC_OK;
}

static parsed parse_arguments(int argc, char **argv, comparison *c, dpc_error *err)
{
    command given = compare_command(c);
    parsed seen = parse_options(argc, argv, &given, err);
    if (seen != PARSED_RUN)
        return seen;
    return parse_operands(argc, argv, c, err) == DPC_OK ? PARSED_RUN : PARSED_WRONG;
}

/* ---- The work ---- */

/* One of the two graphs. */
typedef struct side {
    const char *path, *name;
    dpc_named_graph *read, *graph; /* as it is in the file; over the nodes of both */
    dpc_causal *causal;            /* NULL: it stands for no DAG */
} side;

typedef struct results {
    bool pags; /* both are PAGs: `pag` tells how far they are from each other, and no more */
    dpc_pag_metrics pag;
    dpc_metrics metrics;
    dpc_graph counted[2]; /* the graphs as they were counted: estimate, truth */
    bool distances;       /* they could be asked */
    dpc_aid aid;
} results;

static void side_free(side *s)
{
    dpc_named_graph_free(s->read);
    dpc_named_graph_free(s->graph);
    dpc_causal_free(s->causal);
}

/*
 * Makes a graph that can be asked, and tells on standard error why not, or what was changed. That
 * patterns and skeletons are none is no news.
 */
static dpc_status make_causal(const comparison *c, side *s, dpc_error *err)
{
    const char *const *names = (const char *const *)s->graph->names;
    if (dpc_graph_is_pag(&s->graph->graph))
        return DPC_OK; /* it has no such distances */
    dpc_status status = dpc_causal_new(&s->graph->graph, names, c->extend, &s->causal, err);
    if (status == DPC_BAD_INPUT) {
        if (c->as == DPC_CPDAG)
            fprintf(stderr,
                    "dualpc: no distances, for of the %s, %s: %s; --extend takes the nearest "
                    "valid graph\n",
                    s->name, file_name(s->path), err->message);
        return DPC_OK;
    }
    if (status == DPC_OK)
        tell_extension(s->causal, s->path);
    return status;
}

/* May the graph be a PAG, for all that its file says? One without edges is anything. */
static bool may_be_pag(const side *s)
{
    return s->read->pag || s->read->graph.n_edges == 0;
}

/*
 * Are both PAGs? The marks of one of them may tell, or the files of both. One alone cannot be
 * compared by its marks; only the skeleton of everything can.
 */
static dpc_status find_pags(const comparison *c, const side *estimate, const side *truth,
                            bool *pags, dpc_error *err)
{
    bool left = dpc_graph_is_pag(&estimate->read->graph);
    bool right = dpc_graph_is_pag(&truth->read->graph);
    bool said = (estimate->read->pag || truth->read->pag) && may_be_pag(estimate) &&
                may_be_pag(truth) && c->as == DPC_CPDAG;
    *pags = (left || right || said) && c->as != DPC_SKELETON;
    if (!*pags)
        return DPC_OK;
    if (c->as == DPC_PATTERN)
        return dpc_fail(err, DPC_USAGE,
                        "--graph pattern: a PAG has no pattern; leave the option out, or take "
                        "--graph skeleton");
    if ((left || may_be_pag(estimate)) && (right || may_be_pag(truth)))
        return DPC_OK;
    return dpc_fail(err, DPC_BAD_INPUT,
                    "the %s is a PAG and the %s is not: their marks mean different things; compare "
                    "two PAGs, or the skeletons alone (--graph skeleton)",
                    left ? "estimate" : "truth", left ? "truth" : "estimate");
}

static dpc_status measure(const comparison *c, side *estimate, side *truth, results *out,
                          dpc_error *err)
{
    bar bar;
    dpc_settings settings;
    dpc_settings_default(&settings);
    bar_init(&bar, false, settings.method);
    settings.threads = c->threads;
    settings.progress = bar_update;
    settings.progress_user = &bar;
    dpc_status status = dpc_graphs_reduce(&estimate->graph->graph, &truth->graph->graph, c->as,
                                          &out->counted[0], &out->counted[1], err);
    if (status == DPC_OK) {
        dpc_measure(&out->counted[0], &out->counted[1], &out->metrics);
        status = make_causal(c, estimate, err);
    }
    if (status == DPC_OK)
        status = make_causal(c, truth, err);
    out->distances = status == DPC_OK && estimate->causal != NULL && truth->causal != NULL;
    if (out->distances)
        status =
            dpc_distances(estimate->causal, truth->causal, DPC_AID_ALL, &settings, &out->aid, err);
    bar_clear(&bar);
    return status;
}

/* ---- Output ---- */

static void print_number(double value, const char *undefined)
{
    char text[DPC_DECIMAL_SIZE];
    dpc_decimal_print(value, text);
    fputs(isnan(value) ? undefined : text, stdout);
}

static void print_word(const comparison *c, const char *name, const char *word)
{
    if (c->json && word == NULL)
        printf(", \"%s\": null", name);
    else if (c->json)
        printf(", \"%s\": \"%s\"", name, word);
    else
        printf("%s %s\n", name, word != NULL ? word : "none");
}

static const char *kind_of(const side *s)
{
    return s->causal != NULL ? dpc_word(DPC_WORD_GRAPH_KIND, dpc_causal_about(s->causal).kind)
                             : NULL;
}

typedef struct value {
    const char *name;
    double number;
} value;

static void print_values(const comparison *c, const char *graph, const value *values, size_t count)
{
    if (c->json)
        printf("{\"graph\": \"%s\"", graph);
    for (size_t i = 0; i < count; i++) {
        printf(c->json ? ", \"%s\": " : "%s ", values[i].name);
        print_number(values[i].number, c->json ? "null" : "NaN");
        fputs(c->json ? "" : "\n", stdout);
    }
}

static void print_pags(const comparison *c, const dpc_pag_metrics *m)
{
    const value values[] = {
        {"skeleton_precision", m->precision},
        {"skeleton_recall", m->recall},
        {"skeleton_F1", m->f1},
        {"arrow_precision", m->arrow_precision},
        {"arrow_recall", m->arrow_recall},
        {"tail_precision", m->tail_precision},
        {"tail_recall", m->tail_recall},
        {"SHD", (double)m->shd},
        {"exact", m->exact},
    };
    print_values(c, "pag", values, sizeof values / sizeof *values);
    fputs(c->json ? "}\n" : "", stdout);
}

static void print_results(const comparison *c, const side *estimate, const side *truth,
                          const results *r)
{
    const dpc_metrics *m = &r->metrics;
    const dpc_aid *d = &r->aid;
    double n = truth->graph->graph.n_nodes;
    const value values[] = {
        {"TP", m->tp},
        {"FP", m->fp},
        {"FN", m->fn},
        {"SHD", m->shd},
        {"TPR", m->tpr},
        {"FPRp", m->fprp},
        {"P", (double)m->p},
        {"precision", m->precision},
        {"recall", m->recall},
        {"F1", m->f1},
        {"exact", m->exact},
        {"AP", m->ap},
        {"AR", m->ar},
        {"AHP", m->ahp},
        {"AHR", m->ahr},
        {"AHRC", m->ahrc},
        {"parent_aid", r->distances ? (double)d->parent : NAN},
        {"ancestor_aid", r->distances ? (double)d->ancestor : NAN},
        {"oset_aid", r->distances ? (double)d->oset : NAN},
        {"sid", r->distances && d->sid >= 0 ? (double)d->sid : NAN},
        {"pairs", n * (n - 1)},
    };
    print_values(c, dpc_word(DPC_WORD_TARGET, c->as), values, sizeof values / sizeof *values);
    /* what the truth was for the counts and for the distances */
    bool given = truth->causal == NULL && c->as == DPC_CPDAG;
    print_word(c, "truth_in_counts", given ? "given" : dpc_word(DPC_WORD_TARGET, c->as));
    print_word(c, "truth_in_distances", kind_of(truth));
    print_word(c, "estimate_in_distances", kind_of(estimate));
    fputs(c->json ? "}\n" : "", stdout);
}

static dpc_status check_files(const comparison *c, dpc_error *err)
{
    const char *const inputs[] = {c->estimate, c->truth};
    const dpc_output outputs[] = {{.path = c->differences}, {.fd = STDOUT_FILENO}};
    int first = c->differences == NULL;
    return dpc_write_check(outputs + first, 2 - first, inputs, 2, err);
}

static dpc_status write_differences(const comparison *c, const side *estimate, const side *truth,
                                    const results *r, dpc_error *err)
{
    if (c->differences == NULL)
        return DPC_OK;
    const dpc_report report = {.size = sizeof report,
                               .names = (const char *const *)truth->graph->names,
                               .graph = r->pags ? &estimate->graph->graph : &r->counted[0],
                               .truth = r->pags ? &truth->graph->graph : &r->counted[1]};
    const dpc_output output = {.path = c->differences, .what = DPC_CONTENT_DIFFERENCES};
    interrupt_defer(true);
    dpc_status status = dpc_write(&report, &output, 1, err);
    interrupt_defer(false);
    return status;
}

static int compare(const comparison *c)
{
    side estimate = {.path = c->estimate, .name = "estimate"};
    side truth = {.path = c->truth, .name = "truth"};
    results r = {0};
    dpc_error err = {0};
    bool both = false; /* the message is about the two together; a reader has named its file */
    dpc_status status = check_files(c, &err);
    if (status == DPC_OK)
        status = dpc_graph_read(c->estimate, &estimate.read, &err);
    if (status == DPC_OK)
        status = dpc_graph_read(c->truth, &truth.read, &err);
    if (status == DPC_OK) {
        status = dpc_match_graphs(estimate.read, truth.read, &estimate.graph, &truth.graph, &err);
        both = status == DPC_BAD_INPUT;
    }
    if (status == DPC_OK) {
        status = find_pags(c, &estimate, &truth, &r.pags, &err);
        both = status == DPC_BAD_INPUT;
    }
    if (status == DPC_OK)
        status = r.pags
                     ? dpc_compare_pags(&estimate.graph->graph, &truth.graph->graph, &r.pag, &err)
                     : measure(c, &estimate, &truth, &r, &err);
    if (status == DPC_OK)
        status = write_differences(c, &estimate, &truth, &r, &err);
    if (status == DPC_OK) {
        if (r.pags)
            print_pags(c, &r.pag);
        else
            print_results(c, &estimate, &truth, &r);
        status = (dpc_status)finish_stdout();
    } else {
        fprintf(stderr, "dualpc: %s%s%s%s%s\n", both ? c->estimate : "", both ? " and " : "",
                both ? c->truth : "", both ? ": " : "", err.message);
    }
    dpc_graph_clear(&r.counted[0]);
    dpc_graph_clear(&r.counted[1]);
    side_free(&estimate);
    side_free(&truth);
    return status;
}

command compare_table(void)
{
    comparison ignored;
    command c = compare_command(&ignored);
    c.groups[0].into = NULL;
    return c;
}

int compare_main(int argc, char **argv)
{
    comparison c, defaults;
    dpc_error err = {0};
    command help = compare_command(&defaults);
    parsed seen = parse_arguments(argc, argv, &c, &err);
    if (seen != PARSED_RUN)
        return answer(seen, &help, &err);
    interrupt_watch();
    return compare(&c);
}

/* dualpc compare: how far one graph is from another. */
#include "cli.h"
#include "decimal.h"
#include "error.h"
#include "words.h"

#include <getopt.h>
#include <math.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

typedef struct comparison {
    const char *estimate, *truth; /* paths; one of them may be "-" */
    dpc_target as;
    bool json;
} comparison;

static const dpc_option_row ROWS[] = {
    {{"graph", DPC_OPTION_WORD, .words = dpc_target_words,
      .sentence = "what is compared; a DAG as TRUTH is turned into its CPDAG or pattern first"},
     DPC_PLACE(ENUM, comparison, as)},
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

static void print_number(double value, const char *undefined)
{
    char text[DPC_DECIMAL_SIZE];
    dpc_decimal_print(value, text);
    fputs(isnan(value) ? undefined : text, stdout);
}

static void print_metrics(const comparison *c, const dpc_metrics *m)
{
    const struct {
        const char *name;
        double value;
    } rows[] = {
        {"TP", m->tp},         {"FP", m->fp},     {"FN", m->fn},       {"SHD", m->shd},
        {"TPR", m->tpr},       {"FPRp", m->fprp}, {"P", (double)m->p}, {"precision", m->precision},
        {"recall", m->recall}, {"F1", m->f1},
    };
    if (c->json)
        printf("{\"graph\": \"%s\"", dpc_target_word(c->as));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        printf(c->json ? ", \"%s\": " : "%s ", rows[i].name);
        print_number(rows[i].value, c->json ? "null" : "NaN");
        fputs(c->json ? "" : "\n", stdout);
    }
    fputs(c->json ? "}\n" : "", stdout);
}

static int compare(const comparison *c)
{
    const char *const inputs[] = {c->estimate, c->truth};
    dpc_named_graph *estimate = NULL, *truth = NULL;
    dpc_metrics metrics;
    dpc_error err = {0};
    dpc_status status = dpc_write_check(NULL, 0, STDOUT_FILENO, inputs, 2, &err);
    if (status == DPC_OK)
        status = dpc_graph_read(c->estimate, &estimate, &err);
    if (status == DPC_OK)
        status = dpc_graph_read(c->truth, &truth, &err);
    if (status == DPC_OK)
        status = dpc_compare_named(estimate, truth, c->as, &metrics, &err);
    if (status == DPC_OK) {
        print_metrics(c, &metrics);
        status = (dpc_status)finish_stdout();
    } else {
        /* what the two together do not have names both; a reader has named its file */
        bool both = truth != NULL && status == DPC_BAD_INPUT;
        fprintf(stderr, "dualpc: %s%s%s%s%s\n", both ? c->estimate : "", both ? " and " : "",
                both ? c->truth : "", both ? ": " : "", err.message);
    }
    dpc_named_graph_free(estimate);
    dpc_named_graph_free(truth);
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

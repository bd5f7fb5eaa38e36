/* dualpc separate: are two nodes of a graph d-separated, given others? */
#include "alloc.h"
#include "cli.h"
#include "status.h"
#include "text.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct separation {
    const char *graph, *x, *y;
    const char *given; /* names with commas; NULL: none */
    bool extend, json;
} separation;

static const dpc_option_row ROWS[] = {
    {{"given", DPC_OPTION_TEXT, "A,B", .sentence = "the nodes that are known"},
     DPC_PLACE(TEXT, separation, given),
     .absent = "none"},
    {{"extend", DPC_OPTION_FLAG,
      .sentence = "take the nearest valid graph where this is no DAG, CPDAG, MPDAG, MAG or PAG"},
     DPC_PLACE(BOOL, separation, extend)},
    {{"json", DPC_OPTION_FLAG, .sentence = "the same as one JSON object"},
     DPC_PLACE(BOOL, separation, json)},
};

static command separate_command(separation *s)
{
    *s = (separation){0};
    return (command){
        .head =
            "dualpc separate GRAPH X Y [options]\n"
            "\n"
            "Does the graph say that X and Y are independent, given others (d-separation; in a\n"
            "MAG or PAG, m-separation)? If not, shows a shortest path between them that is\n"
            "open. GRAPH is a DAG, a CPDAG, an MPDAG, a MAG or a PAG, in a file as dualpc learn\n"
            "writes it, or - for an edge list on standard input.\n",
        .tail = "\n"
                "Exit codes: 0 done, whatever the answer, 1 wrong usage, 2 bad input, 3 could not\n"
                "write, 4 out of memory, 130 interrupted.\n",
        .n_groups = 1,
        .groups = {{.rows = ROWS, .count = sizeof ROWS / sizeof *ROWS, .into = s}},
    };
}

typedef struct answer_of {
    int x, y, n_given, length;
    int32_t *given, *path; /* owned */
    bool separated;
} answer_of;

static void print_text(const dpc_named_graph *g, const answer_of *a)
{
    int32_t ends[] = {a->x, a->y};
    print_set(stdout, g, &ends[0], 1);
    fputs(" and ", stdout);
    print_set(stdout, g, &ends[1], 1);
    fputs(a->separated ? " are separated" : " are not separated", stdout);
    if (a->n_given > 0) {
        fputs(" given ", stdout);
        print_set(stdout, g, a->given, a->n_given);
    }
    if (!a->separated) {
        fputs("; open path: ", stdout);
        print_path(stdout, g, a->path, a->length);
    }
    putchar('\n');
}

static void print_json(const dpc_named_graph *g, const answer_of *a)
{
    fputs("{\"x\": ", stdout);
    dpc_print_json_string(stdout, g->names[a->x]);
    fputs(", \"y\": ", stdout);
    dpc_print_json_string(stdout, g->names[a->y]);
    fputs(", ", stdout);
    print_json_set(stdout, "given", g, a->given, a->n_given);
    printf(", \"separated\": %s, ", a->separated ? "true" : "false");
    print_json_path(stdout, g, a->path, a->length);
    puts("}");
}

/* Whom the names mean. */
static dpc_status find_all(const separation *s, const dpc_named_graph *g, answer_of *a,
                           dpc_error *err)
{
    naming who = {(const char *const *)g->names, g->graph.n_nodes, "X", file_name(s->graph),
                  "node"};
    dpc_status status = find_one(&who, s->x, &a->x, err);
    who.option = "Y";
    if (status == DPC_OK)
        status = find_one(&who, s->y, &a->y, err);
    who.option = "--given";
    if (status == DPC_OK && s->given != NULL)
        status = find_names(&who, s->given, a->given, who.n, &a->n_given, err);
    return status;
}

static dpc_status ask(const separation *s, dpc_named_graph **graph, dpc_causal **causal,
                      answer_of *a, dpc_error *err)
{
    dpc_status status = dpc_write_check(&(dpc_output){.fd = STDOUT_FILENO}, 1, &s->graph, 1, err);
    if (status == DPC_OK)
        status = read_causal(s->graph, s->extend, graph, causal, err);
    if (status != DPC_OK)
        return status;
    a->given = dpc_alloc((*graph)->graph.n_nodes, sizeof *a->given);
    a->path = dpc_alloc((*graph)->graph.n_nodes, sizeof *a->path);
    if (a->given == NULL || a->path == NULL)
        return dpc_fail_memory(err, "the answer");
    status = find_all(s, *graph, a, err);
    if (status == DPC_OK)
        status = dpc_separated(*causal, a->x, a->y, a->given, a->n_given, &a->separated, a->path,
                               &a->length, err);
    return status;
}

static int separate(const separation *s)
{
    dpc_named_graph *graph = NULL;
    dpc_causal *causal = NULL;
    answer_of a = {0};
    dpc_error err = {0};
    dpc_status status = ask(s, &graph, &causal, &a, &err);
    if (status == DPC_OK) {
        (s->json ? print_json : print_text)(graph, &a);
        status = (dpc_status)finish_stdout();
    } else {
        fprintf(stderr, "dualpc: %s\n", err.message);
    }
    free(a.given);
    free(a.path);
    dpc_causal_free(causal);
    dpc_named_graph_free(graph);
    return status;
}

command separate_table(void)
{
    separation ignored;
    command c = separate_command(&ignored);
    c.groups[0].into = NULL;
    return c;
}

int separate_main(int argc, char **argv)
{
    separation s, defaults;
    dpc_error err = {0};
    command help = separate_command(&defaults), given = separate_command(&s);
    parsed seen = parse_options(argc, argv, &given, &err);
    if (seen == PARSED_RUN &&
        take_pair_operands(argc, argv, "separate", &s.graph, &s.x, &s.y, &err) != DPC_OK)
        seen = PARSED_WRONG;
    if (seen != PARSED_RUN)
        return answer(seen, &help, &err);
    interrupt_watch();
    return separate(&s);
}

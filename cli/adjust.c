/* dualpc adjust: which variables to adjust for, for the effect of one on another. */
#include "alloc.h"
#include "cli.h"
#include "status.h"
#include "text.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct adjusting {
    const char *graph, *x, *y;
    const char *check; /* names with commas; NULL: nothing to check */
    bool extend, json;
} adjusting;

static const dpc_option_row ROWS[] = {
    {{"check", DPC_OPTION_TEXT, "A,B",
      .sentence = "is this a valid set; if not, the open path or the forbidden node; '' is the "
                  "empty set"},
     DPC_PLACE(TEXT, adjusting, check),
     .absent = "none"},
    {{"extend", DPC_OPTION_FLAG,
      .sentence = "take the nearest valid graph where this is no DAG, CPDAG, MPDAG, MAG or PAG"},
     DPC_PLACE(BOOL, adjusting, extend)},
    {{"json", DPC_OPTION_FLAG, .sentence = "the same as one JSON object"},
     DPC_PLACE(BOOL, adjusting, json)},
};

static command adjust_command(adjusting *a)
{
    *a = (adjusting){0};
    return (command){
        .head = "dualpc adjust GRAPH X Y [options]\n"
                "\n"
                "Which variables to adjust for, so that the regression of Y on X has the total\n"
                "effect of X on Y: the optimal set, the parents of X, a minimal set. Where the\n"
                "graph does not identify the effect, shows the undirected edge in the way. GRAPH\n"
                "is a DAG, a CPDAG, an MPDAG, a MAG or a PAG, in a file as dualpc learn writes\n"
                "it, or - for an edge list on standard input. No set of a MAG or PAG is known to\n"
                "be optimal.\n",
        .tail = "\n"
                "Exit codes: 0 done, whatever the answer, 1 wrong usage, 2 bad input, 3 could not\n"
                "write, 4 out of memory, 130 interrupted.\n",
        .n_groups = 1,
        .groups = {{.rows = ROWS, .count = sizeof ROWS / sizeof *ROWS, .into = a}},
    };
}

enum { N_KINDS = DPC_ADJUST_MINIMAL + 1 };

typedef struct findings {
    const dpc_named_graph *graph;
    bool hidden; /* it is a MAG or a PAG, for which no set is known to be optimal */
    int x, y;
    dpc_identification about;
    int32_t *set[N_KINDS]; /* owned; as its path, all of them have n places */
    int size[N_KINDS];
    bool checked;
    int32_t *checked_set;
    int n_checked;
    dpc_set_check check;
} findings;

static const char *const KIND_WORDS[N_KINDS] = {"optimal", "parents", "minimal"};

/* ---- Sentences ---- */

static void say_node(const findings *f, int node)
{
    int32_t list[] = {node};
    print_set(stdout, f->graph, list, 1);
}

/* In a PAG every possibly causal path may begin with a visible arrow, and still no set be valid. */
static bool no_set_will_do(const findings *f)
{
    return f->about.identified && f->hidden && f->size[DPC_ADJUST_MINIMAL] < 0;
}

static void say_identification(const findings *f)
{
    fputs("the effect of ", stdout);
    say_node(f, f->x);
    fputs(" on ", stdout);
    say_node(f, f->y);
    if (!f->about.possible) {
        fputs(" is 0, for ", stdout);
        say_node(f, f->y);
        fputs(" cannot be a descendant of ", stdout);
        say_node(f, f->x);
    } else if (f->about.identified) {
        fputs(no_set_will_do(f) ? " is not identified by adjustment: no set is valid"
                                : " is identified",
              stdout);
    } else {
        fputs(" is not identified: the edge ", stdout);
        print_path(stdout, f->graph, f->about.path, 2);
        fputs(f->hidden ? " may be due to a hidden common cause" : " has no direction", stdout);
        fputs(", and is on the possibly causal path ", stdout);
        print_path(stdout, f->graph, f->about.path, f->about.length);
    }
    putchar('\n');
}

static void say_sets(const findings *f)
{
    for (int kind = 0; kind < N_KINDS && f->about.identified && !no_set_will_do(f); kind++) {
        if (f->hidden && kind == DPC_ADJUST_OPTIMAL)
            continue;
        printf("%s: ", KIND_WORDS[kind]);
        if (f->size[kind] > 0)
            print_set(stdout, f->graph, f->set[kind], f->size[kind]);
        else
            fputs(f->size[kind] == 0 ? "the empty set" : "none", stdout);
        putchar('\n');
    }
}

static void say_check(const findings *f)
{
    const dpc_set_check *c = &f->check;
    if (!f->checked)
        return;
    if (f->n_checked > 0)
        print_set(stdout, f->graph, f->checked_set, f->n_checked);
    else
        fputs("the empty set", stdout);
    fputs(c->verdict == DPC_SET_VALID ? " is valid" : " is not valid", stdout);
    if (c->verdict == DPC_SET_NOT_IDENTIFIED) {
        fputs(", and nor is any other set", stdout);
    } else if (c->verdict == DPC_SET_OPEN) {
        fputs(": it leaves this path open: ", stdout);
        print_path(stdout, f->graph, c->path, c->length);
    } else if (c->verdict == DPC_SET_FORBIDDEN) {
        fputs(": ", stdout);
        say_node(f, c->node);
        fputs(" is forbidden, for it ", stdout);
        if (c->node != c->through) {
            fputs("may be a descendant of ", stdout);
            say_node(f, c->through);
            fputs(", which ", stdout);
        }
        fputs("may be on a causal path from ", stdout);
        say_node(f, f->x);
        fputs(" to ", stdout);
        say_node(f, f->y);
    }
    putchar('\n');
}

/* ---- JSON ---- */

static void print_json(const findings *f)
{
    char *const *names = f->graph->names;
    fputs("{\"x\": ", stdout);
    dpc_print_json_string(stdout, names[f->x]);
    fputs(", \"y\": ", stdout);
    dpc_print_json_string(stdout, names[f->y]);
    printf(", \"identified\": %s, \"possible\": %s, ",
           f->about.identified && !no_set_will_do(f) ? "true" : "false",
           f->about.possible ? "true" : "false");
    print_json_set(stdout, "edge", f->graph, f->about.path, f->about.length > 0 ? 2 : -1);
    fputs(", ", stdout);
    print_json_path(stdout, f->graph, f->about.path, f->about.length);
    for (int kind = 0; kind < N_KINDS; kind++) {
        fputs(", ", stdout);
        print_json_set(stdout, KIND_WORDS[kind], f->graph, f->set[kind], f->size[kind]);
    }
    if (f->checked) {
        fputs(", \"check\": {", stdout);
        print_json_set(stdout, "set", f->graph, f->checked_set, f->n_checked);
        printf(", \"valid\": %s, \"verdict\": \"%s\", \"forbidden\": ",
               f->check.verdict == DPC_SET_VALID ? "true" : "false",
               dpc_word(DPC_WORD_VERDICT, f->check.verdict));
        if (f->check.node >= 0)
            dpc_print_json_string(stdout, names[f->check.node]);
        else
            fputs("null", stdout);
        fputs(", ", stdout);
        print_json_path(stdout, f->graph, f->check.path, f->check.length);
        putchar('}');
    }
    puts("}");
}

/* ---- The work ---- */

static dpc_status find_all(const adjusting *a, findings *f, dpc_error *err)
{
    const dpc_named_graph *g = f->graph;
    naming who = {(const char *const *)g->names, g->graph.n_nodes, "X", file_name(a->graph),
                  "node"};
    dpc_status status = find_one(&who, a->x, &f->x, err);
    who.option = "Y";
    if (status == DPC_OK)
        status = find_one(&who, a->y, &f->y, err);
    who.option = "--check";
    f->checked = a->check != NULL;
    if (status == DPC_OK && f->checked)
        status = find_names(&who, a->check, f->checked_set, who.n, &f->n_checked, err);
    return status;
}

static dpc_status ask(const adjusting *a, dpc_causal *causal, findings *f, dpc_error *err)
{
    dpc_status status = find_all(a, f, err);
    if (status == DPC_OK)
        status = dpc_identify(causal, f->x, f->y, &f->about, err);
    for (int kind = 0; kind < N_KINDS && status == DPC_OK; kind++)
        status = dpc_adjustment(causal, f->x, f->y, (dpc_adjustment_kind)kind, f->set[kind],
                                &f->size[kind], err);
    if (status == DPC_OK && f->checked)
        status =
            dpc_check_adjustment(causal, f->x, f->y, f->checked_set, f->n_checked, &f->check, err);
    return status;
}

static bool allocate(findings *f, int n)
{
    f->about.path = dpc_alloc(n, sizeof *f->about.path);
    f->check.path = dpc_alloc(n, sizeof *f->check.path);
    f->checked_set = dpc_alloc(n, sizeof *f->checked_set);
    bool fine = f->about.path && f->check.path && f->checked_set;
    for (int kind = 0; kind < N_KINDS; kind++) {
        f->set[kind] = dpc_alloc(n, sizeof *f->set[kind]);
        fine = fine && f->set[kind];
    }
    return fine;
}

static int adjust(const adjusting *a)
{
    dpc_named_graph *graph = NULL;
    dpc_causal *causal = NULL;
    findings f = {0};
    dpc_error err = {0};
    dpc_status status = dpc_write_check(&(dpc_output){.fd = STDOUT_FILENO}, 1, &a->graph, 1, &err);
    if (status == DPC_OK)
        status = read_causal(a->graph, a->extend, &graph, &causal, &err);
    f.graph = graph;
    f.hidden = status == DPC_OK && dpc_causal_about(causal).kind >= DPC_GRAPH_MAG;
    if (status == DPC_OK && !allocate(&f, graph->graph.n_nodes))
        status = dpc_fail_memory(&err, "the answer");
    if (status == DPC_OK)
        status = ask(a, causal, &f, &err);
    if (status == DPC_OK && a->json) {
        print_json(&f);
    } else if (status == DPC_OK) {
        say_identification(&f);
        say_sets(&f);
        say_check(&f);
    }
    if (status == DPC_OK)
        status = (dpc_status)finish_stdout();
    else
        fprintf(stderr, "dualpc: %s\n", err.message);
    for (int kind = 0; kind < N_KINDS; kind++)
        free(f.set[kind]);
    free(f.about.path);
    free(f.check.path);
    free(f.checked_set);
    dpc_causal_free(causal);
    dpc_named_graph_free(graph);
    return status;
}

command adjust_table(void)
{
    adjusting ignored;
    command c = adjust_command(&ignored);
    c.groups[0].into = NULL;
    return c;
}

int adjust_main(int argc, char **argv)
{
    adjusting a, defaults;
    dpc_error err = {0};
    command help = adjust_command(&defaults), given = adjust_command(&a);
    parsed seen = parse_options(argc, argv, &given, &err);
    if (seen == PARSED_RUN &&
        take_pair_operands(argc, argv, "adjust", &a.graph, &a.x, &a.y, &err) != DPC_OK)
        seen = PARSED_WRONG;
    if (seen != PARSED_RUN)
        return answer(seen, &help, &err);
    interrupt_watch();
    return adjust(&a);
}

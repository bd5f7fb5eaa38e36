/* dualpc convert: a graph from one format into another. */
#include "cli.h"
#include "status.h"
#include "text.h"

#include <getopt.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct conversion {
    const char *in, *out;  /* paths, or "-" */
    const char *from, *to; /* words; NULL: by the extension */
    dpc_layout layout;
    bool quiet;
} conversion;

static const dpc_option_row ROWS[] = {
    {{"from", DPC_OPTION_TEXT, "WORD", .sentence = "the format of IN"},
     DPC_PLACE(TEXT, conversion, from),
     .absent = "by its extension; of standard input txt"},
    {{"to", DPC_OPTION_TEXT, "WORD", .sentence = "the format of OUT"},
     DPC_PLACE(TEXT, conversion, to),
     .absent = "by its extension; of standard output txt"},
    {{"layout", DPC_OPTION_WORD, .words = dpc_layout_words,
      .sentence = "of pictures: Graphviz's programs, or by the size"},
     DPC_PLACE(ENUM, conversion, layout)},
    {{"quiet", DPC_OPTION_FLAG, .sentence = "no warnings"}, DPC_PLACE(BOOL, conversion, quiet)},
};

static command convert_command(conversion *c)
{
    *c = (conversion){0};
    return (command){
        .head = "dualpc convert IN OUT [options]\n"
                "\n"
                "Reads a graph from IN and writes it to OUT; - is standard input or output. The\n"
                "extensions choose the formats, also with .gz after that of IN:\n"
                "\n"
                "  .txt            edge list: A --> B, A --- B; a variable without edges alone\n"
                "  .csv .tsv       adjacency matrix\n"
                "  .arcs.csv       table with columns from and to\n"
                "  .dot .gv        Graphviz\n"
                "  .graphml .gml   for igraph, networkx, Gephi, Cytoscape\n"
                "  .sif            for Cytoscape\n"
                "  .json           as dualpc learn writes it\n"
                "  .graph.txt      Tetrad's text; .tetrad.json its JSON\n"
                "  .bnlearn        bnlearn's model string, of DAGs only\n"
                "  .pcalg.csv      pcalg's amat.cpdag; .pag.csv its amat.pag\n"
                "  .dagitty        DAGitty's text\n"
                "  .causallearn.csv  causal-learn's matrix\n"
                "  .node-link.json networkx's and d3's JSON\n"
                "  .svg .png .pdf  picture; .html report: of OUT only\n",
        .tail =
            "\n"
            "Words for --from and --to: txt csv tsv arcs dot graphml gml sif json tetrad\n"
            "tetrad-json bnlearn pcalg pag causallearn node-link dagitty. What a format cannot "
            "say\n"
            "is refused: csv, tsv, arcs, sif, bnlearn and pcalg cannot hold a PAG (A o-> B,\n"
            "A <-> B, A o-o B).\n"
            "\n"
            "Exit codes: 0 done, 1 wrong usage, 2 bad input, 3 could not write, 4 out of memory,\n"
            "130 interrupted.\n",
        .n_groups = 1,
        .groups = {{.rows = ROWS, .count = sizeof ROWS / sizeof *ROWS, .into = c}},
    };
}

static bool is_standard(const char *path)
{
    return strcmp(path, "-") == 0;
}

static dpc_status parse_operands(int argc, char **argv, conversion *c, dpc_error *err)
{
    if (argc - optind != 2)
        return dpc_fail(err, DPC_USAGE,
                        argc - optind > 2 ? "convert takes two files, IN and OUT, not more"
                                          : "convert needs two files, IN and OUT; see dualpc "
                                            "convert --help");
    c->in = argv[optind];
    c->out = argv[optind + 1];
    return DPC_OK;
}

/* The format of an option, or of a path. */
static dpc_status find_format(const char *option, const char *word, const char *path,
                              dpc_format *out, dpc_error *err)
{
    *out = DPC_FORMAT_EDGES;
    if (word == NULL)
        return is_standard(path) ? DPC_OK : dpc_format_of_path(path, out, err);
    dpc_error why;
    if (dpc_format_of_word(word, out, &why) != DPC_OK)
        return dpc_fail(err, DPC_USAGE, "%s: %s", option, why.message);
    return DPC_OK;
}

/* A table of arcs has only nodes with edges. */
static void warn_of_lost_nodes(const conversion *c, const dpc_named_graph *g, dpc_format format)
{
    char clipped[DPC_CLIP_SIZE];
    int64_t lost = 0, first = 0;
    bool arcs = format == DPC_FORMAT_ARCS && !c->quiet;
    bool *joined = arcs ? calloc((size_t)g->graph.n_nodes + 1, sizeof *joined) : NULL;
    for (int64_t e = 0; joined != NULL && e < g->graph.n_edges; e++)
        joined[g->graph.edges[e].a] = joined[g->graph.edges[e].b] = true;
    for (int64_t v = g->graph.n_nodes - 1; joined != NULL && v >= 0; v--) {
        lost += !joined[v];
        first = joined[v] ? first : v;
    }
    free(joined);
    if (lost > 0)
        fprintf(stderr,
                "dualpc: warning: %lld node%s without an edge, such as '%s', %s not in %s; a table "
                "of arcs has edges only\n",
                (long long)lost, dpc_plural(lost), dpc_clip_name(g->names[first], clipped),
                lost == 1 ? "is" : "are", is_standard(c->out) ? "standard output" : c->out);
}

static dpc_status write_graph(const conversion *c, const dpc_named_graph *g, dpc_output *output,
                              dpc_error *err)
{
    dpc_report report = {
        .size = sizeof report, .names = (const char *const *)g->names, .graph = &g->graph};
    look_request ask = {.layout = c->layout, .title = c->in, .quiet = c->quiet};
    dpc_status status = looks_make(&ask, &report, output, 1, err);
    interrupt_defer(true);
    if (status == DPC_OK)
        status = dpc_write(&report, output, 1, err);
    interrupt_defer(false);
    looks_clear(output, 1);
    return status;
}

static dpc_status convert(const conversion *c, dpc_error *err)
{
    dpc_format from;
    dpc_named_graph *graph = NULL;
    dpc_output output = {.path = is_standard(c->out) ? NULL : c->out, .fd = STDOUT_FILENO};
    dpc_status status = find_format("--to", c->to, c->out, &output.format, err);
    if (status == DPC_OK && c->from != NULL)
        status = find_format("--from", c->from, c->in, &from, err);
    if (status == DPC_OK)
        status = dpc_write_check(&output, 1, &c->in, 1, err);
    if (status == DPC_OK)
        status = c->from != NULL ? dpc_graph_read_as(c->in, from, &graph, err)
                                 : dpc_graph_read(c->in, &graph, err);
    if (status == DPC_OK)
        status = write_graph(c, graph, &output, err);
    if (status == DPC_OK)
        warn_of_lost_nodes(c, graph, output.format);
    dpc_named_graph_free(graph);
    return status;
}

command convert_table(void)
{
    conversion ignored;
    command c = convert_command(&ignored);
    c.groups[0].into = NULL;
    return c;
}

int convert_main(int argc, char **argv)
{
    conversion c, defaults;
    dpc_error err = {0};
    command given = convert_command(&c), help = convert_command(&defaults);
    parsed seen = parse_options(argc, argv, &given, &err);
    if (seen == PARSED_RUN && parse_operands(argc, argv, &c, &err) != DPC_OK)
        seen = PARSED_WRONG;
    if (seen != PARSED_RUN)
        return answer(seen, &help, &err);
    interrupt_watch();
    dpc_status status = convert(&c, &err);
    if (status != DPC_OK && !(is_standard(c.out) && is_closed_pipe(status)))
        fprintf(stderr, "dualpc: %s\n", err.message);
    return status;
}

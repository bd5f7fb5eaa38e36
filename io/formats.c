/* The table of the formats: see formats.h. */
#include "formats.h"

#include "place.h"
#include "status.h"
#include "write.h"

#include <string.h>
#include <strings.h>

/* In the order of dpc_format. */
static const dpc_format_row ROWS[] = {
    [DPC_FORMAT_AUTO] = {0},
    [DPC_FORMAT_EDGES] = {"txt", "", "edge list", dpc_parse_edges, true, true, dpc_print_edges},
    [DPC_FORMAT_ADJACENCY] = {"csv", "", "adjacency matrix", dpc_parse_table, false, false,
                              dpc_print_adjacency},
    [DPC_FORMAT_DOT] = {"dot", ".gv ", "Graphviz", dpc_parse_dot, false, true, dpc_print_dot},
    [DPC_FORMAT_JSON] = {"json", "", "all of it as JSON", dpc_parse_json, false, true, NULL},
    [DPC_FORMAT_TSV] = {"tsv", "", "adjacency matrix with tabs", dpc_parse_table, false, false,
                        dpc_print_tsv},
    [DPC_FORMAT_GRAPHML] = {"graphml", ".graphml.xml ", "GraphML", dpc_parse_graphml, false, true,
                            dpc_print_graphml},
    [DPC_FORMAT_GML] = {"gml", "", "GML", dpc_parse_gml, false, true, dpc_print_gml},
    [DPC_FORMAT_SIF] = {"sif", "", "Cytoscape's SIF", dpc_parse_sif, true, false, dpc_print_sif},
    [DPC_FORMAT_TETRAD] = {"tetrad", ".graph.txt .tetrad.txt ", "Tetrad's text", dpc_parse_tetrad,
                           false, true, dpc_print_tetrad},
    [DPC_FORMAT_TETRAD_JSON] = {"tetrad-json", ".tetrad.json .graph.json ", "Tetrad's JSON",
                                dpc_parse_json, false, true, dpc_print_tetrad_json},
    [DPC_FORMAT_BNLEARN] = {"bnlearn", ".bnlearn.txt ", "bnlearn's model string", dpc_parse_model,
                            false, false, dpc_print_model},
    [DPC_FORMAT_ARCS] = {"arcs", ".arcs.csv ", "table of arcs", dpc_parse_arcs, false, false,
                         dpc_print_arcs},
    [DPC_FORMAT_PCALG] = {"pcalg", ".pcalg.csv ", "pcalg's amat.cpdag", dpc_parse_pcalg, false,
                          false, dpc_print_pcalg},
    [DPC_FORMAT_CAUSALLEARN] = {"causallearn", ".causallearn.csv .causallearn.txt ",
                                "causal-learn's matrix", dpc_parse_causallearn, false, true,
                                dpc_print_causallearn},
    [DPC_FORMAT_NODE_LINK] = {"node-link", ".node-link.json .nodelink.json .nodelink ",
                              "networkx's node-link JSON", dpc_parse_json, false, true,
                              dpc_print_node_link},
    [DPC_FORMAT_PAG] = {"pag", ".pag.csv ", "pcalg's amat.pag", dpc_parse_pag, false, true,
                        dpc_print_pag},
    [DPC_FORMAT_DAGITTY] = {"dagitty", ".dagitty.txt ", "DAGitty's text", dpc_parse_dagitty, false,
                            true, dpc_print_dagitty},
    [DPC_FORMAT_SVG] = {"svg", "", "picture", NULL, false, true, NULL},
    [DPC_FORMAT_PNG] = {"png", "", "picture", NULL, false, true, NULL},
    [DPC_FORMAT_PDF] = {"pdf", "", "picture", NULL, false, true, NULL},
    [DPC_FORMAT_HTML] = {"html", ".htm ", "report", NULL, false, true, NULL},
};

enum { N_ROWS = sizeof ROWS / sizeof *ROWS };

const dpc_format_row *dpc_format_find(dpc_format format)
{
    return dpc_format_word(format) != NULL ? &ROWS[format] : NULL;
}

const char *dpc_format_word(dpc_format format)
{
    return (unsigned)format < N_ROWS ? ROWS[format].word : NULL;
}

bool dpc_format_is_read(dpc_format format)
{
    return (unsigned)format < N_ROWS && ROWS[format].parse != NULL;
}

bool dpc_format_is_made(dpc_format format)
{
    return dpc_format_word(format) != NULL && ROWS[format].print == NULL &&
           format != DPC_FORMAT_JSON;
}

/* ---- From words and paths ---- */

void dpc_format_words(char words[DPC_MESSAGE_SIZE], bool of_pags)
{
    size_t used = 0;
    words[0] = '\0';
    for (int i = 0; i < N_ROWS; i++)
        if (ROWS[i].word != NULL && (!of_pags || (ROWS[i].says_pags && ROWS[i].parse != NULL)))
            used += (size_t)snprintf(words + used, DPC_MESSAGE_SIZE - used, "%s%s",
                                     used > 0 ? ", " : "", ROWS[i].word);
}

static dpc_status unknown_format(const char *name, dpc_error *err)
{
    char words[DPC_MESSAGE_SIZE];
    dpc_format_words(words, false);
    return dpc_fail(err, DPC_USAGE, "'%.200s' does not say which format it has; there are %s", name,
                    words);
}

dpc_status dpc_format_of_word(const char *word, dpc_format *out, dpc_error *err)
{
    for (int i = 0; i < N_ROWS; i++)
        if (ROWS[i].word != NULL && strcmp(word, ROWS[i].word) == 0) {
            *out = (dpc_format)i;
            return DPC_OK;
        }
    return unknown_format(word, err);
}

/* Does the name end so? The extension has `length` bytes, its point included. */
static bool ends_so(const char *name, const char *extension, size_t length)
{
    size_t whole = strlen(name);
    return whole >= length && strncasecmp(name + whole - length, extension, length) == 0;
}

/* The length of the longest extension of the row that the name ends with; 0: none. */
static size_t longest_of(const dpc_format_row *row, const char *name)
{
    char own[32];
    size_t length = (size_t)snprintf(own, sizeof own, ".%s", row->word);
    size_t longest = ends_so(name, own, length) ? length : 0;
    for (const char *p = row->extensions; *p != '\0'; p += length + 1) {
        length = strcspn(p, " ");
        if (length > longest && ends_so(name, p, length))
            longest = length;
    }
    return longest;
}

dpc_status dpc_format_of_path(const char *path, dpc_format *out, dpc_error *err)
{
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    size_t longest = 0;
    dpc_format found = DPC_FORMAT_EDGES;
    for (int i = 0; i < N_ROWS; i++) {
        size_t length = ROWS[i].word != NULL ? longest_of(&ROWS[i], name) : 0;
        if (length > longest) {
            longest = length;
            found = (dpc_format)i;
        }
    }
    if (strcasecmp(name, "pag.csv") == 0) /* its name is its extension */
        found = DPC_FORMAT_PAG;
    if (longest == 0 && !dpc_is_device(path))
        return unknown_format(path, err);
    *out = found;
    return DPC_OK;
}

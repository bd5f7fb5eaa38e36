/*
 * dualpc: files and texts. Reading tables, matrices, background knowledge and graphs, and writing
 * what was learned, to files or into memory. The rules are those of dualpc.h, which has all that
 * needs no files.
 *
 *     dpc_table_read ── dpc_learn_table ──┬── dpc_write          files, all or none
 *                                         └── dpc_write_string   a text in memory
 *
 * Numbers are read and written with a decimal point, whatever the locale.
 */
#ifndef DUALPC_IO_H
#define DUALPC_IO_H

#include "dualpc_sample.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Reading tables and matrices --------------------------------------- */

/* How to read a file. Only `size` is needed; all else is 0 or NULL where nothing is special. */
typedef struct dpc_read_options {
    size_t size;         /* sizeof(dpc_read_options), so that the library knows its fields */
    dpc_missing missing; /* what a missing cell does */
    bool matrix;         /* n × n correlations or covariances, with a header of names or without */
    bool no_header;      /* the first line is a row; the columns are called V1, V2, … */
    bool transpose;      /* each line is a variable, and begins with its name */
    /*
     * Cells that are missing, besides empty ones and NaN: lists of words with commas between them,
     * capitals or not; a number means all cells of that value. NULL: NA, N/A, ., ?, *, null, None
     * and #N/A.
     */
    const char *const *na;
    int n_na;
    /*
     * Which columns to keep (NULL: all), and which of these to leave out: lists, with commas
     * between, of names, of numbers from 1 on, of ranges such as 3-7, and of patterns such as
     * gene*. What fits nothing is DPC_USAGE. A name in double quotes may hold commas.
     */
    const char *const *keep, *const *drop;
    int n_keep, n_drop;
    bool drop_text; /* columns that have text and no numbers are left out */
    /*
     * The kinds of columns, beyond what their cells say: lists, with commas between, of name=kind,
     * where the kind is number, ordered, nominal or zero, and of name=block(a,b,c), which makes one
     * variable of several columns. Columns are called as in `keep`. What has no = is the path of a
     * file with one `name,kind` a line. Of two entries for a column the later counts. Without an
     * entry a column that has text is nominal (docs/data.md has the rules), any other has numbers.
     */
    const char *const *types;
    int n_types;
    int max_levels; /* columns of whole numbers with 2 to so many different ones are nominal */
    int merge_rare; /* levels of nominal columns with fewer rows become one level, "other" */
} dpc_read_options;

/*
 * Reads a table, or a matrix, from `path`, or from standard input where `path` is "-". Tables are
 * CSV or TSV with a header, and their many relatives; gzip is recognised, and so are the covariance
 * files of Tetrad, which hold the number of observations. What is noticed on the way (how the file
 * was taken apart, text among numbers, missing cells, ragged rows, bad names, …) is added to
 * `audit`; where that includes an error the function returns DPC_BAD_INPUT. Of `settings` (may be
 * NULL) only threads and progress are used.
 *
 * *samples (may be NULL) becomes 0 for a table. For a matrix it becomes the number of observations
 * that the file tells, or -1 where it tells none; `options` may be NULL, and a file of Tetrad is a
 * matrix whatever they say.
 */
DPC_API dpc_status dpc_data_read(const char *path, const dpc_read_options *options,
                                 const dpc_settings *settings, dpc_audit *audit, dpc_table **out,
                                 int64_t *samples, dpc_error *err);

/* dpc_data_read of a table. */
DPC_API dpc_status dpc_table_read(const char *path, dpc_missing missing,
                                  const dpc_settings *settings, dpc_audit *audit, dpc_table **out,
                                  dpc_error *err);

/* ---- Reading knowledge and graphs --------------------------------------- */

/*
 * Reads knowledge about variables with these names from a file, as Tetrad writes it or as JSON
 * (docs/dualpc.1 has both). Messages quote the line.
 */
DPC_API dpc_status dpc_knowledge_read(const char *path, const char *const *names, int n_vars,
                                      dpc_knowledge **out, dpc_error *err);
/* The same from a text in memory; messages call it `source`. */
DPC_API dpc_status dpc_knowledge_parse(const char *text, const char *source,
                                       const char *const *names, int n_vars, dpc_knowledge **out,
                                       dpc_error *err);

/* ---- Formats ------------------------------------------------------------ */

/*
 * docs/formats.md has each of them. Where it is not said otherwise a graph can be written in it and
 * read from it. What a format cannot say is refused with DPC_BAD_INPUT, never guessed.
 */
typedef enum dpc_format {
    DPC_FORMAT_AUTO,      /* the one that the extension of the path says */
    DPC_FORMAT_EDGES,     /* txt: `A --> B`, `A --- B`, `A o-> B` …, one a line, sorted; then the
                             variables without edges, each alone on its line */
    DPC_FORMAT_ADJACENCY, /* csv: header of names, n rows of 0/1; row i, column j is i → j */
    DPC_FORMAT_DOT,       /* dot: Graphviz */
    DPC_FORMAT_JSON,      /* json: settings, graph, counts, separating sets where asked for */
    DPC_FORMAT_TSV,       /* tsv: as csv, with tabs */
    DPC_FORMAT_GRAPHML,   /* graphml: XML, for igraph, networkx, Gephi, Cytoscape */
    DPC_FORMAT_GML,       /* gml */
    DPC_FORMAT_SIF,       /* sif: Cytoscape's lines of node, relation, node */
    DPC_FORMAT_TETRAD,    /* tetrad: Tetrad's text, "Graph Nodes:" and "Graph Edges:" */
    DPC_FORMAT_TETRAD_JSON, /* tetrad-json */
    DPC_FORMAT_BNLEARN,     /* bnlearn: a model string, [A][B|A]; of DAGs only */
    DPC_FORMAT_ARCS,        /* arcs: a table `from,to`; an undirected edge is there both ways */
    DPC_FORMAT_PCALG,       /* pcalg: amat.cpdag; row i, column j is j → i */
    DPC_FORMAT_CAUSALLEARN, /* causallearn: at the node of the row -1 tail, 1 arrow, 2 circle */
    DPC_FORMAT_NODE_LINK,   /* node-link: the JSON of networkx and d3 */
    DPC_FORMAT_PAG,         /* pag: amat.pag; row i, column j is the dpc_end at j, as a number */
    DPC_FORMAT_DAGITTY,     /* dagitty: dag { A -> B }, pdag { A -- B }, pag { A @-> B } */
    DPC_FORMAT_SVG, /* svg, png, pdf: pictures, and html: a report; the library knows these */
    DPC_FORMAT_PNG, /* words, but has to be given the bytes: see dpc_output */
    DPC_FORMAT_PDF,
    DPC_FORMAT_HTML,
} dpc_format;

/* The word of a format, such as "csv"; NULL: there is no such format, or it has no word. */
DPC_API const char *dpc_format_word(dpc_format format);
/* Is it one that has to be made outside of the library? */
DPC_API bool dpc_format_is_made(dpc_format format);
/* The format of a word such as "csv", or of the extension of a path such as "graph.csv". */
DPC_API dpc_status dpc_format_of_word(const char *word, dpc_format *out, dpc_error *err);
/* A device or a pipe without an extension gets the edge list. */
DPC_API dpc_status dpc_format_of_path(const char *path, dpc_format *out, dpc_error *err);

/*
 * Reads a graph; the extension says in which format, with or without .gz after it. Standard input
 * ("-"), and a device or a pipe without an extension, is an edge list. Free with
 * dpc_named_graph_free.
 */
DPC_API dpc_status dpc_graph_read(const char *path, dpc_named_graph **out, dpc_error *err);
/* The same in a format that the caller knows. */
DPC_API dpc_status dpc_graph_read_as(const char *path, dpc_format format, dpc_named_graph **out,
                                     dpc_error *err);

/* ---- Writing ------------------------------------------------------------ */

/*
 * All that is known of a graph, for writers to choose from; nothing of it is owned. Only `size`,
 * `names` and one of `result` and `graph` are needed; what is not known is 0 or NULL. JSON has the
 * settings, the counts and N of a graph that was learned: where `result` is there.
 */
typedef struct dpc_report {
    size_t size; /* sizeof(dpc_report), so that the library knows which fields it has */
    const char *const *names;             /* of the variables, such as those of a table */
    const dpc_result *result;             /* what was learned; NULL: only a graph is known */
    const dpc_graph *graph;               /* what to write as the graph; NULL: that of the result */
    const dpc_graph *dag;                 /* from dpc_class_member */
    const dpc_graph *truth;               /* another graph over the same nodes, to differ from */
    bool separating_sets;                 /* JSON: write them, of the graph of the result */
    const dpc_audit *audit;               /* JSON: warnings */
    const int64_t *missing;               /* JSON: as dpc_table_info has them */
    dpc_explanation *const *explanations; /* JSON; from dpc_explain */
    int n_explanations;
    const dpc_frequencies *frequencies; /* JSON, DOT */
    double min_frequency;    /* JSON: `graph` is the consensus of these edges; 0: it is not */
    const dpc_goodness *fit; /* JSON; from dpc_fit */
    const dpc_edge_table *edge_table; /* from dpc_tabulate_edges */
    const dpc_effect_table *effects;  /* from dpc_effects */
    const double *seconds; /* JSON: by dpc_stage, DPC_N_STAGES of them; NULL: those of the result */
    dpc_progress_fn progress;           /* asked whether to stop */
    void *progress_user;                /* passed to `progress` */
    const dpc_node_table *node_table;   /* JSON; from dpc_tabulate_nodes */
    const dpc_assumptions *assumptions; /* JSON, the verdict; from dpc_check_assumptions */
    const dpc_advice *advice;           /* likewise; from dpc_advise */
    /* JSON, node table, effects: where some are no plain numbers, the kinds of the variables and
     * the names of their levels; the values are not needed. */
    const dpc_table *table;
    /* JSON, DOT, edge table: how probable the edges are. JSON is about it where there is no result,
     * and otherwise has it as a member. The warnings are made of it: `audit` need not have them. */
    const dpc_posterior *posterior;
    double min_probability; /* JSON: `graph` has the edges that are as probable; 0: it has others */
    const dpc_settings *settings; /* JSON: of a posterior without a result; NULL: not known */
} dpc_report;

/* What of a report goes into a file. */
typedef enum dpc_content {
    DPC_CONTENT_GRAPH,
    DPC_CONTENT_DAG,         /* as the graph would be written */
    DPC_CONTENT_FREQUENCIES, /* a table, CSV */
    DPC_CONTENT_EDGE_TABLE,  /* likewise */
    DPC_CONTENT_EFFECTS,     /* .csv, a row for each effect; .json, an object for each pair; .txt */
    /* The pairs that graph and truth mark differently: a table `a,b,estimate,truth`, with the marks
     * -->, <--, ---, those of PAGs and none, seen from a. */
    DPC_CONTENT_DIFFERENCES,
    DPC_CONTENT_NODE_TABLE, /* a table, CSV */
    /* A few plain lines: what was found, whether it fits (`fit`), how far directions can be
     * trusted, what the data are like (`assumptions`), what to try next (`advice`). */
    DPC_CONTENT_VERDICT,
    /* The edge list, and behind it, as comments, the table of frequencies. */
    DPC_CONTENT_GRAPH_AND_FREQUENCIES,
    /* Of the posterior: a table of all pairs with an edge or a path in a draw, CSV
     * `a,b,forward,backward,edge,ancestor,descendant,se`; … */
    DPC_CONTENT_PROBABILITIES,
    /* … for people, the edges with a probability of at least .1, and the effects; … */
    DPC_CONTENT_PROBABLE_EDGES,
    /* … all draws, a JSON object a line: chain, draw, score, edges; … */
    DPC_CONTENT_DRAWS,
    /* … the effects, CSV `cause,outcome,mean,sd,low,high,nonzero`. */
    DPC_CONTENT_POSTERIOR_EFFECTS,
} dpc_content;

/* One file, or something like it. Zeros are the usual: {.path = "graph.json"}. */
typedef struct dpc_output {
    const char *path; /* NULL: to `fd`, which stays open and is called standard output */
    int fd;
    dpc_format format; /* DPC_FORMAT_AUTO: by the path, and for `fd` an edge list */
    dpc_content what;
    /* Where it is not NULL: bytes that the caller has made, a picture say, written as they are. */
    const void *bytes;
    size_t n_bytes;
} dpc_output;

/*
 * Can these be written, as far as can be told before the work, whatever is in them? DPC_USAGE where
 * one of them is, by whatever name, the same file as another or as one of `inputs` ("-": standard
 * input). Nothing is touched.
 */
DPC_API dpc_status dpc_write_check(const dpc_output *outputs, int count, const char *const *inputs,
                                   int n_inputs, dpc_error *err);

/* Can a PAG be written there? DPC_BAD_INPUT where a format cannot hold one, as dpc_write would say
 * after the work. */
DPC_API dpc_status dpc_write_check_pag(const dpc_output *outputs, int count, dpc_error *err);

/*
 * Writes all of them. A path that is a device or a pipe is written to directly; what they and open
 * descriptors have taken cannot be taken back. Of the files all or none appear, each of them whole:
 *
 *  - All of them are complete and on disk, under names of the form .dualpc-….part in the same
 *    folders, before the first gets its own name. What fails until then, or is called off, touches
 *    none.
 *  - Where one cannot get its name then, those before it are replaced again by what was there,
 *    unless the file system has no hard links.
 *  - A process that is killed in the middle of the renaming leaves some files new and others old,
 *    but each of them whole. The next call that writes to the folder removes the rest.
 *
 * Files that are the same, by whatever names, are refused with DPC_USAGE.
 */
DPC_API dpc_status dpc_write(const dpc_report *report, const dpc_output *outputs, int count,
                             dpc_error *err);

/*
 * The bytes that dpc_write would write, as a text that ends with a NUL; *length (may be NULL)
 * becomes its length without that. Free with dpc_string_free.
 */
DPC_API dpc_status dpc_write_string(const dpc_report *report, dpc_content what, dpc_format format,
                                    char **out, size_t *length, dpc_error *err);
DPC_API void dpc_string_free(char *text);

/*
 * What dpc_explain has found out, in plain sentences, a line break behind each; `names` are those
 * of the variables of the result. Length and freeing as in dpc_write_string.
 */
DPC_API dpc_status dpc_explanation_string(const dpc_result *result, const char *const *names,
                                          const dpc_explanation *explanation, char **out,
                                          size_t *length, dpc_error *err);

/*
 * Adds to the audit what should be known before a posterior is believed, in plain sentences: chains
 * that disagree, too few draws, possible parents that were left out, and the like. Each names what
 * and where, and what to do. `names` are those of the variables.
 */
DPC_API dpc_status dpc_posterior_warnings(const dpc_posterior *posterior, const char *const *names,
                                          dpc_audit *audit, dpc_error *err);

/*
 * How the graph of a report was learned, with the settings that matter and what to cite: a
 * paragraph for the methods section of a paper, an empty line, the word References, and a line for
 * each work. Plain text in English. DPC_USAGE where the report has no result. Length and freeing as
 * in dpc_write_string.
 */
DPC_API dpc_status dpc_methods_string(const dpc_report *report, char **out, size_t *length,
                                      dpc_error *err);

#ifdef __cplusplus
}
#endif
#endif

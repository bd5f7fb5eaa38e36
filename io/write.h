/* The writers from inside: what dpc_printing prints graphs and tables with. */
#ifndef DPC_WRITE_H
#define DPC_WRITE_H

#include "crew.h"
#include "graph.h"
#include "output.h"
#include "text.h"

/* For dpc_printing: `what` is a dpc_report that has a graph, `format` a dpc_format. */
dpc_status dpc_print_report(FILE *file, const dpc_printing *output, dpc_error *err);
/* `start`: when the writing began, by dpc_seconds. */
dpc_status dpc_print_json(FILE *file, const dpc_report *report, double start, dpc_error *err);

/* One format each, as the table of formats.c has them. */
dpc_status dpc_print_edges(FILE *file, const dpc_report *report, dpc_error *err);
dpc_status dpc_print_sif(FILE *file, const dpc_report *report, dpc_error *err);
dpc_status dpc_print_tetrad(FILE *file, const dpc_report *report, dpc_error *err);
dpc_status dpc_print_model(FILE *file, const dpc_report *report, dpc_error *err);
dpc_status dpc_print_arcs(FILE *file, const dpc_report *report, dpc_error *err);
dpc_status dpc_print_adjacency(FILE *file, const dpc_report *report, dpc_error *err);
dpc_status dpc_print_tsv(FILE *file, const dpc_report *report, dpc_error *err);
dpc_status dpc_print_pag(FILE *file, const dpc_report *report, dpc_error *err);
dpc_status dpc_print_pcalg(FILE *file, const dpc_report *report, dpc_error *err);
dpc_status dpc_print_causallearn(FILE *file, const dpc_report *report, dpc_error *err);
dpc_status dpc_print_dot(FILE *file, const dpc_report *report, dpc_error *err);
dpc_status dpc_print_dagitty(FILE *file, const dpc_report *report, dpc_error *err);
dpc_status dpc_print_graphml(FILE *file, const dpc_report *report, dpc_error *err);
dpc_status dpc_print_gml(FILE *file, const dpc_report *report, dpc_error *err);
dpc_status dpc_print_tetrad_json(FILE *file, const dpc_report *report, dpc_error *err);
dpc_status dpc_print_node_link(FILE *file, const dpc_report *report, dpc_error *err);

/* Numbers (null where not finite); strings are in text.h. */
void dpc_print_json_number(FILE *file, double value);
/* A number under a name, behind other members of an object. */
void dpc_print_json_value(FILE *file, const char *name, double value);

/* The same of a test of several columns: its F and what belongs to it; NULL: nothing. */
void dpc_print_json_f(FILE *file, const dpc_f_test *f);

/* Do the tests differ in their N, so that it is told with each? */
static inline bool dpc_has_own_n(const dpc_result *result)
{
    return dpc_correlation_about(dpc_result_info(result)->correlation).rows != NULL;
}
/* A list of names: of these members, or where `members` is NULL the first `count`. */
void dpc_print_json_names(FILE *file, const char *before, const char *const *names,
                          const int32_t *members, int count);

/*
 * Members of the object: the separating sets, each written out where there are at most `whole`
 * variables, large ones by reference otherwise; the explanations.
 */
enum { DPC_SETS_WHOLE = 200 };
dpc_status dpc_print_json_sets(FILE *file, const dpc_report *report, int whole, dpc_error *err);
dpc_status dpc_print_json_explanations(FILE *file, const dpc_report *report, dpc_error *err);
/* The frequencies of a report: as a table; as a member of a JSON object; as attributes of an edge.
 */
dpc_status dpc_print_frequencies(FILE *file, const dpc_report *report, dpc_error *err);
dpc_status dpc_print_edges_and_frequencies(FILE *file, const dpc_report *report, dpc_error *err);
void dpc_print_json_frequencies(FILE *file, const dpc_report *report);
void dpc_print_dot_frequency(FILE *file, const dpc_report *report, const dpc_edge *edge);

/* The posterior of a report: its tables and draws, … */
dpc_status dpc_print_probabilities(FILE *file, const dpc_report *report, dpc_error *err);
dpc_status dpc_print_probable_edges(FILE *file, const dpc_report *report, dpc_error *err);
dpc_status dpc_print_draws(FILE *file, const dpc_report *report, dpc_error *err);
dpc_status dpc_print_posterior_effects(FILE *file, const dpc_report *report, dpc_error *err);
/* … all of it as members of a JSON object, and the settings, … */
dpc_status dpc_print_json_posterior(FILE *file, const dpc_report *report, dpc_error *err);
void dpc_print_json_sampling(FILE *file, const dpc_report *report);
/* … and what it says of an edge: numbers, cells of a CSV, members of JSON, attributes of DOT. */
typedef struct dpc_edge_probability {
    double edge, forward, backward; /* at all, as given, and the other way round */
} dpc_edge_probability;
dpc_edge_probability dpc_report_probability(const dpc_report *report, int from, int to);
void dpc_print_probability_cells(FILE *file, const dpc_report *report, int from, int to);
void dpc_print_json_probability(FILE *file, const dpc_report *report, const dpc_edge *edge);
void dpc_print_dot_probability(FILE *file, const dpc_report *report, const dpc_edge *edge);

/* The arrows of a DAG as a JSON list of pairs of names. */
void dpc_print_json_arrows(FILE *file, const char *const *names, const dpc_graph *dag);

/* Fewer draws of a chain have no R-hat. */
enum { DPC_JUDGED_DRAWS = 4 };

/* The number of edges of the draws, with the middle 95 % of them. */
typedef struct dpc_edge_count {
    double mean;
    int low, high;
} dpc_edge_count;
dpc_status dpc_count_edges(const dpc_posterior *posterior, dpc_edge_count *out, dpc_error *err);

/* Text in columns: how many characters it has, and the text with blanks behind it, two more than
 * fill `width`. */
int dpc_text_width(const char *text);
void dpc_print_padded(FILE *file, const char *text, int width);

/*
 * The report that writers see: all fields of today, those that the caller's program does not know
 * of being 0, and a graph.
 */
dpc_status dpc_take_report(const dpc_report *given, dpc_report *out, dpc_error *err);

/* The edge table of a report; its node table, and that and its fit as members of a JSON object. */
dpc_status dpc_print_edge_table(FILE *file, const dpc_report *report, dpc_error *err);
dpc_status dpc_print_node_table(FILE *file, const dpc_report *report, dpc_error *err);
void dpc_print_json_variables(FILE *file, const dpc_report *report);

/* The name of a level of a variable; its number, into `number`, where the report has no table. */
enum { DPC_LEVEL_SIZE = 16 };
const char *dpc_level_name(const dpc_report *report, int variable, int level, char *number);
void dpc_print_json_nodes(FILE *file, const dpc_report *report);
void dpc_print_json_fit(FILE *file, const dpc_report *report);

/* What refinement has done, as a member of a JSON object. */
void dpc_print_json_refinement(FILE *file, const dpc_report *report);
void dpc_print_json_hidden(FILE *file, const dpc_report *report);
/* For dpc_printing: `what` is a dpc_report, `format` CSV (adjacency), JSON or text. */
dpc_status dpc_print_effects(FILE *file, const dpc_printing *output, dpc_error *err);
dpc_status dpc_print_effects_text(FILE *file, const dpc_report *report, dpc_error *err);

/* How a table is written. */
enum {
    DPC_TABLE_CSV = 0,
    DPC_TABLE_TSV = 1,
    DPC_TABLE_GZIP = 2, /* beside one of the above */
};

/* By the extension: .csv, .tsv, .csv.gz or .tsv.gz. A device or a pipe without one gets CSV. */
dpc_status dpc_table_format_of_path(const char *path, int *out, dpc_error *err);

/*
 * For dpc_printing: `what` is a dpc_table, `format` as above. A header of names, a row for each
 * observation, numbers as dpc_number_print writes them, NA for a missing one.
 */
dpc_status dpc_print_table(FILE *file, const dpc_printing *output, dpc_error *err);

/* A table of which some columns are the numbers of levels, from 0 on. */
typedef struct dpc_levels_table {
    const dpc_table *table;
    const char *const *const *levels; /* by column: their names, or NULL; NULL: all are numbers */
} dpc_levels_table;

/* The same of a dpc_levels_table, with the names of the levels. */
dpc_status dpc_print_levels_table(FILE *file, const dpc_printing *output, dpc_error *err);

/* Where the graph of a report differs from its truth, as a table. */
dpc_status dpc_print_differences(FILE *file, const dpc_report *report, dpc_error *err);

/* Can a graph be read from it? */
bool dpc_format_is_read(dpc_format format);

/* Refuses a graph without nodes, for a format that would have no text for it. */
dpc_status dpc_needs_nodes(const dpc_report *report, const char *what, dpc_error *err);

/* The evidence of an arrow of the graph, as by dpc_evidence; NaN: unknown, as in a consensus. */
double dpc_report_evidence(const dpc_report *report, const dpc_edge *edge);

/* A CSV field, in quotes where it needs them; and always in quotes, as R's write.csv has names. */
void dpc_print_field(FILE *file, const char *text);
void dpc_print_quoted(FILE *file, const char *text);

/* Which nodes have an edge: one for each. Owned by the caller; NULL: no memory. */
bool *dpc_find_joined(const dpc_graph *graph);

/* Is there an edge that is more than a line, or none at all? Others know graphs of one kind only.
 */
bool dpc_has_arrows(const dpc_graph *graph);

/* DPC_BAD_INPUT: such a name cannot be said in the format. */
dpc_status dpc_refuse_name(const char *format, const char *name, const char *why, dpc_error *err);

/* {"from": …, "to": …, "mark": … of an edge under these keys, without the } behind it. */
void dpc_print_json_edge(FILE *file, const dpc_report *report, int64_t e, const char *from,
                         const char *to);

/* Settings that say no more than whom to ask. */
dpc_settings dpc_report_asks(const dpc_report *report);

/* Is the graph a PAG: does a mark say so, or the way in which it was learned? */
bool dpc_report_is_pag(const dpc_report *report);

/* Asks the progress callback now and then whether to stop. */
bool dpc_write_stopped(dpc_crew *crew, double fraction);

#endif

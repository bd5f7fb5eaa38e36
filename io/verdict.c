/* The verdict as numbers and as lines: see verdict.h. */
#include "verdict.h"

#include "correlation.h"
#include "settings.h"

#include <math.h>
#include <stdlib.h>

enum { NAMED = 4, CLOSE_CALLS = 5 };
static const double STRONG = 3;

/* ---- The numbers ---- */

static void count_arrow(const dpc_report *report, const dpc_edge *edge, dpc_verdict_counts *v)
{
    double evidence = report->result != NULL ? dpc_report_evidence(report, edge) : NAN;
    v->directed++;
    if (isnan(evidence))
        v->unrated++;
    else if (isinf(evidence))
        v->known++;
    else if (evidence >= STRONG)
        v->strong++;
    else if (evidence >= 0)
        v->weak++;
    else
        v->against++;
    if (report->frequencies != NULL)
        v->doubtful += dpc_is_doubtful(report->frequencies, edge->a, edge->b, edge->mark);
}

/*
 * One contradiction more or less never decides: a few are made by chance where few are expected.
 * But one that no chance makes, over all that were tested, is a fault of the graph.
 */
static dpc_fit_word fit_of(const dpc_verdict_counts *v, const dpc_goodness *fit)
{
    const double never = 0.001;
    double exceed = (double)v->exceed;
    if (v->tested == 0)
        return DPC_FIT_UNKNOWN;
    bool chance = fit->n_largest == 0 || fit->largest[0].p * (double)v->tested > never;
    if (chance && exceed <= v->expected + 2 * sqrt(v->expected) + 1)
        return DPC_FIT_GOOD;
    return exceed <= 3 * v->expected + 3 ? DPC_FIT_FAIR : DPC_FIT_POOR;
}

dpc_verdict_counts dpc_count_verdict(const dpc_report *report)
{
    dpc_verdict_counts v = {.doubtful = report->frequencies != NULL ? 0 : -1};
    const dpc_graph *graph = report->graph;
    for (int64_t e = 0; e < graph->n_edges; e++)
        if (graph->edges[e].mark != DPC_FORWARD && graph->edges[e].mark != DPC_BACKWARD)
            v.undirected++;
        else
            count_arrow(report, &graph->edges[e], &v);
    if (report->fit != NULL && report->result != NULL) {
        v.tested = report->fit->implied - report->fit->untested;
        v.exceed = report->fit->exceed;
        v.expected = dpc_result_settings(report->result)->alpha * (double)v.tested;
    }
    v.fit = fit_of(&v, report->fit);
    return v;
}

const char *dpc_alternative_options(const dpc_report *report, dpc_alternative_kind kind)
{
    bool greedy = dpc_result_settings(report->result)->method == DPC_GES;
    return kind == DPC_TRY_STRICT    ? "--rule and --alpha 0.01"
           : kind == DPC_TRY_WITHOUT ? "--refine none"
           : greedy                  ? "--method dual --refine fast"
                                     : "--refine fast";
}

int dpc_alternative_sign(const dpc_alternative *a)
{
    double limit = 2 * a->held_out.se;
    return a->held_out.gain > limit ? 1 : a->held_out.gain < -limit ? -1 : 0;
}

/* ---- Words ---- */

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

/* A name; bytes that would move the cursor are not printed. */
static void say_name(FILE *file, const char *name)
{
    char clipped[DPC_CLIP_SIZE];
    fputs(dpc_clip_name(name, clipped), file);
}

/* The next of a list of which only the first are named; false: enough were. */
static bool say_next(FILE *file, int *said, const char *name)
{
    if (*said == NAMED)
        return false;
    fputs(*said > 0 ? ", " : "", file);
    say_name(file, name);
    ++*said;
    return true;
}

static void say_more(FILE *file, int64_t count)
{
    if (count > NAMED)
        fprintf(file, " and %lld more", (long long)(count - NAMED));
}

/* ---- What was found ---- */

static void say_found(FILE *file, const dpc_report *report, const dpc_verdict_counts *v)
{
    const dpc_settings *s = dpc_result_settings(report->result);
    int64_t edges = report->graph->n_edges;
    int64_t close = report->fit != NULL ? report->fit->close_calls : 0;
    fprintf(file, "Found: %lld edge%s", (long long)edges, plural(edges));
    if (report->min_frequency > 0)
        fprintf(file, " in at least %g %% of the resamples", 100 * report->min_frequency);
    if (s->graph != DPC_SKELETON)
        fprintf(file, ", %lld directed, %lld undirected", (long long)v->directed,
                (long long)v->undirected);
    if (v->undirected > 0 && s->graph == DPC_CPDAG && s->min_evidence == DPC_NO_MIN_EVIDENCE)
        fputs(" (both directions are compatible with the data)", file);
    if (close >= CLOSE_CALLS && 5 * close > edges && report->min_frequency == 0)
        fprintf(file, "; %lld only just passed their tests, and about as many are false",
                (long long)close);
    fputs(".\n", file);
}

/* The ends of a PAG, and where something is hidden. */
static void say_ends(FILE *file, const dpc_report *report)
{
    const dpc_graph *graph = report->graph;
    const dpc_info *info = dpc_result_info(report->result);
    long long ends[DPC_END_TAIL + 1] = {0}, hidden = 0;
    for (int64_t e = 0; e < graph->n_edges; e++) {
        ends[dpc_end_a(graph->edges[e].mark)]++;
        ends[dpc_end_b(graph->edges[e].mark)]++;
        hidden += graph->edges[e].mark == DPC_BIDIRECTED;
    }
    fprintf(file, "Found: %lld edge%s", (long long)graph->n_edges, plural(graph->n_edges));
    if (graph->n_edges > 0)
        fprintf(file,
                ", with %lld arrowhead%s, %lld tail%s and %lld circle%s (undecided) at %s ends",
                ends[DPC_END_ARROW], plural(ends[DPC_END_ARROW]), ends[DPC_END_TAIL],
                plural(ends[DPC_END_TAIL]), ends[DPC_END_CIRCLE], plural(ends[DPC_END_CIRCLE]),
                graph->n_edges == 1 ? "its" : "their");
    fputs(".\n", file);
    if (hidden > 0)
        fprintf(file,
                "Hidden: %lld edge%s <->: in this graph neither end causes the other, and "
                "something hidden causes both.\n",
                hidden, plural(hidden));
    if (info->repaired)
        fputs("Repaired: the test results contradict each other, and no PAG has all of them; this "
              "is a "
              "valid one near them.\n",
              file);
    if (info->pdsep_given_up > 0)
        fprintf(file, "Given up: %lld pair%s had too many sets in Possible-D-SEP to test all.\n",
                (long long)info->pdsep_given_up, plural(info->pdsep_given_up));
}

static void say_fit(FILE *file, const dpc_report *report, const dpc_verdict_counts *v)
{
    static const char *const WORDS[] = {"", "good", "fair", "poor"};
    if (report->fit == NULL)
        return;
    if (v->tested == 0) {
        fputs("Fit: not known. The graph implies no independence that could be tested.\n", file);
        return;
    }
    fprintf(file,
            "Fit: %s. The data contradict %lld of the %lld independenc%s that the graph "
            "implies (%.0f expected by chance)",
            WORDS[v->fit], (long long)v->exceed, (long long)v->tested, v->tested == 1 ? "y" : "ies",
            v->expected);
    if (v->exceed > 0) {
        const dpc_implied *first = &report->fit->largest[0];
        fputs("; the worst is ", file);
        say_name(file, report->names[first->a]);
        fputs(" and ", file);
        say_name(file, report->names[first->b]);
        fprintf(file, " (z = %.1f)", first->z);
    }
    fputs(".\n", file);
}

/* ---- Directions ---- */

/* What the evidence assumes: of single columns with straight relations, or of other data. */
static const char *assumed(const dpc_report *report)
{
    const dpc_settings *s = dpc_result_settings(report->result);
    bool other = dpc_result_info(report->result)->correlation->blocks != NULL ||
                 s->normalize == DPC_NORMALIZE_LATENT;
    return other ? ". Evidence assumes that there are no hidden common causes.\n"
                 : ". Evidence is about linear Gaussian data without hidden common causes.\n";
}

static void say_rated(FILE *file, const dpc_report *report, const dpc_verdict_counts *v)
{
    const struct {
        int64_t count;
        const char *one, *many;
    } kinds[] = {
        {v->strong, "has strong evidence", "have strong evidence"},
        {v->weak, "has weak evidence", "have weak evidence"},
        {v->against, "rests on a step that the data contradict",
         "rest on a step that the data contradict"},
        {v->known, "is known beforehand", "are known beforehand"},
    };
    const char *before = " ";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (kinds[i].count == 0)
            continue;
        fprintf(file, "%s%lld %s", before, (long long)kinds[i].count,
                kinds[i].count == 1 ? kinds[i].one : kinds[i].many);
        before = ", ";
    }
    fputs(v->strong + v->weak + v->against > 0 ? assumed(report) : ".\n", file);
}

static void say_directions(FILE *file, const dpc_report *report, const dpc_verdict_counts *v)
{
    if (v->directed == 0)
        return;
    fprintf(file, "Directions: of %lld arrow%s,", (long long)v->directed, plural(v->directed));
    if (v->unrated < v->directed)
        say_rated(file, report, v);
    else if (report->min_frequency > 0)
        fputs(" none has evidence of its own: the resamples have voted.\n", file);
    else
        fputs(" none has evidence of its own: a score has chosen them together.\n", file);
    if (v->doubtful > 0)
        fprintf(file, "Doubtful: %lld arrow%s, because more resamples reverse %s than keep %s.\n",
                (long long)v->doubtful, plural(v->doubtful), v->doubtful == 1 ? "it" : "them",
                v->doubtful == 1 ? "it" : "them");
}

/* What is certain about the score of a refined graph. */
static void say_optimum(FILE *file, const dpc_report *report)
{
    const dpc_refined *refined = dpc_result_info(report->result)->refined;
    if (refined == NULL || report->min_frequency > 0 ||
        dpc_result_info(report->result)->hidden != NULL)
        return; /* a search has gone on from there */
    if (refined->optimality == DPC_OPTIMUM_GLOBAL)
        fprintf(file, "No DAG %sscores higher: the search was exact.\n",
                dpc_result_settings(report->result)->knowledge != NULL
                    ? "that respects the knowledge "
                    : "");
    else if (refined->optimality == DPC_OPTIMUM_LOCAL)
        fputs("Locally optimal: no single addition, deletion, reversal or swap of an edge "
              "improves it.\n",
              file);
}

/* The largest number of neighbours, and who has it. */
static int64_t find_hub(const dpc_graph *graph, int *hub)
{
    int64_t most = 0;
    for (int v = 0; v < graph->n_nodes; v++) {
        int64_t degree = 0;
        for (int64_t i = 0; i < graph->n_edges; i++)
            degree += graph->edges[i].a == v || graph->edges[i].b == v;
        if (degree > most) {
            most = degree;
            *hub = v;
        }
    }
    return most;
}

/* Why a full search may find a better graph than the fast one has. */
static void say_doubt(FILE *file, const dpc_report *report)
{
    const dpc_refined *refined = dpc_result_info(report->result)->refined;
    int hub = 0;
    if (refined == NULL || refined->doubt == DPC_DOUBT_NONE || report->min_frequency > 0)
        return;
    fputs("Try --refine full: ", file);
    if (refined->doubt == DPC_DOUBT_ROWS)
        fputs("with fewer rows than variables the fast search often misses the best graph.\n",
              file);
    else if (refined->doubt == DPC_DOUBT_DENSE)
        fputs("with more than three edges for each variable the fast search often misses the best "
              "graph.\n",
              file);
    else if (refined->doubt == DPC_DOUBT_RESTARTS)
        fputs("restarts of the fast search have found better graphs, so more may.\n", file);
    if (refined->doubt != DPC_DOUBT_HUB)
        return;
    int64_t most = find_hub(report->graph, &hub);
    fprintf(file,
            "around variables with many neighbours (%s has %lld) the fast search often misses the "
            "best graph.\n",
            report->names[hub], (long long)most);
}

/* ---- Assumptions ---- */

static bool is_far_from_normal(const dpc_column_check *c)
{
    return c->skewed || c->heavy;
}

/* Normal scores of categories without an order are refused. */
static bool may_be_scored(const dpc_table *table)
{
    for (int v = 0; table != NULL && v < dpc_table_about(table).n_vars; v++) {
        const dpc_variable_info about = dpc_table_variable(table, v);
        if (about.kind == DPC_NOMINAL && about.n_levels > 2)
            return false;
    }
    return true;
}

/* Ranks have no tails. */
static bool uses_ranks(const dpc_settings *s)
{
    return s->normalize != DPC_NORMALIZE_NONE || s->relations == DPC_CURVED;
}

static void say_tails(FILE *file, const dpc_report *report)
{
    const dpc_assumptions *a = report->assumptions;
    int count = 0, said = 0;
    for (int j = 0; j < a->n_vars; j++)
        count += is_far_from_normal(&a->columns[j]);
    if (count == 0 || uses_ranks(dpc_result_settings(report->result)))
        return;
    fprintf(file, "Data: %d of %d variables %s skewed or ha%s heavy tails (", count, a->n_vars,
            count == 1 ? "is" : "are", count == 1 ? "s" : "ve");
    for (int j = 0; j < a->n_vars; j++)
        if (is_far_from_normal(&a->columns[j]) && !say_next(file, &said, report->names[j]))
            break;
    say_more(file, count);
    fputs(may_be_scored(report->table) ? "); --normalize copula reduces their influence.\n"
                                       : "); tests that involve them are approximate.\n",
          file);
}

static void say_zeros(FILE *file, const dpc_report *report)
{
    const dpc_assumptions *a = report->assumptions;
    int said = 0;
    if (a->zeros == 0)
        return;
    fprintf(file, "Data: 0 may stand for a missing cell in %d variable%s (", a->zeros,
            plural(a->zeros));
    for (int j = 0; j < a->n_vars && said < NAMED; j++)
        if (a->columns[j].zeros > 0) {
            say_next(file, &said, report->names[j]);
            fprintf(file, " %lld times, next value %g", (long long)a->columns[j].zeros,
                    a->columns[j].above);
        }
    say_more(file, a->zeros);
    fputs("); if it does, leave these cells empty and use --missing em.\n", file);
}

static void say_curves(FILE *file, const dpc_report *report)
{
    const dpc_assumptions *a = report->assumptions;
    if (a->n_curves == 0)
        return;
    fprintf(file, "Data: %lld of %lld edges %s curved, most of all ", (long long)a->n_curves,
            (long long)report->graph->n_edges, a->n_curves == 1 ? "is" : "are");
    say_name(file, report->names[a->curves[0].to]);
    fputs(" along ", file);
    say_name(file, report->names[a->curves[0].from]);
    fputs(
        "; the tests see only straight lines. --relations curved tests for curved relations too.\n",
        file);
}

static void say_assumptions(FILE *file, const dpc_report *report)
{
    const dpc_assumptions *a = report->assumptions;
    if (a == NULL)
        return;
    say_tails(file, report);
    say_zeros(file, report);
    say_curves(file, report);
    if (a->similar > 0)
        fprintf(file,
                "Data: consecutive rows are similar in %d of %d columns; time or groups of rows "
                "can make false edges.\n",
                a->similar, a->rows_of);
}

/* ---- What to try next ---- */

static void say_edges(FILE *file, const dpc_alternative *a)
{
    if (a->added > 0 && a->removed > 0)
        fprintf(file, "adds %lld edge%s and removes %lld", (long long)a->added, plural(a->added),
                (long long)a->removed);
    else if (a->added > 0)
        fprintf(file, "%lld more edge%s", (long long)a->added, plural(a->added));
    else if (a->removed > 0)
        fprintf(file, "%lld fewer edge%s", (long long)a->removed, plural(a->removed));
    else
        fputs("the same edges", file);
}

/* By how much, with its standard error: two digits, or as many as the error needs. */
static void say_difference(FILE *file, const char *format, double gain, double se)
{
    int decimals = se > 0 && se < 0.005 ? 4 : 2;
    fprintf(file, format, decimals, gain);
    fprintf(file, " a row (standard error %.*f)", decimals, se);
}

static void say_alternative(FILE *file, const dpc_report *report, int i)
{
    const dpc_alternative *a = &report->advice->items[i];
    int sign = dpc_alternative_sign(a);
    fprintf(file, "%s %s: ", i == report->advice->best ? "Try" : "Also tried",
            dpc_alternative_options(report, a->kind));
    say_edges(file, a);
    if (sign == 0 && a->added == 0 && a->removed == 0) {
        fputs(", predicts held-out rows no better.\n", file);
        return;
    }
    if (sign > 0)
        say_difference(file, ", predicts held-out rows better by %.*f", a->held_out.gain,
                       a->held_out.se);
    else if (sign < 0)
        say_difference(file, ", predicts held-out rows worse by %.*f", -a->held_out.gain,
                       a->held_out.se);
    else
        say_difference(file, ", predicts held-out rows no better: difference %.*f",
                       a->held_out.gain, a->held_out.se);
    fprintf(file, ", contradicted independencies %lld → %lld.\n", (long long)report->advice->exceed,
            (long long)a->exceed);
}

/* What only a hidden cause explains. */
static void say_hidden(FILE *file, const dpc_report *report)
{
    const dpc_hidden_hint *hint = &report->advice->hidden;
    if (hint->a < 0)
        return;
    fputs("Try --latent search: a hidden common cause of ", file);
    say_name(file, report->names[hint->a]);
    fputs(" and ", file);
    say_name(file, report->names[hint->b]);
    fputs(" explains the data better than an arrow between them.\n", file);
}

static void say_limit(FILE *file, const dpc_report *report)
{
    switch (report->advice->limit) {
    case DPC_ADVICE_FEW_ROWS:
        fputs("Next: other settings were not measured, because fewer than 40 rows are complete.\n",
              file);
        break;
    case DPC_ADVICE_COLUMNS:
        fputs("Next: other settings were not measured, because held-out rows are predicted only "
              "for numbers with straight relations.\n",
              file);
        break;
    case DPC_ADVICE_WORK:
        fputs("Next: other settings were not measured, because the table is large; --advice "
              "measures them.\n",
              file);
        break;
    default:
        break;
    }
}

/* With few rows for each variable a penalty of 1 has many false edges (docs/algorithm.md, 12). */
static void say_penalty(FILE *file, const dpc_report *report)
{
    enum { FEW_ROWS = 10 };
    const dpc_info *info = dpc_result_info(report->result);
    const dpc_settings *s = dpc_result_settings(report->result);
    double ebic = dpc_ebic(info->n_vars, info->n_obs);
    if (s->method == DPC_GES && info->n_obs < (int64_t)FEW_ROWS * info->n_vars && s->penalty < ebic)
        fprintf(file,
                "Next: with so few rows for each variable, --penalty %.2f (EBIC) makes fewer false "
                "edges.\n",
                ebic);
}

static void say_next_steps(FILE *file, const dpc_report *report)
{
    const dpc_advice *advice = report->advice;
    say_penalty(file, report);
    if (advice == NULL)
        return;
    if (advice->best >= 0)
        say_alternative(file, report, advice->best);
    for (int i = 0; i < advice->count; i++)
        if (i != advice->best)
            say_alternative(file, report, i);
    say_hidden(file, report);
    say_limit(file, report);
    if (report->frequencies == NULL && report->graph->n_edges > 0)
        fputs("Next: --bootstrap 200 shows how stable each edge and each arrow is.\n", file);
}

/* ---- All of it ---- */

dpc_status dpc_print_verdict(FILE *file, const dpc_report *report, dpc_error *err)
{
    if (report->result == NULL)
        return report->posterior != NULL ? dpc_print_posterior_verdict(file, report->posterior, err)
                                         : DPC_OK;
    dpc_verdict_counts v = dpc_count_verdict(report);
    if (dpc_result_settings(report->result)->latent != DPC_HIDDEN_NONE) {
        say_ends(file, report);
    } else {
        say_found(file, report, &v);
        say_fit(file, report, &v);
        say_directions(file, report, &v);
    }
    say_optimum(file, report);
    say_doubt(file, report);
    say_assumptions(file, report);
    say_next_steps(file, report);
    return DPC_OK;
}

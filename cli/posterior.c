/*
 * The posterior over graphs, of dualpc sample and of dualpc learn --posterior: the options that
 * both take, the run, and what is told of it.
 */
#include "cli.h"
#include "status.h"
#include "words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Options ---- */

static dpc_status take_prior(const char *text, void *into, dpc_error *err)
{
    static const char EDGE[] = "edge:";
    dpc_sampling *s = &((options *)into)->posterior.sampling;
    char *end = NULL;
    s->edge_probability = 0;
    for (int i = 0; dpc_prior_words[i] != NULL; i++)
        if (i != DPC_PRIOR_EDGE && strcmp(text, dpc_prior_words[i]) == 0) {
            s->prior = (dpc_graph_prior)i;
            return DPC_OK;
        }
    if (strncmp(text, EDGE, strlen(EDGE)) == 0)
        s->edge_probability = strtod(text + strlen(EDGE), &end);
    s->prior = DPC_PRIOR_EDGE;
    if (end == NULL)
        return dpc_fail(err, DPC_USAGE,
                        "--prior must be fair, uniform, order or edge:P, not '%.60s'", text);
    if (end == text + strlen(EDGE) || *end != '\0' ||
        !(s->edge_probability > 0 && s->edge_probability < 1))
        return dpc_fail(err, DPC_USAGE,
                        "--prior edge:P needs a probability between 0 and 1, not '%.60s'",
                        text + strlen(EDGE));
    return DPC_OK;
}

static dpc_status take_probabilities(const char *path, void *into, dpc_error *err)
{
    options *o = into;
    return take_table_path("probabilities", path, &o->posterior.probabilities, err);
}

static const dpc_option_row ROWS[] = {
    {{"score", DPC_OPTION_WORD, .words = dpc_score_words,
      .sentence = "score of a graph: scale-free marginal likelihood, BGe or BIC"},
     DPC_PLACE(ENUM, options, posterior.sampling.score)},
    {{"prior", DPC_OPTION_TEXT, "fair|uniform|order|edge:P",
      .sentence = "prior over graphs: every number of parents, every DAG or every order of the "
                  "variables equally probable, or each edge with probability P"},
     DPC_TYPE_OWN,
     .absent = "fair",
     .take = take_prior},
    {{"candidates", DPC_OPTION_COUNT, "K", .range = DPC_RANGE_TO(DPC_MOST_CANDIDATES),
      .sentence = "number of possible parents of each variable"},
     DPC_PLACE(INT, options, posterior.sampling.candidates),
     .absent = "12"},
    {{"chains", DPC_OPTION_COUNT, "C", .range = "[1,256]",
      .sentence = "number of independent chains"},
     DPC_PLACE(INT, options, posterior.sampling.chains),
     .absent = "4"},
    {{"draws", DPC_OPTION_COUNT, "D", .range = DPC_RANGE_TO(1000000),
      .sentence = "number of graphs drawn by each chain"},
     DPC_PLACE(INT, options, posterior.sampling.draws),
     .absent = "1000"},
    {{"thin", DPC_OPTION_COUNT, "T", .range = DPC_RANGE_TO(1000000),
      .sentence = "sweeps over all variables between two draws"},
     DPC_PLACE(INT, options, posterior.sampling.thin),
     .absent = "3, and 9 or 27 where chains mix slowly"},
    {{"probabilities", DPC_OPTION_TEXT, "FILE.csv",
      .sentence = "also write a table of all pairs: probabilities of edges, directions and paths"},
     DPC_TYPE_OWN,
     .take = take_probabilities},
    {{"graphs", DPC_OPTION_TEXT, "FILE.jsonl",
      .sentence = "also write the drawn graphs, a JSON object a line"},
     DPC_PLACE(TEXT, options, posterior.graphs)},
};
enum { N_ROWS = sizeof ROWS / sizeof *ROWS };

option_group posterior_group(options *into)
{
    return (option_group){.rows = ROWS, .count = N_ROWS, .into = into};
}

dpc_status check_posterior(const options *o, const command *c, dpc_error *err)
{
    const char *path = o->posterior.graphs, *dot = path != NULL ? strrchr(path, '.') : NULL;
    for (int i = 0; i < N_ROWS && !o->posterior.wanted; i++)
        if (was_given(c, ROWS[i].told.name))
            return dpc_fail(err, DPC_USAGE, "--%s goes with --posterior", ROWS[i].told.name);
    if (path != NULL && strncmp(path, "/dev/", 5) != 0 &&
        (dot == NULL || (strcmp(dot, ".jsonl") != 0 && strcmp(dot, ".ndjson") != 0)))
        return dpc_fail(err, DPC_USAGE,
                        "--graphs writes a JSON object a line; '%s' does not end in .jsonl", path);
    return DPC_OK;
}

/* ---- The run ---- */

dpc_status posterior_run(const options *o, const dpc_settings *given, const dpc_table *table,
                         const dpc_correlation *correlation, dpc_audit *audit, dpc_posterior **out,
                         bool *called_off, dpc_error *err)
{
    dpc_settings settings = *given;
    settings.ranks = NULL; /* one process draws */
    dpc_status status =
        correlation != NULL
            ? dpc_sample_correlation(correlation, &settings, &o->posterior.sampling, out, err)
            : dpc_sample(table, &settings, &o->posterior.sampling, audit, out, err);
    if (status == DPC_INTERRUPTED && *out != NULL) {
        interrupt_forget(); /* what there is will be written; the next signal is about that */
        *called_off = true;
        status = DPC_OK;
    }
    return status;
}

/* ---- What is told ---- */

dpc_status say_posterior(const dpc_report *report, char **lines, dpc_audit *warnings,
                         dpc_error *err)
{
    dpc_report alone = {.size = sizeof alone,
                        .names = report->names,
                        .graph = report->graph,
                        .posterior = report->posterior};
    DPC_CHECK(dpc_posterior_warnings(report->posterior, report->names, warnings, err));
    return dpc_write_string(&alone, DPC_CONTENT_VERDICT, DPC_FORMAT_EDGES, lines, NULL, err);
}

/* "fbf score, fair prior, 12 candidate parents, seed 1". */
static void print_method(FILE *file, const dpc_posterior *p)
{
    const dpc_sampling *s = &p->sampling;
    fprintf(file, "  %s score, %s prior", dpc_score_words[s->score], dpc_prior_words[s->prior]);
    if (s->prior == DPC_PRIOR_EDGE)
        fprintf(file, " (probability %g)", s->edge_probability);
    fprintf(file, ", at most %d candidate parents of each variable", s->candidates);
    if (!p->exact)
        fprintf(file, ", %d sweep%s between draws", s->thin, s->thin == 1 ? "" : "s");
    fprintf(file, ", seed %llu\n", (unsigned long long)p->seed);
}

static void print_expert(FILE *file, const dpc_posterior *p)
{
    fprintf(file, "  R-hat: edges %.4f, score %.4f; effective draws: edges %.0f, score %.0f\n",
            p->rhat, p->score_rhat, p->ess, p->score_ess);
    fprintf(file, "  best log score %.3f; lowest chain %.2f below the highest\n", p->best_score,
            p->worst_chain);
    if (!isnan(p->refined_score))
        fprintf(file, "  log score of the refined graph %.3f\n", p->refined_score);
    fprintf(file, "  %lld moves, %lld of them in logarithms; %d chain%s started again\n",
            (long long)p->moves, (long long)p->log_moves, p->annealed,
            p->annealed == 1 ? " was" : "s were");
    if (p->outside_parent >= 0)
        fprintf(file, "  largest probability of a parent that is no candidate: %.2g\n", p->outside);
}

void print_posterior(FILE *file, const dpc_posterior *p, const char *lines,
                     const dpc_audit *warnings, bool verbose)
{
    print_lines(file, lines);
    print_method(file, p);
    if (verbose)
        print_expert(file, p);
    for (int i = 0; i < warnings->count; i++)
        fprintf(file, "  warning: %s\n", warnings->items[i].text);
    fprintf(file, "  seconds of sampling: candidates %.2f, tables %.2f, start %.2f, draws %.2f\n",
            p->seconds_candidates, p->seconds_tables, p->seconds_start, p->seconds_draws);
}

dpc_status tell_sampling_called_off(const dpc_posterior *p)
{
    fprintf(stderr, "dualpc: interrupted after %d of %d draws per chain, which were written\n",
            p->draws, p->sampling.draws);
    return DPC_INTERRUPTED;
}

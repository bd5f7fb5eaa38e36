/* The command line program: what its files share. */
#ifndef DPC_CLI_H
#define DPC_CLI_H

#include "dualpc_io.h"
#include "picture.h"
#include "ranks.h"
#include "settings.h"

#include <stdio.h>

/* ---- program.c ---- */

/* What is said where a process has others, and is asked to stop. */
#define ENDED_FROM_OUTSIDE                                                                         \
    "dualpc: the run was ended from outside: a rank has died, and mpirun says which, or it was "   \
    "called off\n"

/* Other processes that run the same command: who they are, … */
typedef struct other_ranks {
    const dpc_ranks *ranks;
    /* … and how what the first of them has read comes to the others, who have NULL. */
    dpc_status (*share_table)(const dpc_ranks *ranks, dpc_table **table, dpc_error *err);
    dpc_status (*share_knowledge)(const dpc_ranks *ranks, dpc_knowledge **knowledge,
                                  dpc_error *err);
} other_ranks;

/* The program; the exit code. `with` may be NULL: this process is alone. */
int program_run(int argc, char **argv, const other_ranks *with);
const other_ranks *program_ranks(void);
const dpc_ranks *program_library_ranks(void);

/* ---- arguments.c ---- */

/* Options that go into one struct. */
typedef struct option_group {
    const dpc_option_row *rows;
    int count;
    void *into;
    uint64_t given; /* bit i: row i was */
} option_group;

/* What a command takes, and what its help says above and below the options. */
typedef struct command {
    const char *head, *tail;
    bool version; /* it has --version */
    int n_groups;
    option_group groups[6]; /* four of its own, and what all commands take */
} command;

typedef enum parsed {
    PARSED_RUN,
    PARSED_HELP,
    PARSED_VERSION,
    PARSED_WRONG, /* the reason is in the error */
} parsed;

/* All options into their places. The operands then begin at argv[optind]. */
parsed parse_options(int argc, char **argv, command *c, dpc_error *err);
/* The place of the first operand behind options of this command; 0: an option is not one of it. */
int first_operand(int argc, char **argv, const command *c);
bool was_given(const command *c, const char *name);
/* The defaults in it are those that lie in the structs now. */
void print_help(FILE *file, const command *c);
/* Help, version or the error, where there is nothing to run; the exit code. */
int answer(parsed seen, const command *defaults, const dpc_error *err);
/* Exit code once all has been printed: it may not have arrived. */
int finish_stdout(void);
/*
 * Could it not be written because nobody reads standard output any more? `| head` has what it
 * wanted, and where there is no other output that is not worth a sentence.
 */
bool is_closed_pipe(dpc_status code);

/* ---- reading.c ---- */

/* Why there are no effects with --relations curved. */
#define NO_CURVED_EFFECTS                                                                          \
    "no single number describes the effect of a curved relation; leave out --relations curved"

/* Says on standard error which variables have no effects. */
void tell_left_out(const dpc_effect_table *effects);

/* How to read the data. */
typedef struct reading {
    dpc_missing missing;
    const char **na, **keep, **drop, **types; /* lists, in the order given; owned */
    int n_na, n_keep, n_drop, n_types;
    int max_levels, merge_rare; /* 0: off */
    bool drop_text, no_header, transpose;
    bool correlation; /* the data are a matrix; known for sure when they have been read */
    int64_t samples;  /* behind it; 0: not known */
} reading;

/*
 * To be called before the first work: sees to it that OpenBLAS has its work space for so many
 * threads (0: all processors), or for as many as there is memory for, which are then the threads.
 * DPC_NO_MEMORY: not even for one.
 */
dpc_status reserve_blas_memory(int *threads, dpc_error *err);

option_group reading_group(reading *into);
dpc_status reading_check(const reading *r, dpc_error *err);
/* Reads; then `correlation` and `samples` are what they are. */
dpc_status read_data(const char *path, reading *r, const dpc_settings *settings, dpc_audit *audit,
                     dpc_table **out, dpc_error *err);
void reading_free(reading *r);
dpc_status append_text(const char ***list, int *count, const char *text, dpc_error *err);

/* ---- options.c ---- */

/* What is asked of a posterior: by dualpc sample, or with --posterior. */
typedef struct posterior_wishes {
    bool wanted;
    dpc_sampling sampling;
    const char *probabilities, *graphs; /* paths; NULL: none */
    double min_probability;             /* of an edge of the graph */
    const char **causes, **outcomes;    /* in the order given; owned */
    int n_causes, n_outcomes;
} posterior_wishes;

typedef struct options {
    dpc_settings settings;
    const char *data; /* path, or "-" */
    reading reading;
    const char **outputs; /* -o, in the order given; owned */
    int n_outputs;
    const char *dag;       /* --dag; NULL: none */
    const char *knowledge; /* --knowledge; NULL: none */
    const char **explain;  /* --explain, in the order given; owned */
    int n_explain;
    dpc_layout layout; /* of pictures */
    bool to_stdout;    /* --format was given, or there is no -o */
    dpc_format stdout_format;
    dpc_content stdout_what; /* the graph, or with it the frequencies */
    bool quiet, verbose;
    bool advice, no_advice;    /* measure it whatever it takes; leave it out */
    dpc_resampling resampling; /* --bootstrap; no resamples: not given */
    double min_frequency;      /* 0: not given */
    const char *frequencies;   /* path; NULL: none */
    const char *edges;         /* --edges; NULL: none */
    const char *nodes;         /* --nodes; NULL: none */
    const char *effects;       /* --effects; NULL: none */
    posterior_wishes posterior;
} options;

/* The options of learn, which fill *o, and now are at their defaults there. */
command learn_command(options *o);
parsed options_parse(int argc, char **argv, options *out, dpc_error *err);
void options_free(options *o);
/* Is JSON among the outputs? */
bool writes_json(const options *o);

/* For tables of options: -o, --format and --effects into an `options`. */
dpc_status take_graph_output(const char *path, void *into, dpc_error *err);
dpc_status take_graph_format(const char *word, void *into, dpc_error *err);
dpc_status take_effects_path(const char *path, void *into, dpc_error *err);
/* DATA, the one operand. */
dpc_status parse_data(int argc, char **argv, options *o, dpc_error *err);
/* Can the data be read so? */
dpc_status check_data_options(const options *o, dpc_error *err);
/* --x FILE.csv: the path of an option that writes a CSV table, into *to. */
dpc_status take_table_path(const char *option, const char *path, const char **to, dpc_error *err);

/* ---- names.c ---- */

/* The name at `text`, `length` bytes of it, blanks around it or not; -1: there is none. */
int find_name(const char *const *names, int n, const char *text, size_t length);
void trim_blanks(const char **text, size_t *length);

/* Who has names, and what sentences call them. */
typedef struct naming {
    const char *const *names;
    int n;
    const char *option, *source, *what; /* --cause, data.csv, "column" */
} naming;

dpc_status find_one(const naming *who, const char *text, int *out, dpc_error *err);
/* A list with commas is added to `out`, which has room for `most`; nothing for an empty text. */
dpc_status find_names(const naming *who, const char *text, int32_t *out, int most, int *count,
                      dpc_error *err);

/* Whom these lists mean, each once; *list, which free() takes, stays NULL where there are none. */
dpc_status find_variables(const naming *who, const char *const *texts, int count, int32_t **list,
                          int *found, dpc_error *err);

/* ---- graphs.c ---- */

/* What messages call a file. */
const char *file_name(const char *path);
/* GRAPH X Y. */
dpc_status take_pair_operands(int argc, char **argv, const char *command, const char **graph,
                              const char **x, const char **y, dpc_error *err);
/* Says on standard error what --extend has changed, where it has. */
void tell_extension(const dpc_causal *graph, const char *path);
/* A graph file to be asked. */
dpc_status read_causal(const char *path, bool extend, dpc_named_graph **graph, dpc_causal **causal,
                       dpc_error *err);
/* `A --> B <-- C`; and as members of JSON, "path" and "marks". */
void print_path(FILE *file, const dpc_named_graph *graph, const int32_t *path, int length);
void print_json_path(FILE *file, const dpc_named_graph *graph, const int32_t *path, int length);
/* `A, B`, or nothing; and as a JSON list, null where the size is below 0. */
void print_set(FILE *file, const dpc_named_graph *graph, const int32_t *set, int size);
void print_json_set(FILE *file, const char *name, const dpc_named_graph *graph, const int32_t *set,
                    int size);

/* ---- explain.c ---- */

/* What one --explain is about. */
typedef struct subject {
    int a, b; /* columns; -1: no one in particular */
} subject;

/* A list of pairs of columns that grows. Start from {0}; the caller frees `items`. */
typedef struct pair_list {
    subject *items;
    int count, capacity;
} pair_list;

/* What the texts of --explain mean; `out` has room for all of them. */
dpc_status find_subjects(const options *o, const dpc_table *table, subject *out, dpc_error *err);
/* The pairs that they are in this graph: no pair twice. */
dpc_status list_pairs(const subject *subjects, int count, const dpc_graph *graph, pair_list *out,
                      dpc_error *err);

/* ---- bootstrap.c ---- */

dpc_status check_bootstrap(const options *o, bool seed_given, dpc_error *err);
/*
 * The resamples, what they say of --effects, and their consensus where --min-frequency asks for it.
 * By these settings rather than those of the options. What an interrupted run has is a result too,
 * and *called_off is true then.
 */
dpc_status bootstrap_run(const options *o, const dpc_settings *settings, const dpc_table *table,
                         dpc_frequencies **out, dpc_effect_resamples **effects,
                         dpc_graph **consensus, bool *called_off, dpc_error *err);
void print_bootstrap(FILE *file, const dpc_frequencies *f);
/* Says that a signal has ended the resamples; the exit code. */
dpc_status tell_called_off(const dpc_frequencies *f);

/* ---- posterior.c ---- */

/* The options that dualpc sample and dualpc learn --posterior share. */
option_group posterior_group(options *into);
/* Do they go together? None of them goes without a posterior. */
dpc_status check_posterior(const options *o, const command *c, dpc_error *err);
/* Samples, from the correlations where there are no rows. As bootstrap_run does otherwise. */
dpc_status posterior_run(const options *o, const dpc_settings *settings, const dpc_table *table,
                         const dpc_correlation *correlation, dpc_audit *audit, dpc_posterior **out,
                         bool *called_off, dpc_error *err);
/* The plain lines, which dpc_string_free takes, and the warnings; before anything is written. */
dpc_status say_posterior(const dpc_report *report, char **lines, dpc_audit *warnings,
                         dpc_error *err);
void print_posterior(FILE *file, const dpc_posterior *p, const char *lines,
                     const dpc_audit *warnings, bool verbose);
/* Says that a signal has ended the draws; the exit code. */
dpc_status tell_sampling_called_off(const dpc_posterior *p);

/* ---- look.c ---- */

/* How pictures and reports are to look, and what they took. */
typedef struct look_request {
    dpc_layout layout;
    const char *title; /* what a report calls its data */
    bool quiet;
    double *seconds; /* by dpc_stage: what was done is added; may be NULL */
} look_request;

/* Does any of the outputs need a picture, or a report? Only a report where that is asked. */
bool wants_look(const options *o, bool report_only);
/* Gives those of the outputs that are pictures or reports their bytes. End with looks_clear. */
dpc_status looks_make(const look_request *ask, const dpc_report *report, dpc_output *outputs,
                      int count, dpc_error *err);
void looks_clear(dpc_output *outputs, int count);

/* ---- interrupt.c ---- */

/* From here on Ctrl-C asks to stop, and ends the program within a second in any case. */
void interrupt_watch(void);
/* What it prints when it ends the program like that; kept. Without it, nothing. */
void interrupt_says(const char *words);
bool interrupted(void);
/* Is it one that is not left to the work? */
bool interrupted_at_once(void);
/* While files are being written they are given the time to be taken away again. */
void interrupt_defer(bool deferred);
/* From here on one Ctrl-C is left to the work, which has something to tell; a second is not. */
void interrupt_patiently(void);
/* The request has been met. */
void interrupt_forget(void);

/* ---- progress.c ---- */

typedef struct bar {
    bool shown;  /* standard error is a terminal, and not --quiet */
    bool lines;  /* it is not, but there are several processes: a line now and then */
    bool greedy; /* the search is GES: it has scores and edges, no levels */
    double last; /* when it was drawn */
    double start, skeleton_start, bootstrap_start, refine_start;
    dpc_stage refined;        /* the stage that refine_start is of */
    double draws_start;       /* of a posterior */
    bool posterior;           /* it is being sampled: what is learned are its candidates */
    const char *const *names; /* of the variables, once they are known; not owned */
    bool dirty;               /* there is something to wipe */
} bar;

void bar_init(bar *b, bool quiet, dpc_method method);
/* A dpc_progress_fn; `user` is the bar. Also asks for interrupts. */
int bar_update(const dpc_progress *progress, void *user);
void bar_clear(bar *b);
/* From here on the work is about a posterior. */
void bar_begin_posterior(bar *b);

/* ---- summary.c ---- */

/* What messages call the data. */
const char *source_name(const options *o);
void print_audit(FILE *file, const char *source, const dpc_audit *audit);
/* A text, each of its lines behind two blanks. */
void print_lines(FILE *file, const char *text);
/* `verdict`: the lines that it begins with. */
void print_summary(FILE *file, const options *o, const dpc_report *report, const char *verdict);

/* ---- One file each: the subcommands; argv[0] is their name; they return the exit code. ---- */

int learn_main(int argc, char **argv);
int simulate_main(int argc, char **argv);
int compare_main(int argc, char **argv);
int convert_main(int argc, char **argv);
int view_main(int argc, char **argv);
int study_main(int argc, char **argv);
int sample_main(int argc, char **argv);
int effects_main(int argc, char **argv);
int adjust_main(int argc, char **argv);
int separate_main(int argc, char **argv);

/* What they take; only the tables count, there is no place to read into. */
command learn_table(void);
command simulate_table(void);
command compare_table(void);
command convert_table(void);
command view_table(void);
command study_table(void);
command sample_table(void);
command effects_table(void);
command adjust_table(void);
command separate_table(void);

#endif

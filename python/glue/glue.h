/*
 * The extension module dualpc._core: what the Python files of the package need of the library, and
 * nothing that could be written in Python. It keeps to the stable ABI, and sees arrays through the
 * buffer protocol, so that one build serves all versions of Python and numpy.
 *
 *     call.c       the library at work: without the GIL, asking for signals, telling of progress
 *     convert.c    arrays, names, settings, knowledge: from Python's objects to the library's
 *     graph.c      Graph: a dpc_graph
 *     learned.c    Learned: a dpc_result with its names
 *     resampled.c  Frequencies: a dpc_frequencies
 *     posterior.c  Posterior: a dpc_posterior with its names
 *     ask.c        what follows from a graph alone: separation, adjustment, distances
 *     effects.c    effects, edges with numbers: tables as lists
 *     module.c     the module: its functions, the table of options
 *
 * A function that returns bool or a pointer has set an exception where that is false or NULL.
 */
#ifndef DPC_GLUE_H
#define DPC_GLUE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "dualpc_io.h"

#include <string.h>

/* ---- module.c ---- */

typedef struct module_state {
    PyObject *errors; /* the module dualpc._errors */
    PyTypeObject *graph, *learned, *frequencies, *posterior;
} module_state;

module_state *state_of_type(PyTypeObject *type);

/* All words of a kind, a list. */
PyObject *words_of_kind(dpc_word_kind kind);

/* ---- call.c ---- */

/* One call of the library that may take long. */
typedef struct call {
    PyObject *progress; /* a callable, or None; borrowed */
    PyThreadState *thread;
    double last; /* when Python was asked */
} call;

/* Between these two the GIL is not held. */
void call_begin(call *c, PyObject *progress);
void call_end(call *c);
/* The dpc_progress_fn of a call, which is its user. */
int call_asks(const dpc_progress *progress, void *user);

/* Raises what the callback has raised, or the sentence of the error; true: there was neither. */
bool call_fine(const module_state *state, dpc_status status, const dpc_error *err);

/*
 * What was called off may have a result all the same: the resamples that were done, the best graph
 * so far. It goes with the exception that is raised now, as its attribute `partial`.
 */
void call_partial(PyObject *partial);

/* ---- convert.c ---- */

/* Texts as the library wants them; they live as long as `tuple`. */
typedef struct names {
    PyObject *tuple; /* of str; owned; NULL: none were given */
    const char **items;
    int count;
} names;

bool names_init(names *n, PyObject *given); /* a sequence of str, or None */
void names_clear(names *n);

/* What a call learns from. */
typedef struct input {
    Py_buffer buffer;
    dpc_table *table; /* a view of it */
    dpc_settings settings;
    dpc_knowledge *knowledge;
    call call;
} input;

/*
 * data: 2-dimensional, of doubles or floats, or a tuple of such an array and the kinds of its
 * columns (_kinds.py); options: dict of str; knowledge: None, or a tuple of
 * two texts: what is known, and what messages call it ("" first: the file of that name); missing:
 * a word of dpc_missing, but not "rows".
 */
bool input_init(input *in, const module_state *state, PyObject *data, const names *n,
                PyObject *options, PyObject *knowledge, const char *missing);
void input_clear(input *in);

/* The index of a variable. */
int take_index(PyObject *object, void *out); /* for "O&" */

/* Numbers of variables. */
PyObject *tuple_of(const int32_t *members, int count);
/* The other way round; owned, by PyMem_Free; None: none, NULL. */
bool take_members(PyObject *given, int32_t **out, int *count);

/* Adds an object that is owned, or NULL: then the list is gone. */
void list_append(PyObject **list, PyObject *item);

/* A sentence of the library, which may be cut within a character. */
PyObject *text_from(const char *sentence);
/* Adds the sentences of an audit. */
void list_findings(PyObject **list, const dpc_audit *audit);

/* What dpc_write_string has made, as str; frees it. */
PyObject *take_text(char *text, size_t length);

/* ---- graph.c ---- */

typedef struct graph_object {
    PyObject_HEAD dpc_graph *graph;
} graph_object;

extern PyType_Spec graph_spec;

/* A Graph that owns `graph`, which is freed on failure too. */
PyObject *graph_wrap(const module_state *state, dpc_graph *graph);
/* A Graph of its own. */
PyObject *graph_copy(const module_state *state, const dpc_graph *graph);

/* ---- learned.c ---- */

typedef struct learned_object {
    PyObject_HEAD dpc_result *result;
    names names;
    dpc_audit audit;
    Py_ssize_t *shape; /* of the correlation matrix as a buffer: two sizes, two strides */
} learned_object;

extern PyType_Spec learned_spec;

/* learn(data, names, options, knowledge, n_obs, progress): n_obs > 0: data is a matrix. */
PyObject *learn(PyObject *module, PyObject *args);

/* ---- resampled.c ---- */

typedef struct frequencies_object {
    PyObject_HEAD dpc_frequencies *frequencies;
} frequencies_object;

extern PyType_Spec frequencies_spec;

/* bootstrap(data, names, options, knowledge, (resamples, subsample), progress) */
PyObject *bootstrap(PyObject *module, PyObject *args);

/* ---- posterior.c ---- */

typedef struct posterior_object {
    PyObject_HEAD dpc_posterior *posterior;
    names names;
    dpc_audit audit, doubts; /* about the data, and about the posterior */
    dpc_settings settings;   /* those of the call, with this knowledge */
    dpc_knowledge *knowledge;
} posterior_object;

extern PyType_Spec posterior_spec;

/*
 * sample(data, names, options, knowledge, n_obs, sampling, progress, missing): n_obs > 0: data is a
 * matrix; sampling: (score, prior, edge_probability, candidates, chains, draws, thin, causes,
 * outcomes), the last two as tuples of numbers, or None.
 */
PyObject *sample(PyObject *module, PyObject *args);
/* sampling_words(): (scores, priors) */
PyObject *sampling_words(PyObject *module, PyObject *unused);

/* ---- ask.c ---- */

/* compare(estimate, truth, as, extend): graphs over the same nodes, as "pag" or a word of
 * dpc_target; a dict. */
PyObject *compare(PyObject *module, PyObject *args);
/* separated(graph, names, x, y, given, extend): (bool, path) */
PyObject *separated(PyObject *module, PyObject *args);
/*
 * adjust(graph, names, x, y, checked set or None, extend): (hidden, identified, possible, path,
 * optimal, parents, minimal, check). A path is (nodes, marks between them), a set a tuple or None,
 * a check None or (verdict, forbidden node, through, path).
 */
PyObject *adjust(PyObject *module, PyObject *args);

/* ---- effects.c ---- */

/*
 * effects(source, n_obs, names, graph, causes, outcomes, optimal, standardised, top, extend):
 * source is a Learned, or a covariance matrix of n_obs observations.
 */
PyObject *effects(PyObject *module, PyObject *args);
/* edge_table(learned, another graph than its own or None, frequencies or None) */
PyObject *edge_table(PyObject *module, PyObject *args);

#endif

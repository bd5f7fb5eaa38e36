/* Total effects on a graph, and the edges with numbers: tables of the library as lists of tuples.
 */
#include "glue.h"

/* ---- Effects ---- */

static PyObject *effects_of_pair(const dpc_effect_table *table, int64_t pair, int count)
{
    PyObject *list = PyList_New(0);
    for (int i = 0; i < count && list != NULL; i++) {
        dpc_effect e = dpc_effect_table_at(table, pair, i);
        PyObject *set = tuple_of(e.set, e.size);
        list_append(&list, set == NULL ? NULL
                                       : Py_BuildValue("dddddN", e.effect, e.standardised, e.se,
                                                       e.low, e.high, set));
    }
    return list;
}

/* (cause, outcome, identified, possible, min_abs, max_abs, [(effect, standardised, se, low, high,
 * set), …], contrast, baseline, level), … */
static PyObject *list_effects(const dpc_effect_table *table)
{
    PyObject *list = PyList_New(0);
    for (int64_t i = 0; i < dpc_effect_table_about(table)->n_pairs && list != NULL; i++) {
        dpc_effect_pair p = dpc_effect_table_pair(table, i);
        PyObject *inner = effects_of_pair(table, i, p.count);
        list_append(&list, inner == NULL ? NULL
                                         : Py_BuildValue("iiNNddNiii", (int)p.cause, (int)p.outcome,
                                                         PyBool_FromLong(p.identified),
                                                         PyBool_FromLong(p.possible), p.min_abs,
                                                         p.max_abs, inner, (int)p.contrast,
                                                         (int)p.baseline, (int)p.level));
    }
    return list;
}

/* What a question about effects needs. */
typedef struct question {
    names names;
    input input; /* of a covariance matrix; empty where a Learned is asked */
    dpc_correlation *made;
    dpc_causal *causal;
    dpc_effect_query query;
    int32_t *causes, *outcomes;
    dpc_effect_table *table;
} question;

static void question_clear(question *q)
{
    dpc_effect_table_free(q->table);
    dpc_causal_free(q->causal);
    dpc_correlation_free(q->made);
    input_clear(&q->input);
    names_clear(&q->names);
    PyMem_Free(q->causes);
    PyMem_Free(q->outcomes);
}

/* The work itself, without the GIL. */
static dpc_status answer(question *q, const learned_object *learned, long long n_obs,
                         const dpc_graph *graph, bool extend, dpc_error *err)
{
    call c;
    dpc_settings settings;
    dpc_status status = DPC_OK;
    dpc_settings_default(&settings);
    settings.progress = call_asks;
    settings.progress_user = &c;
    call_begin(&c, Py_None);
    if (learned == NULL)
        status = dpc_correlation_from_matrix(q->input.table, n_obs, NULL, NULL, &q->made, err);
    if (status == DPC_OK)
        status = dpc_causal_new(graph, q->names.items, extend, &q->causal, err);
    if (status == DPC_OK)
        status =
            dpc_effects(learned != NULL ? dpc_result_info(learned->result)->correlation : q->made,
                        q->causal, &q->query, &settings, &q->table, err);
    call_end(&c);
    return status;
}

PyObject *effects(PyObject *module, PyObject *args)
{
    const module_state *state = PyModule_GetState(module);
    PyObject *source, *given, *graph, *causes, *outcomes, *options = NULL, *list = NULL;
    long long n_obs;
    int ida, standardised, extend;
    question q = {0};
    dpc_error err = {0};
    if (!PyArg_ParseTuple(args, "OLOO!OOipip:effects", &source, &n_obs, &given, state->graph,
                          &graph, &causes, &outcomes, &ida, &standardised, &q.query.top, &extend))
        return NULL;
    bool learned = PyObject_TypeCheck(source, state->learned);
    q.query.ida = (dpc_ida)ida;
    q.query.standardised = standardised;
    if (names_init(&q.names, given) && take_members(causes, &q.causes, &q.query.n_causes) &&
        take_members(outcomes, &q.outcomes, &q.query.n_outcomes) &&
        (learned || ((options = PyDict_New()) != NULL &&
                     input_init(&q.input, state, source, &q.names, options, Py_None, "error")))) {
        q.query.causes = q.causes;
        q.query.outcomes = q.outcomes;
        dpc_status status = answer(&q, learned ? (learned_object *)source : NULL, n_obs,
                                   ((graph_object *)graph)->graph, extend, &err);
        if (call_fine(state, status, &err))
            list = list_effects(q.table);
    }
    Py_XDECREF(options);
    question_clear(&q);
    return list;
}

/* ---- The edges with numbers ---- */

static PyObject *list_edges(const dpc_edge_table *table)
{
    PyObject *list = PyList_New(0);
    for (int64_t i = 0; i < table->n_rows && list != NULL; i++) {
        const dpc_edge_row *e = &table->rows[i];
        list_append(&list, Py_BuildValue("iiiddddddddd", (int)e->from, (int)e->to, (int)e->mark,
                                         e->r, e->low, e->high, e->p, e->evidence, e->edge,
                                         e->forward, e->backward, e->undirected));
    }
    return list;
}

PyObject *edge_table(PyObject *module, PyObject *args)
{
    const module_state *state = PyModule_GetState(module);
    PyObject *learned, *graph, *frequencies, *list = NULL;
    dpc_edge_table *table = NULL;
    call c;
    dpc_error err = {0};
    if (!PyArg_ParseTuple(args, "O!OO:edge_table", state->learned, &learned, &graph, &frequencies))
        return NULL;
    const dpc_graph *other =
        PyObject_TypeCheck(graph, state->graph) ? ((graph_object *)graph)->graph : NULL;
    const dpc_frequencies *counted = PyObject_TypeCheck(frequencies, state->frequencies)
                                         ? ((frequencies_object *)frequencies)->frequencies
                                         : NULL;
    call_begin(&c, Py_None);
    dpc_status status = dpc_tabulate_edges(((learned_object *)learned)->result, other, counted,
                                           call_asks, &c, &table, &err);
    call_end(&c);
    if (call_fine(state, status, &err))
        list = list_edges(table);
    dpc_edge_table_free(table);
    return list;
}

/* Frequencies: in how many resamples each pair is joined, and how. Never changed once it is made.
 */
#include "glue.h"

static void dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    dpc_frequencies_free(((frequencies_object *)self)->frequencies);
    PyObject_Free(self);
    Py_DECREF(type);
}

PyObject *bootstrap(PyObject *module, PyObject *args)
{
    const module_state *state = PyModule_GetState(module);
    PyObject *data, *given, *options, *knowledge, *progress;
    const char *missing = "error";
    dpc_resampling resampling = {0};
    names n;
    input in = {0};
    dpc_error err = {0};
    if (!PyArg_ParseTuple(args, "OOO!O(id)O|s:bootstrap", &data, &given, &PyDict_Type, &options,
                          &knowledge, &resampling.resamples, &resampling.subsample, &progress,
                          &missing))
        return NULL;
    frequencies_object *self = (frequencies_object *)PyType_GenericAlloc(state->frequencies, 0);
    bool fine = names_init(&n, given) && self != NULL &&
                input_init(&in, state, data, &n, options, knowledge, missing);
    if (fine) {
        resampling.seed = in.settings.seed;
        call_begin(&in.call, progress);
        dpc_status status =
            dpc_bootstrap(in.table, &in.settings, &resampling, &self->frequencies, &err);
        call_end(&in.call);
        fine = call_fine(state, status, &err);
        if (!fine && self->frequencies != NULL)
            call_partial((PyObject *)self);
    }
    input_clear(&in);
    names_clear(&n);
    if (!fine)
        Py_CLEAR(self);
    return (PyObject *)self;
}

/* (resamples done, rows in each, resamples with a constant column) */
static PyObject *counts(PyObject *self, PyObject *unused)
{
    (void)unused;
    const dpc_frequencies *f = ((frequencies_object *)self)->frequencies;
    return Py_BuildValue("iLi", f->resamples, (long long)f->rows, f->constant);
}

/* A row of six int32 for each pair: a, b, edge, forward, backward, undirected. */
static PyObject *pairs(PyObject *self, PyObject *unused)
{
    (void)unused;
    typedef int32_t row[6];
    const dpc_frequencies *f = ((frequencies_object *)self)->frequencies;
    PyObject *out =
        PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)f->n_pairs * (Py_ssize_t)sizeof(row));
    row *rows = out != NULL ? (row *)(void *)PyByteArray_AsString(out) : NULL;
    for (int64_t i = 0; rows != NULL && i < f->n_pairs; i++) {
        const dpc_frequency *pair = &f->pairs[i];
        const row values = {pair->a,
                            pair->b,
                            (int32_t)pair->edge,
                            (int32_t)pair->forward,
                            (int32_t)pair->backward,
                            (int32_t)pair->undirected};
        memcpy(rows[i], values, sizeof values);
    }
    return out;
}

/*
 * Of PAGs, a row of 20 doubles for each pair: how many resamples have each dpc_mark, and in how
 * many a is a cause of b, a is none, b is a cause of a, b is none. None: they are no PAGs.
 */
static PyObject *pags(PyObject *self, PyObject *unused)
{
    (void)unused;
    typedef double row[20];
    const dpc_frequencies *f = ((frequencies_object *)self)->frequencies;
    if (f->pags == NULL && f->n_pairs > 0)
        return Py_NewRef(Py_None);
    PyObject *out =
        PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)f->n_pairs * (Py_ssize_t)sizeof(row));
    row *rows = out != NULL ? (row *)(void *)PyByteArray_AsString(out) : NULL;
    for (int64_t i = 0; rows != NULL && i < f->n_pairs; i++) {
        const dpc_pag_frequency *pair = &f->pags[i];
        const double causes[] = {pair->a_is_cause, pair->a_is_no_cause, pair->b_is_cause,
                                 pair->b_is_no_cause};
        memcpy(rows[i], pair->mark, sizeof pair->mark);
        memcpy(rows[i] + 16, causes, sizeof causes);
    }
    return out;
}

/* consensus(min_frequency) */
static PyObject *consensus(PyObject *self, PyObject *args)
{
    const module_state *state = state_of_type(Py_TYPE(self));
    double least;
    call c;
    dpc_graph *graph = NULL;
    dpc_error err = {0};
    if (!PyArg_ParseTuple(args, "d:consensus", &least))
        return NULL;
    call_begin(&c, Py_None);
    dpc_status status = dpc_consensus(((frequencies_object *)self)->frequencies, least, call_asks,
                                      &c, &graph, &err);
    call_end(&c);
    return call_fine(state, status, &err) ? graph_wrap(state, graph) : NULL;
}

static PyMethodDef methods[] = {
    {"counts", counts, METH_NOARGS, NULL},
    {"pairs", pairs, METH_NOARGS, NULL},
    {"pags", pags, METH_NOARGS, NULL},
    {"consensus", consensus, METH_VARARGS, NULL},
    {0},
};

static PyType_Slot slots[] = {{Py_tp_dealloc, dealloc}, {Py_tp_methods, methods}, {0, NULL}};

PyType_Spec frequencies_spec = {"dualpc._core.Frequencies", sizeof(frequencies_object), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

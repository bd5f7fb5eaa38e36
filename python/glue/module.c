/* The module dualpc._core: its functions, and the table of options. */
#include "glue.h"

module_state *state_of_type(PyTypeObject *type)
{
    return PyType_GetModuleState(type);
}

/* ---- The library's table of options ---- */

static const char *const KINDS[] = {"number", "count", "word", "flag", "text"};

static PyObject *words_of(const char *const *words)
{
    PyObject *list = PyList_New(0);
    for (; words != NULL && *words != NULL && list != NULL; words++)
        list_append(&list, PyUnicode_FromString(*words));
    return list;
}

PyObject *words_of_kind(dpc_word_kind kind)
{
    PyObject *list = PyList_New(0);
    for (int i = 0; dpc_word(kind, i) != NULL && list != NULL; i++)
        list_append(&list, PyUnicode_FromString(dpc_word(kind, i)));
    return list;
}

/* A list of dicts, in the order of the table. */
static PyObject *options(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    dpc_settings defaults;
    dpc_settings_default(&defaults);
    PyObject *list = PyList_New(0);
    for (int i = 0; dpc_option_at(i) != NULL && list != NULL; i++) {
        const dpc_option *o = dpc_option_at(i);
        char initial[DPC_OPTION_SIZE] = "";
        (void)dpc_settings_get(&defaults, o->name, initial, sizeof initial, NULL);
        PyObject *words = words_of(o->words);
        PyObject *one = words == NULL
                            ? NULL
                            : Py_BuildValue("{szszszsNszszszszsI}", "name", o->name, "kind",
                                            KINDS[o->kind], "value", o->value, "words", words,
                                            "word", o->word, "range", o->range, "default", initial,
                                            "sentence", o->sentence, "methods", o->methods);
        list_append(&list, one);
    }
    return list;
}

/* ---- Graphs from elsewhere ---- */

/* A graph of n × n bytes, row after row, as a function of the library makes it. */
static PyObject *graph_of_matrix(PyObject *module, PyObject *args,
                                 dpc_status make(const uint8_t *, int, dpc_graph **, dpc_error *))
{
    const module_state *state = PyModule_GetState(module);
    Py_buffer matrix;
    int n;
    dpc_graph *made = NULL;
    dpc_error err = {0};
    if (!PyArg_ParseTuple(args, "y*i", &matrix, &n))
        return NULL;
    bool fine = n >= 0 && (Py_ssize_t)n * n == matrix.len;
    if (!fine)
        PyErr_SetString(PyExc_ValueError, "not a matrix of n times n bytes");
    else
        fine = call_fine(state, make(matrix.buf, n, &made, &err), &err);
    PyBuffer_Release(&matrix);
    return fine ? graph_wrap(state, made) : NULL;
}

/* graph(matrix, n) */
static PyObject *graph(PyObject *module, PyObject *args)
{
    return graph_of_matrix(module, args, dpc_graph_from_adjacency);
}

/* graph_of_marks(matrix, n): of pcalg's amat.pag */
static PyObject *graph_of_marks(PyObject *module, PyObject *args)
{
    return graph_of_matrix(module, args, dpc_graph_from_marks);
}

/* read_graph(path): (Graph, names, whether the file names all nodes, whether it says PAG) */
static PyObject *read_graph(PyObject *module, PyObject *args)
{
    const module_state *state = PyModule_GetState(module);
    const char *path;
    dpc_named_graph *read = NULL;
    dpc_error err = {0};
    if (!PyArg_ParseTuple(args, "s:read_graph", &path) ||
        !call_fine(state, dpc_graph_read(path, &read, &err), &err))
        return NULL;
    PyObject *list = PyList_New(0), *made = graph_copy(state, &read->graph);
    for (int i = 0; i < read->graph.n_nodes && list != NULL; i++)
        list_append(&list, text_from(read->names[i]));
    bool all = read->all_nodes, pag = read->pag;
    dpc_named_graph_free(read);
    if (list == NULL || made == NULL) {
        Py_XDECREF(list);
        Py_XDECREF(made);
        return NULL;
    }
    return Py_BuildValue("NNNN", made, list, PyBool_FromLong(all), PyBool_FromLong(pag));
}

/* ---- The module ---- */

/* A type, and an attribute of the module that has it. */
static PyTypeObject *add_type(PyObject *module, PyType_Spec *spec)
{
    PyTypeObject *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);
    if (type != NULL && PyModule_AddType(module, type) != 0)
        Py_CLEAR(type);
    return type;
}

static int fill_module(PyObject *module)
{
    module_state *state = PyModule_GetState(module);
    state->errors = PyImport_ImportModule("dualpc._errors");
    if (state->errors == NULL || PyModule_AddStringConstant(module, "version", dpc_version()) != 0)
        return -1;
    state->graph = add_type(module, &graph_spec);
    state->learned = add_type(module, &learned_spec);
    state->frequencies = add_type(module, &frequencies_spec);
    state->posterior = add_type(module, &posterior_spec);
    return state->graph != NULL && state->learned != NULL && state->frequencies != NULL &&
                   state->posterior != NULL
               ? 0
               : -1;
}

static int visit_module(PyObject *module, visitproc visit, void *arg)
{
    const module_state *state = PyModule_GetState(module);
    Py_VISIT(state->errors);
    Py_VISIT(state->graph);
    Py_VISIT(state->learned);
    Py_VISIT(state->frequencies);
    Py_VISIT(state->posterior);
    return 0;
}

static int clear_module(PyObject *module)
{
    module_state *state = PyModule_GetState(module);
    Py_CLEAR(state->errors);
    Py_CLEAR(state->graph);
    Py_CLEAR(state->learned);
    Py_CLEAR(state->frequencies);
    Py_CLEAR(state->posterior);
    return 0;
}

static PyMethodDef functions[] = {
    {"options", options, METH_NOARGS, NULL},
    {"graph", graph, METH_VARARGS, NULL},
    {"graph_of_marks", graph_of_marks, METH_VARARGS, NULL},
    {"read_graph", read_graph, METH_VARARGS, NULL},
    {"compare", compare, METH_VARARGS, NULL},
    {"separated", separated, METH_VARARGS, NULL},
    {"adjust", adjust, METH_VARARGS, NULL},
    {"learn", learn, METH_VARARGS, NULL},
    {"bootstrap", bootstrap, METH_VARARGS, NULL},
    {"sample", sample, METH_VARARGS, NULL},
    {"sampling_words", sampling_words, METH_NOARGS, NULL},
    {"effects", effects, METH_VARARGS, NULL},
    {"edge_table", edge_table, METH_VARARGS, NULL},
    {0},
};

static PyModuleDef_Slot slots[] = {{Py_mod_exec, fill_module}, {0, NULL}};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,   .m_name = "dualpc._core", .m_size = sizeof(module_state),
    .m_methods = functions,  .m_slots = slots,         .m_traverse = visit_module,
    .m_clear = clear_module,
};

PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&definition);
}

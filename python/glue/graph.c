/* Graph: edges and marks over numbered nodes. Never changed once it is made. */
#include "glue.h"

PyObject *graph_wrap(const module_state *state, dpc_graph *graph)
{
    graph_object *self = (graph_object *)PyType_GenericAlloc(state->graph, 0);
    if (self == NULL)
        dpc_graph_free(graph);
    else
        self->graph = graph;
    return (PyObject *)self;
}

PyObject *graph_copy(const module_state *state, const dpc_graph *graph)
{
    dpc_graph *copy = NULL;
    dpc_error err = {0};
    dpc_status status = dpc_graph_copy(graph, &copy, &err);
    return call_fine(state, status, &err) ? graph_wrap(state, copy) : NULL;
}

static void dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    dpc_graph_free(((graph_object *)self)->graph);
    PyObject_Free(self);
    Py_DECREF(type);
}

static const dpc_graph *graph_of(PyObject *self)
{
    return ((graph_object *)self)->graph;
}

static PyObject *get_n_nodes(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLong(graph_of(self)->n_nodes);
}

/* n × n bytes, row after row, as a function of the library fills them. */
static PyObject *matrix_of(PyObject *self,
                           dpc_status fill(const dpc_graph *, uint8_t *, dpc_error *))
{
    const dpc_graph *graph = graph_of(self);
    dpc_error err = {0};
    PyObject *matrix =
        PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)graph->n_nodes * graph->n_nodes);
    if (matrix == NULL)
        return NULL;
    dpc_status status = fill(graph, (uint8_t *)PyByteArray_AsString(matrix), &err);
    if (!call_fine(state_of_type(Py_TYPE(self)), status, &err))
        Py_CLEAR(matrix);
    return matrix;
}

static PyObject *adjacency(PyObject *self, PyObject *unused)
{
    (void)unused;
    return matrix_of(self, dpc_graph_adjacency);
}

/* pcalg's amat.pag. */
static PyObject *marks(PyObject *self, PyObject *unused)
{
    (void)unused;
    return matrix_of(self, dpc_graph_marks);
}

static PyObject *is_pag(PyObject *self, PyObject *unused)
{
    (void)unused;
    return PyBool_FromLong(dpc_graph_is_pag(graph_of(self)));
}

/* Is an edge written from b to a: with its arrowhead, or else its circle, at the end? */
static bool is_backward(dpc_mark mark)
{
    return mark == DPC_BACKWARD || mark == DPC_ARROW_CIRCLE || mark == DPC_CIRCLE_TAIL;
}

static void fill_edges(const dpc_graph *graph, int32_t *from, int32_t *to, uint8_t *mark)
{
    for (int64_t i = 0; i < graph->n_edges; i++) {
        const dpc_edge *edge = &graph->edges[i];
        bool turn = is_backward(edge->mark);
        from[i] = turn ? edge->b : edge->a;
        to[i] = turn ? edge->a : edge->b;
        mark[i] = (uint8_t)dpc_graph_mark(graph, from[i], to[i]);
    }
}

/* Columns of the edges: from and to, int32 each, and the dpc_mark seen from there, a byte each. */
static PyObject *edges(PyObject *self, PyObject *unused)
{
    (void)unused;
    const dpc_graph *graph = graph_of(self);
    Py_ssize_t count = (Py_ssize_t)graph->n_edges, wide = (Py_ssize_t)sizeof(int32_t);
    PyObject *from = PyByteArray_FromStringAndSize(NULL, count * wide);
    PyObject *to = PyByteArray_FromStringAndSize(NULL, count * wide);
    PyObject *mark = PyByteArray_FromStringAndSize(NULL, count);
    PyObject *columns = NULL;
    if (from != NULL && to != NULL && mark != NULL) {
        fill_edges(graph, (int32_t *)(void *)PyByteArray_AsString(from),
                   (int32_t *)(void *)PyByteArray_AsString(to),
                   (uint8_t *)PyByteArray_AsString(mark));
        columns = PyTuple_Pack(3, from, to, mark);
    }
    Py_XDECREF(from);
    Py_XDECREF(to);
    Py_XDECREF(mark);
    return columns;
}

/* text(names, format): the graph alone, as dpc_write_string writes it. */
static PyObject *text(PyObject *self, PyObject *args)
{
    PyObject *given, *made = NULL;
    const char *word;
    char *string = NULL;
    size_t length;
    dpc_format format;
    names n;
    dpc_error err = {0};
    const module_state *state = state_of_type(Py_TYPE(self));
    if (!PyArg_ParseTuple(args, "O!s:text", &PyTuple_Type, &given, &word))
        return NULL;
    if (names_init(&n, given) && n.count == graph_of(self)->n_nodes) {
        dpc_report report = {.size = sizeof report, .names = n.items, .graph = graph_of(self)};
        dpc_status status = dpc_format_of_word(word, &format, &err);
        if (status == DPC_OK)
            status = dpc_write_string(&report, DPC_CONTENT_GRAPH, format, &string, &length, &err);
        if (call_fine(state, status, &err))
            made = take_text(string, length);
    } else if (!PyErr_Occurred()) {
        PyErr_SetString(PyExc_ValueError, "not as many names as nodes");
    }
    names_clear(&n);
    return made;
}

static PyObject *class_member(PyObject *self, PyObject *unused)
{
    (void)unused;
    dpc_graph *dag = NULL;
    dpc_error err = {0};
    const module_state *state = state_of_type(Py_TYPE(self));
    if (!call_fine(state, dpc_class_member(graph_of(self), &dag, &err), &err))
        return NULL;
    return graph_wrap(state, dag);
}

static PyMethodDef methods[] = {
    {"adjacency", adjacency, METH_NOARGS, NULL},
    {"marks", marks, METH_NOARGS, NULL},
    {"is_pag", is_pag, METH_NOARGS, NULL},
    {"edges", edges, METH_NOARGS, NULL},
    {"text", text, METH_VARARGS, NULL},
    {"class_member", class_member, METH_NOARGS, NULL},
    {0},
};

static PyGetSetDef members[] = {{"n_nodes", get_n_nodes, NULL, NULL, NULL}, {0}};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, dealloc}, {Py_tp_methods, methods}, {Py_tp_getset, members}, {0, NULL}};

PyType_Spec graph_spec = {"dualpc._core.Graph", sizeof(graph_object), 0,
                          Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

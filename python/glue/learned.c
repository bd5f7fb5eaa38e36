/*
 * Learned: a result of the library, with the names of its variables. Never changed once it is made:
 * threads may ask it at the same time. As a buffer it is the correlation matrix, n × n doubles.
 */
#include "glue.h"

#include <stdlib.h>

static void dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    learned_object *self = (learned_object *)object;
    dpc_result_free(self->result);
    dpc_audit_clear(&self->audit);
    names_clear(&self->names);
    PyMem_Free(self->shape);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* ---- Learning ---- */

static dpc_status run(input *in, long long n_obs, PyObject *progress, learned_object *self,
                      dpc_error *err)
{
    dpc_correlation *correlation = NULL;
    dpc_status status;
    call_begin(&in->call, progress);
    if (n_obs > 0) {
        status = dpc_correlation_from_matrix(in->table, n_obs, &in->settings, &self->audit,
                                             &correlation, err);
        if (status == DPC_OK)
            status = dpc_learn(correlation, &in->settings, &self->result, err);
    } else {
        status = dpc_learn_table(in->table, &in->settings, &self->audit, &self->result, err);
    }
    dpc_correlation_free(correlation);
    call_end(&in->call);
    return status;
}

static bool describe_matrix(learned_object *self)
{
    Py_ssize_t n = dpc_result_info(self->result)->n_vars;
    self->shape = PyMem_Calloc(4, sizeof *self->shape);
    if (self->shape == NULL) {
        PyErr_NoMemory();
        return false;
    }
    self->shape[0] = self->shape[1] = n;
    self->shape[2] = n * (Py_ssize_t)sizeof(double); /* the strides */
    self->shape[3] = sizeof(double);
    return true;
}

PyObject *learn(PyObject *module, PyObject *args)
{
    const module_state *state = PyModule_GetState(module);
    PyObject *data, *given, *options, *knowledge, *progress;
    const char *missing = "error";
    long long n_obs;
    input in = {0};
    dpc_error err = {0};
    if (!PyArg_ParseTuple(args, "OOO!OLO|s:learn", &data, &given, &PyDict_Type, &options,
                          &knowledge, &n_obs, &progress, &missing))
        return NULL;
    learned_object *self = (learned_object *)PyType_GenericAlloc(state->learned, 0);
    if (self == NULL)
        return NULL;
    bool fine = names_init(&self->names, given) &&
                input_init(&in, state, data, &self->names, options, knowledge, missing) &&
                call_fine(state, run(&in, n_obs, progress, self, &err), &err);
    if (self->result != NULL) /* the refinement was called off, or all is fine */
        fine = describe_matrix(self) && fine;
    if (!fine && self->shape != NULL && PyErr_Occurred())
        call_partial((PyObject *)self);
    input_clear(&in);
    if (!fine)
        Py_CLEAR(self);
    return (PyObject *)self;
}

/* ---- What it was learned with ---- */

static PyObject *get_n_obs(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLongLong(dpc_result_info(((learned_object *)self)->result)->n_obs);
}

static PyObject *get_effective_rows(PyObject *self, void *unused)
{
    (void)unused;
    return PyFloat_FromDouble(dpc_result_info(((learned_object *)self)->result)->effective_rows);
}

static PyObject *warnings(PyObject *self, PyObject *unused)
{
    (void)unused;
    const learned_object *learned = (learned_object *)self;
    const char *last = dpc_result_info(learned->result)->warning;
    PyObject *list = PyList_New(0);
    list_findings(&list, &learned->audit);
    if (last != NULL && list != NULL)
        list_append(&list, text_from(last));
    return list;
}

static int get_buffer(PyObject *object, Py_buffer *view, int flags)
{
    const learned_object *self = (learned_object *)object;
    if (flags & PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, "the correlation matrix cannot be changed");
        view->obj = NULL;
        return -1;
    }
    const double *r = dpc_correlation_about(dpc_result_info(self->result)->correlation).values;
    if (r == NULL) {
        PyErr_SetString(PyExc_BufferError, "the correlation matrix was too large to be made");
        view->obj = NULL;
        return -1;
    }
    bool shaped = (flags & PyBUF_ND) != 0, strided = (flags & PyBUF_STRIDES) == PyBUF_STRIDES;
    *view = (Py_buffer){.buf = (void *)(uintptr_t)r,
                        .obj = Py_NewRef(object),
                        .len = self->shape[0] * self->shape[2],
                        .itemsize = sizeof(double),
                        .readonly = 1,
                        .ndim = shaped ? 2 : 1,
                        .format = flags & PyBUF_FORMAT ? "d" : NULL,
                        .shape = shaped ? self->shape : NULL,
                        .strides = strided ? self->shape + 2 : NULL};
    return 0;
}

/* ---- Questions ---- */

static PyObject *graph(PyObject *self, PyObject *unused)
{
    (void)unused;
    return graph_copy(state_of_type(Py_TYPE(self)),
                      dpc_result_graph(((learned_object *)self)->result));
}

/* With the arrows that min_evidence has left out. */
static PyObject *class_graph(PyObject *self, PyObject *unused)
{
    (void)unused;
    return graph_copy(state_of_type(Py_TYPE(self)),
                      dpc_result_info(((learned_object *)self)->result)->class_graph);
}

/* "CPDAG", "MPDAG", "pattern", … */
static PyObject *graph_type(PyObject *self, PyObject *unused)
{
    (void)unused;
    return PyUnicode_FromString(dpc_result_info(((learned_object *)self)->result)->type);
}

/* The standard deviations as doubles; None: there are no units. */
static PyObject *units(PyObject *self, PyObject *unused)
{
    (void)unused;
    const dpc_result *result = ((learned_object *)self)->result;
    const double *sd = dpc_correlation_about(dpc_result_info(result)->correlation).units;
    if (sd == NULL)
        return Py_NewRef(Py_None);
    return PyByteArray_FromStringAndSize((const char *)sd,
                                         dpc_result_info(result)->n_vars * (Py_ssize_t)sizeof *sd);
}

/* sepset(a, b): (kind, members, level, from, r, p, n); None: nothing separated the two. */
static PyObject *sepset(PyObject *self, PyObject *args)
{
    const dpc_result *result = ((learned_object *)self)->result;
    int a, b;
    dpc_sepset set;
    dpc_error err = {0};
    if (!PyArg_ParseTuple(args, "O&O&:sepset", take_index, &a, take_index, &b))
        return NULL;
    int32_t *members = PyMem_Calloc((size_t)dpc_result_info(result)->n_vars + 1, sizeof *members);
    if (members == NULL)
        return PyErr_NoMemory();
    PyObject *answer = NULL, *tuple = NULL;
    dpc_status status = dpc_separating_set(result, a, b, &set, members, &err);
    if (call_fine(state_of_type(Py_TYPE(self)), status, &err)) {
        if (set.kind == DPC_SEP_NONE)
            answer = Py_NewRef(Py_None);
        else if ((tuple = tuple_of(members, set.size)) != NULL)
            answer = Py_BuildValue("sNiiddL", dpc_word(DPC_WORD_SEPARATION, set.kind), tuple,
                                   set.level, set.from, set.r, set.p, (long long)set.n_obs);
    }
    PyMem_Free(members);
    return answer;
}

/* explain(a, b): as JSON (that of the whole result, which has it) and in sentences. */
static PyObject *explain(PyObject *object, PyObject *args)
{
    learned_object *self = (learned_object *)object;
    int a, b;
    call c;
    dpc_error err = {0};
    dpc_explanation *why = NULL;
    char *json = NULL, *sentences = NULL;
    size_t json_length = 0, sentences_length = 0;
    if (!PyArg_ParseTuple(args, "O&O&:explain", take_index, &a, take_index, &b))
        return NULL;
    call_begin(&c, Py_None);
    dpc_status status = dpc_explain(self->result, a, b, call_asks, &c, &why, &err);
    if (status == DPC_OK) {
        dpc_report report = {.size = sizeof report,
                             .names = self->names.items,
                             .result = self->result,
                             .explanations = &why,
                             .n_explanations = 1};
        status = dpc_write_string(&report, DPC_CONTENT_GRAPH, DPC_FORMAT_JSON, &json, &json_length,
                                  &err);
    }
    if (status == DPC_OK)
        status = dpc_explanation_string(self->result, self->names.items, why, &sentences,
                                        &sentences_length, &err);
    dpc_explanation_free(why);
    call_end(&c);
    PyObject *answer = NULL;
    if (call_fine(state_of_type(Py_TYPE(object)), status, &err))
        answer = Py_BuildValue("s#s#", json, (Py_ssize_t)json_length, sentences,
                               (Py_ssize_t)sentences_length);
    dpc_string_free(json);
    dpc_string_free(sentences);
    return answer;
}

/* ---- Writing ---- */

/* What is to be told: (Graph or None, Frequencies or None, min_frequency, separating_sets). */
static bool report_init(dpc_report *report, const learned_object *self, const module_state *state,
                        PyObject *args, call *c)
{
    PyObject *given, *frequencies;
    int sets;
    if (!PyArg_ParseTuple(args, "OOdp", &given, &frequencies, &report->min_frequency, &sets))
        return false;
    report->size = sizeof *report;
    report->names = self->names.items;
    report->result = self->result;
    report->audit = &self->audit;
    report->separating_sets = sets;
    report->progress = call_asks;
    report->progress_user = c;
    if (PyObject_TypeCheck(given, state->graph))
        report->graph = ((graph_object *)given)->graph;
    if (PyObject_TypeCheck(frequencies, state->frequencies))
        report->frequencies = ((frequencies_object *)frequencies)->frequencies;
    return true;
}

/* What JSON also tells. */
typedef struct more {
    dpc_goodness *fit;
    dpc_node_table *nodes;
} more;

static void more_free(more *m)
{
    dpc_goodness_free(m->fit);
    dpc_node_table_free(m->nodes);
}

/* Fit, nodes and advice are about graphs without hidden causes. */
static bool is_pag(const dpc_report *report)
{
    return dpc_result_settings(report->result)->latent != DPC_HIDDEN_NONE;
}

static dpc_status add_fit(dpc_report *report, dpc_goodness **fit, dpc_error *err)
{
    dpc_status status = DPC_OK;
    if (dpc_result_settings(report->result)->graph != DPC_SKELETON && !is_pag(report))
        status = dpc_fit(report->result, report->graph, report->progress, report->progress_user,
                         fit, err);
    report->fit = *fit;
    return status;
}

static dpc_status add_more(dpc_report *report, more *m, dpc_error *err)
{
    dpc_status status = add_fit(report, &m->fit, err);
    if (status == DPC_OK && !is_pag(report))
        status = dpc_tabulate_nodes(report->result, report->graph, report->progress,
                                    report->progress_user, &m->nodes, err);
    report->node_table = m->nodes;
    return status;
}

/* text(format, told) */
static PyObject *text(PyObject *object, PyObject *args)
{
    const module_state *state = state_of_type(Py_TYPE(object));
    const char *word;
    PyObject *told;
    dpc_report report = {0};
    dpc_format format;
    call c;
    char *string = NULL;
    size_t length = 0;
    more m = {0};
    dpc_error err = {0};
    if (!PyArg_ParseTuple(args, "sO!:text", &word, &PyTuple_Type, &told) ||
        !report_init(&report, (learned_object *)object, state, told, &c))
        return NULL;
    dpc_status status = dpc_format_of_word(word, &format, &err);
    if (status == DPC_OK) {
        call_begin(&c, Py_None);
        status = format == DPC_FORMAT_JSON ? add_more(&report, &m, &err) : DPC_OK;
        if (status == DPC_OK)
            status = dpc_write_string(&report, DPC_CONTENT_GRAPH, format, &string, &length, &err);
        more_free(&m);
        call_end(&c);
    }
    return call_fine(state, status, &err) ? take_text(string, length) : NULL;
}

/* The lines of the verdict; of the data where there are some. */
static dpc_status say_verdict(dpc_report *report, const input *in, int advice, char **string,
                              size_t *length, dpc_error *err)
{
    dpc_goodness *fit = NULL;
    dpc_assumptions *assumptions = NULL;
    dpc_advice *advised = NULL;
    const dpc_graph *graph =
        report->graph != NULL ? report->graph : dpc_result_graph(report->result);
    dpc_status status = add_fit(report, &fit, err);
    if (status == DPC_OK && in->table != NULL)
        status = dpc_check_assumptions(in->table, graph, &in->settings, &assumptions, err);
    if (status == DPC_OK && in->table != NULL && advice > 0 && !is_pag(report))
        status = dpc_advise(in->table, report->result, &in->settings, advice > 1, &advised, err);
    report->assumptions = assumptions;
    report->advice = advised;
    if (status == DPC_OK)
        status =
            dpc_write_string(report, DPC_CONTENT_VERDICT, DPC_FORMAT_AUTO, string, length, err);
    dpc_goodness_free(fit);
    dpc_assumptions_free(assumptions);
    dpc_advice_free(advised);
    return status;
}

/* verdict(told, data or None, options, knowledge, missing, advice): 0 none, 1 where it is little
 * work, 2 always */
static PyObject *verdict(PyObject *object, PyObject *args)
{
    const module_state *state = state_of_type(Py_TYPE(object));
    learned_object *self = (learned_object *)object;
    PyObject *told, *data, *options, *knowledge;
    const char *missing;
    int advice;
    dpc_report report = {0};
    input in = {0};
    char *string = NULL;
    size_t length = 0;
    dpc_error err = {0};
    if (!PyArg_ParseTuple(args, "O!OO!Osi:verdict", &PyTuple_Type, &told, &data, &PyDict_Type,
                          &options, &knowledge, &missing, &advice) ||
        !report_init(&report, self, state, told, &in.call))
        return NULL;
    bool fine =
        data == Py_None || input_init(&in, state, data, &self->names, options, knowledge, missing);
    if (fine) {
        call_begin(&in.call, Py_None);
        dpc_status status = say_verdict(&report, &in, advice, &string, &length, &err);
        call_end(&in.call);
        fine = call_fine(state, status, &err);
    }
    input_clear(&in);
    return fine ? take_text(string, length) : NULL;
}

static dpc_status write_paths(const dpc_report *report, const names *paths, dpc_error *err)
{
    dpc_output *outputs = calloc((size_t)paths->count + 1, sizeof *outputs); /* without the GIL */
    if (outputs == NULL) {
        *err = (dpc_error){DPC_NO_MEMORY, "out of memory for the outputs"};
        return DPC_NO_MEMORY;
    }
    for (int i = 0; i < paths->count; i++)
        outputs[i].path = paths->items[i];
    dpc_status status = dpc_write(report, outputs, paths->count, err);
    free(outputs);
    return status;
}

/* write(paths, told) */
static PyObject *write_files(PyObject *object, PyObject *args)
{
    const module_state *state = state_of_type(Py_TYPE(object));
    PyObject *given, *told;
    names paths;
    dpc_report report = {0};
    call c;
    more m = {0};
    dpc_error err = {0};
    if (!PyArg_ParseTuple(args, "O!O!:write", &PyTuple_Type, &given, &PyTuple_Type, &told) ||
        !report_init(&report, (learned_object *)object, state, told, &c))
        return NULL;
    bool fine = names_init(&paths, given);
    if (fine) {
        call_begin(&c, Py_None);
        dpc_status status = add_more(&report, &m, &err);
        if (status == DPC_OK)
            status = write_paths(&report, &paths, &err);
        more_free(&m);
        call_end(&c);
        fine = call_fine(state, status, &err);
    }
    names_clear(&paths);
    return fine ? Py_NewRef(Py_None) : NULL;
}

/* ---- The type ---- */

static PyMethodDef methods[] = {
    {"warnings", warnings, METH_NOARGS, NULL},
    {"units", units, METH_NOARGS, NULL},
    {"graph", graph, METH_NOARGS, NULL},
    {"class_graph", class_graph, METH_NOARGS, NULL},
    {"graph_type", graph_type, METH_NOARGS, NULL},
    {"sepset", sepset, METH_VARARGS, NULL},
    {"explain", explain, METH_VARARGS, NULL},
    {"text", text, METH_VARARGS, NULL},
    {"write", write_files, METH_VARARGS, NULL},
    {"verdict", verdict, METH_VARARGS, NULL},
    {0},
};

static PyGetSetDef members[] = {{"n_obs", get_n_obs, NULL, NULL, NULL},
                                {"effective_rows", get_effective_rows, NULL, NULL, NULL},
                                {0}};

static PyType_Slot slots[] = {{Py_tp_dealloc, dealloc},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, members},
                              {Py_bf_getbuffer, get_buffer},
                              {0, NULL}};

PyType_Spec learned_spec = {"dualpc._core.Learned", sizeof(learned_object), 0,
                            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

/*
 * Posterior: DAGs that were drawn from their posterior, and how probable what is in them is. Never
 * changed once it is made: threads may ask it at the same time.
 *
 * Numbers leave as bytes, row after row, which numpy reads as arrays. The draws leave as one list
 * of arrows, that of draw i behind those of the draws before it: n_edges says how long each is.
 */
#include "glue.h"

static void dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    posterior_object *self = (posterior_object *)object;
    dpc_posterior_free(self->posterior);
    dpc_knowledge_free(self->knowledge);
    dpc_audit_clear(&self->audit);
    dpc_audit_clear(&self->doubts);
    names_clear(&self->names);
    PyObject_Free(self);
    Py_DECREF(type);
}

static const dpc_posterior *posterior_of(PyObject *self)
{
    return ((posterior_object *)self)->posterior;
}

/* ---- Sampling ---- */

/* What a call samples with; the lists are owned. */
typedef struct request {
    dpc_sampling sampling;
    int32_t *causes, *outcomes;
} request;

static void request_clear(request *r)
{
    PyMem_Free(r->causes);
    PyMem_Free(r->outcomes);
}

/* The value of a word; where there is no such word, one that the library refuses. */
static int value_of(dpc_word_kind kind, const char *word)
{
    int value = 0;
    while (dpc_word(kind, value) != NULL && strcmp(dpc_word(kind, value), word) != 0)
        value++;
    return value;
}

/* (score, prior, edge_probability, candidates, chains, draws, thin, causes, outcomes) */
static bool request_init(request *r, PyObject *given)
{
    const char *score, *prior;
    PyObject *causes, *outcomes;
    dpc_sampling *s = &r->sampling;
    *r = (request){0};
    dpc_sampling_default(s);
    if (!PyArg_ParseTuple(given, "ssdiiiiOO", &score, &prior, &s->edge_probability, &s->candidates,
                          &s->chains, &s->draws, &s->thin, &causes, &outcomes) ||
        !take_members(causes, &r->causes, &s->n_causes) ||
        !take_members(outcomes, &r->outcomes, &s->n_outcomes))
        return false;
    s->score = (dpc_marginal_score)value_of(DPC_WORD_SCORE, score);
    s->prior = (dpc_graph_prior)value_of(DPC_WORD_PRIOR, prior);
    s->causes = r->causes;
    s->outcomes = r->outcomes;
    return true;
}

static dpc_status draw_graphs(posterior_object *self, input *in, long long n_obs,
                              const dpc_sampling *sampling, dpc_error *err)
{
    dpc_correlation *correlation = NULL;
    dpc_status status;
    if (n_obs > 0) {
        status = dpc_correlation_from_matrix(in->table, n_obs, &in->settings, &self->audit,
                                             &correlation, err);
        if (status == DPC_OK)
            status =
                dpc_sample_correlation(correlation, &in->settings, sampling, &self->posterior, err);
    } else {
        status =
            dpc_sample(in->table, &in->settings, sampling, &self->audit, &self->posterior, err);
    }
    dpc_correlation_free(correlation);
    return status;
}

/* The work itself, without the GIL. What was called off has its warnings, too. */
static dpc_status run(posterior_object *self, input *in, long long n_obs,
                      const dpc_sampling *sampling, PyObject *progress, dpc_error *err)
{
    dpc_error ignored = {0};
    call_begin(&in->call, progress);
    dpc_status status = draw_graphs(self, in, n_obs, sampling, err);
    if (self->posterior != NULL) {
        dpc_status told = dpc_posterior_warnings(self->posterior, self->names.items, &self->doubts,
                                                 status == DPC_OK ? err : &ignored);
        status = status == DPC_OK ? told : status;
    }
    call_end(&in->call);
    return status;
}

/* The settings go on without what belongs to the call. */
static void keep_settings(posterior_object *self, input *in)
{
    self->settings = in->settings;
    self->settings.progress = NULL;
    self->settings.progress_user = NULL;
    self->knowledge = in->knowledge;
    in->knowledge = NULL;
}

PyObject *sample(PyObject *module, PyObject *args)
{
    const module_state *state = PyModule_GetState(module);
    PyObject *data, *given, *options, *knowledge, *sampling, *progress;
    const char *missing = "error";
    long long n_obs;
    input in = {0};
    request r = {0};
    dpc_error err = {0};
    if (!PyArg_ParseTuple(args, "OO!O!OLO!O|s:sample", &data, &PyTuple_Type, &given, &PyDict_Type,
                          &options, &knowledge, &n_obs, &PyTuple_Type, &sampling, &progress,
                          &missing))
        return NULL;
    posterior_object *self = (posterior_object *)PyType_GenericAlloc(state->posterior, 0);
    if (self == NULL)
        return NULL;
    bool fine = request_init(&r, sampling) && names_init(&self->names, given) &&
                input_init(&in, state, data, &self->names, options, knowledge, missing);
    if (fine) {
        fine = call_fine(state, run(self, &in, n_obs, &r.sampling, progress, &err), &err);
        keep_settings(self, &in);
        if (!fine && self->posterior != NULL)
            call_partial((PyObject *)self);
    }
    input_clear(&in);
    request_clear(&r);
    if (!fine)
        Py_CLEAR(self);
    return (PyObject *)self;
}

/* sampling_words(): (scores, priors) */
PyObject *sampling_words(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    PyObject *scores = words_of_kind(DPC_WORD_SCORE), *priors = words_of_kind(DPC_WORD_PRIOR);
    if (scores == NULL || priors == NULL) {
        Py_XDECREF(scores);
        Py_XDECREF(priors);
        return NULL;
    }
    return Py_BuildValue("NN", scores, priors);
}

/* ---- Numbers ---- */

/* (n_obs, chains, draws, complete, best_score, rhat, ess, score_rhat, score_ess) */
static PyObject *about(PyObject *self, PyObject *unused)
{
    (void)unused;
    const dpc_posterior *p = posterior_of(self);
    return Py_BuildValue("LiiNddddd", (long long)p->n_obs, p->chains, p->draws,
                         PyBool_FromLong(p->complete), p->best_score, p->rhat, p->ess,
                         p->score_rhat, p->score_ess);
}

static PyObject *warnings(PyObject *self, PyObject *unused)
{
    (void)unused;
    PyObject *list = PyList_New(0);
    list_findings(&list, &((posterior_object *)self)->audit);
    list_findings(&list, &((posterior_object *)self)->doubts);
    return list;
}

/* A row of nine doubles for each pair: a, b, forward, backward, ancestor, descendant, se, rhat, ess
 */
static PyObject *pairs(PyObject *self, PyObject *unused)
{
    (void)unused;
    typedef double row[9];
    const dpc_posterior *p = posterior_of(self);
    PyObject *out =
        PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)p->n_pairs * (Py_ssize_t)sizeof(row));
    char *rows = out != NULL ? PyByteArray_AsString(out) : NULL;
    for (int64_t i = 0; rows != NULL && i < p->n_pairs; i++) {
        const dpc_probability *pair = &p->pairs[i];
        const row values = {pair->a,        pair->b,        pair->forward,
                            pair->backward, pair->ancestor, pair->descendant,
                            pair->se,       pair->rhat,     pair->ess};
        memcpy(rows + (size_t)i * sizeof values, values, sizeof values);
    }
    return out;
}

/* So many things of the size, as bytes. */
static PyObject *bytes_of(const void *values, int64_t count, size_t size)
{
    return PyByteArray_FromStringAndSize(values, (Py_ssize_t)count * (Py_ssize_t)size);
}

static int64_t draws_of(const dpc_posterior *p)
{
    return (int64_t)p->chains * p->draws;
}

/* Doubles, chain after chain. */
static PyObject *scores(PyObject *self, PyObject *unused)
{
    (void)unused;
    const dpc_posterior *p = posterior_of(self);
    return bytes_of(p->scores, draws_of(p), sizeof *p->scores);
}

/* int32, chain after chain. */
static PyObject *n_edges(PyObject *self, PyObject *unused)
{
    (void)unused;
    const dpc_posterior *p = posterior_of(self);
    return bytes_of(p->n_edges, draws_of(p), sizeof *p->n_edges);
}

/* (cause, outcome, mean, sd, low, high, nonzero), … */
static PyObject *posterior_effects(PyObject *self, PyObject *unused)
{
    (void)unused;
    const dpc_posterior *p = posterior_of(self);
    PyObject *list = PyList_New(0);
    for (int64_t i = 0; i < p->n_effects && list != NULL; i++) {
        const dpc_posterior_effect *e = &p->effects[i];
        list_append(&list, Py_BuildValue("iiddddd", (int)e->cause, (int)e->outcome, e->mean, e->sd,
                                         e->low, e->high, e->nonzero));
    }
    return list;
}

/* Doubles: of each effect those of all draws. */
static PyObject *effect_draws(PyObject *self, PyObject *unused)
{
    (void)unused;
    const dpc_posterior *p = posterior_of(self);
    return bytes_of(p->effect_draws, p->n_effects * draws_of(p), sizeof *p->effect_draws);
}

/* ---- Graphs ---- */

/* The arrows of all draws, as int32. */
static dpc_status list_arrows(const dpc_posterior *p, int64_t total, int32_t *from, int32_t *to,
                              dpc_error *err)
{
    dpc_status status = DPC_OK;
    int64_t at = 0;
    for (int64_t i = 0; i < draws_of(p) && status == DPC_OK; i++) {
        dpc_graph *dag = NULL;
        status = dpc_posterior_draw(p, (int)(i / p->draws), (int)(i % p->draws), &dag, err);
        if (status == DPC_OK && at + dag->n_edges <= total) {
            dpc_graph_edges(dag, from + at, to + at, NULL);
            at += dag->n_edges;
        }
        dpc_graph_free(dag);
    }
    return status;
}

/* Columns of the arrows of all draws: from and to, int32 each. */
static PyObject *arrows(PyObject *self, PyObject *unused)
{
    (void)unused;
    const dpc_posterior *p = posterior_of(self);
    int64_t total = 0;
    call c;
    dpc_error err = {0};
    for (int64_t i = 0; i < draws_of(p); i++)
        total += p->n_edges[i];
    PyObject *from = bytes_of(NULL, total, sizeof(int32_t)), *columns = NULL;
    PyObject *to = bytes_of(NULL, total, sizeof(int32_t));
    if (from != NULL && to != NULL) {
        int32_t *starts = (int32_t *)(void *)PyByteArray_AsString(from);
        int32_t *ends = (int32_t *)(void *)PyByteArray_AsString(to);
        call_begin(&c, Py_None);
        dpc_status status = list_arrows(p, total, starts, ends, &err);
        call_end(&c);
        if (call_fine(state_of_type(Py_TYPE(self)), status, &err))
            columns = PyTuple_Pack(2, from, to);
    }
    Py_XDECREF(from);
    Py_XDECREF(to);
    return columns;
}

static PyObject *best(PyObject *self, PyObject *unused)
{
    (void)unused;
    return graph_copy(state_of_type(Py_TYPE(self)), posterior_of(self)->best);
}

/* graph(min_probability) */
static PyObject *probable_graph(PyObject *self, PyObject *args)
{
    const module_state *state = state_of_type(Py_TYPE(self));
    double least;
    call c;
    dpc_graph *graph = NULL;
    dpc_error err = {0};
    if (!PyArg_ParseTuple(args, "d:graph", &least))
        return NULL;
    call_begin(&c, Py_None);
    dpc_status status = dpc_posterior_graph(posterior_of(self), least, &graph, &err);
    call_end(&c);
    return call_fine(state, status, &err) ? graph_wrap(state, graph) : NULL;
}

/* What is told of it and of a graph. */
static dpc_status tell(const posterior_object *self, const dpc_graph *graph, double least,
                       dpc_content what, dpc_format format, char **string, size_t *length,
                       dpc_error *err)
{
    dpc_report report = {.size = sizeof report,
                         .names = self->names.items,
                         .graph = graph,
                         .audit = &self->audit,
                         .posterior = self->posterior,
                         .min_probability = least,
                         .settings = &self->settings};
    return dpc_write_string(&report, what, format, string, length, err);
}

/* text(format, min_probability): the graph of these edges, with all that JSON tells. */
static PyObject *text(PyObject *object, PyObject *args)
{
    const module_state *state = state_of_type(Py_TYPE(object));
    const posterior_object *self = (posterior_object *)object;
    const char *word;
    double least;
    dpc_format format;
    dpc_graph *graph = NULL;
    char *string = NULL;
    size_t length = 0;
    call c;
    dpc_error err = {0};
    if (!PyArg_ParseTuple(args, "sd:text", &word, &least))
        return NULL;
    call_begin(&c, Py_None);
    dpc_status status = dpc_format_of_word(word, &format, &err);
    if (status == DPC_OK)
        status = dpc_posterior_graph(self->posterior, least, &graph, &err);
    if (status == DPC_OK)
        status = tell(self, graph, least, DPC_CONTENT_GRAPH, format, &string, &length, &err);
    dpc_graph_free(graph);
    call_end(&c);
    return call_fine(state, status, &err) ? take_text(string, length) : NULL;
}

/* A few plain lines. */
static PyObject *verdict(PyObject *object, PyObject *unused)
{
    (void)unused;
    const posterior_object *self = (posterior_object *)object;
    char *string = NULL;
    size_t length = 0;
    dpc_error err = {0};
    dpc_status status = tell(self, self->posterior->best, 0, DPC_CONTENT_VERDICT, DPC_FORMAT_AUTO,
                             &string, &length, &err);
    return call_fine(state_of_type(Py_TYPE(object)), status, &err) ? take_text(string, length)
                                                                   : NULL;
}

/* ---- The type ---- */

static PyMethodDef methods[] = {
    {"about", about, METH_NOARGS, NULL},
    {"warnings", warnings, METH_NOARGS, NULL},
    {"pairs", pairs, METH_NOARGS, NULL},
    {"scores", scores, METH_NOARGS, NULL},
    {"n_edges", n_edges, METH_NOARGS, NULL},
    {"effects", posterior_effects, METH_NOARGS, NULL},
    {"effect_draws", effect_draws, METH_NOARGS, NULL},
    {"arrows", arrows, METH_NOARGS, NULL},
    {"best", best, METH_NOARGS, NULL},
    {"graph", probable_graph, METH_VARARGS, NULL},
    {"text", text, METH_VARARGS, NULL},
    {"verdict", verdict, METH_NOARGS, NULL},
    {0},
};

static PyType_Slot slots[] = {{Py_tp_dealloc, dealloc}, {Py_tp_methods, methods}, {0, NULL}};

PyType_Spec posterior_spec = {"dualpc._core.Posterior", sizeof(posterior_object), 0,
                              Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

/*
 * What follows from a graph alone: separation, sets to adjust for, and how far it is from another.
 * Each question makes the object that the library asks, and frees it.
 */
#include "glue.h"

/* ---- Questions to one graph ---- */

enum { N_KINDS = DPC_ADJUST_MINIMAL + 1 };

/* A question, and all of its answers. */
typedef struct asked {
    names names;
    const dpc_graph *graph;
    int x, y, pag, extend;
    int32_t *given; /* a set, as numbers; NULL: none was given */
    int n_given;
    dpc_causal *causal;
    int32_t *room; /* of the lists below, n each */
    bool separated;
    int32_t *path;
    int length;
    dpc_identification about;
    int32_t *set[N_KINDS];
    int size[N_KINDS];
    dpc_set_check check;
} asked;

static void asked_clear(asked *q)
{
    dpc_causal_free(q->causal);
    PyMem_Free(q->given);
    PyMem_Free(q->room);
    names_clear(&q->names);
}

/* args: graph, names, x, y, a set or None, extend */
static bool asked_init(asked *q, const module_state *state, PyObject *args)
{
    PyObject *graph, *given, *set;
    if (!PyArg_ParseTuple(args, "O!O!O&O&Opp", state->graph, &graph, &PyTuple_Type, &given,
                          take_index, &q->x, take_index, &q->y, &set, &q->pag, &q->extend))
        return false;
    q->graph = ((graph_object *)graph)->graph;
    size_t n = (size_t)q->graph->n_nodes + 1;
    q->room = PyMem_Calloc(n * (N_KINDS + 3), sizeof *q->room);
    if (q->room == NULL) {
        PyErr_NoMemory();
        return false;
    }
    q->path = q->room;
    q->about.path = q->room + n;
    q->check.path = q->room + 2 * n;
    for (int kind = 0; kind < N_KINDS; kind++)
        q->set[kind] = q->room + (size_t)(kind + 3) * n;
    if (!names_init(&q->names, given) || !take_members(set, &q->given, &q->n_given))
        return false;
    if (q->names.count == q->graph->n_nodes)
        return true;
    PyErr_SetString(PyExc_ValueError, "not as many names as nodes");
    return false;
}

/* Makes the graph that is asked, then asks; without the GIL. */
static bool asked_run(asked *q, const module_state *state, dpc_status ask(asked *, dpc_error *))
{
    call c;
    dpc_error err = {0};
    call_begin(&c, Py_None);
    dpc_status status = (q->pag ? dpc_causal_new_pag : dpc_causal_new)(q->graph, q->names.items,
                                                                       q->extend, &q->causal, &err);
    if (status == DPC_OK)
        status = ask(q, &err);
    call_end(&c);
    return call_fine(state, status, &err);
}

/* The nodes of a path, and the marks of its edges: ((0, 3, 2), (12, 9)) */
static PyObject *path_of(const asked *q, const int32_t *path, int length)
{
    const dpc_graph *graph = dpc_causal_about(q->causal).graph;
    PyObject *nodes = tuple_of(path, length), *marks = PyList_New(0);
    for (int i = 0; i + 1 < length && marks != NULL; i++)
        list_append(&marks, PyLong_FromLong(dpc_graph_mark(graph, path[i], path[i + 1])));
    if (nodes == NULL || marks == NULL) {
        Py_XDECREF(nodes);
        Py_XDECREF(marks);
        return NULL;
    }
    return Py_BuildValue("NN", nodes, marks);
}

/* ---- Separation ---- */

static dpc_status ask_separation(asked *q, dpc_error *err)
{
    return dpc_separated(q->causal, q->x, q->y, q->given, q->n_given, &q->separated, q->path,
                         &q->length, err);
}

PyObject *separated(PyObject *module, PyObject *args)
{
    const module_state *state = PyModule_GetState(module);
    asked q = {0};
    PyObject *answer = NULL;
    if (asked_init(&q, state, args) && asked_run(&q, state, ask_separation))
        answer = Py_BuildValue("NN", PyBool_FromLong(q.separated), path_of(&q, q.path, q.length));
    asked_clear(&q);
    return answer;
}

/* ---- Adjustment ---- */

static dpc_status ask_adjustment(asked *q, dpc_error *err)
{
    dpc_status status = dpc_identify(q->causal, q->x, q->y, &q->about, err);
    for (int kind = 0; kind < N_KINDS && status == DPC_OK; kind++)
        status = dpc_adjustment(q->causal, q->x, q->y, (dpc_adjustment_kind)kind, q->set[kind],
                                &q->size[kind], err);
    if (status == DPC_OK && q->given != NULL)
        status = dpc_check_adjustment(q->causal, q->x, q->y, q->given, q->n_given, &q->check, err);
    return status;
}

/* A set, or None. */
static PyObject *set_of(const asked *q, dpc_adjustment_kind kind)
{
    return q->size[kind] < 0 ? Py_NewRef(Py_None) : tuple_of(q->set[kind], q->size[kind]);
}

/* (verdict, forbidden node, through, path), or None where no set was given. */
static PyObject *check_of(const asked *q)
{
    if (q->given == NULL)
        return Py_NewRef(Py_None);
    return Py_BuildValue("siiN", dpc_word(DPC_WORD_VERDICT, q->check.verdict), (int)q->check.node,
                         (int)q->check.through, path_of(q, q->check.path, q->check.length));
}

PyObject *adjust(PyObject *module, PyObject *args)
{
    const module_state *state = PyModule_GetState(module);
    asked q = {0};
    PyObject *answer = NULL;
    if (asked_init(&q, state, args) && asked_run(&q, state, ask_adjustment))
        answer = Py_BuildValue(
            "NNNNNNNN", PyBool_FromLong(dpc_causal_about(q.causal).kind >= DPC_GRAPH_MAG),
            PyBool_FromLong(q.about.identified), PyBool_FromLong(q.about.possible),
            path_of(&q, q.about.path, q.about.length), set_of(&q, DPC_ADJUST_OPTIMAL),
            set_of(&q, DPC_ADJUST_PARENTS), set_of(&q, DPC_ADJUST_MINIMAL), check_of(&q));
    asked_clear(&q);
    return answer;
}

/* ---- Distances ---- */

/* What a graph can be asked; NULL stays in *out where it stands for no DAG. */
static dpc_status make_causal(const dpc_graph *graph, bool extend, dpc_causal **out, dpc_error *err)
{
    dpc_status status =
        dpc_graph_is_pag(graph) ? DPC_OK : dpc_causal_new(graph, NULL, extend, out, err);
    return status == DPC_BAD_INPUT ? DPC_OK : status;
}

/* Where there are none, `pairs` stays 0. */
static dpc_status measure_distances(const dpc_graph *estimate, const dpc_graph *truth, bool extend,
                                    call *c, dpc_aid *out, dpc_error *err)
{
    dpc_causal *one = NULL, *other = NULL;
    dpc_settings settings;
    dpc_settings_default(&settings);
    settings.progress = call_asks;
    settings.progress_user = c;
    dpc_status status = make_causal(estimate, extend, &one, err);
    if (status == DPC_OK)
        status = make_causal(truth, extend, &other, err);
    if (status == DPC_OK && one != NULL && other != NULL)
        status = dpc_distances(one, other, DPC_AID_ALL, &settings, out, err);
    dpc_causal_free(one);
    dpc_causal_free(other);
    return status;
}

static PyObject *pag_numbers(const dpc_pag_metrics *m)
{
    return Py_BuildValue("{sdsdsdsdsdsdsdsLsN}", "skeleton_precision", m->precision,
                         "skeleton_recall", m->recall, "skeleton_F1", m->f1, "arrow_precision",
                         m->arrow_precision, "arrow_recall", m->arrow_recall, "tail_precision",
                         m->tail_precision, "tail_recall", m->tail_recall, "SHD", (long long)m->shd,
                         "exact", PyBool_FromLong(m->exact));
}

/* A count that is not known is None. */
static PyObject *count_of(const dpc_aid *aid, int64_t count)
{
    return aid->pairs == 0 || count < 0 ? Py_NewRef(Py_None) : PyLong_FromLongLong(count);
}

static PyObject *numbers_of(const dpc_metrics *m, const dpc_aid *aid, int n)
{
    return Py_BuildValue(
        "{sdsdsdsdsdsdsLsdsdsdsNsdsdsdsdsdsNsNsNsNsL}", "TP", m->tp, "FP", m->fp, "FN", m->fn,
        "SHD", m->shd, "TPR", m->tpr, "FPRp", m->fprp, "P", (long long)m->p, "precision",
        m->precision, "recall", m->recall, "F1", m->f1, "exact", PyBool_FromLong(m->exact), "AP",
        m->ap, "AR", m->ar, "AHP", m->ahp, "AHR", m->ahr, "AHRC", m->ahrc, "parent_aid",
        count_of(aid, aid->parent), "ancestor_aid", count_of(aid, aid->ancestor), "oset_aid",
        count_of(aid, aid->oset), "sid", count_of(aid, aid->sid), "pairs", (long long)n * (n - 1));
}

PyObject *compare(PyObject *module, PyObject *args)
{
    const module_state *state = PyModule_GetState(module);
    PyObject *one, *other;
    const char *word;
    int extend;
    call c;
    dpc_settings settings;
    dpc_pag_metrics pag = {0};
    dpc_metrics metrics = {0};
    dpc_aid aid = {0};
    dpc_error err = {0};
    if (!PyArg_ParseTuple(args, "O!O!sp:compare", state->graph, &one, state->graph, &other, &word,
                          &extend))
        return NULL;
    const dpc_graph *estimate = ((graph_object *)one)->graph;
    const dpc_graph *truth = ((graph_object *)other)->graph;
    bool pags = strcmp(word, "pag") == 0;
    dpc_settings_default(&settings);
    call_begin(&c, Py_None);
    dpc_status status = pags ? dpc_compare_pags(estimate, truth, &pag, &err)
                             : dpc_settings_set(&settings, "graph", word, &err);
    if (status == DPC_OK && !pags)
        status = dpc_compare(estimate, truth, settings.graph, &metrics, &err);
    if (status == DPC_OK && !pags)
        status = measure_distances(estimate, truth, extend, &c, &aid, &err);
    call_end(&c);
    if (!call_fine(state, status, &err))
        return NULL;
    return pags ? pag_numbers(&pag) : numbers_of(&metrics, &aid, truth->n_nodes);
}

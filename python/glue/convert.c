/* From Python's objects to the library's. */
#include "glue.h"

#include <limits.h>

/* ---- Texts ---- */

/* Lives as long as the str; NULL with an exception. */
static const char *text_of(PyObject *object)
{
    Py_ssize_t size;
    if (!PyUnicode_Check(object)) {
        PyErr_Format(PyExc_TypeError, "a text was expected, not %R", object);
        return NULL;
    }
    const char *text = PyUnicode_AsUTF8AndSize(object, &size);
    if (text != NULL && (Py_ssize_t)strlen(text) != size) {
        PyErr_Format(PyExc_ValueError, "%R has a NUL in it", object);
        return NULL;
    }
    return text;
}

bool names_init(names *n, PyObject *given)
{
    *n = (names){0};
    if (given == Py_None)
        return true;
    n->tuple = PySequence_Tuple(given);
    if (n->tuple == NULL)
        return false;
    Py_ssize_t count = PyTuple_Size(n->tuple);
    n->items = count < INT_MAX ? PyMem_Calloc((size_t)count + 1, sizeof *n->items) : NULL;
    if (n->items == NULL) {
        PyErr_NoMemory();
        return false;
    }
    n->count = (int)count;
    for (int i = 0; i < n->count; i++)
        if ((n->items[i] = text_of(PyTuple_GetItem(n->tuple, i))) == NULL)
            return false;
    return true;
}

void names_clear(names *n)
{
    Py_CLEAR(n->tuple);
    PyMem_Free(n->items);
    *n = (names){0};
}

PyObject *take_text(char *text, size_t length)
{
    PyObject *object = PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, "replace");
    dpc_string_free(text);
    return object;
}

int take_index(PyObject *object, void *out)
{
    long value = PyLong_AsLong(object);
    if (value == -1 && PyErr_Occurred())
        return 0;
    *(int *)out = value >= 0 && value < INT_MAX ? (int)value : -1; /* the library refuses -1 */
    return 1;
}

/* ---- Lists ---- */

void list_append(PyObject **list, PyObject *item)
{
    if (item == NULL || (*list != NULL && PyList_Append(*list, item) != 0))
        Py_CLEAR(*list);
    Py_XDECREF(item);
}

PyObject *tuple_of(const int32_t *members, int count)
{
    PyObject *tuple = PyTuple_New(count);
    for (int i = 0; i < count && tuple != NULL; i++) {
        PyObject *number = PyLong_FromLong(members[i]);
        if (number == NULL || PyTuple_SetItem(tuple, i, number) != 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

bool take_members(PyObject *given, int32_t **out, int *count)
{
    if (given == Py_None)
        return true;
    Py_ssize_t size = PyTuple_Size(given);
    *out = size >= 0 && size < INT_MAX ? PyMem_Calloc((size_t)size + 1, sizeof **out) : NULL;
    if (*out == NULL) {
        if (!PyErr_Occurred())
            PyErr_NoMemory();
        return false;
    }
    *count = (int)size;
    for (int i = 0; i < *count; i++)
        (*out)[i] = (int32_t)PyLong_AsLong(PyTuple_GetItem(given, i));
    return !PyErr_Occurred();
}

PyObject *text_from(const char *sentence)
{
    return PyUnicode_DecodeUTF8(sentence, (Py_ssize_t)strlen(sentence), "replace");
}

void list_findings(PyObject **list, const dpc_audit *audit)
{
    for (int i = 0; i < audit->count && *list != NULL; i++)
        list_append(list, text_from(audit->items[i].text));
}

/* ---- Arrays ---- */

/* Cells between two neighbours, of a stride in bytes. */
static bool stride_of(const Py_buffer *buffer, int axis, int64_t *out)
{
    *out = buffer->strides[axis] / buffer->itemsize;
    return *out * buffer->itemsize == buffer->strides[axis];
}

/* ---- Kinds ---- */

static dpc_variable_kind kind_of_word(const char *word)
{
    int kind = DPC_NUMBER;
    while (kind < DPC_BLOCK && strcmp(dpc_word(DPC_WORD_VARIABLE, kind), word) != 0)
        kind++;
    return (dpc_variable_kind)kind;
}

static bool set_levels(input *in, const module_state *state, const names *words, PyObject *levels)
{
    dpc_error err = {0};
    bool fine = PyTuple_Check(levels) && PyTuple_Size(levels) == words->count;
    for (int v = 0; v < words->count && fine; v++) {
        names n;
        fine = names_init(&n, PyTuple_GetItem(levels, v)) &&
               call_fine(state,
                         dpc_table_set_kind(in->table, v, kind_of_word(words->items[v]), n.count,
                                            n.items, &err),
                         &err);
        names_clear(&n);
    }
    return fine;
}

/* Where the columns are is in `at`; what stands behind those that are joined moves up. */
static bool join_columns(input *in, const module_state *state, PyObject *block, int32_t *at,
                         int columns, int32_t *members)
{
    const char *name;
    PyObject *places;
    dpc_error err = {0};
    if (!PyArg_ParseTuple(block, "sO!", &name, &PyTuple_Type, &places))
        return false;
    int count = (int)PyTuple_Size(places), first = INT_MAX;
    for (int i = 0; i < count && i < columns; i++) {
        long place = PyLong_AsLong(PyTuple_GetItem(places, i));
        members[i] = place >= 0 && place < columns ? at[place] : -1; /* the library refuses -1 */
        first = members[i] < first ? members[i] : first;
    }
    if (PyErr_Occurred() || count > columns ||
        !call_fine(state, dpc_table_join(in->table, name, members, count, &err), &err))
        return false;
    for (int v = 0; v < columns; v++) {
        int32_t gone = 0;
        for (int i = 0; i < count; i++)
            gone += members[i] < at[v] && members[i] != first;
        at[v] -= gone;
    }
    return true;
}

/* (columns, words, levels, blocks), as _kinds.py has them. */
static bool set_kinds(input *in, const module_state *state, PyObject *kinds)
{
    names words;
    int columns = dpc_table_about(in->table).n_vars;
    PyObject *blocks = PyTuple_GetItem(kinds, 3);
    int32_t *at = PyMem_Calloc(2 * (size_t)columns + 1, sizeof *at);
    if (at == NULL)
        PyErr_NoMemory();
    for (int v = 0; at != NULL && v < columns; v++)
        at[v] = v;
    bool fine = names_init(&words, PyTuple_GetItem(kinds, 1)) && at != NULL &&
                words.count == columns && PyTuple_Check(blocks) &&
                set_levels(in, state, &words, PyTuple_GetItem(kinds, 2));
    for (Py_ssize_t b = 0; fine && b < PyTuple_Size(blocks); b++)
        fine = join_columns(in, state, PyTuple_GetItem(blocks, b), at, columns, at + columns);
    if (!fine && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "not the kinds of these columns");
    names_clear(&words);
    PyMem_Free(at);
    return fine;
}

static bool view_array(input *in, const module_state *state, PyObject *data, const names *n)
{
    int64_t down, across;
    dpc_error err = {0};
    if (PyObject_GetBuffer(data, &in->buffer, PyBUF_RECORDS_RO) != 0)
        return false;
    const Py_buffer *b = &in->buffer;
    bool is_double = strcmp(b->format, "d") == 0, is_float = strcmp(b->format, "f") == 0;
    if (b->ndim != 2 || !(is_double || is_float) || b->shape[1] > INT_MAX ||
        !stride_of(b, 0, &down) || !stride_of(b, 1, &across) ||
        (n->tuple != NULL && n->count != b->shape[1])) {
        PyErr_SetString(PyExc_ValueError, "not a table of doubles or floats with these names");
        return false;
    }
    /* of no cells there need be no memory; a view must have an address */
    const void *cells = b->buf != NULL ? b->buf : "";
    dpc_status status = dpc_table_view(cells, is_double ? DPC_DOUBLE : DPC_FLOAT, b->shape[0],
                                       (int)b->shape[1], down, across, n->items, &in->table, &err);
    return call_fine(state, status, &err);
}

/* An array, or a tuple of one and the kinds of its columns, whose names are not `n` then. */
static bool view_table(input *in, const module_state *state, PyObject *data, const names *n)
{
    if (!PyTuple_Check(data))
        return view_array(in, state, data, n);
    PyObject *array, *kinds;
    names columns = {0};
    if (!PyArg_ParseTuple(data, "OO!", &array, &PyTuple_Type, &kinds))
        return false;
    bool fine = PyTuple_Size(kinds) == 4 && names_init(&columns, PyTuple_GetItem(kinds, 0)) &&
                view_array(in, state, array, &columns) && set_kinds(in, state, kinds);
    if (!fine && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "not the kinds of columns");
    names_clear(&columns);
    return fine;
}

/* ---- Settings and knowledge ---- */

/* All that were given. */
static bool take_options(input *in, const module_state *state, PyObject *options)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    dpc_error err = {0};
    dpc_settings_default(&in->settings);
    while (PyDict_Next(options, &at, &key, &value)) {
        const char *name = text_of(key), *text = name != NULL ? text_of(value) : NULL;
        if (text == NULL ||
            !call_fine(state, dpc_settings_set(&in->settings, name, text, &err), &err))
            return false;
    }
    return true;
}

static bool take_knowledge(input *in, const module_state *state, PyObject *knowledge)
{
    const char *text, *source;
    dpc_error err = {0};
    if (knowledge == Py_None)
        return true;
    if (!PyArg_ParseTuple(knowledge, "ss", &text, &source))
        return false;
    const char *const *names = dpc_table_about(in->table).names;
    int count = dpc_table_about(in->table).n_vars;
    dpc_status status = *text != '\0'
                            ? dpc_knowledge_parse(text, source, names, count, &in->knowledge, &err)
                            : dpc_knowledge_read(source, names, count, &in->knowledge, &err);
    in->settings.knowledge = in->knowledge;
    return call_fine(state, status, &err);
}

/* What the NaN of the table do. */
static bool take_missing(input *in, const module_state *state, const char *word)
{
    dpc_error err = {0};
    int missing = 0;
    while (dpc_word(DPC_WORD_MISSING, (dpc_missing)missing) != NULL &&
           strcmp(dpc_word(DPC_WORD_MISSING, (dpc_missing)missing), word) != 0)
        missing++;
    return call_fine(state, dpc_table_set_missing(in->table, (dpc_missing)missing, &err), &err);
}

bool input_init(input *in, const module_state *state, PyObject *data, const names *n,
                PyObject *options, PyObject *knowledge, const char *missing)
{
    *in = (input){0};
    if (!view_table(in, state, data, n) || !take_missing(in, state, missing) ||
        !take_options(in, state, options) || !take_knowledge(in, state, knowledge))
        return false;
    in->settings.progress = call_asks;
    in->settings.progress_user = &in->call;
    return true;
}

void input_clear(input *in)
{
    dpc_knowledge_free(in->knowledge);
    dpc_table_free(in->table);
    if (in->buffer.obj != NULL)
        PyBuffer_Release(&in->buffer);
}

/*
 * The library at work. The GIL is given back for the time; a few times a second the thread that
 * called takes it again, to let Python see its signals (Ctrl-C) and to tell of the progress.
 *
 * OpenBLAS has threads of its own, and numpy often shares the same copy of it. While the library
 * works with threads of its own, OpenBLAS is held to one, as the command line program holds it: so
 * that the threads do not get into each other's way, and the last bits are the same. Afterwards it
 * has as many as before.
 */
#include "glue.h"

#include <time.h>

__attribute__((weak)) void openblas_set_num_threads(int threads);
__attribute__((weak)) int openblas_get_num_threads(void);

static const double BETWEEN = 0.1; /* seconds between two questions to Python */

/* The threads of OpenBLAS belong to the process, and so do these; the GIL guards them. */
static int calls, blas_threads;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void hold_blas(void)
{
    if (openblas_set_num_threads == NULL || openblas_get_num_threads == NULL)
        return;
    if (calls++ == 0) {
        blas_threads = openblas_get_num_threads();
        if (blas_threads > 1)
            openblas_set_num_threads(1);
    }
}

static void release_blas(void)
{
    if (openblas_set_num_threads == NULL || openblas_get_num_threads == NULL)
        return;
    if (--calls == 0 && blas_threads > 1)
        openblas_set_num_threads(blas_threads);
}

void call_begin(call *c, PyObject *progress)
{
    *c = (call){.progress = progress, .last = seconds()};
    hold_blas();
    c->thread = PyEval_SaveThread();
}

void call_end(call *c)
{
    PyEval_RestoreThread(c->thread);
    release_blas();
}

_Static_assert(DPC_N_STAGES == 14, "every stage has a word below");
static const char *const STAGES[DPC_N_STAGES] = {[DPC_STAGE_READ] = "reading",
                                                 [DPC_STAGE_PREPARE] = "preparing",
                                                 [DPC_STAGE_CORRELATION] = "correlations",
                                                 [DPC_STAGE_SKELETON] = "skeleton",
                                                 [DPC_STAGE_ORIENT] = "orienting",
                                                 [DPC_STAGE_WRITE] = "writing",
                                                 [DPC_STAGE_BOOTSTRAP] = "resampling",
                                                 [DPC_STAGE_REFINE] = "refining",
                                                 [DPC_STAGE_EFFECTS] = "effects",
                                                 [DPC_STAGE_EXPLAIN] = "explaining",
                                                 [DPC_STAGE_LAYOUT] = "drawing",
                                                 [DPC_STAGE_REPORT] = "reporting",
                                                 [DPC_STAGE_SAMPLE] = "sampling",
                                                 [DPC_STAGE_HIDDEN] = "hidden causes"};

static bool tell(const call *c, const dpc_progress *p)
{
    if (c->progress == Py_None)
        return true;
    const char *stage = (int)p->stage < DPC_N_STAGES ? STAGES[p->stage] : "working";
    PyObject *answer = PyObject_CallFunction(
        c->progress, "sdiLLidiLidiiii", stage, p->fraction, p->level, (long long)p->edges,
        (long long)p->tests, p->node, p->node_fraction, p->round, (long long)p->scores, p->restarts,
        p->score, p->resamples, p->resamples_done, p->draws, p->draws_done);
    Py_XDECREF(answer);
    return answer != NULL;
}

int call_asks(const dpc_progress *p, void *user)
{
    call *c = user;
    double now = seconds();
    if (now - c->last < BETWEEN)
        return 0;
    c->last = now;
    PyEval_RestoreThread(c->thread);
    bool on = !PyErr_Occurred() && PyErr_CheckSignals() == 0 && tell(c, p);
    c->thread = PyEval_SaveThread();
    return !on;
}

bool call_fine(const module_state *state, dpc_status status, const dpc_error *err)
{
    const char *name = status == DPC_BAD_INPUT      ? "DataError"
                       : status == DPC_WRITE_FAILED ? "WriteError"
                       : status == DPC_NO_MEMORY    ? "OutOfMemoryError"
                                                    : "UsageError";
    if (PyErr_Occurred()) /* in the callback; the status may be DPC_OK all the same */
        return false;
    if (status == DPC_OK)
        return true;
    PyObject *type = PyObject_GetAttrString(state->errors, name);
    PyObject *text = text_from(err->message);
    if (type != NULL && text != NULL)
        PyErr_SetObject(type, text);
    Py_XDECREF(text);
    Py_XDECREF(type);
    return false;
}

void call_partial(PyObject *partial)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (value != NULL && PyObject_SetAttrString(value, "partial", partial) != 0)
        PyErr_Clear();
    PyErr_Restore(type, value, traceback);
}

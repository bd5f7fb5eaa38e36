/*
 * Pictures: see picture.h. The two processes, and what they say to each other over one line: first
 * the child how the layout went; then, as often as this process asks by the byte of a format, its
 * answer, with the bytes behind it. Neither says anything out of turn, so nobody waits for ever.
 */
#include "picture.h"

#include "alloc.h"
#include "drawing.h"
#include "platform.h"
#include "status.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct dpc_picture {
    pid_t child; /* 0: it has ended */
    int line;
    bool (*stopped)(void); /* of the scene */
};

typedef struct answer {
    dpc_error error;
    size_t size; /* of the bytes that follow */
} answer;

/* ---- In the child ---- */

static bool say(int line, const void *bytes, size_t size)
{
    const char *next = bytes;
    while (size > 0) {
        ssize_t some = write(line, next, size);
        if (some < 0 && errno != EINTR)
            return false;
        next += some > 0 ? some : 0;
        size -= some > 0 ? (size_t)some : 0;
    }
    return true;
}

/* The format that is asked for; -1: nobody asks any more. */
static int hear(int line)
{
    unsigned char format;
    ssize_t got;
    do
        got = read(line, &format, 1);
    while (got < 0 && errno == EINTR);
    return got == 1 ? format : -1;
}

/*
 * Signals are for the parent to answer, which ends this process with itself. Words of GLib and of
 * others go nowhere, and a crash leaves no file.
 */
static dpc_status withdraw(dpc_error *err)
{
    static const int SIGNALS[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM};
    for (size_t i = 0; i < sizeof SIGNALS / sizeof *SIGNALS; i++)
        signal(SIGNALS[i], SIG_IGN);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    int nowhere;
    do
        nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    while (nowhere < 0 && errno == EINTR);
    bool done = nowhere >= 0;
    for (int stream = 0; stream <= STDERR_FILENO && done; stream++)
        done = dup2(nowhere, stream) == stream;
    return done ? DPC_OK
                : dpc_fail(err, DPC_WRITE_FAILED, "/dev/null cannot be opened for Graphviz: %s",
                           strerror(errno));
}

/* Draws, and answers. */
static void serve(const dpc_scene *scene, int line)
{
    dpc_drawing *drawing = NULL;
    answer a = {0};
    a.error.code = withdraw(&a.error);
    if (a.error.code == DPC_OK)
        a.error.code = dpc_drawing_new(scene, &drawing, &a.error);
    bool go_on = say(line, &a, sizeof a) && a.error.code == DPC_OK;
    for (int format; go_on && (format = hear(line)) >= 0;) {
        char *bytes = NULL;
        a = (answer){0};
        a.error.code = dpc_drawing_render(drawing, (dpc_format)format, &bytes, &a.size, &a.error);
        go_on = say(line, &a, sizeof a) && say(line, bytes, a.size);
        free(bytes);
    }
}

/* ---- In this process ---- */

static bool wait_for(dpc_picture *p, int *state)
{
    pid_t ended;
    do
        ended = waitpid(p->child, state, 0);
    while (ended < 0 && errno == EINTR);
    p->child = 0;
    return ended > 0;
}

/* The child has ended in the middle of its work. Where there is little memory, that is why. */
static dpc_status lose(dpc_picture *p, dpc_error *err)
{
    int state;
    int signal = wait_for(p, &state) && WIFSIGNALED(state) ? WTERMSIG(state) : 0;
    const char *how = signal != 0 ? strsignal(signal) : "it gave up";
    if (signal == SIGKILL || dpc_memory_is_short())
        return dpc_fail(err, DPC_NO_MEMORY, "out of memory for a picture: Graphviz has ended (%s)",
                        how);
    return dpc_fail(err, DPC_WRITE_FAILED,
                    "Graphviz has ended while it drew (%s); another --layout may do", how);
}

static dpc_status ask(dpc_picture *p, dpc_format format, dpc_error *err)
{
    unsigned char byte = (unsigned char)format;
    if (say(p->line, &byte, 1))
        return DPC_OK;
    if (errno == EPIPE || errno == ECONNRESET)
        return lose(p, err);
    return dpc_fail(err, DPC_WRITE_FAILED, "Graphviz cannot be asked: %s", strerror(errno));
}

static dpc_status receive(dpc_picture *p, void *bytes, size_t size, dpc_error *err)
{
    for (size_t got = 0; got < size;) {
        ssize_t some = read(p->line, (char *)bytes + got, size - got);
        if (some > 0)
            got += (size_t)some;
        else if (some == 0 || errno == ECONNRESET)
            return lose(p, err);
        else if (errno != EINTR)
            return dpc_fail(err, DPC_WRITE_FAILED, "what Graphviz draws cannot be read: %s",
                            strerror(errno));
        else if (p->stopped != NULL && p->stopped())
            return dpc_fail(err, DPC_INTERRUPTED, "interrupted");
    }
    return DPC_OK;
}

/* The answer but for its bytes, whose number is told. */
static dpc_status receive_answer(dpc_picture *p, size_t *size, dpc_error *err)
{
    answer a;
    dpc_status status = receive(p, &a, sizeof a, err);
    if (status != DPC_OK)
        return status;
    *size = a.size;
    return a.error.code == DPC_OK ? DPC_OK : dpc_fail(err, a.error.code, "%s", a.error.message);
}

/* Starts the child. */
static dpc_status start(dpc_picture *p, const dpc_scene *scene, dpc_error *err)
{
    int ends[2];
    pid_t parent = getpid();
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return dpc_fail(err, DPC_WRITE_FAILED, "Graphviz cannot be started: %s", strerror(errno));
    p->child = fork();
    int why = errno;
    if (p->child == 0) {
        close(ends[0]);
        if (dpc_end_with_parent(parent))
            serve(scene, ends[1]);
        _exit(0);
    }
    close(ends[1]);
    p->line = ends[0];
    if (p->child > 0)
        return DPC_OK;
    p->child = 0;
    if (why == ENOMEM)
        return dpc_fail_memory(err, "a picture");
    return dpc_fail(err, DPC_WRITE_FAILED, "Graphviz cannot be started: %s", strerror(why));
}

dpc_status dpc_picture_new(const dpc_scene *scene, dpc_picture **out, dpc_error *err)
{
    dpc_picture *p = dpc_alloc(1, sizeof *p);
    size_t none;
    if (p == NULL)
        return dpc_fail_memory(err, "a picture");
    *p = (dpc_picture){.line = -1, .stopped = scene->stopped};
    dpc_status status = start(p, scene, err);
    if (status == DPC_OK)
        status = receive_answer(p, &none, err);
    if (status == DPC_OK)
        *out = p;
    else
        dpc_picture_free(p);
    return status;
}

void dpc_picture_free(dpc_picture *p)
{
    int state;
    if (p == NULL)
        return;
    if (p->line >= 0)
        close(p->line);
    if (p->child > 0) { /* it may be at work, and nobody wants that any more */
        kill(p->child, SIGKILL);
        wait_for(p, &state);
    }
    free(p);
}

dpc_status dpc_picture_render(dpc_picture *p, dpc_format format, char **bytes, size_t *size,
                              dpc_error *err)
{
    size_t length = 0;
    dpc_status status = ask(p, format, err);
    if (status == DPC_OK)
        status = receive_answer(p, &length, err);
    if (status != DPC_OK)
        return status;
    char *made = length < INT64_MAX ? dpc_alloc((int64_t)length + 1, 1) : NULL;
    if (made == NULL)
        return dpc_fail_memory(err, "a picture");
    status = receive(p, made, length, err);
    if (status != DPC_OK) {
        free(made);
        return status;
    }
    made[length] = '\0';
    *bytes = made;
    *size = length;
    return DPC_OK;
}

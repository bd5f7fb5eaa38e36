/*
 * Files that appear whole or not at all.
 *
 * Every file is first written beside its place under a temporary name. Only when all of them are
 * complete and on disk, and what goes to devices, pipes and an open descriptor has been written
 * too, are they renamed. A full disk, a failed write, an interrupt: the temporary files go, and
 * what was there before stays.
 */
#include "error.h"
#include "memory.h"
#include "write.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef struct output {
    const char *name; /* for messages */
    char *path;       /* where it will be, links followed */
    char *temporary;  /* where it is until then; NULL: none */
    bool direct;      /* no regular file: written to in place */
    bool dag;         /* gets report->dag, not the graph of the result */
    dpc_format format;
} output;

static dpc_status write_failed(dpc_error *err, const char *name, int why)
{
    if (why == ENOMEM)
        return dpc_fail_memory(err, "an output");
    if (why == EINTR)
        return dpc_fail(err, DPC_INTERRUPTED, "interrupted");
    return dpc_fail(err, DPC_WRITE_FAILED, "cannot write %s: %s", name, strerror(why));
}

/* ---- A stream that knows why it failed, and can be called off ---- */

typedef struct stream {
    int fd;
    bool regular; /* never waits for a reader */
    const dpc_report *report;
    int why; /* errno of the first failure */
} stream;

/* Waits until the other end takes more; 0, or the reason not to. */
static int wait_writable(const stream *s)
{
    enum { WAIT_MILLISECONDS = 100 };
    struct pollfd wait = {.fd = s->fd, .events = POLLOUT};
    for (;;) {
        if (dpc_report_stopped(s->report, 0))
            return EINTR;
        int ready = poll(&wait, 1, WAIT_MILLISECONDS);
        if (ready > 0 || (ready < 0 && errno != EINTR))
            return 0; /* what is wrong the write itself says best */
    }
}

static ssize_t stream_write(void *cookie, const char *bytes, size_t size)
{
    stream *s = cookie;
    size_t done = 0;
    while (done < size && s->why == 0) {
        s->why = s->regular ? (dpc_report_stopped(s->report, 0) ? EINTR : 0) : wait_writable(s);
        if (s->why != 0)
            break;
        /* what a writable pipe takes without waiting */
        size_t step = s->regular || size - done < PIPE_BUF ? size - done : PIPE_BUF;
        ssize_t got = write(s->fd, bytes + done, step);
        if (got >= 0)
            done += (size_t)got;
        else if (errno != EINTR && errno != EAGAIN)
            s->why = errno;
    }
    return done == size ? (ssize_t)size : 0;
}

static int stream_close(void *cookie)
{
    stream *s = cookie;
    if (close(s->fd) != 0 && s->why == 0)
        s->why = errno;
    return s->why == 0 ? 0 : -1;
}

/* Numbers have a decimal point wherever the caller lives; the locale is this thread's alone. */
static dpc_status print_in_c_locale(FILE *file, dpc_format format, const dpc_report *report,
                                    dpc_error *err)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c == (locale_t)0)
        return dpc_fail_memory(err, "a locale");
    locale_t before = uselocale(c);
    dpc_status status = dpc_print_report(file, format, report, err);
    uselocale(before);
    freelocale(c);
    return status;
}

/* Takes over fd. */
static dpc_status print_and_close(int fd, dpc_format format, const dpc_report *report,
                                  const char *name, dpc_error *err)
{
    struct stat about;
    stream s = {.fd = fd, .report = report};
    s.regular = fstat(fd, &about) == 0 && S_ISREG(about.st_mode);
    FILE *file =
        fopencookie(&s, "w", (cookie_io_functions_t){.write = stream_write, .close = stream_close});
    if (file == NULL) {
        close(fd);
        return dpc_fail_memory(err, "an output");
    }
    setvbuf(file, NULL, _IOFBF, 1 << 16);
    dpc_status status = print_in_c_locale(file, format, report, err);
    bool bad = fflush(file) != 0 || ferror(file) != 0;
    if (!bad && s.regular && fsync(fd) != 0 && errno != EINVAL && errno != EROFS) {
        bad = true;
        s.why = errno;
    }
    if (fclose(file) != 0)
        bad = true;
    if (bad && (status == DPC_OK || status == DPC_INTERRUPTED))
        status = write_failed(err, name, s.why != 0 ? s.why : EIO);
    return status;
}

/* ---- One output ---- */

/* A new file in the folder of `path`, with the permissions it would have there; -1: errno. */
static int create_beside(const char *path, char **name)
{
    const char *slash = strrchr(path, '/');
    int folder = slash != NULL ? (int)(slash - path) + 1 : 0;
    struct stat old;
    for (unsigned try = 0;; try++) {
        if (asprintf(name, "%.*s.dualpc-%ld-%u.part", folder, path, (long)getpid(), try) < 0) {
            *name = NULL;
            errno = ENOMEM;
            return -1;
        }
        int fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0) {
            if (stat(path, &old) == 0 && fchmod(fd, old.st_mode & 07777) != 0)
                errno = 0; /* a matter of taste, not of success */
            return fd;
        }
        int why = errno;
        free(*name);
        *name = NULL;
        errno = why;
        if (why != EEXIST)
            return -1;
    }
}

/* A pipe that nobody reads from yet is waited for, as long as the caller likes. */
static int open_direct(const output *out, const dpc_report *report)
{
    const struct timespec moment = {.tv_nsec = 50000000};
    for (;;) {
        int fd = open(out->path, O_WRONLY | O_CLOEXEC | O_NONBLOCK);
        if (fd >= 0 || errno != ENXIO)
            return fd;
        if (dpc_report_stopped(report, 0)) {
            errno = EINTR;
            return -1;
        }
        nanosleep(&moment, NULL);
    }
}

static dpc_status write_one(output *out, const dpc_report *report, dpc_error *err)
{
    int fd = out->direct ? open_direct(out, report) : create_beside(out->path, &out->temporary);
    if (fd < 0)
        return write_failed(err, out->name, errno);
    dpc_report other = *report;
    dpc_result result = *report->result;
    if (out->dag) {
        result.graph = *report->dag;
        other.result = &result;
    }
    return print_and_close(fd, out->format, &other, out->name, err);
}

/* Where a link leads, also one to a file that is not there yet. Freed by the caller. */
static char *follow_links(const char *path)
{
    enum { MOST_LINKS = 40 };
    char *at = strdup(path);
    for (int i = 0; at != NULL && i < MOST_LINKS; i++) {
        char target[PATH_MAX], *next = NULL;
        ssize_t length = readlink(at, target, sizeof target - 1);
        if (length < 0)
            return at;
        target[length] = '\0';
        const char *slash = strrchr(at, '/');
        int folder = slash != NULL && target[0] != '/' ? (int)(slash - at) + 1 : 0;
        if (asprintf(&next, "%.*s%s", folder, at, target) < 0)
            next = NULL;
        free(at);
        at = next;
    }
    return at;
}

static dpc_status prepare(output *out, const char *path, dpc_error *err)
{
    struct stat old;
    out->name = path;
    out->direct = dpc_is_device(path);
    if (stat(path, &old) == 0 && S_ISDIR(old.st_mode))
        return write_failed(err, path, EISDIR);
    dpc_status status = dpc_format_of_path(path, &out->format, err);
    if (status != DPC_OK)
        return status;
    out->path = out->direct ? strdup(path) : follow_links(path);
    return out->path != NULL ? DPC_OK : dpc_fail_memory(err, "a file name");
}

dpc_status dpc_write_check(const char *const *paths, int count, dpc_error *err)
{
    dpc_status status = DPC_OK;
    for (int i = 0; i < count && status == DPC_OK; i++) {
        output out = {0};
        status = prepare(&out, paths[i], err);
        if (status == DPC_OK && !out.direct) {
            char *slash = strrchr(out.path, '/');
            if (slash != NULL)
                slash[slash == out.path] = '\0'; /* the folder, which may be the root */
            if (access(slash != NULL ? out.path : ".", W_OK | X_OK) != 0)
                status = write_failed(err, paths[i], errno);
        }
        free(out.path);
    }
    return status;
}

/* ---- All of them ---- */

static dpc_status write_all(output *outputs, int count, const dpc_report *report, dpc_error *err)
{
    dpc_status status = DPC_OK;
    for (int direct = 0; direct < 2; direct++)
        for (int i = 0; i < count && status == DPC_OK; i++)
            if (outputs[i].direct == direct)
                status = write_one(&outputs[i], report, err);
    return status;
}

static dpc_status rename_all(output *outputs, int count, dpc_error *err)
{
    for (int i = 0; i < count; i++) {
        if (outputs[i].temporary == NULL)
            continue;
        if (rename(outputs[i].temporary, outputs[i].path) != 0)
            return write_failed(err, outputs[i].name, errno);
        free(outputs[i].temporary);
        outputs[i].temporary = NULL;
    }
    return DPC_OK;
}

dpc_status dpc_write(const dpc_report *report, const char *const *paths, int count, int fd,
                     dpc_format fd_format, dpc_error *err)
{
    dpc_status status = DPC_OK;
    output *outputs = dpc_zalloc((int64_t)count + 1, sizeof *outputs);
    if (outputs == NULL)
        return dpc_fail_memory(err, "the outputs");
    for (int i = 0; i < count && status == DPC_OK; i++)
        status = prepare(&outputs[i], paths[i], err);
    if (status == DPC_OK && report->dag_path != NULL) {
        outputs[count].dag = true;
        status = prepare(&outputs[count++], report->dag_path, err);
    }
    if (status == DPC_OK)
        status = write_all(outputs, count, report, err);
    if (status == DPC_OK && fd >= 0) {
        int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
        status = copy < 0 ? write_failed(err, "standard output", errno)
                          : print_and_close(copy, fd_format, report, "standard output", err);
    }
    if (status == DPC_OK)
        status = rename_all(outputs, count, err);
    for (int i = 0; i < count; i++) {
        if (outputs[i].temporary != NULL)
            unlink(outputs[i].temporary);
        free(outputs[i].temporary);
        free(outputs[i].path);
    }
    free(outputs);
    return status;
}

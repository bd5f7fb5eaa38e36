/*
 * Files that appear whole or not at all.
 *
 * Every file is first written beside its place under a temporary name. Only when all of them are
 * complete and on disk, and what goes to devices, pipes and an open descriptor has been written
 * too, are they renamed. A full disk, a failed write, an interrupt: the temporary files go, and
 * what was there before stays.
 */
#include "output.h"

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

typedef struct place {
    const char *name; /* for messages */
    char *path;       /* where it will be, links followed; NULL: an open descriptor */
    char *temporary;  /* where it is until then; NULL: none */
    bool direct;      /* no regular file: written to in place */
} place;

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
    const dpc_settings *settings;
    int why; /* errno of the first failure */
} stream;

/* Waits until the other end takes more; 0, or the reason not to. */
static int wait_writable(const stream *s)
{
    enum { WAIT_MILLISECONDS = 100 };
    struct pollfd wait = {.fd = s->fd, .events = POLLOUT};
    for (;;) {
        if (dpc_write_stopped(s->settings, 0))
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
        s->why = s->regular ? (dpc_write_stopped(s->settings, 0) ? EINTR : 0) : wait_writable(s);
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
static dpc_status print_in_c_locale(FILE *file, const dpc_output *output, dpc_error *err)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c == (locale_t)0)
        return dpc_fail_memory(err, "a locale");
    locale_t before = uselocale(c);
    dpc_status status = output->print(file, output, err);
    uselocale(before);
    freelocale(c);
    return status;
}

/* Takes over fd. */
static dpc_status print_and_close(int fd, const dpc_output *output, const char *name,
                                  const dpc_settings *settings, dpc_error *err)
{
    struct stat about;
    stream s = {.fd = fd, .settings = settings};
    s.regular = fstat(fd, &about) == 0 && S_ISREG(about.st_mode);
    FILE *file =
        fopencookie(&s, "w", (cookie_io_functions_t){.write = stream_write, .close = stream_close});
    if (file == NULL) {
        close(fd);
        return dpc_fail_memory(err, "an output");
    }
    setvbuf(file, NULL, _IOFBF, 1 << 16);
    dpc_status status = print_in_c_locale(file, output, err);
    if (status == DPC_OK && dpc_write_stopped(settings, 1))
        status = dpc_fail(err, DPC_INTERRUPTED, "interrupted");
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

/* ---- Into memory ---- */

typedef struct text {
    char *bytes; /* owned */
    size_t used, capacity;
    const dpc_settings *settings;
    int why; /* errno of the first failure */
} text;

static ssize_t text_write(void *cookie, const char *bytes, size_t size)
{
    text *t = cookie;
    if (t->why == 0 && dpc_write_stopped(t->settings, 0))
        t->why = EINTR;
    if (t->why == 0 && t->used + size >= t->capacity) { /* a NUL has room too */
        size_t capacity = t->used + size + t->capacity / 2 + 1;
        char *grown = dpc_regrow(t->bytes, (int64_t)capacity, 1);
        if (grown != NULL) {
            t->bytes = grown;
            t->capacity = capacity;
        } else {
            t->why = ENOMEM;
        }
    }
    if (t->why != 0)
        return 0;
    memcpy(t->bytes + t->used, bytes, size);
    t->used += size;
    return (ssize_t)size;
}

dpc_status dpc_output_string(const dpc_output *output, const dpc_settings *settings, char **out,
                             size_t *length, dpc_error *err)
{
    text t = {.bytes = dpc_alloc(1, 1), .capacity = 1, .settings = settings};
    FILE *file = NULL;
    dpc_status status = DPC_OK;
    if (t.bytes != NULL)
        file = fopencookie(&t, "w", (cookie_io_functions_t){.write = text_write});
    if (file == NULL) {
        free(t.bytes);
        return dpc_fail_memory(err, "an output");
    }
    setvbuf(file, NULL, _IOFBF, 1 << 16);
    status = print_in_c_locale(file, output, err);
    bool bad = fclose(file) != 0;
    if (status == DPC_OK && (bad || t.why != 0))
        status = write_failed(err, "a text", t.why != 0 ? t.why : EIO);
    if (status == DPC_OK) {
        t.bytes[t.used] = '\0';
        *out = t.bytes;
        *length = t.used;
    } else {
        free(t.bytes);
    }
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
static int open_direct(const char *path, const dpc_settings *settings)
{
    const struct timespec moment = {.tv_nsec = 50000000};
    for (;;) {
        int fd = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK);
        if (fd >= 0 || errno != ENXIO)
            return fd;
        if (dpc_write_stopped(settings, 0)) {
            errno = EINTR;
            return -1;
        }
        nanosleep(&moment, NULL);
    }
}

static dpc_status write_one(place *at, const dpc_output *output, const dpc_settings *settings,
                            dpc_error *err)
{
    int fd = at->path == NULL ? fcntl(output->fd, F_DUPFD_CLOEXEC, 0)
             : at->direct     ? open_direct(at->path, settings)
                              : create_beside(at->path, &at->temporary);
    if (fd < 0)
        return write_failed(err, at->name, errno);
    return print_and_close(fd, output, at->name, settings, err);
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

static dpc_status find_place(place *out, const char *path, dpc_error *err)
{
    struct stat old;
    if (path == NULL) {
        *out = (place){.name = "standard output", .direct = true};
        return DPC_OK;
    }
    *out = (place){.name = path, .direct = dpc_is_device(path)};
    if (stat(path, &old) == 0 && S_ISDIR(old.st_mode))
        return write_failed(err, path, EISDIR);
    out->path = out->direct ? strdup(path) : follow_links(path);
    return out->path != NULL ? DPC_OK : dpc_fail_memory(err, "a file name");
}

/* Cuts the name off a path, and returns what is left: the folder. */
static const char *folder_of(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash == NULL)
        return ".";
    slash[slash == path] = '\0'; /* the folder may be the root */
    return path;
}

dpc_status dpc_outputs_check(const dpc_output *outputs, int count, dpc_error *err)
{
    dpc_status status = DPC_OK;
    for (int i = 0; i < count && status == DPC_OK; i++) {
        place at = {0};
        status = find_place(&at, outputs[i].path, err);
        if (status == DPC_OK && !at.direct && access(folder_of(at.path), W_OK | X_OK) != 0)
            status = write_failed(err, at.name, errno);
        free(at.path);
    }
    return status;
}

/* ---- Two names of one file ---- */

/* A file that need not be there yet: its folder, and its name in it. */
typedef struct identity {
    char *name; /* owned; NULL: nothing that could be replaced */
    struct stat folder;
} identity;

static dpc_status identify(const char *path, identity *out, dpc_error *err)
{
    place at = {0};
    dpc_status status = find_place(&at, path, err);
    *out = (identity){0};
    if (status == DPC_OK && !at.direct) {
        const char *slash = strrchr(at.path, '/');
        out->name = strdup(slash != NULL ? slash + 1 : at.path);
        if (out->name == NULL)
            status = dpc_fail_memory(err, "a file name");
        else if (stat(folder_of(at.path), &out->folder) != 0)
            status = write_failed(err, path, errno);
    }
    free(at.path);
    return status;
}

static bool identical(const identity *a, const identity *b)
{
    return a->name != NULL && b->name != NULL && strcmp(a->name, b->name) == 0 &&
           a->folder.st_dev == b->folder.st_dev && a->folder.st_ino == b->folder.st_ino;
}

dpc_status dpc_outputs_differ(const dpc_output *outputs, int count, dpc_error *err)
{
    dpc_status status = DPC_OK;
    identity *ids = dpc_zalloc(count, sizeof *ids);
    if (ids == NULL)
        return dpc_fail_memory(err, "the outputs");
    for (int i = 0; i < count && status == DPC_OK; i++) {
        status = identify(outputs[i].path, &ids[i], err);
        for (int j = 0; j < i && status == DPC_OK; j++)
            if (identical(&ids[i], &ids[j]))
                status = dpc_fail(err, DPC_USAGE,
                                  "'%s' and '%s' are the same file; give each output its own",
                                  outputs[j].path, outputs[i].path);
    }
    for (int i = 0; i < count; i++)
        free(ids[i].name);
    free(ids);
    return status;
}

/* ---- All of them ---- */

static dpc_status rename_all(place *places, int count, dpc_error *err)
{
    for (int i = 0; i < count; i++) {
        if (places[i].temporary == NULL)
            continue;
        if (rename(places[i].temporary, places[i].path) != 0)
            return write_failed(err, places[i].name, errno);
        free(places[i].temporary);
        places[i].temporary = NULL;
    }
    return DPC_OK;
}

dpc_status dpc_outputs_write(const dpc_output *outputs, int count, const dpc_settings *settings,
                             dpc_error *err)
{
    dpc_status status = DPC_OK;
    place *places = dpc_zalloc(count, sizeof *places);
    if (places == NULL)
        return dpc_fail_memory(err, "the outputs");
    for (int i = 0; i < count && status == DPC_OK; i++)
        status = find_place(&places[i], outputs[i].path, err);
    /* first what can be taken back */
    for (int direct = 0; direct < 2; direct++) {
        for (int i = 0; i < count && status == DPC_OK; i++)
            if (places[i].direct == direct)
                status = write_one(&places[i], &outputs[i], settings, err);
        if (direct == 0 && status == DPC_OK && dpc_write_stopped(settings, 1)) /* a disk is slow */
            status = dpc_fail(err, DPC_INTERRUPTED, "interrupted");
    }
    if (status == DPC_OK)
        status = rename_all(places, count, err);
    for (int i = 0; i < count; i++) {
        if (places[i].temporary != NULL)
            unlink(places[i].temporary);
        free(places[i].temporary);
        free(places[i].path);
    }
    free(places);
    return status;
}

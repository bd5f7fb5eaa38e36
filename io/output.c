/*
 * Files that appear whole or not at all.
 *
 * Every file is first written beside its place under a temporary name. Only when all of them are
 * complete and on disk, and what goes to devices, pipes and an open descriptor has been written
 * too, are they renamed. A full disk, a failed write, an interrupt: the temporary files go, and
 * what was there before stays. Should one of several renames fail, those before it are undone: what
 * they replaced has kept a second name until then, where the file system has hard links.
 */
#include "output.h"

#include "alloc.h"
#include "crew.h"
#include "place.h"
#include "platform.h"
#include "status.h"
#include "temporary.h"
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

/* An output under way. */
typedef struct parcel {
    dpc_place at;
    dpc_temporary file; /* where it is until it gets its name */
    /* Until all have their names: */
    bool delivered;
    bool replaced;     /* there was something of that name, */
    dpc_temporary old; /* which is kept here where the file system can */
} parcel;

/* ---- A stream that knows why it failed, and can be called off ---- */

typedef struct stream {
    int fd;
    bool regular;   /* never waits for a reader */
    dpc_crew *crew; /* asked whether to stop */
    int why;        /* errno of the first failure */
} stream;

/* Waits until the other end takes more; 0, or the reason not to. */
static int wait_writable(stream *s)
{
    enum { WAIT_MILLISECONDS = 100 };
    struct pollfd wait = {.fd = s->fd, .events = POLLOUT};
    for (;;) {
        if (dpc_write_stopped(s->crew, 0))
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
        s->why = s->regular ? (dpc_write_stopped(s->crew, 0) ? EINTR : 0) : wait_writable(s);
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
    if (close(s->fd) != 0 && errno != EINTR && s->why == 0) /* interrupted, it is closed too */
        s->why = errno;
    return s->why == 0 ? 0 : -1;
}

/* Numbers have a decimal point wherever the caller lives; the locale is this thread's alone. */
static dpc_status print_in_c_locale(FILE *file, const dpc_printing *output, dpc_error *err)
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

/* Onto the disk; 0, or why not. Where there is nothing to be done about it, that is fine. */
static int flush_to_disk(int fd)
{
    while (fsync(fd) != 0)
        if (errno != EINTR)
            return errno == EINVAL || errno == EROFS ? 0 : errno;
    return 0;
}

/* Takes over fd. */
static dpc_status print_and_close(int fd, const dpc_printing *output, const char *name,
                                  dpc_crew *crew, dpc_error *err)
{
    struct stat about;
    stream s = {.fd = fd, .crew = crew};
    s.regular = fstat(fd, &about) == 0 && S_ISREG(about.st_mode);
    FILE *file = dpc_stream_new(&s, stream_write, stream_close);
    if (file == NULL) {
        close(fd);
        return dpc_fail_memory(err, "an output");
    }
    setvbuf(file, NULL, _IOFBF, 1 << 16);
    dpc_status status = print_in_c_locale(file, output, err);
    if (status == DPC_OK && dpc_write_stopped(crew, 1))
        status = dpc_fail(err, DPC_INTERRUPTED, "interrupted");
    if (status != DPC_OK && s.why == 0)
        s.why = EINTR; /* what is still in the buffer stays there: no half of a file to a pipe */
    bool bad = fflush(file) != 0 || ferror(file) != 0;
    if (!bad && s.regular)
        s.why = flush_to_disk(fd);
    if (fclose(file) != 0)
        bad = true;
    if (bad && (status == DPC_OK || status == DPC_INTERRUPTED))
        status = dpc_write_failed(name, s.why != 0 ? s.why : EIO, err);
    return status;
}

/* ---- Into memory ---- */

typedef struct text {
    char *bytes; /* owned */
    size_t used, capacity;
    dpc_crew crew; /* asked whether to stop */
    int why;       /* errno of the first failure */
} text;

static ssize_t text_write(void *cookie, const char *bytes, size_t size)
{
    text *t = cookie;
    if (t->why == 0 && dpc_write_stopped(&t->crew, 0))
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

dpc_status dpc_printing_string(const dpc_printing *output, const dpc_settings *settings, char **out,
                               size_t *length, dpc_error *err)
{
    text t = {.bytes = dpc_alloc(1, 1), .capacity = 1};
    dpc_crew_init(&t.crew, settings, DPC_STAGE_WRITE);
    FILE *file = NULL;
    dpc_status status = DPC_OK;
    if (t.bytes != NULL)
        file = dpc_stream_new(&t, text_write, NULL);
    if (file == NULL) {
        free(t.bytes);
        return dpc_fail_memory(err, "an output");
    }
    setvbuf(file, NULL, _IOFBF, 1 << 16);
    status = print_in_c_locale(file, output, err);
    bool bad = fclose(file) != 0;
    if (status == DPC_OK && (bad || t.why != 0))
        status = dpc_write_failed("a text", t.why != 0 ? t.why : EIO, err);
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

/* A pipe that nobody reads from yet is waited for, as long as the caller likes. */
static int open_direct(const char *path, dpc_crew *crew)
{
    const struct timespec moment = {.tv_nsec = 50000000};
    for (;;) {
        int fd = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK);
        if (fd >= 0 || (errno != ENXIO && errno != EINTR))
            return fd;
        if (dpc_write_stopped(crew, 0)) {
            errno = EINTR;
            return -1;
        }
        nanosleep(&moment, NULL);
    }
}

static dpc_status write_one(parcel *p, const dpc_printing *output, dpc_crew *crew, dpc_error *err)
{
    int fd = -1, why = 0;
    if (p->at.direct) {
        fd = p->at.path == NULL ? fcntl(output->fd, F_DUPFD_CLOEXEC, 0)
                                : open_direct(p->at.path, crew);
        why = fd < 0 ? errno : 0;
    } else {
        why = dpc_temporary_sweep(p->at.path);
        if (why == 0)
            why = dpc_temporary_create(p->at.path, &p->file, &fd);
    }
    if (why != 0)
        return dpc_write_failed(p->at.name, why, err);
    return print_and_close(fd, output, p->at.name, crew, err);
}

/* ---- All of them ---- */

/* Gives a file its name; what had it can be put back while `more` files wait for theirs. */
static dpc_status deliver(parcel *p, bool more, dpc_error *err)
{
    int why = more ? dpc_temporary_link(p->at.path, &p->old) : ENOENT;
    if (why == ENOMEM)
        return dpc_write_failed(p->at.name, why, err);
    p->replaced = why != ENOENT;
    why = dpc_temporary_rename(&p->file, p->at.path);
    p->delivered = why == 0;
    return why == 0 ? DPC_OK : dpc_write_failed(p->at.name, why, err);
}

/* Puts back what was there. */
static void take_back(parcel *p)
{
    if (p->delivered && p->old.path != NULL)
        dpc_temporary_rename(&p->old, p->at.path);
    else if (p->delivered && !p->replaced)
        unlink(p->at.path);
}

static dpc_status deliver_all(parcel *parcels, int count, dpc_error *err)
{
    dpc_status status = DPC_OK;
    int waiting = 0;
    for (int i = 0; i < count; i++)
        waiting += parcels[i].file.path != NULL;
    for (int i = 0; i < count && status == DPC_OK; i++)
        if (parcels[i].file.path != NULL)
            status = deliver(&parcels[i], --waiting > 0, err);
    for (int i = 0; i < count && status != DPC_OK; i++)
        take_back(&parcels[i]);
    return status;
}

dpc_status dpc_printings_write(const dpc_printing *outputs, int count, const dpc_settings *settings,
                               dpc_error *err)
{
    dpc_crew crew;
    dpc_crew_init(&crew, settings, DPC_STAGE_WRITE);
    dpc_status status = dpc_printings_differ(outputs, count, NULL, 0, err);
    parcel *parcels = dpc_zalloc(count, sizeof *parcels);
    if (status == DPC_OK && parcels == NULL)
        status = dpc_fail_memory(err, "the outputs");
    for (int i = 0; i < count && status == DPC_OK; i++)
        status = dpc_place_find(outputs[i].path, &parcels[i].at, err);
    /* first what can be taken back */
    for (int direct = 0; direct < 2; direct++) {
        for (int i = 0; i < count && status == DPC_OK; i++)
            if (parcels[i].at.direct == direct)
                status = write_one(&parcels[i], &outputs[i], &crew, err);
        if (direct == 0 && status == DPC_OK && dpc_write_stopped(&crew, 1)) /* a disk is slow */
            status = dpc_fail(err, DPC_INTERRUPTED, "interrupted");
    }
    if (status == DPC_OK)
        status = deliver_all(parcels, count, err);
    for (int i = 0; parcels != NULL && i < count; i++) {
        dpc_temporary_clear(&parcels[i].file);
        dpc_temporary_clear(&parcels[i].old);
        free(parcels[i].at.path);
    }
    free(parcels);
    return status;
}

/*
 * Files that appear whole or not at all.
 *
 * Every output is first written beside its place under a temporary name; only when all of them
 * are complete and on disk are they renamed. A full disk, a failed write, an interrupt: the
 * temporary files go, and what was there before stays. Devices and pipes have no name to keep and
 * are written to directly, after the files.
 */
#include "error.h"
#include "memory.h"
#include "write.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct output {
    char *path;      /* where it will be, links resolved */
    char *temporary; /* where it is until then; NULL: none */
    bool direct;     /* no regular file: written to in place */
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

/* Numbers have a decimal point wherever the caller lives; the locale is this thread's alone. */
static dpc_status write_in_c_locale(FILE *file, dpc_format format, const dpc_report *report,
                                    dpc_error *err)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c == (locale_t)0)
        return dpc_fail_memory(err, "a locale");
    locale_t before = uselocale(c);
    dpc_status status = dpc_write_report(file, format, report, err);
    uselocale(before);
    freelocale(c);
    return status;
}

/* Takes over fd. `sync`: the bytes must have reached the disk. */
static dpc_status write_and_close(int fd, bool sync, dpc_format format, const dpc_report *report,
                                  const char *name, dpc_error *err)
{
    FILE *file = fdopen(fd, "w");
    if (file == NULL) {
        close(fd);
        return dpc_fail_memory(err, "an output");
    }
    dpc_status status = write_in_c_locale(file, format, report, err);
    errno = 0;
    bool bad = ferror(file) != 0 || fflush(file) != 0;
    if (!bad && sync)
        bad = fsync(fd) != 0 && errno != EINVAL && errno != EROFS;
    int why = errno;
    if (fclose(file) != 0 && !bad) {
        bad = true;
        why = errno;
    }
    if (status == DPC_OK && bad)
        status = write_failed(err, name, why != 0 ? why : EIO);
    return status;
}

dpc_status dpc_write_descriptor(const dpc_report *report, dpc_format format, int fd,
                                const char *name, dpc_error *err)
{
    int copy = dup(fd);
    if (copy < 0)
        return write_failed(err, name, errno);
    return write_and_close(copy, false, format, report, name, err);
}

/* A new file beside `path`, with the permissions it would have had itself; its name in *name. */
static int create_beside(const char *path, char **name)
{
    struct stat old;
    for (unsigned try = 0;; try++) {
        if (asprintf(name, "%s.%ld-%u.part", path, (long)getpid(), try) < 0) {
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
        free(*name);
        *name = NULL;
        if (errno != EEXIST)
            return -1;
    }
}

static dpc_status write_temporary(output *out, const dpc_report *report, dpc_error *err)
{
    int fd = create_beside(out->path, &out->temporary);
    if (fd < 0)
        return write_failed(err, out->path, errno);
    return write_and_close(fd, true, out->format, report, out->path, err);
}

static dpc_status write_direct(const output *out, const dpc_report *report, dpc_error *err)
{
    int fd = open(out->path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return write_failed(err, out->path, errno);
    return write_and_close(fd, false, out->format, report, out->path, err);
}

static dpc_status prepare(output *out, const char *path, dpc_error *err)
{
    struct stat old;
    dpc_status status = dpc_format_of(path, &out->format, err);
    if (status != DPC_OK)
        return status;
    bool exists = stat(path, &old) == 0;
    if (exists && S_ISDIR(old.st_mode))
        return write_failed(err, path, EISDIR);
    out->direct = exists && !S_ISREG(old.st_mode);
    out->path = exists && !out->direct ? realpath(path, NULL) : strdup(path);
    return out->path != NULL ? DPC_OK : dpc_fail_memory(err, "a file name");
}

static dpc_status write_all(output *outputs, int count, const dpc_report *report, dpc_error *err)
{
    dpc_status status = DPC_OK;
    for (int i = 0; i < count && status == DPC_OK; i++)
        if (!outputs[i].direct)
            status = write_temporary(&outputs[i], report, err);
    for (int i = 0; i < count && status == DPC_OK; i++)
        if (outputs[i].direct)
            status = write_direct(&outputs[i], report, err);
    for (int i = 0; i < count && status == DPC_OK; i++) {
        if (outputs[i].temporary == NULL)
            continue;
        if (rename(outputs[i].temporary, outputs[i].path) != 0)
            status = write_failed(err, outputs[i].path, errno);
        else
            free(outputs[i].temporary), outputs[i].temporary = NULL;
    }
    return status;
}

dpc_status dpc_write_files(const dpc_report *report, const char *const *paths, int count,
                           dpc_error *err)
{
    dpc_status status = DPC_OK;
    output *outputs = dpc_zalloc(count, sizeof *outputs);
    if (outputs == NULL)
        return dpc_fail_memory(err, "the outputs");
    for (int i = 0; i < count && status == DPC_OK; i++)
        status = prepare(&outputs[i], paths[i], err);
    if (status == DPC_OK)
        status = write_all(outputs, count, report, err);
    for (int i = 0; i < count; i++) {
        if (outputs[i].temporary != NULL)
            unlink(outputs[i].temporary);
        free(outputs[i].temporary);
        free(outputs[i].path);
    }
    free(outputs);
    return status;
}

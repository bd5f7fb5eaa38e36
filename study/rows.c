/*
 * A file of rows, which survives being killed.
 *
 * The rows of a data set are a block. A block is appended by one write, so that what a killed run
 * leaves behind is whole blocks and at most one torn one at the end, which is cut off when the file
 * is opened again. Rows begin with a key that the study determines; reading compares keys, so a
 * file of another seed or another program is refused rather than mixed.
 */
#include "study.h"

#include "alloc.h"
#include "status.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Takes in the blocks of the text; returns how many bytes of it are whole blocks. */
static int64_t take_in(const study_reader *reader, const char *text, const char *end)
{
    const char *at = text, *next = text;
    while (next != NULL && at < end && reader->count(reader->context, at) > 0) {
        next = reader->take(reader->context, at, end);
        at = next != NULL ? next : at;
    }
    return at - text;
}

/* Is what follows the whole blocks just the torn end of one? */
static bool is_torn_block(const study_reader *reader, const char *text, const char *end)
{
    if (memchr(text, '\n', (size_t)(end - text)) == NULL)
        return true;
    int64_t lines = 0;
    for (const char *at = text; at < end; at++)
        lines += *at == '\n';
    return lines <= reader->count(reader->context, text);
}

static dpc_status read_file(int fd, const char *path, char **out, int64_t *length, dpc_error *err)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return dpc_fail(err, DPC_BAD_INPUT, "cannot read '%s': %s", path, strerror(errno));
    char *text = dpc_alloc(info.st_size + 1, 1);
    if (text == NULL)
        return dpc_fail_memory(err, "the results that are there already");
    int64_t done = 0;
    while (done < info.st_size) {
        ssize_t got = pread(fd, text + done, (size_t)(info.st_size - done), done);
        if (got < 0 && errno != EINTR) {
            free(text);
            return dpc_fail(err, DPC_BAD_INPUT, "cannot read '%s': %s", path, strerror(errno));
        }
        if (got == 0)
            break;
        done += got > 0 ? got : 0;
    }
    text[done] = '\0';
    *out = text;
    *length = done;
    return DPC_OK;
}

/* Calls that a disk behind a network may interrupt are made again. */
static int open_file(const char *path)
{
    int fd;
    do
        fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    while (fd < 0 && errno == EINTR);
    return fd;
}

static bool cut_file(int fd, int64_t length)
{
    int code;
    do
        code = ftruncate(fd, length);
    while (code != 0 && errno == EINTR);
    return code == 0;
}

/* Reads what is there and cuts off what is torn. */
static dpc_status resume(study_rows *rows, const char *path, const study_reader *reader,
                         dpc_error *err)
{
    const int64_t header = (int64_t)strlen(reader->header);
    char *text = NULL;
    int64_t length = 0, whole = 0;
    DPC_CHECK(read_file(rows->fd, path, &text, &length, err));
    dpc_status status = DPC_OK;
    if (strncmp(text, reader->header, (size_t)(length < header ? length : header)) != 0)
        status = dpc_fail(err, DPC_BAD_INPUT,
                          "'%s' is not a results file of this version of "
                          "dualpc (an older one wrote other columns); give another --out",
                          path);
    if (status == DPC_OK && length > header) {
        whole = header + take_in(reader, text + header, text + length);
        if (!is_torn_block(reader, text + whole, text + length))
            status = dpc_fail(err, DPC_BAD_INPUT,
                              "'%s' holds results of another study (another --seed?); give another "
                              "--out",
                              path);
    }
    if (status == DPC_OK && whole < length && !cut_file(rows->fd, whole))
        status = dpc_fail(err, DPC_WRITE_FAILED, "cannot shorten '%s': %s", path, strerror(errno));
    rows->empty = whole == 0;
    free(text);
    return status;
}

dpc_status study_rows_open(const char *path, const study_reader *reader, study_rows *rows,
                           dpc_error *err)
{
    rows->name = reader->name;
    rows->fd = open_file(path);
    if (rows->fd < 0)
        return dpc_fail(err, DPC_WRITE_FAILED, "cannot open '%s': %s", path, strerror(errno));
    if (flock(rows->fd, LOCK_EX | LOCK_NB) == 0)
        return resume(rows, path, reader, err);
    if (errno == EWOULDBLOCK)
        return dpc_fail(err, DPC_WRITE_FAILED,
                        "another study is writing '%s'; wait for it, or give another --out", path);
    return dpc_fail(err, DPC_WRITE_FAILED, "cannot lock '%s': %s; give another --out", path,
                    strerror(errno));
}

void study_rows_close(study_rows *rows)
{
    if (rows->fd >= 0)
        close(rows->fd);
    rows->fd = -1;
}

dpc_status study_rows_append(study_rows *rows, const char *header, const char *text, int64_t length,
                             dpc_error *err)
{
    int64_t before = rows->empty ? (int64_t)strlen(header) : 0;
    char *all = dpc_alloc(before + length, 1);
    if (all == NULL)
        return dpc_fail_memory(err, "the rows of a data set");
    memcpy(all, header, (size_t)before);
    memcpy(all + before, text, (size_t)length);
    dpc_status status = DPC_OK;
    for (int64_t done = 0; done < before + length && status == DPC_OK;) {
        ssize_t written = write(rows->fd, all + done, (size_t)(before + length - done));
        if (written < 0 && errno != EINTR)
            status =
                dpc_fail(err, DPC_WRITE_FAILED, "cannot write %s: %s", rows->name, strerror(errno));
        done += written > 0 ? written : 0;
    }
    rows->empty = rows->empty && status != DPC_OK;
    free(all);
    return status;
}

dpc_status study_rows_sync(study_rows *rows, dpc_error *err)
{
    int code;
    do
        code = fdatasync(rows->fd);
    while (code != 0 && errno == EINTR);
    if (code != 0 && errno != EINVAL)
        return dpc_fail(err, DPC_WRITE_FAILED, "cannot write %s: %s", rows->name, strerror(errno));
    return DPC_OK;
}

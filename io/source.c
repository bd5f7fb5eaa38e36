/*
 * Bytes in: see source.h.
 *
 * Everything is read raw, large files side by side, and what turns out to be gzip is unpacked in
 * memory. So there is one way in for files, pipes and standard input, and a wait for a slow pipe
 * can be called off: it goes through poll(2), which returns at every signal and after a tenth of a
 * second, and the progress callback is asked each time.
 *
 * Whoever sends the bytes does not decide how much memory they take. A text whose size is not known
 * beforehand may take half of what there is; and gzip that unpacks to more than a quarter of a
 * gigabyte must be that of a file of a size to fit. A stream that begins with a NUL among its first
 * bytes is no text, whatever follows: the rest of it is not read, and its reader refuses it.
 */
#include "source.h"

#include "alloc.h"
#include "crew.h"
#include "encoding.h"
#include "settings.h"
#include "status.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum {
    STEP = 1 << 20,  /* bytes between two calls of the progress callback */
    FIRST = 1 << 16, /* bytes of a stream that tell whether it is text */
    PIECE = 1 << 22, /* bytes of a large file that are read at a time */
    WAIT_MILLISECONDS = 100,
    UNPACKED_ALWAYS = 1 << 28, /* bytes that any gzip may unpack to … */
    UNPACKED_TIMES = 100,      /* … and for each of its own. A table has 2 to 10 */
};

/* The share of the reading stage that is over once the bytes are here. */
static const double READ_SHARE = 0.1, UNPACK_SHARE = 0.2;

/* A text that grows; one byte more than `size` is always kept free for the NUL at its end. */
typedef struct buffer {
    char *bytes;
    size_t size, capacity;
} buffer;

const char *dpc_source_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

dpc_status dpc_source_poll(const char *path, dpc_crew *crew, double fraction, dpc_error *err)
{
    crew->progress.fraction = fraction;
    if (dpc_crew_stopped(crew, 0))
        return dpc_fail(err, DPC_INTERRUPTED, "%s: reading was interrupted", dpc_source_name(path));
    return DPC_OK;
}

static dpc_status fail_memory(const char *path, dpc_error *err)
{
    return dpc_fail(err, DPC_NO_MEMORY, "%s: out of memory for its text", dpc_source_name(path));
}

static bool buffer_grow(buffer *b, size_t capacity)
{
    if (capacity > PTRDIFF_MAX)
        return false;
    char *bytes = dpc_regrow(b->bytes, (int64_t)capacity, 1);
    if (bytes == NULL)
        return false;
    b->bytes = bytes;
    b->capacity = capacity;
    return true;
}

/* The first allocation, where the size is known. */
static bool buffer_start(buffer *b, size_t capacity)
{
    b->bytes = (char *)dpc_alloc_aligned((int64_t)(capacity / sizeof(double) + 1));
    b->capacity = b->bytes != NULL ? capacity : 0;
    return b->bytes != NULL;
}

/*
 * Room for at least one byte more and the NUL after it; doubling keeps the copies linear. A file
 * that is longer than it said, a pipe and gzip get here, and may have no end.
 */
static dpc_status buffer_room(buffer *b, const char *path, dpc_error *err)
{
    if (b->size + 2 <= b->capacity)
        return DPC_OK;
    dpc_memory_offer offer = dpc_memory_offered();
    double most = offer.bytes / 2, wanted = 2 * (double)b->capacity + STEP;
    if ((double)b->size + 2 > most)
        return dpc_fail(err, DPC_NO_MEMORY,
                        "%s: its text is longer than %.1f GB, half of the memory that %s; if it "
                        "has an end, unpack or save it to a file first",
                        dpc_source_name(path), (double)b->size / 1e9, offer.who);
    return buffer_grow(b, (size_t)(wanted < most ? wanted : most)) ? DPC_OK
                                                                   : fail_memory(path, err);
}

/* Ends the text with a NUL; memory worth it is given back, and if it cannot, no harm is done. */
static void buffer_finish(buffer *b)
{
    if (b->capacity - b->size > STEP)
        buffer_grow(b, b->size + 1);
    b->bytes[b->size] = '\0';
}

static dpc_status open_source(const char *path, dpc_crew *crew, int *fd, dpc_error *err)
{
    if (strcmp(path, "-") == 0) {
        *fd = STDIN_FILENO;
        return DPC_OK;
    }
    while ((*fd = open(path, O_RDONLY | O_CLOEXEC)) < 0 && errno == EINTR) {
        /* a named pipe nobody writes to yet */
        DPC_CHECK(dpc_source_poll(path, crew, 0, err));
    }
    if (*fd >= 0)
        return DPC_OK;
    if (errno == ENOENT)
        return dpc_fail(err, DPC_BAD_INPUT, "%s: there is no such file; check its name and folder",
                        path);
    if (errno == EACCES)
        return dpc_fail(err, DPC_BAD_INPUT, "%s: you have no permission to read it", path);
    return dpc_fail(err, DPC_BAD_INPUT, "%s: cannot be opened: %s", path, strerror(errno));
}

/* Waits until there is something to read; asks the progress callback at least once. */
static dpc_status wait_readable(int fd, const char *path, dpc_crew *crew, double fraction,
                                dpc_error *err)
{
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    for (;;) {
        DPC_CHECK(dpc_source_poll(path, crew, READ_SHARE * fraction, err));
        int ready = poll(&wait, 1, WAIT_MILLISECONDS);
        if (ready > 0 || (ready < 0 && errno != EINTR))
            return DPC_OK; /* where poll has an error, read will say it better */
    }
}

/* ---- A file of known size, by pieces ---- */

typedef struct piece_job {
    int fd;
    char *to;
    size_t size;
    atomic_bool short_read; /* some piece is not what it should be */
} piece_job;

static void read_piece(void *context, int64_t index, int worker)
{
    (void)worker;
    piece_job *job = context;
    size_t from = (size_t)index * PIECE, end = job->size - from < PIECE ? job->size : from + PIECE;
    while (from < end) {
        ssize_t got = pread(job->fd, job->to + from, end - from, (off_t)from);
        if (got <= 0 && !(got < 0 && errno == EINTR)) {
            atomic_store(&job->short_read, true);
            return;
        }
        from += got > 0 ? (size_t)got : 0;
    }
}

/* As much as the file said it has, side by side; what goes wrong is left to read_all. */
static dpc_status read_pieces(int fd, const char *path, dpc_crew *crew, size_t size, buffer *b,
                              dpc_error *err)
{
    piece_job job = {.fd = fd, .to = b->bytes, .size = size};
    if (lseek(fd, 0, SEEK_CUR) != 0)
        return DPC_OK; /* somebody has read from it before: it does not start at its start */
    crew->to = READ_SHARE;
    atomic_init(&job.short_read, false);
    if (!dpc_crew_run(crew, (int64_t)((size + PIECE - 1) / PIECE), (double)size, read_piece, &job))
        return dpc_fail(err, DPC_INTERRUPTED, "%s: reading was interrupted", dpc_source_name(path));
    if (!atomic_load(&job.short_read) && lseek(fd, (off_t)size, SEEK_SET) == (off_t)size)
        b->size = size;
    return DPC_OK;
}

static bool is_gzip(const char *bytes, size_t size)
{
    return size >= 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b';
}

/* Is what has come of a stream so far enough to know that it is no text? */
static bool is_binary(const buffer *b)
{
    const size_t enough = 16; /* for the encoding */
    size_t size = b->size < FIRST ? b->size : FIRST;
    return size >= enough && memchr(b->bytes, '\0', size) != NULL && !is_gzip(b->bytes, size) &&
           !dpc_is_utf16(b->bytes, size);
}

/* The size of a regular file, into *expected; 0: it is a stream, or what it has is not known. */
static dpc_status start_buffer(int fd, const char *path, size_t *expected, buffer *b,
                               dpc_error *err)
{
    struct stat about;
    const char *name = dpc_source_name(path);
    *expected = 0;
    if (fstat(fd, &about) == 0) {
        if (S_ISDIR(about.st_mode))
            return dpc_fail(err, DPC_BAD_INPUT, "%s: is a folder; name a file in it", name);
        if (S_ISREG(about.st_mode) && about.st_size > 0)
            *expected = (size_t)about.st_size;
    }
    dpc_memory_offer offer = dpc_memory_offered();
    if ((double)*expected > offer.bytes)
        return dpc_fail(err, DPC_NO_MEMORY,
                        "%s: out of memory for its text: it has %.1f GB, and %s %.1f GB", name,
                        (double)*expected / 1e9, offer.who, offer.bytes / 1e9);
    bool fits = *expected > 0 ? buffer_start(b, *expected + 2) : buffer_grow(b, STEP);
    return fits ? DPC_OK : fail_memory(path, err);
}

static dpc_status read_all(int fd, const char *path, dpc_crew *crew, buffer *b, dpc_error *err)
{
    size_t expected;
    DPC_CHECK(start_buffer(fd, path, &expected, b, err));
    if (expected > PIECE)
        DPC_CHECK(read_pieces(fd, path, crew, expected, b, err));
    for (;;) {
        double fraction = expected > b->size ? (double)b->size / (double)expected : expected > 0;
        DPC_CHECK(buffer_room(b, path, err));
        DPC_CHECK(wait_readable(fd, path, crew, fraction, err));
        size_t room = b->capacity - b->size - 1;
        ssize_t got = read(fd, b->bytes + b->size, room < STEP ? room : STEP);
        bool first = expected == 0 && b->size < FIRST;
        b->size += got > 0 ? (size_t)got : 0;
        if (got == 0 || (first && is_binary(b)))
            return DPC_OK;
        if (got < 0 && errno != EINTR && errno != EAGAIN)
            return dpc_fail(err, DPC_BAD_INPUT, "%s: cannot be read: %s", dpc_source_name(path),
                            strerror(errno));
    }
}

/* ---- gzip ---- */

static bool only_zeros(const char *bytes, size_t size)
{
    while (size > 0 && bytes[size - 1] == '\0')
        size--;
    return size == 0;
}

/* One call of inflate, from raw->bytes + *used to the end of `text`. */
static int inflate_step(z_stream *z, const buffer *raw, size_t *used, buffer *text)
{
    size_t in = raw->size - *used, room = text->capacity - text->size - 1;
    uInt given = in < STEP ? (uInt)in : STEP, wanted = room < STEP ? (uInt)room : STEP;
    z->next_in = (Bytef *)raw->bytes + *used;
    z->avail_in = given;
    z->next_out = (Bytef *)text->bytes + text->size;
    z->avail_out = wanted;
    int code = inflate(z, Z_NO_FLUSH);
    *used += given - z->avail_in;
    text->size += wanted - z->avail_out;
    return code;
}

static dpc_status check_growth(const char *path, const buffer *raw, const buffer *text,
                               dpc_error *err)
{
    if (text->size <= UNPACKED_ALWAYS || text->size / UNPACKED_TIMES <= raw->size)
        return DPC_OK;
    return dpc_fail(err, DPC_BAD_INPUT,
                    "%s: its gzip data unpack to more than %d MB, and %d times the size of the "
                    "file; if that is meant, unpack it first (gunzip)",
                    dpc_source_name(path), UNPACKED_ALWAYS >> 20, UNPACKED_TIMES);
}

/* Unpacks all members of the file, as gzip itself does; padding with zeros is no member. */
static dpc_status inflate_all(z_stream *z, const char *path, dpc_crew *crew, const buffer *raw,
                              buffer *text, dpc_error *err)
{
    const char *name = dpc_source_name(path);
    size_t used = 0;
    for (;;) {
        double done = (double)used / (double)raw->size;
        DPC_CHECK(check_growth(path, raw, text, err));
        DPC_CHECK(buffer_room(text, path, err));
        DPC_CHECK(
            dpc_source_poll(path, crew, READ_SHARE + (UNPACK_SHARE - READ_SHARE) * done, err));
        int code = inflate_step(z, raw, &used, text);
        if (code == Z_STREAM_END) {
            if (is_gzip(raw->bytes + used, raw->size - used))
                inflateReset(z);
            else if (only_zeros(raw->bytes + used, raw->size - used))
                return DPC_OK;
            else
                return dpc_fail(err, DPC_BAD_INPUT,
                                "%s: has other bytes after its gzip data; unpack and check it",
                                name);
        } else if (code == Z_MEM_ERROR) {
            return fail_memory(path, err);
        } else if (code == Z_BUF_ERROR && used == raw->size) {
            return dpc_fail(err, DPC_BAD_INPUT,
                            "%s: its gzip data end too soon; copy or pack the file again", name);
        } else if (code != Z_OK && code != Z_BUF_ERROR) {
            return dpc_fail(err, DPC_BAD_INPUT,
                            "%s: its gzip data are corrupt (%s); copy or pack the file again", name,
                            z->msg != NULL ? z->msg : "no reason known");
        }
    }
}

static dpc_status gunzip(const char *path, dpc_crew *crew, const buffer *raw, buffer *text,
                         dpc_error *err)
{
    z_stream z = {0};
    if (inflateInit2(&z, 16 + MAX_WBITS) != Z_OK)
        return fail_memory(path, err);
    dpc_status status = inflate_all(&z, path, crew, raw, text, err);
    inflateEnd(&z);
    return status;
}

static dpc_status read_source(const char *path, dpc_crew *crew, char **bytes, size_t *size,
                              dpc_error *err)
{
    buffer raw = {0}, text = {0};
    int fd;
    DPC_CHECK(open_source(path, crew, &fd, err));
    dpc_status status = read_all(fd, path, crew, &raw, err);
    if (fd != STDIN_FILENO)
        close(fd);
    if (status == DPC_OK && is_gzip(raw.bytes, raw.size)) {
        status = gunzip(path, crew, &raw, &text, err);
        free(raw.bytes);
        raw = text;
    }
    if (status != DPC_OK) {
        free(raw.bytes);
        return status;
    }
    buffer_finish(&raw);
    *bytes = raw.bytes;
    *size = raw.size;
    return DPC_OK;
}

dpc_status dpc_source_read(const char *path, dpc_crew *crew, char **bytes, size_t *size,
                           dpc_error *err)
{
    dpc_settings defaults;
    dpc_crew own;
    dpc_settings_default(&defaults);
    if (crew == NULL)
        dpc_crew_init(&own, &defaults, DPC_STAGE_READ);
    return read_source(path, crew != NULL ? crew : &own, bytes, size, err);
}

static const char MARK[] = "\xef\xbb\xbf";

bool dpc_has_mark(const char *text)
{
    return strncmp(text, MARK, strlen(MARK)) == 0;
}

dpc_encoding dpc_source_encoding(const char *bytes, size_t size, const char **text,
                                 const char **nul)
{
    *text = bytes + (dpc_has_mark(bytes) ? strlen(MARK) : 0);
    if (dpc_is_utf16(bytes, size))
        return DPC_ENCODING_UTF16;
    *nul = memchr(*text, '\0', size - (size_t)(*text - bytes));
    return *nul != NULL ? DPC_ENCODING_BINARY : DPC_ENCODING_TEXT;
}

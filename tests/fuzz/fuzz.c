/* What the fuzzing harnesses share: see fuzz.h. */
#include "fuzz.h"

#include <sanitizer/allocator_interface.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

/*
 * What docs/reliability.md says: so many bytes of memory for each byte of a text, and so many for
 * any; and what gzip can make of a byte.
 */
enum { MEMORY_TIMES = 100, MEMORY_ANY = 4 << 20, GZIP_TIMES = 1032 };

static long long text_size; /* of the last file, at most */

void fuzz_found(const char *file, int line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "\n%s:%d: ", file, line);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    abort();
}

/* ---- Bytes ---- */

uint8_t fuzz_byte(fuzz_bytes *in)
{
    if (in->left == 0)
        return '@';
    in->left--;
    return *in->at++;
}

void fuzz_line(fuzz_bytes *in, char line[FUZZ_LINE])
{
    int length = 0;
    while (in->left > 0) {
        char c = (char)fuzz_byte(in);
        if (c == '\n' || c == '\0')
            break;
        if (length < FUZZ_LINE - 1)
            line[length++] = c;
    }
    line[length] = '\0';
}

double fuzz_share(fuzz_bytes *in)
{
    return (fuzz_byte(in) + fuzz_byte(in) / 256.) / 256;
}

const char *fuzz_file(const void *bytes, size_t size)
{
    static char path[40];
    static int fd = -1;
    if (fd < 0) {
        fd = memfd_create("fuzz", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    if (fd < 0 || ftruncate(fd, 0) != 0 || pwrite(fd, bytes, size, 0) != (ssize_t)size)
        fuzz_found(__FILE__, __LINE__, "there is no file in memory");
    bool packed = size >= 2 && memcmp(bytes, "\x1f\x8b", 2) == 0;
    text_size = (long long)size * (packed ? GZIP_TIMES : 1);
    return path;
}

void *fuzz_gzip(const void *bytes, size_t size, size_t *packed)
{
    z_stream z = {.next_in = (Bytef *)bytes, .avail_in = (uInt)size};
    size_t room = size + size / 8 + 100;
    void *out = malloc(room);
    z.next_out = out;
    z.avail_out = (uInt)room;
    int last = 0;
    if (deflateInit2(&z, 1, Z_DEFLATED, 16 + MAX_WBITS, 1, Z_DEFAULT_STRATEGY) == Z_OK)
        last = deflate(&z, Z_FINISH);
    deflateEnd(&z);
    if (last != Z_STREAM_END)
        fuzz_found(__FILE__, __LINE__, "zlib does not pack");
    *packed = room - z.avail_out;
    return out;
}

void *fuzz_utf16(const void *bytes, size_t size, size_t *doubled)
{
    const char *from = bytes;
    char *out = malloc(2 * size + 2);
    memcpy(out, "\xff\xfe", 2);
    for (size_t i = 0; i < size; i++) {
        out[2 * i + 2] = from[i];
        out[2 * i + 3] = '\0';
    }
    *doubled = 2 * size + 2;
    return out;
}

/* ---- Memory ---- */

static atomic_llong in_use, most;

static void count_new(const volatile void *block, size_t size)
{
    (void)block;
    long long now = atomic_fetch_add(&in_use, (long long)size) + (long long)size;
    if (now > atomic_load(&most))
        atomic_store(&most, now);
}

static void count_freed(const volatile void *block)
{
    if (block != NULL)
        atomic_fetch_sub(&in_use, (long long)__sanitizer_get_allocated_size((void *)block));
}

void fuzz_watch_memory(void)
{
    static int hooked;
    if (!hooked)
        hooked = __sanitizer_install_malloc_and_free_hooks(count_new, count_freed);
    atomic_store(&in_use, 0);
    atomic_store(&most, 0);
}

void fuzz_check_memory(void)
{
    long long seen = atomic_load(&most);
    MUST(seen <= MEMORY_ANY + MEMORY_TIMES * text_size, "%lld bytes of memory for a text of %lld",
         seen, text_size);
}

/* ---- Errors ---- */

void fuzz_check_error(dpc_status status, const dpc_error *err)
{
    MUST(status >= DPC_OK && status <= DPC_NO_MEMORY, "status %d", (int)status);
    if (status == DPC_OK)
        return;
    MUST(err->code == status, "code %d of status %d", (int)err->code, (int)status);
    MUST(err->message[0] != '\0', "an error without a sentence");
    MUST(memchr(err->message, '\0', sizeof err->message) != NULL, "a sentence without an end");
    for (const char *p = err->message; *p != '\0'; p++)
        MUST((unsigned char)*p >= ' ' && *p != '\x7f', "a control character in: %s", err->message);
}

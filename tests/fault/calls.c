/* Calls of the system that fail: see failing.h. */
#include "failing.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

broken system_fails;

/* Is this the call that fails? Then errno says why. */
static bool fails(system_call call)
{
    long seen = atomic_fetch_add(&counts->seen[call], 1) + 1;
    if (system_fails.at == 0 || system_fails.call != call || seen < system_fails.at ||
        (seen > system_fails.at && !system_fails.ever_after))
        return false;
    errno = system_fails.error;
    return true;
}

/* How many of the bytes a call that fails takes; -1: none, for it has an error. */
static ssize_t share(size_t size)
{
    return system_fails.error == HALF ? (ssize_t)(size > 1 ? size / 2 : size) : -1;
}

/* ---- Bytes ---- */

ssize_t __real_write(int fd, const void *bytes, size_t size);
ssize_t __real_read(int fd, void *bytes, size_t size);
ssize_t __real_pread(int fd, void *bytes, size_t size, off_t from);

ssize_t __wrap_write(int fd, const void *bytes, size_t size)
{
    bool broken = fails(CALL_WRITE);
    ssize_t some = broken ? share(size) : (ssize_t)size;
    return some < 0 ? -1 : __real_write(fd, bytes, (size_t)some);
}

ssize_t __wrap_read(int fd, void *bytes, size_t size)
{
    bool broken = fails(CALL_READ);
    ssize_t some = broken ? share(size) : (ssize_t)size;
    return some < 0 ? -1 : __real_read(fd, bytes, (size_t)some);
}

ssize_t __wrap_pread(int fd, void *bytes, size_t size, off_t from)
{
    bool broken = fails(CALL_READ);
    ssize_t some = broken ? share(size) : (ssize_t)size;
    return some < 0 ? -1 : __real_pread(fd, bytes, (size_t)some, from);
}

/* What a hardened build calls in their place. */
ssize_t __wrap___read_chk(int fd, void *bytes, size_t size, size_t room)
{
    (void)room;
    return __wrap_read(fd, bytes, size);
}

ssize_t __wrap___pread_chk(int fd, void *bytes, size_t size, off_t from, size_t room)
{
    (void)room;
    return __wrap_pread(fd, bytes, size, from);
}

/* ---- Opening and closing ---- */

int __real_open(const char *path, int flags, ...);
int __real_openat(int folder, const char *path, int flags, ...);
DIR *__real_opendir(const char *path);
FILE *__real_fopen(const char *path, const char *mode);
int __real_close(int fd);

int __wrap_open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    unsigned mode = flags & O_CREAT ? va_arg(more, unsigned) : 0;
    va_end(more);
    return fails(CALL_OPEN) ? -1 : __real_open(path, flags, mode);
}

int __wrap_openat(int folder, const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    unsigned mode = flags & O_CREAT ? va_arg(more, unsigned) : 0;
    va_end(more);
    return fails(CALL_OPEN) ? -1 : __real_openat(folder, path, flags, mode);
}

DIR *__wrap_opendir(const char *path)
{
    return fails(CALL_OPEN) ? NULL : __real_opendir(path);
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
    return fails(CALL_OPEN) ? NULL : __real_fopen(path, mode);
}

/* As Linux has it: closed in any case. */
int __wrap_close(int fd)
{
    bool broken = fails(CALL_CLOSE);
    int why = errno, code = __real_close(fd);
    if (!broken)
        return code;
    errno = why;
    return -1;
}

/* ---- The others ---- */

#define FAILING(call, name, parameters, arguments)                                                 \
    int __real_##name parameters;                                                                  \
    int __wrap_##name parameters                                                                   \
    {                                                                                              \
        return fails(call) ? -1 : __real_##name arguments;                                         \
    }

FAILING(CALL_SYNC, fsync, (int fd), (fd))
FAILING(CALL_SYNC, fdatasync, (int fd), (fd))
FAILING(CALL_RENAME, rename, (const char *from, const char *to), (from, to))
FAILING(CALL_LINK, link, (const char *from, const char *to), (from, to))
FAILING(CALL_TRUNCATE, ftruncate, (int fd, off_t size), (fd, size))
FAILING(CALL_LOCK, flock, (int fd, int what), (fd, what))
FAILING(CALL_POLL, poll, (struct pollfd * list, nfds_t count, int wait), (list, count, wait))
FAILING(CALL_STAT, stat, (const char *path, struct stat *about), (path, about))
FAILING(CALL_STAT, fstat, (int fd, struct stat *about), (fd, about))
FAILING(CALL_MKDIR, mkdir, (const char *path, mode_t mode), (path, mode))
FAILING(CALL_FORK, fork, (void), ())
FAILING(CALL_WAIT, waitpid, (pid_t child, int *state, int how), (child, state, how))
FAILING(CALL_PIPE, socketpair, (int domain, int type, int protocol, int ends[2]),
        (domain, type, protocol, ends))
FAILING(CALL_DUP, dup2, (int from, int to), (from, to))

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *),
                          void *context);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *),
                          void *context)
{
    return fails(CALL_THREAD) ? system_fails.error
                              : __real_pthread_create(thread, how, run, context);
}

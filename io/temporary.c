/*
 * Temporary files: .dualpc-HOST-PID-NUMBER.part, in the folder of the file that they become.
 *
 * A run that is killed cannot remove its own. The next one that writes to the folder does, but it
 * must not touch those of a run that is still at work, maybe on another machine that sees the same
 * disk, or in another container. So a file is removed only where all of this holds: it is a regular
 * file of this user, made on a machine of this name, by a process whose number no process has now,
 * and nobody holds a lock on it. The last tells where numbers do not: whoever writes one keeps it
 * locked, and the kernel lets go of the lock when he ends. Where something cannot be told the file
 * stays.
 */
#include "temporary.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char PREFIX[] = ".dualpc-";

enum { HOST_SIZE = 65 }; /* that is how long Linux lets it be */

/* The name of this machine, without what a file name or its parts could not have. */
static void find_host(char host[HOST_SIZE])
{
    if (gethostname(host, HOST_SIZE) != 0)
        strcpy(host, "localhost");
    host[HOST_SIZE - 1] = '\0';
    for (char *p = host; *p != '\0'; p++)
        if (!isalnum((unsigned char)*p) && *p != '.')
            *p = '_';
}

/* How long the folder is that a path begins with, its slash included. */
static int folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (int)(slash - path) + 1 : 0;
}

/* A name that was free a moment ago. */
static int make_name(const char *path, unsigned number, char **out)
{
    char host[HOST_SIZE];
    find_host(host);
    if (asprintf(out, "%.*s%s%s-%ld-%u.part", folder_length(path), path, PREFIX, host,
                 (long)getpid(), number) >= 0)
        return 0;
    *out = NULL;
    return ENOMEM;
}

/* ---- Making ---- */

static int open_new(const char *name, const char *path, int *fd)
{
    struct stat old;
    do
        *fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    while (*fd < 0 && errno == EINTR); /* a disk behind a network */
    if (*fd < 0)
        return errno;
    if (stat(path, &old) == 0 && fchmod(*fd, old.st_mode & 07777) != 0)
        errno = 0; /* a matter of taste, not of success */
    return 0;
}

int dpc_temporary_create(const char *path, dpc_temporary *out, int *fd)
{
    for (unsigned number = 0;; number++) {
        *out = (dpc_temporary){NULL, -1};
        int why = make_name(path, number, &out->path);
        if (why == 0)
            why = open_new(out->path, path, fd);
        if (why == 0) {
            if (flock(*fd, LOCK_EX | LOCK_NB) == 0)
                out->lock = fcntl(*fd, F_DUPFD_CLOEXEC, 0);
            return 0; /* where it cannot be locked the number of the process must do */
        }
        free(out->path);
        out->path = NULL;
        if (why != EEXIST)
            return why;
    }
}

int dpc_temporary_link(const char *path, dpc_temporary *out)
{
    for (unsigned number = 0;; number++) {
        *out = (dpc_temporary){NULL, -1};
        int why = make_name(path, number, &out->path);
        if (why == 0 && link(path, out->path) == 0)
            return 0;
        why = why != 0 ? why : errno;
        free(out->path);
        out->path = NULL;
        if (why != EEXIST)
            return why;
    }
}

/* ---- Ending ---- */

static void let_go(dpc_temporary *file)
{
    if (file->path != NULL && file->lock >= 0)
        close(file->lock);
    free(file->path);
    *file = (dpc_temporary){NULL, -1};
}

int dpc_temporary_rename(dpc_temporary *file, const char *path)
{
    if (rename(file->path, path) != 0)
        return errno;
    let_go(file);
    return 0;
}

void dpc_temporary_clear(dpc_temporary *file)
{
    if (file->path != NULL)
        unlink(file->path);
    let_go(file);
}

/* ---- What others have left ---- */

/* Is it a name of a process of this machine that has ended? */
static bool is_name_of_the_dead(const char *name, const char *host)
{
    long pid = 0;
    unsigned number = 0;
    int length = 0;
    size_t start = strlen(PREFIX), end = start + strlen(host);
    if (strncmp(name, PREFIX, start) != 0 || strncmp(name + start, host, end - start) != 0)
        return false;
    if (sscanf(name + end, "-%ld-%u.part%n", &pid, &number, &length) != 2 || length == 0 ||
        name[end + (size_t)length] != '\0')
        return false;
    return pid > 0 && kill((pid_t)pid, 0) != 0 && errno == ESRCH;
}

/* Is it a file of ours that nobody writes to? */
static bool is_abandoned(int folder, const char *name)
{
    struct stat about;
    int fd = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool abandoned = fstat(fd, &about) == 0 && S_ISREG(about.st_mode) &&
                     about.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0;
    close(fd);
    return abandoned;
}

int dpc_temporary_sweep(const char *path)
{
    char host[HOST_SIZE], *folder = NULL;
    int length = folder_length(path);
    find_host(host);
    if (asprintf(&folder, "%.*s", length > 0 ? length : 1, length > 0 ? path : ".") < 0)
        return ENOMEM;
    DIR *list = opendir(folder);
    free(folder);
    if (list == NULL)
        return 0; /* whoever may not look there finds nothing to remove */
    for (const struct dirent *entry; (entry = readdir(list)) != NULL;)
        if (is_name_of_the_dead(entry->d_name, host) && is_abandoned(dirfd(list), entry->d_name))
            unlinkat(dirfd(list), entry->d_name, 0);
    closedir(list);
    return 0;
}

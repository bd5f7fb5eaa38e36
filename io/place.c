/*
 * Where an output goes, and which file that is.
 *
 * A file that is there is known by its device and inode, whatever names it has: a relative path, a
 * symbolic link, a hard link, a descriptor. One that is to be made is known by its folder, which is
 * there, and its name in it, once the links that lead to it are followed.
 */
#include "place.h"

#include "alloc.h"
#include "output.h"
#include "source.h"
#include "status.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

dpc_status dpc_write_failed(const char *name, int why, dpc_error *err)
{
    if (why == ENOMEM)
        return dpc_fail_memory(err, "an output");
    if (why == EINTR)
        return dpc_fail(err, DPC_INTERRUPTED, "interrupted");
    return dpc_fail(err, DPC_WRITE_FAILED, "cannot write %s: %s", name, strerror(why));
}

/* A descriptor, which may well be that of a file. */
static bool is_open_already(const char *path)
{
    static const char *const BEGINNINGS[] = {"/dev/std", "/dev/fd/", "/proc/"};
    for (size_t i = 0; i < sizeof BEGINNINGS / sizeof *BEGINNINGS; i++)
        if (strncmp(path, BEGINNINGS[i], strlen(BEGINNINGS[i])) == 0)
            return true;
    return false;
}

bool dpc_is_device(const char *path)
{
    struct stat about;
    if (is_open_already(path))
        return true;
    return stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
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

static const char *name_of(const char *path)
{
    return path != NULL ? path : "standard output";
}

dpc_status dpc_place_find(const char *path, dpc_place *out, dpc_error *err)
{
    struct stat old;
    *out = (dpc_place){.name = name_of(path), .direct = path == NULL || dpc_is_device(path)};
    if (path == NULL)
        return DPC_OK;
    if (stat(path, &old) == 0 && S_ISDIR(old.st_mode))
        return dpc_write_failed(path, EISDIR, err);
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

/* ---- Two names of one file ---- */

typedef struct identity {
    bool known;   /* a regular file, or one that is to be */
    dev_t device; /* of the file; of the folder it will be in */
    ino_t inode;
    char *name; /* in that folder; NULL: the file is there; owned */
} identity;

static identity identity_of(const struct stat *about)
{
    return (identity){S_ISREG(about->st_mode), about->st_dev, about->st_ino, NULL};
}

/* A file that is not there yet. */
static dpc_status identify_new(const char *path, identity *out, dpc_error *err)
{
    struct stat folder;
    char *at = follow_links(path);
    if (at == NULL)
        return dpc_fail_memory(err, "a file name");
    const char *slash = strrchr(at, '/');
    char *name = strdup(slash != NULL ? slash + 1 : at);
    dpc_status status = name != NULL ? DPC_OK : dpc_fail_memory(err, "a file name");
    if (status == DPC_OK && stat(folder_of(at), &folder) != 0)
        status = dpc_write_failed(path, errno, err);
    if (status == DPC_OK)
        *out = (identity){true, folder.st_dev, folder.st_ino, name};
    else
        free(name);
    free(at);
    return status;
}

static dpc_status identify_output(const dpc_printing *output, identity *out, dpc_error *err)
{
    struct stat about;
    *out = (identity){0};
    if (output->path != NULL ? stat(output->path, &about) == 0 : fstat(output->fd, &about) == 0)
        *out = identity_of(&about);
    else if (output->path != NULL && !dpc_is_device(output->path))
        return identify_new(output->path, out, err);
    return DPC_OK;
}

/* An input that is not there cannot be replaced; whoever reads it will say so. */
static identity identify_input(const char *path)
{
    struct stat about;
    bool standard = strcmp(path, "-") == 0;
    bool there = standard ? fstat(STDIN_FILENO, &about) == 0 : stat(path, &about) == 0;
    return there ? identity_of(&about) : (identity){0};
}

static bool identical(const identity *a, const identity *b)
{
    if (!a->known || !b->known || a->device != b->device || a->inode != b->inode)
        return false;
    return a->name == NULL || b->name == NULL ? a->name == b->name : strcmp(a->name, b->name) == 0;
}

/* Is output i none of the inputs, and none of the outputs before it? */
static dpc_status check_differs(const dpc_printing *outputs, const identity *ids, int i,
                                const char *const *inputs, int n_inputs, dpc_error *err)
{
    const char *name = name_of(outputs[i].path);
    for (int j = 0; j < n_inputs; j++) {
        identity input = identify_input(inputs[j]);
        if (identical(&ids[i], &input))
            return dpc_fail(err, DPC_USAGE,
                            "%s would be written over %s, which is read; give the output another "
                            "name",
                            name, dpc_source_name(inputs[j]));
    }
    for (int j = 0; j < i; j++)
        if (identical(&ids[i], &ids[j]))
            return dpc_fail(err, DPC_USAGE,
                            "'%s' and '%s' are the same file; give each output its own",
                            name_of(outputs[j].path), name);
    return DPC_OK;
}

dpc_status dpc_printings_differ(const dpc_printing *outputs, int count, const char *const *inputs,
                                int n_inputs, dpc_error *err)
{
    dpc_status status = DPC_OK;
    identity *ids = dpc_zalloc(count, sizeof *ids);
    if (ids == NULL)
        return dpc_fail_memory(err, "the outputs");
    for (int i = 0; i < count && status == DPC_OK; i++) {
        status = identify_output(&outputs[i], &ids[i], err);
        if (status == DPC_OK)
            status = check_differs(outputs, ids, i, inputs, n_inputs, err);
    }
    for (int i = 0; i < count; i++)
        free(ids[i].name);
    free(ids);
    return status;
}

dpc_status dpc_printings_check(const dpc_printing *outputs, int count, const char *const *inputs,
                               int n_inputs, dpc_error *err)
{
    dpc_status status = DPC_OK;
    for (int i = 0; i < count && status == DPC_OK; i++) {
        dpc_place at = {0};
        status = dpc_place_find(outputs[i].path, &at, err);
        if (status == DPC_OK && !at.direct && access(folder_of(at.path), W_OK | X_OK) != 0)
            status = dpc_write_failed(at.name, errno, err);
        free(at.path);
    }
    return status == DPC_OK ? dpc_printings_differ(outputs, count, inputs, n_inputs, err) : status;
}

/*
 * Files of a study that follow from its results, and figures drawn by gnuplot. Each appears under
 * its name when it is whole.
 */
#include "study.h"

#include "status.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

dpc_status study_join(const char *folder, const char *name, char *path, dpc_error *err)
{
    if (snprintf(path, PATH_MAX, "%s/%s", folder, name) >= PATH_MAX)
        return dpc_fail(err, DPC_USAGE, "the name of the folder '%s' is too long", folder);
    return DPC_OK;
}

dpc_status study_make_folder(const char *path, dpc_error *err)
{
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return dpc_fail(err, DPC_WRITE_FAILED, "cannot make the folder '%s': %s", path,
                        strerror(errno));
    return DPC_OK;
}

/* Hours of work should not end in a missing program. */
dpc_status study_check_gnuplot(dpc_error *err)
{
    const char *path = getenv("PATH");
    char candidate[PATH_MAX];
    while (path != NULL && *path != '\0') {
        size_t length = strcspn(path, ":");
        snprintf(candidate, sizeof candidate, "%.*s/gnuplot", (int)length, path);
        if (access(candidate, X_OK) == 0)
            return DPC_OK;
        path += length + (path[length] == ':');
    }
    return dpc_fail(err, DPC_USAGE,
                    "the figures need gnuplot, which is not there; install Debian's "
                    "gnuplot-nox, or give --no-figures");
}

dpc_status study_interrupted(dpc_error *err)
{
    return dpc_fail(err, DPC_INTERRUPTED,
                    "interrupted; the same command goes on where this one stopped");
}

static bool is_called_off(const study_options *options)
{
    const dpc_progress all = {.stage = DPC_STAGE_WRITE, .fraction = 1};
    return options->progress != NULL && options->progress(&all, options->progress_user) != 0;
}

dpc_status study_ask(const study_options *options, dpc_error *err)
{
    return is_called_off(options) ? study_interrupted(err) : DPC_OK;
}

static dpc_status fail_to_write(const char *path, dpc_error *err)
{
    if (errno == ENOMEM)
        return dpc_fail_memory(err, "a file of the study");
    return dpc_fail(err, DPC_WRITE_FAILED, "cannot write '%s': %s", path, strerror(errno));
}

/* A file of the study, under its name only when it is whole. */
typedef struct output {
    char path[PATH_MAX], temporary[PATH_MAX + 8];
    FILE *file;
} output;

static dpc_status output_open(const char *folder, const char *name, output *o, dpc_error *err)
{
    DPC_CHECK(study_join(folder, name, o->path, err));
    snprintf(o->temporary, sizeof o->temporary, "%s.new", o->path);
    do
        o->file = fopen(o->temporary, "we");
    while (o->file == NULL && errno == EINTR); /* a disk behind a network */
    return o->file != NULL ? DPC_OK : fail_to_write(o->path, err);
}

static dpc_status output_close(output *o, dpc_status status, dpc_error *err)
{
    bool written = fflush(o->file) == 0 && ferror(o->file) == 0;
    int why = errno;
    fclose(o->file);
    errno = why;
    if (status == DPC_OK && (!written || rename(o->temporary, o->path) != 0))
        status = fail_to_write(o->path, err);
    if (status != DPC_OK)
        unlink(o->temporary);
    return status;
}

dpc_status study_write_file(const char *folder, const char *name, study_writer *writer,
                            const void *context, dpc_error *err)
{
    output o;
    DPC_CHECK(output_open(folder, name, &o, err));
    return output_close(&o, writer(context, o.file, err), err);
}

/* ---- Figures ---- */

/*
 * Runs gnuplot on a script, in its folder: gnuplot runs commands that it finds in texts, so no name
 * that a user gave may be in a script. No shell is needed. It draws beside the places of the
 * figures. False: it could not, did not like it, or was called off.
 */
static bool gnuplot(const study_options *options, const char *folder, const char *script)
{
    pid_t child = fork();
    if (child == 0) {
        setenv("LC_ALL", "C.UTF-8", 1); /* the labels are UTF-8, the numbers have points */
        if (chdir(folder) == 0)
            execlp("gnuplot", "gnuplot", "-e", "beside = '.new'", script, (char *)NULL);
        _exit(127);
    }
    int state = -1;
    while (child > 0 && waitpid(child, &state, 0) < 0 && errno == EINTR)
        if (is_called_off(options))
            kill(child, SIGTERM);
    return child > 0 && WIFEXITED(state) && WEXITSTATUS(state) == 0;
}

/* Puts a fixed day in the place of today's into a PDF: the same results, the same bytes. */
static void forget_date(const char *path)
{
    static const char mark[] = "/CreationDate (D:", day[] = "20000101000000";
    char text[1 << 16];
    size_t length = 0;
    FILE *file = fopen(path, "r+e");
    if (file == NULL)
        return;
    /* it stands near the end */
    long end = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;
    long begin = end > (long)sizeof text ? end - (long)sizeof text : 0;
    if (fseek(file, begin, SEEK_SET) == 0)
        length = fread(text, 1, sizeof text, file);
    const char *found = memmem(text, length, mark, strlen(mark));
    if (found != NULL &&
        fseek(file, begin + (long)(found - text) + (long)strlen(mark), SEEK_SET) == 0)
        fwrite(day, 1, strlen(day), file);
    fclose(file);
}

/* What was drawn gets its name, or goes. */
static dpc_status settle(const char *folder, const char *name, const char *end, dpc_status status,
                         dpc_error *err)
{
    char path[PATH_MAX], beside[PATH_MAX];
    bool fits = snprintf(path, sizeof path, "%s/%s%s", folder, name, end) < (int)sizeof path &&
                snprintf(beside, sizeof beside, "%s.new", path) < (int)sizeof beside;
    if (status == DPC_OK && !fits)
        status = dpc_fail(err, DPC_USAGE, "the name of the folder '%s' is too long", folder);
    if (status == DPC_OK && strcmp(end, ".pdf") == 0)
        forget_date(beside);
    if (status == DPC_OK && rename(beside, path) != 0)
        status = fail_to_write(path, err);
    if (status != DPC_OK && fits)
        unlink(beside);
    return status;
}

dpc_status study_draw(const study_options *options, const char *figure, study_writer *script,
                      const void *context, dpc_error *err)
{
    char folder[PATH_MAX], name[64];
    DPC_CHECK(study_join(options->out, "figures", folder, err));
    DPC_CHECK(study_make_folder(folder, err));
    snprintf(name, sizeof name, "%s.gp", figure);
    DPC_CHECK(study_write_file(folder, name, script, context, err));
    dpc_status status = DPC_OK;
    if (!gnuplot(options, folder, name))
        status = is_called_off(options)
                     ? study_interrupted(err)
                     : dpc_fail(err, DPC_WRITE_FAILED,
                                "gnuplot could not draw '%s/%s'; is Debian's gnuplot-nox "
                                "installed?",
                                folder, name);
    status = settle(folder, figure, ".svg", status, err);
    return settle(folder, figure, ".pdf", status, err);
}

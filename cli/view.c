/*
 * dualpc view: opens a report in the user's browser. A graph in another format gets a report first,
 * in a folder of the user's own for such things.
 *
 * The browser is the one that $BROWSER names, or what the desktop opens pages with.
 */
#include "cli.h"
#include "status.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct viewing {
    dpc_layout layout;
} viewing;

static const dpc_option_row ROWS[] = {
    {{"layout", DPC_OPTION_WORD, .words = dpc_layout_words,
      .sentence = "of a graph that is no report yet: Graphviz's programs, or by the size"},
     DPC_PLACE(ENUM, viewing, layout)},
};

static command view_command(viewing *v)
{
    *v = (viewing){0};
    return (command){
        .head =
            "dualpc view FILE [options]\n"
            "\n"
            "Opens a report (.html, from dualpc learn -o FILE.html) in the browser: the one that\n"
            "$BROWSER names, or the one of the desktop. A graph in any other format that dualpc\n"
            "convert reads gets a report first, which is kept in ~/.cache/dualpc.\n",
        .tail = "\n"
                "Exit codes: 0 done, 1 wrong usage, 2 bad input, 3 there is no browser, 4 out of\n"
                "memory, 130 interrupted.\n",
        .n_groups = 1,
        .groups = {{.rows = ROWS, .count = sizeof ROWS / sizeof *ROWS, .into = v}},
    };
}

command view_table(void)
{
    viewing ignored;
    command c = view_command(&ignored);
    c.groups[0].into = NULL;
    return c;
}

/* ---- The report ---- */

/* A folder that only the user can write to: another one's report would run as the user's. */
static dpc_status find_folder(char folder[PATH_MAX], dpc_error *err)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    struct stat there;
    if (cache == NULL && home == NULL)
        return dpc_fail(err, DPC_WRITE_FAILED,
                        "there is no home folder for the report; write one with dualpc convert");
    int length = cache != NULL && *cache != '\0'
                     ? snprintf(folder, PATH_MAX, "%s/dualpc", cache)
                     : snprintf(folder, PATH_MAX, "%s/.cache/dualpc", home != NULL ? home : "");
    for (char *slash = folder + 1; length < PATH_MAX && (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(folder, 0700); /* the last one tells whether it worked */
        *slash = '/';
    }
    bool made = length < PATH_MAX && (mkdir(folder, 0700) == 0 || errno == EEXIST) &&
                stat(folder, &there) == 0 && S_ISDIR(there.st_mode);
    return made ? DPC_OK
                : dpc_fail(err, DPC_WRITE_FAILED, "cannot make the folder %.300s: %s", folder,
                           strerror(errno));
}

/* A report of the graph in a file, in that folder; its path. */
static dpc_status make_report(const char *file, const viewing *v, char path[PATH_MAX],
                              dpc_error *err)
{
    char folder[PATH_MAX];
    dpc_named_graph *graph = NULL;
    const char *slash = strrchr(file, '/'), *name = slash != NULL ? slash + 1 : file;
    dpc_status status = dpc_graph_read(file, &graph, err);
    if (status == DPC_OK)
        status = find_folder(folder, err);
    if (status == DPC_OK && snprintf(path, PATH_MAX, "%s/%s.html", folder,
                                     strcmp(name, "-") == 0 ? "graph" : name) >= PATH_MAX)
        status = dpc_fail(err, DPC_USAGE, "the name of %.100s is too long", file);
    if (status == DPC_OK) {
        dpc_report report = {.size = sizeof report,
                             .names = (const char *const *)graph->names,
                             .graph = &graph->graph};
        dpc_output output = {.path = path};
        look_request ask = {.layout = v->layout, .title = file};
        status = looks_make(&ask, &report, &output, 1, err);
        interrupt_defer(true);
        if (status == DPC_OK)
            status = dpc_write(&report, &output, 1, err);
        interrupt_defer(false);
        looks_clear(&output, 1);
    }
    dpc_named_graph_free(graph);
    return status;
}

/* ---- The browser ---- */

/* Does it run, and end well? Its own words go nowhere. */
static bool start(const char *program, const char *path)
{
    int code = -1;
    pid_t child = fork();
    if (child == 0) {
        execlp(program, program, path, (char *)NULL);
        _exit(127);
    }
    while (child > 0 && waitpid(child, &code, 0) < 0 && errno == EINTR)
        continue;
    return child > 0 && WIFEXITED(code) && WEXITSTATUS(code) == 0;
}

static dpc_status open_page(const char *path, dpc_error *err)
{
    static const char *const OPENERS[] = {"xdg-open", "open", "wslview", "sensible-browser"};
    const char *browser = getenv("BROWSER");
    if (browser != NULL && *browser != '\0') {
        if (start(browser, path))
            return DPC_OK;
        return dpc_fail(err, DPC_WRITE_FAILED,
                        "the browser '%.100s' of $BROWSER does not open %s; open the file yourself",
                        browser, path);
    }
    for (size_t i = 0; i < sizeof OPENERS / sizeof *OPENERS; i++)
        if (start(OPENERS[i], path))
            return DPC_OK;
    return dpc_fail(err, DPC_WRITE_FAILED,
                    "no browser was found; open %s yourself, or name a browser in $BROWSER", path);
}

static dpc_status view(const char *file, const viewing *v, dpc_error *err)
{
    char path[PATH_MAX], whole[PATH_MAX];
    dpc_format format;
    bool report = dpc_format_of_path(file, &format, NULL) == DPC_OK && format == DPC_FORMAT_HTML;
    dpc_status status = DPC_OK;
    if (report)
        snprintf(path, sizeof path, "%s", file);
    else
        status = make_report(file, v, path, err);
    if (status == DPC_OK && realpath(path, whole) == NULL)
        status = dpc_fail(err, DPC_BAD_INPUT, "%s: %s", file, strerror(errno));
    return status == DPC_OK ? open_page(whole, err) : status;
}

int view_main(int argc, char **argv)
{
    viewing v, defaults;
    dpc_error err = {0};
    command given = view_command(&v), help = view_command(&defaults);
    parsed seen = parse_options(argc, argv, &given, &err);
    if (seen == PARSED_RUN && argc - optind != 1) {
        dpc_fail(&err, DPC_USAGE,
                 "view needs one file, a report or a graph; see dualpc view --help");
        seen = PARSED_WRONG;
    }
    if (seen != PARSED_RUN)
        return answer(seen, &help, &err);
    interrupt_watch();
    dpc_status status = view(argv[optind], &v, &err);
    if (status != DPC_OK)
        fprintf(stderr, "dualpc: %s\n", err.message);
    return status;
}

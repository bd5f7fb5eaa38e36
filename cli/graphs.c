/* Graph files that are asked: reading them, and saying what was found in them. */
#include "cli.h"
#include "graph.h"
#include "status.h"
#include "text.h"

#include <getopt.h>
#include <string.h>

const char *file_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

dpc_status take_pair_operands(int argc, char **argv, const char *command, const char **graph,
                              const char **x, const char **y, dpc_error *err)
{
    if (argc - optind > 3)
        return dpc_fail(err, DPC_USAGE, "'%s' is one too many, after GRAPH, X and Y",
                        argv[optind + 3]);
    if (argc - optind < 3)
        return dpc_fail(err, DPC_USAGE,
                        "%s needs a file and two names, GRAPH X Y; see dualpc %s --help", command,
                        command);
    *graph = argv[optind];
    *x = argv[optind + 1];
    *y = argv[optind + 2];
    return DPC_OK;
}

void tell_extension(const dpc_causal *graph, const char *path)
{
    if (dpc_causal_about(graph).reason == NULL)
        return;
    long long changed = (long long)dpc_causal_about(graph).changed;
    fprintf(stderr,
            "dualpc: %s: the nearest valid graph is taken, a %s with %lld other mark%s, for %s\n",
            file_name(path), dpc_word(DPC_WORD_GRAPH_KIND, dpc_causal_about(graph).kind), changed,
            changed == 1 ? "" : "s", dpc_causal_about(graph).reason);
}

dpc_status read_causal(const char *path, bool extend, dpc_named_graph **graph, dpc_causal **causal,
                       dpc_error *err)
{
    dpc_status status = dpc_graph_read(path, graph, err);
    if (status != DPC_OK)
        return status; /* the reader has named the file */
    dpc_error why = {0};
    status = ((*graph)->pag ? dpc_causal_new_pag : dpc_causal_new)(
        &(*graph)->graph, (const char *const *)(*graph)->names, extend, causal, &why);
    if (status != DPC_OK)
        return dpc_fail(err, status, "%.200s: %s%s", file_name(path), why.message,
                        status == DPC_BAD_INPUT ? "; --extend takes the nearest valid graph" : "");
    tell_extension(*causal, path);
    dpc_graph asked = {0}; /* paths show its marks */
    if (dpc_graph_duplicate(dpc_causal_about(*causal).graph, &asked) != DPC_OK)
        return dpc_fail_memory(err, "the graph");
    dpc_graph_clear(&(*graph)->graph);
    (*graph)->graph = asked;
    return DPC_OK;
}

/* ---- Text ---- */

/* A name; bytes that would move the cursor are not printed. */
static void print_name(FILE *file, const char *name)
{
    for (; *name != '\0'; name++)
        putc((unsigned char)*name < 0x20 || *name == 0x7f ? '?' : *name, file);
}

static const char *mark_between(const dpc_named_graph *g, int a, int b)
{
    return dpc_mark_text(dpc_graph_mark(&g->graph, a, b));
}

void print_path(FILE *file, const dpc_named_graph *g, const int32_t *path, int length)
{
    for (int i = 0; i < length; i++) {
        if (i > 0)
            fprintf(file, " %s ", mark_between(g, path[i - 1], path[i]));
        print_name(file, g->names[path[i]]);
    }
}

void print_set(FILE *file, const dpc_named_graph *g, const int32_t *set, int size)
{
    for (int i = 0; i < size; i++) {
        fputs(i > 0 ? ", " : "", file);
        print_name(file, g->names[set[i]]);
    }
}

/* ---- JSON ---- */

void print_json_set(FILE *file, const char *name, const dpc_named_graph *g, const int32_t *set,
                    int size)
{
    fprintf(file, "\"%s\": %s", name, size < 0 ? "null" : "[");
    for (int i = 0; i < size; i++) {
        fputs(i > 0 ? ", " : "", file);
        dpc_print_json_string(file, g->names[set[i]]);
    }
    fputs(size < 0 ? "" : "]", file);
}

void print_json_path(FILE *file, const dpc_named_graph *g, const int32_t *path, int length)
{
    print_json_set(file, "path", g, path, length > 0 ? length : -1);
    fputs(length > 0 ? ", \"marks\": [" : ", \"marks\": null", file);
    for (int i = 0; i + 1 < length; i++)
        fprintf(file, "%s\"%s\"", i > 0 ? ", " : "", mark_between(g, path[i], path[i + 1]));
    fputs(length > 0 ? "]" : "", file);
}

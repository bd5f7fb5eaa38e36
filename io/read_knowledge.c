/*
 * Reading background knowledge. A file whose first character is { is JSON
 * (read_knowledge_json.c), all others are in the text format of Tetrad (read_knowledge_text.c).
 * What both say ends here, statement by statement, so that a contradiction can be told with the
 * line that completes it.
 */
#include "read_knowledge.h"

#include "alloc.h"
#include "csv.h"
#include "json_scan.h"
#include "source.h"
#include "status.h"
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The line around `at`, without the white space at its ends, clipped. */
static void quote_line(const char *text, const char *at, char out[DPC_CLIP_SIZE])
{
    const char *start = at, *end = at;
    while (start > text && start[-1] != '\n' && start[-1] != '\r')
        start--;
    while (*end != '\0' && *end != '\n' && *end != '\r')
        end++;
    while (start < end && (*start == ' ' || *start == '\t'))
        start++;
    while (end > start && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    dpc_clip(start, (size_t)(end - start), false, out);
}

dpc_status dpc_knowing_refuse(dpc_knowing *k, const char *at, const char *format, ...)
{
    char why[DPC_MESSAGE_SIZE / 2], line[DPC_CLIP_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    quote_line(k->text, at, line);
    return dpc_fail(k->err, DPC_BAD_INPUT, "%s: line %lld, '%s': %s", dpc_source_name(k->path),
                    (long long)dpc_csv_line(k->text, at), line, why);
}

dpc_status dpc_knowing_no_memory(dpc_knowing *k)
{
    return dpc_fail(k->err, DPC_NO_MEMORY, "%s: out of memory for the background knowledge",
                    dpc_source_name(k->path));
}

dpc_status dpc_knowing_choose(dpc_knowing *k, const char *name, size_t length, const char *at,
                              dpc_chosen *list)
{
    char clipped[DPC_CLIP_SIZE];
    int32_t number = dpc_names_find(&k->names, name, length);
    if (number < 0) {
        dpc_clip(name, length, false, clipped);
        bool pattern = memchr(name, '*', length) != NULL;
        return dpc_knowing_refuse(k, at, "there is no variable '%s'%s", clipped,
                                  pattern ? "; patterns with * are not understood" : "");
    }
    int32_t *items = dpc_make_room(list->items, &list->capacity, list->count + 1, sizeof *items);
    if (items == NULL)
        return dpc_knowing_no_memory(k);
    list->items = items;
    items[list->count++] = number;
    return DPC_OK;
}

dpc_status dpc_knowing_edges(dpc_knowing *k, const char *at, const dpc_chosen *from,
                             const dpc_chosen *to, bool required)
{
    char first[DPC_CLIP_SIZE], second[DPC_CLIP_SIZE];
    bool group = from->count > 1 || to->count > 1;
    for (int64_t i = 0; i < from->count; i++)
        for (int64_t j = 0; j < to->count; j++) {
            int a = from->items[i], b = to->items[j];
            if (group && !required && a == b)
                continue; /* no edge within a group forbids no more than that */
            const char *why = required ? dpc_know_required(k->knowledge, a, b)
                                       : dpc_know_forbidden(k->knowledge, a, b);
            if (why != NULL)
                return dpc_knowing_refuse(k, at, "%s -> %s: %s",
                                          dpc_clip_name(k->names.names[a], first),
                                          dpc_clip_name(k->names.names[b], second), why);
        }
    return DPC_OK;
}

dpc_status dpc_knowing_tier(dpc_knowing *k, const char *at, int tier, uint8_t flags,
                            const dpc_chosen *members)
{
    char name[DPC_CLIP_SIZE];
    for (int64_t i = 0; i < members->count; i++) {
        const char *why = dpc_know_tier(k->knowledge, members->items[i], tier);
        if (why != NULL)
            return dpc_knowing_refuse(k, at, "%s: %s",
                                      dpc_clip_name(k->names.names[members->items[i]], name), why);
    }
    const char *why = dpc_know_flags(k->knowledge, tier, flags);
    return why == NULL ? DPC_OK : dpc_knowing_refuse(k, at, "%s", why);
}

static dpc_status check_text(dpc_knowing *k, const char *bytes, size_t size)
{
    const char *nul;
    switch (dpc_source_encoding(bytes, size, &k->text, &nul)) {
    case DPC_ENCODING_UTF16:
        return dpc_fail(k->err, DPC_BAD_INPUT, "%s: the file is UTF-16; save it as UTF-8",
                        dpc_source_name(k->path));
    case DPC_ENCODING_BINARY:
        return dpc_knowing_refuse(k, nul, "there is a NUL in this line");
    default:
        return DPC_OK;
    }
}

static dpc_status parse(dpc_knowing *k, const char *bytes, size_t size, const char *const *names,
                        int n_vars)
{
    DPC_CHECK(dpc_knowledge_new(n_vars, &k->knowledge, k->err));
    for (int i = 0; i < n_vars; i++)
        if (dpc_names_add(&k->names, names[i], strlen(names[i])) < 0)
            return dpc_knowing_no_memory(k);
    if (k->names.count != n_vars)
        return dpc_fail(k->err, DPC_USAGE, "two variables have the same name");
    DPC_CHECK(check_text(k, bytes, size));
    k->name = dpc_alloc((int64_t)strlen(k->text) + 1, 1);
    if (k->name == NULL)
        return dpc_knowing_no_memory(k);
    return *dpc_json_space(k->text) == '{' ? dpc_parse_knowledge_json(k)
                                           : dpc_parse_knowledge_text(k);
}

static dpc_status read_bytes(const char *bytes, size_t size, const char *path,
                             const char *const *names, int n_vars, dpc_knowledge **out,
                             dpc_error *err)
{
    dpc_knowing k = {.path = path, .err = err};
    dpc_status status = parse(&k, bytes, size, names, n_vars);
    if (status == DPC_OK) {
        *out = k.knowledge;
        k.knowledge = NULL;
    }
    dpc_knowledge_free(k.knowledge);
    dpc_names_clear(&k.names);
    free(k.first.items);
    free(k.second.items);
    free(k.name);
    return status;
}

dpc_status dpc_knowledge_read(const char *path, const char *const *names, int n_vars,
                              dpc_knowledge **out, dpc_error *err)
{
    char *bytes = NULL;
    size_t size = 0;
    dpc_status status = dpc_source_read(path, NULL, &bytes, &size, err);
    if (status == DPC_OK)
        status = read_bytes(bytes, size, path, names, n_vars, out, err);
    free(bytes);
    return status;
}

dpc_status dpc_knowledge_parse(const char *text, const char *source, const char *const *names,
                               int n_vars, dpc_knowledge **out, dpc_error *err)
{
    return read_bytes(text, strlen(text), source, names, n_vars, out, err);
}

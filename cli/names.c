/*
 * Names that are typed: whom they mean. Blanks around a name do not matter, unless they are a part
 * of it. In a list they stand with commas between them; a name may hold commas itself, and the text
 * is cut so that all of it are names. An unknown one is told, with a similar one where there is
 * one.
 */
#include "alloc.h"
#include "cli.h"
#include "status.h"
#include "text.h"

#include <string.h>

static int find_exactly(const char *const *names, int n, const char *text, size_t length)
{
    for (int i = 0; i < n; i++)
        if (strlen(names[i]) == length && memcmp(names[i], text, length) == 0)
            return i;
    return -1;
}

void trim_blanks(const char **text, size_t *length)
{
    while (*length > 0 && **text == ' ')
        ++*text, --*length;
    while (*length > 0 && (*text)[*length - 1] == ' ')
        --*length;
}

int find_name(const char *const *names, int n, const char *text, size_t length)
{
    int found = find_exactly(names, n, text, length);
    trim_blanks(&text, &length);
    return found >= 0 ? found : find_exactly(names, n, text, length);
}

static dpc_status tell_unknown(const naming *who, const char *text, size_t length, dpc_error *err)
{
    trim_blanks(&text, &length);
    const char *meant = dpc_similar(who->names, who->n, text, length);
    return dpc_fail(err, DPC_USAGE, "%s: %.200s has no %s '%.*s'%s%.60s%s", who->option,
                    who->source, who->what, (int)(length < 60 ? length : 60), text,
                    meant != NULL ? "; did you mean '" : "", meant != NULL ? meant : "",
                    meant != NULL ? "'?" : "");
}

/* The text as names from `used` on; false: it is none. */
static bool cut(const naming *who, const char *text, int32_t *out, int most, int *count)
{
    for (const char *comma = strchr(text, ',');; comma = strchr(comma + 1, ',')) {
        size_t length = comma != NULL ? (size_t)(comma - text) : strlen(text);
        int found = find_name(who->names, who->n, text, length), before = *count;
        if (found >= 0 && *count < most) {
            out[(*count)++] = found;
            if (comma == NULL || cut(who, comma + 1, out, most, count))
                return true;
            *count = before;
        }
        if (comma == NULL)
            return false;
    }
}

dpc_status find_names(const naming *who, const char *text, int32_t *out, int most, int *count,
                      dpc_error *err)
{
    int whole = find_name(who->names, who->n, text, strlen(text)), before = *count;
    if (whole >= 0 && *count < most) {
        out[(*count)++] = whole;
        return DPC_OK;
    }
    if (*text == '\0' || cut(who, text, out, most, count))
        return DPC_OK;
    *count = before;
    for (const char *at = text;;) { /* the first part that is no name */
        const char *comma = strchr(at, ',');
        size_t length = comma != NULL ? (size_t)(comma - at) : strlen(at);
        if (comma == NULL || find_name(who->names, who->n, at, length) < 0)
            return tell_unknown(who, at, length, err);
        at = comma + 1;
    }
}

dpc_status find_one(const naming *who, const char *text, int *out, dpc_error *err)
{
    *out = find_name(who->names, who->n, text, strlen(text));
    return *out >= 0 ? DPC_OK : tell_unknown(who, text, strlen(text), err);
}

dpc_status find_variables(const naming *who, const char *const *texts, int count, int32_t **list,
                          int *found, dpc_error *err)
{
    dpc_status status = DPC_OK;
    if (count == 0)
        return DPC_OK;
    *list = dpc_alloc(who->n, sizeof **list);
    if (*list == NULL)
        return dpc_fail_memory(err, "the variables");
    for (int i = 0; i < count && status == DPC_OK; i++) {
        int before = *found, kept = before;
        status = find_names(who, texts[i], *list, who->n, found, err);
        for (int k = before; k < *found && status == DPC_OK; k++) {
            bool new = true;
            for (int j = 0; j < kept; j++)
                new = new && (*list)[j] != (*list)[k];
            if (new)
                (*list)[kept++] = (*list)[k];
        }
        *found = kept;
    }
    return status;
}

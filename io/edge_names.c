/* Names in an edge list: see edge_names.h. */
#include "edge_names.h"

#include "graph_build.h"
#include "source.h"

const char *dpc_next_word(const char *p, const char *end, size_t *length)
{
    while (p < end && dpc_is_blank(*p))
        p++;
    *length = 0;
    while (p + *length < end && !dpc_is_blank(p[*length]))
        ++*length;
    return *length > 0 ? p : NULL;
}

size_t dpc_line_number(const char *p, const char *end)
{
    size_t digits = 0, blanks = 0;
    while (p + digits < end && p[digits] >= '0' && p[digits] <= '9')
        digits++;
    if (digits == 0 || p + digits == end || p[digits] != '.')
        return 0;
    p += digits + 1;
    while (p + blanks < end && dpc_is_blank(p[blanks]))
        blanks++;
    return blanks > 0 ? digits + 1 + blanks : 0;
}

bool dpc_edge_name_is_plain(const char *name)
{
    size_t whole = strlen(name), length;
    const char *end = name + whole;
    if (whole == 0 || dpc_is_blank(name[0]) || dpc_is_blank(end[-1]) || name[0] == '"' ||
        strpbrk(name, "\n\r") != NULL || dpc_has_mark(name))
        return false;
    if (name[0] == '#' && (whole == 1 || dpc_is_blank(name[1]) || name[1] == '#')) /* a comment */
        return false;
    const char *word = dpc_next_word(name, end, &length);
    size_t digits = strspn(word, "0123456789");
    if (digits > 0 && word[digits] == '.' && digits + 1 == length) /* the number of a line */
        return false;
    for (; word != NULL; word = dpc_next_word(word + length, end, &length))
        if (length == 3 && dpc_arrow(word, length) != DPC_NONE)
            return false;
    return true;
}

bool dpc_edge_name_is_word(const char *name, size_t length)
{
    bool word = length > 0 && strchr("#\"", name[0]) == NULL && !dpc_has_mark(name) &&
                dpc_arrow(name, length) == DPC_NONE;
    for (size_t i = 0; i < length && word; i++)
        word = strchr(" \t\r\n,;", name[i]) == NULL &&
               (i + 1 == length || dpc_arrow(name + i, 2) == DPC_NONE);
    return word;
}

const char *dpc_edge_name_end(const char *p)
{
    if (*p != '"')
        return NULL;
    for (p++; *p != '\0'; p++) {
        if (*p == '"' && p[1] == '"')
            p++;
        else if (*p == '"')
            return p[1] == '\0' || p[1] == '\n' || p[1] == '\r' || dpc_is_blank(p[1]) ? p + 1
                                                                                      : NULL;
    }
    return NULL;
}

/* Background knowledge while its file is read: shared by read_knowledge.c and its two formats. */
#ifndef DPC_READ_KNOWLEDGE_H
#define DPC_READ_KNOWLEDGE_H

#include "knowledge.h"
#include "names.h"

/* A list of variables that grows. Start from {0}; free `items`. */
typedef struct dpc_chosen {
    int32_t *items;
    int64_t count, capacity;
} dpc_chosen;

typedef struct dpc_knowing {
    const char *path;
    const char *text;         /* ends with a NUL */
    dpc_names names;          /* of the variables, by number */
    dpc_knowledge *knowledge; /* owned */
    dpc_chosen first, second; /* the variables of a statement; owned */
    char *name;               /* room for the longest name; owned */
    dpc_error *err;
} dpc_knowing;

/* DPC_BAD_INPUT, with the file, the number and the text of the line at `at`, and why. */
dpc_status dpc_knowing_refuse(dpc_knowing *k, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

dpc_status dpc_knowing_no_memory(dpc_knowing *k);

/* Adds the variable with this name to a list. */
dpc_status dpc_knowing_choose(dpc_knowing *k, const char *name, size_t length, const char *at,
                              dpc_chosen *list);

/* Edges from each of the first list to each of the second are required, or forbidden. */
dpc_status dpc_knowing_edges(dpc_knowing *k, const char *at, const dpc_chosen *from,
                             const dpc_chosen *to, bool required);

/* The variables are in this tier. */
dpc_status dpc_knowing_tier(dpc_knowing *k, const char *at, int tier, uint8_t flags,
                            const dpc_chosen *members);

/* The formats. */
dpc_status dpc_parse_knowledge_text(dpc_knowing *k);
dpc_status dpc_parse_knowledge_json(dpc_knowing *k);

#endif

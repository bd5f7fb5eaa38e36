/*
 * Names and their numbers: each different name gets the next number, from 0. A hash table, because
 * graphs of many thousand nodes are read and matched by name. A name holds no NUL.
 */
#ifndef DPC_NAMES_H
#define DPC_NAMES_H

#include "dualpc.h"

/* Start from {0}; end with dpc_names_clear. */
typedef struct dpc_names {
    char **names;   /* `count` of them, each ends with a NUL; owned */
    int32_t *slots; /* 1 + the number of a name, 0 where there is none; owned */
    int count;
    int capacity;    /* allocated length of `names` */
    int64_t n_slots; /* a power of two, or 0 */
} dpc_names;

/* The number of a name; -1: it has none. */
int32_t dpc_names_find(const dpc_names *names, const char *text, size_t length);

/* The same; a new name is copied, and has the number that `count` was. -1: no memory. */
int32_t dpc_names_add(dpc_names *names, const char *text, size_t length);

/* The names, which the caller then owns; the rest is freed. */
char **dpc_names_release(dpc_names *names);

void dpc_names_clear(dpc_names *names);

/* Frees a list of names. */
void dpc_names_free_list(char **list, int count);

#endif

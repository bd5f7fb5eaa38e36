/* Explanations in plain words, from inside: shared by sentences.c and sentences_pag.c. */
#ifndef DPC_SPEAKER_H
#define DPC_SPEAKER_H

#include "dualpc_explain.h"

#include <stdio.h>

typedef struct dpc_speaker {
    FILE *file;
    const dpc_result *result;
    const char *const *names;
    int32_t *members; /* room for a set */
    bool *failed;     /* out of memory: what is said is not whole */
    bool by_pdsep;    /* the set of the test is from Possible-D-SEP */
} dpc_speaker;

/* A name; bytes that would move the cursor are not printed. And a list of them, or "none". */
void dpc_say_name(const dpc_speaker *speaker, int node);
void dpc_say_names(const dpc_speaker *speaker, const int32_t *members, int count);

/* How a pair was separated, into speaker->members. */
dpc_sepset dpc_say_separation_of(const dpc_speaker *speaker, int a, int b);

/* sentences_pag.c: why the ends of an edge of a PAG have their marks; and what it would cost to
 * join the pair otherwise. */
void dpc_say_ends(const dpc_speaker *speaker, const dpc_explanation *explanation);
void dpc_say_lost(const dpc_speaker *speaker, const dpc_explanation *explanation);

#endif

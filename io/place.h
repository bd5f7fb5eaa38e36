/* Where an output goes. */
#ifndef DPC_PLACE_H
#define DPC_PLACE_H

#include "dualpc.h"

typedef struct dpc_place {
    const char *name; /* for messages */
    char *path;       /* where it will be, links followed; NULL: an open descriptor; owned */
    bool direct;      /* no regular file: written to in place */
} dpc_place;

/* `path` NULL: an open descriptor. The path of the place is freed by the caller. */
dpc_status dpc_place_find(const char *path, dpc_place *out, dpc_error *err);

/* Is it to be written to as it is, rather than replaced: a device, a pipe? */
bool dpc_is_device(const char *path);

/* Why an output cannot be written, by its errno. */
dpc_status dpc_write_failed(const char *name, int why, dpc_error *err);

#endif

/* Files under temporary names, beside the place they are meant for. */
#ifndef DPC_TEMPORARY_H
#define DPC_TEMPORARY_H

/* What can fail here returns 0 or the errno that says why. */

typedef struct dpc_temporary {
    char *path; /* NULL: there is none; owned */
    int lock;   /* a descriptor that keeps it locked; negative: none */
} dpc_temporary;

/*
 * A new file in the folder of `path`, open for writing as `*fd`, with the permissions of what is at
 * `path`, or that a new file would have there.
 */
int dpc_temporary_create(const char *path, dpc_temporary *out, int *fd);

/* A second name for the file at `path`. ENOENT: nothing is there. */
int dpc_temporary_link(const char *path, dpc_temporary *out);

/* Gives the file its name, in the place of what has it. There is no temporary one any more then. */
int dpc_temporary_rename(dpc_temporary *file, const char *path);

/* Removes what is left of it. */
void dpc_temporary_clear(dpc_temporary *file);

/* Removes from the folder of `path` what runs that were killed have left there, if it can. */
int dpc_temporary_sweep(const char *path);

#endif

/*
 * A scene drawn by Graphviz's library, in this process. Where Graphviz, or what it is built on,
 * gets no memory, it ends the process: picture.h has it done in another one.
 */
#ifndef DPC_DRAWING_H
#define DPC_DRAWING_H

#include "picture.h"

typedef struct dpc_drawing dpc_drawing; /* opaque */

/*
 * Lays a scene out; one in a process, for Graphviz keeps things beside its contexts. What it holds
 * is there to the end of the process, also where this fails.
 */
dpc_status dpc_drawing_new(const dpc_scene *scene, dpc_drawing **out, dpc_error *err);

/* As dpc_picture_render. */
dpc_status dpc_drawing_render(dpc_drawing *drawing, dpc_format format, char **bytes, size_t *size,
                              dpc_error *err);

/* Is there so little memory left that it may be why Graphviz has failed? */
bool dpc_memory_is_short(void);

#endif

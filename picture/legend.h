/* The legend of a picture, in the HTML that Graphviz has for labels. */
#ifndef DPC_LEGEND_H
#define DPC_LEGEND_H

#include "picture.h"

/* Owned by the caller, free(); NULL: no memory. */
char *dpc_legend(const dpc_scene *scene);

#endif

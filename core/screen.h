/* Level 0 of the skeleton search. */
#ifndef DPC_SCREEN_H
#define DPC_SCREEN_H

#include "search.h"

/* Makes the first search->graph. */
dpc_status dpc_level_screen(dpc_search *search, dpc_error *err);

#endif

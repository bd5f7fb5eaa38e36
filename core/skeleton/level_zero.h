/* Level 0 of the skeleton search. */
#ifndef DPC_LEVEL_ZERO_H
#define DPC_LEVEL_ZERO_H

#include "search.h"

/* Makes the first search->graph. */
dpc_status dpc_level_screen(dpc_search *search, dpc_error *err);

/* The same where there is background knowledge; `keep`: somebody will ask for P again. */
dpc_status dpc_level_screen_known(dpc_search *search, bool keep, dpc_error *err);

#endif

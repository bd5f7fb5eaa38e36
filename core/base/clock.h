/* Seconds, for measuring. */
#ifndef DPC_CLOCK_H
#define DPC_CLOCK_H

#include "platform.h"

#endif

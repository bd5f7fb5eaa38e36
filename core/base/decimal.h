/* Numbers as people type them, with a decimal point, whatever the locale of the process. */
#ifndef DPC_DECIMAL_H
#define DPC_DECIMAL_H

#include <stdbool.h>

/* Is the whole text a finite number? Then it is in *out. */
bool dpc_decimal_read(const char *text, double *out);

enum { DPC_DECIMAL_SIZE = 32 };

/* With 15 significant digits, or 16 or 17 where fewer would not be read as the same number. */
void dpc_decimal_print(double value, char text[DPC_DECIMAL_SIZE]);

#endif

/* The words that stand for a missing value, besides an empty cell and NaN, which always do. */
#ifndef DPC_MISSING_H
#define DPC_MISSING_H

#include "csv.h"
#include "dualpc.h"

#include <locale.h>

/* The numbers of words: those of the list come after these. */
enum { DPC_NA_EMPTY, DPC_NA_NAN, DPC_NA_FIRST, DPC_NA_BITS = 64 };

typedef struct dpc_na {
    dpc_cell *words; /* slices of the lists; owned */
    double *numbers; /* the value of each word that is a number, or NaN; owned */
    int count;
    bool has_numbers;
} dpc_na;

/* From lists with commas between the words; without any list, the usual words. */
dpc_status dpc_na_init(dpc_na *na, const char *const *lists, int n_lists, locale_t c_locale);
void dpc_na_clear(dpc_na *na);

/* The number of a word, which is trimmed of blanks; -1: it is none. */
int dpc_na_find(const dpc_na *na, const char *text, size_t length);

/* The number of the word that is this number; -1: none is. */
int dpc_na_find_number(const dpc_na *na, double value);

/* Is it one of the usual words, whatever the lists say? */
bool dpc_na_is_usual(const char *text, size_t length);

/* "'NA'", "empty": what sentences call the word of that number; returns `out`. */
const char *dpc_na_told(const dpc_na *na, int word, char out[DPC_CLIP_SIZE + 2]);

#endif

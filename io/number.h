/*
 * What a cell says: a number, a missing value, or neither, whatever the locale of the process. And
 * the way back, from a number to its text.
 */
#ifndef DPC_NUMBER_H
#define DPC_NUMBER_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum dpc_kind {
    DPC_KIND_NUMBER,   /* finite */
    DPC_KIND_MISSING,  /* empty or NaN; other words are those of missing.h */
    DPC_KIND_INFINITE, /* inf, infinity, or too large for a double */
    DPC_KIND_TEXT,     /* anything else, hexadecimal numbers included */
    DPC_KIND_ODD,      /* a number in another spelling, as only dpc_reader_kind of read.h tells */
} dpc_kind;

/*
 * Reads the decimal number at the start of `p`: a sign, digits with one point among them, an
 * exponent. Returns where it ends and sets `*value` to exactly what strtod makes of it in the C
 * locale; NULL where there is no number. `c_locale` comes from newlocale(LC_ALL_MASK, "C", 0).
 */
const char *dpc_number_scan(const char *p, locale_t c_locale, double *value);

/*
 * What the text of a cell, trimmed of blanks, stands for. `*value` is NaN where it is missing or
 * text. text[length] can be read, and is nothing a number could go on with.
 */
dpc_kind dpc_number_classify(const char *text, size_t length, locale_t c_locale, double *value);

/*
 * Below this size doubles hold all whole numbers. From it on a decimal number may have digits that
 * its double has not: it has lost some where dpc_number_is_exact is false. That is so where the
 * double, rounded to as many significant digits as the text has, is another number:
 * 9007199254740993 becomes …992. What a program printed of a double has not lost any, though 1e23
 * is not exactly the double that it stands for.
 */
#define DPC_NUMBER_WHOLE 0x1p53
bool dpc_number_is_exact(const char *text, size_t length, double value);

/* Long enough for every number, and the NUL after it. */
enum { DPC_NUMBER_SIZE = 32 };

/*
 * Prints a finite number with 15 significant digits, or 16 or 17 where fewer would not read back as
 * the same double, in the form of %g; its length. The thread is in the C locale.
 */
int dpc_number_print(double value, char text[DPC_NUMBER_SIZE]);

#endif

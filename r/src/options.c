/* The table of settings, as R shows it. */
#include "glue.h"

#include <string.h>

static SEXP text_or_na(const char *text)
{
    return text != NULL ? Rf_mkCharCE(text, CE_UTF8) : NA_STRING;
}

/* The words of a choice with | between them. */
static SEXP joined(const char *const *words)
{
    char text[256] = "";
    for (; *words != NULL; words++) {
        if (text[0] != '\0')
            strncat(text, "|", sizeof text - strlen(text) - 1);
        strncat(text, *words, sizeof text - strlen(text) - 1);
    }
    return Rf_mkChar(text);
}

static SEXP values_of(const dpc_option *option)
{
    if (option->kind == DPC_OPTION_WORD)
        return joined(option->words);
    if (option->kind == DPC_OPTION_FLAG)
        return Rf_mkChar("yes|no");
    return text_or_na(option->range);
}

int count_options(void)
{
    int count = 0;
    while (dpc_option_at(count) != NULL)
        count++;
    return count;
}

SEXP r_options(void)
{
    static const char *const NAMES[] = {"name", "kind", "values", "word", "default", "about", NULL};
    static const char *const KINDS[] = {"number", "count", "word", "flag", "text"};
    enum { COLUMNS = 6 };
    int count = count_options();
    dpc_settings defaults;
    dpc_settings_default(&defaults);
    SEXP out = PROTECT(named_list(NAMES));
    for (int column = 0; column < COLUMNS; column++)
        SET_VECTOR_ELT(out, column, Rf_allocVector(STRSXP, count));
    for (int i = 0; i < count; i++) {
        const dpc_option *option = dpc_option_at(i);
        char initial[DPC_OPTION_SIZE] = "";
        (void)dpc_settings_get(&defaults, option->name, initial, sizeof initial, NULL);
        SET_STRING_ELT(VECTOR_ELT(out, 0), i, Rf_mkChar(option->name));
        SET_STRING_ELT(VECTOR_ELT(out, 1), i, Rf_mkChar(KINDS[option->kind]));
        SET_STRING_ELT(VECTOR_ELT(out, 2), i, values_of(option));
        SET_STRING_ELT(VECTOR_ELT(out, 3), i, text_or_na(option->word));
        SET_STRING_ELT(VECTOR_ELT(out, 4), i, Rf_mkChar(initial));
        SET_STRING_ELT(VECTOR_ELT(out, 5), i, text_or_na(option->sentence));
    }
    UNPROTECT(1);
    return out;
}

/* The words that stand for a missing value: see missing.h. */
#include "missing.h"

#include "alloc.h"
#include "number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char USUAL[] = "NA,N/A,.,?,*,null,None,#N/A";

static bool is_word(const dpc_cell *word, const char *text, size_t length)
{
    return word->length == length && dpc_same_word(word->text, text, length);
}

static void add_words(dpc_na *na, const char *list, locale_t c_locale)
{
    for (dpc_csv_cells r = dpc_record_at(list, ','); dpc_record_next(&r);) {
        double value;
        if (r.cell.length == 0)
            continue; /* empty cells are missing anyway */
        bool number =
            dpc_number_classify(r.cell.text, r.cell.length, c_locale, &value) == DPC_KIND_NUMBER;
        na->words[na->count] = r.cell;
        na->numbers[na->count++] = number ? value : NAN;
        na->has_numbers = na->has_numbers || number;
    }
}

dpc_status dpc_na_init(dpc_na *na, const char *const *lists, int n_lists, locale_t c_locale)
{
    const char *const usual[] = {USUAL};
    if (n_lists == 0)
        lists = usual, n_lists = 1;
    int64_t most = 0;
    for (int i = 0; i < n_lists; i++)
        most += dpc_csv_count(lists[i], ',');
    *na = (dpc_na){.words = dpc_alloc(most, sizeof *na->words),
                   .numbers = dpc_alloc(most, sizeof *na->numbers)};
    if (na->words == NULL || na->numbers == NULL)
        return DPC_NO_MEMORY; /* the caller clears it */
    for (int i = 0; i < n_lists; i++)
        add_words(na, lists[i], c_locale);
    return DPC_OK;
}

void dpc_na_clear(dpc_na *na)
{
    free(na->words);
    free(na->numbers);
    *na = (dpc_na){0};
}

int dpc_na_find(const dpc_na *na, const char *text, size_t length)
{
    for (int i = 0; i < na->count; i++)
        if (is_word(&na->words[i], text, length))
            return DPC_NA_FIRST + i;
    return -1;
}

int dpc_na_find_number(const dpc_na *na, double value)
{
    for (int i = 0; i < na->count; i++)
        if (na->numbers[i] == value)
            return DPC_NA_FIRST + i;
    return -1;
}

bool dpc_na_is_usual(const char *text, size_t length)
{
    for (dpc_csv_cells r = dpc_record_at(USUAL, ','); dpc_record_next(&r);)
        if (is_word(&r.cell, text, length))
            return true;
    return false;
}

const char *dpc_na_told(const dpc_na *na, int word, char out[DPC_CLIP_SIZE + 2])
{
    char clipped[DPC_CLIP_SIZE];
    if (word == DPC_NA_EMPTY)
        snprintf(out, DPC_CLIP_SIZE + 2, "empty");
    else if (word == DPC_NA_NAN)
        snprintf(out, DPC_CLIP_SIZE + 2, "'NaN'");
    else
        snprintf(out, DPC_CLIP_SIZE + 2, "'%s'",
                 dpc_csv_clip(&na->words[word - DPC_NA_FIRST], clipped));
    return out;
}

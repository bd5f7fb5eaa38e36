/*
 * What a row of a table of options says, done: see options.h.
 *
 * A range is text, as in mathematics: "(0,1)" without its ends, "[0,inf)" with 0, "[1,4096]" with
 * both. It is told to hosts as it stands, and sentences put it into words.
 */
#include "options.h"
#include "decimal.h"
#include "status.h"
#include "text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(dpc_method) == sizeof(int), "enums are as large as the int that is copied");

static const char *const YES_NO[] = {"no", "yes", NULL};

/* ---- Names ---- */

static bool same_name(const char *a, const char *b)
{
    for (; *a != '\0' && *b != '\0'; a++, b++)
        if ((*a == '_' ? '-' : *a) != (*b == '_' ? '-' : *b))
            return false;
    return *a == *b;
}

const dpc_option_row *dpc_option_find(const dpc_option_row *rows, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (same_name(rows[i].told.name, name))
            return &rows[i];
    return NULL;
}

const char *dpc_option_shown(const dpc_option_row *row, const char *dashes,
                             char shown[DPC_SHOWN_SIZE])
{
    if (row->letter != 0)
        snprintf(shown, DPC_SHOWN_SIZE, "-%c", row->letter);
    else
        snprintf(shown, DPC_SHOWN_SIZE, "%s%s", dashes, row->told.name);
    return shown;
}

/* ---- Ranges ---- */

typedef struct interval {
    double low, high; /* whole numbers, or without end */
    bool with_low, with_high;
} interval;

/* Every check of settings comes here: so without sscanf, and without the locale. */
static double end_of(const char *text, double beyond)
{
    char *end;
    double value = (double)strtol(text, &end, 10);
    return end != text ? value : beyond;
}

static interval interval_of(const char *range)
{
    interval i = {.low = -INFINITY, .high = INFINITY};
    if (range == NULL)
        return i;
    i.low = end_of(range + 1, -INFINITY);
    i.high = end_of(strchr(range, ',') + 1, INFINITY);
    i.with_low = range[0] == '[';
    i.with_high = range[strlen(range) - 1] == ']';
    return i;
}

static bool within(const interval *i, double value)
{
    return (i->with_low ? value >= i->low : value > i->low) &&
           (i->with_high ? value <= i->high : value < i->high);
}

static dpc_status out_of_range(const char *shown, const interval *i, const char *text,
                               dpc_error *err)
{
    char clip[DPC_CLIP_SIZE], words[80];
    if (isinf(i->high))
        snprintf(words, sizeof words, i->with_low ? "%.0f or more" : "more than %.0f", i->low);
    else if (!i->with_low && !i->with_high)
        snprintf(words, sizeof words, "between %.0f and %.0f", i->low, i->high);
    else
        snprintf(words, sizeof words, "%s %.0f and at most %.0f",
                 i->with_low ? "at least" : "above", i->low, i->high);
    return dpc_fail(err, DPC_USAGE, "%s must be %s, not %s", shown, words,
                    dpc_clip_name(text, clip));
}

/* ---- From text to values ---- */

static dpc_status read_number(const char *shown, const char *text, double *out, dpc_error *err)
{
    char clip[DPC_CLIP_SIZE];
    if (dpc_decimal_read(text, out))
        return DPC_OK;
    return dpc_fail(err, DPC_USAGE, "%s needs a number, not '%s'", shown,
                    dpc_clip_name(text, clip));
}

/* 1e13 is a whole number too. */
static dpc_status read_whole(const char *shown, const char *text, int64_t *out, dpc_error *err)
{
    char *end, clip[DPC_CLIP_SIZE];
    errno = 0;
    long long whole = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0) {
        double value;
        if (!dpc_decimal_read(text, &value) || value != floor(value))
            return dpc_fail(err, DPC_USAGE, "%s needs a whole number, not '%s'", shown,
                            dpc_clip_name(text, clip));
        whole = value > 9.1e18 ? INT64_MAX : value < -9.1e18 ? INT64_MIN : (long long)value;
    }
    *out = whole;
    return DPC_OK;
}

/* All 64 bits; digits only, for strtoull takes -1 too. */
static dpc_status read_seed(const char *shown, const char *text, uint64_t *out, dpc_error *err)
{
    char *end, clip[DPC_CLIP_SIZE];
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0)
        return dpc_fail(err, DPC_USAGE,
                        "%s needs a whole number from 0 to 18446744073709551615, not '%s'", shown,
                        dpc_clip_name(text, clip));
    *out = value;
    return DPC_OK;
}

void dpc_join_words(const char *const *words, const char *between, char *out, size_t size)
{
    size_t used = 0;
    *out = '\0';
    for (int i = 0; words[i] != NULL && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%s", i > 0 ? between : "", words[i]);
}

static dpc_status read_word(const char *shown, const char *text, const char *const *words, int *out,
                            dpc_error *err)
{
    char list[128], clip[DPC_CLIP_SIZE];
    for (int i = 0; words[i] != NULL; i++)
        if (strcmp(text, words[i]) == 0) {
            *out = i;
            return DPC_OK;
        }
    dpc_join_words(words, ", ", list, sizeof list);
    return dpc_fail(err, DPC_USAGE, "%s must be one of %s, not '%s'", shown, list,
                    dpc_clip_name(text, clip));
}

/* ---- Into their places ---- */

/* Megabytes: 4G is 4000; without a letter they are meant. Nothing else ends so. */
static dpc_status read_size(const char *shown, const char *text, double *out, dpc_error *err)
{
    static const char LETTERS[] = "KMGT";
    static const double UNITS[] = {1e-3, 1, 1e3, 1e6};
    char number[DPC_OPTION_SIZE];
    size_t length = strlen(text);
    const char *letter = length > 1 ? strchr(LETTERS, text[length - 1]) : NULL;
    if (letter == NULL || length > sizeof number)
        return read_number(shown, text, out, err);
    snprintf(number, sizeof number, "%.*s", (int)length - 1, text);
    DPC_CHECK(read_number(shown, number, out, err));
    *out *= UNITS[letter - LETTERS];
    return DPC_OK;
}

static dpc_status take_double(const dpc_option_row *row, const char *shown, const char *text,
                              double *place, dpc_error *err)
{
    interval range = interval_of(row->told.range);
    double value;
    dpc_status status =
        row->sized ? read_size(shown, text, &value, err) : read_number(shown, text, &value, err);
    if (status == DPC_OK && !within(&range, value))
        status = out_of_range(shown, &range, text, err);
    if (status == DPC_OK)
        *place = value;
    return status;
}

/* No range of a whole number goes beyond 2^53, and that of an int is within int. */
static dpc_status take_whole(const dpc_option_row *row, const char *shown, const char *text,
                             void *place, dpc_error *err)
{
    interval range = interval_of(row->told.range);
    int64_t value = 0;
    dpc_status status = read_whole(shown, text, &value, err);
    if (status == DPC_OK && !within(&range, (double)value))
        status = out_of_range(shown, &range, text, err);
    if (status == DPC_OK && row->type == DPC_TYPE_INT)
        *(int *)place = (int)value;
    else if (status == DPC_OK)
        *(int64_t *)place = value;
    return status;
}

static dpc_status take_text(const char *shown, const char *text, const char **place, dpc_error *err)
{
    if (*place != NULL)
        return dpc_fail(err, DPC_USAGE, "%s is given twice, '%s' and '%s'", shown, *place, text);
    *place = text;
    return DPC_OK;
}

/* The word that may stand in the place of a value. */
static void take_other(const dpc_option_row *row, void *place)
{
    int whole = (int)row->other;
    if (row->type == DPC_TYPE_DOUBLE)
        *(double *)place = row->other;
    else
        memcpy(place, &whole, sizeof whole);
}

dpc_status dpc_option_take(const dpc_option_row *row, const char *dashes, const char *text,
                           void *into, dpc_error *err)
{
    char shown[DPC_SHOWN_SIZE];
    void *place = (char *)into + row->place;
    int chosen = 0;
    dpc_status status = DPC_OK;
    dpc_option_shown(row, dashes, shown);
    if (row->told.word != NULL && strcmp(text, row->told.word) == 0) {
        take_other(row, place);
        return DPC_OK;
    }
    switch (row->type) {
    case DPC_TYPE_DOUBLE:
        return take_double(row, shown, text, place, err);
    case DPC_TYPE_INT:
    case DPC_TYPE_INT64:
        return take_whole(row, shown, text, place, err);
    case DPC_TYPE_UINT64:
        return read_seed(shown, text, place, err);
    case DPC_TYPE_ENUM:
        status = read_word(shown, text, row->told.words, &chosen, err);
        if (status == DPC_OK)
            memcpy(place, &chosen, sizeof chosen);
        return status;
    case DPC_TYPE_BOOL:
        status = read_word(shown, text, YES_NO, &chosen, err);
        if (status == DPC_OK)
            *(bool *)place = chosen == 1;
        return status;
    case DPC_TYPE_TEXT:
        return take_text(shown, text, place, err);
    case DPC_TYPE_OWN:
        break;
    }
    return row->take(text, into, err);
}

/* ---- From values to text ---- */

static const char *word_of(const dpc_option_row *row, int value)
{
    for (int i = 0; row->told.words[i] != NULL; i++)
        if (i == value)
            return row->told.words[i];
    return NULL;
}

/* A bool that is neither true nor false is shown as it is, not as what it may count for. */
static int bool_at(const void *place)
{
    unsigned char byte;
    memcpy(&byte, place, sizeof byte);
    return byte;
}

/* A value as a number; what has no range has none. */
static double number_at(const dpc_option_row *row, const void *place)
{
    int whole;
    switch (row->type) {
    case DPC_TYPE_DOUBLE:
        return *(const double *)place;
    case DPC_TYPE_INT64:
        return (double)*(const int64_t *)place;
    case DPC_TYPE_INT:
    case DPC_TYPE_ENUM:
        memcpy(&whole, place, sizeof whole);
        return whole;
    case DPC_TYPE_BOOL:
        return bool_at(place);
    default:
        return NAN;
    }
}

void dpc_option_print(const dpc_option_row *row, const void *from, char text[DPC_OPTION_SIZE])
{
    const void *place = (const char *)from + row->place;
    double value = number_at(row, place);
    const char *word = row->told.word != NULL && value == row->other ? row->told.word
                       : row->type == DPC_TYPE_ENUM                  ? word_of(row, (int)value)
                       : row->type == DPC_TYPE_BOOL && value <= 1    ? YES_NO[(int)value]
                                                                     : NULL;
    text[0] = '\0';
    if (word != NULL)
        snprintf(text, DPC_OPTION_SIZE, "%s", word);
    else if (row->type == DPC_TYPE_UINT64)
        snprintf(text, DPC_OPTION_SIZE, "%" PRIu64, *(const uint64_t *)place);
    else if (row->type == DPC_TYPE_OWN && row->print != NULL)
        row->print(from, text);
    else if (row->type == DPC_TYPE_DOUBLE || !isnan(value))
        dpc_decimal_print(value, text);
}

/* A value that dpc_option_take could have put there; texts are made only where it is not. */
static bool is_allowed(const dpc_option_row *row, double value)
{
    interval range = interval_of(row->told.range);
    if (row->told.word != NULL && value == row->other)
        return true;
    if (row->type == DPC_TYPE_ENUM)
        return word_of(row, (int)value) != NULL;
    if (row->type == DPC_TYPE_BOOL)
        return value <= 1;
    return row->told.range == NULL || within(&range, value);
}

dpc_status dpc_option_check(const dpc_option_row *row, const char *dashes, const void *from,
                            dpc_error *err)
{
    char shown[DPC_SHOWN_SIZE], text[DPC_OPTION_SIZE];
    interval range = interval_of(row->told.range);
    int ignored;
    if (is_allowed(row, number_at(row, (const char *)from + row->place)))
        return DPC_OK;
    dpc_option_shown(row, dashes, shown);
    dpc_option_print(row, from, text);
    if (row->type == DPC_TYPE_ENUM || row->type == DPC_TYPE_BOOL)
        return read_word(shown, text, row->type == DPC_TYPE_ENUM ? row->told.words : YES_NO,
                         &ignored, err);
    return out_of_range(shown, &range, text, err);
}

/*
 * What looks like a date: three parts of digits with - / or . between them, of which the first or
 * the last is a year; a month by its name between a day and a year; behind it, or alone, a time of
 * the day. Only what no category is called: a year, a month or a day alone is none.
 */
#include "read.h"

#include <ctype.h>
#include <string.h>

/* A number of at most `most` digits, which moves *p on; -1: there is none. */
static int take_digits(const char **p, int most, int *digits)
{
    int value = 0;
    for (*digits = 0; isdigit((unsigned char)**p) && *digits < most; ++*p, ++*digits)
        value = 10 * value + (**p - '0');
    return *digits > 0 && !isdigit((unsigned char)**p) ? value : -1;
}

static bool take_time(const char **p)
{
    int digits, hour = take_digits(p, 2, &digits);
    if (hour < 0 || hour > 24 || **p != ':')
        return false;
    for (int parts = 0; parts < 2 && **p == ':'; parts++) {
        ++*p;
        int value = take_digits(p, 2, &digits);
        if (value < 0 || value > 60 || digits != 2)
            return false;
    }
    *p += **p == '.' || **p == ',' ? 1 + strspn(*p + 1, "0123456789") : 0;
    *p += **p == ' ' &&
          (toupper((unsigned char)(*p)[1]) == 'A' || toupper((unsigned char)(*p)[1]) == 'P');
    *p += strspn(*p, "APMapmZz"); /* am, pm, UTC */
    if (**p == '+' || **p == '-')
        *p += 1 + strspn(*p + 1, "0123456789:");
    return true;
}

/* 2024-01-31, 31.1.2024, 1/31/24. */
static bool take_numbers(const char **p)
{
    int digits[3], value[3];
    char mark = 0;
    for (int i = 0; i < 3; i++) {
        if (i > 0) {
            if ((i == 1 && strchr("-/.", **p) == NULL) || (i == 2 && **p != mark) || **p == '\0')
                return false;
            mark = *(*p)++;
        }
        value[i] = take_digits(p, 4, &digits[i]);
        if (value[i] < 0 || digits[i] == 3)
            return false;
    }
    int year = digits[0] == 4 ? 0 : 2, day = 2 - year;
    bool is_year = digits[year] == 4 || (digits[year] == 2 && mark != '-');
    return is_year && digits[day] <= 2 && digits[1] <= 2 && value[day] >= 1 && value[day] <= 31 &&
           value[1] >= 1 && value[1] <= 31;
}

/* 31-Jan-2024, 31 January 24. */
static bool take_month(const char **p)
{
    static const char MONTHS[] = "janfebmaraprmayjunjulaugsepoctnovdec";
    int digits, month = 0, day = take_digits(p, 2, &digits);
    if (day < 1 || day > 31)
        return false;
    *p += strspn(*p, " -/.");
    while (month < 12 && strncasecmp(*p, MONTHS + 3 * month, 3) != 0)
        month++;
    if (month == 12)
        return false;
    while (isalpha((unsigned char)**p))
        ++*p;
    *p += strspn(*p, " -/.,");
    return take_digits(p, 4, &digits) >= 0 && digits % 2 == 0;
}

bool dpc_looks_like_date(const char *text)
{
    const char *p = text;
    if (take_time(&p) && *p == '\0')
        return true;
    p = text;
    if (!take_numbers(&p)) {
        p = text;
        if (!take_month(&p))
            return false;
    }
    if (*p == '\0')
        return true;
    if (*p != ' ' && *p != 'T')
        return false;
    p++;
    return take_time(&p) && *p == '\0';
}

/* The values of options, read and refused in the same words by every subcommand. */
#include "cli.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool wrong(dpc_error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    err->code = DPC_USAGE;
    vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    return false;
}

bool parse_number(const char *option, const char *text, double *out, dpc_error *err)
{
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(value))
        return wrong(err, "%s needs a number, not '%s'", option, text);
    *out = value;
    return true;
}

/* A whole number from low to high; 1e13 is one too. */
bool parse_count(const char *option, const char *text, int64_t low, int64_t high, int64_t *out,
                 dpc_error *err)
{
    char *end;
    errno = 0;
    long long whole = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0) {
        double value = strtod(text, &end);
        if (end == text || *end != '\0' || value != floor(value))
            return wrong(err, "%s needs a whole number, not '%s'", option, text);
        whole = value > 9.1e18 ? INT64_MAX : value < -9.1e18 ? INT64_MIN : (long long)value;
    }
    if (whole < low || whole > high)
        return wrong(err, "%s must be at least %lld and at most %lld, not %s", option,
                     (long long)low, (long long)high, text);
    *out = whole;
    return true;
}

/* All 64 bits, which parse_count does not have; digits only, for strtoull takes -1 too. */
bool parse_seed(const char *text, uint64_t *out, dpc_error *err)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0)
        return wrong(err, "--seed needs a whole number from 0 to 18446744073709551615, not '%s'",
                     text);
    *out = value;
    return true;
}

bool parse_choice(const char *option, const char *text, const char *const *words, int *out,
                  dpc_error *err)
{
    char list[128] = "";
    for (int i = 0; words[i] != NULL; i++) {
        if (strcmp(text, words[i]) == 0) {
            *out = i;
            return true;
        }
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", words[i]);
    }
    return wrong(err, "%s must be one of %s, not '%s'", option, list, text);
}

bool parse_threads(const char *text, int *out, dpc_error *err)
{
    int64_t count = 0;
    if (strcmp(text, "all") == 0) {
        *out = 0;
        return true;
    }
    if (!parse_count("--threads", text, 1, 4096, &count, err))
        return false;
    *out = (int)count;
    return true;
}

/* What getopt did not like: a letter, or a long word. */
static void refuse(bool lacks_value, char **argv, dpc_error *err)
{
    char letter[3] = {'-', (char)optopt, '\0'};
    const char *word = argv[optind - 1];
    const char *what = optopt > 0 && optopt < 256 && strncmp(word, "--", 2) != 0 ? letter : word;
    if (lacks_value)
        wrong(err, "option '%s' needs a value", what);
    else
        wrong(err, "unknown or ambiguous option '%s'; see --help", what);
}

parsed parse_options(int argc, char **argv, const char *letters, const struct option *options,
                     option_taker *take, void *into, dpc_error *err)
{
    int code;
    opterr = 0;
    optind = 1;
    while ((code = getopt_long(argc, argv, letters, options, NULL)) != -1) {
        if (code == 'h')
            return PARSED_HELP;
        if (code == 'V')
            return PARSED_VERSION;
        if (code == ':' || code == '?') {
            refuse(code == ':', argv, err);
            return PARSED_WRONG;
        }
        if (!take(code, optarg, into, err))
            return PARSED_WRONG;
    }
    return PARSED_RUN;
}

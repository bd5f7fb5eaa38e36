/* How often the tests repeat: see repeat.h. */
#include "repeat.h"

#include <stdio.h>
#include <stdlib.h>

/* A wrong percentage ends the program: a test that quietly did less would look like a good one. */
static long percent(void)
{
    const char *text = getenv("DPC_REPEAT");
    if (text == NULL)
        return 100;
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < 5 || value > 100000) {
        fprintf(stderr, "DPC_REPEAT is '%s': expected a percentage from 5 to 100000\n", text);
        exit(1);
    }
    return value;
}

int repeats(int all)
{
    int count = (int)(all * percent() / 100);
    return count > 0 ? count : 1;
}

int share(int all)
{
    long of_100 = percent();
    return (int)(all * (of_100 < 100 ? of_100 / 2 : of_100) / 100);
}

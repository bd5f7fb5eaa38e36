/*
 * The means of what the authors published, to draw beside ours: study/published.csv, which is part
 * of the program.
 *
 * Source: the raw results in the authors' repository (github.com/enricogiudice/dualPC) behind the
 * figures of Giudice, Kuipers and Moffa, "The dual PC algorithm and the role of Gaussianity for
 * structure learning of Bayesian networks", averaged over their 100 repetitions per point. Their
 * names st and oi (order-independent) are standard and stable here; λ of GES is the penalty.
 * Lines are sorted by their bytes; what stands before the numbers is the key of study_public_key.
 */
#include "study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

__asm__(".section .rodata\n"
        ".global study_published_begin, study_published_end\n"
        "study_published_begin: .incbin \"study/published.csv\"\n"
        "study_published_end: .byte 0\n"
        ".previous\n");
extern const char study_published_begin[], study_published_end[];

static const char *line_start(const char *at, const char *begin)
{
    while (at > begin && at[-1] != '\n')
        at--;
    return at;
}

/* The line that begins with the key, or NULL. */
static const char *find(const char *key, size_t length)
{
    const char *begin = strchr(study_published_begin, '\n') + 1;
    const char *low = begin, *high = study_published_end;
    while (low < high) {
        const char *line = line_start(low + (high - low) / 2, begin);
        int order = strncmp(line, key, length);
        if (order == 0)
            return line;
        if (order < 0)
            low = strchr(line, '\n') + 1;
        else
            high = line;
    }
    return NULL;
}

bool study_find_published(const study_setting *setting, const study_run *run, double level,
                          dpc_target graph, study_published *out)
{
    char key[2 * STUDY_KEY_SIZE];
    if (run->orient != DPC_RELAXED) /* theirs has another rule for directions than ours */
        return false;
    size_t length = (size_t)study_public_key(setting, run, level, graph, key);
    const char *line = find(key, length);
    if (line == NULL)
        return false;
    double value[8];
    char *at = (char *)line + length;
    for (int i = 0; i < 8; i++) {
        char *after;
        value[i] = strtod(at, &after);
        if (after == at)
            value[i] = NAN;
        at = after + 1;
    }
    *out = (study_published){value[0], value[1], value[2], value[3],
                             value[4], value[5], value[6], value[7]};
    return true;
}

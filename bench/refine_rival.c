/* What another program has found on the same data: read from a file, made by bench/rival.py. */
#include "refine.h"

#include <stdlib.h>
#include <string.h>

void bench_rival_read(const char *path, bench_rival *rival)
{
    char line[256];
    size_t room = 0;
    *rival = (bench_rival){0};
    if (path == NULL)
        return;
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    while (fgets(line, sizeof line, file) != NULL) {
        bench_found found;
        unsigned long long seed;
        if (sscanf(line, "%31[^,],%llu,%lf,%lf", found.line, &seed, &found.score, &found.ms) != 4)
            continue;
        found.seed = seed;
        if (rival->count == room) {
            room = 2 * room + 64;
            rival->found = realloc(rival->found, room * sizeof *rival->found);
            if (rival->found == NULL)
                abort();
        }
        rival->found[rival->count++] = found;
    }
    fclose(file);
}

const bench_found *bench_rival_find(const bench_rival *rival, const char *line, uint64_t seed)
{
    for (size_t i = 0; i < rival->count; i++)
        if (rival->found[i].seed == seed && strcmp(rival->found[i].line, line) == 0)
            return &rival->found[i];
    return NULL;
}

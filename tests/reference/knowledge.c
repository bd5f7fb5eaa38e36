/* What is known beforehand: which edges must be, which may not, which sets are allowed. */
#include "run.h"

bool ref_forbidden(const struct run *run, int from, int to)
{
    return run->known != NULL && run->known->forbidden[(size_t)from * run->n + to];
}

static bool must_point(const struct run *run, int from, int to)
{
    return run->known != NULL && run->known->required[(size_t)from * run->n + to];
}

bool ref_required(const struct run *run, int x, int y)
{
    return must_point(run, x, y) || must_point(run, y, x);
}

bool ref_impossible(const struct run *run, int x, int y)
{
    return ref_forbidden(run, x, y) && ref_forbidden(run, y, x);
}

bool ref_usable(const struct run *run, int x, int y, int v)
{
    if (run->known == NULL)
        return true;
    const int *tier = run->known->tier;
    bool all_have_one = tier[x] >= 0 && tier[y] >= 0 && tier[v] >= 0;
    return !all_have_one || tier[v] <= tier[x] || tier[v] <= tier[y];
}

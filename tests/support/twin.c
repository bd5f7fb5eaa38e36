/* The slow twin of dpc_learn: see twin.h. */
#include "twin.h"

#include <stdlib.h>

static void *room(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL)
        abort();
    return memory;
}

/* What is known, as plain facts, into an input that is otherwise filled in. */
static struct reference *learn(struct reference_input *input)
{
    const dpc_knowledge *k = input->settings->knowledge;
    int n = input->n, *tier = room((size_t)n, sizeof *tier);
    unsigned char *forbidden = room((size_t)n * n, 1), *required = room((size_t)n * n, 1);
    for (int a = 0; a < n && k != NULL; a++) {
        tier[a] = dpc_knowledge_tier_of(k, a);
        for (int b = 0; b < n; b++) {
            forbidden[(size_t)a * n + b] = a != b && dpc_knowledge_forbids(k, a, b);
            required[(size_t)a * n + b] = a != b && dpc_knowledge_requires(k, a, b);
        }
    }
    struct reference_facts facts = {tier, forbidden, required};
    input->known = k != NULL ? &facts : NULL;
    struct reference *twin = reference_learn(input);
    free(tier);
    free(forbidden);
    free(required);
    return twin;
}

struct reference *twin_learn(const dpc_correlation *correlation, const dpc_settings *settings)
{
    struct reference_input input = {.n = dpc_correlation_about(correlation).n_vars,
                                    .n_obs = dpc_correlation_about(correlation).n_obs,
                                    .r = dpc_correlation_about(correlation).values,
                                    .rows = dpc_correlation_about(correlation).rows,
                                    .mean_rows = dpc_correlation_about(correlation).mean_rows,
                                    .settings = settings};
    return learn(&input);
}

struct reference *twin_learn_columns(int n, int64_t n_obs, const struct reference_columns *columns,
                                     const dpc_settings *settings)
{
    struct reference_input input = {
        .n = n, .n_obs = n_obs, .settings = settings, .columns = columns};
    return learn(&input);
}

long double slow_partial(const dpc_correlation *correlation, int a, int b, const int32_t *set,
                         int size)
{
    return reference_partial(dpc_correlation_about(correlation).values,
                             dpc_correlation_about(correlation).n_vars, a, b, set, size);
}

int64_t slow_rows(const dpc_correlation *correlation, int a, int b, const int32_t *set, int size)
{
    const int32_t *rows = dpc_correlation_about(correlation).rows;
    int n = dpc_correlation_about(correlation).n_vars;
    if (rows == NULL)
        return dpc_correlation_about(correlation).n_obs;
    int64_t least = rows[(size_t)a * n + b], sum = least,
            pairs = 1 + (int64_t)size * (size + 3) / 2;
    for (int i = 0; i < size; i++) {
        int64_t of_a = rows[(size_t)a * n + set[i]], of_b = rows[(size_t)b * n + set[i]];
        least = of_a < least ? of_a : least;
        least = of_b < least ? of_b : least;
        sum += of_a + of_b;
        for (int j = i + 1; j < size; j++) {
            int64_t common = rows[(size_t)set[i] * n + set[j]];
            least = common < least ? common : least;
            sum += common;
        }
    }
    return dpc_correlation_about(correlation).mean_rows ? sum / pairs : least;
}

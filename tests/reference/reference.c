/* The slow twin, all of it: see reference.h. */
#include "run.h"

#include <math.h>
#include <stdlib.h>

void *ref_need(void *memory)
{
    if (memory == NULL)
        abort();
    return memory;
}

void *ref_zeroed(size_t count, size_t size)
{
    return ref_need(calloc(count > 0 ? count : 1, size));
}

unsigned char *ref_cell(struct run *run, int x, int y)
{
    return run->adjacency + (size_t)x * run->n + y;
}

struct reference_sepset *ref_sepset(struct reference *out, int x, int y)
{
    return out->sepsets + (size_t)x * out->n + y;
}

/* Pairs of which at least one end lists the other. */
static void count_left(struct run *run)
{
    struct reference *out = run->out;
    int64_t left = 0;
    for (int x = 0; x < run->n; x++) {
        left += (int64_t)run->copies[x] * (run->copies[x] - 1) / 2;
        for (int y = x + 1; y < run->n; y++)
            if (*ref_cell(run, x, y) || *ref_cell(run, y, x))
                left += (int64_t)run->copies[x] * run->copies[y];
    }
    out->left = ref_need(realloc(out->left, ((size_t)out->n_levels + 1) * sizeof *out->left));
    out->left[out->n_levels++] = left;
}

struct reference *ref_new(int n)
{
    struct reference *out = ref_zeroed(1, sizeof *out);
    size_t pairs = (size_t)n * n;
    out->n = n;
    out->adjacency = ref_zeroed(pairs, 1);
    out->sepsets = ref_zeroed(pairs, sizeof *out->sepsets);
    out->second = ref_zeroed(pairs, sizeof *out->second);
    out->weakest = ref_zeroed(pairs, sizeof *out->weakest);
    out->members = ref_zeroed(2 * pairs * n, sizeof *out->members);
    for (size_t i = 0; i < pairs; i++) {
        out->sepsets[i] = (struct reference_sepset){.from = -1, .members = out->members + i * n};
        out->second[i] = out->sepsets[i];
        out->second[i].members += pairs * n;
        out->weakest[i] = -1;
    }
    out->least_variance = out->least_product = 1;
    out->least_margin = INFINITY;
    return out;
}

static void learn_skeleton(struct run *run)
{
    const dpc_settings *settings = run->settings;
    int n = run->n;
    for (int x = 0; x < n; x++)
        for (int y = 0; y < n; y++)
            *ref_cell(run, x, y) = x != y && !ref_impossible(run, x, y);
    ref_marginal_tests(run);
    if (settings->method != DPC_CLASSIC)
        ref_full_order_tests(run);
    count_left(run);
    bool more = true;
    for (int level = 1; more && level <= settings->max_order; level++) {
        more = ref_level(run, level);
        count_left(run);
    }
    if (settings->rule == DPC_RULE_AND)
        ref_join_lists(run);
}

void ref_take_counts(struct reference *from, struct reference *to)
{
    struct reference kept = *to;
    *to = *from;
    to->n = kept.n;
    to->adjacency = kept.adjacency;
    to->sepsets = kept.sepsets;
    to->second = kept.second;
    to->weakest = kept.weakest;
    to->members = kept.members;
    from->left = NULL;
}

struct reference *ref_learn_all(const struct reference_input *input, const int *copies)
{
    int n = input->n;
    const dpc_settings *settings = input->settings;
    struct run run = {
        .n = n,
        .n_obs = (double)input->n_obs,
        .r = input->r,
        .rows = input->rows,
        .mean_rows = input->mean_rows,
        .settings = settings,
        .copies = copies,
        .known = input->known,
        .out = ref_new(n),
        .adjacency = ref_zeroed((size_t)n * n, 1),
        .asked = ref_zeroed((size_t)n * n, sizeof(struct asked)),
        .matrix = ref_zeroed((size_t)n * n, sizeof(real)),
        .inverse = ref_zeroed((size_t)n * n, sizeof(real)),
        .set = ref_zeroed((size_t)n, sizeof(int32_t)),
        .subset = ref_zeroed((size_t)n, sizeof(int32_t)),
        .alike = ref_zeroed((size_t)n, sizeof(int)),
    };
    if (input->columns != NULL) {
        run.blocks = ref_blocks_new(input);
        for (int v = 0; v < n; v++)
            run.alike[v] = v;
    } else {
        ref_stand_for(input, 1e-6L, false, run.alike);
    }
    run.primal = ref_critical_values(&run, settings->alpha);
    run.dual = ref_critical_values(&run, settings->alpha_dual > 0 ? settings->alpha_dual
                                                                  : settings->alpha);
    learn_skeleton(&run);
    ref_orient(&run);
    for (int i = 0; i < n * n; i++) {
        free(run.asked[i].given);
        free(run.asked[i].critical);
    }
    free(run.asked);
    free(run.adjacency);
    free(run.matrix);
    free(run.inverse);
    free(run.set);
    free(run.subset);
    free(run.alike);
    ref_blocks_free(run.blocks);
    free(run.primal);
    free(run.dual);
    return run.out;
}

void reference_free(struct reference *reference)
{
    if (reference == NULL)
        return;
    free(reference->adjacency);
    free(reference->sepsets);
    free(reference->second);
    free(reference->weakest);
    free(reference->members);
    free(reference->left);
    free(reference);
}

dpc_mark reference_mark(const struct reference *reference, int a, int b)
{
    size_t n = (size_t)reference->n;
    bool out = reference->adjacency[(size_t)a * n + b],
         in = reference->adjacency[(size_t)b * n + a];
    if (out && in)
        return DPC_UNDIRECTED;
    return out ? DPC_FORWARD : in ? DPC_BACKWARD : DPC_NONE;
}

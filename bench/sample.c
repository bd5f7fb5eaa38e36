/*
 * How many effective draws of DAGs a second of one processor gives.
 *
 *     sample [-n nodes] [-N samples] [-d parents] [-S seed] [-K candidates] [-b] [-c chains]
 *            [-r records] [-t thin] [-f CORRELATIONS] [-k CANDIDATES] [-l LABORATORY]
 *
 * Data are simulated, or a file has "n N" and the correlation matrix. The candidates of a node are
 * the K others that it is correlated with most, or a line of a file: how many, and their numbers.
 * -b: the score bge with a uniform prior, otherwise fbf with a fair one.
 *
 * Effective draws of a chain: Σ p (1-p) over Σ of the variance between the chains, over all edges
 * with .02 < p < .98; p is the share of the records of raw DAGs. The time is that of the records,
 * sums of probabilities included, without tables and start.
 *
 * -l names an experiment that samples in the same way and stays outside of the project: it chooses
 * the candidates, unless -k is given, and is measured on the same ones.
 */
#include "chain.h"
#include "correlation.h"
#include "dag_gsl.h"
#include "dualpc_explain.h"
#include "sorted.h"
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* As the command line program does: the threads are ours. */
__attribute__((weak)) void openblas_set_num_threads(int threads);

enum { ANNEAL = 4000, BURN = 500, LINE = 1024 };

typedef struct run {
    int n, most, chains, records, thin;
    int64_t n_obs;
    double parents;
    uint64_t seed;
    bool bge;
    const char *laboratory, *candidates, *file;
    double *r;
    dpc_candidate_sets sets;
    double *share; /* chains × n × n: of the records in which u → v, at u n + v */
} run;

static void stop(const char *what)
{
    fprintf(stderr, "sample: %s\n", what);
    exit(1);
}

static void check(dpc_status status, const dpc_error *err)
{
    if (status != DPC_OK)
        stop(err->message);
}

static void *some(int64_t count, size_t size)
{
    void *p = dpc_zalloc(count, size);
    if (p == NULL)
        stop("out of memory");
    return p;
}

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- Input ---- */

static FILE *open_file(const char *path, const char *how)
{
    FILE *file = fopen(path, how);
    if (file == NULL)
        stop(path);
    return file;
}

static void read_correlations(run *r)
{
    FILE *file = open_file(r->file, "r");
    long long n_obs;
    if (fscanf(file, "%d %lld", &r->n, &n_obs) != 2)
        stop("no n and N");
    r->n_obs = n_obs;
    r->r = some((int64_t)r->n * r->n, sizeof *r->r);
    for (int i = 0; i < r->n * r->n; i++)
        if (fscanf(file, "%lf", &r->r[i]) != 1)
            stop("too few correlations");
    fclose(file);
}

static void draw_correlations(run *r)
{
    dpc_dag_model model = {r->n, r->parents, 0.4, 2, DPC_ER};
    dpc_error err = {0};
    gsl_rng *rng = NULL;
    dpc_dag *dag = NULL;
    dpc_table *table = NULL;
    dpc_correlation *c = NULL;
    check(dpc_rng_new(r->seed, &rng, &err), &err);
    check(dpc_dag_random(&model, rng, &dag, &err), &err);
    check(dpc_dag_sample(dag, r->n_obs, (dpc_noise){.degrees = INFINITY}, rng, &table, &err), &err);
    check(dpc_correlate(table, NULL, NULL, &c, &err), &err);
    r->r = some((int64_t)r->n * r->n, sizeof *r->r);
    memcpy(r->r, c->r, (size_t)r->n * (size_t)r->n * sizeof *r->r);
    dpc_correlation_free(c);
    dpc_table_free(table);
    dpc_dag_free(dag);
    gsl_rng_free(rng);
}

static void write_correlations(const run *r, const char *path)
{
    FILE *file = open_file(path, "w");
    fprintf(file, "%d %lld\n", r->n, (long long)r->n_obs);
    for (int i = 0; i < r->n * r->n; i++)
        fprintf(file, "%.17g%c", r->r[i], (i + 1) % r->n == 0 ? '\n' : ' ');
    fclose(file);
}

static void read_candidates(run *r, const char *path)
{
    FILE *file = open_file(path, "r");
    for (int v = 0; v < r->n; v++) {
        int count;
        if (fscanf(file, "%d", &count) != 1 || count < 0 || count > DPC_MOST_CANDIDATES)
            stop("no candidates");
        r->sets.start[v + 1] = r->sets.start[v] + count;
        for (int i = r->sets.start[v]; i < r->sets.start[v + 1]; i++)
            if (fscanf(file, "%d", &r->sets.node[i]) != 1)
                stop("too few candidates");
        dpc_sort_numbers(r->sets.node + r->sets.start[v], count);
    }
    fclose(file);
}

static void choose_candidates(run *r)
{
    int most = r->most < r->n - 1 ? r->most : r->n - 1;
    bool *taken = some(r->n, sizeof *taken);
    for (int v = 0; v < r->n; v++) {
        int32_t *list = r->sets.node + r->sets.start[v];
        memset(taken, 0, (size_t)r->n * sizeof *taken);
        taken[v] = true;
        for (int i = 0; i < most; i++) {
            int best = -1;
            for (int u = 0; u < r->n; u++)
                if (!taken[u] &&
                    (best < 0 || fabs(r->r[u * r->n + v]) >= fabs(r->r[best * r->n + v])))
                    best = u;
            taken[best] = true;
            list[i] = best;
        }
        dpc_sort_numbers(list, most);
        r->sets.start[v + 1] = r->sets.start[v] + most;
    }
    free(taken);
}

/* ---- Effective draws ---- */

static double effective_draws(const run *r, int *edges)
{
    double within = 0, between = 0;
    int64_t pairs = (int64_t)r->n * r->n;
    *edges = 0;
    for (int64_t e = 0; e < pairs; e++) {
        double mean = 0, squares = 0;
        for (int c = 0; c < r->chains; c++)
            mean += r->share[c * pairs + e] / r->chains;
        if (!(mean > 0.02 && mean < 0.98))
            continue;
        for (int c = 0; c < r->chains; c++)
            squares += pow(r->share[c * pairs + e] - mean, 2);
        ++*edges;
        within += mean * (1 - mean);
        between += squares / (r->chains - 1);
    }
    return within / between;
}

static void report(const run *r, const char *who, double seconds, double ns)
{
    int edges;
    double draws = effective_draws(r, &edges);
    printf("%-10s %4.0f ns a move, %6.0f effective of %d draws in %.4f s: %8.0f a second (%d "
           "uncertain edges)\n",
           who, ns, draws, r->records, seconds / r->chains, draws * r->chains / seconds, edges);
    fflush(stdout);
}

/* ---- dualpc ---- */

static void record(const run *r, const dpc_chain *chain, double *share)
{
    const uint32_t *parents = dpc_chain_parents(chain);
    for (int v = 0; v < r->n; v++)
        for (uint32_t left = parents[v]; left != 0; left &= left - 1)
            share[r->sets.node[r->sets.start[v] + __builtin_ctz(left)] * r->n + v] +=
                1.0 / r->records;
}

static dpc_space *make_space(const run *r, dpc_arena *memory)
{
    dpc_correlation c = {.n_vars = r->n, .n_obs = r->n_obs, .r = r->r};
    dpc_labels labels = {0};
    dpc_view view = dpc_view_of(&c, &labels);
    dpc_stats stats = dpc_stats_of(&view);
    dpc_crew crew;
    dpc_marginal marginal;
    dpc_space *space = NULL;
    dpc_error err = {0};
    dpc_crew_init(&crew, NULL, DPC_STAGE_REFINE);
    if (dpc_marginal_init(&marginal, memory, r->bge ? DPC_SCORE_BGE : DPC_SCORE_FBF,
                          r->bge ? DPC_PRIOR_UNIFORM : DPC_PRIOR_FAIR, 0, r->n,
                          (double)r->n_obs) != DPC_OK)
        stop("out of memory");
    double start = processor_seconds();
    check(dpc_space_new(&stats, NULL, &marginal, &r->sets, &crew, &space, &err), &err);
    printf("tables     %.4f s\n", processor_seconds() - start);
    return space;
}

/* A chain that ends far below the best is started again, as a run does. */
static void burn_in(const run *r, dpc_space *space, dpc_chain **chain)
{
    const double far = 20;
    enum { ROUNDS = 4 };
    double *score = some(r->chains, sizeof *score), best = -INFINITY;
    for (int round = 0; round < ROUNDS; round++)
        for (int c = 0; c < r->chains; c++) {
            if (round > 0 && score[c] > best - far)
                continue;
            dpc_chain_anneal(chain[c], ANNEAL, NULL, NULL);
            score[c] = 0;
            for (int s = 0; s < BURN; s++) {
                dpc_chain_sweep(chain[c]);
                score[c] += dpc_chain_score(chain[c]) / BURN;
            }
            best = score[c] > best ? score[c] : best;
        }
    double *sum = some(r->sets.start[r->n], sizeof *sum);
    for (int c = 0; c < r->chains; c++)
        for (int s = 0; s < BURN; s++) {
            dpc_chain_sweep(chain[c]);
            dpc_chain_add_probabilities(chain[c], false, sum);
        }
    for (int i = 0; i < r->sets.start[r->n]; i++)
        sum[i] /= (double)r->chains * BURN;
    if (dpc_space_prefer(space, sum) != DPC_OK)
        stop("out of memory");
    free(score);
    free(sum);
}

static void start_chains(const run *r, dpc_space *space, dpc_chain **chain)
{
    double start = processor_seconds();
    for (int c = 0; c < r->chains; c++)
        if (dpc_chain_new(space, r->seed, (uint64_t)c, &chain[c]) != DPC_OK)
            stop("out of memory");
    dpc_chain_anneal(chain[0], ANNEAL, NULL, NULL);
    double anneal = processor_seconds() - start;
    burn_in(r, space, chain);
    printf("start      %.4f s a chain; a move in the order %.0f ns\n",
           (processor_seconds() - start - anneal) / r->chains, 1e9 * anneal / ANNEAL / r->n);
}

static void measure(run *r)
{
    dpc_arena memory = {0};
    dpc_space *space = make_space(r, &memory);
    dpc_chain **chain = some(r->chains, sizeof *chain);
    double *sum = some(r->sets.start[r->n], sizeof *sum), scores = 0;
    int64_t pairs = (int64_t)r->n * r->n;
    dpc_chain_counts all = {0};
    start_chains(r, space, chain);
    double start = processor_seconds();
    for (int c = 0; c < r->chains; c++) {
        dpc_chain_counts before = dpc_chain_count(chain[c]);
        for (int i = 0; i < r->records; i++) {
            for (int t = 0; t < r->thin; t++)
                dpc_chain_sweep(chain[c]);
            dpc_chain_add_probabilities(chain[c], false, sum);
            record(r, chain[c], r->share + c * pairs);
            scores += dpc_chain_score(chain[c]) / r->records / r->chains;
        }
        all.moves += dpc_chain_count(chain[c]).moves - before.moves;
        all.log_moves += dpc_chain_count(chain[c]).log_moves - before.log_moves;
    }
    double seconds = processor_seconds() - start;
    report(r, "dualpc", seconds, 1e9 * seconds / (double)all.moves);
    printf("           %.1f %% of the moves with exponents, mean score %.2f\n",
           100.0 * (double)all.log_moves / (double)all.moves, scores);
    for (int c = 0; c < r->chains; c++)
        dpc_chain_free(chain[c]);
    dpc_space_free(space);
    dpc_arena_clear(&memory);
    free(chain);
    free(sum);
}

/* ---- The laboratory ---- */

/* What it has written of the raw DAGs: rows of words, the parents of each node. */
static void read_laboratory(run *r, const char *prefix)
{
    char path[LINE];
    int64_t words = (r->n + 63) / 64, pairs = (int64_t)r->n * r->n;
    uint64_t *row = some(words, sizeof *row);
    snprintf(path, sizeof path, "%s.dags", prefix);
    FILE *file = open_file(path, "rb");
    memset(r->share, 0, (size_t)(r->chains * pairs) * sizeof *r->share);
    for (int64_t i = 0; i < (int64_t)r->chains * r->records; i++)
        for (int v = 0; v < r->n; v++) {
            if (fread(row, sizeof *row, (size_t)words, file) != (size_t)words)
                stop("too few DAGs");
            for (int u = 0; u < r->n; u++)
                if ((row[u / 64] >> (u % 64) & 1) != 0)
                    r->share[i / r->records * pairs + u * r->n + v] += 1.0 / r->records;
        }
    fclose(file);
    free(row);
}

static double number_after(const char *line, const char *name)
{
    const char *at = strstr(line, name);
    return at != NULL ? atof(at + strlen(name)) : NAN;
}

static void run_laboratory(run *r, const char *prefix, bool only_candidates)
{
    char command[4 * LINE], line[LINE];
    const char *chosen = r->candidates != NULL ? r->candidates : "";
    snprintf(command, sizeof command,
             "%s %s.cor none %d %s %s%s chains=%d rec=%d thin=%d burn=%d osweeps=%d obeta=.02 "
             "p1=.1 p2=.4 p3=.3 p4=.2 seed=%llu %s",
             r->laboratory, prefix, r->most, prefix, *chosen != '\0' ? "cand=" : "seed=1 ", chosen,
             only_candidates ? 1 : r->chains, only_candidates ? 1 : r->records, r->thin, BURN,
             only_candidates ? 0 : ANNEAL, (unsigned long long)r->seed,
             r->bge ? "" : "fbf=1 prior=1");
    FILE *pipe = popen(command, "r");
    if (pipe == NULL || fgets(line, sizeof line, pipe) == NULL || pclose(pipe) != 0)
        stop("the laboratory failed");
    if (only_candidates)
        return;
    read_laboratory(r, prefix);
    report(r, "laboratory", number_after(line, "\"t_samp\":"),
           number_after(line, "\"ns_per_move\":"));
}

/* False: there is no such option. */
static bool read_options(run *r, int argc, char **argv)
{
    int option;
    while ((option = getopt(argc, argv, "n:N:d:S:K:bc:r:t:f:k:l:")) != -1)
        switch (option) {
        case 'n':
            r->n = atoi(optarg);
            break;
        case 'N':
            r->n_obs = atoll(optarg);
            break;
        case 'd':
            r->parents = atof(optarg);
            break;
        case 'S':
            r->seed = strtoull(optarg, NULL, 10);
            break;
        case 'K':
            r->most = atoi(optarg);
            break;
        case 'b':
            r->bge = true;
            break;
        case 'c':
            r->chains = atoi(optarg);
            break;
        case 'r':
            r->records = atoi(optarg);
            break;
        case 't':
            r->thin = atoi(optarg);
            break;
        case 'f':
            r->file = optarg;
            break;
        case 'k':
            r->candidates = optarg;
            break;
        case 'l':
            r->laboratory = optarg;
            break;
        default:
            return false;
        }
    return true;
}

int main(int argc, char **argv)
{
    run r = {.n = 50,
             .most = 12,
             .chains = 16,
             .records = 1000,
             .thin = 3,
             .n_obs = 500,
             .parents = 2,
             .seed = 1};
    char prefix[LINE], chosen[LINE + 8];
    if (openblas_set_num_threads != NULL)
        openblas_set_num_threads(1);
    if (!read_options(&r, argc, argv))
        return 1;
    if (r.file != NULL)
        read_correlations(&r);
    else
        draw_correlations(&r);
    r.sets = (dpc_candidate_sets){r.n, some(r.n + 1, sizeof(int32_t)),
                                  some((int64_t)r.n * DPC_MOST_CANDIDATES, sizeof(int32_t))};
    r.share = some((int64_t)r.chains * r.n * r.n, sizeof *r.share);
    snprintf(prefix, sizeof prefix, "/tmp/dualpc-sample-%ld", (long)getpid());
    snprintf(chosen, sizeof chosen, "%s.cand", prefix);
    if (r.laboratory != NULL) {
        char path[LINE + 8];
        snprintf(path, sizeof path, "%s.cor", prefix);
        write_correlations(&r, path);
        if (r.candidates == NULL) {
            run_laboratory(&r, prefix, true);
            snprintf(path, sizeof path, "%s.kept", prefix);
            rename(chosen, path);
            r.candidates = strdup(path);
        }
    }
    if (r.candidates != NULL)
        read_candidates(&r, r.candidates);
    else
        choose_candidates(&r);
    printf("n %d, N %lld, %d chains\n", r.n, (long long)r.n_obs, r.chains);
    measure(&r);
    if (r.laboratory != NULL)
        run_laboratory(&r, prefix, false);
    return 0;
}

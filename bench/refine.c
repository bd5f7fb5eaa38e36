/*
 * Measures refinement on data as `dualpc simulate` draws them.
 *
 *     refine [-s sets] [-S seed] [-l LINE,…] [-f FILE] [-t threads] [-r restarts] [-v]
 *
 * holds it against all bars: how near it comes to the truth and to the optimum, against a rival and
 * in what share of its time (refine_bars.c, refine_small.c), and the times with many variables
 * (refine_times.c). 10 sets a line, from seed 1 on. -l takes some of the lines; `small` and `large`
 * are the names of the last two parts. -f has what a rival has found, "line,seed,score,cpu_ms".
 *
 *     refine -w DIR [-s sets] [-S seed] [-l LINE,…]
 *
 * writes the correlations of the same data sets, for a rival (rival.py).
 *
 *     refine [-s sets] [-S seed] [-t threads] [-r restarts] [-p price] [-v]
 *            none|fast|full [n N d [alpha]]
 *
 * prints SHD, share of exact CPDAGs and median milliseconds of one kind of refinement.
 */
#include "refine.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* As the command line program does: the threads are ours. */
__attribute__((weak)) void openblas_set_num_threads(int threads);

int bench_missed;

void bench_stop(const dpc_error *err)
{
    fprintf(stderr, "refine: %s\n", err->message);
    exit(1);
}

const char *bench_bar(bool met)
{
    bench_missed += !met;
    return met ? "met" : "MISSED";
}

double bench_cpu(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool bench_chosen(const bench_options *o, const char *name)
{
    size_t length = strlen(name);
    if (o->lines == NULL)
        return true;
    for (const char *at = o->lines; *at != '\0'; at += *at == ',') {
        size_t here = strcspn(at, ",");
        if (here == length && strncmp(at, name, length) == 0)
            return true;
        at += here;
    }
    return false;
}

static dpc_refinement how_of(const char *word)
{
    for (dpc_refinement how = DPC_REFINE_NONE; how <= DPC_REFINE_FULL; how++)
        if (strcmp(word, dpc_word(DPC_WORD_REFINEMENT, how)) == 0)
            return how;
    fprintf(stderr, "refine: none, fast or full, not %s\n", word);
    exit(1);
}

static void time_one_kind(int count, char **word, const bench_options *options)
{
    dpc_refinement how = how_of(word[0]);
    if (count >= 4)
        bench_time(how, options, atoi(word[1]), atoll(word[2]), atof(word[3]),
                   count > 4 ? atof(word[4]) : .01);
    else
        bench_times(how, options);
}

static void hold_against_bars(bench_options *options)
{
    bench_bars(options);
    if (bench_chosen(options, "small"))
        bench_small(options);
    if (bench_chosen(options, "large"))
        bench_times_large(options);
    printf("\n%d bars missed\n", bench_missed);
}

static const char *read_options(int argc, char **argv, bench_options *o)
{
    const char *dir = NULL;
    int option;
    while ((option = getopt(argc, argv, "t:s:S:r:p:l:f:w:v")) >= 0) {
        if (option == 't')
            o->threads = atoi(optarg);
        else if (option == 's')
            o->sets = atoi(optarg);
        else if (option == 'S')
            o->seed = strtoull(optarg, NULL, 10);
        else if (option == 'r')
            o->restarts = atoi(optarg);
        else if (option == 'p')
            o->price = atof(optarg);
        else if (option == 'l')
            o->lines = optarg;
        else if (option == 'f')
            o->rival = optarg;
        else if (option == 'w')
            dir = optarg;
        else if (option == 'v')
            o->each = true;
        else
            exit(1);
    }
    return dir;
}

int main(int argc, char **argv)
{
    bench_options options = {.threads = 1, .restarts = DPC_AUTO_RESTARTS, .seed = 1};
    if (openblas_set_num_threads != NULL)
        openblas_set_num_threads(1);
    const char *dir = read_options(argc, argv, &options);
    if (optind < argc) {
        time_one_kind(argc - optind, argv + optind, &options);
        return 0;
    }
    if (options.sets <= 0)
        options.sets = 10;
    if (dir != NULL)
        bench_write(&options, dir);
    else
        hold_against_bars(&options);
    return 0;
}

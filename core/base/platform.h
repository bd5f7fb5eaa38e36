/*
 * What differs from machine to machine and from system to system: time, memory, processors, and the
 * few calls that POSIX does not have. This header and platform.c are the only ones that ask where
 * they are. -DDPC_PORTABLE builds them as for a system and a processor that they do not know.
 */
#ifndef DPC_PLATFORM_H
#define DPC_PLATFORM_H

#include <locale.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* ---- Time ---- */

/* Seconds, for measuring. */
double dpc_seconds(void);

/* The same to some milliseconds, for a fraction of the price. */
double dpc_seconds_roughly(void);

/* ---- Memory ---- */

/* The most memory that this process can have, and what limits it: the beginning of a sentence. */
typedef struct dpc_memory_offer {
    double bytes;    /* INFINITY: not known */
    const char *who; /* such as "this machine has" */
} dpc_memory_offer;

/* The least of the machine's memory, its container's (cgroup, v1 or v2) and the process's limit. */
dpc_memory_offer dpc_memory_offered(void);

/* The container's alone, with the files of the system under `root`: "", but in the tests. */
double dpc_container_memory(const char *root);

/* Could that many more bytes be mapped now? */
bool dpc_can_map(size_t bytes);

/* Asks for large pages where they help. Advice: nothing depends on it. */
void dpc_advise_huge(void *memory, size_t bytes);

/* ---- Processors and threads ---- */

/* The most threads that a caller may ask for; OpenBLAS has memory for about as many. */
#define DPC_MOST_THREADS 256

/*
 * How many threads to start by default: OMP_NUM_THREADS, or the processors that this process may
 * use; never more than OMP_THREAD_LIMIT.
 */
int dpc_threads_offered(void);

/* Has this processor AVX2 and FMA? */
bool dpc_has_avx2(void);

/* Starts a thread that takes no signals, on a stack of moderate size; false: there can be none. */
bool dpc_thread_start(pthread_t *thread, void *(*run)(void *), void *context);

/* A condition variable that can be waited for with a time limit, and its lock. */
typedef struct dpc_wakeup {
    pthread_mutex_t lock;
    pthread_cond_t rung;
} dpc_wakeup;

void dpc_wakeup_init(dpc_wakeup *wakeup);
void dpc_wakeup_clear(dpc_wakeup *wakeup);
void dpc_wakeup_wait(dpc_wakeup *wakeup, double seconds); /* the lock is held */

/*
 * From here on this process is killed when its parent, the thread that forked it, ends; where the
 * system can do that. False: it has ended already.
 */
bool dpc_end_with_parent(pid_t parent);

/*
 * Compiled for AVX2 where there is such a thing. Four doubles that need not be aligned, and the
 * signs of four, as the lowest bits.
 */
#if defined(__x86_64__) && !defined(DPC_PORTABLE)
#define DPC_AVX2        __attribute__((target("avx2,fma")))
#define DPC_SIGNS(four) ((unsigned)__builtin_ia32_movmskpd256(four))
#else
#define DPC_AVX2
#define DPC_SIGN(x) (__builtin_signbit(x) != 0 ? 1u : 0u)
#define DPC_SIGNS(four)                                                                            \
    (DPC_SIGN((four)[0]) | DPC_SIGN((four)[1]) << 1 | DPC_SIGN((four)[2]) << 2 |                   \
     DPC_SIGN((four)[3]) << 3)
#endif

/* ---- Numbers and streams ---- */

/* strtod in the C locale. `c_locale` comes from newlocale(LC_ALL_MASK, "C", 0). */
double dpc_strtod(const char *text, locale_t c_locale);

/* A stream for writing whose bytes go to `write`, which returns how many it took or -1. */
typedef ssize_t (*dpc_stream_write)(void *cookie, const char *bytes, size_t count);
typedef int (*dpc_stream_close)(void *cookie);
FILE *dpc_stream_new(void *cookie, dpc_stream_write write, dpc_stream_close close);

#endif

/*
 * Counts the blocks of memory that the extension module has asked for and nobody has given back.
 * Loaded before all else, this takes the place of malloc and its kin; what others ask for passes
 * through. Nothing here depends on what the heap does with the blocks.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

enum { SLOTS = 1 << 20 };

static void *blocks[SLOTS]; /* open addressing; TAKEN where one was */
static char taken;
static long count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

long live(void)
{
    return count;
}

static int is_ours(const void *caller)
{
    Dl_info info;
    return dladdr(caller, &info) != 0 && info.dli_fname != NULL &&
           strstr(info.dli_fname, "/dualpc/_core") != NULL;
}

static size_t slot_of(const void *block)
{
    return ((size_t)block >> 4) * 0x9E3779B97F4A7C15u >> 44;
}

static void *note(void *block, const void *caller)
{
    if (block == NULL || !is_ours(caller))
        return block;
    pthread_mutex_lock(&lock);
    size_t i = slot_of(block);
    while (blocks[i] != NULL && blocks[i] != &taken)
        i = (i + 1) % SLOTS;
    blocks[i] = block;
    count++;
    pthread_mutex_unlock(&lock);
    return block;
}

static void forget(const void *block)
{
    if (block == NULL)
        return;
    pthread_mutex_lock(&lock);
    size_t i = slot_of(block);
    while (blocks[i] != NULL && blocks[i] != block)
        i = (i + 1) % SLOTS;
    if (blocks[i] != NULL) {
        blocks[i] = &taken;
        count--;
    }
    pthread_mutex_unlock(&lock);
}

void *malloc(size_t size)
{
    return note(__libc_malloc(size), __builtin_return_address(0));
}

void *calloc(size_t n, size_t size)
{
    return note(__libc_calloc(n, size), __builtin_return_address(0));
}

void *realloc(void *block, size_t size)
{
    forget(block); /* it is not refused: the tests have memory */
    return note(__libc_realloc(block, size), __builtin_return_address(0));
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    *block = note(__libc_memalign(alignment, size), __builtin_return_address(0));
    return *block != NULL ? 0 : ENOMEM;
}

void free(void *block)
{
    forget(block);
    __libc_free(block);
}

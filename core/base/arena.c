/* Arrays that live as long as one call: see arena.h. */
#include "arena.h"

#include <string.h>

/*
 * Small arrays share blocks; a large one has a block of its own, behind the newest, which still has
 * room. The memory of an array follows the head of its block, or is where `apart` says.
 */
enum { BLOCK = 1 << 14, LARGE = 1 << 12, ALIGNED = 16 };

typedef struct dpc_arena_block {
    struct dpc_arena_block *next;
    size_t used, size;
    void *apart; /* an aligned array, which was allocated by itself; owned; NULL: none */
    _Alignas(ALIGNED) char bytes[];
} dpc_arena_block;

static dpc_arena_block *new_block(size_t size)
{
    dpc_arena_block *block = malloc(sizeof *block + size);
    if (block != NULL)
        *block = (dpc_arena_block){.size = size};
    return block;
}

/* In front of the others, or behind the first one. */
static void add_block(dpc_arena *arena, dpc_arena_block *block, bool first)
{
    dpc_arena_block **at = first || arena->blocks == NULL ? &arena->blocks : &arena->blocks->next;
    block->next = *at;
    *at = block;
}

static void *fail(dpc_arena *arena)
{
    arena->failed = true;
    return NULL;
}

void *dpc_arena_alloc(dpc_arena *arena, int64_t count, size_t size)
{
    size_t bytes;
    if (count < 0 || __builtin_mul_overflow((size_t)count, size, &bytes) || bytes > SIZE_MAX / 2)
        return fail(arena);
    bytes = (bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
    dpc_arena_block *block = arena->blocks;
    if (block == NULL || block->size - block->used < bytes) {
        bool large = bytes > LARGE;
        block = new_block(large ? bytes : BLOCK);
        if (block == NULL)
            return fail(arena);
        add_block(arena, block, !large);
    }
    void *array = block->bytes + block->used;
    block->used += bytes;
    return array;
}

void *dpc_arena_zalloc(dpc_arena *arena, int64_t count, size_t size)
{
    void *array = dpc_arena_alloc(arena, count, size);
    if (array != NULL)
        memset(array, 0, (size_t)count * size);
    return array;
}

double *dpc_arena_aligned(dpc_arena *arena, int64_t count)
{
    dpc_arena_block *block = new_block(0);
    double *array = block != NULL ? dpc_alloc_aligned(count) : NULL;
    if (array == NULL) {
        free(block);
        return fail(arena);
    }
    block->apart = array;
    add_block(arena, block, false);
    return array;
}

void dpc_arena_clear(dpc_arena *arena)
{
    while (arena->blocks != NULL) {
        dpc_arena_block *block = arena->blocks;
        arena->blocks = block->next;
        free(block->apart);
        free(block);
    }
    *arena = (dpc_arena){0};
}

/* Names and their numbers: see names.h. Collisions go to the next slot; half are always free. */
#include "names.h"

#include "alloc.h"

#include <limits.h>
#include <string.h>

/* FNV-1a, 64 bits; its upper bits are folded in, since the slot takes the lower ones. */
static uint64_t hash(const char *text, size_t length)
{
    uint64_t h = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)text[i]) * UINT64_C(1099511628211);
    return h ^ (h >> 32);
}

/* The slot of the name, or the free one where it would be; there are slots. */
static int64_t slot_of(const dpc_names *names, const char *text, size_t length)
{
    int64_t mask = names->n_slots - 1, slot = (int64_t)(hash(text, length) & (uint64_t)mask);
    while (names->slots[slot] != 0) {
        const char *other = names->names[names->slots[slot] - 1];
        if (strncmp(other, text, length) == 0 && other[length] == '\0')
            break;
        slot = (slot + 1) & mask;
    }
    return slot;
}

int32_t dpc_names_find(const dpc_names *names, const char *text, size_t length)
{
    return names->n_slots == 0 ? -1 : names->slots[slot_of(names, text, length)] - 1;
}

/* Room for one name more. False: no memory. */
static bool make_room(dpc_names *names)
{
    if (names->count < names->capacity)
        return true;
    if (names->capacity > INT_MAX / 4)
        return false;
    int capacity = names->capacity > 0 ? 2 * names->capacity : 16;
    char **list = dpc_regrow(names->names, capacity, sizeof *list);
    if (list == NULL)
        return false;
    names->names = list;
    int32_t *slots = dpc_zalloc(2 * (int64_t)capacity, sizeof *slots);
    if (slots == NULL)
        return false;
    free(names->slots);
    names->slots = slots;
    names->n_slots = 2 * (int64_t)capacity;
    names->capacity = capacity;
    for (int i = 0; i < names->count; i++)
        slots[slot_of(names, list[i], strlen(list[i]))] = i + 1;
    return true;
}

int32_t dpc_names_add(dpc_names *names, const char *text, size_t length)
{
    int32_t found = dpc_names_find(names, text, length);
    if (found >= 0)
        return found;
    if (length >= PTRDIFF_MAX || !make_room(names))
        return -1;
    char *copy = dpc_alloc((int64_t)length + 1, 1);
    if (copy == NULL)
        return -1;
    memcpy(copy, text, length);
    copy[length] = '\0';
    names->names[names->count] = copy;
    names->slots[slot_of(names, text, length)] = ++names->count;
    return names->count - 1;
}

char **dpc_names_release(dpc_names *names)
{
    char **list = names->names;
    free(names->slots);
    *names = (dpc_names){0};
    return list;
}

void dpc_names_clear(dpc_names *names)
{
    dpc_names_free_list(names->names, names->count);
    free(names->slots);
    *names = (dpc_names){0};
}

void dpc_names_free_list(char **list, int count)
{
    for (int i = 0; list != NULL && i < count; i++)
        free(list[i]);
    free(list);
}

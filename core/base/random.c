/* Where a stream of random numbers starts: see random.h. */
#include "random.h"

/* The output of splitmix64 for a state, which it maps one to one. */
static uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* The first two words tell the seeds apart, the others the streams of a seed. */
void dpc_random_start(dpc_random *random, uint64_t seed, uint64_t stream)
{
    uint64_t *s = random->state;
    s[0] = mix(seed);
    s[1] = mix(s[0]);
    s[2] = mix(s[1] ^ mix(stream));
    s[3] = mix(s[2]);
    if ((s[0] | s[1] | s[2] | s[3]) == 0)
        s[0] = 1; /* the one state that the generator cannot leave */
}

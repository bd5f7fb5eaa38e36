/* A MAG that is changed edge by edge: see mag_state.h. */
#include "mag_state.h"

#include "random.h"
#include "status.h"

#include <string.h>

/* ---- Rows ---- */

static uint64_t *row_of(uint64_t *table, const dpc_mag_state *s, int v)
{
    return table + v * s->mag.words;
}

static void unite(uint64_t *to, const uint64_t *from, int64_t words)
{
    for (int64_t w = 0; w < words; w++)
        to[w] |= from[w];
}

static int count_bits(const uint64_t *row, int64_t words)
{
    int count = 0;
    for (int64_t w = 0; w < words; w++)
        count += __builtin_popcountll(row[w]);
    return count;
}

void dpc_mag_state_district(const dpc_mag_state *s, int v, uint64_t *row)
{
    int64_t words = s->mag.words;
    memset(row, 0, (size_t)words * sizeof *row);
    dpc_set_bit(row, words, 0, v);
    for (bool grows = true; grows;) {
        int before = count_bits(row, words);
        for (int u = -1; (u = dpc_next_bit(row, words, u)) >= 0;)
            unite(row, s->mag.spouses + u * words, words);
        grows = count_bits(row, words) > before;
    }
}

/* ---- Ancestors that follow ---- */

/* The node's own place in the order of the numbers of ancestors, among `count` in the list. */
static void insert(dpc_mag_state *s, int count, int v)
{
    int64_t words = s->mag.words;
    int own = count_bits(row_of(s->mag.ancestors, s, v), words), i = count;
    for (; i > 0 && count_bits(row_of(s->mag.ancestors, s, s->list[i - 1]), words) > own; i--)
        s->list[i] = s->list[i - 1];
    s->list[i] = v;
}

static void arrow_gone(dpc_mag_state *s, int y)
{
    int64_t words = s->mag.words;
    uint64_t *fresh = row_of(s->room, s, 0);
    int count = 0;
    for (int d = -1; (d = dpc_next_bit(row_of(s->descendants, s, y), words, d)) >= 0;)
        insert(s, count++, d);
    for (int i = 0; i < count; i++) {
        int d = s->list[i];
        uint64_t *row = row_of(s->mag.ancestors, s, d);
        memset(fresh, 0, (size_t)words * sizeof *fresh);
        dpc_set_bit(fresh, words, 0, d);
        for (int p = -1; (p = dpc_next_bit(row_of(s->mag.parents, s, d), words, p)) >= 0;)
            unite(fresh, row_of(s->mag.ancestors, s, p), words);
        for (int a = -1; (a = dpc_next_bit(row, words, a)) >= 0;)
            if (!dpc_bit(fresh, words, 0, a))
                dpc_clear_bit(s->descendants, words, a, d);
        memcpy(row, fresh, (size_t)words * sizeof *row);
    }
}

static void arrow_new(dpc_mag_state *s, int x, int y)
{
    int64_t words = s->mag.words;
    const uint64_t *above = row_of(s->mag.ancestors, s, x), *below = row_of(s->descendants, s, y);
    for (int d = -1; (d = dpc_next_bit(below, words, d)) >= 0;)
        unite(row_of(s->mag.ancestors, s, d), above, words);
    for (int a = -1; (a = dpc_next_bit(above, words, a)) >= 0;)
        unite(row_of(s->descendants, s, a), below, words);
}

/* ---- Changes ---- */

/* A parent or spouse u of v comes or goes. */
static void turn_key(dpc_mag_state *s, int v, int u, bool spouse, bool comes)
{
    uint64_t what = ((uint64_t)v << 33) ^ ((uint64_t)u << 1) ^ spouse;
    uint64_t low = dpc_mix(what), high = dpc_mix(~what);
    s->key[v].low += comes ? low : -low;
    s->key[v].high += comes ? high : -high;
}

static void count_edge(dpc_mag_state *s, int a, int b, dpc_mark mark, bool comes)
{
    if (mark == DPC_NONE)
        return;
    s->edges += comes ? 1 : -1;
    if (mark == DPC_BIDIRECTED)
        s->double_arrows += comes ? 1 : -1;
    if (dpc_end_b(mark) == DPC_END_ARROW)
        turn_key(s, b, a, mark == DPC_BIDIRECTED, comes);
    if (dpc_end_a(mark) == DPC_END_ARROW)
        turn_key(s, a, b, mark == DPC_BIDIRECTED, comes);
}

void dpc_mag_state_mark_only(dpc_mag_state *s, int a, int b, dpc_mark mark)
{
    count_edge(s, a, b, dpc_mag_mark(&s->mag, a, b), false);
    count_edge(s, a, b, mark, true);
    dpc_mag_set(&s->mag, a, b, mark);
}

void dpc_mag_state_set(dpc_mag_state *s, int a, int b, dpc_mark mark)
{
    dpc_mark old = dpc_mag_mark(&s->mag, a, b);
    dpc_mag_state_mark_only(s, a, b, mark);
    if (old == DPC_FORWARD || old == DPC_BACKWARD)
        arrow_gone(s, old == DPC_FORWARD ? b : a);
    if (mark == DPC_FORWARD)
        arrow_new(s, a, b);
    if (mark == DPC_BACKWARD)
        arrow_new(s, b, a);
}

/* Is there a way x → … → y beside the arrow between the two? */
static bool leads_around(const dpc_mag_state *s, int x, int y)
{
    int64_t words = s->mag.words;
    const uint64_t *children = s->mag.children + x * words, *above = s->mag.ancestors + y * words;
    uint64_t both = 0;
    for (int64_t w = 0; w < words; w++)
        both |= children[w] & above[w] & ~(w == y / 64 ? UINT64_C(1) << (y % 64) : 0);
    return both != 0;
}

/* Would x → y close a circle in the place of no edge, or an almost directed one in that of x ↔ y?
 */
static bool closes_any(const dpc_mag_state *s, int x, int y)
{
    int64_t words = s->mag.words;
    const uint64_t *above = s->mag.ancestors + x * words, *below = s->descendants + y * words;
    if (dpc_bit(above, words, 0, y))
        return true;
    for (int a = -1; (a = dpc_next_bit(above, words, a)) >= 0;) {
        const uint64_t *spouses = s->mag.spouses + a * words;
        for (int64_t w = 0; w < words; w++) {
            bool own = a == x && w == y / 64;
            if ((spouses[w] & below[w] & ~(own ? UINT64_C(1) << (y % 64) : 0)) != 0)
                return true;
        }
    }
    return false;
}

bool dpc_mag_state_is_hopeless(const dpc_mag_state *s, dpc_edge e)
{
    dpc_mark now = dpc_mag_mark(&s->mag, e.a, e.b);
    if (e.mark == DPC_NONE)
        return false;
    if (now == DPC_FORWARD)
        return leads_around(s, e.a, e.b);
    if (now == DPC_BACKWARD)
        return leads_around(s, e.b, e.a);
    if (e.mark == DPC_BIDIRECTED)
        return dpc_mag_is_ancestor(&s->mag, e.a, e.b) || dpc_mag_is_ancestor(&s->mag, e.b, e.a);
    return e.mark == DPC_FORWARD ? closes_any(s, e.a, e.b) : closes_any(s, e.b, e.a);
}

bool dpc_mag_state_change(dpc_mag_state *s, const dpc_edge *changes, int count)
{
    enum { FEW = 64 };
    dpc_mark few[FEW], *old = count <= FEW ? few : dpc_alloc(count, sizeof *old);
    int made = 0;
    if (old == NULL)
        return false;
    for (int i = 0; i < count; i++) {
        old[i] = dpc_mag_mark(&s->mag, changes[i].a, changes[i].b);
        dpc_mag_state_set(s, changes[i].a, changes[i].b, DPC_NONE);
    }
    while (made < count && !dpc_mag_state_is_hopeless(s, changes[made])) {
        dpc_mag_state_set(s, changes[made].a, changes[made].b, changes[made].mark);
        made++;
    }
    bool fine = made == count && dpc_mag_state_is_maximal(s);
    for (int i = 0; !fine && i < made; i++)
        dpc_mag_state_set(s, changes[i].a, changes[i].b, DPC_NONE);
    for (int i = 0; !fine && i < count; i++)
        dpc_mag_state_set(s, changes[i].a, changes[i].b, old[i]);
    if (old != few)
        free(old);
    return fine;
}

bool dpc_mag_state_allows(dpc_mag_state *s, dpc_edge change)
{
    dpc_mark old = dpc_mag_mark(&s->mag, change.a, change.b);
    if (!dpc_mag_state_change(s, &change, 1))
        return false;
    dpc_mag_state_set(s, change.a, change.b, DPC_NONE);
    dpc_mag_state_set(s, change.a, change.b, old);
    return true;
}

/* ---- Maximal graphs ---- */

/* The nodes that an inducing path through a district may end at. */
static void find_ends(dpc_mag_state *s, const uint64_t *district, uint64_t *ends)
{
    int64_t words = s->mag.words;
    uint64_t *below = row_of(s->room, s, 2);
    memset(below, 0, (size_t)words * sizeof *below);
    memcpy(ends, district, (size_t)words * sizeof *ends);
    for (int v = -1; (v = dpc_next_bit(district, words, v)) >= 0;) {
        const uint64_t *de = row_of(s->descendants, s, v);
        for (int64_t w = 0; w < words; w++)
            below[w] |= de[w] & ~(w == v / 64 ? UINT64_C(1) << (v % 64) : 0);
        unite(ends, row_of(s->mag.parents, s, v), words);
    }
    for (int64_t w = 0; w < words; w++)
        ends[w] &= below[w];
}

static bool district_is_maximal(dpc_mag_state *s, const uint64_t *district)
{
    int64_t words = s->mag.words;
    uint64_t *ends = row_of(s->room, s, 3), *room = row_of(s->room, s, 4);
    find_ends(s, district, ends);
    for (int x = -1; (x = dpc_next_bit(ends, words, x)) >= 0;)
        for (int y = x; (y = dpc_next_bit(ends, words, y)) >= 0;)
            if (!dpc_mag_adjacent(&s->mag, x, y) && dpc_mag_inducing(&s->mag, x, y, room))
                return false;
    return true;
}

bool dpc_mag_state_is_maximal(dpc_mag_state *s)
{
    int64_t words = s->mag.words;
    uint64_t *seen = row_of(s->room, s, 0), *district = row_of(s->room, s, 1);
    if (s->double_arrows == 0)
        return true;
    memset(seen, 0, (size_t)words * sizeof *seen);
    for (int v = 0; v < s->mag.n; v++) {
        const uint64_t *spouses = row_of(s->mag.spouses, s, v);
        if (dpc_bit(seen, words, 0, v) || dpc_next_bit(spouses, words, -1) < 0)
            continue;
        dpc_mag_state_district(s, v, district);
        if (!district_is_maximal(s, district))
            return false;
        unite(seen, district, words);
    }
    return true;
}

/* ---- Making and freeing ---- */

dpc_status dpc_mag_state_init(dpc_mag_state *s, const dpc_graph *mag)
{
    *s = (dpc_mag_state){0};
    DPC_CHECK(dpc_mag_of(mag, &s->mag));
    int n = s->mag.n;
    int64_t words = s->mag.words;
    s->descendants = dpc_arena_zalloc(&s->memory, n * words, sizeof *s->descendants);
    s->key = dpc_arena_zalloc(&s->memory, n, sizeof *s->key);
    s->room = dpc_arena_alloc(&s->memory, 8 * words, sizeof *s->room);
    s->list = dpc_arena_alloc(&s->memory, n, sizeof *s->list);
    if (dpc_arena_failed(&s->memory))
        return DPC_NO_MEMORY;
    for (int v = 0; v < n; v++)
        for (int a = -1; (a = dpc_next_bit(row_of(s->mag.ancestors, s, v), words, a)) >= 0;)
            dpc_set_bit(s->descendants, words, a, v);
    for (int64_t i = 0; i < mag->n_edges; i++)
        count_edge(s, mag->edges[i].a, mag->edges[i].b, mag->edges[i].mark, true);
    return DPC_OK;
}

void dpc_mag_state_clear(dpc_mag_state *s)
{
    dpc_mag_clear(&s->mag);
    dpc_arena_clear(&s->memory);
    *s = (dpc_mag_state){0};
}

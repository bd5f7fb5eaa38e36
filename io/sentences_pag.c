/* The marks of a PAG in plain words: see speaker.h. */
#include "graph.h"
#include "speaker.h"

#include <math.h>

static dpc_mark mark_of(const dpc_speaker *t, int a, int b)
{
    return dpc_graph_mark(dpc_result_graph(t->result), a, b);
}

/* A way through the graph with its marks: A o-> B <-> C. */
static void say_way(const dpc_speaker *t, const int32_t *nodes, int count)
{
    for (int i = 0; i < count; i++) {
        if (i > 0)
            fprintf(t->file, " %s ", dpc_mark_text(mark_of(t, nodes[i - 1], nodes[i])));
        dpc_say_name(t, nodes[i]);
    }
}

static void say_three(const dpc_speaker *t, int a, int b, int c)
{
    say_way(t, (const int32_t[]){a, b, c}, 3);
}

static void say_between(const dpc_speaker *t, int a, int c)
{
    dpc_say_name(t, a);
    fputs(" and ", t->file);
    dpc_say_name(t, c);
}

/*
 * What separated two nodes that are not adjacent, and whether it has b. Where all others did, the
 * empty set may have done it too, and counts then.
 */
static void say_set(const dpc_speaker *t, int a, int c, int b, bool collider)
{
    dpc_sepset set = dpc_say_separation_of(t, a, c);
    bool inside = false;
    if (set.kind == DPC_SEP_NONE || set.kind == DPC_SEP_FORBIDDEN)
        return;
    for (int i = 0; i < set.size; i++)
        inside = inside || t->members[i] == b;
    fputs(", and were separated by ", t->file);
    if (set.size == 0) {
        fputs("the empty set", t->file);
        return;
    }
    if (set.kind == DPC_SEP_FULL_ORDER) {
        fputs("all others", t->file);
        return;
    }
    dpc_say_names(t, t->members, set.size);
    fputs(inside ? ", with " : ", without ", t->file);
    dpc_say_name(t, b);
    fputs(inside == collider ? ", which speaks against it" : "", t->file);
}

/* An unshielded triple with b in the middle. */
static void say_triple(const dpc_speaker *t, int x, int b, int z, bool collider)
{
    say_three(t, x, b, z);
    fprintf(t->file, "; %s collider between ", collider ? "a" : "no");
    say_between(t, x, z);
    fputs(", which are not adjacent", t->file);
    say_set(t, x, z, b, collider);
}

/* R4: a path d … a, b, c. */
static void say_path(const dpc_speaker *t, const int32_t *o)
{
    bool collider = dpc_end_b(mark_of(t, o[1], o[2])) == DPC_END_ARROW &&
                    dpc_end_a(mark_of(t, o[2], o[3])) == DPC_END_ARROW;
    fputs("the path from ", t->file);
    dpc_say_name(t, o[0]);
    fputs(" to ", t->file);
    say_three(t, o[1], o[2], o[3]);
    fputs(" decides about ", t->file);
    dpc_say_name(t, o[2]);
    fprintf(t->file, ", which is %s on it", collider ? "a collider" : "no collider");
}

/* The premises of the end at y of x *-* y. */
static void say_premises(const dpc_speaker *t, int x, int y, const dpc_end_reason *why)
{
    const int32_t *o = why->other;
    bool tail = why->end == DPC_END_TAIL;
    switch (why->rule) {
    case 0:
        say_triple(t, x, y, o[0], true);
        break;
    case 1: /* y is the node in the middle where its end has the tail, the last one otherwise */
        say_triple(t, o[0], tail ? y : x, tail ? x : y, false);
        break;
    case 2:
        say_three(t, x, o[0], y);
        fputs(", and no variable is a cause of itself", t->file);
        break;
    case 3:
        say_three(t, o[0], y, o[1]);
        fputs("; ", t->file);
        dpc_say_name(t, x);
        fputs(" is no collider between ", t->file);
        say_between(t, o[0], o[1]);
        break;
    case 4:
        say_path(t, o);
        break;
    case 5:
        fputs("the two lie on a circle of o-o edges, beside ", t->file);
        say_between(t, o[0], o[1]);
        break;
    case 6:
    case 7:
        say_three(t, o[0], y, x);
        break;
    case 8:
        say_three(t, y, o[0], x);
        break;
    case 9:
        fputs("a path from ", t->file);
        dpc_say_name(t, y);
        fputs(" through ", t->file);
        dpc_say_name(t, o[0]);
        fputs(" to ", t->file);
        dpc_say_name(t, x);
        fputs(" may be directed, and would have to be", t->file);
        break;
    default: /* 10 */
        fputs("paths from ", t->file);
        dpc_say_name(t, y);
        fputs(" through ", t->file);
        say_between(t, o[2], o[3]);
        fputs(" to the parents ", t->file);
        say_between(t, o[0], o[1]);
        fputs(" may be directed, and one would have to be", t->file);
        break;
    }
    fprintf(t->file, " (R%d)", why->rule);
}

static void say_end(const dpc_speaker *t, int x, int y, const dpc_end_reason *why)
{
    static const char *const WORDS[] = {"", "a circle", "an arrowhead", "a tail"};
    fputs("  at ", t->file);
    dpc_say_name(t, y);
    fprintf(t->file, " %s: ", WORDS[why->end]);
    if (why->end == DPC_END_CIRCLE)
        fputs("some graphs of the class have a tail there, others an arrowhead", t->file);
    else if (why->rule == DPC_RULE_KNOWN)
        fputs("the knowledge says so", t->file);
    else if (why->rule == DPC_RULE_NONE)
        fputs("no single rule gives it from the graph as it is", t->file);
    else
        say_premises(t, x, y, why);
    fputs(".\n", t->file);
}

void dpc_say_ends(const dpc_speaker *t, const dpc_explanation *e)
{
    say_end(t, e->b, e->a, &e->end_a);
    say_end(t, e->a, e->b, &e->end_b);
    if (e->tested == e->mark || e->tested == DPC_NONE)
        return;
    fputs("  the tests say ", t->file);
    dpc_say_name(t, e->a);
    fprintf(t->file, " %s ", dpc_mark_text(e->tested));
    dpc_say_name(t, e->b);
    fputs("; together with the other edges that is no PAG, and was repaired.\n", t->file);
}

/* ---- The score ---- */

void dpc_say_lost(const dpc_speaker *t, const dpc_explanation *e)
{
    static const dpc_mark MARKS[] = {DPC_NONE, DPC_FORWARD, DPC_BACKWARD, DPC_BIDIRECTED};
    const double lost[] = {e->lost.none, e->lost.forward, e->lost.backward, e->lost.both};
    dpc_mark now = dpc_graph_mark(dpc_result_info(t->result)->hidden->mag, e->a, e->b);
    fputs(now == DPC_NONE ? "it is not in the best graph that was found"
                          : "the best graph that was found has it",
          t->file);
    const char *between = "; the score would fall by ";
    for (int i = 0; i < 4; i++) {
        if (MARKS[i] == now || isnan(lost[i]))
            continue;
        /* not -0.00 of another graph of the class */
        fprintf(t->file, "%s%.2f with ", between, fabs(lost[i]) < 0.005 ? 0.0 : lost[i]);
        if (MARKS[i] == DPC_NONE) {
            fputs("no edge", t->file);
        } else {
            dpc_say_name(t, e->a);
            fprintf(t->file, " %s ", dpc_mark_text(MARKS[i]));
            dpc_say_name(t, e->b);
        }
        between = ", by ";
    }
    fputs(between[0] == ';' ? "; what is known and the edges around it allow nothing else.\n"
                            : ".\n",
          t->file);
}

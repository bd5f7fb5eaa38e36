/* The bar on the terminal, and the one callback that the library takes for it and for Ctrl-C. */
#include "cli.h"
#include "platform.h"
#include "text.h"

#include <string.h>
#include <unistd.h>

static const double BETWEEN_DRAWINGS = 0.1, BETWEEN_LINES = 30, BEFORE_FIRST = 0.3;

static const char *const STAGES[DPC_N_STAGES] = {
    "reading",  "preparing", "correlations", "skeleton", "orienting", "writing",  "resamples",
    "refining", "effects",   "explaining",   "drawing",  "report",    "sampling", "hidden causes"};

void bar_init(bar *b, bool quiet, dpc_method method)
{
    bool terminal = isatty(STDERR_FILENO) != 0;
    *b = (bar){.shown = !quiet && terminal,
               .lines = !quiet && !terminal && program_library_ranks() != NULL,
               .greedy = method == DPC_GES,
               .start = dpc_seconds()};
    b->last = b->lines ? b->start : 0;
}

void bar_begin_posterior(bar *b)
{
    b->posterior = true;
    b->bootstrap_start = b->refine_start = 0;
}

static void human(char *text, size_t size, double count)
{
    const char *const units[] = {"", " k", " M", " G"};
    int unit = 0;
    while (count >= 1000 && unit < 3) {
        count /= 1000;
        unit++;
    }
    snprintf(text, size, count < 10 && unit > 0 ? "%.1f%s" : "%.0f%s", count, units[unit]);
}

static void draw_left(double seconds)
{
    if (seconds < 90)
        fprintf(stderr, ", %.0f s left", seconds);
    else if (seconds < 90 * 60)
        fprintf(stderr, ", %.0f min left", seconds / 60);
    else
        fprintf(stderr, ", %.0f h left", seconds / 3600);
}

/* How many, and the time left, if the others take as long as those done. */
static void draw_resamples(const bar *b, const dpc_progress *p, double now)
{
    fprintf(stderr, "  %d of %d%s", p->resamples_done, p->resamples,
            b->posterior ? " resamples" : "");
    if (p->resamples_done == 0)
        return;
    draw_left((now - b->bootstrap_start) * (p->resamples - p->resamples_done) / p->resamples_done);
}

/* Is there a graph that is getting better? */
static bool is_refined(const dpc_progress *p)
{
    return p->stage == DPC_STAGE_REFINE || p->stage == DPC_STAGE_HIDDEN;
}

static const char *stage_name(const bar *b, const dpc_progress *p)
{
    bool learns = p->stage == DPC_STAGE_BOOTSTRAP || is_refined(p) ||
                  p->stage == DPC_STAGE_SKELETON || p->stage == DPC_STAGE_ORIENT;
    if (b->posterior && learns)
        return "candidates";
    return p->stage == DPC_STAGE_SKELETON && b->greedy ? "searching" : STAGES[p->stage];
}

/* The stage, and how much of it is done. */
static void draw_stage(const bar *b, const dpc_progress *p, bool brief)
{
    enum { WIDTH = 14 };
    char cells[WIDTH + 1];
    int full = (int)(p->fraction * WIDTH);
    memset(cells, '.', WIDTH);
    memset(cells, '#', (size_t)(full < 0 ? 0 : full > WIDTH ? WIDTH : full));
    cells[WIDTH] = '\0';
    const char *stage = stage_name(b, p);
    const char *anew = b->lines ? "" : "\r\033[K";
    if (brief || b->lines)
        fprintf(stderr, "%s%s %.0f%%", anew, stage, 100 * p->fraction);
    else
        fprintf(stderr, "%s%-12s [%s] %3.0f%%", anew, stage, cells, 100 * p->fraction);
}

/* Level 0 is one test of each kind for all pairs at once: it has no rate. */
static void draw_search(const bar *b, const dpc_progress *p, double now)
{
    char edges[16], rate[16];
    double seconds = now - b->skeleton_start;
    human(edges, sizeof edges, (double)p->edges);
    human(rate, sizeof rate, seconds > 0 ? (double)(p->tests + p->scores) / seconds : 0);
    if (b->greedy)
        fprintf(stderr, "  round %d, %s edges, %s scores/s", p->round + 1, edges, rate);
    else if (p->level == 0)
        fprintf(stderr, "  level 0");
    else
        fprintf(stderr, "  level %d, %s edges left, %s tests/s", p->level, edges, rate);
}

/* The best graph so far, and the time left, as far as the part that is done tells. */
static void draw_refinement(const bar *b, const dpc_progress *p, double now)
{
    if (p->edges > 0 && !b->posterior)
        fprintf(stderr, "  score %.1f, %lld edges", p->score, (long long)p->edges);
    if (p->fraction > 0.2)
        draw_left((now - b->refine_start) * (1 - p->fraction) / p->fraction);
}

/* The beginning of a name, safe to print. */
static void shorten(const char *name, char out[DPC_CLIP_SIZE])
{
    enum { COLUMNS = 10 };
    size_t length = strlen(name), used = 0;
    for (int columns = 0; used < length;) {
        int bytes = dpc_utf8_length(name + used, length - used);
        columns += bytes > 2 ? 2 : 1; /* as wide as such a character may be */
        if (columns > COLUMNS)
            break;
        used += (size_t)(bytes > 0 ? bytes : 1);
    }
    dpc_clip(name, used, false, out);
    if (used < length)
        strcat(out, "…"); /* there is room: what was taken is shorter than a clip */
}

/* How many graphs each chain has, and the time left, if the others take as long as those. */
static void draw_draws(const bar *b, const dpc_progress *p, double now)
{
    if (p->draws_done == 0) {
        fputs("  the chains start", stderr);
        return;
    }
    fprintf(stderr, "  %d of %d draws", p->draws_done, p->draws);
    draw_left((now - b->draws_start) * (p->draws - p->draws_done) / p->draws_done);
}

static void draw(bar *b, const dpc_progress *p, double now)
{
    char name[DPC_CLIP_SIZE];
    bool named = p->node >= 0 && b->names != NULL;
    draw_stage(b, p, named);
    if (p->stage == DPC_STAGE_SKELETON && !b->posterior)
        draw_search(b, p, now);
    if (p->stage == DPC_STAGE_BOOTSTRAP)
        draw_resamples(b, p, now);
    if (is_refined(p))
        draw_refinement(b, p, now);
    if (p->stage == DPC_STAGE_SAMPLE)
        draw_draws(b, p, now);
    if (named) {
        shorten(b->names[p->node], name);
        fprintf(stderr, ", at %s: %.0f%%", name, 100 * p->node_fraction);
    }
    if (b->lines)
        fputc('\n', stderr);
    fflush(stderr);
    b->dirty = !b->lines;
}

int bar_update(const dpc_progress *p, void *user)
{
    bar *b = user;
    bool drawn = p->stage == DPC_STAGE_SAMPLE && p->draws_done > 0;
    bool learned = (p->stage == DPC_STAGE_BOOTSTRAP && p->resamples_done > 0) || is_refined(p);
    if (drawn || (learned && !b->posterior))
        interrupt_patiently(); /* there is something to be written */
    if (b->shown || b->lines) {
        double now = dpc_seconds();
        if (p->stage == DPC_STAGE_SKELETON && b->skeleton_start == 0)
            b->skeleton_start = now;
        if (p->stage == DPC_STAGE_BOOTSTRAP && b->bootstrap_start == 0)
            b->bootstrap_start = now;
        if (is_refined(p) && (b->refine_start == 0 || b->refined != p->stage))
            b->refine_start = now;
        if (is_refined(p))
            b->refined = p->stage;
        if (p->stage == DPC_STAGE_SAMPLE && !drawn)
            b->draws_start = now;
        if (now - b->start > BEFORE_FIRST &&
            now - b->last > (b->lines ? BETWEEN_LINES : BETWEEN_DRAWINGS)) {
            b->last = now;
            draw(b, p, now);
        }
    }
    return interrupted();
}

void bar_clear(bar *b)
{
    if (b->dirty)
        fputs("\r\033[K", stderr);
    b->dirty = false;
}

/* dualpc learn --bootstrap: its options, its run, and what is told of it. */
#include "cli.h"
#include "status.h"

#include <stdlib.h>

/* ---- Options ---- */

dpc_status check_bootstrap(const options *o, bool seed_given, dpc_error *err)
{
    const char *lone = o->resampling.subsample > 0 ? "--subsample"
                       : o->frequencies != NULL    ? "--frequencies"
                       : o->min_frequency > 0      ? "--min-frequency"
                                                   : NULL;
    bool refined = o->settings.method != DPC_GES && dpc_by_score(&o->settings);
    if (seed_given && o->resampling.resamples == 0 && !refined &&
        o->settings.refine == DPC_REFINE_NONE && !o->posterior.wanted)
        return dpc_fail(err, DPC_USAGE,
                        "--seed goes with --bootstrap B, --refine, --latent search or --posterior");
    if (o->resampling.resamples == 0 && lone != NULL)
        return dpc_fail(err, DPC_USAGE, "%s goes with --bootstrap B, the number of resamples",
                        lone);
    if (o->resampling.resamples == 0)
        return DPC_OK;
    if (o->reading.correlation)
        return dpc_fail(err, DPC_USAGE,
                        "--bootstrap draws rows of the table, which a correlation matrix has "
                        "none of");
    if (o->settings.keep_separating_sets && o->min_frequency > 0)
        return dpc_fail(err, DPC_USAGE,
                        "--separating-sets are those of one graph, and --min-frequency makes "
                        "one of many");
    if (o->settings.min_evidence != DPC_NO_MIN_EVIDENCE && o->min_frequency > 0)
        return dpc_fail(err, DPC_USAGE,
                        "--min-evidence weighs the arrows of one graph, and those of a consensus "
                        "have votes; leave out --min-evidence or --min-frequency");
    if (o->n_explain > 0 && o->min_frequency > 0)
        return dpc_fail(err, DPC_USAGE,
                        "--explain: explanations are those of the learned graph; leave out "
                        "--min-frequency");
    return DPC_OK;
}

/* ---- The run ---- */

dpc_status bootstrap_run(const options *o, const dpc_settings *settings, const dpc_table *table,
                         dpc_frequencies **out, dpc_effect_resamples **effects,
                         dpc_graph **consensus, bool *called_off, dpc_error *err)
{
    dpc_resampling resampling = o->resampling;
    resampling.seed = o->settings.seed;
    const dpc_effect_query all = {0};
    dpc_status status = o->effects != NULL ? dpc_bootstrap_effects(table, settings, &resampling,
                                                                   &all, out, effects, err)
                                           : dpc_bootstrap(table, settings, &resampling, out, err);
    if (status == DPC_INTERRUPTED && *out != NULL) {
        interrupt_forget(); /* what there is will be written; the next signal is about that */
        *called_off = true;
        status = DPC_OK;
    }
    if (status == DPC_OK && *out != NULL && o->min_frequency > 0)
        status = dpc_consensus(*out, o->min_frequency, o->settings.progress,
                               o->settings.progress_user, consensus, err);
    return status;
}

/* ---- What is told ---- */

static int64_t at_least(const dpc_frequencies *f, double share)
{
    int64_t count = 0;
    for (int64_t i = 0; i < f->n_pairs; i++)
        count += f->pairs[i].edge / f->total >= share;
    return count;
}

void print_bootstrap(FILE *file, const dpc_frequencies *f)
{
    fprintf(file, "  bootstrap: %d resample%s of %lld rows %s replacement, seed %llu\n",
            f->resamples, f->resamples == 1 ? "" : "s", (long long)f->rows,
            f->resampling.subsample > 0 ? "without" : "with",
            (unsigned long long)f->resampling.seed);
    fprintf(file,
            "  %lld pairs joined at least once, %lld in at least half of them, %lld in at least "
            "90 %%\n",
            (long long)f->n_pairs, (long long)at_least(f, 0.5), (long long)at_least(f, 0.9));
    if (f->constant > 0)
        fprintf(file,
                "  warning: in %d resample%s a column was constant that varies in the data; it "
                "had no edges there\n",
                f->constant, f->constant == 1 ? "" : "s");
}

dpc_status tell_called_off(const dpc_frequencies *f)
{
    fprintf(stderr, "dualpc: interrupted after %d of %d resamples, which were written\n",
            f->resamples, f->resampling.resamples);
    return DPC_INTERRUPTED;
}

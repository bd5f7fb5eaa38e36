/* What the rooms ask of the settings, beyond reading a field. */
#ifndef DPC_SETTINGS_H
#define DPC_SETTINGS_H

#include "options.h"
#include "platform.h"

#define DPC_TEXT_OF(number) #number
#define DPC_RANGE_TO(most)  "[1," DPC_TEXT_OF(most) "]"
#define DPC_THREADS_RANGE   DPC_RANGE_TO(DPC_MOST_THREADS)

/* The table of all settings that can be given as text. */
const dpc_option_row *dpc_settings_rows(int *count);

/*
 * A checked and whole copy of `given`, or of the defaults where it is NULL, with all values of
 * their own in the place of auto ones (but for the penalty, which depends on the data). Every
 * public function that takes settings begins here, and passes on what it gets: it is cheap, and
 * changes nothing where it is done twice.
 */
dpc_status dpc_settings_or_default(const dpc_settings *given, dpc_settings *out, dpc_error *err);

/* Is every setting in its range, and do they go together? */
dpc_status dpc_settings_check(const dpc_settings *settings, dpc_error *err);

/* The part of it that chooses: alpha, alpha_dual, rule and order. */
void dpc_settings_resolve(dpc_settings *settings);

/* Checks whole settings. Sentences call them by their names with `dashes` before them. */
dpc_status dpc_settings_check_named(const dpc_settings *settings, const char *dashes,
                                    dpc_error *err);

/* Does a score decide on the edges, rather than tests? */
bool dpc_by_score(const dpc_settings *settings);

/* DPC_USAGE where hidden causes are allowed for; `what` begins "… is about graphs without". */
dpc_status dpc_settings_check_no_latent(const dpc_settings *settings, const char *what,
                                        dpc_error *err);

/*
 * The price of a parameter of GES, in log N. Where it is left to the library that is 1, and that of
 * EBIC, ½ log N + log n, where there are fewer observations than variables.
 */
double dpc_penalty(const dpc_settings *settings, int n_vars, double n_obs);
double dpc_ebic(int n_vars, double n_obs);

/* The number of threads to use, at least 1. */
int dpc_thread_count(const dpc_settings *settings);

#endif

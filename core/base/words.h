/*
 * The words of the choices, in the order of their enums, each list ended by NULL: the same in the
 * shell, in JSON and in other languages. dpc_word has all of them; these are also lists of options.
 */
#ifndef DPC_WORDS_H
#define DPC_WORDS_H

#include "dualpc.h"

extern const char *const dpc_method_words[];
extern const char *const dpc_variant_words[];
extern const char *const dpc_rule_words[];
extern const char *const dpc_test_words[];
extern const char *const dpc_normalize_words[];
extern const char *const dpc_target_words[];
extern const char *const dpc_orientation_words[];
extern const char *const dpc_order_words[];
extern const char *const dpc_refinement_words[];
extern const char *const dpc_relations_words[];
extern const char *const dpc_categorical_words[];
extern const char *const dpc_hidden_words[];
extern const char *const dpc_missing_words[];
extern const char *const dpc_variable_words[];
extern const char *const dpc_score_words[];
extern const char *const dpc_prior_words[];

#endif

/* The words of the choices: see words.h. */
#include "words.h"

const char *const dpc_method_words[] = {"dual", "classic", "precision", "ges", NULL};
const char *const dpc_variant_words[] = {"stable", "standard", NULL};
const char *const dpc_rule_words[] = {"or", "and", "auto", NULL};
const char *const dpc_test_words[] = {"z", "t", NULL};
const char *const dpc_normalize_words[] = {"none", "copula", NULL};
const char *const dpc_target_words[] = {"cpdag", "pattern", "skeleton", NULL};
const char *const dpc_orientation_words[] = {"consistent", "relaxed", "majority", "conservative",
                                             NULL};
const char *const dpc_order_words[] = {"canonical", "given", "auto", NULL};
const char *const dpc_refinement_words[] = {"none", "fast", "full", NULL};
const char *const dpc_missing_words[] = {"error", "rows", "pairwise", "em", NULL};

/* Walks, so that what is no value of the enum is never read. */
static const char *word_at(const char *const *words, int value)
{
    for (int i = 0; words[i] != NULL; i++)
        if (i == value)
            return words[i];
    return NULL;
}

const char *dpc_method_word(dpc_method method)
{
    return word_at(dpc_method_words, (int)method);
}

const char *dpc_variant_word(dpc_variant variant)
{
    return word_at(dpc_variant_words, (int)variant);
}

const char *dpc_rule_word(dpc_rule rule)
{
    return word_at(dpc_rule_words, (int)rule);
}

const char *dpc_test_word(dpc_test test)
{
    return word_at(dpc_test_words, (int)test);
}

const char *dpc_normalize_word(dpc_normalize normalize)
{
    return word_at(dpc_normalize_words, (int)normalize);
}

const char *dpc_target_word(dpc_target target)
{
    return word_at(dpc_target_words, (int)target);
}

const char *dpc_orientation_word(dpc_orientation orientation)
{
    return word_at(dpc_orientation_words, (int)orientation);
}

const char *dpc_order_word(dpc_order order)
{
    return word_at(dpc_order_words, (int)order);
}

const char *dpc_refinement_word(dpc_refinement refinement)
{
    return word_at(dpc_refinement_words, (int)refinement);
}

const char *dpc_missing_word(dpc_missing missing)
{
    return word_at(dpc_missing_words, (int)missing);
}

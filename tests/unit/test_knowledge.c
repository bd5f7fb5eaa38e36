/*
 * Background knowledge, said and read: what each format may hold, every error with its line, what
 * contradicts itself, and files that are cut off or spoilt.
 */
#include "cases.h"
#include "dualpc_io.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { N = 7 };

static const char *const NAMES[N] = {"A", "B", "C", "D", "a name", "say \"E\"", "#F"};
enum { A, B, C, D, NAME, E, F };

static char path[] = "/tmp/dualpc-knowledge-XXXXXX";

static int enter(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int leave(void **state)
{
    (void)state;
    return unlink(path);
}

/* A text in memory is read as the file would be. */
static void parse_too(const char *bytes, size_t size, dpc_status status, const dpc_error *told)
{
    char *text = strndup(bytes, size);
    dpc_knowledge *k = NULL;
    dpc_error err = {0};
    assert_non_null(text);
    assert_int_equal(dpc_knowledge_parse(text, path, NAMES, N, &k, &err), status);
    assert_int_equal(k != NULL, status == DPC_OK);
    if (status != DPC_OK)
        assert_string_equal(err.message, told->message);
    dpc_knowledge_free(k);
    free(text);
}

static dpc_status read_bytes(const char *bytes, size_t size, dpc_knowledge **out, dpc_error *err)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    *out = NULL;
    dpc_status status = dpc_knowledge_read(path, NAMES, N, out, err);
    assert_int_equal(*out != NULL, status == DPC_OK);
    if (memchr(bytes, '\0', size) == NULL)
        parse_too(bytes, size, status, err);
    return status;
}

static dpc_knowledge *read_text(const char *text)
{
    dpc_knowledge *k = NULL;
    dpc_error err = {0};
    if (read_bytes(text, strlen(text), &k, &err) != DPC_OK)
        fail_msg("%s", err.message);
    return k;
}

static void expect_counts(const dpc_knowledge *k, int tiers, int required, int forbidden)
{
    dpc_knowledge_counts counts;
    dpc_knowledge_count(k, &counts);
    assert_int_equal(counts.n_vars, N);
    assert_int_equal(counts.tiers, tiers);
    assert_int_equal(counts.required, required);
    assert_int_equal(counts.forbidden, forbidden);
}

/* ---- What may be said ---- */

static void check_all_parts(const dpc_knowledge *k)
{
    expect_counts(k, 3, 2, 6);
    assert_int_equal(dpc_knowledge_tier_of(k, B), dpc_knowledge_tier_of(k, A));
    assert_true(dpc_knowledge_tier_of(k, C) > dpc_knowledge_tier_of(k, A));
    assert_int_equal(dpc_knowledge_tier_of(k, NAME), -1);
    assert_true(dpc_knowledge_forbids(k, C, A) && !dpc_knowledge_forbids(k, A, C));
    assert_true(dpc_knowledge_forbids(k, C, D) && dpc_knowledge_forbids(k, D, C));
    assert_false(dpc_knowledge_forbids(k, A, B));
    assert_true(dpc_knowledge_requires(k, A, NAME) && !dpc_knowledge_requires(k, NAME, A));
    assert_true(dpc_knowledge_forbids(k, NAME, A));
    assert_true(dpc_knowledge_requires(k, B, E));
    assert_true(dpc_knowledge_forbids(k, F, B) && !dpc_knowledge_forbids(k, B, F));
    assert_true(dpc_knowledge_forbids(k, C, NAME) && dpc_knowledge_forbids(k, D, E));
    assert_false(dpc_knowledge_forbids(k, NAME, C));
}

static void test_text(void **state)
{
    (void)state;
    dpc_knowledge *k = read_text("/knowledge\n"
                                 "addtemporal\n"
                                 "\n"
                                 "1 A B\n"
                                 "2* C D\r\n"
                                 "9 #F\n"
                                 "// no comment\n"
                                 "# another one\n"
                                 "forbiddirect\n"
                                 "#F B\n"
                                 "  #F\tA  \n"
                                 "RequireDirect\n"
                                 "A \"a name\"\n"
                                 "forbiddengroup\n"
                                 "C D\n"
                                 "\"a name\" \"say \"\"E\"\"\"\n"
                                 "requiredgroup\n"
                                 "B\n"
                                 "\"say \"\"E\"\"\"");
    check_all_parts(k);
    dpc_knowledge_free(k);
    k = read_text("/knowledge comma\naddtemporal\n0, A,B\n1*,C , D\n2 #F\nforbiddirect\n#F,B\n"
                  "#F, A\nC,a name\nC,say \"E\"\nD, \"a name\"\nD,\"say \"\"E\"\"\"\n"
                  "requiredirect\nA,a name\nB , say \"E\"\n");
    check_all_parts(k);
    dpc_knowledge_free(k);
}

static void test_json(void **state)
{
    (void)state;
    dpc_knowledge *k =
        read_text(" {\"tiers\": [[\"A\", \"B\"], {\"variables\": [\"C\", \"D\"], "
                  "\"forbidden_within\": true},\n"
                  "  [], [\"#F\"]],\n"
                  "  \"required_edges\": [[\"A\", \"a name\"], {\"from\": \"B\", \"to\": \"say "
                  "\\\"E\\\"\"}],\n"
                  "  \"forbidden_edges\": [{\"to\": \"B\", \"from\": \"\\u0023F\"}],\n"
                  "  \"forbidden_groups\": [[[\"C\", \"D\"], [\"a name\", \"say \\\"E\\\"\"]],\n"
                  "                       {\"from\": [\"#F\"], \"to\": [\"A\"]}],\n"
                  "  \"required_groups\": []}\n");
    check_all_parts(k);
    dpc_knowledge_free(k);
    k = read_text("{\"required_groups\": [[[\"A\", \"B\"], [\"C\", \"D\"]]]}");
    expect_counts(k, 0, 4, 0);
    dpc_knowledge_free(k);
    k = read_text("{}");
    expect_counts(k, 0, 0, 0);
    dpc_knowledge_free(k);
}

static void test_flags(void **state)
{
    (void)state;
    dpc_knowledge *k = read_text("addtemporal\n1- A\n2 B\n3*- C D\n5 #F\n");
    assert_true(dpc_knowledge_forbids(k, A, C) && !dpc_knowledge_forbids(k, A, B));
    assert_true(dpc_knowledge_forbids(k, C, F) && dpc_knowledge_forbids(k, C, D));
    assert_false(dpc_knowledge_forbids(k, B, F) || dpc_knowledge_forbids(k, B, D));
    dpc_knowledge_free(k);
    k = read_text("{\"tiers\": [{\"variables\": [\"A\"], \"only_next\": true}, [\"B\"], [\"C\"]]}");
    assert_true(dpc_knowledge_forbids(k, A, C) && !dpc_knowledge_forbids(k, A, B));
    dpc_knowledge_free(k);
    /* within groups that overlap, a variable and itself say nothing */
    k = read_text("forbiddengroup\nA B\nA B\n");
    expect_counts(k, 0, 0, 2);
    dpc_knowledge_free(k);
    /* a byte order mark; a section without lines */
    k = read_text("\xef\xbb\xbf/knowledge\naddtemporal\n");
    expect_counts(k, 0, 0, 0);
    dpc_knowledge_free(k);
}

/* ---- What is refused ---- */

struct wrong {
    const char *text;
    int line;
    const char *quoted, *why;
};

static const struct wrong WRONG[] = {
    {"", 1, "", "no knowledge"},
    {"/knowledge\n", 1, "/knowledge", "no knowledge"},
    {"/knowledge\nA B\n", 2, "A B", "section"},
    {"/knowledge semicolon\n", 1, "/knowledge semicolon", "section"},
    {"/knowledge\ntierstructure x\n", 2, "tierstructure x", "section"},
    {"addtemporal\n1 A X\n", 2, "1 A X", "no variable 'X'"},
    {"addtemporal\n1 A*\n", 2, "1 A*", "patterns"},
    {"addtemporal\nA B\n", 2, "A B", "number"},
    {"addtemporal\n1A B\n", 2, "1A B", "number"},
    {"addtemporal\n-1 B\n", 2, "-1 B", "number"},
    {"addtemporal\n99999999999999999999 B\n", 2, "99999999999999999999 B", "numbers up to"},
    {"addtemporal\n1 A\n2 B A\n", 3, "2 B A", "two tiers"},
    {"addtemporal\n1 \"A\n", 2, "1 \"A", "quote"},
    {"addtemporal\n1 \"\" A\n", 2, "1 \"\" A", "empty name"},
    {"/knowledge comma\naddtemporal\n1,A,,B\n", 3, "1,A,,B", "empty name"},
    {"forbiddirect\nA\n", 2, "A", "two names"},
    {"forbiddirect\n\nA B C\n", 3, "A B C", "two names"},
    {"forbiddirect\nA ==>\n", 2, "A ==>", "one side"},
    {"forbiddirect\n==> A\n", 2, "==> A", "one side"},
    {"forbiddirect\nA A\n", 2, "A A", "two different"},
    {"requiredirect\nA a\n", 2, "A a", "no variable 'a'"},
    {"requiredirect\nA B\nB A\n", 3, "B A", "both ways"},
    {"requiredirect\nA B\r\nB C\r\nC A\r\n", 4, "C A", "circle"},
    {"requiredirect\nA B\nforbiddirect\nA B\n", 4, "A B", "required and forbidden"},
    {"forbiddirect\nA B\nrequiredirect\nA B\n", 4, "A B", "required and forbidden"},
    {"addtemporal\n1 A\n2 B\nrequiredirect\nB A\n", 5, "B A", "tiers forbid"},
    {"requiredirect\nB A\naddtemporal\n1 A\n2 B\n", 5, "2 B", "required"},
    {"requiredirect\nB A\naddtemporal\n1* A B\n", 4, "1* A B", "required"},
    {"requiredirect\nA C\naddtemporal\n1- A\n2 B\n3 C\n", 6, "3 C", "required"},
    {"forbiddengroup\nA B\n", 2, "A B", "second is missing"},
    {"forbiddengroup\nA B\nrequiredgroup\n", 2, "A B", "second is missing"},
    {"requiredgroup\nA B\nB C\n", 3, "B C", "two different"},
    {"{", 1, "{", "not JSON"},
    {"{\"tiers\": [\n[\"A\", ]]}", 2, "[\"A\", ]]}", "not JSON"},
    {"{\"tiers\": 3}", 1, "{\"tiers\": 3}", "must be a list"},
    {"{\"tier\": []}", 1, "{\"tier\": []}", "\"tier\" is not known"},
    {"{\"tiers\": [],\n\"tiers\": []}", 2, "\"tiers\": []}", "twice"},
    {"{\"tiers\": [\n\"A\"]}", 2, "\"A\"]}", "list of names"},
    {"{\"tiers\": [\n[3]]}", 2, "[3]]}", "string"},
    {"{\"tiers\": [\n[\"X\"]]}", 2, "[\"X\"]]}", "no variable 'X'"},
    {"{\"tiers\": [\n[\"A\\u0000\"]]}", 2, "[\"A\\u0000\"]]}", "NUL"},
    {"{\"tiers\": [[\"A\"],\n[\"A\"]]}", 2, "[\"A\"]]}", "two tiers"},
    {"{\"tiers\": [\n{\"forbidden_within\": true}]}", 2, "{\"forbidden_within\": true}]}",
     "no \"variables\""},
    {"{\"tiers\": [{\"variables\": [],\n\"only_next\": 1}]}", 2, "\"only_next\": 1}]}",
     "true or false"},
    {"{\"tiers\": [{\"variables\": [],\n\"x\": 1}]}", 2, "\"x\": 1}]}", "\"x\" is not known"},
    {"{\"forbidden_edges\": [\n[\"A\"]]}", 2, "[\"A\"]]}", "from and to"},
    {"{\"forbidden_edges\": [\n[\"A\", \"B\", \"C\"]]}", 2, "[\"A\", \"B\", \"C\"]]}",
     "from and to"},
    {"{\"forbidden_edges\": [\n\"A\"]}", 2, "\"A\"]}", "from and to"},
    {"{\"forbidden_edges\": [\n{\"from\": \"A\"}]}", 2, "{\"from\": \"A\"}]}", "from and to"},
    {"{\"forbidden_edges\": [\n[[\"A\"], [\"B\"]]]}", 2, "[[\"A\"], [\"B\"]]]}", "string"},
    {"{\"forbidden_groups\": [\n[\"A\", \"B\"]]}", 2, "[\"A\", \"B\"]]}", "list of names"},
    {"{\"required_edges\": [[\"A\", \"B\"], [\"B\", \"C\"],\n[\"C\", \"A\"]]}", 2,
     "[\"C\", \"A\"]]}", "circle"},
};

static void test_wrong(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        const struct wrong *w = &WRONG[i];
        dpc_knowledge *k;
        dpc_error err = {0};
        char start[300];
        dpc_status status = read_bytes(w->text, strlen(w->text), &k, &err);
        snprintf(start, sizeof start, "%s: line %d, '%s': ", path, w->line, w->quoted);
        if (status != DPC_BAD_INPUT || strncmp(err.message, start, strlen(start)) != 0 ||
            strstr(err.message + strlen(start), w->why) == NULL)
            fail_msg("%s\nwas status %d, '%s'; wanted '%s… %s'", w->text, (int)status, err.message,
                     start, w->why);
        dpc_knowledge_free(k);
    }
    dpc_knowledge *k;
    dpc_error err = {0};
    assert_int_equal(read_bytes("addtemporal\n1 A\0B\n", 18, &k, &err), DPC_BAD_INPUT);
    assert_non_null(strstr(err.message, "NUL"));
    assert_int_equal(read_bytes("\xff\xfe"
                                "1\0",
                                4, &k, &err),
                     DPC_BAD_INPUT);
    assert_non_null(strstr(err.message, "the file is UTF-16; save it as UTF-8"));
    const char *const twice[] = {"A", "A"};
    assert_int_equal(dpc_knowledge_read(path, twice, 2, &k, &err), DPC_USAGE);
    assert_int_equal(dpc_knowledge_read("/nowhere/at/all", NAMES, N, &k, &err), DPC_BAD_INPUT);
    assert_null(k);
}

/* Cut off anywhere, or with bytes changed: read, or refused with a line, and never worse. */
static void test_spoilt(void **state)
{
    (void)state;
    static const char *const whole[] = {
        "/knowledge\naddtemporal\n1 A B\n2*- C \"a name\"\nforbiddirect\nA D\nC ==> A B\n"
        "requiredirect\nA C\nforbiddengroup\nA B\n\"say \"\"E\"\"\"\nrequiredgroup\nB\n#F D\n",
        "{\"tiers\": [[\"A\"], {\"variables\": [\"B\"], \"forbidden_within\": true}],\n"
        "\"forbidden_edges\": [[\"A\", \"D\"], {\"from\": \"C\", \"to\": \"B\"}],\n"
        "\"required_groups\": [[[\"A\"], [\"a name\", \"\\u0043\"]]]}"};
    gsl_rng *rng = seeded(20240706);
    int fine = 0, refused = 0;
    for (int i = 0; i < 6000; i++) {
        char text[400];
        size_t size = strlen(whole[i % 2]);
        memcpy(text, whole[i % 2], size);
        if (i / 2 < (int)size)
            size = (size_t)(i / 2);
        else
            for (int changes = draw_int(rng, 1, 4); changes > 0; changes--)
                text[draw_int(rng, 0, (int)size - 1)] =
                    (char)(draw_int(rng, 0, 1) ? draw_int(rng, 0, 255)
                                               : "\"[]{},:* \n-=>A"[draw_int(rng, 0, 13)]);
        dpc_knowledge *k;
        dpc_error err = {0};
        dpc_status status = read_bytes(text, size, &k, &err);
        fine += status == DPC_OK;
        refused += status == DPC_BAD_INPUT;
        if (status == DPC_BAD_INPUT)
            assert_non_null(strstr(err.message, ": line "));
        dpc_knowledge_free(k);
    }
    gsl_rng_free(rng);
    print_message("%d read, %d refused\n", fine, refused);
    assert_int_equal(fine + refused, 6000);
    assert_true(fine > 50 && refused > 1000);
}

/* ---- The library ---- */

static void test_said(void **state)
{
    (void)state;
    dpc_knowledge *k = NULL;
    dpc_error err = {0};
    assert_int_equal(dpc_knowledge_new(0, &k, &err), DPC_USAGE);
    assert_null(k);
    assert_int_equal(dpc_knowledge_new(70, &k, &err), DPC_OK);
    assert_int_equal(dpc_knowledge_require(k, 3, 69, &err), DPC_OK);
    assert_int_equal(dpc_knowledge_require(k, 69, 65, &err), DPC_OK);
    assert_int_equal(dpc_knowledge_require(k, 65, 3, &err), DPC_BAD_INPUT);
    assert_string_equal(err.message,
                        "knowledge: 65 -> 3: with this edge the required ones make a circle");
    assert_false(dpc_knowledge_requires(k, 65, 3));
    assert_int_equal(dpc_knowledge_forbid(k, 3, 69, &err), DPC_BAD_INPUT);
    assert_int_equal(dpc_knowledge_forbid(k, 3, 70, &err), DPC_USAGE);
    assert_int_equal(dpc_knowledge_require(k, -1, 0, &err), DPC_USAGE);
    assert_int_equal(dpc_knowledge_tier(k, 3, -1, &err), DPC_USAGE);
    assert_int_equal(dpc_knowledge_tier(k, 3, 65536, &err), DPC_USAGE);
    assert_int_equal(dpc_knowledge_tier(k, 3, 65535, &err), DPC_OK);
    assert_int_equal(dpc_knowledge_tier(k, 3, 65535, &err), DPC_OK);
    assert_int_equal(dpc_knowledge_tier(k, 69, 2, &err), DPC_BAD_INPUT);
    assert_int_equal(dpc_knowledge_tier_of(k, 69), -1);
    assert_int_equal(dpc_knowledge_tier(k, 69, 65535, &err), DPC_OK);
    assert_int_equal(dpc_knowledge_restrict(k, 65535, true, false, &err), DPC_BAD_INPUT);
    assert_int_equal(dpc_knowledge_restrict(k, 65536, true, false, &err), DPC_USAGE);
    assert_int_equal(dpc_knowledge_restrict(k, 1, true, true, &err), DPC_OK);
    dpc_knowledge_free(k);
    dpc_knowledge_free(NULL);
}

/* Every earlier variable leads to every later one, in more ways than anybody could go: each
 * variable is looked at once. */
static void test_many_ways(void **state)
{
    (void)state;
    enum { N = 130 };
    dpc_knowledge *k = NULL;
    dpc_error err = {0};
    assert_int_equal(dpc_knowledge_new(N, &k, &err), DPC_OK);
    for (int from = 0; from < N - 1; from++)
        for (int to = from + 1; to < N - 1; to++)
            assert_int_equal(dpc_knowledge_require(k, from, to, &err), DPC_OK);
    assert_int_equal(dpc_knowledge_require(k, N - 1, 0, &err), DPC_OK); /* none leads back */
    for (int from = 0; from < N - 1; from++)
        assert_int_equal(dpc_knowledge_require(k, from, N - 1, &err), DPC_BAD_INPUT);
    dpc_knowledge_free(k);
}

static void test_learn_checks(void **state)
{
    (void)state;
    double r[] = {1, 0.5, 0.5, 1};
    dpc_correlation c = {.n_vars = 2, .n_obs = 100, .r = r};
    dpc_settings settings;
    dpc_knowledge *k = NULL;
    dpc_result *result = NULL;
    dpc_error err = {0};
    dpc_settings_default(&settings);
    assert_int_equal(dpc_knowledge_new(3, &k, &err), DPC_OK);
    settings.knowledge = k;
    assert_int_equal(dpc_learn(&c, &settings, &result, &err), DPC_USAGE);
    assert_non_null(strstr(err.message, "3 variables"));
    settings.method = DPC_GES;
    assert_int_equal(dpc_learn(&c, &settings, &result, &err), DPC_USAGE);
    assert_non_null(strstr(err.message, "3 variables"));
    assert_null(result);
    dpc_knowledge_free(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),         cmocka_unit_test(test_json),
        cmocka_unit_test(test_flags),        cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_spoilt),       cmocka_unit_test(test_said),
        cmocka_unit_test(test_learn_checks), cmocka_unit_test(test_many_ways)};
    return cmocka_run_group_tests(tests, enter, leave);
}

/* The ways in which tables come, with every allocation failing in turn. */
#include "dualpc_io.h"
#include "failing.h"
#include "inputs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Has it variables of several columns? Only reading them is tried here. */
static bool has_blocks(const dpc_table *table)
{
    bool found = false;
    for (int v = 0; v < dpc_table_about(table).n_vars && !found; v++)
        found =
            dpc_table_variable(table, v).n_levels > 2 || dpc_table_variable(table, v).n_columns > 1;
    return found;
}

static dpc_status read_door(const dpc_read_options *options, dpc_error *err)
{
    dpc_audit audit = {0};
    dpc_table *table = NULL;
    dpc_correlation *c = NULL;
    int64_t samples = 0;
    dpc_status status = dpc_data_read("door.csv", options, NULL, &audit, &table, &samples, err);
    assert_int_equal(table != NULL, status == DPC_OK);
    if (status == DPC_OK && !has_blocks(table))
        status = samples != 0 ? dpc_correlation_from_matrix(table, samples, NULL, &audit, &c, err)
                              : dpc_correlate(table, NULL, &audit, &c, err);
    dpc_correlation_free(c);
    dpc_table_free(table);
    dpc_audit_clear(&audit);
    return status;
}

static void test_fault_doors(void **state)
{
    (void)state;
    static const char *const drop[] = {"x,\"y,z\"", "4-5"}, *const na[] = {"-9,none", "77"};
    static const char *const types[] = {"g=ordered,n=nominal,z=zero", "s=block(a,b)"};
    static const struct {
        const char *text;
        dpc_read_options options;
    } doors[] = {
        {"# c\nx,a,b,c,d,e,\"y,z\"\nq,1,2,3,4,5,6\n# d\nr,3,2,1,,1,7\n\ns,-9,3,1,1,1,1\n"
         "q,1,3,4,5,6,7\nr,3,9,4,5,1,7\nr,2,9,1,5,1,7\nz,none,1,1,1,1,1\n",
         {.missing = DPC_MISSING_ROWS, .drop = drop, .n_drop = 2, .na = na, .n_na = 2}},
        {"a;b\n1,5;2%\n2,5;3%\n1,25;1%\n0,5;5%\n1,5;2%\n", {.missing = DPC_MISSING_ERROR}},
        {"g,s,t,u,v\na,1,2,4,3\nb,2,1,4,9\ngr\xf6,1,7,3,3\n", {.transpose = true}},
        {"1 2 3\n2 1 1\n4 4 1\n9 5 2\n", {.no_header = true}},
        {"id;a;b\nr1;1,5;2\nr2;2,5;3\nNA;1,2;1\nr3;0,5;5\n", {.missing = DPC_MISSING_ERROR}},
        {"\xff\xfe"
         "a,b\n1,2\n2,1\n3,3\n4,5\n",
         {.missing = DPC_MISSING_ERROR}},
        {"a,b,g,n,z,t,k\n1,2,lo,1,0,x,0\n2,1,hi,2,0,\"y \"\"\",1\n3,5,lo,1,3,x,2\n1,4,mid,2,0,x,2\n"
         "5,3,hi,2,1,\"y \"\"\",0\n2,2,lo,1,0,r,1\n4,,lo,1,0,q,0\n",
         {.missing = DPC_MISSING_ROWS,
          .types = types,
          .n_types = 2,
          .max_levels = 3,
          .merge_rare = 2}},
        {"50\nx y z\n1\n.5 1\n.2 .1 1\n", {.drop = drop + 1, .n_drop = 0}},
    };
    for (size_t i = 0; i < sizeof doors / sizeof *doors; i++) {
        dpc_read_options options = doors[i].options;
        options.size = sizeof options;
        FILE *file = fopen("door.csv", "w");
        const char *text = doors[i].text;
        bool wide = *text == '\xff'; /* each letter with a zero behind it */
        for (int k = 0; text[k] != '\0'; k++) {
            fputc(text[k], file);
            if (wide && k > 1)
                fputc('\0', file);
        }
        fclose(file);
        dpc_error err = {0};
        counts->calls = live = 0;
        if (read_door(&options, &err) != DPC_OK)
            fail_msg("door %d: %s", (int)i, err.message);
        long all = counts->calls;
        assert_true(all > 10 && live == 0);
        for (long k = 1; k <= all; k++) {
            counts->calls = 0;
            fail_at = k;
            dpc_status status = read_door(&options, &err);
            fail_at = 0;
            if (status != DPC_NO_MEMORY || live != 0)
                fail_msg("door %d, allocation %ld: status %d, %ld blocks leaked", (int)i, k,
                         (int)status, live);
        }
    }
    unlink("door.csv");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fault_doors),
    };
    return cmocka_run_group_tests(tests, inputs_enter, inputs_leave);
}

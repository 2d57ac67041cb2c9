/* suite.c -- see suite.h. */
#include "support/suite.h"

int suite_run_cases(const char *name, TCase *const *cases)
{
    Suite *s = suite_create(name);
    for (size_t i = 0; cases[i]; i++) {
        suite_add_tcase(s, cases[i]);
    }
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

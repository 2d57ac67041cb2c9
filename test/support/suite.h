/* suite.h -- the main() of a Check program in one line. */
#ifndef WEFT_TEST_SUITE_H
#define WEFT_TEST_SUITE_H

#include <check.h>
#include <stdlib.h>

/* Runs one or more test cases (NULL-terminated by the macro), prints Check's closing line, and
 * returns main()'s status. A test that needs longer says so with tcase_set_timeout. */
#define suite_run(name, ...) suite_run_cases(name, (TCase *[]){__VA_ARGS__, NULL})
int suite_run_cases(const char *name, TCase *const *cases);

#endif

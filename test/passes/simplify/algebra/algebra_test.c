//===- algebra_test.c - Algebraic rules change no result ------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function in test/passes/algebra is evaluated before and after
// xlaSimplifyAlgebra, on infinities, NaN, zeros of both signs, subnormal
// numbers, extremes and random bits: the results must be the same, NaN like
// NaN. A function named after a rule has to apply it, one that is called
// RULE_not.. must not, and there are both of every rule.
//
//===----------------------------------------------------------------------===//

#include "xlac/test/passes/simplify/algebra/algebra_fixture.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { rounds = 40, functionsAtMost = 1000 };

typedef struct Seen {
  bool hit[XlaAlgebraRuleCount], miss[XlaAlgebraRuleCount];
  int nFunctions;
} Seen;

/// The rule that a function's name starts with, the longest; -1 if there is
/// none. `isMiss`: whether "_not" follows.
static int ruleOf(MlirStringRef name, bool *isMiss) {
  int found = -1;
  size_t longest = 0;
  for (int rule = 0; rule < XlaAlgebraRuleCount; ++rule) {
    const char *text = xlaAlgebraGetRow((XlaAlgebraRule)rule)->name;
    size_t length = strlen(text);
    if (length > longest && name.length >= length &&
        !memcmp(name.data, text, length) &&
        (name.length == length || name.data[length] == '_')) {
      found = rule;
      longest = length;
    }
  }
  *isMiss =
      name.length >= longest + 4 && !memcmp(name.data + longest, "_not", 4);
  return found;
}

static void checkFunction(MlirOperation module, MlirOperation function,
                          Seen *seen) {
  MlirStringRef name =
      mlirStringAttrGetValue(xlaOpGetAttr(function, "sym_name"));
  bool isMiss;
  int rule = ruleOf(name, &isMiss);
  if (rule < 0)
    fail_msg("@%.*s is not named after a rule", (int)name.length, name.data);
  int64_t fired[XlaAlgebraRuleCount] = {0};
  MlirOperation after = mlirOperationClone(module);
  MlirOperation changed = xlaModuleFindFunction(after, name);
  assert_true(mlirLogicalResultIsSuccess(xlaSimplifyAlgebra(changed, fired)));
  assert_true(mlirOperationVerify(after));
  if ((fired[rule] != 0) == isMiss)
    fail_msg("@%.*s applies its rule %lld times", (int)name.length, name.data,
             (long long)fired[rule]);
  *(isMiss ? &seen->miss[rule] : &seen->hit[rule]) = true;
  ++seen->nFunctions;
  for (uint64_t seed = 0; seed < rounds; ++seed)
    algebraCompare(module, after, function, seed);
  mlirOperationDestroy(after);
}

static void checkFile(MlirContext context, const char *path, Seen *seen) {
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  static char text[1 << 18];
  size_t length = fread(text, 1, sizeof text, file);
  assert_true(length < sizeof text);
  fclose(file);
  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreate(text, length));
  assert_false(mlirModuleIsNull(module));
  MlirOperation op = mlirModuleGetOperation(module);
  for (MlirOperation function =
           mlirBlockGetFirstOperation(mlirModuleGetBody(module));
       !mlirOperationIsNull(function);
       function = mlirOperationGetNextInBlock(function))
    checkFunction(op, function, seen);
  mlirModuleDestroy(module);
}

static void testExamples(void **state) {
  MlirContext *context = *state;
  static Seen seen;
  DIR *folder = opendir(XLAC_ALGEBRA_TESTS);
  assert_non_null(folder);
  for (struct dirent *entry; (entry = readdir(folder));) {
    char path[512];
    const char *dot = strrchr(entry->d_name, '.');
    if (!dot || strcmp(dot, ".mlir") != 0)
      continue;
    snprintf(path, sizeof path, "%s/%s", XLAC_ALGEBRA_TESTS, entry->d_name);
    checkFile(*context, path, &seen);
  }
  closedir(folder);
  for (int rule = 0; rule < XlaAlgebraRuleCount; ++rule)
    if (!seen.hit[rule] || !seen.miss[rule])
      fail_msg("%s/*.mlir has no function @%s%s", XLAC_ALGEBRA_TESTS,
               xlaAlgebraGetRow((XlaAlgebraRule)rule)->name,
               seen.hit[rule] ? "_not" : "");
  printf("%d functions\n", seen.nFunctions);
}

/// Words that the language does not have would be read as something else.
static void testTexts(void **state) {
  (void)state;
  const Algebra *algebra = xlaAlgebraGet();
  assert_true(algebra->nTerms <= algebraMaxTerms);
  for (int i = 0; i < algebra->nTerms; ++i)
    if (algebra->terms[i].kind == AlgebraTermOp) {
      const XlaOpInfo *info = xlaOpGetInfo(algebra->terms[i].op);
      assert_int_not_equal(algebra->terms[i].op, XlaOpKindInvalid);
      assert_int_equal(algebra->terms[i].nOperands, info->maxOperands);
    }
  for (int rule = 0; rule < XlaAlgebraRuleCount; ++rule) {
    const XlaAlgebraRow *row = xlaAlgebraGetRow((XlaAlgebraRule)rule);
    const AlgebraTree *tree = &algebra->trees[rule];
    assert_true(row->classes);
    if (row->operations)
      continue;
    assert_int_equal(tree->nConditions > 0, strstr(row->text, " if ") != NULL);
    for (int i = 0; i < tree->nConditions; ++i)
      assert_non_null(tree->conditions[i].holds);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testTexts),
      cmocka_unit_test(testExamples),
  };
  return cmocka_run_group_tests(tests, algebraSetUp, algebraTearDown);
}

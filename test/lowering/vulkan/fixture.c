//===- fixture.c - Shaders in tests ---------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/lowering/vulkan/fixture.h"
#include "xlac/test/support/unit.h"

#include "mlir-c/Diagnostics.h"
#include "mlir-c/RegisterEverything.h"
#include "xlac/dialect/dialect.h"
#include "xlac/dialect/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static MlirLogicalResult onDiagnostic(MlirDiagnostic diagnostic, void *user) {
  VulkanFixture *fixture = user;
  if (mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError &&
      !*fixture->error)
    xlaDiagnosticGetText(diagnostic, fixture->error, sizeof fixture->error);
  return mlirLogicalResultSuccess();
}

XlaVulkanInfo vulkanCommonInfo(void) {
  return (XlaVulkanInfo){
      .name = "common",
      .driver = "none",
      .f16 = true,
      .f64 = true,
      .i8 = true,
      .i16 = true,
      .i64 = true,
      .storage8 = true,
      .storage16 = true,
      .addresses = true,
      .denormPreserve16 = true,
      .denormPreserve32 = true,
      .denormPreserve64 = true,
      .signedZeroInfNan16 = true,
      .signedZeroInfNan32 = true,
      .signedZeroInfNan64 = true,
      .roundToEven16 = true,
      .roundToEven32 = true,
      .roundToEven64 = true,
      .subgroupSize = 32,
      .subgroupArithmetic = true,
      .subgroupBallot = true,
      .subgroupShuffle = true,
      .maxGroupCount = {65535, 65535, 65535},
      .maxGroupSize = {1024, 1024, 64},
      .maxGroupInvocations = 1024,
      .sharedBytes = 32768,
      .maxBindings = 32,
      .maxBufferRange = INT64_C(1) << 31,
      .maxElements = INT32_MAX,
      .maxAllocation = INT64_C(1) << 31,
      .offsetAlignment = 64,
      .memoryBytes = INT64_C(1) << 32,
  };
}

void vulkanFixtureInit(VulkanFixture *fixture) {
  memset(fixture, 0, sizeof *fixture);
  fixture->info = vulkanCommonInfo();
  fixture->registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(fixture->registry);
  xlaDialectRegister(fixture->registry);
  fixture->context = mlirContextCreateWithRegistry(fixture->registry, false);
  mlirContextLoadAllAvailableDialects(fixture->context);
  mlirContextAttachDiagnosticHandler(fixture->context, onDiagnostic, fixture,
                                     NULL);
}

void vulkanFixtureDestroy(VulkanFixture *fixture) {
  mlirContextDestroy(fixture->context);
  mlirDialectRegistryDestroy(fixture->registry);
}

/// What a command that reads `path` prints, if it fails.
static bool fails(const char *command, const char *path, char *text,
                  size_t size) {
  char line[256];
  snprintf(line, sizeof line, "%s %s 2>&1", command, path);
  FILE *pipe = popen(line, "r"); // NOLINT(bugprone-command-processor)
  assert_non_null(pipe);
  text[fread(text, 1, size - 1, pipe)] = 0;
  return pclose(pipe) != 0;
}

void vulkanCheckWords(const char *name, const uint32_t *words, size_t nWords) {
  assert_true(nWords > 5);
  assert_int_equal(words[0], 0x07230203);
  static const char *const val = "spirv-val --target-env vulkan1.2";
  char path[] = "/tmp/xlac_shader_XXXXXX", text[2000];
  if (fails("command -v", "spirv-val", text, sizeof text))
    return;
  int file = mkstemp(path);
  assert_true(file >= 0);
  assert_int_equal(write(file, words, 4 * nWords), (ssize_t)(4 * nWords));
  close(file);
  bool isWrong = fails(val, path, text, sizeof text);
  unlink(path);
  if (isWrong)
    fail_msg("%s: %s", name, text);
}

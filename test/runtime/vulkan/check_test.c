//===- check_test.c - Programs that contradict themselves -----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that is right, with one thing made wrong in each case. No device is
// needed: drivers never see such programs.
//
//===----------------------------------------------------------------------===//

#include "xlac/test/runtime/vulkan/device_fixture.h"
#include "xlac/test/support/unit.h"

#include "xlac/runtime/vulkan/program_internal.h"

#include <string.h>

/// A copy of an input to the arena and a dispatch on the arena, an output and
/// the constants.
typedef struct Program {
  XlaVulkanInfo device;
  uint32_t words[5];
  XlaVulkanShader shader;
  XlaVulkanSpan copied[2], bound[3];
  XlaVulkanStep steps[2];
  intptr_t runs[3];
  int64_t inputBytes[1], outputBytes[1];
  char constants[512];
  XlaVulkanConstant constant;
  XlaVulkanProgramInfo info;
} Program;

static void makeProgram(Program *p) {
  memset(p, 0, sizeof *p);
  p->device = (XlaVulkanInfo){.name = "Test",
                              .maxGroupCount = {100, 100, 100},
                              .maxBindings = 4,
                              .maxBufferRange = 1024,
                              .offsetAlignment = 256};
  p->words[0] = 0x07230203;
  p->shader = (XlaVulkanShader){p->words, 5, "main", "sum_3", 3, false};
  p->copied[0] = (XlaVulkanSpan){XlaVulkanMemoryInput, 0, 0, 64};
  p->copied[1] = (XlaVulkanSpan){XlaVulkanMemoryArena, 0, 256, 64};
  p->bound[0] = (XlaVulkanSpan){XlaVulkanMemoryArena, 0, 256, 64};
  p->bound[1] = (XlaVulkanSpan){XlaVulkanMemoryOutput, 0, 0, 64};
  p->bound[2] = (XlaVulkanSpan){XlaVulkanMemoryConstant, 0, 256, 256};
  p->steps[0] = (XlaVulkanStep){
      .shader = -1, .nSpans = 2, .spans = p->copied, .written = 2};
  p->steps[1] = (XlaVulkanStep){
      .groups = {1, 2, 3}, .nSpans = 3, .spans = p->bound, .written = 2};
  p->runs[1] = p->runs[2] = 2;
  p->inputBytes[0] = p->outputBytes[0] = 64;
  p->constant = (XlaVulkanConstant){0, sizeof p->constants, p->constants};
  p->info = (XlaVulkanProgramInfo){.nShaders = 1,
                                   .shaders = &p->shader,
                                   .nSteps = 2,
                                   .steps = p->steps,
                                   .nRuns = 2,
                                   .runs = p->runs,
                                   .nInputs = 1,
                                   .nOutputs = 1,
                                   .inputBytes = p->inputBytes,
                                   .outputBytes = p->outputBytes,
                                   .constantBytes = sizeof p->constants,
                                   .arenaBytes = 4096,
                                   .nConstants = 1,
                                   .constants = &p->constant};
}

#define CHECK_FAILS(change, message)                                           \
  do {                                                                         \
    Program p;                                                                 \
    makeProgram(&p);                                                           \
    change;                                                                    \
    vulkanExpectStatus(xlaVulkanProgramCheck(&p.device, &p.info),              \
                       XLA_STATUS_INVALID_ARGUMENT, message);                  \
  } while (0)

static void right(void **state) {
  (void)state;
  Program p;
  makeProgram(&p);
  vulkanCheckStatus(xlaVulkanProgramCheck(&p.device, &p.info));
  p.bound[0].bytes = 1024; // as long as the device allows
  p.steps[1].groups[2] = 100;
  vulkanCheckStatus(xlaVulkanProgramCheck(&p.device, &p.info));
}

static void sizes(void **state) {
  (void)state;
  CHECK_FAILS(p.info.nShaders = -1, "a negative size");
  CHECK_FAILS(p.info.scratchBytes = -1, "a negative size");
  CHECK_FAILS(p.info.constants = NULL, "1 constants that are not given");
  CHECK_FAILS(p.constant.offset = 8,
              "constant 0 of 512 bytes at 8, of 512 bytes");
  CHECK_FAILS(p.constant.data = NULL,
              "constant 0 of 512 bytes at 0, of 512 bytes");
  CHECK_FAILS(p.inputBytes[0] = -4, "input 0 has -4 bytes");
  CHECK_FAILS(p.outputBytes[0] = -4, "output 0 has -4 bytes");
  CHECK_FAILS(p.info.nRuns = -1, "a program of -1 runs");
  CHECK_FAILS(p.info.runs = NULL, "a program of 2 runs");
  CHECK_FAILS(p.runs[1] = 3, "run 0 is steps 0 to 3 of 2");
  CHECK_FAILS(p.runs[2] = 1, "run 1 is steps 2 to 1 of 2");
  CHECK_FAILS(p.runs[0] = -1, "run 0 is steps -1 to 2 of 2");
}

static void shaders(void **state) {
  (void)state;
  CHECK_FAILS(p.shader.name = NULL, "shader 0 has no name");
  CHECK_FAILS(p.shader.entry = NULL, "shader 0 has no name");
  CHECK_FAILS(p.shader.words = NULL, "shader 0 has no name");
  CHECK_FAILS(p.words[0] = 7, "sum_3 is no SPIR-V: 5 words, the first is "
                              "0x00000007");
  CHECK_FAILS(p.shader.nWords = 4, "sum_3 is no SPIR-V: 4 words");
  CHECK_FAILS(p.shader.nWords = 0, "sum_3 is no SPIR-V: 0 words");
  CHECK_FAILS(p.shader.nBindings = 5, "sum_3 has 5 bindings, and Test allows "
                                      "4");
  CHECK_FAILS(p.shader.nBindings = -1, "sum_3 has -1 bindings");
  CHECK_FAILS(p.shader.usesAddresses = true,
              "sum_3 needs addresses, which Test lacks");
  CHECK_FAILS((p.device.addresses = p.shader.usesAddresses = true,
               p.shader.nBindings = 4097),
              "sum_3 has 4097 bindings, and Test allows 4096");
}

static void pieces(void **state) {
  (void)state;
  CHECK_FAILS(p.info.pieceBytes = -256, "pieces of -256 bytes");
  CHECK_FAILS(p.info.pieceBytes = 128, "pieces of 128 bytes");
  CHECK_FAILS(p.info.pieceBytes = 768, "pieces of 768 bytes");
  CHECK_FAILS((p.info.pieceBytes = 256, p.bound[0].bytes = 257),
              "binding 0 of sum_3, 257 bytes at 256, lies across pieces of 256 "
              "bytes");
  CHECK_FAILS((p.device.addresses = p.shader.usesAddresses = true,
               p.info.pieceBytes = 512, p.bound[0].bytes = 257),
              "257 bytes at 256, lies across pieces of 512 bytes");
  CHECK_FAILS((p.device.addresses = p.shader.usesAddresses = true,
               p.bound[0].offset = 8),
              "binding 0 of sum_3 begins at 8, which 16 does not divide");
  Program p;
  makeProgram(&p);
  p.info.pieceBytes = 256;
  p.bound[0].bytes = 256;
  vulkanCheckStatus(xlaVulkanProgramCheck(&p.device, &p.info));
  p.device.addresses = p.shader.usesAddresses = true;
  p.bound[0].bytes = 4096 - 256; // longer than the device binds
  vulkanCheckStatus(xlaVulkanProgramCheck(&p.device, &p.info));
}

static void spans(void **state) {
  (void)state;
  CHECK_FAILS(p.steps[1].nSpans = -1, "a step has -1 spans");
  CHECK_FAILS(p.steps[1].spans = NULL, "a step has 3 spans");
  CHECK_FAILS(p.bound[1].index = 1, "in output 1, which is not there");
  CHECK_FAILS(p.bound[1].index = -1, "in output -1, which is not there");
  CHECK_FAILS(p.copied[0].index = 1, "in input 1, which");
  CHECK_FAILS(p.bound[0].memory = XlaVulkanMemoryScratch,
              "a span of 64 bytes at 256 is not within 0 bytes");
  CHECK_FAILS(p.bound[0].memory = (XlaVulkanMemory)9,
              "in unknown memory 0, which");
  CHECK_FAILS(p.bound[0].offset = -256, "a span of 64 bytes at -256");
  CHECK_FAILS(p.bound[1].bytes = 65, "a span of 65 bytes at 0 is not within "
                                     "64 bytes");
  CHECK_FAILS(p.bound[1].bytes = 0, "a span of 0 bytes");
  CHECK_FAILS(p.bound[0].bytes = INT64_MAX, "is not within 4096 bytes");
}

static void copies(void **state) {
  (void)state;
  CHECK_FAILS(p.steps[0].nSpans = 1, "a copy has 1 spans instead of 2");
  CHECK_FAILS(p.copied[1].bytes = 32, "a copy is from 64 bytes to 32");
  CHECK_FAILS((p.copied[0].memory = XlaVulkanMemoryArena,
               p.copied[0].offset = 256 + 63),
              "a copy of 64 bytes at 319 overlaps its target at 256");
  CHECK_FAILS((p.copied[0].memory = XlaVulkanMemoryArena,
               p.copied[0].offset = 256 - 63),
              "a copy of 64 bytes at 193 overlaps its target at 256");
  Program p;
  makeProgram(&p);
  p.copied[0] = (XlaVulkanSpan){XlaVulkanMemoryArena, 0, 256 + 64, 64};
  vulkanCheckStatus(xlaVulkanProgramCheck(&p.device, &p.info));
}

static void dispatches(void **state) {
  (void)state;
  CHECK_FAILS(p.steps[1].shader = 1, "a step dispatches shader 1 of 1");
  CHECK_FAILS(p.steps[1].nSpans = 2, "2 spans for the 3 bindings of sum_3");
  CHECK_FAILS(p.steps[1].groups[0] = 0, "sum_3 is dispatched in 0 groups in "
                                        "dimension 0; Test allows 1 to 100");
  CHECK_FAILS(p.steps[1].groups[2] = 101, "in 101 groups in dimension 2");
  CHECK_FAILS(p.bound[0].offset = 128, "binding 0 of sum_3 begins at 128, "
                                       "which 256 does not divide");
  CHECK_FAILS(p.bound[0].bytes = 1028, "binding 0 of sum_3 has 1028 bytes; "
                                       "Test allows 1024");
  CHECK_FAILS(p.steps[1].written = 6, "binding 2 of sum_3 writes to constants");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(right),      cmocka_unit_test(sizes),
      cmocka_unit_test(shaders),    cmocka_unit_test(pieces),
      cmocka_unit_test(spans),      cmocka_unit_test(copies),
      cmocka_unit_test(dispatches),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

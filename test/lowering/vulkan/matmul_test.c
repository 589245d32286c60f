//===- matmul_test.c - Matrix products on Vulkan --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products by given tilings and by those that devices get, against a plain
// loop.
//
//===----------------------------------------------------------------------===//

#include "xlac/test/lowering/vulkan/fixture.h"
#include "xlac/test/lowering/vulkan/product.h"
#include "xlac/test/runtime/vulkan/device_fixture.h"
#include "xlac/test/support/unit.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

typedef struct Runner {
  VulkanFixture fixture;
  XlaVulkanDevice *device;
} Runner;

static void begin(Runner *runner, void **state) {
  runner->device = vulkanDevice(state);
  vulkanFixtureInit(&runner->fixture);
  runner->fixture.info = *xlaVulkanDeviceGetInfo(runner->device);
}

static void end(Runner *runner) { vulkanFixtureDestroy(&runner->fixture); }

enum { maxDispatches = 2, maxBindings = 3 };

/// The result's memory is 0xff before.
static void runKernel(Runner *runner, const XlaVulkanKernel *kernel,
                      const XlaVulkanWords *words, ProductArray arrays[3]) {
  XlaVulkanShader shaders[maxDispatches];
  XlaVulkanStep steps[maxDispatches + 1];
  XlaVulkanSpan spans[maxDispatches][maxBindings];
  const void *inputs[3];
  int64_t bytes[3];
  for (int i = 0; i < 3; ++i) {
    inputs[i] = arrays[i].data;
    bytes[i] = arrays[i].count * (int64_t)productKinds[arrays[i].kind].bytes;
  }
  memset(arrays[2].data, 0xff, (size_t)bytes[2]);
  XlaVulkanSpan poison[2] = {{XlaVulkanMemoryInput, 2, 0, bytes[2]},
                             {XlaVulkanMemoryOutput, 0, 0, bytes[2]}};
  steps[0] =
      (XlaVulkanStep){.shader = -1, .nSpans = 2, .spans = poison, .written = 2};
  assert_in_range(kernel->nDispatches, 1, maxDispatches);
  for (intptr_t d = 0; d < kernel->nDispatches; ++d) {
    const XlaVulkanDispatch *dispatch = &kernel->dispatches[d];
    vulkanCheckWords(words[d].name, words[d].words, words[d].nWords);
    shaders[d] =
        (XlaVulkanShader){words[d].words, words[d].nWords,     XLA_VULKAN_ENTRY,
                          words[d].name,  dispatch->nBindings, false};
    steps[d + 1] = (XlaVulkanStep){
        .shader = d, .nSpans = dispatch->nBindings, .spans = spans[d]};
    memcpy(steps[d + 1].groups, dispatch->groups, sizeof dispatch->groups);
    for (intptr_t b = 0; b < dispatch->nBindings; ++b) {
      const XlaVulkanBinding *binding = &dispatch->bindings[b];
      spans[d][b] = (XlaVulkanSpan){XlaVulkanMemoryInput, binding->argument,
                                    binding->offset, binding->bytes};
      if (binding->argument >= 2) {
        spans[d][b].memory = binding->argument == 2 ? XlaVulkanMemoryOutput
                                                    : XlaVulkanMemoryScratch;
        spans[d][b].index = 0;
      }
      steps[d + 1].written |= (uint64_t)binding->isWritten << b;
    }
  }
  const intptr_t runs[] = {0, kernel->nDispatches + 1};
  XlaVulkanProgramInfo info = {.nShaders = kernel->nDispatches,
                               .shaders = shaders,
                               .nSteps = kernel->nDispatches + 1,
                               .steps = steps,
                               .nRuns = 1,
                               .runs = runs,
                               .nInputs = 3,
                               .nOutputs = 1,
                               .inputBytes = bytes,
                               .outputBytes = &bytes[2],
                               .scratchBytes = kernel->scratchBytes};
  XlaVulkanProgram *program;
  vulkanCheckStatus(xlaVulkanProgramCreate(runner->device, &info, &program));
  vulkanCheckStatus(xlaVulkanProgramWriteInputs(program, inputs));
  vulkanCheckStatus(xlaVulkanProgramExecute(program, NULL));
  vulkanCheckStatus(
      xlaVulkanProgramReadOutputs(program, (void *const[]){arrays[2].data}));
  xlaVulkanProgramDestroy(program);
}

static void runOnArrays(Runner *runner, const ProductCase *c,
                        const XlaVulkanMatmulTiling *tiling,
                        const XlaVulkanKernel *kernel,
                        const XlaVulkanWords *words) {
  char dims[16];
  productResultDims(c, dims);
  ProductArray arrays[3] = {productArrayCreate(c, c->lhs, c->kind[0]),
                            productArrayCreate(c, c->rhs, c->kind[1]),
                            productArrayCreate(c, dims, c->kind[2])};
  uint64_t seed = 7;
  for (int i = 0; i < 2; ++i)
    productArrayFill(&arrays[i], &seed, c->isSpecial);
  runKernel(runner, kernel, words, arrays);
  productCheck(c, arrays, tiling);
  for (int i = 0; i < 3; ++i)
    free(arrays[i].data);
}

/// False if the tiling does not fit.
static bool runCase(Runner *runner, const XlaVulkanInfo *info,
                    const ProductCase *c) {
  VulkanFixture *fixture = &runner->fixture;
  MlirModule module = productKernel(fixture->context, c);
  MlirOperation function =
      mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  XlaVulkanMatmul matmul;
  XlaVulkanMatmulTiling tiling;
  XlaContractionKernel product;
  assert_true(xlaContractionFind(&product, function));
  assert_true(xlaVulkanMatmulDescribe(&matmul, &product, info));
  if (c->tiling)
    tiling = *c->tiling;
  else
    xlaVulkanMatmulTiling(&matmul, info, &tiling);
  bool fits = xlaVulkanMatmulFits(&matmul, info, &tiling);
  if (fits) {
    XlaVulkanKernel kernel = {.name = "kernel", .nArguments = 3};
    XlaVulkanSchedule schedule = {info,    module, function,
                                  &kernel, false,  false};
    if (mlirLogicalResultIsFailure(
            xlaVulkanMatmulEmit(&matmul, &tiling, &schedule)))
      fail_msg("%s", fixture->error);
    mlirOperationDestroy(function);
    XlaVulkanSpirvOptions options = {.verify = true};
    XlaVulkanWords *words;
    intptr_t n;
    assert_true(mlirOperationVerify(mlirModuleGetOperation(module)));
    if (mlirLogicalResultIsFailure(
            xlaVulkanToWords(module, info, &options, &words, &n)))
      fail_msg("%s", fixture->error);
    assert_int_equal(n, kernel.nDispatches);
    runOnArrays(runner, c, &tiling, &kernel, words);
    xlaVulkanWordsFree(words, n);
    for (intptr_t d = 0; d < kernel.nDispatches; ++d)
      free(kernel.dispatches[d].bindings);
    free(kernel.dispatches);
  }
  mlirModuleDestroy(module);
  return fits;
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

static ProductCase matrices(int64_t m, int64_t n, int64_t k, const char *lhs,
                            const char *rhs, ProductKind kind) {
  return (ProductCase){.lhs = lhs,
                       .rhs = rhs,
                       .size = {['m'] = m, ['n'] = n, ['k'] = k},
                       .kind = {kind, kind, kind}};
}

static const char *const lhsLayouts[] = {"mk", "km"};
static const char *const rhsLayouts[] = {"kn", "nk"};

#define NONE XlaVulkanStagingNone
#define SUBGROUP XlaVulkanStagingSubgroup
#define WORKGROUP XlaVulkanStagingWorkgroup
#define ONE XlaVulkanVectorNone
#define FREE XlaVulkanVectorFree
#define TERMS XlaVulkanVectorTerms

/// All tilings on all layouts, where they fit, on sizes of one tile, several
/// and parts of them.
static void tilings(void **state) {
  Runner runner;
  begin(&runner, state);
  int lanes = (int)runner.fixture.info.subgroupSize;
  const XlaVulkanMatmulTiling list[] = {
      {NONE, 8, 1, 4, 4, 1, ONE, ONE, false, 1, false, 0},
      {NONE, 8, 1, 4, 4, 4, TERMS, FREE, false, 1, false, 0},
      {NONE, 8, 1, 4, 4, 4, FREE, TERMS, true, 1, false, 0},
      {NONE, 1, 8, 3, 4, 2, ONE, ONE, false, 1, false, 0},
      {NONE, 1, 8, 4, 4, 4, TERMS, TERMS, true, 1, false, 0},
      {NONE, 4, 4, 1, 1, 1, ONE, ONE, false, 3, false, 0},
      {NONE, 4, 4, 2, 4, 4, TERMS, FREE, true, 2, false, 0},
      {NONE, 64, 1, 1, 1, 1, ONE, ONE, false, 1, false, 0},
      {SUBGROUP, lanes, 1, 8, 8, 4, TERMS, FREE, true, 1, false, 0},
      {SUBGROUP, lanes, 1, 9, 4, 1, ONE, ONE, false, 1, false, 0},
      {SUBGROUP, lanes, 1, 4, 4, 4, FREE, TERMS, false, 1, false, 0},
      {SUBGROUP, lanes, 1, 32, 4, 1, FREE, FREE, true, 1, false, 0},
      {SUBGROUP, lanes, 1, 5, 3, 1, ONE, ONE, false, 2, false, 0},
      {WORKGROUP, 16, 16, 4, 4, 16, ONE, ONE, false, 1, false, 0},
      {WORKGROUP, 16, 16, 4, 8, 8, ONE, ONE, false, 1, false, 0},
      {WORKGROUP, 16, 16, 2, 2, 16, ONE, ONE, false, 1, false, 0},
      {WORKGROUP, 8, 4, 4, 2, 32, ONE, ONE, false, 1, false, 0},
  };
  static const int64_t sizes[][3] = {{37, 41, 19}, {64, 80, 16}};
  for (size_t p = 0; p < sizeof list / sizeof *list; ++p) {
    int fitting = 0;
    for (int s = 0; s < 2; ++s)
      for (int layout = 0; layout < 4; layout += s ? 1 : 3) {
        ProductCase c =
            matrices(sizes[s][0], sizes[s][1], sizes[s][2],
                     lhsLayouts[layout & 1], rhsLayouts[layout >> 1], F32);
        XlaVulkanMatmulTiling tiling = list[p];
        tiling.usesLoops = (p + (size_t)layout) & 1;
        c.tiling = &tiling;
        c.isSpecial = s == 0;
        fitting += runCase(&runner, &runner.fixture.info, &c);
      }
    char text[160];
    if (!fitting)
      fail_msg("never fits: %s", productTilingText(&list[p], text));
  }
  end(&runner);
}

/// Each combination of types, by each staging.
static void elementTypes(void **state) {
  static const ProductKind types[][3] = {
      {F64, F64, F64},   {F16, F16, F16},  {BF16, BF16, BF16}, {F16, F16, F32},
      {BF16, BF16, F32}, {F16, BF16, F32}, {F32, BF16, BF16},  {F32, F32, F16},
      {F32, F32, F64},   {I8, I8, I8},     {U8, U8, U8},       {I8, I8, I32},
      {U8, I8, I32},     {U8, U8, I64},    {I16, I16, I16},    {U16, U16, I32},
      {I16, U16, I64},   {I32, I32, I32},  {I64, I64, I64},    {I32, I64, I64},
      {I64, I64, I32},
  };
  Runner runner;
  begin(&runner, state);
  int lanes = (int)runner.fixture.info.subgroupSize;
  const XlaVulkanMatmulTiling list[] = {
      {NONE, 4, 2, 2, 4, 4, TERMS, FREE, false, 2, true, 0},
      {NONE, 4, 2, 4, 4, 1, FREE, FREE, true, 1, true, 0},
      {NONE, 4, 2, 2, 2, 1, ONE, ONE, false, 1, false, 0},
      {SUBGROUP, lanes, 1, 4, 4, 4, TERMS, FREE, true, 1, true, 0},
      {SUBGROUP, lanes, 1, 3, 2, 2, ONE, ONE, false, 1, false, 0},
      {WORKGROUP, 8, 8, 2, 2, 8, ONE, ONE, false, 1, false, 0},
  };
  for (size_t t = 0; t < sizeof types / sizeof *types; ++t) {
    int fitting = 0;
    for (size_t p = 0; p <= sizeof list / sizeof *list; ++p) {
      ProductCase c = matrices(12, 20, 16, p == 1 ? "km" : "mk", "kn", F32);
      memcpy(c.kind, types[t], sizeof c.kind);
      c.tiling = p < sizeof list / sizeof *list ? &list[p] : NULL;
      fitting += runCase(&runner, &runner.fixture.info, &c);
    }
    assert_true(fitting >= 3);
  }
  end(&runner);
}

/// Batches, and dimensions that are several in memory.
static void manyDimensions(void **state) {
  static const char *const operands[][2] = {
      {"bmk", "bkn"},     {"mbk", "kbn"},     {"abmk", "bakn"}, {"mkb", "nkb"},
      {"mlk", "lkn"},     {"kml", "lnk"},     {"mko", "kn"},    {"mko", "pkn"},
      {"mk", "nkp"},      {"bmkol", "lpkbn"}, {"bk", "bk"},     {"k", "k"},
      {"m", "n"},         {"bm", "bn"},       {"kl", "lk"},     {"mkl", "kl"},
      {"okamb", "apkbn"},
  };
  Runner runner;
  begin(&runner, state);
  XlaVulkanInfo gpu = runner.fixture.info;
  gpu.kind = XlaVulkanKindDiscrete;
  for (size_t i = 0; i < sizeof operands / sizeof *operands; ++i)
    for (int variant = 0; variant < 4; ++variant) {
      static const int64_t sizes[2][8] = {{2, 3, 8, 12, 4, 8, 4, 3},
                                          {3, 2, 5, 7, 3, 5, 2, 7}};
      ProductCase c = {.lhs = operands[i][0],
                       .rhs = operands[i][1],
                       .kind = {F32, F32, F32}};
      for (int d = 0; d < 8; ++d)
        c.size[(int)"abmnklop"[d]] = sizes[variant & 1][d];
      assert_true(
          runCase(&runner, variant & 2 ? &gpu : &runner.fixture.info, &c));
    }
  end(&runner);
}

/// The tilings that devices get, for any shape.
static void deviceTilings(void **state) {
  Runner runner;
  begin(&runner, state);
  XlaVulkanInfo infos[3];
  for (int i = 0; i < 3; ++i)
    infos[i] = runner.fixture.info;
  infos[1].kind = XlaVulkanKindDiscrete;
  infos[2].kind = XlaVulkanKindSoftware; // without subgroups
  infos[2].subgroupBallot = false;
  infos[2].i64 = false;
  uint64_t seed = 1;
  for (int i = 0; i < 30; ++i) {
    int64_t size[3];
    for (int d = 0; d < 3; ++d) {
      uint32_t r = productNext(&seed);
      size[d] = r % 5 == 0 ? 1 : r % 5 == 1 ? 4 * (r >> 8) % 120 : r % 70;
      size[d] += !size[d];
    }
    ProductCase c =
        matrices(size[0], size[1], size[2], lhsLayouts[productNext(&seed) & 1],
                 rhsLayouts[productNext(&seed) & 1], F32);
    assert_true(runCase(&runner, &infos[i % 3], &c));
  }
  end(&runner);
}

/// More terms than a loop of a shader may have iterations, split or not.
static void manyTerms(void **state) {
  Runner runner;
  begin(&runner, state);
  int lanes = (int)runner.fixture.info.subgroupSize;
  const XlaVulkanMatmulTiling list[] = {
      {NONE, 8, 1, 1, 1, 1, ONE, ONE, false, 1, false, 0},
      {NONE, 1, 8, 2, 2, 1, ONE, ONE, false, 5, false, 0},
      {SUBGROUP, lanes, 1, 2, 1, 1, ONE, ONE, false, 1, false, 0},
      {WORKGROUP, 4, 2, 1, 1, 4, ONE, ONE, false, 1, false, 0},
  };
  XlaVulkanInfo gpu = runner.fixture.info;
  gpu.kind = XlaVulkanKindDiscrete;
  for (int i = 0; i < 4; ++i) {
    ProductCase c = matrices(2, 3, 200003, "mk", "kn", I32);
    c.tiling = &list[i];
    bool fits = i == 1 || !xlaVulkanEndsLongLoops(&runner.fixture.info);
    assert_int_equal(runCase(&runner, &runner.fixture.info, &c), fits);
  }
  XlaVulkanInfo old = runner.fixture.info;
  old.kind = XlaVulkanKindSoftware;
  old.apiVersion = 1u << 22;
  for (int i = 0; i < 4; ++i) {
    static const int64_t sizes[][3] = {
        {1, 1, 300000}, {40, 24, 70001}, {1, 64, 262144}, {32, 1, 65536}};
    ProductCase c = matrices(sizes[i][0], sizes[i][1], sizes[i][2],
                             lhsLayouts[i & 1], "kn", I32);
    assert_true(runCase(&runner, &old, &c));
  }
  ProductCase c = matrices(1, 1, 300000, "mk", "kn", I32);
  assert_true(runCase(&runner, &gpu, &c));
  end(&runner);
}

/// More workgroups than a dimension of the grid has.
static void manyGroups(void **state) {
  Runner runner;
  begin(&runner, state);
  static const XlaVulkanMatmulTiling tiling = {NONE, 1,   1,     1, 1,     1,
                                               ONE,  ONE, false, 1, false, 0};
  XlaVulkanInfo small = runner.fixture.info;
  small.maxGroupCount[0] = small.maxGroupCount[1] = 11;
  small.maxGroupCount[2] = 7;
  ProductCase c = matrices(23, 31, 5, "mk", "kn", F32);
  c.tiling = &tiling;
  assert_true(runCase(&runner, &small, &c));
  small.maxGroupCount[2] = 5;
  assert_false(runCase(&runner, &small, &c));
  end(&runner);
}

static bool describes(VulkanFixture *fixture, const XlaVulkanInfo *info,
                      const ProductCase *c) {
  XlaVulkanMatmul matmul;
  XlaContractionKernel product;
  MlirModule module = productKernel(fixture->context, c);
  assert_true(xlaContractionFind(
      &product, mlirBlockGetFirstOperation(mlirModuleGetBody(module))));
  bool result = xlaVulkanMatmulDescribe(&matmul, &product, info);
  mlirModuleDestroy(module);
  return result;
}

/// What is left to the general schedule.
static void refusals(void **state) {
  VulkanFixture fixture;
  vulkanFixtureInit(&fixture);
  XlaVulkanInfo *info = &fixture.info;
  ProductCase c = matrices(3, 4, 5, "mk", "kn", F32);
  assert_true(describes(&fixture, info, &c));
  XlaContractionKernel product;
  MlirModule module = productKernelWith(fixture.context, &c, "addf", "mulf");
  assert_false(xlaContractionFind(
      &product, mlirBlockGetFirstOperation(mlirModuleGetBody(module))));
  mlirModuleDestroy(module);
  info->maxBufferRange = 59; // the lhs has 60 bytes, the rhs 80
  assert_false(describes(&fixture, info, &c));
  info->maxBufferRange = 80;
  assert_true(describes(&fixture, info, &c));
  static const ProductKind lacking[][3] = {
      {F64, F64, F64}, {F16, F16, F32}, {I8, I8, I32}, {I64, I64, I64}};
  for (int i = 0; i < 4; ++i) {
    *info = vulkanCommonInfo();
    memcpy(c.kind, lacking[i], sizeof c.kind);
    assert_true(describes(&fixture, info, &c));
    info->f64 = info->i64 = info->storage8 = info->storage16 = false;
    assert_false(describes(&fixture, info, &c));
  }
  vulkanFixtureDestroy(&fixture);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tilings),        cmocka_unit_test(elementTypes),
      cmocka_unit_test(manyDimensions), cmocka_unit_test(deviceTilings),
      cmocka_unit_test(manyTerms),      cmocka_unit_test(manyGroups),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, vulkanDeviceSetup, vulkanDeviceTeardown);
}

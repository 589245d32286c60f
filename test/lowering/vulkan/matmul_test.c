//===- matmul_test.c - Matrix products on Vulkan --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products by given tilings and by those that devices get, against a plain
// loop.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/matmul/matmul.h"
#include "xlac/test/lowering/vulkan/fixture.h"
#include "xlac/test/runtime/vulkan/device_fixture.h"
#include "xlac/test/support/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

typedef enum Kind { F64, F32, F16, BF16, I8, U8, I16, U16, I32, I64 } Kind;

static const struct {
  const char *name;
  size_t bytes;
  double epsilon;  ///< of the sums: 0 is exact
  double rounding; ///< of the result
  bool isUnsigned;
} kinds[] = {[F64] = {"f64", 8, 0x1p-52, 0, false},
             [F32] = {"f32", 4, 0x1p-23, 0, false},
             [F16] = {"f16", 2, 0x1p-23, 0x1p-11, false},
             [BF16] = {"bf16", 2, 0x1p-23, 0x1p-8, false},
             [I8] = {"i8", 1, 0, 0, false},
             [U8] = {"i8", 1, 0, 0, true},
             [I16] = {"i16", 2, 0, 0, false},
             [U16] = {"i16", 2, 0, 0, true},
             [I32] = {"i32", 4, 0, 0, false},
             [I64] = {"i64", 8, 0, 0, false}};

static bool isInteger(Kind kind) { return kinds[kind].epsilon == 0; }

static double getFloat(Kind kind, const char *data, int64_t i) {
  if (kind == F64)
    return ((const double *)data)[i];
  if (kind == F32)
    return ((const float *)data)[i];
  if (kind == F16)
    return (double)((const _Float16 *)data)[i];
  uint32_t bits = (uint32_t)((const uint16_t *)data)[i] << 16;
  float value;
  memcpy(&value, &bits, 4);
  return value;
}

/// Extended to 64 bits.
static uint64_t getInteger(Kind kind, const char *data, int64_t i) {
  unsigned shift = 64 - 8 * (unsigned)kinds[kind].bytes;
  uint64_t bits = 0;
  memcpy(&bits, data + (size_t)i * kinds[kind].bytes, kinds[kind].bytes);
  bits <<= shift;
  return kinds[kind].isUnsigned ? bits >> shift
                                : (uint64_t)((int64_t)bits >> shift);
}

static uint32_t next(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*seed >> 33);
}

/// All bits of integers, floats in [-1, 1), and now and then an infinity.
static void setRandom(Kind kind, char *data, int64_t i, uint64_t *seed,
                      bool isSpecial) {
  uint64_t bits = (uint64_t)next(seed) << 32 | next(seed) << 1;
  double value = (double)(int32_t)bits * 0x1p-31;
  if (isSpecial && (bits >> 32) % 50 == 0)
    value = INFINITY;
  uint32_t word;
  float narrow = (float)value;
  memcpy(&word, &narrow, 4);
  if (kind == F64)
    ((double *)data)[i] = value;
  else if (kind == F32)
    ((float *)data)[i] = narrow;
  else if (kind == F16)
    ((_Float16 *)data)[i] = (_Float16)narrow;
  else if (kind == BF16)
    ((uint16_t *)data)[i] = (uint16_t)(word >> 16);
  else
    memcpy(data + (size_t)i * kinds[kind].bytes, &bits, kinds[kind].bytes);
}

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

/// Dimensions are letters: those of both operands are batch if they are a or b,
/// else contracted. The result has a, b, the rest of lhs, the rest of rhs.
typedef struct Case {
  const char *lhs, *rhs;
  int64_t size[128];                   ///< of a letter; 0 stands for 1
  Kind kind[3];                        ///< of lhs, rhs, result
  bool isSpecial;                      ///< with infinities
  const XlaVulkanMatmulTiling *tiling; ///< NULL: the device's
} Case;

typedef struct Array {
  char dims[16];
  int64_t stride[128], count;
  Kind kind;
  char *data;
} Array;

static int64_t sizeOf(const Case *c, char letter) {
  return c->size[(int)letter] ? c->size[(int)letter] : 1;
}

static Array makeArray(const Case *c, const char *dims, Kind kind) {
  Array array = {.count = 1, .kind = kind};
  snprintf(array.dims, sizeof array.dims, "%s", dims);
  for (size_t i = strlen(dims); i-- > 0;) {
    array.stride[(int)dims[i]] = array.count;
    array.count *= sizeOf(c, dims[i]);
  }
  array.data = malloc((size_t)array.count * kinds[kind].bytes + 8);
  assert_non_null(array.data);
  return array;
}

static void resultDims(const Case *c, char *dims) {
  for (const char *l = "ab"; *l; ++l)
    if (strchr(c->lhs, *l))
      *dims++ = *l;
  for (const char *l = c->lhs; *l; ++l)
    if (!strchr(c->rhs, *l))
      *dims++ = *l;
  for (const char *r = c->rhs; *r; ++r)
    if (!strchr(c->lhs, *r))
      *dims++ = *r;
  *dims = 0;
}

typedef struct Text {
  char data[4096];
  int size;
} Text;

__attribute__((format(printf, 2, 3))) static void
append(Text *text, const char *format, ...) {
  va_list args;
  va_start(args, format);
  size_t room = sizeof text->data - (size_t)text->size;
  text->size += vsnprintf(text->data + text->size, room, format, args);
  va_end(args);
  assert_in_range(text->size, 0, sizeof text->data - 1);
}

static void appendType(Text *text, const Case *c, const char *dims, Kind kind) {
  append(text, "memref<");
  for (const char *d = dims; *d; ++d)
    append(text, "%lldx", (long long)sizeOf(c, *d));
  append(text, "%s>", kinds[kind].name);
}

/// A map to `dims`: letters are the loops, those of the result and then those
/// that are summed over.
static void appendMap(Text *text, const Case *c, const char *result,
                      const char *dims) {
  append(text, "affine_map<(");
  for (const char *l = result; *l; ++l)
    append(text, "%s%c", l == result ? "" : ", ", *l);
  const char *separator = *result ? ", " : "";
  for (const char *l = c->lhs; *l; ++l)
    if (strchr(c->rhs, *l) && !strchr(result, *l)) {
      append(text, "%s%c", separator, *l);
      separator = ", ";
    }
  append(text, ") -> (");
  for (const char *l = dims; *l; ++l)
    append(text, "%s%c", l == dims ? "" : ", ", *l);
  append(text, ")>");
}

static void appendIterators(Text *text, const Case *c, const char *result) {
  const char *separator = "";
  for (const char *l = result; *l; ++l, separator = ", ")
    append(text, "%s\"parallel\"", separator);
  for (const char *l = c->lhs; *l; ++l)
    if (strchr(c->rhs, *l) && !strchr(result, *l)) {
      append(text, "%s\"reduction\"", separator);
      separator = ", ";
    }
}

/// Converts an element of input `i` to the type of the sums.
static void appendInput(Text *text, const Case *c, int i, Kind sum) {
  bool isWider = kinds[c->kind[i]].bytes > kinds[sum].bytes;
  const char *widen = !isInteger(sum)                ? "extf"
                      : isWider                      ? "trunci"
                      : kinds[c->kind[i]].isUnsigned ? "extui"
                                                     : "extsi";
  if (strcmp(kinds[c->kind[i]].name, kinds[sum].name))
    append(text, "%%w%d = arith.%s %%e%d : %s to %s\n", i, widen, i,
           kinds[c->kind[i]].name, kinds[sum].name);
}

/// The name of input `i` in the body, widened where that is needed.
static const char *inputName(const Case *c, int i, Kind sum) {
  static const char *const names[2][2] = {{"%e0", "%w0"}, {"%e1", "%w1"}};
  return names[i][strcmp(kinds[c->kind[i]].name, kinds[sum].name) != 0];
}

/// What xlaKernelEmit makes of dot_general; with other operations than `mul`
/// and `add` it would be another sum.
static MlirModule kernelOf(MlirContext context, const Case *c, const char *mul,
                           const char *add) {
  char dims[16];
  Text text = {.size = 0};
  Kind kind = c->kind[2], sum = kind == F16 || kind == BF16 ? F32 : kind;
  const char *type = kinds[sum].name, *memory = sum == kind ? "%2" : "%sums";
  resultDims(c, dims);
  append(&text, "func.func private @kernel(%%0: ");
  appendType(&text, c, c->lhs, c->kind[0]);
  append(&text, ", %%1: ");
  appendType(&text, c, c->rhs, c->kind[1]);
  append(&text, ", %%2: ");
  appendType(&text, c, dims, kind);
  append(&text, ") attributes {xla.kind = \"contraction\"} {\n");
  if (sum != kind) {
    append(&text, "%%sums = memref.alloc() : ");
    appendType(&text, c, dims, sum);
  }
  append(&text, "\n%%zero = arith.constant %s : %s\n",
         isInteger(sum) ? "0" : "0.0", type);
  append(&text, "linalg.fill ins(%%zero : %s) outs(%s : ", type, memory);
  appendType(&text, c, dims, sum);
  append(&text, ")\nlinalg.generic {indexing_maps = [");
  appendMap(&text, c, dims, c->lhs);
  append(&text, ", ");
  appendMap(&text, c, dims, c->rhs);
  append(&text, ", ");
  appendMap(&text, c, dims, dims);
  append(&text, "], iterator_types = [");
  appendIterators(&text, c, dims);
  append(&text, "]} ins(%%0, %%1 : ");
  appendType(&text, c, c->lhs, c->kind[0]);
  append(&text, ", ");
  appendType(&text, c, c->rhs, c->kind[1]);
  append(&text, ") outs(%s : ", memory);
  appendType(&text, c, dims, sum);
  append(&text, ") {\n^bb0(%%e0: %s, %%e1: %s, %%acc: %s):\n",
         kinds[c->kind[0]].name, kinds[c->kind[1]].name, type);
  appendInput(&text, c, 0, sum);
  appendInput(&text, c, 1, sum);
  append(&text, "%%p = arith.%s %s, %s : %s\n", mul, inputName(c, 0, sum),
         inputName(c, 1, sum), type);
  append(&text, "%%s = arith.%s %%acc, %%p : %s\nlinalg.yield %%s : %s\n}\n",
         add, type, type);
  if (sum != kind) {
    append(&text, "linalg.generic {indexing_maps = [affine_map<(");
    char list[64] = "";
    for (const char *l = dims; *l; ++l)
      snprintf(list + strlen(list), sizeof list - strlen(list), "%s%c",
               l == dims ? "" : ", ", *l);
    append(&text, "%s) -> (%s)>, affine_map<(%s) -> (%s)>], iterator_types = [",
           list, list, list, list);
    for (const char *l = dims; *l; ++l)
      append(&text, "%s\"parallel\"", l == dims ? "" : ", ");
    append(&text, "]} ins(%%sums : ");
    appendType(&text, c, dims, sum);
    append(&text, ") outs(%%2 : ");
    appendType(&text, c, dims, kind);
    append(&text, ") {\n^bb0(%%x: %s, %%y: %s):\n", type, kinds[kind].name);
    append(&text,
           "%%r = arith.truncf %%x : %s to %s\nlinalg.yield %%r : %s\n}\n",
           type, kinds[kind].name, kinds[kind].name);
  }
  append(&text, "return\n}");
  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text.data));
  if (mlirModuleIsNull(module))
    fail_msg("not parsed: %s", text.data);
  return module;
}

static MlirModule productOf(MlirContext context, const Case *c) {
  bool isFloat = !isInteger(c->kind[2]);
  return kernelOf(context, c, isFloat ? "mulf" : "muli",
                  isFloat ? "addf" : "addi");
}

//===----------------------------------------------------------------------===//
// Expectation
//===----------------------------------------------------------------------===//

typedef struct Sum {
  double value, magnitude;
  uint64_t integer;
} Sum;

static void addTerm(Sum *sum, const Array *lhs, const Array *rhs, int64_t l,
                    int64_t r) {
  if (isInteger(lhs->kind)) {
    sum->integer += getInteger(lhs->kind, lhs->data, l) *
                    getInteger(rhs->kind, rhs->data, r);
    return;
  }
  double term =
      getFloat(lhs->kind, lhs->data, l) * getFloat(rhs->kind, rhs->data, r);
  sum->value += term;
  sum->magnitude += fabs(term);
}

/// Sums over letters of `terms` from the first on.
static void addTerms(const Case *c, const char *terms, Sum *sum,
                     const Array *lhs, const Array *rhs, int64_t l, int64_t r) {
  if (!*terms) {
    addTerm(sum, lhs, rhs, l, r);
    return;
  }
  for (int64_t i = 0; i < sizeOf(c, *terms); ++i)
    addTerms(c, terms + 1, sum, lhs, rhs, l + i * lhs->stride[(int)*terms],
             r + i * rhs->stride[(int)*terms]);
}

static bool isEqual(const Sum *sum, const Array *result, int64_t at,
                    double terms) {
  Kind kind = result->kind;
  if (isInteger(kind)) {
    uint64_t expected = sum->integer;
    return !memcmp(&expected, result->data + (size_t)at * kinds[kind].bytes,
                   kinds[kind].bytes);
  }
  double got = getFloat(kind, result->data, at);
  if (isnan(sum->value) || isinf(sum->value))
    return isnan(sum->value) ? isnan(got) : got == sum->value;
  return fabs(got - sum->value) <=
         kinds[kind].epsilon * (terms + 8) * sum->magnitude +
             kinds[kind].rounding * fabs(sum->value) +
             (kind == F16 ? 0x1p-24 : 0);
}

/// Prints a tiling for messages.
static const char *tilingText(const XlaVulkanMatmulTiling *tiling,
                              char text[160]) {
  snprintf(text, 160,
           "staging %d, %dx%d threads, tile %dx%d, step %d, vectors %d %d, "
           "pairs %d, chunks %d, loops %d",
           tiling->staging, tiling->columnThreads, tiling->otherThreads,
           tiling->tileRows, tiling->tileColumns, tiling->step,
           tiling->lhsVector, tiling->rhsVector, tiling->usesPairs,
           tiling->chunks, tiling->usesLoops);
  return text;
}

static void checkResult(const Case *c, const Array arrays[3],
                        const XlaVulkanMatmulTiling *tiling) {
  char terms[16], *end = terms, text[160];
  double nTerms = 1;
  for (const char *l = c->lhs; *l; ++l)
    if (strchr(c->rhs, *l) && *l != 'a' && *l != 'b') {
      *end++ = *l;
      nTerms *= (double)sizeOf(c, *l);
    }
  *end = 0;
  const Array *result = &arrays[2];
  for (int64_t at = 0; at < result->count; ++at) {
    int64_t l = 0, r = 0, rest = at;
    for (size_t d = strlen(result->dims); d-- > 0;) {
      unsigned char letter = (unsigned char)result->dims[d];
      int64_t i = rest % sizeOf(c, (char)letter);
      rest /= sizeOf(c, (char)letter);
      l += i * arrays[0].stride[letter];
      r += i * arrays[1].stride[letter];
    }
    Sum sum = {0, 0, 0};
    addTerms(c, terms, &sum, &arrays[0], &arrays[1], l, r);
    if (isEqual(&sum, result, at, nTerms))
      continue;
    fail_msg(
        "%s x %s (a %lld b %lld m %lld n %lld k %lld), %s x %s -> %s, %s: "
        "element %lld is %.9g or %llx, not %.9g or %llx",
        c->lhs, c->rhs, (long long)sizeOf(c, 'a'), (long long)sizeOf(c, 'b'),
        (long long)sizeOf(c, 'm'), (long long)sizeOf(c, 'n'),
        (long long)sizeOf(c, 'k'), kinds[c->kind[0]].name,
        kinds[c->kind[1]].name, kinds[c->kind[2]].name,
        tilingText(tiling, text), (long long)at,
        isInteger(result->kind) ? 0 : getFloat(result->kind, result->data, at),
        isInteger(result->kind)
            ? (unsigned long long)getInteger(result->kind, result->data, at)
            : 0,
        sum.value, (unsigned long long)sum.integer);
  }
}

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
                      const XlaVulkanWords *words, Array arrays[3]) {
  XlaVulkanShader shaders[maxDispatches];
  XlaVulkanStep steps[maxDispatches + 1];
  XlaVulkanSpan spans[maxDispatches][maxBindings];
  const void *inputs[3];
  int64_t bytes[3];
  for (int i = 0; i < 3; ++i) {
    inputs[i] = arrays[i].data;
    bytes[i] = arrays[i].count * (int64_t)kinds[arrays[i].kind].bytes;
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

static void runOnArrays(Runner *runner, const Case *c,
                        const XlaVulkanMatmulTiling *tiling,
                        const XlaVulkanKernel *kernel,
                        const XlaVulkanWords *words) {
  char dims[16];
  resultDims(c, dims);
  Array arrays[3] = {makeArray(c, c->lhs, c->kind[0]),
                     makeArray(c, c->rhs, c->kind[1]),
                     makeArray(c, dims, c->kind[2])};
  uint64_t seed = 7;
  for (int i = 0; i < 2; ++i)
    for (int64_t e = 0; e < arrays[i].count; ++e)
      setRandom(arrays[i].kind, arrays[i].data, e, &seed, c->isSpecial);
  runKernel(runner, kernel, words, arrays);
  checkResult(c, arrays, tiling);
  for (int i = 0; i < 3; ++i)
    free(arrays[i].data);
}

/// False if the tiling does not fit.
static bool runCase(Runner *runner, const XlaVulkanInfo *info, const Case *c) {
  VulkanFixture *fixture = &runner->fixture;
  MlirModule module = productOf(fixture->context, c);
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

static Case matrices(int64_t m, int64_t n, int64_t k, const char *lhs,
                     const char *rhs, Kind kind) {
  return (Case){.lhs = lhs,
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
        Case c = matrices(sizes[s][0], sizes[s][1], sizes[s][2],
                          lhsLayouts[layout & 1], rhsLayouts[layout >> 1], F32);
        XlaVulkanMatmulTiling tiling = list[p];
        tiling.usesLoops = (p + (size_t)layout) & 1;
        c.tiling = &tiling;
        c.isSpecial = s == 0;
        fitting += runCase(&runner, &runner.fixture.info, &c);
      }
    char text[160];
    if (!fitting)
      fail_msg("never fits: %s", tilingText(&list[p], text));
  }
  end(&runner);
}

/// Each combination of types, by each staging.
static void elementTypes(void **state) {
  static const Kind types[][3] = {
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
      Case c = matrices(12, 20, 16, p == 1 ? "km" : "mk", "kn", F32);
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
      Case c = {.lhs = operands[i][0],
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
      uint32_t r = next(&seed);
      size[d] = r % 5 == 0 ? 1 : r % 5 == 1 ? 4 * (r >> 8) % 120 : r % 70;
      size[d] += !size[d];
    }
    Case c = matrices(size[0], size[1], size[2], lhsLayouts[next(&seed) & 1],
                      rhsLayouts[next(&seed) & 1], F32);
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
    Case c = matrices(2, 3, 200003, "mk", "kn", I32);
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
    Case c = matrices(sizes[i][0], sizes[i][1], sizes[i][2], lhsLayouts[i & 1],
                      "kn", I32);
    assert_true(runCase(&runner, &old, &c));
  }
  Case c = matrices(1, 1, 300000, "mk", "kn", I32);
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
  Case c = matrices(23, 31, 5, "mk", "kn", F32);
  c.tiling = &tiling;
  assert_true(runCase(&runner, &small, &c));
  small.maxGroupCount[2] = 5;
  assert_false(runCase(&runner, &small, &c));
  end(&runner);
}

static bool describes(VulkanFixture *fixture, const XlaVulkanInfo *info,
                      const Case *c) {
  XlaVulkanMatmul matmul;
  XlaContractionKernel product;
  MlirModule module = productOf(fixture->context, c);
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
  Case c = matrices(3, 4, 5, "mk", "kn", F32);
  assert_true(describes(&fixture, info, &c));
  XlaContractionKernel product;
  MlirModule module = kernelOf(fixture.context, &c, "addf", "mulf");
  assert_false(xlaContractionFind(
      &product, mlirBlockGetFirstOperation(mlirModuleGetBody(module))));
  mlirModuleDestroy(module);
  info->maxBufferRange = 59; // the lhs has 60 bytes, the rhs 80
  assert_false(describes(&fixture, info, &c));
  info->maxBufferRange = 80;
  assert_true(describes(&fixture, info, &c));
  static const Kind lacking[][3] = {
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

//===- write_op.c - Operations in HLO text --------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names and attributes of operations that are one instruction.
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/hlo/write_internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/dialect/ops/convolution.h"
#include "xlac/dialect/ops/groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Those of opcodes.def, and what is written as one of them.
static const struct {
  XlaOpKind kind;
  const char *name;
} opcodes[] = {
#define XLA_HLO_OP(name, Enum, operands, Emit, Kind, dimensions)               \
  {XlaOpKind##Kind, name},
#include "xlac/formats/hlo/opcodes.def"
    {XlaOpKindCollapse, "reshape"},
    {XlaOpKindCreateToken, "after-all"},
    {XlaOpKindRngNormal, "rng"},
};

const char *xlaHloOpcode(XlaOpKind kind) {
  // dynamic-reshape makes a reshape too, which comes after it.
  for (size_t i = sizeof opcodes / sizeof *opcodes; i-- > 0;)
    if (opcodes[i].kind == kind)
      return opcodes[i].name;
  return NULL;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static void printList(XlaIrText *text, const char *name, intptr_t n,
                      const int64_t *values) {
  xlaIrTextPrint(text, ", %s={", name);
  for (intptr_t i = 0; i < n; ++i)
    xlaIrTextPrint(text, "%s%lld", i ? "," : "", (long long)values[i]);
  xlaIrTextPrint(text, "}");
}

/// The attribute `from` as a list `name`, which may be empty; nothing if there
/// is none and it is not needed.
static void list(XlaIrText *text, MlirOperation op, const char *from,
                 const char *name, bool isNeeded) {
  XlaI64List values = {.size = 0};
  if (xlaOpGetList(op, from, &values) ? values.size || isNeeded : isNeeded)
    printList(text, name, values.size, values.values);
}

/// An integer that HLO keeps as a list of one.
static void listOfOne(XlaIrText *text, MlirOperation op, const char *from) {
  int64_t value = xlaOpGetI64(op, from, 0);
  printList(text, "dimensions", 1, &value);
}

static void flag(XlaIrText *text, MlirOperation op, const char *name) {
  if (xlaOpIsTrue(op, name))
    xlaIrTextPrint(text, ", %s=true", name);
}

static void number(XlaIrText *text, MlirOperation op, const char *name) {
  xlaIrTextPrint(text, ", %s=%lld", name, (long long)xlaOpGetI64(op, name, 0));
}

static void append(XlaIrText *text, MlirStringRef part) {
  xlaIrTextAppend(part, text);
}

static void word(XlaIrText *text, MlirOperation op, const char *from,
                 const char *name) {
  MlirAttribute value = xlaOpGetAttr(op, from);
  if (mlirAttributeIsNull(value) || !mlirAttributeIsAString(value))
    return;
  xlaIrTextPrint(text, ", %s=", name);
  append(text, mlirStringAttrGetValue(value));
}

static void groups(XlaIrText *text, MlirOperation op, const char *name) {
  xlaHloPrintGroups(text, name, xlaOpGetAttr(op, name));
}

void xlaHloPrintGroups(XlaIrText *text, const char *name, MlirAttribute value) {
  XlaGroups read;
  if (!xlaGroupsRead(value, &read)) {
    text->isCut = true;
    return;
  }
  xlaIrTextPrint(text, ", %s={", name);
  for (intptr_t g = 0; g < read.count; ++g) {
    xlaIrTextPrint(text, "%s{", g ? "," : "");
    for (intptr_t i = read.starts[g]; i < read.starts[g + 1]; ++i)
      xlaIrTextPrint(text, "%s%lld", i > read.starts[g] ? "," : "",
                     (long long)read.ids[i]);
    xlaIrTextPrint(text, "}");
  }
  xlaIrTextPrint(text, "}");
  xlaGroupsDestroy(&read);
}

static void collective(XlaIrText *text, MlirOperation op) {
  groups(text, op, "replica_groups");
  if (xlaOpGetI64(op, "channel_id", 0) > 0)
    number(text, op, "channel_id");
  flag(text, op, "use_global_device_ids");
}

static void window(XlaIrText *text, const XlaWindow *w, const bool *reversed) {
  struct {
    const char *name;
    const int64_t *values;
  } lists[] = {{"stride", w->strides},
               {"lhs_dilate", w->baseDilations},
               {"rhs_dilate", w->windowDilations}};
  xlaIrTextPrint(text, ", window={");
  if (w->rank)
    xlaIrTextPrint(text, "size=");
  for (int i = 0; i < w->rank; ++i)
    xlaIrTextPrint(text, "%s%lld", i ? "x" : "", (long long)w->sizes[i]);
  for (size_t k = 0; k < sizeof lists / sizeof *lists; ++k)
    for (int i = 0; i < w->rank; ++i) {
      if (!i)
        xlaIrTextPrint(text, " %s=", lists[k].name);
      xlaIrTextPrint(text, "%s%lld", i ? "x" : "",
                     (long long)lists[k].values[i]);
    }
  for (int i = 0; i < w->rank; ++i)
    xlaIrTextPrint(text, "%s%lld_%lld", i ? "x" : " pad=", (long long)w->low[i],
                   (long long)w->high[i]);
  for (int i = 0; reversed && i < w->rank; ++i)
    xlaIrTextPrint(text, "%s%d", i ? "x" : " rhs_reversal=", reversed[i]);
  xlaIrTextPrint(text, "}");
}

/// `b01f`: what each dimension is.
static void labels(XlaIrText *text, const XlaConvolutionSide *side, char batch,
                   char feature) {
  char chars[XLA_MAX_RANK + 1][12];
  int rank = side->spatial.size + 2;
  snprintf(chars[side->batch], sizeof *chars, "%c", batch);
  snprintf(chars[side->feature], sizeof *chars, "%c", feature);
  for (int i = 0; i < side->spatial.size; ++i)
    snprintf(chars[side->spatial.values[i]], sizeof *chars, "%d", i);
  for (int i = 0; i < rank; ++i)
    xlaIrTextPrint(text, "%s", chars[i]);
}

/// `operand_precision={highest,default}`.
static void precision(XlaIrText *text, MlirOperation op) {
  MlirAttribute config = xlaOpGetAttr(op, "precision_config");
  if (mlirAttributeIsNull(config) || !mlirAttributeIsAArray(config) ||
      !mlirArrayAttrGetNumElements(config))
    return;
  xlaIrTextPrint(text, ", operand_precision={");
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(config); ++i) {
    MlirStringRef value =
        mlirStringAttrGetValue(mlirArrayAttrGetElement(config, i));
    xlaIrTextPrint(text, "%s", i ? "," : "");
    for (size_t k = 0; k < value.length; ++k) {
      char c = value.data[k];
      xlaIrTextPrint(text, "%c", c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
  }
  xlaIrTextPrint(text, "}");
}

static void convolution(XlaIrText *text, MlirOperation op) {
  XlaConvolution c;
  xlaConvolutionRead(op, &c);
  window(text, &c.window, c.reversed);
  xlaIrTextPrint(text, ", dim_labels=");
  labels(text, &c.lhs, 'b', 'f');
  xlaIrTextPrint(text, "_");
  labels(text, &c.rhs, 'o', 'i');
  xlaIrTextPrint(text, "->");
  labels(text, &c.result, 'b', 'f');
  if (c.featureGroups != 1)
    xlaIrTextPrint(text, ", feature_group_count=%lld",
                   (long long)c.featureGroups);
  if (c.batchGroups != 1)
    xlaIrTextPrint(text, ", batch_group_count=%lld", (long long)c.batchGroups);
  precision(text, op);
}

static void padding(XlaIrText *text, MlirOperation op) {
  XlaI64List low = {0}, high = {0}, interior = {0};
  xlaOpGetList(op, "edge_padding_low", &low);
  xlaOpGetList(op, "edge_padding_high", &high);
  xlaOpGetList(op, "interior_padding", &interior);
  xlaIrTextPrint(text, ", padding=");
  for (int i = 0; i < low.size; ++i)
    xlaIrTextPrint(text, "%s%lld_%lld_%lld", i ? "x" : "",
                   (long long)low.values[i], (long long)high.values[i],
                   (long long)interior.values[i]);
}

static void slice(XlaIrText *text, MlirOperation op) {
  XlaI64List start = {0}, limit = {0}, stride = {0};
  xlaOpGetList(op, "start_indices", &start);
  xlaOpGetList(op, "limit_indices", &limit);
  bool strided = xlaOpGetList(op, "strides", &stride);
  xlaIrTextPrint(text, ", slice={");
  for (int i = 0; i < start.size; ++i)
    xlaIrTextPrint(text, "%s[%lld:%lld:%lld]", i ? ", " : "",
                   (long long)start.values[i], (long long)limit.values[i],
                   strided && i < stride.size ? (long long)stride.values[i]
                                              : 1LL);
  xlaIrTextPrint(text, "}");
}

static void batchNorm(XlaIrText *text, MlirOperation op) {
  MlirAttribute epsilon = xlaOpGetAttr(op, "epsilon");
  xlaIrTextPrint(text, ", epsilon=%.9g",
                 mlirAttributeIsAFloat(epsilon)
                     ? mlirFloatAttrGetValueDouble(epsilon)
                     : 0.);
  number(text, op, "feature_index");
}

static void triangularSolve(XlaIrText *text, MlirOperation op) {
  static const char *const names[] = {"left_side", "lower", "unit_diagonal"};
  for (int i = 0; i < 3; ++i)
    xlaIrTextPrint(text, ", %s=%s", names[i],
                   xlaOpIsTrue(op, names[i]) ? "true" : "false");
  word(text, op, "transpose_a", "transpose_a");
}

static void baseWindow(XlaIrText *text, MlirOperation op,
                       const XlaWindowForm *form) {
  XlaWindow w;
  XlaShape shape;
  xlaShapeFromMlirBounded(mlirValueGetType(mlirOperationGetOperand(op, 0)),
                          &shape, NULL);
  xlaWindowSetBase(&w, &shape);
  xlaWindowRead(op, form, &w);
  window(text, &w, NULL);
}

static void reduceWindow(XlaIrText *text, MlirOperation op) {
  baseWindow(text, op, &xlaReduceWindowForm);
}

static void selectAndScatter(XlaIrText *text, MlirOperation op) {
  baseWindow(text, op, &xlaSelectAndScatterForm);
}

static void gather(XlaIrText *text, MlirOperation op) {
  list(text, op, "offset_dims", "offset_dims", true);
  list(text, op, "collapsed_slice_dims", "collapsed_slice_dims", true);
  list(text, op, "start_index_map", "start_index_map", true);
  list(text, op, "operand_batching_dims", "operand_batching_dims", false);
  list(text, op, "start_indices_batching_dims", "start_indices_batching_dims",
       false);
  number(text, op, "index_vector_dim");
  list(text, op, "slice_sizes", "slice_sizes", true);
  flag(text, op, "indices_are_sorted");
}

static void scatter(XlaIrText *text, MlirOperation op) {
  list(text, op, "update_window_dims", "update_window_dims", true);
  list(text, op, "inserted_window_dims", "inserted_window_dims", true);
  list(text, op, "scatter_dims_to_operand_dims", "scatter_dims_to_operand_dims",
       true);
  list(text, op, "input_batching_dims", "input_batching_dims", false);
  list(text, op, "scatter_indices_batching_dims",
       "scatter_indices_batching_dims", false);
  number(text, op, "index_vector_dim");
  flag(text, op, "indices_are_sorted");
  flag(text, op, "unique_indices");
}

static void sort(XlaIrText *text, MlirOperation op) {
  XlaShape shape;
  int64_t dimension = xlaOpGetI64(op, "dimension", -1);
  xlaShapeFromMlirBounded(mlirValueGetType(mlirOperationGetOperand(op, 0)),
                          &shape, NULL);
  dimension += dimension < 0 ? shape.rank : 0;
  printList(text, "dimensions", 1, &dimension);
  xlaIrTextPrint(text, ", is_stable=true"); // as the dialect's always is
}

static void rngBitGenerator(XlaIrText *text, MlirOperation op) {
  const char *name =
      xlaOpAttrIs(op, "rng_algorithm", "THREE_FRY") ? "rng_three_fry"
      : xlaOpAttrIs(op, "rng_algorithm", "PHILOX")  ? "rng_philox"
                                                    : "rng_default";
  xlaIrTextPrint(text, ", algorithm=%s", name);
}

static void string(XlaIrText *text, MlirOperation op, const char *from,
                   const char *name) {
  MlirAttribute value = xlaOpGetAttr(op, from);
  if (mlirAttributeIsNull(value) || !mlirAttributeIsAString(value) ||
      !mlirStringAttrGetValue(value).length)
    return;
  xlaIrTextPrint(text, ", %s=", name);
  xlaHloPrintQuoted(text, mlirStringAttrGetValue(value));
}

/// A dictionary, as typed calls have it, is printed as MLIR does, which XLA
/// reads.
static void customCall(XlaIrText *text, MlirOperation op) {
  static const char *const versions[] = {
      "API_VERSION_UNSPECIFIED", "API_VERSION_ORIGINAL",
      "API_VERSION_STATUS_RETURNING", "API_VERSION_STATUS_RETURNING_UNIFIED",
      "API_VERSION_TYPED_FFI"};
  MlirAttribute config = xlaOpGetAttr(op, "backend_config");
  bool isTyped =
      !mlirAttributeIsNull(config) && mlirAttributeIsADictionary(config);
  int64_t version = xlaOpGetI64(op, "api_version", isTyped ? 4 : 1);
  string(text, op, "call_target_name", "custom_call_target");
  if (xlaOpIsTrue(op, "has_side_effect"))
    xlaIrTextPrint(text, ", custom_call_has_side_effect=true");
  if (version != 1 && version >= 0 && version <= 4)
    xlaIrTextPrint(text, ", api_version=%s", versions[version]);
  string(text, op, "backend_config", "backend_config");
  if (isTyped) {
    XlaIrText printed = {0};
    mlirAttributePrint(config, xlaIrTextAppend, &printed);
    xlaIrTextPrint(text, ", backend_config=");
    if (printed.data)
      xlaHloPrintQuoted(text, mlirStringRefCreate(printed.data, printed.size));
    text->isCut |= printed.isCut;
    free(printed.data);
  }
}

static void dotGeneral(XlaIrText *text, MlirOperation op) {
  list(text, op, "lhs_batching_dimensions", "lhs_batch_dims", false);
  list(text, op, "lhs_contracting_dimensions", "lhs_contracting_dims", true);
  list(text, op, "rhs_batching_dimensions", "rhs_batch_dims", false);
  list(text, op, "rhs_contracting_dimensions", "rhs_contracting_dims", true);
  precision(text, op);
  word(text, op, "algorithm", "algorithm");
}

static void fft(XlaIrText *text, MlirOperation op) {
  word(text, op, "fft_type", "fft_type");
  list(text, op, "fft_length", "fft_length", true);
}

static void broadcast(XlaIrText *text, MlirOperation op) {
  list(text, op, "broadcast_dimensions", "dimensions", true);
}

static void concatenate(XlaIrText *text, MlirOperation op) {
  listOfOne(text, op, "dimension");
}

static void dimensions(XlaIrText *text, MlirOperation op) {
  list(text, op, "dimensions", "dimensions", true);
}

static void transpose(XlaIrText *text, MlirOperation op) {
  list(text, op, "permutation", "dimensions", true);
}

static void dynamicSlice(XlaIrText *text, MlirOperation op) {
  list(text, op, "slice_sizes", "dynamic_slice_sizes", true);
}

static void iota(XlaIrText *text, MlirOperation op) {
  number(text, op, "iota_dimension");
}

static void compare(XlaIrText *text, MlirOperation op) {
  word(text, op, "comparison_direction", "direction");
  word(text, op, "compare_type", "type");
}

static void reducePrecision(XlaIrText *text, MlirOperation op) {
  number(text, op, "exponent_bits");
  number(text, op, "mantissa_bits");
}

static void topK(XlaIrText *text, MlirOperation op) {
  number(text, op, "k");
  xlaIrTextPrint(text, ", largest=true");
}

static void rngUniform(XlaIrText *text, MlirOperation op) {
  (void)op;
  xlaIrTextPrint(text, ", distribution=rng_uniform");
}

static void rngNormal(XlaIrText *text, MlirOperation op) {
  (void)op;
  xlaIrTextPrint(text, ", distribution=rng_normal");
}

static void cholesky(XlaIrText *text, MlirOperation op) {
  xlaIrTextPrint(text, ", lower=%s",
                 xlaOpIsTrue(op, "lower") ? "true" : "false");
}

static void getTupleElement(XlaIrText *text, MlirOperation op) {
  number(text, op, "index");
}

static void allGather(XlaIrText *text, MlirOperation op) {
  listOfOne(text, op, "all_gather_dim");
  collective(text, op);
}

static void reduceScatter(XlaIrText *text, MlirOperation op) {
  listOfOne(text, op, "scatter_dimension");
  collective(text, op);
}

static void collectivePermute(XlaIrText *text, MlirOperation op) {
  groups(text, op, "source_target_pairs");
  if (xlaOpGetI64(op, "channel_id", 0) > 0)
    number(text, op, "channel_id");
}

static void infeed(XlaIrText *text, MlirOperation op) {
  string(text, op, "infeed_config", "infeed_config");
}

static void outfeed(XlaIrText *text, MlirOperation op) {
  string(text, op, "outfeed_config", "outfeed_config");
}

static void transfer(XlaIrText *text, MlirOperation op) {
  number(text, op, "channel_id");
  flag(text, op, "is_host_transfer");
}

void xlaHloPrintAttributes(XlaIrText *text, MlirOperation op) {
  static void (*const printers[XlaOpKindCount])(XlaIrText *, MlirOperation) = {
      [XlaOpKindAllGather] = allGather,
      [XlaOpKindAllReduce] = collective,
      [XlaOpKindAllToAll] = collective,
      [XlaOpKindBatchNormGrad] = batchNorm,
      [XlaOpKindBatchNormInference] = batchNorm,
      [XlaOpKindBatchNormTraining] = batchNorm,
      [XlaOpKindBroadcastInDim] = broadcast,
      [XlaOpKindCholesky] = cholesky,
      [XlaOpKindCollectiveBroadcast] = collective,
      [XlaOpKindCollectivePermute] = collectivePermute,
      [XlaOpKindCompare] = compare,
      [XlaOpKindConcatenate] = concatenate,
      [XlaOpKindConvolution] = convolution,
      [XlaOpKindCrossReplicaSum] = collective,
      [XlaOpKindCustomCall] = customCall,
      [XlaOpKindDot] = precision,
      [XlaOpKindDotGeneral] = dotGeneral,
      [XlaOpKindDynamicSlice] = dynamicSlice,
      [XlaOpKindFft] = fft,
      [XlaOpKindGather] = gather,
      [XlaOpKindGetDimensionSize] = concatenate,
      [XlaOpKindGetTupleElement] = getTupleElement,
      [XlaOpKindInfeed] = infeed,
      [XlaOpKindIota] = iota,
      [XlaOpKindMap] = dimensions,
      [XlaOpKindOutfeed] = outfeed,
      [XlaOpKindPad] = padding,
      [XlaOpKindRecv] = transfer,
      [XlaOpKindReduce] = dimensions,
      [XlaOpKindReducePrecision] = reducePrecision,
      [XlaOpKindReduceScatter] = reduceScatter,
      [XlaOpKindReduceWindow] = reduceWindow,
      [XlaOpKindReverse] = dimensions,
      [XlaOpKindRngBitGenerator] = rngBitGenerator,
      [XlaOpKindRngNormal] = rngNormal,
      [XlaOpKindRngUniform] = rngUniform,
      [XlaOpKindScatter] = scatter,
      [XlaOpKindSelectAndScatter] = selectAndScatter,
      [XlaOpKindSend] = transfer,
      [XlaOpKindSetDimensionSize] = concatenate,
      [XlaOpKindSlice] = slice,
      [XlaOpKindSort] = sort,
      [XlaOpKindTopK] = topK,
      [XlaOpKindTranspose] = transpose,
      [XlaOpKindTriangularSolve] = triangularSolve,
  };
  XlaOpKind kind = xlaOpGetKind(op);
  if (printers[kind])
    printers[kind](text, op);
}

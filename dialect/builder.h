//===- builder.h - Building programs from C ----------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program is built op by op, by functions named as those of the
// specification's XlaBuilder:
//
//   XlaBuilder *b = xlaBuilderCreate(context, "layer");
//   XlaOp x = xlaBuilderParameter(b, 0, XLA_SHAPE(F32, 2, 3), "x");
//   XlaOp w = xlaBuilderParameter(b, 1, XLA_SHAPE(F32, 3, 2), "w");
//   XlaOp zero = xlaBuilderConstantR0F32(b, 0);
//   XlaOp y = xlaBuilderMax(b, xlaBuilderDot(b, x, w), zero, NULL, 0);
//   XlaComputation *layer;
//   if (mlirLogicalResultIsFailure(xlaBuilderBuild(b, y, &layer)))
//     fprintf(stderr, "%s\n", xlaBuilderGetError(b));
//   xlaBuilderDestroy(b);
//
// computation.h tells what can be done with a computation, lowering/client.h
// compiles and runs it. examples/ has whole programs.
//
// Errors. Shapes are inferred, and every rule checked, by the call that builds
// an operation. Calls need no checks, though: the first error is kept with its
// place, that call and all later ones give the null op and do nothing, and
// xlaBuilderBuild fails. A null builder, null ops and computations, ops of
// another builder, negative and wrong counts are errors of this kind as well.
//
// Lists are a pointer and a count, `n` if the function has one only; they are
// copied. XLA_INTS(1, 2) and XLA_OPS(x, y) write both, `NULL, 0` is the empty
// list. Lists have at most 64 integers.
//
// Computations that an op takes (of reduce, while ..) were built by builders of
// their own, in the same context. They are copied: to release them afterwards
// is right. They see nothing but their parameters.
//
// "000: Pad" names the section of the specification, "002" the older one whose
// forms are accepted too.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_BUILDER_H
#define XLAC_DIALECT_BUILDER_H

#include "xlac/dialect/computation.h"
#include "xlac/dialect/literal.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Builders
//===----------------------------------------------------------------------===//

typedef struct XlaBuilder XlaBuilder;

/// A value under construction: what a builder's function gave. Belongs to its
/// builder and needs no freeing. All zeros is the null op.
typedef struct XlaOp {
  const XlaBuilder *builder;
  int64_t number; ///< of the call that gave it, from 1
} XlaOp;

/// Lists as two arguments, in C.
#define XLA_INTS(...)                                                          \
  (const int64_t[]){__VA_ARGS__},                                              \
      sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t)
#define XLA_OPS(...)                                                           \
  (const XlaOp[]){__VA_ARGS__},                                                \
      sizeof((const XlaOp[]){__VA_ARGS__}) / sizeof(XlaOp)
/// The address of a shape: XLA_SHAPE(F32, 2, 3), XLA_SHAPE(S32) for a scalar.
#define XLA_SHAPE(Type, ...)                                                   \
  (&(const XlaShape){                                                          \
      .elementType = XlaElementType##Type,                                     \
      .rank =                                                                  \
          sizeof((const int64_t[]){0, ##__VA_ARGS__}) / sizeof(int64_t) - 1,   \
      .dims = {__VA_ARGS__}})

/// A context with what builders need, for the caller to destroy with
/// mlirContextDestroy after all that lives in it.
MlirContext xlaBuilderCreateContext(void);

/// A builder of one computation, whose name is free text and may be NULL. NULL
/// if there is no memory. `context` is xlaBuilderCreateContext's, a client's
/// (lowering/client.h), or any other in which the dialects xla and func are
/// registered.
XlaBuilder *xlaBuilderCreate(MlirContext context, const char *name);
/// NULL is allowed. Computations that were built stay.
void xlaBuilderDestroy(XlaBuilder *b);

/// What later ops stand for in the user's program: a name as "dense/matmul" and
/// a file's line, each left out if NULL. Errors of this builder and diagnostics
/// of compilation name them. Copied.
void xlaBuilderSetLocation(XlaBuilder *b, const char *name, const char *file,
                           int line);

/// Ends the computation: `root`, or the last op if it is null, becomes its
/// result, the parameters, numbered 0 to N - 1, its arguments. The builder is
/// then of no more use but for destroying it. On failure `*out` is NULL, and
/// the error is emitted as a diagnostic at its location.
MlirLogicalResult xlaBuilderBuild(XlaBuilder *b, XlaOp root,
                                  XlaComputation **out);

/// The first error, as "op 3 of 'layer', xlaBuilderAdd: ..", or NULL. Lives as
/// long as the builder.
const char *xlaBuilderGetError(const XlaBuilder *b);
/// Keeps `message` as the error, if it is the first: for functions that build
/// what several ops make up.
void xlaBuilderSetError(XlaBuilder *b, const char *message);

/// The type of `op`: of an array `tensor<2x3xf32>`, of others
/// `tuple<..>` or `!xla.token`. Null, without an error, for the null op and
/// those of other builders.
MlirType xlaBuilderGetType(const XlaBuilder *b, XlaOp op);
/// The same as a shape; false if `op` is no array, or has dimensions of dynamic
/// size.
bool xlaBuilderGetShape(const XlaBuilder *b, XlaOp op, XlaShape *shape);

/// Types for parameters and results that are no arrays. Null after an error.
MlirType xlaBuilderArrayType(XlaBuilder *b, const XlaShape *shape);
MlirType xlaBuilderTupleType(XlaBuilder *b, const MlirType *types, intptr_t n);
MlirType xlaBuilderTokenType(XlaBuilder *b);

//===----------------------------------------------------------------------===//
// Parameters and constants
//===----------------------------------------------------------------------===//

/// Argument `number` of the computation, an array. Parameters may be made in
/// any order, each number once. `name` is for readers, and may be NULL.
XlaOp xlaBuilderParameter(XlaBuilder *b, int64_t number, const XlaShape *shape,
                          const char *name);
/// The same of any type: a tuple or a token.
XlaOp xlaBuilderParameterOfType(XlaBuilder *b, int64_t number, MlirType type,
                                const char *name);

/// Any value, a tuple included; copied.
XlaOp xlaBuilderConstantLiteral(XlaBuilder *b, const XlaLiteral *literal);
/// A scalar, vector or matrix (row-major) of one of the C types:
/// xlaBuilderConstantR0F32(b, 2), xlaBuilderConstantR1S32(b, values, n),
/// xlaBuilderConstantR2F64(b, values, rows, columns).
#define XLA_BUILDER_C_TYPE(ElementType, type)                                  \
  XlaOp xlaBuilderConstantR0##ElementType(XlaBuilder *b, type value);          \
  XlaOp xlaBuilderConstantR1##ElementType(XlaBuilder *b, const type *values,   \
                                          intptr_t n);                         \
  XlaOp xlaBuilderConstantR2##ElementType(XlaBuilder *b, const type *values,   \
                                          intptr_t rows, intptr_t columns);
#include "xlac/dialect/builder.def"
/// A scalar of any element type: a number rounded to it, and the least and
/// greatest value (floats: infinities, where the type has them), as init values
/// of maxima and minima need. Complex types have no least and greatest.
XlaOp xlaBuilderConstantScalar(XlaBuilder *b, XlaElementType elementType,
                               double value);
XlaOp xlaBuilderMinValue(XlaBuilder *b, XlaElementType elementType);
XlaOp xlaBuilderMaxValue(XlaBuilder *b, XlaElementType elementType);

/// 0, 1, 2 .. along `dimension`. 000: Iota.
XlaOp xlaBuilderIota(XlaBuilder *b, const XlaShape *shape, int64_t dimension);

//===----------------------------------------------------------------------===//
// Elementwise (000: Unary functions, Binary arithmetic, Comparison)
//===----------------------------------------------------------------------===//

/// xlaBuilderAbs, Cbrt, Ceil, Clz, Cos, Erf, Exp, Expm1, Floor, Imag, IsFinite,
/// Log, Log1p, Logistic, Neg, Not, PopulationCount, Real, Round (halves away
/// from zero), RoundNearestEven, Rsqrt, Sign, Sin, Sqrt, Tan, Tanh. The shape
/// is that of `operand`; docs/ops.md has the element types.
#define XLA_BUILDER_UNARY(Function, Enum)                                      \
  XlaOp xlaBuilder##Function(XlaBuilder *b, XlaOp operand);
/// LogicalNot of 002, on pred.
#define XLA_BUILDER_LOGICAL_UNARY(Function, Enum)                              \
  XlaOp xlaBuilder##Function(XlaBuilder *b, XlaOp operand);
/// xlaBuilderAdd, And, Atan2, Complex, Div, Max, Min, Mul, Or, Pow, Rem,
/// ShiftLeft, ShiftRightArithmetic, ShiftRightLogical, Sub, Xor. Operands have
/// one element type and broadcast as 003 says: dimensions of size 1 are
/// repeated, scalars fit everywhere, and an operand of lower rank needs
/// `broadcastDimensions`, the dimension of the other for each of its own, in
/// increasing order; `NULL, 0` if there are none.
#define XLA_BUILDER_BINARY(Function, Enum)                                     \
  XlaOp xlaBuilder##Function(XlaBuilder *b, XlaOp lhs, XlaOp rhs,              \
                             const int64_t *broadcastDimensions, intptr_t n);
/// LogicalAnd and LogicalOr of 002, on pred.
#define XLA_BUILDER_LOGICAL_BINARY(Function, Enum)                             \
  XlaOp xlaBuilder##Function(XlaBuilder *b, XlaOp lhs, XlaOp rhs,              \
                             const int64_t *broadcastDimensions, intptr_t n);
/// xlaBuilderEq, Ne, Ge, Gt, Le, Lt give pred; so do xlaBuilderEqTotalOrder,
/// .., by which floats are ordered as -NaN < -Inf < .. < -0 < +0 < .. < +Inf <
/// +NaN. Broadcasting is that of the binary functions.
#define XLA_BUILDER_COMPARE(Function, direction)                               \
  XlaOp xlaBuilder##Function(XlaBuilder *b, XlaOp lhs, XlaOp rhs,              \
                             const int64_t *broadcastDimensions, intptr_t n);  \
  XlaOp xlaBuilder##Function##TotalOrder(XlaBuilder *b, XlaOp lhs, XlaOp rhs,  \
                                         const int64_t *broadcastDimensions,   \
                                         intptr_t n);
#include "xlac/dialect/builder.def"

/// min(max(min, operand), max); the bounds are scalars or of the operand's
/// shape. 000: Clamp.
XlaOp xlaBuilderClamp(XlaBuilder *b, XlaOp min, XlaOp operand, XlaOp max);
/// Elements of `onTrue` where `pred` holds, else of `onFalse`. A scalar `pred`
/// selects one of two values of any type, tuples too. 000: Select.
XlaOp xlaBuilderSelect(XlaBuilder *b, XlaOp pred, XlaOp onTrue, XlaOp onFalse);
/// The values in another element type. 000: ConvertElementType.
XlaOp xlaBuilderConvertElementType(XlaBuilder *b, XlaOp operand,
                                   XlaElementType elementType);
/// The bits as another element type: a narrower one adds a minor dimension, a
/// wider one drops it. 000: BitcastConvertType.
XlaOp xlaBuilderBitcastConvertType(XlaBuilder *b, XlaOp operand,
                                   XlaElementType elementType);
/// The bytes of the operand, row-major, as an array of `shape`, which has as
/// many. Layouts come in with types: xlaBuilderBitcastToType.
XlaOp xlaBuilderBitcast(XlaBuilder *b, XlaOp operand, const XlaShape *shape);
/// The same for any array type, which says how its elements lie in memory:
/// layout.h makes such types.
XlaOp xlaBuilderBitcastToType(XlaBuilder *b, XlaOp operand, MlirType type);
/// Rounds floats to a format of fewer bits. The order of the arguments is the
/// one that 000 and 002 print, mantissa first. 000: ReducePrecision.
XlaOp xlaBuilderReducePrecision(XlaBuilder *b, XlaOp operand,
                                int64_t mantissaBits, int64_t exponentBits);

//===----------------------------------------------------------------------===//
// Moving data
//===----------------------------------------------------------------------===//

/// New major dimensions, along which the operand is repeated: sizes {2, 3} make
/// f32[4] f32[2,3,4]. 000: Broadcast.
XlaOp xlaBuilderBroadcast(XlaBuilder *b, XlaOp operand, const int64_t *sizes,
                          intptr_t n);
/// Dimension i of the operand becomes dimension `broadcastDimensions[i]` of an
/// array of the sizes `outDimSizes`; size 1 is repeated. 000: BroadcastInDim.
XlaOp xlaBuilderBroadcastInDim(XlaBuilder *b, XlaOp operand,
                               const int64_t *outDimSizes, intptr_t nSizes,
                               const int64_t *broadcastDimensions,
                               intptr_t nDimensions);
/// Makes one dimension of consecutive ones, listed in order: {0, 1} or {1, 2},
/// not {1, 0} or {0, 2}. None or one changes nothing. 000: Collapse.
XlaOp xlaBuilderCollapse(XlaBuilder *b, XlaOp operand,
                         const int64_t *dimensions, intptr_t n);
/// The operands one after the other along `dimension`, at least one. 000:
/// Concatenate, where XlaBuilder's function is ConcatInDim: both are here.
XlaOp xlaBuilderConcatenate(XlaBuilder *b, const XlaOp *operands, intptr_t n,
                            int64_t dimension);
XlaOp xlaBuilderConcatInDim(XlaBuilder *b, const XlaOp *operands, intptr_t n,
                            int64_t dimension);
/// What is padded to a dimension: before, after and between its elements.
/// Negative edges remove elements.
typedef struct XlaPaddingConfigDimension {
  int64_t edgePaddingLow, edgePaddingHigh, interiorPadding;
} XlaPaddingConfigDimension;
/// `config` has an entry for each of the operand's n dimensions. 000: Pad.
XlaOp xlaBuilderPad(XlaBuilder *b, XlaOp operand, XlaOp paddingValue,
                    const XlaPaddingConfigDimension *config, intptr_t n);
/// The same elements, in row-major order, in an array of the sizes `newSizes`.
/// 000: Reshape.
XlaOp xlaBuilderReshape(XlaBuilder *b, XlaOp operand, const int64_t *newSizes,
                        intptr_t n);
/// The same, the elements taken in the order of `dimensions` (from slowest to
/// fastest), a permutation. 000: Reshape(operand, dimensions, new_sizes).
XlaOp xlaBuilderReshapeInOrder(XlaBuilder *b, XlaOp operand,
                               const int64_t *dimensions, intptr_t nDimensions,
                               const int64_t *newSizes, intptr_t nSizes);
/// The order of elements reversed along `dimensions`. 000: Rev.
XlaOp xlaBuilderRev(XlaBuilder *b, XlaOp operand, const int64_t *dimensions,
                    intptr_t n);
/// Every `strides[d]`-th element from `startIndices[d]` below
/// `limitIndices[d]`; `strides` may be NULL, for all 1 (002). The lists have
/// the operand's rank n. 000: Slice.
XlaOp xlaBuilderSlice(XlaBuilder *b, XlaOp operand, const int64_t *startIndices,
                      const int64_t *limitIndices, const int64_t *strides,
                      intptr_t n);
/// The same in one dimension; the others stay whole.
XlaOp xlaBuilderSliceInDim(XlaBuilder *b, XlaOp operand, int64_t start,
                           int64_t limit, int64_t stride, int64_t dimension);
/// A slice of constant sizes at computed starts, which are clamped so that it
/// lies within. `startIndices` are n integer scalars, or one vector of n
/// (nStarts is 1 then); n is the operand's rank. 000: DynamicSlice.
XlaOp xlaBuilderDynamicSlice(XlaBuilder *b, XlaOp operand,
                             const XlaOp *startIndices, intptr_t nStarts,
                             const int64_t *sizeIndices, intptr_t n);
/// The operand with `update` in place of such a slice. 000:
/// DynamicUpdateSlice.
XlaOp xlaBuilderDynamicUpdateSlice(XlaBuilder *b, XlaOp operand, XlaOp update,
                                   const XlaOp *startIndices, intptr_t nStarts);
/// Dimension i of the result is dimension `permutation[i]` of the operand.
/// 000: Transpose.
XlaOp xlaBuilderTranspose(XlaBuilder *b, XlaOp operand,
                          const int64_t *permutation, intptr_t n);

/// The size of a dimension, an s32. 000: GetDimensionSize.
XlaOp xlaBuilderGetDimensionSize(XlaBuilder *b, XlaOp operand,
                                 int64_t dimension);
/// The first `size` elements, an s32, along a dimension, which becomes dynamic;
/// what it was is the bound. What reduces it leaves the rest out. 000:
/// SetDimensionSize.
XlaOp xlaBuilderSetDimensionSize(XlaBuilder *b, XlaOp operand, XlaOp size,
                                 int64_t dimension);

//===----------------------------------------------------------------------===//
// Tuples
//===----------------------------------------------------------------------===//

/// One value of several, of none too. 000: Tuple.
XlaOp xlaBuilderTuple(XlaBuilder *b, const XlaOp *elements, intptr_t n);
/// 000: GetTupleElement.
XlaOp xlaBuilderGetTupleElement(XlaBuilder *b, XlaOp tuple, int64_t index);
/// The operand, which no optimization moves anything across. 000:
/// OptimizationBarrier.
XlaOp xlaBuilderOptimizationBarrier(XlaBuilder *b, XlaOp operand);

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

/// Products of vectors and matrices; sums run over the last dimension of lhs
/// and the last but one (of vectors the only one) of rhs. 000: Dot.
XlaOp xlaBuilderDot(XlaBuilder *b, XlaOp lhs, XlaOp rhs);
/// Which dimensions are summed over, and which are batches. Lists go in pairs:
/// entry i of lhs with entry i of rhs.
typedef struct XlaDotDimensionNumbers {
  const int64_t *lhsContracting, *rhsContracting;
  intptr_t nContracting;
  const int64_t *lhsBatch, *rhsBatch;
  intptr_t nBatch;
} XlaDotDimensionNumbers;
/// The result has the batch dimensions, then what is left of lhs, then of rhs.
/// 000: DotGeneral.
XlaOp xlaBuilderDotGeneral(XlaBuilder *b, XlaOp lhs, XlaOp rhs,
                           const XlaDotDimensionNumbers *numbers);

//===----------------------------------------------------------------------===//
// Computations over elements
//===----------------------------------------------------------------------===//

/// Combines the elements along `dimensions`, in any order, with `computation`:
/// of type (T0 .. Tn-1, T0 .. Tn-1) -> T0 for one operand, -> (T0 .. Tn-1) for
/// more; first the n accumulated values, then the n elements. Gives an array,
/// for several operands a tuple of them. `initValues` are n scalars. 000:
/// Reduce; n = 1 is the form of 002.
XlaOp xlaBuilderReduce(XlaBuilder *b, const XlaOp *operands,
                       const XlaOp *initValues, intptr_t n,
                       const XlaComputation *computation,
                       const int64_t *dimensions, intptr_t nDimensions);
/// The same along all dimensions of one operand.
XlaOp xlaBuilderReduceAll(XlaBuilder *b, XlaOp operand, XlaOp initValue,
                          const XlaComputation *computation);
/// `computation` applied to the scalars at every index of the n operands, which
/// have the same dimensions, all of which `dimensions` lists in order. After
/// those scalars it gets the `staticOperands` whole (002; `NULL, 0` if there
/// are none). 000: Map.
XlaOp xlaBuilderMap(XlaBuilder *b, const XlaOp *operands, intptr_t n,
                    const XlaComputation *computation,
                    const int64_t *dimensions, intptr_t nDimensions,
                    const XlaOp *staticOperands, intptr_t nStatic);

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// Padding by a word: none, or as much as gives a result of the operand's size
/// where strides are 1, split evenly, the larger half behind.
typedef enum XlaPadding { XlaPaddingValid, XlaPaddingSame } XlaPadding;

/// How windows lie over an array, an entry for each of its n dimensions. All
/// but the sizes may be NULL, for strides and dilations of 1.
typedef struct XlaWindowDimensions {
  const int64_t *sizes;
  const int64_t *strides;         ///< from a window to the next
  const int64_t *baseDilations;   ///< from an element to the next, with holes
  const int64_t *windowDilations; ///< from a window's element to the next
  intptr_t n;
} XlaWindowDimensions;

/// Combines the elements of every window, as xlaBuilderReduce does those along
/// dimensions. What lies in padding and holes counts as init values. 000:
/// ReduceWindow; one operand is the form of 002.
XlaOp xlaBuilderReduceWindow(XlaBuilder *b, const XlaOp *operands,
                             const XlaOp *initValues, intptr_t nOperands,
                             const XlaComputation *computation,
                             const XlaWindowDimensions *window,
                             XlaPadding padding);
/// The same with 2n numbers: what is padded in front of dimension 0 and behind
/// it, of dimension 1 .. Negative padding removes elements. NULL is none.
XlaOp xlaBuilderReduceWindowWithGeneralPadding(
    XlaBuilder *b, const XlaOp *operands, const XlaOp *initValues,
    intptr_t nOperands, const XlaComputation *computation,
    const XlaWindowDimensions *window, const int64_t *padding);

/// `initValue` everywhere, but where `select`, (T, T) -> pred, prefers an
/// element of the operand to all others of a window: the element of `source`
/// for that window is combined with what is there by `scatter`, (T, T) -> T.
/// The window has no dilations. 000: SelectAndScatter.
XlaOp xlaBuilderSelectAndScatter(XlaBuilder *b, XlaOp operand,
                                 const XlaComputation *select,
                                 const XlaWindowDimensions *window,
                                 XlaPadding padding, XlaOp source,
                                 XlaOp initValue,
                                 const XlaComputation *scatter);
/// The same with 2n numbers as padding, or NULL.
XlaOp xlaBuilderSelectAndScatterWithGeneralPadding(
    XlaBuilder *b, XlaOp operand, const XlaComputation *select,
    const XlaWindowDimensions *window, const int64_t *padding, XlaOp source,
    XlaOp initValue, const XlaComputation *scatter);

//===----------------------------------------------------------------------===//
// Normalization
//===----------------------------------------------------------------------===//

/// Normalizes every feature, dimension `featureIndex`, over all others; scale
/// and offset are vectors of an element a feature. A tuple of the result, the
/// means and the variances. 000: BatchNormTraining.
XlaOp xlaBuilderBatchNormTraining(XlaBuilder *b, XlaOp operand, XlaOp scale,
                                  XlaOp offset, float epsilon,
                                  int64_t featureIndex);
/// The same by means and variances that are given; an array. 000:
/// BatchNormInference.
XlaOp xlaBuilderBatchNormInference(XlaBuilder *b, XlaOp operand, XlaOp scale,
                                   XlaOp offset, XlaOp mean, XlaOp variance,
                                   float epsilon, int64_t featureIndex);
/// The gradients of operand, scale and offset, a tuple. 000: BatchNormGrad.
XlaOp xlaBuilderBatchNormGrad(XlaBuilder *b, XlaOp operand, XlaOp scale,
                              XlaOp mean, XlaOp variance, XlaOp gradOutput,
                              float epsilon, int64_t featureIndex);

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

// n is the number of spatial dimensions; operands and result have n + 2. Unless
// dimension numbers say otherwise these are batch, feature and the spatial ones
// of lhs and of the result; output feature, input feature and the spatial ones
// of rhs, the kernel. `featureGroupCount` and `batchGroupCount` are 1 where
// there are no groups.

/// Which dimension is which.
typedef struct XlaConvolutionDimensionNumbers {
  int64_t inputBatch, inputFeature;
  const int64_t *inputSpatial;
  int64_t kernelOutputFeature, kernelInputFeature;
  const int64_t *kernelSpatial;
  int64_t outputBatch, outputFeature;
  const int64_t *outputSpatial;
} XlaConvolutionDimensionNumbers;
/// How the kernel moves, an entry for each spatial dimension; NULL for strides
/// and dilations of 1, and for no padding.
typedef struct XlaConvolutionWindow {
  const int64_t *strides;
  const int64_t *padding; ///< 2n: in front, behind; negative ones remove
  const int64_t *lhsDilation, *rhsDilation;
  intptr_t n;
} XlaConvolutionWindow;

/// 000: Conv.
XlaOp xlaBuilderConv(XlaBuilder *b, XlaOp lhs, XlaOp rhs,
                     const int64_t *windowStrides, intptr_t n,
                     XlaPadding padding, int64_t featureGroupCount,
                     int64_t batchGroupCount);
/// 000: ConvWithGeneralPadding.
XlaOp xlaBuilderConvWithGeneralPadding(XlaBuilder *b, XlaOp lhs, XlaOp rhs,
                                       const XlaConvolutionWindow *window,
                                       int64_t featureGroupCount,
                                       int64_t batchGroupCount);
/// Conv with dimension numbers.
XlaOp xlaBuilderConvWithGeneralDimensions(
    XlaBuilder *b, XlaOp lhs, XlaOp rhs, const int64_t *windowStrides,
    intptr_t n, XlaPadding padding,
    const XlaConvolutionDimensionNumbers *numbers, int64_t featureGroupCount,
    int64_t batchGroupCount);
/// Both, without dilations: `padding` has 2n numbers.
XlaOp xlaBuilderConvGeneral(XlaBuilder *b, XlaOp lhs, XlaOp rhs,
                            const int64_t *windowStrides,
                            const int64_t *padding, intptr_t n,
                            const XlaConvolutionDimensionNumbers *numbers,
                            int64_t featureGroupCount, int64_t batchGroupCount);
/// Everything.
XlaOp xlaBuilderConvGeneralDilated(
    XlaBuilder *b, XlaOp lhs, XlaOp rhs, const XlaConvolutionWindow *window,
    const XlaConvolutionDimensionNumbers *numbers, int64_t featureGroupCount,
    int64_t batchGroupCount);

//===----------------------------------------------------------------------===//
// Slices at many places, and sorting
//===----------------------------------------------------------------------===//

/// How gather reads its operands; 000: Gather. Batching dimensions go in pairs,
/// and may be none.
typedef struct XlaGatherDimensionNumbers {
  const int64_t *offsetDims;
  intptr_t nOffsetDims;
  const int64_t *collapsedSliceDims;
  intptr_t nCollapsedSliceDims;
  const int64_t *startIndexMap;
  intptr_t nStartIndexMap;
  int64_t indexVectorDim;
  const int64_t *operandBatchingDims, *startIndicesBatchingDims;
  intptr_t nBatchingDims;
} XlaGatherDimensionNumbers;
/// Slices of the n sizes `sliceSizes`, one for each index vector in
/// `startIndices`, clamped to lie within. `indicesAreSorted` is the caller's
/// promise. 000: Gather.
XlaOp xlaBuilderGather(XlaBuilder *b, XlaOp operand, XlaOp startIndices,
                       const XlaGatherDimensionNumbers *numbers,
                       const int64_t *sliceSizes, intptr_t n,
                       bool indicesAreSorted);

/// How scatter finds its places; 000: Scatter. Batching dimensions go in pairs,
/// and may be none.
typedef struct XlaScatterDimensionNumbers {
  const int64_t *updateWindowDims;
  intptr_t nUpdateWindowDims;
  const int64_t *insertedWindowDims;
  intptr_t nInsertedWindowDims;
  const int64_t *scatterDimsToOperandDims;
  intptr_t nScatterDimsToOperandDims;
  int64_t indexVectorDim;
  const int64_t *inputBatchingDims, *scatterIndicesBatchingDims;
  intptr_t nBatchingDims;
} XlaScatterDimensionNumbers;
/// The n operands with slices, at the places that `scatterIndices` has,
/// combined with the slices of the n `updates` by `computation`: of type (T0 ..
/// Tn-1, T0 .. Tn-1), first what is there, then the updates, -> T0, or a tuple.
/// Slices that do not lie within are skipped. Gives an array, for several
/// operands a tuple. The flags are the caller's promises. 000: Scatter.
XlaOp xlaBuilderScatter(XlaBuilder *b, const XlaOp *operands, intptr_t n,
                        XlaOp scatterIndices, const XlaOp *updates,
                        const XlaComputation *computation,
                        const XlaScatterDimensionNumbers *numbers,
                        bool indicesAreSorted, bool uniqueIndices);

/// Sorts the n operands together along `dimension`, counted from the end if
/// negative: -1 is the last. `comparator` takes two elements of each operand,
/// (T0, T0, T1, T1 ..) -> pred, and tells whether the first of each come first.
/// NULL, for one operand, sorts in ascending order (002). Gives an array, for
/// several operands a tuple. 000: Sort.
XlaOp xlaBuilderSort(XlaBuilder *b, const XlaOp *operands, intptr_t n,
                     const XlaComputation *comparator, int64_t dimension,
                     bool isStable);

//===----------------------------------------------------------------------===//
// Linear algebra and random numbers
//===----------------------------------------------------------------------===//

/// The triangular factor of the Hermitian positive definite matrices in the
/// last two dimensions. 000: Cholesky.
XlaOp xlaBuilderCholesky(XlaBuilder *b, XlaOp a, bool lower);

/// What is solved with: a, its transpose, or its conjugate transpose.
typedef enum XlaTranspose {
  XlaTransposeNoTranspose,
  XlaTransposeTranspose,
  XlaTransposeAdjoint,
} XlaTranspose;
/// x with op(a) x = b if `leftSide`, else with x op(a) = b; `lower` tells which
/// triangle of a counts, `unitDiagonal` that its diagonal does not and is 1.
/// 000: TriangularSolve.
XlaOp xlaBuilderTriangularSolve(XlaBuilder *b, XlaOp a, XlaOp rhs,
                                bool leftSide, bool lower, bool unitDiagonal,
                                XlaTranspose transposeA);

/// Directions and kinds of Fourier transforms; RFFT and IRFFT are between reals
/// and the first half of their symmetric spectrum.
typedef enum XlaFftType {
  XlaFftTypeFft,
  XlaFftTypeIfft,
  XlaFftTypeRfft,
  XlaFftTypeIrfft,
} XlaFftType;
/// Transforms the last n dimensions, 1 to 3, of the sizes `fftLength` in the
/// time domain. 000: Fft.
XlaOp xlaBuilderFft(XlaBuilder *b, XlaOp operand, XlaFftType type,
                    const int64_t *fftLength, intptr_t n);

/// Numbers low <= x < high, other ones whenever it runs, in an array of
/// `shape`; the bounds are scalars of its element type. 000: RngUniform(a, b,
/// shape).
XlaOp xlaBuilderRngUniform(XlaBuilder *b, XlaOp low, XlaOp high,
                           const XlaShape *shape);
/// Normally distributed ones of this mean and standard deviation. 000:
/// RngNormal.
XlaOp xlaBuilderRngNormal(XlaBuilder *b, XlaOp mu, XlaOp sigma,
                          const XlaShape *shape);

/// Which bits come out of a state.
typedef enum XlaRandomAlgorithm {
  XlaRandomAlgorithmDefault,
  XlaRandomAlgorithmThreeFry,
  XlaRandomAlgorithmPhilox,
} XlaRandomAlgorithm;
/// A tuple of the state that gives the next bits, and an array of `shape` of
/// random bits. 000: RngBitGenerator.
XlaOp xlaBuilderRngBitGenerator(XlaBuilder *b, XlaRandomAlgorithm algorithm,
                                XlaOp initialState, const XlaShape *shape);

//===----------------------------------------------------------------------===//
// Between replicas
//===----------------------------------------------------------------------===//

/// Replicas that work together, in order. No groups at all are one of all
/// replicas.
typedef struct XlaReplicaGroup {
  const int64_t *ids;
  intptr_t n;
} XlaReplicaGroup;
/// `channelId` of the functions below is that of operations between modules; 0
/// is none.

/// The operands of a group's `shardCount` replicas one after the other along
/// `allGatherDim`. 000: AllGather.
XlaOp xlaBuilderAllGather(XlaBuilder *b, XlaOp operand, int64_t allGatherDim,
                          int64_t shardCount, const XlaReplicaGroup *groups,
                          intptr_t nGroups, int64_t channelId);
/// The operands of a group combined element by element with `computation`, (T,
/// T) -> T on scalars. The operand is an array or a tuple of arrays. 000:
/// AllReduce.
XlaOp xlaBuilderAllReduce(XlaBuilder *b, XlaOp operand,
                          const XlaComputation *computation,
                          const XlaReplicaGroup *groups, intptr_t nGroups,
                          int64_t channelId);
/// The sum over all replicas, or over those of groups. 000: CrossReplicaSum.
XlaOp xlaBuilderCrossReplicaSum(XlaBuilder *b, XlaOp operand,
                                const XlaReplicaGroup *groups,
                                intptr_t nGroups);
/// Splits the operand into `splitCount` parts along `splitDimension`, sends
/// part i to replica i of the group, and joins what comes from all along
/// `concatDimension`. 000: AllToAll.
XlaOp xlaBuilderAllToAll(XlaBuilder *b, XlaOp operand, int64_t splitDimension,
                         int64_t concatDimension, int64_t splitCount,
                         const XlaReplicaGroup *groups, intptr_t nGroups);
/// AllReduce, of which replica i of a group gets part i of `shardCount` along
/// `scatterDimension`. 000: ReduceScatter.
XlaOp xlaBuilderReduceScatter(XlaBuilder *b, XlaOp operand,
                              const XlaComputation *computation,
                              int64_t scatterDimension, int64_t shardCount,
                              const XlaReplicaGroup *groups, intptr_t nGroups,
                              int64_t channelId);
/// The operand of the source in the target of each pair; zeros in replicas that
/// are no target. 000: CollectivePermute.
typedef struct XlaSourceTargetPair {
  int64_t source, target;
} XlaSourceTargetPair;
XlaOp xlaBuilderCollectivePermute(XlaBuilder *b, XlaOp operand,
                                  const XlaSourceTargetPair *pairs,
                                  intptr_t nPairs);
/// The operand of the first replica of each group; zeros elsewhere. (StableHLO)
XlaOp xlaBuilderCollectiveBroadcast(XlaBuilder *b, XlaOp operand,
                                    const XlaReplicaGroup *groups,
                                    intptr_t nGroups, int64_t channelId);
/// This replica's number, a u32. 000: ReplicaId.
XlaOp xlaBuilderReplicaId(XlaBuilder *b);
/// This partition's number, a u32. (StableHLO)
XlaOp xlaBuilderPartitionId(XlaBuilder *b);

//===----------------------------------------------------------------------===//
// From and to the host and other programs
//===----------------------------------------------------------------------===//

/// Values that the host gives: an array or a tuple of arrays. Nothing is read
/// for an empty tuple. 000: Infeed.
XlaOp xlaBuilderInfeed(XlaBuilder *b, MlirType type);
/// The same after a token; a tuple of the values and the token that comes after
/// them.
XlaOp xlaBuilderInfeedWithToken(XlaBuilder *b, XlaOp token, MlirType type);
/// Gives an array or a tuple of arrays to the host. Is the empty tuple.
XlaOp xlaBuilderOutfeed(XlaBuilder *b, XlaOp operand);
/// The same after a token; the token that comes after it.
XlaOp xlaBuilderOutfeedWithToken(XlaBuilder *b, XlaOp operand, XlaOp token);

/// Sends an array to the Recv of another program with this channel, and waits
/// until it is sent. Is the empty tuple. 000: Send.
XlaOp xlaBuilderSend(XlaBuilder *b, XlaOp operand, int64_t channelId);
/// What is received, of type `type`: an array or a tuple of arrays. 000: Recv.
XlaOp xlaBuilderRecv(XlaBuilder *b, MlirType type, int64_t channelId);
/// The halves of these: start a transfer and give a context, which one call of
/// the second function waits with. 000: Send, SendDone, Recv, RecvDone of
/// HloInstruction.
XlaOp xlaBuilderSendStart(XlaBuilder *b, XlaOp operand, int64_t channelId);
XlaOp xlaBuilderSendDone(XlaBuilder *b, XlaOp context);
XlaOp xlaBuilderRecvStart(XlaBuilder *b, MlirType type, int64_t channelId);
XlaOp xlaBuilderRecvDone(XlaBuilder *b, XlaOp context);
/// The same after a token: the token that comes after it; of Recv a tuple of
/// the value and the token.
XlaOp xlaBuilderSendWithToken(XlaBuilder *b, XlaOp operand, XlaOp token,
                              int64_t channelId);
XlaOp xlaBuilderRecvWithToken(XlaBuilder *b, XlaOp token, MlirType type,
                              int64_t channelId);

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// A token that comes after all of `tokens`. 000: AfterAll.
XlaOp xlaBuilderAfterAll(XlaBuilder *b, const XlaOp *tokens, intptr_t n);
/// A token that comes after nothing.
XlaOp xlaBuilderCreateToken(XlaBuilder *b);

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// `body`, T -> T, repeated from `init` on while `condition`, T -> pred, holds.
/// T may be a tuple. 000: While.
XlaOp xlaBuilderWhile(XlaBuilder *b, const XlaComputation *condition,
                      const XlaComputation *body, XlaOp init);
/// One of two computations, of one parameter each and the same result. 000:
/// Conditional.
XlaOp xlaBuilderConditional(XlaBuilder *b, XlaOp pred, XlaOp trueOperand,
                            const XlaComputation *trueComputation,
                            XlaOp falseOperand,
                            const XlaComputation *falseComputation);
/// Computation number `branchIndex`, an s32, of n; the last if there is no such
/// number. 000: Conditional(branch_index, ..).
XlaOp xlaBuilderSwitch(XlaBuilder *b, XlaOp branchIndex,
                       const XlaComputation *const *branchComputations,
                       const XlaOp *branchOperands, intptr_t n);
/// The result of a computation, which becomes a function of the module. 000:
/// Call.
XlaOp xlaBuilderCall(XlaBuilder *b, const XlaComputation *computation,
                     const XlaOp *operands, intptr_t n);
/// What foreign code named `target` gives, of type `type`: see
/// XlaCustomCallHook in evaluator.h. 000: CustomCall.
XlaOp xlaBuilderCustomCall(XlaBuilder *b, const char *target,
                           const XlaOp *operands, intptr_t n, MlirType type);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_BUILDER_H

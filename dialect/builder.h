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

#include "xlac/dialect/builder/computation.h"
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

/// Padding by a word: none, or as much as gives a result of the operand's size
/// where strides are 1, split evenly, the larger half behind.
typedef enum XlaPadding { XlaPaddingValid, XlaPaddingSame } XlaPadding;

#ifdef __cplusplus
}
#endif

// The operations, a family each.
#include "xlac/dialect/builder/collective.h"
#include "xlac/dialect/builder/constant.h"
#include "xlac/dialect/builder/control.h"
#include "xlac/dialect/builder/convolution.h"
#include "xlac/dialect/builder/elementwise.h"
#include "xlac/dialect/builder/index.h"
#include "xlac/dialect/builder/library.h"
#include "xlac/dialect/builder/movement.h"
#include "xlac/dialect/builder/transfer.h"
#include "xlac/dialect/builder/window.h"

#endif // XLAC_DIALECT_BUILDER_H

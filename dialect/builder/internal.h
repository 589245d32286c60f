//===- internal.h - Inside of builders ----------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function of the builder fills a draft and finishes it:
//
//   XlaDraft draft;
//   xlaDraftBegin(&draft, b, __func__, XlaOpKindAbs);
//   xlaDraftOperand(&draft, operand);
//   xlaDraftInts(&draft, "dimensions", dimensions, n);
//   return xlaDraftFinish(&draft);
//
// After the first error, and without a builder, all of these do nothing, so no
// function has to look.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_BUILDER_INTERNAL_H
#define XLAC_DIALECT_BUILDER_INTERNAL_H

#include "mlir-c/Diagnostics.h"
#include "xlac/dialect/builder.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"

//===----------------------------------------------------------------------===//
// Functions that a computation calls
//===----------------------------------------------------------------------===//

/// A called computation and its symbol among the others of the same caller.
typedef struct XlaCallee {
  XlaComputation *computation; ///< a reference
  char *symbol;
} XlaCallee;

/// Callees, and those of callees: what a module needs beside its @main.
typedef struct XlaCallees {
  intptr_t n;
  XlaCallee *entries;
} XlaCallees;

/// The symbol of `computation`, which is added, after all that it calls, if it
/// is not there. NULL without memory.
const char *xlaCalleesAdd(XlaCallees *callees,
                          const XlaComputation *computation);
void xlaCalleesDestroy(XlaCallees *callees);

//===----------------------------------------------------------------------===//
// Computations
//===----------------------------------------------------------------------===//

struct XlaComputation {
  intptr_t references;
  char *name;
  MlirOperation function; ///< a detached func.func of that name
  XlaCallees callees;
  int64_t nOperations; ///< with those in regions
  int depth;           ///< 1, and 1 more for every level of computations
};

/// A copy of the body as a region that ends in xla.return. With `flatten` a
/// tuple is returned as its elements. Symbols become those of `callees`, to
/// which the computation's are added. Null without memory.
MlirRegion xlaComputationCloneRegion(const XlaComputation *computation,
                                     bool flatten, XlaCallees *callees);

//===----------------------------------------------------------------------===//
// Builders
//===----------------------------------------------------------------------===//

struct XlaBuilder {
  MlirContext context;
  char *name;
  MlirRegion region; ///< one block, which gets the operations
  MlirBlock block;
  bool built; ///< the region belongs to a computation
  intptr_t nValues, valueCapacity;
  MlirValue *values; ///< of op number i + 1
  intptr_t nParameters, parameterCapacity;
  int64_t *parameters; ///< their numbers, ascending, as the block's arguments
  XlaCallees callees;
  int64_t nOperations;
  int depth;                   ///< of the deepest computation used
  const char *function;        ///< that is being called
  XlaPrecision precisions[2];  ///< of products
  XlaElementType productsType; ///< or Invalid: lhs's
  char *place;                 ///< the user's name for what is built, or NULL
  MlirLocation outer;          ///< the user's file and line, or unknown
  bool hasOuter;
  char *error; ///< the first; NULL if there is none
  bool failed; ///< also if there was no memory for the error
};

/// Keeps the first error, with the place where it happened; false.
bool xlaBuilderFail(XlaBuilder *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/// Starts a function that makes no operation by itself: false if it is to do
/// nothing.
bool xlaBuilderBegin(XlaBuilder *b, const char *function);
/// The value of `op`; null after an error if it is not of this builder.
MlirValue xlaBuilderGetValue(XlaBuilder *b, XlaOp op);
/// The type of operand `op`; null after an error.
MlirType xlaBuilderOperandType(XlaBuilder *b, XlaOp op);
/// The same as a shape; false after an error if it is not an array.
bool xlaBuilderOperandShape(XlaBuilder *b, XlaOp op, XlaShape *shape);
/// The same of an array that may have dimensions of dynamic size.
bool xlaBuilderOperandBounded(XlaBuilder *b, XlaOp op, XlaShape *shape);
/// A new op for `value`.
XlaOp xlaBuilderAddValue(XlaBuilder *b, MlirValue value);
/// Whether `shape` is one that arrays can have; else an error.
bool xlaBuilderCheckShape(XlaBuilder *b, const XlaShape *shape);
/// `elements`, the dimensions of a new shape; false after an error.
bool xlaBuilderMakeShape(XlaBuilder *b, XlaElementType elementType,
                         const int64_t *sizes, intptr_t n, XlaShape *shape);
/// Whether a list can be one: not negative, and there; else an error.
bool xlaBuilderCheckList(XlaBuilder *b, const char *name, const void *list,
                         intptr_t n);
/// Whether `computation` can be used here; else an error.
bool xlaBuilderCheckComputation(XlaBuilder *b,
                                const XlaComputation *computation);
/// The location that a new operation gets.
MlirLocation xlaBuilderLocation(XlaBuilder *b);
/// Makes errors that MLIR or a hook emits the builder's own until the end.
MlirDiagnosticHandlerID xlaBuilderCatch(XlaBuilder *b);
void xlaBuilderCatchEnd(XlaBuilder *b, MlirDiagnosticHandlerID handler);

/// The padding of one dimension, in front and behind, that keeps ceil(size /
/// stride) windows, sizes with their dilations; none for values that the
/// operation refuses anyway.
void xlaBuilderPadSame(int64_t size, int64_t window, int64_t stride,
                       int64_t baseDilation, int64_t windowDilation,
                       int64_t pair[2]);
bool xlaBuilderCheckPadding(XlaBuilder *b, XlaPadding padding);

//===----------------------------------------------------------------------===//
// Drafts
//===----------------------------------------------------------------------===//

enum { XlaDraftMaxAttrs = 16 };

/// An operation in the making.
typedef struct XlaDraft {
  XlaBuilder *b; ///< NULL: nothing is to be done
  XlaOpKind kind;
  intptr_t nOperands, operandCapacity;
  MlirValue *operands;
  intptr_t nAttrs;
  XlaIrAttr attrs[XlaDraftMaxAttrs];
  intptr_t nRegions, regionCapacity;
  MlirRegion *regions; ///< owned until they are the operation's
  intptr_t nResults, resultCapacity;
  MlirType *results; ///< stated
} XlaDraft;

void xlaDraftBegin(XlaDraft *draft, XlaBuilder *b, const char *function,
                   XlaOpKind kind);
void xlaDraftOperand(XlaDraft *draft, XlaOp op);
/// `name` is the argument's, for messages.
void xlaDraftOperands(XlaDraft *draft, const char *name, const XlaOp *ops,
                      intptr_t n);
/// What the user asks of products.
void xlaDraftProducts(XlaDraft *draft);
void xlaDraftAttr(XlaDraft *draft, const char *name, MlirAttribute value);
void xlaDraftInts(XlaDraft *draft, const char *name, const int64_t *values,
                  intptr_t n);
/// The same, but nothing for NULL.
void xlaDraftMaybeInts(XlaDraft *draft, const char *name, const int64_t *values,
                       intptr_t n);
/// The same, but nothing for an empty list.
void xlaDraftOptionalInts(XlaDraft *draft, const char *name,
                          const int64_t *values, intptr_t n);
void xlaDraftInt(XlaDraft *draft, const char *name, int64_t value);
void xlaDraftBool(XlaDraft *draft, const char *name, bool value);
void xlaDraftString(XlaDraft *draft, const char *name, const char *value);
void xlaDraftRegion(XlaDraft *draft, const XlaComputation *computation,
                    bool flatten);
/// A result whose type does not follow from the operands.
void xlaDraftResult(XlaDraft *draft, MlirType type);
void xlaDraftResultShape(XlaDraft *draft, const XlaShape *shape);
/// Infers the results, makes the operation and gives its result, a tuple if
/// there are several. The null op after an error.
XlaOp xlaDraftFinish(XlaDraft *draft);
/// The same, but always a tuple.
XlaOp xlaDraftFinishTuple(XlaDraft *draft);
/// Ends a draft that is not finished.
void xlaDraftDestroy(XlaDraft *draft);

#endif // XLAC_DIALECT_BUILDER_INTERNAL_H

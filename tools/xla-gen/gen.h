//===- gen.h - How hooks make operations -------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A family of operations has a hook that adds one operation to the program: it
// picks operands, attributes and regions at random and calls xlaGenOp. What
// does not verify is dropped by xlaGenOp, so a hook may guess. A new family
// needs a row in the table of families.c and a hook:
//
//   bool xlaGenReverse(XlaGen *gen, XlaOpKind kind) {
//     XlaGenValue x = xlaGenPick(gen, xlaOpGetInfo(kind)->typeClasses);
//     int64_t dim = xlaGenBelow(gen, x.shape.rank);
//     XlaIrAttr attr = xlaGenList(gen, "dimensions", 1, &dim);
//     return xlaGenOp(gen, kind, 1, &x, 1, &attr, 0, NULL, NULL, NULL);
//   }
//
// An operation whose results are not defined to the last bit calls xlaGenVary
// on its operands and results, or has a row in vary.c's table.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TOOLS_XLA_GEN_GEN_H
#define XLAC_TOOLS_XLA_GEN_GEN_H

#include "xlac/dialect/ir.h"
#include "xlac/tools/xla-gen/program.h"

enum { xlaGenMaxRank = 5, xlaGenMaxValues = 512 };

/// An array that operations can use.
typedef struct XlaGenValue {
  MlirValue value;
  XlaShape shape;
} XlaGenValue;

/// A program in the making.
typedef struct XlaGen {
  const XlaGenOptions *options;
  XlaIr ir;                            ///< where operations are added
  MlirBlock module;                    ///< where functions are added
  uint64_t seed;                       ///< of this program
  uint64_t random;                     ///< the state of xlaGenBelow
  uint64_t varyRandom;                 ///< of what variations choose
  XlaGenValue values[xlaGenMaxValues]; ///< those from `first` are visible
  int nValues, first;
  int depth;     ///< of regions and functions
  int left;      ///< operations to add
  int functions; ///< added for calls
  bool scalars;  ///< in a region of map: everything is a scalar
  int plain;     ///< above 0 nothing is varied
  bool types[XlaElementTypeCount]; ///< that this program may have
  unsigned families; ///< that this program has, as bits, see families.c
  int nPalette;      ///< the element types that this program prefers
  XlaElementType palette[4];
  int64_t extent; ///< the size that this program prefers; 0: none
} XlaGen;

typedef bool (*XlaGenHook)(XlaGen *gen, XlaOpKind kind);

/// A random number below `n`; 0 if `n` is not positive.
int xlaGenBelow(XlaGen *gen, int64_t n);
/// The next number of the sequence with this state.
uint64_t xlaGenNext(uint64_t *state);
/// 0, 1, and small numbers that fit registers, or just do not; often that which
/// the program prefers, so that sizes do not tell dimensions apart.
int64_t xlaGenExtent(XlaGen *gen);
/// An element type of a class, of the program's few ones if possible; Invalid
/// if none is allowed.
XlaElementType xlaGenElementType(XlaGen *gen, unsigned classes);
XlaShape xlaGenShape(XlaGen *gen, XlaElementType type);
XlaShape xlaGenScalar(XlaElementType type);
/// Whether an array of this shape is small enough.
bool xlaGenFits(const XlaGen *gen, const XlaShape *shape);

/// Random elements: small ones, those of every size, or some special ones, as
/// one of `manner` (any number) says.
XlaLiteral *xlaGenLiteral(uint64_t *state, const XlaShape *shape, int manner);

/// Makes a value visible.
void xlaGenAdd(XlaGen *gen, XlaGenValue value);
XlaGenValue xlaGenValueOf(MlirValue value);
/// A visible value of one of these classes (XlaTypeClass), converted if there
/// is none.
XlaGenValue xlaGenPick(XlaGen *gen, unsigned classes);
/// One of this type, made of another one or a constant if there is none. The
/// shape must fit (xlaGenFits).
XlaGenValue xlaGenOfShape(XlaGen *gen, const XlaShape *shape);
/// A constant with small elements.
XlaGenValue xlaGenConstant(XlaGen *gen, const XlaShape *shape);
/// `x` with finite elements from -3 to 3, if it has floats.
XlaGenValue xlaGenCalm(XlaGen *gen, XlaGenValue x);
/// A scalar constant, or one number everywhere.
XlaGenValue xlaGenNumber(XlaGen *gen, const XlaShape *shape, double number);

/// Adds an operation and makes its array results visible, the first of which is
/// also written to `*result` unless that is NULL. `stated` is NULL or the type
/// of the result of operations that must be told. Takes ownership of the
/// regions. False, and nothing is added, if the operation does not verify.
bool xlaGenOp(XlaGen *gen, XlaOpKind kind, int nOperands,
              const XlaGenValue *operands, int nAttrs, const XlaIrAttr *attrs,
              int nRegions, MlirRegion *regions, const XlaShape *stated,
              XlaGenValue *result);
/// The same with any types; nothing is varied or made visible. `results` are
/// the stated types, or 0 of them. Null if it does not verify.
MlirOperation xlaGenRaw(XlaGen *gen, XlaOpKind kind, int nOperands,
                        const MlirValue *operands, int nAttrs,
                        const XlaIrAttr *attrs, int nRegions,
                        MlirRegion *regions, int nResults,
                        const MlirType *results);
/// An array attribute.
XlaIrAttr xlaGenList(XlaGen *gen, const char *name, int n,
                     const int64_t *items);
XlaIrAttr xlaGenInteger(XlaGen *gen, const char *name, int64_t value);

/// A region under construction: a block with arguments, which are visible
/// alone if it is `closed`.
typedef struct XlaGenScope {
  MlirRegion region;
  XlaIr ir;
  int nValues, first;
} XlaGenScope;
XlaGenScope xlaGenEnter(XlaGen *gen, int nArguments, const MlirType *types,
                        bool closed);
/// Ends it with xla.return.
MlirRegion xlaGenLeave(XlaGen *gen, const XlaGenScope *scope, int nResults,
                       const MlirValue *results);

/// What reductions of a type combine with, in any order, and the value that
/// changes nothing. False if there is nothing.
bool xlaGenCombiner(XlaGen *gen, XlaElementType type, XlaOpKind *kind,
                    double *neutral);
/// What is combined so: floats to be multiplied are none beyond 1, since
/// whether part of a product overflows depends on the order.
XlaGenValue xlaGenCombined(XlaGen *gen, XlaOpKind kind, XlaGenValue x);
/// The region of a reduction that combines two scalars.
MlirRegion xlaGenCombination(XlaGen *gen, XlaOpKind kind, MlirType type);

/// Chooses the families that the program has.
void xlaGenChooseFamilies(XlaGen *gen);
/// Adds up to `n` operations.
void xlaGenStatements(XlaGen *gen, int n);
/// Adds one operation of the named family, if it is allowed.
bool xlaGenOfFamily(XlaGen *gen, XlaFamily family);

//===----------------------------------------------------------------------===//
// Variations
//===----------------------------------------------------------------------===//

/// What implementations may do differently.
typedef enum XlaGenLiberty {
  XlaGenLibertyRounding, ///< up or down
  XlaGenLibertyFlush,    ///< denormals are zeros
  XlaGenLibertySigns,    ///< of NaNs; of zeros where `signs of zeros` says
  XlaGenLibertyOrder,    ///< of reductions
} XlaGenLiberty;

/// Whether this variation takes the liberty now.
bool xlaGenTakes(XlaGen *gen, XlaGenLiberty liberty);
/// `x` with elements up to `ulps` up or down; itself if it has no floats.
XlaGenValue xlaGenVaryRounding(XlaGen *gen, XlaGenValue x, double ulps);
/// An order for what a reduction combines, to be asked once for all operands of
/// an operation; 0: as it is.
unsigned xlaGenOrder(XlaGen *gen);
/// `x` with its elements in `order` along dimensions.
XlaGenValue xlaGenOrdered(XlaGen *gen, XlaGenValue x, int nDims,
                          const int64_t *dims, unsigned order);
/// `sum`, what `op` gives, or NaN where it adds up terms that overflow with
/// both signs; itself if `op` is no sum of floats or products.
XlaGenValue xlaGenVarySum(XlaGen *gen, MlirOperation op, XlaGenValue sum);
/// `x` with the other sign where it is zero.
XlaGenValue xlaGenVaryZero(XlaGen *gen, XlaGenValue x);
/// `x` with `other` in place of NaN.
XlaGenValue xlaGenWithoutNan(XlaGen *gen, XlaGenValue x, XlaGenValue other);
/// An operand or the result of an operation, as xlaGenOp varies it. `from`: the
/// element type that says how accurate it is.
XlaGenValue xlaGenVaryOperand(XlaGen *gen, XlaOpKind kind, XlaGenValue x);
XlaGenValue xlaGenVaryResult(XlaGen *gen, XlaOpKind kind, XlaElementType from,
                             XlaGenValue x);

//===----------------------------------------------------------------------===//
// Hooks
//===----------------------------------------------------------------------===//

bool xlaGenElementwise(XlaGen *gen, XlaOpKind kind);
bool xlaGenConstantOp(XlaGen *gen, XlaOpKind kind);
bool xlaGenBitcastConvert(XlaGen *gen, XlaOpKind kind);
bool xlaGenMovement(XlaGen *gen, XlaOpKind kind);
bool xlaGenDynamicSlice(XlaGen *gen, XlaOpKind kind);
bool xlaGenDot(XlaGen *gen, XlaOpKind kind);
bool xlaGenReduce(XlaGen *gen, XlaOpKind kind);
bool xlaGenControlFlow(XlaGen *gen, XlaOpKind kind);
bool xlaGenCall(XlaGen *gen, XlaOpKind kind);
bool xlaGenTuple(XlaGen *gen, XlaOpKind kind);
bool xlaGenGather(XlaGen *gen, XlaOpKind kind);
bool xlaGenScatter(XlaGen *gen, XlaOpKind kind);
bool xlaGenSort(XlaGen *gen, XlaOpKind kind);
bool xlaGenTopK(XlaGen *gen, XlaOpKind kind);
bool xlaGenReduceWindow(XlaGen *gen, XlaOpKind kind);
bool xlaGenConvolution(XlaGen *gen, XlaOpKind kind);
bool xlaGenSelectAndScatter(XlaGen *gen, XlaOpKind kind);
bool xlaGenTriangular(XlaGen *gen, XlaOpKind kind);
bool xlaGenFft(XlaGen *gen, XlaOpKind kind);
bool xlaGenBatchNorm(XlaGen *gen, XlaOpKind kind);
bool xlaGenRandom(XlaGen *gen, XlaOpKind kind);
bool xlaGenCollective(XlaGen *gen, XlaOpKind kind);
bool xlaGenDimensionSize(XlaGen *gen, XlaOpKind kind);
bool xlaGenAlias(XlaGen *gen, XlaOpKind kind);

#endif // XLAC_TOOLS_XLA_GEN_GEN_H

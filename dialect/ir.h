//===- ir.h - Building operations over mlir-c in a line each -----*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlir-c creates an operation in eight lines; lowering creates thousands. These
// functions insert one op at a point and return its result. Names are those of
// the MLIR ops, so that reading the C reads like the IR it makes.
//
// All functions append at `ir->block`'s end, or before `ir->before` when that
// is not null. Results are owned by the block. Types and attributes are uniqued
// in `ir->context` and need no freeing.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_IR_H
#define XLAC_DIALECT_IR_H

#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/IR.h"
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Marks additions and multiplications of floats of which a compiler may make
/// one operation that rounds once.
#define XLA_CONTRACT "xla.contract"

/// An insertion point with the location that new ops get. Copy it to go
/// elsewhere: `XlaIr body = xlaIrAt(*ir, block);`
typedef struct XlaIr {
  MlirContext context;
  MlirLocation location;
  MlirBlock block;
  MlirOperation before; ///< null: append at the end of `block`
} XlaIr;

/// A named attribute under construction.
typedef struct XlaIrAttr {
  const char *name;
  MlirAttribute value;
} XlaIrAttr;

/// An insertion point at the end of `block`.
XlaIr xlaIrAtEnd(MlirContext context, MlirLocation location, MlirBlock block);
/// An insertion point just before `op`, with `op`'s location.
XlaIr xlaIrBefore(MlirOperation op);
/// `ir` moved to the end of `block`.
XlaIr xlaIrIn(XlaIr ir, MlirBlock block);
/// The block that has the value: as an argument, or the operation that gives
/// it.
MlirBlock xlaIrBlockOf(MlirValue value);

/// Moves the operations of `block` but its terminator, which it has, before
/// `op`, with the first operands of `op` in the place of its arguments. Gives
/// the terminator.
MlirOperation xlaIrInlineBefore(MlirOperation op, MlirBlock block);
/// The same in the place of `op`, whose results are what the terminator has as
/// operands.
void xlaIrReplaceByBlock(MlirOperation op, MlirBlock block);

/// Creates `name` with any number of everything; takes ownership of `regions`.
MlirOperation xlaIrCreate(XlaIr *ir, const char *name, intptr_t nOperands,
                          const MlirValue *operands, intptr_t nResults,
                          const MlirType *results, intptr_t nAttrs,
                          const XlaIrAttr *attrs, intptr_t nRegions,
                          MlirRegion *regions);

/// The same of a state under construction, which gets the attributes.
MlirOperation xlaIrCreateState(XlaIr *ir, MlirOperationState *state,
                               intptr_t nAttrs, const XlaIrAttr *attrs);

/// One result, no regions. Attributes may be NULL when `nAttrs` is 0.
MlirValue xlaIrOp(XlaIr *ir, const char *name, MlirType result,
                  intptr_t nOperands, const MlirValue *operands,
                  intptr_t nAttrs, const XlaIrAttr *attrs);
/// `name(a)` and `name(a, b)` with the type of `a` as the result's.
MlirValue xlaIrUnary(XlaIr *ir, const char *name, MlirValue a);
MlirValue xlaIrBinary(XlaIr *ir, const char *name, MlirValue a, MlirValue b);
/// `name(a)` to another type: arith.extf, arith.sitofp, arith.bitcast ..
MlirValue xlaIrCast(XlaIr *ir, const char *name, MlirValue a, MlirType type);

/// arith.constant; a vector or tensor type gives a splat.
MlirValue xlaIrConstantInt(XlaIr *ir, MlirType type, int64_t value);
MlirValue xlaIrConstantFloat(XlaIr *ir, MlirType type, double value);
/// 0, of floats or integers.
MlirValue xlaIrConstantZero(XlaIr *ir, MlirType type);
MlirValue xlaIrConstantIndex(XlaIr *ir, int64_t value);

/// arith.cmpi, arith.cmpf by the names of their predicates ("slt", "olt", ..),
/// and arith.select.
MlirValue xlaIrCmpI(XlaIr *ir, const char *predicate, MlirValue a, MlirValue b);
MlirValue xlaIrCmpF(XlaIr *ir, const char *predicate, MlirValue a, MlirValue b);
MlirValue xlaIrSelect(XlaIr *ir, MlirValue c, MlirValue a, MlirValue b);

/// scf.for with `nInits` carried values (none: pass 0, NULL). `body` receives
/// an insertion point inside, the induction variable and the carried values are
/// its block's arguments 0 and 1.. . Close the body with xlaIrYield.
MlirOperation xlaIrFor(XlaIr *ir, MlirValue lower, MlirValue upper,
                       MlirValue step, intptr_t nInits, const MlirValue *inits,
                       XlaIr *body);
/// scf.if without results; `otherwise` may be NULL. Both are closed already:
/// the points given back lie before their scf.yield.
MlirOperation xlaIrIf(XlaIr *ir, MlirValue condition, XlaIr *then,
                      XlaIr *otherwise);
/// scf.yield.
void xlaIrYield(XlaIr *ir, intptr_t n, const MlirValue *values);

/// memref.load and memref.store.
MlirValue xlaIrLoad(XlaIr *ir, MlirValue memref, intptr_t rank,
                    const MlirValue *indices);
void xlaIrStore(XlaIr *ir, MlirValue value, MlirValue memref, intptr_t rank,
                const MlirValue *indices);

/// Small conveniences.
MlirAttribute xlaIrStringAttr(MlirContext context, const char *text);
MlirAttribute xlaIrI64Attr(MlirContext context, int64_t value);
MlirAttribute xlaIrParseAttr(MlirContext context, const char *text);
/// A DictionaryAttr of at most XLA_IR_MAX_ATTRS entries.
MlirAttribute xlaIrDictionaryAttr(MlirContext context, intptr_t n,
                                  const XlaIrAttr *entries);
enum { XLA_IR_MAX_ATTRS = 64 };
MlirType xlaIrParseType(MlirContext context, const char *text);
/// The shaped type's element type, or the type itself.
MlirType xlaIrElementType(MlirType type);
/// `type` with `element` in place of its element type: vectors stay vectors.
MlirType xlaIrWithElement(MlirType type, MlirType element);
bool xlaIrIsOp(MlirOperation op, const char *name);
/// Whether the op's name begins with `prefix`, a dialect's with its dot.
bool xlaIrHasPrefix(MlirOperation op, const char *prefix);
/// Whether exactly one operand is `value`.
bool xlaIrHasOneUse(MlirValue value);
/// Whether `value` is an arith.constant of an integer or index, and which.
bool xlaIrReadInt(MlirValue value, int64_t *number);
/// Emits an error at `location`, unless that is null, and fails.
__attribute__((format(printf, 2, 3))) MlirLogicalResult
xlaIrError(MlirLocation location, const char *format, ...);

/// Text that grows; zero-initialise it, and free `data`. It stays as it is
/// once memory has run out.
typedef struct XlaIrText {
  char *data;
  size_t size, capacity;
  bool isCut; ///< memory ran out
} XlaIrText;

/// Appends `part` to the XlaIrText at `text`: an MlirStringCallback.
void xlaIrTextAppend(MlirStringRef part, void *text);
/// Appends up to 511 characters; the format is printf's.
__attribute__((format(printf, 2, 3))) void
xlaIrTextPrint(XlaIrText *text, const char *format, ...);

/// Text in `size` bytes of the caller's, cut where they end, with a 0 behind
/// it; `chars[0]` must be 0 at first.
typedef struct XlaIrLine {
  char *chars;
  size_t size;   ///< at least 1
  size_t length; ///< so far
} XlaIrLine;

/// Appends `part` to the XlaIrLine at `line`: an MlirStringCallback.
void xlaIrLineAppend(MlirStringRef part, void *line);

/// Operations below a root.
typedef struct XlaIrOps {
  MlirOperation *ops;
  intptr_t n, capacity;
  bool failed; ///< memory ran out
} XlaIrOps;

/// Those that `isWanted` holds for (NULL: all), the root too; to be changed
/// without being walked over. Free `ops.ops`.
XlaIrOps xlaIrCollect(MlirOperation root, MlirWalkOrder order,
                      bool (*isWanted)(MlirOperation op));

/// The text of `op`, `*length` bytes without a 0 at the end, for readers. The
/// caller frees it. Cut short when memory runs out, NULL if nothing is left.
char *xlaIrPrint(MlirOperation op, size_t *length);
/// Bytes that say all of `op`, which uses no values from outside, but where it
/// is from: equal bytes are equal operations, also of two contexts. Names and
/// attributes are texts in them. Much quicker to make than a text. The caller
/// frees them; NULL without memory.
char *xlaIrEncode(MlirOperation op, size_t *length);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_IR_H

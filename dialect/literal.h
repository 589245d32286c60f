//===- literal.h - Values of programs -----------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A literal is an immutable-by-convention value of a program: an array, a
// tuple, or a token. Arrays are dense and row-major, of static shapes: a
// dynamic dimension has the size that it happens to have; elements take
// XlaElementTypeInfo.bytes each (pred one byte, types below a byte unpacked).
// Literals are reference counted, not thread safe.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_LITERAL_H
#define XLAC_DIALECT_LITERAL_H

#include "xlac/dialect/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a value is.
typedef enum XlaLiteralKind {
  XlaLiteralKindArray,
  XlaLiteralKindTuple,
  XlaLiteralKindToken,
} XlaLiteralKind;

typedef struct XlaLiteral XlaLiteral;

/// An array of zeros. NULL if there is no memory.
XlaLiteral *xlaLiteralCreateArray(const XlaShape *shape);
/// An array in memory of the caller, which `release` gets back with the last
/// reference. NULL if there is no memory; `data` stays the caller's then.
XlaLiteral *xlaLiteralTakeArray(const XlaShape *shape, void *data,
                                void (*release)(void *data));
/// A tuple that takes over the caller's references to `elements`, also on
/// failure.
XlaLiteral *xlaLiteralTakeTuple(intptr_t n, XlaLiteral **elements);
XlaLiteral *xlaLiteralCreateToken(void);
XlaLiteral *xlaLiteralRetain(const XlaLiteral *literal);
/// A value that shares nothing with `literal`, for another thread. NULL if
/// there is no memory.
XlaLiteral *xlaLiteralCopy(const XlaLiteral *literal);
/// Drops a reference; NULL is allowed.
void xlaLiteralRelease(XlaLiteral *literal);

/// Adds up the memory of the literals that it was given, until they are freed.
/// Reference counted, because literals may outlive whoever counts them.
typedef struct XlaLiteralMeter XlaLiteralMeter;
XlaLiteralMeter *xlaLiteralMeterCreate(void); ///< NULL if there is no memory
void xlaLiteralMeterRelease(XlaLiteralMeter *meter); ///< NULL is allowed
int64_t xlaLiteralMeterGetBytes(const XlaLiteralMeter *meter);
/// Counts the memory of `literal`, not that of a tuple's elements, with
/// `meter`. For whoever created the literal, once.
void xlaLiteralSetMeter(XlaLiteral *literal, XlaLiteralMeter *meter);
/// The memory of `literal` and of all elements of a tuple.
int64_t xlaLiteralGetMemory(const XlaLiteral *literal);

XlaLiteralKind xlaLiteralGetKind(const XlaLiteral *literal);

/// Arrays only.
const XlaShape *xlaLiteralGetShape(const XlaLiteral *literal);
int64_t xlaLiteralGetElementCount(const XlaLiteral *literal);
size_t xlaLiteralGetByteCount(const XlaLiteral *literal);
const void *xlaLiteralGetData(const XlaLiteral *literal);
/// For whoever created the literal, before it is shared.
void *xlaLiteralGetMutableData(XlaLiteral *literal);
XlaScalar xlaLiteralGet(const XlaLiteral *literal, int64_t linear);
void xlaLiteralSet(XlaLiteral *literal, int64_t linear, XlaScalar value);
/// Copies one element with all its bits; the element types must be the same.
void xlaLiteralCopyElement(XlaLiteral *to, int64_t toLinear,
                           const XlaLiteral *from, int64_t fromLinear);

/// Tuples only. Borrowed.
intptr_t xlaLiteralGetTupleSize(const XlaLiteral *literal);
const XlaLiteral *xlaLiteralGetTupleElement(const XlaLiteral *literal,
                                            intptr_t position);

/// The literal of a dense, dense_resource or array-like ElementsAttr of a type
/// that XlaShape describes; NULL if it is none or memory is lacking.
XlaLiteral *xlaLiteralFromAttribute(MlirAttribute value);
/// The same, to be read only, and no longer than the attribute lives: the data
/// are the attribute's own, and need not be aligned, where these are as a
/// literal has them; `*isView` says so. `isView` may be NULL.
XlaLiteral *xlaLiteralViewAttribute(MlirAttribute value, bool *isView);
/// Copies what xlaLiteralFromAttribute would have as data to `data`, large
/// constants without a literal in between. False: it gives NULL.
bool xlaLiteralCopyAttribute(MlirAttribute value, void *data);
/// The element that a DenseElementsAttr repeats, as a scalar, so that its
/// memory does not grow with the array; NULL if there is no such element, or
/// memory is lacking.
XlaLiteral *xlaLiteralFromSplat(MlirAttribute value);
/// A DenseElementsAttr of an array literal.
MlirAttribute xlaLiteralToAttribute(const XlaLiteral *literal,
                                    MlirContext context);
/// The type, without encodings.
MlirType xlaLiteralGetType(const XlaLiteral *literal, MlirContext context);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_LITERAL_H

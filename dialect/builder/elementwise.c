//===- elementwise.c - Building elementwise operations --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/builder/internal.h"

// Functions take as many operands as their operations.
enum {
#define XLA_OP(Enum, name, Family, least, most, ...)                           \
  arity##Enum = (least) == (most) ? (least) : -1,
#include "xlac/dialect/ops.def"
};
#define CHECK_ARITY(Enum, n)                                                   \
  _Static_assert(arity##Enum == (n), #Enum " does not take " #n);

static XlaOp unary(XlaBuilder *b, const char *function, XlaOpKind kind,
                   XlaOp operand) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, function, kind);
  xlaDraftOperand(&draft, operand);
  return xlaDraftFinish(&draft);
}

static XlaOp binary(XlaBuilder *b, const char *function, XlaOpKind kind,
                    XlaOp lhs, XlaOp rhs, const int64_t *dimensions,
                    intptr_t n) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, function, kind);
  xlaDraftOperand(&draft, lhs);
  xlaDraftOperand(&draft, rhs);
  xlaDraftOptionalInts(&draft, "broadcast_dimensions", dimensions, n);
  return xlaDraftFinish(&draft);
}

/// What 002 calls logical is for pred: on integers ops.def's are bitwise.
static bool isPred(XlaBuilder *b, const char *function, XlaOp operand) {
  XlaShape shape;
  if (!xlaBuilderBegin(b, function) ||
      !xlaBuilderOperandShape(b, operand, &shape))
    return false;
  if (shape.elementType != XlaElementTypePred)
    xlaBuilderFail(b, "takes pred elements, not %s",
                   xlaElementTypeGetInfo(shape.elementType)->name);
  return !b->failed;
}

#define XLA_BUILDER_UNARY(Function, Enum)                                      \
  CHECK_ARITY(Enum, 1)                                                         \
  XlaOp xlaBuilder##Function(XlaBuilder *b, XlaOp operand) {                   \
    return unary(b, __func__, XlaOpKind##Enum, operand);                       \
  }
#define XLA_BUILDER_LOGICAL_UNARY(Function, Enum)                              \
  CHECK_ARITY(Enum, 1)                                                         \
  XlaOp xlaBuilder##Function(XlaBuilder *b, XlaOp operand) {                   \
    return isPred(b, __func__, operand)                                        \
               ? unary(b, __func__, XlaOpKind##Enum, operand)                  \
               : (XlaOp){0};                                                   \
  }
#define XLA_BUILDER_BINARY(Function, Enum)                                     \
  CHECK_ARITY(Enum, 2)                                                         \
  XlaOp xlaBuilder##Function(XlaBuilder *b, XlaOp lhs, XlaOp rhs,              \
                             const int64_t *broadcastDimensions, intptr_t n) { \
    return binary(b, __func__, XlaOpKind##Enum, lhs, rhs, broadcastDimensions, \
                  n);                                                          \
  }
#define XLA_BUILDER_LOGICAL_BINARY(Function, Enum)                             \
  CHECK_ARITY(Enum, 2)                                                         \
  XlaOp xlaBuilder##Function(XlaBuilder *b, XlaOp lhs, XlaOp rhs,              \
                             const int64_t *broadcastDimensions, intptr_t n) { \
    return isPred(b, __func__, lhs) ? binary(b, __func__, XlaOpKind##Enum,     \
                                             lhs, rhs, broadcastDimensions, n) \
                                    : (XlaOp){0};                              \
  }

/// Integers and preds have a total order already.
static XlaOp compare(XlaBuilder *b, const char *function, const char *direction,
                     bool totalOrder, XlaOp lhs, XlaOp rhs,
                     const int64_t *dimensions, intptr_t n) {
  XlaDraft draft;
  XlaShape shape;
  xlaDraftBegin(&draft, b, function, XlaOpKindCompare);
  xlaDraftOperand(&draft, lhs);
  xlaDraftOperand(&draft, rhs);
  xlaDraftString(&draft, "comparison_direction", direction);
  if (totalOrder && xlaBuilderGetShape(b, lhs, &shape) &&
      (xlaElementTypeIsFloat(shape.elementType) ||
       xlaElementTypeIsComplex(shape.elementType)))
    xlaDraftString(&draft, "compare_type", "TOTALORDER");
  xlaDraftOptionalInts(&draft, "broadcast_dimensions", dimensions, n);
  return xlaDraftFinish(&draft);
}

#define XLA_BUILDER_COMPARE(Function, direction)                               \
  XlaOp xlaBuilder##Function(XlaBuilder *b, XlaOp lhs, XlaOp rhs,              \
                             const int64_t *broadcastDimensions, intptr_t n) { \
    return compare(b, __func__, #direction, false, lhs, rhs,                   \
                   broadcastDimensions, n);                                    \
  }                                                                            \
  XlaOp xlaBuilder##Function##TotalOrder(XlaBuilder *b, XlaOp lhs, XlaOp rhs,  \
                                         const int64_t *broadcastDimensions,   \
                                         intptr_t n) {                         \
    return compare(b, __func__, #direction, true, lhs, rhs,                    \
                   broadcastDimensions, n);                                    \
  }
#include "xlac/dialect/ops.def"

static XlaOp ternary(XlaBuilder *b, const char *function, XlaOpKind kind,
                     XlaOp first, XlaOp second, XlaOp third) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, function, kind);
  xlaDraftOperand(&draft, first);
  xlaDraftOperand(&draft, second);
  xlaDraftOperand(&draft, third);
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderClamp(XlaBuilder *b, XlaOp min, XlaOp operand, XlaOp max) {
  return ternary(b, __func__, XlaOpKindClamp, min, operand, max);
}

XlaOp xlaBuilderSelect(XlaBuilder *b, XlaOp pred, XlaOp onTrue, XlaOp onFalse) {
  return ternary(b, __func__, XlaOpKindSelect, pred, onTrue, onFalse);
}

XlaOp xlaBuilderConvertElementType(XlaBuilder *b, XlaOp operand,
                                   XlaElementType elementType) {
  XlaDraft draft;
  XlaShape shape;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindConvert);
  xlaDraftOperand(&draft, operand);
  if (draft.b && xlaBuilderOperandBounded(b, operand, &shape)) {
    shape.elementType = elementType;
    if (xlaBuilderCheckShape(b, &shape))
      xlaDraftResult(&draft, xlaShapeToMlirBounded(&shape, b->context));
  }
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderBitcastConvertType(XlaBuilder *b, XlaOp operand,
                                   XlaElementType elementType) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindBitcastConvert);
  xlaDraftOperand(&draft, operand);
  // The hook takes the element type from here and finds the dimensions.
  xlaDraftResultShape(&draft, &(XlaShape){.elementType = elementType});
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderBitcast(XlaBuilder *b, XlaOp operand, const XlaShape *shape) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindBitcast);
  xlaDraftOperand(&draft, operand);
  xlaDraftResultShape(&draft, shape);
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderBitcastToType(XlaBuilder *b, XlaOp operand, MlirType type) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindBitcast);
  xlaDraftOperand(&draft, operand);
  xlaDraftResult(&draft, type);
  return xlaDraftFinish(&draft);
}

XlaOp xlaBuilderReducePrecision(XlaBuilder *b, XlaOp operand,
                                int64_t mantissaBits, int64_t exponentBits) {
  XlaDraft draft;
  xlaDraftBegin(&draft, b, __func__, XlaOpKindReducePrecision);
  xlaDraftOperand(&draft, operand);
  xlaDraftInt(&draft, "exponent_bits", exponentBits);
  xlaDraftInt(&draft, "mantissa_bits", mantissaBits);
  return xlaDraftFinish(&draft);
}

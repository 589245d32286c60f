//===- op.h - What is known of every operation --------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The enum and table of operations, and the view of one operation that hooks
// get.
//
// A family has two hooks, declared in family.h. Infer checks an operation and
// computes its result types; the verifier compares them with those the program
// states. Evaluate computes its results. Both report errors at the operation,
// in the form "'xla.add' op dimension 1 of lhs is 3, of rhs 4 [add_c1]": the
// label in brackets names the constraint, and a test of that name shows it.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_OP_H
#define XLAC_DIALECT_OP_H

#include "xlac/dialect/mlir-c-ext/ext.h"
#include "xlac/dialect/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The rows of ops.def; 0 is none.
typedef enum XlaOpKind {
  XlaOpKindInvalid = 0,
#define XLA_OP(Enum, ...) XlaOpKind##Enum,
#include "xlac/dialect/ops.def"
  XlaOpKindCount
} XlaOpKind;

/// The rows of families.def; 0 is none.
typedef enum XlaFamily {
  XlaFamilyNone = 0,
#define XLA_FAMILY(Family, ...) XlaFamily##Family,
#include "xlac/dialect/families.def"
  XlaFamilyCount
} XlaFamily;

/// "Elementwise", "BatchNorm", ..
const char *xlaFamilyGetName(XlaFamily family);

/// How elements of an operation's result are elements of its operands.
typedef enum XlaOpMoves {
  XlaOpMovesNo,          ///< they are computed
  XlaOpMovesSource,      ///< there is no operand: constants, iota
  XlaOpMovesView,        ///< of operand 0, at a place that indices give
  XlaOpMovesDynamicView, ///< the same, from a start that operands give
  XlaOpMovesChoice,      ///< of one of the operands, by where the result's is
  XlaOpMovesUpdate,      ///< of operand 0, but for a part of operand 1
  XlaOpMovesGather,      ///< of operand 0, at a place that an array gives
  XlaOpMovesBits,        ///< of operand 0, read as another type
} XlaOpMoves;

/// Which dialect has the operation too, with the same name and attributes.
typedef enum XlaOpDialect {
  XlaOpDialectNone,
  XlaOpDialectStablehlo,
  XlaOpDialectChlo,
} XlaOpDialect;

/// From this cost on, a store and a load are cheaper than computing again.
#define XLA_OP_COSTLY 8

/// Any number of operands, results or regions (of regions at least one).
#define XLA_VARIADIC (-1)
/// At most one region.
#define XLA_OPTIONAL (-2)

/// Forms of attributes.
typedef enum XlaAttrKind {
  XlaAttrKindAny,
  XlaAttrKindBool,
  XlaAttrKindI64,      ///< an integer of any width
  XlaAttrKindI64Array, ///< [..], array<i64: ..>, or a dense vector
  XlaAttrKindEnum,     ///< one of a list of words, as a string
  XlaAttrKindElements, ///< dense or dense_resource
  XlaAttrKindSymbol,
  XlaAttrKindString,
  XlaAttrKindGroups, ///< [[0, 1], [2]] or a dense matrix, see groups.h
} XlaAttrKind;

/// What an optional attribute means where it is absent: the same as with this
/// value.
typedef enum XlaAttrAbsent {
  XlaAttrAbsentUnstated, ///< what no value says
  XlaAttrAbsentFalse,    ///< false, or a list of it
  XlaAttrAbsentZeros,    ///< 0, or a list of it
  XlaAttrAbsentOnes,     ///< 1, or a list of it
  XlaAttrAbsentLast,     ///< the last dimension of operand 0, also as -1
  XlaAttrAbsentEmpty,    ///< a list or a string of nothing
  XlaAttrAbsentDefault,  ///< a list of the word DEFAULT
  XlaAttrAbsentAny,      ///< any value: results are the same with all
} XlaAttrAbsent;

/// The compiled devices, CPU and Vulkan, that take an operation on elements
/// which they have; the interpreter takes all.
typedef enum XlaOpDevices {
  XlaOpDevicesAll,
  XlaOpDevicesFormula, ///< both, written as others (passes/expand/expand.def)
} XlaOpDevices;

typedef struct XlaEvaluator XlaEvaluator;
typedef struct XlaOpView XlaOpView;
typedef struct XlaLiteral XlaLiteral;

/// Checks `view` and appends its result types (xlaViewAppendResult).
typedef MlirLogicalResult (*XlaInferHook)(XlaOpView *view);
/// Computes the results of `op`, each a new reference. `operands` are borrowed.
typedef MlirLogicalResult (*XlaEvaluateHook)(XlaEvaluator *evaluator,
                                             MlirOperation op, XlaOpKind kind,
                                             const XlaLiteral *const *operands,
                                             XlaLiteral **results);

/// A row of ops.def.
typedef struct XlaOpInfo {
  const char *name; ///< "add"
  XlaFamily family;
  int minOperands, maxOperands; ///< or XLA_VARIADIC
  int results, regions;         ///< or XLA_VARIADIC, XLA_OPTIONAL
  unsigned traits;              ///< of MlirExtOpTrait
  MlirExtOpFormat format;
  const MlirExtOpAttribute
      *attributes;      ///< ended by one without a name, or NULL
  unsigned typeClasses; ///< of XlaTypeClass
  const char *meaning;
  XlaOpDevices devices;
  XlaOpMoves moves;
  /// The time that one element takes beside that of an addition, on vectors,
  /// about: 0 for what only moves data, 16 and more for polynomials.
  int cost;
  /// How far right results of f32 may lie apart, in units of the last place, of
  /// f64 sixteen times as far; 0: they are rounded correctly.
  int ulps;
  XlaOpDialect dialect;
  const char *section; ///< of the specification; "" if it has none
  XlaInferHook infer;
  XlaEvaluateHook evaluate;
} XlaOpInfo;

/// The table, by kind; and the same rows as the dialect registers them.
extern const XlaOpInfo xlaOpInfos[XlaOpKindCount];
extern const MlirExtOpDefinition xlaOpDefinitions[XlaOpKindCount - 1];

const XlaOpInfo *xlaOpGetInfo(XlaOpKind kind);
/// The kind of an operation of the dialect, by its name; Invalid for others.
XlaOpKind xlaOpGetKind(MlirOperation op);
XlaOpKind xlaOpKindFromName(const char *name, size_t length);

/// Checks arity, attributes and regions by the table, then runs the family's
/// hook and compares the result types.
MlirLogicalResult xlaOpVerify(MlirOperation op);
/// Whether an operation of the dialect has an attribute of that name. Others
/// have no meaning on any, and are ignored.
bool xlaOpIsAttributeName(MlirStringRef name);
/// Says that attribute `name` of an operation at `location` is ignored, to whom
/// asks for remarks (mlirExtEmitRemark).
void xlaOpRemarkIgnored(MlirLocation location, MlirStringRef op,
                        MlirStringRef name);
/// The same checks for an operation that is yet to be made; its result types
/// are in view->results then, for the caller to free, also on failure.
MlirLogicalResult xlaOpInfer(struct XlaOpView *view);

//===----------------------------------------------------------------------===//
// The view that hooks get
//===----------------------------------------------------------------------===//

#define XLA_MAX_LIST 64
/// Up to 64 integers of an attribute.
typedef struct XlaI64List {
  int size;
  int64_t values[XLA_MAX_LIST];
} XlaI64List;

/// An operation that exists, or one that a builder is about to make.
struct XlaOpView {
  XlaOpKind kind;
  MlirContext context;
  MlirLocation location;
  intptr_t nOperands;
  const MlirType *operands;
  /// While a program runs, dynamic dimensions of `operands` have their sizes as
  /// bounds, and the types that the program states are here; otherwise NULL.
  const MlirType *declared;
  MlirAttribute attributes; ///< DictionaryAttr
  intptr_t nRegions;
  const MlirRegion *regions;
  /// The types that the program states. Ops whose results do not follow from
  /// their operands (reshape, iota, convert ..) take them from here.
  intptr_t nStatedResults;
  const MlirType *statedResults;
  /// What the hook appended.
  intptr_t nResults, resultCapacity;
  MlirType *results;
  bool outOfMemory; ///< a result is missing
};

/// Emits an error in the form above and returns failure. `label` may be NULL.
/// The format is printf's.
MlirLogicalResult xlaViewError(const XlaOpView *view, const char *label,
                               const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/// The same at an operation, for evaluation and passes.
MlirLogicalResult xlaOpError(MlirOperation op, const char *label,
                             const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/// The same for what this compiler or the device cannot do (UNIMPLEMENTED, see
/// error.h) and for programs that are wrong (INVALID_ARGUMENT).
MlirLogicalResult xlaOpUnsupported(MlirOperation op, const char *label,
                                   const char *format, ...)
    __attribute__((format(printf, 3, 4)));
MlirLogicalResult xlaOpInvalid(MlirOperation op, const char *label,
                               const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/// OUT_OF_MEMORY, "ran out of memory".
MlirLogicalResult xlaOpNoMemory(MlirOperation op);

/// The text of a type for a message: `xlaTypeText(type, (XlaText){0}.chars)`.
typedef struct XlaText {
  char chars[160];
} XlaText;
const char *xlaTypeText(MlirType type, char chars[160]);
const char *xlaShapeText(const XlaShape *shape, char chars[160]);
const char *xlaListText(const int64_t *values, intptr_t n, char chars[160]);
#define XLA_TYPE_TEXT(type) xlaTypeText(type, (XlaText){{0}}.chars)
#define XLA_SHAPE_TEXT(shape) xlaShapeText(shape, (XlaText){{0}}.chars)
#define XLA_LIST_TEXT(values, n) xlaListText(values, n, (XlaText){{0}}.chars)

/// The shape of operand `index`; an error if it is not an array, or has a
/// dynamic dimension.
MlirLogicalResult xlaViewGetShape(const XlaOpView *view, intptr_t index,
                                  XlaShape *shape);
/// The shape of stated result `index`; an error if it is missing, no array, or
/// has a dynamic dimension.
MlirLogicalResult xlaViewGetStatedShape(const XlaOpView *view, intptr_t index,
                                        XlaShape *shape);
void xlaViewAppendResult(XlaOpView *view, MlirType type);
void xlaViewAppendShape(XlaOpView *view, const XlaShape *shape);

/// The same for hooks that know of dynamic dimensions: what they compute of
/// bounds must hold for sizes too (dynamic.h).
MlirLogicalResult xlaViewGetBounded(const XlaOpView *view, intptr_t index,
                                    XlaShape *shape);
MlirLogicalResult xlaViewGetStatedBounded(const XlaOpView *view, intptr_t index,
                                          XlaShape *shape);
void xlaViewAppendBounded(XlaOpView *view, const XlaShape *shape);
/// The same for a shape that is computed: an error if it is larger than 2^62
/// bytes. `label` may be NULL.
MlirLogicalResult xlaViewAppendChecked(XlaOpView *view, const char *label,
                                       const XlaShape *shape);
/// Whether an attribute of size `size` for dimension `dimension` of operand
/// `index` means all of it: the bound of a dynamic dimension. The result then
/// has its size.
bool xlaViewIsWhole(const XlaOpView *view, intptr_t index, int dimension,
                    int64_t size);
/// The shape of operand `index` with bounds, also while a program runs.
void xlaViewGetDeclared(const XlaOpView *view, intptr_t index, XlaShape *shape);

/// Attributes by name. The table's kinds have been checked, so these cannot
/// fail; an absent optional attribute gives the default or an empty list.
MlirAttribute xlaViewGetAttr(const XlaOpView *view, const char *name);
bool xlaViewGetList(const XlaOpView *view, const char *name, XlaI64List *list);
int64_t xlaViewGetI64(const XlaOpView *view, const char *name, int64_t absent);

/// The same for an operation that exists and has been verified.
MlirAttribute xlaOpGetAttr(MlirOperation op, const char *name);
bool xlaOpGetList(MlirOperation op, const char *name, XlaI64List *list);
/// The same, and `n` times `absent` where the operation has no such list.
void xlaOpGetListOr(MlirOperation op, const char *name, int n, int64_t absent,
                    XlaI64List *list);
int64_t xlaOpGetI64(MlirOperation op, const char *name, int64_t absent);
/// Compares a string or enum attribute with `text`.
bool xlaOpAttrIs(MlirOperation op, const char *name, const char *text);
/// Whether a bool attribute is there and true.
bool xlaOpIsTrue(MlirOperation op, const char *name);

/// Removes the attributes of each operation of xla below `op` that say what
/// their absence means, so that equal programs look alike. An operation that is
/// wrong fails with a diagnostic: without a list of a wrong length, say, it
/// would be right.
MlirLogicalResult xlaOpLeaveOutDefaults(MlirOperation op);

/// The xla.return that ends `region`; false if the region does not consist of
/// one block that ends in one.
bool xlaRegionGetReturn(MlirRegion region, MlirOperation *terminator);

/// The kind of the operation that is all of `region`: it takes both arguments,
/// in any order, and gives one result, which is returned. Invalid if there are
/// others. `op` may be NULL.
XlaOpKind xlaRegionGetOnly(MlirRegion region, MlirOperation *op);

/// The func.func `name` of a builtin.module; null if there is none.
MlirOperation xlaModuleFindFunction(MlirOperation module, MlirStringRef name);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_OP_H

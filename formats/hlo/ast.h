//===- ast.h - A program of HLO as it was written -----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What both readers make, of text (parse_*.c) and of protocol buffers
// (proto_*.c), and what becomes a module of xla (emit_*.c). Names are resolved:
// operands are numbers of instructions before their users, computations are
// numbers in the module. Nothing else has been checked.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_FORMATS_HLO_AST_H
#define XLAC_FORMATS_HLO_AST_H

#include "mlir-c/Support.h"
#include "xlac/dialect/literal.h"
#include "xlac/dialect/op.h"
#include "xlac/passes/import/result.h"
#include "xlac/passes/import/stablehlo/mesh.h"

/// Tuples nest no deeper, nor do braces of literals and attributes.
#define XLA_HLO_MAX_NESTING 100

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Memory that is freed at once; zero-initialise it.
typedef struct XlaHloArena {
  struct XlaHloBlock *blocks;
} XlaHloArena;

/// Zeroed memory for `count` items of `size` bytes; NULL if there is none.
void *xlaHloArenaTake(XlaHloArena *arena, size_t count, size_t size);
/// A copy of `count` items; NULL if there is no memory.
void *xlaHloArenaCopy(XlaHloArena *arena, const void *items, size_t count,
                      size_t size);
void xlaHloArenaFree(XlaHloArena *arena);

/// Grows the array `*items` of `*capacity` items to hold `wanted`. False
/// without memory.
bool xlaHloReserve(void **items, size_t *capacity, size_t wanted, size_t size);

/// Numbers by name; zero-initialise it. Names must live as long.
typedef struct XlaHloNames {
  struct XlaHloName {
    MlirStringRef name;
    uint32_t hash, number;
  } *slots;
  size_t capacity, size;
} XlaHloNames;

#define XLA_HLO_NO_NUMBER UINT32_MAX
/// The number of `name`; XLA_HLO_NO_NUMBER if there is none.
uint32_t xlaHloNamesFind(const XlaHloNames *names, MlirStringRef name);
/// Adds a name that is not there. False without memory.
bool xlaHloNamesAdd(XlaHloNames *names, MlirStringRef name, uint32_t number);
void xlaHloNamesFree(XlaHloNames *names);

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

typedef enum XlaHloShapeKind {
  XlaHloShapeKindArray,
  XlaHloShapeKindTuple,
  XlaHloShapeKindToken,
} XlaHloShapeKind;

typedef struct XlaHloShape XlaHloShape;
struct XlaHloShape {
  XlaHloShapeKind kind;
  XlaElementType elementType;
  int rank; ///< at most XLA_MAX_RANK
  uint32_t dynamic;
  bool isTiled;        ///< lies in memory in another way than its order says
  const int64_t *dims; ///< bounds, of dynamic dimensions
  const int64_t *minorToMajor; ///< `rank` different dimensions; NULL: default
  uint32_t nElements;          ///< of tuples
  const XlaHloShape *const *elements;
  const uint32_t *firsts; ///< of each element, the number of leaves before it
  uint32_t nLeaves;       ///< arrays and tokens in it, its elements' included
};

/// Makes an array shape with `dims`, or says what is wrong with it.
const char *xlaHloShapeSetArray(XlaHloArena *arena, XlaHloShape *shape,
                                XlaElementType type, int rank,
                                const int64_t *dims, uint32_t dynamic);
/// Sets its order of dimensions, or says what is wrong.
const char *xlaHloShapeSetLayout(XlaHloArena *arena, XlaHloShape *shape,
                                 int rank, const int64_t *minorToMajor);
/// Makes a tuple of `n` elements, or says what is wrong.
const char *xlaHloShapeSetTuple(XlaHloArena *arena, XlaHloShape *shape,
                                size_t n, const XlaHloShape *const *elements);
/// The shape of an array, without its layout.
XlaShape xlaHloShapeGetArray(const XlaHloShape *shape);

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// How values are written, and where they are kept.
typedef enum XlaHloForm {
  XlaHloFormInteger,      ///< in values[0]
  XlaHloFormBool,         ///< in values[0]
  XlaHloFormReal,         ///< in real
  XlaHloFormWord,         ///< in text
  XlaHloFormWords,        ///< `n` of them in words
  XlaHloFormText,         ///< a string, or what braces hold, in text
  XlaHloFormMap,          ///< in words `n` names and texts, one after the other
  XlaHloFormList,         ///< `n` integers in values
  XlaHloFormGroups,       ///< in values each group's size, then its numbers
  XlaHloFormSlices,       ///< in values start, limit and stride of dimensions
  XlaHloFormPadding,      ///< in values low, high and interior of dimensions
  XlaHloFormWindow,       ///< in values XlaHloWindowField's of dimensions
  XlaHloFormLabels,       ///< in values as XlaHloLabel says
  XlaHloFormComputations, ///< `n` numbers in values
  XlaHloFormSkipped,      ///< nothing is kept
} XlaHloForm;

typedef enum XlaHloWindowField {
  XlaHloWindowSize,
  XlaHloWindowStride,
  XlaHloWindowLow,
  XlaHloWindowHigh,
  XlaHloWindowDilation,     ///< of the window, rhs_dilate
  XlaHloWindowBaseDilation, ///< lhs_dilate
  XlaHloWindowReversal,
  XlaHloWindowFieldCount
} XlaHloWindowField;

/// Dimensions of a convolution. Those of space, as many in lhs, rhs and result,
/// come after these, one array's after the other's.
typedef enum XlaHloLabel {
  XlaHloLabelLhsBatch,
  XlaHloLabelLhsFeature,
  XlaHloLabelRhsInput,
  XlaHloLabelRhsOutput,
  XlaHloLabelResultBatch,
  XlaHloLabelResultFeature,
  XlaHloLabelCount
} XlaHloLabel;

typedef enum XlaHloAttrName {
#define XLA_HLO_ATTR(name, Enum, Form, xla) XlaHloAttr##Enum,
#include "xlac/formats/hlo/attributes.def"
  XlaHloAttrCount
} XlaHloAttrName;

typedef struct XlaHloAttrInfo {
  const char *name;
  XlaHloForm form;
  const char *xla; ///< "" if it has none
} XlaHloAttrInfo;

extern const XlaHloAttrInfo xlaHloAttrInfos[XlaHloAttrCount];

/// XlaHloAttrCount if there is none.
XlaHloAttrName xlaHloAttrFromName(MlirStringRef name);

typedef struct XlaHloAttr {
  XlaHloAttrName name;
  bool isQuoted; ///< text was a string
  uint32_t n;
  const int64_t *values;
  const MlirStringRef *words;
  MlirStringRef text;
  double real;
  uint32_t line, column; ///< 0: unknown
} XlaHloAttr;

/// Groups of the numbers 0, 1 .. in an array of `dims`, whose dimensions are
/// then put into `order`; or what is wrong with them.
const char *xlaHloAttrSetIotaGroups(XlaHloArena *arena, XlaHloAttr *attr,
                                    int64_t nGroups, int64_t groupSize,
                                    int rank, const int64_t *dims,
                                    const int64_t *order);
/// The same of groups along the axes of a mesh, whose memory is freed. False
/// without memory.
bool xlaHloAttrSetGroups(XlaHloArena *arena, XlaHloAttr *attr,
                         XlaMeshGroups *groups);

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

typedef enum XlaHloOpcode {
#define XLA_HLO_OP(name, Enum, ...) XlaHloOpcode##Enum,
#include "xlac/formats/hlo/opcodes.def"
  XlaHloOpcodeCount
} XlaHloOpcode;

/// Which part of an operation that runs beside others an instruction is.
typedef enum XlaHloAsync {
  XlaHloAsyncNo,
  XlaHloAsyncStart,
  XlaHloAsyncUpdate,
  XlaHloAsyncDone,
} XlaHloAsync;

const char *xlaHloOpcodeName(XlaHloOpcode opcode);
/// `abs`, or `abs-start`. False if there is no such opcode.
bool xlaHloOpcodeFromName(MlirStringRef name, XlaHloOpcode *opcode,
                          XlaHloAsync *async);

typedef struct XlaHloMetadata {
  MlirStringRef opName, sourceFile;
  uint32_t sourceLine;
} XlaHloMetadata;

typedef struct XlaHloInstruction {
  XlaHloOpcode opcode;
  XlaHloAsync async;
  MlirStringRef name; ///< without %
  const XlaHloShape *shape;
  uint32_t nOperands, nAttrs;
  const uint32_t *operands; ///< of the computation, before this one
  const XlaHloAttr *attrs;
  int64_t parameter;              ///< its number; else -1
  XlaLiteral *literal;            ///< of constants, owned
  const XlaHloMetadata *metadata; ///< or NULL
  uint32_t line, column;          ///< 0: unknown
} XlaHloInstruction;

typedef struct XlaHloComputation {
  MlirStringRef name;
  uint32_t line, column; ///< where it, or its first use, stands
  bool isDefined;
  XlaHloInstruction *instructions;
  size_t n, capacity;
  uint32_t root;
  uint32_t nParameters;
  const uint32_t *parameters; ///< instructions, by their numbers
} XlaHloComputation;

/// The frontend attribute of modules that says what meshes they have.
#define XLA_HLO_MESHES "xla.sdy.meshes"

typedef struct XlaHloModule {
  XlaHloArena arena;
  MlirStringRef name;
  XlaHloComputation *computations;
  size_t n, capacity;
  uint32_t entry; ///< XLA_HLO_NO_NUMBER until it is known
  int64_t nReplicas, nPartitions;
  MlirStringRef meshes;   ///< `{mesh = #sdy.mesh<["x"=2]>}`; empty if not said
  const int64_t *donated; ///< numbers of parameters, with repetitions
  size_t nDonated;
} XlaHloModule;

/// Adds a computation; NULL without memory.
XlaHloComputation *xlaHloModuleAdd(XlaHloModule *module, MlirStringRef name);
/// Adds an instruction; NULL without memory, or after 2^31 of them.
XlaHloInstruction *xlaHloComputationAdd(XlaHloComputation *computation);
/// Sets `parameters`, or says what is wrong with their numbers.
const char *xlaHloComputationFinish(XlaHloModule *module,
                                    XlaHloComputation *computation);
void xlaHloModuleFree(XlaHloModule *module);

/// Whether instructions of `opcode` have use for the attribute.
bool xlaHloAttrIsKept(XlaHloOpcode opcode, XlaHloAttrName name);
/// The attribute of that name; NULL if there is none.
const XlaHloAttr *xlaHloFindAttr(const XlaHloInstruction *instruction,
                                 XlaHloAttrName name);

#endif // XLAC_FORMATS_HLO_AST_H

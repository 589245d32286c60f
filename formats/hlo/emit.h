//===- emit.h - From HLO to a module of xla -------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to formats/hlo. An instruction's value is as many values of MLIR as
// its shape has leaves: arrays and tokens, in the order in which they are
// written, so that tuples cost nothing.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_FORMATS_HLO_EMIT_H
#define XLAC_FORMATS_HLO_EMIT_H

#include "xlac/dialect/ir.h"
#include "xlac/formats/hlo/ast.h"

/// Makes the verified module of a program, whose shapes that are not stated it
/// sets, or says why not, as xlaHloTextRead.
XlaImportResult xlaHloEmit(MlirContext context, XlaHloModule *program,
                           MlirStringRef name, bool keepsFusions,
                           MlirModule *module);

//===----------------------------------------------------------------------===//
// For the files of the emitter
//===----------------------------------------------------------------------===//

/// What is known of a computation, whoever uses it.
typedef struct XlaHloUse {
  uint64_t nCallers;
  bool isSmall;         ///< may be written again for every caller
  bool isFunction;      ///< has been asked for as one
  MlirAttribute symbol; ///< FlatSymbolRefAttr, if it is a function
} XlaHloUse;

typedef struct XlaHloEmitter {
  MlirContext context;
  MlirStringRef file;
  const XlaHloModule *program;
  bool keepsFusions;
  bool isInferring; ///< computations are called, none is written
  /// It has computations of the parts that devices have: operations that make
  /// one of several devices of it stay StableHLO's until that is done.
  bool hasParts;
  MlirBlock body; ///< of the module
  XlaHloUse *uses;
  uint32_t *functions; ///< computations to be made functions, in order
  size_t nFunctions;
  XlaImportResult result;
} XlaHloEmitter;

/// A computation that is being written into a block.
typedef struct XlaHloScope {
  XlaHloEmitter *emitter;
  const XlaHloComputation *computation;
  MlirBlock block;
  int depth;                  ///< of computations in each other's place
  const MlirValue *arguments; ///< leaves of all parameters
  uint32_t *parameterFirsts;  ///< where in `arguments` a parameter's are
  size_t *firsts;             ///< where in `values` an instruction's are
  MlirValue *values;
  size_t n, capacity;
} XlaHloScope;

/// An instruction whose value is to be made.
typedef struct XlaHloOp {
  XlaHloScope *scope;
  const XlaHloInstruction *in;
  const XlaHloShape *shape; ///< of what the opcode gives; NULL: to be inferred
  XlaIr ir;
  intptr_t nOperands, nResults; ///< leaves
  MlirValue *operands;
  MlirType *types; ///< of results
} XlaHloOp;

enum { XLA_HLO_MAX_ATTRS = XLA_IR_MAX_ATTRS };

/// Attributes as xla has them.
typedef struct XlaHloAttrs {
  intptr_t n;
  XlaIrAttr items[XLA_HLO_MAX_ATTRS];
} XlaHloAttrs;

/// Says that the instruction is wrong, or not supported. Always false.
bool xlaHloOpInvalid(XlaHloOp *op, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool xlaHloOpRefuse(XlaHloOp *op, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool xlaHloOpNoMemory(XlaHloOp *op);
/// The same where no value is being made.
bool xlaHloEmitterFail(XlaHloEmitter *emitter, XlaImportResult result,
                       MlirLocation location, const char *message);

/// A place in the text; unknown in line 0.
MlirLocation xlaHloPlaceOf(const XlaHloEmitter *emitter, uint32_t line,
                           uint32_t column);
MlirLocation xlaHloLocation(const XlaHloEmitter *emitter,
                            const XlaHloInstruction *in);
/// The type of a shape with its tuples, with or without its layout.
MlirType xlaHloType(MlirContext context, const XlaHloShape *shape,
                    bool withLayout);
/// Appends the types of the leaves of `shape`.
void xlaHloLeafTypes(MlirContext context, const XlaHloShape *shape,
                     MlirType *types, intptr_t *n);
/// What operand `i` is.
const XlaHloInstruction *xlaHloOperand(const XlaHloOp *op, uint32_t i);
/// Its leaves.
const MlirValue *xlaHloOperandLeaves(const XlaHloOp *op, uint32_t i);

/// The attributes of `op` as an operation of `kind` has them, but for
/// computations and the `nOwn` names in `own`, which the caller reads. Any
/// other is an error.
bool xlaHloAttributes(XlaHloOp *op, XlaOpKind kind, size_t nOwn,
                      const XlaHloAttrName *own, XlaHloAttrs *attrs);
void xlaHloAddAttr(XlaHloAttrs *attrs, const char *name, MlirAttribute value);
/// An operation of `kind`, whose results are op->types.
MlirOperation xlaHloCreate(XlaHloOp *op, XlaOpKind kind, intptr_t nOperands,
                           const MlirValue *operands, const XlaHloAttrs *attrs,
                           intptr_t nRegions, MlirRegion *regions);
/// Makes these the instruction's value.
bool xlaHloPut(XlaHloOp *op, intptr_t n, const MlirValue *values);
/// The same of `n` leaves of an operand, which are moved where values grow in
/// number.
bool xlaHloPutAgain(XlaHloOp *op, uint32_t operand, size_t first, intptr_t n);
bool xlaHloPutResults(XlaHloOp *op, MlirOperation made);

/// The number of the computation in attribute `name`; an error if there is not
/// one.
bool xlaHloComputationOf(XlaHloOp *op, XlaHloAttrName name, uint32_t *number);
/// The value of a computation of `arguments` (leaves), in `ir`'s block: what it
/// consists of, or a call. The caller frees `*results`.
bool xlaHloInline(XlaHloOp *op, XlaIr *ir, uint32_t computation, intptr_t n,
                  const MlirValue *arguments, MlirValue **results,
                  intptr_t *nResults);
/// The same as a region that ends in xla.return. With `arguments`, it uses
/// these; without (NULL), its block has the computation's parameters.
bool xlaHloRegion(XlaHloOp *op, uint32_t computation, intptr_t n,
                  const MlirValue *arguments, MlirRegion *region);
/// A call of the computation as a function.
MlirOperation xlaHloCallFunction(XlaHloOp *op, XlaIr *ir, uint32_t computation,
                                 intptr_t n, const MlirValue *arguments);
/// The symbol of the function that it becomes.
MlirAttribute xlaHloFunction(XlaHloEmitter *emitter, uint32_t computation);
/// Makes `name`, an operation of StableHLO or CHLO of all operands and
/// `nRegions` regions, which it takes, and what the import makes of it the
/// instruction's value.
bool xlaHloImport(XlaHloOp *op, const char *name, intptr_t nAttrs,
                  const XlaIrAttr *attrs, intptr_t nRegions,
                  MlirRegion *regions);
/// The same by `import`, which gets the block that functions are in, too.
typedef XlaImportResult XlaHloImporter(MlirOperation op, MlirBlock functions);
bool xlaHloImportBy(XlaHloOp *op, XlaHloImporter *import, const char *name,
                    intptr_t nAttrs, const XlaIrAttr *attrs, intptr_t nRegions,
                    MlirRegion *regions);
/// Writes the instructions of scope->computation; `*root` are the leaves of its
/// value, in the scope.
bool xlaHloEmitBody(XlaHloScope *scope, const MlirValue **root);
void xlaHloScopeFree(XlaHloScope *scope);
/// Whether it has computations of the parts that devices have (emit_parts.c).
bool xlaHloHasParts(const XlaHloModule *program);
/// What such a program says of how many partitions it has, or else what its
/// shardings and groups do.
bool xlaHloCountPartitions(XlaHloEmitter *emitter, int64_t *count);
/// How operands or results lie, which counts in such programs alone.
void xlaHloAddShardings(XlaHloOp *op, XlaHloAttrs *attrs);
/// A dictionary of what Shardy says among `n` names and texts, one after the
/// other.
MlirAttribute xlaHloShardyTexts(MlirContext context, uint32_t n,
                                const MlirStringRef *words);
/// Makes the value of one instruction (emit_instruction.c).
bool xlaHloEmitInstruction(XlaHloScope *scope, const XlaHloInstruction *in);
/// The same of one whose shape is not stated, by its operation alone; of
/// opcodes for which xlaHloCanInfer.
bool xlaHloEmitUnstated(XlaHloScope *scope, const XlaHloInstruction *in);
bool xlaHloCanInfer(XlaHloOpcode opcode);
/// Counts who calls whom; an error if computations call themselves. `order`
/// gets all of them, each before those that it names.
bool xlaHloCheckCalls(XlaHloEmitter *emitter, uint32_t *order);
/// Finds which computations are small, once their shapes are known.
void xlaHloFindSmall(XlaHloEmitter *emitter);
/// Sets the shapes that instructions of `module`, the emitter's program, do not
/// state, against `order`, which xlaHloCheckCalls gave: of callees first.
bool xlaHloInferShapes(XlaHloEmitter *emitter, XlaHloModule *module,
                       const uint32_t *order);

/// The hooks of opcodes.def.
#define XLA_HLO_OP(name, Enum, operands, Emit, ...)                            \
  bool xlaHloEmit##Emit(XlaHloOp *op);
#include "xlac/formats/hlo/opcodes.def"
XlaOpKind xlaHloOpcodeKind(XlaHloOpcode opcode);

#endif // XLAC_FORMATS_HLO_EMIT_H

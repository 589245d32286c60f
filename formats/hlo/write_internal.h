//===- write_internal.h - What writing HLO text needs --------------*- C
//-*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to formats/hlo.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_FORMATS_HLO_WRITE_INTERNAL_H
#define XLAC_FORMATS_HLO_WRITE_INTERNAL_H

#include "xlac/dialect/ir.h"
#include "xlac/dialect/literal.h"
#include "xlac/dialect/op.h"
#include "xlac/dialect/pointer_map.h"

/// An instruction or computation that has been written.
typedef struct XlaHloWritten {
  const char *kind; ///< it is `%kind.number`; static
  size_t position;  ///< of its line in the body's text
} XlaHloWritten;

/// A large value, whose text would take several times its memory: it is made
/// when all else has been written, and goes out piece by piece.
typedef struct XlaHloHole {
  size_t position; ///< in the text
  XlaLiteral *value;
} XlaHloHole;

typedef struct XlaHloHoles {
  XlaHloHole *items; ///< by position
  intptr_t n, capacity;
} XlaHloHoles;

/// A module that is being written.
typedef struct XlaHloWriter {
  MlirContext context;
  XlaIrText done;          ///< the computations that are finished
  XlaHloHoles holes;       ///< in `done`
  XlaPointerMap values;    ///< to numbers, of what the computation at hand has
  XlaPointerMap functions; ///< to their computations' numbers, or -1 while they
                           ///< are being written
  XlaHloWritten *names;    ///< by number, from 1 on
  intptr_t nNames, capacity;
  bool failed;    ///< a diagnostic was emitted
  bool isInvalid; ///< the program is wrong
} XlaHloWriter;

/// The computation that is being written.
typedef struct XlaHloBody {
  XlaHloWriter *writer;
  XlaIrText text;       ///< its instructions
  XlaHloHoles holes;    ///< in `text`
  XlaIrText parameters; ///< `arg.1: f32[2], ..`
  intptr_t nParameters;
} XlaHloBody;

// --- write_shape.c ---

/// Appends the shape of `type`, `f32[2,<=3]{0,1}` or a tuple of such. False for
/// a type that HLO lacks.
bool xlaHloPrintType(XlaIrText *text, MlirType type);
/// The shape of a tuple of `n` types.
bool xlaHloPrintTupleType(XlaIrText *text, intptr_t n, const MlirType *types);
/// Appends the value of `literal`, an array, in braces: `{ {1, 2}, {3, 4} }`.
void xlaHloPrintLiteral(XlaIrText *text, const XlaLiteral *literal);
/// The same of its elements from `begin` to before `end`, of 1 or more.
void xlaHloPrintElements(XlaIrText *text, const XlaLiteral *literal,
                         int64_t begin, int64_t end);

/// Appends a string in quotes.
void xlaHloPrintQuoted(XlaIrText *text, MlirStringRef value);

// --- write_op.c ---

/// HLO's name of operations of `kind` that are one instruction; NULL for
/// others.
const char *xlaHloOpcode(XlaOpKind kind);
/// Appends the attributes of `op`, each after a comma.
void xlaHloPrintAttributes(XlaIrText *text, MlirOperation op);

/// Appends lists of numbers, `, replica_groups={{0,1}}`.
void xlaHloPrintGroups(XlaIrText *text, const char *name, MlirAttribute value);

// --- write_body.c: instructions and computations ---

/// The number of a value in the computation at hand.
intptr_t xlaHloNumber(XlaHloWriter *writer, MlirOperation at, MlirValue value);
void xlaHloSetNumber(XlaHloWriter *writer, MlirValue value, intptr_t number);
/// The type and the number of an operand of `op`.
MlirType xlaHloOperandType(MlirOperation op, intptr_t index);
intptr_t xlaHloOperandNumber(XlaHloBody *body, MlirOperation op,
                             intptr_t index);
/// The only result of `op`, or its first, has this number.
void xlaHloSetResult(XlaHloBody *body, MlirOperation op, intptr_t number);
/// Begins an instruction, `  %add.7 = f32[] add(`, whose result has these
/// types: a tuple unless `n` is 1. `opcode` is static. Returns its number.
/// Failures are the writer's: what follows them may be anything.
intptr_t xlaHloBegin(XlaHloBody *body, MlirOperation at, intptr_t n,
                     const MlirType *types, const char *opcode);
/// The same with the result types of `at`.
intptr_t xlaHloBeginOp(XlaHloBody *body, MlirOperation at, const char *opcode);
/// Appends `%add.7`, after a comma unless it is the first.
void xlaHloPrintOperand(XlaHloBody *body, bool isFirst, intptr_t number);
/// Appends all operands of `op`, and closes their parenthesis.
void xlaHloPrintOperands(XlaHloBody *body, MlirOperation op);
/// Appends `, key=%computation.7`.
void xlaHloPrintCallee(XlaHloBody *body, const char *key, intptr_t number);
/// Leaves the place of `value` open, which it takes, also on failure.
void xlaHloLeaveHole(XlaHloBody *body, MlirOperation at, XlaLiteral *value);
void xlaHloHolesDestroy(XlaHloHoles *holes);
/// Ends it: the location of `at` as metadata, and a newline.
void xlaHloEnd(XlaHloBody *body, MlirOperation at);

/// An instruction with one operand and a result of `type`.
intptr_t xlaHloUnary(XlaHloBody *body, MlirOperation at, MlirType type,
                     const char *opcode, intptr_t operand);
/// A tuple of these; the only one itself.
intptr_t xlaHloTuple(XlaHloBody *body, MlirOperation at, intptr_t n,
                     const intptr_t *numbers, const MlirType *types);
/// Element `index`, of `type`, of the tuple `number`.
intptr_t xlaHloElement(XlaHloBody *body, MlirOperation at, intptr_t number,
                       intptr_t index, MlirType type);
/// Gives the results of `op` the numbers of what instruction `number`, begun
/// with their types, gives.
void xlaHloSetResults(XlaHloBody *body, MlirOperation op, intptr_t number);
/// The next parameter of the computation, a tuple unless `n` is 1.
intptr_t xlaHloParameter(XlaHloBody *body, MlirOperation at, intptr_t n,
                         const MlirType *types);
/// Ends the computation, which gives `root`, of these types: it is done then.
/// `keyword` is "ENTRY " or "". Returns its number; frees what `body` holds.
intptr_t xlaHloFinish(XlaHloBody *body, MlirOperation at, const char *keyword,
                      const char *name, intptr_t root, intptr_t n,
                      const MlirType *types);
/// Unsupported, or without memory, at `op`.
__attribute__((format(printf, 3, 4))) void
xlaHloWriteRefuse(XlaHloWriter *writer, MlirOperation op, const char *format,
                  ...);
void xlaHloNoMemory(XlaHloWriter *writer, MlirOperation op);

// --- write.c ---

/// Writes the operations of `block`, and returns its terminator.
MlirOperation xlaHloWriteBlock(XlaHloBody *body, MlirBlock block);
/// What it returns: one value, or a tuple.
intptr_t xlaHloWriteReturn(XlaHloBody *body, MlirOperation terminator);

// --- write_constant.c ---

/// Writes a constant or an iota.
void xlaHloWriteConstant(XlaHloBody *body, MlirOperation op);

// --- write_region.c ---

/// The computation of a region whose arguments become parameters, for reduce,
/// sort and others: values from outside must be constants. Returns its number.
intptr_t xlaHloWriteComputation(XlaHloWriter *writer, MlirOperation op,
                                intptr_t region);
/// while, if, case and conditional.
void xlaHloWriteWhile(XlaHloBody *body, MlirOperation op);
void xlaHloWriteConditional(XlaHloBody *body, MlirOperation op);

// --- write_transfer.c ---

void xlaHloWriteInfeed(XlaHloBody *body, MlirOperation op);
void xlaHloWriteOutfeed(XlaHloBody *body, MlirOperation op);
/// send and recv, which give {item, request number, token}.
void xlaHloWriteTransfer(XlaHloBody *body, MlirOperation op);
void xlaHloWriteTransferDone(XlaHloBody *body, MlirOperation op);

// --- write_special.c ---

/// Writes an operation that becomes more than an instruction of its name.
/// False if it is none.
bool xlaHloWriteSpecial(XlaHloBody *body, MlirOperation op);

#endif // XLAC_FORMATS_HLO_WRITE_INTERNAL_H

//===- stablehlo.h - Programs in StableHLO ------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// StableHLO's programs are read by the dialects of formats/stablehlo, or, in
// generic form, by a context that allows unregistered dialects, to the same
// operations. xlaImportStableHlo (the pass xla-import-stablehlo) then turns
// every operation into the one of the dialect xla that has its name, and
// attributes into the table's form:
//
// | StableHLO                                | xla                           |
// |------------------------------------------|-------------------------------|
// | `#stablehlo<comparison_direction LT>`    | `"LT"`                        |
// | `#stablehlo.dot<..>`, gather, scatter    | an attribute for each key     |
// | `#stablehlo.conv<[b, 0, f]x..>`          | input_batch_dimension = 0, .. |
// | `dense<[[1, 2], [3, 4]]>`, a padding     | `array<i64: 1, 2, 3, 4>`      |
// | `!stablehlo.token`                       | `!xla.token`                  |
// | `#stablehlo.bounds<8, ?>`                | `#xla.array<bounds = [8, ?]>` |
// | dynamic_reshape, dynamic_pad ..          | reshape, pad .., where shapes |
// |                                          | follow from constants         |
// | einsum, torch_index_select, chlo.scan .. | several operations            |
// | special functions of chlo                | formulas, see chlo/import.c | |
// `check.expect_*`                         | custom_call                   | |
// `interpreter.run_parallel`, print        | custom_call                   | |
// `interpreter.probe`                      | its operand                   | |
// `tf.aliasing_output`, `jax.buffer_donor` | `xla.donated`, of the first   | |
//                                          | with the result's number      | |
// mhlo.*, jax.*, tf.*, sdy.*               | dropped                       |
//
// stablehlo/ops.def has all operations, and docs/stablehlo.md what they become.
// Operations of builtin and func stay as they are.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_IMPORT_STABLEHLO_H
#define XLAC_PASSES_IMPORT_STABLEHLO_H

#include "mlir-c/IR.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"
#include "xlac/passes/import/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/// mlirModuleCreateParse for text that may be StableHLO. Null, with a
/// diagnostic, if the text cannot be parsed or does not verify. Locations are
/// in a file `name`. Where StableHLO's dialects are not registered in
/// `context`, MLIR finds no function from a call inside of its loops.
MlirModule xlaStableHloParse(MlirContext context, MlirStringRef text,
                             MlirStringRef name);

/// Verifies a program that was read by other means. Takes `module`, and gives
/// it back, or null after a diagnostic.
MlirModule xlaStableHloFinishReading(MlirModule module);

/// Rewrites `module` in place, with diagnostics at the operations on failure,
/// after which the module is to be thrown away. Does not verify: what StableHLO
/// requires of an operation, the verifier of xla checks.
XlaImportResult xlaImportStableHlo(MlirOperation module);

/// The same; integers of few elements that follow from constants, as sizes do,
/// become constants on the way (for xlaSpecialize).
XlaImportResult xlaImportFolding(MlirOperation module);

/// MLIR 23 prints `dense<"0x..">` of i1 with a byte an element, where MLIR 22
/// reads packed bits. Rewrites such constants in `text`; each is padded with
/// blanks to its former length, so that locations stay true.
void xlaRepackBoolConstants(char *text, size_t length);
/// The inverse: gives `callback` the text, of MLIR 22, as MLIR 23 would print
/// it.
void xlaUnpackBoolConstants(MlirStringRef text, MlirStringCallback callback,
                            void *userData);

/// Writes docs/stablehlo.md: what becomes of which operation.
void xlaStableHloListOps(MlirStringCallback callback, void *userData);
/// Writes what becomes of the operation `name` of StableHLO or CHLO, and what
/// that does, for people; nothing of others.
void xlaStableHloDescribeOp(MlirStringRef name, MlirStringCallback callback,
                            void *userData);

//===----------------------------------------------------------------------===//
// For the files of the import
//===----------------------------------------------------------------------===//

#define XLA_IMPORT_MAX_ATTRS 48

/// Takes the place of a stablehlo.case by its branch where its index follows
/// from a constant, and other branches have custom calls (branches.c).
void xlaImportTakeBranches(MlirOperation module);

/// Attributes as xla has them.
typedef struct XlaImportedAttrs {
  intptr_t count;
  XlaIrAttr items[XLA_IMPORT_MAX_ATTRS];
} XlaImportedAttrs;

/// The attributes that `op` gets as an operation `target` of xla.
XlaImportResult xlaImportAttributes(MlirOperation op, const XlaOpInfo *target,
                                    XlaImportedAttrs *attrs);

/// Calls `visit` with every attribute of an unregistered operation, inherent
/// and discardable, until one is not Ok.
XlaImportResult xlaImportForEachAttribute(
    MlirOperation op,
    XlaImportResult (*visit)(MlirStringRef name, MlirAttribute value,
                             void *data),
    void *data);

/// Imports `op` as an operation of `kind`.
XlaImportResult xlaImportAs(MlirOperation op, XlaOpKind kind);

/// Puts an operation `name` in the place of `op`, with its first `nKept`
/// operands, `nExtra` others, and its results and regions.
XlaImportResult xlaImportReplace(MlirOperation op, const char *name,
                                 intptr_t nKept, intptr_t nExtra,
                                 const MlirValue *extra, intptr_t nAttrs,
                                 const XlaIrAttr *attrs);

/// The attributes of `op` that have these names in `values`, null where there
/// is none. Others are errors if they are the operation's own, but for hints.
XlaImportResult xlaImportReadAttributes(MlirOperation op, intptr_t n,
                                        const char *const *names,
                                        MlirAttribute *values);
/// The number in an attribute `value` of `op` that xlaImportReadAttributes
/// found as `name`; `absent` if there is none.
XlaImportResult xlaImportReadInteger(MlirOperation op, const char *name,
                                     MlirAttribute value, int64_t absent,
                                     int64_t *number);
/// An error unless `op` has so many operands and results, and no others than
/// static arrays.
XlaImportResult xlaImportCheckArrays(MlirOperation op, intptr_t nOperands,
                                     intptr_t nResults);
/// The same of `n` operands and one result, which may be stated without sizes:
/// xlaImportPut gives it those of its value.
XlaImportResult xlaImportCheckOperands(MlirOperation op, intptr_t n);
/// Puts `value` in the place of the only result of `op`, and removes `op`. An
/// error if that states another type.
XlaImportResult xlaImportPut(MlirOperation op, MlirValue value);

/// Puts the only operand of `op` in its place.
XlaImportResult xlaImportOperand(MlirOperation op);
/// Of an operation of Shardy on whole arrays.
XlaImportResult xlaImportShardy(MlirOperation op);

/// What `xla.reduce_precision` to no mantissa bits made of `x`, with infinities
/// in the place of NaN, as StableHLO and HLO have it.
MlirValue xlaImportInfinities(XlaIr *ir, MlirValue x, MlirValue reduced);

/// An error unless sums of `op`, a dot_general, are as precise as the text of
/// its algorithm asks; and results of `op`, which is to be a `target`, as its
/// result_accuracy does (stablehlo/precision.c).
XlaImportResult xlaImportCheckAlgorithm(MlirOperation op, MlirStringRef text);
XlaImportResult xlaImportCheckAccuracy(MlirOperation op,
                                       const XlaOpInfo *target,
                                       MlirStringRef text);

/// Sizes (stablehlo/dynamic.c).
/// A tensor with #xla.array in place of #stablehlo.bounds; others as they are.
MlirType xlaImportBoundedType(MlirType type);
/// Gives results of `op`, which is to be of `kind` with its first `nOperands`
/// operands, the types that follow from those where dimensions that it states
/// have neither size nor bound. Invalid if the operands do not go together.
XlaImportResult xlaImportInferResults(MlirOperation op, XlaOpKind kind,
                                      intptr_t nOperands,
                                      const XlaImportedAttrs *attrs);
/// Gives results of `op` with such dimensions their sizes where its name, its
/// operands or regions tell; others stay as they are. Invalid if what it states
/// of other dimensions differs (stablehlo/refine.c).
XlaImportResult xlaImportRefineResults(MlirOperation op, MlirStringRef name);
/// The same for the arguments of blocks in `op`, one of each operand; those of
/// chlo.scan have parts of them.
void xlaImportRefineArguments(MlirOperation op);
/// Puts constants in the places of integer operands, of up to XLA_MAX_LIST
/// elements, that follow from constants.
void xlaImportFoldOperands(MlirOperation op);
/// The type of a function with such results as its body now returns.
MlirType xlaImportFunctionType(MlirOperation function, MlirType type);

/// dynamic_pad and real_dynamic_slice of static sizes, by operands that only a
/// run knows (stablehlo/index.c).
XlaImportResult xlaImportComputedPad(MlirOperation op);
XlaImportResult xlaImportComputedSlice(MlirOperation op);

/// Makes operations of CHLO of the composites in `module` that stand for them
/// (stablehlo/composite.c). Invalid without memory.
XlaImportResult xlaImportRecompose(MlirOperation module);

/// Imports an operation of StableHLO or CHLO (stablehlo/ops.c).
XlaImportResult xlaImportForeign(MlirOperation op, MlirStringRef name);

/// Rows of stablehlo/ops.def put operations in the place of `op`, or say with a
/// diagnostic why not; these are those of one kind.
XlaImportResult xlaImportSized(MlirOperation op);
XlaImportResult xlaImportChlo(MlirOperation op);
#define XLA_IMPORT_OP(name, Hook, becomes)                                     \
  XlaImportResult xlaImport##Hook(MlirOperation op);
#include "xlac/passes/import/stablehlo/ops.def"

/// Whether an attribute's name belongs to a dialect that annotates programs
/// without changing what they compute.
bool xlaImportIsAnnotation(MlirStringRef name);

#ifdef __cplusplus
}
#endif

#endif // XLAC_PASSES_IMPORT_STABLEHLO_H

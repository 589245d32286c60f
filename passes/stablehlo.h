//===- stablehlo.h - Programs in StableHLO ------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// StableHLO's programs are read in MLIR's generic text form, by a context that
// allows unregistered dialects. xlaImportStableHlo (the pass
// xla-import-stablehlo) then turns every operation into the one of the dialect
// xla that has its name, and attributes into the table's form:
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
// | `check.expect_*`                         | custom_call                   |
// | `interpreter.run_parallel`, print        | custom_call                   |
// | `interpreter.probe`                      | its operand                   |
// | send, recv                               | send and send_done, recv ..   |
// | special functions of chlo                | formulas, see chlo.c          |
// | `tf.aliasing_output`, `jax.buffer_donor` | `xla.donated`                 |
// | mhlo.*, jax.*, tf.*, sdy.*               | dropped                       |
//
// Operations of builtin and func stay as they are.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_STABLEHLO_H
#define XLAC_PASSES_STABLEHLO_H

#include "mlir-c/IR.h"
#include "xlac/dialect/ir.h"
#include "xlac/dialect/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How an import ended.
typedef enum XlaImportResult {
  XlaImportResultOk,
  XlaImportResultInvalid,     ///< the program is wrong
  XlaImportResultUnsupported, ///< valid perhaps, but the dialect lacks it
} XlaImportResult;

/// mlirModuleCreateParse for text that may be StableHLO. MLIR finds no function
/// from a call inside of an operation that is not registered, as StableHLO's
/// loops are; such calls get a name that xlaImportStableHlo knows. Null, with a
/// diagnostic, if the text cannot be parsed or does not verify.
MlirModule xlaStableHloParse(MlirContext context, MlirStringRef text);

/// Rewrites `module` in place, with diagnostics at the operations on failure,
/// after which the module is to be thrown away. Does not verify: what StableHLO
/// requires of an operation, the verifier of xla checks.
XlaImportResult xlaImportStableHlo(MlirOperation module);

/// MLIR 23 prints `dense<"0x..">` of i1 with a byte an element, where MLIR 22
/// reads packed bits. Rewrites such constants in `text`; each is padded with
/// blanks to its former length, so that locations stay true.
void xlaRepackBoolConstants(char *text, size_t length);

//===----------------------------------------------------------------------===//
// For the files of the import
//===----------------------------------------------------------------------===//

#define XLA_IMPORT_MAX_ATTRS 48

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

/// Puts operations of xla in the place of `op`, chlo.`name`, if that can
/// be written in them (chlo_ops.c, chlo.c); false if not.
bool xlaImportExpandChlo(MlirOperation op, MlirStringRef name);

/// Puts an operation `name` in the place of `op`, with its first `nKept`
/// operands, `nExtra` others, and its results and regions.
XlaImportResult xlaImportReplace(MlirOperation op, const char *name,
                                 intptr_t nKept, intptr_t nExtra,
                                 const MlirValue *extra, intptr_t nAttrs,
                                 const XlaIrAttr *attrs);

/// Sizes (stablehlo_dynamic.c). Imports stablehlo.`name`, if that
/// takes sizes as operands; false for all others.
bool xlaImportDynamic(MlirOperation op, MlirStringRef name,
                      XlaImportResult *result);
/// A tensor with #xla.array in place of #stablehlo.bounds; others as they are.
MlirType xlaImportBoundedType(MlirType type);
/// Gives results of `op`, which is to be of `kind` with its first `nOperands`
/// operands, the types that follow from those where dimensions that it states
/// have neither size nor bound.
void xlaImportInferResults(MlirOperation op, XlaOpKind kind, intptr_t nOperands,
                           const XlaImportedAttrs *attrs);
/// The type of a function with such results as its body now returns.
MlirType xlaImportFunctionType(MlirOperation function, MlirType type);

/// Puts xla.send and send_done, or recv and recv_done, in the place of `op`,
/// StableHLO's send or recv.
XlaImportResult xlaImportTransfer(MlirOperation op, bool sends);
/// stablehlo.rng, as xla.rng_uniform or rng_normal.
XlaImportResult xlaImportRng(MlirOperation op);

/// Whether an attribute's name belongs to a dialect that annotates programs
/// without changing what they compute.
bool xlaImportIsAnnotation(MlirStringRef name);

#ifdef __cplusplus
}
#endif

#endif // XLAC_PASSES_STABLEHLO_H

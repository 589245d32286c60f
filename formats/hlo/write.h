//===- write.h - Programs as HLO text ------------------------------*- C
//-*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text form of XLA's HLO, as XLA's own parser reads it. Every region and
// every function becomes a computation, which stands before its first use;
// values that control flow takes from outside become elements of the tuple that
// it passes on, constants are written again where they are used.
//
// | xla                                  | HLO                                |
// |--------------------------------------|------------------------------------|
// | operands that broadcast              | `broadcast` of them                |
// | broadcast_in_dim that repeats size 1 | `reshape`, `broadcast`             |
// | roll                                 | slices                             |
// | acos, sinh and others of chlo        | their formulas                     |
// | if, case, conditional                | `conditional`                      |
// | fusion                               | what is in it                      |
// | several results                      | a tuple                            |
// | xla.donated                          | `buffer_donor`                     |
//
// Source: XLA's documentation of its operations; the syntax is what its printer
// gives.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_FORMATS_HLO_WRITE_H
#define XLAC_FORMATS_HLO_WRITE_H

#include "mlir-c/IR.h"
#include "xlac/passes/import/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Gives `callback` the text of `module`, which is verified and in the dialect
/// xla, and is not changed. The entry is `main`, or the only public function.
/// Unsupported, after a diagnostic at the operation, for what HLO has no
/// counterpart of, and Invalid if there is no entry or a function calls itself;
/// nothing is given to `callback` then. Must run on a stack of XLA_STACK_BYTES.
XlaImportResult xlaHloWrite(MlirModule module, MlirStringCallback callback,
                            void *userData);

#ifdef __cplusplus
}
#endif

#endif // XLAC_FORMATS_HLO_WRITE_H

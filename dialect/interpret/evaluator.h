//===- evaluator.h - The meaning of programs ----------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference evaluator runs a program op by op over literals, in plain
// loops. It is the meaning of every operation: compiled results are tested
// against it, and constant folding uses it. It never computes in place and
// checks every limit; all failures are diagnostics at the operation.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_INTERPRET_EVALUATOR_H
#define XLAC_DIALECT_INTERPRET_EVALUATOR_H

#include "xlac/dialect/interpret/rendezvous.h"
#include "xlac/dialect/literal.h"
#include "xlac/dialect/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Runs a custom call. Emits a diagnostic on failure.
typedef MlirLogicalResult (*XlaCustomCallHook)(
    MlirOperation op, MlirStringRef target, intptr_t nOperands,
    const XlaLiteral *const *operands, intptr_t nResults, XlaLiteral **results,
    void *userData);

/// Gives `n` arrays of `shapes`, 1 or more, to an xla.infeed: all of its
/// results in order, tuples flattened, each dense and row-major as literals
/// are. Puts a new reference to each into `arrays`, which are NULL before; the
/// program only reads them, and releases them. On failure emits a diagnostic at
/// `op` (xlaOpInvalid where input has ended), and gives none: the run fails
/// with it.
///
/// This hook, XlaOutfeedHook and XlaCustomCallHook are called while the program
/// runs, by one thread at a time, which may be another than that which started
/// the run; one after the other in the order of the operations, in loops and
/// branches as often as these run. The program waits. `op` lives as long as the
/// call; of compiled programs it has left its module, and has arrays in place
/// of tuples and tokens. On the thread that calls them they may run programs,
/// also of the same client, and the executable that calls them unless it is of
/// a Vulkan device or of unknown sizes: that is an error, as is what would wait
/// for itself, through others too (runtime/turn.h).
typedef MlirLogicalResult (*XlaInfeedHook)(MlirOperation op, intptr_t n,
                                           const XlaShape *shapes,
                                           XlaLiteral **arrays, void *userData);
/// Takes the `n` arrays of an xla.outfeed, 1 or more, which are borrowed: who
/// keeps one retains it, and does not write to it. Emits a diagnostic on
/// failure, with which the run fails.
typedef MlirLogicalResult (*XlaOutfeedHook)(MlirOperation op, intptr_t n,
                                            const XlaLiteral *const *arrays,
                                            void *userData);

/// What a run may use and who hears of it. Zero-initialised is the default.
typedef struct XlaEvaluatorOptions {
  int64_t maxBytes;      ///< of all values alive, with inputs; 0: no limit
  int64_t maxSteps;      ///< ops and scalar steps; 0: no limit
  double timeoutSeconds; ///< 0: none
  double spentSeconds;   ///< of timeoutSeconds, before the evaluator is made
  int maxCallDepth;      ///< 0: 1,000; regions may nest 1,000 deeper
  bool quiet;            ///< exceeding a limit fails without a diagnostic
  XlaCustomCallHook customCall; ///< NULL: custom calls are errors
  XlaInfeedHook infeed;         ///< NULL: there is none, as for outfeed
  XlaOutfeedHook outfeed;
  XlaProcess process; ///< its place among those that run together
  /// The program outlives all that comes of it, results and what was sent out:
  /// constants are not copied, but refer to it, where a literal has the same
  /// bytes.
  bool refersToProgram;
  /// Called after every operation of the entry function with its results; NULL:
  /// not called.
  void (*observe)(MlirOperation op, intptr_t nResults,
                  const XlaLiteral *const *results, void *userData);
  /// Called with every operand of an operation, then with its results, in
  /// regions and called functions too: what stands in its place, a new literal
  /// of the same shape, or NULL to leave it. NULL: not called.
  XlaLiteral *(*vary)(MlirOperation op, bool isResult, const XlaLiteral *value,
                      void *userData);
  void *userData;
} XlaEvaluatorOptions;

/// Evaluates functions of `module`, which must have been verified and outlive
/// the evaluator. NULL if there is no memory.
XlaEvaluator *xlaEvaluatorCreate(MlirOperation module,
                                 const XlaEvaluatorOptions *options);
void xlaEvaluatorDestroy(XlaEvaluator *evaluator);

/// Runs a func.func. `inputs` are borrowed; other types than the arguments' are
/// an error. `results` gets a new reference for each result.
MlirLogicalResult xlaEvaluatorRun(XlaEvaluator *evaluator,
                                  MlirOperation function, intptr_t nInputs,
                                  const XlaLiteral *const *inputs,
                                  intptr_t nResults, XlaLiteral **results);

/// Looks up a function of the module; null if there is none.
MlirOperation xlaEvaluatorLookup(XlaEvaluator *evaluator, MlirStringRef name);

//===----------------------------------------------------------------------===//
// For the hooks of families
//===----------------------------------------------------------------------===//

/// Runs a region of an operation. `args` are borrowed; `results` gets a new
/// reference for each operand of the region's xla.return.
MlirLogicalResult xlaEvaluatorRunRegion(XlaEvaluator *evaluator,
                                        MlirRegion region, intptr_t nArgs,
                                        const XlaLiteral *const *args,
                                        intptr_t nResults,
                                        XlaLiteral **results);
/// Checks an array about to be made against the limits; fails with a diagnostic
/// at `op`.
MlirLogicalResult xlaEvaluatorReserve(XlaEvaluator *evaluator, MlirOperation op,
                                      const XlaShape *shape);
/// Counts the memory of a literal that was made for `op`, and fails with a
/// diagnostic if that is beyond the limit. NULL, as after a failed creation, is
/// a lack of memory.
MlirLogicalResult xlaEvaluatorCount(XlaEvaluator *evaluator, MlirOperation op,
                                    XlaLiteral *literal);
/// An array of zeros, within the limits; NULL after a diagnostic at `op`.
XlaLiteral *xlaEvaluatorCreateArray(XlaEvaluator *evaluator, MlirOperation op,
                                    const XlaShape *shape);
/// The array that result `index` of `op` is to hold.
XlaLiteral *xlaEvaluatorCreateResult(XlaEvaluator *evaluator, MlirOperation op,
                                     intptr_t index);
/// Counts `steps` against the limits and the clock; fails with a diagnostic at
/// `op`. Loops whose length does not follow from the size of a result call it.
MlirLogicalResult xlaEvaluatorStep(XlaEvaluator *evaluator, MlirOperation op,
                                   int64_t steps);
/// Takes blocks of random bits: how many were taken before in this run.
uint64_t xlaEvaluatorDraw(XlaEvaluator *evaluator, uint64_t blocks);
const XlaEvaluatorOptions *
xlaEvaluatorGetOptions(const XlaEvaluator *evaluator);

/// The literal that an outer or own value has while a region runs; NULL if
/// none. Borrowed.
const XlaLiteral *xlaEvaluatorGetValue(XlaEvaluator *evaluator,
                                       MlirValue value);
/// Says what a value is, before anything uses it. False without memory.
bool xlaEvaluatorSetValue(XlaEvaluator *evaluator, MlirValue value,
                          const XlaLiteral *literal);

/// Constant folding: evaluates a pure operation whose operands are constants,
/// or a map or a reduction over scalars, within 64 Ki elements and 1 M steps.
/// Fails without a diagnostic when nothing folds.
MlirLogicalResult xlaFoldOperation(MlirOperation op, intptr_t nOperands,
                                   const MlirAttribute *operands,
                                   MlirExtFoldResult *results);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_INTERPRET_EVALUATOR_H

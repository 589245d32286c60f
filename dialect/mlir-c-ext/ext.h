//===- ext.h - What mlir-c lacks for a dialect defined in C ------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C API of MLIR 22 defines dialects through IRDL only, which has no custom
// syntax, verifiers, folders, side effects, terminators or own passes with
// options. This header adds them, in the C API's style. It knows nothing of XLA
// and is the project's only C++; LLVM 23 brings dynamic dialects to mlir-c, and
// these functions are shaped so that they can move over.
//
// Definitions are tables of plain structs. They are read for as long as any
// context or registry lives, so they must be static.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_MLIR_C_EXT_EXT_H
#define XLAC_DIALECT_MLIR_C_EXT_EXT_H

#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"
#include "mlir-c/Rewrite.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// What MLIR's generic passes may assume about an operation.
typedef enum MlirExtOpTrait {
  /// No side effects, may be executed speculatively: CSE, DCE and hoisting
  /// work.
  MlirExtOpTraitPure = 1 << 0,
  /// The effects are those of the operations in the regions.
  MlirExtOpTraitRecursiveEffects = 1 << 1,
  /// Ends a block.
  MlirExtOpTraitTerminator = 1 << 2,
  /// Regions may not use values from outside. Checked.
  MlirExtOpTraitIsolated = 1 << 3,
  /// Folds to its attribute `value`; the dialect materializes constants by it.
  MlirExtOpTraitConstantLike = 1 << 4,
  MlirExtOpTraitCommutative = 1 << 5,
  /// Calls the symbol in the attribute `callee`, whose existence and types are
  /// verified. Implements CallOpInterface.
  MlirExtOpTraitCall = 1 << 6,
} MlirExtOpTrait;

/// How an operation is written. Every form starts with the name and can be
/// written generically as well.
typedef enum MlirExtOpFormat {
  /// `%a, %b {attrs} : type` if one type describes all operands and the single
  /// result, else `: (types) -> types`. With regions the operands stand in
  /// parentheses: `(%a) ({..}, {..}) {attrs} : ..`.
  MlirExtOpFormatDefault,
  /// `{attrs} value`, e.g. `dense<1.0> : tensor<4xf32>`; the type of the result
  /// is that of the attribute `value`.
  MlirExtOpFormatConstant,
  /// `%a, %b {attrs} : type, type`; no results.
  MlirExtOpFormatReturn,
  /// `@callee(%a) {attrs} : (types) -> types`.
  MlirExtOpFormatCall,
  /// None but the generic form, and what `parse` and `print` do.
  MlirExtOpFormatOwn,
} MlirExtOpFormat;

/// What a folder found for one result: an attribute or an existing value; the
/// other is null.
typedef struct MlirExtFoldResult {
  MlirAttribute attribute;
  MlirValue value;
} MlirExtFoldResult;

/// An inherent attribute. What is not its name is the definer's own: this
/// library reads only the name.
typedef struct MlirExtOpAttribute {
  const char *name;
  int kind;
  bool optional;
  const char *choices;
  int absent;
} MlirExtOpAttribute;

typedef struct MlirExtOpDefinition MlirExtOpDefinition;

/// Text that is being read, or written, see asm.h.
typedef struct MlirExtAsmParser {
  void *ptr;
} MlirExtAsmParser;
typedef struct MlirExtAsmPrinter {
  void *ptr;
} MlirExtAsmPrinter;

/// One operation. Only `name` is required.
struct MlirExtOpDefinition {
  const char *name; ///< without the dialect's namespace
  unsigned traits;  ///< of MlirExtOpTrait
  MlirExtOpFormat format;
  /// The inherent attributes, ended by one without a name; may be NULL. They
  /// are kept in one dictionary property, read from `<{..}>` and `{..}` alike,
  /// and printed in `{..}`. Other names in `<{..}>` are an error.
  const MlirExtOpAttribute *attributes;

  /// Checks `op`; emits a diagnostic on failure. Operand and region counts have
  /// not been checked before.
  MlirLogicalResult (*verify)(MlirOperation op, const MlirExtOpDefinition *def);
  /// Folds `op`. `operands[i]` is null unless operand i is constant. `results`
  /// has one entry a result. Failure means that nothing folds.
  MlirLogicalResult (*fold)(MlirOperation op, intptr_t nOperands,
                            const MlirAttribute *operands,
                            MlirExtFoldResult *results,
                            const MlirExtOpDefinition *def);

  /// Of MlirExtOpFormatOwn; NULL: such text is an error. Reads what stands
  /// behind the name. False, with a diagnostic, if that is wrong.
  bool (*parse)(MlirExtAsmParser parser, const MlirExtOpDefinition *def);
  /// Of MlirExtOpFormatOwn; NULL, or false if it has printed nothing: the
  /// generic form. `op` may be half built: any attributes and regions.
  bool (*print)(MlirOperation op, MlirExtAsmPrinter printer,
                const MlirExtOpDefinition *def);
  /// The definer's own, for its callbacks.
  const void *data;
  /// How the text calls result `index`, or argument `index` of the first block
  /// of region number `region` (-1: a result): `%name`, with a number behind it
  /// if several are called so. NULL, as if there is no such function: `%0`,
  /// `%arg0`.
  const char *(*nameValue)(MlirOperation op, intptr_t region, intptr_t index,
                           const MlirExtOpDefinition *def);
};

//===----------------------------------------------------------------------===//
// Types and attributes
//===----------------------------------------------------------------------===//

/// `!dialect.name`, without parameters.
typedef struct MlirExtTypeDefinition {
  const char *name;
} MlirExtTypeDefinition;

/// `#dialect.name<key = value, ..>`. Values are attributes; lists of integers
/// become array<i64>, in which `?` is ShapedType's dynamic size. Or, if it is a
/// text, `#dialect.name<"text">`: its entries are the StringAttr.
typedef struct MlirExtAttrDefinition {
  const char *name;
  /// Checks the entries (a DictionaryAttr, of a text a StringAttr). On failure
  /// it calls `emitError` with a message.
  MlirLogicalResult (*verify)(MlirAttribute entries,
                              void (*emitError)(const char *message,
                                                void *errorData),
                              void *errorData);
  /// Checks the entries as the encoding of a ranked tensor, when its type is
  /// parsed. NULL: any tensor may have it.
  MlirLogicalResult (*verifyEncoding)(
      MlirAttribute entries, intptr_t rank, const int64_t *shape,
      MlirType elementType,
      void (*emitError)(const char *message, void *errorData), void *errorData);
  bool isText;
} MlirExtAttrDefinition;

/// A dialect as a table.
typedef struct MlirExtDialectDefinition {
  const char *name;
  intptr_t nOps;
  const MlirExtOpDefinition *ops;
  intptr_t nTypes;
  const MlirExtTypeDefinition *types;
  intptr_t nAttrs;
  const MlirExtAttrDefinition *attrs;
  /// The operation that materializes folded constants (its definition has
  /// MlirExtOpTraitConstantLike), or NULL.
  const char *constantOp;
  /// Whether a call may pass one type where a function has the other; NULL:
  /// none but equal ones.
  bool (*typesAgree)(MlirType a, MlirType b);
  /// Types and attributes that are not in the tables become an OpaqueType or
  /// OpaqueAttr of their text, as those of a dialect that is not registered.
  bool keepsUnknown;
  /// In its operations' regions, names of operations without a dialect are not
  /// those of `xla`, as where this is false, but of builtin.
  bool fullNames;
  /// Which of the names that `next(i, data)` gives, NULL after the last, a
  /// misspelled one may mean, or NULL: for errors of unknown operations. NULL:
  /// they say none.
  const char *(*nearestName)(const char *word, size_t length,
                             const char *(*next)(int i, const void *data),
                             const void *data);
} MlirExtDialectDefinition;

/// Adds the dialect to `registry`. It loads on first use, as any dialect.
/// Constants that folding makes inside a region of this dialect's operations
/// stay in that region.
void mlirExtDialectRegister(MlirDialectRegistry registry,
                            const MlirExtDialectDefinition *definition);

/// The type `!dialect.name`; null if the dialect or the type is not there.
MlirType mlirExtTypeGet(MlirContext context, MlirStringRef dialect,
                        MlirStringRef name);
bool mlirExtTypeIsA(MlirType type, MlirStringRef dialect, MlirStringRef name);

/// The attribute `#dialect.name<entries>`; null if it does not verify.
MlirAttribute mlirExtAttrGet(MlirContext context, MlirStringRef dialect,
                             MlirStringRef name, MlirAttribute entries);
/// The entries of such an attribute (a DictionaryAttr); null for any other.
MlirAttribute mlirExtAttrGetEntries(MlirAttribute attribute,
                                    MlirStringRef dialect, MlirStringRef name);

/// Emits a remark, in the category `dialect`, if that is asked for: by MLIR's
/// remarks (`--remarks-filter=dialect` of mlir-opt), or, as an ordinary
/// diagnostic, between two calls of mlirExtDialectSetVerbose.
void mlirExtEmitRemark(MlirLocation location, MlirStringRef dialect,
                       const char *message);
void mlirExtDialectSetVerbose(MlirContext context, MlirStringRef dialect,
                              bool verbose);

/// From now on no operation of the dialect is folded, or erased because its
/// results have no uses: for tools in which only what they
/// were asked to do may change a program.
void mlirExtDialectKeepOps(MlirContext context, MlirStringRef dialect);

/// The inherent attributes of an operation of such a dialect, as a
/// DictionaryAttr (never null).
MlirAttribute mlirExtOperationGetInherentAttributes(MlirOperation op);
/// Gives such an operation, or one that is not registered, the inherent
/// attributes of a DictionaryAttr in place of those that it has.
void mlirExtOperationSetInherentAttributes(MlirOperation op,
                                           MlirAttribute attributes);
/// All attributes of any operation, as a DictionaryAttr (never null).
MlirAttribute mlirExtOperationGetAttributes(MlirOperation op);

/// Operands that are results of `op` become null, as where MLIR's reducer
/// removes operations; what has them is to be thrown away, but may be verified.
void mlirExtOperationDropUses(MlirOperation op);

/// The bytes of a `dense` attribute of numbers, or of a `dense_resource`; an
/// empty string if it has none.
MlirStringRef mlirExtDenseGetRawData(MlirAttribute attribute);
bool mlirExtAttributeIsADenseResource(MlirAttribute attribute);

/// A `dense_resource` that stands for `dense` with the same bytes, which are
/// not copied and must outlive the context: MlirExtOpFormatConstant and
/// mlirExtAsmPrintAttribute print that. Its key is `name`, or a longer one.
/// `isMapped`: the bytes are of a file, in pages of which nothing was changed.
MlirAttribute mlirExtUncopiedDenseGet(MlirType type, MlirStringRef name,
                                      const void *data, size_t size,
                                      bool isMapped);
/// Whether the bytes of an attribute are in such pages: these may be given back
/// by madvise with MADV_DONTNEED, and are read again from the file when needed.
bool mlirExtDenseIsMapped(MlirAttribute attribute);

/// Writes the fewest digits that are read as `value` again, as 0.1 or 1e+20,
/// without a NUL; returns their number. C's library has no such function.
enum { MLIR_EXT_FLOAT_CHARS = 32 };
size_t mlirExtPrintFloat(float value, char chars[MLIR_EXT_FLOAT_CHARS]);
size_t mlirExtPrintDouble(double value, char chars[MLIR_EXT_FLOAT_CHARS]);

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

/// mlirModuleCreateParse without verification, which is left to the caller.
/// Locations are in a file `name`.
MlirModule mlirExtModuleCreateParseUnverified(MlirContext context,
                                              MlirStringRef text,
                                              MlirStringRef name);

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

/// Types of options of passes.
typedef enum MlirExtPassOptionKind {
  MlirExtPassOptionBool,
  MlirExtPassOptionInt,
  MlirExtPassOptionString,
  MlirExtPassOptionWord, ///< the same, whose value may be left out: ""
} MlirExtPassOptionKind;

/// One option of a pass: `--pass=name=value`. `defaultValue` is its text form,
/// NULL for false, 0 or "".
typedef struct MlirExtPassOption {
  const char *name;
  const char *description;
  MlirExtPassOptionKind kind;
  const char *defaultValue;
} MlirExtPassOption;

/// The values that one pass instance was given.
typedef struct MlirExtPassOptionValues {
  const void *ptr;
} MlirExtPassOptionValues;

/// A pass on builtin.module.
typedef struct MlirExtPassDefinition {
  const char *name;        ///< the argument, `xla-legalize`
  const char *description; ///< one line for `--help`
  intptr_t nOptions;
  const MlirExtPassOption *options;
  /// Dialects whose ops the pass creates, NULL-terminated; may be NULL.
  const char *const *dependentDialects;
  /// Emits a diagnostic on failure.
  MlirLogicalResult (*run)(MlirOperation op, MlirExtPassOptionValues options,
                           void *userData);
  void *userData;
} MlirExtPassDefinition;

/// Makes the pass usable by name in pipelines. Register a pass once a process.
void mlirExtPassRegister(const MlirExtPassDefinition *definition);
/// Makes `pipeline` (the text of a pipeline on builtin.module) usable as
/// `--name`, or `--name=OPTIONS` if it has a `*`, in place of which these
/// stand.
void mlirExtPassPipelineRegister(const char *name, const char *description,
                                 const char *pipeline);

/// A stage of a pipeline and how it is reached from the one before: the text of
/// a pipeline on builtin.module.
typedef struct MlirExtPipelineStage {
  const char *name, *pipeline;
} MlirExtPipelineStage;

/// Makes the stages, up to a row of NULLs, usable as `--name`, which runs all
/// of them, or `--name=to=STAGE`. Further options stand in place of a `*` in
/// the stages' pipelines. The table is used as long as the process
/// runs.
void mlirExtStagedPipelineRegister(const char *name, const char *description,
                                   const MlirExtPipelineStage *stages);

/// Option number `index` of the definition's table.
bool mlirExtPassOptionGetBool(MlirExtPassOptionValues values, intptr_t index);
int64_t mlirExtPassOptionGetInt(MlirExtPassOptionValues values, intptr_t index);
MlirStringRef mlirExtPassOptionGetString(MlirExtPassOptionValues values,
                                         intptr_t index);

//===----------------------------------------------------------------------===//
// Tools
//===----------------------------------------------------------------------===//

/// Reads a tool's input from the file at `path` ("-": standard input),
/// `*length` bytes with a NUL behind them, for `free`. Prints its own message
/// on failure.
typedef MlirLogicalResult (*MlirExtInputRead)(const char *path, char **input,
                                              size_t *length);

/// mlir-opt's main with this registry. Parsing and passes run on a thread with
/// `stackBytes` of stack, because the parser recurses. Returns the exit code.
int mlirExtOptMain(int argc, char **argv, const char *banner,
                   MlirDialectRegistry registry, MlirExtInputRead read,
                   size_t stackBytes);
/// What a language server says beyond MLIR's. They are called on threads of
/// their own.
typedef struct MlirExtLspHooks {
  /// What hovers tell of operation `name` ("dialect.op") beneath what MLIR
  /// tells of it, in markdown; gives `callback` nothing if that is nothing.
  void (*describe)(MlirStringRef name, MlirStringCallback callback, void *text,
                   void *userData);
  /// Why a document's text is not to be parsed, a static message, with line
  /// and column from 0 on; NULL: it is to be. May be NULL.
  const char *(*refuse)(MlirStringRef text, int64_t *line, int64_t *column,
                        void *userData);
  /// Gives `callback` each word that may stand at the end of `line`, which is a
  /// document's up to where somebody types; nothing where words are not known:
  /// MLIR completes operations and values. May be NULL.
  void (*complete)(MlirStringRef line, MlirStringCallback callback, void *words,
                   void *userData);
  void *userData;
} MlirExtLspHooks;

/// mlir-lsp-server's main. Takes standard input and output over; once a
/// process, which is to end then.
int mlirExtLspServerMain(int argc, char **argv, MlirDialectRegistry registry,
                         const MlirExtLspHooks *hooks);
/// mlir-reduce's main: the same. `prepare` gets the context before the program
/// is read.
int mlirExtReduceMain(int argc, char **argv, MlirDialectRegistry registry,
                      MlirExtInputRead read, void (*prepare)(MlirContext),
                      size_t stackBytes);
/// Crash reports print `message` in place of LLVM's address. Kept, not copied.
void mlirExtSetCrashMessage(const char *message);
/// Runs `function(data)` on a new thread with `stackBytes` of stack and waits.
/// False if no such thread could be made.
bool mlirExtRunOnStack(size_t stackBytes, void (*function)(void *data),
                       void *data);
/// What a thread has set last, NULL before; it goes along to the threads of
/// mlirExtRunOnStack.
void *mlirExtGetThreadData(void);
void mlirExtSetThreadData(void *data);

//===----------------------------------------------------------------------===//
// Processors
//===----------------------------------------------------------------------===//

/// A processor as LLVM describes it.
typedef struct MlirExtCpu MlirExtCpu;

/// The processor `cpu` ("": the plainest) of `triple`, with `features`
/// ("+name,-name"). NULL if LLVM does not know it; the triple's target must be
/// initialized.
MlirExtCpu *mlirExtCpuCreate(const char *triple, const char *cpu,
                             const char *features);
void mlirExtCpuDestroy(MlirExtCpu *cpu);
/// Whether it has `feature` ("avx2"), or another that implies it.
bool mlirExtCpuHasFeature(const MlirExtCpu *cpu, const char *feature);

/// From now on, in all of this process, x86 code keeps masks that LLVM 22.1
/// would delete while they are needed: see codegen.cpp. May be called from any
/// thread, any number of times.
void mlirExtKeepMasks(void);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_MLIR_C_EXT_EXT_H

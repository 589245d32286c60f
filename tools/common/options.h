//===- options.h - Command lines ----------------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options are `--name`, `--name=value` or `--name value`; what does not start
// with a dash, and `-` itself, is positional; `--` ends the options. A tool
// describes its options in a table, from which --help is printed as well;
// --help, -h and --version are options of all tools.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_TOOLS_COMMON_OPTIONS_H
#define XLAC_TOOLS_COMMON_OPTIONS_H

#include "xlac/tools/common/exit.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A row of a tool's table.
typedef struct XlaToolOption {
  const char *name; ///< "device"; NULL ends a table
  /// What --help calls the value; NULL: a flag without one; "[=WORD]": one that
  /// may be left out.
  const char *value;
  const char *help;
  bool repeated; ///< may be given more than once
} XlaToolOption;

/// What was given for one option, or for positions.
typedef struct XlaToolValues {
  int count;
  const char **items; ///< borrowed from argv; "" for flags
} XlaToolValues;

#define XLA_TOOL_MAX_OPTIONS 40
/// What was given on a command line.
typedef struct XlaToolArguments {
  XlaToolValues options[XLA_TOOL_MAX_OPTIONS]; ///< by position in the table
  XlaToolValues positions;
  bool help, version; ///< are asked for; what follows is not read
} XlaToolArguments;

/// Reads `argv` by `table`. On failure prints one line and
/// returns Wrong.
/// `*arguments` is to be freed by xlaToolArgumentsDestroy in both cases.
XlaToolCode xlaToolArgumentsParse(const XlaToolOption *table, int argc,
                                  char **argv, XlaToolArguments *arguments);
void xlaToolArgumentsDestroy(XlaToolArguments *arguments);

/// The first value of an option; `absent` if there is none.
const char *xlaToolValuesFirst(const XlaToolValues *values, const char *absent);

/// Prints a line an option.
void xlaToolOptionsHelp(const XlaToolOption *table);

/// The one of the NULL-terminated `names` that is most like `word`, if any is
/// like it (xlaNearestName).
const char *xlaToolSuggest(const char *word, const char *const *names);

/// Prints that there is no `what` `word`, and which of `names` may be meant.
XlaToolCode xlaToolUnknown(const char *what, const char *word,
                           const char *const *names);

/// A finite number that is not negative, or an integer; false if `text` is
/// none, from its first to its last character.
bool xlaToolReadNumber(const char *text, double *number);
bool xlaToolReadInteger(const char *text, uint64_t *number);
/// The integer from `least` to `most` that was given for option --`name`;
/// without one `*number` stays what it is.
XlaToolCode xlaToolReadCount(const char *name, const XlaToolValues *values,
                             uint64_t least, uint64_t most, uint64_t *number);
/// The position in the NULL-terminated `words` of the one that was given for
/// --`name`; without one `*word` stays what it is.
XlaToolCode xlaToolReadWord(const char *name, const XlaToolValues *values,
                            const char *const *words, int *word);
/// Reads integers, with signs, with `separator` between them: how many, at most
/// `most`, or -1 if `length` characters of `text` are something else.
int xlaToolReadIntegers(const char *text, size_t length, char separator,
                        int64_t *numbers, int most);
/// The values of the repeated option --`name`, each the number of one of
/// `count` inputs, in `*numbers` (to be freed in any case).
XlaToolCode xlaToolReadInputNumbers(const char *name,
                                    const XlaToolValues *values, intptr_t count,
                                    intptr_t **numbers);

#endif // XLAC_TOOLS_COMMON_OPTIONS_H

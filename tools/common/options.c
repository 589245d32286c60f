//===- options.c - Command lines ------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/common/options.h"

#include "xlac/dialect/nearest.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Suggestions
//===----------------------------------------------------------------------===//

static const char *nameAt(int i, const void *names) {
  return ((const char *const *)names)[i];
}

const char *xlaToolSuggest(const char *word, const char *const *names) {
  return xlaNearestName(word, strlen(word), nameAt, names);
}

XlaToolCode xlaToolUnknown(const char *what, const char *word,
                           const char *const *names) {
  const char *similar = xlaToolSuggest(word, names);
  return xlaToolError(XlaToolCodeWrong, "unknown %s \"%.60s\"%s%s%s", what,
                      word, similar ? "; did you mean " : "; see --help",
                      similar ? similar : "", similar ? "?" : "");
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

static XlaToolCode add(XlaToolValues *values, int capacity, const char *value) {
  if (!values->items)
    values->items = calloc((size_t)capacity, sizeof *values->items);
  if (!values->items)
    return xlaToolError(XlaToolCodeRefused, "out of memory");
  values->items[values->count++] = value;
  return XlaToolCodeOk;
}

static XlaToolCode unknownOption(const XlaToolOption *table, const char *name,
                                 size_t length) {
  const char *names[XLA_TOOL_MAX_OPTIONS + 3] = {"help", "version"};
  for (int i = 0; table[i].name && i < XLA_TOOL_MAX_OPTIONS; ++i)
    names[i + 2] = table[i].name;
  const char *similar = xlaNearestName(name, length, nameAt, names);
  return xlaToolError(XlaToolCodeWrong, "unknown option --%.*s%s%s%s",
                      (int)(length < 200 ? length : 200), name,
                      similar ? "; did you mean --" : "; see --help",
                      similar ? similar : "", similar ? "?" : "");
}

/// Reads the option at `argv[*at]`, and moves `*at` on if its value is the next
/// word.
static XlaToolCode parseOption(const XlaToolOption *table, int argc,
                               char **argv, int *at,
                               XlaToolArguments *arguments) {
  const char *name = argv[*at] + 1 + (argv[*at][1] == '-');
  size_t length = strcspn(name, "=");
  const char *value = name[length] ? name + length + 1 : NULL;
  if (length == 1 && (*name == 'v' || *name == 'o')) {
    name = *name == 'v' ? "verbose" : "output";
    length = strlen(name);
  }
  int i = 0;
  while (table[i].name && (strlen(table[i].name) != length ||
                           memcmp(table[i].name, name, length) != 0))
    ++i;
  if (!table[i].name)
    return unknownOption(table, name, length);
  if (!table[i].value && value)
    return xlaToolError(XlaToolCodeWrong, "--%s takes no value", table[i].name);
  if (table[i].value && !value && table[i].value[0] != '[') {
    if (*at + 1 >= argc)
      return xlaToolError(XlaToolCodeWrong, "--%s needs a value, --%s=%s",
                          table[i].name, table[i].name, table[i].value);
    value = argv[++*at];
  }
  if (!table[i].repeated && arguments->options[i].count)
    return xlaToolError(XlaToolCodeWrong, "--%s is given twice", table[i].name);
  return add(&arguments->options[i], argc, value ? value : "");
}

/// Whether an argument is one of the options of all tools.
static bool isCommon(const char *argument, XlaToolArguments *arguments) {
  const char *name = argument + 1 + (argument[1] == '-');
  arguments->help = !strcmp(name, "help") || !strcmp(name, "h");
  arguments->version = !strcmp(name, "version");
  return arguments->help || arguments->version;
}

XlaToolCode xlaToolArgumentsParse(const XlaToolOption *table, int argc,
                                  char **argv, XlaToolArguments *arguments) {
  memset(arguments, 0, sizeof *arguments);
  bool optionsEnded = false;
  XlaToolCode code = XlaToolCodeOk;
  for (int i = 1; i < argc && code == XlaToolCodeOk; ++i) {
    if (optionsEnded || argv[i][0] != '-' || !argv[i][1])
      code = add(&arguments->positions, argc, argv[i]);
    else if (!strcmp(argv[i], "--"))
      optionsEnded = true;
    else if (isCommon(argv[i], arguments))
      break;
    else
      code = parseOption(table, argc, argv, &i, arguments);
  }
  return code;
}

void xlaToolArgumentsDestroy(XlaToolArguments *arguments) {
  for (int i = 0; i < XLA_TOOL_MAX_OPTIONS; ++i)
    free(arguments->options[i].items);
  free(arguments->positions.items);
  memset(arguments, 0, sizeof *arguments);
}

static void printOption(const XlaToolOption *option) {
  char left[64];
  snprintf(left, sizeof left, "--%s%s%s", option->name,
           option->value && option->value[0] != '[' ? "=" : "",
           option->value ? option->value : "");
  printf("  %-26s ", left);
  // Further lines of a help text stand below the first.
  for (const char *c = option->help; *c; ++c) {
    putchar(*c);
    if (*c == '\n')
      printf("%29s", "");
  }
  putchar('\n');
}

void xlaToolOptionsHelp(const XlaToolOption *table) {
  static const XlaToolOption common[] = {
      {"help", NULL, "prints this; -h too", false},
      {"version", NULL, "prints the version", false},
      {NULL, NULL, NULL, false}};
  for (; table->name; ++table)
    printOption(table);
  for (table = common; table->name; ++table)
    printOption(table);
}

bool xlaToolReadNumber(const char *text, double *number) {
  char *end;
  if (!((*text >= '0' && *text <= '9') || *text == '.'))
    return false;
  *number = strtod(text, &end);
  return !*end && isfinite(*number) && *number >= 0;
}

bool xlaToolReadInteger(const char *text, uint64_t *number) {
  char *end;
  if (*text < '0' || *text > '9')
    return false;
  errno = 0;
  *number = strtoull(text, &end, 0);
  return !*end && !errno;
}

const char *xlaToolValuesFirst(const XlaToolValues *values,
                               const char *absent) {
  return values->count ? values->items[0] : absent;
}

XlaToolCode xlaToolReadCount(const char *name, const XlaToolValues *values,
                             uint64_t least, uint64_t most, uint64_t *number) {
  const char *text = xlaToolValuesFirst(values, NULL);
  uint64_t given;
  if (!text)
    return XlaToolCodeOk;
  if (!xlaToolReadInteger(text, &given) || given < least || given > most)
    return xlaToolError(XlaToolCodeWrong,
                        "--%s is \"%.60s\", must be a number from %llu to %llu",
                        name, text, (unsigned long long)least,
                        (unsigned long long)most);
  *number = given;
  return XlaToolCodeOk;
}

XlaToolCode xlaToolReadWord(const char *name, const XlaToolValues *values,
                            const char *const *words, int *word) {
  const char *text = xlaToolValuesFirst(values, NULL);
  for (int i = 0; text && words[i]; ++i)
    if (!strcmp(words[i], text)) {
      *word = i;
      return XlaToolCodeOk;
    }
  return text ? xlaToolUnknown(name, text, words) : XlaToolCodeOk;
}

int xlaToolReadIntegers(const char *text, size_t length, char separator,
                        int64_t *numbers, int most) {
  const char *end = text + length;
  int n = 0;
  while (text < end) {
    char *rest;
    if (n == most || isspace((unsigned char)*text))
      return -1;
    errno = 0;
    numbers[n++] = strtoll(text, &rest, 10);
    if (errno || rest == text || rest > end ||
        (rest < end && (*rest != separator || rest + 1 == end)))
      return -1;
    text = rest + (rest < end);
  }
  return n;
}

XlaToolCode xlaToolReadInputNumbers(const char *name,
                                    const XlaToolValues *values, intptr_t count,
                                    intptr_t **numbers) {
  *numbers = calloc((size_t)values->count + 1, sizeof **numbers);
  if (!*numbers)
    return xlaToolError(XlaToolCodeRefused, "out of memory");
  for (int i = 0; i < values->count; ++i) {
    uint64_t number;
    if (!xlaToolReadInteger(values->items[i], &number) ||
        number >= (uint64_t)count)
      return xlaToolError(XlaToolCodeWrong,
                          "--%s=%.60s is not the number of one of %lld inputs",
                          name, values->items[i], (long long)count);
    (*numbers)[i] = (intptr_t)number;
  }
  return XlaToolCodeOk;
}

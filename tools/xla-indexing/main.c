//===- main.c - xla-indexing: works with indexing maps --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/dialect.h"
#include "xlac/dialect/indexing/map.h"
#include "xlac/dialect/indexing/variables.h"
#include "xlac/dialect/mlir-c-ext/ext.h"
#include "xlac/tools/common/about.h"
#include "xlac/tools/common/input.h"
#include "xlac/tools/common/options.h"
#include "xlac/tools/xla-indexing/uses.h"

#include "mlir-c/IR.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  OptionSimplify,
  OptionCompose,
  OptionInvert,
  OptionTranspose,
  OptionRescale,
  OptionToDims,
  OptionEvaluate,
  OptionRemoveUnused,
  OptionCoalescing,
  OptionUtilization,
  OptionTile,
  OptionShape,
  OptionFormat,
};

static const XlaToolOption table[] = {
    [OptionSimplify] = {"simplify", NULL,
                        "prints each map simplified; done without any action",
                        false},
    [OptionCompose] = {"compose", NULL,
                       "the first map, then the second, and so on, as one map",
                       false},
    [OptionInvert] = {"invert", NULL, "the map from results to dimensions",
                      false},
    [OptionTranspose] = {"transpose", NULL,
                         "the same, with range variables for what results "
                         "leave open",
                         false},
    [OptionRescale] = {"rescale", NULL,
                       "range variables that only take every n-th value take "
                       "all of a smaller range",
                       false},
    [OptionToDims] = {"to-dims", "N,N..",
                      "these range variables become dimensions, the last ones",
                      false},
    [OptionEvaluate] = {"evaluate", "D,D..[:S,S..]",
                        "the results where dimensions, and behind the colon "
                        "symbols, have these\nvalues",
                        true},
    [OptionRemoveUnused] = {"remove-unused", NULL,
                            "leaves out variables that nothing reads", false},
    [OptionCoalescing] = {"coalescing", NULL,
                          "by how many elements of the array in --shape the "
                          "place moves with each\nvariable: 1 is coalesced, 0 "
                          "a broadcast",
                          false},
    [OptionUtilization] = {"utilization", NULL,
                           "how many elements of the array in --shape are read",
                           false},
    [OptionTile] =
        {"tile", "[=N,N..]",
         "what each result takes for a tile of t0 x t1.. elements "
         "of the dimensions at\np0, p1..: offset, size and stride, "
         "a line for each case of the sizes in which\nit is a "
         "rectangle; for sizes N x N.. the case that holds. Of "
         "maps that --compose\njoins, all on the way must have tiles",
         false},
    [OptionShape] = {"shape", "NxN..", "the array that results are indices of",
                     false},
    [OptionFormat] = {"format", "line|spec",
                      "one line, or as specification 001 prints maps; else "
                      "line",
                      false},
    {NULL, NULL, NULL, false},
};

static void printHelp(void) {
  printf("xla-indexing [OPTION..] MAP..: simplifies, composes, inverts and "
         "evaluates indexing\nmaps, and says what they read; @FILE reads one "
         "from a file, - from "
         "standard input\n\n");
  xlaToolOptionsHelp(table);
  printf(
      "\nA map\n"
      "  (d0, d1)[s0]{rt0} -> (d0 + rt0, s0), domain: d0 in [0, 19], d1 in "
      "[0, 9],\n    s0 in [0, 9], rt0 in [0, 7], d0 + s0 in [0, 20]\n"
      "has dimensions (..), range variables [..], runtime variables {..}, "
      "results, and a\ndomain: bounds of every variable, and constraints. "
      "Expressions have + - * floordiv\nceildiv mod, min(a, b, ..) and max(a, "
      "b, ..), one in the other at most; names are free.\n"
      "\nExit codes: 0 right; 1 a point is outside of the domain, or there is "
      "no inverse or no\ntile; 2 a map or the command line is wrong; 3 out of "
      "memory\n"
      "\nExamples\n"
      "  xla-indexing \"(d0, d1) -> (d0 + d1 floordiv 16, d1 mod 16), domain: "
      "d0 in [0, 6], d1 in [0, 14]\"\n"
      "  xla-indexing --compose @reshape.txt @transpose.txt --format=spec\n"
      "  xla-indexing --evaluate=3,1:0 \"(d0, d1)[s0] -> (d0 * 2 + s0, d1), "
      "domain: d0 in [0, 9], d1 in [0, 1], s0 in [0, 1]\"\n"
      "  xla-indexing --coalescing --utilization --shape=20x30 \"(d0, d1) -> "
      "(d1, d0 * 2), domain: d0 in [0, 14], d1 in [0, 19]\"\n"
      "  xla-indexing --tile \"(d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 "
      "in [0, 63]\"\n"
      "  xla-indexing --tile=4,8 \"(d0, d1)[s0] -> (d0, d1 + s0), domain: d0 "
      "in [0, 63], d1 in [0, 55], s0 in [0, 8]\"\n");
}

typedef struct Main {
  XlaToolArguments arguments;
  MlirContext context;
  XlaIndexingFormat format;
  XlaIndexingMap **maps;
  int nMaps, nComposed;
  XlaToolCode code;
} Main;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Maps beyond this length are none that a program has.
enum { maxText = 1 << 20 };

/// The text of a file, to be freed; NULL after a message.
static char *readFile(const char *path, size_t *length) {
  FILE *file = strcmp(path, "-") ? fopen(path, "rb") : stdin;
  char *text = file ? malloc(maxText) : NULL;
  const char *why = NULL;
  *length = text ? fread(text, 1, maxText, file) : 0;
  if (!text || ferror(file))
    why = strerror(errno);
  else if (*length == maxText)
    why = "is longer than a map may be";
  if (file && file != stdin)
    fclose(file);
  if (!why)
    return text;
  xlaToolError(XlaToolCodeWrong, "%s: %s", path, why);
  free(text);
  return NULL;
}

static XlaToolCode readMap(Main *state, const char *argument) {
  char message[256];
  char *text = NULL;
  MlirStringRef ref = mlirStringRefCreateFromCString(argument);
  if (argument[0] == '@' || !strcmp(argument, "-")) {
    text = readFile(argument + (argument[0] == '@'), &ref.length);
    if (!text)
      return XlaToolCodeWrong;
    ref.data = text;
  }
  XlaIndexingMap *map = xlaIndexingMapParse(state->context, ref, message);
  if (map)
    state->maps[state->nMaps++] = map;
  else
    xlaToolError(XlaToolCodeWrong, "map %d: %s", state->nMaps + 1, message);
  free(text);
  return map ? XlaToolCodeOk : XlaToolCodeWrong;
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

enum { maxValues = 256 };

static XlaToolCode evaluate(const XlaIndexingMap *map, const char *text) {
  const XlaIndexingMapParts *parts = xlaIndexingMapGetParts(map);
  int64_t dims[maxValues], given[maxValues], symbols[maxValues];
  int64_t results[maxValues];
  const char *colon = strchr(text, ':'), *end = text + strlen(text);
  intptr_t nSymbols = parts->nRanges, nGiven = 0;
  for (intptr_t i = 0; i < parts->nRuntimes; ++i)
    nSymbols += !parts->runtimes[i].extremum;
  if (!colon)
    colon = end;
  if (parts->nRanges + parts->nRuntimes > maxValues ||
      xlaToolReadIntegers(text, (size_t)(colon - text), ',', dims, maxValues) !=
          parts->nDims ||
      xlaToolReadIntegers(colon + (colon < end),
                          (size_t)(end - colon - (colon < end)), ',', given,
                          maxValues) != nSymbols)
    return xlaToolError(XlaToolCodeWrong,
                        "--evaluate=%.60s: the map takes %lld dimensions and "
                        "%lld symbols",
                        text, (long long)parts->nDims, (long long)nSymbols);
  for (intptr_t i = 0; i < parts->nRanges + parts->nRuntimes; ++i)
    if (i < parts->nRanges || !parts->runtimes[i - parts->nRanges].extremum)
      symbols[i] = given[nGiven++];
  if (!xlaIndexingMapFindExtrema(map, dims, symbols) ||
      !xlaIndexingMapIsDefinedAt(map, dims, symbols)) {
    printf("outside of the domain\n");
    return XlaToolCodeDiffers;
  }
  if (!xlaIndexingMapEvaluate(map, dims, symbols, results))
    return xlaToolError(XlaToolCodeWrong,
                        "--evaluate=%.60s: a number does not fit into 64 "
                        "bits, a divisor is 0 or a modulus is not positive",
                        text);
  printf("(");
  for (intptr_t i = 0; i < mlirAffineMapGetNumResults(parts->map); ++i)
    printf("%s%lld", i ? ", " : "", (long long)results[i]);
  printf(")\n");
  return XlaToolCodeOk;
}

//===----------------------------------------------------------------------===//
// Actions
//===----------------------------------------------------------------------===//

static void put(MlirStringRef text, void *file) {
  fwrite(text.data, 1, text.length, file);
}

/// Puts `to` in the place of `*map`; false if it is NULL.
static bool replace(XlaIndexingMap **map, XlaIndexingMap *to) {
  if (!to)
    return false;
  xlaIndexingMapRelease(*map);
  *map = to;
  return true;
}

static XlaToolCode composeAll(Main *state) {
  const XlaToolValues *options = state->arguments.options;
  const char *tile = xlaToolValuesFirst(&options[OptionTile], NULL);
  bool follows =
      tile && !options[OptionInvert].count && !options[OptionTranspose].count;
  for (int i = 1; i < state->nMaps; ++i) {
    if (follows) {
      XlaToolCode code = xlaIndexingTilePrint(state->maps[0], tile, i, true);
      if (code != XlaToolCodeOk)
        return code;
    }
    const XlaIndexingMapParts *second = xlaIndexingMapGetParts(state->maps[i]);
    intptr_t n =
        mlirAffineMapGetNumResults(xlaIndexingMapGetParts(state->maps[0])->map);
    if (n != second->nDims)
      return xlaToolError(XlaToolCodeWrong,
                          "map %d takes %lld dimensions, those before it have "
                          "%lld results",
                          i + 1, (long long)second->nDims, (long long)n);
    if (!replace(&state->maps[0],
                 xlaIndexingMapCompose(state->maps[0], state->maps[i])))
      return xlaToolError(XlaToolCodeRefused, "out of memory");
  }
  for (int i = 1; i < state->nMaps; ++i)
    xlaIndexingMapRelease(state->maps[i]);
  state->nComposed = state->nMaps > 1 ? state->nMaps : 0;
  state->nMaps = state->nMaps > 1 ? 1 : state->nMaps;
  return XlaToolCodeOk;
}

/// --to-dims
static XlaToolCode moveToDims(const char *text, XlaIndexingMap **map) {
  int64_t numbers[maxValues];
  intptr_t ranges[maxValues];
  int n = xlaToolReadIntegers(text, strlen(text), ',', numbers, maxValues);
  for (int i = 0; i < n; ++i)
    ranges[i] = (intptr_t)numbers[i];
  if (n >= 0 && replace(map, xlaIndexingMapRangesToDims(*map, n, ranges)))
    return XlaToolCodeOk;
  return xlaToolError(XlaToolCodeWrong,
                      "--to-dims=%.60s must be numbers of different range "
                      "variables, of which the map has %lld",
                      text, (long long)xlaIndexingMapGetParts(*map)->nRanges);
}

/// The options that make other maps of a map.
static XlaToolCode change(Main *state, XlaIndexingMap **map) {
  const XlaToolValues *options = state->arguments.options;
  const char *toDims = xlaToolValuesFirst(&options[OptionToDims], NULL);
  if ((options[OptionInvert].count &&
       !replace(map, xlaIndexingMapInvert(*map))) ||
      (options[OptionTranspose].count &&
       !replace(map, xlaIndexingMapTranspose(*map)))) {
    printf("no inverse\n");
    return XlaToolCodeDiffers;
  }
  if (options[OptionRescale].count &&
      !replace(map, xlaIndexingMapRescale(*map)))
    return xlaToolError(XlaToolCodeRefused, "out of memory");
  return toDims ? moveToDims(toDims, map) : XlaToolCodeOk;
}

static XlaToolCode handle(Main *state, XlaIndexingMap **map) {
  const XlaToolValues *options = state->arguments.options;
  const XlaToolValues *points = &options[OptionEvaluate];
  XlaToolCode code = change(state, map);
  if (code != XlaToolCodeOk)
    return code;
  for (int i = 0; i < points->count && code <= XlaToolCodeDiffers; ++i) {
    XlaToolCode now = evaluate(*map, points->items[i]);
    code = now > code ? now : code;
  }
  const XlaIndexingUses uses = {
      .coalescing = options[OptionCoalescing].count,
      .utilization = options[OptionUtilization].count,
      .tile = xlaToolValuesFirst(&options[OptionTile], NULL),
      .shape = xlaToolValuesFirst(&options[OptionShape], ""),
      .nMaps = state->nComposed};
  if (!points->count && xlaIndexingUsesAny(&uses))
    return xlaIndexingUsesPrint(&uses, *map);
  if (points->count || code != XlaToolCodeOk)
    return code;
  if (!replace(map, xlaIndexingMapSimplify(*map, XlaIndexingPointsReplace)) ||
      (options[OptionRemoveUnused].count &&
       !replace(map, xlaIndexingMapRemoveUnused(*map, true))))
    return xlaToolError(XlaToolCodeRefused, "out of memory");
  xlaIndexingMapPrint(*map, state->format, put, stdout);
  printf("\n");
  return XlaToolCodeOk;
}

static XlaToolCode work(Main *state) {
  const XlaToolValues *options = state->arguments.options;
  const XlaToolValues *maps = &state->arguments.positions;
  static const char *const formats[] = {"line", "spec", NULL};
  int format = 0;
  XlaToolCode code = XlaToolCodeOk;
  code = xlaToolReadWord("format", &options[OptionFormat], formats, &format);
  if (code != XlaToolCodeOk)
    return code;
  state->format = format ? XlaIndexingFormatSpec : XlaIndexingFormatLine;
  if (!maps->count)
    return xlaToolError(XlaToolCodeWrong, "no map is given; see --help");
  state->maps = calloc((size_t)maps->count, sizeof *state->maps);
  if (!state->maps)
    return xlaToolError(XlaToolCodeRefused, "out of memory");
  for (int i = 0; i < maps->count && code == XlaToolCodeOk; ++i)
    code = readMap(state, maps->items[i]);
  if (code == XlaToolCodeOk && options[OptionCompose].count)
    code = composeAll(state);
  if (code != XlaToolCodeOk)
    return code;
  for (int i = 0; i < state->nMaps && code <= XlaToolCodeDiffers; ++i) {
    XlaToolCode now = handle(state, &state->maps[i]);
    code = now > code ? now : code;
  }
  return code;
}

static void run(void *data) {
  Main *state = data;
  state->context = mlirContextCreateWithThreading(false);
  state->code = work(state);
  for (int i = 0; i < state->nMaps; ++i)
    xlaIndexingMapRelease(state->maps[i]);
  free((void *)state->maps);
  mlirContextDestroy(state->context);
}

int main(int argc, char **argv) {
  Main state = {.code = XlaToolCodeOk};
  xlaToolsInit();
  state.code = xlaToolArgumentsParse(table, argc, argv, &state.arguments);
  if (state.code == XlaToolCodeOk && state.arguments.help)
    printHelp();
  else if (state.code == XlaToolCodeOk && state.arguments.version)
    xlaToolPrintVersion();
  else if (state.code == XlaToolCodeOk &&
           !mlirExtRunOnStack(XLA_STACK_BYTES, run, &state))
    state.code = xlaToolError(XlaToolCodeRefused, "out of memory");
  xlaToolArgumentsDestroy(&state.arguments);
  return xlaToolsEnd((int)state.code);
}

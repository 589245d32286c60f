//===- places.c - Places that a text does not know ------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's own reader, that of xla-opt, gives an operation the place that the
// text states for it, and else its place in the text. Of `loc(unknown)` errors
// would name no place at all.
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/common/input.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char unknown[] = "loc(unknown)";
enum { unknownLength = sizeof unknown - 1 };

/// A text, and the last character before `at` that is neither a blank nor a
/// newline, outside of comments.
typedef struct Scan {
  char *at, *end;
  char last;
  char byAlias[64]; ///< `loc(#loc)` if the text says `#loc = loc(unknown)`
} Scan;

/// MLIR prints one alias at most of what it does not know.
static void findAlias(Scan *scan) {
  static const char stated[] = " = loc(unknown)";
  const size_t statedLength = sizeof stated - 1;
  const char *begin = scan->at;
  scan->byAlias[0] = 0;
  for (const char *at = begin;
       (at = memmem(at, (size_t)(scan->end - at), stated, statedLength));
       at += statedLength) {
    const char *name = at;
    while (name > begin && name[-1] != '\n' && at - name < 40)
      --name;
    if (*name == '#') {
      snprintf(scan->byAlias, sizeof scan->byAlias, "loc(%.*s)",
               (int)(at - name), name);
      return;
    }
  }
}

static char *endOfLine(Scan *scan) {
  char *end = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
  return end ? end : scan->end;
}

/// Goes past a string; the quote at its end is the last character.
static void skipString(Scan *scan) {
  for (++scan->at; scan->at < scan->end && *scan->at != '"'; ++scan->at)
    if (*scan->at == '\\' && scan->end - scan->at > 1)
      ++scan->at;
  scan->at += scan->at < scan->end;
  scan->last = '"';
}

static bool isHere(const Scan *scan, const char *word, size_t length) {
  return length && (size_t)(scan->end - scan->at) >= length &&
         !memcmp(scan->at, word, length);
}

/// The length of the unknown place that begins here; 0 if none does.
static size_t unknownHere(const Scan *scan) {
  size_t aliased = strlen(scan->byAlias);
  return isHere(scan, unknown, unknownLength)   ? unknownLength
         : isHere(scan, scan->byAlias, aliased) ? aliased
                                                : 0;
}

/// Whether what begins here may be the place of what it follows: no attribute,
/// element of a list, or part of another place.
static bool isTrailing(const Scan *scan) {
  return scan->last && !strchr("=,[(<:", scan->last);
}

/// Whether the word that has `at` in it begins there.
static bool beginsWord(const char *text, const char *at) {
  return at == text || !strchr("abcdefghijklmnopqrstuvwxyz"
                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$.",
                               at[-1]);
}

void xlaToolsOmitUnknownPlaces(char *text, size_t length) {
  Scan scan = {text, text + length, 0, ""};
  if (!memmem(text, length, unknown, unknownLength))
    return;
  findAlias(&scan);
  while (scan.at < scan.end) {
    char c = *scan.at;
    size_t place = c == 'l' ? unknownHere(&scan) : 0;
    if (c == '"') {
      skipString(&scan);
    } else if (c == '/' && scan.end - scan.at > 1 && scan.at[1] == '/') {
      scan.at = endOfLine(&scan);
    } else if (place && isTrailing(&scan) && beginsWord(text, scan.at)) {
      memset(scan.at, ' ', place);
      scan.at += place;
    } else {
      if (!memchr(" \t\r\n", c, 4))
        scan.last = c;
      ++scan.at;
    }
  }
}

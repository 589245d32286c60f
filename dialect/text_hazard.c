//===- text_hazard.c - Text that MLIR's parser does not survive -----------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scanner over words, brackets and signs, that needs no grammar. It knows of
// MLIR 22: recursion over brackets and minus signs, array<index>, dimension
// lists that are read again for every dimension, and aliases, which types and
// attributes share in memory but not when they are printed or walked.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/dialect.h"

#include <stdlib.h>
#include <string.h>

#define MAX_MINUS_SIGNS 1000
#define MAX_DIMENSION_LIST 16384 // characters

#define TEXT(x) TEXT_(x)
#define TEXT_(x) #x

typedef struct Alias {
  uint64_t hash; // of sigil and name; 0: none
  int64_t size;
} Alias;

typedef struct Scanner {
  const char *data;
  size_t length, at;
  size_t lineStart;
  int64_t line;
  int64_t depth[4];
  int64_t minusSigns;
  int arrayState; // 1 behind `array`, 2 behind `array<`
  Alias *aliases; // a hash table; NULL before the first definition
  size_t mask;
  Alias *current; // the alias being defined; NULL: none
} Scanner;

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// Skips a string or comment at `at`; returns the last position that belongs to
/// it, or `at` if there is none.
static size_t skipQuoted(const Scanner *s) {
  size_t at = s->at;
  if (s->data[at] == '"') {
    size_t end = at + 1;
    while (end < s->length && s->data[end] != '"' && s->data[end] != '\n')
      end += s->data[end] == '\\' ? 2 : 1;
    return end < s->length ? end : s->length - 1;
  }
  if (s->data[at] == '/' && at + 1 < s->length && s->data[at + 1] == '/') {
    const char *end = memchr(s->data + at, '\n', s->length - at);
    return end ? (size_t)(end - s->data) - 1 : s->length - 1;
  }
  return at;
}

static bool isDigit(char c) { return c >= '0' && c <= '9'; }

static bool isWordStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// The length of the word, or of the dimension list or number, at the scanner.
static size_t wordLength(const Scanner *s) {
  const char *c = s->data + s->at, *end = s->data + s->length;
  if (isDigit(*c) || *c == '?')
    while (c < end && (isDigit(*c) || *c == 'x' || *c == '?'))
      ++c;
  else
    for (c += *c == '!' || *c == '#';
         c < end && (isWordStart(*c) || isDigit(*c) || *c == '.' || *c == '$');)
      ++c;
  return (size_t)(c - s->data) - s->at;
}

static bool isWord(const char *word, size_t length, const char *other) {
  return strlen(other) == length && !memcmp(word, other, length);
}

//===----------------------------------------------------------------------===//
// Aliases
//===----------------------------------------------------------------------===//

/// The entry of a name, or the free one where it would be.
static Alias *findAlias(const Scanner *s, const char *name, size_t length,
                        uint64_t *hash) {
  *hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < length; ++i)
    *hash = (*hash ^ (unsigned char)name[i]) * 0x100000001b3u;
  *hash |= 1;
  size_t slot = (*hash >> 8) & s->mask;
  while (s->aliases[slot].hash && s->aliases[slot].hash != *hash)
    slot = (slot + 1) & s->mask;
  return &s->aliases[slot];
}

/// Room for every definition that the rest of the text can hold.
static bool createTable(Scanner *s) {
  size_t equalSigns = 0, capacity = 64;
  for (const char *c = s->data + s->at; c;) {
    c = memchr(c, '=', (size_t)(s->data + s->length - c));
    equalSigns += c != NULL;
    c = c ? c + 1 : NULL;
  }
  while (capacity / 2 <= equalSigns)
    capacity *= 2;
  s->mask = capacity - 1;
  s->aliases = calloc(capacity, sizeof *s->aliases);
  return s->aliases != NULL;
}

static bool isDefinition(const Scanner *s, size_t end) {
  while (end < s->length && strchr(" \t\r\n", s->data[end]) && s->data[end])
    ++end;
  return end < s->length && s->data[end] == '=' &&
         (end + 1 == s->length || s->data[end + 1] != '=');
}

/// A name with a sigil: the definition of an alias, or a use.
static const char *scanName(Scanner *s, size_t length) {
  const char *name = s->data + s->at;
  bool defines = !memchr(name, '.', length) && isDefinition(s, s->at + length);
  uint64_t hash;
  if (defines && !s->aliases && !createTable(s))
    return "out of memory for the aliases of this text";
  if (!s->aliases)
    return NULL;
  Alias *alias = findAlias(s, name, length, &hash);
  if (defines) {
    *alias = (Alias){hash, 1};
    s->current = alias;
  } else if (s->current) {
    // What is not defined yet is an error of the parser.
    s->current->size += alias->hash && alias != s->current ? alias->size : 1;
    if (s->current->size > XLA_MAX_ALIAS_SIZE)
      return "aliases expand to more than " TEXT(XLA_MAX_ALIAS_SIZE) " parts";
  }
  return NULL;
}

//===----------------------------------------------------------------------===//
// Hazards
//===----------------------------------------------------------------------===//

static const char *scanWord(Scanner *s, size_t length) {
  const char *word = s->data + s->at;
  bool sigil = *word == '!' || *word == '#';
  if (s->arrayState == 2 && (*word == '!' || isWord(word, length, "index")))
    return "array<index> and aliases in array<..> cannot be read; array<i64> "
           "can";
  s->arrayState = isWord(word, length, "array");
  if (sigil)
    return length > 1 ? scanName(s, length) : NULL;
  // An operation at the top ends the definitions before it.
  if (s->current && !s->depth[0] && !s->depth[1] && !s->depth[2] &&
      !s->depth[3] && isWordStart(*word) &&
      (memchr(word, '.', length) || isWord(word, length, "module")))
    s->current = NULL;
  return isDigit(*word) && length > MAX_DIMENSION_LIST
             ? "a list of dimensions is longer than " TEXT(
                   MAX_DIMENSION_LIST) " characters"
             : NULL;
}

static const char *scanBracket(Scanner *s, char c) {
  static const char pairs[] = "()[]{}<>";
  const char *found = c ? strchr(pairs, c) : NULL;
  if (!found || (c == '>' && s->at && s->data[s->at - 1] == '-'))
    return NULL;
  int64_t *depth = &s->depth[(found - pairs) / 2];
  if ((found - pairs) % 2)
    *depth -= *depth > 0;
  else if (++*depth > XLA_MAX_NESTING)
    return "brackets nest more than " TEXT(XLA_MAX_NESTING) " deep";
  return NULL;
}

/// Reads what stands at the scanner and moves on.
static const char *scan(Scanner *s) {
  size_t quoted = skipQuoted(s);
  char c = s->data[s->at];
  if (quoted != s->at || c == '/') {
    s->at = quoted + 1;
    return NULL;
  }
  if (c == '\n') {
    ++s->line;
    s->lineStart = s->at + 1;
  }
  if (c == '\n' || c == ' ' || c == '\t' || c == '\r') {
    ++s->at;
    return NULL;
  }
  const char *hazard = NULL;
  size_t length = 1;
  if (isWordStart(c) || isDigit(c) || c == '?' || c == '!' || c == '#') {
    length = wordLength(s);
    hazard = scanWord(s, length);
  } else {
    s->arrayState = s->arrayState == 1 && c == '<' ? 2 : 0;
    hazard = scanBracket(s, c);
  }
  s->minusSigns = c == '-' ? s->minusSigns + 1 : 0;
  if (s->minusSigns > MAX_MINUS_SIGNS)
    hazard = "more than " TEXT(MAX_MINUS_SIGNS) " minus signs in a row";
  s->at += hazard ? 0 : length;
  return hazard;
}

const char *xlaTextFindHazard(MlirStringRef text, int64_t *line,
                              int64_t *column) {
  Scanner s = {.data = text.data, .length = text.length, .line = 1};
  const char *hazard = NULL;
  if (text.length < 4 || memcmp(text.data, "ML\xefR", 4))
    while (!hazard && s.at < s.length)
      hazard = scan(&s);
  free(s.aliases);
  *line = s.line;
  *column = (int64_t)(s.at - s.lineStart) + 1;
  return hazard;
}

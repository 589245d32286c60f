//===- chlo.c - Special functions of CHLO ---------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CHLO's functions of one float, and square and top_k, in operations of the
// dialect. A row is a formula in reverse Polish notation: x is the operand,
// numbers are constants, `=a` names the value on top, `a` takes it again, `lt`
// and `gt` compare, any other word is the operation of that name. Formulas are
// computed in f32 or f64 at least, those of special functions in f64.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/stablehlo.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Formula {
  const char *name;
  bool inF64;
  const char *text;
} Formula;

#define LN2 "0.69314718055994531 "
#define PI "3.14159265358979324 "

/// Lanczos' approximation of the gamma function with g = 7 and 9 terms (P.
/// Godfrey's coefficients): s is the series at z, t is z + 7.5. Below 1/2 the
/// reflection formula holds, for which z is -x in place of x - 1.
#define LANCZOS                                                                \
  "x 0.5 lt =r r x negate x 1 subtract select =z z 7.5 add =t "                \
  "0.99999999999980993 "                                                       \
  "676.5203681218851 z 1 add divide add "                                      \
  "-1259.1392167224028 z 2 add divide add "                                    \
  "771.32342877765313 z 3 add divide add "                                     \
  "-176.61502916214059 z 4 add divide add "                                    \
  "12.507343278686905 z 5 add divide add "                                     \
  "-0.13857109526572012 z 6 add divide add "                                   \
  "9.9843695780195716e-6 z 7 add divide add "                                  \
  "1.5056327351493116e-7 z 8 add divide add "                                  \
  "=s "
/// Minus the derivative of the series.
#define LANCZOS_SLOPE                                                          \
  "676.5203681218851 z 1 add =q q q multiply divide "                          \
  "-1259.1392167224028 z 2 add =q q q multiply divide add "                    \
  "771.32342877765313 z 3 add =q q q multiply divide add "                     \
  "-176.61502916214059 z 4 add =q q q multiply divide add "                    \
  "12.507343278686905 z 5 add =q q q multiply divide add "                     \
  "-0.13857109526572012 z 6 add =q q q multiply divide add "                   \
  "9.9843695780195716e-6 z 7 add =q q q multiply divide add "                  \
  "1.5056327351493116e-7 z 8 add =q q q multiply divide add "                  \
  "=d "

/// A step of Newton's method for erf(y) = x: 2 / sqrt(pi) is the constant.
#define NEWTON                                                                 \
  "y y erf x subtract y y multiply exponential multiply "                      \
  "1.12837916709551257 divide subtract =y "

static const Formula formulas[] = {
    {"acos", false, "1 x subtract 1 x add multiply sqrt x atan2"},
    {"acosh", false,
     "x 1 subtract =m m m x 1 add multiply sqrt add log_plus_one =n "
     "x 1e9 gt x log " LN2 "add n select =v x 1 lt nan v select"},
    {"asin", false,
     "x 1 1 x subtract 1 x add multiply sqrt add atan2 2 multiply"},
    {"asinh", false,
     "x abs =a a a multiply =b a b b 1 add sqrt 1 add divide add log_plus_one "
     "=n a 1e9 gt a log " LN2 "add n select x sign multiply"},
    {"atan", false, "x 1 atan2"},
    {"atanh", false,
     "x log_plus_one x negate log_plus_one subtract 0.5 multiply"},
    {"cosh", false,
     "x " LN2 "subtract exponential x negate " LN2 "subtract exponential add"},
    {"sinh", false,
     "x exponential_minus_one =e e e e 1 add divide add 0.5 multiply =n "
     "x " LN2 "subtract exponential x negate " LN2
     "subtract exponential subtract =v x abs 1 lt n v select"},
    {"digamma", true,
     LANCZOS LANCZOS_SLOPE
     "t log 7 t divide subtract d s divide subtract =g "
     "x x 0.5 add floor subtract " PI "multiply =p "
     "g " PI "p cosine multiply p sine divide subtract =v r v g select =v "
     // Poles at 0, -1, ..
     "x 0 le x x floor eq and nan v select"},
    // M. Giles, Approximating the erfinv function; then Newton's method.
    {"erf_inv", true,
     "1 x subtract 1 x add multiply log negate =l l 2.5 subtract =w "
     "2.81022636e-08 "
     "w multiply 3.43273939e-07 add "
     "w multiply -3.5233877e-06 add "
     "w multiply -4.39150654e-06 add "
     "w multiply 0.00021858087 add "
     "w multiply -0.00125372503 add "
     "w multiply -0.00417768164 add "
     "w multiply 0.246640727 add "
     "w multiply 1.50140941 add "
     "=n l sqrt 3 subtract =w -0.000200214257 "
     "w multiply 0.000100950558 add "
     "w multiply 0.00134934322 add "
     "w multiply -0.00367342844 add "
     "w multiply 0.00573950773 add "
     "w multiply -0.0076224613 add "
     "w multiply 0.00943887047 add "
     "w multiply 1.00167406 add "
     "w multiply 2.83297682 add "
     "=f "
     "l 5 lt n f select x "
     "multiply "
     "=y " NEWTON NEWTON "x abs 1 eq x inf "
     "multiply y select"},
    {"lgamma", true,
     LANCZOS "z 0.5 add t log multiply t subtract 0.918938533204672742 add "
             "s log add =g x abs =a a a floor subtract =f "
             "f 0.5 gt 1 f subtract f select " PI "multiply sine log =l "
             "1.14472988584940017 l subtract g subtract =v r v g select =v "
             "a inf eq inf v select"},
};

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

#define MAX_DEPTH 16

typedef struct Builder {
  XlaIr ir;
  MlirType type, predType; ///< of values, and of comparisons
  int depth;
  MlirValue stack[MAX_DEPTH];
  MlirValue names[26];
} Builder;

static MlirValue constant(Builder *b, double value) {
  MlirType element = mlirShapedTypeGetElementType(b->type);
  MlirAttribute splat = mlirDenseElementsAttrSplatGet(
      b->type, mlirFloatAttrDoubleGet(b->ir.context, element, value));
  return xlaIrOp(&b->ir, "xla.constant", b->type, 0, NULL, 1,
                 &(XlaIrAttr){"value", splat});
}

static MlirValue compare(Builder *b, const char *direction) {
  char upper[3] = {(char)(direction[0] - 'a' + 'A'),
                   (char)(direction[1] - 'a' + 'A'), '\0'};
  return xlaIrOp(&b->ir, "xla.compare", b->predType, 2, &b->stack[b->depth - 2],
                 1,
                 &(XlaIrAttr){"comparison_direction",
                              xlaIrStringAttr(b->ir.context, upper)});
}

static bool isComparison(const char *word) {
  return !strcmp(word, "lt") || !strcmp(word, "gt") || !strcmp(word, "le") ||
         !strcmp(word, "eq");
}

/// Replaces the operands on top of the stack by the result of `word`.
static void apply(Builder *b, const char *word) {
  char name[40];
  MlirValue result;
  int arity = 2;
  if (isComparison(word)) {
    result = compare(b, word);
  } else {
    XlaOpKind kind = xlaOpKindFromName(word, strlen(word));
    arity = xlaOpGetInfo(kind)->maxOperands;
    snprintf(name, sizeof name, "xla.%s", word);
    result = xlaIrOp(&b->ir, name, mlirValueGetType(b->stack[b->depth - 1]),
                     arity, &b->stack[b->depth - arity], 0, NULL);
  }
  b->depth -= arity;
  b->stack[b->depth++] = result;
}

static void step(Builder *b, const char *word) {
  bool isNumber = (*word >= '0' && *word <= '9') || *word == '-' ||
                  !strcmp(word, "nan") || !strcmp(word, "inf");
  if (*word == '=')
    b->names[word[1] - 'a'] = b->stack[--b->depth];
  else if (isNumber)
    b->stack[b->depth++] = constant(b, strtod(word, NULL));
  else if (!word[1])
    b->stack[b->depth++] = b->names[*word - 'a'];
  else
    apply(b, word);
}

static MlirValue build(Builder *b, const char *text, MlirValue x) {
  b->names['x' - 'a'] = x;
  while (*text) {
    char word[40];
    size_t length = strcspn(text, " ");
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    if (length)
      step(b, word);
    text += length + (text[length] == ' ');
  }
  return b->stack[b->depth - 1];
}

/// The square of any numbers needs no formula of its own type.
static bool expandSquare(MlirOperation op) {
  if (mlirOperationGetNumOperands(op) != 1 ||
      mlirOperationGetNumResults(op) != 1)
    return false;
  MlirValue x = mlirOperationGetOperand(op, 0);
  XlaIr ir = xlaIrBefore(op);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0),
                                xlaIrBinary(&ir, "xla.multiply", x, x));
  mlirOperationDestroy(op);
  return true;
}

/// The comparator of values and positions: larger values first, of floats NaN
/// before infinity.
static MlirRegion largerFirst(MlirContext context, MlirLocation location,
                              XlaElementType element, MlirType positions) {
  XlaShape scalar = {.elementType = element};
  MlirType value = xlaShapeToMlir(&scalar, context);
  MlirType position = mlirRankedTensorTypeGet(
      0, NULL, xlaIrElementType(positions), mlirAttributeGetNull());
  MlirType types[] = {value, value, position, position};
  MlirLocation locations[] = {location, location, location, location};
  MlirBlock block = mlirBlockCreate(4, types, locations);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  XlaIr ir = xlaIrAtEnd(context, location, block);
  MlirValue operands[] = {mlirBlockGetArgument(block, 0),
                          mlirBlockGetArgument(block, 1)};
  XlaIrAttr attrs[] = {
      {"comparison_direction", xlaIrStringAttr(context, "GT")},
      {"compare_type", xlaIrStringAttr(context, "TOTALORDER")}};
  scalar.elementType = XlaElementTypePred;
  MlirValue before =
      xlaIrOp(&ir, "xla.compare", xlaShapeToMlir(&scalar, context), 2, operands,
              xlaElementTypeIsFloat(element) ? 2 : 1, attrs);
  xlaIrCreate(&ir, "xla.return", 1, &before, 0, NULL, 0, NULL, 0, NULL);
  return region;
}

/// The k largest elements along the last dimension and where they are: sorted
/// together, then sliced.
static bool expandTopK(MlirOperation op) {
  MlirContext context = mlirOperationGetContext(op);
  MlirAttribute k = mlirDictionaryAttrGetElementByName(
      mlirExtOperationGetInherentAttributes(op),
      mlirStringRefCreateFromCString("k"));
  XlaShape shape, places;
  if (mlirOperationGetNumOperands(op) != 1 ||
      mlirOperationGetNumResults(op) != 2 || mlirAttributeIsNull(k) ||
      !mlirAttributeIsAInteger(k))
    return false;
  MlirValue x = mlirOperationGetOperand(op, 0);
  if (!xlaShapeFromMlir(mlirValueGetType(x), &shape, NULL) || !shape.rank ||
      xlaElementTypeIsComplex(shape.elementType) ||
      !xlaShapeFromMlir(mlirValueGetType(mlirOperationGetResult(op, 1)),
                        &places, NULL))
    return false;
  XlaElementType position = places.elementType;
  places = shape;
  places.elementType = position;
  XlaIr ir = xlaIrBefore(op);
  int last = shape.rank - 1;
  MlirType types[] = {mlirValueGetType(x), xlaShapeToMlir(&places, context)};
  MlirValue iota =
      xlaIrOp(&ir, "xla.iota", types[1], 0, NULL, 1,
              &(XlaIrAttr){"iota_dimension", xlaIrI64Attr(context, last)});
  MlirRegion region =
      largerFirst(context, ir.location, shape.elementType, types[1]);
  XlaIrAttr sortAttrs[] = {{"dimension", xlaIrI64Attr(context, last)},
                           {"is_stable", mlirBoolAttrGet(context, 1)}};
  MlirOperation sort = xlaIrCreate(&ir, "xla.sort", 2, (MlirValue[]){x, iota},
                                   2, types, 2, sortAttrs, 1, &region);
  int64_t starts[XLA_MAX_RANK] = {0}, limits[XLA_MAX_RANK];
  memcpy(limits, shape.dims, sizeof limits);
  limits[last] = mlirIntegerAttrGetValueInt(k);
  XlaIrAttr sliceAttrs[] = {
      {"start_indices", mlirDenseI64ArrayGet(context, shape.rank, starts)},
      {"limit_indices", mlirDenseI64ArrayGet(context, shape.rank, limits)}};
  for (int i = 0; i < 2; ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    MlirValue sorted = mlirOperationGetResult(sort, i);
    mlirValueReplaceAllUsesOfWith(result, xlaIrOp(&ir, "xla.slice",
                                                  mlirValueGetType(result), 1,
                                                  &sorted, 2, sliceAttrs));
  }
  mlirOperationDestroy(op);
  return true;
}

bool xlaImportExpandChlo(MlirOperation op, MlirStringRef name) {
  if (mlirStringRefEqual(name, mlirStringRefCreateFromCString("top_k")))
    return expandTopK(op);
  if (mlirStringRefEqual(name, mlirStringRefCreateFromCString("square")))
    return expandSquare(op);
  const Formula *formula = NULL;
  for (size_t i = 0; i < sizeof formulas / sizeof *formulas; ++i)
    if (mlirStringRefEqual(name,
                           mlirStringRefCreateFromCString(formulas[i].name)))
      formula = &formulas[i];
  XlaShape shape;
  if (!formula || mlirOperationGetNumOperands(op) != 1 ||
      mlirOperationGetNumResults(op) != 1)
    return false;
  MlirValue x = mlirOperationGetOperand(op, 0);
  MlirType type = mlirValueGetType(x);
  if (!mlirTypeEqual(type, mlirValueGetType(mlirOperationGetResult(op, 0))) ||
      !xlaShapeFromMlir(type, &shape, NULL) ||
      !xlaElementTypeIsFloat(shape.elementType))
    return false;
  if (formula->inF64)
    shape.elementType = XlaElementTypeF64;
  else if (xlaElementTypeGetInfo(shape.elementType)->bits < 32)
    shape.elementType = XlaElementTypeF32;
  Builder b = {.ir = xlaIrBefore(op)};
  b.type = xlaShapeToMlir(&shape, b.ir.context);
  shape.elementType = XlaElementTypePred;
  b.predType = xlaShapeToMlir(&shape, b.ir.context);
  bool converts = !mlirTypeEqual(type, b.type);
  if (converts)
    x = xlaIrCast(&b.ir, "xla.convert", x, b.type);
  MlirValue result = build(&b, formula->text, x);
  if (converts)
    result = xlaIrCast(&b.ir, "xla.convert", result, type);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), result);
  mlirOperationDestroy(op);
  return true;
}

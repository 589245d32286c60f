//===- import.c - Special functions of CHLO -------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CHLO's functions of floats and complex numbers, as formulas in operations of
// the dialect. They are computed in f64, complex functions in the parts; of f32
// and less in f32 where that is as exact.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/chlo/internal.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "xlac/passes/expand/formula.h"
#include "xlac/passes/import/chlo/gamma.h"

#include <stdio.h>
#include <string.h>

/// A function of one or two floats.
typedef struct Formula {
  const char *name;
  const char *narrow; ///< of f32 and less: NULL, the same in f64
  const char *text;
} Formula;

#define LN2 "0.69314718055994531 "

/// Half of e^x and e^-x as a and b, also where they overflow but a half does
/// not; the sum is cosh(x). Then sinh(x) as s, exact near 0.
#define HALF_EXPONENTIALS                                                      \
  "x exponential 0.5 multiply =a x negate exponential 0.5 multiply =b "        \
  "x abs 80 gt =c "                                                            \
  "x " LN2 "subtract exponential =d c d a select =a "                          \
  "x negate " LN2 "subtract exponential =d c d b select =b "
#define SINH                                                                   \
  "x exponential_minus_one =e e e e 1 add divide add 0.5 multiply =n "         \
  "x abs 1 lt n a b subtract select =s "

/// M. Giles, Approximating the erfinv function.
#define GILES                                                                  \
  "1 x subtract 1 x add multiply log negate =l l 2.5 subtract =w "             \
  "w [ 2.81022636e-08 3.43273939e-07 -3.5233877e-06 "                          \
  "-4.39150654e-06 0.00021858087 -0.00125372503 -0.00417768164 "               \
  "0.246640727 1.50140941 ] =n l sqrt 3 subtract =w w [ "                      \
  "-0.000200214257 0.000100950558 0.00134934322 -0.00367342844 "               \
  "0.00573950773 -0.0076224613 0.00943887047 1.00167406 "                      \
  "2.83297682 ] =f l 5 lt n f select x multiply =y "
#define ERF_INV_ENDS "x abs 1 eq x inf multiply y select "
/// A step of Halley's method for erf(y) = x: 2 / sqrt(pi) is the constant.
/// From |x| = 1/2 on, where erf is too flat, for ln(erfc(b)) = ln(1 - |x|),
/// with e = erfc(b) e^(b^2); 1 - |x| is exact there. The polynomial begins
/// where that of f32 ends (test/bench/accuracy.py shows what comes of it).
#define ERF_INV_STEP                                                           \
  "x abs =a l sqrt 5 subtract =w w [ 8.42220045e-05 -0.000238324137 "          \
  "-0.000142359994 1.01030562 4.84990664 ] =f l 16 lt y abs f select =b "      \
  "b 3.75 subtract b 3.75 add divide ~erfc =e "                                \
  "b b multiply e log subtract 1 a subtract log add e multiply "               \
  "0.886226925452758014 multiply =h "                                          \
  "b h 1 h 0.56418958354775629 e divide b subtract multiply subtract divide "  \
  "subtract x copysign =t "                                                    \
  "y erf x subtract y y multiply exponential multiply "                        \
  "1.12837916709551257 divide =h "                                             \
  "y h h y multiply 1 add divide subtract =y a 0.5 lt y t select =y "

/// x I1(|x|) / |x| is odd. Up to 8 I1(m) / m is a polynomial of q = m^2 / 64,
/// of positive coefficients (tools/polynomials.py), which loses no digits.
#define BESSEL(polynomial)                                                     \
  "x abs =a a 8 minimum =m m m multiply 0.015625 multiply =q " polynomial      \
  "m multiply m negate exponential multiply =s "                               \
  "16 a divide 1 subtract ~bessel_large a sqrt divide =l "                     \
  "a 8 gt l s select x copysign"
#define BESSEL_POLYNOMIAL                                                      \
  "q [ 1.9280088002763961e-9 1.8210797272923477e-8 "                           \
  "3.2295516883295208e-7 4.1369094878741021e-6 "                               \
  "4.7196377528877611e-5 0.00046003116317227944 "                              \
  "0.0037953498681741467 0.02609298311780895 0.14677304767644877 "             \
  "0.66047870974941908 2.3116754850544486 6.0681481481424334 "                 \
  "11.377777777778249 14.222222222222199 10.666666666666667 4.0 "              \
  "0.5 ] "
#define BESSEL_POLYNOMIAL_NARROW                                               \
  "q [ 0.007331315319 0.01682303489 0.1598247679 0.6492930752 "                \
  "2.317772175 6.066026612 11.37823625 14.22216458 10.66667038 "               \
  "3.999999907 0.5000000004 ] "

/// erfc of what is below 0, after that of |x|, and where |x| is small.
#define ERFC_BELOW "=t x 0 lt 2 t subtract t select =t "
#define ERFC_SMALL "=e a 0.5 lt 1 e subtract t select"
/// Maclaurin's series of erf up to 1/2, for f32.
#define ERF_SMALL                                                              \
  "x x multiply =s s [ 0.000120553329817896643 "                               \
  "-0.000854832702345085283 0.00522397762544218784 "                           \
  "-0.0268661706451312518 0.112837916709551257 "                               \
  "-0.376126389031837525 1.12837916709551257 ] x multiply "

/// Functions whose narrow formula is computed in f64, too.
static const Formula gammas[] = {
    {"digamma", XLA_CHLO_DIGAMMA_NARROW, XLA_CHLO_DIGAMMA},
    {"lgamma", XLA_CHLO_LGAMMA_NARROW, XLA_CHLO_LGAMMA},
};

static const Formula formulas[] = {
    {"erf_inv", GILES ERF_INV_ENDS, GILES ERF_INV_STEP ERF_INV_ENDS},
    {"bessel_i1e", BESSEL(BESSEL_POLYNOMIAL_NARROW), BESSEL(BESSEL_POLYNOMIAL)},
    // x * x is rounded, r * r is not: e^(-x^2) is corrected by what that makes,
    // or has two factors. From 10.1 on nothing is left of it in f32.
    {"erfc",
     "x abs 10.1 minimum =a a 3.75 subtract a 3.75 add divide ~erfc "
     "a 16 multiply floor 0.0625 multiply =r "
     "a a multiply =h h r r multiply subtract "
     "a r subtract a r add multiply subtract 1 add "
     "h negate exponential multiply multiply " ERFC_BELOW ERF_SMALL ERFC_SMALL,
     "x abs 30 minimum =a a 3.75 subtract a 3.75 add divide ~erfc "
     "a rounded =r r r multiply negate exponential multiply "
     "r a subtract r a add multiply exponential multiply " ERFC_BELOW
     "x erf " ERFC_SMALL},
};

//===----------------------------------------------------------------------===//
// Complex functions
//===----------------------------------------------------------------------===//

/// Of p + iq with p, q >= 0: the arc sine is atan2(o, u) + im, the arc cosine
/// atan2(u, o) - im. T. Hull, T. Fairgrieve, P. Tang, Implementing the Complex
/// Arcsine and Arccosine Functions Using Exception Handling (1997).
#define ARC_SINE                                                                  \
  "p 1 add p 1 add multiply q q multiply add sqrt =r "                            \
  "p 1 subtract p 1 subtract multiply q q multiply add sqrt =s "                  \
  "r s add 0.5 multiply =a a p add =t r p 1 add add =d "                          \
  "q q multiply d divide s 1 p subtract add add t multiply 0.5 multiply sqrt "    \
  "=u t d divide t s p 1 subtract add divide add 0.5 multiply sqrt q "            \
  "multiply =v p 1 gt v u select =u "                                             \
  "q q multiply d divide q q multiply s 1 p subtract add divide add =v "          \
  "q q multiply d divide s p 1 subtract add add =w "                              \
  "p 1 lt v w select 0.5 multiply =v "                                            \
  "v v a 1 add multiply sqrt add log_plus_one =m "                                \
  "a 1.5 gt a a a multiply 1 subtract sqrt add log m select =m " /* q * q that    \
                                                                    vanishes      \
                                                                  */              \
  "q 1e-150 lt =c q 1 p subtract 1 p add multiply sqrt divide =w "                \
  "p 1 lt w m select =w p 1 eq q sqrt w select =w c w m select =m " /* p * p      \
                                                                       or q *     \
                                                                       q that     \
                                                                       is too     \
                                                                       large,     \
                                                                       and        \
                                                                       infinities \
                                                                     */           \
  "p q maximum =h p q minimum h divide =d "                                       \
  "d d multiply log_plus_one 0.5 multiply h log add " LN2 "add =w "               \
  "h inf eq =e e h w select =w h 1e150 gt =c c w m select =m "                    \
  "c q u select =u p =o "                                                         \
  "p inf eq 1 0 select =v e v o select =o "                                       \
  "q inf eq 1 0 select =v e v u select =u "

/// Of p + iq with p, q >= 0: the area hyperbolic tangent is g + ih.
#define AREA_TANGENT                                                           \
  "1 p subtract =a a a multiply q q multiply add =b "                          \
  "p 4 multiply b divide log_plus_one 0.25 multiply =g "                       \
  "q 2 multiply a 1 p add multiply q q multiply subtract atan2 0.5 multiply "  \
  "=h " LN2 "q log subtract 0.5 multiply =w p 1 eq w g select =w "             \
  "q 1e-150 lt w g select =g "                                                 \
  "p q maximum =m 1 p q q p divide multiply add divide =d "                    \
  "m inf eq 0 d select =d m 1e150 gt =c c d g select =g "                      \
  "c 1.57079632679489662 h select =h "

/// The parts x and y of the operand give those of the result.
static const Formula complexFormulas[] = {
    {"acos", NULL,
     "x abs =p y abs =q " ARC_SINE "u o x copysign atan2 m y signed negate"},
    {"acosh", NULL,
     "x abs =p y abs =q " ARC_SINE "m u o x copysign atan2 y signed"},
    {"asin", NULL,
     "x abs =p y abs =q " ARC_SINE "o u atan2 x copysign m y signed"},
    {"asinh", NULL,
     "y abs =p x abs =q " ARC_SINE "m x signed o u atan2 y copysign"},
    {"atan", NULL,
     "y abs =p x abs =q " AREA_TANGENT "h x copysign g y copysign"},
    {"atanh", NULL,
     "x abs =p y abs =q " AREA_TANGENT "g x copysign h y copysign"},
    // Of a real number infinity times 0 would be NaN.
    {"cosh", NULL,
     HALF_EXPONENTIALS SINH
     "a b add =c c y cosine multiply y 0 eq y x sign multiply s y sine "
     "multiply select"},
    {"sinh", NULL,
     HALF_EXPONENTIALS SINH
     "a b add =c s y cosine multiply y 0 eq y c y sine multiply select"},
};

//===----------------------------------------------------------------------===//
// Expansion
//===----------------------------------------------------------------------===//

static const Formula *find(const Formula *table, size_t n, MlirStringRef name) {
  for (size_t i = 0; i < n; ++i)
    if (mlirStringRefEqual(name, mlirStringRefCreateFromCString(table[i].name)))
      return &table[i];
  return NULL;
}

static MlirType typeOf(XlaIr *ir, const XlaShape *shape) {
  return xlaShapeToMlir(shape, ir->context);
}

static MlirValue convert(XlaIr *ir, MlirValue value, MlirType type) {
  return mlirTypeEqual(mlirValueGetType(value), type)
             ? value
             : xlaIrCast(ir, "xla.convert", value, type);
}

static XlaShape withType(XlaShape shape, XlaElementType type) {
  shape.elementType = type;
  return shape;
}

static MlirValue buildComplex(XlaIr *ir, const XlaShape *shape,
                              const Formula *formula, MlirValue x) {
  XlaShape part = *shape, wide = *shape;
  part.elementType = xlaElementTypeReal(shape->elementType);
  wide.elementType = XlaElementTypeF64;
  MlirValue parts[2] = {xlaIrCast(ir, "xla.real", x, typeOf(ir, &part)),
                        xlaIrCast(ir, "xla.imag", x, typeOf(ir, &part))};
  for (int i = 0; i < 2; ++i)
    parts[i] = convert(ir, parts[i], typeOf(ir, &wide));
  xlaFormulaBuild(ir, &wide, formula->text, 2, parts, 2, parts);
  for (int i = 0; i < 2; ++i)
    parts[i] = convert(ir, parts[i], typeOf(ir, &part));
  return xlaIrOp(ir, "xla.complex", typeOf(ir, shape), 2, parts, 0, NULL);
}

static MlirValue buildReal(XlaIr *ir, const XlaShape *shape,
                           const Formula *formula, XlaElementType type,
                           MlirValue x) {
  bool isNarrow = formula->narrow && shape->elementType != XlaElementTypeF64;
  XlaShape wide = withType(*shape, isNarrow ? type : XlaElementTypeF64);
  x = convert(ir, x, typeOf(ir, &wide));
  xlaFormulaBuild(ir, &wide, isNarrow ? formula->narrow : formula->text, 1, &x,
                  1, &x);
  return convert(ir, x, typeOf(ir, shape));
}

#define FIND(table, name) find(table, sizeof(table) / sizeof *(table), name)

bool xlaChloBuildUnary(XlaIr *ir, MlirStringRef name, MlirValue x,
                       MlirValue *result) {
  XlaShape shape;
  if (!xlaShapeFromMlir(mlirValueGetType(x), &shape, NULL))
    return false;
  const Formula *formula;
  if (xlaElementTypeIsComplex(shape.elementType)) {
    if ((formula = FIND(complexFormulas, name)))
      *result = buildComplex(ir, &shape, formula, x);
    return formula;
  }
  if (!xlaElementTypeIsFloat(shape.elementType))
    return false;
  if ((formula = FIND(gammas, name)))
    *result = buildReal(ir, &shape, formula, XlaElementTypeF64, x);
  else if ((formula = FIND(formulas, name)))
    *result = buildReal(ir, &shape, formula, XlaElementTypeF32, x);
  return formula;
}

/// zeta(x + 1, y), and what else polygamma takes, as z, v and w.
static MlirValue buildPolygamma(XlaIr *ir, const XlaShape *wide,
                                const char *zeta, const MlirValue inputs[2]) {
  MlirValue shifted[2], values[5], result;
  xlaFormulaBuild(ir, wide, "x 1 add", 1, inputs, 1, &shifted[0]);
  shifted[1] = inputs[1];
  values[0] = inputs[0];
  values[1] = inputs[1];
  xlaFormulaBuild(ir, wide, zeta, 2, shifted, 1, &values[2]);
  xlaChloBuildUnary(ir, mlirStringRefCreateFromCString("lgamma"), shifted[0],
                    &values[3]);
  xlaChloBuildUnary(ir, mlirStringRefCreateFromCString("digamma"), inputs[1],
                    &values[4]);
  xlaFormulaBuild(ir, wide, XLA_CHLO_POLYGAMMA, 5, values, 1, &result);
  return result;
}

bool xlaChloBuildBinary(XlaIr *ir, MlirStringRef name, MlirValue x, MlirValue y,
                        MlirValue *result) {
  bool zeta = mlirStringRefEqual(name, mlirStringRefCreateFromCString("zeta"));
  XlaShape shape;
  if ((!zeta && !mlirStringRefEqual(
                    name, mlirStringRefCreateFromCString("polygamma"))) ||
      !mlirTypeEqual(mlirValueGetType(x), mlirValueGetType(y)) ||
      !xlaShapeFromMlir(mlirValueGetType(x), &shape, NULL) ||
      !xlaElementTypeIsFloat(shape.elementType))
    return false;
  char text[4096];
  xlaChloWriteZeta(shape.elementType != XlaElementTypeF64, text, sizeof text);
  XlaShape wide = withType(shape, XlaElementTypeF64);
  MlirValue inputs[2] = {convert(ir, x, typeOf(ir, &wide)),
                         convert(ir, y, typeOf(ir, &wide))};
  if (zeta)
    xlaFormulaBuild(ir, &wide, text, 2, inputs, 1, result);
  else
    *result = buildPolygamma(ir, &wide, text, inputs);
  *result = convert(ir, *result, typeOf(ir, &shape));
  return true;
}

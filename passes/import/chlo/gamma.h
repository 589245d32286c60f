//===- gamma.h - Functions of the family of gamma ----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formulas (formula.h) in f64, of f64 and, narrow, of f32 and less, whose
// results are rounded. Polynomials are tools/polynomials.py's.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_IMPORT_CHLO_GAMMA_H
#define XLAC_PASSES_IMPORT_CHLO_GAMMA_H

#include <stdbool.h>
#include <stddef.h>

/// The logarithm of |gamma(x)|. Of b, |x| or for x < 0 that of the reflection
/// formula, -lgamma(-a) = lgamma(1 + a) + ln(sin(pi a) / pi), and with c, the
/// fraction of b:
///   b < 4   lgamma(1 + c), a polynomial times its roots' c (c - 1), and the
///           logarithm of what gamma(b) has beside it, 1 / b to (b - 1) (b - 2)
///   b >= 4  Stirling's series, its rest a polynomial of 1 / b^2
/// Near 1 and 2 nothing is lost, as both addends are small.
#define XLA_CHLO_LGAMMA_OF(ln)                                                 \
  "x abs =a x 0 lt =r r a 1 add a select =b b b floor subtract =c "            \
  "b 1 subtract =d d b 2 subtract multiply =q "                                \
  "b 3 lt d q select =q b 2 lt 1 q select =q b 1 lt b q select =q "            \
  "b 4 lt =j j q b select " ln " =l "                                          \
  "c [ -1.804276273750087e-05 0.0001997467933573165 -0.0010484559010588228 "   \
  "0.003491978914302706 -0.008359294535802178 0.015516523313526558 "           \
  "-0.023666740704222734 0.031234831384090243 -0.03744008639927311 "           \
  "0.04253698876131426 -0.047301803741118795 0.05250452708572357 "             \
  "-0.058769488546569784 0.06673070951748117 -0.07731808140175614 "            \
  "0.09223900346937745 -0.11514654238779685 0.15543426586065265 "              \
  "-0.2452513685225557 0.5772156649015329 ] c c 1 subtract multiply multiply " \
  "b 1 lt l negate l select add =s "                                           \
  "1 b divide =i i i multiply "                                                \
  "[ -0.009270537961723677 0.004897400222972809 -0.0018485657084907699 "       \
  "0.0008398890452701349 -0.0005952098662897389 0.0007936505792475166 "        \
  "-0.00277777777714881 0.08333333333333302 ] i multiply "                     \
  "0.41893853320467274 add b 0.5 subtract l 1 subtract multiply add =g "       \
  "j s g select =g "                                                           \
  "a a floor subtract =f f 0.5 gt 1 f subtract f select =f f f multiply "      \
  "[ 2.4502943624559793e-07 -6.972099660851199e-06 0.0001484278414189103 "     \
  "-0.0023460808954639607 0.02614784780555096 -0.19075182412149616 "           \
  "0.8117424252833393 -1.6449340668482264 1.0 ] f multiply " ln " "            \
  "g add negate =v r v g select =v x 0 le x x floor eq and inf v select"
#define XLA_CHLO_LGAMMA XLA_CHLO_LGAMMA_OF("log")
#define XLA_CHLO_LGAMMA_NARROW XLA_CHLO_LGAMMA_OF("ln")

/// The derivative of lgamma, of b as there: psi(b) = psi(b + 6) - n / d, the
/// sum of 1 / (b + k) for k < 6, and psi(k) = ln(k) - 1 / 2k and a polynomial
/// of 1 / k^2. One division makes both quotients. For x < 0, pi cot(pi a) is
/// added: w is what a is off from the nearest whole number, and a polynomial of
/// w^2 is left beside the poles at 0, 1 and -1 and the roots at 1/2 and -1/2.
/// `bounded` is b, or b where no product overflows.
#define XLA_CHLO_DIGAMMA_OF(bounded)                                           \
  "x abs =a x 0 lt =r r a 1 add a select =b " bounded "=c c 6 add =h "         \
  "c [ 6 75 340 675 548 120 ] =n "                                             \
  "c [ 1 15 85 225 274 120 ] c multiply =d "                                   \
  "1 d h multiply divide =i d i multiply =j j j multiply =z "                  \
  "z [ 0.052783578802019344 -0.020057813199354204 0.00755724034982937 "        \
  "-0.00416649213380119 0.003968253174196778 -0.00833333333196673 "            \
  "0.08333333333333294 ] z "                                                   \
  "n h d 0.5 multiply fused i multiply fused =s "                              \
  "b 6 add ln s subtract =g "                                                  \
  "a a round_nearest_even subtract =w w w multiply =y "                        \
  "y [ -3.2613744412542426e-05 -9.401152472406755e-05 "                        \
  "-0.00039523516448865926 -0.0015953676669328196 -0.006564456876186939 "      \
  "-0.028172521703722253 -0.1370034740628899 -1.1594725347856578 4 ] "         \
  "0.5 w subtract 0.5 w add multiply multiply "                                \
  "1 y subtract w multiply divide g add =v r v g select =v "                   \
  "x 0 le x x floor eq and nan v select =v x inf eq x v select"
#define XLA_CHLO_DIGAMMA XLA_CHLO_DIGAMMA_OF("b 1e30 gt 1e30 b select ")
#define XLA_CHLO_DIGAMMA_NARROW XLA_CHLO_DIGAMMA_OF("b ")

/// The derivative of order x of digamma at y is, but for its sign, x! times
/// zeta(x + 1, y), which is z; v is lgamma(x + 1) and w digamma(y).
#define XLA_CHLO_POLYGAMMA                                                     \
  "x 2 divide floor 2 multiply x eq -1 1 select "                              \
  "v exponential multiply z multiply =r "                                      \
  "x 0 eq w r select =r "                                                      \
  "x floor x eq r nan select =r x 0 lt nan r select "

/// Writes the formula of Hurwitz' zeta function of x and y.
void xlaChloWriteZeta(bool narrow, char *text, size_t size);

#endif // XLAC_PASSES_IMPORT_CHLO_GAMMA_H

//===- gamma.c - Functions of the family of gamma -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The zeta function of Hurwitz, the sum of (y + k)^-x, by Euler's and
// Maclaurin's formula after ten terms; the coefficients are B(2j) / (2j)!.
// Nothing is defined for x < 1 and, if y <= 0, for an x that is no integer;
// where y is a pole, even x give infinity.
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/chlo/gamma.h"

#include <stdio.h>

typedef struct Writer {
  char *text;
  size_t size, used;
} Writer;

#define PUT(w, ...)                                                            \
  ((w)->used += (size_t)snprintf((w)->text + (w)->used, (w)->size - (w)->used, \
                                 __VA_ARGS__))

/// For results in f32, `narrow`, fewer coefficients do, and powers to 33 bits:
/// exponentials of what stays within f64, with the sign o of odd powers where
/// the base is negative. What is near the least of them counts as 0.
void xlaChloWriteZeta(bool narrow, char *text, size_t size) {
  static const char *const coefficients[] = {
      "0.083333333333333333",   "-0.0013888888888888889",
      "3.3068783068783069e-5",  "-8.2671957671957672e-7",
      "2.0876756987868099e-8",  "-5.2841901386874932e-10",
      "1.3382536530684679e-11", "-3.3896802963225829e-13",
      "8.5860620562778446e-15", "-2.1748686985580619e-16",
      "5.5090028283602295e-18", "-1.3954464685812523e-19",
  };
  enum { most = sizeof coefficients / sizeof *coefficients, few = 4 };
  const int n = narrow ? few : most;
  const char *power = narrow ? "=b b abs ln40 m multiply =p "
                               "p -700 lt -700 p select =p "
                               "p 700 gt 700 p select exp33 =p "
                               "b 0 lt o p multiply p select "
                             : "m power ";
  Writer w = {.text = text, .size = size};
  // What larger x give is 0, 1 or infinity.
  PUT(&w,
      "x %s gt %s x select =u u negate =m "
      "x 2 divide floor 2 multiply x eq 1 -1 select =o y %s=s ",
      narrow ? "1e12" : "1e30", narrow ? "1e12" : "1e30", power);
  for (int i = 1; i < 10; ++i)
    PUT(&w, "y %d add %ss add =s ", i, power);
  PUT(&w, "y 10 add =a a %s=p 1 a divide =i i i multiply =q %s =h ", power,
      coefficients[n - 1]);
  for (int j = n - 1; j > 0; --j)
    PUT(&w, "u %d add u %d add multiply q multiply h %s fused =h ", 2 * j - 1,
        2 * j, coefficients[j - 1]);
  PUT(&w,
      "s p a multiply u 1 subtract divide add "
      "p u i multiply h multiply 0.5 add multiply add =r "
      "p abs s abs 1.2e-16 multiply %sle s r select =r %s"
      "x floor x eq =i x 2 divide floor 2 multiply x eq inf nan select =e "
      "i r nan select =f y floor y eq e f select =e "
      "y 0 le e r select =r "
      "x 1 lt nan r select =r x 1 eq inf r select ",
      narrow ? "1e-300 add " : "",
      narrow ? "r abs 1e-290 lt 0 r select =r y y eq r y select =r " : "");
}

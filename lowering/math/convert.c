//===- convert.c - 16-bit floats by integer arithmetic --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/math/ops.h"

/// The upper bits of `value` without the `dropped` lowest, to nearest even.
static V roundedShift(XlaMath *m, V value, int dropped) {
  V high = bitwise(m, "arith.shrui", value, integer(m, dropped));
  V odd = bitwise(m, "arith.andi", high, integer(m, 1));
  V bias = bitwise(m, "arith.addi", odd,
                   integer(m, (INT64_C(1) << (dropped - 1)) - 1));
  return bitwise(m, "arith.shrui", bitwise(m, "arith.addi", value, bias),
                 integer(m, dropped));
}

V xlaMathToBF16(XlaMath *m, V x) {
  V bits = toBits(m, x);
  V high = bitwise(m, "arith.shrui", bits, integer(m, 16));
  V quiet = bitwise(m, "arith.ori", high, integer(m, 0x40));
  V isNaN = compare(m, "uno", x, x);
  return choose(m, isNaN, quiet, roundedShift(m, bits, 16));
}

V xlaMathFromBF16(XlaMath *m, V bits) {
  return fromBits(m, bitwise(m, "arith.shli", bits, integer(m, 16)));
}

V xlaMathToF16(XlaMath *m, V x) {
  V bits = toBits(m, x);
  V size = bitwise(m, "arith.andi", bits, integer(m, 0x7fffffff));
  // A carry from 65520 on gives infinity as it should.
  V value = bitwise(m, "arith.subi", roundedShift(m, size, 13),
                    integer(m, 112 << 10));
  V units = nearest(m, mul(m, fromBits(m, size), num(m, 0x1p24)));
  V denormal = xlaIrCmpI(&m->ir, "ult", size, integer(m, 0x38800000));
  units = choose(m, denormal, units, num(m, 0)); // in range for the conversion
  value = choose(m, denormal, xlaIrCast(&m->ir, "arith.fptosi", units, m->bits),
                 value);
  V over = xlaIrCmpI(&m->ir, "uge", size, integer(m, 0x47800000));
  value = choose(m, over, integer(m, 0x7c00), value);
  V quiet = bitwise(m, "arith.shrui", size, integer(m, 13));
  quiet = bitwise(m, "arith.andi", quiet, integer(m, 0x3ff));
  quiet = bitwise(m, "arith.ori", quiet, integer(m, 0x7e00));
  V isNaN = xlaIrCmpI(&m->ir, "ugt", size, integer(m, 0x7f800000));
  value = choose(m, isNaN, quiet, value);
  V sign = bitwise(m, "arith.shrui", bits, integer(m, 16));
  sign = bitwise(m, "arith.andi", sign, integer(m, 0x8000));
  return bitwise(m, "arith.ori", value, sign);
}

V xlaMathFromF16(XlaMath *m, V bits) {
  V size = bitwise(m, "arith.andi", bits, integer(m, 0x7fff));
  V bias = integer(m, 112 << 23);
  V value = bitwise(m, "arith.addi",
                    bitwise(m, "arith.shli", size, integer(m, 13)), bias);
  V special = xlaIrCmpI(&m->ir, "uge", size, integer(m, 0x7c00));
  value = choose(m, special, bitwise(m, "arith.addi", value, bias), value);
  V small = xlaIrCast(&m->ir, "arith.sitofp", size, m->type);
  small = toBits(m, mul(m, small, num(m, 0x1p-24)));
  V denormal = xlaIrCmpI(&m->ir, "ult", size, integer(m, 0x400));
  value = choose(m, denormal, small, value);
  V sign = bitwise(m, "arith.andi", bits, integer(m, 0x8000));
  sign = bitwise(m, "arith.shli", sign, integer(m, 16));
  return fromBits(m, bitwise(m, "arith.ori", value, sign));
}

//===- ops.c - The table of VHLO's operations -----------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/vhlo/ops.h"

#include <string.h>

#define A(name, form, usual) {#name, XlaVhloForm##form, XlaVhloUsual##usual},
#define U(name, usual) A(name, Same, usual)
#define S(name) A(name, Same, None)
#define XLA_VHLO_OP(name, target, columns)                                     \
  {name, target,                                                               \
   (const XlaVhloColumn[]){columns{NULL, XlaVhloFormSame, XlaVhloUsualNone}}},
static const XlaVhloOp ops[] = {
#include "xlac/formats/vhlo/ops.def"
};
#undef A
#undef U
#undef S

const XlaVhloOp *xlaVhloOpFind(MlirStringRef name) {
  for (size_t i = 0; i < sizeof ops / sizeof *ops; ++i)
    if (name.length == strlen(ops[i].name) &&
        !memcmp(name.data, ops[i].name, name.length))
      return &ops[i];
  return NULL;
}

/// Whether the operation is in no version up to XLA_VHLO_VERSION.
static bool isNewer(const XlaVhloOp *op) {
  static const char *const newer[] = {"composite_v2", "async_start_v1",
                                      "async_done_v1"};
  for (size_t i = 0; i < sizeof newer / sizeof *newer; ++i)
    if (!strcmp(op->name, newer[i]))
      return true;
  return false;
}

const XlaVhloOp *xlaVhloOpOfTarget(MlirStringRef target) {
  // Functions and regions end alike.
  if (mlirStringRefEqual(target, mlirStringRefCreateFromCString("func.return")))
    target = mlirStringRefCreateFromCString("stablehlo.return");
  // Versions of an operation are in their order.
  for (size_t i = sizeof ops / sizeof *ops; i--;)
    if (!isNewer(&ops[i]) && target.length == strlen(ops[i].target) &&
        !memcmp(target.data, ops[i].target, target.length))
      return &ops[i];
  return NULL;
}

const char *xlaVhloStructureName(XlaVhloForm form) {
  static const char *const names[XlaVhloFormCount] = {
      [XlaVhloFormDot] = "dot_dimension_numbers",
      [XlaVhloFormAlgorithm] = "algorithm",
      [XlaVhloFormGather] = "dimension_numbers",
      [XlaVhloFormScatter] = "scatter_dimension_numbers",
      [XlaVhloFormConv] = "dimension_numbers",
      [XlaVhloFormChannel] = "channel_handle",
  };
  return names[form];
}

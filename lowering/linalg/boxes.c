//===- boxes.c - Parts of the loops of a step --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/boxes.h"

#include <stdlib.h>

/// Elements below which choices are cheaper than loops.
enum { minCut = 2048 };

XlaKernelBoxes *xlaKernelBoxesBegin(const XlaKernelSteps *steps,
                                    const XlaShape *domain) {
  XlaKernelBoxes *boxes = malloc(sizeof *boxes);
  if (!boxes) {
    xlaKernelNoMemory(steps->kernel);
    return NULL;
  }
  boxes->context = mlirOperationGetContext(steps->kernel->op);
  int64_t count = 0;
  xlaShapeGetElementCount(domain, &count);
  boxes->n = count ? 1 : 0; // loops have iterations
  boxes->nDone = 0;
  xlaSpaceInit(&boxes->all[0], domain);
  return boxes;
}

/// Whether the loops of a generic may be cut.
static XlaGenericCuts cutsOf(const XlaKernelSteps *steps,
                             const XlaShape *domain) {
  int64_t count = 0;
  xlaShapeGetElementCount(domain, &count);
  if (xlaIrIsOp(steps->kernel->op, "xla.fusion") &&
      !xlaOpAttrIs(steps->kernel->op, "kind", "loop"))
    return XlaGenericCutsNone;
  return count < minCut ? XlaGenericCutsFew : XlaGenericCutsAll;
}

MlirLogicalResult xlaKernelBoxesNext(XlaKernelBoxes *boxes,
                                     XlaKernelSteps *steps,
                                     const XlaKernelPieces *pieces,
                                     const XlaShape *domain,
                                     XlaGeneric *generic) {
  XlaGenericCuts cuts = cutsOf(steps, domain);
  while (true) {
    XlaSpace *box = &boxes->all[boxes->n - 1];
    MlirLogicalResult result = xlaGenericBeginBox(
        generic, steps->kernel, box,
        boxes->n + boxes->nDone < XLA_KERNEL_MAX_BOXES ? cuts
                                                       : XlaGenericCutsNone,
        pieces->n, pieces->values);
    if (!generic->needsCut) {
      --boxes->n;
      ++boxes->nDone;
      return result;
    }
    XlaGenericCut cut = generic->cut;
    box[0] = box[1] = generic->space;
    xlaSpaceCut(&box[0], boxes->context, cut.loop, cut.at, true);
    xlaSpaceCut(&box[1], boxes->context, cut.loop, cut.at, false);
    ++boxes->n;
    xlaGenericFree(generic);
  }
}

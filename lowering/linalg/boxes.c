//===- boxes.c - Parts of the loops of a step --------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/linalg/boxes.h"

#include <stdlib.h>

/// Elements below which choices are cheaper than dispatches; processors start
/// loops in no time.
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
  xlaSpaceInit(&boxes->all[0].space, domain);
  boxes->all[0].pads.n = boxes->all[0].pads.nKept = 0;
  return boxes;
}

/// Whether the loops of a generic may be cut.
static XlaGenericCuts cutsOf(const XlaKernelSteps *steps,
                             const XlaShape *domain) {
  int64_t count = 0;
  xlaShapeGetElementCount(domain, &count);
  if (xlaIrIsOp(steps->kernel->op, "xla.fusion") &&
      !xlaKernelIsLoop(steps->kernel->op))
    return XlaGenericCutsNone;
  const XlaKernelDevice *device = steps->kernel->device;
  bool isFew = device && device->runsAtOnce && count < minCut;
  return isFew ? XlaGenericCutsFew : XlaGenericCutsAll;
}

static void cutBox(const XlaKernelBoxes *boxes, const XlaGenericCut *cut,
                   XlaKernelBox *box) {
  xlaSpaceCut(&box[0].space, boxes->context, cut->loop, cut->at, true);
  xlaSpaceCut(&box[1].space, boxes->context, cut->loop, cut->at, false);
}

/// All of the box without the pad's elements, and then these.
static void layOver(const XlaKernelBoxes *boxes, const XlaGeneric *generic,
                    XlaKernelBox *box) {
  const XlaGenericLattice *lattice = &generic->lattice;
  for (int i = 0; i < lattice->n; ++i)
    xlaSpaceStep(&box[0].space, boxes->context, lattice->loops[i],
                 lattice->first[i], lattice->step[i]);
  box[1].pads.padding[box[1].pads.n++] = generic->pad;
}

MlirLogicalResult xlaKernelBoxesNext(XlaKernelBoxes *boxes,
                                     XlaKernelSteps *steps,
                                     const XlaKernelPieces *pieces,
                                     const XlaShape *domain,
                                     XlaGeneric *generic) {
  XlaGenericCuts cuts = cutsOf(steps, domain);
  while (true) {
    XlaKernelBox *box = &boxes->all[boxes->n - 1];
    MlirLogicalResult result = xlaGenericBeginBox(
        generic, steps->kernel, &box->space,
        boxes->n + boxes->nDone < XLA_KERNEL_MAX_BOXES ? cuts
                                                       : XlaGenericCutsNone,
        &box->pads, pieces->n, pieces->values);
    if (mlirLogicalResultIsFailure(result) ||
        (!generic->needsCut && !generic->pad.ptr)) {
      --boxes->n;
      ++boxes->nDone;
      return result;
    }
    box[0] = box[1] = (XlaKernelBox){generic->space, generic->pads};
    if (generic->needsCut)
      cutBox(boxes, &generic->cut, box);
    else
      layOver(boxes, generic, box);
    ++boxes->n;
    xlaGenericFree(generic);
  }
}

//===- patches.c - Convolutions as products of patches --------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/expand/patches.h"
#include "xlac/dialect/op.h"

#include "mlir-c/BuiltinAttributes.h"

#include <string.h>

enum {
  maxOwnDims = 8,   // spatial, of patches
  minColumns = 128, // of a product for each of the batch
};

static int64_t product(int n, const int64_t *values) {
  int64_t result = 1;
  for (int i = 0; i < n; ++i)
    result *= values[i];
  return result;
}

static XlaPatchPlaces placesOf(const XlaConvolutionSide *side) {
  XlaPatchPlaces places = {.batch = (int)side->batch,
                           .feature = (int)side->feature};
  for (int i = 0; i < side->spatial.size; ++i)
    places.spatial[i] = (int)side->spatial.values[i];
  return places;
}

static int furtherAt(const XlaPatches *p);

/// How a product of patches in the order of lhs, and of the kernel, would be
/// computed.
static XlaPatchForm formOf(const XlaPatches *p, const XlaShape *lhs,
                           const XlaShape *result) {
  bool summed[2 * XLA_MAX_RANK];
  int64_t sizes[2 * XLA_MAX_RANK], batch = lhs->dims[p->lhsAt.batch],
                                   feature = lhs->dims[p->lhsAt.feature];
  int at = furtherAt(p), rank = 2 * p->m + 2, nRuns = 0, last = -1;
  double patches =
      (double)batch * (double)feature * (double)p->positions * (double)p->taps;
  int64_t results = 0;
  for (int d = 0; d < p->m + 2; ++d) {
    int to = d + (d >= at ? p->m : 0);
    summed[to] =
        d == p->lhsAt.feature || (d != p->lhsAt.batch && p->byPosition);
    sizes[to] = lhs->dims[d];
  }
  for (int i = 0; i < p->m; ++i) {
    int d = p->lhsAt.spatial[i];
    summed[at + i] = !p->byPosition;
    sizes[at + i] = p->byPosition ? p->counts[i] : p->sizes[i];
    sizes[d + (d >= at ? p->m : 0)] =
        p->byPosition ? p->sizes[i] : p->counts[i];
  }
  bool isFirstApart = sizes[0] == 1 || summed[0] != summed[1] || sizes[1] == 1;
  for (int i = 0; i < rank; ++i) {
    if (sizes[i] == 1)
      continue;
    nRuns += last < 0 || summed[i] != summed[last];
    last = i;
  }
  if (nRuns <= 2)
    return XlaPatchFormPlain;
  xlaShapeGetElementCount(result, &results);
  if (nRuns > 3 || !isFirstApart)
    return XlaPatchFormOrdered;
  if (p->lhsAt.batch == 0)
    return p->resultAt.batch == 0 && p->positions >= minColumns
               ? XlaPatchFormEach
               : XlaPatchFormOrdered;
  return p->lhsAt.feature == 0 && (double)feature * (double)results <= patches
             ? XlaPatchFormSum
             : XlaPatchFormOrdered;
}

/// Places in the order of the specification, with all of the window in one
/// dimension.
static void merge(XlaPatches *p) {
  p->m = 1;
  p->counts[0] = p->positions;
  p->sizes[0] = p->taps;
  p->lhsAt = p->resultAt = (XlaPatchPlaces){0, 2, {1}};
  p->kernelAt = (XlaPatchPlaces){2, 1, {0}};
}

void xlaPatchesBegin(XlaPatches *p, const XlaShape *lhs, const XlaShape *result,
                     int64_t most) {
  const XlaWindow *window = &p->c.window;
  size_t bytes = (size_t)p->n * sizeof *p->counts;
  p->positions = product(p->n, window->counts);
  p->taps = product(p->n, window->sizes);
  double taken = (double)xlaElementTypeGetInfo(lhs->elementType)->bytes *
                 (double)lhs->dims[p->c.lhs.batch] *
                 (double)lhs->dims[p->c.lhs.feature] * (double)p->positions;
  p->byPosition =
      p->positions < p->taps || (p->isTaken && taken > (double)most);
  p->m = p->n;
  p->form = XlaPatchFormPlain;
  if (p->n <= maxOwnDims && p->c.featureGroups * p->c.batchGroups == 1) {
    memcpy(p->counts, window->counts, bytes);
    memcpy(p->sizes, window->sizes, bytes);
    p->lhsAt = placesOf(&p->c.lhs);
    p->kernelAt = placesOf(&p->c.rhs);
    p->resultAt = placesOf(&p->c.result);
    p->form = formOf(p, lhs, result);
  } else {
    p->form = XlaPatchFormOrdered;
  }
  if (p->form == XlaPatchFormOrdered)
    merge(p);
}

MlirValue xlaPatchesPad(XlaPatches *p, MlirValue lhs) {
  const XlaWindow *window = &p->c.window;
  int64_t low[XLA_MAX_RANK] = {0}, high[XLA_MAX_RANK] = {0},
          interior[XLA_MAX_RANK] = {0};
  for (int i = 0; i < p->n; ++i) {
    int64_t d = p->c.lhs.spatial.values[i];
    low[d] = window->low[i];
    high[d] = window->high[i];
    interior[d] = window->baseDilations[i] - 1;
  }
  XlaElementType type = xlaArrayShape(lhs).elementType;
  lhs = xlaArrayPad(p->ir, lhs, xlaArrayNumber(p->ir, type, 0), low, high,
                    interior);
  p->lhs = xlaArrayShape(lhs);
  return lhs;
}

MlirValue xlaPatchesReverse(const XlaPatches *p, MlirValue rhs) {
  int64_t reversed[XLA_MAX_RANK];
  int n = 0;
  for (int i = 0; i < p->n; ++i)
    if (p->c.reversed[i])
      reversed[n++] = p->c.rhs.spatial.values[i];
  if (!n)
    return rhs;
  XlaIrAttr dimensions = {"dimensions",
                          mlirDenseI64ArrayGet(p->ir->context, n, reversed)};
  return xlaIrOp(p->ir, "xla.reverse", mlirValueGetType(rhs), 1, &rhs, 1,
                 &dimensions);
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

MlirValue xlaPatchesSlice(const XlaPatches *p, MlirValue lhs,
                          const int64_t *index) {
  const XlaWindow *window = &p->c.window;
  int64_t starts[XLA_MAX_RANK] = {0}, limits[XLA_MAX_RANK],
          strides[XLA_MAX_RANK];
  for (int d = 0; d < p->n + 2; ++d) {
    limits[d] = p->lhs.dims[d];
    strides[d] = 1;
  }
  for (int i = 0; i < p->n; ++i) {
    int64_t d = p->c.lhs.spatial.values[i];
    int64_t step = window->strides[i], hole = window->windowDilations[i];
    int64_t count = p->byPosition ? window->sizes[i] : window->counts[i];
    starts[d] = index[i] * (p->byPosition ? step : hole);
    strides[d] = p->byPosition ? hole : step;
    limits[d] = starts[d] + (count - 1) * strides[d] + 1;
  }
  return xlaArraySlice(p->ir, lhs, starts, limits, strides);
}

/// Before which dimension of lhs patches have the further ones: what lies along
/// the last ones stays together, or what is summed over.
static int furtherAt(const XlaPatches *p) {
  int at = p->m + 1;
  if (p->form == XlaPatchFormOrdered && p->byPosition)
    return 1;
  for (int d = p->m + 1, i = p->m - 1; i >= 0 && p->lhsAt.spatial[i] == d;
       --d, --i)
    at = d;
  return at;
}

/// A slice with `n` further dimensions.
static MlirValue widen(const XlaPatches *p, MlirValue slice, int n,
                       const int64_t *further) {
  int64_t dims[2 * XLA_MAX_RANK];
  const int64_t *sizes = p->byPosition ? p->sizes : p->counts;
  int at = furtherAt(p), rank = p->m + 2;
  dims[p->lhsAt.batch] = p->lhs.dims[p->c.lhs.batch];
  dims[p->lhsAt.feature] = p->lhs.dims[p->c.lhs.feature];
  for (int i = 0; i < p->m; ++i)
    dims[p->lhsAt.spatial[i]] = sizes[i];
  memmove(dims + at + n, dims + at, (size_t)(rank - at) * sizeof *dims);
  memcpy(dims + at, further, (size_t)n * sizeof *dims);
  return xlaArrayReshape(p->ir, slice, rank + n, dims);
}

MlirValue xlaPatchesOfSlice(const XlaPatches *p, MlirValue slice) {
  int64_t ones[XLA_MAX_RANK];
  for (int i = 0; i < p->m; ++i)
    ones[i] = 1;
  return widen(p, slice, p->m, ones);
}

MlirValue xlaPatchesOfAll(const XlaPatches *p, MlirValue lhs,
                          MlirValue *slices) {
  const XlaWindow *window = &p->c.window;
  const int64_t *bounds = p->byPosition ? window->counts : window->sizes;
  const int64_t one = 1;
  int64_t index[XLA_MAX_RANK] = {0}, tap[XLA_MAX_RANK];
  intptr_t n = 0;
  do {
    for (int i = 0; i < p->n; ++i)
      tap[i] = p->c.reversed[i] && !p->byPosition ? bounds[i] - 1 - index[i]
                                                  : index[i];
    slices[n++] = widen(p, xlaPatchesSlice(p, lhs, tap), 1, &one);
  } while (xlaIndexNext(index, bounds, window->rank));
  MlirValue all = xlaArrayConcatenate(p->ir, n, slices, furtherAt(p));
  return widen(p, all, p->m, p->byPosition ? p->counts : p->sizes);
}

//===----------------------------------------------------------------------===//
// The product
//===----------------------------------------------------------------------===//

/// An operand, its dimensions that are summed over, in order, and, if it is in
/// groups or batches, the one of these.
typedef struct Side {
  MlirValue array;
  int nContracting, nFree;
  int64_t contracting[XLA_MAX_RANK], batch;
  int64_t free[2 * XLA_MAX_RANK]; // dimensions of the result
} Side;

typedef struct Product {
  const XlaPatches *p;
  int64_t groups;
  Side patches, kernel;
  int rank; // of the result, with groups
} Product;

/// Dimension `d` as two, of which the first are groups.
static MlirValue split(const Product *product, MlirValue array, int d) {
  XlaShape shape = xlaArrayShape(array);
  memmove(shape.dims + d + 1, shape.dims + d,
          (size_t)(shape.rank - d) * sizeof *shape.dims);
  shape.dims[d] = product->groups;
  shape.dims[d + 1] /= product->groups;
  return xlaArrayReshape(product->p->ir, array, shape.rank + 1, shape.dims);
}

/// A dimension of the result, where groups lie before its features.
static int inGroups(const Product *product, int d) {
  return d + (product->groups > 1 && d >= product->p->resultAt.feature);
}

/// Reads the dimensions of patches: those of lhs first, then the further ones.
static void readPatches(Product *product, MlirValue patches) {
  const XlaPatches *p = product->p;
  Side *side = &product->patches;
  int at = furtherAt(p), of[2 * XLA_MAX_RANK], rank = 2 * p->m + 2, contracted;
  int batch = p->lhsAt.batch, feature = p->lhsAt.feature, spatial[XLA_MAX_RANK];
  batch += batch >= at ? p->m : 0;
  feature += feature >= at ? p->m : 0;
  // Which dimension of the result each is, or -1.
  for (int i = 0; i < rank; ++i)
    of[i] = -1;
  of[batch] = inGroups(product, p->resultAt.batch);
  for (int i = 0; i < p->m; ++i) {
    spatial[i] = p->lhsAt.spatial[i];
    spatial[i] += spatial[i] >= at ? p->m : 0;
    of[p->byPosition ? at + i : spatial[i]] =
        inGroups(product, p->resultAt.spatial[i]);
    side->contracting[i] = p->byPosition ? spatial[i] : at + i;
  }
  side->contracting[p->m] = feature;
  side->nContracting = p->m + 1;
  side->array = patches;
  side->batch = contracted = p->c.batchGroups > 1 ? batch : feature;
  if (product->groups > 1) {
    side->array = split(product, patches, contracted);
    memmove(of + contracted + 1, of + contracted,
            (size_t)(rank - contracted) * sizeof *of);
    of[contracted] = -1;
    for (int i = 0; i <= p->m; ++i)
      side->contracting[i] += side->contracting[i] >= contracted;
    ++rank;
  }
  for (int i = 0; i < rank; ++i)
    if (of[i] >= 0)
      side->free[side->nFree++] = of[i];
}

static void readKernel(Product *product, MlirValue kernel) {
  const XlaPatches *p = product->p;
  Side *side = &product->kernel;
  for (int i = 0; i < p->m; ++i)
    side->contracting[i] = p->kernelAt.spatial[i];
  side->contracting[p->m] = p->kernelAt.feature;
  side->nContracting = p->m + 1;
  side->free[side->nFree++] = inGroups(product, p->resultAt.feature);
  side->array = kernel;
  side->batch = p->kernelAt.batch;
  if (product->groups > 1) {
    side->array = split(product, kernel, p->kernelAt.batch);
    for (int i = 0; i <= p->m; ++i)
      side->contracting[i] += side->contracting[i] > side->batch;
  }
}

/// Sums go over the patches as they lie in memory.
static void sortTerms(Product *product) {
  Side *a = &product->patches, *b = &product->kernel;
  for (int i = 1; i < a->nContracting; ++i)
    for (int k = i; k && a->contracting[k] < a->contracting[k - 1]; --k) {
      int64_t first = a->contracting[k], second = b->contracting[k];
      a->contracting[k] = a->contracting[k - 1];
      b->contracting[k] = b->contracting[k - 1];
      a->contracting[k - 1] = first;
      b->contracting[k - 1] = second;
    }
}

/// A kernel that has its features among what is summed over, or that in another
/// order, is transposed: it is small, and products then have one loop for all.
static void orderKernel(Product *product) {
  Side *side = &product->kernel;
  XlaShape shape = xlaArrayShape(side->array);
  int64_t permutation[XLA_MAX_RANK], last = -1;
  int n = 0;
  bool isOrdered = true;
  if (product->groups > 1)
    return;
  for (int i = 0; i < side->nContracting; ++i) {
    int64_t d = side->contracting[i];
    permutation[n++] = d;
    if (shape.dims[d] == 1)
      continue;
    for (int64_t k = last + 1; last >= 0 && k < d; ++k)
      isOrdered &= shape.dims[k] == 1;
    isOrdered &= d > last;
    last = d;
  }
  if (isOrdered)
    return;
  permutation[n++] = side->batch;
  side->array = xlaArrayTranspose(product->p->ir, side->array, permutation);
  for (int i = 0; i < side->nContracting; ++i)
    side->contracting[i] = i;
  side->batch = side->nContracting;
}

/// The dimensions of the result that a product has; `batch` comes first if that
/// is one.
static void orderOf(const Side *lhs, const Side *rhs, int batch, int *order) {
  int n = 0;
  if (batch >= 0)
    order[n++] = batch;
  for (int i = 0; i < lhs->nFree; ++i)
    order[n++] = (int)lhs->free[i];
  for (int i = 0; i < rhs->nFree; ++i)
    order[n++] = (int)rhs->free[i];
}

/// Whether transposing does not change the order of elements.
static bool isInOrder(const XlaShape *result, const int *order) {
  int last = -1;
  for (int d = 0; d < result->rank; ++d) {
    if (result->dims[order[d]] == 1)
      continue;
    if (order[d] < last)
      return false;
    last = order[d];
  }
  return true;
}

/// A kernel for each of the batch, which a product computes when it loads it:
/// the result begins with the batch then, before the kernel's features.
static void repeatKernel(Product *product) {
  Side *patches = &product->patches, *kernel = &product->kernel;
  XlaShape shape = xlaArrayShape(kernel->array);
  int64_t from[XLA_MAX_RANK];
  memmove(shape.dims + 1, shape.dims, (size_t)shape.rank * sizeof *shape.dims);
  shape.dims[0] = xlaArrayShape(patches->array).dims[0];
  for (int d = 0; d < shape.rank; ++d)
    from[d] = d + 1;
  kernel->array = xlaArrayBroadcast(product->p->ir, kernel->array,
                                    shape.rank + 1, shape.dims, from);
  for (int i = 0; i < kernel->nContracting; ++i)
    ++kernel->contracting[i];
  kernel->batch = patches->batch = 0;
  --patches->nFree;
  memmove(patches->free, patches->free + 1,
          (size_t)patches->nFree * sizeof *patches->free);
}

static MlirAttribute precisionOf(MlirOperation op, bool isSwapped) {
  MlirAttribute config = xlaOpGetAttr(op, "precision_config");
  if (mlirAttributeIsNull(config) || !isSwapped ||
      !mlirAttributeIsAArray(config) ||
      mlirArrayAttrGetNumElements(config) != 2)
    return config;
  const MlirAttribute swapped[2] = {mlirArrayAttrGetElement(config, 1),
                                    mlirArrayAttrGetElement(config, 0)};
  return mlirArrayAttrGet(mlirOperationGetContext(op), 2, swapped);
}

/// A product for each of what patches have first, which is summed over: then
/// these are added.
static void batchFirstTerm(Product *product) {
  Side *sides[2] = {&product->patches, &product->kernel};
  for (int i = 0; i < 2; ++i) {
    Side *side = sides[i];
    side->batch = side->contracting[0];
    --side->nContracting;
    memmove(side->contracting, side->contracting + 1,
            (size_t)side->nContracting * sizeof *side->contracting);
  }
}

/// An operand without dimensions of size 1 that only the result has: what
/// follows has none either then, and is computed in the product's kernel.
static void leaveOutOnes(XlaIr *ir, Side *side, bool isBatched) {
  XlaShape shape = xlaArrayShape(side->array), kept = shape;
  int64_t to[2 * XLA_MAX_RANK];
  kept.rank = 0;
  for (int d = 0; d < shape.rank; ++d) {
    bool isKept = shape.dims[d] != 1 || (isBatched && d == side->batch);
    for (int i = 0; i < side->nContracting; ++i)
      isKept |= side->contracting[i] == d;
    to[d] = kept.rank;
    if (isKept)
      kept.dims[kept.rank++] = shape.dims[d];
  }
  side->array = xlaArrayReshape(ir, side->array, kept.rank, kept.dims);
  side->batch = to[side->batch];
  for (int i = 0; i < side->nContracting; ++i)
    side->contracting[i] = to[side->contracting[i]];
}

/// The product, in dimensions of the result that `order` names.
static MlirValue multiply(const Product *product, MlirOperation op,
                          bool isSwapped, int batch, const XlaShape *result,
                          const int *order) {
  Side lhs = isSwapped ? product->kernel : product->patches;
  Side rhs = isSwapped ? product->patches : product->kernel;
  XlaIr *ir = product->p->ir;
  MlirContext context = ir->context;
  XlaShape shape = *result, kept = *result;
  leaveOutOnes(ir, &lhs, batch >= 0);
  leaveOutOnes(ir, &rhs, batch >= 0);
  XlaIrAttr attrs[5] = {
      {"lhs_contracting_dimensions",
       mlirDenseI64ArrayGet(context, lhs.nContracting, lhs.contracting)},
      {"rhs_contracting_dimensions",
       mlirDenseI64ArrayGet(context, rhs.nContracting, rhs.contracting)}};
  intptr_t n = 2;
  kept.rank = 0;
  for (int d = 0; d < shape.rank; ++d) {
    shape.dims[d] = result->dims[order[d]];
    if (shape.dims[d] != 1 || (batch >= 0 && d == 0))
      kept.dims[kept.rank++] = shape.dims[d];
  }
  if (batch >= 0) {
    attrs[n++] = (XlaIrAttr){"lhs_batching_dimensions",
                             mlirDenseI64ArrayGet(context, 1, &lhs.batch)};
    attrs[n++] = (XlaIrAttr){"rhs_batching_dimensions",
                             mlirDenseI64ArrayGet(context, 1, &rhs.batch)};
  }
  MlirAttribute precision = precisionOf(op, isSwapped);
  if (!mlirAttributeIsNull(precision))
    attrs[n++] = (XlaIrAttr){"precision_config", precision};
  MlirValue sums =
      xlaIrOp(ir, "xla.dot_general", xlaShapeToMlir(&kept, context), 2,
              (MlirValue[]){lhs.array, rhs.array}, n, attrs);
  return xlaArrayReshape(ir, sums, shape.rank, shape.dims);
}

/// Puts dimensions that are in `order` into theirs.
static MlirValue arrange(const Product *product, MlirValue sums,
                         const XlaShape *result, const int *order) {
  int64_t permutation[XLA_MAX_RANK];
  if (isInOrder(result, order))
    return xlaArrayReshape(product->p->ir, sums, result->rank, result->dims);
  for (int d = 0; d < result->rank; ++d)
    permutation[order[d]] = d;
  return xlaArrayTranspose(product->p->ir, sums, permutation);
}

/// The dimensions of the result, with groups.
static XlaShape resultOf(const Product *product, XlaElementType type) {
  const XlaPatches *p = product->p;
  const int64_t groups = product->groups;
  XlaShape kernel = xlaArrayShape(product->kernel.array), result = {0};
  int64_t features = kernel.dims[p->kernelAt.batch + (groups > 1)];
  const XlaShape patches = xlaArrayShape(product->patches.array);
  int at = inGroups(product, p->resultAt.feature);
  result.elementType = type;
  result.rank = product->rank;
  for (int i = 0, k = 0; i < patches.rank; ++i) {
    bool isSummed = groups > 1 && i == product->patches.batch;
    for (int c = 0; c < product->patches.nContracting; ++c)
      isSummed |= product->patches.contracting[c] == i;
    if (!isSummed)
      result.dims[product->patches.free[k++]] = patches.dims[i];
  }
  result.dims[at] = features;
  if (groups > 1)
    result.dims[at - 1] = groups;
  return result;
}

/// Terms of each of a first dimension are in a product of its own, and these
/// are added.
static MlirValue sumProducts(Product *product, MlirOperation op,
                             const XlaShape *result) {
  const Side *patches = &product->patches;
  XlaIr *ir = product->p->ir;
  XlaShape all = *result;
  int order[XLA_MAX_RANK];
  orderOf(patches, &product->kernel, -1, order);
  bool isSwapped = !isInOrder(result, order);
  if (isSwapped)
    orderOf(&product->kernel, patches, -1, order);
  memmove(all.dims + 1, all.dims, (size_t)all.rank * sizeof *all.dims);
  all.dims[0] = xlaArrayShape(patches->array).dims[patches->contracting[0]];
  all.rank += 1;
  batchFirstTerm(product);
  int each[XLA_MAX_RANK] = {0};
  for (int d = 0; d < result->rank; ++d)
    each[1 + d] = 1 + order[d];
  MlirValue sums = multiply(product, op, isSwapped, 0, &all, each);
  return arrange(product, xlaArraySum(ir, sums, 1), result, order);
}

MlirValue xlaPatchesContract(const XlaPatches *p, MlirOperation op,
                             MlirValue patches, MlirValue kernel,
                             XlaElementType type) {
  Product product = {.p = p, .groups = p->c.featureGroups * p->c.batchGroups};
  bool isGrouped = product.groups > 1, isSwapped = false;
  int order[XLA_MAX_RANK];
  product.rank = p->m + 2 + isGrouped;
  readPatches(&product, patches);
  readKernel(&product, kernel);
  sortTerms(&product);
  XlaShape result = resultOf(&product, type);
  if (p->form == XlaPatchFormSum)
    return sumProducts(&product, op, &result);
  orderKernel(&product);
  int batch = isGrouped ? p->resultAt.feature : -1;
  if (p->form == XlaPatchFormEach) {
    repeatKernel(&product);
    isSwapped = true;
    batch = 0;
  }
  orderOf(&product.patches, &product.kernel, batch, order);
  if (isSwapped || !isInOrder(&result, order)) {
    orderOf(&product.kernel, &product.patches, batch, order);
    isSwapped |= isInOrder(&result, order);
  }
  if (!isSwapped)
    orderOf(&product.patches, &product.kernel, batch, order);
  MlirValue sums = multiply(&product, op, isSwapped, batch, &result, order);
  sums = arrange(&product, sums, &result, order);
  if (!isGrouped)
    return sums;
  int at = p->resultAt.feature;
  result.dims[at] *= result.dims[at + 1];
  memmove(result.dims + at + 1, result.dims + at + 2,
          (size_t)(result.rank - at - 2) * sizeof *result.dims);
  return xlaArrayReshape(p->ir, sums, result.rank - 1, result.dims);
}

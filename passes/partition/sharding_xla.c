//===- sharding_xla.c - Shardings as XLA writes them ----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/partition/sharding_text.h"

#include "xlac/dialect/ir.h"

#include <stdlib.h>
#include <string.h>

enum { maxDims = XLA_MAX_RANK + 8 };

typedef struct Numbers {
  int n;
  int64_t values[maxDims];
} Numbers;

/// `1,2` up to `end`.
static bool readNumbers(XlaShardingText *text, const char *end,
                        Numbers *numbers) {
  numbers->n = 0;
  if (xlaShardingAccept(text, end))
    return true;
  do {
    if (numbers->n == maxDims ||
        !xlaShardingReadNumber(text, &numbers->values[numbers->n]))
      return false;
    ++numbers->n;
  } while (xlaShardingAccept(text, ","));
  return xlaShardingAccept(text, end);
}

/// The product; 0 if it is not `count`.
static bool hasProduct(const Numbers *numbers, int count) {
  int64_t product = 1;
  for (int i = 0; i < numbers->n; ++i) {
    if (numbers->values[i] < 1 || numbers->values[i] > count / product)
      return false;
    product *= numbers->values[i];
  }
  return product == count;
}

/// `<=[2,4]T(1,0)`, or the devices one after the other.
static bool readDevices(XlaShardingText *text, int n, int *devices) {
  Numbers dims, order;
  if (!xlaShardingAccept(text, "<=[")) {
    for (int i = 0; i < n; ++i) {
      int64_t device;
      if ((i && !xlaShardingAccept(text, ",")) ||
          !xlaShardingReadNumber(text, &device) || device >= n)
        return false;
      devices[i] = (int)device;
    }
    return true;
  }
  if (!readNumbers(text, "]", &dims) || !hasProduct(&dims, n))
    return false;
  if (xlaShardingAccept(text, "T(")) {
    if (!readNumbers(text, ")", &order) || order.n != dims.n)
      return false;
  } else {
    order.n = dims.n;
    for (int d = 0; d < dims.n; ++d)
      order.values[d] = d;
  }
  uint64_t seen = 0;
  for (int d = 0; d < dims.n; ++d) {
    if (order.values[d] >= dims.n || (seen >> order.values[d] & 1))
      return false;
    seen |= (uint64_t)1 << order.values[d];
  }
  for (int i = 0; i < n; ++i) {
    int64_t coordinates[maxDims], rest = i, device = 0;
    for (int d = dims.n - 1; d >= 0; --d) {
      int64_t size = dims.values[order.values[d]];
      coordinates[order.values[d]] = rest % size;
      rest /= size;
    }
    for (int d = 0; d < dims.n; ++d)
      device = device * dims.values[d] + coordinates[d];
    devices[i] = (int)device;
  }
  return true;
}

/// Whether the array has as many dimensions as are not of copies, or of
/// addends, which `areAddends` says of each behind its own.
static bool readKinds(XlaShardingText *text, const Numbers *dims, int rank,
                      bool areAddends[maxDims]) {
  int nCopies = 0;
  memset(areAddends, 0, maxDims * sizeof *areAddends);
  if (xlaShardingAccept(text, "last_tile_dim_replicate"))
    nCopies = 1;
  else if (xlaShardingAccept(text, "last_tile_dims={"))
    do {
      if (rank + nCopies >= dims->n)
        return false;
      if (xlaShardingAccept(text, "unreduced"))
        areAddends[nCopies] = true;
      else if (!xlaShardingAccept(text, "manual") &&
               !xlaShardingAccept(text, "replicated"))
        return false;
      ++nCopies;
    } while (xlaShardingAccept(text, ","));
  return dims->n - nCopies == rank;
}

/// Puts devices, which are listed in the order of `dims`, in their places.
static bool place(XlaSharding *made, const Numbers *dims,
                  const bool *areAddends, const int *devices) {
  for (int i = 0; i < made->nDevices; ++i)
    made->copy[i] = -1;
  int nLast = dims->n - made->rank;
  const int64_t *last = dims->values + made->rank;
  for (int k = 0; k < nLast; ++k)
    if (areAddends[k])
      made->nAddends *= (int)last[k];
  for (int i = 0; i < made->nDevices; ++i) {
    int64_t rest = i;
    int device = devices[i], nCopies = 1, nAddends = 1;
    if (made->copy[device] >= 0)
      return false;
    made->copy[device] = 0;
    for (int k = nLast - 1; k >= 0; --k) {
      int *number = areAddends[k] ? made->addend : made->copy;
      int *n = areAddends[k] ? &nAddends : &nCopies;
      number[device] += *n * (int)(rest % last[k]);
      *n *= (int)last[k];
      rest /= last[k];
    }
    for (int d = made->rank - 1; d >= 0; --d) {
      xlaShardingAt(made, device)[d] = (int)(rest % dims->values[d]);
      rest /= dims->values[d];
    }
  }
  for (int d = 0; d < made->rank; ++d)
    made->tiles[d] = dims->values[d];
  return true;
}

XlaShardingResult xlaShardingReadXla(MlirStringRef string, int nDevices,
                                     int rank, XlaSharding **sharding) {
  XlaShardingText text = xlaShardingTextOf(string);
  Numbers dims;
  bool areAddends[maxDims] = {false};
  *sharding = NULL;
  if (!xlaShardingAccept(&text, "{"))
    return XlaShardingInvalid;
  if (xlaShardingAccept(&text, "manual") || xlaShardingAccept(&text, "maximal"))
    return XlaShardingOther;
  bool isUnreduced = xlaShardingAccept(&text, "unreduced");
  bool isReplicated = !isUnreduced && xlaShardingAccept(&text, "replicated");
  if (!isUnreduced && !isReplicated &&
      (!xlaShardingAccept(&text, "devices=[") ||
       !readNumbers(&text, "]", &dims) || !hasProduct(&dims, nDevices)))
    return XlaShardingInvalid;
  XlaSharding *made = xlaShardingCreate(nDevices, rank);
  int *devices = calloc((size_t)nDevices + 1, sizeof *devices);
  XlaShardingResult result =
      !made || !devices ? XlaShardingNoMemory : XlaShardingOk;
  for (int i = 0; result == XlaShardingOk && isUnreduced && i < nDevices; ++i) {
    made->nAddends = nDevices;
    made->addend[i] = i;
    made->copy[i] = 0;
  }
  if (result == XlaShardingOk && !isUnreduced && !isReplicated &&
      (!readDevices(&text, nDevices, devices) ||
       !readKinds(&text, &dims, rank, areAddends) ||
       !place(made, &dims, areAddends, devices)))
    result = XlaShardingInvalid;
  free(devices);
  if (result == XlaShardingOk)
    *sharding = made;
  else
    xlaShardingDestroy(made);
  return result;
}

/// The devices of each part, one part after the other.
static void writeDevices(const XlaSharding *s, int64_t nTiles, int nCopies,
                         XlaIrText *text) {
  for (int64_t t = 0; t < nTiles; ++t)
    for (int c = 0; c < s->nAddends * nCopies; ++c) {
      int coordinates[XLA_MAX_RANK];
      int64_t rest = t;
      for (int d = s->rank - 1; d >= 0; --d) {
        coordinates[d] = (int)(rest % s->tiles[d]);
        rest /= s->tiles[d];
      }
      xlaIrTextPrint(text, "%s%d", t || c ? "," : "",
                     xlaShardingFind(s, coordinates, c / nCopies, c % nCopies));
    }
}

char *xlaShardingWrite(const XlaSharding *s) {
  XlaIrText text = {0};
  int64_t nTiles = 1;
  for (int d = 0; d < s->rank; ++d)
    nTiles *= s->tiles[d];
  int nCopies = (int)(s->nDevices / nTiles) / s->nAddends;
  if (xlaShardingIsReplicated(s)) {
    xlaIrTextPrint(&text, "{replicated}");
  } else if (s->nAddends == s->nDevices) {
    xlaIrTextPrint(&text, "{unreduced}");
  } else {
    const char *comma = "";
    xlaIrTextPrint(&text, "{devices=[");
    for (int d = 0; d < s->rank; ++d, comma = ",")
      xlaIrTextPrint(&text, "%s%lld", comma, (long long)s->tiles[d]);
    if (s->nAddends > 1) {
      xlaIrTextPrint(&text, "%s%d", comma, s->nAddends);
      comma = ",";
    }
    if (nCopies > 1)
      xlaIrTextPrint(&text, "%s%d", comma, nCopies);
    xlaIrTextPrint(&text, "]");
    writeDevices(s, nTiles, nCopies, &text);
    if (s->nAddends > 1)
      xlaIrTextPrint(&text, " last_tile_dims={unreduced%s}",
                     nCopies > 1 ? ", replicated" : "");
    else if (nCopies > 1)
      xlaIrTextPrint(&text, " last_tile_dim_replicate");
    xlaIrTextPrint(&text, "}");
  }
  xlaIrTextAppend(mlirStringRefCreate("", 1), &text);
  if (!text.isCut)
    return text.data;
  free(text.data);
  return NULL;
}

//===- sharding.h - Where the parts of an array lie -----------------*- C
//-*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_PARTITION_SHARDING_H
#define XLAC_PASSES_PARTITION_SHARDING_H

#include "mlir-c/IR.h"
#include "xlac/dialect/shape.h"

/// An array is the sum of `nAddends` arrays, each cut into tiles[0] x
/// tiles[1] x .. parts. Each partition has the one at its coordinates of its
/// addend; those that have the same one are numbered.
enum { XLA_SHARDING_AXES = 10 }; ///< that cut a dimension, for 1024 devices

typedef struct XlaSharding {
  int nDevices, rank;
  int nAddends; ///< 1 but for partial sums
  int64_t tiles[XLA_MAX_RANK];
  /// The sizes of a mesh's axes that cut a dimension, above 1, the major one
  /// first; zeros follow. Empty where they are not known.
  uint16_t axes[XLA_MAX_RANK][XLA_SHARDING_AXES];
  int *coordinates;        ///< device * rank + dimension
  int *addend;             ///< by device
  int *copy;               ///< of the part, by device
  bool isOpen;             ///< nothing is said of any dimension
  bool open[XLA_MAX_RANK]; ///< nothing is said of this one
} XlaSharding;

typedef enum XlaShardingResult {
  XlaShardingOk,
  XlaShardingOther,    ///< manual, or all on one device
  XlaShardingInvalid,  ///< not of an array of this rank on so many devices
  XlaShardingNoMemory, ///< or a size above that of an int
} XlaShardingResult;

/// Every device has all of it. NULL without memory.
XlaSharding *xlaShardingCreate(int nDevices, int rank);
/// NULL is allowed.
void xlaShardingDestroy(XlaSharding *sharding);

/// "{devices=[2,1,4]<=[8] last_tile_dim_replicate}", as XLA writes it.
XlaShardingResult xlaShardingReadXla(MlirStringRef text, int nDevices, int rank,
                                     XlaSharding **sharding);
/// What is between the brackets of `#sdy.sharding<@mesh, [{"x"}, {}]>`. Axes
/// that are not in `manual` ("x", "y"), unless its data is NULL, do not count.
XlaShardingResult xlaShardingReadSdy(MlirStringRef text, MlirOperation module,
                                     MlirStringRef manual, int nDevices,
                                     int rank, XlaSharding **sharding);

/// As xlaShardingReadXla reads it; to be freed. NULL without memory.
char *xlaShardingWrite(const XlaSharding *sharding);

/// Dimension d is cut as dimension dimensions[d] of from[d], if that is not
/// NULL; NULL without memory, or if devices do not have all parts then.
XlaSharding *xlaShardingCompose(int nDevices, int rank,
                                const XlaSharding *const *from,
                                const int *dimensions);
/// Parts of equal size into which the first axes cut dimension d, if that has
/// `size` elements: as many as these axes can.
int64_t xlaShardingDivide(const XlaSharding *sharding, int d, int64_t size);
/// Cut into `n` parts along dimension d, of which those of `from` are parts
/// again, as elsewhere; NULL without memory.
XlaSharding *xlaShardingCoarsen(const XlaSharding *from, int d, int64_t n);
/// Whether every device has all of the array.
bool xlaShardingIsReplicated(const XlaSharding *sharding);
/// Whether devices have the same parts.
bool xlaShardingEqual(const XlaSharding *a, const XlaSharding *b);
/// Whether two devices have the same part.
bool xlaShardingIsSamePart(const XlaSharding *sharding, int a, int b);
/// The device that has the part at these coordinates, copy `copy` of that of an
/// addend; -1 if there is none.
int xlaShardingFind(const XlaSharding *sharding, const int *coordinates,
                    int addend, int copy);
/// How many devices the largest mesh of a module (sdy.mesh) has; 1 without one.
int64_t xlaShardingCountDevices(MlirOperation module);

#endif // XLAC_PASSES_PARTITION_SHARDING_H

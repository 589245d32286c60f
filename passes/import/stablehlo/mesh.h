//===- mesh.h - Groups of devices along the axes of a mesh --------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mesh is an array of devices whose dimensions have names. Those that differ
// along some axes only, or along parts of them, are a group:
//
//   HLO        mesh['x'=2,'y'=4], device_ids=(..) {'x','y':(1)2}
//   StableHLO  #stablehlo.replica_group_mesh_axes<mesh = @mesh,
//                axes = [#stablehlo.axis_ref<name = "x">, ..]>
//              #sdy.mesh<["x"=2, "y"=4], device_ids=[..]>, of @mesh
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PASSES_IMPORT_STABLEHLO_MESH_H
#define XLAC_PASSES_IMPORT_STABLEHLO_MESH_H

#include "xlac/passes/import/stablehlo/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/// `n` groups of `size` devices, one after another; `ids` is to be freed.
typedef struct XlaMeshGroups {
  int64_t n, size;
  int64_t *ids;
} XlaMeshGroups;

/// Reads groups as HLO has them, from the word `mesh` on. NULL, or what is
/// wrong.
const char *xlaMeshReadHlo(XlaImportText *text, XlaMeshGroups *groups);

/// The name of the mesh in StableHLO's text, without its `@`; empty if it is
/// not of that form.
MlirStringRef xlaMeshName(MlirStringRef text);
/// The groups of StableHLO's text, in a mesh of Shardy's text, which is empty
/// if there is none of that name, or the groups have their own. NULL, or what
/// is wrong.
const char *xlaMeshRead(MlirStringRef text, MlirStringRef mesh,
                        XlaMeshGroups *groups);

#ifdef __cplusplus
}
#endif

#endif // XLAC_PASSES_IMPORT_STABLEHLO_MESH_H

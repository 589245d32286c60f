//===- mesh.c - Groups of devices along the axes of a mesh ----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/import/stablehlo/mesh.h"

#include "xlac/dialect/ops/groups.h"

#include <stdlib.h>
#include <string.h>

typedef struct Mesh {
  int n;
  MlirStringRef names[XLA_MAX_RANK];
  int64_t sizes[XLA_MAX_RANK];
  int64_t *devices, nDevices; ///< NULL: 0, 1 ..
} Mesh;

/// The part of an axis that has `size` elements, behind `before` others.
typedef struct Axis {
  int axis;
  int64_t before, size;
} Axis;

typedef struct Axes {
  int n;
  Axis items[XLA_MAX_RANK];
} Axes;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static bool readName(XlaImportText *text, const char *quote,
                     MlirStringRef *name) {
  if (!xlaTextAccept(text, quote))
    return false;
  const char *end =
      memchr(text->next, *quote, (size_t)(text->end - text->next));
  if (!end)
    return false;
  *name = mlirStringRefCreate(text->next, (size_t)(end - text->next));
  text->next = end + 1;
  return true;
}

/// `["x"=2, "y"=4]`.
static bool readMeshAxes(XlaImportText *text, const char *quote, Mesh *mesh) {
  if (!xlaTextAccept(text, "["))
    return false;
  if (xlaTextAccept(text, "]"))
    return true;
  do {
    int i = mesh->n;
    if (i == XLA_MAX_RANK || !readName(text, quote, &mesh->names[i]) ||
        !xlaTextAccept(text, "=") || !xlaTextReadInteger(text, &mesh->sizes[i]))
      return false;
    mesh->n = i + 1;
  } while (xlaTextAccept(text, ","));
  return xlaTextAccept(text, "]");
}

static bool readIntegers(XlaImportText *text, const char *close, int64_t most,
                         int64_t *values, int64_t *n) {
  *n = 0;
  do {
    if (*n == most || !xlaTextReadInteger(text, &values[*n]))
      return false;
    *n += 1;
  } while (xlaTextAccept(text, ","));
  return xlaTextAccept(text, close);
}

/// The numbers 0, 1 .. in an array of `dims`, whose dimensions are put in
/// `order`. `ids` has room for `count`; false if that is not their number.
static bool makeTurned(int rank, const int64_t *dims, const int64_t *order,
                       int64_t count, int64_t *ids) {
  int64_t strides[XLA_MAX_RANK], moved[XLA_MAX_RANK];
  int64_t index[XLA_MAX_RANK] = {0}, total = 1;
  uint32_t seen = 0;
  for (int d = rank - 1; d >= 0; --d) {
    if (dims[d] < 1 || total > XLA_MAX_GROUP_IDS / dims[d])
      return false;
    strides[d] = total;
    total *= dims[d];
  }
  for (int d = 0; d < rank; ++d) {
    if (order[d] < 0 || order[d] >= rank || (seen >> order[d] & 1))
      return false;
    seen |= UINT32_C(1) << order[d];
    moved[d] = dims[order[d]];
  }
  for (int64_t i = 0; total == count && i < count; ++i) {
    ids[i] = 0;
    for (int d = 0; d < rank; ++d)
      ids[i] += index[d] * strides[order[d]];
    xlaIndexNext(index, moved, rank);
  }
  return total == count;
}

/// `[2,4]T(1,0)`, behind its bracket.
static bool readTurned(XlaImportText *text, Mesh *mesh) {
  int64_t dims[XLA_MAX_RANK], order[XLA_MAX_RANK], rank, nOrder;
  if (!readIntegers(text, "]", XLA_MAX_RANK, dims, &rank))
    return false;
  for (nOrder = 0; nOrder < rank; ++nOrder)
    order[nOrder] = nOrder;
  if (xlaTextAccept(text, "T") &&
      (!xlaTextAccept(text, "(") ||
       !readIntegers(text, ")", XLA_MAX_RANK, order, &nOrder)))
    return false;
  return nOrder == rank && xlaTextAccept(text, ")") &&
         makeTurned((int)rank, dims, order, mesh->nDevices, mesh->devices);
}

static const char *readDevices(XlaImportText *text, Mesh *mesh) {
  int64_t n;
  if (!xlaTextAccept(text, "device_ids") || !xlaTextAccept(text, "="))
    return "expected device_ids";
  mesh->devices = malloc(((size_t)mesh->nDevices + 1) * sizeof *mesh->devices);
  if (!mesh->devices)
    return "out of memory";
  bool isHlo = xlaTextAccept(text, "(");
  bool read = isHlo && xlaTextAccept(text, "[") ? readTurned(text, mesh)
              : isHlo || xlaTextAccept(text, "[")
                  ? readIntegers(text, isHlo ? ")" : "]", mesh->nDevices,
                                 mesh->devices, &n) &&
                        n == mesh->nDevices
                  : false;
  return read ? NULL : "the mesh must have as many devices as places";
}

static const char *countDevices(Mesh *mesh) {
  mesh->nDevices = 1;
  for (int i = 0; i < mesh->n; ++i) {
    if (mesh->sizes[i] < 1 ||
        mesh->nDevices > XLA_MAX_GROUP_IDS / mesh->sizes[i])
      return "a mesh is empty, or too large";
    mesh->nDevices *= mesh->sizes[i];
  }
  return NULL;
}

static const char *readMesh(XlaImportText *text, const char *quote,
                            Mesh *mesh) {
  if (!readMeshAxes(text, quote, mesh))
    return "the axes of a mesh cannot be read";
  const char *wrong = countDevices(mesh);
  return !wrong && xlaTextAccept(text, ",") ? readDevices(text, mesh) : wrong;
}

static bool addAxis(const Mesh *mesh, MlirStringRef name, Axes *axes) {
  int i = 0;
  while (i < mesh->n && !mlirStringRefEqual(mesh->names[i], name))
    ++i;
  if (i == mesh->n || axes->n == XLA_MAX_RANK)
    return false;
  axes->items[axes->n++] = (Axis){i, 1, mesh->sizes[i]};
  return true;
}

/// `(1)2`.
static bool readPart(XlaImportText *text, Axis *axis) {
  return xlaTextAccept(text, "(") && xlaTextReadInteger(text, &axis->before) &&
         xlaTextAccept(text, ")") && xlaTextReadInteger(text, &axis->size);
}

/// `{'x','y':(1)2}`.
static bool readHloAxes(XlaImportText *text, const Mesh *mesh, Axes *axes) {
  if (!xlaTextAccept(text, "{"))
    return false;
  if (xlaTextAccept(text, "}"))
    return true;
  do {
    MlirStringRef name;
    if (!readName(text, "'", &name) || !addAxis(mesh, name, axes) ||
        (xlaTextAccept(text, ":") &&
         !readPart(text, &axes->items[axes->n - 1])))
      return false;
  } while (xlaTextAccept(text, ","));
  return xlaTextAccept(text, "}");
}

static bool readAxis(XlaImportText *text, const Mesh *mesh, Axes *axes) {
  MlirStringRef name;
  if (!xlaTextAccept(text, "#stablehlo.axis_ref<") ||
      !xlaTextAccept(text, "name") || !xlaTextAccept(text, "=") ||
      !readName(text, "\"", &name) || !addAxis(mesh, name, axes))
    return false;
  if (xlaTextAccept(text, ",") &&
      (!xlaTextAccept(text, "sub_axis_info") || !xlaTextAccept(text, "=") ||
       !readPart(text, &axes->items[axes->n - 1])))
    return false;
  return xlaTextAccept(text, ">");
}

static bool readAxes(XlaImportText *text, const Mesh *mesh, Axes *axes) {
  if (!xlaTextAccept(text, "["))
    return false;
  if (xlaTextAccept(text, "]"))
    return true;
  do {
    if (!readAxis(text, mesh, axes))
      return false;
  } while (xlaTextAccept(text, ","));
  return xlaTextAccept(text, "]");
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// The mesh with its axes taken apart, so that every part of one that is asked
/// for is a dimension.
typedef struct Split {
  int n;
  int64_t dims[XLA_MAX_RANK];
  int ref[XLA_MAX_RANK]; ///< which of the axes it is; -1: none
} Split;

static bool addDim(Split *split, int64_t size, int ref) {
  if (split->n == XLA_MAX_RANK)
    return false;
  split->dims[split->n] = size;
  split->ref[split->n++] = ref;
  return true;
}

/// The part of `axis` that begins behind `before` others, or the next one.
static int findNext(const Axes *axes, int axis, int64_t before) {
  int next = -1;
  for (int i = 0; i < axes->n; ++i)
    if (axes->items[i].axis == axis && axes->items[i].before >= before &&
        (next < 0 || axes->items[i].before < axes->items[next].before))
      next = i;
  return next;
}

static bool splitAxis(const Mesh *mesh, const Axes *axes, int axis,
                      uint64_t *used, Split *split) {
  int64_t before = 1, size = mesh->sizes[axis];
  for (int next; before < size || size == 1;) {
    next = findNext(axes, axis, before);
    int64_t from = next < 0 ? size : axes->items[next].before;
    if (from > size || from % before != 0 ||
        (from > before && !addDim(split, from / before, -1)))
      return false;
    if (next < 0)
      return true;
    int64_t part = axes->items[next].size;
    if (part < 1 || part > size || from > size / part ||
        size % (from * part) != 0 || (*used >> next & 1) ||
        !addDim(split, part, next))
      return false;
    *used |= UINT64_C(1) << next;
    before = from * part;
    if (size == 1)
      return true;
  }
  return true;
}

static const char *makeGroups(const Mesh *mesh, const Axes *axes,
                              XlaMeshGroups *groups) {
  Split split = {.n = 0};
  int64_t order[XLA_MAX_RANK];
  uint64_t used = 0;
  int n = 0;
  for (int axis = 0; axis < mesh->n; ++axis)
    if (!splitAxis(mesh, axes, axis, &used, &split))
      return "parts of an axis overlap, or do not divide it";
  if (used != (UINT64_C(1) << axes->n) - 1)
    return "parts of an axis overlap, or do not divide it";
  groups->size = 1;
  for (int d = 0; d < split.n; ++d)
    if (split.ref[d] < 0)
      order[n++] = d;
  for (int i = 0; i < axes->n; ++i)
    for (int d = 0; d < split.n; ++d)
      if (split.ref[d] == i) {
        order[n++] = d;
        groups->size *= split.dims[d];
      }
  groups->n = mesh->nDevices / groups->size;
  groups->ids = malloc((size_t)mesh->nDevices * sizeof *groups->ids);
  if (!groups->ids)
    return "out of memory";
  if (!makeTurned(split.n, split.dims, order, mesh->nDevices, groups->ids))
    return "the axes do not make the mesh";
  for (int64_t i = 0; mesh->devices && i < mesh->nDevices; ++i)
    groups->ids[i] = mesh->devices[groups->ids[i]];
  return NULL;
}

/// What is made of a mesh whose text has been read, or not: `wrong`.
static const char *finish(Mesh *mesh, const Axes *axes, const char *wrong,
                          XlaMeshGroups *groups) {
  if (!wrong)
    wrong = makeGroups(mesh, axes, groups);
  free(mesh->devices);
  if (wrong) {
    free(groups->ids);
    groups->ids = NULL;
  }
  return wrong;
}

const char *xlaMeshReadHlo(XlaImportText *text, XlaMeshGroups *groups) {
  Mesh mesh = {.n = 0};
  Axes axes = {.n = 0};
  *groups = (XlaMeshGroups){.ids = NULL};
  const char *wrong = xlaTextAccept(text, "mesh")
                          ? readMesh(text, "'", &mesh)
                          : "expected groups of replicas";
  if (!wrong && !readHloAxes(text, &mesh, &axes))
    wrong = "expected axes of the mesh in braces";
  return finish(&mesh, &axes, wrong, groups);
}

/// `<axes=[<name = "x", size = 2>, ..]`.
static bool readOwnAxes(XlaImportText *text, Mesh *mesh) {
  if (!xlaTextAccept(text, "axes") || !xlaTextAccept(text, "=") ||
      !xlaTextAccept(text, "["))
    return false;
  if (xlaTextAccept(text, "]"))
    return true;
  do {
    int i = mesh->n;
    if (i == XLA_MAX_RANK || !xlaTextAccept(text, "<") ||
        !xlaTextAccept(text, "name") || !xlaTextAccept(text, "=") ||
        !readName(text, "\"", &mesh->names[i]) || !xlaTextAccept(text, ",") ||
        !xlaTextAccept(text, "size") || !xlaTextAccept(text, "=") ||
        !xlaTextReadInteger(text, &mesh->sizes[i]) || !xlaTextAccept(text, ">"))
      return false;
    mesh->n = i + 1;
  } while (xlaTextAccept(text, ","));
  return xlaTextAccept(text, "]");
}

/// `, device_ids=dense<[1, 0]> : tensor<2xi64>>`, or `>`.
static const char *readOwnDevices(XlaImportText *text, Mesh *mesh) {
  int64_t n;
  const char *wrong = countDevices(mesh);
  if (wrong || xlaTextAccept(text, ">"))
    return wrong;
  mesh->devices = malloc(((size_t)mesh->nDevices + 1) * sizeof *mesh->devices);
  if (!mesh->devices)
    return "out of memory";
  return xlaTextAccept(text, ",") && xlaTextAccept(text, "device_ids") &&
                 xlaTextAccept(text, "=") && xlaTextAccept(text, "dense<[") &&
                 readIntegers(text, "]", mesh->nDevices, mesh->devices, &n) &&
                 n == mesh->nDevices && xlaTextAccept(text, ">") &&
                 xlaTextAccept(text, ":") && xlaTextAccept(text, "tensor<") &&
                 xlaTextReadWord(text).length && xlaTextAccept(text, ">>")
             ? NULL
             : "the mesh must have as many devices as places, in a list";
}

/// `replica_group_mesh_axes<mesh = #stablehlo.mesh<..>`; false if the mesh is
/// not there.
static bool readOwnMesh(XlaImportText *text, Mesh *mesh, const char **wrong) {
  if (!xlaTextAccept(text, "replica_group_mesh_axes<") ||
      !xlaTextAccept(text, "mesh") || !xlaTextAccept(text, "=") ||
      !xlaTextAccept(text, "#stablehlo.mesh<"))
    return false;
  *wrong = readOwnAxes(text, mesh) ? readOwnDevices(text, mesh)
                                   : "the axes of a mesh cannot be read";
  if (!*wrong && !(xlaTextAccept(text, ",") && xlaTextAccept(text, "axes") &&
                   xlaTextAccept(text, "=")))
    *wrong = "there are no axes";
  return true;
}

/// `replica_group_mesh_axes<mesh = @name, axes = `.
static bool readHead(XlaImportText *text, MlirStringRef *name) {
  if (!xlaTextAccept(text, "replica_group_mesh_axes<") ||
      !xlaTextAccept(text, "mesh") || !xlaTextAccept(text, "=") ||
      !xlaTextAccept(text, "@"))
    return false;
  if (text->next < text->end && *text->next == '"') {
    if (!readName(text, "\"", name))
      return false;
  } else {
    *name = xlaTextReadWord(text);
  }
  return name->length && xlaTextAccept(text, ",") &&
         xlaTextAccept(text, "axes") && xlaTextAccept(text, "=");
}

MlirStringRef xlaMeshName(MlirStringRef text) {
  XlaImportText rest = {text.data, text.data + text.length};
  MlirStringRef name;
  return readHead(&rest, &name) ? name : mlirStringRefCreate(NULL, 0);
}

const char *xlaMeshRead(MlirStringRef text, MlirStringRef mesh,
                        XlaMeshGroups *groups) {
  XlaImportText rest = {text.data, text.data + text.length};
  XlaImportText of = {mesh.data, mesh.data + mesh.length};
  Mesh read = {.n = 0};
  Axes axes = {.n = 0};
  MlirStringRef name;
  const char *wrong = NULL;
  *groups = (XlaMeshGroups){.ids = NULL};
  if (!mesh.length) {
    if (!readOwnMesh(&rest, &read, &wrong))
      return "there is no such mesh";
  } else {
    wrong = xlaTextAccept(&of, "mesh") && xlaTextAccept(&of, "<")
                ? readMesh(&of, "\"", &read)
                : "the mesh cannot be read";
    if (!wrong && !readHead(&rest, &name))
      wrong = "the axes cannot be read";
  }
  if (!wrong && !(readAxes(&rest, &read, &axes) && xlaTextAccept(&rest, ">") &&
                  xlaTextIsAtEnd(&rest)))
    wrong = "the axes cannot be read, or are not those of the mesh";
  return finish(&read, &axes, wrong, groups);
}

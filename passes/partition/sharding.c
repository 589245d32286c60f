//===- sharding.c - Where the parts of an array lie -----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/partition/sharding.h"

#include "xlac/dialect/ir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

XlaSharding *xlaShardingCreate(int nDevices, int rank) {
  XlaSharding *made = calloc(1, sizeof *made);
  if (!made)
    return NULL;
  made->nDevices = nDevices;
  made->rank = rank;
  made->coordinates =
      calloc((size_t)nDevices * (size_t)(rank + 1), sizeof *made->coordinates);
  made->copy = calloc((size_t)nDevices, sizeof *made->copy);
  if (!made->coordinates || !made->copy) {
    xlaShardingDestroy(made);
    return NULL;
  }
  for (int d = 0; d < rank; ++d)
    made->tiles[d] = 1;
  for (int i = 0; i < nDevices; ++i)
    made->copy[i] = i;
  return made;
}

void xlaShardingDestroy(XlaSharding *sharding) {
  if (!sharding)
    return;
  free(sharding->coordinates);
  free(sharding->copy);
  free(sharding);
}

static int *at(const XlaSharding *sharding, int device) {
  return sharding->coordinates + (size_t)device * (size_t)sharding->rank;
}

static bool sameTile(const XlaSharding *s, const int *a, const int *b) {
  return !s->rank || !memcmp(a, b, (size_t)s->rank * sizeof *a);
}

int xlaShardingFind(const XlaSharding *sharding, const int *coordinates,
                    int copy) {
  for (int i = 0; i < sharding->nDevices; ++i)
    if (sharding->copy[i] == copy &&
        sameTile(sharding, at(sharding, i), coordinates))
      return i;
  return -1;
}

bool xlaShardingNumberCopies(XlaSharding *s) {
  int64_t nTiles = 1;
  for (int d = 0; d < s->rank; ++d)
    if (s->tiles[d] > s->nDevices / nTiles)
      return false;
    else
      nTiles *= s->tiles[d];
  int nCopies = s->nDevices / (int)nTiles;
  for (int i = 0; i < s->nDevices; ++i) {
    s->copy[i] = 0;
    for (int k = 0; k < i; ++k)
      s->copy[i] += sameTile(s, at(s, k), at(s, i));
    if (s->copy[i] >= nCopies)
      return false;
  }
  return nTiles * nCopies == s->nDevices;
}

bool xlaShardingIsReplicated(const XlaSharding *sharding) {
  for (int d = 0; d < sharding->rank; ++d)
    if (sharding->tiles[d] != 1)
      return false;
  return true;
}

bool xlaShardingEqual(const XlaSharding *a, const XlaSharding *b) {
  return a->rank == b->rank && a->nDevices == b->nDevices &&
         !memcmp(a->tiles, b->tiles, (size_t)a->rank * sizeof *a->tiles) &&
         !memcmp(a->coordinates, b->coordinates,
                 (size_t)a->nDevices * (size_t)a->rank *
                     sizeof *a->coordinates);
}

bool xlaShardingDivide(const XlaSharding *sharding, const XlaShape *whole,
                       XlaShape *part) {
  *part = *whole;
  if (whole->rank != sharding->rank)
    return false;
  for (int d = 0; d < whole->rank; ++d) {
    if (whole->dims[d] % sharding->tiles[d])
      return false;
    part->dims[d] = whole->dims[d] / sharding->tiles[d];
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

typedef struct Text {
  const char *next, *end;
} Text;

static Text textOf(MlirStringRef text) {
  return (Text){text.data, text.data + text.length};
}

static bool accept(Text *text, const char *token) {
  while (text->next < text->end && *text->next == ' ')
    ++text->next;
  size_t length = strlen(token);
  if ((size_t)(text->end - text->next) < length ||
      memcmp(text->next, token, length) != 0)
    return false;
  text->next += length;
  return true;
}

/// A number of 0 to a million.
static bool readNumber(Text *text, int64_t *value) {
  accept(text, "");
  const char *begin = text->next;
  *value = 0;
  while (text->next < text->end && *text->next >= '0' && *text->next <= '9' &&
         *value <= 1000000)
    *value = 10 * *value + (*text->next++ - '0');
  return text->next != begin && *value <= 1000000;
}

enum { maxDims = XLA_MAX_RANK + 8 };

typedef struct Numbers {
  int n;
  int64_t values[maxDims];
} Numbers;

/// `1,2` up to `end`.
static bool readNumbers(Text *text, const char *end, Numbers *numbers) {
  numbers->n = 0;
  if (accept(text, end))
    return true;
  do {
    if (numbers->n == maxDims ||
        !readNumber(text, &numbers->values[numbers->n]))
      return false;
    ++numbers->n;
  } while (accept(text, ","));
  return accept(text, end);
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

//===----------------------------------------------------------------------===//
// XLA's
//===----------------------------------------------------------------------===//

/// `<=[2,4]T(1,0)`, or the devices one after the other.
static bool readDevices(Text *text, int n, int *devices) {
  Numbers dims, order;
  if (!accept(text, "<=[")) {
    for (int i = 0; i < n; ++i) {
      int64_t device;
      if ((i && !accept(text, ",")) || !readNumber(text, &device) ||
          device >= n)
        return false;
      devices[i] = (int)device;
    }
    return true;
  }
  if (!readNumbers(text, "]", &dims) || !hasProduct(&dims, n))
    return false;
  if (accept(text, "T(")) {
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

/// Whether the array has as many dimensions as are not of copies.
static bool readKinds(Text *text, const Numbers *dims, int rank) {
  int nCopies = 0;
  if (accept(text, "last_tile_dim_replicate"))
    nCopies = 1;
  else if (accept(text, "last_tile_dims={"))
    do {
      ++nCopies;
      if (!accept(text, "manual") && !accept(text, "replicated"))
        return false;
    } while (accept(text, ","));
  return dims->n - nCopies == rank;
}

/// Puts devices, which are listed in the order of `dims`, in their places.
static bool place(XlaSharding *made, const Numbers *dims, const int *devices) {
  for (int i = 0; i < made->nDevices; ++i)
    made->copy[i] = -1;
  for (int i = 0; i < made->nDevices; ++i) {
    int64_t rest = i, nCopies = 1;
    int device = devices[i];
    if (made->copy[device] >= 0)
      return false;
    for (int d = made->rank; d < dims->n; ++d)
      nCopies *= dims->values[d];
    made->copy[device] = (int)(rest % nCopies);
    rest /= nCopies;
    for (int d = made->rank - 1; d >= 0; --d) {
      at(made, device)[d] = (int)(rest % dims->values[d]);
      rest /= dims->values[d];
    }
  }
  for (int d = 0; d < made->rank; ++d)
    made->tiles[d] = dims->values[d];
  return true;
}

XlaShardingResult xlaShardingReadXla(MlirStringRef string, int nDevices,
                                     int rank, XlaSharding **sharding) {
  Text text = textOf(string);
  Numbers dims;
  *sharding = NULL;
  if (!accept(&text, "{"))
    return XlaShardingInvalid;
  if (accept(&text, "manual") || accept(&text, "maximal"))
    return XlaShardingOther;
  bool isReplicated = accept(&text, "replicated");
  if (!isReplicated &&
      (!accept(&text, "devices=[") || !readNumbers(&text, "]", &dims) ||
       !hasProduct(&dims, nDevices)))
    return XlaShardingInvalid;
  XlaSharding *made = xlaShardingCreate(nDevices, rank);
  int *devices = calloc((size_t)nDevices + 1, sizeof *devices);
  XlaShardingResult result =
      !made || !devices ? XlaShardingNoMemory : XlaShardingOk;
  if (result == XlaShardingOk && !isReplicated &&
      (!readDevices(&text, nDevices, devices) ||
       !readKinds(&text, &dims, rank) || !place(made, &dims, devices)))
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
    for (int c = 0; c < nCopies; ++c) {
      int coordinates[XLA_MAX_RANK];
      char number[32];
      int64_t rest = t;
      for (int d = s->rank - 1; d >= 0; --d) {
        coordinates[d] = (int)(rest % s->tiles[d]);
        rest /= s->tiles[d];
      }
      snprintf(number, sizeof number, "%s%d", t || c ? "," : "",
               xlaShardingFind(s, coordinates, c));
      xlaIrTextAppend(mlirStringRefCreateFromCString(number), text);
    }
}

char *xlaShardingWrite(const XlaSharding *s) {
  XlaIrText text = {0};
  char part[40];
  int64_t nTiles = 1;
  for (int d = 0; d < s->rank; ++d)
    nTiles *= s->tiles[d];
  if (nTiles == 1) {
    xlaIrTextAppend(mlirStringRefCreateFromCString("{replicated}"), &text);
  } else {
    int nCopies = (int)(s->nDevices / nTiles);
    xlaIrTextAppend(mlirStringRefCreateFromCString("{devices=["), &text);
    for (int d = 0; d < s->rank; ++d) {
      snprintf(part, sizeof part, "%s%lld", d ? "," : "",
               (long long)s->tiles[d]);
      xlaIrTextAppend(mlirStringRefCreateFromCString(part), &text);
    }
    if (nCopies > 1) {
      snprintf(part, sizeof part, ",%d", nCopies);
      xlaIrTextAppend(mlirStringRefCreateFromCString(part), &text);
    }
    xlaIrTextAppend(mlirStringRefCreateFromCString("]"), &text);
    writeDevices(s, nTiles, nCopies, &text);
    xlaIrTextAppend(mlirStringRefCreateFromCString(
                        nCopies > 1 ? " last_tile_dim_replicate}" : "}"),
                    &text);
  }
  xlaIrTextAppend(mlirStringRefCreate("", 1), &text);
  if (!text.isCut)
    return text.data;
  free(text.data);
  return NULL;
}

//===----------------------------------------------------------------------===//
// Shardy's
//===----------------------------------------------------------------------===//

enum { maxAxes = 32 };

typedef struct Mesh {
  int nAxes;
  MlirStringRef names[maxAxes];
  int64_t sizes[maxAxes];
  int *places; ///< of a device among those of the mesh; to be freed
} Mesh;

static bool readString(Text *text, MlirStringRef *string) {
  if (!accept(text, "\""))
    return false;
  const char *begin = text->next;
  while (text->next < text->end && *text->next != '"')
    ++text->next;
  *string = mlirStringRefCreate(begin, (size_t)(text->next - begin));
  return accept(text, "\"");
}

static int findAxis(const Mesh *mesh, MlirStringRef name) {
  for (int i = 0; i < mesh->nAxes; ++i)
    if (mlirStringRefEqual(mesh->names[i], name))
      return i;
  return -1;
}

/// `["x"=2, "y"=4], device_ids=[1, 0]`.
static XlaShardingResult readMesh(Text *text, int nDevices, Mesh *mesh) {
  int64_t product = 1, device;
  mesh->nAxes = 0;
  if (!accept(text, "["))
    return XlaShardingInvalid;
  while (!accept(text, "]")) {
    int n = mesh->nAxes;
    if (n == maxAxes || (n && !accept(text, ",")) ||
        !readString(text, &mesh->names[n]) || !accept(text, "=") ||
        !readNumber(text, &mesh->sizes[n]) || mesh->sizes[n] < 1 ||
        product > nDevices)
      return XlaShardingInvalid;
    product *= mesh->sizes[mesh->nAxes++];
  }
  bool hasIds = accept(text, ",") && accept(text, "device_ids=[");
  if (!mesh->nAxes && hasIds)
    return XlaShardingOther; // all on one device
  // A mesh without axes is that of a single device, and of what is replicated.
  if (product != nDevices && mesh->nAxes)
    return XlaShardingInvalid;
  mesh->places = calloc((size_t)nDevices, sizeof *mesh->places);
  if (!mesh->places)
    return XlaShardingNoMemory;
  for (int i = 0; i < nDevices; ++i)
    mesh->places[i] = hasIds ? -1 : i;
  for (int i = 0; hasIds && i < nDevices; ++i) {
    if ((i && !accept(text, ",")) || !readNumber(text, &device) ||
        device >= nDevices || mesh->places[device] >= 0)
      return XlaShardingInvalid;
    mesh->places[device] = i;
  }
  return XlaShardingOk;
}

/// What is in `mesh<..>`, of the operation sdy.mesh that is named.
static MlirStringRef findMesh(MlirOperation module, MlirStringRef name) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0));
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!xlaIrIsOp(op, "sdy.mesh"))
      continue;
    MlirAttribute symbol = mlirOperationGetAttributeByName(
        op, mlirStringRefCreateFromCString("sym_name"));
    MlirAttribute mesh = mlirOperationGetAttributeByName(
        op, mlirStringRefCreateFromCString("mesh"));
    if (!mlirAttributeIsNull(symbol) && mlirAttributeIsAString(symbol) &&
        mlirStringRefEqual(mlirStringAttrGetValue(symbol), name) &&
        !mlirAttributeIsNull(mesh) && mlirAttributeIsAOpaque(mesh))
      return mlirOpaqueAttrGetData(mesh);
  }
  return mlirStringRefCreate(NULL, 0);
}

/// `@mesh`, or `mesh<..>` itself.
static XlaShardingResult readMeshOf(Text *text, MlirOperation module,
                                    int nDevices, Mesh *mesh) {
  if (accept(text, "mesh<")) {
    XlaShardingResult result = readMesh(text, nDevices, mesh);
    return result == XlaShardingOk && !accept(text, ">") &&
                   !(accept(text, "]") && accept(text, ">"))
               ? XlaShardingInvalid
               : result;
  }
  if (!accept(text, "@"))
    return XlaShardingInvalid;
  bool isQuoted = accept(text, "\"");
  const char *begin = text->next;
  while (text->next < text->end && *text->next != ',' &&
         *text->next != (isQuoted ? '"' : ' '))
    ++text->next;
  MlirStringRef found = findMesh(
      module, mlirStringRefCreate(begin, (size_t)(text->next - begin)));
  Text inner = textOf(found);
  if (isQuoted)
    accept(text, "\"");
  if (!found.data || !accept(&inner, "mesh<"))
    return XlaShardingInvalid;
  return readMesh(&inner, nDevices, mesh);
}

/// Whether `name` stands among `"x", "y"`.
static bool isNamed(MlirStringRef list, MlirStringRef name) {
  Text text = textOf(list);
  MlirStringRef found;
  while (readString(&text, &found)) {
    if (mlirStringRefEqual(found, name))
      return true;
    accept(&text, ",");
  }
  return false;
}

/// `"x"`, or a part of an axis, `"x":(1)2`, of dimension `d`.
static bool readAxis(Text *text, const Mesh *mesh, MlirStringRef manual, int d,
                     XlaSharding *made) {
  MlirStringRef name;
  if (!readString(text, &name))
    return false;
  int axis = findAxis(mesh, name);
  if (axis < 0)
    return false;
  int64_t before = 1, size = mesh->sizes[axis], inner = 1;
  if (accept(text, ":") && (!accept(text, "(") || !readNumber(text, &before) ||
                            !accept(text, ")") || !readNumber(text, &size)))
    return false;
  if (before < 1 || size < 1 || mesh->sizes[axis] % (before * size))
    return false;
  if (d < 0 || (manual.data && !isNamed(manual, name)))
    return true;
  inner = mesh->sizes[axis] / (before * size);
  for (int i = axis + 1; i < mesh->nAxes; ++i)
    inner *= mesh->sizes[i];
  if (made->tiles[d] > made->nDevices / size)
    return false;
  made->tiles[d] *= size;
  for (int i = 0; i < made->nDevices; ++i) {
    int *place = &at(made, i)[d];
    *place = *place * (int)size + (int)(mesh->places[i] / inner % size);
  }
  return true;
}

/// `{"x", "y", ?}p1`
static bool readDimension(Text *text, const Mesh *mesh, MlirStringRef manual,
                          int d, XlaSharding *made) {
  int64_t priority;
  bool isOpen = false;
  if (!accept(text, "{"))
    return false;
  while (!accept(text, "}")) {
    accept(text, ",");
    if (accept(text, "?"))
      isOpen = true;
    else if (!readAxis(text, mesh, manual, d, made))
      return false;
  }
  made->isOpen &= isOpen && made->tiles[d] == 1;
  return !accept(text, "p") || readNumber(text, &priority);
}

/// Copies in the order of the mesh.
static bool numberCopies(XlaSharding *made, const Mesh *mesh) {
  if (!xlaShardingNumberCopies(made))
    return false;
  for (int i = 0; i < made->nDevices; ++i) {
    made->copy[i] = 0;
    for (int k = 0; k < made->nDevices; ++k)
      made->copy[i] += mesh->places[k] < mesh->places[i] &&
                       sameTile(made, at(made, k), at(made, i));
  }
  return true;
}

static bool readDimensions(Text *text, const Mesh *mesh, MlirStringRef manual,
                           XlaSharding *made) {
  if (!accept(text, ",") || !accept(text, "["))
    return false;
  made->isOpen = true;
  for (int d = 0; d < made->rank; ++d)
    if ((d && !accept(text, ",")) ||
        !readDimension(text, mesh, manual, d, made))
      return false;
  made->isOpen &= made->rank > 0;
  if (!accept(text, "]"))
    return false;
  while (accept(text, ",")) {
    if (!accept(text, "replicated={")) // partial sums
      return false;
    while (text->next < text->end && !accept(text, "}"))
      ++text->next;
  }
  return numberCopies(made, mesh);
}

XlaShardingResult xlaShardingReadSdy(MlirStringRef string, MlirOperation module,
                                     MlirStringRef manual, int nDevices,
                                     int rank, XlaSharding **sharding) {
  Text text = textOf(string);
  Mesh mesh = {0};
  *sharding = NULL;
  XlaShardingResult result = readMeshOf(&text, module, nDevices, &mesh);
  if (result == XlaShardingOk) {
    XlaSharding *made = xlaShardingCreate(nDevices, rank);
    if (!made)
      result = XlaShardingNoMemory;
    else if (!readDimensions(&text, &mesh, manual, made))
      result = XlaShardingInvalid;
    if (result == XlaShardingOk)
      *sharding = made;
    else
      xlaShardingDestroy(made);
  }
  free(mesh.places);
  return result;
}

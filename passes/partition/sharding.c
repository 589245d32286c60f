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
  made->nAddends = 1;
  made->coordinates =
      calloc((size_t)nDevices * (size_t)(rank + 1), sizeof *made->coordinates);
  made->addend = calloc((size_t)nDevices, sizeof *made->addend);
  made->copy = calloc((size_t)nDevices, sizeof *made->copy);
  if (!made->coordinates || !made->addend || !made->copy) {
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
  free(sharding->addend);
  free(sharding->copy);
  free(sharding);
}

static int *at(const XlaSharding *sharding, int device) {
  return sharding->coordinates + (size_t)device * (size_t)sharding->rank;
}

static bool sameTile(const XlaSharding *s, const int *a, const int *b) {
  return !s->rank || !memcmp(a, b, (size_t)s->rank * sizeof *a);
}

bool xlaShardingIsSamePart(const XlaSharding *s, int a, int b) {
  return s->addend[a] == s->addend[b] && sameTile(s, at(s, a), at(s, b));
}

int xlaShardingFind(const XlaSharding *sharding, const int *coordinates,
                    int addend, int copy) {
  for (int i = 0; i < sharding->nDevices; ++i)
    if (sharding->addend[i] == addend && sharding->copy[i] == copy &&
        sameTile(sharding, at(sharding, i), coordinates))
      return i;
  return -1;
}

/// Numbers copies anew, by device. False unless every part has as many.
static bool numberCopies(XlaSharding *s) {
  int64_t nTiles = s->nAddends;
  for (int d = 0; d < s->rank; ++d)
    if (s->tiles[d] > s->nDevices / nTiles)
      return false;
    else
      nTiles *= s->tiles[d];
  int nCopies = s->nDevices / (int)nTiles;
  for (int i = 0; i < s->nDevices; ++i) {
    s->copy[i] = 0;
    for (int k = 0; k < i; ++k)
      s->copy[i] += xlaShardingIsSamePart(s, k, i);
    if (s->copy[i] >= nCopies)
      return false;
  }
  return nTiles * nCopies == s->nDevices;
}

XlaSharding *xlaShardingCompose(int nDevices, int rank,
                                const XlaSharding *const *from,
                                const int *dimensions) {
  XlaSharding *made = xlaShardingCreate(nDevices, rank);
  for (int d = 0; made && d < rank; ++d) {
    if (!from[d] || dimensions[d] >= from[d]->rank)
      continue;
    made->tiles[d] = from[d]->tiles[dimensions[d]];
    for (int i = 0; i < nDevices; ++i)
      at(made, i)[d] = at(from[d], i)[dimensions[d]];
  }
  if (made && numberCopies(made))
    return made;
  xlaShardingDestroy(made);
  return NULL;
}

bool xlaShardingIsReplicated(const XlaSharding *sharding) {
  for (int d = 0; d < sharding->rank; ++d)
    if (sharding->tiles[d] != 1)
      return false;
  return sharding->nAddends == 1;
}

bool xlaShardingEqual(const XlaSharding *a, const XlaSharding *b) {
  return a->rank == b->rank && a->nDevices == b->nDevices &&
         a->nAddends == b->nAddends &&
         !memcmp(a->addend, b->addend,
                 (size_t)a->nDevices * sizeof *a->addend) &&
         !memcmp(a->tiles, b->tiles, (size_t)a->rank * sizeof *a->tiles) &&
         !memcmp(a->coordinates, b->coordinates,
                 (size_t)a->nDevices * (size_t)a->rank *
                     sizeof *a->coordinates);
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

/// Whether the array has as many dimensions as are not of copies, or of
/// addends, which `areAddends` says of each behind its own.
static bool readKinds(Text *text, const Numbers *dims, int rank,
                      bool areAddends[maxDims]) {
  int nCopies = 0;
  memset(areAddends, 0, maxDims * sizeof *areAddends);
  if (accept(text, "last_tile_dim_replicate"))
    nCopies = 1;
  else if (accept(text, "last_tile_dims={"))
    do {
      if (rank + nCopies >= dims->n)
        return false;
      if (accept(text, "unreduced"))
        areAddends[nCopies] = true;
      else if (!accept(text, "manual") && !accept(text, "replicated"))
        return false;
      ++nCopies;
    } while (accept(text, ","));
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
  bool areAddends[maxDims] = {false};
  *sharding = NULL;
  if (!accept(&text, "{"))
    return XlaShardingInvalid;
  if (accept(&text, "manual") || accept(&text, "maximal"))
    return XlaShardingOther;
  bool isUnreduced = accept(&text, "unreduced");
  bool isReplicated = !isUnreduced && accept(&text, "replicated");
  if (!isUnreduced && !isReplicated &&
      (!accept(&text, "devices=[") || !readNumbers(&text, "]", &dims) ||
       !hasProduct(&dims, nDevices)))
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

/// `["x"=2, "y"=4]`: how many devices that are; 0 if it is not of that form, or
/// more than `most`.
static int64_t readAxes(Text *text, int64_t most, Mesh *mesh) {
  int64_t product = 1;
  mesh->nAxes = 0;
  if (!accept(text, "["))
    return 0;
  while (!accept(text, "]")) {
    int n = mesh->nAxes;
    if (n == maxAxes || (n && !accept(text, ",")) ||
        !readString(text, &mesh->names[n]) || !accept(text, "=") ||
        !readNumber(text, &mesh->sizes[n]) || mesh->sizes[n] < 1 ||
        mesh->sizes[n] > most / product)
      return 0;
    product *= mesh->sizes[mesh->nAxes++];
  }
  return product;
}

/// `["x"=2, "y"=4], device_ids=[1, 0]`.
static XlaShardingResult readMesh(Text *text, int nDevices, Mesh *mesh) {
  int64_t device, product = readAxes(text, nDevices, mesh);
  if (!product)
    return XlaShardingInvalid;
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

/// `mesh<..>` of an operation sdy.mesh; empty of any other.
static MlirStringRef meshOf(MlirOperation op) {
  MlirAttribute mesh = xlaIrIsOp(op, "sdy.mesh")
                           ? mlirOperationGetAttributeByName(
                                 op, mlirStringRefCreateFromCString("mesh"))
                           : (MlirAttribute){NULL};
  return !mlirAttributeIsNull(mesh) && mlirAttributeIsAOpaque(mesh)
             ? mlirOpaqueAttrGetData(mesh)
             : mlirStringRefCreate(NULL, 0);
}

static MlirOperation firstIn(MlirOperation module) {
  return mlirBlockGetFirstOperation(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0)));
}

/// That of the operation that is named.
static MlirStringRef findMesh(MlirOperation module, MlirStringRef name) {
  for (MlirOperation op = firstIn(module); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op)) {
    MlirStringRef mesh = meshOf(op);
    MlirAttribute symbol = mlirOperationGetAttributeByName(
        op, mlirStringRefCreateFromCString("sym_name"));
    if (mesh.data && !mlirAttributeIsNull(symbol) &&
        mlirAttributeIsAString(symbol) &&
        mlirStringRefEqual(mlirStringAttrGetValue(symbol), name))
      return mesh;
  }
  return mlirStringRefCreate(NULL, 0);
}

int64_t xlaShardingCountDevices(MlirOperation module) {
  int64_t most = 1;
  for (MlirOperation op = firstIn(module); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op)) {
    Text text = textOf(meshOf(op));
    Mesh mesh = {0};
    int64_t n = text.next && accept(&text, "mesh<")
                    ? readAxes(&text, INT32_MAX, &mesh)
                    : 0;
    most = n > most ? n : most;
  }
  return most;
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

/// What axes of a mesh cut: a dimension, or a sum.
typedef struct Cut {
  int64_t size;
  int *numbers; ///< of device i at i * stride
  int stride;
} Cut;

/// `"x"`, or a part of an axis, `"x":(1)2`, which cuts `cut`, if that is not
/// NULL.
static bool readAxis(Text *text, const Mesh *mesh, MlirStringRef manual,
                     Cut *cut, int nDevices) {
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
  if (!cut || (manual.data && !isNamed(manual, name)))
    return true;
  inner = mesh->sizes[axis] / (before * size);
  for (int i = axis + 1; i < mesh->nAxes; ++i)
    inner *= mesh->sizes[i];
  if (cut->size > nDevices / size)
    return false;
  cut->size *= size;
  for (int i = 0; i < nDevices; ++i) {
    int *number = &cut->numbers[i * cut->stride];
    *number = *number * (int)size + (int)(mesh->places[i] / inner % size);
  }
  return true;
}

/// `{"x", "y", ?}p1`
static bool readDimension(Text *text, const Mesh *mesh, MlirStringRef manual,
                          int d, XlaSharding *made) {
  int64_t priority;
  bool isOpen = false;
  Cut cut = {1, made->coordinates + d, made->rank};
  if (!accept(text, "{"))
    return false;
  while (!accept(text, "}")) {
    accept(text, ",");
    if (accept(text, "?"))
      isOpen = true;
    else if (!readAxis(text, mesh, manual, &cut, made->nDevices))
      return false;
  }
  made->tiles[d] = cut.size;
  made->open[d] = isOpen && made->tiles[d] == 1;
  made->isOpen &= made->open[d];
  return !accept(text, "p") || readNumber(text, &priority);
}

/// Copies in the order of the mesh.
static bool numberCopiesOf(XlaSharding *made, const Mesh *mesh) {
  if (!numberCopies(made))
    return false;
  for (int i = 0; i < made->nDevices; ++i) {
    made->copy[i] = 0;
    for (int k = 0; k < made->nDevices; ++k)
      made->copy[i] += mesh->places[k] < mesh->places[i] &&
                       xlaShardingIsSamePart(made, k, i);
  }
  return true;
}

/// `replicated={"x"}, unreduced={"y"}`
static bool readRest(Text *text, const Mesh *mesh, MlirStringRef manual,
                     XlaSharding *made) {
  while (accept(text, ",")) {
    bool areAddends = accept(text, "unreduced={");
    Cut cut = {made->nAddends, made->addend, 1};
    if (!areAddends && !accept(text, "replicated={"))
      return false;
    while (!accept(text, "}")) {
      accept(text, ",");
      if (!readAxis(text, mesh, manual, areAddends ? &cut : NULL,
                    made->nDevices))
        return false;
    }
    made->nAddends = (int)cut.size;
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
  return readRest(text, mesh, manual, made) && numberCopiesOf(made, mesh);
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

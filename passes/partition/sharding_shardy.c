//===- sharding_shardy.c - Shardings as Shardy writes them ----------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/partition/sharding_text.h"

#include "xlac/dialect/ir.h"

#include <stdlib.h>
#include <string.h>

enum { maxAxes = 32 };

typedef struct Mesh {
  int nAxes;
  MlirStringRef names[maxAxes];
  int64_t sizes[maxAxes];
  int *places; ///< of a device among those of the mesh; to be freed
} Mesh;

static bool readString(XlaShardingText *text, MlirStringRef *string) {
  if (!xlaShardingAccept(text, "\""))
    return false;
  const char *begin = text->next;
  while (text->next < text->end && *text->next != '"')
    ++text->next;
  *string = mlirStringRefCreate(begin, (size_t)(text->next - begin));
  return xlaShardingAccept(text, "\"");
}

static int findAxis(const Mesh *mesh, MlirStringRef name) {
  for (int i = 0; i < mesh->nAxes; ++i)
    if (mlirStringRefEqual(mesh->names[i], name))
      return i;
  return -1;
}

/// `["x"=2, "y"=4]`: how many devices that are; 0 if it is not of that form, or
/// more than `most`.
static int64_t readAxes(XlaShardingText *text, int64_t most, Mesh *mesh) {
  int64_t product = 1;
  mesh->nAxes = 0;
  if (!xlaShardingAccept(text, "["))
    return 0;
  while (!xlaShardingAccept(text, "]")) {
    int n = mesh->nAxes;
    if (n == maxAxes || (n && !xlaShardingAccept(text, ",")) ||
        !readString(text, &mesh->names[n]) || !xlaShardingAccept(text, "=") ||
        !xlaShardingReadNumber(text, &mesh->sizes[n]) || mesh->sizes[n] < 1 ||
        mesh->sizes[n] > most / product)
      return 0;
    product *= mesh->sizes[mesh->nAxes++];
  }
  return product;
}

/// `["x"=2, "y"=4], device_ids=[1, 0]`.
static XlaShardingResult readMesh(XlaShardingText *text, int nDevices,
                                  Mesh *mesh) {
  int64_t device, product = readAxes(text, nDevices, mesh);
  if (!product)
    return XlaShardingInvalid;
  bool hasIds =
      xlaShardingAccept(text, ",") && xlaShardingAccept(text, "device_ids=[");
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
    if ((i && !xlaShardingAccept(text, ",")) ||
        !xlaShardingReadNumber(text, &device) || device >= nDevices ||
        mesh->places[device] >= 0)
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

/// Goes over the meshes of a module: its operations, then those that it has in
/// an attribute, as HLO has them, `{mesh = #sdy.mesh<["x"=2]>}`.
typedef struct Meshes {
  MlirOperation next;
  XlaShardingText text;
  MlirStringRef name, mesh; ///< of the last one
} Meshes;

static Meshes meshesIn(MlirOperation module) {
  enum { longest = 1 << 16 }; // it is read for every sharding
  Meshes all = {.next = mlirBlockGetFirstOperation(mlirRegionGetFirstBlock(
                    mlirOperationGetRegion(module, 0)))};
  MlirAttribute said = mlirOperationGetAttributeByName(
      module, mlirStringRefCreateFromCString("mhlo.frontend_attributes"));
  if (!mlirAttributeIsNull(said) && mlirAttributeIsADictionary(said))
    said = mlirDictionaryAttrGetElementByName(
        said, mlirStringRefCreateFromCString("xla.sdy.meshes"));
  if (!mlirAttributeIsNull(said) && mlirAttributeIsAString(said) &&
      mlirStringAttrGetValue(said).length <= longest)
    all.text = xlaShardingTextOf(mlirStringAttrGetValue(said));
  xlaShardingAccept(&all.text, "{");
  return all;
}

/// `mesh = #sdy.mesh<["x"=2]>`, perhaps with a quoted name.
static bool nextInText(Meshes *all) {
  XlaShardingText *text = &all->text;
  xlaShardingAccept(text, ",");
  if (!readString(text, &all->name)) {
    const char *begin = text->next;
    while (text->next < text->end && !strchr(" =,}", *text->next))
      ++text->next;
    all->name = mlirStringRefCreate(begin, (size_t)(text->next - begin));
  }
  if (!xlaShardingAccept(text, "=") || !xlaShardingAccept(text, "#sdy."))
    return false;
  const char *begin = text->next;
  bool isName = false;
  for (; text->next < text->end && (isName || *text->next != '>'); ++text->next)
    isName ^= *text->next == '"';
  text->next += text->next < text->end;
  all->mesh = mlirStringRefCreate(begin, (size_t)(text->next - begin));
  return true;
}

static bool nextMesh(Meshes *all) {
  while (!mlirOperationIsNull(all->next)) {
    MlirOperation op = all->next;
    MlirAttribute symbol = mlirOperationGetAttributeByName(
        op, mlirStringRefCreateFromCString("sym_name"));
    all->next = mlirOperationGetNextInBlock(op);
    all->mesh = meshOf(op);
    if (!all->mesh.data || mlirAttributeIsNull(symbol) ||
        !mlirAttributeIsAString(symbol))
      continue;
    all->name = mlirStringAttrGetValue(symbol);
    return true;
  }
  return nextInText(all);
}

static MlirStringRef findMesh(MlirOperation module, MlirStringRef name) {
  Meshes all = meshesIn(module);
  while (nextMesh(&all))
    if (mlirStringRefEqual(all.name, name))
      return all.mesh;
  return mlirStringRefCreate(NULL, 0);
}

int64_t xlaShardingCountDevices(MlirOperation module) {
  Meshes all = meshesIn(module);
  int64_t most = 1;
  while (nextMesh(&all)) {
    XlaShardingText text = xlaShardingTextOf(all.mesh);
    Mesh mesh = {0};
    int64_t n = xlaShardingAccept(&text, "mesh<")
                    ? readAxes(&text, INT32_MAX, &mesh)
                    : 0;
    most = n > most ? n : most;
  }
  return most;
}

/// `@mesh`, or `mesh<..>` itself.
static XlaShardingResult readMeshOf(XlaShardingText *text, MlirOperation module,
                                    int nDevices, Mesh *mesh) {
  if (xlaShardingAccept(text, "mesh<")) {
    XlaShardingResult result = readMesh(text, nDevices, mesh);
    return result == XlaShardingOk && !xlaShardingAccept(text, ">") &&
                   !(xlaShardingAccept(text, "]") &&
                     xlaShardingAccept(text, ">"))
               ? XlaShardingInvalid
               : result;
  }
  if (!xlaShardingAccept(text, "@"))
    return XlaShardingInvalid;
  bool isQuoted = xlaShardingAccept(text, "\"");
  const char *begin = text->next;
  while (text->next < text->end && *text->next != ',' &&
         *text->next != (isQuoted ? '"' : ' '))
    ++text->next;
  MlirStringRef found = findMesh(
      module, mlirStringRefCreate(begin, (size_t)(text->next - begin)));
  XlaShardingText inner = xlaShardingTextOf(found);
  if (isQuoted)
    xlaShardingAccept(text, "\"");
  if (!found.data || !xlaShardingAccept(&inner, "mesh<"))
    return XlaShardingInvalid;
  return readMesh(&inner, nDevices, mesh);
}

/// Whether `name` stands among `"x", "y"`.
static bool isNamed(MlirStringRef list, MlirStringRef name) {
  XlaShardingText text = xlaShardingTextOf(list);
  MlirStringRef found;
  while (readString(&text, &found)) {
    if (mlirStringRefEqual(found, name))
      return true;
    xlaShardingAccept(&text, ",");
  }
  return false;
}

/// What axes of a mesh cut: a dimension, or a sum.
typedef struct Cut {
  int64_t size;
  uint16_t *axes; ///< or NULL
  int *numbers;   ///< of device i at i * stride
  int stride;
} Cut;

/// `"x"`, or a part of an axis, `"x":(1)2`, which cuts `cut`, if that is not
/// NULL.
static bool readAxis(XlaShardingText *text, const Mesh *mesh,
                     MlirStringRef manual, Cut *cut, int nDevices) {
  MlirStringRef name;
  if (!readString(text, &name))
    return false;
  int axis = findAxis(mesh, name);
  if (axis < 0)
    return false;
  int64_t before = 1, size = mesh->sizes[axis], inner = 1;
  if (xlaShardingAccept(text, ":") &&
      (!xlaShardingAccept(text, "(") || !xlaShardingReadNumber(text, &before) ||
       !xlaShardingAccept(text, ")") || !xlaShardingReadNumber(text, &size)))
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
  if (cut->axes && size > 1 && cut->size <= 1 << XLA_SHARDING_AXES)
    *cut->axes++ = (uint16_t)size;
  for (int i = 0; i < nDevices; ++i) {
    int *number = &cut->numbers[i * cut->stride];
    *number = *number * (int)size + (int)(mesh->places[i] / inner % size);
  }
  return true;
}

/// `{"x", "y", ?}p1`
static bool readDimension(XlaShardingText *text, const Mesh *mesh,
                          MlirStringRef manual, int d, XlaSharding *made) {
  int64_t priority;
  bool isOpen = false;
  Cut cut = {1, made->axes[d], made->coordinates + d, made->rank};
  if (!xlaShardingAccept(text, "{"))
    return false;
  while (!xlaShardingAccept(text, "}")) {
    xlaShardingAccept(text, ",");
    if (xlaShardingAccept(text, "?"))
      isOpen = true;
    else if (!readAxis(text, mesh, manual, &cut, made->nDevices))
      return false;
  }
  made->tiles[d] = cut.size;
  made->open[d] = isOpen && made->tiles[d] == 1;
  made->isOpen &= made->open[d];
  return !xlaShardingAccept(text, "p") ||
         xlaShardingReadNumber(text, &priority);
}

/// `replicated={"x"}, unreduced={"y"}`
static bool readRest(XlaShardingText *text, const Mesh *mesh,
                     MlirStringRef manual, XlaSharding *made) {
  while (xlaShardingAccept(text, ",")) {
    bool areAddends = xlaShardingAccept(text, "unreduced={");
    Cut cut = {made->nAddends, NULL, made->addend, 1};
    if (!areAddends && !xlaShardingAccept(text, "replicated={"))
      return false;
    while (!xlaShardingAccept(text, "}")) {
      xlaShardingAccept(text, ",");
      if (!readAxis(text, mesh, manual, areAddends ? &cut : NULL,
                    made->nDevices))
        return false;
    }
    made->nAddends = (int)cut.size;
  }
  return true;
}

static bool readDimensions(XlaShardingText *text, const Mesh *mesh,
                           MlirStringRef manual, XlaSharding *made) {
  if (!xlaShardingAccept(text, ",") || !xlaShardingAccept(text, "["))
    return false;
  made->isOpen = true;
  for (int d = 0; d < made->rank; ++d)
    if ((d && !xlaShardingAccept(text, ",")) ||
        !readDimension(text, mesh, manual, d, made))
      return false;
  made->isOpen &= made->rank > 0;
  if (!xlaShardingAccept(text, "]"))
    return false;
  return readRest(text, mesh, manual, made);
}

XlaShardingResult xlaShardingReadSdy(MlirStringRef string, MlirOperation module,
                                     MlirStringRef manual, int nDevices,
                                     int rank, XlaSharding **sharding) {
  XlaShardingText text = xlaShardingTextOf(string);
  Mesh mesh = {0};
  *sharding = NULL;
  XlaShardingResult result = readMeshOf(&text, module, nDevices, &mesh);
  if (result == XlaShardingOk) {
    XlaSharding *made = xlaShardingCreate(nDevices, rank);
    if (!made)
      result = XlaShardingNoMemory;
    else if (!readDimensions(&text, &mesh, manual, made))
      result = XlaShardingInvalid;
    else
      result = xlaShardingNumberCopies(made, mesh.places);
    if (result == XlaShardingOk)
      *sharding = made;
    else
      xlaShardingDestroy(made);
  }
  free(mesh.places);
  return result;
}

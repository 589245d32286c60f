//===- schedule_memory.c - Buffers as storage buffers ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A buffer longer than what a binding may cover is bound as several windows;
// every access then picks its own.
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/vulkan/schedule_emit.h"

#include <stdlib.h>
#include <string.h>

void xlaVulkanMemoryMapFree(XlaVulkanMemoryMap *map) { free(map->places); }

static const XlaVulkanPlace *findPlace(const XlaVulkanMemoryMap *map,
                                       const void *key) {
  for (intptr_t i = 0; i < map->n; ++i)
    if (map->places[i].key == key)
      return &map->places[i];
  return NULL;
}

static bool addPlace(XlaVulkanMemoryMap *map, const void *key, int64_t offset) {
  if (map->n == map->capacity) {
    intptr_t capacity = 2 * map->capacity + 8;
    XlaVulkanPlace *places =
        realloc(map->places, (size_t)capacity * sizeof *places);
    if (!places)
      return false;
    map->places = places;
    map->capacity = capacity;
  }
  map->places[map->n++] = (XlaVulkanPlace){key, offset};
  return true;
}

//===----------------------------------------------------------------------===//
// Where buffers lie
//===----------------------------------------------------------------------===//

static int64_t elementBytes(MlirType element) {
  if (mlirTypeIsAVector(element))
    return mlirShapedTypeGetDimSize(element, 0) *
           elementBytes(mlirShapedTypeGetElementType(element));
  unsigned bits = mlirTypeIsAInteger(element) ? mlirIntegerTypeGetWidth(element)
                                              : mlirFloatTypeGetWidth(element);
  return (bits + 7) / 8;
}

int64_t xlaVulkanElements(MlirValue root) {
  MlirType type = mlirValueGetType(root);
  int64_t count = 1;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d)
    if (__builtin_mul_overflow(count, mlirShapedTypeGetDimSize(type, d),
                               &count))
      return INT64_MAX;
  return count;
}

MlirValue xlaVulkanRoot(MlirValue view, MlirValue *start) {
  *start = (MlirValue){NULL};
  MlirType type = mlirValueGetType(view);
  int64_t strides[64], offset = 0;
  if (mlirShapedTypeGetRank(type) <= 64)
    mlirMemRefTypeGetStridesAndOffset(type, strides, &offset);
  if (mlirShapedTypeIsDynamicStrideOrOffset(offset) &&
      mlirValueIsAOpResult(view)) {
    MlirOperation cast = mlirOpResultGetOwner(view);
    if (xlaIrIsOp(cast, "memref.reinterpret_cast") &&
        mlirOperationGetNumOperands(cast) == 2)
      *start = mlirOperationGetOperand(cast, 1);
  }
  return xlaSchedRoot(view);
}

MlirValue xlaVulkanStart(XlaVulkanEmit *e, MlirValue start) {
  return xlaVulkanValue(e, start);
}

/// The memref.global of a memref.get_global.
static MlirOperation globalOf(const XlaVulkanSchedule *schedule,
                              MlirOperation get) {
  MlirStringRef name =
      mlirFlatSymbolRefAttrGetValue(mlirOperationGetAttributeByName(
          get, mlirStringRefCreateFromCString("name")));
  MlirOperation op =
      mlirBlockGetFirstOperation(mlirModuleGetBody(schedule->module));
  for (; op.ptr; op = mlirOperationGetNextInBlock(op))
    if (xlaIrIsOp(op, "memref.global") &&
        mlirStringRefEqual(
            name, mlirStringAttrGetValue(mlirOperationGetAttributeByName(
                      op, mlirStringRefCreateFromCString("sym_name")))))
      break;
  return op;
}

/// Appends the data of `global` to the kernel's constants.
static int64_t addConstant(XlaVulkanEmit *e, MlirOperation global) {
  XlaVulkanSchedule *schedule = e->memory->schedule;
  XlaVulkanKernel *kernel = schedule->kernel;
  MlirAttribute value = mlirOperationGetAttributeByName(
      global, mlirStringRefCreateFromCString("initial_value"));
  MlirLocation location = mlirOperationGetLocation(global);
  if (mlirAttributeIsNull(value) || !mlirAttributeIsADenseElements(value)) {
    xlaVulkanEmitFail(e, location, "a constant has no data");
    return -1;
  }
  MlirType type = mlirAttributeGetType(value);
  int64_t unit = elementBytes(mlirShapedTypeGetElementType(type));
  int64_t bytes = unit * mlirElementsAttrGetNumElements(value);
  int64_t align = schedule->info->offsetAlignment > 16
                      ? schedule->info->offsetAlignment
                      : 16;
  int64_t offset = (kernel->constantBytes + align - 1) / align * align;
  char *data = realloc(kernel->constants, (size_t)(offset + bytes));
  if (!data) {
    xlaVulkanEmitFail(e, location, "a constant of %lld bytes: out of memory",
                      (long long)bytes);
    return -1;
  }
  memset(data + kernel->constantBytes, 0,
         (size_t)(offset - kernel->constantBytes));
  const char *raw = mlirDenseElementsAttrGetRawData(value);
  bool isSplat = mlirDenseElementsAttrIsSplat(value);
  for (int64_t i = 0; isSplat && i < bytes; i += unit)
    memcpy(data + offset + i, raw, (size_t)unit);
  if (!isSplat)
    memcpy(data + offset, raw, (size_t)bytes);
  kernel->constants = data;
  kernel->constantBytes = offset + bytes;
  return offset;
}

static intptr_t argumentNumber(const XlaVulkanSchedule *schedule,
                               MlirValue value) {
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(schedule->function, 0));
  return mlirValueIsABlockArgument(value) &&
                 mlirBlockEqual(mlirBlockArgumentGetOwner(value), entry)
             ? mlirBlockArgumentGetArgNumber(value)
             : -1;
}

/// Argument and offset of `root`; false after a diagnostic.
static bool placeOf(XlaVulkanEmit *e, MlirValue root, intptr_t *argument,
                    int64_t *offset) {
  XlaVulkanMemoryMap *map = e->memory;
  XlaVulkanSchedule *schedule = map->schedule;
  *offset = 0;
  *argument = argumentNumber(schedule, root);
  if (*argument >= 0)
    return true;
  MlirOperation op = {NULL};
  if (mlirValueIsAOpResult(root))
    op = mlirOpResultGetOwner(root);
  bool isGlobal = op.ptr && xlaIrIsOp(op, "memref.get_global");
  if (!isGlobal && (!op.ptr || !xlaIrIsOp(op, "memref.alloc"))) {
    xlaVulkanEmitFail(e, e->ir.location,
                      "scheduling for Vulkan takes memory that is an argument, "
                      "a memref.alloc or a memref.global");
    return false;
  }
  MlirOperation global = isGlobal ? globalOf(schedule, op) : op;
  const void *key = isGlobal ? global.ptr : root.ptr;
  *argument =
      isGlobal ? XLA_VULKAN_KERNEL_CONSTANTS : schedule->kernel->nArguments;
  const XlaVulkanPlace *place = findPlace(map, key);
  if (place) {
    *offset = place->offset;
    return true;
  }
  if (!global.ptr) {
    xlaVulkanEmitFail(e, e->ir.location, "a memref.global is missing");
    return false;
  }
  int64_t unit = elementBytes(xlaIrElementType(mlirValueGetType(root)));
  int64_t bytes;
  if (isGlobal)
    *offset = addConstant(e, global);
  else if (__builtin_mul_overflow(xlaVulkanElements(root), unit, &bytes))
    *offset = -1;
  else
    *offset = xlaVulkanScheduleScratch(schedule, bytes);
  if (*offset < 0 || !addPlace(map, key, *offset)) {
    xlaVulkanEmitFail(e, e->ir.location,
                      "a kernel could not be scheduled: out of memory");
    return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Bindings
//===----------------------------------------------------------------------===//

static bool addBinding(XlaVulkanEmit *e, const XlaVulkanBinding *binding) {
  intptr_t n = e->shader.nArguments;
  if (n == e->bindingCapacity) {
    intptr_t capacity = 2 * n + 8;
    XlaVulkanBinding *bindings =
        realloc(e->bindings, (size_t)capacity * sizeof *bindings);
    if (!bindings) {
      xlaVulkanEmitFail(e, e->ir.location,
                        "a kernel could not be scheduled: out of memory");
      return false;
    }
    e->bindings = bindings;
    e->bindingCapacity = capacity;
  }
  e->bindings[n] = *binding;
  return true;
}

/// What a load of `lanes` elements of `type` has.
static MlirType laneType(MlirType type, int lanes) {
  int64_t n = XLA_VULKAN_WIDTH;
  if (lanes > XLA_VULKAN_WIDTH)
    type = mlirIntegerTypeGet(mlirTypeGetContext(type), 64);
  return lanes == 1 ? type : mlirVectorTypeGet(1, &n, type);
}

/// Adds the bindings of `count` elements of `buffer->element` that begin
/// `offset` bytes into `argument`.
static bool bind(XlaVulkanEmit *e, XlaVulkanBuffer *buffer, int64_t count,
                 intptr_t argument, int64_t offset) {
  const XlaVulkanInfo *info = e->memory->schedule->info;
  MlirType type = buffer->element;
  int64_t align = info->offsetAlignment > 16 ? info->offsetAlignment : 16;
  int64_t unit = elementBytes(type);
  if (count > INT32_MAX) {
    xlaVulkanEmitFail(e, e->ir.location,
                      "an array of %lld elements is more than the %d that "
                      "indices of 32 bits reach",
                      (long long)count, INT32_MAX);
    return false;
  }
  if (buffer->lanes > 1) {
    type = laneType(type, buffer->lanes);
    unit *= buffer->lanes;
    count /= buffer->lanes;
  }
  buffer->window = count;
  if (count * unit > info->maxBufferRange)
    buffer->window = info->maxBufferRange / align * align / unit;
  buffer->first = e->shader.nArguments;
  if (buffer->window < 1) {
    xlaVulkanEmitFail(e, e->ir.location, "%s cannot bind any memory",
                      info->name);
    return false;
  }
  for (int64_t from = 0; from < count; from += buffer->window) {
    int64_t n = count - from < buffer->window ? count - from : buffer->window;
    XlaVulkanBinding binding = {argument, offset + from * unit, n * unit,
                                false};
    if (!addBinding(e, &binding))
      return false;
    xlaVulkanShaderAddArgument(&e->shader, type, n);
    ++buffer->nWindows;
  }
  return true;
}

static XlaVulkanBuffer *findBuffer(XlaVulkanEmit *e, MlirValue root,
                                   int64_t offset, int lanes) {
  for (intptr_t i = 0; i < e->nBuffers; ++i)
    if (mlirValueEqual(e->buffers[i].root, root) &&
        e->buffers[i].offset == offset && e->buffers[i].lanes == lanes)
      return &e->buffers[i];
  return NULL;
}

static XlaVulkanBuffer *addBuffer(XlaVulkanEmit *e) {
  if (e->nBuffers == e->bufferCapacity) {
    intptr_t capacity = 2 * e->bufferCapacity + 8;
    XlaVulkanBuffer *buffers =
        realloc(e->buffers, (size_t)capacity * sizeof *buffers);
    if (!buffers) {
      xlaVulkanEmitFail(e, e->ir.location,
                        "a kernel could not be scheduled: out of memory");
      return NULL;
    }
    e->buffers = buffers;
    e->bufferCapacity = capacity;
  }
  XlaVulkanBuffer *buffer = &e->buffers[e->nBuffers++];
  memset(buffer, 0, sizeof *buffer);
  return buffer;
}

static XlaVulkanBuffer *bufferOf(XlaVulkanEmit *e, MlirValue root, int lanes) {
  XlaVulkanBuffer *buffer = findBuffer(e, root, 0, lanes);
  intptr_t argument;
  int64_t offset;
  if (buffer)
    return buffer;
  if (e->failed || !placeOf(e, root, &argument, &offset))
    return NULL;
  buffer = addBuffer(e);
  if (!buffer)
    return NULL;
  buffer->root = root;
  buffer->lanes = lanes;
  buffer->element = xlaIrElementType(mlirValueGetType(root));
  return bind(e, buffer, xlaVulkanElements(root), argument, offset) ? buffer
                                                                    : NULL;
}

static XlaVulkanBuffer *scratchBuffer(XlaVulkanEmit *e, int64_t offset,
                                      MlirType element, int64_t count) {
  XlaVulkanBuffer *buffer = findBuffer(e, (MlirValue){NULL}, offset, 1);
  if (buffer || e->failed)
    return buffer;
  buffer = addBuffer(e);
  if (!buffer)
    return NULL;
  buffer->offset = offset;
  buffer->lanes = 1;
  buffer->element = element;
  intptr_t argument = e->memory->schedule->kernel->nArguments;
  return bind(e, buffer, count, argument, offset) ? buffer : NULL;
}

bool xlaVulkanIsWide(const XlaVulkanSchedule *schedule, MlirValue root,
                     int lanes) {
  MlirType element = xlaIrElementType(mlirValueGetType(root));
  return elementBytes(element) == 4 &&
         lanes <= xlaVulkanWidth(schedule->info) &&
         xlaVulkanElements(root) >= lanes;
}

int xlaVulkanWidth(const XlaVulkanInfo *info) {
  return info->kind == XlaVulkanKindSoftware && info->i64 ? XLA_VULKAN_MAX_WIDTH
                                                          : XLA_VULKAN_WIDTH;
}

uint32_t xlaVulkanGroupSize(const XlaVulkanInfo *info) {
  uint32_t size = info->kind == XlaVulkanKindSoftware ? 256 : 64;
  if (size > info->maxGroupInvocations)
    size = info->maxGroupInvocations;
  return size < info->maxGroupSize[0] ? size : info->maxGroupSize[0];
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static MlirValue argumentOf(XlaVulkanEmit *e, const XlaVulkanBuffer *buffer,
                            int window) {
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(e->shader.function, 0));
  return mlirBlockGetArgument(entry, buffer->first + window);
}

MlirOperation xlaVulkanBranch(XlaIr *ir, MlirValue condition, intptr_t n,
                              const MlirType *types, XlaIr *then,
                              XlaIr *otherwise) {
  MlirRegion regions[2] = {mlirRegionCreate(), mlirRegionCreate()};
  XlaIr *inside[2] = {then, otherwise};
  for (int i = 0; i < 2; ++i) {
    MlirBlock block = mlirBlockCreate(0, NULL, NULL);
    mlirRegionAppendOwnedBlock(regions[i], block);
    *inside[i] = xlaIrIn(*ir, block);
  }
  return xlaIrCreate(ir, "scf.if", 1, &condition, n, types, 0, NULL, 2,
                     regions);
}

/// Loads from windows `w` and up, where `index` counts from window w on.
static MlirValue loadFrom(XlaVulkanEmit *e, XlaIr *ir,
                          const XlaVulkanBuffer *buffer, int w,
                          MlirValue index) {
  MlirValue memref = argumentOf(e, buffer, w);
  if (w + 1 == buffer->nWindows)
    return xlaIrLoad(ir, memref, 1, &index);
  XlaIr then, otherwise;
  MlirType type = xlaIrElementType(mlirValueGetType(memref));
  MlirValue size = xlaIrConstantIndex(ir, buffer->window);
  MlirOperation op = xlaVulkanBranch(ir, xlaIrCmpI(ir, "ult", index, size), 1,
                                     &type, &then, &otherwise);
  MlirValue value = xlaIrLoad(&then, memref, 1, &index);
  xlaIrYield(&then, 1, &value);
  value = loadFrom(e, &otherwise, buffer, w + 1,
                   xlaIrBinary(&otherwise, "arith.subi", index, size));
  xlaIrYield(&otherwise, 1, &value);
  return mlirOperationGetResult(op, 0);
}

static void storeTo(XlaVulkanEmit *e, XlaIr *ir, const XlaVulkanBuffer *buffer,
                    int w, MlirValue index, MlirValue value) {
  MlirValue memref = argumentOf(e, buffer, w);
  e->bindings[buffer->first + w].isWritten = true;
  if (w + 1 == buffer->nWindows) {
    xlaIrStore(ir, value, memref, 1, &index);
    return;
  }
  XlaIr then, otherwise;
  MlirValue size = xlaIrConstantIndex(ir, buffer->window);
  xlaIrIf(ir, xlaIrCmpI(ir, "ult", index, size), &then, &otherwise);
  xlaIrStore(&then, value, memref, 1, &index);
  storeTo(e, &otherwise, buffer, w + 1,
          xlaIrBinary(&otherwise, "arith.subi", index, size), value);
}

static MlirValue poison(XlaVulkanEmit *e, MlirType type) {
  return xlaIrOp(&e->ir, "ub.poison", type, 0, NULL, 0, NULL);
}

MlirValue xlaVulkanLoad(XlaVulkanEmit *e, MlirValue root, MlirValue index) {
  const XlaVulkanBuffer *buffer = bufferOf(e, root, 1);
  return buffer ? loadFrom(e, &e->ir, buffer, 0, index)
                : poison(e, xlaIrElementType(mlirValueGetType(root)));
}

void xlaVulkanStore(XlaVulkanEmit *e, MlirValue root, MlirValue index,
                    MlirValue value) {
  const XlaVulkanBuffer *buffer = bufferOf(e, root, 1);
  if (buffer)
    storeTo(e, &e->ir, buffer, 0, index, value);
}

static MlirValue position(XlaVulkanEmit *e, MlirValue index, int lanes) {
  return xlaIrBinary(&e->ir, "arith.divui", index,
                     xlaIrConstantIndex(&e->ir, lanes));
}

static MlirValue extract(XlaIr *ir, MlirValue vector, int64_t at) {
  XlaIrAttr attr = {"static_position",
                    mlirDenseI64ArrayGet(ir->context, 1, &at)};
  return xlaIrOp(ir, "vector.extract",
                 xlaIrElementType(mlirValueGetType(vector)), 1, &vector, 1,
                 &attr);
}

static MlirValue gather(XlaIr *ir, const MlirValue *values, int64_t n) {
  MlirType type = mlirVectorTypeGet(1, &n, mlirValueGetType(values[0]));
  return xlaIrOp(ir, "vector.from_elements", type, n, values, 0, NULL);
}

static MlirType vectorOf(int64_t n, MlirType element) {
  return mlirVectorTypeGet(1, &n, element);
}

void xlaVulkanLoadLanes(XlaVulkanEmit *e, MlirValue root, int lanes,
                        MlirValue index, MlirValue *values) {
  if (lanes == 1) {
    values[0] = xlaVulkanLoad(e, root, index);
    return;
  }
  const XlaVulkanBuffer *buffer = bufferOf(e, root, lanes);
  MlirType type = xlaIrElementType(mlirValueGetType(root));
  XlaIr *ir = &e->ir;
  MlirValue vector = {NULL};
  if (buffer)
    vector = loadFrom(e, ir, buffer, 0, position(e, index, lanes));
  for (int k = 0; k < lanes; ++k) {
    if (!buffer) { // the shader is dropped
      values[k] = poison(e, type);
    } else if (lanes == XLA_VULKAN_WIDTH) {
      values[k] = extract(ir, vector, k);
    } else if (k % 2 == 0) {
      MlirValue pair = extract(ir, vector, k / 2);
      pair = xlaIrCast(ir, "vector.bitcast", gather(ir, &pair, 1),
                       vectorOf(2, type));
      values[k] = extract(ir, pair, 0);
      values[k + 1] = extract(ir, pair, 1);
    }
  }
}

void xlaVulkanStoreLanes(XlaVulkanEmit *e, MlirValue root, int lanes,
                         MlirValue index, const MlirValue *values) {
  if (lanes == 1) {
    xlaVulkanStore(e, root, index, values[0]);
    return;
  }
  const XlaVulkanBuffer *buffer = bufferOf(e, root, lanes);
  XlaIr *ir = &e->ir;
  MlirValue pairs[XLA_VULKAN_WIDTH];
  if (!buffer)
    return;
  MlirType i64 = mlirIntegerTypeGet(ir->context, 64);
  for (int k = 0; lanes > XLA_VULKAN_WIDTH && k < lanes; k += 2)
    pairs[k / 2] =
        extract(ir,
                xlaIrCast(ir, "vector.bitcast", gather(ir, values + k, 2),
                          vectorOf(1, i64)),
                0);
  MlirValue vector =
      gather(ir, lanes > XLA_VULKAN_WIDTH ? pairs : values, XLA_VULKAN_WIDTH);
  storeTo(e, ir, buffer, 0, position(e, index, lanes), vector);
}

MlirValue xlaVulkanLoadScratch(XlaVulkanEmit *e, int64_t offset,
                               MlirType element, int64_t count,
                               MlirValue index) {
  const XlaVulkanBuffer *buffer = scratchBuffer(e, offset, element, count);
  return buffer ? loadFrom(e, &e->ir, buffer, 0, index) : poison(e, element);
}

void xlaVulkanStoreScratch(XlaVulkanEmit *e, int64_t offset, MlirType element,
                           int64_t count, MlirValue index, MlirValue value) {
  const XlaVulkanBuffer *buffer = scratchBuffer(e, offset, element, count);
  if (buffer)
    storeTo(e, &e->ir, buffer, 0, index, value);
}

//===- memory.c - Buffers as storage buffers ------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A buffer longer than what a binding may cover is bound as several windows.
//
//===----------------------------------------------------------------------===//

#include "xlac/dialect/error.h"
#include "xlac/lowering/vulkan/schedule/emit.h"

#include "mlir-c/Diagnostics.h"

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

/// 0 for elements that shaders do not have.
static int64_t elementBytes(MlirType element) {
  if (mlirTypeIsAVector(element))
    return mlirShapedTypeGetDimSize(element, 0) *
           elementBytes(mlirShapedTypeGetElementType(element));
  if (!mlirTypeIsAInteger(element) && !mlirTypeIsAFloat(element))
    return 0;
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
    xlaVulkanEmitFail(e, location, XLA_STATUS_INTERNAL,
                      "a constant has no data");
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
    xlaVulkanEmitFail(e, location, XLA_STATUS_OUT_OF_MEMORY,
                      "a constant of %lld bytes: out of memory",
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

int64_t xlaVulkanScratchOf(XlaVulkanMemoryMap *map, MlirValue alloc) {
  int64_t bytes, offset = -1;
  const XlaVulkanPlace *place = findPlace(map, alloc.ptr);
  if (place)
    return place->offset;
  if (!__builtin_mul_overflow(
          xlaVulkanElements(alloc),
          elementBytes(xlaIrElementType(mlirValueGetType(alloc))), &bytes))
    offset = xlaVulkanScheduleScratch(map->schedule, bytes);
  if (offset >= 0 && addPlace(map, alloc.ptr, offset))
    return offset;
  xlaErrorNoMemory(mlirOperationGetLocation(map->schedule->function));
  return -1;
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
    xlaVulkanEmitFail(e, e->ir.location, XLA_STATUS_INTERNAL,
                      "scheduling for Vulkan takes memory that is an argument, "
                      "a memref.alloc or a memref.global");
    return false;
  }
  MlirAttribute memory = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("xla.memory"));
  if (!isGlobal && !mlirAttributeIsNull(memory)) {
    MlirType i64 = mlirIntegerTypeGet(e->ir.context, 64);
    *argument = -1;
    if (mlirAttributeIsAInteger(memory) &&
        mlirTypeEqual(mlirAttributeGetType(memory), i64))
      *argument = (intptr_t)mlirIntegerAttrGetValueInt(memory);
    if (*argument >= 0 && *argument < schedule->kernel->nArguments)
      return true;
    xlaVulkanEmitFail(
        e, mlirOperationGetLocation(op), XLA_STATUS_INVALID_ARGUMENT,
        "xla.memory is not the number of an argument, as 1 : i64");
    return false;
  }
  MlirOperation global = isGlobal ? globalOf(schedule, op) : op;
  *argument =
      isGlobal ? XLA_VULKAN_KERNEL_CONSTANTS : schedule->kernel->nArguments;
  if (!isGlobal) {
    *offset = xlaVulkanScratchOf(map, root);
    e->failed |= *offset < 0;
    return !e->failed;
  }
  const XlaVulkanPlace *place = findPlace(map, global.ptr);
  if (place) {
    *offset = place->offset;
    return true;
  }
  if (!global.ptr) {
    xlaVulkanEmitFail(e, e->ir.location, XLA_STATUS_INTERNAL,
                      "a memref.global is missing");
    return false;
  }
  *offset = addConstant(e, global);
  if (*offset < 0 || !addPlace(map, global.ptr, *offset)) {
    xlaVulkanEmitNoMemory(e);
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
      xlaVulkanEmitNoMemory(e);
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
  if (!unit) {
    xlaVulkanEmitFail(e, e->ir.location, XLA_STATUS_INVALID_ARGUMENT,
                      "shaders have memory of integers and floats alone");
    return false;
  }
  if (count > info->maxElements) {
    xlaVulkanEmitFail(e, e->ir.location, XLA_STATUS_UNIMPLEMENTED,
                      "an array of %lld elements is more than the %lld that "
                      "indices of 32 bits reach, and %s has no addresses "
                      "(bufferDeviceAddress)",
                      (long long)count, (long long)info->maxElements,
                      info->name);
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
    xlaVulkanEmitFail(e, e->ir.location, XLA_STATUS_UNIMPLEMENTED,
                      "%s cannot bind any memory", info->name);
    return false;
  }
  intptr_t needed =
      e->shader.nArguments + (intptr_t)xlaVulkanCeilDiv(count, buffer->window);
  if (needed > (intptr_t)info->maxBindings) {
    xlaVulkanEmitFail(e, e->ir.location, XLA_STATUS_UNIMPLEMENTED,
                      "a shader of this kernel needs %td storage buffers, %s "
                      "takes %u",
                      needed, info->name, info->maxBindings);
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
                                   int lanes) {
  for (intptr_t i = 0; i < e->nBuffers; ++i)
    if (mlirValueEqual(e->buffers[i].root, root) &&
        e->buffers[i].lanes == lanes)
      return &e->buffers[i];
  return NULL;
}

static XlaVulkanBuffer *addBuffer(XlaVulkanEmit *e) {
  if (e->nBuffers == e->bufferCapacity) {
    intptr_t capacity = 2 * e->bufferCapacity + 8;
    XlaVulkanBuffer *buffers =
        realloc(e->buffers, (size_t)capacity * sizeof *buffers);
    if (!buffers) {
      xlaVulkanEmitNoMemory(e);
      return NULL;
    }
    e->buffers = buffers;
    e->bufferCapacity = capacity;
  }
  XlaVulkanBuffer *buffer = &e->buffers[e->nBuffers++];
  memset(buffer, 0, sizeof *buffer);
  return buffer;
}

/// Do the elements follow each other from the first one on, in order?
static bool isContiguous(MlirType type) {
  int64_t strides[64], offset, next = 1;
  intptr_t rank = mlirShapedTypeGetRank(type);
  if (rank > 64 || mlirLogicalResultIsFailure(mlirMemRefTypeGetStridesAndOffset(
                       type, strides, &offset)))
    return false;
  for (intptr_t d = rank; d-- > 0;) {
    int64_t size = mlirShapedTypeGetDimSize(type, d);
    if (size != 1 && strides[d] != next)
      return false;
    if (__builtin_mul_overflow(next, size, &next))
      return false;
  }
  return offset == 0;
}

int64_t xlaVulkanOwnBytes(MlirType element) {
  int64_t bytes = elementBytes(element);
  return bytes < 4 ? 4 : bytes;
}

/// Memory of each workgroup.
static XlaVulkanBuffer *addOwn(XlaVulkanEmit *e, MlirValue root) {
  XlaVulkanBuffer *buffer = addBuffer(e);
  if (!buffer)
    return NULL;
  MlirType type = xlaIrElementType(mlirValueGetType(root));
  buffer->root = root;
  buffer->lanes = 1;
  buffer->element = type;
  if (elementBytes(type) < 4)
    type = mlirIntegerTypeGet(e->ir.context, 32);
  buffer->own =
      xlaVulkanAlloc(&e->top, "Workgroup", type, xlaVulkanElements(root));
  return buffer;
}

XlaVulkanBuffer *xlaVulkanBufferOf(XlaVulkanEmit *e, MlirValue root,
                                   int lanes) {
  XlaVulkanBuffer *buffer = findBuffer(e, root, lanes);
  intptr_t argument;
  int64_t offset;
  if (e->failed)
    return NULL;
  if (buffer)
    return buffer;
  if (xlaSchedIsOfWorkgroup(root))
    return addOwn(e, root);
  if (!isContiguous(mlirValueGetType(root))) {
    xlaVulkanEmitFail(e, e->ir.location, XLA_STATUS_INVALID_ARGUMENT,
                      "an argument's elements do not follow each other");
    return NULL;
  }
  if (!placeOf(e, root, &argument, &offset))
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

bool xlaVulkanIsWide(const XlaVulkanSchedule *schedule, MlirValue root,
                     int lanes) {
  MlirType element = xlaIrElementType(mlirValueGetType(root));
  return elementBytes(element) == 4 && !xlaSchedIsOfWorkgroup(root) &&
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

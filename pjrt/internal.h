//===- internal.h - What the plugin's files share -------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function of the table is `xlaPjrt_<name>`. It is called through plugin.c,
// which has seen to it that the arguments are whole and their object is there;
// everything else that a caller can get wrong it finds itself. Outputs are
// written on success only.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PJRT_INTERNAL_H
#define XLAC_PJRT_INTERNAL_H

#include "xlac/lowering/array.h"
#include "xlac/pjrt/api.h"

#include <pthread.h>
#include <stdatomic.h>

#define PJRT_ERROR_FUNCTION(name, last, fields)                                \
  void xlaPjrt_##name(PJRT_##name##_Args *args);
#define PJRT_FUNCTION(name, forked, object, last, fields)                      \
  PJRT_Error *xlaPjrt_##name(PJRT_##name##_Args *args);
#include "xlac/pjrt/api.def"
#define PJRT_LAYOUTS_FUNCTION(name, object, last, fields)                      \
  PJRT_Error *xlaPjrt_##name(PJRT_Layouts_##name##_Args *args);
#include "xlac/pjrt/layouts.def"
#define PJRT_SHARDINGS_FUNCTION(name, object, last, fields)                    \
  PJRT_Error *xlaPjrt_##name(PJRT_Shardings_##name##_Args *args);
#include "xlac/pjrt/shardings.def"

/// The extension for layouts, which that for shardings follows (plugin.c).
extern PJRT_Layouts_Extension xlaPjrtLayouts;

/// Where the caller does not say otherwise, of Vulkan devices.
PJRT_Error *xlaPjrtVulkan_Client_Create(PJRT_Client_Create_Args *args);
PJRT_Error *xlaPjrtVulkan_TopologyDescription_Create(
    PJRT_TopologyDescription_Create_Args *args);

//===----------------------------------------------------------------------===//
// Errors (error.c)
//===----------------------------------------------------------------------===//

/// Never NULL: without memory, a fixed one that says so.
PJRT_Error *xlaPjrtError(PJRT_Error_Code code, const char *format, ...)
    __attribute__((format(printf, 2, 3), returns_nonnull));
#define xlaPjrtInvalid(...)                                                    \
  xlaPjrtError(PJRT_Error_Code_INVALID_ARGUMENT, __VA_ARGS__)
#define xlaPjrtUnimplemented(...)                                              \
  xlaPjrtError(PJRT_Error_Code_UNIMPLEMENTED, __VA_ARGS__)
PJRT_Error *xlaPjrtNoMemory(void);

/// What a status says; NULL for OK. The first one takes it.
PJRT_Error *xlaPjrtErrorTake(XlaStatus status);
PJRT_Error *xlaPjrtErrorOf(XlaStatus status);
/// The other way; OK for OK.
XlaStatus xlaPjrtStatus(PJRT_Error_Code code, const char *message, size_t size);

#define XLA_PJRT_RETURN_IF_ERROR(expression)                                   \
  do {                                                                         \
    PJRT_Error *xlaPjrtErrorOfExpression = (expression);                       \
    if (xlaPjrtErrorOfExpression)                                              \
      return xlaPjrtErrorOfExpression;                                         \
  } while (0)

//===----------------------------------------------------------------------===//
// Events (event.c): an event of PJRT is one of xlac
//===----------------------------------------------------------------------===//

static inline PJRT_Event *xlaPjrtEvent(XlaEvent *event) {
  return (PJRT_Event *)event;
}
static inline XlaEvent *xlaPjrtEventGet(PJRT_Event *event) {
  return (XlaEvent *)event;
}
/// One that has happened; takes `status`. NULL without memory.
XlaEvent *xlaPjrtEventHappened(XlaStatus status);

//===----------------------------------------------------------------------===//
// Processes (process.c)
//===----------------------------------------------------------------------===//

/// Of every client, before it has threads and after.
void xlaPjrtClientBegins(void);
void xlaPjrtClientEnds(void);
/// Whether this process was forked from one that had clients. It stays so: a
/// child makes none, and does not destroy what it has.
bool xlaPjrtIsForked(void);
/// What a function says that needs them.
PJRT_Error *xlaPjrtRefuseForked(const char *name);

//===----------------------------------------------------------------------===//
// Platforms, devices and clients
//===----------------------------------------------------------------------===//

typedef enum XlaPjrtPlatform {
  XlaPjrtPlatformCpu,
  XlaPjrtPlatformVulkan,
  XlaPjrtPlatformCount
} XlaPjrtPlatform;

/// "xlac", "xlac_vulkan".
const char *xlaPjrtPlatformName(XlaPjrtPlatform platform);
/// The word for it in options: "cpu", "vulkan".
const char *xlaPjrtPlatformWord(XlaPjrtPlatform platform);
/// "xlac 0.1.0".
const char *xlaPjrtVersion(void);

/// What a client is created with (options.c).
typedef struct XlaPjrtOptions {
  XlaPjrtPlatform platform;
  int nDevices;  ///< 0: one of the CPU, each of Vulkan's
  char cpu[128]; ///< the processor that code is for; "": this one
  int threads;   ///< of a device; 0: as many as there are
} XlaPjrtOptions;
/// Reads options of a caller; `platform` is what it is where they do not say.
PJRT_Error *xlaPjrtOptionsRead(XlaPjrtPlatform platform, size_t n,
                               const PJRT_NamedValue *values,
                               XlaPjrtOptions *options);

struct PJRT_DeviceDescription {
  int id;
  int hardware; ///< the number of the Vulkan device, else as `id`
  char kind[256];
  char debug[300];
  char text[40];
};

/// Descriptions of devices (topology.c).
struct PJRT_TopologyDescription {
  XlaPjrtPlatform platform;
  size_t n;
  PJRT_DeviceDescription *descriptions;
  PJRT_DeviceDescription **list;
};
/// The devices that there are.
PJRT_Error *xlaPjrtTopologyFind(const XlaPjrtOptions *options,
                                PJRT_TopologyDescription **topology);
/// NULL is allowed.
void xlaPjrtTopologyDestroy(PJRT_TopologyDescription *topology);
/// NULL without memory.
PJRT_TopologyDescription *
xlaPjrtTopologyCopy(const PJRT_TopologyDescription *topology);
/// Whether devices are of the same kinds.
bool xlaPjrtTopologyEqual(const PJRT_TopologyDescription *a,
                          const PJRT_TopologyDescription *b);
/// The processor that code is for, as XlaPjrtOptions names it.
void xlaPjrtTopologyGetCpu(const PJRT_TopologyDescription *topology,
                           size_t size, char *name);

/// A client of the topology's devices, to be destroyed.
PJRT_Error *xlaPjrtClientOpen(const PJRT_TopologyDescription *topology,
                              PJRT_Client **client);
void xlaPjrtClientDestroy(PJRT_Client *client);

/// Kinds of memory, those that JAX knows on processors.
typedef enum XlaPjrtMemoryKind {
  XlaPjrtMemoryKindDevice, ///< where arrays are if nobody says it
  XlaPjrtMemoryKindPinnedHost,
  XlaPjrtMemoryKindUnpinnedHost,
  XlaPjrtMemoryKindCount
} XlaPjrtMemoryKind;

/// A kind of memory of a device. Arrays of all kinds lie in the device's own
/// memory, which is the host's if the device is the processor: programs say
/// what is to be where, and move it.
struct PJRT_Memory {
  PJRT_Device *device;
  XlaPjrtMemoryKind kind;
  int id;
  char text[48];
};

struct PJRT_Device {
  PJRT_Client *client;
  PJRT_DeviceDescription *description;
  XlaClient *xla;
  PJRT_Memory memory[XlaPjrtMemoryKindCount];
  PJRT_Memory *memories[XlaPjrtMemoryKindCount];
};

struct PJRT_Client {
  XlaPjrtPlatform platform;
  PJRT_TopologyDescription *topology;
  size_t n;
  PJRT_Device *devices;
  PJRT_Device **deviceList;
  PJRT_Memory **memoryList;
  pthread_mutex_t lock;                     ///< of what follows
  PJRT_FulfillAliasBufferCallback *aliases; ///< that nobody has fulfilled
};

/// Forgets the aliases that nobody will fulfil (alias.c).
void xlaPjrtAliasesEnd(PJRT_Client *client);

/// `memory`, or else the device's default; an error if it is none of the
/// client's.
PJRT_Error *xlaPjrtFindMemory(PJRT_Client *client, PJRT_Device *device,
                              PJRT_Memory *memory, PJRT_Memory **found);
/// Describes the memories of the device that is the client's number `i`.
void xlaPjrtMemoriesMake(PJRT_Device *device, size_t i);
/// "device", "pinned_host", ..
const char *xlaPjrtMemoryKindName(XlaPjrtMemoryKind kind);
/// Of a result of a function of StableHLO, by its attribute mhlo.memory_kind;
/// the default if there is none. False for a kind that is none.
bool xlaPjrtMemoryKindOfResult(MlirOperation function, intptr_t result,
                               XlaPjrtMemoryKind *kind);

//===----------------------------------------------------------------------===//
// Shapes (shape.c)
//===----------------------------------------------------------------------===//

PJRT_Buffer_Type xlaPjrtType(XlaElementType type);
/// A static shape of arguments of a caller.
PJRT_Error *xlaPjrtShape(PJRT_Buffer_Type type, size_t nDims,
                         const int64_t *dims, XlaShape *shape);
/// Bytes from an element to the next of an array that has `layout`, of the
/// shape; NULL is row-major. `*isRowMajor` says whether it is dense and
/// row-major.
PJRT_Error *xlaPjrtStrides(const PJRT_Buffer_MemoryLayout *layout,
                           const XlaShape *shape, int64_t *strides,
                           bool *isRowMajor);
/// An error unless the layout is row-major, which all buffers are.
PJRT_Error *xlaPjrtCheckRowMajor(const PJRT_Buffer_MemoryLayout *layout,
                                 const XlaShape *shape);
/// The dimensions of an array of `rank` in row-major order, minor first.
const int64_t *xlaPjrtMinorToMajor(int rank);

//===----------------------------------------------------------------------===//
// Buffers (buffer.c)
//===----------------------------------------------------------------------===//

/// The order of dimensions in memory (order.c). Arrays have them from major to
/// minor.
typedef struct XlaPjrtOrder {
  bool isOther; ///< than row-major, which has no numbers
  uint8_t minorToMajor[XLA_MAX_RANK];
} XlaPjrtOrder;
/// NULL is row-major.
bool xlaPjrtOrderEqual(const XlaPjrtOrder *a, const XlaPjrtOrder *b);
/// The shape of what is stored as `stored`.
XlaShape xlaPjrtOrderShape(const XlaPjrtOrder *order, const XlaShape *stored);

/// Of a buffer that is not row-major.
typedef struct XlaPjrtView {
  XlaPjrtOrder order;
  XlaShape shape;
  int64_t minorToMajor[XLA_MAX_RANK];
} XlaPjrtView;

struct PJRT_Buffer {
  PJRT_Device *device;
  PJRT_Memory *memory;
  XlaArray *array;
  XlaPjrtView *view;          ///< NULL: as the array
  atomic_int external;        ///< references from outside, each an xlaArrayHold
  _Atomic(const void *) held; ///< what these gave
};
/// Takes the reference to `array`, also on failure.
PJRT_Error *xlaPjrtBufferTake(PJRT_Memory *memory, XlaArray *array,
                              PJRT_Buffer **buffer);
/// Of one that is row-major; NULL means that.
PJRT_Error *xlaPjrtBufferSetOrder(PJRT_Buffer *buffer,
                                  const XlaPjrtOrder *order);
const XlaShape *xlaPjrtBufferShape(const PJRT_Buffer *buffer);
const XlaPjrtOrder *xlaPjrtBufferOrder(const PJRT_Buffer *buffer);

//===----------------------------------------------------------------------===//
// Executables
//===----------------------------------------------------------------------===//

/// What CompileOptionsProto says (compile_options.c).
typedef struct XlaPjrtCompileOptions {
  int64_t nReplicas, nPartitions;
  /// Of replica r and partition p, at r * nPartitions + p. Where the caller
  /// does not say it, one after the other.
  int64_t devices[XLA_MAX_DEVICES];
} XlaPjrtCompileOptions;
/// An error for more than XLA_MAX_DEVICES.
PJRT_Error *xlaPjrtCompileOptionsRead(const char *bytes, size_t size,
                                      XlaPjrtCompileOptions *options);

/// What the program is after fusion (analysis.c).
typedef struct XlaPjrtAnalysis {
  double flops, transcendentals, bytesAccessed;
  char *optimized; ///< the fused program, as StableHLO
  size_t optimizedSize;
} XlaPjrtAnalysis;

/// Adds up what the operations of a function do (cost.c): an operation on
/// floats that is a formula counts as one transcendental, others as one
/// operation an element, products as two. A region counts once. Bytes are those
/// that operations outside of fusions read and write.
void xlaPjrtCount(MlirOperation function, XlaPjrtAnalysis *analysis);

/// Makes functions of the fusions of a module, and calls in their place
/// (outline.c). False without memory.
bool xlaPjrtOutlineFusions(MlirOperation module);

/// Where parts lie, an OpSharding each (shardings.c). Begins as zeros.
typedef struct XlaPjrtShardings {
  size_t n;
  char **bytes;
  size_t *sizes;
} XlaPjrtShardings;
/// Writes those of a partition; `*shardings` is to be destroyed, also on
/// failure.
PJRT_Error *xlaPjrtShardingsWrite(intptr_t n, char *const *texts,
                                  XlaPjrtShardings *shardings);
void xlaPjrtShardingsDestroy(XlaPjrtShardings *shardings);

/// What main says of the layouts of its arguments and results by the attribute
/// mhlo.layout_mode (order.c). Begins as zeros; `all` is to be freed.
typedef struct XlaPjrtOrders {
  XlaPjrtOrder *all; ///< inputs, then outputs; NULL without memory
  size_t nInputs, nOutputs;
  bool isAnyOther; ///< than row-major
  bool isUnknown;  ///< a layout is none, or one of tiles
} XlaPjrtOrders;
void xlaPjrtOrdersRead(MlirOperation function, XlaPjrtOrders *orders);
/// The order in which result `result` lies as what it is computed from, so that
/// its last transposes copy nothing; `orders` has the arguments'
/// (order_auto.c).
void xlaPjrtOrderChoose(MlirOperation function, intptr_t result,
                        const XlaPjrtOrders *orders, XlaPjrtOrder *order);
/// Makes a function of stablehlo take and give what is stored. False without
/// memory.
bool xlaPjrtOrdersApplyToAll(MlirOperation function,
                             const XlaPjrtOrders *orders,
                             const XlaPartition *partition);
bool xlaPjrtOrdersApply(MlirOperation function, const XlaPjrtOrders *orders);
/// NULL is row-major.
const XlaPjrtOrder *xlaPjrtInputOrder(const PJRT_Executable *e, size_t i);
const XlaPjrtOrder *xlaPjrtOutputOrder(const PJRT_Executable *e, size_t i);

/// 64 bits of FNV-1a, begun with xlaPjrtHash(XLA_PJRT_HASH, ..) and gone on
/// with what it gave.
#define XLA_PJRT_HASH 0xcbf29ce484222325u
uint64_t xlaPjrtHash(uint64_t hash, const void *bytes, size_t size);

/// Reference counted: it may outlive what it was loaded from.
struct PJRT_Executable {
  atomic_int references;
  XlaPjrtPlatform platform;
  char *program; ///< as it came, for serialization and analysis
  size_t programSize;
  char *options; ///< CompileOptionsProto
  size_t optionsSize;
  char name[256];
  char fingerprint[17];
  size_t nReplicas, nPartitions;
  size_t nInputs, nOutputs, nDims; ///< of a device
  PJRT_Buffer_Type *types;
  int64_t *dims; ///< of one output after the other
  size_t *ranks;
  XlaPjrtMemoryKind *outputKinds; ///< as it was read; NULL: the default
  size_t nOutputKinds;
  bool isOfUnknownKind; ///< a result is of a kind that is none
  XlaPjrtOrders orders;
  const char **memoryKinds;
  size_t *memoryKindSizes;
  PJRT_Layouts_MemoryLayout **layouts, **inputLayouts;
  XlaPjrtShardings inputShardings, outputShardings; ///< none of one device
  int64_t codeBytes, inputBytes, outputBytes, aliasBytes, temporaryBytes;
  pthread_mutex_t lock; ///< of the analysis
  bool isAnalysed;
  XlaPjrtAnalysis analysis;
  PJRT_NamedValue costs[3];
  XlaKeptCode code; ///< for serialization; its bytes are the executable's
};
void xlaPjrtExecutableRelease(PJRT_Executable *executable);
/// Fills executable->analysis of an executable that is being compiled, if it
/// can be shown, and is that of one device.
void xlaPjrtAnalysePrepared(MlirModule module, MlirOperation entry,
                            PJRT_Executable *executable);
/// The same later, where that could not.
PJRT_Error *xlaPjrtAnalyse(PJRT_Executable *executable);

struct PJRT_LoadedExecutable {
  /// Those that it is for, as in XlaPjrtCompileOptions; it runs on the first.
  size_t nDevices;
  PJRT_Device **devices;
  PJRT_Executable *executable;
  atomic_bool isDeleted; ///< set under the lock, which is of what follows too
  pthread_mutex_t lock;
  XlaLoadedExecutable *loaded;
  int users; ///< calls that use `loaded`: the last one destroys a deleted one
};
/// What runs it, until xlaPjrtLoadedGive; NULL if it is deleted.
XlaLoadedExecutable *xlaPjrtLoadedTake(PJRT_LoadedExecutable *loaded);
void xlaPjrtLoadedGive(PJRT_LoadedExecutable *loaded);
/// The memory that output `i` is for.
XlaPjrtMemoryKind xlaPjrtOutputKind(const PJRT_Executable *e, size_t i);
/// Of a device's output `i` the number among those of the program; `device`
/// counts the executable's.
size_t xlaPjrtOutputNumber(const XlaLoadedExecutable *loaded, size_t nOutputs,
                           size_t device, size_t i);
/// Compiles a program for devices of the client (compile.c). `kept` is machine
/// code of an earlier time, or NULL.
PJRT_Error *xlaPjrtCompile(PJRT_Client *client, const char *program,
                           size_t programSize, const char *options,
                           size_t optionsSize, const XlaKeptCode *kept,
                           PJRT_LoadedExecutable **loaded);

//===----------------------------------------------------------------------===//
// Layouts (layout.c)
//===----------------------------------------------------------------------===//

/// Of that rank; row-major if `order` is NULL. NULL without memory.
PJRT_Layouts_MemoryLayout *xlaPjrtLayoutCreate(int rank,
                                               const XlaPjrtOrder *order);
void xlaPjrtLayoutDestroy(PJRT_Layouts_MemoryLayout *layout);

#endif // XLAC_PJRT_INTERNAL_H

//===- api.h - PJRT's C API ---------------------------------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What frameworks as JAX call a plugin through: names, fields and their order
// are those of pjrt_c_api.h, version 0.93, so that what was compiled with that
// header calls what was compiled with this one. The functions are rows of
// api.def; here is what they give and take. A string has its size beside it,
// and need not end with a 0.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_PJRT_API_H
#define XLAC_PJRT_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PJRT_API_MAJOR = 0, PJRT_API_MINOR = 93 };

/// Up to and with the field `last`: without the padding behind it, which the
/// sizes that callers give leave out.
#define PJRT_SIZE_UP_TO(type, last)                                            \
  (offsetof(type, last) + sizeof(__typeof__(((type *)0)->last)))

//===----------------------------------------------------------------------===//
// Extensions
//===----------------------------------------------------------------------===//

typedef enum PJRT_Extension_Type {
  PJRT_Extension_Type_Gpu_Custom_Call,
  PJRT_Extension_Type_Profiler,
  PJRT_Extension_Type_Custom_Partitioner,
  PJRT_Extension_Type_Stream,
  PJRT_Extension_Type_Layouts,
  PJRT_Extension_Type_FFI,
  PJRT_Extension_Type_MemoryDescriptions,
  PJRT_Extension_Type_Triton,
  PJRT_Extension_Type_RawBuffer,
  PJRT_Extension_Type_PhaseCompile,
  PJRT_Extension_Type_Example,
  PJRT_Extension_Type_Unknown,
  PJRT_Extension_Type_CrossHostTransfers,
  PJRT_Extension_Type_ExecutableMetadata,
  PJRT_Extension_Type_Callback,
  PJRT_Extension_Type_HostAllocator,
  PJRT_Extension_Type_TpuTopology,
  PJRT_Extension_Type_TpuExecutable,
  PJRT_Extension_Type_Megascale,
  PJRT_Extension_Type_Shardings,
} PJRT_Extension_Type;

/// An extension begins with one; they are a list.
typedef struct PJRT_Extension_Base {
  size_t struct_size;
  PJRT_Extension_Type type;
  struct PJRT_Extension_Base *next;
} PJRT_Extension_Base;

typedef struct PJRT_Api_Version {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  int major_version;
  int minor_version;
} PJRT_Api_Version;

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

typedef struct PJRT_Error PJRT_Error;
typedef struct PJRT_Event PJRT_Event;
typedef struct PJRT_Client PJRT_Client;
typedef struct PJRT_Device PJRT_Device;
typedef struct PJRT_DeviceDescription PJRT_DeviceDescription;
typedef struct PJRT_TopologyDescription PJRT_TopologyDescription;
typedef struct PJRT_Memory PJRT_Memory;
typedef struct PJRT_Buffer PJRT_Buffer;
typedef struct PJRT_Executable PJRT_Executable;
typedef struct PJRT_LoadedExecutable PJRT_LoadedExecutable;
typedef struct PJRT_ExecuteContext PJRT_ExecuteContext;
typedef struct PJRT_AsyncHostToDeviceTransferManager
    PJRT_AsyncHostToDeviceTransferManager;
typedef struct PJRT_FulfillAliasBufferCallback PJRT_FulfillAliasBufferCallback;
typedef struct PJRT_CopyToDeviceStream PJRT_CopyToDeviceStream;
typedef struct PJRT_AsyncTrackingEvent PJRT_AsyncTrackingEvent;
typedef struct PJRT_Device_Attributes PJRT_Device_Attributes;
/// What keeps bytes that were written for a caller.
typedef struct PJRT_SerializedExecutable PJRT_SerializedExecutable;
typedef struct PJRT_SerializedCompileOptions PJRT_SerializedCompileOptions;
typedef struct PJRT_SerializedTopology PJRT_SerializedTopology;
typedef struct PJRT_DeviceAssignmentSerialized PJRT_DeviceAssignmentSerialized;
typedef struct PJRT_Layouts_MemoryLayout PJRT_Layouts_MemoryLayout;
typedef struct PJRT_Layouts_SerializedLayout PJRT_Layouts_SerializedLayout;

/// Of an error, and of what a caller says went wrong: those of absl::Status.
typedef enum PJRT_Error_Code {
  PJRT_Error_Code_OK,
  PJRT_Error_Code_CANCELLED,
  PJRT_Error_Code_UNKNOWN,
  PJRT_Error_Code_INVALID_ARGUMENT,
  PJRT_Error_Code_DEADLINE_EXCEEDED,
  PJRT_Error_Code_NOT_FOUND,
  PJRT_Error_Code_ALREADY_EXISTS,
  PJRT_Error_Code_PERMISSION_DENIED,
  PJRT_Error_Code_RESOURCE_EXHAUSTED,
  PJRT_Error_Code_FAILED_PRECONDITION,
  PJRT_Error_Code_ABORTED,
  PJRT_Error_Code_OUT_OF_RANGE,
  PJRT_Error_Code_UNIMPLEMENTED,
  PJRT_Error_Code_INTERNAL,
  PJRT_Error_Code_UNAVAILABLE,
  PJRT_Error_Code_DATA_LOSS,
  PJRT_Error_Code_UNAUTHENTICATED,
} PJRT_Error_Code;

/// Gets the error, which it destroys, or NULL.
typedef void (*PJRT_Event_OnReadyCallback)(PJRT_Error *error, void *user_arg);

//===----------------------------------------------------------------------===//
// Options and attributes
//===----------------------------------------------------------------------===//

typedef enum PJRT_NamedValue_Type {
  PJRT_NamedValue_kString,
  PJRT_NamedValue_kInt64,
  PJRT_NamedValue_kInt64List,
  PJRT_NamedValue_kFloat,
  PJRT_NamedValue_kBool,
} PJRT_NamedValue_Type;

typedef struct PJRT_NamedValue {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  const char *name;
  size_t name_size;
  PJRT_NamedValue_Type type;
  union {
    const char *string_value;
    int64_t int64_value;
    const int64_t *int64_array_value;
    float float_value;
    bool bool_value;
  };
  size_t value_size; ///< characters, numbers of a list, else 1
} PJRT_NamedValue;

//===----------------------------------------------------------------------===//
// What a caller has for clients of several processes
//===----------------------------------------------------------------------===//

/// Makes an error that a callback gives; copies the message.
typedef PJRT_Error *(*PJRT_CallbackError)(PJRT_Error_Code code,
                                          const char *message,
                                          size_t message_size);
typedef void (*PJRT_KeyValueGetCallback_ValueDeleter)(char *value);
typedef void (*PJRT_KeyValueTryGetCallback_ValueDeleter)(char *value);

typedef struct PJRT_KeyValueGetCallback_Args {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  const char *key;
  size_t key_size;
  int timeout_in_ms;
  PJRT_CallbackError *callback_error;
  void *user_arg;
  char *value; ///< out, as what follows
  size_t value_size;
  PJRT_KeyValueGetCallback_ValueDeleter value_deleter_callback;
} PJRT_KeyValueGetCallback_Args;
typedef PJRT_Error *(*PJRT_KeyValueGetCallback)(
    PJRT_KeyValueGetCallback_Args *args);

typedef struct PJRT_KeyValueTryGetCallback_Args {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  const char *key;
  size_t key_size;
  PJRT_CallbackError *callback_error;
  void *user_arg;
  char *value; ///< out, as what follows
  size_t value_size;
  PJRT_KeyValueTryGetCallback_ValueDeleter value_deleter_callback;
} PJRT_KeyValueTryGetCallback_Args;
typedef PJRT_Error *(*PJRT_KeyValueTryGetCallback)(
    PJRT_KeyValueTryGetCallback_Args *args);

typedef struct PJRT_KeyValuePutCallback_Args {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  const char *key;
  size_t key_size;
  const char *value;
  size_t value_size;
  PJRT_CallbackError *callback_error;
  void *user_arg;
} PJRT_KeyValuePutCallback_Args;
typedef PJRT_Error *(*PJRT_KeyValuePutCallback)(
    PJRT_KeyValuePutCallback_Args *args);

typedef enum PJRT_ProcessState {
  PJRT_ProcessState_kUnspecified,
  PJRT_ProcessState_kUninitialized,
  PJRT_ProcessState_kDisconnected,
  PJRT_ProcessState_kConnected,
  PJRT_ProcessState_kError,
} PJRT_ProcessState;

typedef struct PJRT_ProcessInfo {
  size_t struct_size;
  int task_id;
  uint64_t incarnation_id;
  PJRT_ProcessState state;
  int error_code;
  const char *error_message;
  size_t error_message_size;
} PJRT_ProcessInfo;

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

typedef enum PJRT_Buffer_Type {
#define PJRT_TYPE(name, type) PJRT_Buffer_Type_##name,
#include "xlac/pjrt/types.def"
} PJRT_Buffer_Type;

/// For how long the caller's array stays as it is.
typedef enum PJRT_HostBufferSemantics {
  PJRT_HostBufferSemantics_kImmutableOnlyDuringCall,
  PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes,
  PJRT_HostBufferSemantics_kImmutableZeroCopy,
  PJRT_HostBufferSemantics_kMutableZeroCopy,
} PJRT_HostBufferSemantics;

typedef enum PJRT_Buffer_MemoryLayout_Type {
  PJRT_Buffer_MemoryLayout_Type_Tiled,
  PJRT_Buffer_MemoryLayout_Type_Strides,
} PJRT_Buffer_MemoryLayout_Type;

typedef struct PJRT_Buffer_MemoryLayout_Tiled {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  const int64_t *minor_to_major; ///< of the dimensions
  size_t minor_to_major_size;
  const int64_t *tile_dims; ///< of one tile after the other
  const size_t *tile_dim_sizes;
  size_t num_tiles;
} PJRT_Buffer_MemoryLayout_Tiled;

typedef struct PJRT_Buffer_MemoryLayout_Strides {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  const int64_t *byte_strides; ///< of any sign, a dimension each
  size_t num_byte_strides;
} PJRT_Buffer_MemoryLayout_Strides;

typedef struct PJRT_Buffer_MemoryLayout {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  union {
    PJRT_Buffer_MemoryLayout_Tiled tiled;
    PJRT_Buffer_MemoryLayout_Strides strides;
  };
  PJRT_Buffer_MemoryLayout_Type type;
} PJRT_Buffer_MemoryLayout;

typedef struct PJRT_ShapeSpec {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  const int64_t *dims;
  size_t num_dims;
  PJRT_Buffer_Type element_type;
} PJRT_ShapeSpec;

typedef struct PJRT_Buffer_CopyRawToHostFuture_Callback_Args {
  size_t struct_size;
  void *callback_data; ///< of PJRT_Buffer_CopyRawToHostFuture
  PJRT_Error_Code error_code;
  const char *error_message; ///< where the code is not OK
  size_t error_message_size;
  void *dst; ///< where it is
} PJRT_Buffer_CopyRawToHostFuture_Callback_Args;

typedef struct PJRT_Buffer_DonateWithControlDependency_Callback_Args {
  size_t struct_size;
  void *callback_data;
  PJRT_Error_Code error_code;
  const char *error_message;
  size_t error_message_size;
} PJRT_Buffer_DonateWithControlDependency_Callback_Args;

//===----------------------------------------------------------------------===//
// Programs and executions
//===----------------------------------------------------------------------===//

typedef struct PJRT_Program {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  char *code;
  size_t code_size;
  const char *format; ///< "mlir", "hlo", "hlo_with_config"
  size_t format_size;
} PJRT_Program;

typedef struct PJRT_Chunk {
  void *data;
  size_t size;
  void (*deleter)(void *data, void *deleter_arg);
  void *deleter_arg;
} PJRT_Chunk;

typedef PJRT_Error *(*PJRT_SendCallback)(PJRT_Chunk *chunk,
                                         PJRT_CallbackError *callback_error,
                                         size_t total_size_in_bytes, bool done,
                                         void *user_arg);
typedef void (*PJRT_RecvCallback)(PJRT_CopyToDeviceStream *stream,
                                  void *user_arg);

typedef struct PJRT_SendCallbackInfo {
  int64_t channel_id;
  void *user_arg;
  PJRT_SendCallback send_callback;
} PJRT_SendCallbackInfo;

typedef struct PJRT_RecvCallbackInfo {
  int64_t channel_id;
  void *user_arg;
  PJRT_RecvCallback recv_callback;
} PJRT_RecvCallbackInfo;

typedef struct PJRT_ExecuteOptions {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_SendCallbackInfo **send_callbacks; ///< a list a device
  PJRT_RecvCallbackInfo **recv_callbacks;
  size_t num_send_ops;
  size_t num_recv_ops;
  int launch_id;
  /// Inputs that are kept although the program says that they are donated.
  const int64_t *non_donatable_input_indices;
  size_t num_non_donatable_input_indices; ///< what follows came later
  PJRT_ExecuteContext *context;
  const char *call_location;
  size_t num_tasks;
  int *task_ids;
  int64_t *incarnation_ids;
} PJRT_ExecuteOptions;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

// `PJRT_Event_Await_Args` and the type `PJRT_Event_Await` of each row.
#define PJRT_DECLARE(name, Result, fields)                                     \
  typedef struct name##_Args {                                                 \
    size_t struct_size;                                                        \
    PJRT_Extension_Base *extension_start;                                      \
    fields                                                                     \
  } name##_Args;                                                               \
  typedef Result name(name##_Args *args);
#define PJRT_ERROR_FUNCTION(name, last, fields)                                \
  PJRT_DECLARE(PJRT_##name, void, fields)
#define PJRT_FUNCTION(name, forked, object, last, fields)                      \
  PJRT_DECLARE(PJRT_##name, PJRT_Error *, fields)
#include "xlac/pjrt/api.def"
#define PJRT_LAYOUTS_FUNCTION(name, object, last, fields)                      \
  PJRT_DECLARE(PJRT_Layouts_##name, PJRT_Error *, fields)
#include "xlac/pjrt/layouts.def"
#define PJRT_SHARDINGS_FUNCTION(name, object, last, fields)                    \
  PJRT_DECLARE(PJRT_Shardings_##name, PJRT_Error *, fields)
#include "xlac/pjrt/shardings.def"
#undef PJRT_DECLARE

typedef struct PLUGIN_Profiler PLUGIN_Profiler;
typedef struct PLUGIN_Profiler_Error PLUGIN_Profiler_Error;
#define PLUGIN_FUNCTION(Result, name, member, fields)                          \
  typedef struct PLUGIN_Profiler_##name##_Args {                               \
    size_t struct_size;                                                        \
    fields                                                                     \
  } PLUGIN_Profiler_##name##_Args;                                             \
  typedef Result PLUGIN_Profiler_##name(PLUGIN_Profiler_##name##_Args *args);
#include "xlac/pjrt/profiler.def"

/// What a profiler calls.
typedef struct PLUGIN_Profiler_Api {
  size_t struct_size;
  void *priv;
#define PLUGIN_FUNCTION(Result, name, member, fields)                          \
  PLUGIN_Profiler_##name *member;
#include "xlac/pjrt/profiler.def"
} PLUGIN_Profiler_Api;

/// The table of functions.
typedef struct PJRT_Api {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Api_Version pjrt_api_version;
#define PJRT_ERROR_FUNCTION(name, last, fields) PJRT_##name *PJRT_##name;
#define PJRT_FUNCTION(name, forked, object, last, fields)                      \
  PJRT_##name *PJRT_##name;
#include "xlac/pjrt/api.def"
} PJRT_Api;

/// PJRT_Extension_Type_Layouts: how arrays lie in memory.
typedef struct PJRT_Layouts_Extension {
  PJRT_Extension_Base base;
#define PJRT_LAYOUTS_FUNCTION(name, object, last, fields)                      \
  PJRT_Layouts_##name *PJRT_Layouts_##name;
#include "xlac/pjrt/layouts.def"
} PJRT_Layouts_Extension;

/// PJRT_Extension_Type_Shardings: where parts of arrays lie.
typedef struct PJRT_Shardings_Extension {
  PJRT_Extension_Base base;
#define PJRT_SHARDINGS_FUNCTION(name, object, last, fields)                    \
  PJRT_Shardings_##name *PJRT_Shardings_##name;
#include "xlac/pjrt/shardings.def"
} PJRT_Shardings_Extension;

/// PJRT_Extension_Type_Profiler: what devices did.
typedef struct PJRT_Profiler_Extension {
  PJRT_Extension_Base base;
  PLUGIN_Profiler_Api *profiler_api;
  int64_t traceme_context_id; ///< of arguments; the plugin has none
} PJRT_Profiler_Extension;

#ifdef __cplusplus
}
#endif

#endif // XLAC_PJRT_API_H

//===- unsupported.c - What this plugin does not do -----------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects that only these functions could make do not exist, so that their
// other functions have nothing to do, either.
//
//===----------------------------------------------------------------------===//

#include "xlac/pjrt/internal.h"

#define UNSUPPORTED(name, reason)                                              \
  PJRT_Error *xlaPjrt_##name(PJRT_##name##_Args *args) {                       \
    return xlaPjrtUnimplemented("PJRT_" #name ": " reason);                    \
  }

#define NO_STREAMS "programs do not receive from the host"
UNSUPPORTED(CopyToDeviceStream_AddChunk, NO_STREAMS)
UNSUPPORTED(CopyToDeviceStream_TotalBytes, NO_STREAMS)
UNSUPPORTED(CopyToDeviceStream_GranuleSize, NO_STREAMS)
UNSUPPORTED(CopyToDeviceStream_CurrentBytes, NO_STREAMS)

#define NO_PARTS "buffers are not filled in parts"
UNSUPPORTED(Client_CreateBuffersForAsyncHostToDevice, NO_PARTS)
UNSUPPORTED(AsyncHostToDeviceTransferManager_TransferData, NO_PARTS)
UNSUPPORTED(AsyncHostToDeviceTransferManager_TransferLiteral, NO_PARTS)
UNSUPPORTED(AsyncHostToDeviceTransferManager_RetrieveBuffer, NO_PARTS)
UNSUPPORTED(AsyncHostToDeviceTransferManager_Device, NO_PARTS)
UNSUPPORTED(AsyncHostToDeviceTransferManager_BufferCount, NO_PARTS)
UNSUPPORTED(AsyncHostToDeviceTransferManager_BufferSize, NO_PARTS)
UNSUPPORTED(AsyncHostToDeviceTransferManager_SetBufferError, NO_PARTS)
UNSUPPORTED(AsyncHostToDeviceTransferManager_AddMetadata, NO_PARTS)

#define NO_ALIASES "buffers do not stand for others that are yet to come"
UNSUPPORTED(Client_CreateAliasBuffer, NO_ALIASES)
UNSUPPORTED(Client_FulfillAliasBuffer, NO_ALIASES)

UNSUPPORTED(Buffer_DonateWithControlDependency,
            "buffers do not wait for what is no work of a device")

PJRT_Error *
xlaPjrt_CopyToDeviceStream_Destroy(PJRT_CopyToDeviceStream_Destroy_Args *args) {
  return NULL;
}

PJRT_Error *xlaPjrt_AsyncHostToDeviceTransferManager_Destroy(
    PJRT_AsyncHostToDeviceTransferManager_Destroy_Args *args) {
  return NULL;
}

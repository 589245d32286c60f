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

UNSUPPORTED(Device_PoisonExecution,
            "executions that have begun are not made to fail")
#define NO_STREAMS "programs do not receive from the host"
UNSUPPORTED(CopyToDeviceStream_AddChunk, NO_STREAMS)
UNSUPPORTED(CopyToDeviceStream_TotalBytes, NO_STREAMS)
UNSUPPORTED(CopyToDeviceStream_GranuleSize, NO_STREAMS)
UNSUPPORTED(CopyToDeviceStream_CurrentBytes, NO_STREAMS)

PJRT_Error *
xlaPjrt_CopyToDeviceStream_Destroy(PJRT_CopyToDeviceStream_Destroy_Args *args) {
  return NULL;
}

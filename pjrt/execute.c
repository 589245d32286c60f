//===- execute.c - Running ------------------------------------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/pjrt/internal.h"

#include <stdlib.h>

/// What fits on the stack.
enum { FEW = 64 };

static PJRT_Error *check(const PJRT_LoadedExecutable_Execute_Args *args) {
  const PJRT_LoadedExecutable *loaded = args->executable;
  if (args->num_devices != 1)
    return xlaPjrtInvalid("the program is for one device, run on %zu",
                          args->num_devices);
  if (args->execute_device && args->execute_device != loaded->device)
    return xlaPjrtUnimplemented("the program was compiled for %s, cannot run "
                                "on %s",
                                loaded->device->description->text,
                                args->execute_device->description->text);
  if ((args->num_args && (!args->argument_lists || !args->argument_lists[0])) ||
      (loaded->executable->nOutputs &&
       (!args->output_lists || !args->output_lists[0])))
    return xlaPjrtInvalid("a list of arguments or outputs is NULL");
  const PJRT_ExecuteOptions *options = args->options;
  if (options && (options->num_send_ops || options->num_recv_ops))
    return xlaPjrtUnimplemented("programs that send to the host, or receive "
                                "from it, are not supported");
  if (options && options->num_non_donatable_input_indices &&
      !options->non_donatable_input_indices)
    return xlaPjrtInvalid("the list of inputs that are kept is NULL");
  for (size_t i = 0; i < args->num_args; ++i) {
    const PJRT_Buffer *buffer = args->argument_lists[0][i];
    if (!buffer)
      return xlaPjrtInvalid("argument %zu is NULL", i);
    if (buffer->device != loaded->device)
      return xlaPjrtInvalid("argument %zu is on %s, the program runs on %s", i,
                            buffer->device->description->text,
                            loaded->device->description->text);
  }
  return NULL;
}

/// Runs with arrays of arguments, numbers of kept ones and outputs that are
/// large enough.
static PJRT_Error *run(PJRT_LoadedExecutable_Execute_Args *args,
                       XlaArray **arrays, intptr_t *kept, XlaArray **outputs) {
  PJRT_LoadedExecutable *loaded = args->executable;
  const PJRT_ExecuteOptions *options = args->options;
  size_t nOutputs = loaded->executable->nOutputs;
  XlaEvent *done = NULL;
  XlaExecution execution = {.nInputs = (intptr_t)args->num_args,
                            .inputs = arrays,
                            .kept = kept,
                            .nOutputs = (intptr_t)nOutputs,
                            .outputs = outputs,
                            .done =
                                args->device_complete_events ? &done : NULL};
  for (size_t i = 0; i < args->num_args; ++i)
    arrays[i] = args->argument_lists[0][i]->array;
  if (options)
    execution.nKept = (intptr_t)options->num_non_donatable_input_indices;
  for (intptr_t i = 0; i < execution.nKept; ++i)
    kept[i] = (intptr_t)options->non_donatable_input_indices[i];
  XlaLoadedExecutable *code = xlaPjrtLoadedTake(loaded);
  if (!code)
    return xlaPjrtInvalid("the executable has been deleted");
  PJRT_Error *error =
      xlaPjrtErrorTake(xlaLoadedExecutableExecute(code, &execution));
  xlaPjrtLoadedGive(loaded);
  if (error)
    return error;
  PJRT_Buffer **buffers = nOutputs ? args->output_lists[0] : NULL;
  size_t n = 0;
  for (; n < nOutputs && !error; ++n)
    error = xlaPjrtBufferTake(loaded->device, outputs[n], &buffers[n]);
  if (!error) {
    if (args->device_complete_events)
      args->device_complete_events[0] = xlaPjrtEvent(done);
    return NULL;
  }
  // Output n - 1 was released when its buffer could not be made.
  for (size_t i = n; i < nOutputs; ++i)
    xlaArrayRelease(outputs[i]);
  for (size_t i = 0; i + 1 < n; ++i)
    xlaPjrt_Buffer_Destroy(&(PJRT_Buffer_Destroy_Args){.buffer = buffers[i]});
  xlaEventRelease(done);
  return error;
}

PJRT_Error *
xlaPjrt_LoadedExecutable_Execute(PJRT_LoadedExecutable_Execute_Args *args) {
  XLA_PJRT_RETURN_IF_ERROR(check(args));
  size_t nKept =
      args->options ? args->options->num_non_donatable_input_indices : 0;
  size_t nOutputs = args->executable->executable->nOutputs;
  if (args->num_args <= FEW && nKept <= FEW && nOutputs <= FEW) {
    XlaArray *arrays[FEW], *outputs[FEW];
    intptr_t kept[FEW];
    return run(args, arrays, kept, outputs);
  }
  XlaArray **arrays = calloc(args->num_args + 1, sizeof(XlaArray *));
  XlaArray **outputs = calloc(nOutputs + 1, sizeof(XlaArray *));
  intptr_t *kept = calloc(nKept + 1, sizeof *kept);
  PJRT_Error *error = arrays && outputs && kept
                          ? run(args, arrays, kept, outputs)
                          : xlaPjrtNoMemory();
  free(arrays);
  free(outputs);
  free(kept);
  return error;
}

//===----------------------------------------------------------------------===//
// Contexts of executions, of which there is nothing to know
//===----------------------------------------------------------------------===//

struct PJRT_ExecuteContext {
  char nothing;
};

PJRT_Error *
xlaPjrt_ExecuteContext_Create(PJRT_ExecuteContext_Create_Args *args) {
  PJRT_ExecuteContext *context = calloc(1, sizeof *context);
  if (!context)
    return xlaPjrtNoMemory();
  args->context = context;
  return NULL;
}

PJRT_Error *
xlaPjrt_ExecuteContext_Destroy(PJRT_ExecuteContext_Destroy_Args *args) {
  free(args->context);
  return NULL;
}

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

static PJRT_Error *checkDevice(const PJRT_LoadedExecutable_Execute_Args *args,
                               size_t device) {
  const PJRT_Device *wanted = args->executable->devices[device];
  if ((args->num_args &&
       (!args->argument_lists || !args->argument_lists[device])) ||
      (args->executable->executable->nOutputs &&
       (!args->output_lists || !args->output_lists[device])))
    return xlaPjrtInvalid("a list of arguments or outputs is NULL");
  for (size_t i = 0; i < args->num_args; ++i) {
    const PJRT_Buffer *buffer = args->argument_lists[device][i];
    if (!buffer)
      return xlaPjrtInvalid("argument %zu is NULL", i);
    if (buffer->device != wanted)
      return xlaPjrtInvalid("argument %zu is on %s, the program runs on %s", i,
                            buffer->device->description->text,
                            wanted->description->text);
    if (!xlaPjrtOrderEqual(xlaPjrtBufferOrder(buffer),
                           xlaPjrtInputOrder(args->executable->executable, i)))
      return xlaPjrtInvalid("argument %zu has another layout than the program "
                            "was compiled for",
                            i);
    if (xlaArrayIsDeleted(buffer->array))
      return xlaPjrtInvalid("Invalid buffer passed to Execute() as argument "
                            "%zu: Buffer has been deleted or donated",
                            i);
  }
  return NULL;
}

static PJRT_Error *check(const PJRT_LoadedExecutable_Execute_Args *args) {
  const PJRT_LoadedExecutable *loaded = args->executable;
  if (args->num_devices != loaded->nDevices)
    return xlaPjrtInvalid("the program is for %zu devices, run on %zu",
                          loaded->nDevices, args->num_devices);
  if (args->execute_device && args->execute_device != loaded->devices[0])
    return xlaPjrtUnimplemented("the program was compiled for %s, cannot run "
                                "on %s",
                                loaded->devices[0]->description->text,
                                args->execute_device->description->text);
  const PJRT_ExecuteOptions *options = args->options;
  if (options &&
      options->struct_size <
          PJRT_SIZE_UP_TO(PJRT_ExecuteOptions, num_non_donatable_input_indices))
    return xlaPjrtInvalid("the options are of another version of PJRT's C API, "
                          "%zu bytes long",
                          options->struct_size);
  if (options && (options->num_send_ops || options->num_recv_ops))
    return xlaPjrtUnimplemented("programs that send to the host, or receive "
                                "from it, are not supported");
  if (options && options->num_non_donatable_input_indices &&
      !options->non_donatable_input_indices)
    return xlaPjrtInvalid("the list of inputs that are kept is NULL");
  if (args->num_args != loaded->executable->nInputs)
    return xlaPjrtInvalid("the program takes %zu arguments, not %zu",
                          loaded->executable->nInputs, args->num_args);
  for (size_t d = 0; d < loaded->nDevices; ++d)
    XLA_PJRT_RETURN_IF_ERROR(checkDevice(args, d));
  return NULL;
}

/// A run, with lists that are large enough: inputs of one device after the
/// other, and outputs of the program.
typedef struct Run {
  PJRT_LoadedExecutable_Execute_Args *args;
  XlaLoadedExecutable *code;
  XlaArray **inputs, **outputs;
  intptr_t *kept;
  size_t nInputs, nKept, nOutputs;
} Run;

/// An argument, for sorting by buffer.
typedef struct Use {
  const PJRT_Buffer *buffer;
  size_t input;
} Use;

static int compareUses(const void *a, const void *b) {
  const Use *x = a, *y = b;
  uintptr_t p = (uintptr_t)x->buffer, q = (uintptr_t)y->buffer;
  return p != q ? (p > q) - (p < q)
                : (x->input > y->input) - (x->input < y->input);
}

static bool isKept(const Run *run, size_t input) {
  const PJRT_ExecuteOptions *options = run->args->options;
  for (size_t i = 0; options && i < options->num_non_donatable_input_indices;
       ++i)
    if (options->non_donatable_input_indices[i] == (int64_t)input)
      return true;
  return false;
}

static bool isGiven(const Run *run, size_t input) {
  return xlaLoadedExecutableIsDonated(run->code, (intptr_t)input) &&
         !isKept(run, input);
}

/// A buffer that is donated is no other argument. XLA's words: callers look for
/// them.
static PJRT_Error *checkPair(const Run *run, const Use *first,
                             const Use *second) {
  bool isFirst = isGiven(run, first->input);
  bool isSecond = isGiven(run, second->input);
  if (isFirst && isSecond)
    return xlaPjrtInvalid("Attempt to donate the same buffer twice in "
                          "Execute(): arguments %zu and %zu",
                          first->input, second->input);
  if (isFirst)
    return xlaPjrtInvalid("Attempt to use a buffer that was previously donated "
                          "in the same call to Execute(): arguments %zu and "
                          "%zu",
                          first->input, second->input);
  if (isSecond)
    return xlaPjrtInvalid("Attempt to donate a buffer which is also used by "
                          "the same call to Execute(): arguments %zu and %zu",
                          first->input, second->input);
  return NULL;
}

static PJRT_Error *checkDonations(const Run *run) {
  size_t n = run->args->num_args;
  bool isAny = false;
  for (size_t i = 0; i < n && !isAny; ++i)
    isAny = isGiven(run, i);
  if (!isAny)
    return NULL;
  Use few[FEW], *uses = n <= FEW ? few : malloc(n * sizeof *uses);
  if (!uses)
    return xlaPjrtNoMemory();
  for (size_t i = 0; i < n; ++i)
    uses[i] = (Use){run->args->argument_lists[0][i], i};
  qsort(uses, n, sizeof *uses, compareUses);
  PJRT_Error *error = NULL;
  for (size_t i = 1; i < n && !error; ++i)
    if (uses[i].buffer == uses[i - 1].buffer)
      error = checkPair(run, &uses[i - 1], &uses[i]);
  if (uses != few)
    free(uses);
  return error;
}

/// Whether an array of another device that is donated can be an input. It is
/// gone from when it is taken, so that all are looked at before.
static PJRT_Error *checkOthers(const Run *run) {
  size_t n = run->args->num_args;
  for (size_t i = n; n && i < run->nInputs; ++i) {
    XlaArray *array = run->args->argument_lists[i / n][i % n]->array;
    const XlaShape *given = xlaArrayGetShape(array);
    const XlaShape *wanted =
        xlaLoadedExecutableGetInputShape(run->code, (intptr_t)i);
    if (xlaArrayIsDeleted(array))
      return xlaPjrtInvalid("argument %zu of device %zu has been deleted or "
                            "donated",
                            i % n, i / n);
    if (given->elementType != wanted->elementType ||
        !xlaShapeDimsEqual(given, wanted))
      return xlaPjrtInvalid("argument %zu of device %zu is %s, must be %s",
                            i % n, i / n, XLA_SHAPE_TEXT(given),
                            XLA_SHAPE_TEXT(wanted));
  }
  return NULL;
}

/// The inputs, each with a reference, as arrays of the device that runs.
static PJRT_Error *takeInputs(Run *run) {
  const PJRT_LoadedExecutable *loaded = run->args->executable;
  size_t n = run->args->num_args;
  XlaClient *client = loaded->devices[0]->xla;
  for (size_t i = 0; i < run->nInputs; ++i) {
    XlaArray *array = run->args->argument_lists[i / n][i % n]->array;
    bool isOwn = xlaArrayGetClient(array) == client;
    bool isDonated = !isOwn &&
                     xlaLoadedExecutableIsDonated(run->code, (intptr_t)i) &&
                     !isKept(run, i % n);
    if (isOwn)
      run->inputs[i] = xlaArrayRetain(array);
    else
      XLA_PJRT_RETURN_IF_ERROR(
          xlaPjrtErrorTake((isDonated ? xlaArrayMove : xlaArrayShare)(
              array, client, &run->inputs[i])));
  }
  return NULL;
}

/// Buffers of the outputs, one device after the other.
static PJRT_Error *giveOutputs(Run *run) {
  const PJRT_LoadedExecutable *loaded = run->args->executable;
  size_t n = loaded->executable->nOutputs;
  PJRT_Error *error = NULL;
  size_t given = 0;
  for (; given < loaded->nDevices * n && !error; ++given) {
    PJRT_Device *device = loaded->devices[given / n];
    XlaPjrtMemoryKind kind = xlaPjrtOutputKind(loaded->executable, given % n);
    XlaArray *array =
        run->outputs[xlaPjrtOutputNumber(run->code, n, given / n, given % n)];
    XlaArray *own = NULL;
    if (xlaArrayGetClient(array) == device->xla)
      own = xlaArrayRetain(array);
    else
      error = xlaPjrtErrorTake(xlaArrayShare(array, device->xla, &own));
    PJRT_Buffer **place = &run->args->output_lists[given / n][given % n];
    if (!error)
      error = xlaPjrtBufferTake(&device->memory[kind], own, place);
    if (!error &&
        (error = xlaPjrtBufferSetOrder(
             *place, xlaPjrtOutputOrder(loaded->executable, given % n))))
      xlaPjrt_Buffer_Destroy(&(PJRT_Buffer_Destroy_Args){.buffer = *place});
  }
  if (error)
    for (size_t i = 0; i + 1 < given; ++i)
      xlaPjrt_Buffer_Destroy(&(PJRT_Buffer_Destroy_Args){
          .buffer = run->args->output_lists[i / n][i % n]});
  return error;
}

/// Every device is done when the program is.
static void giveEvents(const Run *run, XlaEvent *done) {
  if (!run->args->device_complete_events)
    return;
  for (size_t d = 0; d < run->args->num_devices; ++d)
    run->args->device_complete_events[d] = xlaPjrtEvent(xlaEventRetain(done));
  xlaEventRelease(done);
}

/// The number among all inputs of one that a device keeps; -1 for none.
static intptr_t keptInput(const Run *run, size_t i, size_t deviceNumber) {
  int64_t input = run->args->options->non_donatable_input_indices[i];
  size_t n = run->args->num_args;
  return input >= 0 && (uint64_t)input < n
             ? (intptr_t)(deviceNumber * n + (size_t)input)
             : -1;
}

static PJRT_Error *execute(Run *run) {
  XlaEvent *done = NULL;
  XlaExecution execution = {.nInputs = (intptr_t)run->nInputs,
                            .inputs = run->inputs,
                            .nKept = (intptr_t)run->nKept,
                            .kept = run->kept,
                            .nOutputs = (intptr_t)run->nOutputs,
                            .outputs = run->outputs,
                            .done = run->args->device_complete_events ? &done
                                                                      : NULL};
  size_t nKept = run->nKept / run->args->num_devices;
  for (size_t i = 0; i < run->nKept; ++i)
    run->kept[i] = keptInput(run, i % nKept, i / nKept);
  for (size_t i = 0; i < run->nInputs; ++i)
    run->inputs[i] = NULL;
  PJRT_Error *error = checkDonations(run);
  if (!error)
    error = checkOthers(run);
  if (!error)
    error = takeInputs(run);
  if (!error)
    error = xlaPjrtErrorTake(xlaLoadedExecutableExecute(run->code, &execution));
  for (size_t i = 0; i < run->nInputs; ++i)
    xlaArrayRelease(run->inputs[i]);
  if (error)
    return error;
  error = giveOutputs(run);
  for (size_t i = 0; i < run->nOutputs; ++i)
    xlaArrayRelease(run->outputs[i]);
  if (error)
    xlaEventRelease(done);
  else
    giveEvents(run, done);
  return error;
}

static PJRT_Error *executeWith(Run *run) {
  if (run->nInputs <= FEW && run->nKept <= FEW && run->nOutputs <= FEW) {
    XlaArray *inputs[FEW], *outputs[FEW];
    intptr_t kept[FEW];
    run->inputs = inputs;
    run->outputs = outputs;
    run->kept = kept;
    PJRT_Error *error = execute(run);
    run->inputs = run->outputs = NULL; // they end here
    run->kept = NULL;
    return error;
  }
  run->inputs = calloc(run->nInputs + 1, sizeof(XlaArray *));
  run->outputs = calloc(run->nOutputs + 1, sizeof(XlaArray *));
  run->kept = calloc(run->nKept + 1, sizeof *run->kept);
  PJRT_Error *error = run->inputs && run->outputs && run->kept
                          ? execute(run)
                          : xlaPjrtNoMemory();
  free(run->inputs);
  free(run->outputs);
  free(run->kept);
  return error;
}

PJRT_Error *
xlaPjrt_LoadedExecutable_Execute(PJRT_LoadedExecutable_Execute_Args *args) {
  Run run = {.args = args, .code = xlaPjrtLoadedTake(args->executable)};
  if (!run.code)
    return xlaPjrtInvalid("the executable has been deleted");
  PJRT_Error *error = check(args);
  if (error) {
    xlaPjrtLoadedGive(args->executable);
    return error;
  }
  size_t nKept =
      args->options ? args->options->num_non_donatable_input_indices : 0;
  run.nInputs = args->num_args * args->num_devices;
  run.nKept = nKept * args->num_devices;
  run.nOutputs = (size_t)xlaLoadedExecutableGetNumOutputs(run.code);
  error = executeWith(&run);
  xlaPjrtLoadedGive(args->executable);
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

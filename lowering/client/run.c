//===- client.c - Compiling and running computations from C ---------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/lowering/client.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"
#include "xlac/dialect/dialect.h"
#include "xlac/dialect/error.h"
#include "xlac/dialect/interpret/random.h"
#include "xlac/dialect/ir.h"
#include "xlac/lowering/executable_internal.h"
#include "xlac/runtime/memory.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct XlaClient {
  MlirContext context;
  XlaCpuTarget *target;    // NULL for the interpreter
  XlaVulkanDevice *vulkan; // or NULL
  bool interpreter;
  XlaClientOptions options;
  pthread_mutex_t lock; // of the context, while programs run
};

struct XlaLoadedExecutable {
  XlaClient *client;
  MlirModule module; // custom calls and the interpreter read it
  MlirOperation function;
  XlaExecutable *compiled;     // NULL for the interpreter
  XlaSpecializer *specializer; // of unknown sizes, for the interpreter
};

//===----------------------------------------------------------------------===//
// Diagnostics become statuses
//===----------------------------------------------------------------------===//

/// The first error of what is going on.
typedef struct Message {
  MlirContext context;
  pthread_t thread; // whose errors they are, if `isOwn`
  bool isOwn;
  MlirDiagnosticHandlerID handler;
  XlaStatusCode code;
  char text[1500];
} Message;

static MlirLogicalResult keep(MlirDiagnostic diagnostic, void *data) {
  Message *message = data;
  if (message->isOwn && !pthread_equal(message->thread, pthread_self()))
    return mlirLogicalResultFailure(); // another handler's
  if (mlirDiagnosticGetSeverity(diagnostic) != MlirDiagnosticError ||
      message->text[0])
    return mlirLogicalResultSuccess();
  XlaIrLine line = {message->text, sizeof message->text, 0};
  message->code = xlaDiagnosticGetCode(diagnostic);
  mlirLocationPrint(xlaDiagnosticGetPlace(diagnostic), xlaIrLineAppend, &line);
  xlaIrLineAppend(mlirStringRefCreateFromCString(": "), &line);
  mlirDiagnosticPrint(diagnostic, xlaIrLineAppend, &line);
  return mlirLogicalResultSuccess();
}

/// `isOwn`: to errors of this thread alone; others run programs meanwhile.
static void listen(MlirContext context, bool isOwn, Message *message) {
  message->context = context;
  message->thread = pthread_self();
  message->isOwn = isOwn;
  message->text[0] = 0;
  message->code = XLA_STATUS_OUT_OF_MEMORY;
  message->handler =
      mlirContextAttachDiagnosticHandler(context, keep, message, NULL);
}

/// OK, or what was heard.
static XlaStatus heard(Message *message, bool done) {
  mlirContextDetachDiagnosticHandler(message->context, message->handler);
  if (done)
    return NULL;
  return xlaStatusCreate(message->code, "%s",
                         message->text[0] ? message->text : "out of memory");
}

//===----------------------------------------------------------------------===//
// Clients
//===----------------------------------------------------------------------===//

static XlaStatus openVulkan(XlaClient *client, const char *name) {
  intptr_t number = 0;
  char after;
  if (name[6] &&
      (sscanf(name + 6, ":%td%c", &number, &after) != 1 || number < 0))
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "\"%.60s\" is no device; vulkan:N is one", name);
  return xlaVulkanDeviceOpen(NULL, number, &client->vulkan);
}

static XlaStatus openDevice(XlaClient *client, const char *name) {
  if (!name || !strcmp(name, "cpu"))
    return NULL;
  client->interpreter = !strcmp(name, "interpreter");
  if (client->interpreter)
    return NULL;
  if (!strncmp(name, "vulkan", 6))
    return openVulkan(client, name);
  return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                         "\"%.60s\" is no device; there are cpu, interpreter, "
                         "vulkan and vulkan:N",
                         name);
}

/// What a call needs is NULL.
static XlaStatus missing(const char *what) {
  return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT, "the %s is NULL", what);
}

XlaStatus xlaClientCreate(const XlaClientOptions *options, XlaClient **client) {
  static const XlaClientOptions defaults = {0};
  if (!client)
    return missing("place for a client");
  *client = NULL;
  if (!options)
    options = &defaults;
  XlaClient *made = calloc(1, sizeof *made);
  if (!made)
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY, "no memory for a client");
  made->options = *options;
  made->options.device = made->options.cpu = NULL; // the caller's
  XlaStatus status = openDevice(made, options->device);
  XlaCpuTargetOptions target = {.cpu = options->cpu,
                                .threads = options->threads};
  if (!status && !made->interpreter)
    status = xlaCpuTargetCreate(&target, &made->target);
  if (status) {
    xlaVulkanDeviceClose(made->vulkan);
    free(made);
    return status;
  }
  made->context = xlaBuilderCreateContext();
  pthread_mutex_init(&made->lock, NULL);
  *client = made;
  return NULL;
}

void xlaClientDestroy(XlaClient *client) {
  if (!client)
    return;
  mlirContextDestroy(client->context);
  pthread_mutex_destroy(&client->lock);
  xlaCpuTargetDestroy(client->target);
  xlaVulkanDeviceClose(client->vulkan);
  free(client);
}

MlirContext xlaClientGetContext(const XlaClient *client) {
  return client->context;
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

/// What is compiled on a larger stack.
typedef struct Job {
  XlaLoadedExecutable *executable;
  MlirStringRef entry;
  bool done;
} Job;

static void compile(void *data) {
  Job *job = data;
  XlaLoadedExecutable *executable = job->executable;
  const XlaClient *client = executable->client;
  XlaCompileOptions options = {.target = client->target,
                               .vulkan = client->vulkan,
                               .customCall = client->options.customCall,
                               .customCallUser = client->options.user,
                               .infeed = client->options.infeed,
                               .outfeed = client->options.outfeed,
                               .feedUser = client->options.user};
  job->done = mlirLogicalResultIsSuccess(xlaExecutableCompile(
      executable->module, job->entry, &options, &executable->compiled));
}

/// Finds the function in the executable's module and compiles it.
static XlaStatus load(XlaLoadedExecutable *executable, const char *entry) {
  XlaClient *client = executable->client;
  Job job = {executable, mlirStringRefCreateFromCString(entry), false};
  executable->function = xlaModuleFindFunction(
      mlirModuleGetOperation(executable->module), job.entry);
  if (mlirOperationIsNull(executable->function))
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "the module has no function @%.100s", entry);
  MlirType type =
      mlirTypeAttrGetValue(xlaOpGetAttr(executable->function, "function_type"));
  if (mlirFunctionTypeGetNumResults(type) != 1)
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "@%.100s has %lld results, must have one", entry,
                           (long long)mlirFunctionTypeGetNumResults(type));
  if (client->interpreter && xlaFunctionIsUnbounded(executable->function)) {
    executable->specializer = xlaSpecializerCreate(
        executable->module, executable->function, false, NULL);
    return executable->specializer
               ? NULL
               : xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY, "out of memory");
  }
  if (client->interpreter)
    return NULL;
  Message message;
  listen(client->context, false, &message);
  bool ran = mlirExtRunOnStack(XLA_STACK_BYTES, compile, &job);
  return heard(&message, ran && job.done);
}

/// Takes `module`, also on failure.
static XlaStatus takeModule(XlaClient *client, MlirModule module,
                            const char *entry,
                            XlaLoadedExecutable **executable) {
  XlaLoadedExecutable *made = calloc(1, sizeof *made);
  if (!made) {
    mlirModuleDestroy(module);
    return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY,
                           "no memory for an executable");
  }
  made->client = client;
  made->module = module;
  if (client->options.seed)
    mlirOperationSetDiscardableAttributeByName(
        mlirModuleGetOperation(module),
        mlirStringRefCreateFromCString(XLA_SEED_ATTRIBUTE),
        xlaIrI64Attr(client->context, client->options.seed));
  XlaStatus status = load(made, entry);
  if (status)
    xlaLoadedExecutableDestroy(made);
  else
    *executable = made;
  return status;
}

static XlaStatus checkCompile(const XlaClient *client,
                              XlaLoadedExecutable **executable) {
  if (!executable)
    return missing("place for an executable");
  *executable = NULL;
  return client ? NULL : missing("client");
}

XlaStatus xlaClientCompileModule(XlaClient *client, MlirModule module,
                                 const char *entry,
                                 XlaLoadedExecutable **executable) {
  XLA_RETURN_IF_ERROR(checkCompile(client, executable));
  if (!entry)
    return missing("name of the entry");
  if (mlirModuleIsNull(module) ||
      !mlirContextEqual(mlirModuleGetContext(module), client->context))
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "there is no module, or it is of another context "
                           "than the client's");
  return takeModule(client,
                    mlirModuleFromOperation(
                        mlirOperationClone(mlirModuleGetOperation(module))),
                    entry, executable);
}

XlaStatus xlaClientCompile(XlaClient *client, const XlaComputation *computation,
                           XlaLoadedExecutable **executable) {
  XLA_RETURN_IF_ERROR(checkCompile(client, executable));
  if (!computation ||
      !mlirContextEqual(xlaComputationGetContext(computation), client->context))
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "there is no computation, or it is of another "
                           "context than the client's");
  Message message;
  listen(client->context, false, &message);
  MlirModule module = xlaComputationCreateModule(computation);
  if (mlirModuleIsNull(module)) // what was built breaks a rule
    message.code = XLA_STATUS_INVALID_ARGUMENT;
  XLA_RETURN_IF_ERROR(heard(&message, !mlirModuleIsNull(module)));
  return takeModule(client, module, "main", executable);
}

void xlaLoadedExecutableDestroy(XlaLoadedExecutable *executable) {
  if (!executable)
    return;
  xlaExecutableDestroy(executable->compiled);
  xlaSpecializerDestroy(executable->specializer);
  mlirModuleDestroy(executable->module);
  free(executable);
}

XlaExecutable *
xlaLoadedExecutableGetExecutable(const XlaLoadedExecutable *executable) {
  return executable ? executable->compiled : NULL;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static XlaStatus checkInputs(const XlaLoadedExecutable *executable,
                             intptr_t nInputs,
                             const XlaLiteral *const *inputs) {
  MlirType type =
      mlirTypeAttrGetValue(xlaOpGetAttr(executable->function, "function_type"));
  intptr_t n = mlirFunctionTypeGetNumInputs(type);
  if (nInputs != n)
    return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                           "the program takes %lld inputs, gets %lld",
                           (long long)n, (long long)nInputs);
  if (n && !inputs)
    return missing("array of inputs");
  for (intptr_t i = 0; i < n; ++i) {
    MlirType wanted = mlirFunctionTypeGetInput(type, i);
    if (!inputs[i])
      return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT, "input %lld is NULL",
                             (long long)i);
    MlirType given = xlaLiteralGetType(inputs[i], executable->client->context);
    if (mlirTypeIsNull(given))
      return xlaStatusCreate(XLA_STATUS_OUT_OF_MEMORY, "out of memory");
    if (!xlaTypeRefines(given, wanted) &&
        !xlaTypeEqualIgnoringLayout(wanted, given))
      return xlaStatusCreate(XLA_STATUS_INVALID_ARGUMENT,
                             "input %lld is %s, must be %s", (long long)i,
                             XLA_TYPE_TEXT(given), XLA_TYPE_TEXT(wanted));
  }
  return NULL;
}

/// A run of the evaluator, on a larger stack.
typedef struct Evaluation {
  const XlaLoadedExecutable *executable;
  MlirModule module;
  MlirOperation function;
  intptr_t nInputs;
  const XlaLiteral *const *inputs;
  XlaLiteral **output;
  bool done;
} Evaluation;

static void evaluate(void *data) {
  Evaluation *run = data;
  const XlaLoadedExecutable *executable = run->executable;
  const XlaClientOptions *hooks = &executable->client->options;
  XlaEvaluatorOptions options = {.maxBytes = xlaMemoryLimit(),
                                 .customCall = hooks->customCall,
                                 .infeed = hooks->infeed,
                                 .outfeed = hooks->outfeed,
                                 .userData = hooks->user};
  XlaEvaluator *evaluator =
      xlaEvaluatorCreate(mlirModuleGetOperation(run->module), &options);
  if (!evaluator)
    return;
  run->done = mlirLogicalResultIsSuccess(xlaEvaluatorRun(
      evaluator, run->function, run->nInputs, run->inputs, 1, run->output));
  xlaEvaluatorDestroy(evaluator);
}

/// Appends the shapes of the arrays in `literal`.
static void copyShapes(const XlaLiteral *literal, XlaShape **next) {
  if (xlaLiteralGetKind(literal) == XlaLiteralKindArray)
    *(*next)++ = *xlaLiteralGetShape(literal);
  else if (xlaLiteralGetKind(literal) == XlaLiteralKindTuple)
    for (intptr_t i = 0; i < xlaLiteralGetTupleSize(literal); ++i)
      copyShapes(xlaLiteralGetTupleElement(literal, i), next);
}

/// On the interpreter; `*why` as xlaSpecializerGet gives it.
static bool interpret(const XlaLoadedExecutable *executable, intptr_t nInputs,
                      const XlaLiteral *const *inputs, XlaLiteral **output,
                      XlaImportResult *why) {
  Evaluation run = {.executable = executable,
                    .module = executable->module,
                    .function = executable->function,
                    .nInputs = nInputs,
                    .inputs = inputs,
                    .output = output};
  if (executable->specializer) {
    XlaShape *next = xlaSpecializerGetShapes(executable->specializer);
    for (intptr_t i = 0; i < nInputs; ++i)
      copyShapes(inputs[i], &next);
    const XlaSpecialized *program =
        xlaSpecializerGet(executable->specializer, why);
    if (!program)
      return false;
    run.module = program->module;
    run.function = program->function;
  }
  return mlirExtRunOnStack(XLA_STACK_BYTES, evaluate, &run) && run.done;
}

/// On the interpreter, which has the context for itself.
static bool interpretAlone(const XlaLoadedExecutable *executable,
                           intptr_t nInputs, const XlaLiteral *const *inputs,
                           XlaLiteral **output, XlaImportResult *why) {
  pthread_mutex_t *lock = &executable->client->lock;
  pthread_mutex_lock(lock);
  bool done = interpret(executable, nInputs, inputs, output, why);
  pthread_mutex_unlock(lock);
  return done;
}

XlaStatus xlaLoadedExecutableRun(XlaLoadedExecutable *executable,
                                 intptr_t nInputs,
                                 const XlaLiteral *const *inputs,
                                 XlaLiteral **output) {
  if (!output)
    return missing("place for an output");
  *output = NULL;
  if (!executable)
    return missing("executable");
  XlaClient *client = executable->client;
  pthread_mutex_lock(&client->lock);
  XlaStatus wrong = checkInputs(executable, nInputs, inputs);
  pthread_mutex_unlock(&client->lock);
  XLA_RETURN_IF_ERROR(wrong);
  Message message;
  bool done, isCompiled = executable->compiled != NULL;
  listen(client->context,
         isCompiled && !xlaExecutableIsUnbounded(executable->compiled),
         &message);
  XlaImportResult why = XlaImportResultOk;
  if (isCompiled) {
    done = mlirLogicalResultIsSuccess(xlaExecutableRunLiterals(
        executable->compiled, nInputs, inputs, 1, output));
    why = executable->compiled->why;
  } else {
    done = interpretAlone(executable, nInputs, inputs, output, &why);
  }
  // What the import says has no code.
  if (!done && why != XlaImportResultOk)
    message.code = why == XlaImportResultInvalid ? XLA_STATUS_INVALID_ARGUMENT
                                                 : XLA_STATUS_UNIMPLEMENTED;
  return heard(&message, done);
}

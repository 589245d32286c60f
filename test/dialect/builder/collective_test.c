//===- collective_test.c - Building operations between replicas -----------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/test/dialect/builder/builder_fixture.h"

#include "xlac/dialect/interpret/evaluator.h"
#include "xlac/dialect/interpret/rendezvous.h"

#include <pthread.h>

//===----------------------------------------------------------------------===//
// Replicas: a thread each
//===----------------------------------------------------------------------===//

typedef struct Replica {
  pthread_t thread;
  MlirModule module;
  XlaProcess process;
  XlaLiteral *result;
} Replica;

static void *runReplica(void *data) {
  Replica *replica = data;
  MlirModule module = replica->module;
  XlaEvaluatorOptions options = {.process = replica->process};
  XlaEvaluator *evaluator =
      xlaEvaluatorCreate(mlirModuleGetOperation(module), &options);
  MlirOperation main = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  bool failed = mlirLogicalResultIsFailure(
      xlaEvaluatorRun(evaluator, main, 0, NULL, 1, &replica->result));
  xlaProcessFinish(&replica->process, failed);
  xlaEvaluatorDestroy(evaluator);
  return NULL;
}

enum { maxReplicas = 4 };

/// Ends `b`, and runs `n` replicas: the f32s of all, one after the other, must
/// be `values`.
static void expectReplicas(XlaBuilder *b, XlaOp root, int n,
                           const XlaShape *shape, const float *values) {
  XlaComputation *computation = builderEnd(b, root);
  MlirModule module = xlaComputationCreateModule(computation);
  XlaGrid grid = {.replicas = n, .partitions = 1};
  XlaRendezvous *rendezvous = xlaRendezvousCreate(1, &grid);
  Replica replicas[maxReplicas] = {0};
  for (int i = 0; i < n; ++i) {
    replicas[i].module = module;
    replicas[i].process = (XlaProcess){.rendezvous = rendezvous, .replica = i};
    assert_int_equal(
        pthread_create(&replicas[i].thread, NULL, runReplica, &replicas[i]), 0);
  }
  for (int i = 0; i < n; ++i)
    pthread_join(replicas[i].thread, NULL);
  for (int i = 0; i < n; ++i) {
    const XlaLiteral *result = replicas[i].result;
    if (!result)
      fail_msg("replica %d fails", i);
    assert_true(xlaShapeDimsEqual(xlaLiteralGetShape(result), shape));
    assert_memory_equal(xlaLiteralGetData(result), values,
                        xlaLiteralGetByteCount(result));
    values += xlaLiteralGetElementCount(result);
    xlaLiteralRelease(replicas[i].result);
  }
  xlaRendezvousDestroy(rendezvous);
  mlirModuleDestroy(module);
  xlaComputationRelease(computation);
}

#define FLOATS(...)                                                            \
  (const float[]) { __VA_ARGS__ }

/// The vector that replica i has: rows[i].
static XlaOp perReplica(XlaBuilder *b, const float *rows, int64_t n,
                        int64_t size) {
  XlaOp all = xlaBuilderConstantR2F32(b, rows, n, size);
  XlaOp starts[] = {xlaBuilderReplicaId(b), xlaBuilderConstantR0U32(b, 0)};
  XlaOp row = xlaBuilderDynamicSlice(b, all, starts, 2, XLA_INTS(1, size));
  return xlaBuilderReshape(b, row, XLA_INTS(size));
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

/// 000: [1, 2.5] and [3, 5.25] of two replicas.
static XlaOp printed(XlaBuilder *b) {
  return perReplica(b, FLOATS(1, 2.5f, 3, 5.25f), 2, 2);
}

static void gathersAndSums(void **state) {
  (void)state;
  XlaComputation *sum = builderSum(XlaElementTypeF32);
  XlaBuilder *b = builderNew("all_gather");
  expectReplicas(b, xlaBuilderAllGather(b, printed(b), 0, 2, NULL, 0, 0), 2,
                 XLA_SHAPE(F32, 4),
                 FLOATS(1, 2.5f, 3, 5.25f, 1, 2.5f, 3, 5.25f));
  b = builderNew("all_reduce");
  expectReplicas(b, xlaBuilderAllReduce(b, printed(b), sum, NULL, 0, 0), 2,
                 XLA_SHAPE(F32, 2), FLOATS(4, 7.75f, 4, 7.75f));
  b = builderNew("all_reduce of a tuple");
  XlaOp both = xlaBuilderTuple(b, XLA_OPS(printed(b), printed(b)));
  both = xlaBuilderAllReduce(b, both, sum, NULL, 0, 0);
  expectReplicas(b, xlaBuilderGetTupleElement(b, both, 1), 2, XLA_SHAPE(F32, 2),
                 FLOATS(4, 7.75f, 4, 7.75f));
  b = builderNew("cross_replica_sum");
  expectReplicas(b, xlaBuilderCrossReplicaSum(b, printed(b), NULL, 0), 2,
                 XLA_SHAPE(F32, 2), FLOATS(4, 7.75f, 4, 7.75f));
  // 000: reduce-scatter of [1, 2.25] and [3, 5.25].
  b = builderNew("reduce_scatter");
  XlaOp x = perReplica(b, FLOATS(1, 2.25f, 3, 5.25f), 2, 2);
  expectReplicas(b, xlaBuilderReduceScatter(b, x, sum, 0, 2, NULL, 0, 0), 2,
                 XLA_SHAPE(F32, 1), FLOATS(4, 7.5f));
  xlaComputationRelease(sum);
}

/// Groups {0, 2} and {1, 3} of four replicas.
static void groups(void **state) {
  (void)state;
  const int64_t even[] = {0, 2}, odd[] = {1, 3};
  const XlaReplicaGroup two[] = {{even, 2}, {odd, 2}};
  XlaComputation *sum = builderSum(XlaElementTypeF32);
  const float *rows = FLOATS(1, 2, 3, 4, 5, 6, 7, 8);
  XlaBuilder *b = builderNew("all_gather");
  XlaOp x = perReplica(b, rows, 4, 2);
  expectReplicas(b, xlaBuilderAllGather(b, x, 0, 2, two, 2, 0), 4,
                 XLA_SHAPE(F32, 4),
                 FLOATS(1, 2, 5, 6, 3, 4, 7, 8, 1, 2, 5, 6, 3, 4, 7, 8));
  b = builderNew("all_reduce");
  x = perReplica(b, rows, 4, 2);
  expectReplicas(b, xlaBuilderAllReduce(b, x, sum, two, 2, 0), 4,
                 XLA_SHAPE(F32, 2), FLOATS(6, 8, 10, 12, 6, 8, 10, 12));
  b = builderNew("cross_replica_sum");
  x = perReplica(b, rows, 4, 2);
  expectReplicas(b, xlaBuilderCrossReplicaSum(b, x, two, 2), 4,
                 XLA_SHAPE(F32, 2), FLOATS(6, 8, 10, 12, 6, 8, 10, 12));
  b = builderNew("reduce_scatter");
  x = perReplica(b, rows, 4, 2);
  expectReplicas(b, xlaBuilderReduceScatter(b, x, sum, 0, 2, two, 2, 0), 4,
                 XLA_SHAPE(F32, 1), FLOATS(6, 10, 8, 12));
  b = builderNew("all_to_all");
  x = perReplica(b, rows, 4, 2);
  expectReplicas(b, xlaBuilderAllToAll(b, x, 0, 0, 2, two, 2), 4,
                 XLA_SHAPE(F32, 2), FLOATS(1, 5, 3, 7, 2, 6, 4, 8));
  b = builderNew("collective_broadcast");
  x = perReplica(b, rows, 4, 2);
  expectReplicas(b, xlaBuilderCollectiveBroadcast(b, x, two, 2, 0), 4,
                 XLA_SHAPE(F32, 2), FLOATS(1, 2, 3, 4, 1, 2, 3, 4));
  xlaComputationRelease(sum);
}

static void permutations(void **state) {
  (void)state;
  const XlaSourceTargetPair pairs[] = {{0, 1}, {1, 2}};
  XlaBuilder *b = builderNew("collective_permute");
  XlaOp x = perReplica(b, FLOATS(1, 2, 3, 4, 5, 6), 3, 2);
  expectReplicas(b, xlaBuilderCollectivePermute(b, x, pairs, 2), 3,
                 XLA_SHAPE(F32, 2), FLOATS(0, 0, 1, 2, 3, 4));
}

static void numbers(void **state) {
  (void)state;
  XlaBuilder *b = builderNew("numbers");
  XlaOp sum = xlaBuilderAdd(b, xlaBuilderReplicaId(b), xlaBuilderPartitionId(b),
                            NULL, 0);
  expectReplicas(b, xlaBuilderConvertElementType(b, sum, XlaElementTypeF32), 4,
                 XLA_SHAPE(F32), FLOATS(0, 1, 2, 3));
}

/// 000: AllToAll's program: f32[4,16] of four replicas becomes f32[16,4].
static void printedAllToAll(void **state) {
  (void)state;
  XlaBuilder *b = builderNew("alltoall");
  XlaOp x = xlaBuilderParameter(b, 0, XLA_SHAPE(F32, 4, 16), "x");
  XlaShape shape;
  XlaOp y =
      xlaBuilderAllToAll(b, x, /*splitDimension=*/1,
                         /*concatDimension=*/0, /*splitCount=*/4, NULL, 0);
  assert_true(xlaBuilderGetShape(b, y, &shape));
  assert_int_equal(shape.dims[0], 16);
  assert_int_equal(shape.dims[1], 4);
  xlaComputationRelease(builderEnd(b, y));
}

static void wrongUses(void **state) {
  (void)state;
  const int64_t twice[] = {0, 0}, pair[] = {0, 1};
  const XlaReplicaGroup bad[] = {{twice, 2}}, null[] = {{NULL, 2}},
                        negative[] = {{twice, -2}}, good[] = {{pair, 2}};
  const XlaSourceTargetPair pairs[] = {{0, 1}, {0, 2}};
  XlaComputation *sum = builderSum(XlaElementTypeF32);
  static const char *const messages[] = {"[all_gather_c1]",
                                         "[all_gather_c7]",
                                         "[all_gather_c2]",
                                         "replica_groups is NULL and has 2",
                                         "replica_groups has -2 entries",
                                         "replica_groups has -1 entries",
                                         "[all_reduce_c3]",
                                         "a computation is NULL",
                                         "[all_to_all_c4]",
                                         "[reduce_scatter_c1]",
                                         "[collective_permute_c2]",
                                         "source_target_pairs has -1",
                                         "[cross_replica_sum_c1]",
                                         "[collective_broadcast_c1]"};
  for (size_t i = 0; i < sizeof messages / sizeof *messages; ++i) {
    XlaBuilder *b = builderNew("f");
    XlaOp x = xlaBuilderConstantR1F32(b, FLOATS(1, 2, 3), 3);
    switch (i) {
    case 0:
      xlaBuilderAllGather(b, x, 1, 2, NULL, 0, 0);
      break;
    case 1:
      xlaBuilderAllGather(b, x, 0, 3, good, 1, 0);
      break;
    case 2:
      xlaBuilderAllGather(b, x, 0, 2, bad, 1, 0);
      break;
    case 3:
      xlaBuilderAllGather(b, x, 0, 2, null, 1, 0);
      break;
    case 4:
      xlaBuilderAllGather(b, x, 0, 2, negative, 1, 0);
      break;
    case 5:
      xlaBuilderAllGather(b, x, 0, 2, good, -1, 0);
      break;
    case 6:
      xlaBuilderAllReduce(b, x, sum, (const XlaReplicaGroup[]){{pair + 1, 1}},
                          1, 0);
      break;
    case 7:
      xlaBuilderAllReduce(b, x, NULL, NULL, 0, 0);
      break;
    case 8:
      xlaBuilderAllToAll(b, x, 0, 0, 0, NULL, 0);
      break;
    case 9:
      xlaBuilderReduceScatter(b, x, sum, 0, 2, NULL, 0, 0);
      break;
    case 10:
      xlaBuilderCollectivePermute(b, x, pairs, 2);
      break;
    case 11:
      xlaBuilderCollectivePermute(b, x, pairs, -1);
      break;
    case 12:
      xlaBuilderCrossReplicaSum(b, x, bad, 1);
      break;
    default:
      xlaBuilderCollectiveBroadcast(b, x, bad, 1, 0);
      break;
    }
    builderExpectError(b, messages[i]);
  }
  xlaComputationRelease(sum);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gathersAndSums),  cmocka_unit_test(groups),
      cmocka_unit_test(permutations),    cmocka_unit_test(numbers),
      cmocka_unit_test(printedAllToAll), cmocka_unit_test(wrongUses),
  };
  return cmocka_run_group_tests(tests, builderSetUp, builderTearDown);
}

//===- report_attention.c - Products with rows between them, told ---------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/passes/fuse/report.h"

#include <stdio.h>

static FuseWords wordsOf(FuseAttentionReason reason) {
  switch (reason) {
  case FuseAttentionFused:
    break;
  case FuseAttentionUsed:
    return (FuseWords){"other kernels use what lies between them, and read it "
                       "from memory",
                       NULL};
  case FuseAttentionMatrices:
    return (FuseWords){
        "they are not one product of matrices of floats for each element of a "
        "batch",
        "make each have one dimension of rows and one of columns"};
  case FuseAttentionRows:
    return (FuseWords){
        "a row of the result needs more than a row of the scores",
        "reduce along what the second one contracts"};
  case FuseAttentionSize:
    return (FuseWords){"the kernel would be too large", NULL};
  case FuseAttentionCost:
    return (FuseWords){"it has too few rows", NULL};
  }
  return (FuseWords){"", NULL};
}

void xlaFuseReportPrintAttention(const FuseReport *report) {
  const FuseGraph *graph = report->graph;
  for (int i = 0; i < graph->nApart; ++i) {
    const FuseApartProducts *apart = &graph->apart[i];
    FuseWords words = wordsOf(apart->reason);
    fputs("apart: ", stderr);
    xlaFuseReportPrintOp(report, graph->nodes[apart->scores].op);
    fputs(" and ", stderr);
    xlaFuseReportPrintOp(report, graph->nodes[apart->result].op);
    fprintf(stderr,
            ", two products with rows between them\n"
            "    %s, so that they are not one kernel for tiles of rows; %s%s\n",
            words.obstacle, words.remedy ? "to change that: " : "",
            words.remedy ? words.remedy : "nothing to change");
  }
}

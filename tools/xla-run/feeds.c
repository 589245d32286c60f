//===- feeds.c - Infeeds and outfeeds of a command line -------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program sends out is kept until it has ended, and then written.
//
//===----------------------------------------------------------------------===//

#include "xlac/tools/common/value.h"
#include "xlac/tools/xla-run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct XlaRunFeed {
  pthread_mutex_t mutex;
  XlaToolValues texts; // of --infeed
  intptr_t nQueued;    // or arrays in their place, owned
  XlaLiteral **queue;
  intptr_t taken;
  intptr_t nOut, capacity;
  XlaLiteral **out;
};

XlaRunFeed *xlaRunFeedCreate(const XlaToolValues *texts) {
  XlaRunFeed *feed = calloc(1, sizeof *feed);
  if (!feed)
    return NULL;
  pthread_mutex_init(&feed->mutex, NULL);
  if (texts)
    feed->texts = *texts;
  return feed;
}

void xlaRunFeedDestroy(XlaRunFeed *feed) {
  if (!feed)
    return;
  for (intptr_t i = 0; i < feed->nQueued; ++i)
    xlaLiteralRelease(feed->queue[i]);
  for (intptr_t i = 0; i < feed->nOut; ++i)
    xlaLiteralRelease(feed->out[i]);
  free(feed->queue);
  free(feed->out);
  pthread_mutex_destroy(&feed->mutex);
  free(feed);
}

XlaToolCode xlaRunFeedBegin(XlaRun *run, XlaRunFeed **before) {
  *before = run->feed;
  XlaRunFeed *feed = xlaRunFeedCreate(&run->options.infeeds);
  if (!feed)
    return xlaToolError(XlaToolCodeRefused, "out of memory");
  run->feed = feed;
  return XlaToolCodeOk;
}

void xlaRunFeedEnd(XlaRun *run, XlaRunFeed *before) {
  xlaRunFeedDestroy(run->feed);
  run->feed = before;
}

//===----------------------------------------------------------------------===//
// In
//===----------------------------------------------------------------------===//

bool xlaRunFeedAdd(XlaRunFeed *feed, XlaLiteral *array) {
  XlaLiteral **queue =
      realloc(feed->queue, ((size_t)feed->nQueued + 1) * sizeof(XlaLiteral *));
  if (!queue) {
    xlaLiteralRelease(array);
    return false;
  }
  feed->queue = queue;
  feed->queue[feed->nQueued++] = array;
  return true;
}

static MlirLogicalResult readText(MlirOperation op, const char *text,
                                  intptr_t number, const XlaShape *shape,
                                  XlaLiteral **array) {
  XlaStatus status = xlaValueParse(text, shape, array);
  if (!status)
    return mlirLogicalResultSuccess();
  xlaOpInvalid(op, NULL, "cannot read value %lld of the infeed: %s",
               (long long)number, xlaStatusMessage(status));
  xlaStatusDestroy(status);
  return mlirLogicalResultFailure();
}

static MlirLogicalResult takeOne(XlaRunFeed *feed, MlirOperation op,
                                 const XlaShape *shape, XlaLiteral **array) {
  intptr_t number = feed->taken, count = feed->texts.count + feed->nQueued;
  if (number >= count)
    return xlaOpInvalid(
        op, NULL,
        "takes %s from the infeed, which has given all its %lld "
        "values",
        XLA_VALUE_SHAPE_TEXT(shape), (long long)count);
  if (feed->nQueued) {
    *array = feed->queue[number];
    feed->queue[number] = NULL;
  } else if (mlirLogicalResultIsFailure(readText(op, feed->texts.items[number],
                                                 number, shape, array))) {
    return mlirLogicalResultFailure();
  }
  ++feed->taken;
  const XlaShape *given = xlaLiteralGetShape(*array);
  if (given->elementType == shape->elementType &&
      xlaShapeDimsEqual(given, shape))
    return mlirLogicalResultSuccess();
  xlaOpInvalid(op, NULL, "takes %s from the infeed, whose value %lld is %s",
               XLA_VALUE_SHAPE_TEXT(shape), (long long)number,
               XLA_VALUE_SHAPE_TEXT(given));
  xlaLiteralRelease(*array);
  *array = NULL;
  return mlirLogicalResultFailure();
}

MlirLogicalResult xlaRunFeedIn(MlirOperation op, intptr_t n,
                               const XlaShape *shapes, XlaLiteral **arrays,
                               XlaRunFeed *feed) {
  MlirLogicalResult result = mlirLogicalResultSuccess();
  intptr_t made = 0;
  pthread_mutex_lock(&feed->mutex);
  for (; made < n && mlirLogicalResultIsSuccess(result); ++made)
    result = takeOne(feed, op, &shapes[made], &arrays[made]);
  pthread_mutex_unlock(&feed->mutex);
  for (intptr_t i = 0; i < made && mlirLogicalResultIsFailure(result); ++i) {
    xlaLiteralRelease(arrays[i]);
    arrays[i] = NULL;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Out
//===----------------------------------------------------------------------===//

MlirLogicalResult xlaRunFeedOut(MlirOperation op, intptr_t n,
                                const XlaLiteral *const *arrays,
                                XlaRunFeed *feed) {
  bool enough = true;
  pthread_mutex_lock(&feed->mutex);
  if (feed->nOut + n > feed->capacity) {
    intptr_t capacity = 2 * (feed->nOut + n);
    XlaLiteral **out = realloc(feed->out, (size_t)capacity * sizeof *out);
    enough = out != NULL;
    if (enough) {
      feed->out = out;
      feed->capacity = capacity;
    }
  }
  for (intptr_t i = 0; enough && i < n; ++i)
    feed->out[feed->nOut++] = xlaLiteralRetain(arrays[i]);
  pthread_mutex_unlock(&feed->mutex);
  return enough ? mlirLogicalResultSuccess() : xlaOpNoMemory(op);
}

const XlaLiteral *const *xlaRunFeedGetOut(const XlaRunFeed *feed, intptr_t *n) {
  *n = feed->nOut;
  return (const XlaLiteral *const *)feed->out;
}

static XlaToolCode writeOne(const XlaRun *run, const XlaLiteral *array,
                            const char *where) {
  if (!strcmp(where, "none"))
    return XlaToolCodeOk;
  if (*where == '@') {
    XlaStatus status = xlaValueWriteNpy(where + 1, array);
    return status ? xlaToolStatusError(status, "outfeed") : XlaToolCodeOk;
  }
  printf("outfeed ");
  xlaValuePrint(array, run->options.call.printsAll, stdout);
  putchar('\n');
  return XlaToolCodeOk;
}

/// Where array `i` of all goes. A loop sends more than one cares to list:
/// `none` holds for those that follow too.
static const char *placeOf(const XlaToolValues *outputs, intptr_t i) {
  if (i < outputs->count)
    return outputs->items[i];
  bool none =
      outputs->count && !strcmp(outputs->items[outputs->count - 1], "none");
  return none ? "none" : "-";
}

XlaToolCode xlaRunFeedWrite(const XlaRun *run, const XlaRunFeed *feed,
                            intptr_t *written) {
  const XlaToolValues *outputs = &run->options.outfeeds;
  XlaToolCode code = XlaToolCodeOk;
  for (intptr_t i = 0; i < feed->nOut && code == XlaToolCodeOk; ++i, ++*written)
    code = writeOne(run, feed->out[i], placeOf(outputs, *written));
  return code;
}

XlaToolCode xlaRunFeedsCheck(const XlaRun *run, intptr_t n,
                             XlaRunFeed *const *feeds, intptr_t written) {
  intptr_t left = 0;
  for (intptr_t i = 0; i < n; ++i)
    left += feeds[i]->texts.count - feeds[i]->taken;
  if (left)
    return xlaToolError(XlaToolCodeWrong,
                        "--infeed is given %d times, %lld of the values were "
                        "not taken",
                        run->options.infeeds.count, (long long)left);
  if (written < run->options.outfeeds.count)
    return xlaToolError(XlaToolCodeWrong,
                        "--outfeed is given %d times, but %lld arrays were "
                        "sent out",
                        run->options.outfeeds.count, (long long)written);
  return XlaToolCodeOk;
}

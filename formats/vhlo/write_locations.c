//===- write_locations.c - Locations that are written ---------------------===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xlac/formats/vhlo/builtin.h"
#include "xlac/formats/vhlo/writer.h"

#include <stdlib.h>

static bool putText(XlaVhloWriter *writer, MlirIdentifier text, XlaIrText *to) {
  return xlaVhloPutAttribute(
      writer, XlaVhloCodingBuiltin,
      mlirStringAttrGet(writer->context, mlirIdentifierStr(text)), to);
}

/// One place, which older versions of MLIR know, or two.
static bool writePlace(XlaVhloWriter *writer, MlirLocation location,
                       XlaIrText *to) {
  int line = mlirLocationFileLineColRangeGetStartLine(location);
  int column = mlirLocationFileLineColRangeGetStartColumn(location);
  int endLine = mlirLocationFileLineColRangeGetEndLine(location);
  int endColumn = mlirLocationFileLineColRangeGetEndColumn(location);
  bool isPoint = line == endLine && column == endColumn;
  xlaVhloPutVarint(to, isPoint ? XlaBuiltinAttributePoint
                               : XlaBuiltinAttributeRange);
  if (!putText(writer, mlirLocationFileLineColRangeGetFilename(location), to))
    return false;
  if (!isPoint)
    xlaVhloPutVarint(to, 4);
  xlaVhloPutVarint(to, (unsigned)line);
  xlaVhloPutVarint(to, (unsigned)column);
  if (!isPoint) {
    xlaVhloPutVarint(to, (unsigned)endLine);
    xlaVhloPutVarint(to, (unsigned)endColumn);
  }
  return true;
}

static bool writeFused(XlaVhloWriter *writer, MlirLocation location,
                       XlaIrText *to) {
  // The type of mlir-c's result says less than it is: a count.
  size_t n = mlirLocationFusedGetNumLocations(location);
  MlirAttribute metadata = mlirLocationFusedGetMetadata(location);
  bool hasMetadata = !mlirAttributeIsNull(metadata);
  MlirLocation *parts = malloc((n + 1) * sizeof *parts);
  if (!parts)
    return xlaVhloNoMemory(writer);
  mlirLocationFusedGetLocations(location, parts);
  xlaVhloPutVarint(to, hasMetadata ? XlaBuiltinAttributeFusedWithMetadata
                                   : XlaBuiltinAttributeFused);
  xlaVhloPutVarint(to, n);
  bool written = true;
  for (size_t i = 0; written && i < n; ++i)
    written = xlaVhloPutLocation(writer, parts[i], to);
  free(parts);
  return written &&
         (!hasMetadata ||
          xlaVhloPutAttribute(writer, XlaVhloCodingBuiltin, metadata, to));
}

bool xlaVhloWriteLocation(XlaVhloWriter *writer, MlirLocation location,
                          XlaIrText *content) {
  if (mlirLocationIsAFileLineColRange(location))
    return writePlace(writer, location, content);
  if (mlirLocationIsAFused(location))
    return writeFused(writer, location, content);
  if (mlirLocationIsAName(location)) {
    xlaVhloPutVarint(content, XlaBuiltinAttributeName);
    return putText(writer, mlirLocationNameGetName(location), content) &&
           xlaVhloPutLocation(writer, mlirLocationNameGetChildLoc(location),
                              content);
  }
  if (mlirLocationIsACallSite(location)) {
    xlaVhloPutVarint(content, XlaBuiltinAttributeCallSite);
    return xlaVhloPutLocation(writer, mlirLocationCallSiteGetCallee(location),
                              content) &&
           xlaVhloPutLocation(writer, mlirLocationCallSiteGetCaller(location),
                              content);
  }
  xlaVhloPutVarint(content, XlaBuiltinAttributeUnknown);
  return true;
}

bool xlaVhloPutLocation(XlaVhloWriter *writer, MlirLocation location,
                        XlaIrText *to) {
  return xlaVhloPutAttribute(writer, XlaVhloCodingBuiltin,
                             mlirLocationGetAttribute(location), to);
}

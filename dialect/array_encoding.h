//===- array_encoding.h - The attribute #xla.array ----------------*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// #xla.array is the encoding of tensors: what specifications 000 and 004 add to
// element type and sizes. All entries are optional, and stand for the default
// where they are absent.
//
// | entry             | what it says                                       |
// |-------------------|----------------------------------------------------|
// | minor_to_major    | the order of dimensions in memory, fastest first   |
// | padded_dimensions | the sizes that dimensions are padded to in memory  |
// | padding_value     | "zero", "one", "lowest" or "highest"               |
// | bounds            | the most that each dynamic dimension can have, `?` |
// |                   | for those that are not dynamic                     |
//
// layout.h reads the first three, shape.h the last.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_ARRAY_ENCODING_H
#define XLAC_DIALECT_ARRAY_ENCODING_H

#include "mlir-c/BuiltinAttributes.h"
#include "xlac/dialect/layout.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The entries of a tensor's encoding (a DictionaryAttr); null if it has none
/// or an encoding of another dialect.
MlirAttribute xlaArrayEncodingGetEntries(MlirType type);
/// Entry `name` of it as integers, with ShapedType's dynamic size for `?`: up
/// to XLA_MAX_RANK. -1 if there is no such entry, else how many there are.
int xlaArrayEncodingGetList(MlirType type, const char *name, int64_t *values);
/// The encoding, null if it says nothing: `layout` and the bounds of `shape`,
/// either of which may be NULL.
MlirAttribute xlaArrayEncodingGet(const XlaShape *shape,
                                  const XlaLayout *layout, MlirContext context);

/// The verifiers of the attribute (MlirExtAttrDefinition): alone, and as the
/// encoding of a tensor.
MlirLogicalResult xlaArrayEncodingVerify(MlirAttribute entries,
                                         void (*emitError)(const char *message,
                                                           void *errorData),
                                         void *errorData);
MlirLogicalResult xlaArrayEncodingVerifyTensor(
    MlirAttribute entries, intptr_t rank, const int64_t *dims,
    MlirType elementType,
    void (*emitError)(const char *message, void *errorData), void *errorData);

#ifdef __cplusplus
}
#endif

#endif // XLAC_DIALECT_ARRAY_ENCODING_H

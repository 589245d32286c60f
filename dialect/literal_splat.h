//===- literal_splat.h - Memory that holds one value many times -*- C -*-===//
//
// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to dialect.
//
//===----------------------------------------------------------------------===//

#ifndef XLAC_DIALECT_LITERAL_SPLAT_H
#define XLAC_DIALECT_LITERAL_SPLAT_H

#include <stddef.h>

/// `bytes` of memory that hold the element again and again, of which few are
/// taken until they are written to. NULL if that is not worth while or cannot
/// be had.
void *xlaSplatMap(size_t bytes, const void *element, size_t elementBytes);
/// Gives it back.
void xlaSplatUnmap(void *data);

#endif // XLAC_DIALECT_LITERAL_SPLAT_H

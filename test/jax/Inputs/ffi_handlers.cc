// Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handlers that a user of jax.ffi writes, with the header that JAX has.

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "xla/ffi/api/ffi.h"

namespace ffi = xla::ffi;

/// y = x * scale + the sum of all offsets; the rank of x.
static ffi::Error scale(ffi::Buffer<ffi::F32> x, float scale,
                        ffi::Span<const int64_t> offsets,
                        ffi::ResultBuffer<ffi::F32> y,
                        ffi::ResultBuffer<ffi::S32> rank) {
  float sum = 0;
  for (int64_t offset : offsets)
    sum += static_cast<float>(offset);
  for (size_t i = 0; i < x.element_count(); ++i)
    y->typed_data()[i] = x.typed_data()[i] * scale + sum;
  rank->typed_data()[0] = static_cast<int32_t>(x.dimensions().size());
  return ffi::Error::Success();
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(Scale, scale,
                              ffi::Ffi::Bind()
                                  .Arg<ffi::Buffer<ffi::F32>>()
                                  .Attr<float>("scale")
                                  .Attr<ffi::Span<const int64_t>>("offsets")
                                  .Ret<ffi::Buffer<ffi::F32>>()
                                  .Ret<ffi::Buffer<ffi::S32>>());

/// Any element type: sizes in bytes, by what attributes of all kinds say.
static ffi::Error describe(ffi::RemainingArgs args, ffi::Dictionary attributes,
                           ffi::ResultBuffer<ffi::S64> sizes) {
  auto name = attributes.get<std::string_view>("name");
  auto inner = attributes.get<ffi::Dictionary>("inner");
  auto isOn = attributes.get<bool>("on");
  if (!name || !inner || !isOn)
    return ffi::Error::InvalidArgument("attributes are not there");
  auto times = inner->get<int32_t>("times");
  if (*name != "bytes" || !times || !*isOn)
    return ffi::Error::InvalidArgument("attributes are others");
  for (size_t i = 0; i < args.size(); ++i)
    sizes->typed_data()[i] =
        static_cast<int64_t>(args.get<ffi::AnyBuffer>(i)->size_bytes()) *
        *times;
  return ffi::Error::Success();
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(Describe, describe,
                              ffi::Ffi::Bind()
                                  .RemainingArgs()
                                  .Attrs<ffi::Dictionary>()
                                  .Ret<ffi::Buffer<ffi::S64>>());

/// Adds to what is there.
static ffi::Error increment(ffi::Buffer<ffi::S32>,
                            ffi::ResultBuffer<ffi::S32> y) {
  for (size_t i = 0; i < y->element_count(); ++i)
    ++y->typed_data()[i];
  return ffi::Error::Success();
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(
    Increment, increment,
    ffi::Ffi::Bind().Arg<ffi::Buffer<ffi::S32>>().Ret<ffi::Buffer<ffi::S32>>());

static ffi::Error fail(ffi::AnyBuffer, ffi::Result<ffi::AnyBuffer>) {
  return ffi::Error(ffi::ErrorCode::kOutOfRange, "this is out of range");
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(
    Fail, fail, ffi::Ffi::Bind().Arg<ffi::AnyBuffer>().Ret<ffi::AnyBuffer>());

static ffi::Error stream(void *, ffi::AnyBuffer, ffi::Result<ffi::AnyBuffer>) {
  return ffi::Error::Success();
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(Stream, stream,
                              ffi::Ffi::Bind()
                                  .Ctx<ffi::PlatformStream<void *>>()
                                  .Arg<ffi::AnyBuffer>()
                                  .Ret<ffi::AnyBuffer>());

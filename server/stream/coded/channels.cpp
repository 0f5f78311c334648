// Compiled twice from the same text, for every x86-64 processor and for those with AVX2, as
// physics/dynamics/batch_kernels.cpp is. Whole numbers come out alike anyway.
#include "stream/coded/channels.h"

#include "stream/coded/symbols.h"

namespace promenade::stream {
namespace plain {
namespace {
#include "stream/coded/channel_kernels.inc"
}  // namespace
}  // namespace plain

const ChannelKernels& plain_channel_kernels() {
  static constexpr ChannelKernels made{plain::expect, plain::apart, plain::measure, plain::learn};
  return made;
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)

#pragma GCC push_options
#pragma GCC target("avx2")
namespace avx2 {
namespace {
#include "stream/coded/channel_kernels.inc"
}  // namespace
}  // namespace avx2
#pragma GCC pop_options

const ChannelKernels& channel_kernels() {
  static constexpr ChannelKernels made{avx2::expect, avx2::apart, avx2::measure, avx2::learn};
  static const ChannelKernels& best =
      __builtin_cpu_supports("avx2") ? made : plain_channel_kernels();
  return best;
}

#else

const ChannelKernels& channel_kernels() { return plain_channel_kernels(); }

#endif

}  // namespace promenade::stream

// Dynamics of a batch by the articulated-body method, with servos integrated implicitly.
// Source: Featherstone 2008, chapters 5 to 7, in world axes about the root's origin, so that
// nothing is transformed from link to link; implicit servos as in Tan, Liu, Turk 2011.
//
// Compiled twice from the same text: for every x86-64 processor, in pairs of doubles, and for those
// with AVX2, in fours. Neither fuses multiplications with additions (-ffp-contract=off, and no
// target with fused ones), so that both give the same bits: a journal replays on either.
#include "math/rotation.h"
#include "physics/dynamics/batch.h"

namespace promenade::physics {
namespace plain {
namespace {
#include "physics/dynamics/lane_algebra.inc"
//
#include "physics/dynamics/single_bodies.inc"
//
#include "physics/dynamics/batch_kernels.inc"
//
#include "physics/dynamics/batch_placing.inc"
}  // namespace
}  // namespace plain

const BatchKernels& plain_kernels() {
  static constexpr BatchKernels made{plain::prepare, plain::answer, plain::advance, plain::place};
  return made;
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)

#pragma GCC push_options
#pragma GCC target("avx2")
namespace avx2 {
namespace {
#include "physics/dynamics/lane_algebra.inc"
//
#include "physics/dynamics/single_bodies.inc"
//
#include "physics/dynamics/batch_kernels.inc"
//
#include "physics/dynamics/batch_placing.inc"
}  // namespace
}  // namespace avx2
#pragma GCC pop_options

const BatchKernels& avx2_kernels() {
  static constexpr BatchKernels made{avx2::prepare, avx2::answer, avx2::advance, avx2::place};
  return made;
}

const BatchKernels& kernels() {
  static const BatchKernels& best =
      __builtin_cpu_supports("avx2") ? avx2_kernels() : plain_kernels();
  return best;
}

#else

const BatchKernels& avx2_kernels() { return plain_kernels(); }
const BatchKernels& kernels() { return plain_kernels(); }

#endif

}  // namespace promenade::physics

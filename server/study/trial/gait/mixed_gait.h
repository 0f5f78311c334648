#pragma once

#include <cstddef>
#include <memory>

#include "control/posegraph/gait.h"

namespace promenade::trial {

/// A gait alone: without its variants, so that it neither steers nor hurries. Its chain stays.
std::shared_ptr<const control::posegraph::Gait> unmixed(const control::posegraph::Gait& gait);
/// The gait that lies between a gait and one of its variants, alone.
/// @param variant  index of its variants
/// @param weight   of the variant
std::shared_ptr<const control::posegraph::Gait> mixed(const control::posegraph::Gait& gait,
                                                      std::size_t variant, double weight);
/// A gait that does nothing about its balance.
std::shared_ptr<const control::posegraph::Gait> blind(const control::posegraph::Gait& gait);

}  // namespace promenade::trial

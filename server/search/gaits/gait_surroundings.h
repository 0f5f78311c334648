#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "control/posegraph/gait.h"
#include "schema/error.h"
#include "schema/message.h"
#include "search/gaits/gait_space.h"
#include "study/trial/gait/gait_trial.h"

namespace promenade::search {

/// A gait among others of its shape: the free numbers of its cycle, with its symmetry kept, and
/// trials of its creature. What lies about it is explored along directions or over a grid.
class GaitSurroundings {
 public:
  /// @return the first mistake of the gait, or that it has nothing that is free
  static schema::Result<GaitSurroundings> make(v1::Gait gait, const trial::GaitTrial& trial,
                                               const schema::Source& source);

  const GaitSpace& space() const { return space_; }
  const trial::GaitTrial& trial() const { return trial_; }
  /// The gait itself, without earlier variations.
  const v1::Gait& message() const { return message_; }
  /// The trial of a point.
  /// @param weight   of the point, less than 1 for a mix with the gait
  /// @param strides  that count; two more come before them
  /// @param seed     of its start; 0: the exact one
  /// @param watch    called after every step; may be empty
  trial::GaitMeasures run(const Vector& places, double weight, double strides, std::uint64_t seed,
                          const std::function<void(const trial::Rollout&)>& watch = {}) const;

 private:
  GaitSurroundings(v1::Gait message, GaitSpace space, trial::GaitTrial trial)
      : message_(std::move(message)), space_(std::move(space)), trial_(std::move(trial)) {}

  v1::Gait message_;
  GaitSpace space_;
  trial::GaitTrial trial_;
};

/// Whether a variant was made by an earlier search of variations, by its name.
bool is_variation(std::string_view variant);
/// The name of the variation along a direction of a seed.
std::string variation_name(std::uint64_t seed, int direction);

}  // namespace promenade::search

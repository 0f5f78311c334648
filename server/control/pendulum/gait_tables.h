#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "control/pendulum/pose.h"
#include "control/registry.h"

namespace promenade::control::pendulum {

/// @pre parameters are a v1::PendulumParameters
std::shared_ptr<const Tuning> tuning_of(const Parameters& parameters);

/// Measures how bodies walk in their styles, once each: thousands of light characters share the
/// posers of a few bodies and styles. May be used by many threads at a time.
class GaitTables {
 public:
  /// Of this creature and style. The first call for them takes some tenths of a second.
  /// @param walk  setup of the family gbwc; @pre biped_of(*walk.creature) is ok
  std::shared_ptr<const Poser> poser(const ControllerSetup& walk);
  /// The numbers of a v1::PendulumParameters. All light characters read the same ones.
  std::shared_ptr<const Tuning> tuning(const Parameters& parameters);

 private:
  struct Entry {
    std::weak_ptr<const Creature> creature;
    std::weak_ptr<const Style> style;
    Parameters parameters;
    std::once_flag measured;
    std::shared_ptr<const Poser> poser;
  };
  /// Drops entries whose creature or style is gone: edits make many.
  std::shared_ptr<Entry> entry(const ControllerSetup& walk);

  std::mutex mutex_;
  std::vector<std::shared_ptr<Entry>> entries_;
  std::pair<Parameters, std::shared_ptr<const Tuning>> tuning_;  // the last that was asked for
};

}  // namespace promenade::control::pendulum

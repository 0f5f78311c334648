#include "control/pendulum/gait_tables.h"

#include <algorithm>

#include "control/pendulum/measure_gait.h"

namespace promenade::control::pendulum {

std::shared_ptr<const Tuning> tuning_of(const Parameters& parameters) {
  return std::make_shared<const Tuning>(
      *std::dynamic_pointer_cast<const v1::PendulumParameters>(parameters));
}

std::shared_ptr<const Poser> GaitTables::poser(const ControllerSetup& walk) {
  const std::shared_ptr<Entry> found = entry(walk);
  // Outside the lock: others that want another body go on.
  std::call_once(found->measured, [&] {
    // A copy, so that an entry does not keep its creature for ever.
    auto creature = std::make_shared<const Creature>(*walk.creature);
    found->poser =
        std::make_shared<const Poser>(creature, biped_of(*creature).value(), measure_gait(walk));
  });
  return found->poser;
}

std::shared_ptr<const Tuning> GaitTables::tuning(const Parameters& parameters) {
  const std::lock_guard lock(mutex_);
  if (tuning_.first != parameters) tuning_ = {parameters, tuning_of(parameters)};
  return tuning_.second;
}

std::shared_ptr<GaitTables::Entry> GaitTables::entry(const ControllerSetup& walk) {
  const std::lock_guard lock(mutex_);
  std::erase_if(entries_, [](const std::shared_ptr<Entry>& one) {
    return one->creature.expired() || one->style.expired();
  });
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const std::shared_ptr<Entry>& one) {
        return one->creature.lock() == walk.creature && one->style.lock() == walk.style &&
               one->parameters == walk.parameters;
      });
  if (found != entries_.end()) return *found;
  entries_.push_back(std::make_shared<Entry>());
  Entry& made = *entries_.back();
  made.creature = walk.creature;
  made.style = walk.style;
  made.parameters = walk.parameters;
  return entries_.back();
}

}  // namespace promenade::control::pendulum

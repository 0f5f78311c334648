#include "control/pendulum/gait_tables.h"

#include <algorithm>

#include "control/pendulum/measure_gait.h"

namespace promenade::control::pendulum {
namespace {

/// Notes what something was made from, and forgets those that are gone.
template <typename Notes, typename Pointer, typename Noted>
void put(Notes& notes, const Pointer& what, Noted noted) {
  std::erase_if(notes, [](const auto& one) { return one.second.what.expired(); });
  notes[what.get()] = std::move(noted);
}

}  // namespace

std::shared_ptr<const Tuning> tuning_of(const Parameters& parameters) {
  return std::make_shared<const Tuning>(
      *std::dynamic_pointer_cast<const v1::PendulumParameters>(parameters));
}

std::shared_ptr<const Poser> GaitTables::poser(const ControllerSetup& walk) {
  const std::shared_ptr<Entry> found = entry(walk);
  // The table is measured outside the lock: others that want another body go on.
  std::call_once(found->measured, [&] {
    // A copy, so that an entry does not keep its creature for ever.
    auto creature = std::make_shared<const Creature>(*walk.creature);
    found->poser =
        std::make_shared<const Poser>(creature, biped_of(*creature).value(), table(walk));
    found->known = true;
  });
  return found->poser;
}

std::shared_ptr<const GaitTable> GaitTables::table(const ControllerSetup& walk) {
  const std::string name = name_of(walk);
  GaitStore store;
  {
    const std::lock_guard lock(mutex_);
    store = store_;
  }
  if (auto kept = store.find(name, walk.creature->link_names.size())) return kept;
  std::shared_ptr<const GaitTable> table = measure_gait(walk);
  ++measured_;
  store.keep(name, *table);
  return table;
}

std::shared_ptr<const Tuning> GaitTables::tuning(const Parameters& parameters) {
  const std::lock_guard lock(mutex_);
  if (tuning_.first != parameters) tuning_ = {parameters, tuning_of(parameters)};
  return tuning_.second;
}

void GaitTables::use(GaitStore store) {
  const std::lock_guard lock(mutex_);
  store_ = std::move(store);
}

void GaitTables::note(const std::shared_ptr<const Creature>& creature, std::string content) {
  const std::lock_guard lock(mutex_);
  put(creatures_, creature, Noted<Creature>{creature, std::move(content)});
}

void GaitTables::note(const std::shared_ptr<const Style>& style, std::string content) {
  const std::lock_guard lock(mutex_);
  put(styles_, style, Noted<Style>{style, std::move(content)});
}

std::string GaitTables::name_of(const ControllerSetup& walk) {
  std::string creature, style;
  {
    const std::lock_guard lock(mutex_);
    const auto body = creatures_.find(walk.creature.get());
    const auto manner = styles_.find(walk.style.get());
    if (body == creatures_.end() || body->second.what.lock() != walk.creature ||
        manner == styles_.end() || manner->second.what.lock() != walk.style) {
      return {};
    }
    creature = body->second.content;
    style = manner->second.content;
  }
  return GaitStore::name_of(creature, style, walk.parameters->SerializeAsString());
}

bool GaitTables::knows(const ControllerSetup& walk) {
  const std::lock_guard lock(mutex_);
  const auto found = find_entry(walk);
  return found && found->known;
}

std::shared_ptr<GaitTables::Entry> GaitTables::find_entry(const ControllerSetup& walk) const {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const std::shared_ptr<Entry>& one) {
        return one->creature.lock() == walk.creature && one->style.lock() == walk.style &&
               one->parameters == walk.parameters;
      });
  return found != entries_.end() ? *found : nullptr;
}

std::shared_ptr<GaitTables::Entry> GaitTables::entry(const ControllerSetup& walk) {
  const std::lock_guard lock(mutex_);
  std::erase_if(entries_, [](const std::shared_ptr<Entry>& one) {
    return one->creature.expired() || one->style.expired();
  });
  if (auto found = find_entry(walk)) return found;
  entries_.push_back(std::make_shared<Entry>());
  Entry& made = *entries_.back();
  made.creature = walk.creature;
  made.style = walk.style;
  made.parameters = walk.parameters;
  return entries_.back();
}

}  // namespace promenade::control::pendulum

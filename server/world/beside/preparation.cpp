#include "world/beside/preparation.h"

#include <algorithm>
#include <exception>

#include "control/pendulum/gait_tables.h"
#include "world/entity/entity.h"

namespace promenade::world {

void Preparation::need_gait(const std::shared_ptr<const Creature>& body,
                            const std::shared_ptr<const Style>& style) {
  const control::Family& light = Entity::light_family();
  if (!body || !style || !light.why_not(*body).empty()) return;
  if (knows_gait(*library_, {body, style})) return;
  const std::lock_guard lock(mutex_);
  ++gaits_;
  parts_.push_back({"", [library = library_, body, style] {
                      library->controllers().make(Entity::light_family(), body, style);
                    }});
}

void Preparation::need_gaits(const CrowdMix& mix, std::size_t count) {
  for (const GaitPair& pair : gaits_of(mix, count, *library_)) need_gait(pair.body, pair.style);
}

void Preparation::need_gaits(const Scene& scene) {
  for (const GaitPair& pair : gaits_of(scene, *library_)) need_gait(pair.body, pair.style);
}

void Preparation::need(std::string doing, std::function<void()> make) {
  const std::lock_guard lock(mutex_);
  parts_.push_back({std::move(doing), std::move(make)});
}

bool Preparation::empty() const {
  const std::lock_guard lock(mutex_);
  return parts_.empty();
}

bool Preparation::make_part() {
  std::function<void()> make;
  {
    const std::lock_guard lock(mutex_);
    make = std::move(parts_[done_].make);
  }
  try {
    make();
  } catch (const std::exception& wrong) {
    made.why_not = refuse(CommandError::Code::kInvalid, "", wrong.what(), "what can be made");
  }
  make = nullptr;
  const std::lock_guard lock(mutex_);
  return ++done_ == parts_.size();
}

double Preparation::share() const {
  const std::lock_guard lock(mutex_);
  return double(done_) / double(std::max<std::size_t>(1, parts_.size()));
}

std::string Preparation::doing() const {
  const std::lock_guard lock(mutex_);
  if (done_ >= parts_.size()) return "";
  if (!parts_[done_].doing.empty()) return parts_[done_].doing;
  return "measuring how people walk, " + std::to_string(done_ + 1) + " of " +
         std::to_string(gaits_);
}

}  // namespace promenade::world

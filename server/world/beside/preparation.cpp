#include "world/beside/preparation.h"

#include <algorithm>
#include <exception>

#include "control/pendulum/gait_tables.h"
#include "world/entity.h"

namespace promenade::world {

void Preparation::need_gait(const std::shared_ptr<const Creature>& body,
                            const std::shared_ptr<const Style>& style) {
  const control::Family& light = Entity::light_family();
  if (!body || !style || !light.why_not(*body).empty()) return;
  if (knows_gait(*library_, {body, style})) return;
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
  parts_.push_back({std::move(doing), std::move(make)});
}

bool Preparation::make_part() {
  const std::size_t at = done_;
  try {
    parts_[at].make();
  } catch (const std::exception& wrong) {
    made.why_not = refuse(CommandError::Code::kInvalid, "", wrong.what(), "what can be made");
  }
  parts_[at].make = nullptr;
  done_ = at + 1;
  return at + 1 == parts_.size();
}

double Preparation::share() const {
  return double(done_) / double(std::max<std::size_t>(1, parts_.size()));
}

std::string Preparation::doing() const {
  const std::size_t at = done_;
  if (at >= parts_.size()) return "";
  if (!parts_[at].doing.empty()) return parts_[at].doing;
  return "measuring how people walk, " + std::to_string(at + 1) + " of " + std::to_string(gaits_);
}

}  // namespace promenade::world

#include "service/rooms/level_keeper.h"

#include <algorithm>
#include <cmath>

#include "world/command/limits.h"

namespace promenade::service {
namespace {

constexpr double kTooMuch = 0.75, kLittle = 0.5;  // shares of a tick's time
constexpr double kFewer = 0.8, kMore = 1.1;
constexpr std::uint32_t kFewest = 2;
constexpr double kMoved = 0.5;   // m, of an eye
constexpr double kTurned = 0.1;  // change of a unit vector

Vec3 direction(const world::View& view) { return (view.at - view.eye).normalized(); }

}  // namespace

bool LevelKeeper::moved(const std::vector<world::View>& views) const {
  if (views.size() != views_.size()) return true;
  for (std::size_t i = 0; i < views.size(); ++i) {
    if ((views[i].eye - views_[i].eye).norm() > kMoved) return true;
    if ((direction(views[i]) - direction(views_[i])).norm() > kTurned) return true;
  }
  return false;
}

std::optional<world::SetDetail> LevelKeeper::look(const Seen& now) {
  const bool known = now.in_physics == told_ || now.in_physics == before_;
  if (now.epoch != epoch_ || !known) {
    // Another scene, or somebody else's command: it is the new measure.
    if (now.epoch != epoch_) views_.clear();
    epoch_ = now.epoch;
    asked_ = told_ = before_ = now.in_physics;
  }
  if (now.in_physics == 0) return std::nullopt;
  std::uint32_t number = told_;
  if (now.load > kTooMuch) {
    number = std::max(std::min(kFewest, asked_), std::uint32_t(kFewer * number));
  } else if (now.load < kLittle) {
    number = std::min(asked_, std::uint32_t(kMore * number) + 1);
  }
  std::vector<world::View> views = now.views;
  if (views.size() > std::size_t(world::kMaxViews)) views.resize(world::kMaxViews);
  if (number == told_ && !moved(views)) return std::nullopt;
  world::SetDetail out;
  if (number != told_) out.in_physics = number;
  before_ = now.in_physics;
  told_ = number;
  views_ = out.views = std::move(views);
  return out;
}

}  // namespace promenade::service

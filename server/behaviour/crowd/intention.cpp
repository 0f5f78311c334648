#include "behaviour/crowd/intention.h"

#include <algorithm>
#include <cmath>

namespace promenade::behaviour::crowd {
namespace {

constexpr float kLane = 0.1f;                  // rad m, see the laws
constexpr float kComing = 0.7f;                // cosine: directions this close agree
constexpr float kSeen = 4;                     // m: one who comes is seen within it
constexpr float kHop = 0.9f;                   // share of the news that is passed on
constexpr float kKeepRight = 0.5f;             // rad, turn to the right for news of 1
constexpr float kTurn = 1.2f;                  // rad, turn of a walker that is held up
constexpr float kPatience = 0.5f, kTired = 2;  // s, until it is tired; until fully so
constexpr float kEdge = 0.5f;                  // m/s, least speed of a walker that is held up
constexpr float kAny = 0.2f;                   // m/s, added at random to such a walker
constexpr float kYielding = 0.4f;              // share of those held up who yield
constexpr float kBack = 0.4f;                  // m/s, of a step back
constexpr float kBackSpread = 1.2f;            // rad, to either side of straight back
constexpr float kRoom = 0.25f;                 // m: discs with less gap push off
constexpr float kPush = 0.3f;                  // m/s, of a push where discs touch

}  // namespace

Intention::Intention(const Vec2f& preferred, float reach)
    : speed_(preferred.norm()),
      ahead_(preferred / speed_),
      right_(ahead_.y(), -ahead_.x()),
      density_(ahead_, reach) {}

void Intention::add(const Other& other) {
  const float along = ahead_.dot(other.offset);
  const float with = std::clamp(ahead_.dot(other.preferred) / speed_, -1.f, 1.f);
  density_.add(other.offset, other.distance, with < 0 ? 1 - with : 1);
  if (with < -kComing && along > kComing * other.distance && other.distance < kSeen)
    news_ = 1;
  else if (other.distance < kLook)
    news_ = std::max(news_, kHop * other.news);
  if (other.gap < kRoom && with >= 0 && other.distance > 0)
    push_ -= kPush * (1 - other.gap / kRoom) / other.distance * other.offset;
  if (along <= 0) return;
  const float weight = kLane * along / (other.distance * other.distance + 0.1f);
  if (with > 0)
    follow_ += weight * right_.dot(other.offset) / other.distance;
  else
    give_way_ -= weight * with;
}

Vec2f Intention::turned(float by) const { return std::cos(by) * ahead_ + std::sin(by) * right_; }

Vec2f Intention::wish(float held, float waver, const Luck& luck) const {
  const float tired = std::clamp((held - kPatience) / kTired, 0.f, 1.f);
  const float meeting = tired * news_, queueing = tired * (1 - news_);
  const float turn =
      std::clamp(give_way_ + news_ * follow_, -1.f, 1.f) + kKeepRight * news_ + kTurn * meeting;
  if (std::abs(luck.yield.x()) < kYielding * queueing)
    return -std::min(speed_, kBack) * turned(turn + kBackSpread * luck.yield.y());
  const float go = std::max(speed_ * pace(), meeting * std::min(speed_, kEdge));
  return go * turned(turn) + push_ + (waver * speed_ + kAny * tired) * luck.waver;
}

}  // namespace promenade::behaviour::crowd

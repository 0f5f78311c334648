#include "behaviour/crowd/intention.h"

#include <algorithm>
#include <cmath>

namespace promenade::behaviour::crowd {
namespace {

constexpr float kLane = 0.1f;                  // rad m, see the laws
constexpr float kComing = 0.7f;                // cosine
constexpr float kSeen = 4;                     // m
constexpr float kHop = 0.9f;                   // of the news
constexpr float kKeepRight = 0.5f;             // rad
constexpr float kTurn = 1.2f;                  // rad, of who is held up
constexpr float kPatience = 0.5f, kTired = 2;  // s
constexpr float kEdge = 0.5f;                  // m/s, at which who is held up moves at least
constexpr float kAny = 0.2f;                   // m/s, likewise, at random
constexpr float kYielding = 0.4f;              // share of those held up who yield
constexpr float kBack = 0.4f;                  // m/s
constexpr float kBackSpread = 1.2f;            // rad
constexpr float kRoom = 0.25f;                 // m
constexpr float kPush = 0.3f;                  // m/s

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

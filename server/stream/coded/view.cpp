#include "stream/coded/view.h"

#include <algorithm>
#include <cmath>

#include "math/rotation.h"

namespace promenade::stream {
namespace {

constexpr double kLines = 1080;
constexpr double kReach = 1;  // m, from a root to the body's farthest part
/// m: what the finest quanta move at most, a step of an angle at the end of a leg. Positions have
/// finer ones, the root's rotation those of joints.
constexpr double kFinest = 0.0027;

}  // namespace

double View::pixel_rad() const { return 2 * std::tan(height_rad / 2) / kLines; }

world::Eye eye_of(const View& view) {
  constexpr double kTurn = 0.3, kWay = 5;  // rad, m
  const double corner = std::atan(std::tan(view.height_rad / 2) * std::hypot(1, view.aspect));
  world::Eye out;
  out.place = view.eye;
  out.forward = view.forward;
  out.cosine = std::cos(std::min(kPi, corner + Tiers::kLeaveMargin + kTurn));
  out.range = kWay + Tiers::kMiddle * Tiers::kLeave * Tiers::kUsualPixel / view.pixel_rad();
  return out;
}

// A ball about the root touches the cone where its middle is no further outside than it reaches.
bool Tiers::Cone::holds(const Sighting& sighting) const {
  return sighting.aside * cosine - sighting.ahead * sine < kReach;
}

void Tiers::begin(const View& view, std::size_t characters) {
  view_ = view;
  pixel_rad_ = view.pixel_rad();
  const double corner = std::atan(std::tan(view.height_rad / 2) * std::hypot(1, view.aspect));
  const auto cone = [corner](double margin) {
    const double angle = std::min(corner + margin, kPi);
    return Cone{std::sin(angle), std::cos(angle)};
  };
  seen_ = cone(kMargin);
  still_seen_ = cone(kLeaveMargin);
  scale_ = kUsualPixel / pixel_rad_;
  const std::size_t most_near = kMostNear >> gives_way_, most_middle = kMostMiddle >> gives_way_;
  const bool many = near_ > most_near || middle_ > most_middle;
  const bool few = near_ < most_near * 7 / 10 && middle_ < most_middle * 7 / 10;
  if (many) crowding_ *= 0.95;
  if (few) crowding_ = std::min(1.0, crowding_ / 0.95);
  characters_ = characters;
  near_ = middle_ = 0;
}

Sighting Tiers::sight(const Vec3& root) const {
  const Vec3 way = root - view_.eye;
  const double square = way.squaredNorm();
  Sighting out;
  out.distance = std::max(0.1, std::sqrt(square) - kReach);
  out.pixel = pixel_rad_ * out.distance;
  out.ahead = view_.forward.dot(way);
  out.aside = std::sqrt(std::max(0.0, square - out.ahead * out.ahead));
  return out;
}

Tier Tiers::of(const Sighting& sighting, Tier before) {
  const auto within = [&](double distance, Tier tier) {
    const double stays = before <= tier ? kLeave : 1;
    return sighting.distance < distance * scale_ * crowding_ * stays;
  };
  const bool seen = (before == Tier::kUnseen ? seen_ : still_seen_).holds(sighting);
  Tier tier = Tier::kUnseen;
  if (seen) {
    tier = within(kNear, Tier::kNear)       ? Tier::kNear
           : within(kMiddle, Tier::kMiddle) ? Tier::kMiddle
                                            : Tier::kFar;
  } else if (sighting.distance < kAround * crowding_) {
    tier = Tier::kMiddle;
  }
  if (!has_joints(tier) && characters_ <= kSmallRoom) tier = Tier::kMiddle;
  near_ += tier == Tier::kNear;
  middle_ += tier == Tier::kMiddle;
  return tier;
}

std::uint8_t Tiers::exponent(const Sighting& sighting, std::uint8_t before) const {
  const double ratio = sighting.pixel / kFinest;
  // A little late outwards, never late inwards: no quantum is larger than a pixel.
  const double least = 1 << before;
  if (ratio >= least && ratio < 2.3 * least) return before;
  std::uint8_t exponent = 0;
  while (exponent < kMaxExponent && ratio >= 2 << exponent) ++exponent;
  return exponent;
}

}  // namespace promenade::stream

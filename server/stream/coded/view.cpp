#include "stream/coded/view.h"

#include <algorithm>
#include <cmath>

#include "math/rotation.h"

namespace promenade::stream {
namespace {

constexpr double kLines = 1080;
/// m that the finest quanta move at most: a step of an angle, at the end of a leg. Positions have
/// finer quanta, the root's rotation has those of joints.
constexpr double kFinest = 0.0027;

}  // namespace

double View::pixel_rad() const { return 2 * std::tan(height_rad / 2) / kLines; }

world::Eye eye_of(const View& view) {
  constexpr double kTurn = 0.3, kWay = 5;  // rad, m: how far the view may move until the next look
  const double corner = std::atan(std::tan(view.height_rad / 2) * std::hypot(1, view.aspect));
  world::Eye out;
  out.place = view.eye;
  out.forward = view.forward;
  out.cosine = std::cos(std::min(kPi, corner + Tiers::kLeaveMargin + kTurn));
  out.range = kWay + Tiers::kMiddle * Tiers::kLeave * Tiers::kUsualPixel / view.pixel_rad();
  return out;
}

void Tiers::begin(const View& view, std::size_t characters) {
  view_ = view;
  pixel_rad_ = view.pixel_rad();
  const double corner = std::atan(std::tan(view.height_rad / 2) * std::hypot(1, view.aspect));
  const auto cone = [corner](double margin) {
    const double angle = std::min(corner + margin, kPi);
    return Cone{static_cast<float>(std::sin(angle)), static_cast<float>(std::cos(angle))};
  };
  seen_ = cone(kMargin);
  still_seen_ = cone(kLeaveMargin);
  const std::size_t most_near = kMostNear >> gives_way_, most_middle = kMostMiddle >> gives_way_;
  const bool many = near_ > most_near || middle_ > most_middle;
  const bool few = near_ < most_near * 7 / 10 && middle_ < most_middle * 7 / 10;
  if (many) crowding_ *= 0.95;
  if (few) crowding_ = std::min(1.0, crowding_ / 0.95);
  characters_ = characters;
  near_ = middle_ = 0;
  const auto reach = [this](double distance) {
    const double enters = distance * kUsualPixel / pixel_rad_ * crowding_;
    return Reach{static_cast<float>(enters), static_cast<float>(enters * kLeave)};
  };
  near_reach_ = reach(kNear);
  middle_reach_ = reach(kMiddle);
  around_ = static_cast<float>(kAround * crowding_);
}

void Tiers::sight(std::span<const float> x, std::span<const float> y, std::span<const float> z) {
  const std::size_t count = x.size();
  for (std::vector<float>* one : {&distance_, &ahead_, &aside_}) {
    if (one->size() < count) one->resize(count);
  }
  const Eigen::Vector3f eye = view_.eye.cast<float>(), forward = view_.forward.cast<float>();
  const float eye_x = eye.x(), eye_y = eye.y(), eye_z = eye.z();
  const float forward_x = forward.x(), forward_y = forward.y(), forward_z = forward.z();
  const float* const xs = x.data();
  const float* const ys = y.data();
  const float* const zs = z.data();
  float* const distances = distance_.data();
  float* const aheads = ahead_.data();
  float* const asides = aside_.data();
#pragma GCC ivdep
  for (std::size_t i = 0; i < count; ++i) {
    const float way_x = xs[i] - eye_x, way_y = ys[i] - eye_y, way_z = zs[i] - eye_z;
    const float square = way_x * way_x + way_y * way_y + way_z * way_z;
    const float ahead = forward_x * way_x + forward_y * way_y + forward_z * way_z;
    const float rest = square - ahead * ahead;
    const float distance = std::sqrt(square) - kReach;
    distances[i] = distance > 0.1f ? distance : 0.1f;
    aheads[i] = ahead;
    asides[i] = std::sqrt(rest > 0 ? rest : 0.0f);
  }
}

std::uint8_t Tiers::exponent(const Sighting& sighting, std::uint8_t before) const {
  const double ratio = pixel(sighting) / kFinest;
  // A little late outwards, never late inwards: no quantum is larger than a pixel.
  const double least = 1 << before;
  if (ratio >= least && ratio < 2.3 * least) return before;
  std::uint8_t exponent = 0;
  while (exponent < kMaxExponent && ratio >= 2 << exponent) ++exponent;
  return exponent;
}

}  // namespace promenade::stream

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "math/types.h"
#include "stream/coded/crowd_tracks.h"
#include "world/showing/onlookers.h"

namespace promenade::stream {

/// The view of a viewer's camera. World frame.
struct View {
  Vec3 eye = Vec3::Zero();       // m
  Vec3 forward = Vec3::UnitX();  // of length 1
  double height_rad = 0.8;       // vertical angle of the picture
  double aspect = 16.0 / 9;      // width over height

  /// The angle of a pixel of a picture of 1080 lines, in its middle, rad.
  double pixel_rad() const;
};

/// The camera as a room knows it: it sees more than Tiers gives joints, as it may move on before
/// the room hears of that.
world::Eye eye_of(const View& view);

/// Where somebody is for a view.
struct Sighting {
  float distance = 0;  // m, from the eye to the body's nearest part
  float ahead = 0;     // m, of the root along the view
  float aside = 0;     // m, of the root from the view's middle
};

/// Gives each character its tier and the size of its quanta, by how large it is in the picture.
///
/// A tier is left at another distance than it is entered at, so that nobody changes to and fro.
/// Where more would be near than a frame has room for, the distances shrink.
class Tiers {
 public:
  static constexpr double kNear = 15, kMiddle = 45;            // m, where a pixel is kUsualPixel
  static constexpr double kUsualPixel = 0.000863;              // rad: 50 degrees over 1080 lines
  static constexpr double kLeave = 1.15;                       // times these distances
  static constexpr double kMargin = 0.2, kLeaveMargin = 0.35;  // rad, about the picture
  static constexpr double kAround = 12;  // m: within, no one is left out, seen or not
  static constexpr std::size_t kMostNear = 120, kMostMiddle = 300;
  /// With no more characters than that, the joints of all are told.
  static constexpr std::size_t kSmallRoom = 200;

  /// Half as many are near and in the middle at level 1, a quarter at 2, and so on: those who are
  /// nearest. @param level  from 0
  void give_way(int level) { gives_way_ = level; }
  /// To be called before the characters of a frame. @param characters  how many there are
  void begin(const View& view, std::size_t characters);
  /// Finds the sightings of all characters. @param x, y, z  of their roots, m; all of a length
  void sight(std::span<const float> x, std::span<const float> y, std::span<const float> z);
  Sighting sighting(std::size_t index) const {
    return {distance_[index], ahead_[index], aside_[index]};
  }
  Tier of(const Sighting& sighting, Tier before);
  /// m that a pixel covers there
  double pixel(const Sighting& sighting) const { return pixel_rad_ * double(sighting.distance); }
  /// 2^exponent units are no larger than a pixel, or are the finest. Leaves the one before only
  /// when the distance has changed by more than the quanta's step and some.
  std::uint8_t exponent(const Sighting& sighting, std::uint8_t before) const;

 private:
  static constexpr float kReach = 1;  // m, from a root to the body's farthest part
  /// The cone about the picture, and some.
  struct Cone {
    float sine = 0, cosine = 1;
    // A ball about the root touches the cone where its middle is no further outside than it
    // reaches.
    bool holds(const Sighting& sighting) const {
      return sighting.aside * cosine - sighting.ahead * sine < kReach;
    }
  };
  /// m: within the one, a character enters a tier; within the other, it stays in it.
  struct Reach {
    float enters = 0, stays = 0;
  };

  View view_;
  double pixel_rad_ = 0;
  Cone seen_, still_seen_;
  double crowding_ = 1;  // of distances, by how many there are
  Reach near_reach_, middle_reach_;
  float around_ = 0;  // m, kAround shrunk by crowding_
  int gives_way_ = 0;
  std::size_t characters_ = 0, near_ = 0, middle_ = 0;  // near and middle: in the last frame
  std::vector<float> distance_, ahead_, aside_;         // as in Sighting
};

inline Tier Tiers::of(const Sighting& sighting, Tier before) {
  const auto within = [&](const Reach& reach, Tier tier) {
    return sighting.distance < (before <= tier ? reach.stays : reach.enters);
  };
  const bool seen = (before == Tier::kUnseen ? seen_ : still_seen_).holds(sighting);
  Tier tier = Tier::kUnseen;
  if (seen) {
    tier = within(near_reach_, Tier::kNear)       ? Tier::kNear
           : within(middle_reach_, Tier::kMiddle) ? Tier::kMiddle
                                                  : Tier::kFar;
  } else if (sighting.distance < around_) {
    tier = Tier::kMiddle;
  }
  if (!has_joints(tier) && characters_ <= kSmallRoom) tier = Tier::kMiddle;
  near_ += tier == Tier::kNear;
  middle_ += tier == Tier::kMiddle;
  return tier;
}

}  // namespace promenade::stream

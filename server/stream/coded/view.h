#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "math/types.h"
#include "stream/coded/crowd_tracks.h"
#include "world/showing/onlookers.h"

namespace promenade::stream {

/// What a viewer's camera sees. World frame.
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
  double distance = 0;  // m, from the eye to the body's nearest part
  double pixel = 0;     // m that a pixel covers there
  double ahead = 0;     // m, of the root along the view
  double aside = 0;     // m, of the root from the view's middle
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
  static constexpr double kAround = 12;  // m: within, who is not seen is not left out either
  static constexpr std::size_t kMostNear = 120, kMostMiddle = 300;
  /// With no more characters than that nobody's joints are left out.
  static constexpr std::size_t kSmallRoom = 200;

  /// Half as many are near and in the middle at level 1, a quarter at 2, and so on: those who are
  /// nearest. @param level  from 0
  void give_way(int level) { gives_way_ = level; }
  /// Before the characters of a frame. @param characters  how many there are
  void begin(const View& view, std::size_t characters);
  Sighting sight(const Vec3& root) const;
  Tier of(const Sighting& sighting, Tier before);
  /// 2^exponent units are no larger than a pixel, or are the finest. Leaves the one before only
  /// when the distance has changed by more than the quanta's step and some.
  std::uint8_t exponent(const Sighting& sighting, std::uint8_t before) const;

 private:
  /// The cone about the picture, and some.
  struct Cone {
    double sine = 0, cosine = 1;
    bool holds(const Sighting& sighting) const;
  };

  View view_;
  double pixel_rad_ = 0;
  Cone seen_, still_seen_;
  double scale_ = 1;     // of distances, by the camera's angle
  double crowding_ = 1;  // of distances, by how many there are
  int gives_way_ = 0;
  std::size_t characters_ = 0, near_ = 0, middle_ = 0;  // near and middle: in the last frame
};

}  // namespace promenade::stream

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "creature/creature.h"
#include "promenade/v1/lobby.pb.h"

namespace promenade::service {

/// The lobby's figure of a body: points on its links, joined by bones, or a box for a thing of one
/// link. Bones that are short against the body are left out.
class PictureFigure {
 public:
  /// @param color  empty: the body's own
  PictureFigure(const Creature& creature, const std::string& color, bool thing);

  const v1::LobbyFigure& message() const { return message_; }
  bool boxed() const { return message_.half_m_size() > 0; }
  /// Bytes that add_points() appends.
  std::size_t bytes() const { return 3 * static_cast<std::size_t>(message_.parent_size()); }

  /// Appends where the points are, from the root.
  /// @param root         rotation of the root, world_from_root
  /// @param coordinates  of the joints as in a Snapshot; `count` of them
  void add_points(const Quat& root, const float* coordinates, std::size_t count,
                  std::string& out) const;

 private:
  struct Point {
    int link = 0;
    Vec3 at = Vec3::Zero();  // m, in the link's frame
  };
  void find_bones(double reach);
  void find_box();
  void add(const Point& point, int parent, double radius, bool ball);

  const Creature& creature_;
  v1::LobbyFigure message_;
  std::vector<Point> points_;  // without the root
};

}  // namespace promenade::service

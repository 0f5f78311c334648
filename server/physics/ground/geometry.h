#pragma once

#include <memory>
#include <vector>

#include "physics/dynamics/work.h"
#include "physics/ground/block_grid.h"
#include "physics/ground/block_motion.h"
#include "physics/ground/ground.h"
#include "physics/ground/height_field.h"
#include "physics/ground/pits.h"
#include "physics/ground/seams.h"

// Private to physics/: ODE's collision shapes behind a few calls.
namespace promenade::physics {

inline constexpr int kMaxRawContacts = 8;  // of a pair of shapes, before few are kept

/// One contact of two shapes: the normal points out of the second into the first.
struct RawContact {
  Vec3 position, normal;
  double depth;
};

/// The shapes of one body as ODE geoms, moved to the links on request.
struct GeomSet {
  struct Item {
    void* geom = nullptr;  // dGeomID
    int link = 0;
    int shape = 0;
    Vec3 center = Vec3::Zero();        // of the geom, in the link's frame
    Mat3 rotation = Mat3::Identity();  // link_from_geom
  };
  explicit GeomSet(const ArticulationModel& model);
  ~GeomSet();
  GeomSet(const GeomSet&) = delete;
  GeomSet& operator=(const GeomSet&) = delete;
  void place(const std::vector<LinkMotion>& links);
  /// A box for a block that moves: the ground's own geoms are shared by threads and stay.
  void* moved_block(const Pose& pose, const Vec3& half);
  std::vector<Item> items;

 private:
  void* block_ = nullptr;  // made when first asked for
};

struct Ground::Geometry {
  std::vector<void*> boxes;  // [blocks] dGeomID, at time 0
  // [blocks] at all times; of flush ones with a margin
  std::vector<Eigen::AlignedBox3d> bounds;
  // [blocks] half extents; flush blocks reach over half of the gaps between them
  std::vector<Vec3> half;
  BlockGrid grid;          // over `bounds`
  std::vector<int> track;  // [blocks] index in `tracks`, -1 of those without motion
  std::vector<BlockTrack> tracks;
  std::vector<FieldSurface> fields;
  PitMap pits;
  Seams seams;

  explicit Geometry(const GroundPlan& plan);
};

/// Finds up to `capacity` contacts between two geoms. @return how many
int collide_geoms(void* a, void* b, RawContact* out, int capacity);
Eigen::AlignedBox3d geom_bounds(void* geom);

}  // namespace promenade::physics

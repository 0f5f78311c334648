#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "behaviour/behaviour.h"
#include "physics/ground/ground.h"
#include "promenade/v1/scene.pb.h"
#include "schema/check.h"

namespace promenade::world {

/// The ground of a scene, and the obstacles in it that walkers go around.
struct SceneGround {
  physics::GroundPlan plan;
  std::vector<behaviour::Obstacle> obstacles;
};

/// The image of a height field: grey values from 0 to 1, row after row from the image's top.
struct HeightImage {
  int columns = 0, rows = 0;
  std::vector<float> grey;
};
/// Finds an image by its file's name, or throws a std::runtime_error that says what is wrong.
using HeightImages = std::function<HeightImage(const std::string& name)>;

/// Reads a grey image, PGM of kind P2 or P5. Throws a std::runtime_error that says what is wrong.
HeightImage read_pgm(std::string_view bytes);
/// Finds images in a directory.
HeightImages height_images(std::filesystem::path directory);

/// Checks every field about ground; errors go to `check`.
SceneGround build_ground(const v1::Scene& scene, const HeightImages& images,
                         schema::Checker& check);

/// The shape of a block whose fields have been checked, without material and motion.
physics::GroundBlock block_of(const v1::Block& message);
/// Adds a block as an obstacle if it is high, level and does not move: a moving block would be
/// elsewhere when a walker gets there.
void add_if_high(const v1::Block& message, const physics::GroundBlock& block,
                 std::vector<behaviour::Obstacle>& out);

/// m: blocks with a top higher than this are walked around.
inline constexpr double kStepOnHeight = 0.3;
inline constexpr int kMaxBlocks = 500;
inline constexpr int kMaxPits = 64;
inline constexpr int kMaxPatches = 200;
inline constexpr int kMaxHeightFields = 8;
inline constexpr int kMaxStops = 32;  // stops of a block's path
inline constexpr int kMaxGrid = 256;  // points of a height field along a side

}  // namespace promenade::world

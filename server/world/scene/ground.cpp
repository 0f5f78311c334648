#include "world/scene/ground.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "creature/material_message.h"
#include "math/rotation.h"
#include "schema/refusal.h"
#include "world/command/limits.h"

namespace promenade::world {
namespace {

constexpr double kLargest = 500;       // m, a block, a field
constexpr double kMaxBlockSpeed = 10;  // m/s, of a moving block
constexpr double kMaxSpin = 360;       // degrees a second
constexpr double kWalkable = 0.35;     // slope of a field that is walked on: 19 degrees

struct GroundBuilder {
  const HeightImages& images;
  schema::Checker& check;

  template <typename Repeated>
  bool numbers(const std::string& key, const Repeated& values, int count, double low, double high,
               std::string_view unit) {
    if (!check.count(key, std::size_t(values.size()), std::size_t(count))) return false;
    for (int i = 0; i < count; ++i) {
      if (!check.range(schema::indexed(key, i), values[i], low, high, unit)) return false;
    }
    return true;
  }
  template <typename Repeated>
  bool place(const std::string& key, const Repeated& values, int count) {
    return numbers(key, values, count, -kMaxCoordinate, kMaxCoordinate, " m");
  }
  template <typename Repeated>
  bool size(const std::string& key, const Repeated& values, int count) {
    return numbers(key, values, count, 0.001, kLargest, " m");
  }
  void color(const std::string& key, const std::string& value) {
    if (!value.empty()) check.color(key, value);
  }
  bool few(const std::string& key, int count, int most) {
    if (count <= most) return true;
    return check.fail(key, std::to_string(count) + " " + key, "up to " + std::to_string(most));
  }

  physics::Material material(const std::string& key, const v1::Material& m) {
    check_material(&check, key + ".", m);
    return build_material(m);
  }

  std::shared_ptr<const physics::BlockMotion> motion(const std::string& key, const Vec3& from,
                                                     const v1::BlockMotion& m) {
    auto out = std::make_shared<physics::BlockMotion>();
    const int stops = m.path_m_size() / 3;
    if (m.path_m_size() % 3 != 0 || stops > kMaxStops) {
      check.fail(key + ".path_m", std::to_string(m.path_m_size()) + " numbers",
                 "3 for each centre, up to " + std::to_string(kMaxStops) + " centres");
      return nullptr;
    }
    if (!place(key + ".path_m", m.path_m(), 3 * stops)) return nullptr;
    Vec3 before = from;
    for (int i = 0; i < stops; ++i) {
      const Vec3 stop(m.path_m(3 * i), m.path_m(3 * i + 1), m.path_m(3 * i + 2));
      if ((stop - before).norm() < 0.001) {
        check.fail(schema::indexed(key + ".path_m", 3 * i), "the place where the block already is",
                   "a centre at least 0.001 m from the one before");
        return nullptr;
      }
      out->path.push_back(stop);
      before = stop;
    }
    if (m.closed() && stops > 0 && (before - from).norm() < 0.001) {
      check.fail(key + ".path_m", "ends at the block's own centre",
                 "a last centre at least 0.001 m from it for a `closed` path");
    }
    out->closed = m.closed();
    if (stops > 0) check.range(key + ".speed_mps", m.speed_mps(), 0.001, kMaxBlockSpeed, " m/s");
    if (stops == 0 && m.speed_mps() != 0) {
      check.fail(key + ".speed_mps", schema::number(m.speed_mps()), "0 without path_m");
    }
    out->speed = m.speed_mps();
    check.range(key + ".pause_s", m.pause_s(), 0, 3600, " s");
    out->pause = m.pause_s();
    check.range(key + ".spin_dps", m.spin_dps(), -kMaxSpin, kMaxSpin, " degrees a second");
    out->spin = m.spin_dps() * kRadFromDeg;
    if (m.surface_mps_size() > 0 && numbers(key + ".surface_mps", m.surface_mps(), 2,
                                            -kMaxBlockSpeed, kMaxBlockSpeed, " m/s")) {
      out->surface = Vec2(m.surface_mps(0), m.surface_mps(1));
    }
    if (stops == 0 && out->spin == 0 && out->surface.isZero()) {
      check.fail(key, "no motion", "path_m, spin_dps or surface_mps", "moves nothing");
    }
    return out;
  }

  physics::GroundBlock block(const std::string& key, const v1::Block& m) {
    physics::GroundBlock block;
    if (!place(key + ".center_m", m.center_m(), 3)) return block;
    if (!size(key + ".size_m", m.size_m(), 3)) return block;
    check.range(key + ".yaw_deg", m.yaw_deg(), -360, 360, " degrees");
    check.range(key + ".pitch_deg", m.pitch_deg(), -45, 45, " degrees");
    color(key + ".color", m.color());
    block = block_of(m);
    if (m.has_material()) block.material = material(key + ".material", m.material());
    if (m.has_motion()) block.motion = motion(key + ".motion", block.pose.position, m.motion());
    return block;
  }

  physics::Pit pit(const std::string& key, const v1::Pit& m) {
    physics::Pit pit;
    if (!place(key + ".center_m", m.center_m(), 2)) return pit;
    if (!size(key + ".size_m", m.size_m(), 2)) return pit;
    check.range(key + ".depth_m", m.depth_m(), 0, kLargest, " m");
    pit.center = Vec2(m.center_m(0), m.center_m(1));
    pit.size = Vec2(m.size_m(0), m.size_m(1));
    pit.depth = m.depth_m();
    return pit;
  }

  physics::Patch patch(const std::string& key, const v1::Patch& m) {
    physics::Patch patch;
    if (!place(key + ".center_m", m.center_m(), 2)) return patch;
    if (!size(key + ".size_m", m.size_m(), 2)) return patch;
    check.range(key + ".yaw_deg", m.yaw_deg(), -360, 360, " degrees");
    color(key + ".color", m.color());
    if (!m.has_material()) {
      check.fail(key + ".material", "nothing", "friction and restitution", "is missing");
    }
    patch.center = Vec2(m.center_m(0), m.center_m(1));
    patch.size = Vec2(m.size_m(0), m.size_m(1));
    patch.yaw = m.yaw_deg() * kRadFromDeg;
    patch.round = m.round();
    patch.material = material(key + ".material", m.material());
    return patch;
  }

  bool grid(const std::string& key, const v1::HeightField& m, physics::HeightField& field) {
    const auto side = [&](const char* name, unsigned value) {
      return check.range(key + name, value, 2, kMaxGrid, " points");
    };
    if (!side(".columns", m.columns()) || !side(".rows", m.rows())) return false;
    field.columns = static_cast<int>(m.columns());
    field.rows = static_cast<int>(m.rows());
    return true;
  }

  void inline_heights(const std::string& key, const v1::HeightField& m,
                      physics::HeightField& field) {
    if (!grid(key, m, field)) return;
    if (numbers(key + ".height_m", m.height_m(), field.columns * field.rows, -kLargest, kLargest,
                " m")) {
      field.height.assign(m.height_m().begin(), m.height_m().end());
    }
  }

  void waves(const std::string& key, const v1::HeightField& m, physics::HeightField& field) {
    if (!grid(key, m, field)) return;
    constexpr int kMaxWaves = 16;
    if (m.waves_size() > kMaxWaves) {
      check.fail(key + ".waves", std::to_string(m.waves_size()) + " waves",
                 "up to " + std::to_string(kMaxWaves));
      return;
    }
    for (int i = 0; i < m.waves_size(); ++i) {
      const std::string wave = schema::indexed(key + ".waves", i);
      check.range(wave + ".amplitude_m", m.waves(i).amplitude_m(), -100, 100, " m");
      check.range(wave + ".length_x_m", m.waves(i).length_x_m(), 0, 1e4, " m");
      check.range(wave + ".length_y_m", m.waves(i).length_y_m(), 0, 1e4, " m");
      check.range(wave + ".phase_deg", m.waves(i).phase_deg(), -360, 360, " degrees");
    }
    if (!check.ok()) return;
    for (int row = 0; row < field.rows; ++row) {
      for (int column = 0; column < field.columns; ++column) {
        const Vec2 share(double(column) / (field.columns - 1), double(row) / (field.rows - 1));
        const Vec2 at = field.size.cwiseProduct(share - Vec2(0.5, 0.5));
        double height = 0;
        for (const v1::HeightField::Wave& wave : m.waves()) {
          const auto sine = [&](double x, double length) {
            return length > 0 ? std::sin(kTwoPi * x / length + wave.phase_deg() * kRadFromDeg) : 1;
          };
          height += wave.amplitude_m() * sine(at.x(), wave.length_x_m()) *
                    sine(at.y(), wave.length_y_m());
        }
        field.height.push_back(static_cast<float>(height));
      }
    }
  }

  void image(const std::string& key, const v1::HeightField& m, physics::HeightField& field) {
    const std::string file = key + ".file";
    if (m.columns() != 0 || m.rows() != 0) {
      check.fail(key + (m.columns() != 0 ? ".columns" : ".rows"),
                 std::to_string(m.columns() != 0 ? m.columns() : m.rows()),
                 "left out, because the file gives it");
      return;
    }
    check.range(key + ".relief_m", m.relief_m(), -100, 100, " m");
    HeightImage image;
    try {
      image = images(m.file());
    } catch (const std::runtime_error& error) {
      check.fail(file, schema::in_quotes(m.file()), "a grey image (PGM) in heights/", error.what());
      return;
    }
    field.columns = image.columns;
    field.rows = image.rows;
    // An image's first row is its top, a field's first row is at its -y edge.
    for (int row = image.rows; row-- > 0;) {
      for (int column = 0; column < image.columns; ++column) {
        const float grey = image.grey[std::size_t(row * image.columns + column)];
        field.height.push_back(grey * static_cast<float>(m.relief_m()));
      }
    }
  }

  physics::HeightField field(const std::string& key, const v1::HeightField& m) {
    physics::HeightField field;
    if (!place(key + ".center_m", m.center_m(), 3)) return field;
    if (!size(key + ".size_m", m.size_m(), 2)) return field;
    check.range(key + ".yaw_deg", m.yaw_deg(), -360, 360, " degrees");
    color(key + ".color", m.color());
    field.center = Vec3(m.center_m(0), m.center_m(1), m.center_m(2));
    field.size = Vec2(m.size_m(0), m.size_m(1));
    field.yaw = m.yaw_deg() * kRadFromDeg;
    if (m.has_material()) field.material = material(key + ".material", m.material());
    const int kinds = (m.height_m_size() > 0) + (m.waves_size() > 0) + !m.file().empty();
    if (kinds != 1) {
      check.fail(key, kinds == 0 ? "no heights" : "heights of several kinds",
                 "one of height_m, waves and file");
    } else if (m.height_m_size() > 0) {
      inline_heights(key, m, field);
    } else if (m.waves_size() > 0) {
      waves(key, m, field);
    } else {
      image(key, m, field);
    }
    return field;
  }
};

/// Adds the cells of a field that are too steep to walk on as obstacles, joined along each row.
void add_steep_parts(const physics::HeightField& field, std::vector<behaviour::Obstacle>& out) {
  const Vec2 step(field.size.x() / (field.columns - 1), field.size.y() / (field.rows - 1));
  const auto height = [&](int column, int row) {
    return double(field.height[std::size_t(row * field.columns + column)]);
  };
  const auto steep = [&](int column, int row) {
    const double along = std::max(std::abs(height(column + 1, row) - height(column, row)),
                                  std::abs(height(column + 1, row + 1) - height(column, row + 1)));
    const double across = std::max(std::abs(height(column, row + 1) - height(column, row)),
                                   std::abs(height(column + 1, row + 1) - height(column + 1, row)));
    return std::hypot(along / step.x(), across / step.y()) > kWalkable;
  };
  for (int row = 0; row + 1 < field.rows; ++row) {
    for (int column = 0; column + 1 < field.columns; ++column) {
      const int first = column;
      while (column + 1 < field.columns && steep(column, row)) ++column;
      if (column == first) continue;
      const Vec2 middle(0.5 * (first + column) * step.x() - 0.5 * field.size.x(),
                        (row + 0.5) * step.y() - 0.5 * field.size.y());
      behaviour::Obstacle obstacle;
      obstacle.center = field.center.head<2>() + rotated(middle, field.yaw);
      obstacle.half = 0.5 * Vec2((column - first) * step.x(), step.y());
      obstacle.yaw = field.yaw;
      out.push_back(obstacle);
    }
  }
}

}  // namespace

physics::GroundBlock block_of(const v1::Block& m) {
  physics::GroundBlock block;
  block.pose.position = Vec3(m.center_m(0), m.center_m(1), m.center_m(2));
  block.pose.rotation =
      rotation_z(m.yaw_deg() * kRadFromDeg) * rotation_y(m.pitch_deg() * kRadFromDeg);
  block.half = 0.5 * Vec3(m.size_m(0), m.size_m(1), m.size_m(2));
  return block;
}

void add_if_high(const v1::Block& m, const physics::GroundBlock& block,
                 std::vector<behaviour::Obstacle>& out) {
  if (block.motion && block.motion->moves()) return;
  const double top = block.pose.position.z() + block.half.z();
  if (m.floor() || m.pitch_deg() != 0 || top <= kStepOnHeight) return;
  out.push_back({block.pose.position.head<2>(), block.half.head<2>(), m.yaw_deg() * kRadFromDeg});
}

SceneGround build_ground(const v1::Scene& m, const HeightImages& images, schema::Checker& check) {
  GroundBuilder build{images, check};
  SceneGround out;
  physics::GroundPlan& plan = out.plan;
  v1::Material material;
  material.set_friction(m.friction());
  material.set_restitution(m.restitution());
  material.set_stiffness_npm(m.stiffness_npm());
  check_material(&check, "", material);
  plan.plane = !m.no_plane();
  plan.material = build_material(material);
  build.few("blocks", m.blocks_size(), kMaxBlocks);
  for (int i = 0; i < m.blocks_size() && check.ok(); ++i) {
    plan.blocks.push_back(build.block(schema::indexed("blocks", i), m.blocks(i)));
    add_if_high(m.blocks(i), plan.blocks.back(), out.obstacles);
  }
  build.few("pits", m.pits_size(), kMaxPits);
  for (int i = 0; i < m.pits_size() && check.ok(); ++i) {
    plan.pits.push_back(build.pit(schema::indexed("pits", i), m.pits(i)));
  }
  if (m.no_plane() && m.pits_size() > 0) {
    check.fail("pits", std::to_string(m.pits_size()) + " pits", "none when no_plane is true");
  }
  build.few("patches", m.patches_size(), kMaxPatches);
  for (int i = 0; i < m.patches_size() && check.ok(); ++i) {
    plan.patches.push_back(build.patch(schema::indexed("patches", i), m.patches(i)));
  }
  build.few("height_fields", m.height_fields_size(), kMaxHeightFields);
  for (int i = 0; i < m.height_fields_size() && check.ok(); ++i) {
    plan.fields.push_back(build.field(schema::indexed("height_fields", i), m.height_fields(i)));
  }
  if (!check.ok()) return out;
  for (int i = 0; i < m.pits_size(); ++i) {
    const physics::Pit& pit = plan.pits[std::size_t(i)];
    if (!m.pits(i).crossed()) out.obstacles.push_back({pit.center, 0.5 * pit.size, 0});
  }
  for (const physics::HeightField& field : plan.fields) add_steep_parts(field, out.obstacles);
  return out;
}

}  // namespace promenade::world

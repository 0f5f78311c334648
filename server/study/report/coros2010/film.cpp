// Joint positions of a few steps in each style, for film strips (scripts/film-strip draws them).
#include <cstdio>
#include <fstream>
#include <stdexcept>

#include "creature/biped/biped_state.h"
#include "math/rotation.h"
#include "study/report/plan.h"
#include "study/trial/rollout.h"

namespace promenade::study {
namespace {

constexpr double kSettled = 6, kFilmed = 1.4, kEvery = 1.0 / 60;  // s

// Where the limbs end: joint centres, and the tips beyond the last joints.
struct Point {
  const char* name;
  Part part;
  Vec3 offset;  // in the link's frame from its joint, m
};
const Point kPoints[] = {
    {"waist", kLowerBack, Vec3::Zero()},
    {"chest", kTorso, Vec3::Zero()},
    {"neck", kHead, Vec3::Zero()},
    {"crown", kHead, Vec3(0.02, 0, 0.25)},
    {"left_shoulder", kLeftUpperArm, Vec3::Zero()},
    {"left_elbow", kLeftLowerArm, Vec3::Zero()},
    {"left_hand", kLeftLowerArm, Vec3(0, 0, -0.3)},
    {"right_shoulder", kRightUpperArm, Vec3::Zero()},
    {"right_elbow", kRightLowerArm, Vec3::Zero()},
    {"right_hand", kRightLowerArm, Vec3(0, 0, -0.3)},
    {"left_hip", kLeftThigh, Vec3::Zero()},
    {"left_knee", kLeftShank, Vec3::Zero()},
    {"left_ankle", kLeftFoot, Vec3::Zero()},
    {"left_heel", kLeftFoot, Vec3(-0.06, 0, -0.055)},
    {"left_ball", kLeftToes, Vec3::Zero()},
    {"left_toe", kLeftToes, Vec3(0.06, 0, -0.01)},
    {"right_hip", kRightThigh, Vec3::Zero()},
    {"right_knee", kRightShank, Vec3::Zero()},
    {"right_ankle", kRightFoot, Vec3::Zero()},
    {"right_heel", kRightFoot, Vec3(-0.06, 0, -0.055)},
    {"right_ball", kRightToes, Vec3::Zero()},
    {"right_toe", kRightToes, Vec3(0.06, 0, -0.01)},
};

}  // namespace

void write_film(const Library& library, const std::string& body, const std::string& style,
                const std::filesystem::path& path) {
  std::ofstream out(path, std::ios::trunc);
  out << "time_s,phase,stance,com_x,com_y";
  for (const Point& point : kPoints) {
    out << ',' << point.name << "_x," << point.name << "_y," << point.name << "_z";
  }
  out << '\n';
  const auto walker = trial::Walker::of(library, body, style);
  trial::Rollout rollout(walker, 0);
  rollout.walk({trial::fitting_speed(walker), 0});
  const double scale = walker.body->leg_scale();
  double next = kSettled;
  while (rollout.time() < kSettled + kFilmed && rollout.step()) {
    if (rollout.time() < next) continue;
    next += kEvery;
    const control::ControlReport& r = rollout.report();
    out << formatted("%.4f,%.3f,%s,%.4f,%.4f", rollout.time(), r.phase,
                     r.standing      ? "both"
                     : r.left_stance ? "left"
                                     : "right",
                     r.com.x(), r.com.y());
    for (const Point& point : kPoints) {
      const int link = rollout.biped().link[point.part];
      const Vec3 at = joint_position(rollout.physics(), link) +
                      rollout.physics().links()[std::size_t(link)].rotation * scale * point.offset;
      out << formatted(",%.4f,%.4f,%.4f", at.x(), at.y(), at.z());
    }
    out << '\n';
  }
  if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}

}  // namespace promenade::study

// Where the joints are over a few steps in each style, for film strips (scripts/film-strip draws
// them).
#include "study/report/walk/film.h"

#include <fstream>
#include <stdexcept>

#include "creature/biped/biped_state.h"
#include "math/rotation.h"
#include "physics/gravity.h"
#include "study/report/plan.h"
#include "study/report/table.h"
#include "study/trial/rig/parallel.h"
#include "study/trial/rig/rollout.h"

namespace promenade::study {
namespace {

constexpr double kSettled = 12, kFilmed = 5, kEvery = 1.0 / 120;  // s
constexpr double kPaces[] = {2.0 / 3, 1, 4.0 / 3};                // times the style's own speed

// Where the limbs end: joint centres, and the tips beyond the last joints. Heel, ball and toe are
// on the soles of the human's boxes.
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
    {"left_heel", kLeftFoot, Vec3(-0.06, 0, -0.06)},
    {"left_ball", kLeftFoot, Vec3(0.13, 0, -0.06)},
    {"left_toe", kLeftToes, Vec3(0.065, 0, -0.017)},
    {"right_hip", kRightThigh, Vec3::Zero()},
    {"right_knee", kRightShank, Vec3::Zero()},
    {"right_ankle", kRightFoot, Vec3::Zero()},
    {"right_heel", kRightFoot, Vec3(-0.06, 0, -0.06)},
    {"right_ball", kRightFoot, Vec3(0.13, 0, -0.06)},
    {"right_toe", kRightToes, Vec3(0.065, 0, -0.017)},
};

/// N; left, right.
std::array<double, 2> weight_on_feet(const trial::Rollout& rollout) {
  if (rollout.light()) {
    const auto& force = rollout.report().foot_force;
    return {force[kLeft].z(), force[kRight].z()};
  }
  const std::array<FootLoad, 2> loads = foot_loads(rollout.biped(), rollout.physics());
  return {loads[kLeft].weight, loads[kRight].weight};
}

void write_film(const trial::Walker& walker, double speed, const std::filesystem::path& path) {
  std::ofstream out(path, std::ios::trunc);
  out << "time_s,left_load,right_load";
  for (const Point& point : kPoints) {
    out << ',' << point.name << "_x," << point.name << "_y," << point.name << "_z";
  }
  out << '\n';
  trial::Walker filmed = walker;
  filmed.straight_on = true;
  // It is not seed 0, which starts exactly upright: from there the normal walk at 1.6 m/s falls.
  trial::Rollout rollout(filmed, 1);
  rollout.walk({speed, 0});
  const double scale = walker.body->leg_scale();
  const double weight = physics::kGravity * walker.body->total_mass;
  double next = kSettled;
  while (rollout.time() < kSettled + kFilmed && rollout.step()) {
    if (rollout.time() < next) continue;
    next += kEvery;
    const std::array<double, 2> loads = weight_on_feet(rollout);
    out << formatted("%.4f,%.3f,%.3f", rollout.time(), loads[kLeft] / weight,
                     loads[kRight] / weight);
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

}  // namespace

void write_films(const Library& library, const FilmOrder& order, int threads) {
  struct Film {
    trial::Walker walker;
    double speed = 0;
    std::filesystem::path path;
  };
  std::vector<Film> films;
  for (const std::string& style : library.styles().names()) {
    if (!wanted(style, order.styles)) continue;
    auto walker = trial::Walker::of(library, order.body, style);
    if (!order.controller.empty()) walker.drive_by(library, order.controller);
    std::vector<double> speeds = order.speeds;
    if (speeds.empty()) {
      for (const double pace : kPaces) speeds.push_back(pace * trial::fitting_speed(walker));
    }
    for (const double speed : speeds) {
      films.push_back(
          {walker, speed, order.directory / formatted("%s-%.2f.csv", style.c_str(), speed)});
    }
  }
  if (films.empty()) throw std::invalid_argument("no style has a name that is asked for");
  trial::run_parallel(int(films.size()), threads, [&](int i) {
    const Film& film = films[std::size_t(i)];
    write_film(film.walker, film.speed, film.path);
  });
}

}  // namespace promenade::study

#include "world/scene/camera.h"

#include <algorithm>
#include <string>

#include "schema/refusal.h"
#include "world/command/limits.h"

namespace promenade::world {
namespace {

constexpr double kLatestShot = 86400;   // s, latest beginning of a shot
constexpr double kShortestPeriod = 1;   // s: less is a flicker
constexpr double kLeastAcross = 0.001;  // m, of a box: less has no size in the picture
constexpr double kNearest =
    0.01;  // m, from the camera to what it looks at: nearer gives no direction

struct CameraCheck {
  schema::Checker& check;
  int bodies;

  template <typename Repeated>
  bool numbers(const std::string& key, const Repeated& values, std::size_t count) {
    if (!check.count(key, std::size_t(values.size()), count)) return false;
    for (int i = 0; i < values.size(); ++i) {
      if (!check.range(schema::indexed(key, i), values[i], -kMaxCoordinate, kMaxCoordinate, " m")) {
        return false;
      }
    }
    return true;
  }

  /// @param from  when the shot before begins
  void shot(const std::string& key, const v1::Shot& m, double from) {
    check.range(key + ".at_s", m.at_s(), from, kLatestShot, " s");
    if (m.subjects_size() > kMostShotSubjects) {
      check.fail(key + ".subjects", std::to_string(m.subjects_size()) + " of them",
                 "up to " + std::to_string(kMostShotSubjects));
    }
    for (int i = 0; i < m.subjects_size() && check.ok(); ++i) {
      check.range(schema::indexed(key + ".subjects", i), m.subjects(i), 1, bodies);
    }
    if (m.box_m_size() > 0) {
      box(key + ".box_m", m);
    } else if (m.subjects().empty()) {
      check.fail(key, "a shot of nothing", "`subjects`, `box_m` or both");
    }
    if (m.has_around_deg()) check.range(key + ".around_deg", m.around_deg(), -360, 360, " degrees");
    if (m.has_up_deg()) check.range(key + ".up_deg", m.up_deg(), 0, 85, " degrees");
    if (m.fill() != 0) check.range(key + ".fill", m.fill(), 0.1, 0.95);
    if (m.least() != 0) check.range(key + ".least", m.least(), 0.02, 0.9);
    check.range(key + ".lead_s", m.lead_s(), 0, 3, " s");
  }

  void box(const std::string& key, const v1::Shot& m) {
    if (!numbers(key, m.box_m(), 6)) return;
    for (int k = 0; k < 3; ++k) {
      check.range(schema::indexed(key, k + 3), m.box_m(k + 3), m.box_m(k) + kLeastAcross,
                  kMaxCoordinate, " m");
    }
  }
};

}  // namespace

View check_camera(const v1::Scene& scene, int bodies, schema::Checker& check) {
  const v1::Camera& m = scene.camera();
  CameraCheck camera{check, bodies};
  View view;
  if (!camera.numbers("camera.from_m", m.from_m(), 3)) return view;
  if (!camera.numbers("camera.at_m", m.at_m(), 3)) return view;
  view.eye = Vec3(m.from_m(0), m.from_m(1), m.from_m(2));
  view.at = Vec3(m.at_m(0), m.at_m(1), m.at_m(2));
  if ((view.eye - view.at).norm() < kNearest) {
    check.fail("camera.at_m", "the same place as from_m", "another place");
  }
  if (m.shots_size() > kMostShots) {
    check.fail("camera.shots", std::to_string(m.shots_size()) + " shots",
               "up to " + std::to_string(kMostShots));
  }
  for (int i = 0; i < m.shots_size() && check.ok(); ++i) {
    // The picture is somebody's from the beginning on.
    if (i == 0 && m.shots(0).at_s() != 0) {
      check.fail("camera.shots[0].at_s", schema::number(m.shots(0).at_s()) + " s", "0 s");
      break;
    }
    camera.shot(schema::indexed("camera.shots", i), m.shots(i), i == 0 ? 0 : m.shots(i - 1).at_s());
  }
  if (check.ok() && m.period_s() != 0) {
    const double last = m.shots().empty() ? 0 : m.shots().rbegin()->at_s();
    check.range("camera.period_s", m.period_s(), std::max(kShortestPeriod, last), kLatestShot,
                " s");
  }
  return view;
}

}  // namespace promenade::world

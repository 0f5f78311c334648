#include "study/trial/crowd/passages.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "study/trial/rig/data_copy.h"
#include "world/room/room.h"

namespace promenade::trial {
namespace {

constexpr const char* kScene = "passage";
constexpr const char* kBodies[] = {"human", "stout", "lanky", "athlete"};
constexpr double kWallThick = 0.2, kWallHigh = 2;  // m
constexpr double kCorridorLong = 16;               // m
constexpr double kStartsAt = 10, kFileGap = 1.2;   // m, before the middle of it; in a file
constexpr double kGoesTo = 12;                     // m, behind the middle
constexpr int kDoorRow = 10;                       // people side by side before a door
constexpr double kDoorGap = 0.9;                   // m, between them
constexpr double kIsThrough = 0.3;                 // m behind the middle of a door
constexpr double kMeets = 2, kHasPassed = 0.3;     // m

void add_wall(v1::Scene& scene, double x, double y, double deep, double wide) {
  v1::Block* block = scene.add_blocks();
  for (const double at : {x, y, 0.5 * kWallHigh}) block->add_center_m(at);
  for (const double size : {deep, wide, kWallHigh}) block->add_size_m(size);
}

v1::Placement& add_person(v1::Scene& scene, int body, double x, double y, double heading_deg) {
  v1::Placement* person = scene.add_characters();
  person->set_body(kBodies[body % 4]);
  person->set_style("normal");
  person->add_position_m(x);
  person->add_position_m(y);
  person->set_heading_deg(heading_deg);
  person->set_scatter_m(0.1);
  return *person;
}

void add_door(v1::Scene& scene, double wide) {
  constexpr double kReach = 12;  // m, of the wall to either side
  const double piece = kReach - 0.5 * wide;
  for (const double side : {1, -1})
    add_wall(scene, 0, side * (0.5 * wide + 0.5 * piece), kWallThick, piece);
  for (int i = 0; i < kDoorPeople; ++i) {
    const int row = i / kDoorRow;
    const double y = kDoorGap * (i % kDoorRow - 0.5 * (kDoorRow - 1));
    add_person(scene, i + row, -2 - kDoorGap * row, y, 0);
    v1::TimedCommand* order = scene.add_script();
    order->set_at_s(0.1);
    v1::SetTasks& tasks = *order->mutable_command()->mutable_set_tasks();
    tasks.set_character(std::uint32_t(i + 1));
    v1::GoTo& place = *tasks.add_tasks()->mutable_go_to();
    place.add_position_m(kGoesTo);
    place.add_position_m(1.1 * y);
  }
}

void add_corridor(v1::Scene& scene, double wide, int each_way) {
  for (const double side : {1, -1})
    add_wall(scene, 0, side * 0.5 * (wide + kWallThick), kCorridorLong, kWallThick);
  for (int i = 0; i < each_way; ++i) {
    for (const double way : {1, -1}) {
      v1::Placement& person =
          add_person(scene, i, -way * (kStartsAt + kFileGap * i), 0, way > 0 ? 0 : 180);
      person.mutable_path()->set_speed_mps(1);
      person.mutable_path()->add_points()->set_x_m(way * kGoesTo);
    }
  }
}

}  // namespace

std::shared_ptr<const Library> with_passage(const std::filesystem::path& data_dir,
                                            const Passage& passage) {
  const DataCopy data(data_dir);
  v1::Scene scene;
  scene.set_name(kScene);
  scene.set_title("A passage");
  if (passage.kind == Passage::Kind::kDoor)
    add_door(scene, passage.wide);
  else
    add_corridor(scene, passage.wide, passage.each_way);
  data.add(scene);
  return data.load();
}

PassageRun run_passage(const std::shared_ptr<const Library>& library, const Passage& passage,
                       std::uint64_t seed) {
  world::RoomSettings settings;
  settings.scene = kScene;
  settings.seed = seed;
  world::Room room(library, settings);
  const double dt = room.tick_seconds();
  const auto ticks = std::uint64_t(std::llround(kPassageSeconds / dt));
  PassageRun out;
  out.passed_in = std::numeric_limits<double>::infinity();
  std::map<world::CharacterId, double> through;  // s, when
  double met = -1;
  for (std::uint64_t tick = 0; tick < ticks; ++tick) {
    for (const world::RoomEvent& event : room.tick())
      if (event.kind == world::RoomEvent::Kind::kFell) ++out.falls;
    const double now = double(tick) * dt;
    double last_right = 1e9, first_right = -1e9, last_left = -1e9, first_left = 1e9;
    const auto snapshot = room.snapshot();
    for (std::size_t i = 0; i < snapshot->characters.size(); ++i) {
      const double x = snapshot->characters[i].root.position.x();
      if (x > kIsThrough) through.try_emplace(snapshot->characters[i].id, now);
      double& last = i % 2 == 0 ? last_right : last_left;
      double& first = i % 2 == 0 ? first_right : first_left;
      last = i % 2 == 0 ? std::min(last, x) : std::max(last, x);
      first = i % 2 == 0 ? std::max(first, x) : std::min(first, x);
    }
    if (passage.kind == Passage::Kind::kDoor) continue;
    if (met < 0 && first_right > first_left - kMeets) met = now;
    if (met >= 0 && last_right > last_left + kHasPassed) {
      out.passed_in = now - met;
      break;
    }
  }
  if (passage.kind == Passage::Kind::kDoor) {
    std::vector<double> times;
    times.reserve(through.size());
    for (const auto& [id, at] : through) times.push_back(at);
    std::sort(times.begin(), times.end());
    out.through = int(times.size());
    if (times.size() > 2) {
      const std::size_t tenth = times.size() / 10, last = times.size() - tenth - 1;
      out.rate = double(last - tenth) / std::max(1e-9, times[last] - times[tenth]);
    }
  }
  return out;
}

}  // namespace promenade::trial

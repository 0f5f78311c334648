#include "study/trial/crowd/meeting.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "study/trial/rig/data_copy.h"
#include "world/room/room.h"

namespace promenade::trial {
namespace {

constexpr double kAhead = 3;      // m, to the front of a block or to the other person
constexpr double kSteered = 1.0;  // m/s

std::string scene_of(Met met) { return std::string("meeting-") + met_name(met); }

void add_block(v1::Scene& scene, double deep, double wide, double high) {
  v1::Block* block = scene.add_blocks();
  for (const double x : {kAhead + 0.5 * deep, 0.0, 0.5 * high}) block->add_center_m(x);
  for (const double size : {deep, wide, high}) block->add_size_m(size);
}

void add_person(v1::Scene& scene, double x, double heading_deg, double speed, double scatter_m) {
  v1::Placement* person = scene.add_characters();
  person->set_body("human");
  person->set_style("normal");
  person->add_position_m(x);
  person->add_position_m(0);
  person->set_heading_deg(heading_deg);
  person->set_speed_mps(speed);
  person->set_scatter_m(scatter_m);
  person->set_scatter_deg(2);
}

v1::Scene meeting_scene(Met met) {
  v1::Scene scene;
  scene.set_name(scene_of(met));
  scene.set_title("A meeting");
  scene.set_get_up_delay_s(-1);
  add_person(scene, 0, 0, kSteered, 0.3);
  switch (met) {
    case Met::kWall:
      add_block(scene, 0.2, 6, 2);
      break;
    case Met::kBench:
      add_block(scene, 0.45, 2, 0.45);
      break;
    case Met::kStanding:
      add_person(scene, kAhead, 180, 0, 0.1);
      break;
    case Met::kWalking:  // twice as far, as each goes half of the way
      add_person(scene, 2 * kAhead, 180, kSteered, 0.1);
      break;
  }
  return scene;
}

}  // namespace

const char* met_name(Met met) {
  static constexpr const char* kNames[] = {"wall", "bench", "standing", "walking"};
  return kNames[int(met)];
}

std::shared_ptr<const Library> with_meetings(const std::filesystem::path& data_dir) {
  const DataCopy data(data_dir);
  for (const Met met : kAllMet) data.add(meeting_scene(met));
  return data.load();
}

MeetingRun run_meeting(const std::shared_ptr<const Library>& library, Met met, std::uint64_t seed) {
  world::RoomSettings settings;
  settings.scene = scene_of(met);
  settings.seed = seed;
  world::Room room(library, settings);
  const auto ticks = std::uint64_t(std::llround(kMeetingSeconds / room.tick_seconds()));
  const world::CharacterId steered = room.snapshot()->characters.front().id;
  MeetingRun out{true, true, std::numeric_limits<double>::infinity()};
  for (std::uint64_t tick = 0; tick < ticks; ++tick) {
    for (const world::RoomEvent& event : room.tick()) {
      if (event.kind != world::RoomEvent::Kind::kFell &&
          event.kind != world::RoomEvent::Kind::kQuarantined) {
        continue;
      }
      out.up = false;
      if (event.character != steered) out.other_up = false;
    }
    const auto now = room.snapshot();
    const Vec3& person = now->characters.front().root.position;
    const double free = now->characters.size() > 1
                            ? (now->characters[1].root.position - person).head<2>().norm()
                            : kAhead - person.x();
    out.closest = std::min(out.closest, free);
  }
  return out;
}

}  // namespace promenade::trial

#include "study/trial/crowd/encounter.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "math/rotation.h"
#include "world/room/room.h"

namespace promenade::trial {

/// The motions that the judges look at. World frame; the person's path is along +x.
struct Track {
  Vec2 start = Vec2::Zero(), end = Vec2::Zero();  // m, of the person's root
  double farthest = 0;                            // m, greatest x before the first fall
  double lowest = 0;                              // m, least height of the root
  int falls = 0;
  int back = 0;       // times that the person was set upright again
  bool up = false;    // at the end
  double leaned = 0;  // the greatest and the least coordinate of the thing's first joint, rad
  double leaned_back = 0;
  double thing_moved = 0;  // m, of the thing from its start, at the end
};

namespace {

// Edges of the first sheet of ice, of the pit, of the doorway and of the board, m: see the scenes.
constexpr double kIceEnd = 7, kDoor = 3, kBoardEnd = 5.5;

bool crossed_ice(const Track& t) { return t.falls == 0 && t.farthest > kIceEnd; }

bool came_back_from_pit(const Track& t) {
  constexpr double kDeep = -1;  // m: no fall on level ground takes the root there
  return t.falls == 1 && t.back == 1 && t.lowest < kDeep && t.up;
}

bool went_through_door(const Track& t) {
  constexpr double kOpen = 30 * kRadFromDeg, kBehind = 1;  // m
  return t.falls == 0 && t.farthest > kDoor + kBehind && std::max(t.leaned, -t.leaned_back) > kOpen;
}

bool went_over_seesaw(const Track& t) {
  constexpr double kTipped = 0.07;  // rad, to either side: it lies at 0.1
  return t.falls == 0 && t.farthest > kBoardEnd + 0.5 && t.leaned > kTipped &&
         t.leaned_back < -kTipped;
}

bool kicked_ball(const Track& t) {
  constexpr double kFar = 3;  // m
  return t.falls == 0 && t.thing_moved > kFar;
}

constexpr Encounter kEncounters[] = {
    {"ice", "walks over 4 m of ice, friction 0.08, without a fall", 32, crossed_ice},
    {"pit", "falls into the pit, comes back beside it and walks on", 14, came_back_from_pit},
    {"door", "pushes the door open by 30 degrees and is 1 m behind it", 10, went_through_door},
    {"seesaw", "walks over the seesaw, which tips, without a fall", 12, went_over_seesaw},
    {"kick", "kicks the ball 3 m away and walks on", 8, kicked_ball}};

std::string story(const Track& t, bool has_joint, bool has_thing) {
  char text[240];
  int length = std::snprintf(text, sizeof text,
                             "from (%.2f, %.2f) to (%.2f, %.2f) m, %d falls, back %d times",
                             t.start.x(), t.start.y(), t.end.x(), t.end.y(), t.falls, t.back);
  const auto more = [&](const char* format, auto... values) {
    length += std::snprintf(text + length, sizeof text - std::size_t(length), format, values...);
  };
  if (t.lowest < 0) more(", %.1f m deep", -t.lowest);
  if (has_joint) {
    more("; joint from %.0f to %.0f degrees", t.leaned_back / kRadFromDeg, t.leaned / kRadFromDeg);
  } else if (has_thing) {
    more("; thing moved %.1f m", t.thing_moved);
  }
  return text;
}

}  // namespace

std::span<const Encounter> encounters() { return kEncounters; }

EncounterRun run_encounter(std::shared_ptr<const Library> library, const Encounter& encounter,
                           std::uint64_t seed) {
  world::RoomSettings settings;
  settings.scene = encounter.scene;
  settings.seed = seed;
  world::Room room(std::move(library), settings);
  const auto ticks = std::uint64_t(std::llround(encounter.seconds / room.tick_seconds()));
  Track track;
  Vec3 thing_start = Vec3::Zero();
  const auto first = room.snapshot();
  const world::CharacterId person = first->characters.front().id;
  const bool has_thing = !first->things.empty();
  const bool has_joint = !first->thing_coordinates.empty();
  track.start = first->characters.front().root.position.head<2>();
  if (has_thing) thing_start = first->things.front().root.position;
  for (std::uint64_t tick = 0; tick < ticks; ++tick) {
    for (const world::RoomEvent& event : room.tick()) {
      if (event.character != person) continue;
      track.falls += event.kind == world::RoomEvent::Kind::kFell;
      track.back += event.kind == world::RoomEvent::Kind::kGotUp;
    }
    const auto now = room.snapshot();
    const world::CharacterSnapshot& c = now->characters.front();
    track.end = c.root.position.head<2>();
    track.lowest = std::min(track.lowest, c.root.position.z());
    track.up = !(c.flags & (world::kFlagFallen | world::kFlagQuarantined));
    if (track.falls == 0) track.farthest = std::max(track.farthest, track.end.x());
    if (has_thing) track.thing_moved = (now->things.front().root.position - thing_start).norm();
    if (has_joint) {
      const double joint = double(now->thing_coordinates.front());
      track.leaned = std::max(track.leaned, joint);
      track.leaned_back = std::min(track.leaned_back, joint);
    }
  }
  return {encounter.judge(track), story(track, has_joint, has_thing)};
}

}  // namespace promenade::trial

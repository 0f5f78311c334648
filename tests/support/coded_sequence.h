#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "stream/coded/crowd_tracks.h"
#include "stream/coded/view.h"
#include "world/showing/snapshot.h"

namespace promenade::testing {

/// A crowd of made-up bodies that move, fall, jump, come and go, seen by a camera that comes near
/// and leaves. Of sums, products and roots only: the same on every machine, for golden files.
class CodedSequence {
 public:
  static constexpr int kFrames = 60;
  static constexpr int kChange = 24;  // frame at which the roster is another
  static constexpr int kJump = 40;    // frame at which one is put elsewhere
  static constexpr int kRest = 50;    // frame from which on the room is paused

  CodedSequence() : first_(roster(1, false)), second_(roster(2, true)) {}

  /// @param number  of the frame, in turn; 2 ticks from one to the next
  std::shared_ptr<const world::Snapshot> snapshot(int number) const {
    auto out = std::make_shared<world::Snapshot>();
    const int moment = std::min(number, kRest);
    out->tick = 1000 + 2 * static_cast<std::uint64_t>(moment);
    out->server_time_us = 33'333 * static_cast<std::uint64_t>(number);
    out->real_time_factor = 1;
    out->paused = number >= kRest;
    out->roster = number < kChange ? first_ : second_;
    for (const world::RosterEntry& entry : out->roster->entries) add(*out, entry, moment);
    return out;
  }

  /// Far from all, near the first, then behind its back.
  static stream::View view(int number) {
    stream::View view;
    const double t = number / 60.0;
    view.eye = Vec3(-60 + 220 * t * (1 - t), 2, 1.5);
    view.forward = (number < 45 ? Vec3(1, 0.125, 0) : Vec3(-1, 0.25, 0)).normalized();
    view.height_rad = 0.75;
    view.aspect = 1.5;
    return view;
  }

  static std::vector<stream::TrackedMember> members(const world::Roster& roster) {
    std::vector<stream::TrackedMember> out;
    for (const auto& entry : roster.entries) out.push_back({entry.id, entry.coordinates});
    return out;
  }

 private:
  static constexpr std::uint32_t kPeople = 9;

  // More than a small room, most of them far away, so that joints are left out.
  static std::shared_ptr<const world::Roster> roster(std::uint64_t version, bool changed) {
    auto out = std::make_shared<world::Roster>();
    out->version = version;
    out->epoch = 1;
    for (std::uint32_t id = 1; id <= kPeople + 200; ++id) {
      if (changed && id == 2) continue;
      const std::uint32_t dof = id > kPeople ? 0 : changed && id == 3 ? 7 : 12;
      out->entries.push_back({id, 0, "normal", "", "gbwc", dof, nullptr, nullptr});
    }
    if (changed) out->entries.push_back({900, 0, "normal", "", "gbwc", 12, nullptr, nullptr});
    return out;
  }

  // A smooth wave from -1 to 1 of period 1.
  static double wave(double t) {
    const double u = t - std::floor(t);
    const double v = u < 0.5 ? 4 * u - 1 : 3 - 4 * u;
    return 0.5 * v * (3 - v * v);
  }

  static void add(world::Snapshot& snapshot, const world::RosterEntry& entry, int moment) {
    const double t = moment / 30.0, own = 0.37 * entry.id;
    world::CharacterSnapshot one;
    one.id = entry.id;
    const bool crowd = entry.id > kPeople && entry.id < 900;
    const double row = crowd ? 30 + entry.id % 40 : 4.0 * (entry.id % 9);
    one.root.position = Vec3(row + (1 + 0.1 * (entry.id % 5)) * t,
                             crowd ? entry.id % 17 - 8.0 : own, 0.9 + 0.03 * wave(2 * t + own));
    if (entry.id == 5 && moment >= kJump) one.root.position += Vec3(-20, 3, 0);
    const double turn = wave(0.4 * t + own);
    one.root.rotation = Quat(1 - turn, 0.05 * wave(t), 0.04 * wave(t + own), turn).normalized();
    const double stride = t + own - std::floor(t + own);
    one.report.phase = 2 * stride - (stride < 0.5 ? 0 : 1);
    one.flags = stride < 0.5 ? world::kFlagLeftStance | world::kFlagLeftContact
                             : world::kFlagRightContact | 0u;
    if (entry.id == 4 && moment > 15) one.flags = world::kFlagFallen | 1u << 12;
    one.presence = entry.id == 4 && moment > 20
                       ? std::uint32_t(std::max(0, 255 - 9 * (moment - 20)))
                       : world::kWholePresence;
    one.limb_contacts = stride < 0.5 ? 1 : 2 + (entry.id == 6 ? 1u << 30 : 0);
    one.first_coordinate = static_cast<std::uint32_t>(snapshot.coordinates.size());
    for (std::uint32_t k = 0; k < entry.coordinates; ++k) {
      snapshot.coordinates.push_back(static_cast<float>(0.6 * wave(t + own + 0.13 * k)));
    }
    snapshot.characters.push_back(one);
  }

  std::shared_ptr<const world::Roster> first_, second_;
};

}  // namespace promenade::testing

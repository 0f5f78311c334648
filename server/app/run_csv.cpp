#include "app/run_csv.h"

#include <algorithm>
#include <cstdio>

namespace promenade::app {
namespace {

const char* state_of(const world::CharacterSnapshot& c) {
  if (c.flags & world::kFlagAway) return "away";
  if (c.flags & world::kFlagQuarantined) return "quarantined";
  if (c.flags & world::kFlagFallen) return "fallen";
  if (c.flags & world::kFlagLimp) return "limp";
  if (c.flags & world::kFlagHolding) return "holding";
  return c.flags & world::kFlagStanding ? "standing" : "walking";
}

bool broken(std::ofstream& file) { return file.is_open() && !file.flush().good(); }

}  // namespace

bool RunCsv::open(const std::filesystem::path& characters, const std::filesystem::path& things) {
  paths_[0] = characters;
  paths_[1] = things;
  if (!characters.empty()) {
    characters_.open(characters, std::ios::trunc);
    if (!characters_.is_open()) return false;
    characters_
        << "tick,time_s,id,body,style,state,x_m,y_m,z_m,heading_rad,speed_mps,phase,stance,"
           "com_x_m,com_y_m,com_z_m,com_vx_mps,com_vy_mps,com_vz_mps,capture_x_m,capture_y_m,"
           "desired_vx_mps,desired_vy_mps,desired_heading_rad,left_force_n,right_force_n,"
           "kinetic_j,potential_j,step_time_s,step_length_m,steps\n";
  }
  if (!things.empty()) {
    things_.open(things, std::ios::trunc);
    if (!things_.is_open()) return false;
    things_ << "tick,time_s,id,thing,asleep,x_m,y_m,z_m,qw,qx,qy,qz,coordinates\n";
  }
  return good();
}

bool RunCsv::good() { return !broken(characters_) && !broken(things_); }

std::string RunCsv::cannot_write() const {
  const bool first = !paths_[0].empty() && !characters_.good();
  return "cannot write " + paths_[first ? 0 : 1].string();
}

void RunCsv::write(const world::Snapshot& snapshot, double tick_seconds) {
  const double time = double(snapshot.tick) * tick_seconds;
  if (characters_.is_open()) write_characters(snapshot, time);
  if (things_.is_open()) write_things(snapshot, time);
}

void RunCsv::write_characters(const world::Snapshot& snapshot, double time) {
  for (std::size_t i = 0; i < snapshot.characters.size(); ++i) {
    const world::CharacterSnapshot& c = snapshot.characters[i];
    const world::RosterEntry& entry = snapshot.roster->entries[i];
    const control::ControlReport& r = c.report;
    char row[640];
    const int length = std::snprintf(
        row, sizeof row,
        "%llu,%.6f,%u,%s,%s,%s,%.5f,%.5f,%.5f,%.5f,%.4f,%.4f,%s,%.5f,%.5f,%.5f,%.4f,%.4f,%.4f,"
        "%.4f,%.4f,%.4f,%.4f,%.5f,%.1f,%.1f,%.2f,%.2f,%.4f,%.4f,%llu\n",
        static_cast<unsigned long long>(snapshot.tick), time, c.id,
        snapshot.roster->bodies[std::size_t(entry.body)]->name.c_str(), entry.style.c_str(),
        state_of(c), c.root.position.x(), c.root.position.y(), c.root.position.z(), r.heading,
        r.com_velocity.head<2>().norm(), r.phase, r.left_stance ? "left" : "right", r.com.x(),
        r.com.y(), r.com.z(), r.com_velocity.x(), r.com_velocity.y(), r.com_velocity.z(),
        r.capture_point.x(), r.capture_point.y(), c.desired_velocity.x(), c.desired_velocity.y(),
        c.desired_heading, r.foot_force[0].z(), r.foot_force[1].z(), c.kinetic_energy,
        c.potential_energy, r.step_time, r.step_length, static_cast<unsigned long long>(r.steps));
    characters_.write(row, std::min<int>(length, int(sizeof row) - 1));
  }
}

void RunCsv::write_things(const world::Snapshot& snapshot, double time) {
  const auto& coordinates = snapshot.thing_coordinates;
  for (std::size_t i = 0; i < snapshot.things.size(); ++i) {
    const world::ThingSnapshot& thing = snapshot.things[i];
    const world::ThingEntry& entry = snapshot.roster->things[i];
    const Vec3& p = thing.root.position;
    const Quat& q = thing.root.rotation;
    char row[256];
    const int length =
        std::snprintf(row, sizeof row, "%llu,%.6f,%u,%s,%d,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,",
                      static_cast<unsigned long long>(snapshot.tick), time, thing.id,
                      snapshot.roster->bodies[std::size_t(entry.body)]->name.c_str(),
                      int(thing.asleep), p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z());
    things_.write(row, std::min<int>(length, int(sizeof row) - 1));
    // The coordinates of its joints, with blanks between: things differ in how many they have.
    const std::size_t end = i + 1 < snapshot.things.size() ? snapshot.things[i + 1].first_coordinate
                                                           : coordinates.size();
    for (std::size_t k = thing.first_coordinate; k < end; ++k) {
      const int digits = std::snprintf(
          row, sizeof row, "%s%.5f", k > thing.first_coordinate ? " " : "", double(coordinates[k]));
      things_.write(row, digits);
    }
    things_ << '\n';
  }
}

}  // namespace promenade::app

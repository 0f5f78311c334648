#include "study/trial/crowd/crowd_falls.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <utility>

#include "math/rotation.h"
#include "study/trial/rig/data_copy.h"
#include "world/room/room.h"

namespace promenade::trial {
namespace {

constexpr int kLookEvery = 3;          // ticks, from one look to the next
constexpr double kLookedBack = 2.6;    // s before a fall is told, that are looked at
constexpr double kFallTakes = 0.5;     // s before it: what happens later comes of the fall
constexpr double kBump = 0.08;         // m/s, least impulse over mass that counts as a bump
constexpr double kOffCourse = 0.6;     // rad
constexpr double kChanged = 0.35;      // m/s
constexpr double kTouchReach = 1.6;    // m, from a touch to the root of the touched one, at most
constexpr double kHardlyAsked = 0.05;  // m/s

/// The state of somebody at one look.
struct Moment {
  double time = 0;
  Vec2 asked = Vec2::Zero(), got = Vec2::Zero();  // m/s, world
  double turn = 0;                                // rad, from the heading to the course
  bool standing = false;
  double nearest = 0;           // m
  Vec2 impulse = Vec2::Zero();  // N s, of touches since the last look, world
  double touch_height = 0;      // m, of the strongest
  int other = -1;               // the character that was touched; -2: a thing
  double heading = 0;           // rad
};

struct Person {
  std::string body, style;
  double mass = 1, standing = 1;  // kg, m
  bool up = true;
  std::deque<Moment> past;
  Moment next;  // touches are gathered here
};

class Watch {
 public:
  Watch(std::shared_ptr<const Library> library, const std::string& scene, std::uint64_t seed)
      : room_(std::move(library), settings_of(scene, seed)) {
    const auto first = room_.make_snapshot(false);
    for (std::size_t i = 0; i < first->characters.size(); ++i) {
      const world::RosterEntry& entry = first->roster->entries[i];
      Person person;
      person.body = first->roster->bodies[std::size_t(entry.body)]->name;
      person.style = entry.style;
      person.mass = first->roster->bodies[std::size_t(entry.body)]->total_mass;
      person.standing = first->roster->bodies[std::size_t(entry.body)]->standing_height;
      ids_.push_back(entry.id);
      index_[entry.id] = int(i);
      people_.push_back(person);
      places_.push_back(first->characters[i].root.position.head<2>());
    }
    out_.fell.assign(people_.size(), 0);
    for (const Person& person : people_) out_.who.push_back(person.body + " " + person.style);
  }

  CrowdFalls run(double seconds) {
    const double dt = room_.tick_seconds();
    const auto ticks = std::uint64_t(std::llround(seconds / dt));
    double travelled = 0, up = 0;
    for (std::uint64_t tick = 0; tick < ticks; ++tick) {
      const auto events = room_.tick();
      feel(dt);
      for (const world::RoomEvent& event : events) {
        if (event.kind == world::RoomEvent::Kind::kFell ||
            event.kind == world::RoomEvent::Kind::kQuarantined)
          note_fall(std::size_t(index_.at(event.character)), double(tick) * dt);
      }
      if (tick % kLookEvery == 0) look(double(tick) * dt);
      for (const Person& person : people_) {
        if (!person.up) continue;
        up += dt;
        if (!person.past.empty()) travelled += person.past.back().got.norm() * dt;
      }
    }
    out_.minutes = seconds / 60;
    out_.mean_speed = up > 0 ? travelled / up : 0;
    return std::move(out_);
  }

 private:
  static world::RoomSettings settings_of(const std::string& scene, std::uint64_t seed) {
    world::RoomSettings settings;
    settings.scene = scene;
    settings.seed = seed;
    return settings;
  }

  /// Touches of this tick. One between two people is listed by one of them only.
  void feel(double dt) {
    for (std::size_t i = 0; i < people_.size(); ++i) {
      for (const physics::ContactPoint& c : room_.body_for_test(ids_[i])->contacts()) {
        const Vec2 force = c.force.head<2>();
        if (c.on_ground) {
          if (c.normal.z() < 0.5) note_touch(i, -2, force * dt, c.position.z());
          continue;
        }
        const int other = whose(i, c.position.head<2>());
        note_touch(i, other, force * dt, c.position.z());
        if (other >= 0) note_touch(std::size_t(other), int(i), -force * dt, c.position.z());
      }
    }
  }
  int whose(std::size_t self, const Vec2& at) const {
    int best = -2;
    double nearest = kTouchReach;
    for (std::size_t k = 0; k < people_.size(); ++k) {
      const double far = (places_[k] - at).norm() / std::max(0.6, people_[k].standing);
      if (k == self || far >= nearest) continue;
      nearest = far;
      best = int(k);
    }
    return best;
  }
  void note_touch(std::size_t i, int other, const Vec2& impulse, double height) {
    Moment& now = people_[i].next;
    if (impulse.norm() > now.impulse.norm() || now.other == -1) {
      now.touch_height = height;
      now.other = other;
    }
    now.impulse += impulse;
  }

  void look(double time) {
    const auto snapshot = room_.make_snapshot(false);
    for (std::size_t i = 0; i < people_.size(); ++i)
      places_[i] = snapshot->characters[i].root.position.head<2>();
    for (std::size_t i = 0; i < people_.size(); ++i) {
      Person& person = people_[i];
      const world::CharacterSnapshot& c = snapshot->characters[i];
      person.up = !(c.flags & (world::kFlagFallen | world::kFlagQuarantined));
      Moment now = std::exchange(person.next, Moment{});
      now.time = time;
      now.heading = heading_of(c.root.rotation);
      now.standing = c.report.standing;
      now.asked = c.desired_velocity;
      now.got = rotated(c.report.mean_velocity, c.report.heading);
      now.turn = wrap_angle(c.desired_heading - now.heading);
      now.nearest = std::numeric_limits<double>::infinity();
      for (std::size_t k = 0; k < people_.size(); ++k) {
        if (k != i) now.nearest = std::min(now.nearest, (places_[k] - places_[i]).norm());
      }
      if (!person.up) {
        person.past.clear();
        continue;
      }
      person.past.push_back(now);
      while (person.past.front().time < time - kLookedBack) person.past.pop_front();
    }
  }

  void note_fall(std::size_t i, double time) {
    const Person& person = people_[i];
    Fall fall;
    fall.body = person.body;
    fall.style = person.style;
    fall.at = time;
    ++out_.fell[i];
    Vec2 impulse = Vec2::Zero();
    double strongest = 0, least = std::numeric_limits<double>::infinity(), most = 0;
    int other = -1, count = 0;
    bool stood = false;
    fall.nearest = std::numeric_limits<double>::infinity();
    for (const Moment& now : person.past) {
      if (now.time > time - kFallTakes) break;
      ++count;
      stood = stood || now.standing;
      const double asked = now.asked.norm();
      least = std::min(least, asked);
      most = std::max(most, asked);
      fall.asked += asked;
      fall.got += now.got.norm();
      if (std::abs(now.turn) > std::abs(fall.turned)) fall.turned = now.turn;
      fall.nearest = std::min(fall.nearest, now.nearest);
      impulse += now.impulse;
      if (now.impulse.norm() > strongest) {
        strongest = now.impulse.norm();
        other = now.other;
        fall.from = wrap_angle(std::atan2(-now.impulse.y(), -now.impulse.x()) - now.heading);
        fall.height = now.touch_height / person.standing;
      }
    }
    if (count > 0) {
      fall.asked /= count;
      fall.got /= count;
      fall.changed = most - least;
    }
    fall.impulse = std::max(impulse.norm(), strongest) / person.mass;
    const bool bumped = fall.impulse > kBump;
    if (other >= 0) fall.other = people_[std::size_t(other)].body;
    fall.cause = bumped && other >= 0                 ? FallCause::kPerson
                 : bumped                             ? FallCause::kThing
                 : stood || count == 0                ? FallCause::kSetOff
                 : std::abs(fall.turned) > kOffCourse ? FallCause::kTurn
                 : fall.changed > kChanged            ? FallCause::kSpeed
                 : fall.asked > kHardlyAsked && fall.got < fall.asked - kChanged
                     ? FallCause::kSpeed
                     : FallCause::kOnCourse;
    out_.falls.push_back(fall);
  }

  world::Room room_;
  std::vector<world::CharacterId> ids_;
  std::map<world::CharacterId, int> index_;
  std::vector<Person> people_;
  std::vector<Vec2> places_;  // [people] m
  CrowdFalls out_;
};

}  // namespace

const char* cause_name(FallCause cause) {
  static constexpr const char* kNames[] = {"person", "thing", "set off or stop",
                                           "turn",   "speed", "on course"};
  return kNames[int(cause)];
}

CrowdFalls watch_falls(std::shared_ptr<const Library> library, const std::string& scene,
                       double seconds, std::uint64_t seed) {
  return Watch(std::move(library), scene, seed).run(seconds);
}

std::shared_ptr<const Library> with_mixed_crowd(const std::filesystem::path& data_dir) {
  const DataCopy data(data_dir);
  v1::Scene scene = data.load()->find_scene("hundred")->message;
  scene.set_name(kMixedCrowd);
  scene.clear_demonstration();
  v1::Crowd& crowd = *scene.mutable_crowds(0);
  // The crowd stands as dense as `hundred`.
  crowd.set_radius_m(crowd.radius_m() * std::sqrt(double(kMixedPeople) / crowd.count()));
  crowd.set_count(kMixedPeople);
  data.add(scene);
  return data.load();
}

}  // namespace promenade::trial

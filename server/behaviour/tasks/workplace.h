#pragma once

#include <array>

#include "behaviour/tasks/task.h"
#include "creature/biped/biped.h"
#include "promenade/v1/task_parameters.pb.h"

namespace promenade::behaviour::tasks {

/// A thing as somebody who handles it sees it. World frame unless said, SI.
struct ThingSeen {
  Vec3 position = Vec3::Zero();      // of its first link
  Quat rotation = Quat::Identity();  // world_from_link
  Vec3 velocity = Vec3::Zero();      // m/s, of that link's origin
  Vec3 omega = Vec3::Zero();         // rad/s
  Vec3 center = Vec3::Zero();        // of the box round that link's shapes, link frame
  Vec3 half = Vec3::Zero();          // half extents of it
  double mass = 0;                   // kg, of all links
  double friction = 0.5;             // of its first shape
  bool fixed = false;                // cannot be moved
  bool character = false;            // somebody
  bool round = false;                // a ball

  Vec3 at(const Vec3& in_link) const { return position + rotation * in_link; }
  Vec3 in_link(const Vec3& world) const { return rotation.conjugate() * (world - position); }
  Vec3 velocity_at(const Vec3& in_link) const { return velocity + omega.cross(rotation * in_link); }
  Vec3 middle() const { return at(center); }
};

/// The body of who does a task. Arrays are left, right; world frame, SI.
struct BodySeen {
  std::array<Vec3, 2> palm{Vec3::Zero(), Vec3::Zero()};
  std::array<Vec3, 2> shoulder{Vec3::Zero(), Vec3::Zero()};
  std::array<ThingId, 2> holds{};                         // what the hands have gripped
  std::array<Vec3, 2> force{Vec3::Zero(), Vec3::Zero()};  // N, of that on the hands
  Vec2 feet = Vec2::Zero();                               // middle of the ankles
  double sole = 0;                                        // m, height of the lower sole
  std::array<double, 2> arms{};                           // m, shoulder to palm, stretched
  double arm = 0;                                         // m, their mean
  double shoulder_height = 0;                             // m, over the soles, upright
  // m, of the middle of the shoulders in the deepest stoop: ahead of the ankles, above the soles.
  Vec2 low_shoulders = Vec2::Zero();
  double hand = 0;  // m, half thickness of a hand
  double toes = 0;  // m, of the foot ahead of the ankle
  double mass = 0;  // kg
  bool standing = false;
  double stoop = 0;  // 0 to 1

  Vec3 chest() const { return 0.5 * (shoulder[0] + shoulder[1]); }
};

/// How far somebody is with handing something over, or with taking it over.
struct Handing {
  enum class Stage : std::uint8_t {
    kNone,
    kComes,   // with the thing
    kOffers,  // stands there and holds it
    kTakes,   // brings the hands to it
    kHolds,   // both hands have it and take the weight
    kHas      // they have the weight
  };
  static constexpr std::size_t kStages = 6;
  ThingId other = 0;  // who hands it over, or takes it; 0: nobody
  ThingId thing = 0;
  Stage stage = Stage::kNone;

  /// The character that is to take something and should be told if it has nothing to do; 0: none.
  ThingId asks() const { return stage == Stage::kComes ? other : 0; }
  void visit(StateVisitor& state) {
    state(other, thing);
    state.choice(stage, kStages);
  }
};

/// Whether somebody would take something over.
enum class Takes : std::uint8_t { kNow, kLater, kNever };

/// Somebody else, to whom or from whom something goes.
struct SomebodySeen {
  bool works = false;     // can do tasks at all
  bool physical = false;  // moved by the physics: the members below are known
  bool down = false;
  Takes takes = Takes::kNever;  // from who looks
  Handing handing;
  std::array<ThingId, 2> holds{};
  Vec2 feet = Vec2::Zero();  // middle of the ankles, m
  double arm = 0;            // m, shoulder to palm, stretched
  double mass = 0;           // kg
};

/// What somebody knows about the world when doing a task.
class Workplace {
 public:
  virtual ~Workplace() = default;
  /// The numbers of tasks, of the data directory.
  virtual const v1::TaskParameters& parameters() const = 0;
  virtual BodySeen body() const = 0;
  /// @return false: there is no such thing (any more)
  virtual bool see(ThingId id, ThingSeen& out) const = 0;
  /// Likewise, with the motion of another of its links; the box is then a point.
  virtual bool see_link(ThingId id, std::size_t link, ThingSeen& out) const = 0;
  /// Who else has that thing: holds it, or was first to set about picking it up, pushing or pulling
  /// it; 0: nobody.
  virtual ThingId taken_by(ThingId id) const = 0;
  /// @return false: there is nobody of that number (any more)
  virtual bool see_somebody(ThingId id, SomebodySeen& out) const = 0;
  /// Who is about to hand something over to this one; 0: nobody.
  virtual ThingId giver() const = 0;
  /// Whether another thing stands on it.
  virtual bool bears(ThingId id) const = 0;
  /// Height of the ground there, m.
  virtual double ground(const Vec2& at) const = 0;
  /// Height of what is highest at (x, y), ground or a thing other than `except`, m.
  virtual double height(const Vec2& at, ThingId except) const = 0;
};

/// What a hand is to do besides going somewhere.
struct HandOrder {
  enum class Kind : std::uint8_t { kNone, kGrip, kLetGo };
  Kind kind = Kind::kNone;
  ThingId thing = 0;
  Vec3 point = Vec3::Zero();  // of the thing that the palm is to hold, frame of its link
  std::size_t link = 0;       // of the thing
  double limit = 0;           // N, that the hand holds at most
};

/// A thing that somebody is at work on.
struct Claim {
  ThingId thing = 0;  // 0: nothing
  double since = 0;   // s, for so long

  /// @param now  what it is at work on now; 0: nothing
  void note(ThingId now, double dt) {
    if (now != thing) {
      *this = {now, 0};
    } else if (now != 0) {
      since += dt;
    }
  }

  void visit(StateVisitor& state) { state(thing, since); }
};

/// What became of a task.
struct TaskNews {
  enum class Kind : std::uint8_t { kNone, kDone, kFailed };
  Kind kind = Kind::kNone;
  Task task;
  double error = 0;      // m, by which the goal was missed
  const char* why = "";  // of kFailed: "it is too heavy"
};

}  // namespace promenade::behaviour::tasks

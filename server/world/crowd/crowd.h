#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "behaviour/crowd/walkers.h"
#include "behaviour/flow/flow.h"
#include "math/state.h"
#include "world/crowd/flow_figures.h"
#include "world/library/library.h"
#include "world/room/tick_view.h"
#include "world/scene/scene.h"
#include "world/showing/snapshot.h"
#include "world/step/workers.h"

namespace promenade::world {

/// The flow of a room with this scene.
/// @param field  where the flow stands in the refused message, before ".flow"
std::variant<SceneFlow, CommandError> flow_for(const Library& library, const Scene& where,
                                               const v1::CrowdFlow& message, std::uint64_t seed,
                                               const std::string& field);

/// How a crowd gets people: its room makes them and sets them down.
class PeopleMaker {
 public:
  /// Creates a character that is nowhere yet: set_down() must follow.
  virtual Entity& make(const CharacterPlan& plan) = 0;
  /// Sets a character upright at a place, following its first order. @param heading  rad
  virtual void set_down(Entity& e, const Vec2& place, double heading) = 0;

 protected:
  ~PeopleMaker() = default;
};

/// How people avoid each other, and the flow of people who come and go. Every few ticks the crowd
/// decides: people of the flow get errands, come in and leave, and those who walk in the crowd get
/// velocities that lead them round each other. It is a value, so that a saved one can be read and
/// checked before it takes the place of another; what it moves is given to its functions.
class Crowd {
 public:
  /// @param seed  of the room
  /// @param tick  s, of the room
  void load(const Scene& scene, std::uint64_t seed, double tick);
  /// Another flow in place of the one there is. Its people stay where they are and go on.
  /// @param seed  of the room
  /// @param at    tick at which it took effect
  void replace(SceneFlow next, std::uint64_t seed, std::uint64_t at);
  /// Makes those who are due when the scene begins, so that the first tick need only let them in.
  void make_first_people(PeopleMaker& maker);

  /// Ticks from one decision to the next.
  std::uint64_t period() const { return period_; }
  bool decides(const TickView& now) const { return now.age() % period_ == 0; }
  // The parts of a decision, in this order.
  /// Lets the people of the flow come and go, and tells them where to.
  void run_flow(Occupants& occupants, PeopleMaker& maker, const TickView& now);
  /// Chooses the velocities of those who walk in the crowd.
  void choose_velocities(Occupants& occupants, Workers& workers, const TickView& now);
  /// Counts who came and went.
  void look_at_flow(const TickView& now, std::vector<RoomEvent>& events);

  /// Null where nobody comes and goes.
  behaviour::flow::Flow* flow() { return flow_.get(); }
  const behaviour::flow::Flow* flow() const { return flow_.get(); }
  /// The flow was made of it; without a plan: there is none.
  const SceneFlow& given() const { return given_; }
  /// Whether a command has set the flow, so that given() is not the scene's.
  bool replaced() const { return replaced_; }
  std::uint64_t since() const { return since_; }  // tick at which that was; else 0
  const FlowFigures& figures() const { return figures_; }

  std::uint64_t digest() const;
  void write(StateVisitor::Buffer& out) const;
  /// @return what is wrong with the words; empty: nothing
  template <typename Words>
  std::string read(const Words& words) {
    return read_words({words.data(), std::size_t(words.size())});
  }

 private:
  /// A character that is one of the people of the flow, by its number there.
  struct Visitor {
    behaviour::flow::PersonId person;
    std::uint32_t entity;  // its index
  };

  void set_walls(std::span<const behaviour::Obstacle> obstacles);
  void begin(SceneFlow next, std::uint64_t seed);
  void count();  // brings the figures that are of now up to date. @pre there is a flow
  void take_stock(Occupants& occupants);
  void let_in(Occupants& occupants, PeopleMaker& maker, std::uint64_t tick);
  std::string read_words(std::span<const std::uint64_t> words);

  std::uint64_t period_ = 3;  // ticks
  behaviour::crowd::Walkers walkers_{behaviour::crowd::AvoidanceLaw{}};
  std::vector<behaviour::crowd::Vec2f> chosen_;  // [discs] m/s
  // Of the flow. Its routes are the room's own, as only one thread may ask them.
  std::unique_ptr<behaviour::route::Routes> routes_;
  std::unique_ptr<behaviour::flow::Flow> flow_;
  SceneFlow given_;
  bool replaced_ = false;
  std::uint64_t since_ = 0;
  std::uint64_t given_digest_ = 0;  // of a flow that a command has set
  FlowFigures figures_;
  std::vector<Visitor> visitors_;
  std::vector<Vec2> places_;  // of Flow::people(), in their order
};

}  // namespace promenade::world

#pragma once

#include <span>
#include <vector>

#include "behaviour/tasks/workplace.h"
#include "world/room/tick_view.h"
#include "world/showing/snapshot.h"
#include "world/ties/ties.h"

namespace promenade::world {

class SharedTasks;

/// Hands of those who do tasks: who is at work on which thing, who hands something to whom, and the
/// grips by which hands hold things. What it knows is found anew in each tick; nothing of it is
/// saved.
class Hands {
 public:
  /// A character at work on a thing.
  struct Claim {
    CharacterId thing, character;
    bool holds;
    double since;  // s
  };
  /// How far somebody who does tasks is with handing something over, or with taking it.
  struct HandingTold {
    CharacterId id;
    behaviour::tasks::Handing handing;
    behaviour::tasks::Takes taker;  // whether its taker would take the thing
  };

  /// @param parameters  of tasks; they outlive it
  explicit Hands(const v1::TaskParameters& parameters) : parameters_(&parameters) {}

  const v1::TaskParameters& parameters() const { return *parameters_; }
  /// Finds the claims and the handings over of this tick.
  void gather(const Occupants& occupants, const Ties& ties);
  /// By ascending things, then the one who comes first.
  std::span<const Claim> claims() const { return claims_; }
  std::span<const HandingTold> handings() const { return handings_; }

  /// Tells a character the forces that pull at its hands.
  static void feel(Entity& e, const Ties& ties);
  /// Lets hands grip and let go as characters at tasks have decided, and tells how tasks ended.
  /// @param shared  hears of those that several share
  void use(Occupants& occupants, Ties& ties, SharedTasks& shared, const TickView& now,
           std::vector<RoomEvent>& events) const;
  /// Tells the takers of a handing over that have nothing else to do.
  void ask_takers(Occupants& occupants, const TickView& now) const;

 private:
  void gather_claims(const Occupants& occupants, const Ties& ties);
  void gather_handings(const Occupants& occupants);

  const v1::TaskParameters* parameters_;
  std::vector<Claim> claims_;
  std::vector<HandingTold> handings_;
};

/// Says in an event what became of somebody's task.
void tell_news(const TickView& now, const Entity& e, const behaviour::tasks::TaskNews& news,
               std::vector<RoomEvent>& events);

}  // namespace promenade::world

#pragma once

#include "behaviour/tasks/workplace.h"
#include "world/hands/hands.h"
#include "world/room/tick_view.h"
#include "world/ties/ties.h"

namespace promenade::world {

/// The room as one character sees it that does tasks. Reads only; several threads may each look for
/// another character at the same time.
class RoomWorkplace final : public behaviour::tasks::Workplace {
 public:
  /// @param now, ties, hands  of the room; they outlive it
  RoomWorkplace(const TickView& now, const Ties& ties, const Hands& hands, const Entity& self)
      : now_(now), ties_(ties), hands_(hands), self_(self) {}
  const v1::TaskParameters& parameters() const override { return hands_.parameters(); }
  behaviour::tasks::BodySeen body() const override;
  bool see(behaviour::tasks::ThingId id, behaviour::tasks::ThingSeen& out) const override;
  bool see_link(behaviour::tasks::ThingId id, std::size_t link,
                behaviour::tasks::ThingSeen& out) const override;
  behaviour::tasks::ThingId taken_by(behaviour::tasks::ThingId id) const override;
  bool see_somebody(behaviour::tasks::ThingId id,
                    behaviour::tasks::SomebodySeen& out) const override;
  behaviour::tasks::ThingId giver() const override;
  bool bears(behaviour::tasks::ThingId id) const override;
  double ground(const Vec2& at) const override;
  double height(const Vec2& at, behaviour::tasks::ThingId except) const override;

 private:
  const TickView& now_;
  const Ties& ties_;
  const Hands& hands_;
  const Entity& self_;
};

}  // namespace promenade::world

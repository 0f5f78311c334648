#pragma once

#include "behaviour/tasks/workplace.h"
#include "world/room/room_impl.h"

namespace promenade::world {

/// The room as one character sees it that does tasks. Reads only; several threads may each look for
/// another character at the same time.
class RoomWorkplace final : public behaviour::tasks::Workplace {
 public:
  RoomWorkplace(const Room::Impl& room, const Entity& self) : room_(room), self_(self) {}
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
  const Room::Impl& room_;
  const Entity& self_;
};

}  // namespace promenade::world

// Things made beside a room, for it to take without a late tick. See beside/preparation.h.
#include "world/beside/preparation.h"
#include "world/command/applier.h"
#include "world/command/kind.h"
#include "world/room/room_impl.h"

namespace promenade::world {
namespace {

constexpr std::uint32_t kNumbersOfAScene = 1000;  // a scene begins at one more than a multiple

/// Whether two edits that were put together come to the same.
bool same_outcome(const Command& a, const Command& b) {
  if (const auto* style = std::get_if<SetStyle>(&a)) {
    const auto* other = std::get_if<SetStyle>(&b);
    return other && style->definition && other->definition &&
           style->definition->digest == other->definition->digest;
  }
  const auto* body = std::get_if<SetBody>(&a);
  const auto* other = std::get_if<SetBody>(&b);
  return body && other && body->definition && other->definition &&
         body->definition->digest == other->definition->digest;
}

}  // namespace

std::unique_ptr<Preparation> Room::Impl::prepare(const Command& command) {
  const CommandKind& kind = kind_of(command);
  if (!kind.prepare) return nullptr;
  const auto put_together = merged(command);
  if (put_together && put_together->index() == 1) return nullptr;  // apply() says why not
  const Command& whole = put_together ? std::get<0>(*put_together) : command;
  auto out = std::make_unique<Preparation>(library);
  CommandResult unused;
  Applier applier{*this, unused};
  kind.prepare(whole, applier, *out);
  if (unused.error || out->empty()) return nullptr;
  if (put_together) out->made.whole = whole;
  return out;
}

std::unique_ptr<Preparation> Room::Impl::prepare(
    std::shared_ptr<const v1::Checkpoint> checkpoint) const {
  auto out = std::make_unique<Preparation>(library);
  RoomSettings beside = settings;
  beside.threads = 1;
  out->need("going back to an earlier state",
            [made = &out->made, library = library, beside, state = std::move(checkpoint)] {
              auto next = std::make_unique<Impl>(library, beside, Empty{});
              made->why_not = next->restore(*state);
              made->room.reset(new Room(std::move(next)));
            });
  return out;
}

std::function<std::unique_ptr<Room>()> Room::Impl::with_scene(
    std::shared_ptr<const Scene> next) const {
  RoomSettings beside = settings;
  beside.threads = 1;
  return [library = library, beside, next = std::move(next),
          id = first_number_after(occupants.next_id), tie = first_number_after(ties.next_id())] {
    auto made = std::make_unique<Impl>(library, beside, Empty{});
    made->occupants.next_id = id;
    made->ties.number_from(tie);
    made->load(next);
    if (made->crowd.flow()) made->crowd.flow()->find_all_ways();
    return std::unique_ptr<Room>(new Room(std::move(made)));
  };
}

bool Room::Impl::fits(const Command& command, const Preparation& prepared) const {
  const Preparation::Made& made = prepared.made;
  if (made.why_not) return false;
  if (made.flow && made.flow_scene != scene) return false;
  if (made.room) {
    const Impl& next = *made.room->impl_;
    return next.occupants.first_id == first_number_after(occupants.next_id) &&
           made.first_tie == first_number_after(ties.next_id()) &&
           next.settings.seed == settings.seed;
  }
  if (!made.whole) return true;
  const auto now = merged(command);
  return now && now->index() == 0 && same_outcome(*made.whole, std::get<0>(*now));
}

void Room::Impl::take_the_place_of(Impl& before, bool same_time) {
  sink = std::move(before.sink);
  workers.swap(before.workers);
  std::swap(settings.threads, before.settings.threads);
  times = before.times;
  epoch = before.epoch + 1;
  sleep.places_changed();
  roster.follow(before.roster);
  if (!same_time) return;
  scene_tick = tick_number = before.tick_number;
  paused = before.paused;
  steps_left = before.steps_left;
  time_scale = before.time_scale;
}

std::uint32_t Room::Impl::first_number_after(std::uint32_t next) {
  const std::uint32_t scenes = (next - 1 + kNumbersOfAScene - 1) / kNumbersOfAScene;
  return scenes * kNumbersOfAScene + 1;
}

}  // namespace promenade::world

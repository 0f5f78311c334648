#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "world/crowd/gaits.h"
#include "world/room/room.h"
#include "world/scene/scene.h"

namespace promenade::world {

/// The things that a command, or a state that is gone back to, needs and the room's thread has no
/// time to make. They are made in parts on another thread, while the room goes on; Room::apply()
/// then takes them. The outcome of the command is the same without: things that are not there are
/// made at that moment. Docs: docs/decisions/0039-work-beside-the-room.md
class Preparation {
 public:
  explicit Preparation(std::shared_ptr<const Library> library) : library_(std::move(library)) {}

  // The room's functions fill it in, before the first part, or a part does when it knows more.
  /// Needs how a light character of this body walks in this style, unless that is known already.
  void need_gait(const std::shared_ptr<const Creature>& body,
                 const std::shared_ptr<const Style>& style);
  /// Needs that for the first `count` members of a crowd.
  void need_gaits(const CrowdMix& mix, std::size_t count);
  /// Needs that for all of a scene.
  void need_gaits(const Scene& scene);
  /// @param doing  for people: "setting everybody down"
  /// @param make   makes something in `made`, on another thread: reads nothing of the room
  void need(std::string doing, std::function<void()> make);

  /// Whether nothing is needed.
  bool empty() const;
  /// Makes one part, on any thread, one at a time. @return whether it was the last
  bool make_part();
  /// How far it is, 0 to 1, and what is next, for people. Any thread, at any time.
  double share() const;
  std::string doing() const;

  struct Made {
    /// The command with what others had edited by then, where its gait was needed.
    std::optional<Command> whole;
    /// A flow for this scene.
    std::shared_ptr<const Scene> flow_scene;
    std::optional<std::variant<SceneFlow, CommandError>> flow;
    /// The room with the scene that is to be loaded, or in the state that it is to go back to.
    std::unique_ptr<Room> room;
    std::uint32_t first_tie = 0;          // of its scene
    std::optional<CommandError> why_not;  // instead
  };
  Made made;
  /// The command need not wait: this character needs what is made only when it leaves the physics.
  std::optional<CharacterId> needed_later;

 private:
  struct Part {
    std::string doing;
    std::function<void()> make;
  };
  const std::shared_ptr<const Library> library_;
  mutable std::mutex mutex_;  // guards what follows; not held while a part is made
  std::vector<Part> parts_;
  std::size_t gaits_ = 0;  // how many of them
  std::size_t done_ = 0;
};

}  // namespace promenade::world

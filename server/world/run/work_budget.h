#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "promenade/v1/checkpoint.pb.h"
#include "world/command/command.h"
#include "world/room/room.h"

namespace promenade::world {

struct Scene;

/// Decides whether a room has the time for the work that a command would add. The unit of work is a
/// link that moves: of a character, or of a thing that is awake. Its cost is measured while the
/// room ticks; a room that moves too few to tell takes the cost that other rooms of the process
/// have measured, or a trial before the first tick.
///
/// Time decides here, so this stands in front of the room: commands that Room::apply gets, and a
/// journal records, do not depend on it.
class WorkBudget {
 public:
  /// @param max_load  share of a tick's time that a tick may take; 0: any
  WorkBudget(double max_load, std::shared_ptr<const Library> library, const RoomSettings& settings);

  /// To be called after each tick. @param seconds  that it took, with what belongs to it
  void measure(double seconds, std::size_t moving_links);

  /// @return the refusal of a command that would take more than the budget; else nothing
  std::optional<CommandError> judge(const Command& command, const Room& room);
  std::optional<CommandError> judge(const v1::Checkpoint& state);

  /// Share of a tick's time that the ticks take now.
  double load() const;

 private:
  struct Sample {
    double seconds;
    double links;
  };
  std::optional<CommandError> judge_flow(const v1::CrowdFlow& flow, const Room& room);
  /// @param count, what  the bodies that the links are of: 200, "people"
  std::optional<CommandError> judge_more(const char* field, double links, std::size_t count,
                                         const char* what, const Room& room);
  /// @param name  of a scene in quotes, or what else is to be loaded
  std::optional<CommandError> judge_other(const char* field, const std::string& name, double links,
                                          std::size_t characters, std::size_t things);
  double link_seconds() const;  // that a link takes of a tick
  double mean_seconds() const;
  double mean_links() const;

  const double max_load_;
  const std::shared_ptr<const Library> library_;
  const double tick_s_;
  const std::size_t threads_;
  static constexpr std::size_t kWindow = 48;  // ticks that are looked back on
  std::array<Sample, kWindow> samples_{};
  std::size_t count_ = 0;  // of all samples so far
  /// Links that moved when something was last refused; 0: nothing since there was room again.
  double refused_at_ = 0;
  double most_moving_ = 0;  // links that have moved at once
};

/// Links of what a scene makes. @return 0 if the library lacks it
double links_of(const Scene& scene, const Library& library);

}  // namespace promenade::world

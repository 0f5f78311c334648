#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <variant>

#include "service/rooms/rooms.h"
#include "service/searches/gait_study.h"
#include "service/searches/private_directory.h"
#include "service/searches/watch_thread.h"

namespace promenade::service {

/// The studies of gaits that run beside rooms, one a room, each in a process of its own. They end
/// with the server. Any thread.
class GaitStudies {
 public:
  static constexpr std::size_t kMostRunning = 2;  // at once, in all rooms

  GaitStudies(Rooms& rooms, const std::filesystem::path& data_dir, int threads);
  ~GaitStudies();  // stop()
  GaitStudies(const GaitStudies&) = delete;
  GaitStudies& operator=(const GaitStudies&) = delete;

  using Text = std::shared_ptr<const std::string>;
  /// The report as JSON, made once for all who ask between two changes.
  using Report = std::variant<Text, world::CommandError>;
  Report begin(const RoomHost& room, const v1::GaitStudyOrder& order);
  /// @return the error where the room has no study
  Report stop(const RoomHost& room);
  /// Of a room without a study one that says so.
  Text report(const RoomHost& room);
  /// Ends all processes. Idempotent.
  void stop();

 private:
  struct Place {
    std::unique_ptr<GaitStudy> study;
    std::uint64_t number = 0;  // of the last study
    Text done;                 // the report of one that has ended; null: not made yet
  };
  std::chrono::milliseconds look(std::unique_lock<std::mutex>& lock);
  /// Reads what a study's process has left, without the lock.
  void take_result(std::unique_lock<std::mutex>& lock, const std::string& room);
  static Text told(Place& place);
  std::size_t running() const;

  Rooms& rooms_;
  PrivateDirectory directory_{"promenade-studies"};
  StudyPlace place_;
  std::map<std::string, Place> places_;  // by the ids of rooms
  WatchThread watch_;                    // looks at all above
};

}  // namespace promenade::service

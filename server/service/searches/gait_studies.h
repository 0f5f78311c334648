#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <variant>

#include "service/rooms/rooms.h"
#include "service/searches/gait_study.h"

namespace promenade::service {

/// The studies of gaits that run beside rooms, one a room, each in a process of its own. They end
/// with the server. Any thread.
class GaitStudies {
 public:
  static constexpr std::size_t kMostRunning = 2;  // at once, in all rooms

  GaitStudies(Rooms& rooms, const std::filesystem::path& data_dir, int threads);
  ~GaitStudies();  // stop()

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
  void run();
  static Text told(Place& place);
  std::size_t running() const;

  Rooms& rooms_;
  const StudyPlace place_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::map<std::string, Place> places_;  // by the ids of rooms
  bool stopping_ = false;
  std::thread thread_;  // makes the processes, and so lives as long as they do
};

}  // namespace promenade::service

#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <variant>
#include <vector>

#include "service/rooms/rooms.h"
#include "service/searches/gait_search.h"
#include "service/searches/private_directory.h"
#include "service/searches/watch_thread.h"

namespace promenade::service {

/// The searches of gaits that run beside rooms, one a room, each in a process of its own. The best
/// gait so far is given to a character of the room, so that everybody sees it. They outlive a
/// restart where the server has a state directory. Any thread.
class GaitSearches {
 public:
  static constexpr std::size_t kMostRunning = 2;  // at once, in all rooms

  /// @param state_dir  of the server; empty: files are removed at the end
  GaitSearches(Rooms& rooms, const std::filesystem::path& data_dir,
               const std::filesystem::path& state_dir, int threads);
  ~GaitSearches();  // stop()
  GaitSearches(const GaitSearches&) = delete;
  GaitSearches& operator=(const GaitSearches&) = delete;

  using Report = std::variant<v1::RoomSearch, world::CommandError>;
  Report begin(const RoomHost& room, const v1::RoomSearchOrder& order);
  /// @return the error where the room has no search
  Report stop(const RoomHost& room);
  /// The report as JSON, made once for all who ask between two changes; of a room without a search
  /// one that says so.
  std::shared_ptr<const std::string> report(const RoomHost& room);
  std::variant<v1::Gait, world::CommandError> gait(const RoomHost& room,
                                                   std::optional<std::size_t> cell);
  /// Ends all processes; their searches go on with the next server. Idempotent.
  void stop();

 private:
  struct Place {
    std::unique_ptr<GaitSearch> search;
    bool shows = false;       // its character gets the best gait
    std::uint64_t shown = 0;  // trial of the gait that the character has; 0: none
    std::chrono::steady_clock::time_point shown_at;
    std::uint64_t number = 0;                 // of the last search
    std::shared_ptr<const std::string> text;  // of the report; null: not made yet
    std::uint64_t text_changes = 0;           // GaitSearch::changes() then
  };
  /// What rooms say to the gaits that they are given; they may say it when this object is gone.
  struct Answers {
    struct One {
      std::string room;
      std::uint64_t number = 0;  // of the search
      std::string trouble;       // empty: the character has the gait
    };
    std::mutex mutex;
    std::vector<One> waiting;
  };
  std::chrono::milliseconds look();
  void look_after(RoomHost& room, Place& place);
  void show_best(RoomHost& room, Place& place);
  void take_answers();
  /// The place of a room; the first time with the search that it has from an earlier server.
  /// @pre the lock is held
  Place& place_of(const RoomHost& room);
  std::size_t running() const;

  Rooms& rooms_;
  PrivateDirectory directory_{"promenade-searches"};  // where searches are not kept
  SearchPlace place_;
  const bool kept_;
  const std::shared_ptr<Answers> answers_ = std::make_shared<Answers>();
  std::map<std::string, Place> places_;  // by the ids of rooms
  WatchThread watch_;                    // looks at all above
};

}  // namespace promenade::service

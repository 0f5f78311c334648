#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "promenade/v1/room_search.pb.h"
#include "search/course.h"
#include "search/gaits/gait_problem.h"
#include "service/searches/search_process.h"
#include "world/library/library.h"

namespace promenade::service {

/// Where searches run and keep their files.
struct SearchPlace {
  std::shared_ptr<const Library> library;
  std::filesystem::path data_dir;
  std::filesystem::path directory;  // of their files
  int threads = 1;                  // of each
};

/// One search of gaits of a room: its log, the process that writes it, and what it has come to.
/// Not thread-safe.
class GaitSearch {
 public:
  using Made = std::variant<std::unique_ptr<GaitSearch>, world::CommandError>;

  /// Begins one; it runs from the first look() on.
  /// @param body  that the character has; @param number  greater than that of the room's last one
  static Made begin(const SearchPlace& place, const std::string& room, v1::RoomSearchOrder order,
                    const world::CreatureDefinition& body, std::uint64_t number);
  /// The search that the directory has of a room, as it was when the server ended. Null: none.
  static std::unique_ptr<GaitSearch> find(const SearchPlace& place, const std::string& room);
  ~GaitSearch();

  /// Reads what is new in the log; starts the process where it should run; notes the end. To be
  /// called a few times a second, on a thread that lives as long as the search.
  void look();
  /// Ends it for good.
  void stop();
  /// Removes its files. @pre it does not run
  void forget();

  bool runs() const { return file_.state() == v1::RoomSearch::RUNNING; }
  const v1::RoomSearchFile& file() const { return file_; }
  /// Grows whenever the report changes.
  std::uint64_t changes() const { return changes_; }
  v1::RoomSearch report() const;
  /// Number of the best candidate so far; nothing: none has gone on to the end of its trials.
  std::optional<std::uint64_t> best() const;
  /// The gait of a cell of the map; @param cell  nothing: the best so far
  /// @return nothing: there is none
  std::optional<v1::Gait> gait(std::optional<std::size_t> cell) const;
  /// Says beside the report why nobody shows the best gait; empty: somebody does.
  void note_showing(const std::string& trouble);

 private:
  GaitSearch(const SearchPlace& place, v1::RoomSearchFile file, v1::SearchStart start,
             search::GaitProblem problem);
  std::filesystem::path path(const char* ending) const;
  void read_log();
  void take(const v1::SearchGeneration& generation);
  void note_score(double score);
  void end(v1::RoomSearch::State state, const std::string& trouble);
  void keep();
  bool in_library() const;

  const SearchPlace place_;
  v1::RoomSearchFile file_;
  const v1::SearchStart start_;
  const search::GaitProblem problem_;
  std::optional<search::Course> course_;
  std::unique_ptr<SearchProcess> process_;
  std::size_t read_ = 0;  // bytes of the log, whole lines
  bool start_read_ = false;
  int failures_ = 0;  // of processes, in a row
  std::string best_kind_, showing_;
  std::vector<v1::SearchBest> curve_;
  std::vector<double> scores_;
  std::uint64_t scores_every_ = 1, scores_seen_ = 0;
  std::uint64_t changes_ = 0;
  double seconds_before_ = 0;  // of searching, before this process
  std::chrono::steady_clock::time_point begun_;
};

}  // namespace promenade::service

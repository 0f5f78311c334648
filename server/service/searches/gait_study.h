#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <variant>

#include "promenade/v1/gait_study.pb.h"
#include "service/searches/search_process.h"
#include "world/command/command.h"
#include "world/library/library.h"
#include "world/showing/snapshot.h"

namespace promenade::service {

/// Where studies run and keep their files.
struct StudyPlace {
  std::shared_ptr<const Library> library;
  std::filesystem::path data_dir;
  std::filesystem::path directory;  // of their files
  int threads = 1;                  // of each
};

/// One look about in the neighbourhood of a character's gait: variations of it or its landscape, by
/// a process of its own. Not thread-safe.
class GaitStudy {
 public:
  using Made = std::variant<std::unique_ptr<GaitStudy>, world::CommandError>;

  /// Begins one; it runs from the first look() on.
  /// @param entry   the character; @param number  greater than that of the room's last one
  /// @return why not: the character has no gait, or the order asks for what there is not
  static Made begin(const StudyPlace& place, const std::string& room, v1::GaitStudyOrder order,
                    const world::RosterEntry& entry, std::uint64_t number);
  ~GaitStudy();  // removes its files

  /// Starts the process, or notes its end. To be called a few times a second, on a thread that
  /// lives as long as the study.
  /// @return whether the process has left a report, which take_result() waits for
  bool look();
  /// Where the process leaves its report.
  std::filesystem::path report_file() const { return path(".report.json"); }
  /// Reads that file into the report of a study, and writes how the study has ended. Any thread.
  static void read_result(const std::filesystem::path& file, v1::GaitStudy& report);
  /// @param report  this study's, as read_result() has completed it; @pre runs()
  void take_result(v1::GaitStudy report);
  /// Ends it for good.
  void stop();
  bool runs() const { return report_.state() == v1::RoomSearch::RUNNING; }
  std::uint64_t number() const { return report_.number(); }
  /// As it was at the last look().
  const v1::GaitStudy& report() const { return report_; }

 private:
  GaitStudy(const StudyPlace& place, v1::GaitStudy report);
  std::filesystem::path path(const char* ending) const;
  std::vector<std::string> arguments() const;
  void start();
  void end(v1::RoomSearch::State state, const std::string& trouble);

  const StudyPlace place_;
  v1::GaitStudy report_;
  std::unique_ptr<SearchProcess> process_;
  std::chrono::steady_clock::time_point begun_;
};

}  // namespace promenade::service

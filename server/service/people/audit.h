#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "net/limits/log_limit.h"
#include "service/event_log.h"
#include "service/worker.h"

namespace spdlog {
class logger;
}

namespace promenade::service {

/// A deed of a visitor that others may want to know of later.
struct Deed {
  const char* action = "";  // "load_scene", "save_style", "kick", "refuse_token", ...
  std::string visitor;      // id
  std::string name;         // that the visitor has chosen, or the token's; anybody may choose any
  std::string token;        // name of the token, by which the server knows its holder; may be empty
  std::string address;
  std::string role;
  std::string room;     // empty: of no room
  std::string object;   // the object of the deed: a scene, a style's name, a visitor
  std::string outcome;  // "done", or why it was refused
  std::string details;  // how: the reason given and for how long, what was changed; may be empty
};

/// The trail of deeds: a line of JSON for each deed in a file of its own, or, without one,
/// lines of the log. Any thread; never waits for the disk: lines that the disk cannot take in time
/// are left out. Of each action at most 20 a second are written in the long run, so
/// that nobody can push the trail out of its files; the next line tells how many were left out.
class Audit {
 public:
  static constexpr std::size_t kMaxFileBytes = 10 * 1024 * 1024;
  static constexpr std::size_t kMaxFiles = 9;  // older files: FILE.1 to FILE.9

  /// @param file  empty: the log. Throws std::runtime_error where it cannot be written.
  Audit(const std::filesystem::path& file, EventLog& log);
  ~Audit();
  Audit(const Audit&) = delete;
  Audit& operator=(const Audit&) = delete;

  void note(const Deed& deed);

 private:
  EventLog& log_;
  net::LogLimit limit_{20, 200};
  std::shared_ptr<spdlog::logger> file_;  // null without a file
  std::unique_ptr<Worker> worker_;        // null without it; writes lines, ends before the file
};

}  // namespace promenade::service

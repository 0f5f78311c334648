#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "isolation/process_files.h"
#include "world/run/runner.h"

namespace promenade::isolation {

struct IsolationSettings : ProcessFiles {
  double hang_timeout_s = 10;             // without a sign of life, after which a process is killed
  std::size_t memory_bytes = 1024 << 20;  // resident, above which it is killed; 0: no limit
  /// How far the making of the room is, see world::GaitProgress, while the constructor waits; any
  /// thread. @return false: it is not wanted
  std::function<bool(double share, const std::string& doing)> making;
  /// How processes end, and what a restart has lost, for a log; any thread.
  std::function<void(const std::string&)> tell;
  /// Events for the log that nobody has to worry about: how a room goes on after a restart.
  std::function<void(const std::string&)> note;
};

/// A room in a process of its own, and a thread that looks after it. Where the process crashes,
/// hangs or takes too much memory, it is started again and goes on as after a crash of a whole
/// server: from its journal, or without one from its scene. Commands under way then are answered
/// with an error; the roster has a later epoch, and an event says so.
class RemoteRunner : public world::Runner {
 public:
  /// Returns once the room is there. Throws RoomError as RoomRunner does, and where no process
  /// comes up in several tries or the room alone takes more memory than it may.
  RemoteRunner(const std::shared_ptr<const Library>& library, const world::RunnerSettings& settings,
               IsolationSettings isolation);
  ~RemoteRunner() override;  // stop()

  void on_snapshot(OnSnapshot callback) override;
  void on_events(OnEvents callback) override;
  void on_making(OnMaking callback) override;
  void start() override;
  void stop() override;
  bool submit(world::Command command, Reply reply = {}, const std::string& payer = {}) override;
  bool save(OnSaved reply, const std::string& payer = {}) override;
  bool restore(v1::Checkpoint checkpoint, Reply reply, const std::string& payer = {}) override;
  void set_watchers(std::size_t count) override;
  void set_onlookers(world::Onlookers onlookers) override;
  void touch() override;
  std::shared_ptr<const world::Snapshot> latest() const override;
  world::RunnerStats stats() const override;
  const std::vector<std::string>& notes() const override;
  const std::vector<std::string>& losses() const override;
  std::string left_out() const override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace promenade::isolation

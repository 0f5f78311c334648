#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "world/run/runner.h"

namespace promenade::world {

struct Order;

/// Owns a room and the thread that ticks it.
class RoomRunner : public Runner {
 public:
  /// Loads the room at once (throws RoomError for an unknown scene or a journal that cannot be
  /// written), and takes it to where its journal left it; nothing ticks before start().
  RoomRunner(const std::shared_ptr<const Library>& library, const RunnerSettings& settings);
  ~RoomRunner() override;  // stop()

  void on_snapshot(OnSnapshot callback) override;
  void on_events(OnEvents callback) override;
  void on_making(OnMaking callback) override;
  void start() override;
  void stop() override;
  bool submit(Command command, Reply reply = {}, const std::string& payer = {}) override;
  bool save(OnSaved reply, const std::string& payer = {}) override;
  bool restore(v1::Checkpoint checkpoint, Reply reply, const std::string& payer = {}) override;
  void set_watchers(std::size_t count) override;
  void set_onlookers(Onlookers onlookers) override;
  void touch() override;
  std::shared_ptr<const Snapshot> latest() const override;
  RunnerStats stats() const override;
  const std::vector<std::string>& notes() const override;
  const std::vector<std::string>& losses() const override;
  std::string left_out() const override;

  /// Grows whenever the thread has come round to looking for commands, several times a second while
  /// the room does not sleep: where it stays, the thread hangs.
  std::uint64_t turns() const;

 private:
  struct Impl;
  bool queue(Order order);
  std::unique_ptr<Impl> impl_;
};

}  // namespace promenade::world

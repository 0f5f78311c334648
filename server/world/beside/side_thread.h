#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "world/beside/purse.h"

namespace promenade::world {

/// A thread for what takes longer than a room's tick may: rooms go on meanwhile. One for all rooms
/// of a process. It gives way to other threads (its priority is lower), and its jobs are charged to
/// payers, who take turns. Any thread may call its functions.
/// Docs: docs/decisions/0039-work-beside-the-room.md
///
/// Law: next comes a part of the job of whoever has most saved. A purse fills with `rate` seconds
/// of
///      a processor a second, up to kSaved; a payer whose purse is empty waits.
class SideThread {
 public:
  static constexpr double kSaved = 10;  // s of a processor; more: larger scenes are made in one go

  /// @param rate  of a payer's purse, s of a processor a second; 0: no limit
  explicit SideThread(double rate);
  ~SideThread();  // what is not done by then is dropped

  /// Does a part of a job, so that others get their turn between two. What it throws ends the job.
  /// @return whether that was the last part
  using Part = std::function<bool()>;
  /// Jobs of one payer are done one after another.
  /// @param payer  to whom its work is charged; empty: to nobody
  void submit(const std::string& payer, Part part);

 private:
  void run();
  /// The queue of the payer with most saved, of equals that of who comes after the last in turn;
  /// end: nobody may have anything done now.
  std::map<std::string, std::deque<Part>>::iterator next(Purse::Clock::time_point now);
  Purse::Clock::time_point next_opening(Purse::Clock::time_point now);

  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  Purses purses_;
  std::map<std::string, std::deque<Part>> waiting_;  // by payer; no queue is empty
  std::string last_;                                 // payer of the part that was made last
  std::thread thread_;
};

}  // namespace promenade::world

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

/// A thread for work that takes longer than a room's tick may: rooms go on meanwhile. One serves
/// all rooms. It gives way to other threads (its priority is lower), and its jobs are charged to
/// payers, who take turns. Any thread may call its functions.
/// Docs: docs/decisions/0039-work-beside-the-room.md
///
/// Law: next comes a part of the job of the payer that has most saved. A purse fills with
///      `rate` seconds of a processor a second, up to kSaved; a payer whose purse is empty
///      waits.
class SideThread {
 public:
  static constexpr double kSaved = 10;  // s of a processor; more: larger scenes are made in one go

  /// @param rate  of a payer's purse, s of a processor a second; 0: no limit
  explicit SideThread(double rate);
  ~SideThread();  // jobs that are not done by then are dropped

  /// Does a part of a job, so that others get their turn between two. An exception ends the job.
  /// @return whether that was the last part
  using Part = std::function<bool()>;
  /// Jobs of one payer are done one after another.
  /// @param payer  the payer that its work is charged to; empty: nobody
  void submit(const std::string& payer, Part part);

 private:
  void run();
  /// The queue of the payer with most saved, of equals that of the one after the last in turn; end:
  /// no payer may have anything done now.
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

#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "world/step/stepping.h"
#include "world/step/worker_pool.h"

namespace promenade::world {

/// The threads of a room, each with buffers of its own, and how work on many bodies is shared out
/// to them.
class Workers {
 public:
  struct Worker {
    StepScratch step;
    double behaviour_s = 0;  // time spent is added
    char padding[64];  // keeps the members that different threads write in different cache lines
  };

  explicit Workers(int threads)
      : pool_(std::make_unique<WorkerPool>(threads)), all_(std::size_t(threads)) {}

  int threads() const { return pool_->threads(); }
  void swap(Workers& other) {
    pool_.swap(other.pool_);
    all_.swap(other.all_);
  }

  /// Calls work(piece, worker) for all pieces below count; see WorkerPool::run().
  template <typename Work>
  void run(int count, Work&& work) {
    pool_->run(count, [&](int piece, int worker) { work(piece, all_[std::size_t(worker)]); });
  }
  /// Calls work(first, end, worker) for pieces of all indices below count.
  template <typename Work>
  void each_piece(std::size_t count, Work&& work) {
    constexpr std::size_t kPiece = 8;  // indices that one thread takes at a time
    run(int((count + kPiece - 1) / kPiece), [&](int piece, Worker& worker) {
      const std::size_t first = std::size_t(piece) * kPiece;
      work(first, std::min(count, first + kPiece), worker);
    });
  }
  /// Calls work(index, worker) for every index below count.
  template <typename Work>
  void each(std::size_t count, Work&& work) {
    each_piece(count, [&](std::size_t first, std::size_t end, Worker& worker) {
      for (std::size_t i = first; i < end; ++i) work(i, worker);
    });
  }
  /// Hands over the times that the workers have spent since the last call, and begins anew.
  /// @param take  take(worker), which reads them
  template <typename Take>
  void take_times(Take&& take) {
    for (Worker& worker : all_) {
      take(std::as_const(worker));
      worker.behaviour_s = worker.step.control_s = worker.step.physics_s = 0;
    }
  }

 private:
  std::unique_ptr<WorkerPool> pool_;
  std::vector<Worker> all_;  // [threads]
};

}  // namespace promenade::world

#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

namespace promenade::world {

/// A fixed number of threads that share numbered pieces of work. Any thread may take a piece, so
/// pieces must not depend on each other. Running allocates nothing.
class WorkerPool {
 public:
  /// @param threads  1 or more, the caller of run() included
  explicit WorkerPool(int threads);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  int threads() const { return 1 + int(helpers_.size()); }

  /// Calls work(piece, worker) for every piece in [0, pieces), workers numbered from 0 (the
  /// caller). Returns when all are done. Each worker does its own run of neighbouring pieces in
  /// ascending order, then takes the last ones of other workers; so long pieces should come first.
  template <typename Work>
  void run(int pieces, Work&& work) {
    run_erased(pieces, const_cast<void*>(static_cast<const void*>(&work)),
               [](void* context, int piece, int worker) {
                 (*static_cast<std::remove_reference_t<Work>*>(context))(piece, worker);
               });
  }

 private:
  using Call = void (*)(void* context, int piece, int worker);
  void run_erased(int pieces, void* context, Call call);
  // The pieces that a worker has before it, in one atomic number so that the owner and others that
  // take from it agree: the first in the low half, one past the last in the high half. Each has a
  // cache line of its own.
  struct alignas(64) Share {
    std::atomic<std::uint64_t> pieces{0};
  };

  void share_out(int pieces);
  void take_pieces(int worker);
  void help(int worker);

  void* context_ = nullptr;
  Call call_ = nullptr;
  std::vector<Share> shares_;          // [workers]
  std::atomic<int> busy_{0};           // helpers still at the present job
  std::atomic<std::uint32_t> job_{0};  // counts jobs; helpers wait for it to change
  std::atomic<bool> stop_{false};
  std::vector<std::jthread> helpers_;
};

}  // namespace promenade::world
